//! The complete scan result of each text: a row of `means.tsv` holds a text, its tokens in natural mode (by value) and its tokens in faithful
//! mode (by wording).

use super::super::text::Text;
use super::super::token::{CanonicalValue, Token, Weight};
use super::super::{Glossary, scan};

/// All tokens of `text`: class, words, weight (`?` spelled out, `??` common), `<` and the text without a particle, values.
fn means(text: &str, natural: bool) -> String {
    let (folded, glossary) = (Text::new(text), Glossary::new(["Luna"]));
    let found = scan::scan(&folded, natural, &glossary);
    let shown = |token: &Token| shown(text, &folded, token, found.keys_of(token));
    let tokens: Vec<String> = found.tokens.iter().map(shown).collect();
    tokens.join(" · ")
}

fn shown(text: &str, folded: &Text, token: &Token, keys: &[CanonicalValue]) -> String {
    let (start, end) = (folded.place(token.start as usize), folded.place(token.end as usize));
    let words: String = text.chars().skip(start).take(end - start).collect();
    let weight = match token.weight {
        Weight::Hard => "",
        Weight::Strong => "?",
        Weight::Weak => "??",
    };
    let short = if token.short_end > 0 {
        format!("<{}", folded.place(token.short_end as usize) - start)
    } else {
        String::new()
    };
    let values: Vec<String> = keys.iter().map(value).collect();
    let is = if values.is_empty() { "" } else { " = " };
    format!("{:?}[{words}]{weight}{short}{is}{}", token.class, values.join(" or "))
}

fn value(key: &CanonicalValue) -> String {
    let plain = |ratio: &dyn std::fmt::Debug| {
        format!("{ratio:?}").replace("Ratio { n: ", "").replace(", d: 1 }", "").replace(", d: ", "/").replace(" }", "")
    };
    match key {
        CanonicalValue::Number(n) => plain(n),
        CanonicalValue::Spread(n) => format!("±{}", plain(n)),
        CanonicalValue::Percent(n) => format!("{} %", plain(n)),
        CanonicalValue::Points(n) => format!("{} %p", plain(n)),
        CanonicalValue::Money(money, n) => format!("{money:?} {}", plain(n)),
        CanonicalValue::Measure(dimension, n) => format!("{dimension:?} {}", plain(n)),
        CanonicalValue::Date(year, month, day) => format!("{year}-{month}-{day}"),
        CanonicalValue::Time(seconds) => format!("@{}:{}:{}", seconds / 3600, seconds / 60 % 60, seconds % 60),
        CanonicalValue::Single => "single".to_owned(),
        CanonicalValue::Text(text) => format!("'{text}'"),
        CanonicalValue::WithUnitWord(dimension, size, text) => format!("'{text}' {dimension:?} {}", plain(size)),
    }
}

// PRE-1, PRE-2, PRE-3, TRN-3
#[test]
fn each_text_means_what_the_table_says_pre_1_pre_2_pre_3_trn_3() {
    let (mut wrong, mut rows) = (Vec::new(), 0);
    for line in include_str!("means.tsv").lines().filter(|line| !line.starts_with("# ")) {
        let mut columns = line.split('\t');
        let mut next = || columns.next().unwrap_or_else(|| panic!("three columns: {line}")).replace("\\n", "\n");
        let (text, natural, faithful) = (next(), next(), next());
        rows += 1;
        for (found, expect) in [(means(&text, true), natural), (means(&text, false), faithful)] {
            if found != expect {
                wrong.push(format!("{text}\n  is       {found}\n  and not  {expect}"));
            }
        }
    }
    assert!(rows > 900, "{rows} rows");
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
}
