//! What clauses mean for the screen as it is: a reflex, a reading, an answer or a command, with its target among the candidates.

use luna_messages::candidate::Zone;
use luna_messages::control::Command;
use luna_messages::dsl::Action;
use luna_messages::pick::Role;
use luna_messages::reading::Intent;
use luna_messages::understanding::{
    CandidateInput, Interpretation, ParsedCommand, Relation, TargetMatch, UtteranceInput, UtteranceKind,
};

use super::Understanding;
use super::confirmation::{is_cleared, words_for};
use super::danger::DangerWords;
use super::draft::Draft;
use super::meaning::{Asked, Clause, WayMeaning};
use super::normalised::{NormalisedUtterance, compact};
use super::rank::{Ranked, is_whole, reach};
use super::roles::role;

/// How well a label fits of which more than a part was said.
const WHOLE_NAME: f64 = 0.8;

/// What is said, and to whom.
#[derive(Debug, Clone, Copy)]
struct SpokenUtterance<'a> {
    heard: &'a NormalisedUtterance,
    offered: &'a [CandidateInput],
    /// Luna is speaking.
    speaking: bool,
    /// A question is open, whose options the candidates are.
    asking: bool,
    /// Nothing was rejected, negated or told besides, so that each word counts for the danger (DNG-1).
    plain: bool,
}

impl Understanding {
    pub(super) fn interpreted(
        &self,
        meaning: &WayMeaning,
        heard: &NormalisedUtterance,
        utterance: &UtteranceInput,
    ) -> Interpretation {
        let clauses: Vec<&Clause> = meaning.clauses.iter().filter(|clause| !clause.negated).collect();
        let negated = meaning.clauses.iter().any(|clause| clause.negated) || meaning.withdrawn;
        let nothing = Interpretation { negated, ..Interpretation::default() };
        let Some(first) = clauses.first() else { return nothing };
        let open = utterance.asking || utterance.candidates.as_ref().is_some_and(|offered| !offered.is_empty());
        // Heard while Luna speaks, a thing that is only named stands in what is read, or in talk; a bare number without a question is one of talk.
        if clauses.iter().any(|clause| (clause.pointed && utterance.speaking) || (clause.counted && !open)) {
            return nothing;
        }
        if clauses.iter().any(|clause| clause.takes_back) && !utterance.speaking {
            return Interpretation { negated: true, ..Interpretation::default() };
        }
        // "close it stop", "저장 눌러 잠깐만": the order is taken back by what stops Luna; "저장하고 멈춰" are two orders.
        let halts = |clause: &Clause| {
            !clause.joined && matches!(clause.asked, Some(Asked::Reflex(Command::Stop | Command::Pause)))
        };
        if let [before @ .., last] = clauses.as_slice()
            && halts(last)
            && before.iter().any(|clause| matches!(clause.asked, Some(Asked::Order | Asked::Reading)))
        {
            let spoken = SpokenUtterance { heard, offered: &[], speaking: true, asking: false, plain: true };
            return if utterance.speaking {
                self.asked(last, &spoken)
            } else {
                Interpretation { negated: true, ..Interpretation::default() }
            };
        }
        let plain = !meaning.talk && meaning.clauses.iter().all(|clause| !clause.negated && clause.rejected.is_empty());
        let offered = utterance.candidates.as_deref().unwrap_or_default();
        let (speaking, asking) = (utterance.speaking, utterance.asking);
        let spoken = SpokenUtterance { heard, offered, speaking, asking, plain };
        let alike = |one: &&Clause| one.asked == first.asked && matches!(one.asked, Some(Asked::Reflex(_)));
        if clauses.iter().all(alike) {
            return self.asked(first, &spoken);
        }
        // "yeah go ahead" goes on with what was asked.
        if first.asked == Some(Asked::Answer)
            && clauses.iter().all(|clause| matches!(clause.asked, Some(Asked::Answer | Asked::Reflex(_))))
        {
            return self.asked(first, &spoken);
        }
        let orders: Vec<&Clause> =
            clauses.iter().copied().filter(|clause| clause.asked == Some(Asked::Order)).collect();
        match (clauses.as_slice(), orders.as_slice()) {
            ([one], _) => self.asked(one, &spoken),
            (all, orders) if all.len() == orders.len() => self.commanded(orders, &spoken),
            (all, [_, ..]) if all.iter().all(|clause| clause.asked != Some(Asked::Answer)) => {
                self.commanded(all, &spoken)
            }
            (all, []) if all.iter().all(|clause| matches!(clause.asked, Some(Asked::Reading))) => {
                self.asked(first, &spoken)
            }
            (all, _) => Interpretation {
                kind: UtteranceKind::Ambiguous,
                dangerous: self.orders_danger(all, spoken.heard, spoken.plain),
                ..Interpretation::default()
            },
        }
    }

    fn asked(&self, clause: &Clause, spoken: &SpokenUtterance<'_>) -> Interpretation {
        match clause.asked {
            Some(Asked::Reflex(command)) => {
                let intent = command.spec().reading_intent;
                let reflex = spoken.speaking || intent.is_none();
                let kind = if reflex { UtteranceKind::Reflex } else { UtteranceKind::Reading };
                let wish = if intent.is_some() { read(&clause.draft).wish } else { ParsedCommand::default() };
                Interpretation { kind, command: reflex.then_some(command), wish, ..Interpretation::default() }
            }
            Some(Asked::Reading) => {
                if let Some(setting) = self.as_setting(clause, spoken.offered) {
                    return self.commanded(&[&setting], spoken);
                }
                let draft = read(&clause.draft);
                let wish = &draft.wish;
                let more = wish.line_offset.is_some()
                    || wish.target_text.is_some()
                    || wish.ordinal.is_some()
                    || wish.zone.is_some()
                    || wish.mode.is_some() && wish.lang_tgt.is_some();
                let command = Command::ALL.into_iter().find(|command| {
                    command.spec().spoken.is_some()
                        && command.spec().reading_intent == wish.intent
                        && wish.intent != Some(Intent::Read)
                });
                if let Some(command) = command.filter(|_| spoken.speaking && !more) {
                    return Interpretation {
                        kind: UtteranceKind::Reflex,
                        command: Some(command),
                        wish: draft.wish,
                        ..Interpretation::default()
                    };
                }
                let more = true;
                let kind = if spoken.speaking && more { UtteranceKind::Ambiguous } else { UtteranceKind::Reading };
                let ranked = self.ranker.rank(&draft, spoken.offered);
                Interpretation {
                    kind,
                    wish: draft.wish,
                    target_id: ranked.target,
                    ranking: ranked.ranking,
                    ..Interpretation::default()
                }
            }
            Some(Asked::Answer) if clause.named => {
                let draft = Draft {
                    wish: ParsedCommand { action: Some(Action::Invoke), ..clause.draft.wish.clone() },
                    ..Draft::default()
                };
                let target = Some(spoken.offered)
                    .filter(|offered| !offered.is_empty())
                    .and_then(|offered| self.ranker.rank(&draft, offered).target);
                let Some(target) = target else { return Interpretation::default() };
                let dangerous = self.target_shows_danger(&target, spoken.offered, DangerWords::All);
                Interpretation {
                    kind: UtteranceKind::Answer,
                    wish: clause.draft.wish.clone(),
                    dangerous,
                    target_id: Some(target),
                    ..Interpretation::default()
                }
            }
            Some(Asked::Answer) => self.answered(clause.draft.wish.clone(), spoken),
            Some(Asked::Order) => self.commanded(&[clause], spoken),
            None => Interpretation::default(),
        }
    }

    fn answered(&self, wish: ParsedCommand, spoken: &SpokenUtterance<'_>) -> Interpretation {
        let (heard, offered) = (spoken.heard, spoken.offered);
        let choices: Vec<&CandidateInput> = offered.iter().filter(|one| !one.only_labels()).collect();
        let mut understood = Interpretation { kind: UtteranceKind::Answer, ..Interpretation::default() };
        if let Some(n) = wish.ordinal {
            let index = if n > 0 {
                usize::try_from(n - 1).ok()
            } else {
                usize::try_from(-n).ok().and_then(|n| choices.len().checked_sub(n))
            };
            if let Some(one) = index.and_then(|index| choices.get(index)) {
                understood.target_id = Some(one.id.clone());
            }
        } else if let Some(one) = wish.zone.filter(|_| spoken.asking).and_then(|zone| outermost(zone, &choices)) {
            // "아래 거": of the options, wherever they are on the screen.
            understood.target_id = Some(one.id.clone());
        } else if wish.zone.is_some() {
            let draft =
                Draft { wish: ParsedCommand { action: Some(Action::Invoke), ..wish.clone() }, ..Draft::default() };
            understood.target_id = self.ranker.rank(&draft, offered).target;
        } else {
            let word = wish.value.as_deref().map(compact).unwrap_or_default();
            let exactly = |text: &[char]| self.ranker.exactly(text, offered);
            understood.target_id = exactly(&heard.cells).or_else(|| exactly(&word));
        }
        if let Some(target) = &understood.target_id {
            understood.dangerous = self.target_shows_danger(target, offered, DangerWords::All);
        }
        understood.wish = wish;
        understood
    }

    fn commanded(&self, steps: &[&Clause], spoken: &SpokenUtterance<'_>) -> Interpretation {
        let offered = spoken.offered;
        let shown: Vec<Option<Clause>> = steps.iter().map(|step| self.as_shown(step, offered)).collect();
        let steps: Vec<&Clause> =
            steps.iter().zip(&shown).map(|(step, shown)| shown.as_ref().unwrap_or(step)).collect();
        let Some(first) = steps.first() else { return Interpretation::default() };
        let ranked = self.aimed(&first.draft, offered);
        let several = !ranked.several.is_empty();
        let unsure = steps.iter().any(|step| step.draft.unsure && ranked.target.is_none()) || several;
        let words = words_for(&first.draft.wish);
        let dangerous = self.orders_danger(&steps, spoken.heard, spoken.plain)
            || ranked.target.as_ref().is_some_and(|target| self.target_shows_danger(target, offered, words));
        let wish = |step: &&Clause| match step.asked {
            Some(Asked::Reflex(command)) if command.spec().reading_intent.is_none() => {
                ParsedCommand { order: Some(command.name().to_owned()), ..ParsedCommand::default() }
            }
            Some(Asked::Reading | Asked::Reflex(_)) => read(&step.draft).wish,
            _ => step.draft.step(),
        };
        // What is on the screen is pressed; the later steps are resolved on the screen as it is then (EXE-5).
        let on_screen = ranked.target.is_some() || several;
        let now = if on_screen { wish(first) } else { opened(&wish(first)) };
        let steps = match steps.as_slice() {
            [_, later @ ..] if !later.is_empty() => {
                std::iter::once(now.clone()).chain(later.iter().map(|step| opened(&wish(step)))).collect()
            }
            _ => Vec::new(),
        };
        // "도움말": Luna itself does it, also while it speaks.
        let command = now.order.as_deref().filter(|_| steps.is_empty()).and_then(Command::of_order);
        if command.is_some() && spoken.speaking {
            return Interpretation { kind: UtteranceKind::Reflex, command, ..Interpretation::default() };
        }
        Interpretation {
            kind: if unsure { UtteranceKind::Ambiguous } else { UtteranceKind::Command },
            command,
            wish: now,
            steps,
            dangerous,
            target_id: ranked.target,
            several: ranked.several,
            ranking: ranked.ranking,
            ..Interpretation::default()
        }
    }

    /// Which candidate a step means that was understood before.
    pub(super) fn resolved(&self, step: &ParsedCommand, offered: &[CandidateInput]) -> TargetMatch {
        let mut draft = Draft::of(step);
        // What is opened is looked for on the screen first, as in an utterance.
        let wish = &mut draft.wish;
        let opens = wish.action == Some(Action::Desktop) && wish.order.as_deref() == Some("open");
        if opens && wish.argument.is_some() && wish.target_text.is_none() {
            (wish.action, wish.target_text) = (Some(Action::Invoke), wish.argument.take());
        }
        let reads = wish.action.is_none() && wish.intent.is_none();
        let ranked = if reads { Ranked::default() } else { self.aimed(&draft, offered) };
        let clears = is_cleared(&draft.wish, &ranked, offered);
        let words = if clears { DangerWords::Listed } else { words_for(&draft.wish) };
        let shows_danger =
            ranked.target.as_ref().is_some_and(|target| self.target_shows_danger(target, offered, words));
        TargetMatch {
            dangerous: self.says_danger(&draft, words) || shows_danger,
            target: ranked.target,
            several: ranked.several,
            ranking: ranked.ranking,
        }
    }

    /// The target of a command. A usual order has none.
    pub(super) fn aimed(&self, draft: &Draft, offered: &[CandidateInput]) -> Ranked {
        if draft.wish.action == Some(Action::Desktop) {
            return Ranked::default();
        }
        if let Some(field) = self.field_of(draft, offered) {
            return field;
        }
        // "연결 끊어 줘": the verb is a part of what the button is called.
        if let (Some(verb), Some(text)) = (&draft.verb, &draft.wish.target_text)
            && text != verb
        {
            let mut named = draft.clone();
            named.wish.target_text = Some(format!("{text} {verb}"));
            named.also = vec![verb.clone()];
            let ranked = self.ranker.rank(&named, offered);
            if ranked.target.is_some() || !ranked.several.is_empty() {
                return ranked;
            }
        }
        if let Some(counted) = self.ranker.counted(draft, offered) {
            return counted;
        }
        let ranked = self.ranker.rank(draft, offered);
        if ranked.target.is_some() {
            return ranked;
        }
        let mentioned = Some(()).filter(|()| ranked.several.is_empty());
        if let Some(mentioned) = mentioned.and_then(|()| self.ranker.mentioned_items(draft, offered)) {
            return mentioned;
        }
        if draft.wish.relation != Some(Relation::Inside) {
            return ranked;
        }
        // "press unmute on the call": a place that nothing on the screen is called says nothing.
        let mut anywhere = draft.clone();
        let anchor = anywhere.wish.anchor.take();
        anywhere.wish.relation = None;
        if anywhere.wish.target_text.is_none() {
            // "the last one in the list" is one of its items, whatever else there is.
            anywhere.wish.role = match anchor.as_deref().and_then(role) {
                _ if !ranked.several.is_empty() => return ranked,
                _ if anchor.as_deref().is_some_and(is_whole) => anywhere.wish.role,
                Some(Role::List) => anywhere.wish.role.or(Some(Role::ListItem)),
                Some(Role::MenuItem) => anywhere.wish.role.or(Some(Role::MenuItem)),
                _ => return ranked,
            };
            anywhere.wish.outermost = anywhere.wish.zone.is_some();
        }
        let found = self.ranker.rank(&anywhere, offered);
        // "the mail from Gwen" is no button that only has that word.
        let is_part = found.target.is_some() && found.fit < WHOLE_NAME;
        if is_part { ranked } else { found }
    }

    /// Exactly the label of one candidate that can be acted on and nothing else: an answer, also if the label is a verb.
    pub(super) fn labelled(&self, heard: &NormalisedUtterance, offered: &[CandidateInput]) -> Option<Interpretation> {
        if offered.is_empty() {
            return None;
        }
        // "the savings account" is the label "Savings account".
        let cells = heard.cells.strip_prefix(&['t', 'h', 'e']).filter(|_| heard.gap(3) && heard.len() > 3);
        let bare = || cells.and_then(|cells| self.ranker.exactly(cells, offered));
        let target = self.ranker.exactly(&heard.cells, offered).or_else(bare)?;
        let text = heard.said(0, heard.len());
        let dangerous = self.target_shows_danger(&target, offered, DangerWords::All);
        let wish = ParsedCommand { target_text: Some(text), ..ParsedCommand::default() };
        Some(Interpretation {
            kind: UtteranceKind::Answer,
            dangerous,
            wish,
            target_id: Some(target),
            score: 1.0,
            margin: 1.0,
            ..Interpretation::default()
        })
    }
}

/// "크롬 열어": a program or file to be opened (DSL-6), unless it is said what it is on the screen, or where.
fn opened(wish: &ParsedCommand) -> ParsedCommand {
    let opens = wish.action == Some(Action::Invoke) && wish.order.as_deref() == Some("open");
    let placed = wish.ordinal.is_some() || wish.zone.is_some() || wish.relation.is_some() || wish.role.is_some();
    if !opens || placed || wish.target_text.is_none() {
        return wish.clone();
    }
    ParsedCommand {
        action: Some(Action::Desktop),
        order: wish.order.clone(),
        argument: wish.target_text.clone(),
        ..ParsedCommand::default()
    }
}

/// The choice that lies farthest on a side, if one does; without their places the first is at the top and the last at the bottom, as they were told.
fn outermost<'a>(zone: Zone, choices: &[&'a CandidateInput]) -> Option<&'a CandidateInput> {
    const APART: f64 = 4.0;
    let Some(places) = choices.iter().map(|one| Some(one.bbox?.row())).collect::<Option<Vec<_>>>() else {
        return match zone {
            Zone::Top => choices.first().copied(),
            Zone::Bottom => choices.last().copied(),
            _ => None,
        };
    };
    let mut far: Vec<(f64, &CandidateInput)> =
        places.into_iter().zip(choices).filter_map(|(place, one)| Some((reach(zone, place)?, *one))).collect();
    far.sort_by(|a, b| b.0.total_cmp(&a.0));
    match far.as_slice() {
        [only] => Some(only.1),
        [first, second, ..] if first.0 - second.0 >= APART => Some(first.1),
        _ => None,
    }
}

/// A request to read with its intent.
fn read(draft: &Draft) -> Draft {
    let mut draft = draft.clone();
    let wish = &mut draft.wish;
    wish.action = None;
    if wish.intent.is_none() {
        let translates = wish.lang_tgt.is_some() && wish.line_offset.is_none();
        wish.intent = Some(if translates { Intent::Translate } else { Intent::Read });
    }
    draft
}
