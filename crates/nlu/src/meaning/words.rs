//! What each word says for its clause, by the name that the grammar gives it.

use luna_messages::candidate::Zone;
use luna_messages::control::Command;
use luna_messages::dsl::Action;
use luna_messages::pick::Role;
use luna_messages::understanding::{ParsedCommand, Relation};

use super::senses::{fidelity, lang, switch};
use super::{Asked, Clause, Reader, WayMeaning};
use crate::lexicon::{Match, Mood};
use crate::rank::orders_something;
use crate::roles::{relation, role, zone};
use crate::search::WayStep;

/// Names of verbs, which begin a clause after a finished one: "press A press B".
const VERBS: [&str; 26] = [
    "aim",
    "act",
    "wipe",
    "turn",
    "type",
    "put",
    "fill",
    "change",
    "shift",
    "go",
    "scroll",
    "desktop",
    "zoom",
    "volume",
    "mute",
    "reflex",
    "read",
    "say",
    "asks",
    "work",
    "turn_into",
    "flip",
    "switching",
    "intent",
    "looks",
    "ordering",
];

/// Usual orders that are done to what was selected, copied or written last.
const SELF_EVIDENT: [&str; 7] = ["copy", "cut", "paste", "undo", "redo", "save", "print"];

/// Keys are pressed so often at most.
const MOST_TIMES: u8 = 20;

impl Reader<'_> {
    pub(super) fn word(&self, step: &WayStep, name: &str, now: &mut Clause, meaning: &mut WayMeaning) {
        let sense = self.lexicon.entry(step.entry).map_or("", |entry| entry.sense.as_str());
        // "어서 충전 하세요" asks nothing.
        meaning.impossible |= name == "say"
            && now.inquires
            && matches!(self.heard.cells.get(step.from), Some('하' | '해'))
            && step.from > 0;
        if VERBS.contains(&name) && !now.verb((name, step.mood), meaning) {
            return;
        }
        // "크기를 보통에서 크게로 바꿔": into no language, nothing is read.
        meaning.impossible |= name == "turn_into" && now.renders_into_nothing();
        let known = self.thing(step, name, sense, now, meaning)
            || self.verb(step, name, sense, now, meaning)
            || self.usual(step, name, sense, now)
            || self.reading(step, name, sense, now);
        if !known {
            self.alone(step, name, sense, now, meaning);
        }
    }

    /// Words of what something is done to.
    fn thing(&self, step: &WayStep, name: &str, sense: &str, now: &mut Clause, meaning: &mut WayMeaning) -> bool {
        let anew = now.takes_no_thing();
        let wish = &mut now.draft.wish;
        match name {
            "target" => {
                let text = self.text(&self.said_once(step));
                now.is_program = wish.target_text.is_none() && self.is_program(step);
                now.named_to = step.to;
                wish.any |= self.has_written_article(step);
                meaning.impossible |= self.is_nothing(step) || self.is_cut(step) || self.is_denial(step) || anew;
                meaning.impossible |= self.is_cut_time(step);
                wish.target_text = Some(match wish.target_text.take() {
                    Some(before) => format!("{before} {text}"),
                    None => text,
                });
            }
            // "button ONE": what is on the screen, or quoted, is a name, whatever it says.
            "shown" => wish.target_text = Some(self.text(step)),
            // "play Radio 4": a button is called by what it is ordered to do.
            "ordering" => {
                meaning.impossible |= !orders_something(&self.heard.said(step.from, step.to));
                wish.action = Some(Action::Invoke);
                wish.target_text = Some(self.text(step));
                now.asked = Some(Asked::Order);
            }
            "anchor" => wish.anchor = Some(self.text(step)),
            "contents" if now.named_to == step.from => {
                now.held = wish.target_text.as_ref().map(|text| format!("{text} {}", self.bare(step)));
            }
            "dummy" => self.described(step, now.named_to, wish),
            "kind" if sense == "tab" => wish.role = role(sense),
            "kind" => wish.argument = wish.argument.take().map(|text| format!("{text} {}", self.bare(step))),
            // "save what I wrote": what was done with it says no name of what is there anyway. "find what I wrote" does.
            "what_i" => now.told_from = step.from,
            "made_so" => {
                let is_there = wish.order.as_deref().is_some_and(|order| SELF_EVIDENT.contains(&order));
                wish.argument = (!is_there).then(|| self.heard.said(now.told_from, step.to));
            }
            // A list may have just that: "10분".
            "counter" => {
                // "일점오 배": that is no five.
                let point = now.number_at.checked_sub(1).filter(|_| !self.heard.gap(now.number_at));
                meaning.impossible |= point.is_some_and(|at| self.heard.cells.get(at) == Some(&'점'));
                wish.value = Some(self.heard.said(now.number_at, step.to));
            }
            "among" if self.names_list(step) => now.in_list = true,
            "digits" => wish.value = Some(self.text(step)),
            "flipped" => wish.state = Some(switch(sense)),
            "value" => {
                meaning.impossible |= self.holds_order(step) || self.only_hesitates(step);
                let step = self.without_hesitation(&self.corrected(step));
                let sign = if self.heard.is_negative(step.from) && !self.is_quoted(&step) { "-" } else { "" };
                wish.value = Some(format!("{sign}{}", self.text(&step)));
            }
            "argument" => wish.argument = Some(self.text(step)),
            // "아이디에 "kim", 비밀번호에 …": the verb is said once.
            "paired" => {
                // Words before what is quoted name its field.
                let is_named = self.heard.quotes.iter().any(|quote| step.from < quote.from && quote.to <= step.to);
                meaning.impossible |= self.holds_order(step) || is_named;
                (wish.action, wish.value) = (Some(Action::SetValue), Some(self.text(step)));
                now.asked = Some(Asked::Order);
                now.close(meaning);
                now.joined = true;
            }
            "other" => {
                // "click never save": without a thing before it, nothing is contrasted.
                let bare = wish.action == Some(Action::Invoke) && !self.names_thing(now);
                meaning.impossible |= bare && now.asked == Some(Asked::Order);
                now.rejected.push(self.text(step));
            }
            // "forget it, don't save": what is forbidden is not what is forgotten.
            "forgotten" => {
                let not = self.lexicon.known("not");
                meaning.impossible |= self.words_in(step).iter().any(|word| Some(word.group) == not && word.cost == 0);
                now.rejected.push(self.text(step));
            }
            "about" => wish.target_text = Some(self.text(step)),
            "PLACE" => wish.ordinal = Some(step.value),
            // "at the bottom" is where it is, unless things are counted from there.
            "from_end" => {
                meaning.impossible |= wish.ordinal.is_none();
                wish.ordinal = wish.ordinal.map(|n| -n.abs());
            }
            "number" => {
                now.number = Some(if self.heard.is_negative(step.from) { -step.value } else { step.value });
                now.number_at = step.from;
                // "read the first line, no, the second"
                wish.ordinal = wish.ordinal.or(Some(step.value).filter(|_| now.asked == Some(Asked::Reading)));
            }
            // "no, 50" corrects, "no. 50" counts.
            "number_word" => {
                let ends = self.heard.commas.iter().any(|comma| *comma == step.from || *comma == step.to);
                meaning.impossible |= ends && self.heard.is_at(step.from, &['n', 'o']) && step.to == step.from + 2;
            }
            "NUMBER" if !now.keys.is_empty() => now.key(step.value.to_string()),
            "NUMBER" => {
                now.number = Some(step.value);
                wish.ordinal = wish.ordinal.or(Some(step.value).filter(|place| *place > 0));
            }
            // "고양이 사진" is more than a picture.
            "role" if sense == "image" && wish.target_text.is_some() => {
                wish.target_text = wish.target_text.take().map(|text| format!("{text} {}", self.bare(step)));
            }
            "anchor_role" if sense == "image" => {
                wish.anchor = wish.anchor.take().map(|text| format!("{text} {}", self.bare(step)));
            }
            "role" | "pointed_role" => {
                // In "switch the language to Korean" it is a verb.
                now.sets |= self.is_setting_verb(step);
                self.described(step, now.named_to, wish);
                // "메뉴 버튼": the button is called so.
                if wish.target_text.is_none() && name == "role" && wish.role != role(sense) {
                    wish.target_text = now.role_said.take();
                }
                // A thing that is only named is all that is said.
                meaning.impossible |= name == "pointed_role" && !meaning.clauses.is_empty();
                wish.role = role(sense);
                if name == "pointed_role" {
                    wish.action = Some(Action::Invoke);
                    now.asked = Some(Asked::Order);
                    now.pointed = true;
                }
                now.role_said = Some(self.bare(step));
            }
            // "press any button"; an article tells so much only if it was written, as quotes show: a voice slurs it.
            "the" if self.heard.part(step.from, step.to) == ['a', 'n', 'y'] => wish.any = true,
            // "vitamin a": behind a name it is a letter of that.
            "the" if step.to == self.heard.len() && step.to == step.from + 1 && now.named_to == step.from => {
                meaning.impossible = true;
            }
            "ko_one" => wish.any |= !self.heard.is_at(step.to.saturating_sub(1), &['번']) && wish.ordinal.is_none(),
            "any_of" => wish.any = true,
            "times" => wish.times = sense.parse().ok(),
            "count" => wish.times = u8::try_from(step.value).ok().filter(|times| (1..=MOST_TIMES).contains(times)),
            "zone" => {
                wish.zone = zone(sense);
                wish.outermost = std::mem::take(&mut now.very) || self.is_outermost(step);
                // What is counted from a side need not lie there.
                let from_side = std::mem::take(&mut now.counts_from) && wish.ordinal.is_some();
                if from_side && matches!(wish.zone, Some(Zone::Top | Zone::Left)) {
                    (wish.zone, wish.outermost) = (None, false);
                }
            }
            "at_place" => {
                let said = self.heard.said(step.from, step.to).to_lowercase();
                (now.very, now.counts_from) = (said.ends_with("very"), said.starts_with("from"));
            }
            "relation" => wish.relation = Some(relation(sense)),
            // "읽지 않은 메일" is not in anything.
            // Nor is "낮은 가격순": what stands there is an adjective.
            "inside_at" if self.is_adjective(step) => {
                wish.target_text = wish.anchor.take().map(|stem| stem + &self.heard.said(step.from, step.to));
            }
            "typed" if !matches!(wish.role, Some(Role::Edit | Role::ComboBox)) => meaning.impossible = true,
            "inside_at" => wish.relation = Some(Relation::Inside),
            "modifier" | "key" | "maybe_key" | "letter" => {
                meaning.impossible |= now.clicked;
                now.key(sense.to_owned());
            }
            _ => return false,
        }
        true
    }

    /// What is said alone: reflexes and answers.
    fn alone(&self, step: &WayStep, name: &str, sense: &str, now: &mut Clause, meaning: &mut WayMeaning) {
        // Behind a reflex it is a part of that: "집중 모드를 멈춰".
        let reflex_before = now.asked.or_else(|| meaning.clauses.last().and_then(|clause| clause.asked));
        meaning.impossible |=
            name == "hold" && matches!(reflex_before, Some(Asked::Reflex(command)) if command != Command::Stop);
        if name == "hold" && matches!(now.asked, Some(Asked::Order | Asked::Reading)) {
            // What stops Luna takes back the order before it.
            now.close(meaning);
        }
        // "그다음 다음 단계 눌러" goes to no next one.
        meaning.impossible |= name == "reflex"
            && step.mood == Mood::Joint
            && self.heard.part(step.to.saturating_sub(2), step.to) == ['다', '음'];
        let wish = &mut now.draft.wish;
        match name {
            "reflex" | "hold" => {
                let Some(command) = Command::ALL.into_iter().find(|command| command.name() == sense) else { return };
                // "인쇄해 줘 아니다 됐어"
                now.takes_back = now.corrects && matches!(command, Command::Stop | Command::Pause);
                now.asked = Some(Asked::Reflex(command));
                meaning.impossible |= meaning.weak && command.spec().reading_intent.is_none();
                if let Some(intent) = command.spec().reading_intent {
                    wish.intent = Some(intent);
                    self.details(step, wish);
                }
                return;
            }
            "answer" => wish.value = Some(sense.to_owned()),
            "choice" => wish.ordinal = Some(step.value),
            "plain_choice" => {
                wish.ordinal = Some(step.value);
                now.counted = !self.heard.cells.get(step.from).is_some_and(char::is_ascii_digit);
            }
            "picked_one" => {}
            "named_text" => {
                wish.target_text = Some(self.text(step));
                now.named = true;
            }
            _ => return,
        }
        now.asked = Some(Asked::Answer);
    }

    /// The text of a step; of a quote what is quoted.
    pub(super) fn text(&self, step: &WayStep) -> String {
        let quote = self.heard.quotes.iter().find(|quote| quote.from >= step.from && quote.to <= step.to);
        quote.map_or_else(|| self.heard.said(step.from, step.to), |quote| quote.text.clone())
    }

    /// "파일 추가하는 버튼": before what it describes, 는 is no particle but the verb's own.
    fn described(&self, step: &WayStep, named_to: usize, wish: &mut ParsedCommand) {
        let is_ending = self.heard.part(named_to, step.from) == ['는'] && !self.heard.gap(named_to);
        if let Some(text) = wish.target_text.as_mut().filter(|_| is_ending) {
            text.push('는');
        }
    }

    /// A word without its particle.
    pub(super) fn bare(&self, step: &WayStep) -> String {
        let said = self.heard.said(step.from, step.to);
        let bare = ["으로", "을", "를", "로", "은", "는", "만"].iter().find_map(|particle| said.strip_suffix(particle));
        bare.map_or_else(|| said.clone(), str::to_owned)
    }

    /// The language and the fidelity that a phrase of reading names.
    pub(super) fn details(&self, step: &WayStep, wish: &mut ParsedCommand) {
        let group = |name: &str| self.lexicon.known(name);
        for word in self.words_in(step) {
            let sense = self.lexicon.entry(word.entry).map_or("", |entry| entry.sense.as_str());
            if Some(word.group) == group("lang") {
                wish.lang_tgt = Some(lang(sense));
            } else if Some(word.group) == group("fidelity") {
                wish.mode = Some(fidelity(sense));
            }
        }
    }

    pub(super) fn words_in(&self, step: &WayStep) -> Vec<Match> {
        let mut words = Vec::new();
        for at in step.from..step.to {
            self.lexicon.at(self.heard, at, false, &mut words);
            self.lexicon.sounding(self.heard, at, false, &mut words);
        }
        words.retain(|word| word.end <= step.to);
        words
    }

    /// Whether it is only an article, a sound of hesitation or an operator: "click the", "첫 번째 말고 두 번째".
    fn is_nothing(&self, step: &WayStep) -> bool {
        // What is quoted is a name.
        if self.is_quoted(step) {
            return false;
        }
        let latin = self.heard.cells.get(step.from).is_some_and(char::is_ascii);
        let mut words = Vec::new();
        self.lexicon.at(self.heard, step.from, false, &mut words);
        // "I" is who speaks.
        if self.heard.part(step.from, step.to) == ['i'] {
            return true;
        }
        let names: &[&str] = if latin { &["the", "hesitation", "auxiliary", "this"] } else { &["contrast"] };
        let empty: Vec<_> = names.iter().map(|name| self.lexicon.known(name)).collect();
        words.iter().any(|word| word.end == step.to && empty.contains(&Some(word.group)))
    }

    /// Whether "a" stands before a quoted name. That is written, and means any: a voice slurs the article.
    fn has_written_article(&self, step: &WayStep) -> bool {
        let is_word = |article: &str, to: usize| {
            let from = to.checked_sub(article.len()).filter(|from| self.heard.gap(*from) && self.heard.gap(to));
            from.is_some_and(|from| self.heard.part(from, to).iter().copied().eq(article.chars()))
        };
        let quotes = self.heard.quotes.iter().filter(|quote| step.from <= quote.from && quote.to <= step.to);
        quotes.map(|quote| quote.from).any(|from| is_word("a", from) || is_word("an", from))
    }

    /// Whether a name is one of a program.
    fn is_program(&self, step: &WayStep) -> bool {
        let program = self.lexicon.known("program");
        self.lexicon.entries_of(self.heard.part(step.from, step.to)).iter().any(|entry| Some(entry.group) == program)
    }

    /// Whether anything was said of the thing that an order is for.
    pub(super) fn names_thing(&self, now: &Clause) -> bool {
        let wish = &now.draft.wish;
        let named =
            wish.target_text.is_some() || wish.ordinal.is_some() || wish.zone.is_some() || wish.anchor.is_some();
        named || now.role_said.is_some() || now.draft.verb.is_some() || now.has_keys()
    }

    /// What a new one is made of: "새 탭".
    pub(super) fn made(&self, step: &WayStep) -> Option<String> {
        let made = self.lexicon.known("made")?;
        let mut words = Vec::new();
        (step.from..step.to).find_map(|at| {
            words.clear();
            self.lexicon.at(self.heard, at, false, &mut words);
            let whole = words.iter().filter(|word| word.group == made && word.end <= step.to && word.cost == 0);
            whole.map(|word| word.end).min().map(|end| self.heard.said(at, end))
        })
    }
}
