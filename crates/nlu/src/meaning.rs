//! What a way through the grammar means (NLU-2, NLU-5): its steps, read from left to right, put together clauses; the operators of negation,
//! repair and contrast take back what stands before them.

use luna_messages::control::Command;
use luna_messages::dsl::{Action, ScrollAmount, ScrollDirection};
use luna_messages::reading::Intent;
use luna_messages::understanding::{ParsedCommand, Switch};
use luna_messages::{Fidelity, Lang};

use super::draft::Draft;
use super::grammar::Network;
use super::lexicon::{Lexicon, Mood};
use super::normalised::NormalisedUtterance;
use super::roles::{relation, role, zone};
use super::search::{Step, Way};

/// What one clause asks for.
#[derive(Debug, Clone, PartialEq)]
pub enum Asked {
    Reflex(Command),
    /// A reading; whether more was said than one of the words of BRG-1.
    Reading { more: bool },
    Order,
    Answer,
}

/// A clause as it is put together.
#[derive(Debug, Clone, Default)]
pub struct Clause {
    pub asked: Option<Asked>,
    pub draft: Draft,
    /// It must not happen: "누르지 마".
    pub negated: bool,
    /// What was said to be not meant: never the target (NLU-5).
    pub rejected: Vec<String>,
    keys: Vec<String>,
    number: Option<i32>,
    many: bool,
    words: u32,
    louder: Option<String>,
    loudness: bool,
    role_said: Option<String>,
    amount_said: bool,
    /// The verb is one for what is on the screen, not for keys.
    clicked: bool,
    needs_argument: bool,
    /// The cells of what is meant: from the first word that was not taken back, to the last.
    pub span: Option<(usize, usize)>,
    /// Only a name was said.
    pub named: bool,
    /// It asks for something by name: the verb that follows only asks.
    inquires: bool,
    /// What was said before was taken back, and a verb may be said anew.
    fresh: bool,
    /// What was said of the thing before it was taken back.
    before: Option<ParsedCommand>,
    loudness_said: String,
}

/// All that a way says.
#[derive(Debug, Clone, Default)]
pub struct Meaning {
    pub cost: u32,
    pub clauses: Vec<Clause>,
    /// Whether something is told behind an order without a pause.
    pub aside: bool,
    /// Cells of what is told besides.
    pub talk: Vec<(usize, usize)>,
    /// Whether it was taken back as a whole: "아니다 됐어".
    pub withdrawn: bool,
    /// Whether it can't be meant: a key is not clicked.
    pub impossible: bool,
    /// Whether the wake word was said.
    pub called: bool,
}

/// Reads ways.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    pub network: &'a Network,
    pub lexicon: &'a Lexicon,
    pub heard: &'a NormalisedUtterance,
}

impl Reader<'_> {
    /// What a way means.
    #[must_use]
    pub fn meaning(&self, way: &Way) -> Meaning {
        let mut meaning = Meaning { cost: way.cost, ..Meaning::default() };
        let mut now = Clause::default();
        for step in &way.steps {
            let name = self.network.names.get(usize::from(step.name)).map_or("", String::as_str);
            if !matches!(name, "wake" | "filler" | "lead" | "tail" | "COMMA" | "and" | "why" | "aside" | "story" | "repair" | "contrast" | "not") {
                now.span = Some((now.span.map_or(step.from, |span| span.0), step.to));
            }
            let sense = self.lexicon.entry(step.entry).map_or("", |entry| entry.sense.as_str());
            match name {
                "wake" => meaning.called = true,
                "withdraw" => {
                    meaning.withdrawn = true;
                    meaning.clauses.clear();
                    now = Clause::default();
                }
                "not" => {
                    close(&mut now, &mut meaning);
                    now.negated = true;
                }
                "why" | "aside" => {
                    meaning.aside |= name == "aside";
                    meaning.impossible |= name == "aside" && !(matches!(now.asked, Some(Asked::Order | Asked::Reading { .. })) && self.is_request(step.from));
                    meaning.impossible |= !meaning.talk.is_empty();
                    meaning.talk.push((step.from, step.to));
                    close(&mut now, &mut meaning);
                }
                "and" | "COMMA" => close(&mut now, &mut meaning),
                "repair" => self.repaired(&mut now, &mut meaning),
                "contrast" if { now.span = None; false } => {}
                "contrast" if matches!(now.asked, Some(Asked::Reflex(_) | Asked::Answer)) => now = Clause::default(),
                "contrast" if matches!(now.asked, Some(Asked::Reading { .. })) => now = Clause::default(),
                "contrast" if now.asked.is_none() || now.fresh => now.reject(&mut meaning),
                _ => self.step(step, name, sense, &mut now, &mut meaning),
            }
            // A finished clause gives way to the next one.
            match step.mood {
                Mood::Joint => close(&mut now, &mut meaning),
                Mood::Reason if now.asked.is_some() => now = Clause::default(),
                Mood::Not | Mood::NotBut if now.asked.is_some() => {
                    now.negated = true;
                    let loudness = now.loudness;
                    close(&mut now, &mut meaning);
                    // "소리 키우지 말고 줄여 줘"
                    now.loudness = loudness;
                }
                _ => {}
            }
        }
        close(&mut now, &mut meaning);
        meaning
    }

    /// "click cancel no wait click okay": what was said before is taken back. What follows may be a thing alone, for the same verb.
    fn repaired(&self, now: &mut Clause, meaning: &mut Meaning) {
        if now.asked.is_some() {
            let mut kept = now.clone();
            let (action, order, state) = (kept.draft.wish.action, kept.draft.wish.order.clone(), kept.draft.wish.state);
            let before = kept.draft.wish.clone();
            kept.reject(meaning);
            *now = Clause { rejected: kept.rejected, ..Clause::default() };
            (now.draft.wish.action, now.draft.wish.order, now.draft.wish.state) = (action, order, state);
            now.before = Some(before);
            (now.loudness, now.loudness_said) = (kept.loudness, kept.loudness_said);
            now.draft.verb = kept.draft.verb;
            now.fresh = true;
            now.asked = Some(Asked::Order).filter(|_| kept.asked == Some(Asked::Order));
        } else if let Some(last) = meaning.clauses.pop() {
            *now = last;
            self.repaired(now, meaning);
        } else {
            now.reject(meaning);
        }
    }

    fn said(&self, step: &Step) -> String {
        let quote = self.heard.quotes.iter().find(|quote| quote.from >= step.from && quote.to <= step.to);
        quote.map_or_else(|| self.heard.said(step.from, step.to), |quote| quote.text.clone())
    }

    #[allow(clippy::too_many_lines, reason = "one line for each name of the grammar")]
    fn step(&self, step: &Step, name: &str, sense: &str, now: &mut Clause, meaning: &mut Meaning) {
        now.words += u32::from(!matches!(name, "filler" | "lead" | "tail" | "wake" | "object" | "tail_word"));
        let verbs = ["aim", "act", "type", "put", "fill", "change", "shift", "go", "scroll", "desktop", "zoom", "volume", "mute", "reflex", "read", "say", "asks", "work", "turn_into", "intent"];
        // A verb after a finished clause begins the next: "press A press B".
        let verb = verbs.contains(&name);
        let fresh = now.fresh;
        if verb {
            now.fresh = false;
        }
        if fresh && verb {
            // A verb anew: what the first one said is forgotten.
            (now.asked, now.draft.verb, now.draft.also) = (None, None, Vec::new());
            (now.draft.wish.action, now.draft.wish.order, now.draft.wish.state) = (None, None, None);
        }
        if verb && now.inquires {
            return;
        }
        if verb && now.asked.is_some() && !matches!(now.asked, Some(Asked::Reading { .. })) && !matches!(name, "change" | "shift" | "go") {
            close(now, meaning);
        }
        let wish = &mut now.draft.wish;
        match name {
            "target" => {
                let text = self.said(step);
                meaning.impossible |= self.is_nothing(step);
                wish.target_text = Some(match wish.target_text.take() {
                    Some(before) => format!("{before} {text}"),
                    None => text,
                });
            }
            "anchor" => wish.anchor = Some(self.said(step)),
            "value" => wish.value = Some(self.said(step)),
            "argument" => wish.argument = Some(self.said(step)),
            "other" => now.rejected.push(self.said(step)),
            "about" => wish.target_text = Some(self.said(step)),
            "number" => now.number = Some(step.value),
            "PLACE" => wish.ordinal = Some(step.value),
            "NUMBER" => {
                now.number = Some(step.value);
                wish.ordinal = wish.ordinal.or(Some(step.value)).filter(|_| now.keys.is_empty());
                if !now.keys.is_empty() {
                    now.keys.push(step.value.to_string());
                }
            }
            // "고양이 사진" is more than a picture.
            "role" if sense == "image" && wish.target_text.is_some() => {
                let said = self.said_word(step);
                wish.target_text = wish.target_text.take().map(|text| format!("{text} {said}"));
            }
            "anchor_role" if sense == "image" => {
                let said = self.said_word(step);
                wish.anchor = wish.anchor.take().map(|text| format!("{text} {said}"));
            }
            "role" => {
                wish.role = role(sense);
                now.role_said = Some(self.said_word(step));
            }
            "pointed_role" => {
                wish.role = role(sense);
                wish.action = Some(Action::Invoke);
                now.role_said = Some(self.said_word(step));
                now.asked = Some(Asked::Order);
            }
            "zone" => wish.zone = zone(sense),
            "relation" => wish.relation = Some(relation(sense)),
            "inside_at" => wish.relation = Some(luna_messages::understanding::Relation::Inside),
            "many" => now.many = true,
            "switched" | "turned" => {
                wish.action = Some(Action::Toggle);
                wish.state = switch(sense);
                now.asked = Some(Asked::Order);
            }
            "turn" => wish.action = Some(Action::Toggle),
            "aim" => {
                now.asked = Some(Asked::Order);
                if !now.keys.is_empty() {
                    meaning.impossible |= sense != "press";
                    return;
                }
                let (action, state) = match sense {
                    "select" => (Action::Select, None),
                    "toggle" => (Action::Toggle, None),
                    "on" | "turn_on" => (Action::Toggle, Some(Switch::On)),
                    "off" | "turn_off" => (Action::Toggle, Some(Switch::Off)),
                    _ => (Action::Invoke, None),
                };
                (wish.action, wish.state) = (Some(action), state);
                now.clicked = sense != "press";
                // "크롬 켜": a switch of that name, or else a program.
                wish.order = match sense {
                    "open" | "turn_on" => Some("open".to_owned()),
                    "turn_off" => Some("close".to_owned()),
                    _ => None,
                };
            }
            "act" => {
                now.asked = Some(Asked::Order);
                wish.action = Some(Action::Invoke);
                let label = label_of(sense);
                match wish.target_text.clone() {
                    None => now.draft.also.push(label.clone()),
                    Some(text) => now.draft.also.extend([format!("{text} {label}"), label.clone()]),
                }
                now.draft.verb = Some(label);
            }
            "type" | "put" | "fill" => {
                now.asked = Some(Asked::Order);
                wish.action = Some(Action::SetValue);
            }
            "change" => {
                now.asked = Some(Asked::Order);
                wish.action = Some(Action::SetValue);
            }
            "shift" => {
                now.asked = Some(Asked::Order);
                let direction = if sense == "up" { ScrollDirection::Up } else { ScrollDirection::Down };
                if now.loudness && wish.target_text.is_none() {
                    now.louder = Some(sense.to_owned());
                } else if wish.action == Some(Action::Scroll) || wish.direction.is_some() || now.amount_said {
                    wish.action = Some(Action::Scroll);
                    wish.direction = wish.direction.or(Some(direction));
                } else {
                    wish.action = Some(Action::Invoke);
                    now.draft.unsure = true;
                }
            }
            "scroll" => {
                now.asked = Some(Asked::Order);
                wish.action = Some(Action::Scroll);
            }
            "page_thing" => now.amount_said = true,
            "toward" | "toward_end" => {
                let up = sense == "up";
                now.asked = Some(Asked::Order);
                wish.action = Some(Action::Scroll);
                wish.direction = Some(if up { ScrollDirection::Up } else { ScrollDirection::Down });
                if name == "toward_end" {
                    wish.amount = Some(ScrollAmount::End);
                }
            }
            "amount" => {
                now.amount_said = true;
                wish.amount = Some(match sense {
                    "small" => ScrollAmount::Small,
                    "page" => ScrollAmount::Page,
                    _ => ScrollAmount::End,
                });
            }
            "go" => {
                now.asked = Some(Asked::Order);
                wish.action = wish.action.or(Some(Action::Invoke));
            }
            "modifier" | "key" | "maybe_key" => {
                meaning.impossible |= now.clicked;
                now.keys.push(sense.to_owned());
            }
            "letter" => now.keys.push(sense.to_owned()),
            "desktop" => {
                now.asked = Some(Asked::Order);
                wish.action = Some(Action::Desktop);
                wish.order = Some(sense.to_owned());
                if sense == "switch_to" && wish.argument.is_none() && wish.target_text.is_none() {
                    now.needs_argument = true;
                }
                if sense == "new" {
                    wish.argument = self.made(step);
                }
            }
            "zoom" | "volume" | "mute" => {
                now.asked = Some(Asked::Order);
                wish.action = Some(Action::Desktop);
                wish.order = Some(name.to_owned());
                wish.argument = Some(sense.to_owned());
            }
            "loudness" => {
                now.loudness = true;
                let said = self.said_word(step);
                let bare = ["the ", "my ", "your ", "this "].iter().find_map(|article| said.strip_prefix(article));
                now.loudness_said = bare.unwrap_or(&said).to_owned();
            }
            "louder" => {
                now.asked = Some(Asked::Order);
                now.louder = Some(sense.to_owned());
            }
            "reflex" | "hold" => {
                let command = Command::ALL.into_iter().find(|command| command.name() == sense);
                if let Some(command) = command {
                    now.asked = Some(Asked::Reflex(command));
                    if let Some(intent) = command.spec().reading_intent {
                        wish.intent = Some(intent);
                        self.details(step, wish);
                    }
                }
            }
            "answer" => {
                now.asked = Some(Asked::Answer);
                wish.value = Some(sense.to_owned());
            }
            "named_text" => {
                wish.target_text = Some(self.said(step));
                now.asked = Some(Asked::Answer);
                now.named = true;
            }
            "picked_one" => now.asked = Some(Asked::Answer),
            "inquiry" => {
                now.asked = Some(Asked::Order);
                wish.action = Some(Action::Desktop);
                wish.order = Some(sense.to_owned());
                now.inquires = true;
            }
            "choice" => {
                now.asked = Some(Asked::Answer);
                wish.ordinal = Some(step.value);
            }
            "from_end" => wish.ordinal = wish.ordinal.map(|n| -n.abs()),
            "intent" => {
                let next = intent(sense);
                let stronger = |intent: Option<Intent>| match intent {
                    None | Some(Intent::Read) => 0,
                    Some(Intent::Translate) => 1,
                    Some(_) => 2,
                };
                if stronger(Some(next)) > stronger(wish.intent) {
                    wish.intent = Some(next);
                }
                now.reads(1);
            }
            "work" => {
                let said = self.heard.said(step.from, step.to);
                wish.intent = Some(if said.starts_with('요') || said.starts_with('간') || said.to_lowercase().starts_with('s') { Intent::Summarize } else { Intent::Translate });
                if said.starts_with("의역") {
                    wish.mode = Some(Fidelity::Natural);
                }
                now.reads(1);
            }
            "lang" => {
                wish.lang_tgt = Some(if sense == "ko" { Lang::Ko } else { Lang::En });
                now.reads(1);
            }
            "fidelity" => {
                wish.mode = Some(if sense == "natural" { Fidelity::Natural } else { Fidelity::Faithful });
                now.reads(1);
            }
            "read" | "asks" | "asking" | "say" | "turn_into" => now.reads(0),
            "away" => {
                let n = now.number.take().unwrap_or(1);
                wish.line_offset = Some(if sense == "+" { n } else { -n });
                wish.ordinal = None;
                now.reads(2);
            }
            "next_line" => {
                wish.line_offset = Some(if sense == "+" { 1 } else { -1 });
                now.reads(1);
            }
            _ => {}
        }
    }

    /// The language and the fidelity that a phrase of reading names.
    fn details(&self, step: &Step, wish: &mut ParsedCommand) {
        let mut words = Vec::new();
        for at in step.from..step.to {
            self.lexicon.at(self.heard, at, false, &mut words);
            self.lexicon.sounding(self.heard, at, false, &mut words);
        }
        let group = |name: &str| self.lexicon.known(name);
        for word in words.iter().filter(|word| word.end <= step.to) {
            let sense = self.lexicon.entry(word.entry).map_or("", |entry| entry.sense.as_str());
            if Some(word.group) == group("lang") {
                wish.lang_tgt = Some(if sense == "ko" { Lang::Ko } else { Lang::En });
            } else if Some(word.group) == group("fidelity") {
                wish.mode = Some(if sense == "natural" { Fidelity::Natural } else { Fidelity::Faithful });
            }
        }
    }

    /// Whether what stands before a cell asks in so many words: 줘, 주세요, not only 찾아.
    fn is_request(&self, at: usize) -> bool {
        let before: String = self.heard.part(at.saturating_sub(2), at).iter().collect();
        ["줘", "요", "라", "레", "까", "유", "오", "소", "쇼", "조"].iter().any(|ending| before.ends_with(ending))
    }

    /// Whether it is only an article or a sound of hesitation: "click the".
    fn is_nothing(&self, step: &Step) -> bool {
        let mut words = Vec::new();
        self.lexicon.at(self.heard, step.from, false, &mut words);
        let of = |name: &str| self.lexicon.known(name);
        let (the, hesitation) = (of("the"), of("hesitation"));
        self.heard.cells.get(step.from).is_some_and(char::is_ascii)
            && words.iter().any(|word| word.end == step.to && (Some(word.group) == the || Some(word.group) == hesitation))
    }

    /// What a new one is made of: "새 탭".
    fn made(&self, step: &Step) -> Option<String> {
        let made = self.lexicon.known("made")?;
        let mut words = Vec::new();
        (step.from..step.to).find_map(|at| {
            words.clear();
            self.lexicon.at(self.heard, at, false, &mut words);
            let word = words.iter().filter(|word| word.group == made && word.end <= step.to && word.cost == 0).min_by_key(|word| word.end)?;
            Some(self.heard.said(at, word.end))
        })
    }

    fn said_word(&self, step: &Step) -> String {
        let said = self.heard.said(step.from, step.to);
        let bare = ["으로", "을", "를", "로", "은", "는", "만"].iter().find_map(|particle| said.strip_suffix(particle));
        bare.map_or_else(|| said.clone(), str::to_owned)
    }
}

impl Clause {
    /// It is a reading; `more`: how many details beyond the bare intent.
    fn reads(&mut self, more: u32) {
        let before = matches!(self.asked, Some(Asked::Reading { .. }));
        let _ = (before, more);
        self.asked = Some(Asked::Reading { more: false });
    }

    /// What was said of the thing so far is not meant.
    fn reject(&mut self, meaning: &mut Meaning) {
        // "김영수 아니 김영숙이라고 입력해": the field is still the one that was named.
        if let Some(value) = self.draft.wish.value.take().filter(|_| self.asked.is_none()) {
            self.rejected.push(value);
            return;
        }
        let wish = std::mem::take(&mut self.draft.wish);
        self.rejected.extend(wish.target_text.into_iter().chain(wish.value).chain(wish.argument));
        self.rejected.extend(self.role_said.take().filter(|_| false));
        self.keys.clear();
        self.number = None;
        if matches!(self.asked, Some(Asked::Order)) {
            // "확인 눌러 취소 말고": the thing behind the verb.
            self.draft.wish = wish_of_verb(&wish_backup(&self.draft));
        }
        let _ = meaning;
    }
}

fn wish_backup(draft: &Draft) -> ParsedCommand {
    draft.wish.clone()
}

fn wish_of_verb(wish: &ParsedCommand) -> ParsedCommand {
    wish.clone()
}

/// Puts the clause behind the others, if it says anything.
fn close(now: &mut Clause, meaning: &mut Meaning) {
    let mut clause = std::mem::take(now);
    if clause.asked.is_none() && (!clause.keys.is_empty() || (clause.loudness && clause.number.is_some())) {
        clause.asked = Some(Asked::Order);
    }
    let Some(asked) = clause.asked.clone() else {
        // What was rejected before the verb goes with the clause that follows.
        now.rejected = clause.rejected;
        now.negated = clause.negated && clause.words == 0;
        return;
    };
    if asked == Asked::Order {
        clause.finish();
        meaning.impossible |= clause.needs_argument && clause.draft.wish.argument.is_none();
    }
    meaning.clauses.push(clause);
}

impl Clause {
    fn finish(&mut self) {
        // "블루투스 켜 줘 아니 꺼 줘": the thing is still the one that was named first.
        if let Some(before) = self.before.take()
            && self.draft.wish.target_text.is_none()
            && self.draft.wish.argument.is_none()
            && self.draft.wish.value.is_none()
            && self.keys.is_empty()
            && self.role_said.is_none()
            && self.draft.wish.action == Some(Action::Toggle)
        {
            self.draft.wish.target_text = before.target_text;
        }
        let wish = &mut self.draft.wish;
        if !self.keys.is_empty() && wish.target_text.is_none() {
            let mut held: Vec<&str> = Vec::new();
            for name in ["ctrl", "alt", "shift", "win"] {
                if self.keys.iter().any(|key| key == name) {
                    held.push(name);
                }
            }
            let last = self.keys.iter().rev().find(|key| !["ctrl", "alt", "shift", "win"].contains(&key.as_str()));
            match (held.is_empty(), last) {
                (true, Some(key)) => (wish.action, wish.key) = (Some(Action::Key), Some(key.clone())),
                (false, Some(key)) => {
                    (wish.action, wish.hotkey) = (Some(Action::Hotkey), Some(format!("{}+{key}", held.join("+"))));
                }
                (false, None) => (wish.action, wish.key) = (Some(Action::Key), Some(held.concat())),
                (true, None) => {}
            }
            wish.ordinal = None;
        }
        if self.loudness {
            let argument = self.number.map(|n| n.to_string()).or(self.louder.take());
            if let Some(argument) = argument {
                if self.number.is_some() {
                    wish.action = Some(Action::SetValue);
                    wish.target_text = Some(std::mem::take(&mut self.loudness_said));
                    wish.value = self.number.map(|n| n.to_string());
                } else {
                    wish.action = Some(Action::Desktop);
                }
                wish.order = Some("volume".to_owned());
                wish.argument = Some(argument);
            }
        } else if wish.action == Some(Action::SetValue) && wish.value.is_none() {
            wish.value = self.number.map(|n| n.to_string());
        }
        if wish.action == Some(Action::Scroll) && wish.direction.is_none() {
            wish.direction = Some(ScrollDirection::Down);
        }
        // "메뉴 열어": the word of the role is all that is said of the thing.
        if wish.target_text.is_none() && self.draft.verb.is_none() && matches!(wish.action, Some(Action::Invoke | Action::Select | Action::Toggle | Action::SetValue)) && self.keys.is_empty() {
            wish.target_text = self.role_said.take().filter(|_| wish.ordinal.is_none());
        }
        if let Some(verb) = &self.draft.verb
            && wish.target_text.is_none()
        {
            wish.target_text = Some(verb.clone());
        }
        if wish.action != Some(Action::Desktop) && matches!(wish.order.as_deref(), Some("open" | "close")) {
            wish.argument = wish.target_text.clone();
        }
        if wish.action == Some(Action::Desktop) && wish.argument.is_none() {
            wish.argument = wish.target_text.take().or_else(|| self.role_said.take());
        }
    }
}

/// What a button for a verb is called: 닫기 for `<닫>`.
fn label_of(sense: &str) -> String {
    match sense.strip_prefix('<').and_then(|stem| stem.strip_suffix('>')) {
        Some(stem) => stem.strip_suffix('하').map_or_else(|| format!("{stem}기"), str::to_owned),
        None => sense.to_owned(),
    }
}

fn switch(sense: &str) -> Option<Switch> {
    Some(if sense == "on" { Switch::On } else { Switch::Off })
}

fn intent(sense: &str) -> Intent {
    match sense {
        "translate" => Intent::Translate,
        "spell" => Intent::Spell,
        "numbers" => Intent::Numbers,
        "summarize" => Intent::Summarize,
        _ => Intent::Read,
    }
}
