//! The words of the desktop, read once from the lists beside the code: verbs, roles, places, keys.

use luna_messages::candidate::Zone;
use luna_messages::dsl::ScrollDirection;
use luna_messages::pick::Role;
use luna_messages::understanding::{Relation, Switch};

use super::fillers::lines;
use super::normalised::compact;
use super::template::expand;
use super::trie::Trie;
use super::verbs::{Class, forms};

/// What a verb does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Deed {
    Invoke,
    Select,
    Toggle(Option<Switch>),
    /// 입력, 쓰다, type.
    Type,
    /// A를 B로 바꿔; set A to B.
    Change,
    /// 올려, 내려.
    Shift(ScrollDirection),
    Scroll,
    /// 가, 이동해: by 로.
    Go,
    /// 저장해, 닫아: the verb is the label.
    Label,
    Read,
}

/// A verb of the desktop.
#[derive(Debug, Clone)]
pub struct Verb {
    /// What it does.
    pub deed: Deed,
    /// The form.
    pub class: Class,
    /// What a button for it is called: 저장, 닫기.
    pub label: String,
}

/// A key, or one that is held while another is pressed.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The name that goes out.
    pub name: &'static str,
    /// Whether it is a key even if nobody says "key".
    pub sure: bool,
    /// Whether it is held.
    pub modifier: bool,
}

/// All of them.
#[derive(Debug, Clone, Default)]
pub struct Desk {
    /// Korean verbs.
    pub verbs: Trie<Verb>,
    /// Words for roles.
    pub roles: Trie<Role>,
    /// Words for places of the screen.
    pub zones: Trie<Zone>,
    /// Words for places beside something.
    pub relations: Trie<Relation>,
    pub keys: Trie<Key>,
    /// Names of letters and digits, for keys.
    pub letters: Trie<char>,
}

impl Desk {
    /// Reads the lists. `invoke`: configured words that press something (VOI-2).
    #[must_use]
    pub fn new(invoke: &[String]) -> Self {
        let mut desk = Self::default();
        for (section, line) in lines(include_str!("words/verbs.txt")) {
            if let Some(deed) = deed(section) {
                desk.add_verb(deed, line);
            }
        }
        for word in invoke {
            let word: String = compact(word).into_iter().collect();
            let cells: Vec<char> = word.chars().collect();
            if desk.verbs.get(&cells).is_none() {
                let class = if word.ends_with(['러', '어', '아', '여', '헤', '려']) {
                    Class::Infinitive
                } else {
                    Class::Noun
                };
                desk.verbs.insert(&word, Verb { deed: Deed::Invoke, class, label: word.clone() });
            }
        }
        for (section, line) in lines(include_str!("words/roles.txt")) {
            if let Some(role) = role(section) {
                desk.roles.insert(line, role);
            }
        }
        for (section, line) in lines(include_str!("words/places.txt")) {
            for phrase in expand(line, 1000) {
                let phrase = phrase.replace('-', " ");
                if let Some(relation) = relation(section) {
                    desk.relations.insert(&phrase, relation);
                } else if let Some(zone) = zone(section) {
                    desk.zones.insert(&phrase, zone);
                }
            }
        }
        for (section, line) in lines(include_str!("words/keys.txt")) {
            let mut parts = section.split(' ');
            let (name, kind) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let key = Key { name, sure: kind == "sure", modifier: kind == "modifier" };
            expand(line, 1000).iter().for_each(|phrase| desk.keys.insert(phrase, key));
        }
        for letter in 'a'..='z' {
            desk.letters.insert(&letter.to_string(), letter);
            if let Some(name) = luna_text::letters::letter_name(letter) {
                desk.letters.insert(&name, letter);
            }
        }
        for (name, letter) in [
            ("시", 'c'),
            ("제트", 'z'),
            ("젯", 'z'),
            ("지", 'g'),
            ("쥐", 'g'),
            ("엑쓰", 'x'),
            ("더블류", 'w'),
            ("떠블유", 'w'),
            ("브이", 'v'),
            ("뷔", 'v'),
            ("삐", 'b'),
            ("에쓰", 's'),
            ("애스", 's'),
            ("앨", 'l'),
            ("앤", 'n'),
            ("앰", 'm'),
            ("에이취", 'h'),
            ("파", 'p'),
        ] {
            desk.letters.insert(name, letter);
        }
        for digit in '0'..='9' {
            desk.letters.insert(&digit.to_string(), digit);
        }
        for (name, digit) in ["영", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구"].iter().zip('0'..='9')
        {
            desk.letters.insert(name, digit);
        }
        desk
    }

    fn add_verb(&mut self, deed: Deed, line: &str) {
        let noun = |desk: &mut Self, word: &str| {
            desk.verbs.insert(word, Verb { deed, class: Class::Noun, label: word.to_owned() });
        };
        match line.split_once(' ') {
            None => noun(self, line),
            Some((stem, infinitive)) => {
                let label = format!("{stem}기");
                // "붙여 넣기" is a noun of two words, "체크 풀 체크 풀어" stem and infinitive of two words each.
                let halves: Vec<&str> = line.split(' ').collect();
                let (stem, infinitive) = match halves.as_slice() {
                    [a, b, c, d] => (format!("{a}{b}"), format!("{c}{d}")),
                    _ => (stem.to_owned(), infinitive.to_owned()),
                };
                let first = |text: &str| text.chars().next();
                if first(&stem).map(luna_text::hangul::open).and_then(luna_text::hangul::jamo).map(|j| j.0)
                    != first(&infinitive).map(luna_text::hangul::open).and_then(luna_text::hangul::jamo).map(|j| j.0)
                {
                    noun(self, &line.replace(' ', ""));
                    return;
                }
                for (form, class) in forms(&stem, &infinitive) {
                    self.verbs.insert(&form, Verb { deed, class, label: label.clone() });
                }
            }
        }
    }
}

fn deed(section: &str) -> Option<Deed> {
    Some(match section {
        "invoke" => Deed::Invoke,
        "select" => Deed::Select,
        "toggle" => Deed::Toggle(None),
        "on" => Deed::Toggle(Some(Switch::On)),
        "off" => Deed::Toggle(Some(Switch::Off)),
        "type" => Deed::Type,
        "change" => Deed::Change,
        "up" => Deed::Shift(ScrollDirection::Up),
        "down" => Deed::Shift(ScrollDirection::Down),
        "scroll" => Deed::Scroll,
        "go" => Deed::Go,
        "label" => Deed::Label,
        "read" => Deed::Read,
        _ => return None,
    })
}

fn relation(section: &str) -> Option<Relation> {
    Some(match section.strip_prefix("rel ")? {
        "above" => Relation::Above,
        "below" => Relation::Below,
        "left" => Relation::Left,
        "right" => Relation::Right,
        "near" => Relation::Near,
        _ => Relation::Inside,
    })
}

/// A role by its name, as the lists, Luna or a platform writes it.
#[must_use]
pub fn role(name: &str) -> Option<Role> {
    let name: String = compact(name).into_iter().collect();
    Some(match name.as_str() {
        "text" | "label" | "static" | "statictext" => Role::Text,
        "edit" | "entry" | "textbox" | "input" | "textfield" | "textinput" | "editbox" | "searchbox" | "textarea" => {
            Role::Edit
        }
        "document" => Role::Document,
        "hyperlink" | "link" => Role::Hyperlink,
        "button" | "pushbutton" | "splitbutton" | "icon" | "togglebutton" => Role::Button,
        "menuitem" | "menu" => Role::MenuItem,
        "listitem" | "option" | "treeitem" | "row" => Role::ListItem,
        "heading" => Role::Heading,
        "tab" | "tabitem" | "pagetab" => Role::Tab,
        "checkbox" | "switch" | "checkmenuitem" => Role::CheckBox,
        "radiobutton" | "radio" => Role::RadioButton,
        "combobox" | "dropdown" | "select" | "spinner" | "spinbutton" => Role::ComboBox,
        "slider" => Role::Slider,
        "cell" | "tablecell" | "gridcell" => Role::Cell,
        "table" | "grid" => Role::Table,
        "list" | "listbox" => Role::List,
        "image" | "picture" => Role::Image,
        "window" | "frame" | "dialog" => Role::Window,
        "group" | "panel" => Role::Group,
        _ => return None,
    })
}

/// A zone by its name.
#[must_use]
pub fn zone(name: &str) -> Option<Zone> {
    let name = name.trim().to_lowercase().replace(['_', ' '], "-");
    Zone::ALL.into_iter().find(|zone| zone.name() == name)
}
