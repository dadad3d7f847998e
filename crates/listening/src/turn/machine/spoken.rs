//! How words were said, and the orders that they are (DNG-2).

use luna_messages::RequestId;
use luna_messages::executor::{OrderSource, SpokenOrder};
use luna_messages::understanding::WakeCall;

use super::TurnMachine;
use crate::turn::settings::{Addressing, TurnSettings};
use crate::turn::verdict::{HearingSituation, as_called};

/// Share of a voice's sound that Luna's own playback explains, from which it may not confirm anything: it may have come from a loudspeaker. After Luna's
/// last word next to nothing is explained by it.
const OWN_IN_PART: f32 = 0.3;

/// How words were said.
pub(super) struct HeardUtterance {
    source: OrderSource,
    situation: HearingSituation,
    call: WakeCall,
    /// Whether Luna spoke when they began.
    pub interrupts: bool,
    /// Whether they may come from Luna's own loudspeaker.
    overlaps_playback: bool,
}

impl HeardUtterance {
    /// Words that came as text. A program says them, so they can't confirm anything.
    pub const fn of_program(situation: HearingSituation, call: WakeCall) -> Self {
        let interrupts = situation.speaking;
        Self { source: OrderSource::Program, situation, call, interrupts, overlaps_playback: false }
    }

    /// The order that they are, or the answer.
    pub fn order(&self, text: &str, settings: &TurnSettings) -> SpokenOrder {
        let held = settings.addressing == Addressing::Hold && self.situation.expected;
        SpokenOrder {
            id: RequestId::next(),
            utterance: as_called(text, self.situation, settings, self.call),
            source: self.source,
            called: self.call.is_called() || held && self.source == OrderSource::Voice,
            overlaps_playback: self.overlaps_playback,
        }
    }

    /// What a model took for an order. It answers nothing, whoever said it.
    pub const fn decided(id: RequestId, utterance: String) -> SpokenOrder {
        SpokenOrder { id, utterance, source: OrderSource::Program, called: false, overlaps_playback: false }
    }
}

impl TurnMachine {
    /// How the words of a voice were said.
    pub(super) fn spoken(&self, at: usize, situation: HearingSituation, call: WakeCall) -> HeardUtterance {
        let voice = &self.voices[at];
        let overlaps_playback = voice.interrupts || voice.own >= OWN_IN_PART;
        HeardUtterance { source: OrderSource::Voice, situation, call, interrupts: voice.interrupts, overlaps_playback }
    }
}
