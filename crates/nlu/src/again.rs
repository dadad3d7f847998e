//! A second hearing (RNK-2): what an English utterance would mean if it were a wish put into an order, or if words of it were those that sound
//! the same. Only where the first hearing made nothing of it, or less.

use luna_messages::reading::Intent;
use luna_messages::understanding::{CandidateInput, Interpretation, ParsedCommand, UtteranceInput, UtteranceKind};

use super::Understanding;
use super::misheard::Meant;
use super::normalised::{NormalisedUtterance, compact};
use super::phrases::Frame;

/// Letters and words of an utterance that is heard again: more are a text, no command.
const LETTERS: usize = 90;
const WORDS: usize = 14;
/// Words of a reflex, politeness included.
const WORDS_OF_A_REFLEX: usize = 8;
/// Words of a target that nothing else is known of.
const WORDS_OF_A_TARGET: usize = 4;
/// Proposals that are tried: each costs as much as the first hearing.
const TRIES: usize = 4;
/// Words with which a thing is named.
const DETERMINERS: [&str; 9] = ["the", "this", "that", "my", "it", "all", "these", "those", "a"];

impl Understanding {
    /// What is better than `first`, if anything is.
    pub(super) fn again(
        &self,
        utterance: &UtteranceInput,
        text: &str,
        offered: &[CandidateInput],
        first: &Interpretation,
    ) -> Option<Interpretation> {
        // "clique the save button": the label alone would be an answer, but there is a verb.
        let named =
            first.kind == UtteranceKind::Answer && first.wish.ordinal.is_none() && first.wish.target_text.is_some();
        let clear = match first.kind {
            UtteranceKind::Reflex | UtteranceKind::Answer => !named,
            _ => first.target_id.is_some() || !first.steps.is_empty(),
        };
        if clear {
            return None;
        }
        let heard = NormalisedUtterance::new(text);
        let words = heard.words(0, heard.len()).len();
        if heard.len() > LETTERS
            || words > WORDS
            || heard.has_hangul()
            || !heard.cells.iter().any(char::is_ascii_alphabetic)
        {
            return None;
        }
        let open = utterance.asking || !offered.is_empty();
        let proposals = self.proposals(&heard, offered, open, first.kind == UtteranceKind::None);
        proposals.iter().take(TRIES).find_map(|(text, wished)| {
            let meant = NormalisedUtterance::new(text);
            // What was put right already is taken as it stands.
            let mut found = self.decide_as(&meant, utterance, offered, false);
            found.dangerous |= acts(&found) && self.danger.is_in(&heard);
            let sure = *wished || determined(&meant);
            better(first, &found, words, sure, !offered.is_empty()).then_some(found)
        })
    }

    /// What may be meant, the likeliest first, and whether it is an order for what was wished. `unknown`: nothing was made of it yet.
    fn proposals(
        &self,
        heard: &NormalisedUtterance,
        offered: &[CandidateInput],
        open: bool,
        unknown: bool,
    ) -> Vec<(String, bool)> {
        let frame = Frame::new(heard, &self.grease);
        let meant = self.misheard.meant(heard, &frame, open);
        let (orders, things) = self.wishes.orders(heard, &frame);
        let apart = unglued(heard);
        let again = |order: &String| {
            let heard = NormalisedUtterance::new(order);
            let meant = self.misheard.meant(&heard, &Frame::new(&heard, &self.grease), open);
            (!meant.is_empty()).then(|| (replaced(&heard, &meant), true))
        };
        let mut all: Vec<(String, bool)> = apart.into_iter().map(|text| (text, false)).collect();
        all.extend(orders.iter().map(|order| (order.clone(), true)));
        all.extend((!meant.is_empty()).then(|| (replaced(heard, &meant), false)));
        all.extend(orders.iter().filter_map(again));
        if unknown {
            all.extend(things.iter().map(|thing| (thing.clone(), true)));
            all.extend(things.iter().take(1).filter_map(again));
        }
        all.extend(self.sounding(heard, offered).map(|text| (text, false)));
        if meant.len() > 1 {
            all.extend(meant.iter().map(|one| (replaced(heard, &[*one]), false)));
        }
        all
    }

    /// The reflex that words of an utterance sound like, or that it wishes for.
    pub(super) fn reflex_again(&self, text: &str) -> Option<luna_messages::control::Command> {
        let utterance = UtteranceInput { utterance: text.to_owned(), speaking: true, ..UtteranceInput::default() };
        self.again(&utterance, text, &[], &Interpretation::default()).and_then(|found| found.command)
    }

    /// The utterance with the label of a candidate in place of the words that sound like it, if only one label is that long.
    fn sounding(&self, heard: &NormalisedUtterance, offered: &[CandidateInput]) -> Option<String> {
        let sounds = self.ranker.sounds();
        let words: Vec<(usize, usize, String)> = heard
            .words(0, heard.len())
            .into_iter()
            .map(|(from, to)| (from, to, sounds.of(&heard.said(from, to)).unwrap_or_default()))
            .collect();
        let mut best: Option<(usize, usize, usize, &str)> = None;
        let mut rival = 0;
        for label in offered.iter().filter_map(|one| one.text.as_deref()) {
            let Some(sound) = sounds.of(label) else { continue };
            let count = sound.split_terminator(' ').count();
            for row in words.windows(count.max(1)) {
                let said: String = row.iter().map(|word| word.2.as_str()).collect();
                let (Some(first), Some(last)) = (row.first(), row.last()) else { continue };
                if said != sound || heard.part(first.0, last.1) == compact(label) {
                    continue;
                }
                match best {
                    Some((most, .., known)) if most > count || (most == count && known == label) => {}
                    Some((most, ..)) if most == count => rival = count,
                    _ => best = Some((count, first.0, last.1, label)),
                }
            }
        }
        let (count, from, to, label) = best?;
        (rival < count).then(|| heard.replaced(&[(from, to, label)]))
    }
}

/// The utterance with a space behind a verb that was written together with the next word: "scrolldown".
fn unglued(heard: &NormalisedUtterance) -> Option<String> {
    const VERBS: [&str; 21] = [
        "translate",
        "summarize",
        "summarise",
        "scroll",
        "select",
        "choose",
        "repeat",
        "delete",
        "click",
        "press",
        "spell",
        "close",
        "read",
        "open",
        "type",
        "turn",
        "stop",
        "next",
        "skip",
        "push",
        "check",
    ];
    const NEXT: [&str; 36] = [
        "this", "that", "it", "the", "down", "up", "on", "off", "to", "me", "page", "again", "button", "all", "these",
        "them", "out", "aloud", "line", "sentence", "reading", "enter", "delete", "save", "cancel", "send", "submit",
        "back", "buy", "pay", "login", "ok", "confirm", "close", "copy", "paste",
    ];
    let parts: Vec<(usize, usize, String)> = heard
        .words(0, heard.len())
        .into_iter()
        .filter_map(|(from, to)| {
            let word: String = heard.part(from, to).iter().collect();
            let (verb, rest) = VERBS.iter().find_map(|verb| Some((*verb, word.strip_prefix(verb)?)))?;
            NEXT.contains(&rest).then(|| (from, to, format!("{verb} {rest}")))
        })
        .collect();
    let parts: Vec<(usize, usize, &str)> = parts.iter().map(|(from, to, by)| (*from, *to, by.as_str())).collect();
    (!parts.is_empty()).then(|| heard.replaced(&parts))
}

fn replaced(heard: &NormalisedUtterance, meant: &[Meant]) -> String {
    let parts: Vec<(usize, usize, &str)> = meant.iter().map(|meant| (meant.from, meant.to, meant.meant)).collect();
    heard.replaced(&parts)
}

fn acts(found: &Interpretation) -> bool {
    matches!(found.kind, UtteranceKind::Command | UtteranceKind::Ambiguous) && found.wish.action.is_some()
        || found.kind == UtteranceKind::Answer && found.target_id.is_some()
}

/// How much is known of what is wanted, beside the text of a target.
fn known(wish: &ParsedCommand) -> usize {
    usize::from(wish.ordinal.is_some())
        + usize::from(wish.relation.is_some())
        + usize::from(wish.zone.is_some())
        + usize::from(wish.role.is_some())
        + usize::from(wish.key.is_some())
        + usize::from(wish.hotkey.is_some())
        + usize::from(wish.direction.is_some())
        + usize::from(wish.amount.is_some())
        + usize::from(wish.state.is_some())
        + usize::from(wish.value.is_some())
        + usize::from(wish.lang_tgt.is_some())
        + usize::from(wish.mode.is_some())
        + usize::from(wish.line_offset.is_some())
        + usize::from(wish.intent.is_some_and(|intent| intent != Intent::Read))
}

/// Whether a thing is named right behind the verb: "open the door", not "open hill".
fn determined(heard: &NormalisedUtterance) -> bool {
    heard.words(0, heard.len()).iter().skip(1).take(4).any(|(from, to)| {
        let word: String = heard.part(*from, *to).iter().collect();
        DETERMINERS.contains(&word.as_str())
    })
}

/// Letters of the target and its anchor: what the rules could not explain.
fn unexplained(wish: &ParsedCommand) -> usize {
    [&wish.target_text, &wish.anchor].into_iter().flatten().map(|text| text.len()).sum()
}

/// Whether what was found at the second hearing goes before what was found at the first.
fn better(first: &Interpretation, found: &Interpretation, words: usize, sure: bool, offers: bool) -> bool {
    let target_words = found.wish.target_text.as_deref().map_or(0, |text| text.split(' ').count());
    let definite = match found.kind {
        UtteranceKind::None => return false,
        UtteranceKind::Reflex => words <= WORDS_OF_A_REFLEX,
        UtteranceKind::Answer => true,
        UtteranceKind::Reading => target_words <= WORDS_OF_A_TARGET,
        UtteranceKind::Ambiguous => found.wish.intent.is_some() && target_words <= WORDS_OF_A_TARGET / 2,
        UtteranceKind::Command if found.target_id.is_some() || !found.steps.is_empty() => true,
        UtteranceKind::Command if offers && found.wish.target_text.is_some() => known(&found.wish) > 0,
        UtteranceKind::Command => known(&found.wish) > 0 || (sure && target_words <= WORDS_OF_A_TARGET),
    };
    if !definite {
        return false;
    }
    match first.kind {
        UtteranceKind::None => true,
        UtteranceKind::Answer => found.kind == UtteranceKind::Command && found.target_id == first.target_id,
        _ if found.kind == UtteranceKind::Reflex || found.target_id.is_some() => true,
        UtteranceKind::Ambiguous if found.kind != UtteranceKind::Ambiguous => true,
        _ => {
            let (was, is) = (known(&first.wish), known(&found.wish));
            is > was || (is == was && unexplained(&found.wish) < unexplained(&first.wish))
        }
    }
}
