//! Words of orders: verbs of the desktop, usual orders, and requests to read.

use luna_messages::Fidelity;
use luna_messages::candidate::Zone;
use luna_messages::dsl::{Action, ScrollAmount, ScrollDirection};
use luna_messages::pick::Role;
use luna_messages::reading::Intent;
use luna_messages::understanding::{Relation, Switch};

use super::senses::{direction, fidelity, intent, label_of, lang, rank_of, switch};
use super::{Asked, Clause, Reader, WayMeaning};
use crate::normalised::compact;
use crate::search::WayStep;

/// The order that empties a field.
pub const CLEAR: &str = "clear";

impl Reader<'_> {
    /// Verbs of the desktop.
    pub(super) fn verb(
        &self,
        step: &WayStep,
        name: &str,
        sense: &str,
        now: &mut Clause,
        meaning: &mut WayMeaning,
    ) -> bool {
        let wish = &mut now.draft.wish;
        match name {
            "aim" => {
                // "I'll go with the second" answers, if something was asked.
                let group = self.lexicon.entry(step.entry).map(|entry| entry.group);
                let settles = group.is_some() && group == self.lexicon.known("settles");
                now.goes = settles || group.is_some() && group == self.lexicon.known("opts");
                // "40으로 해 줘" says of nothing what it is set to.
                let number = |text: &String| text.starts_with(|c: char| c.is_ascii_digit());
                meaning.impossible |= settles && wish.target_text.as_ref().is_none_or(number);
                now.asked = Some(Asked::Order);
                if now.has_keys() {
                    meaning.impossible |= sense != "press";
                } else {
                    now.aim(sense);
                }
                return true;
            }
            "act" => {
                let label = label_of(sense);
                let empties = self.lexicon.known("empties");
                now.empties =
                    self.lexicon.entries_of(&compact(&label)).iter().any(|entry| Some(entry.group) == empties);
                now.act(label);
            }
            "wipe" => {
                now.wipes = Some(label_of(sense));
                now.clear();
            }
            // "sort of" turns nothing off.
            "switched"
                if now.asked.is_none()
                    && wish.action.is_none()
                    && self.heard.part(step.from, step.to) == ['o', 'f'] =>
            {
                meaning.impossible = true;
            }
            "switched" | "turned" => (wish.action, wish.state) = (Some(Action::Toggle), Some(switch(sense))),
            // "turn … on": what it does is said last.
            "turn" => {
                wish.action = Some(Action::Toggle);
                return true;
            }
            "type" | "put" | "fill" | "change" | "changed" | "typed" => wish.action = Some(Action::SetValue),
            "flip" => wish.action = Some(Action::Toggle),
            "shift" => now.shift(sense),
            "scroll" => wish.action = Some(Action::Scroll),
            // "turn the volume up, no, down"
            "toward" if now.fresh && wish.order.as_deref() == Some("volume") => {
                (wish.action, wish.argument) = (Some(Action::Desktop), Some(sense.to_owned()));
            }
            "toward" | "toward_end" => {
                (wish.action, wish.direction) = (Some(Action::Scroll), Some(direction(sense)));
                if name == "toward_end" {
                    wish.amount = Some(ScrollAmount::End);
                }
                now.scrolls = true;
            }
            "go" => {
                // "switch to Slack, no, take me to Teams"
                if now.before.as_ref().is_some_and(|before| before.order.as_deref() == Some("switch_to")) {
                    (wish.action, wish.order) = (Some(Action::Desktop), Some("switch_to".to_owned()));
                }
                wish.action = wish.action.or(Some(Action::Invoke));
                now.goes = true;
            }
            "amount" => {
                now.scrolls = true;
                wish.amount = Some(match sense {
                    "small" => ScrollAmount::Small,
                    "page" => ScrollAmount::Page,
                    _ => ScrollAmount::End,
                });
                return true;
            }
            "page_thing" => {
                now.scrolls = true;
                return true;
            }
            _ => return false,
        }
        let _ = step;
        now.asked = Some(Asked::Order);
        true
    }

    /// Usual orders (DSL-6).
    pub(super) fn usual(&self, step: &WayStep, name: &str, sense: &str, now: &mut Clause) -> bool {
        let made = (name == "desktop" && sense == "new").then(|| self.made(step)).flatten();
        let wish = &mut now.draft.wish;
        match name {
            "desktop" | "inquiry" => {
                (wish.action, wish.order) = (Some(Action::Desktop), Some(sense.to_owned()));
                now.inquires = name == "inquiry";
                now.needs_argument = sense == "switch_to";
                wish.argument = made.or(wish.argument.take());
                wish.amount = None;
            }
            "switching" => {
                (wish.action, wish.order) = (Some(Action::Desktop), Some("switch_to".to_owned()));
            }
            "zoom" | "volume" | "mute" => {
                (wish.action, wish.order) = (Some(Action::Desktop), Some(name.to_owned()));
                wish.argument = Some(sense.to_owned());
                wish.amount = None;
            }
            "loudness" => {
                let said = self.bare(step);
                let called = ["the ", "my ", "your ", "this "].iter().find_map(|article| said.strip_prefix(article));
                now.loudness = Some(called.unwrap_or(&said).to_owned());
                return true;
            }
            "louder" => now.louder = Some(sense.to_owned()),
            _ => return false,
        }
        now.asked = Some(Asked::Order);
        true
    }

    /// Words of reading (NLU-1).
    pub(super) fn reading(&self, step: &WayStep, name: &str, sense: &str, now: &mut Clause) -> bool {
        let wish = &mut now.draft.wish;
        match name {
            "intent" => {
                let next = intent(sense);
                if rank_of(Some(next)) > rank_of(wish.intent) {
                    wish.intent = Some(next);
                }
            }
            "work" => {
                wish.intent = Some(if sense == "summarize" { Intent::Summarize } else { Intent::Translate });
                if self.heard.said(step.from, step.to).starts_with("의역") {
                    wish.mode = Some(Fidelity::Natural);
                }
            }
            "lang" => {
                wish.lang_tgt = Some(lang(sense));
                now.language = Some(self.language(step));
            }
            "fidelity" => wish.mode = Some(fidelity(sense)),
            "away" | "next_line" => {
                let n = if name == "away" { now.number.take().unwrap_or(1) } else { 1 };
                wish.line_offset = Some(if sense == "+" { n } else { -n });
                wish.ordinal = None;
            }
            "turn_into" => now.sets = true,
            "say" => now.sets |= self.is_setting_verb(step),
            "read" | "asks" | "asking" | "looks" => {}
            _ => return false,
        }
        now.asked = Some(Asked::Reading);
        true
    }
}

impl Clause {
    pub(super) const fn has_keys(&self) -> bool {
        !self.keys.is_empty()
    }

    pub(super) fn key(&mut self, name: String) {
        self.keys.push(name);
    }

    fn aim(&mut self, sense: &str) {
        let wish = &mut self.draft.wish;
        let (action, state) = match sense {
            "select" => (Action::Select, None),
            "toggle" => (Action::Toggle, None),
            "expand" => (Action::Expand, None),
            "collapse" => (Action::Collapse, None),
            "focus" => (Action::Focus, None),
            "on" | "turn_on" => (Action::Toggle, Some(Switch::On)),
            "off" | "turn_off" => (Action::Toggle, Some(Switch::Off)),
            _ => (Action::Invoke, None),
        };
        (wish.action, wish.state) = (Some(action), state);
        self.clicked = sense != "press";
        // "크롬 켜": a switch of that name, or else a program.
        wish.order = match sense {
            "open" | "turn_on" => Some("open".to_owned()),
            "turn_off" => Some("close".to_owned()),
            _ => None,
        };
    }

    /// A verb that a button is called by.
    fn act(&mut self, label: String) {
        let wish = &mut self.draft.wish;
        wish.action = Some(Action::Invoke);
        let both = wish.target_text.as_ref().map(|text| format!("{text} {label}"));
        self.draft.also.extend(both.into_iter().chain([label.clone()]));
        self.draft.verb = Some(label);
    }

    /// Nothing is to be left in a field: it is done as entering an empty text.
    pub(super) fn clear(&mut self) {
        let wish = &mut self.draft.wish;
        (wish.action, wish.order, wish.value) = (Some(Action::SetValue), Some(CLEAR.to_owned()), Some(String::new()));
        (self.draft.verb, self.draft.also) = (None, Vec::new());
    }

    /// The same as a clause of its own, for a target that turned out to be a field.
    #[must_use]
    pub fn cleared(&self) -> Self {
        let mut cleared = self.clone();
        cleared.clear();
        cleared
    }

    /// The same for what stands in no field: "폴더에 있는 거 다 지워 줘".
    #[must_use]
    pub fn outside_field(&self) -> Self {
        let mut outside = self.clone();
        let Some(label) = outside.wipes.take() else { return outside };
        let wish = &mut outside.draft.wish;
        (wish.action, wish.order, wish.value) = (Some(Action::Invoke), None, None);
        let mut also = vec![label.clone()];
        if let Some(held) = outside.held.take() {
            also.insert(0, format!("{held} {label}"));
            wish.target_text = Some(held);
        } else {
            (wish.anchor, wish.relation) = (wish.target_text.take(), Some(Relation::Inside));
            wish.target_text = Some(label.clone());
        }
        (outside.draft.also, outside.draft.verb) = (also, Some(label));
        outside
    }

    /// "이름 칸 지워" clears a field; "이름 지워" does so if nothing but a field is called so, which the screen tells.
    pub(super) fn finish_clearing(&mut self) {
        let wish = &mut self.draft.wish;
        if !self.empties || wish.action != Some(Action::Invoke) {
            return;
        }
        if matches!(wish.role, Some(Role::Edit | Role::ComboBox)) {
            self.clear();
        } else if wish.target_text.is_some() {
            wish.order = Some(CLEAR.to_owned());
        }
    }

    /// "밑으로 좀 내려": only a side of the screen was said.
    fn moves_page(&mut self) -> bool {
        let wish = &mut self.draft.wish;
        let side = match wish.zone {
            Some(Zone::Top) => ScrollDirection::Up,
            Some(Zone::Bottom) => ScrollDirection::Down,
            _ => return false,
        };
        let alone = wish.target_text.is_none() && wish.ordinal.is_none() && self.role_said.is_none();
        if alone {
            (wish.zone, wish.outermost, wish.direction) = (None, false, Some(side));
        }
        alone
    }

    /// 올려, 내려: the page, the volume, or something that the rules can't tell.
    fn shift(&mut self, sense: &str) {
        let moves_page = self.moves_page();
        let wish = &mut self.draft.wish;
        if self.loudness.is_some() && wish.target_text.is_none() {
            self.louder = Some(sense.to_owned());
        } else if wish.action == Some(Action::Scroll) || self.scrolls || moves_page {
            wish.action = Some(Action::Scroll);
            wish.direction = wish.direction.or(Some(direction(sense)));
        } else if self.number.is_some() && wish.target_text.is_some() {
            // "밝기를 여든으로 올려": up to a value is that value.
            wish.action = Some(Action::SetValue);
        } else {
            wish.action = Some(Action::Invoke);
            self.draft.unsure = true;
        }
    }
}
