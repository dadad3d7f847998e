//! The way from a key to the command, on a fake keyboard (ATT-6).

use std::sync::{Arc, Mutex};

use luna_config::speech::CommandMode;
use luna_messages::keyboard::{CtrlSide, KeyChange};
use luna_platform::pointer::Watch as PointerWatch;
use luna_test_support::{drain, inbox};

use super::*;

type Changed = Box<dyn FnMut(KeyEvent) + Send>;
type Lose = Box<dyn FnOnce() + Send>;

/// A keyboard whose observers are kept, to be called by the test.
#[derive(Default)]
struct FakeKeyObserver {
    observers: Mutex<Vec<(Changed, Lose)>>,
    own: Mutex<Vec<HotKey>>,
    fails: Mutex<u32>,
}

impl HotKeys for FakeKeyObserver {
    fn watch(
        &self,
        _: &[HotKey],
        _: Box<dyn Fn(usize) + Send>,
    ) -> Result<(PointerWatch, Vec<(usize, String)>), PlatformError> {
        Err(PlatformError::Gone)
    }

    fn observe_keyboard(&self, own: &[HotKey], changed: Changed, lost: Lose) -> Result<Watch, PlatformError> {
        let mut fails = self.fails.lock().unwrap();
        if *fails > 0 {
            *fails -= 1;
            return Err(PlatformError::unavailable("There is no keyboard.", "Wait."));
        }
        *self.own.lock().unwrap() = own.to_vec();
        self.observers.lock().unwrap().push((changed, lost));
        Ok(Watch::new(|| {}))
    }
}

impl FakeKeyObserver {
    fn count(&self) -> usize {
        self.observers.lock().unwrap().len()
    }

    fn send(&self, change: KeyChange, at_ms: u32) {
        let mut observers = self.observers.lock().unwrap();
        (observers.last_mut().unwrap().0)(KeyEvent { change, at_ms });
    }

    fn tap(&self, held_ms: u32) {
        self.send(KeyChange::CtrlDown { side: CtrlSide::Left, alone: true }, 0);
        self.send(KeyChange::CtrlUp { side: CtrlSide::Left }, held_ms);
    }
}

struct SilenceBench {
    keyboard: Arc<FakeKeyObserver>,
    reflex: Inbox<ReflexMessage>,
    listening: Inbox<ListeningMessage>,
    board: HotKeyBoard,
    /// Changes of the capability of the key that is held to speak.
    told: Arc<Mutex<Vec<CapabilityState>>>,
    task: Option<Task>,
}

fn bench(ctrl_tap: bool, any_key: bool, fails: u32) -> SilenceBench {
    bench_in(CommandMode::Auto, ctrl_tap, any_key, fails)
}

fn bench_in(command_mode: CommandMode, ctrl_tap: bool, any_key: bool, fails: u32) -> SilenceBench {
    let keyboard = Arc::new(FakeKeyObserver { fails: Mutex::new(fails), ..FakeKeyObserver::default() });
    let (reflex, listening, board) = (inbox(), inbox(), HotKeyBoard::default());
    let mut config = Config::built_in("default").unwrap();
    (config.control.silence.ctrl_tap, config.control.silence.any_key) = (ctrl_tap, any_key);
    config.voice.command_mode = command_mode;
    let keys: Arc<dyn HotKeys> = keyboard.clone();
    let told: Arc<Mutex<Vec<CapabilityState>>> = Arc::default();
    let tell = told.clone();
    let dependencies = SilenceDependencies {
        keys: BlockingService::new("keys", Duration::from_secs(5), keys),
        reflex: reflex.clone(),
        traces: TraceLog::default(),
        board: board.clone(),
        capabilities: Capabilities::new(Arc::new(move |capability, state| {
            assert_eq!(capability, Capability::TalkKey);
            tell.lock().unwrap().push(state.clone());
        })),
        listening: Some(listening.clone()),
    };
    SilenceBench { keyboard, reflex, listening, board, told, task: start(dependencies, &config) }
}

impl SilenceBench {
    async fn observed(&self, times: usize) {
        while self.keyboard.count() < times || self.board.silence().reason.is_some() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    async fn refused(&self, why: &str) {
        while !self.board.silence().reason.is_some_and(|reason| reason.contains(why)) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn holds(&self) -> Vec<bool> {
        let hold = |message| match message {
            ListeningMessage::Hold { down } => down,
            other => panic!("{other:?}"),
        };
        drain(&self.listening).into_iter().map(hold).collect()
    }

    /// The next report of the key that is held.
    async fn held(&self) -> bool {
        loop {
            if let [down] = self.holds()[..] {
                return down;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    fn commands(&self) -> Vec<Command> {
        drain(&self.reflex).iter().map(ReflexMessage::command).collect()
    }
}

// ATT-6
#[tokio::test]
async fn a_tap_of_ctrl_takes_the_way_of_stop_att_6() {
    let bench = bench(true, false, 0);
    bench.observed(1).await;
    bench.keyboard.send(KeyChange::Typed, 0);
    bench.keyboard.tap(400);
    assert_eq!(bench.commands(), []);
    bench.keyboard.tap(80);
    assert_eq!(bench.commands(), [Command::Stop]);
    // Luna's hot keys are named, so that they don't count as typed.
    let hot_keys = configured(&Config::built_in("default").unwrap());
    assert_eq!(*bench.keyboard.own.lock().unwrap(), hot_keys.into_iter().map(|(_, key)| key).collect::<Vec<_>>());
}

// ATT-6
#[tokio::test]
async fn any_key_silences_if_so_configured_att_6() {
    let bench = bench(false, true, 0);
    bench.observed(1).await;
    bench.keyboard.tap(80);
    bench.keyboard.send(KeyChange::Combined, 0);
    assert_eq!(bench.commands(), []);
    bench.keyboard.send(KeyChange::Typed, 0);
    assert_eq!(bench.commands(), [Command::Stop]);
}

// ATT-6, PRV-2
#[tokio::test]
async fn the_keyboard_is_not_observed_if_no_key_silences_att_6_prv_2() {
    let bench = bench(false, false, 0);
    assert!(bench.task.is_none());
    assert_eq!(bench.board.silence(), SilenceStatus::default());
}

// ATT-6, KER-9
#[tokio::test(start_paused = true)]
async fn a_keyboard_that_goes_away_is_observed_again_att_6_ker_9() {
    let bench = bench(true, false, 2);
    bench.refused("There is no keyboard").await;
    bench.observed(1).await;
    let lose = bench.keyboard.observers.lock().unwrap().pop().unwrap().1;
    lose();
    bench.refused("").await;
    bench.observed(1).await;
    bench.keyboard.tap(80);
    assert_eq!(bench.commands(), [Command::Stop]);
}

const RIGHT: KeyChange = KeyChange::CtrlDown { side: CtrlSide::Right, alone: true };
const RIGHT_UP: KeyChange = KeyChange::CtrlUp { side: CtrlSide::Right };

// VOI-1, ATT-6
#[tokio::test(start_paused = true)]
async fn the_key_that_is_held_is_told_to_what_listens_voi_1_att_6() {
    let bench = bench_in(CommandMode::Hold, true, false, 0);
    bench.observed(1).await;
    let pressed = tokio::time::Instant::now();
    bench.keyboard.send(RIGHT, 0);
    assert!(bench.held().await);
    assert!(pressed.elapsed() >= Duration::from_millis(250), "{:?}", pressed.elapsed());
    bench.keyboard.send(RIGHT_UP, 900);
    assert!(!bench.held().await);
    assert_eq!(bench.commands(), [], "a key that is held to speak silences nothing");
    // A tap silences as before, and is no speaking; a shortcut is neither.
    bench.keyboard.send(RIGHT, 2000);
    bench.keyboard.send(RIGHT_UP, 2100);
    assert_eq!(bench.commands(), [Command::Stop]);
    bench.keyboard.send(RIGHT, 3000);
    bench.keyboard.send(KeyChange::Typed, 3100);
    tokio::time::sleep(Duration::from_secs(2)).await;
    bench.keyboard.send(RIGHT_UP, 5100);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(bench.holds().is_empty() && bench.commands().is_empty());
    // Another key ends it also later.
    bench.keyboard.send(RIGHT, 9000);
    assert!(bench.held().await);
    bench.keyboard.send(KeyChange::Combined, 9500);
    assert!(!bench.held().await);
    // The left key is a tap, or nothing.
    bench.keyboard.send(KeyChange::CtrlDown { side: CtrlSide::Left, alone: true }, 20_000);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(bench.holds().is_empty());
}

// VOI-1, PRV-2
#[tokio::test(start_paused = true)]
async fn the_keyboard_is_observed_for_the_key_only_if_it_is_held_to_speak_voi_1_prv_2() {
    let bench_without = bench_in(CommandMode::WakeOnly, false, false, 0);
    assert!(bench_without.task.is_none());
    let bench = bench_in(CommandMode::Hold, false, false, 0);
    bench.observed(1).await;
    bench.keyboard.send(RIGHT, 0);
    bench.keyboard.send(RIGHT_UP, 100);
    bench.keyboard.send(RIGHT, 1000);
    assert!(bench.held().await);
    assert_eq!(bench.commands(), []);
}

// VOI-1, KER-9
#[tokio::test(start_paused = true)]
async fn a_key_whose_keyboard_goes_away_is_let_go_voi_1_ker_9() {
    let bench = bench_in(CommandMode::Hold, true, false, 0);
    bench.observed(1).await;
    bench.keyboard.send(RIGHT, 0);
    assert!(bench.held().await);
    let lose = bench.keyboard.observers.lock().unwrap().pop().unwrap().1;
    lose();
    assert!(!bench.held().await);
    bench.observed(1).await;
    bench.keyboard.send(RIGHT, 0);
    assert!(bench.held().await);
}

// VOI-1, KER-9
#[tokio::test(start_paused = true)]
async fn a_key_for_speaking_that_cannot_be_observed_is_told_once_with_a_remedy_voi_1_ker_9() {
    let bench = bench_in(CommandMode::Hold, false, false, 3);
    bench.refused("There is no keyboard").await;
    bench.observed(1).await;
    let told = bench.told.lock().unwrap().clone();
    let Some((CapabilityState::Available, refused)) = told.split_last() else { panic!("{told:?}") };
    // The paused clock may run out before the thread that is asked answers; that is told with the same remedy.
    let reason_is = |expect: &str| {
        refused.iter().any(|state| matches!(state, CapabilityState::Unavailable(why) if why.reason.contains(expect)))
    };
    let remedy = |state: &CapabilityState| matches!(state, CapabilityState::Unavailable(why) if why.remedy.contains("wake-only"));
    assert!(reason_is("There is no keyboard") && refused.iter().all(remedy), "{told:?}");
    assert_eq!(bench.board.silence().talk_key, Some(HoldKey::RightCtrl));
    // Who does not hold a key hears nothing of it.
    let bench = bench_in(CommandMode::Auto, true, false, 1);
    bench.observed(1).await;
    assert_eq!((bench.told.lock().unwrap().len(), bench.board.silence().talk_key), (0, None));
}
