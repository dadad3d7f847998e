//! Hot keys on a fake display: grabbed, lost, reported and grabbed again.

use luna_messages::Lang;
use luna_messages::tts::TtsMessage;
use luna_test_support::{drain, inbox};

use luna_platform::hot_key::HotKeyCode;

use super::*;
use crate::bus::BusSession;

type Lost = Box<dyn FnOnce() + Send>;

/// A fake display on which other programs hold keys.
#[derive(Default)]
struct FakeHotKeys {
    gone: bool,
    /// Keys that other programs hold.
    taken: Vec<String>,
    /// Keys that Luna holds now.
    held: Vec<String>,
    lost: Vec<Lost>,
    tries: usize,
}

#[derive(Clone, Default)]
struct FakeKeys(Arc<Mutex<FakeHotKeys>>);

impl FakeKeys {
    fn change<T>(&self, change: impl FnOnce(&mut FakeHotKeys) -> T) -> T {
        change(&mut self.0.lock().unwrap())
    }

    fn go_away(&self) {
        let lost = self.change(|display| {
            display.gone = true;
            display.held.clear();
            std::mem::take(&mut display.lost)
        });
        lost.into_iter().for_each(|lost| lost());
    }
}

impl HotKeys for FakeKeys {
    fn watch(
        &self,
        keys: &[HotKey],
        pressed: Box<dyn Fn(usize) + Send>,
    ) -> Result<(Watch, Vec<(usize, String)>), PlatformError> {
        self.watch_until_lost(keys, pressed, Box::new(|| {}))
    }

    fn watch_until_lost(
        &self,
        keys: &[HotKey],
        _pressed: Box<dyn Fn(usize) + Send>,
        lost: Lost,
    ) -> Result<(Watch, Vec<(usize, String)>), PlatformError> {
        let names: Vec<String> = keys.iter().map(ToString::to_string).collect();
        self.change(|display| {
            display.tries += 1;
            if display.gone {
                return Err(PlatformError::unavailable("The display is gone.", "Wait."));
            }
            let free = |name: &String| !display.taken.contains(name) && !display.held.contains(name);
            let (got, _): (Vec<_>, Vec<_>) = names.iter().cloned().partition(free);
            let refused = names.iter().enumerate().filter(|(_, name)| !got.contains(name));
            let refused =
                refused.map(|(place, name)| (place, format!("Another program holds {name} already."))).collect();
            display.held.extend(got.clone());
            display.lost.push(lost);
            let all = self.0.clone();
            let gives_back = move || all.lock().unwrap().held.retain(|held| !got.contains(held));
            Ok((Watch::new(gives_back), refused))
        })
    }
}

struct HotKeyBench {
    display: FakeKeys,
    capabilities: Capabilities,
    board: HotKeyBoard,
    tts: Inbox<TtsMessage>,
    spoken: Mutex<Vec<String>>,
    _task: Task,
}

const QUICK: RetryPolicy = RetryPolicy { first: Duration::from_millis(10), longest: Duration::from_millis(40) };

fn bench(display: &FakeKeys, keys: &[(Command, &str)]) -> HotKeyBench {
    let tts = inbox();
    let announcer = Announcer::new(tts.clone(), BusSession::default(), Arc::new(|| Lang::En));
    let observer = announcer.clone();
    let capabilities = Capabilities::new(Arc::new(move |capability, state| observer.capability(capability, state)));
    let board = HotKeyBoard::default();
    let dependencies = HotKeyDependencies {
        system: Arc::new(display.clone()),
        reflex: inbox(),
        traces: TraceLog::default(),
        capabilities: capabilities.clone(),
        announcer,
        board: board.clone(),
    };
    let configured = keys.iter().map(|(command, key)| (*command, key.parse().unwrap())).collect();
    let (task, _) = start(dependencies, configured, QUICK);
    HotKeyBench { display: display.clone(), capabilities, board, tts, spoken: Mutex::default(), _task: task }
}

impl HotKeyBench {
    async fn until(&self, what: &str, is: impl Fn(&Self) -> bool) {
        for _ in 0..1000 {
            if is(self) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("waited in vain: {what}; {:?} {:?}", self.board.all(), self.said());
    }

    fn said(&self) -> Vec<String> {
        let mut spoken = self.spoken.lock().unwrap();
        spoken.extend(drain(&self.tts).into_iter().filter_map(|message| match message {
            TtsMessage::Say(notice) => Some(notice.text),
            _ => None,
        }));
        spoken.clone()
    }

    fn has(&self, keys: &[&str]) -> bool {
        let held: Vec<String> = self.board.all().into_iter().filter(|key| key.held).map(|key| key.key).collect();
        let mut really = self.display.change(|display| display.held.clone());
        really.sort();
        held == keys && really == keys
    }
}

const KEYS: [(Command, &str); 2] = [(Command::FocusToggle, "ctrl+alt+l"), (Command::Stop, "ctrl+alt+s")];

// SES-6, KER-9
#[tokio::test]
async fn a_key_that_another_program_holds_is_said_once_and_had_once_it_is_free_ses_6_ker_9() {
    let display = FakeKeys::default();
    display.change(|display| display.taken = vec!["ctrl+alt+l".into(), "ctrl+alt+shift+l".into()]);
    let bench = bench(&display, &KEYS);
    bench.until("the other key", |bench| bench.has(&["ctrl+alt+s"])).await;
    let before = bench.display.change(|display| display.tries);
    bench.until("more tries", |bench| bench.display.change(|display| display.tries) > before + 6).await;
    assert_eq!(bench.said().len(), 1, "{:?}", bench.said());
    let told = &bench.said()[0];
    // Named, with a free alternative.
    assert!(told.contains("Control Alt L;") && told.contains("Control Alt Super L is free"), "{told}");
    let status = &bench.board.all()[0];
    assert!(status.reason.as_deref().is_some_and(|reason| reason.contains("Another program")), "{status:?}");
    assert_eq!(status.remedy(), "Set control.hot_keys.focus_toggle to ctrl+alt+super+l, which is free.");
    assert_eq!(bench.capabilities.get(Capability::HotKey), CapabilityState::Available);

    display.change(|display| display.taken.clear());
    bench.until("both keys", |bench| bench.has(&["ctrl+alt+l", "ctrl+alt+s"])).await;
    bench.until("it to be said", |bench| bench.said().len() == 2).await;
    assert_eq!(bench.said()[1], "The hot key Control Alt L works now.");
}

// SES-6, KER-9
#[tokio::test]
async fn keys_that_went_with_the_display_come_back_with_it_ses_6_ker_9() {
    let display = FakeKeys::default();
    let bench = bench(&display, &KEYS);
    bench.until("the keys", |bench| bench.has(&["ctrl+alt+l", "ctrl+alt+s"])).await;
    for round in 1..=3 {
        display.go_away();
        let gone = |bench: &HotKeyBench| bench.capabilities.get(Capability::HotKey) != CapabilityState::Available;
        bench.until("the loss", gone).await;
        assert!(bench.board.all().iter().all(|key| !key.held));
        display.change(|display| display.gone = false);
        bench.until("the keys again", |bench| bench.has(&["ctrl+alt+l", "ctrl+alt+s"])).await;
        bench.until("it to be said", |bench| bench.said().len() == 2 * round).await;
    }
    assert_eq!(bench.said()[..2], ["Hot keys are not available.", "Hot keys are back."]);
}

// SES-6
#[tokio::test]
async fn where_all_are_taken_each_is_said_by_name_ses_6() {
    let display = FakeKeys::default();
    display.change(|display| display.taken = vec!["ctrl+alt+l".into(), "ctrl+alt+s".into()]);
    let bench = bench(&display, &KEYS);
    bench.until("both sentences", |bench| bench.said().len() == 2).await;
    let told = bench.said();
    assert_eq!(told[0], "Hot keys are not available.");
    assert!(told[1].contains("Control Alt L;") && told[1].contains("Control Alt S;"), "{told:?}");
}

// SES-6
#[test]
fn trying_takes_no_key_from_anybody_and_keeps_none_ses_6() {
    let display = FakeKeys::default();
    display.change(|display| display.taken = vec!["ctrl+alt+s".into()]);
    let configured: Vec<ConfiguredKey> = KEYS.iter().map(|(command, key)| (*command, key.parse().unwrap())).collect();
    let all = try_all(&display, &configured).unwrap();
    assert_eq!(all.iter().map(|key| key.held).collect::<Vec<_>>(), [true, false]);
    assert_eq!(all[1].proposal.as_deref(), Some("ctrl+alt+super+s"));
    assert!(display.change(|display| display.held.is_empty()));
}

fn defaults() -> Vec<ConfiguredKey> {
    configured(&Config::built_in("default").unwrap())
}

// SES-6
#[test]
fn no_default_key_is_used_by_a_usual_desktop_system_or_screen_reader_ses_6() {
    for (command, key) in defaults() {
        let uses: Vec<_> = known_uses(&key).collect();
        assert!(uses.is_empty(), "{command:?}, {key}: {uses:?}");
    }
    // The former defaults were.
    for (key, by) in [("ctrl+alt+l", "Xfce"), ("ctrl+alt+f", "Xfce"), ("ctrl+alt+n", "NVDA"), ("ctrl+alt+s", "AltGr")] {
        assert!(known_uses(&key.parse().unwrap()).any(|known| known.by.contains(by)), "{key}");
    }
}

// SES-6
#[test]
fn a_default_key_with_one_modifier_missed_does_no_harm_ses_6() {
    for (command, key) in defaults() {
        let missed = [
            HotKey { ctrl: false, ..key.clone() },
            HotKey { alt: false, ..key.clone() },
            HotKey { meta: false, ..key.clone() },
        ];
        for near in missed {
            let harm: Vec<_> = known_uses(&near).filter(|known| known.harms).collect();
            assert!(harm.is_empty(), "{command:?}, {near} in place of {key}: {harm:?}");
        }
    }
}

// SES-6
#[test]
fn the_default_keys_can_be_pressed_on_korean_and_english_keyboards_ses_6() {
    for (command, key) in defaults() {
        // Letters and digits are in the same place on Korean and English keyboards; modifiers keep them from typing.
        assert!(matches!(key.key, HotKeyCode::Character('a'..='z' | '0'..='9')), "{command:?}: {key}");
        assert!(key.ctrl && key.alt && key.meta && !key.shift, "{command:?}: {key}");
    }
}

// SES-6
#[test]
fn each_taken_key_gets_a_proposal_of_its_own_that_no_desktop_uses_ses_6() {
    let display = FakeKeys::default();
    let others = ["ctrl+alt+shift+super+p", "ctrl+alt+shift+super+l"].map(str::to_owned);
    let all = defaults();
    display.change(|display| display.taken = all.iter().map(|(_, key)| key.to_string()).chain(others).collect());
    let mut proposed = Vec::new();
    for status in try_all(&display, &all).unwrap() {
        let proposal = status.proposal.unwrap_or_else(|| panic!("none for {}", status.key));
        assert!(known_uses(&proposal.parse().unwrap()).next().is_none(), "{proposal}");
        assert!(!display.change(|display| display.taken.contains(&proposal)), "{proposal}");
        // What is proposed can be configured.
        let sets = vec![format!("control.hot_keys.{}={proposal}", status.command.name())];
        let loaded = luna_config::load(&luna_config::LoadOptions { sets, ..luna_config::LoadOptions::default() });
        assert!(loaded.is_ok(), "{proposal}: {:?}", loaded.err());
        proposed.push(proposal);
    }
    let count = proposed.len();
    proposed.sort();
    proposed.dedup();
    assert_eq!((proposed.len(), count), (all.len(), all.len()));
}
