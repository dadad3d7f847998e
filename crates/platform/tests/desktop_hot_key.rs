//! Global hot keys of a real X11 display. Runs inside an X session; without one every test fails with a message that
//! says so.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use luna_messages::keyboard::{CtrlSide, KeyChange, KeyEvent};
use luna_platform::hot_key::linux::X11HotKeys;
use luna_platform::hot_key::{HotKey, HotKeyCode, HotKeys, Watch};
use x11rb::connection::Connection;
use x11rb::protocol::xproto::{ConnectionExt as _, Keycode};
use x11rb::protocol::xtest::ConnectionExt as _;
use x11rb::rust_connection::RustConnection;
use x11rb::wrapper::ConnectionExt as _;

const PRESS: u8 = 2;
const RELEASE: u8 = 3;

const CONTROL: u32 = 0xffe3;
const SHIFT: u32 = 0xffe1;
const ALT: u32 = 0xffe9;
const NUM_LOCK: u32 = 0xff7f;

/// There is only one keyboard, so one test types at a time.
static KEYBOARD_LOCK: Mutex<()> = Mutex::new(());

struct FakeKeyboard {
    connection: RustConnection,
    root: u32,
    _alone: MutexGuard<'static, ()>,
}

impl FakeKeyboard {
    fn new() -> Self {
        let alone = KEYBOARD_LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        let (connection, screen) =
            x11rb::connect(None).expect("this test needs an X display; run it inside an X session (DISPLAY)");
        let root = connection.setup().roots[screen].root;
        Self { connection, root, _alone: alone }
    }

    fn keycode(&self, symbol: u32) -> Keycode {
        let (first, last) = (self.connection.setup().min_keycode, self.connection.setup().max_keycode);
        let mapping = self.connection.get_keyboard_mapping(first, last - first + 1).unwrap().reply().unwrap();
        let width = usize::from(mapping.keysyms_per_keycode);
        let row = mapping.keysyms.chunks_exact(width).position(|row| row[0] == symbol);
        first + Keycode::try_from(row.expect("the keyboard has this key")).unwrap()
    }

    fn send(&self, kind: u8, symbol: u32) {
        self.connection.xtest_fake_input(kind, self.keycode(symbol), 0, self.root, 0, 0, 0).unwrap();
        self.connection.sync().unwrap();
    }

    /// Presses all keys in order and releases them in reverse.
    fn chord(&self, symbols: &[u32]) {
        symbols.iter().for_each(|&symbol| self.send(PRESS, symbol));
        symbols.iter().rev().for_each(|&symbol| self.send(RELEASE, symbol));
        // A second press within the same millisecond would count as key repeat.
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn keys(names: &[&str]) -> Vec<HotKey> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

fn watched(names: &[&str]) -> (Watch, Vec<(usize, String)>, Receiver<usize>) {
    let (sender, pressed) = channel();
    let (watch, refused) = X11HotKeys::new()
        .watch(
            &keys(names),
            Box::new(move |index| {
                let _ = sender.send(index);
            }),
        )
        .unwrap();
    (watch, refused, pressed)
}

fn next(pressed: &Receiver<usize>) -> Option<usize> {
    pressed.recv_timeout(Duration::from_millis(500)).ok()
}

#[test]
fn pressing_a_hot_key_is_told_with_its_place() {
    let keyboard = FakeKeyboard::new();
    let (_watch, refused, pressed) = watched(&["ctrl+alt+l", "ctrl+shift+f9", "ctrl+alt+page_up"]);
    assert_eq!(refused, []);
    let start = Instant::now();
    keyboard.chord(&[CONTROL, ALT, u32::from(b'l')]);
    assert_eq!(next(&pressed), Some(0));
    assert!(start.elapsed() < Duration::from_millis(200), "{:?}", start.elapsed());
    keyboard.chord(&[CONTROL, SHIFT, 0xffc6]);
    assert_eq!(next(&pressed), Some(1));
    keyboard.chord(&[CONTROL, ALT, 0xff55]);
    assert_eq!(next(&pressed), Some(2));
    // With fewer modifiers the key is not grabbed.
    keyboard.chord(&[CONTROL, u32::from(b'l')]);
    assert_eq!(next(&pressed), None);
}

#[test]
fn a_key_that_the_system_takes_or_that_is_not_there_is_given_back() {
    let _keyboard = FakeKeyboard::new();
    let (_watch, refused, _) = watched(&["ctrl+alt+f2", "ctrl+alt+y"]);
    let [(0, reason)] = refused.as_slice() else { panic!("{refused:?}") };
    assert!(reason.contains("switch consoles"), "{reason}");
}

#[test]
fn num_lock_changes_nothing() {
    let keyboard = FakeKeyboard::new();
    let (_watch, refused, pressed) = watched(&["ctrl+alt+j"]);
    assert_eq!(refused, []);
    keyboard.chord(&[NUM_LOCK]);
    keyboard.chord(&[CONTROL, ALT, u32::from(b'j')]);
    let with_lock = next(&pressed);
    keyboard.chord(&[NUM_LOCK]);
    assert_eq!(with_lock, Some(0));
}

#[test]
fn a_key_that_is_held_is_one_press() {
    let keyboard = FakeKeyboard::new();
    let (_watch, _, pressed) = watched(&["ctrl+alt+k"]);
    for symbol in [CONTROL, ALT, u32::from(b'k')] {
        keyboard.send(PRESS, symbol);
    }
    // Key repeat starts after some 600 ms.
    std::thread::sleep(Duration::from_millis(1_500));
    for symbol in [u32::from(b'k'), ALT, CONTROL] {
        keyboard.send(RELEASE, symbol);
    }
    std::thread::sleep(Duration::from_millis(50));
    assert_eq!(pressed.try_iter().collect::<Vec<_>>(), [0]);
}

#[test]
fn a_key_that_another_program_holds_is_given_back_with_the_reason() {
    let keyboard = FakeKeyboard::new();
    let (_first, refused, first) = watched(&["ctrl+alt+m"]);
    assert_eq!(refused, []);
    let (second, refused, second_pressed) = watched(&["ctrl+alt+m", "ctrl+alt+n", "ctrl+alt+n", "ctrl+alt+f24"]);
    let reason = |place: usize| refused.iter().find(|(index, _)| *index == place).map(|(_, reason)| reason.as_str());
    assert!(reason(0).is_some_and(|reason| reason.contains("Another program holds ctrl+alt+m")), "{refused:?}");
    assert_eq!(reason(1), None);
    assert!(reason(2).is_some_and(|reason| reason.contains("Luna uses ctrl+alt+n")), "{refused:?}");
    keyboard.chord(&[CONTROL, ALT, u32::from(b'm')]);
    assert_eq!((next(&first), second_pressed.try_recv().ok()), (Some(0), None));
    keyboard.chord(&[CONTROL, ALT, u32::from(b'n')]);
    assert_eq!(next(&second_pressed), Some(1));
    drop(second);
}

#[test]
fn dropping_the_watch_frees_the_keys_at_once_and_ends_the_thread() {
    let keyboard = FakeKeyboard::new();
    for _ in 0..5 {
        let (watch, refused, pressed) = watched(&["ctrl+alt+h"]);
        assert_eq!(refused, [], "the watch before still held the key");
        drop(watch);
        keyboard.chord(&[CONTROL, ALT, u32::from(b'h')]);
        assert_eq!(pressed.recv_timeout(Duration::from_millis(300)).ok(), None);
    }
    let start = Instant::now();
    while threads() > 0 {
        assert!(start.elapsed() < Duration::from_millis(500), "a thread still runs half a second after the drop");
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
fn a_change_of_the_layout_keeps_the_hot_key() {
    let keyboard = FakeKeyboard::new();
    let (_watch, refused, pressed) = watched(&["ctrl+alt+u"]);
    assert_eq!(refused, []);
    let (u, spare) = (keyboard.keycode(u32::from(b'u')), keyboard.connection.setup().max_keycode);
    let width = keyboard.connection.get_keyboard_mapping(u, 1).unwrap().reply().unwrap().keysyms_per_keycode;
    let set = |keycode: Keycode, symbol: u32| {
        let mut row = vec![0; width.into()];
        row[0] = symbol;
        keyboard.connection.change_keyboard_mapping(1, keycode, width, &row).unwrap();
        keyboard.connection.sync().unwrap();
    };
    let before = keyboard.connection.get_keyboard_mapping(u, 1).unwrap().reply().unwrap().keysyms;
    set(u, 0);
    set(spare, u32::from(b'u'));
    std::thread::sleep(Duration::from_millis(300));
    keyboard.chord(&[CONTROL, ALT, u32::from(b'u')]);
    let moved = next(&pressed);
    set(spare, 0);
    keyboard.connection.change_keyboard_mapping(1, u, width, &before).unwrap();
    keyboard.connection.sync().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    keyboard.chord(&[CONTROL, ALT, u32::from(b'u')]);
    assert_eq!((moved, next(&pressed)), (Some(0), Some(0)));
}

// SES-6, KER-9
#[test]
fn a_key_that_the_new_layout_lacks_is_told_as_lost_and_one_that_was_refused_is_not_ses_6_ker_9() {
    let keyboard = FakeKeyboard::new();
    let (tell, lost) = channel();
    let tells = tell.clone();
    let watch = |names: &[&str], tell: std::sync::mpsc::Sender<()>| {
        let lost = Box::new(move || {
            let _ = tell.send(());
        });
        X11HotKeys::new().watch_until_lost(&keys(names), Box::new(|_| {}), lost).unwrap()
    };
    let (_first, _, _) = watched(&["ctrl+alt+w"]);
    let (_second, refused) = watch(&["ctrl+alt+w", "ctrl+alt+q"], tell);
    assert_eq!(refused.len(), 1, "{refused:?}");
    let q = keyboard.keycode(u32::from(b'q'));
    let map = keyboard.connection.get_keyboard_mapping(q, 1).unwrap().reply().unwrap();
    let change = |row: &[u32]| {
        keyboard.connection.change_keyboard_mapping(1, q, map.keysyms_per_keycode, row).unwrap();
        keyboard.connection.sync().unwrap();
    };
    // A change without effect: that another program still has the first key is no loss.
    change(&map.keysyms);
    let at_once = lost.recv_timeout(Duration::from_millis(500));
    change(&vec![0; map.keysyms.len()]);
    let gone = lost.recv_timeout(Duration::from_secs(2));
    change(&map.keysyms);
    assert!(at_once.is_err(), "nothing was lost");
    assert!(gone.is_ok(), "the loss was not told");
    // Dropping a watch is not a loss.
    let (third, refused) = watch(&["ctrl+alt+y"], tells);
    assert_eq!(refused, []);
    drop(third);
    assert!(lost.recv_timeout(Duration::from_millis(300)).is_err());
}

fn threads() -> usize {
    let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
    let name = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("comm")).unwrap_or_default();
    tasks.map(name).filter(|name| name.trim() == "luna-hot-key").count()
}

// FOC-5
#[test]
fn a_key_that_is_observed_is_told_without_modifiers_only_and_stays_free_foc_5() {
    const ESCAPE: u32 = 0xff1b;
    let keyboard = FakeKeyboard::new();
    let observe = || {
        let (sender, pressed) = channel();
        let press = Box::new(move || {
            let _ = sender.send(0);
        });
        (X11HotKeys::new().observe(HotKeyCode::Escape, press).unwrap(), pressed)
    };
    let ((watch, first), (_second, second)) = (observe(), observe());
    keyboard.chord(&[ESCAPE]);
    assert_eq!((next(&first), next(&second)), (Some(0), Some(0)), "both hear of it");
    keyboard.chord(&[CONTROL, ESCAPE]);
    keyboard.chord(&[u32::from(b'h')]);
    assert_eq!(next(&first), None);
    // The key is not taken away from other programs: it can still be grabbed, and is observed even then.
    let (_grab, refused, grabbed) = watched(&["escape"]);
    assert_eq!(refused, []);
    keyboard.chord(&[ESCAPE]);
    assert_eq!((next(&grabbed), next(&first)), (Some(0), Some(0)));
    drop(watch);
    keyboard.chord(&[ESCAPE]);
    assert_eq!((next(&grabbed), next(&first)), (Some(0), None));
}

/// What is observed of the keyboard, with `own` as Luna's hot keys.
fn keyboard_changes(own: &[&str]) -> (Watch, Receiver<KeyEvent>) {
    let (sender, changes) = channel();
    let changed = Box::new(move |event| {
        let _ = sender.send(event);
    });
    (X11HotKeys::new().observe_keyboard(&keys(own), changed, Box::new(|| {})).unwrap(), changes)
}

/// The next `count` changes.
fn next_changes(changes: &Receiver<KeyEvent>, count: usize) -> Vec<KeyEvent> {
    (0..count).map_while(|_| changes.recv_timeout(Duration::from_secs(2)).ok()).collect()
}

fn kinds(events: &[KeyEvent]) -> Vec<KeyChange> {
    events.iter().map(|event| event.change).collect()
}

const fn down(side: CtrlSide, alone: bool) -> KeyChange {
    KeyChange::CtrlDown { side, alone }
}

const fn up(side: CtrlSide) -> KeyChange {
    KeyChange::CtrlUp { side }
}

// ATT-6
#[test]
fn a_tap_of_ctrl_is_told_from_ctrl_with_another_key_att_6() {
    use CtrlSide::{Left, Right};
    const CONTROL_R: u32 = 0xffe4;
    let keyboard = FakeKeyboard::new();
    let (watch, changes) = keyboard_changes(&["ctrl+alt+u"]);
    let start = Instant::now();
    keyboard.send(PRESS, CONTROL);
    std::thread::sleep(Duration::from_millis(60));
    keyboard.send(RELEASE, CONTROL);
    let tap = next_changes(&changes, 2);
    assert_eq!(kinds(&tap), [down(Left, true), up(Left)]);
    let held = u128::from(tap[1].at_ms.wrapping_sub(tap[0].at_ms));
    assert!((50..=start.elapsed().as_millis() + 2).contains(&held), "{held} ms");
    keyboard.chord(&[CONTROL_R]);
    assert_eq!(kinds(&next_changes(&changes, 2)), [down(Right, true), up(Right)]);
    // Ctrl+C; then Ctrl while C is still held.
    keyboard.send(PRESS, CONTROL);
    keyboard.send(PRESS, u32::from(b'c'));
    keyboard.send(RELEASE, CONTROL);
    keyboard.chord(&[CONTROL]);
    keyboard.send(RELEASE, u32::from(b'c'));
    let combined = kinds(&next_changes(&changes, 5));
    assert_eq!(combined[1..], [KeyChange::Typed, up(Left), down(Left, false), up(Left)]);
    // One of Luna's hot keys is not typed; neither is a modifier or a button of the pointer.
    keyboard.chord(&[CONTROL, ALT, u32::from(b'u')]);
    let own = kinds(&next_changes(&changes, 4));
    assert_eq!(own[1..], [KeyChange::Combined, KeyChange::Combined, up(Left)]);
    let button = |kind| {
        keyboard.connection.xtest_fake_input(kind, 1, 0, keyboard.root, 0, 0, 0).unwrap();
        keyboard.connection.sync().unwrap();
    };
    button(4);
    assert_eq!(kinds(&next_changes(&changes, 1)), [KeyChange::Combined]);
    keyboard.chord(&[CONTROL]);
    button(5);
    assert_eq!(kinds(&next_changes(&changes, 2)), [down(Left, false), up(Left)]);
    // No key was taken: it can be grabbed, and is observed even then.
    let (_grab, refused, pressed) = watched(&["ctrl+alt+b"]);
    assert_eq!(refused, []);
    keyboard.chord(&[CONTROL, ALT, u32::from(b'b')]);
    assert_eq!(next(&pressed), Some(0));
    assert_eq!(kinds(&next_changes(&changes, 4))[1..], [KeyChange::Combined, KeyChange::Typed, up(Left)]);
    drop(watch);
    keyboard.chord(&[CONTROL]);
    // The thread ends, and with it the sender.
    let left: Vec<KeyEvent> = changes.iter().collect();
    assert_eq!(kinds(&left), []);
}

// ATT-6
#[test]
fn watching_the_keyboard_costs_nothing_while_nobody_types_att_6() {
    let _keyboard = FakeKeyboard::new();
    let (_watch, _changes) = keyboard_changes(&[]);
    let thread = || {
        let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
        let named = |task: &std::fs::DirEntry| {
            std::fs::read_to_string(task.path().join("comm")).is_ok_and(|name| name.trim() == "luna-key-events")
        };
        tasks.filter(named).map(|task| task.path()).next()
    };
    let begin = Instant::now();
    let task = loop {
        if let Some(task) = thread() {
            break task;
        }
        assert!(begin.elapsed() < Duration::from_secs(2), "no thread");
        std::thread::yield_now();
    };
    // Voluntary switches: how often the thread went to sleep.
    let sleeps = || {
        let status = std::fs::read_to_string(task.join("status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:")).unwrap();
        line.trim().parse::<u64>().unwrap()
    };
    std::thread::sleep(Duration::from_millis(100));
    let before = sleeps();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(sleeps(), before, "it woke up");
}
