//! Emphasis, links, form fields and pictures inside a paragraph are read with it, in Chromium.

use std::collections::HashSet;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::*;

/// Waits until the page with this title shows `text`.
pub(super) async fn wait_for_text(browser: &mut Browser, tree: &AtSpi, title: &str, text: &str) {
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < Duration::from_secs(60), "Chromium did not show {text}");
        tokio::time::sleep(Duration::from_millis(300)).await;
        let point = Point::new(400, 400);
        if !browser.is_shown(tree, point, title).await {
            continue;
        }
        let Some(window) = tree.window_at(point).await.unwrap() else { continue };
        let lines = tree.window_lines(&window).await.unwrap_or_default().lines;
        if lines.iter().any(|line| line.text.contains(text)) {
            return;
        }
    }
}

/// Markup of a piece of a paragraph, and the text that is read from it.
#[derive(Debug, Clone)]
struct InlinePiece {
    html: String,
    text: String,
    /// Separated from the surrounding words.
    is_apart: bool,
}

/// Words that may touch each other: amounts, words in Hangul and Latin letters.
fn words() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        "[1-9][0-9]{0,2},[0-9]{3}원",
        "[가-힣]{1,4}",
        "[a-z]{1,5}",
        "-[0-9]{1,3}",
        "[0-9]{1,2}\\.[0-9]%",
        Just("(3 kg)".to_owned()),
    ];
    proptest::collection::vec((word, proptest::bool::ANY), 1..3)
        .prop_map(|words| words.into_iter().map(|(word, gap)| if gap { format!("{word} ") } else { word }).collect())
}

fn piece() -> impl Strategy<Value = InlinePiece> {
    let plain = words().prop_map(|text| InlinePiece { html: text.clone(), text, is_apart: false });
    let apart = prop_oneof![
        words().prop_map(|text| (format!("<img width=30 height=12 alt='{}'>", text.trim()), text)),
        words().prop_map(|text| (format!("<button>{}</button>", text.trim()), text)),
        words().prop_map(|text| (format!("<input size=12 value='{}'>", text.trim()), text)),
        words().prop_map(|text| (format!("<select><option>아님<option selected>{}</select>", text.trim()), text)),
        // Nothing is read from a hidden field.
        words().prop_map(|text| (format!("<input type=password size=6 value='{}'>", text.trim()), String::new())),
    ];
    let apart = apart.prop_map(|(html, text)| InlinePiece { html, text: text.trim().to_owned(), is_apart: true });
    let line = Just(InlinePiece { html: "<br>".into(), text: "\n".into(), is_apart: false });
    let leaf = prop_oneof![8 => plain, 2 => apart, 1 => line];
    leaf.prop_recursive(5, 16, 4, |inner| {
        let tags =
            ["strong", "b", "em", "i", "code", "a href='#'", "span", "mark", "del", "ins", "sub", "sup", "u", "small"];
        let tag = proptest::sample::select(tags.to_vec());
        (tag, proptest::collection::vec(inner, 1..4)).prop_map(|(tag, pieces)| {
            let joined = join(&pieces);
            let name = tag.split(' ').next().unwrap();
            InlinePiece { html: format!("<{tag}>{}</{name}>", joined.html), ..joined }
        })
    })
}

fn join(pieces: &[InlinePiece]) -> InlinePiece {
    let (mut html, mut text) = (String::new(), String::new());
    for piece in pieces {
        html += &piece.html;
        text += &(if piece.is_apart { format!(" {} ", piece.text) } else { piece.text.clone() });
    }
    InlinePiece { html, text, is_apart: false }
}

/// The text without whitespace, because the browser decides how many blanks separate pieces.
fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// Layout of the pages of paragraphs: on a busy machine only some elements of a full page are reported in time.
const COLUMNS: usize = 3;
const ROWS: usize = 5;
const PAGES: usize = 3;

/// The paragraphs that are read differently from their text, by each kind of query. `right` collects what was read
/// correctly, now or in an earlier try.
async fn differences(
    tree: &AtSpi,
    browser: &Browser,
    paragraphs: &[InlinePiece],
    right: &mut HashSet<(&'static str, usize)>,
) -> Vec<String> {
    let window = tree.window_at(browser.at(400, 400)).await.unwrap().unwrap();
    let elements = tree.window_elements(&window).await.unwrap_or_default();
    let lines = tree.window_lines(&window).await.unwrap_or_default().lines;
    let mut wrong = Vec::new();
    for (index, paragraph) in paragraphs.iter().enumerate() {
        let expect = format!("시작{index} {} 끝{index}", paragraph.text);
        let (column, row) = (index % COLUMNS, index / COLUMNS);
        let (x, y) = (10 + 625 * i32::try_from(column).unwrap(), 4 + 64 * i32::try_from(row).unwrap());
        let mut check = |what: &'static str, found: &str| {
            // If no piece is separated, a blank in between is a mistake, too: "30,000 원".
            let blanks = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let is_close = paragraph.html.starts_with("총액은") && what != "lines";
            if letters(found) == letters(&expect) && (!is_close || blanks(found) == blanks(&expect)) {
                right.insert((what, index));
            } else if !right.contains(&(what, index)) {
                wrong.push(format!("{what} {index}: {}\n  read     {found}\n  expected {expect}", paragraph.html));
            }
        };
        let begin = format!("시작{index}");
        let candidate = elements.iter().find(|element| element.text.split_whitespace().next() == Some(&begin));
        check("element", candidate.map_or("", |element| element.text.as_str()));
        match pick(tree, browser.at(x + 4, y + 10)).await {
            Ok(AtPoint::Element(element)) => check("pick", &element.text),
            other => check("pick", &format!("{other:?}")),
        }
        // The lines of a paragraph are in its column and row, one below another.
        let place = Rect::new(browser.origin.x + x - 2, browser.origin.y + y - 6, 610, 64);
        let mut own: Vec<_> = lines.iter().filter(|line| place.contains(line.bbox.center())).collect();
        own.sort_by_key(|line| (line.bbox.center().y / 8, line.bbox.x));
        let own: String = own.iter().map(|line| line.text.as_str()).collect();
        check("lines", &own);
    }
    wrong
}

// PIC-1, PIC-5, FOC-4, PIC-9
#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_paragraph_is_missing_pic_1_foc_4() {
    let _desk = desk().await;
    let tree = AtSpi::new();
    let seed = std::env::var("LUNA_TEST_SEED").map_or(1, |seed| seed.parse::<u8>().unwrap());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let strategy = proptest::collection::vec(piece(), 1..6);
    let mut paragraphs = vec![InlinePiece {
        html: "총액은 <strong>30,000원</strong>이며 할인 후 <em>25,000</em>원".into(),
        text: "총액은 30,000원이며 할인 후 25,000원".into(),
        is_apart: false,
    }];
    while paragraphs.len() < COLUMNS * ROWS * PAGES {
        paragraphs.push(join(&strategy.new_tree(&mut runner).unwrap().current()));
    }
    for (number, page) in paragraphs.chunks(COLUMNS * ROWS).enumerate() {
        check_page(&tree, &format!("Luna paragraphs {number}"), page).await;
    }
}

async fn check_page(tree: &AtSpi, title: &str, paragraphs: &[InlinePiece]) {
    let mut html = format!(
        "<!doctype html><meta charset=utf-8><title>{title}</title><style>body{{margin:0;font:13px/16px sans-serif}}\
         p{{position:absolute;margin:0;width:600px}}input,select,button{{font:11px/11px sans-serif;height:15px;padding:0}}</style>",
    );
    for (index, paragraph) in paragraphs.iter().enumerate() {
        let (column, row) = (index % COLUMNS, index / COLUMNS);
        let place = format!("left:{}px;top:{}px", 10 + 625 * column, 4 + 64 * row);
        // Each paragraph begins and ends with words that identify it.
        html += &format!("<p style='{place}'>시작{index} {} 끝{index}</p>", paragraph.html);
    }
    let page = std::env::temp_dir().join(format!("luna-paragraphs-{}.html", std::process::id()));
    std::fs::write(&page, &html).unwrap();
    let mut browser = Browser::open(&page, "0,0", "1900,1000");
    let last = paragraphs.len() - 1;
    wait_for_text(&mut browser, tree, title, &format!("끝{last}")).await;
    let start = Instant::now();
    // On a busy machine a query may end before everything is reported; what is reported is complete, but differs
    // between tries.
    let mut right = HashSet::new();
    let mut wrong = differences(tree, &browser, paragraphs, &mut right).await;
    while !wrong.is_empty() && start.elapsed() < Duration::from_secs(45) {
        tokio::time::sleep(Duration::from_secs(3)).await;
        wrong = differences(tree, &browser, paragraphs, &mut right).await;
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), 3 * paragraphs.len(), wrong.join("\n"));
    std::fs::remove_file(page).unwrap();
}

// PIC-1
#[tokio::test(flavor = "multi_thread")]
async fn pointing_at_an_emphasised_piece_means_its_sentence_and_the_place_in_it_pic_1() {
    const SENTENCE: &str =
        "total <strong>30,000 won</strong> and <em>after <b>all <code>25,000</code></b> off</em> remains here";
    const TEXT: &str = "total 30,000 won and after all 25,000 off remains here";
    let _desk = desk().await;
    let tree = AtSpi::new();
    // Monospaced, so that the place of each letter is known.
    let html = format!(
        "<!doctype html><meta charset=utf-8><title>Luna sentence</title><style>body{{margin:0;font:16px/24px monospace}}\
         body>*{{position:absolute;left:20px;margin:0;white-space:nowrap}}code{{font:inherit}}</style>\
         <p style='top:20px'>{SENTENCE}</p><div style='top:80px'>{SENTENCE}</div>\
         <ul style='top:140px;padding:0'><li>{SENTENCE}</ul><h3 style='top:200px;font:inherit'>{SENTENCE}</h3>\
         <p style='top:260px' id=ruler>{}</p>",
        "m".repeat(50)
    );
    let page = std::env::temp_dir().join(format!("luna-sentence-{}.html", std::process::id()));
    std::fs::write(&page, &html).unwrap();
    let mut browser = Browser::open(&page, "100,100", "900,600");
    wait_for_text(&mut browser, &tree, "Luna sentence", "mmm").await;
    let ruler = element(&tree, "ruler", browser.at(60, 272)).await;
    let width = f64::from(ruler.bbox.width) / 50.0;
    for (what, y, role) in
        [("p", 32, Role::Text), ("div", 92, Role::Text), ("li", 152, Role::ListItem), ("h3", 212, Role::Heading)]
    {
        for word in ["total", "30,000", "won", "and", "after", "all", "25,000", "off", "remains", "here"] {
            let at = TEXT.find(word).unwrap() + word.len() / 2;
            let x = 20.0 + width * (at as f64 + 0.5);
            let found = element(&tree, word, browser.at(x as i32, y)).await;
            assert_eq!((found.role, found.text.as_str()), (role, TEXT), "{what}: {word}");
            let offset = found.offset.unwrap_or_else(|| panic!("{what}: {word} has no offset"));
            assert!(offset.abs_diff(at) <= 1, "{what}: {word}: {offset}, not {at}");
        }
    }
    std::fs::remove_file(page).unwrap();
}
