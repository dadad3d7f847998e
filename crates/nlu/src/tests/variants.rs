//! No two commands collide, in whatever way they are said.

use super::super::template::expand;
use super::super::{phrases, reflex, slips, verbs};
use super::*;

/// The phrases of the vocabulary with their numbers, verbs as they stand in the dictionary of forms.
fn phrases() -> Vec<(u32, String)> {
    let stems: BTreeMap<&str, &str> =
        fillers::lines(include_str!("../words/stems.txt")).filter_map(|(_, line)| line.split_once(' ')).collect();
    let mut all = Vec::new();
    for (number, template) in reflex::vocabulary() {
        let phrases = expand(template, usize::MAX);
        assert!(!phrases.is_empty(), "a bracket is open: {template}");
        assert!(phrases.len() <= phrases::MOST, "{} phrases, more than are read: {template}", phrases.len());
        for phrase in phrases {
            match phrase.split_once('<') {
                None => all.push((number, phrase)),
                Some((head, stem)) => {
                    let stem = stem.trim_end_matches('>');
                    let infinitive = stems.get(stem).unwrap_or_else(|| panic!("no verb {stem} in stems.txt"));
                    all.push((number, format!("{head}{infinitive}")));
                    let polite = verbs::forms(stem, infinitive).into_iter().find(|form| form.1 == verbs::Class::Stem);
                    all.push((number, format!("{head}{}세요", polite.unwrap().0)));
                }
            }
        }
    }
    all
}

fn korean(phrase: &str) -> bool {
    phrase.chars().any(luna_text::language::is_hangul)
}

/// The ways to say a phrase.
fn ways(phrase: &str) -> Vec<String> {
    let mut ways = vec![phrase.to_owned(), phrase.replace(' ', ""), format!("{phrase}!")];
    if korean(phrase) {
        ways.extend(["음 ", "저기 ", "루나, ", "자 이제 ", "좀 "].map(|lead| format!("{lead}{phrase}")));
        ways.extend(["요", " 좀", " 부탁해요"].map(|tail| format!("{phrase}{tail}")));
        ways.push(phrase.chars().map(String::from).collect::<Vec<_>>().join(" "));
    } else {
        ways.extend(["um ", "please ", "hey luna ", "could you "].map(|lead| format!("{lead}{phrase}")));
        ways.extend([" please", " thanks"].map(|tail| format!("{phrase}{tail}")));
        ways.push(phrase.to_uppercase());
        ways.push(
            phrase
                .chars()
                .map(|c| char::from_u32(c as u32 + if c.is_ascii_alphabetic() { 0xFEE0 } else { 0 }).unwrap())
                .collect(),
        );
    }
    ways
}

// BRG-1, RNK-2
#[test]
fn no_two_commands_collide_however_they_are_said_brg_1() {
    let (mut tried, mut wrong) = (0, Vec::new());
    for (number, phrase) in phrases() {
        for way in ways(&phrase) {
            tried += 1;
            let found = luna().reflex(&way, false);
            if found != reflex::command(number) && wrong.len() < 40 {
                wrong.push(format!("{way}: {found:?}, not {:?}", reflex::command(number)));
            }
        }
    }
    assert!(tried > 20_000, "only {tried}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The phrase with one jamo misheard: a final consonant lost, a vowel taken for its neighbour.
fn misheard(phrase: &str) -> Vec<String> {
    let chars: Vec<char> = phrase.chars().collect();
    let mut all = Vec::new();
    for (i, &c) in chars.iter().enumerate() {
        let Some((initial, vowel, last)) = luna_text::hangul::jamo(c) else { continue };
        let near = match vowel {
            'ㅐ' => 'ㅔ',
            'ㅔ' => 'ㅐ',
            'ㅝ' => 'ㅓ',
            'ㅓ' => 'ㅗ',
            'ㅗ' => 'ㅜ',
            _ => vowel,
        };
        for other in [luna_text::hangul::compose(initial, vowel, None), luna_text::hangul::compose(initial, near, last)]
        {
            let mut slip = chars.clone();
            slip[i] = other.unwrap();
            if slip != chars {
                all.push(slip.into_iter().collect());
            }
        }
    }
    all
}

// BRG-1, RNK-2
#[test]
fn a_slip_never_makes_another_command_brg_1() {
    let (mut tried, mut understood, mut wrong) = (0, 0, Vec::new());
    let exact: std::collections::BTreeSet<Vec<char>> =
        phrases().iter().map(|(_, phrase)| normalised::compact(phrase)).collect();
    for (number, phrase) in phrases().into_iter().filter(|(_, phrase)| korean(phrase) && phrase.chars().count() < 9) {
        for slip in misheard(&phrase) {
            // 그만 without its last consonant may be a word of its own.
            if exact.contains(&normalised::compact(&slip)) {
                continue;
            }
            tried += 1;
            match luna().reflex(&slip, true) {
                found if found == reflex::command(number) => understood += 1,
                None => {}
                Some(other) => wrong.push(format!("{slip} of {phrase}: {other:?}")),
            }
        }
    }
    assert!(tried > 3_000, "only {tried}");
    let share = f64::from(u32::try_from(wrong.len()).unwrap()) / f64::from(tried);
    assert!(share <= 0.002, "{} of {tried}: {}", wrong.len(), wrong.join("\n"));
    assert!(f64::from(understood) > 0.9 * f64::from(tried), "{understood} of {tried}");
}

// RNK-2
#[test]
fn a_slip_costs_little_rnk_2() {
    let slips = slips::Slips::default();
    let distance = |a: &str, b: &str| {
        slips.distance(&slips::units(&normalised::compact(a)), &slips::units(&normalised::compact(b)), 20).unwrap_or(99)
    };
    assert!(distance("저쟝", "저장") < distance("취소", "저장"));
}
