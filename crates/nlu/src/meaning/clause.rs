//! A clause as it is put together from words, and how operators take it back (NLU-5).

use luna_messages::dsl::{Action, ScrollDirection};
use luna_messages::pick::Role;
use luna_messages::understanding::ParsedCommand;

use super::{Asked, WayMeaning};
use crate::draft::Draft;
use crate::lexicon::Mood;

/// What one verb asks for, with the thing that it is done to.
#[derive(Debug, Clone, Default)]
pub struct Clause {
    /// None as long as no verb was said.
    pub asked: Option<Asked>,
    pub draft: Draft,
    /// It must not happen: "누르지 마".
    pub negated: bool,
    /// What was said to be not meant: never the target.
    pub rejected: Vec<String>,
    /// The cells of what is meant: from the first word that was not taken back, to the last.
    pub span: Option<(usize, usize)>,
    /// Only a name was said.
    pub named: bool,
    /// Only what it is and where, without a verb.
    pub pointed: bool,
    /// A number in words and nothing else: an answer only to a question.
    pub counted: bool,
    /// Keys in the order in which they were said.
    pub(super) keys: Vec<String>,
    pub(super) number: Option<i32>,
    /// Where it begins.
    pub(super) number_at: usize,
    /// "the very …" was said, and a side follows.
    pub(super) very: bool,
    /// A side follows from which things are counted: "the third from the top".
    pub(super) counts_from: bool,
    /// The thing is said to be in a list.
    pub(super) in_list: bool,
    /// The language that is asked for, as it was said.
    pub language: Option<String>,
    /// Its verb also sets something: "자막 언어를 한국어로 바꿔 줘".
    pub sets: bool,
    /// `up` or `down`.
    pub(super) louder: Option<String>,
    /// It is about the volume: how that was called, empty if in a clause before.
    pub(super) loudness: Option<String>,
    /// The word for its role.
    pub(super) role_said: Option<String>,
    /// How far, or what of the page: it is about scrolling.
    pub(super) scrolls: bool,
    /// The verb is one for what is on the screen, not for keys.
    pub(super) clicked: bool,
    pub(super) needs_argument: bool,
    /// The thing is called like a program.
    pub(super) is_program: bool,
    /// It asks for something by name: the verb that follows only asks.
    pub(super) inquires: bool,
    /// What was said before was taken back, and a verb may be said anew.
    pub(super) fresh: bool,
    /// Its verb was said to correct what stands before.
    pub(super) corrects: bool,
    /// What follows is done before it: "before closing Excel save it".
    pub(super) later: bool,
    /// One goes there: a tab is selected.
    pub goes: bool,
    /// What was taken back, as long as no verb is said anew: it shows that an order is meant.
    pub(super) taken_back: Option<(usize, usize)>,
    /// Its verb leaves nothing in what it is done to, if that is a field.
    pub(super) empties: bool,
    /// What stands in it, as one name with it: "메일 내용".
    pub(super) held: Option<String>,
    /// The cell after its name.
    pub(super) named_to: usize,
    /// Where what is told of the thing begins.
    pub(super) told_from: usize,
    /// It is done to what stands in a field; what a button for its verb is called, if it turns out to be none.
    pub wipes: Option<String>,
    /// "and" or a verb's ending joins it to the clause before.
    pub joined: bool,
    /// It stops Luna, said to correct an order: that is taken back.
    pub takes_back: bool,
    /// A story stands between what was taken back and its verb.
    pub(super) storied: bool,
    /// What was said of the thing before it was taken back.
    pub(super) before: Option<ParsedCommand>,
}

/// Keys that are held, in the order in which they are written.
const HELD: [&str; 4] = ["ctrl", "alt", "shift", "win"];

impl Clause {
    /// Widens the span by a word.
    pub(super) fn said(&mut self, from: usize, to: usize) {
        self.span = Some((self.span.map_or(from, |span| span.0), to));
    }

    /// "click cancel no wait click okay": what was said before is taken back. What follows may be a thing alone, for the same verb.
    pub(super) fn repair(&mut self, meaning: &mut WayMeaning) {
        if self.asked.is_none() {
            match meaning.clauses.pop() {
                Some(last) => *self = last,
                None => return self.reject(),
            }
        }
        let asked = self.asked.filter(|asked| matches!(asked, Asked::Order | Asked::Reading));
        let mut wish = self.draft.wish.clone();
        if wish.action == Some(Action::SetValue) && wish.value.is_none() {
            wish.value = self.number.map(|number| number.to_string());
        }
        let verb = self.draft.verb.take();
        let before = self.before.take();
        let loudness = self.loudness.take();
        let (goes, taken_back) = (self.goes, self.span.or(self.taken_back));
        self.reject();
        *self = Self {
            rejected: std::mem::take(&mut self.rejected),
            fresh: true,
            loudness,
            goes,
            taken_back,
            ..Self::default()
        };
        self.draft.verb = verb;
        self.draft.wish = ParsedCommand {
            action: wish.action,
            order: wish.order.clone(),
            state: wish.state,
            intent: wish.intent,
            ..ParsedCommand::default()
        };
        let empty = wish.target_text.is_none() && wish.value.is_none() && wish.argument.is_none();
        self.before = before.filter(|_| empty).or(Some(wish));
        self.asked = asked;
    }

    /// "A 말고": what was said so far is not meant. Behind a verb the grammar names the thing `other` instead.
    pub(super) fn contrast(&mut self) {
        self.span = None;
        match self.asked {
            Some(Asked::Reflex(_) | Asked::Answer | Asked::Reading) => *self = Self::default(),
            Some(Asked::Order) if !self.fresh => {}
            _ => {
                let verb = self.draft.wish.clone();
                self.reject();
                if self.fresh {
                    (self.draft.wish.action, self.draft.wish.order, self.draft.wish.state) =
                        (verb.action, verb.order, verb.state);
                }
            }
        }
    }

    /// What was said of the thing so far is not meant.
    fn reject(&mut self) {
        // "김영수 아니 김영숙이라고 입력해": the field is still the one that was named.
        if self.asked.is_none()
            && let Some(value) = self.draft.wish.value.take()
        {
            self.rejected.push(value);
            return;
        }
        // "글자 크기를 12 아니 14로 바꿔"
        let named = self.draft.wish.target_text.is_some() || self.loudness.is_some();
        if self.asked.is_none() && named && self.number.take().is_some() {
            return;
        }
        let wish = std::mem::take(&mut self.draft.wish);
        self.rejected.extend(wish.target_text.into_iter().chain(wish.value).chain(wish.argument));
        self.role_said = None;
        self.keys.clear();
        self.number = None;
    }

    /// A verb: after a finished clause it begins the next, after what was taken back it stands anew. Whether it is to be read.
    pub(super) fn verb(&mut self, (name, mood): (&str, Mood), meaning: &mut WayMeaning) -> bool {
        self.corrects = std::mem::take(&mut self.fresh);
        if self.corrects {
            (self.asked, self.draft.verb, self.draft.also, self.goes) = (None, None, Vec::new(), false);
            (self.draft.wish.action, self.draft.wish.order, self.draft.wish.state) = (None, None, None);
            self.draft.wish.intent = None;
        }
        if self.inquires {
            return false;
        }
        // "위로 올려", "50으로 바꿔" go on with what stands before.
        let korean = mood != Mood::Base;
        let goes_on = (korean && matches!(name, "change" | "shift" | "go")) || (name == "scroll" && self.scrolls);
        // "don't read the adverts, read the story"
        let anew = name == "read" && !korean && self.negated && self.asked == Some(Asked::Reading);
        if matches!(self.asked, Some(Asked::Reflex(_) | Asked::Order | Asked::Answer)) && !goes_on || anew {
            self.close(meaning);
        }
        true
    }

    /// Puts the clause behind the others, if it says anything, and begins anew.
    pub(super) fn close(&mut self, meaning: &mut WayMeaning) {
        let mut clause = std::mem::take(self);
        let complete = !clause.keys.is_empty() || (clause.loudness.is_some() && clause.number.is_some());
        if clause.asked.is_none() && complete {
            clause.asked = Some(Asked::Order);
        }
        // "type A in this field and B in that one"
        let typed = meaning.clauses.last().is_some_and(|last| last.draft.wish.action == Some(Action::SetValue));
        if clause.asked.is_none() && clause.joined && typed && clause.draft.wish.value.is_some() {
            clause.asked = Some(Asked::Order);
            clause.draft.wish.action = Some(Action::SetValue);
        }
        match clause.asked {
            None => {
                // What was rejected, or forbidden, before the verb goes with the clause that follows.
                self.rejected = clause.rejected;
                self.negated = clause.negated && clause.span.is_none();
                return;
            }
            Some(Asked::Order) => {
                meaning.impossible |= clause.unmakes_dictation() || clause.tells_of_nothing();
                clause.finish();
                let wish = &clause.draft.wish;
                meaning.impossible |= clause.needs_argument && wish.argument.is_none();
                // "3 말고 높여": of what, and whether it is to be pressed, is not said.
                meaning.impossible |= !clause.negated && wish.action.is_none() && wish.order.is_none();
            }
            Some(_) => {}
        }
        // If what was taken back is an order, so is what is said in its place.
        clause.span = clause.taken_back.or(clause.span);
        match meaning.clauses.pop_if(|last| last.later && !clause.later) {
            Some(last) => meaning.clauses.extend([clause, Self { later: false, ..last }]),
            None => meaning.clauses.push(clause),
        }
    }

    fn finish(&mut self) {
        self.kept_field();
        self.kept_thing();
        self.kept_place();
        self.finish_clearing();
        if self.keys.is_empty() || self.draft.wish.target_text.is_some() {
            self.finish_volume();
        } else {
            self.finish_keys();
        }
        let wish = &mut self.draft.wish;
        if wish.action == Some(Action::Scroll) && wish.direction.is_none() {
            wish.direction = Some(ScrollDirection::Down);
        }
        let on_screen =
            [Action::Invoke, Action::Select, Action::Toggle, Action::SetValue, Action::Expand, Action::Collapse];
        let aims = wish.action.is_some_and(|action| on_screen.contains(&action)) && self.keys.is_empty();
        // A box that is ticked is no field.
        if wish.action == Some(Action::Toggle) && wish.role == Some(Role::Edit) {
            wish.role = Some(Role::CheckBox);
        }
        // "목록 맨 끝에 있는 거"
        let names_list = |text: &String| crate::roles::role(text) == Some(Role::List);
        if wish.ordinal.is_some() && wish.target_text.as_ref().is_some_and(names_list) {
            (wish.target_text, self.in_list) = (None, true);
        }
        // "목록에서 마지막 거": counted among its items, not among all that is there.
        let counted = wish.ordinal.is_some() || wish.zone.is_some();
        if self.in_list && counted && wish.target_text.is_none() && wish.role.is_none() {
            wish.role = Some(Role::ListItem);
        }
        // "메뉴 열어": the word of the role is all that is said of the thing.
        if wish.target_text.is_none() && self.draft.verb.is_none() && aims {
            wish.target_text = self.role_said.take().filter(|_| wish.ordinal.is_none());
        }
        if wish.target_text.is_none() {
            wish.target_text = self.draft.verb.clone();
        }
        // "보안 탭으로 가 줘", "switch to the billing tab": a tab is chosen, not pressed, and no program.
        let crosses = matches!(wish.order.as_deref(), Some("switch_to")) || self.goes;
        if crosses && wish.role == Some(Role::Tab) {
            (wish.action, wish.order) = (Some(Action::Select), None);
            wish.target_text = wish.target_text.take().or_else(|| wish.argument.take());
            self.needs_argument = false;
        }
        // "이름 칸으로 가": one writes there next.
        let into_field = self.goes && matches!(wish.role, Some(Role::Edit | Role::ComboBox | Role::Document));
        if into_field && wish.action == Some(Action::Invoke) && wish.order.is_none() {
            wish.action = Some(Action::Focus);
        }
        // "메모장 켜": what is switched on is a program.
        let switched = wish.action == Some(Action::Toggle) && wish.order.is_some();
        if switched && self.is_program {
            (wish.action, wish.state) = (Some(Action::Desktop), None);
        }
        let usual = wish.action == Some(Action::Desktop);
        if !usual && matches!(wish.order.as_deref(), Some("open" | "close")) {
            wish.argument = wish.target_text.clone();
        }
        if usual && wish.argument.is_none() {
            wish.argument = wish.target_text.take().or_else(|| self.role_said.take());
        }
    }

    /// "undo that, no, I want redo": what is said in the place of an order that is done to nothing is an order, too.
    pub(super) fn takes_no_thing(&self) -> bool {
        const ALONE: [&str; 8] = ["undo", "redo", "mute", "back", "forward", "reload", "paste", "select_all"];
        let before = self.before.as_ref().filter(|_| self.fresh).and_then(|before| before.order.as_deref());
        before.is_some_and(|order| ALONE.contains(&order))
    }

    /// Whether no language, no fidelity and no kind of reading was said by which a text could become another.
    pub(super) const fn renders_into_nothing(&self) -> bool {
        let wish = &self.draft.wish;
        wish.lang_tgt.is_none() && wish.mode.is_none() && wish.intent.is_none() && self.before.is_none()
    }

    /// "click it": what is to be pressed stands elsewhere.
    pub fn points_nowhere(&self) -> bool {
        let wish = &self.draft.wish;
        let placed = wish.ordinal.is_some() || wish.zone.is_some() || wish.relation.is_some() || wish.role.is_some();
        wish.action == Some(Action::Invoke) && wish.target_text.is_none() && !placed
    }

    /// Whether a text is to be written and no field was named: what follows may be a part of the text.
    pub(super) fn writes_without_field(&self) -> bool {
        let wish = &self.draft.wish;
        let named = wish.target_text.is_some() || wish.role.is_some();
        wish.action == Some(Action::SetValue) && wish.value.is_some() && !named
    }

    /// "write so sorry mum": without a field before it, a word of correction and what follows are a part of what is to be written.
    fn unmakes_dictation(&self) -> bool {
        let bare = |wish: &ParsedCommand| wish.target_text.is_none() && wish.role.is_none();
        let wish = &self.draft.wish;
        let types = wish.action == Some(Action::SetValue) && wish.value.is_none() && wish.target_text.is_some();
        types && self.before.as_ref().is_some_and(bare)
    }

    /// "예산 찾아 줘 아니 그 뭐냐 결산 찾아 줘": what is meant instead is no story.
    fn tells_of_nothing(&self) -> bool {
        let wish = &self.draft.wish;
        let named = |wish: &ParsedCommand| wish.target_text.is_some() || wish.argument.is_some();
        let order = wish.order.is_some() && self.before.as_ref().is_some_and(|before| before.order == wish.order);
        self.storied && order && !named(wish) && self.before.as_ref().is_some_and(named)
    }

    /// "type Kathryn in the name field, no, Catherine": the field is still the one that was named, and what is said anew is written there.
    fn kept_field(&mut self) {
        let Some(before) = self.before.as_ref().filter(|_| self.draft.wish.action == Some(Action::SetValue)) else {
            return;
        };
        let wish = &mut self.draft.wish;
        let number = self.number.map(|number| number.to_string());
        let said = before.value.is_some().then(|| wish.target_text.take()).flatten();
        let anew = wish.value.clone().or(number).or(said);
        let named = wish.target_text.is_some() || wish.ordinal.is_some() || wish.role.is_some();
        if anew.is_some() && !named {
            let kept = before.clone();
            *wish = ParsedCommand { value: anew, ..kept };
        }
    }

    /// "블루투스 켜 줘 아니 꺼 줘": the thing is still the one that was named first.
    fn kept_thing(&mut self) {
        let wish = &mut self.draft.wish;
        let nothing = wish.target_text.is_none() && wish.argument.is_none() && wish.value.is_none();
        if nothing && self.keys.is_empty() && self.role_said.is_none() && wish.action == Some(Action::Toggle) {
            wish.target_text = self.before.take().and_then(|before| before.target_text);
        }
    }

    /// "the button in the top right, no, the top left": where it is was corrected, the thing is still the one that was named.
    fn kept_place(&mut self) {
        let wish = &mut self.draft.wish;
        let Some(before) = self.before.as_ref().filter(|before| before.action == wish.action) else { return };
        let placed = (wish.zone.is_some() && before.zone.is_some())
            || (wish.anchor.is_some() && before.anchor.is_some())
            || (wish.ordinal.is_some() && before.ordinal.is_some());
        if placed && wish.target_text.is_none() && self.role_said.is_none() {
            (wish.target_text, wish.role) = (before.target_text.clone(), before.role);
        }
    }

    fn finish_keys(&mut self) {
        let wish = &mut self.draft.wish;
        let held: Vec<&str> = HELD.into_iter().filter(|name| self.keys.iter().any(|key| key == name)).collect();
        let last = self.keys.iter().rev().find(|key| !HELD.contains(&key.as_str()));
        match (held.is_empty(), last) {
            (true, Some(key)) => (wish.action, wish.key) = (Some(Action::Key), Some(key.clone())),
            (false, Some(key)) => {
                (wish.action, wish.hotkey) = (Some(Action::Hotkey), Some(format!("{}+{key}", held.join("+"))));
            }
            (false, None) => (wish.action, wish.key) = (Some(Action::Key), Some(held.concat())),
            (true, None) => {}
        }
        (wish.ordinal, wish.any) = (None, false);
        wish.times = wish.times.filter(|times| *times > 1);
    }

    /// The volume by a number is a value of that control, too; up and down are the usual order alone.
    fn finish_volume(&mut self) {
        let wish = &mut self.draft.wish;
        let number = self.number.map(|number| number.to_string());
        let Some(called) = self.loudness.take() else {
            if wish.action == Some(Action::SetValue) && wish.value.is_none() {
                wish.value = number;
            }
            return;
        };
        let Some(argument) = number.clone().or_else(|| self.louder.take()) else { return };
        if number.is_some() {
            wish.action = Some(Action::SetValue);
            wish.target_text = Some(called).filter(|called| !called.is_empty());
            wish.value = number;
        } else {
            wish.action = Some(Action::Desktop);
        }
        wish.order = Some("volume".to_owned());
        wish.argument = Some(argument);
    }
}
