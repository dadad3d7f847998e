//! The delivery properties of every message as a table: lane (KER-3), overflow (KER-4), retries, and survival while its actor is given up (KER-7).
//! A variant without a row does not compile.

use std::fmt::Debug;

use Retry::{Always, Never, Once};
use async_channel::bounded;

use super::Lane::{Llm, Ocr, Reflex, Tts, Uia};
use super::Overflow::{Coalesce, DropOldest, Refuse};
use super::{Lane, Message, Overflow};
use crate::Fidelity;
use crate::control::Command;
use crate::dsl::DslTask;
use crate::element::Element;
use crate::element_action::{ElementRefusal, ObservedChange};
use crate::engine::{EngineKind, GenerateJob, Prompt, Sampling, SoundExtent};
use crate::executor::{ExecutorMessage, OrderSource, PermissionRequest, RequestedAction, SpokenOrder};
use crate::focus::{FocusChange, FocusMessage, ReflexMessage};
use crate::gpu::{Claim, GpuMessage, Lease, MemoryPlace, ResidencyOrder};
use crate::language_tasks::{
    Decide, LanguageTaskMessage, PieceStatus, Summarize, Translate, TranslatedPiece, TranslationSource,
};
use crate::listening::{ListeningMessage, Questioner};
use crate::llm::{CountTokens, Generate, LlmMessage, LlmTask};
use crate::metrics::MetricsMessage;
use crate::ocr::OcrMessage;
use crate::pick::{PickRequest, Role, SearchedRegion};
use crate::reading::{Intent, ReadingWish};
use crate::stt::{Sound, SttMessage, Transcribe};
use crate::tools::{ToolRequest, ToolsMessage};
use crate::tts::{
    NoticeTiming, ReadAloud, ReadPart, ReadRequest, SpeechEvent, SpeechSettings, SpokenNotice, TtsMessage,
};
use crate::uia::{LinesRequest, RowsExtent, UiaMessage};
use crate::{ElementId, Lang, NoReply, Point, Rect, Reply, RequestId};

/// How often a message is retried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Retry {
    Never,
    Once,
    Always,
}

type Row = (Lane, &'static str, Overflow, Retry, bool);

/// Compares a message with its row, and its retried copy with `retried`, the expected debug text.
fn check<M: Message + Debug>(message: &M, expect: Row, retried: &str) {
    let copies = [1, 2, u32::MAX].map(|attempt| message.retry(attempt));
    for copy in copies.iter().flatten() {
        assert_eq!(format!("{copy:?}"), retried, "what is handled once more of {message:?}");
        assert_eq!((copy.lane(), copy.kind()), (expect.0, expect.1), "{message:?}");
    }
    let retry = match copies.map(|copy| copy.is_some()) {
        [false, false, false] => Never,
        [true, false, false] => Once,
        [true, true, true] => Always,
        other => panic!("{message:?} is retried at {other:?}"),
    };
    let found = (message.lane(), message.kind(), message.overflow(), retry, message.survives_restart());
    assert_eq!(found, expect, "{message:?}");
}

/// Rows of one enum: `pattern, message => lane, kind, overflow, retry, survives`. The patterns together must be exhaustive.
macro_rules! table {
    ($type:ident: $($pattern:pat, $message:expr => $lane:expr, $kind:expr, $overflow:expr, $retry:expr, $survives:expr;)+) => {{
        #[allow(unreachable_patterns, reason = "a variant may have several rows")]
        fn has_a_row(message: &$type) {
            match message { $($pattern => {})+ }
        }
        use $type::*;
        $({
            let message: $type = $message;
            has_a_row(&message);
            let retried = format!("{message:?}");
            check(&message, ($lane, $kind, $overflow, $retry, $survives), &retried);
        })+
    }};
}

const ID: RequestId = RequestId(7);
const LEASE: Lease = Lease(3);
const PICK: PickRequest = PickRequest { cursor: Point { x: 1, y: 2 }, enlarge: 1.5 };
const NOWHERE: Rect = Rect { x: 0, y: 0, width: 0, height: 0 };

fn searched() -> SearchedRegion {
    SearchedRegion {
        window: None,
        region: NOWHERE,
        chosen: NOWHERE,
        hidden: Vec::new(),
        shown: Vec::new(),
        covered: None,
    }
}

fn focused() -> FocusChange {
    let element = Element::new(ElementId(String::new()), Role::Button, "", NOWHERE);
    FocusChange { entered: Vec::new(), element }
}

fn wish() -> ReadingWish {
    ReadingWish { utterance: String::new(), intent: Intent::Read, mode: None, lang_tgt: None, line_offset: Some(2) }
}

fn reply<T>() -> Reply<T> {
    Reply::ignored()
}

#[test]
fn commands_ker_3_ker_4_ker_7() {
    for command in [Command::Stop, Command::FocusOff] {
        let retried = format!("{:?}", ReflexMessage::Command(command));
        let row = (Reflex, command.name(), DropOldest, Once, false);
        check(&ReflexMessage::Command(command), row, &retried);
        // A retry has no reply: the sender already got the error of the first attempt, and only commands that mute are retried.
        check(&ReflexMessage::Ask { command, reply: reply() }, row, &retried);
    }
    for command in [Command::FocusOn, Command::Pause, Command::SpellJamo, Command::PinToggle, Command::Escape] {
        let row = (Reflex, command.name(), Refuse, Never, false);
        check(&ReflexMessage::Command(command), row, "");
        check(&ReflexMessage::Ask { command, reply: reply() }, row, "");
    }
}

#[test]
#[rustfmt::skip]
fn what_focus_hears_ker_3_ker_4_ker_7() {
    let piece = TranslatedPiece {
        index: 0, gap: String::new(), source: String::new(), text: String::new(), status: PieceStatus::Kept, tokens: Vec::new(), larger: false,
    };
    let lost = NoReply::Crashed;
    table! { FocusMessage:
        Command { .. }, Command { id: ID, command: crate::control::Command::Stop }     => Reflex, "command", DropOldest, Once, false;
        Command { .. }, Command { id: ID, command: crate::control::Command::FocusOff } => Reflex, "command", DropOldest, Once, false;
        Command { .. }, Command { id: ID, command: crate::control::Command::Next }     => Reflex, "command", Refuse, Never, false;
        Wish { .. }, Wish { id: ID, wish: wish() }             => Reflex, "wish", Refuse, Never, false;
        Speech(_), Speech(SpeechEvent::Finished { id: ID })    => Tts, "speech", Refuse, Never, false;
        Pointer { .. }, Pointer { id: ID, at: None }           => Uia, "pointer", Refuse, Never, false;
        CursorMoved(_), CursorMoved(PICK.cursor)               => Uia, "cursor_moved", Coalesce, Never, false;
        KeyboardFocus { .. }, KeyboardFocus { id: ID, change: focused() } => Uia, "keyboard_focus", Coalesce, Never, false;
        Focused { .. }, Focused { id: ID, change: None }       => Uia, "focused", Refuse, Never, false;
        Tree { .. }, Tree { id: ID, answer: Err(lost) }        => Uia, "tree", Refuse, Never, false;
        Rows { .. }, Rows { id: ID, answer: Err(lost) }        => Uia, "rows", Refuse, Never, false;
        Timer { .. }, Timer { generation: 1 }                  => Uia, "timer", Refuse, Never, false;
        Recognised { .. }, Recognised { id: ID, answer: Err(lost) } => Ocr, "recognised", Refuse, Never, false;
        Lines { .. }, Lines { id: ID, answer: Err(lost) }      => Ocr, "lines", Refuse, Never, false;
        Translated { .. }, Translated { id: ID, piece: piece.clone() } => Llm, "translated", Refuse, Never, false;
        TranslationEnded { .. }, TranslationEnded { id: ID, answer: Err(lost) } => Llm, "translation_ended", Refuse, Never, false;
        Summarized { .. }, Summarized { id: ID, answer: Err(lost) } => Llm, "summarized", Refuse, Never, false;
    }
}

#[test]
#[rustfmt::skip]
fn what_looks_at_the_screen_ker_3_ker_4_ker_7() {
    let lines = || LinesRequest { cursor: PICK.cursor, window: None, part: None, recognised: true };
    table! { UiaMessage:
        Pick { .. }, Pick { request: PICK, reply: reply() } => Uia, "pick", Coalesce, Never, false;
        EndPick, EndPick                                    => Uia, "pick", Coalesce, Never, false;
        Lines { .. }, Lines { request: lines(), reply: reply() } => Uia, "lines", Coalesce, Never, false;
        Rows { .. }, Rows { request: PICK, extent: RowsExtent::Row, reply: reply() } => Uia, "rows", Coalesce, Never, false;
        Tick, Tick                                          => Uia, "tick", Coalesce, Never, false;
    }
    table! { OcrMessage:
        Pick { .. }, Pick { request: PICK, searched: searched(), reply: reply() } => Ocr, "pick", Coalesce, Never, false;
        EndPick, EndPick                                    => Ocr, "pick", Coalesce, Never, false;
        Lines { .. }, Lines { searched: searched(), reply: reply() } => Ocr, "lines", Coalesce, Never, false;
        Shot { .. }, Shot { searched: searched(), reply: reply() } => Ocr, "shot", Refuse, Never, false;
        Recognise { .. }, Recognise { searched: searched(), reply: reply() } => Ocr, "recognise", Refuse, Never, false;
        Tick, Tick                                          => Ocr, "tick", Coalesce, Never, false;
    }
}

#[test]
#[rustfmt::skip]
fn what_speaks_ker_3_ker_4_ker_7() {
    let text = String::new;
    let request = || ReadRequest {
        id: ID, reading: ReadAloud::Text { text: text(), offset: 0 }, style: crate::reading::Style::News, lang: Lang::Ko,
    };
    let part = || ReadPart { id: ID, asked: ID, text: text(), lang: Lang::Ko, first: true, last: true, stop: false };
    let notice = || SpokenNotice { id: ID, text: text(), lang: Lang::Ko, timing: NoticeTiming::Now };
    table! { TtsMessage:
        Stop { .. }, Stop { at: ID }          => Reflex, "stop", DropOldest, Once, false;
        Forget, Forget                        => Reflex, "forget", DropOldest, Once, false;
        Pause, Pause                          => Reflex, "pause", Refuse, Never, false;
        Resume, Resume                        => Reflex, "resume", Refuse, Never, false;
        PauseToggle, PauseToggle              => Reflex, "pause_toggle", Refuse, Never, false;
        Repeat, Repeat                        => Reflex, "repeat", Refuse, Never, false;
        Next { .. }, Next { id: ID }          => Reflex, "next", Refuse, Never, false;
        Previous { .. }, Previous { id: ID }  => Reflex, "previous", Refuse, Never, false;
        Slower, Slower                        => Reflex, "slower", Refuse, Never, false;
        Faster, Faster                        => Reflex, "faster", Refuse, Never, false;
        Read(_), Read(request())              => Tts, "read", DropOldest, Never, false;
        ReadOn(_), ReadOn(part())             => Tts, "read_on", Refuse, Never, false;
        Say(_), Say(notice())                 => Tts, "say", Refuse, Never, false;
        Wake, Wake                            => Tts, "wake", Coalesce, Never, false;
        Tick, Tick                            => Uia, "tick", Coalesce, Never, false;
        Configure(_), Configure(SpeechSettings::default()) => Uia, "configure", Coalesce, Never, false;
        Idle { .. }, Idle { reply: reply() }  => Uia, "idle", Refuse, Never, false;
    }
}

#[test]
#[rustfmt::skip]
fn what_models_work_on_ker_3_ker_4_ker_7() {
    let (text, order) = (String::new, ResidencyOrder::Stop { lease: LEASE });
    let sound = |extent| Transcribe {
        id: ID, sound: Sound { samples: Vec::new() }, lang: None, extent, hint: text(), partials: false, pieces: bounded(1).0, reply: reply(),
    };
    table! { SttMessage:
        Transcribe(_), Transcribe(sound(SoundExtent::Utterance)) => Tts, "utterance", Refuse, Never, false;
        Transcribe(_), Transcribe(sound(SoundExtent::Window))    => Tts, "window", Coalesce, Never, false;
        Cancel { .. }, Cancel { id: ID }                         => Reflex, "cancel", Refuse, Never, false;
        Order(_), Order(order)                                   => Reflex, "order", Refuse, Never, false;
        CommandOrder(_), CommandOrder(order)                     => Reflex, "command_order", Refuse, Never, false;
        Tick, Tick                                               => Llm, "tick", Coalesce, Never, false;
    }
    let speech = SpeechEvent::Finished { id: ID };
    table! { ListeningMessage:
        Wake, Wake                                               => Reflex, "wake", Coalesce, Never, false;
        Partial { .. }, Partial { id: ID, text: text() }         => Tts, "partial", DropOldest, Never, false;
        Transcribed { .. }, Transcribed { id: ID, answer: Err(NoReply::Crashed) } => Tts, "transcribed", Refuse, Never, false;
        Decided { .. }, Decided { id: ID, utterance: text(), answer: Err(NoReply::Crashed) } => Llm, "decided", Refuse, Never, false;
        Speech(_), Speech(speech)                                => Tts, "speech", Refuse, Never, false;
        SayTo { .. }, SayTo { text: text(), reply: reply() }     => Tts, "say_to", Refuse, Never, false;
        Hold { .. }, Hold { down: true }                         => Reflex, "hold", Refuse, Never, false;
        Asking { .. }, Asking { who: Questioner::Executor, asking: true } => Tts, "asking", Refuse, Never, false;
        Tick, Tick                                               => Tts, "tick", Coalesce, Never, false;
        CheckSettings, CheckSettings                             => Uia, "check_settings", Coalesce, Never, false;
    }
    let speech = SpeechEvent::Finished { id: ID };
    let permission = || PermissionRequest { id: ID, action: RequestedAction::Scroll { down: true }, labels: Vec::new() };
    let said = || SpokenOrder { id: ID, utterance: text(), source: OrderSource::Voice, called: false, overlaps_playback: false };
    table! { ExecutorMessage:
        Order { .. }, Order { order: said(), reply: reply() }    => Tts, "order", Refuse, Never, false;
        Answer { .. }, Answer { answer: said(), reply: reply() } => Tts, "answer", Refuse, Never, false;
        Permit { .. }, Permit { request: permission(), reply: reply() } => Uia, "permit", Refuse, Never, false;
        EndPermit { .. }, EndPermit { id: ID }                   => Uia, "end_permit", Refuse, Never, false;
        Key { .. }, Key { given: true }                          => Reflex, "key", Refuse, Never, false;
        Stop { .. }, Stop { at: ID }                             => Reflex, "stop", DropOldest, Once, false;
        Screen { .. }, Screen { id: ID, answer: None }           => Uia, "screen", Refuse, Never, false;
        Inspected { .. }, Inspected { id: ID, answer: Err(ElementRefusal::Gone) } => Uia, "inspected", Refuse, Never, false;
        Acted { .. }, Acted { id: ID, answer: Err(ElementRefusal::Gone) } => Uia, "acted", Refuse, Never, false;
        Observed { .. }, Observed { id: ID, change: ObservedChange::Focus } => Uia, "observed", Refuse, Never, false;
        Speech(_), Speech(speech)                                => Tts, "speech", Refuse, Never, false;
        Desktop { .. }, Desktop { id: ID, answer: None }         => Uia, "desktop", Refuse, Never, false;
        Decided { .. }, Decided { id: ID, answer: Err(NoReply::Crashed) } => Llm, "decided", Refuse, Never, false;
        Timer { .. }, Timer { generation: 1 }                    => Uia, "timer", Refuse, Never, false;
    }
    let call = || ToolRequest { id: ID, tool: text(), arguments: serde_json::Value::Null };
    table! { ToolsMessage:
        Call { .. }, Call { request: call(), reply: reply() }    => Ocr, "call", Refuse, Never, false;
        Cancel { .. }, Cancel { id: ID }                         => Uia, "cancel", Refuse, Never, false;
        Stop { .. }, Stop { at: ID }                             => Reflex, "stop", DropOldest, Once, false;
        Ended { .. }, Ended { id: ID, answer: Ok(serde_json::Value::Null) } => Tts, "ended", Refuse, Never, false;
        Tick, Tick                                               => Uia, "tick", Coalesce, Never, false;
    }
    let job = GenerateJob {
        prompt: Prompt::Text { text: text() }, max_answer_tokens: 1, max_thinking_tokens: 0, sampling: Sampling::default(), stop: Vec::new(),
        grammar: None, pictures: Vec::new(),
    };
    let generate = || self::Generate {
        id: ID, task: LlmTask::Intent, job: Box::new(job.clone()), pictures: Vec::new(), include_thinking: false, pieces: bounded(1).0, reply: reply(),
    };
    let count = || self::CountTokens { id: ID, task: LlmTask::Intent, texts: Vec::new(), reply: reply() };
    table! { LlmMessage:
        Generate(_), Generate(generate())   => Llm, "generate", Refuse, Never, false;
        CountTokens(_), CountTokens(count()) => Llm, "count_tokens", Refuse, Never, false;
        Cancel { .. }, Cancel { id: ID }    => Reflex, "cancel", Refuse, Never, false;
        Order(_), Order(order)              => Reflex, "order", Refuse, Never, false;
        Tick, Tick                          => Llm, "tick", Coalesce, Never, false;
    }
    let translate = || self::Translate {
        id: ID, source: TranslationSource::Text(text()), to: Lang::Ko, fidelity: Fidelity::default(), pieces: bounded(1).0, reply: reply(),
    };
    let summarize = || self::Summarize { id: ID, text: text(), to: Lang::Ko, reply: reply() };
    let decide = || self::Decide {
        id: ID, task: DslTask::NluIntent, utterance: text(), candidates: Vec::new(), text: text(),
        barge_in: false, reply: reply(),
    };
    table! { LanguageTaskMessage:
        Translate(_), Translate(translate()) => Llm, "translate", Refuse, Never, false;
        Summarize(_), Summarize(summarize()) => Llm, "summarize", Refuse, Never, false;
        Decide(_), Decide(decide())         => Llm, "decide", Refuse, Never, false;
        Cancel { .. }, Cancel { id: ID }    => Reflex, "cancel", Refuse, Never, false;
    }
}

#[test]
#[rustfmt::skip]
fn what_shares_memory_and_counts_ker_3_ker_4_ker_7_gpu_3() {
    let claim = || Claim { id: ID, holder: EngineKind::Llm, model: String::new(), bytes: 1, lane: Llm };
    let holder = EngineKind::Stt;
    table! { GpuMessage:
        Acquire { .. }, Acquire { claim: claim(), reply: reply() } => Llm, "acquire", Refuse, Never, false;
        Withdraw { .. }, Withdraw { id: ID }                  => Llm, "withdraw", Refuse, Always, true;
        Loaded { .. }, Loaded { lease: LEASE }                => Uia, "loaded", Refuse, Always, true;
        Release { .. }, Release { lease: LEASE }              => Uia, "release", Refuse, Always, true;
        Unloaded { .. }, Unloaded { holder, loaded_by: LEASE } => Uia, "unloaded", Refuse, Always, true;
        Ability { .. }, Ability { holder, card: true }        => Uia, "ability", Refuse, Always, true;
        Used { .. }, Used { loaded_by: LEASE, place: MemoryPlace::Card, bytes: 9 } => Uia, "used", Refuse, Always, true;
        Status { .. }, Status { reply: reply() }              => Ocr, "status", Refuse, Never, false;
        Tick, Tick                                            => Ocr, "tick", Coalesce, Never, false;
    }
    table! { MetricsMessage:
        Upkeep, Upkeep                                        => Llm, "upkeep", Coalesce, Never, false;
    }
}
