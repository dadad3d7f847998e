//! English wishes: "would you mind repeating that", "I want this translated into Korean". What is wanted is said as an order (NLU-2).

use std::collections::BTreeMap;

use super::fillers::lines;
use super::normalised::NormalisedUtterance;
use super::phrases::Frame;
use super::template::expand;
use super::trie::Trie;

/// What follows a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follows {
    /// A verb with -ing.
    Doing,
    /// A thing and what shall happen to it; `true`: with "be" between.
    Done(bool),
    Thing,
    /// A verb in the past: "if you spelled this".
    Did,
    /// What is to be read.
    Hear,
}

/// An order, after the cell at which its frame ends.
type Order = (usize, String);

/// Frames of wishes and the verbs in them.
#[derive(Debug, Clone, Default)]
pub struct Wishes {
    frames: Trie<Follows>,
    doing: BTreeMap<&'static str, &'static str>,
    done: BTreeMap<&'static str, &'static str>,
}

/// What may stand between a thing and what shall happen to it.
const BE: [&str; 15] = [
    "havetobe",
    "tobe",
    "be",
    "needstobe",
    "hastobe",
    "shouldbe",
    "mustbe",
    "oughttobe",
    "wantstobe",
    "needtobe",
    "is",
    "are",
    "get",
    "getting",
    "being",
];
/// Those that say that it is wanted.
const MUST: [&str; 8] =
    ["needstobe", "needtobe", "hastobe", "havetobe", "shouldbe", "mustbe", "oughttobe", "wantstobe"];
/// What a thing may become.
const MORE: [&str; 4] = ["bigger", "larger", "slower", "faster"];
/// Words that belong to a verb: turned off, scrolled down.
const PARTICLES: [&str; 8] = ["on", "off", "up", "down", "in", "out", "of", "aloud"];
/// Words of the thing that is named before what shall happen to it.
const MOST: usize = 6;

impl Wishes {
    /// Reads the list.
    #[must_use]
    pub fn new() -> Self {
        let mut wishes = Self::default();
        for (section, line) in lines(include_str!("words/wishes.txt")) {
            let follows = match section {
                "ing" => Follows::Doing,
                "done" => Follows::Done(false),
                "be" => Follows::Done(true),
                "did" => Follows::Did,
                "thing" => Follows::Thing,
                "hear" => Follows::Hear,
                _ => {
                    let mut forms = line.split(' ');
                    let Some(base) = forms.next() else { continue };
                    for form in forms {
                        let table = if form.ends_with("ing") { &mut wishes.doing } else { &mut wishes.done };
                        table.entry(form).or_insert(base);
                    }
                    continue;
                }
            };
            expand(line, 1000).iter().for_each(|phrase| wishes.frames.insert(phrase, follows));
        }
        wishes
    }

    /// The orders that an utterance may be the wish for, the likeliest first: those of a verb, and the things alone. Empty where it is none.
    #[must_use]
    pub fn orders(&self, heard: &NormalisedUtterance, frame: &Frame) -> (Vec<String>, Vec<String>) {
        const ORDERS: usize = 3;
        let n = heard.len();
        let mut starts: Vec<usize> = frame.starts.iter().copied().filter(|start| heard.gap(*start)).collect();
        starts.sort_unstable();
        let (mut orders, mut things): (Vec<Order>, Vec<Order>) = (Vec::new(), Vec::new());
        for start in starts {
            self.frames.at(&heard.cells, start, |end, follows| {
                if !heard.gap(end) || end >= n {
                    return;
                }
                // A frame that takes more of the utterance goes first.
                match follows {
                    Follows::Doing => orders.extend(verb_first(&self.doing, heard, end).map(|order| (end, order))),
                    Follows::Did => orders.extend(verb_first(&self.done, heard, end).map(|order| (end, order))),
                    Follows::Done(be) => orders.extend(self.done(heard, end, *be).map(|order| (end, order))),
                    Follows::Hear => orders.push((end, format!("read {}", heard.verbatim(end, n)))),
                    Follows::Thing => {
                        things.push((end, heard.verbatim(end, n)));
                        // "a summary of this page"
                        things.push((end, format!("give me {}", heard.verbatim(end, n))));
                    }
                }
            });
            // "airplane mode should be turned off", but not "our house is painted".
            let must = MUST.iter().any(|word| {
                heard.words(start, n).iter().any(|(at, _)| *at > start && heard.word_end(*at, word).is_some())
            });
            if must {
                orders.extend(self.done(heard, start, true).map(|order| (start, order)));
            }
        }
        let [orders, things] = [orders, things].map(|mut found| {
            found.sort_by_key(|(end, _)| std::cmp::Reverse(*end));
            found.dedup_by(|a, b| a.1 == b.1);
            found.truncate(ORDERS);
            found.into_iter().map(|(_, order)| order).collect()
        });
        (orders, things)
    }

    /// "this translated into Korean": "translate this into Korean".
    fn done(&self, heard: &NormalisedUtterance, from: usize, be: bool) -> Option<String> {
        let n = heard.len();
        let words = heard.words(from, n);
        // "I want to set up a home network"
        if heard.word_end(from, "to").is_some_and(|end| heard.gap(end)) {
            return None;
        }
        for (at, (a, b)) in words.iter().copied().enumerate().skip(1).take(MOST + 3) {
            let word: String = heard.part(a, b).iter().collect();
            // "the text bigger": "make the text bigger".
            if !be && MORE.contains(&word.as_str()) {
                return Some(format!("make {}", heard.verbatim(from, n)));
            }
            let Some(base) = self.done.get(word.as_str()) else { continue };
            // "to be", "should be"
            let longest = (0..at).find(|first| {
                words.get(*first).is_some_and(|(start, _)| {
                    let between: String = heard.part(*start, a).iter().collect();
                    BE.contains(&between.as_str())
                })
            });
            if be && longest.is_none() {
                continue;
            }
            let end = longest.unwrap_or(at);
            let stop = words.get(end).map_or(a, |word| word.0);
            if end == 0 || end > MOST {
                continue;
            }
            let particle = words.get(at + 1).filter(|(a, b)| {
                let word: String = heard.part(*a, *b).iter().collect();
                PARTICLES.contains(&word.as_str())
            });
            let (verb, rest) = match particle {
                Some((a, b)) => (format!("{base} {}", heard.said(*a, *b)), *b),
                None => ((*base).to_owned(), b),
            };
            let quote = heard.quotes.iter().find(|quote| quote.from == from && quote.to == stop);
            let thing = quote.map_or_else(|| heard.verbatim(from, stop), |quote| format!("\"{}\"", quote.text));
            return Some(format!("{verb} {} {}", thing.trim_end(), heard.verbatim(rest, n)));
        }
        None
    }
}

/// "repeating that": "repeat that".
fn verb_first(forms: &BTreeMap<&str, &str>, heard: &NormalisedUtterance, from: usize) -> Option<String> {
    let mut words = heard.words(from, heard.len()).into_iter();
    let (mut a, mut b) = words.next()?;
    if ["please", "just", "maybe", "kindly"].iter().any(|word| heard.word_end(a, word) == Some(b)) {
        (a, b) = words.next()?;
    }
    let word: String = heard.part(a, b).iter().collect();
    let base = forms.get(word.as_str())?;
    Some(format!("{base} {}", heard.verbatim(b, heard.len())))
}

#[cfg(test)]
mod tests {
    use super::super::fillers::FillerWords;
    use super::*;

    fn check(text: &str, expect: Option<&str>) {
        let heard = NormalisedUtterance::new(text);
        let frame = Frame::new(&heard, &FillerWords::new(Some("루나")));
        let (orders, things) = Wishes::new().orders(&heard, &frame);
        assert_eq!(
            orders.iter().chain(&things).next().map(|order| order.trim()),
            expect,
            "{text}: {orders:?} {things:?}"
        );
    }

    // NLU-2
    #[test]
    fn wishes_are_said_as_orders_nlu_2() {
        check("would you mind repeating that", Some("repeat that"));
        check("I want this translated into Korean", Some("translate this into Korean"));
        check("I'd like the Wi-Fi turned off, please.", Some("turn off the Wi-Fi please."));
        check("how about scrolling down a bit", Some("scroll down a bit"));
        check("this needs to be summarized", Some("summarize this"));
        check("can the save button be clicked", Some("click the save button"));
        check("I'd like it slower", Some("make it slower"));
        check("let me hear that again", Some("read that again"));
        check("the clock stopped yesterday", None);
        check("I want my car repaired", Some("my car repaired"));
        check("open the door", None);
    }
}
