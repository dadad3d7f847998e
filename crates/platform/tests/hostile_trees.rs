//! Pathological accessibility trees, as some applications have them: what pointing at them costs the application and
//! Luna.
//!
//! Needs a desktop session (X display, session bus, accessibility bus, window manager). The applications are doubles,
//! run by this test program on the real bus; one of them imitates LibreOffice Calc, which is too heavy to start here.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use luna_messages::pick::WindowInfo;
use luna_messages::{Point, Rect};
use luna_platform::PlatformError;
use luna_platform::accessibility::linux::AtSpi;
use luna_platform::accessibility::{Accessibility, AtPoint};
use tokio::sync::Mutex;

#[path = "hostile_trees/double.rs"]
mod double;

/// The tests share one desktop and take turns, so that windows don't cover each other.
static DESKTOP_LOCK: Mutex<()> = Mutex::const_new(());
/// Environment variable that selects the tree of a double.
const TREE: &str = "LUNA_TEST_DOUBLE_TREE";
/// Maximum number of bytes by which this process may grow during a query.
const MAX_GROWTH: u64 = 32 << 20;
/// Maximum number of calls, and of elements, of a query that is bounded only by its allowance.
const MAX_CALLS: u64 = 12_500;

/// An application double in a separate process, ended on drop.
struct Application {
    child: Child,
    stdin: ChildStdin,
    lines: Lines<BufReader<ChildStdout>>,
}

/// The work that queries caused in an application.
#[derive(Debug, Clone, Copy)]
struct CallCost {
    calls: u64,
    /// Calls whose cost grows with the number of invisible elements.
    endless: u64,
    sent: u64,
    milliseconds: u64,
    /// Number of distinct elements that were queried.
    elements: u64,
}

impl Application {
    fn start(tree: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "plays_the_application_double", "--nocapture", "--test-threads=1"])
            .env(TREE, tree)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let stdin = child.stdin.take().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut application = Self { child, stdin, lines };
        application.answer("READY ");
        application
    }

    /// The rest of the next line that contains `word`.
    fn answer(&mut self, word: &str) -> String {
        loop {
            let line = self.lines.next().expect("the double ended").unwrap();
            // The test harness may print text before `word` on the same line.
            if let Some((_, rest)) = line.split_once(word) {
                return rest.to_owned();
            }
        }
    }

    /// The cost since the previous call.
    fn cost(&mut self) -> CallCost {
        writeln!(self.stdin).unwrap();
        let numbers = self.answer("COST ");
        let mut numbers = numbers.split(' ').map(|number| number.parse().unwrap());
        let mut next = || numbers.next().unwrap();
        CallCost { calls: next(), endless: next(), sent: next(), milliseconds: next(), elements: next() }
    }
}

impl Drop for Application {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // The X server takes a moment to remove the window.
        std::thread::sleep(Duration::from_millis(150));
    }
}

// Does nothing by itself: the other tests run it as a separate program.
#[test]
fn plays_the_application_double() {
    if let Ok(tree) = std::env::var(TREE) {
        double::play(&tree);
    }
}

/// Peak memory of this process in bytes, since [`reset_peak_memory`].
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

fn reset_peak_memory() {
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
}

/// The double's window, once the window manager has mapped it.
async fn window(tree: &str) -> WindowInfo {
    let adapter = AtSpi::new();
    let started = Instant::now();
    loop {
        let seen = adapter.window_at(double::WINDOW.center()).await.unwrap();
        match seen {
            Some(window) if window.title == format!("Application double {tree}") => return window,
            _ => {}
        }
        assert!(started.elapsed() < Duration::from_secs(20), "not the window of {tree}, but {seen:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Makes every kind of query, each with its own adapter: an adapter that got no answer stops querying the application
/// for a while.
async fn ask_everything(tree: &str, application: &mut Application) -> Vec<(&'static str, String, CallCost)> {
    let middle = double::WINDOW.center();
    let corner = Point::new(double::WINDOW.x + 30, double::WINDOW.y + 50);
    let region = Rect::new(middle.x - 200, middle.y - 200, 400, 400);
    let window = window(tree).await;
    let mut outcomes: Vec<(&'static str, String, CallCost)> = Vec::new();
    let questions = ["at its middle", "at its corner", "lines", "elements", "protected"];
    // If the query can be answered, a busy machine may need several tries.
    let tries = |question| match (tree, question) {
        ("sheet", _) | ("long-text" | "own-object" | "linked", "at its middle") => 12,
        _ => 1,
    };
    for (question, try_number) in
        questions.into_iter().flat_map(|question| (0..tries(question)).map(move |number| (question, number)))
    {
        if try_number > 0
            && outcomes.last().is_some_and(|(last, answer, _)| *last == question && answer != "Err(NoAnswer)")
        {
            continue;
        }
        outcomes.retain(|(last, ..)| *last != question);
        let adapter = AtSpi::new();
        // The bus may still be delivering answers to abandoned calls.
        let started = Instant::now();
        while let Err(error) = adapter.check().await {
            assert!(started.elapsed() < Duration::from_secs(20), "{tree}, {question}: {error}");
        }
        settled(application);
        reset_peak_memory();
        let memory = peak_memory();
        let start = Instant::now();
        let answer = match question {
            "at its middle" => shown(adapter.at_point(middle, region).await),
            "at its corner" => shown(adapter.at_point(corner, region).await),
            "lines" => shown(adapter.window_lines(&window).await),
            "elements" => shown(adapter.window_elements(&window).await),
            _ => shown(adapter.protected_boxes(&window, region).await),
        };
        // More than four times the deadline of a query, because the machine may be busy.
        assert!(start.elapsed() < Duration::from_millis(4000), "{tree}, {question}: {:?}", start.elapsed());
        let grown = peak_memory().saturating_sub(memory);
        assert!(grown < MAX_GROWTH, "{tree}, {question}: Luna grew by {grown} bytes");
        // Calls sent before the deadline are answered after it.
        let cost = settled(application);
        assert_eq!(cost.endless, 0, "{tree}, {question}: {cost:?}");
        assert!(cost.calls < MAX_CALLS, "{tree}, {question}: {cost:?}");
        println!("{tree}, {question}: {cost:?}, {} ms, {} KiB", start.elapsed().as_millis(), grown >> 10);
        outcomes.push((question, answer, cost));
    }
    outcomes
}

fn shown<T: std::fmt::Debug>(answer: Result<T, PlatformError>) -> String {
    format!("{answer:?}")
}

/// The cost once no more calls arrive.
fn settled(application: &mut Application) -> CallCost {
    let mut whole = application.cost();
    loop {
        std::thread::sleep(Duration::from_millis(50));
        let more = application.cost();
        if more.calls == 0 {
            return whole;
        }
        whole = CallCost {
            calls: whole.calls + more.calls,
            endless: whole.endless + more.endless,
            sent: whole.sent + more.sent,
            milliseconds: whole.milliseconds + more.milliseconds,
            elements: whole.elements + more.elements,
        };
    }
}

// PIC-1, PIC-5, FOC-4, PIC-9
#[tokio::test(flavor = "multi_thread")]
async fn no_tree_costs_more_than_a_window_pic_1() {
    let _desk = DESKTOP_LOCK.lock().await;
    // For each tree: the maximum number of calls that its application has to answer, of elements that are queried, and
    // of bytes in the answers. Calls and elements that don't depend on time are bounded by about one and a half times
    // their actual number.
    let trees = [
        // Of each of its cells little is asked, and nothing that is the same for all.
        ("sheet", 450, 75, 4 << 20),
        ("siblings", 1100, 190, 4 << 20),
        ("unplaced", 1100, 190, 4 << 20),
        ("own-child", 300, 10, 4 << 20),
        ("cycle", 120, 10, 4 << 20),
        ("never-home", 2500, 190, 4 << 20),
        ("endless-hits", 400, 60, 4 << 20),
        ("frames", 1800, 400, 4 << 20),
        ("dense", MAX_CALLS, 600, 4 << 20),
        ("nested", 700, 40, 4 << 20),
        ("own-object", 60, 10, 4 << 20),
        ("linked", 100, 10, 4 << 20),
        ("deep", MAX_CALLS, MAX_CALLS, 4 << 20),
        ("wide", MAX_CALLS, MAX_CALLS, 16 << 20),
        ("long-text", MAX_CALLS, MAX_CALLS, 8 << 20),
        ("objects", MAX_CALLS, 400, 3 << 19),
        ("silent", 50, 10, 1 << 20),
        // These trees send more than was requested.
        ("long-answers", MAX_CALLS, MAX_CALLS, u64::MAX),
        ("more-than-counted", MAX_CALLS, MAX_CALLS, u64::MAX),
    ];
    for (tree, calls, elements, bytes) in trees {
        let mut application = Application::start(tree);
        let outcomes = ask_everything(tree, &mut application).await;
        for (question, answer, cost) in &outcomes {
            assert!(cost.calls < calls && cost.elements < elements, "{tree}, {question}: {cost:?}");
            assert!(cost.sent < bytes, "{tree}, {question}: {cost:?}");
            assert!(cost.milliseconds < 3000 || bytes == u64::MAX, "{tree}, {question}: {cost:?}");
            assert!(answer.len() < 1 << 20, "{tree}, {question}: an answer of {} bytes", answer.len());
        }
        let answers: Vec<&str> = outcomes.iter().map(|(_, answer, _)| answer.as_str()).collect();
        match tree {
            // Visible elements are reported in spite of the size.
            "sheet" => {
                assert!(answers[0].contains("R5C3"), "{}", answers[0]);
                for seen in ["R1C1\"", "R9C5\""] {
                    assert!(
                        answers[2].contains(seen) && answers[3].contains(seen),
                        "{tree} misses {seen}: {answers:?}"
                    );
                }
                assert_eq!(answers[4], "Ok([])");
            }
            "long-text" => assert!(answers[0].contains("긴 글"), "{:.200}", answers[0]),
            // A text embedded in itself is read once.
            "own-object" => assert!(answers[0].contains("\"가나\""), "{:.400}", answers[0]),
            "linked" => assert!(answers[0].contains("\"가Item 7나\""), "{:.400}", answers[0]),
            // A window that could not be searched is not reported as free of protected fields (PIC-5).
            "dense" | "never-home" => assert_eq!(answers[4], "Err(NoAnswer)"),
            "silent" => assert!(answers.iter().all(|answer| *answer == "Err(NoAnswer)"), "{answers:?}"),
            _ => {}
        }
    }
}

// PIC-5
#[tokio::test(flavor = "multi_thread")]
async fn a_search_for_protected_fields_that_cannot_be_finished_says_so_pic_5() {
    let _desk = DESKTOP_LOCK.lock().await;
    let _application = Application::start("hidden-far-below");
    let window = window("hidden-far-below").await;
    let answer = AtSpi::new().protected_boxes(&window, window.bounds).await;
    assert_eq!(answer, Err(PlatformError::NoAnswer));
    let at = AtSpi::new().at_point(window.bounds.center(), window.bounds).await;
    assert!(!matches!(at, Ok(AtPoint::NoText { .. })), "{at:?}");
}

// PIC-5
#[tokio::test(flavor = "multi_thread")]
async fn what_a_hidden_part_does_not_tell_is_not_taken_for_nothing_pic_5() {
    let _desk = DESKTOP_LOCK.lock().await;
    // Both trees have a hidden part with one element, which is a field or does not answer.
    for (tree, is_told) in [("hidden-field", true), ("hidden-silent", false)] {
        let _application = Application::start(tree);
        let window = window(tree).await;
        let answer = AtSpi::new().protected_boxes(&window, window.bounds).await;
        let is_right = match &answer {
            Ok(boxes) => is_told && boxes.len() == 1,
            Err(error) => !is_told && *error == PlatformError::NoAnswer,
        };
        assert!(is_right, "{tree}: {answer:?}");
    }
}
