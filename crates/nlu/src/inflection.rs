//! Korean verbs by their forms: each of them takes endings of its own.

use luna_text::hangul::{compose, final_consonant, has_final, jamo};

/// What may follow a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// 눌러, 읽어, 해: 줘, 주세요, 요, 라.
    Infinitive,
    /// 누르, 하; 으 where the stem ends in a consonant (읽으): 세요, 자, 고, 십시오.
    Stem,
    /// The stem with its consonant, as before 자, 기, 고: 읽.
    Closed,
    /// 누를, 읽을: 게, 래, 까.
    Future,
    /// 누릅, 읽습: 시다, 니다.
    Formal,
    /// 누른, 읽은: before 다음에, 뒤에.
    Past,
    /// 눌렀, 읽었: before 으면 좋겠어.
    Perfect,
    /// A noun, an adverb: a particle, 해 줘, 요.
    Noun,
    /// An English word as it is in the dictionary.
    English,
    /// pressing
    Ing,
    /// pressed
    Participle,
}

impl Class {
    /// By the name that the files use.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "infinitive" => Self::Infinitive,
            "stem" => Self::Stem,
            "closed" => Self::Closed,
            "future" => Self::Future,
            "formal" => Self::Formal,
            "past" => Self::Past,
            "perfect" => Self::Perfect,
            "noun" => Self::Noun,
            _ => return None,
        })
    }
}

/// English verbs whose forms no rule gives: base, -ing form, participles.
const IRREGULAR: [(&str, &str, &[&str]); 25] = [
    ("read", "reading", &["read"]),
    ("spell", "spelling", &["spelled", "spelt"]),
    ("hit", "hitting", &["hit"]),
    ("run", "running", &["run"]),
    ("choose", "choosing", &["chosen", "chose"]),
    ("go", "going", &["gone", "went"]),
    ("write", "writing", &["written", "wrote"]),
    ("put", "putting", &["put"]),
    ("set", "setting", &["set"]),
    ("cut", "cutting", &["cut"]),
    ("send", "sending", &["sent"]),
    ("buy", "buying", &["bought"]),
    ("pay", "paying", &["paid"]),
    ("undo", "undoing", &["undone"]),
    ("redo", "redoing", &["redone"]),
    ("speed", "speeding", &["sped", "speeded"]),
    ("say", "saying", &["said"]),
    ("tell", "telling", &["told"]),
    ("give", "giving", &["given", "gave"]),
    ("show", "showing", &["shown", "showed"]),
    ("make", "making", &["made"]),
    ("hold", "holding", &["held"]),
    ("keep", "keeping", &["kept"]),
    ("bring", "bringing", &["brought"]),
    ("find", "finding", &["found"]),
];

/// The forms of an English phrase whose first word is a verb: as it is, -ing, participle.
#[must_use]
pub fn english_forms(phrase: &str) -> Vec<(String, Class)> {
    let (verb, rest) =
        phrase.split_once(' ').map_or((phrase, String::new()), |(verb, rest)| (verb, format!(" {rest}")));
    let mut forms = vec![(phrase.to_owned(), Class::English)];
    if let Some((_, ing, done)) = IRREGULAR.iter().find(|row| row.0 == verb) {
        forms.push((format!("{ing}{rest}"), Class::Ing));
        forms.extend(done.iter().map(|done| (format!("{done}{rest}"), Class::Participle)));
        return forms;
    }
    // "shrug", "flip": the last consonant is doubled after one short vowel.
    let doubled = doubles(verb).then(|| verb.chars().chain(verb.chars().next_back()).collect::<String>());
    let verb = doubled.as_deref().unwrap_or(verb);
    let silent = verb.strip_suffix('e').filter(|stem| !stem.ends_with('e'));
    forms.push((format!("{}ing{rest}", silent.unwrap_or(verb)), Class::Ing));
    let done = match (silent, verb.strip_suffix('y')) {
        (Some(_), _) => format!("{verb}d"),
        (None, Some(stem)) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{stem}ied"),
        _ => format!("{verb}ed"),
    };
    forms.push((format!("{done}{rest}"), Class::Participle));
    forms
}

/// The forms of a verb, from its stem and its infinitive (누르, 눌러).
#[must_use]
pub fn forms(stem: &str, infinitive: &str) -> Vec<(String, Class)> {
    let mut forms = vec![(infinitive.to_owned(), Class::Infinitive)];
    forms.extend(perfect(infinitive).map(|form| (form, Class::Perfect)));
    let Some(last) = stem.chars().next_back() else { return forms };
    let head = stem.get(..stem.len() - last.len_utf8()).unwrap_or_default();
    let with = |last: char| format!("{head}{last}");
    if final_consonant(last) == Some('ㄹ') {
        // 열다: 여세요, 열자, 열게, 엽시다.
        let open = luna_text::hangul::open(last);
        forms.push((with(open), Class::Stem));
        forms.push((stem.to_owned(), Class::Closed));
        forms.push((stem.to_owned(), Class::Future));
        forms.extend(closed_by(open, 'ㅂ').map(|c| (with(c), Class::Formal)));
        forms.extend(closed_by(open, 'ㄴ').map(|c| (with(c), Class::Past)));
    } else if has_final(last) {
        forms.push((format!("{stem}으"), Class::Stem));
        forms.push((stem.to_owned(), Class::Closed));
        forms.push((format!("{stem}을"), Class::Future));
        forms.push((format!("{stem}읍"), Class::Formal));
        forms.push((format!("{stem}습"), Class::Formal));
        forms.push((format!("{stem}은"), Class::Past));
    } else {
        forms.push((stem.to_owned(), Class::Stem));
        forms.push((stem.to_owned(), Class::Closed));
        forms.extend(closed_by(last, 'ㄹ').map(|c| (with(c), Class::Future)));
        forms.extend(closed_by(last, 'ㅂ').map(|c| (with(c), Class::Formal)));
        forms.extend(closed_by(last, 'ㄴ').map(|c| (with(c), Class::Past)));
    }
    forms
}

/// 눌러, 눌렀.
fn perfect(infinitive: &str) -> Option<String> {
    let last = infinitive.chars().next_back()?;
    let head = infinitive.get(..infinitive.len() - last.len_utf8())?;
    (!has_final(last)).then(|| closed_by(last, 'ㅆ')).flatten().map(|last| format!("{head}{last}"))
}

fn closed_by(syllable: char, last: char) -> Option<char> {
    let (initial, vowel, _) = jamo(syllable)?;
    compose(initial, vowel, Some(last))
}

/// Whether a verb of one syllable ends in a single vowel and a single consonant that is doubled before -ing and -ed.
fn doubles(verb: &str) -> bool {
    let vowel = |c: char| "aeiou".contains(c);
    let letters: Vec<char> = verb.chars().collect();
    let [.., before, middle, last] = letters.as_slice() else { return false };
    let one = letters.iter().filter(|c| vowel(**c)).count() == 1;
    one && !vowel(*before) && vowel(*middle) && !vowel(*last) && !"wxy".contains(*last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stem: &str, infinitive: &str, expect: &str) {
        let forms: Vec<String> = forms(stem, infinitive).into_iter().map(|form| form.0).collect();
        assert_eq!(forms.join(" "), expect, "{stem}");
    }

    // NLU-2
    #[test]
    fn verbs_have_their_forms_nlu_2() {
        check("누르", "눌러", "눌러 눌렀 누르 누르 누를 누릅 누른");
        check("읽", "읽어", "읽어 읽었 읽으 읽 읽을 읽읍 읽습 읽은");
        check("열", "열어", "열어 열었 여 열 열 엽 연");
        check("하", "해", "해 했 하 하 할 합 한");
        check("", "해", "해 했");
    }
}
