//! Fields that hide what was typed although the tree doesn't mark them (PIC-5).

use luna_messages::element::State;
use luna_messages::pick::{CaptureScope, RoleSet};
use x11rb::connection::Connection as _;
use x11rb::protocol::xproto::{ConnectionExt as _, CreateWindowAux, WindowClass};
use x11rb::rust_connection::RustConnection;

use super::*;

const HIDDEN: [&str; 12] = [
    "hidden_placeholder",
    "hidden_mnemonic",
    "hidden_token",
    "hidden_unnamed",
    "hidden_purpose",
    "hidden_nothing_shown",
    "hidden_other_mark",
    "hidden_disabled",
    "hidden_fixed",
    "hidden_icon",
    "hidden_selected",
    "hidden_combo",
];
const PLAIN: [(&str, &str); 6] = [
    ("plain", "Busan harbour 부산항"),
    ("plain_digits", "1111"),
    ("plain_search", "암호화폐 값"),
    ("plain_fixed", "Read only 읽기 전용"),
    ("plain_long", "long long"),
    ("plain_hint", "my first dog"),
];

/// Waits until the application at `point` is on the bus, which takes a while on a busy machine.
pub async fn on_the_bus(tree: &AtSpi, point: Point) {
    let start = Instant::now();
    while matches!(
        tree.at_point(point, Rect::default()).await,
        Ok(AtPoint::NoText { .. }) | Err(PlatformError::NoAnswer)
    ) {
        assert!(start.elapsed() < Duration::from_secs(30), "the application did not come onto the bus");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

async fn hidden_fields_are_kept(variant: &str) {
    let sample = SampleApp::start_with("gtk4_fields.py", &format!("Fields {variant}"), Point::new(60, 60), &[variant]);
    let tree = AtSpi::new();
    on_the_bus(&tree, sample.place("plain").center()).await;
    let mut wrong = Vec::new();
    for name in HIDDEN {
        let found = pick(&tree, sample.place(name).center()).await.unwrap();
        let debug_text = format!("{found:?}");
        if !matches!(found, AtPoint::Protected(_)) || debug_text.contains(SECRET) {
            wrong.push(format!("{name}: {debug_text}"));
        }
    }
    for (name, text) in PLAIN {
        let found = pick(&tree, sample.place(name).center()).await.unwrap();
        if !matches!(&found, AtPoint::Element(element) if element.text.contains(text)) {
            wrong.push(format!("{name}: {found:?}"));
        }
    }
    let window = tree.window_at(sample.place("plain").center()).await.unwrap().unwrap();
    let elements = tree.window_elements(&window).await.unwrap();
    let lines = tree.window_lines(&window).await.unwrap().lines;
    for (name, text) in PLAIN {
        if !elements.iter().any(|element| element.text.contains(text)) {
            wrong.push(format!("{name} is no candidate"));
        }
        if !lines.iter().any(|line| line.text.contains(text)) {
            wrong.push(format!("{name} is no line"));
        }
    }
    let debug_text = format!("{elements:?}{lines:?}");
    if debug_text.contains(SECRET) || debug_text.contains(SECRET_KO) {
        wrong.push("a secret is a candidate or a line".to_owned());
    }
    let searched = tree.search(Some(&window), window.bounds, CaptureScope::Window).await.unwrap();
    for name in HIDDEN {
        if !searched.hidden.iter().any(|hidden| hidden.contains(sample.place(name).center())) {
            wrong.push(format!("{name} is not hidden in pictures"));
        }
    }
    for (name, _) in PLAIN {
        if searched.hidden.iter().any(|hidden| hidden.contains(sample.place(name).center())) {
            wrong.push(format!("{name} is hidden in pictures"));
        }
    }
    assert!(wrong.is_empty(), "{variant}:\n{}", wrong.join("\n"));
}

// PIC-5, PRV-3
#[tokio::test(flavor = "multi_thread")]
async fn hidden_fields_of_gtk_4_are_protected_and_ordinary_ones_read_pic_5_prv_3() {
    let _desk = desk().await;
    for variant in ["light", "dark", "large"] {
        hidden_fields_are_kept(variant).await;
    }
}

// PRV-3
#[tokio::test(flavor = "multi_thread")]
async fn blocked_roles_are_protected_everywhere_until_they_are_allowed_again_prv_3() {
    let _desk = desk().await;
    let sample = SampleApp::start("gtk3_sample.py", "Blocked 막힘", Point::new(60, 60));
    let tree = AtSpi::new();
    let (button, label) = (sample.place("button").center(), sample.place("label_en").center());
    on_the_bus(&tree, label).await;
    let window = tree.window_at(button).await.unwrap().unwrap();
    tree.block_roles(RoleSet::default().with(Role::Button));
    assert!(matches!(pick(&tree, button).await, Ok(AtPoint::Protected(_))));
    assert!(matches!(pick(&tree, label).await, Ok(AtPoint::Element(_))));
    let searched = tree.search(Some(&window), window.bounds, CaptureScope::Window).await.unwrap();
    assert!(searched.hidden.iter().any(|hidden| hidden.contains(button)), "{searched:?}");
    assert!(!searched.hidden.iter().any(|hidden| hidden.contains(label)), "{searched:?}");
    let elements = tree.window_elements(&window).await.unwrap();
    assert!(!elements.is_empty() && elements.iter().all(|element| element.role != Role::Button));
    let lines = tree.window_lines(&window).await.unwrap().lines;
    assert!(!lines.is_empty() && lines.iter().all(|line| !line.text.contains("저장하기")), "{lines:?}");
    tree.block_roles(RoleSet::default());
    assert!(matches!(pick(&tree, button).await, Ok(AtPoint::Element(_))));
}

// PIC-5, SES-5
#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_covers_the_pointed_one_is_in_no_picture_of_it_pic_5_ses_5() {
    let _desk = desk().await;
    let below = SampleApp::start("gtk3_sample.py", "Below 아래", Point::new(60, 60));
    let above = SampleApp::start("gtk4_sample.py", "Above 위", Point::new(330, 240));
    let tree = AtSpi::new();
    let corner = below.place("label_en").center();
    on_the_bus(&tree, corner).await;
    on_the_bus(&tree, above.place("entry").center()).await;
    let window = tree.window_at(corner).await.unwrap().unwrap();
    assert_eq!(window.title, "Below 아래");
    let is_hidden = |hidden: &[Rect], point: Point| hidden.iter().any(|one| one.contains(point));
    let (password, hidden_entry) = (above.place("password").center(), above.place("hidden_entry").center());
    let region = window.bounds.union(above.place("password")).union(above.place("entry"));

    let searched = tree.search(Some(&window), region, CaptureScope::Window).await.unwrap();
    for name in ["password", "hidden_entry", "entry", "label_ko"] {
        assert!(is_hidden(&searched.hidden, above.place(name).center()), "{name} covers the window: {searched:?}");
    }
    assert!(is_hidden(&searched.hidden, below.place("password").center()));
    assert!(!is_hidden(&searched.hidden, corner));
    assert_eq!(searched.shown.len(), 2, "{searched:?}");

    // With the whole screen every window is searched, and nothing else is hidden.
    let searched = tree.search(Some(&window), region, CaptureScope::Screen).await.unwrap();
    assert!(is_hidden(&searched.hidden, password) && is_hidden(&searched.hidden, hidden_entry), "{searched:?}");
    assert!(is_hidden(&searched.hidden, below.place("password").center()));
    assert!(!is_hidden(&searched.hidden, above.place("entry").center()));
    assert!(!is_hidden(&searched.hidden, corner));
    // Also without a pointed window.
    let searched = tree.search(None, region, CaptureScope::Screen).await.unwrap();
    assert!(is_hidden(&searched.hidden, password) && is_hidden(&searched.hidden, hidden_entry), "{searched:?}");

    // An application that does not answer is hidden as a whole; if it is the pointed one, the search fails.
    above.signal("-STOP");
    let searched = AtSpi::new().search(Some(&window), region, CaptureScope::Screen).await.unwrap();
    assert!(is_hidden(&searched.hidden, above.place("entry").center()), "{searched:?}");
    above.signal("-CONT");
    below.signal("-STOP");
    let refused = AtSpi::new().search(Some(&window), region, CaptureScope::Window).await;
    assert_eq!(refused, Err(PlatformError::NoAnswer));
    below.signal("-CONT");
}

// SES-5
#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_moves_or_comes_changes_what_is_shown_ses_5() {
    use luna_platform::capture::{Capture as _, linux::X11Capture};
    let _desk = desk().await;
    let first = SampleApp::start("gtk3_sample.py", "First 첫째", Point::new(60, 60));
    let tree = AtSpi::new();
    let window = tree.window_at(first.place("label_en").center()).await.unwrap().unwrap();
    let capture = X11Capture::new();
    let searched = tree.search(Some(&window), window.bounds, CaptureScope::Window).await.unwrap();
    assert_eq!(capture.shown(window.bounds).unwrap(), searched.shown, "nothing changed");
    let second = SampleApp::start("gtk4_sample.py", "Second 둘째", Point::new(330, 240));
    assert_ne!(capture.shown(window.bounds).unwrap(), searched.shown, "a window came");
    let place = second.place("button");
    let elsewhere = Rect::new(place.x, 1000, 10, 10);
    assert!(capture.shown(elsewhere).unwrap().is_empty(), "nothing is shown where no window is");
}

// PIC-5
#[tokio::test(flavor = "multi_thread")]
async fn fields_that_a_page_masks_by_its_style_are_protected_pic_5() {
    let _desk = desk().await;
    let tree = AtSpi::new();
    let browser = Browser::start_page(&tree, "masked.html", "Masked", (Point::new(420, 29), "kept")).await;
    let mut wrong = Vec::new();
    for (top, text) in [(20, "plain text 평문"), (260, "1111"), (300, "oak tree")] {
        let found = pick(&tree, browser.at(120, top + 14)).await.unwrap();
        if !matches!(&found, AtPoint::Element(element) if element.text.contains(text)) {
            wrong.push(format!("{text}: {found:?}"));
        }
    }
    for top in [60, 100, 140, 180, 220] {
        let found = pick(&tree, browser.at(120, top + 14)).await.unwrap();
        let debug_text = format!("{found:?}");
        if !matches!(found, AtPoint::Protected(_)) || debug_text.contains(SECRET) {
            wrong.push(format!("{top}: {debug_text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An opaque window above all others that takes no focus, as an on-screen keyboard.
struct Cover {
    /// Its end removes the window.
    _connection: RustConnection,
}

impl Cover {
    fn over(place: Rect) -> Self {
        let (connection, screen) = x11rb::connect(None).unwrap();
        let (root, window) = (connection.setup().roots[screen].root, connection.generate_id().unwrap());
        let (x, y) = (i16::try_from(place.x).unwrap(), i16::try_from(place.y).unwrap());
        let (width, height) = (u16::try_from(place.width).unwrap(), u16::try_from(place.height).unwrap());
        let look = CreateWindowAux::new().override_redirect(1).background_pixel(0x0080_8080);
        let class = WindowClass::INPUT_OUTPUT;
        connection.create_window(0, window, root, x, y, width, height, 0, class, 0, &look).unwrap();
        connection.map_window(window).unwrap();
        // Waits until the server has shown it.
        connection.get_input_focus().unwrap().reply().unwrap();
        Self { _connection: connection }
    }
}

fn press(keys: &[&str]) {
    let status = Command::new("xdotool").arg("key").args(keys).status();
    assert!(status.expect("xdotool is needed (Debian package xdotool)").success());
}

/// What has the keyboard focus once it is at `place`.
async fn focused_at(tree: &AtSpi, place: Point) -> Element {
    let start = Instant::now();
    loop {
        let found = tree.focused().await.unwrap_or(None).map(|change| change.element);
        match found {
            Some(found) if found.bbox.contains(place) => return found,
            other => assert!(start.elapsed() < Duration::from_secs(20), "the focus is not at {place:?} but: {other:?}"),
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Runs the test named `test` without a display, so that no picture can be had.
fn without_display(test: &str) {
    let mut helper = Command::new(std::env::current_exe().unwrap());
    let output =
        helper.args(["--exact", "--nocapture", test]).env("LUNA_TEST_WITHOUT_DISPLAY", "1").env_remove("DISPLAY");
    let output = output.output().unwrap();
    assert!(
        output.status.success() && String::from_utf8_lossy(&output.stdout).contains("1 passed"),
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

// PIC-5, ATT-2
#[tokio::test(flavor = "multi_thread")]
async fn a_focused_field_that_nobody_sees_is_not_taken_for_plain_pic_5_att_2() {
    const NAME: &str = "protected::a_focused_field_that_nobody_sees_is_not_taken_for_plain_pic_5_att_2";
    let tree = AtSpi::new();
    if std::env::var_os("LUNA_TEST_WITHOUT_DISPLAY").is_some() {
        let found = tree.focused().await.unwrap().unwrap().element;
        assert_no_secret("a field without a picture", &found);
        assert_eq!((found.role, found.text.as_str()), (Role::Edit, ""), "{found:?}");
        assert!(found.properties.states.contains(State::Withheld), "{found:?}");
        return;
    }
    let _desk = desk().await;
    let browser = Browser::start_page(&tree, "masked.html", "Masked", (Point::new(420, 29), "kept")).await;
    let (masked, plain) = (browser.at(120, 194), browser.at(120, 274));
    press(&["shift+Tab"]);
    assert_eq!(focused_at(&tree, masked).await.role, Role::Protected);
    without_display(NAME);
    {
        let corner = browser.at(10, 170);
        let _cover = Cover::over(Rect::new(corner.x, corner.y, 330, 120));
        let covered = focused_at(&tree, masked).await;
        assert_no_secret("a covered field", &covered);
        assert_eq!(covered.role, Role::Protected, "{covered:?}");
        press(&["Tab", "Tab"]);
        let covered = focused_at(&tree, plain).await;
        assert_eq!((covered.role, covered.text.as_str()), (Role::Edit, "1111"), "{covered:?}");
    }
    assert_eq!(focused_at(&tree, plain).await.text, "1111");
    without_display(NAME);
}
