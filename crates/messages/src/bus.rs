//! Events for programs outside Luna, under the names of FOC-3: `luna ctl events`, the dashboard and later the overlay.
//! Serialised as `{"name": "Focus.Pick.result", "data": {…}}`. They carry screen content, so reading them needs a token (PRV-4).

use serde::{Deserialize, Serialize};

use crate::capability::{Capability, CapabilityState};
use crate::control::Command;
use crate::executor::OrderReport;
use crate::listening::{HeardOutcome, ListeningMode};
use crate::pick::PickMethod;
use crate::reading::{Intent, Style};
use crate::tts::SpeechEvent;
use crate::understanding::UtteranceKind;
use crate::{ElementId, Fidelity, Lang, Point, Rect};

/// An event that programs outside Luna can receive.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "name", content = "data")]
#[allow(missing_docs, reason = "names and fields are the contract of FOC-3")]
pub enum BusEvent {
    #[serde(rename = "FocusMode.toggle")]
    FocusModeToggle { on: bool },
    #[serde(rename = "Focus.State")]
    FocusState { state: String },
    #[serde(rename = "Focus.Pick.request")]
    PickRequest { cursor: Point },
    #[serde(rename = "Focus.Pick.result")]
    PickResult { method: PickMethod, bbox: Rect, text: String, lang: Lang, is_table: bool },
    #[serde(rename = "Focus.Pick.failed")]
    PickFailed { reason: String },
    /// What was said about reading, with the text that it is about; `text` is empty if nothing is read yet.
    #[serde(rename = "Focus.Intent.request")]
    IntentRequest { utterance: String, text: String, lang: Lang },
    #[serde(rename = "Focus.Intent.result")]
    IntentResult {
        intent: Intent,
        #[serde(skip_serializing_if = "Option::is_none")]
        mode: Option<Fidelity>,
        #[serde(skip_serializing_if = "Option::is_none")]
        lang_tgt: Option<Lang>,
    },
    #[serde(rename = "Focus.Read.request")]
    ReadRequest { text: String, style: Style, rate: f32 },
    #[serde(rename = "Overlay.Highlight")]
    Highlight { bbox: Option<Rect>, pinned: bool },
    #[serde(rename = "TTS.Start")]
    TtsStart { idx: usize, text: String, lang: Lang, notice: bool },
    #[serde(rename = "TTS.Progress")]
    TtsProgress { idx: usize, of: usize },
    #[serde(rename = "TTS.Stop")]
    TtsStop { idx: usize, finished: bool },
    #[serde(rename = "TTS.Rate")]
    TtsRate { rate: f32 },
    #[serde(rename = "STT.Mode.set")]
    SttMode { mode: ListeningMode },
    /// Somebody begins to speak.
    #[serde(rename = "STT.onset")]
    SttOnset {},
    #[serde(rename = "STT.partial")]
    SttPartial { text: String },
    #[serde(rename = "STT.final")]
    SttFinal { text: String, lang: Lang },
    /// What the words mean and what Luna does about them.
    #[serde(rename = "STT.understood")]
    SttUnderstood {
        kind: UtteranceKind,
        #[serde(skip_serializing_if = "Option::is_none")]
        command: Option<Command>,
        outcome: HeardOutcome,
        why: String,
    },
    /// Luna speaks more quietly, because somebody speaks.
    #[serde(rename = "BargeIn.Ducked")]
    Ducked {},
    /// A spoken command ended what Luna said.
    #[serde(rename = "BargeIn.Cut")]
    Cut {},
    /// What was heard was nothing for Luna: it goes on.
    #[serde(rename = "BargeIn.Resumed")]
    DuckEnded {
        /// Whether it goes on from the word at which it became quiet; else the volume alone comes back.
        from_word: bool,
    },
    #[serde(rename = "BargeIn.Command")]
    BargeIn {
        #[serde(rename = "type")]
        command: Command,
    },
    /// Luna asks about an order: which one is meant, or whether it may be done. The options are elements in the order of their
    /// numbers.
    #[serde(rename = "Executor.Question")]
    ExecutorQuestion { text: String, options: Vec<ElementId> },
    /// The question is answered, or no longer asked.
    #[serde(rename = "Executor.QuestionClosed")]
    ExecutorQuestionClosed {},
    /// What came of an order so far.
    #[serde(rename = "Executor.Report")]
    ExecutorReport { report: OrderReport },
    #[serde(rename = "Capability.changed")]
    CapabilityChanged { capability: Capability, state: CapabilityState },
    #[serde(rename = "Actor.restarted")]
    ActorRestarted { actor: String, reason: String },
}

impl BusEvent {
    /// What programs outside Luna learn of an event of speech (FOC-3).
    #[must_use]
    pub fn of_speech(event: &SpeechEvent) -> Vec<Self> {
        match *event {
            SpeechEvent::Sentence { idx, of, ref text, lang, notice, .. } => {
                vec![Self::TtsStart { idx, text: text.clone(), lang, notice }, Self::TtsProgress { idx, of }]
            }
            SpeechEvent::Finished { .. } => vec![Self::TtsStop { idx: 0, finished: true }],
            SpeechEvent::Stopped { idx, .. } => vec![Self::TtsStop { idx, finished: false }],
            SpeechEvent::Rate { thousandths } => {
                #[expect(clippy::cast_precision_loss, reason = "at most some thousand")]
                let rate = thousandths as f32 / 1000.0;
                vec![Self::TtsRate { rate }]
            }
            SpeechEvent::Paused { .. } | SpeechEvent::Resumed { .. } => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RequestId;

    // FOC-3, TTS-2
    #[test]
    fn the_outside_is_told_what_is_spoken_foc_3_tts_2() {
        let id = RequestId(1);
        let (text, lang) = ("둘이다.".to_owned(), Lang::Ko);
        let start = BusEvent::TtsStart { idx: 1, text: text.clone(), lang, notice: true };
        for (event, told) in [
            (
                SpeechEvent::Sentence { id, idx: 1, of: 3, text, lang, notice: true },
                vec![start, BusEvent::TtsProgress { idx: 1, of: 3 }],
            ),
            (SpeechEvent::Finished { id }, vec![BusEvent::TtsStop { idx: 0, finished: true }]),
            (SpeechEvent::Stopped { id, idx: 2 }, vec![BusEvent::TtsStop { idx: 2, finished: false }]),
            (SpeechEvent::Rate { thousandths: 1150 }, vec![BusEvent::TtsRate { rate: 1.15 }]),
            (SpeechEvent::Paused { id }, Vec::new()),
            (SpeechEvent::Resumed { id }, Vec::new()),
        ] {
            assert_eq!(BusEvent::of_speech(&event), told);
        }
    }
}
