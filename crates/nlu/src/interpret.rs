//! From the ways through the grammar to one interpretation with its score and margin (NLU-6).

use luna_messages::control::Command;
use luna_messages::reading::Intent;
use luna_messages::understanding::{CandidateInput, Interpretation, ParsedCommand, Relation, UtteranceInput, UtteranceKind};

use super::Understanding;
use super::draft::Draft;
use super::meaning::{Asked, Clause, Meaning, Reader};
use super::normalised::{NormalisedUtterance, compact};
use super::search::{Search, Sources};

impl Understanding {
    pub(super) fn decide(&self, heard: &NormalisedUtterance, utterance: &UtteranceInput) -> Interpretation {
        let offered = utterance.candidates.as_deref().unwrap_or_default();
        let labels = Self::labels(utterance);
        let open = utterance.asking || !offered.is_empty();
        let (mut found, mut called) = (Vec::new(), false);
        let mut search = Search::new(Sources {
            network: &self.network,
            lexicon: &self.lexicon,
            numbers: &self.numbers,
            heard,
            labels: &labels,
            usual: &self.usual,
            open,
        });
        for slips in [false, true] {
            let cheapest = found.iter().map(|found: &(u32, Interpretation, Vec<(usize, usize)>)| found.0).min();
            if slips && (heard.len() > 48 || cheapest.is_some_and(|cost| cost < 48)) {
                break;
            }
            let reader = Reader { network: &self.network, lexicon: &self.lexicon, heard };
            for way in if slips { search.slipped() } else { search.exact() } {
                let meaning = reader.meaning(&way);
                called |= meaning.called;
                if meaning.impossible {
                    continue;
                }
                let interpreted = self.interpreted(&meaning, heard, utterance, offered);
                if std::env::var_os("LUNA_NLU_TRACE").is_some() {
                    let steps: Vec<String> = way.steps.iter().map(|step| format!("{}:{}", self.network.names.get(usize::from(step.name)).map_or("", String::as_str), heard.said(step.from, step.to))).collect();
                    eprintln!("{} {} {:?}", way.cost, steps.join(" | "), interpreted.kind);
                }
                if interpreted.kind != UtteranceKind::None || interpreted.negated {
                    let price = if !utterance.speaking && interpreted.command == Some(Command::Bigger) { 8 } else { 0 };
                    if slips && !meaning.talk.is_empty() {
                        continue;
                    }
                    found.push((way.cost + price + if meaning.aside { 40 } else { 0 }, interpreted, meaning.talk));
                }
            }
        }
        found.sort_by_key(|found| found.0);
        let labelled = self.labelled(heard, offered);
        let Some((cost, mut best, talk)) = found.first().cloned() else { return labelled.unwrap_or_default() };
        if let Some(labelled) = labelled.filter(|_| cost > 8 || best.target_id.is_none()) {
            return labelled;
        }
        let odds = self.odds(heard, &talk);
        best.score = score(cost, odds);
        let rival = found.iter().skip(1).find(|(_, other, _)| !same(&best, other));
        if std::env::var_os("LUNA_NLU_ODDS").is_some() { best.why = format!("{cost} {odds}"); }
        best.margin = best.score - rival.map_or(0.0, |rival| score(rival.0, odds));
        let addressed = found.first().is_some_and(|_| called) || (utterance.asking && best.kind == UtteranceKind::Answer) || best.target_id.is_some();
        let least = if best.negated { threshold::NEGATED } else if addressed { threshold::ADDRESSED } else { threshold::SURE };
        if best.score < least {
            return Interpretation { score: best.score, margin: best.margin, why: best.why, ..Interpretation::default() };
        }
        best
    }

    fn interpreted(
        &self,
        meaning: &Meaning,
        heard: &NormalisedUtterance,
        utterance: &UtteranceInput,
        offered: &[CandidateInput],
    ) -> Interpretation {
        let clauses: Vec<&Clause> = meaning.clauses.iter().filter(|clause| !clause.negated).collect();
        let negated = meaning.clauses.iter().any(|clause| clause.negated) || meaning.withdrawn;
        let nothing = Interpretation { negated, ..Interpretation::default() };
        let Some(first) = clauses.first() else { return nothing };
        let alike = |one: &&Clause| one.asked == first.asked && matches!(one.asked, Some(Asked::Reflex(_)));
        if clauses.iter().all(alike) {
            return self.asked(first, heard, utterance, offered);
        }
        if clauses.iter().all(|clause| clause.asked == Some(Asked::Answer)) {
            return self.asked(first, heard, utterance, offered);
        }
        let orders: Vec<&Clause> = clauses.iter().copied().filter(|clause| clause.asked == Some(Asked::Order)).collect();
        match (clauses.as_slice(), orders.as_slice()) {
            ([one], _) => self.asked(one, heard, utterance, offered),
            (all, orders) if all.len() == orders.len() => self.commanded(orders, heard, offered),
            (all, [_, ..]) => self.commanded(all, heard, offered),
            (all, []) if all.iter().all(|clause| matches!(clause.asked, Some(Asked::Reading { .. }))) => {
                self.asked(first, heard, utterance, offered)
            }
            _ => Interpretation { kind: UtteranceKind::Ambiguous, ..Interpretation::default() },
        }
    }

    fn asked(
        &self,
        clause: &Clause,
        heard: &NormalisedUtterance,
        utterance: &UtteranceInput,
        offered: &[CandidateInput],
    ) -> Interpretation {
        match clause.asked {
            Some(Asked::Reflex(command)) => {
                let intent = command.spec().reading_intent;
                let reflex = utterance.speaking || intent.is_none();
                let kind = if reflex { UtteranceKind::Reflex } else { UtteranceKind::Reading };
                let wish = if intent.is_some() { clause.draft.wish.clone() } else { ParsedCommand::default() };
                Interpretation { kind, command: reflex.then_some(command), wish, ..Interpretation::default() }
            }
            Some(Asked::Reading { .. }) => {
                let mut draft = clause.draft.clone();
                draft.wish.action = None;
                let named = draft.wish.lang_tgt.is_some() && draft.wish.intent.is_none_or(|intent| intent == Intent::Read);
                if draft.wish.intent.is_none() {
                    draft.wish.intent = Some(if named && draft.wish.line_offset.is_none() { Intent::Translate } else { Intent::Read });
                }
                let wish = &draft.wish;
                let more = wish.line_offset.is_some() || wish.target_text.is_some() || wish.ordinal.is_some() || wish.zone.is_some() || wish.mode.is_some() && wish.lang_tgt.is_some();
                let command = Command::ALL.into_iter().find(|command| command.spec().is_spoken && command.spec().reading_intent == wish.intent && wish.intent != Some(Intent::Read));
                if let Some(command) = command.filter(|_| utterance.speaking && !more) {
                    return Interpretation { kind: UtteranceKind::Reflex, command: Some(command), wish: draft.wish, ..Interpretation::default() };
                }
                let more = true;
                let kind = if utterance.speaking && more { UtteranceKind::Ambiguous } else { UtteranceKind::Reading };
                let ranked = self.ranker.rank(&draft, offered);
                Interpretation { kind, wish: draft.wish, target_id: ranked.target, ranking: ranked.ranking, ..Interpretation::default() }
            }
            Some(Asked::Answer) => self.answered(clause.draft.wish.clone(), heard, offered),
            Some(Asked::Order) => self.commanded(&[clause], heard, offered),
            None => Interpretation::default(),
        }
    }

    fn answered(&self, wish: ParsedCommand, heard: &NormalisedUtterance, offered: &[CandidateInput]) -> Interpretation {
        let mut understood = Interpretation { kind: UtteranceKind::Answer, ..Interpretation::default() };
        if let Some(n) = wish.ordinal {
            let index = if n > 0 {
                usize::try_from(n - 1).ok()
            } else {
                usize::try_from(-n).ok().and_then(|n| offered.len().checked_sub(n))
            };
            if let Some(one) = index.and_then(|index| offered.get(index)) {
                understood.target_id = Some(one.id.clone());
                understood.dangerous = self.is_dangerous(one.text.as_deref().unwrap_or_default());
            }
        } else {
            let word = wish.value.as_deref().map(compact).unwrap_or_default();
            let exactly = |text: &[char]| self.ranker.exactly(text, offered);
            understood.target_id = exactly(&heard.cells).or_else(|| exactly(&word));
        }
        understood.wish = wish;
        understood
    }

    fn commanded(&self, steps: &[&Clause], heard: &NormalisedUtterance, offered: &[CandidateInput]) -> Interpretation {
        let Some(first) = steps.first() else { return Interpretation::default() };
        let wants_target = first.draft.wish.action != Some(luna_messages::dsl::Action::Desktop);
        let mut ranked = if wants_target { self.ranker.rank(&first.draft, offered) } else { Default::default() };
        // "press unmute on the call": a place that nothing on the screen is called says nothing.
        if wants_target && ranked.target.is_none() && first.draft.wish.relation == Some(Relation::Inside) && first.draft.wish.target_text.is_some() {
            let mut draft = first.draft.clone();
            (draft.wish.relation, draft.wish.anchor) = (None, None);
            ranked = self.ranker.rank(&draft, offered);
        }
        let unsure = steps.iter().any(|step| step.draft.unsure && ranked.target.is_none()) || ranked.several;
        let label = ranked
            .target
            .as_ref()
            .and_then(|id| offered.iter().find(|one| &one.id == id))
            .and_then(|one| one.text.as_deref());
        let dangerous = self.danger.is_in(heard) || label.is_some_and(|text| self.is_dangerous(text));
        Interpretation {
            kind: if unsure { UtteranceKind::Ambiguous } else { UtteranceKind::Command },
            wish: first.draft.wish.clone(),
            steps: if steps.len() > 1 { steps.iter().map(|step| step.draft.wish.clone()).collect() } else { Vec::new() },
            dangerous,
            target_id: ranked.target,
            ranking: ranked.ranking,
            ..Interpretation::default()
        }
    }

    /// Exactly the label of one candidate and nothing else: an answer, also if the label is a verb.
    fn labelled(&self, heard: &NormalisedUtterance, offered: &[CandidateInput]) -> Option<Interpretation> {
        if offered.is_empty() {
            return None;
        }
        let target = self.ranker.exactly(&heard.cells, offered)?;
        let text = heard.said(0, heard.len());
        let dangerous = offered.iter().find(|one| one.id == target).and_then(|one| one.text.as_deref()).is_some_and(|text| self.is_dangerous(text));
        let wish = ParsedCommand { target_text: Some(text), ..ParsedCommand::default() };
        Some(Interpretation { kind: UtteranceKind::Answer, dangerous, wish, target_id: Some(target), score: 1.0, margin: 1.0, ..Interpretation::default() })
    }
}

fn same(a: &Interpretation, b: &Interpretation) -> bool {
    a.kind == b.kind && a.command == b.command && a.wish == b.wish && a.steps == b.steps && a.target_id == b.target_id
}

/// How sure a way of this price is, from 0 to 1, if the classifier's odds that it is an order are these. The more of an utterance is free text, the surer
/// the classifier has to be.
fn score(cost: u32, odds: f64) -> f64 {
    let cost = f64::from(cost);
    let needed = NEEDED.windows(2).find_map(|pair| {
        let [(from, low), (to, high)] = *pair else { return None };
        (cost <= to).then(|| low + (high - low) * (cost - from) / (to - from))
    });
    let sure = odds - needed.unwrap_or(MOST_NEEDED + (cost - 300.0) / 60.0);
    1.0 / (1.0 + (-1.2 * sure).exp())
}

/// By price: the classifier's odds at which one in a thousand sentences of plain talk passes. Fitted on such sentences.
const NEEDED: [(f64, f64); 6] = [(0.0, -2.2), (30.0, -1.0), (60.0, -0.4), (100.0, 0.2), (200.0, 1.0), (300.0, MOST_NEEDED)];
const MOST_NEEDED: f64 = 2.0;

/// What must be reached to act (NLU-6).
mod threshold {
    /// Unaddressed.
    pub const SURE: f64 = 0.5;
    /// After the wake word, or if a question is open: it is meant for Luna.
    pub const ADDRESSED: f64 = 0.1;
    /// Nothing is done, and said so.
    pub const NEGATED: f64 = 0.05;
}

impl Understanding {
    /// The logarithm of the odds that it is an order, by the classifier.
    fn odds(&self, heard: &NormalisedUtterance, talk: &[(usize, usize)]) -> f64 {
        let Some(classifier) = &self.classifier else { return WITHOUT_CLASSIFIER };
        let odds = |text: &str| classifier.log_odds(text).map_or(WITHOUT_CLASSIFIER, |odds| f64::from(odds).clamp(-6.0, 6.0));
        let whole = odds(&heard.said(0, heard.len()));
        if talk.is_empty() {
            return whole;
        }
        // With a reason or a story: what is left without it has to be the surer an order.
        let parts: String = talk.iter().map(|(from, to)| (*from, *to)).fold((0, String::new()), |(at, mut text), (from, to)| {
            text.push_str(&heard.said(at, from));
            text.push(' ');
            (to, text)
        }).1;
        let last = talk.last().map_or(0, |span| span.1);
        let order = format!("{parts}{}", heard.said(last, heard.len()));
        whole.max(odds(order.trim()) - WITH_A_STORY)
    }
}

/// The odds if there is no classifier: the grammar alone has to be surer.
const WITHOUT_CLASSIFIER: f64 = -0.5;
/// How much less the odds of an order count that comes with a story.
const WITH_A_STORY: f64 = 1.5;
