//! Measures of what is heard (MET-1, MET-4): how much, what became of it and how soon; no words (PRV-2).

use std::collections::VecDeque;
use std::time::Duration;

use luna_actor_runtime::metric_names::{HEARD, HEARD_DECISION, heard_outcome};
use luna_messages::bus::BusEvent;
use luna_messages::engine::STT_SAMPLE_RATE;
use luna_messages::listening::{HeardOutcome, SamplePosition, VoiceEvent};

/// Undecided voices that are kept; as many as the machine of turns keeps.
const MOST_VOICES: usize = 4;
/// A voice that was not decided this long after its end never will be: the microphone was lost, or it belongs to a longer voice.
const FORGOTTEN: Duration = Duration::from_secs(60);

/// A voice that began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct MeasuredVoice {
    began: Duration,
    /// When it ended; `None` while it lasts.
    ended: Option<Duration>,
}

/// Follows voices from their end to what was decided about them. All times are since the same beginning.
#[derive(Debug, Default)]
pub struct VoiceMeasures {
    /// Undecided voices, the oldest first: they are decided in this order.
    voices: VecDeque<MeasuredVoice>,
}

impl VoiceMeasures {
    /// Follows the signal, before it is acted on. `heard`: where the sound ended that was taken when it showed the event.
    pub fn signal(&mut self, event: VoiceEvent, heard: SamplePosition, now: Duration) {
        if let VoiceEvent::End { to, .. } = event
            && let Some(voice) = self.voices.iter_mut().rfind(|voice| voice.ended.is_none())
        {
            let micros = heard.saturating_sub(to) * 1_000_000 / u64::from(STT_SAMPLE_RATE);
            voice.ended = Some(now.saturating_sub(Duration::from_micros(micros)).max(voice.began));
        }
    }

    /// Records what is published: the beginning of a voice, and what became of one.
    pub fn publish(&mut self, event: &BusEvent, now: Duration) {
        if matches!(event, BusEvent::SttOnset {}) {
            self.begin(now);
        }
        if let BusEvent::SttUnderstood { outcome, .. } = event {
            metrics::counter!(HEARD, "outcome" => heard_outcome::of(*outcome)).increment(1);
            if let Some(took) = self.decide(*outcome, now) {
                metrics::histogram!(HEARD_DECISION).record(took.as_secs_f64());
            }
        }
    }

    fn begin(&mut self, now: Duration) {
        // A voice that never ended, because its end was lost.
        for voice in &mut self.voices {
            voice.ended.get_or_insert(now);
        }
        self.forget(now);
        if self.voices.len() == MOST_VOICES {
            self.voices.pop_front();
        }
        self.voices.push_back(MeasuredVoice { began: now, ended: None });
    }

    /// How long after the end of the oldest undecided voice it was decided; `None` if a model still decides, or there is none: the words came as text.
    fn decide(&mut self, outcome: HeardOutcome, now: Duration) -> Option<Duration> {
        self.forget(now);
        if outcome == HeardOutcome::AskedModel {
            return None;
        }
        let voice = self.voices.pop_front()?;
        Some(voice.ended.map_or(Duration::ZERO, |ended| now.saturating_sub(ended)))
    }

    fn forget(&mut self, now: Duration) {
        self.voices.retain(|voice| voice.ended.is_none_or(|ended| now.saturating_sub(ended) < FORGOTTEN));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// Runs steps, each with its time in milliseconds: "onset", "end" (noticed 130 ms after the voice), "model", "obeyed"; what the last one records.
    #[track_caller]
    fn check(steps: &[(u64, &str)], expect: Option<u64>) {
        let mut measures = VoiceMeasures::default();
        let mut last = None;
        for (at, step) in steps {
            last = match *step {
                "onset" => {
                    measures.begin(ms(*at));
                    None
                }
                "end" => {
                    let heard = at * 16;
                    measures.signal(VoiceEvent::End { from: 0, to: heard - 130 * 16, own: 0.0 }, heard, ms(*at));
                    None
                }
                "model" => measures.decide(HeardOutcome::AskedModel, ms(*at)),
                "obeyed" => measures.decide(HeardOutcome::Obeyed, ms(*at)),
                other => panic!("{other}"),
            };
        }
        assert_eq!(last, expect.map(ms), "{steps:?}");
    }

    // MET-4
    #[test]
    fn a_voice_is_measured_from_its_end_to_what_was_decided_met_4() {
        check(&[(1000, "onset"), (2130, "end"), (2500, "obeyed")], Some(500));
        // Decided while it lasts, as a command over Luna's voice is.
        check(&[(1000, "onset"), (1600, "obeyed")], Some(0));
        check(&[(1000, "onset"), (1600, "obeyed"), (2130, "end"), (9000, "onset"), (9500, "obeyed")], Some(0));
        // A model's decision counts, not that it was asked.
        check(&[(1000, "onset"), (2130, "end"), (2500, "model")], None);
        check(&[(1000, "onset"), (2130, "end"), (2500, "model"), (4000, "obeyed")], Some(2000));
        // The next voice may begin before the last one is decided.
        check(&[(1000, "onset"), (2130, "end"), (2400, "onset"), (3000, "obeyed")], Some(1000));
        check(&[(1000, "onset"), (2130, "end"), (2400, "onset"), (3000, "obeyed"), (3100, "obeyed")], Some(0));
        // Words that came as text, and a voice that nobody decided.
        check(&[(1000, "obeyed")], None);
        check(&[(1000, "onset"), (2130, "end"), (90_000, "obeyed")], None);
        check(&[(1000, "onset"), (2000, "onset"), (2500, "obeyed")], Some(500));
    }

    // MET-2
    #[test]
    fn the_label_of_an_outcome_is_its_name_in_events_met_2() {
        for outcome in [
            HeardOutcome::Obeyed,
            HeardOutcome::AskedModel,
            HeardOutcome::Called,
            HeardOutcome::NotUnderstood,
            HeardOutcome::NotAddressed,
            HeardOutcome::OwnVoice,
            HeardOutcome::NoWords,
            HeardOutcome::Repeated,
            HeardOutcome::NotTranscribed,
            HeardOutcome::AtTheBorder,
        ] {
            let name = serde_json::to_value(outcome).unwrap();
            assert_eq!(name.as_str(), Some(heard_outcome::of(outcome)));
        }
    }
}
