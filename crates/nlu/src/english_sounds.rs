//! How English words sound, as far as spelling tells: labels are also found by words that sound the same (RNK-2).

use std::collections::BTreeMap;

use super::lexicon::lines;

/// Words that sound the same though they are spelt differently.
#[derive(Debug, Clone, Default)]
pub struct Sounds {
    /// The number of its group, by word.
    alike: BTreeMap<&'static str, usize>,
}

impl Sounds {
    /// Reads the list.
    #[must_use]
    pub fn new() -> Self {
        let mut sounds = Self::default();
        let groups = lines(include_str!("lexicon/homophones.txt")).filter(|(section, _)| *section == "alike");
        for (number, (_, line)) in groups.enumerate() {
            // A word that is in two groups joins them.
            let known = line.split(' ').find_map(|word| sounds.alike.get(word).copied());
            for word in line.split(' ') {
                sounds.alike.entry(word).or_insert_with(|| known.unwrap_or(number));
            }
        }
        sounds
    }

    /// How a text sounds; none if it is not English.
    #[must_use]
    pub fn of(&self, text: &str) -> Option<String> {
        const LONGEST: usize = 60;
        if text.len() > LONGEST || !text.is_ascii() {
            return None;
        }
        let lower = text.to_ascii_lowercase().replace('\'', "");
        let mut sound = String::with_capacity(lower.len());
        for word in lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
            match self.alike.get(word) {
                Some(number) => sound.push_str(&number.to_string()),
                None => sound.push_str(&sound_of(word)),
            }
            sound.push(' ');
        }
        Some(sound).filter(|sound| !sound.is_empty())
    }
}

/// Spellings of one sound at the beginning of a word, at its end, and anywhere.
const FIRST: [(&str, &str); 6] = [("kn", "n"), ("gn", "n"), ("wr", "r"), ("wh", "w"), ("ps", "s"), ("pn", "n")];
const LAST: [(&str, &str); 14] = [
    ("ign", "In"),
    ("mb", "m"),
    ("mn", "m"),
    ("our", "R"),
    ("er", "R"),
    ("or", "R"),
    ("ar", "R"),
    ("re", "R"),
    ("ie", "i"),
    ("ey", "i"),
    ("y", "i"),
    ("se", "s"),
    ("gue", "g"),
    ("que", "k"),
];
const ANYWHERE: [(&str, &str); 35] = [
    ("eigh", "A"),
    ("ight", "It"),
    ("tion", "Sn"),
    ("sion", "Sn"),
    ("igh", "I"),
    ("tch", "C"),
    ("dge", "j"),
    ("sch", "sk"),
    ("ck", "k"),
    ("ph", "f"),
    ("ch", "C"),
    ("sh", "S"),
    ("th", "T"),
    ("qu", "kw"),
    ("ce", "se"),
    ("ci", "si"),
    ("cy", "si"),
    ("ai", "A"),
    ("ay", "A"),
    ("ei", "A"),
    ("ee", "E"),
    ("ea", "E"),
    ("ie", "E"),
    ("oa", "O"),
    ("oe", "O"),
    ("oo", "U"),
    ("ue", "U"),
    ("ew", "U"),
    ("ui", "U"),
    ("au", "W"),
    ("aw", "W"),
    ("c", "k"),
    ("q", "k"),
    ("x", "ks"),
    ("z", "s"),
];

fn sound_of(word: &str) -> String {
    let (mut rest, mut sound) = (word, String::with_capacity(word.len()));
    if let Some((spelt, said)) = FIRST.iter().find(|(spelt, _)| rest.starts_with(spelt)) {
        sound.push_str(said);
        rest = rest.get(spelt.len()..).unwrap_or_default();
    }
    while let Some(letter) = rest.chars().next() {
        let ending = LAST.iter().find(|(spelt, _)| rest == *spelt && sound.len() > 1);
        let (spelt, said) = match ending.or_else(|| ANYWHERE.iter().find(|(spelt, _)| rest.starts_with(spelt))) {
            Some((spelt, said)) => (spelt.len(), (*said).to_owned()),
            None => match long(rest) {
                Some(said) => (rest.len(), said),
                None => (letter.len_utf8(), letter.to_string()),
            },
        };
        rest = rest.get(spelt..).unwrap_or_default();
        // A doubled letter sounds like one; a last e is silent.
        let silent = (rest.is_empty() && said == "e" && sound.len() > 1) || sound.ends_with(&said);
        if !silent {
            sound.push_str(&said);
        }
    }
    sound
}

/// A vowel, a consonant and a silent e at the end of a word: "ale" sounds as "ail".
fn long(rest: &str) -> Option<String> {
    let [vowel, consonant, b'e'] = rest.as_bytes() else { return None };
    let consonant = char::from(*consonant);
    if "aeiouxwy".contains(consonant) {
        return None;
    }
    let sound = match vowel {
        b'a' => 'A',
        b'e' => 'E',
        b'i' => 'I',
        b'o' => 'O',
        b'u' => 'U',
        _ => return None,
    };
    let said = match consonant {
        'c' => 's',
        'z' => 's',
        other => other,
    };
    Some([sound, said].iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str, same: bool) {
        let sounds = Sounds::new();
        assert_eq!(sounds.of(a) == sounds.of(b), same, "{a}: {:?}, {b}: {:?}", sounds.of(a), sounds.of(b));
    }

    // RNK-2
    #[test]
    fn words_that_sound_the_same_are_known_rnk_2() {
        for (a, b) in [
            ("Mail", "male"),
            ("Sign in", "sine in"),
            ("Buy now", "bye now"),
            ("Close", "clothes"),
            ("Phone", "fone"),
            ("New folder", "knew folder"),
            ("Sale", "sail"),
            ("Site map", "sight map"),
            ("Weekly", "weakly"),
            ("Piece", "peace"),
            ("Road", "rode"),
            ("Check boxes", "Czech bockses"),
            ("Plane", "plain"),
            ("Colour", "color"),
        ] {
            check(a, b, true);
        }
        for (a, b) in [
            ("Mail", "Mall"),
            ("Save", "Send"),
            ("Copy", "Close"),
            ("Print", "Paint"),
            ("Login", "Logout"),
            ("Search", "Share"),
            ("Form", "Farm"),
            ("Cut", "Cat"),
            ("Inbox", "Outbox"),
        ] {
            check(a, b, false);
        }
        assert_eq!(Sounds::new().of("저장"), None);
    }
}
