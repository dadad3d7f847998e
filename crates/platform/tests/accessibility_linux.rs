//! The accessibility tree of a real desktop: GTK 3, GTK 4 and Chromium windows with known texts, queried as Luna does.
//!
//! Needs a desktop session (X display, session bus, accessibility bus, window manager), `python3-gi`, the GTK 3 and 4
//! bindings, and Chromium. If something is missing, the test fails and names it.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use luna_messages::pick::{Element, Role};
use luna_messages::uia::RowsExtent;
use luna_messages::{Point, Rect};
use luna_platform::PlatformError;
use luna_platform::accessibility::linux::AtSpi;
use luna_platform::accessibility::{Accessibility, AtPoint};
use tokio::sync::{Mutex, MutexGuard};

use browser::Browser;

/// The tests share one desktop and take turns, so that windows don't cover each other.
static DESKTOP_LOCK: Mutex<()> = Mutex::const_new(());
/// The content of the password fields of all samples.
const SECRET: &str = "hunter2";
const SECRET_KO: &str = "비밀";

async fn desk() -> MutexGuard<'static, ()> {
    for variable in ["DISPLAY", "DBUS_SESSION_BUS_ADDRESS"] {
        let is_set = std::env::var(variable).is_ok_and(|value| !value.is_empty());
        assert!(is_set, "{variable} is not set: this test needs a desktop session with X, D-Bus and at-spi2-core");
    }
    DESKTOP_LOCK.lock().await
}

fn fixture(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures").join(name);
    path.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A running sample, ended on drop.
struct SampleApp {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    places: HashMap<String, Rect>,
}

impl SampleApp {
    fn start(name: &str, title: &str, at: Point) -> Self {
        Self::start_with(name, title, at, &[])
    }

    fn start_with(name: &str, title: &str, at: Point, more: &[&str]) -> Self {
        Self::start_in(name, title, at, more, &[])
    }

    /// With changes to the environment.
    fn start_in(name: &str, title: &str, at: Point, more: &[&str], environment: &[(&str, &str)]) -> Self {
        // Debian's packages of the bindings work only with Debian's own interpreter.
        let python = if std::path::Path::new("/usr/bin/python3").exists() { "/usr/bin/python3" } else { "python3" };
        let mut child = Command::new(python)
            .arg(fixture(name))
            .args([title, &at.x.to_string(), &at.y.to_string()])
            .args(more)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{python} is needed for the sample windows: {error}"));
        let (sender, lines) = channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let stdin = child.stdin.take();
        let mut sample = Self { child, stdin, lines, places: HashMap::new() };
        sample.wait_for("READY");
        sample
    }

    /// Reads the positions that the sample prints until it prints `word`.
    fn wait_for(&mut self, word: &str) {
        loop {
            let line = self.lines.recv_timeout(Duration::from_secs(60));
            let line = line.unwrap_or_else(|_| {
                panic!("the sample did not print {word}: are python3-gi and gir1.2-gtk-3.0/4.0 installed?")
            });
            if line == word {
                return;
            }
            let place: serde_json::Value = serde_json::from_str(&line).unwrap();
            let number = |key: &str| i32::try_from(place[key].as_i64().unwrap()).unwrap();
            let rect = Rect::new(number("x"), number("y"), number("width"), number("height"));
            self.places.insert(place["name"].as_str().unwrap().to_owned(), rect);
        }
    }

    fn tell(&mut self, command: &str) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{command}").unwrap();
        stdin.flush().unwrap();
    }

    fn place(&self, name: &str) -> Rect {
        *self.places.get(name).unwrap_or_else(|| panic!("the sample has no {name}"))
    }

    fn signal(&self, signal: &str) {
        let done = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(done.success());
    }
}

impl Drop for SampleApp {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // The X server takes a moment to remove the window.
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn region(point: Point) -> Rect {
    Rect::new(point.x - 120, point.y - 120, 240, 240)
}

async fn pick(tree: &AtSpi, point: Point) -> Result<AtPoint, PlatformError> {
    let start = Instant::now();
    let answer = tree.at_point(point, region(point)).await;
    assert!(start.elapsed() < Duration::from_millis(1000), "a pick took {:?}", start.elapsed());
    answer
}

async fn element(tree: &AtSpi, what: &str, point: Point) -> Element {
    match pick(tree, point).await {
        Ok(AtPoint::Element(element)) => element,
        other => panic!("{what} at {point:?}: {other:?}"),
    }
}

async fn rows(tree: &AtSpi, what: &str, point: Point, extent: RowsExtent) -> Element {
    match tree.rows_at(point, extent).await {
        Ok(AtPoint::Element(element)) => element,
        other => panic!("{what} at {point:?}: {other:?}"),
    }
}

fn assert_no_secret(what: &str, shown: &impl std::fmt::Debug) {
    let shown = format!("{shown:?}");
    assert!(!shown.contains(SECRET), "{what} holds the secret: {shown}");
    // The field's label contains the word as well; only the combination is the secret.
    assert!(!shown.contains(&format!("2-{SECRET_KO}")), "{what} holds the secret: {shown}");
    assert!(!shown.contains('●') && !shown.contains('•'), "{what} holds the bullets of the secret: {shown}");
}

/// Probes points all over a window: no answer, and none of its lines, contains the secret.
async fn sweep(tree: &AtSpi, window: Rect, password: Rect, what: &str) {
    let mut protected = 0;
    for y in (window.y + 8..window.bottom()).step_by(24) {
        for x in (window.x + 8..window.right()).step_by(90) {
            let answer = pick(tree, Point::new(x, y)).await;
            assert_no_secret(what, &answer);
            if matches!(answer, Ok(AtPoint::Protected(_))) {
                protected += 1;
            }
        }
    }
    assert!(protected > 0, "{what}: no point of the password field was told to be protected");
    let info = tree.window_at(password.center()).await.unwrap().unwrap();
    let lines = tree.window_lines(&info).await.unwrap().lines;
    assert!(lines.len() > 5, "{what}: {lines:?}");
    assert_no_secret(what, &lines);
    let boxes = tree.protected_boxes(&info, window).await.unwrap();
    assert!(boxes.iter().any(|found| found.contains(password.center())), "{what}: {boxes:?} miss {password:?}");
    let far = Rect::new(password.x, password.y - 90, 30, 20);
    assert_eq!(tree.protected_boxes(&info, far).await, Ok(Vec::new()), "{what}");
}

// PIC-1
#[tokio::test(flavor = "multi_thread")]
async fn elements_of_gtk_3_are_found_with_their_texts_pic_1() {
    let _desk = desk().await;
    let sample = SampleApp::start("gtk3_sample.py", "Picks 고르기", Point::new(60, 60));
    let tree = AtSpi::new();
    tree.check().await.unwrap();
    let cases = [
        ("label_en", Role::Text, "The quick brown fox jumps over the lazy dog."),
        ("label_ko", Role::Text, "다람쥐 헌 쳇바퀴에 타고파."),
        ("button", Role::Button, "Send report 보고서 보내기"),
        ("disabled", Role::Button, "Not now 지금은 안 됨"),
        ("check", Role::CheckBox, "Notifications 알림 받기"),
        ("radio", Role::RadioButton, "Daily 매일"),
        ("link", Role::Button, "Open the manual 설명서"),
        ("entry", Role::Edit, "Seoul station 서울역"),
        ("combo", Role::ComboBox, "Bus 버스"),
        ("scale", Role::Slider, "42"),
        ("menu_file", Role::Menu, "File 파일"),
        ("tab_other", Role::Tab, "Other 그 밖"),
        ("task0", Role::ListItem, "우유 사기"),
        ("cell1_0", Role::Cell, "배 Pear"),
    ];
    for (name, role, text) in cases {
        let found = element(&tree, name, sample.place(name).center()).await;
        assert_eq!((found.role, found.text.as_str()), (role, text), "{name}");
        assert_eq!(found.enabled, name != "disabled", "{name}");
        assert!(found.bbox.contains(sample.place(name).center()), "{name}: {found:?}");
    }
    let window = tree.window_at(sample.place("button").center()).await.unwrap().unwrap();
    assert_eq!(window.title, "Picks 고르기");
    assert_eq!(window.process, sample.child.id());
    // A picture has no text in the tree: recognition may capture it, except for the password field that its region
    // intersects.
    let point = sample.place("picture").center();
    let hint = Rect::new(point.x - 200, point.y - 200, 400, 400);
    let Ok(AtPoint::NoText { window: under, protected }) = tree.at_point(point, hint).await else {
        panic!("the picture has a text")
    };
    assert_eq!(under, window);
    assert_eq!(protected.len(), 1);
    assert!(protected[0].contains(sample.place("password").center()));
    assert_eq!(pick(&tree, Point::new(1900, 1060)).await, Ok(AtPoint::NoWindow));
}

// OCR-4, ANN-3
#[tokio::test(flavor = "multi_thread")]
async fn cells_and_items_bring_their_rows_on_demand_ocr_4_ann_3() {
    let _desk = desk().await;
    let sample = SampleApp::start("gtk3_sample.py", "Rows 줄", Point::new(60, 60));
    let tree = AtSpi::new();
    let expect = [
        ["품목 Item", "값 Price"],
        ["사과 Apple", "1,200원"],
        ["배 Pear", "2,500원"],
        ["포도 Grape", "4,300원"],
        ["감 Persimmon", "900원"],
        ["귤 Tangerine", "700원"],
    ];
    for name in ["cell0_0", "cell3_1", "header1"] {
        let point = sample.place(name).center();
        // What is pointed at is the cell, not its table (ANN-3).
        assert_eq!(element(&tree, name, point).await.rows, Vec::<Vec<String>>::new());
        let table = rows(&tree, name, point, RowsExtent::Container).await;
        assert_eq!(table.rows, expect, "{name}");
        assert!(table.has_header, "{name}");
    }
    let row = rows(&tree, "row", sample.place("cell3_1").center(), RowsExtent::Row).await;
    assert_eq!(
        (row.rows, row.has_header, row.row),
        (vec![expect[0].map(str::to_owned).to_vec(), expect[4].map(str::to_owned).to_vec()], true, Some(1))
    );
    let point = sample.place("task2").center();
    let item = element(&tree, "task2", point).await;
    assert_eq!((item.text.as_str(), item.rows.len()), ("보고서 쓰기", 0));
    let list = rows(&tree, "list", point, RowsExtent::Container).await;
    assert_eq!(list.rows, [["우유 사기"], ["Call the dentist"], ["보고서 쓰기"], ["Water the plants"]]);
    assert!(!list.has_header);
    let item = rows(&tree, "item", point, RowsExtent::Row).await;
    assert_eq!((item.rows, item.row), (vec![vec!["보고서 쓰기".to_owned()]], Some(0)));
    let label = tree.rows_at(sample.place("label_en").center(), RowsExtent::Container).await;
    assert!(matches!(label, Ok(AtPoint::NoText { .. })), "{label:?}");
}

// PIC-1
#[tokio::test(flavor = "multi_thread")]
async fn the_offset_tells_the_line_under_the_pointer_pic_1() {
    let _desk = desk().await;
    let sample = SampleApp::start("gtk3_sample.py", "Lines 글줄", Point::new(60, 60));
    let tree = AtSpi::new();
    let expect = [
        "First line of the note.",
        "둘째 줄은 한국어입니다.",
        "Third line has the words seven and eight.",
        "마지막 줄입니다.",
    ];
    for (number, line) in expect.into_iter().enumerate() {
        let found = element(&tree, "note", sample.place(&format!("note_line{number}")).center()).await;
        assert_eq!(found.role, Role::Edit);
        let offset = found.offset.unwrap();
        let before: String = found.text.chars().take(offset).collect();
        assert_eq!(before.lines().count().max(1) - 1 + usize::from(before.ends_with('\n')), number, "{line}: {offset}");
    }
    // The whole window, in reading order (FOC-4).
    let window = tree.window_at(sample.place("note").center()).await.unwrap().unwrap();
    let lines = tree.window_lines(&window).await.unwrap().lines;
    let position = |text: &str| {
        lines.iter().position(|line| line.text == text).unwrap_or_else(|| panic!("{text:?} is not in {lines:?}"))
    };
    for pair in expect.windows(2) {
        assert!(position(pair[0]) < position(pair[1]));
    }
    assert!(position("The quick brown fox jumps over the lazy dog.") < position("다람쥐 헌 쳇바퀴에 타고파."));
    assert!(position("사과 Apple") < position("1,200원") && position("1,200원") < position("배 Pear"));
    let third = &lines[position(expect[2])];
    let place = sample.place("note_line2");
    assert!(third.bbox.contains(place.center()) && third.bbox.height < 2 * place.height, "{third:?} {place:?}");
}

// PIC-1
#[tokio::test(flavor = "multi_thread")]
async fn an_open_menu_is_read_pic_1() {
    let _desk = desk().await;
    let mut sample = SampleApp::start("gtk3_sample.py", "Menu 메뉴", Point::new(60, 60));
    let tree = AtSpi::new();
    sample.tell("menu");
    sample.wait_for("MENU");
    let found = element(&tree, "menu_open", sample.place("menu_open").center()).await;
    assert_eq!((found.role, found.text.as_str()), (Role::MenuItem, "Open document 문서 열기"));
    sample.tell("unmenu");
}

// PIC-6
#[tokio::test(flavor = "multi_thread")]
async fn ids_stay_the_same_pic_6() {
    let _desk = desk().await;
    let sample = SampleApp::start("gtk3_sample.py", "Ids 이름", Point::new(60, 60));
    let mut before = HashMap::new();
    for round in 0..2 {
        // A new connection each round, as after a restart of Luna.
        let tree = AtSpi::new();
        for _ in 0..2 {
            for name in ["label_en", "button", "entry", "cell0_0", "cell0_1", "task0", "task1", "note"] {
                let found = element(&tree, name, sample.place(name).center()).await;
                let id = before.entry(name).or_insert_with(|| found.id.clone());
                assert_eq!(*id, found.id, "{name} in round {round}");
            }
        }
    }
    let different: std::collections::HashSet<_> = before.values().collect();
    assert_eq!(different.len(), before.len());
}

// PIC-5
#[tokio::test(flavor = "multi_thread")]
async fn a_protected_field_of_gtk_3_is_never_read_pic_5() {
    let _desk = desk().await;
    let sample = SampleApp::start("gtk3_sample.py", "Secrets 3", Point::new(60, 60));
    let tree = AtSpi::new();
    let password = sample.place("password");
    assert!(
        matches!(pick(&tree, password.center()).await, Ok(AtPoint::Protected(found)) if found.bbox.contains(password.center()))
    );
    sweep(&tree, Rect::new(61, 80, 860, 640), password, "GTK 3").await;
}

// PIC-1
#[tokio::test(flavor = "multi_thread")]
async fn gtk_4_is_read_although_it_tells_no_desktop_coordinates_pic_1() {
    let _desk = desk().await;
    let sample = SampleApp::start("gtk4_sample.py", "Four 넷", Point::new(200, 150));
    let tree = AtSpi::new();
    let cases = [
        ("label_en", Role::Text, "The five boxing wizards jump quickly."),
        ("label_ko", Role::Text, "키스의 고유조건은 입술끼리 만나야 한다."),
        ("button", Role::Button, "Save 저장하기"),
        ("check", Role::CheckBox, "Remember me 기억하기"),
        ("entry", Role::Edit, "Busan harbour 부산항"),
        ("link", Role::Hyperlink, "Read more 더 읽기"),
        ("task1", Role::ListItem, "Call the dentist"),
    ];
    for (name, role, text) in cases {
        let found = element(&tree, name, sample.place(name).center()).await;
        assert_eq!((found.role, found.text.as_str()), (role, text), "{name}");
    }
    let list = rows(&tree, "list", sample.place("task1").center(), RowsExtent::Container).await;
    assert_eq!(list.rows, [["우유 사기"], ["Call the dentist"], ["보고서 쓰기"]]);
    let note = sample.place("note");
    let found = element(&tree, "note", Point::new(note.x + 40, note.y + 8)).await;
    assert!(found.text.contains("둘째 줄은 한국어입니다."), "{found:?}");
}

// PIC-5
#[tokio::test(flavor = "multi_thread")]
async fn a_protected_field_of_gtk_4_which_hands_it_out_is_never_read_pic_5() {
    let _desk = desk().await;
    let sample = SampleApp::start("gtk4_sample.py", "Secrets 4", Point::new(200, 150));
    let tree = AtSpi::new();
    protected::on_the_bus(&tree, sample.place("label_en").center()).await;
    let password = sample.place("password");
    let label = sample.place("label_en");
    // On a busy machine a newly started program may not be on the bus yet.
    let start = Instant::now();
    while !matches!(pick(&tree, label.center()).await, Ok(AtPoint::Element(_))) {
        assert!(start.elapsed() < Duration::from_secs(20), "the sample is not on the bus");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert!(matches!(pick(&tree, password.center()).await, Ok(AtPoint::Protected(_))));
    // In the tree, a field that only shows bullets looks ordinary; its label gives it away.
    let hidden = sample.place("hidden_entry");
    assert!(matches!(pick(&tree, hidden.center()).await, Ok(AtPoint::Protected(_))));
    sweep(&tree, Rect::new(label.x - 10, label.y - 10, 560, 470), password, "GTK 4").await;
    let window = tree.window_at(hidden.center()).await.unwrap().unwrap();
    let boxes = tree.protected_boxes(&window, window.bounds).await.unwrap();
    assert!(boxes.len() == 2 && boxes.iter().any(|found| found.contains(hidden.center())), "{boxes:?}");
}

#[path = "accessibility_linux/browser.rs"]
mod browser;
#[path = "accessibility_linux/candidates.rs"]
mod candidates;
#[path = "accessibility_linux/chromium.rs"]
mod chromium;
#[path = "accessibility_linux/faults.rs"]
mod faults;
#[path = "accessibility_linux/fields.rs"]
mod fields;
#[path = "accessibility_linux/inline.rs"]
mod inline;
#[path = "accessibility_linux/large.rs"]
mod large;
#[path = "accessibility_linux/protected.rs"]
mod protected;
#[path = "accessibility_linux/scale.rs"]
mod scale;
#[path = "accessibility_linux/tables.rs"]
mod tables;
#[path = "accessibility_linux/windows.rs"]
mod windows;
