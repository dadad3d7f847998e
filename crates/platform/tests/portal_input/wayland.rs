//! A whole Wayland session without a display: sway, a field of GTK 3, and what its accessibility tree tells of it. The portal is
//! the double, which hands the keys to sway by `wtype`.

use std::collections::BTreeSet;
use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Instant;

use luna_messages::Rect;
use luna_messages::element::State;
use luna_messages::element_action::{ActionResult, ElementAction};
use luna_messages::input::InputRefusal;
use luna_messages::pick::{Element, Role, WindowInfo};
use luna_platform::accessibility::Accessibility as _;
use luna_platform::accessibility::actions::ElementActions as _;
use luna_platform::accessibility::linux::AtSpi;

use super::*;

const PATIENCE: Duration = Duration::from_secs(10);
const BACKSPACE: u32 = 0xff08;

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures")
}

// EXE-4, SES-2
#[test]
fn a_field_of_a_wayland_program_gets_the_text_by_the_portal_exe_4_ses_2() {
    // The session may run as another user, who can't read this checkout.
    let folder = std::env::temp_dir().join(format!("luna-portal-wayland-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    for file in ["gtk3_form.py", "gtk3_input.py", "wayland_session.sh"] {
        std::fs::copy(fixtures().join(file), folder.join(file)).unwrap();
    }
    std::fs::copy(std::env::current_exe().unwrap(), folder.join("test")).unwrap();
    let done = Command::new("timeout")
        .arg("60")
        .arg(folder.join("wayland_session.sh"))
        .arg(folder.join("test"))
        .args(["--exact", "wayland::in_a_wayland_session", "--nocapture"])
        .env("LUNA_TEST_FIXTURES", &folder)
        .output()
        .unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && said.contains("typed in a Wayland session"), "{said}");
}

/// A window of GTK 3, ended on drop.
struct WaylandProgram {
    child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
}

impl WaylandProgram {
    fn start(script: &str, title: &str) -> Self {
        let python = if std::path::Path::new("/usr/bin/python3").exists() { "/usr/bin/python3" } else { "python3" };
        let mut child = Command::new(python)
            .arg(PathBuf::from(std::env::var_os("LUNA_TEST_FIXTURES").unwrap()).join(script))
            .arg(title)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{python} is needed for the windows: {error}"));
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut program = Self { child, lines };
        program.says("READY");
        program
    }

    fn tell(&mut self, command: &str) {
        let stdin = self.child.stdin.as_mut().unwrap();
        writeln!(stdin, "{command}").unwrap();
        stdin.flush().unwrap();
    }

    /// Waits for this line.
    fn says(&mut self, line: &str) {
        let said = self.lines.by_ref().map_while(Result::ok).any(|said| said == line);
        assert!(said, "{line} was not said: are python3-gi and gir1.2-gtk-3.0 installed?");
    }
}

impl Drop for WaylandProgram {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hands a key that goes down to sway, with the modifiers that are down.
fn hand_to_sway(held: &mut BTreeSet<&'static str>, (symbol, is_down): PortalKey) {
    if let Some(modifier) = match symbol {
        CTRL => Some("ctrl"),
        SHIFT => Some("shift"),
        _ => None,
    } {
        if is_down {
            held.insert(modifier)
        } else {
            held.remove(modifier)
        };
        return;
    }
    if !is_down {
        return;
    }
    let mut arguments: Vec<String> = held.iter().flat_map(|modifier| ["-M", modifier].map(str::to_owned)).collect();
    let is_character = !(0xff00..0x0100_0000).contains(&symbol);
    match (symbol, char::from_u32(symbol & 0x00ff_ffff).filter(|_| is_character)) {
        (ENTER, _) => arguments.extend(["-k", "Return"].map(str::to_owned)),
        (BACKSPACE, _) => arguments.extend(["-k", "BackSpace"].map(str::to_owned)),
        (_, Some(character)) => arguments.push(character.to_string()),
        (other, None) => panic!("no name for the key {other:#x}"),
    }
    held.iter().for_each(|modifier| arguments.extend(["-m", modifier].map(str::to_owned)));
    assert!(Command::new("wtype").args(arguments).status().expect("wtype is needed (Debian package wtype)").success());
}

async fn active(tree: &AtSpi, title: &str) -> WindowInfo {
    let start = Instant::now();
    loop {
        let windows = tree.active_windows().await.unwrap();
        if let Some(window) = windows.last().filter(|window| window.title == title) {
            return window.clone();
        }
        assert!(start.elapsed() < PATIENCE, "{title:?} is not active: {windows:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until the field with the focus holds this.
async fn holds(tree: &AtSpi, text: &str) {
    let start = Instant::now();
    loop {
        let focused = tree.focused().await.unwrap().map(|change| change.element.text);
        if focused.as_deref() == Some(text) {
            return;
        }
        assert!(start.elapsed() < PATIENCE, "the field holds {focused:?} instead of {text:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The part of the test above that runs in the session; elsewhere it does nothing.
#[tokio::test(flavor = "multi_thread")]
async fn in_a_wayland_session() {
    if std::env::var_os("LUNA_TEST_FIXTURES").is_none() {
        return;
    }
    assert!(std::env::var_os("DISPLAY").is_none());
    let portal =
        tokio::task::block_in_place(|| ScriptedPortal::start(&std::env::var("DBUS_SESSION_BUS_ADDRESS").unwrap(), &[]));
    let mut down = BTreeSet::new();
    portal.on_key(move |_, key| hand_to_sway(&mut down, key));
    let mut form = WaylandProgram::start("gtk3_form.py", "Wayland 양식");
    let (tree, input) = (AtSpi::new(), luna_platform::input::system());
    form.tell("focus name");
    holds(&tree, "").await;
    let window = active(&tree, "Wayland 양식").await;
    // What is in the window can be asked and acted on, but nobody tells where it is.
    let listed = tree.window_elements_to_act_on(&window).await.unwrap();
    let named = |role: Role, name: &str| {
        let is_it = |element: &Element| element.role == role && (element.label == name || element.text == name);
        listed.elements.iter().map(|one| &one.element).find(|element| is_it(element)).unwrap()
    };
    let field = named(Role::Edit, "Name 이름").clone();
    assert_eq!((listed.focused.as_ref(), listed.is_complete, field.bbox), (Some(&field.id), false, Rect::default()));
    let box_id = named(Role::CheckBox, "I agree 동의합니다").id.clone();
    let toggled = tree.act(&box_id, ElementAction::Toggle, &free()).await;
    assert_eq!(toggled, Ok(ActionResult::Accepted));
    assert!(tree.inspect(&box_id).await.unwrap().element.properties.states.contains(State::Checked));
    assert!(tree.click_point(&box_id).await.is_err());
    // Luna chose the portal by itself, and the application told what arrived.
    let typed = input.type_text(&EnteredText("안녕 abc".to_owned()), window.handle, &free());
    assert_eq!(typed, Ok(InputResult::Done));
    holds(&tree, "안녕 abc").await;

    // Another window is in front: what is for the first one goes nowhere.
    let mut other = WaylandProgram::start("gtk3_input.py", "Keys 글쇠");
    let front = active(&tree, "Keys 글쇠").await;
    assert_ne!(front.handle, window.handle);
    let keys = portal.keys().len();
    let refused = input.type_text(&EnteredText("x".to_owned()), window.handle, &free());
    assert!(matches!(refused, Ok(InputResult::NotDone(InputRefusal::NotFocused { .. }))), "{refused:?}");
    assert_eq!(portal.keys().len(), keys);
    other.tell("keys");
    other.says("FLUSHED");
    for (keys, told) in [("ctrl+s", "<Primary>s"), ("backspace", "BackSpace"), ("enter", "Return")] {
        assert_eq!(input.press(&chord(keys), 1, front.handle, &free()), Ok(InputResult::Done));
        other.says(&format!(r#"{{"who": "key", "what": "{told}"}}"#));
    }
    let token = PathBuf::from(std::env::var_os("HOME").unwrap()).join(".local/state/luna/portal-token");
    assert_eq!(std::fs::read_to_string(token).unwrap(), "consent-1");
    println!("typed in a Wayland session");
    tokio::task::block_in_place(|| drop(portal));
}
