//! The keyboard focus of a real desktop, followed by the accessibility tree's events, without any pointer (ATT-2).
//!
//! Needs a desktop session (X display, session bus, accessibility bus, window manager), `python3-gi`, the GTK 3 bindings,
//! `xdotool`, `sway` and `wtype`. If something is missing, the test fails and names it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use luna_messages::Rect;
use luna_messages::focus::FocusChange;
use luna_messages::pick::{Element, Role};
use luna_platform::PlatformError;
use luna_platform::accessibility::linux::AtSpi;
use luna_platform::accessibility::{Accessibility as _, AtPoint, FocusMove, Watch};
use tokio::sync::{Mutex, MutexGuard};

/// The tests share one desktop and take turns.
static DESKTOP_LOCK: Mutex<()> = Mutex::const_new(());
/// Limit of waiting for a move; a busy machine may take long.
const PATIENCE: Duration = Duration::from_secs(10);

async fn desk() -> MutexGuard<'static, ()> {
    for variable in ["DISPLAY", "DBUS_SESSION_BUS_ADDRESS"] {
        let is_set = std::env::var(variable).is_ok_and(|value| !value.is_empty());
        assert!(is_set, "{variable} is not set: this test needs a desktop session with X, D-Bus and at-spi2-core");
    }
    DESKTOP_LOCK.lock().await
}

/// The folder of the fixtures; another user's session has a copy.
fn fixtures() -> PathBuf {
    let own = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures");
    std::env::var_os("LUNA_TEST_FIXTURES").map_or_else(own, PathBuf::from)
}

/// The form of `tests/fixtures/gtk3_form.py`, ended on drop.
struct Form {
    child: Child,
    stdin: ChildStdin,
}

impl Form {
    fn start(title: &str) -> Self {
        let python = if std::path::Path::new("/usr/bin/python3").exists() { "/usr/bin/python3" } else { "python3" };
        let mut child = Command::new(python)
            .arg(fixtures().join("gtk3_form.py"))
            .arg(title)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{python} is needed for the form: {error}"));
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "READY\n", "are python3-gi and gir1.2-gtk-3.0 installed?");
        let stdin = child.stdin.take().unwrap();
        Self { child, stdin }
    }

    fn tell(&mut self, command: &str) {
        writeln!(self.stdin, "{command}").unwrap();
        self.stdin.flush().unwrap();
    }
}

impl Form {
    /// Moves the focus within the form until that is told. Returns the windows that were entered since.
    fn tells_focus(&mut self, moves: &Moves) -> Vec<String> {
        let (mut entered, patience) = (Vec::new(), Instant::now() + PATIENCE);
        self.tell("focus agree");
        loop {
            match moves.changes.recv_timeout(Duration::from_millis(700)) {
                // Its window may be told before, with what has the focus in it at first.
                Ok(found) => {
                    entered.extend(found.change.entered.into_iter().map(|window| window.label));
                    if found.change.element.text == "I agree 동의합니다" {
                        return entered;
                    }
                }
                // On a busy machine GTK 3 is active before it is connected to the bus, and never tells what moved until then.
                Err(RecvTimeoutError::Timeout) if patience > Instant::now() => {
                    self.tell("focus send");
                    self.tell("focus agree");
                }
                Err(error) => panic!("the form's focus was not told ({error})"),
            }
        }
    }
}

impl Drop for Form {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn press(key: &str) {
    let status = Command::new("xdotool").args(["key", key]).status();
    assert!(status.expect("xdotool is needed (Debian package xdotool)").success());
}

/// The moves of the focus from now on.
struct Moves {
    changes: Receiver<FocusMove>,
    lost: Receiver<PlatformError>,
    _watch: Watch,
}

impl Moves {
    async fn of(tree: &AtSpi) -> Self {
        let (changes, lost) = (channel(), channel());
        let moved = Box::new(move |change| drop(changes.0.send(change)));
        let gone = Box::new(move |error| drop(lost.0.send(error)));
        let watch = tree.watch_focus(moved, gone).await.unwrap();
        Self { changes: changes.1, lost: lost.1, _watch: watch }
    }

    /// The next move whose element fits.
    #[track_caller]
    fn to(&self, what: &str, fits: impl Fn(&Element) -> bool) -> FocusMove {
        let mut others = Vec::new();
        let until = Instant::now() + PATIENCE;
        loop {
            match self.changes.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(found) if fits(&found.change.element) => return found,
                Ok(other) => others.push(other.change),
                Err(error) => panic!("the focus did not move to {what} ({error}); but: {others:#?}"),
            }
        }
    }

    #[track_caller]
    fn next(&self) -> FocusChange {
        self.to("anything", |_| true).change
    }
}

fn is(element: &Element) -> (Role, &str, &str) {
    (element.role.general(), &element.label, &element.text)
}

// ATT-2, PIC-5, PIC-6
#[tokio::test(flavor = "multi_thread")]
async fn tab_moves_are_told_with_label_and_window_and_the_ids_of_picks_att_2_pic_5_pic_6() {
    let _desk = desk().await;
    let _form = Form::start("Form 양식");
    let tree = AtSpi::new();
    let moves = Moves::of(&tree).await;
    press("Tab");
    let FocusChange { entered, element } = moves.next();
    assert_eq!(is(&element), (Role::Edit, "Name 이름", ""));
    assert_eq!(entered.iter().map(is).collect::<Vec<_>>(), [(Role::Window, "Form 양식", "")]);
    press("Tab");
    let FocusChange { entered, element } = moves.next();
    assert_eq!(entered, []);
    assert_eq!(is(&element), (Role::Protected, "Password 비밀번호", ""));
    assert!(!format!("{element:?}").contains("hunter2"));
    press("Tab");
    let agree = moves.next().element;
    assert_eq!(is(&agree), (Role::CheckBox, "", "I agree 동의합니다"));
    // What the person does to it is told as well.
    press("space");
    assert_eq!(moves.next().element.id, agree.id);
    let Ok(AtPoint::Element(pointed)) = tree.at_point(agree.bbox.center(), Rect::default()).await else {
        panic!("nothing is at {:?}", agree.bbox)
    };
    assert_eq!((pointed.id, pointed.bbox), (agree.id, agree.bbox));
    press("Tab");
    assert_eq!(moves.next().element.role, Role::ComboBox, "the nameless button in the box is the box");
    press("Tab");
    let cell = moves.next().element;
    assert_eq!(cell.text, "Apple 사과", "{cell:?}");
    press("Down");
    assert_eq!(moves.next().element.text, "Pear 배");
}

// ATT-2
#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_is_told_with_title_and_text_and_a_menu_by_its_entries_att_2() {
    let _desk = desk().await;
    let mut form = Form::start("Asking 묻기");
    let tree = AtSpi::new();
    let moves = Moves::of(&tree).await;
    form.tell("ask");
    let FocusChange { entered, element } = moves.to("the answer", |found| found.text.contains("Yes")).change;
    assert_eq!(element.role.general(), Role::Button);
    let [dialog] = &entered[..] else { panic!("{entered:?}") };
    assert!(matches!(dialog.role, Role::Dialog | Role::Alert), "{dialog:?}");
    assert_eq!(dialog.label, "Question 질문");
    assert_eq!(dialog.text, "Delete the file? 파일을 지울까요? It can't be undone. 되돌릴 수 없어요.");
    press("Tab");
    assert_eq!(moves.next().entered, []);
    form.tell("answer");
    let back = moves.to("the form", |found| found.text == "Send 보내기").change;
    assert_eq!(back.entered.iter().map(|window| &*window.label).collect::<Vec<_>>(), ["Asking 묻기"]);
    press("F10");
    let menu = moves.to("the menu", |found| found.text == "File 파일").change;
    assert_eq!((menu.element.role.general(), menu.entered), (Role::MenuItem, Vec::new()));
    press("Down");
    moves.to("the entry", |found| found.text == "Open document 문서 열기");
    press("Down");
    moves.to("the next entry", |found| found.text == "Quit 끝내기");
    press("Escape");
    let back = moves.to("the form", |found| found.text == "Send 보내기").change;
    assert_eq!(back.entered, [], "a menu is not another window");
    // The list of a combo box is an active window, but its options belong to the form, which is active no longer.
    form.tell("focus city");
    moves.to("the combo box", |found| found.role == Role::ComboBox);
    press("space");
    let option = moves.to("the chosen option", |found| found.text == "Seoul 서울").change;
    assert_eq!((option.element.role.general(), option.entered), (Role::MenuItem, Vec::new()));
    press("Down");
    moves.to("the next option", |found| found.text == "Busan 부산");
    press("Escape");
    assert_eq!(moves.to("the combo box", |found| found.role == Role::ComboBox).change.entered, []);
}

// ATT-2, KER-11
#[tokio::test(flavor = "multi_thread")]
async fn a_burst_is_told_once_and_a_silent_application_delays_no_other_att_2_ker_11() {
    let _desk = desk().await;
    let mut silent = Form::start("Silent 조용한");
    let tree = AtSpi::new();
    let moves = Moves::of(&tree).await;
    silent.tell("burst send agree 50");
    moves.to("the last of the burst", |found| found.text == "I agree 동의합니다");
    assert!(matches!(moves.changes.recv_timeout(Duration::from_millis(150)), Err(RecvTimeoutError::Timeout)));
    let mut other = Form::start("Other 다른");
    let entered = other.tells_focus(&moves);
    assert_eq!(entered, ["Other 다른"]);
    // Its event is on the way while the focus moves elsewhere. It answers again only after the test.
    silent.tell("freeze send 30");
    let start = Instant::now();
    other.tell("focus send");
    moves.to("the other window", |found| found.text == "Send 보내기");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
}

// ATT-2
#[tokio::test(flavor = "multi_thread")]
async fn windows_that_are_not_active_and_ended_watches_are_silent_att_2() {
    let _desk = desk().await;
    let mut below = Form::start("Below 아래");
    let mut above = Form::start("Above 위");
    let tree = AtSpi::new();
    let here = tree.focused().await.unwrap().expect("the focus is somewhere");
    assert_eq!(here.element.text, "Send 보내기");
    assert_eq!(here.entered.iter().map(|window| &*window.label).collect::<Vec<_>>(), ["Above 위"]);
    let moves = Moves::of(&tree).await;
    below.tell("focus agree");
    above.tell("focus agree");
    let FocusChange { entered, .. } = moves.next();
    assert_eq!(entered.iter().map(|window| &*window.label).collect::<Vec<_>>(), ["Above 위"]);
    // After its program ended, the window below is active and tells where its focus is.
    drop(above);
    let FocusChange { entered, element } = moves.next();
    assert_eq!(entered.iter().map(|window| &*window.label).collect::<Vec<_>>(), ["Below 아래"]);
    assert_eq!(element.text, "I agree 동의합니다");
    let Moves { changes, lost, _watch } = moves;
    drop(_watch);
    below.tell("focus send");
    // The channels close when the watch's task has ended.
    assert_eq!(changes.recv_timeout(PATIENCE).err(), Some(RecvTimeoutError::Disconnected));
    assert!(lost.recv_timeout(PATIENCE).is_err(), "a watch that its owner ended was not lost");
}

// ATT-2, SES-2
#[test]
fn a_wayland_session_tells_the_focus_without_a_display_or_pointer_att_2_ses_2() {
    // The session may run as another user, who can't read this checkout.
    let folder = std::env::temp_dir().join(format!("luna-wayland-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    for file in ["gtk3_form.py", "wayland_session.sh"] {
        std::fs::copy(fixtures().join(file), folder.join(file)).unwrap();
    }
    std::fs::copy(std::env::current_exe().unwrap(), folder.join("test")).unwrap();
    let done = Command::new("timeout")
        .arg("60")
        .arg(folder.join("wayland_session.sh"))
        .arg(folder.join("test"))
        .args(["--exact", "in_a_wayland_session", "--nocapture"])
        .env("LUNA_TEST_FIXTURES", &folder)
        .output()
        .unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && said.contains("told in a Wayland session"), "{said}");
}

/// The part of the test above that runs in the session; elsewhere it does nothing.
#[tokio::test(flavor = "multi_thread")]
async fn in_a_wayland_session() {
    if std::env::var_os("LUNA_TEST_FIXTURES").is_none() {
        return;
    }
    assert!(std::env::var_os("DISPLAY").is_none());
    let mut form = Form::start("Wayland 양식");
    let tree = AtSpi::new();
    let titles = |change: &FocusChange| change.entered.iter().map(|window| window.label.clone()).collect::<Vec<_>>();
    let here = tree.focused().await.unwrap().expect("the focus is somewhere");
    assert_eq!((here.element.text.as_str(), titles(&here)), ("Send 보내기", vec!["Wayland 양식".to_owned()]));
    let moves = Moves::of(&tree).await;
    form.tell("focus name");
    let told = moves.next();
    assert_eq!((is(&told.element), titles(&told)), ((Role::Edit, "Name 이름", ""), vec!["Wayland 양식".to_owned()]));
    // Applications don't know their place on the screen.
    assert_eq!((told.element.bbox, told.entered[0].bbox), (Rect::default(), Rect::default()));
    form.tell("focus secret");
    assert_eq!(is(&moves.next().element), (Role::Protected, "Password 비밀번호", ""));
    form.tell("ask");
    let told = moves.to("the answer", |found| found.text.contains("Yes")).change;
    // GTK draws the title bar itself there, so that the title is one of the dialog's labels.
    assert!(told.entered[0].text.contains("Delete the file? 파일을 지울까요?"), "{told:?}");
    println!("told in a Wayland session");
}
