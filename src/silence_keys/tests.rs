//! The way from a key to the command, on a fake keyboard (ATT-6).

use std::sync::{Arc, Mutex};

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
    board: HotKeyBoard,
    task: Option<Task>,
}

fn bench(ctrl_tap: bool, any_key: bool, fails: u32) -> SilenceBench {
    let keyboard = Arc::new(FakeKeyObserver { fails: Mutex::new(fails), ..FakeKeyObserver::default() });
    let (reflex, board) = (inbox(), HotKeyBoard::default());
    let mut config = Config::built_in("default").unwrap();
    (config.control.silence.ctrl_tap, config.control.silence.any_key) = (ctrl_tap, any_key);
    let keys: Arc<dyn HotKeys> = keyboard.clone();
    let dependencies = SilenceDependencies {
        keys: BlockingService::new("keys", Duration::from_secs(5), keys),
        reflex: reflex.clone(),
        traces: TraceLog::default(),
        board: board.clone(),
    };
    SilenceBench { keyboard, reflex, board, task: start(dependencies, &config) }
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
    assert_eq!(bench.board.silence(), SilenceStatus { ctrl_tap: false, any_key: false, reason: None });
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
