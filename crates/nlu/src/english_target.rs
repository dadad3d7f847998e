//! What an English noun phrase points at: its text, role, number, and place (NLU-2).

use luna_messages::pick::Role;

use super::draft::Scene;
use super::target::Target;

type Range = (usize, usize);

const ARTICLES: [&str; 16] =
    ["the", "a", "an", "this", "that", "my", "um", "uh", "uhm", "er", "just", "please", "of", "is", "on", "at"];
const DUMMIES: [&str; 5] = ["one", "thing", "ones", "element", "choice"];
const CALLED: [&str; 12] = [
    "labeled",
    "labelled",
    "called",
    "named",
    "thatsays",
    "saying",
    "titled",
    "withthetext",
    "withthelabel",
    "withthename",
    "marked",
    "thatreads",
];

/// Where the longest of these words ends that stands at `at`.
pub fn longest(scene: &Scene<'_>, at: usize, words: &[&str]) -> Option<usize> {
    words.iter().filter(|word| scene.heard.word_end(at, word).is_some()).map(|word| at + word.chars().count()).max()
}

/// What a noun phrase points at.
pub fn np(scene: &Scene<'_>, from: usize, to: usize) -> Target {
    let heard = scene.heard;
    let mut target = Target::default();
    let (mut from, mut to) = (from, to);
    if let Some(quote) = heard.quotes.iter().find(|quote| quote.from >= from && quote.to <= to) {
        let rest = (quote.to.max(from), to);
        target = place(scene, rest.0, rest.1).1;
        if let Some((_, role)) = scene.desk.roles.longest(&heard.cells, quote.to).filter(|(end, _)| *end <= to) {
            target.role = Some(*role);
        }
        target.text = quote.text.clone();
        return target;
    }
    from = articles(scene, from, to);
    if from >= to || scene.is_label(from, to) {
        target.text = heard.said(from, to);
        return target;
    }
    (to, target) = place(scene, from, to);
    name(scene, from, to, &mut target);
    target
}

fn articles(scene: &Scene<'_>, mut from: usize, to: usize) -> usize {
    let article = |from: usize| {
        ARTICLES.iter().filter_map(|word| scene.heard.word_end(from, word)).find(|end| *end < to && scene.border(*end))
    };
    while let Some(end) = article(from).filter(|_| !scene.is_label(from, to)) {
        if scene.unspaced() && end == from + 1 {
            break;
        }
        from = end;
    }
    from
}

/// Takes "below the file name", "in the top right corner" off the end.
fn place(scene: &Scene<'_>, from: usize, to: usize) -> (usize, Target) {
    let heard = scene.heard;
    let mut target = Target::default();
    let cut = |at: usize| {
        // "the button that is below …"
        ["thatis", "thats", "whichis", "located", "thatappears", "shown", "that", "which", "found", "right", "just"]
            .iter()
            .fold(at, |at, word| {
                let start = at.checked_sub(word.len()).filter(|start| *start > from && heard.gap(*start));
                start.filter(|start| longest(scene, *start, &[word]) == Some(at)).unwrap_or(at)
            })
    };
    for at in (from..to).filter(|at| heard.gap(*at) || scene.unspaced()) {
        // A place of the screen.
        if let Some(end) = longest(scene, at, &["inthe", "atthe", "onthe", "in", "at", "on", "tothe", "from the"])
            .filter(|end| heard.gap(*end) || scene.unspaced())
            && let Some((end, zone)) = scene.desk.zones.longest(&heard.cells, end)
        {
            let rest = longest(
                scene,
                end,
                &[
                    "cornerofthescreen",
                    "ofthescreen",
                    "ofthewindow",
                    "ofthepage",
                    "sideofthescreen",
                    "handside",
                    "side",
                    "corner",
                    "cornerofthewindow",
                    "cornerofthepage",
                    "part",
                    "edge",
                    "handcorner",
                    "partofthescreen",
                    "sideofthewindow",
                    "sideofthepage",
                    "edgeofthescreen",
                ],
            );
            if rest.unwrap_or(end) == to {
                target.zone = Some(*zone);
                return (cut(at), target);
            }
        }
        if at == from && heard.gap(at) && longest(scene, at, &["in", "by", "over", "around"]).is_some() {
            continue;
        }
        if let Some((end, relation)) = scene
            .desk
            .relations
            .longest(&heard.cells, at)
            .filter(|(end, _)| *end < to && (heard.gap(*end) || scene.unspaced()))
        {
            let weak = longest(scene, at, &["in", "by", "over", "around"]) == Some(end);
            if weak && longest(scene, end, &["the", "this", "that"]).is_none() {
                continue;
            }
            let mut anchor = Target::default();
            let start = articles(scene, end, to);
            name(scene, start, to, &mut anchor);
            let glued = weak && scene.unspaced();
            if !anchor.text.is_empty() && !glued {
                target.beside = Some((*relation, anchor.text));
                return (cut(at), target);
            }
        }
    }
    (to, target)
}

/// The text without number and role.
fn name(scene: &Scene<'_>, from: usize, to: usize, target: &mut Target) {
    let heard = scene.heard;
    let (mut from, mut to) = (articles(scene, from, to), to);
    let mut role: Option<(Role, Range)> = None;
    loop {
        if from >= to || scene.is_label(from, to) {
            break;
        }
        // The number before: "second", "number two", "last".
        if target.ordinal.is_none()
            && let Some((end, n)) = before(scene, from, to)
        {
            target.ordinal = Some(n);
            from = articles(scene, end, to);
            continue;
        }
        if target.zone.is_none()
            && let Some((end, zone)) =
                scene.desk.zones.longest(&heard.cells, from).filter(|(end, _)| *end <= to && scene.border(*end))
            && (role_fills(scene, end, to) || end - from > 6)
        {
            target.zone = Some(*zone);
            from = end;
            continue;
        }
        break;
    }
    loop {
        if from >= to || scene.is_label(from, to) {
            break;
        }
        if target.ordinal.is_none()
            && let Some((at, n)) = after(scene, from, to)
        {
            target.ordinal = Some(n);
            to = at;
            continue;
        }
        let dummy = heard.words(from, to).last().copied().filter(|(a, b)| {
            let word: String = heard.part(*a, *b).iter().collect();
            DUMMIES.contains(&word.as_str())
        });
        if let Some((at, _)) = dummy {
            to = at;
            continue;
        }
        if role.is_none()
            && let Some((at, found)) = scene
                .desk
                .roles
                .ending_at(&heard.cells, from, to)
                .filter(|(at, _)| scene.border(*at) && heard.word_end(from, "new") != Some(*at))
        {
            role = Some((*found, (at, to)));
            to = at;
            continue;
        }
        break;
    }
    // "the button labeled Save"
    if role.is_none()
        && let Some((end, found)) =
            scene.desk.roles.longest(&heard.cells, from).filter(|(end, _)| *end < to && heard.gap(*end))
        && let Some(rest) = longest(scene, end, &CALLED).filter(|rest| *rest < to && heard.gap(*rest))
    {
        target.role = Some(*found);
        from = articles(scene, rest, to);
    }
    if let Some((found, _)) = role {
        target.role = Some(found);
    }
    target.text =
        if from < to { heard.said(from, to) } else { role.map(|(_, (a, b))| heard.said(a, b)).unwrap_or_default() };
}

fn role_fills(scene: &Scene<'_>, from: usize, to: usize) -> bool {
    scene.desk.roles.ending_at(&scene.heard.cells, from, to).is_some()
}

/// Places that are no plain number, without spaces.
const PLACES: &[(&[&str], i32)] = &[
    (
        &[
            "secondtolast",
            "secondlast",
            "nexttolast",
            "nexttothelast",
            "penultimate",
            "secondtothelast",
            "2ndtolast",
            "2ndlast",
            "2ndtothelast",
            "2ndfromlast",
            "secondfromlast",
            "secondfromtheend",
            "secondfromthebottom",
            "secondfromthelast",
            "lastbutone",
            "secondoneup",
        ],
        -2,
    ),
    (
        &[
            "thirdtolast",
            "thirdlast",
            "thirdfromlast",
            "thirdfromtheend",
            "thirdfromthebottom",
            "thirdfromthelast",
            "3rdtolast",
            "3rdlast",
            "3rdfromlast",
        ],
        -3,
    ),
    (&["last", "verylast", "final", "lastone", "bottommost", "finalone"], -1),
    (&["veryfirst", "topmost", "firstone", "first", "1st", "numberone"], 1),
];

/// A number in front: where it ends.
fn before(scene: &Scene<'_>, from: usize, to: usize) -> Option<(usize, i32)> {
    let heard = scene.heard;
    let fits = |end: &usize| *end <= to && scene.border(*end);
    for (words, n) in PLACES {
        if let Some(end) = longest(scene, from, words).filter(fits) {
            return Some((end, *n));
        }
    }
    if let Some(end) = longest(scene, from, &["number", "no", "option", "#"]).filter(|end| *end < to)
        && let Some((end, n, _)) = scene.numbers.number(heard, end).filter(|found| fits(&found.0))
    {
        return Some((end, n));
    }
    scene.numbers.place(heard, from, false).filter(|(end, _)| fits(end))
}

/// A number behind: "button number three", "item 3". Where it begins.
fn after(scene: &Scene<'_>, from: usize, to: usize) -> Option<(usize, i32)> {
    let heard = scene.heard;
    (from + 1..to).filter(|at| scene.border(*at)).find_map(|at| {
        let (end, marked) = match longest(scene, at, &["number", "no", "#"]) {
            Some(end) => (end, true),
            None => (at, false),
        };
        let (end, n, _) = scene.numbers.number(heard, end).filter(|found| {
            found.0 == to && (marked || scene.desk.roles.ending_at(&heard.cells, from, at).is_some())
        })?;
        (end == to).then_some((at, n))
    })
}
