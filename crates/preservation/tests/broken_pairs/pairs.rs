//! Right pairs of a text and its translation: real strings, labelled pairs, and generated sentences of every class and unit.

use std::collections::BTreeMap;
use std::path::Path;

use luna_messages::Fidelity;
use luna_messages::preserve::TokenClass;
use luna_preservation::with_particle;
use serde_json::Value;

/// Where a pair comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// A string of a graphical interface and its published translation.
    Interface,
    Labelled,
    Generated,
}

/// A translation that is right in this mode.
#[derive(Debug, Clone)]
pub struct RightPair {
    pub origin: Origin,
    pub source: String,
    pub target: String,
    pub mode: Fidelity,
}

/// A small generator of reproducible numbers.
pub struct Dice(u64);

impl Dice {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit.max(1)
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// The strings of a resource file, by name.
fn resource_strings(path: &Path) -> BTreeMap<String, String> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let value = |part: &str| {
        let from = part.find("<value>")? + "<value>".len();
        Some(part.get(from..from + part.get(from..)?.find("</value>")?)?.to_owned())
    };
    let plain = |text: String| {
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&apos;", "'");
        text.replace("&#xD;", "").replace("&#xA;", "\n").replace("&amp;", "&")
    };
    let parts = text.split("<data name=\"").skip(1);
    parts.filter_map(|part| Some((part.split('"').next()?.to_owned(), plain(value(part)?)))).collect()
}

/// The strings of Windows Terminal in English and Korean; `root` is the folder of the project.
pub fn interface(root: &Path) -> Vec<(String, String)> {
    let base = root.join("tests/samples/windows-terminal");
    let mut pairs = Vec::new();
    for (folder, file) in
        [("TerminalApp", "ContextMenu"), ("TerminalApp", "Resources"), ("TerminalSettingsEditor", "Resources")]
    {
        let of = |language: &str| resource_strings(&base.join(folder).join(language).join(format!("{file}.resw")));
        let mut korean = of("ko-KR");
        for (name, english) in of("en-US") {
            pairs.extend(korean.remove(&name).map(|korean| (english, korean)));
        }
    }
    assert!(pairs.len() > 900, "{} strings of an interface", pairs.len());
    pairs
}

/// The labelled pairs that are right.
fn labelled(root: &Path) -> Vec<RightPair> {
    let path = root.join("tests/language/pairs.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let pair = |line: &str| {
        let value: Value = serde_json::from_str(line).ok()?;
        let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        let mode = if value["mode"] == "natural" { Fidelity::Natural } else { Fidelity::Faithful };
        (value["expect"]["ok"] == true).then(|| RightPair {
            origin: Origin::Labelled,
            source: text("source"),
            target: text("target"),
            mode,
        })
    };
    text.lines().filter_map(pair).collect()
}

const SYMBOLS: &[&str] = &[
    "km", "cm", "mm", "kg", "g", "mg", "ms", "GB", "MB", "KB", "GiB", "MiB", "px", "dpi", "Hz", "GHz", "W", "kWh",
    "mAh", "V", "°C", "°F", "Mbps", "km/h", "dB", "m²", "L", "ml", "fps", "hPa", "kcal", "inch",
];
/// Units as words: English, Korean.
const WORDS: &[(&str, &str)] = &[
    ("seconds", "초"),
    ("minutes", "분"),
    ("hours", "시간"),
    ("weeks", "주"),
    ("months", "개월"),
    ("milliseconds", "밀리초"),
];
const MONTHS: &[&str] = &[
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const SPELLED: &[(&str, &str)] =
    &[("two", "두"), ("three", "세"), ("four", "네"), ("five", "다섯"), ("seven", "일곱"), ("twelve", "열두")];

fn grouped(n: usize) -> String {
    if n < 1000 { n.to_string() } else { format!("{},{:03}", n / 1000, n % 1000) }
}

/// What fills a slot of this kind: in English, in Korean, and its class.
fn filler(kind: &str, dice: &mut Dice) -> (String, String, TokenClass) {
    use TokenClass::{Code, Currency, Date, Email, Number, Percent, Unit, Url};
    let same = |text: String, class| (text.clone(), text, class);
    let limit = dice.pick(&[10, 100, 1000, 10_000]);
    let n = 2 + dice.below(limit - 2);
    let tenth = dice.below(10);
    match kind {
        "count" => same(grouped(n), Number),
        "ordinal" => same(format!("{n}th"), Number),
        "year" => same((1801 + dice.below(220)).to_string(), Number),
        "decimal" => same(format!("{}.{tenth}", n % 100), Number),
        "negative" => same(format!("-{}°C", 1 + n % 60), Unit),
        "percent" => {
            same(if dice.below(4) == 0 { format!("{}.{tenth}%", n % 100) } else { format!("{}%", n % 301) }, Percent)
        }
        "money" => same(
            match dice.below(4) {
                0 => format!("${}", grouped(n)),
                1 => format!("${}.{:02}", n % 100, n % 97),
                2 => format!("€{}", grouped(n)),
                _ => format!("₩{}", grouped(n * 10)),
            },
            Currency,
        ),
        "moneyword" => {
            let n = grouped(n * 10);
            match dice.below(2) {
                0 => (format!("{n} won"), format!("{n}원"), Currency),
                _ => (format!("{n} dollars"), format!("{n}달러"), Currency),
            }
        }
        "measure" => same(format!("{}{}", grouped(n), dice.pick(SYMBOLS)), Unit),
        "duration" => {
            let (english, korean) = dice.pick(WORDS);
            (format!("{n} {english}"), format!("{n}{korean}"), Unit)
        }
        "date" => {
            same(format!("20{:02}-{:02}-{:02}", 10 + dice.below(30), 1 + dice.below(12), 1 + dice.below(28)), Date)
        }
        "dateword" => {
            let (year, month, day) = (1950 + dice.below(90), 1 + dice.below(12), 1 + dice.below(28));
            (format!("{} {day}, {year}", MONTHS[month - 1]), format!("{year}년 {month}월 {day}일"), Date)
        }
        "clock" => same(format!("{}:{:02}", 1 + dice.below(23), dice.below(60)), Date),
        "timeword" => {
            let (hour, minute) = (1 + dice.below(11), 1 + dice.below(59));
            (format!("{hour}:{minute:02} PM"), format!("오후 {hour}시 {minute}분"), Date)
        }
        "version" => same(format!("v{}.{}.{tenth}", 1 + n % 20, n % 31), Number),
        "phone" => same(format!("010-{:04}-{:04}", 1000 + n % 9000, 1000 + n * 7 % 9000), Number),
        "ratio" => same(format!("{}:{}", 2 + n % 30, 61 + n % 30), Number),
        "url" => same(format!("https://example{}.com/{}/p{n}", n % 7, dice.pick(&["a", "docs", "ko-kr"])), Url),
        "mail" => same(format!("{}{n}@example.com", dice.pick(&["kim", "help", "lee"])), Email),
        "key" => same(format!("Ctrl+{}", dice.pick(&["S", "F5", "Shift+T", "9", "F12"])), Code),
        "code" => same(format!("`{} {n}`", dice.pick(&["run", "make", "ls -l"])), Code),
        "path" => same(format!("/var/log/app{n}.log"), Code),
        "holder" => same(dice.pick(&["{0}", "%s", "%1$d", "${name}", "{count}"]).to_owned(), Code),
        "spelled" => {
            let (english, korean) = dice.pick(SPELLED);
            (english.to_owned(), korean.to_owned(), Number)
        }
        _ => panic!("a slot of an unknown kind: {kind}"),
    }
}

/// A template with its slots filled; `side` is 0 for English and 1 for Korean.
fn filled(template: &str, side: usize, of: &BTreeMap<char, (String, String, TokenClass)>) -> String {
    let mut text = String::new();
    let mut rest = template;
    while let Some((before, slot)) = rest.split_once('{') {
        let (slot, after) = slot.split_once('}').unwrap_or_else(|| panic!("an open slot: {template}"));
        let (english, korean, class) = &of[&slot.chars().next().unwrap_or('?')];
        let token = if side == 0 { english } else { korean };
        text.push_str(before);
        match slot.split_once('|') {
            Some((_, particle)) => text.push_str(&with_particle(*class, token, particle)),
            None => text.push_str(token),
        }
        rest = after;
    }
    text + rest
}

/// `count` sentences from the templates, in both directions and modes.
fn generated(count: usize) -> Vec<RightPair> {
    let templates: Vec<(&str, &str)> = include_str!("templates.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once('\t').unwrap_or_else(|| panic!("two columns: {line}")))
        .collect();
    let mut dice = Dice::new(11);
    (0..count)
        .map(|k| {
            let (english, korean) = templates[k % templates.len()];
            let mut fillers = BTreeMap::new();
            for slot in english.split('{').skip(1) {
                let name = slot.chars().next().unwrap_or('?');
                let kind = slot.get(2..).and_then(|rest| rest.split(['}', '|']).next()).unwrap_or("");
                fillers.insert(name, filler(kind, &mut dice));
            }
            let (english, korean) = (filled(english, 0, &fillers), filled(korean, 1, &fillers));
            let (source, target) = if dice.below(2) == 0 { (english, korean) } else { (korean, english) };
            let mode = if dice.below(2) == 0 { Fidelity::Faithful } else { Fidelity::Natural };
            RightPair { origin: Origin::Generated, source, target, mode }
        })
        .collect()
}

/// At least ten thousand right pairs.
pub fn right_pairs(root: &Path) -> Vec<RightPair> {
    let mut pairs = labelled(root);
    for (english, korean) in interface(root) {
        for mode in [Fidelity::Faithful, Fidelity::Natural] {
            let pair = |source: &str, target: &str| RightPair {
                origin: Origin::Interface,
                source: source.to_owned(),
                target: target.to_owned(),
                mode,
            };
            pairs.push(pair(&english, &korean));
            pairs.push(pair(&korean, &english));
        }
    }
    let rest = 10_500_usize.saturating_sub(pairs.len());
    pairs.extend(generated(rest.max(6000)));
    pairs
}
