//! The steps of a simulation: actions of the person, faults, and their removal.

use luna_messages::capability::Unavailable;
use luna_messages::control::Command;
use luna_messages::engine::{EngineErrorKind, EngineKind};
use luna_messages::focus::ReflexMessage;
use luna_messages::llm::{Generate, LlmMessage, LlmTask};
use luna_messages::metrics::MetricsMessage;
use luna_messages::ocr::OcrMessage;
use luna_messages::pick::{PickRequest, SearchedRegion, WindowInfo};
use luna_messages::stt::{SttMessage, Transcribe};
use luna_messages::tts::{NoticeTiming, SpokenNotice, TtsMessage};
use luna_messages::uia::{LinesRequest, UiaMessage};
use luna_messages::{Lang, Rect, RequestId};
use luna_platform::PlatformError;
use luna_platform::accessibility::fault::AccessibilityFault;
use luna_test_support::chaos::{InjectedFault, Moment};
use luna_test_support::engine_double::EngineFault;

use crate::chance::Chance;
use crate::world::{MS, PendingReplies, World, machine, models};

const COMMANDS: [Command; 21] = [
    Command::FocusOn,
    Command::FocusOn,
    Command::FocusOff,
    Command::FocusToggle,
    Command::Repeat,
    Command::Pause,
    Command::Resume,
    Command::PauseToggle,
    Command::Slower,
    Command::Faster,
    Command::Next,
    Command::Prev,
    Command::Translate,
    Command::Spell,
    Command::SpellJamo,
    Command::Numbers,
    Command::Bigger,
    Command::Pin,
    Command::Unpin,
    Command::PinToggle,
    Command::Escape,
];
const PLACES: [luna_messages::Point; 5] =
    [machine::TEXT, machine::OTHER, machine::PROTECTED, machine::PICTURE, machine::NOWHERE];
const ACTORS: [&str; 9] = ["metrics", "gpu", "llm", "stt", "tts", "ocr", "uia", "focus", "reflex"];
pub const ENGINES: [EngineKind; 4] = [EngineKind::Speech, EngineKind::Ocr, EngineKind::Llm, EngineKind::Stt];

/// Performs an action of the person.
pub fn act_as_person(world: &World, chance: &mut Chance) {
    if chance.percent(35) {
        let place = chance.one_of(&PLACES);
        world.trace.note(format_args!("moves to {place:?}"));
        world.pointer.move_to(place);
    } else {
        let command = chance.one_of(&COMMANDS);
        let taken = world.order(command);
        world.trace.note(format_args!("taken: {taken}"));
    }
}

/// Sends a request whose answer is awaited.
pub fn send_request(world: &World, chance: &mut Chance, owed: &PendingReplies) {
    let request = PickRequest { cursor: chance.one_of(&PLACES), enlarge: 1.0 };
    let window = WindowInfo { handle: 2, process: 7, title: String::new(), bounds: Rect::new(250, 10, 100, 80) };
    let (region, hidden, shown) = (window.bounds, Vec::new(), Vec::new());
    let searched = SearchedRegion { window: Some(window), region, chosen: region, hidden, shown, covered: None };
    let which = chance.below(12);
    world.trace.note(format_args!("asks {which}"));
    // A refused message is returned, and dropping it answers the request.
    match which {
        0 => drop(world.wiring.uia.post(UiaMessage::Pick { request, reply: owed.reply() })),
        1 | 2 => {
            let request = LinesRequest { cursor: request.cursor, window: None, part: None, recognised: which == 2 };
            drop(world.wiring.uia.post(UiaMessage::Lines { request, reply: owed.reply() }));
        }
        3 => {
            drop(world.wiring.ocr.post(OcrMessage::Pick { request, searched, reply: owed.reply() }));
        }
        4 => drop(world.wiring.ocr.post(OcrMessage::Lines { searched, reply: owed.reply() })),
        5 => drop(world.wiring.tts.post(TtsMessage::Idle { reply: owed.reply() })),
        6..=9 => {
            let task = chance.one_of(&LlmTask::ALL);
            let tokens = u32::try_from(chance.below(300)).unwrap_or(1);
            let (generate, reader) = models::generate(task, tokens);
            let id = generate.id;
            drop(world.wiring.llm.post(LlmMessage::Generate(Generate { reply: owed.reply(), ..generate })));
            match chance.below(6) {
                // The reader goes away.
                0 => drop(reader),
                1 => {
                    models::take_all(reader);
                    drop(world.wiring.llm.post(LlmMessage::Cancel { id }));
                }
                _ => models::take_all(reader),
            }
        }
        _ => {
            let (transcribe, reader) = models::transcribe(chance.percent(50));
            let id = transcribe.id;
            drop(world.wiring.stt.post(SttMessage::Transcribe(Transcribe { reply: owed.reply(), ..transcribe })));
            if chance.percent(20) {
                drop(world.wiring.stt.post(SttMessage::Cancel { id }));
            }
            if chance.percent(80) {
                models::take_all(reader);
            }
        }
    }
}

/// Sends a burst of messages.
pub fn storm(world: &World, chance: &mut Chance) {
    let (which, count) = (chance.below(5), 50 + chance.below(1500));
    world.trace.note(format_args!("storm {which} of {count}"));
    for n in 0..count {
        let notice = || SpokenNotice {
            id: RequestId::next(),
            text: "A notice.".into(),
            lang: Lang::En,
            timing: NoticeTiming::AfterSentence,
        };
        match which {
            0 => world.pointer.move_to(PLACES[usize::try_from(n).unwrap() % PLACES.len()]),
            1 => drop(world.wiring.tts.post(TtsMessage::Say(notice()))),
            2 => drop(world.wiring.tts.post(TtsMessage::Idle { reply: luna_messages::Reply::ignored() })),
            3 => drop(world.wiring.reflex.post(ReflexMessage::Command(Command::Faster))),
            _ => drop(world.wiring.metrics.post(MetricsMessage::Upkeep)),
        }
    }
}

fn unavailable() -> PlatformError {
    PlatformError::Unavailable(Unavailable { reason: "It went away.".into(), remedy: "Bring it back.".into() })
}

/// Injects a fault. Returns the actor that it hits, if any.
pub fn inject_fault(world: &World, chance: &mut Chance) -> Option<&'static str> {
    let which = chance.below(12);
    match which {
        0..=3 => {
            let actor = chance.one_of(&ACTORS);
            let strike = chance.one_of(&[
                InjectedFault::Panic,
                InjectedFault::Panic,
                InjectedFault::Error,
                InjectedFault::Hang,
                InjectedFault::Slow(MS(300)),
            ]);
            let times = chance.one_of(&[1, 1, 1, 2, 8]);
            let moment = if chance.percent(25) { Moment::Start } else { Moment::Message };
            world.trace.note(format_args!("{actor}: {strike:?} at {moment:?}, {times} times"));
            if moment == Moment::Start {
                world.chaos.order(actor, Moment::Message, InjectedFault::Panic, 1);
            }
            world.chaos.order(actor, moment, strike, times);
            return Some(actor);
        }
        4..=6 => {
            let kind = chance.one_of(&ENGINES);
            let fault = engine_fault(chance);
            world.trace.note(format_args!("engine {}: {fault:?}", kind.name()));
            (0..chance.one_of(&[1, 1, 2, 5])).for_each(|_| world.engines.order(kind, fault));
        }
        7 => world.audio.set_gone(true),
        8 => world.audio.set_stalled(true),
        9 => {
            let fault = match chance.below(5) {
                0 => AccessibilityFault::Late(MS(50 + chance.below(3000))),
                1 => AccessibilityFault::Never,
                2 => AccessibilityFault::Panic,
                3 => AccessibilityFault::Error(PlatformError::NoAnswer),
                _ => AccessibilityFault::Error(unavailable()),
            };
            world.trace.note(format_args!("tree: {fault:?}"));
            if chance.percent(30) {
                world.accessibility.always(fault);
            } else {
                world.accessibility.order(fault);
            }
        }
        10 => world.capture.fail(Some(chance.one_of(&[0, 1]).eq(&0).then(unavailable).unwrap_or(PlatformError::Gone))),
        _ => {
            world.pointer.refuse(Some(unavailable()));
            world.pointer.lose(&unavailable());
            world.hot_keys.fail(Some(unavailable()));
        }
    }
    world.trace.note(format_args!("harm {which}"));
    None
}

fn engine_fault(chance: &mut Chance) -> EngineFault {
    match chance.below(17) {
        0 => EngineFault::NotThere,
        1 => EngineFault::DieAtStart,
        2 => EngineFault::SilentAtStart,
        3 => EngineFault::GarbageAtStart,
        4 => EngineFault::DieAtLoad,
        5 => EngineFault::HangAtLoad,
        6 => EngineFault::RefuseLoad(EngineErrorKind::OutOfMemory),
        7 | 8 => EngineFault::DieInRun { after: u32::try_from(chance.below(4)).unwrap() },
        9 => EngineFault::AbortInRun { after: u32::try_from(chance.below(4)).unwrap() },
        10 => EngineFault::RefuseRun,
        11 => EngineFault::HangInRun,
        12 => EngineFault::Freeze,
        13 => EngineFault::LoseAnswer,
        14 => EngineFault::LateAnswer(MS(100 + chance.below(12_000))),
        15 => EngineFault::IgnoreCancel,
        _ => EngineFault::DieIdle(MS(chance.below(2000))),
    }
}

pub fn remove_some_faults(world: &World, chance: &mut Chance) {
    let which = chance.below(4);
    world.trace.note(format_args!("heals {which}"));
    match which {
        0 => {
            world.audio.set_gone(false);
            world.audio.set_stalled(false);
        }
        1 => world.accessibility.always(AccessibilityFault::None),
        2 => world.capture.fail(None),
        _ => {
            world.pointer.refuse(None);
            world.hot_keys.fail(None);
        }
    }
}

pub fn remove_all_faults(world: &World) {
    world.trace.note(format_args!("all is well"));
    world.chaos.clear();
    world.engines.clear();
    world.audio.set_gone(false);
    world.audio.set_stalled(false);
    world.accessibility.forget_orders();
    world.accessibility.always(AccessibilityFault::None);
    world.capture.fail(None);
    world.pointer.refuse(None);
    world.hot_keys.fail(None);
}
