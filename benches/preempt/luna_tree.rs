//! The contestant Luna: the tree of `src/tree.rs` on a machine without display and with a double of the sound device.

use std::sync::{Arc, OnceLock};

use luna::settings::LiveConfig;
use luna::system::System;
use luna::wiring::Wiring;
use luna_actor_runtime::supervisor::SupervisionTree;
use luna_config::Config;
use luna_messages::Reply;
use luna_messages::control::Command;
use luna_messages::focus::ReflexMessage;
use luna_messages::tts::TtsMessage;
use luna_platform::accessibility::null::NoAccessibility;
use luna_platform::audio::fault::FaultyOutput;
use luna_platform::capture::null::NoCapture;
use luna_platform::card::null::{NoCard, UnknownMemory};
use luna_platform::hot_key::null::NoHotKeys;
use luna_platform::pointer::fault::ScriptedPointer;
use metrics::{Counter, CounterFn, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};

use crate::load::Load;
use crate::{FLOOD, PreemptContestant, Timestamps};

/// When the speech actor handled a reflex command.
static STOPPED: OnceLock<Arc<Timestamps>> = OnceLock::new();

/// When sound was muted, ahead of the speech actor.
static MUTED: OnceLock<Arc<Timestamps>> = OnceLock::new();

/// A recorder for two counters: reflex messages that the speech actor handled, and mutes.
struct HandledWatcher;

struct CountingCounter(&'static OnceLock<Arc<Timestamps>>);

impl CounterFn for CountingCounter {
    fn increment(&self, _: u64) {
        if let Some(stamp) = self.0.get() {
            stamp.set();
        }
    }

    fn absolute(&self, _: u64) {}
}

impl Recorder for HandledWatcher {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}
    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        let has = |label: &str, value: &str| key.labels().any(|one| one.key() == label && one.value() == value);
        if key.name() == "luna_messages_handled_total" && has("actor", "tts") && has("lane", "reflex") {
            return Counter::from_arc(Arc::new(CountingCounter(&STOPPED)));
        }
        if key.name() == "luna_speech_hushes_total" {
            return Counter::from_arc(Arc::new(CountingCounter(&MUTED)));
        }
        Counter::noop()
    }

    fn register_gauge(&self, _: &Key, _: &Metadata<'_>) -> Gauge {
        Gauge::noop()
    }

    fn register_histogram(&self, _: &Key, _: &Metadata<'_>) -> Histogram {
        Histogram::noop()
    }
}

/// A running tree with its timestamps.
pub struct LunaTree {
    wiring: Wiring,
    stamp: Arc<Timestamps>,
    muted: Arc<Timestamps>,
    _tree: SupervisionTree,
}

pub fn start(load: &Load) -> LunaTree {
    metrics::set_global_recorder(HandledWatcher).map_err(|_| "another recorder is installed").unwrap();
    let stamp = STOPPED.get_or_init(Arc::default).clone();
    let muted = MUTED.get_or_init(Arc::default).clone();
    let mut config = Config::built_in("default").unwrap();
    // Capacity for the flood: a lane of default size would refuse most of it.
    config.mailbox.bound.uia = 4 * FLOOD;
    let live = LiveConfig::new(config);
    let system = System {
        accessibility: Arc::new(NoAccessibility),
        actions: Arc::new(NoAccessibility),
        capture: Arc::new(NoCapture),
        pointer: Arc::new(ScriptedPointer::default()),
        hot_keys: Arc::new(NoHotKeys),
        input: Arc::new(luna_platform::input::fault::ScriptedInput::default()),
        desktop: Arc::new(luna_platform::desktop::null::NoDesktop),
        programs: Arc::new(luna_platform::programs::null::NoPrograms),
        overlay: Arc::new(luna_platform::overlay::fault::ScriptedOverlay::new()),
        fonts: Arc::new(luna_platform::fonts::FontFolders(Vec::new())),
        audio: Arc::new(FaultyOutput::new()),
        microphone: Arc::new(luna_platform::microphone::null::NoMicrophone::default()),
        loopback: Arc::new(luna_platform::microphone::null::NoMicrophone::default()),
        card: Arc::new(NoCard),
        memory: Arc::new(UnknownMemory),
    };
    let _inside = load.runtime.enter();
    let wiring = Wiring::new(&live, &system);
    let tree = luna::tree::spawn_tree(&wiring, &live, None);
    std::thread::sleep(std::time::Duration::from_millis(500));
    LunaTree { wiring, stamp, muted, _tree: tree }
}

impl PreemptContestant for LunaTree {
    fn flood(&self) -> bool {
        // More than required, because the speech actor handles some meanwhile.
        for _ in 0..3 * FLOOD {
            drop(self.wiring.tts.post(TtsMessage::Idle { reply: Reply::ignored() }));
        }
        self.wiring.tts.depth()[2] >= FLOOD
    }

    fn reflex(&self) {
        self.wiring.reflex.post(ReflexMessage::Command(Command::Stop)).unwrap();
    }

    fn stamp(&self) -> &Timestamps {
        &self.stamp
    }

    fn effect(&self) -> &Timestamps {
        &self.muted
    }

    fn is_drained(&self) -> bool {
        self.wiring.tts.depth() == [0; 5]
    }
}
