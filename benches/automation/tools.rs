//! The tools that programs call, beside the reference times of TOOL-4.

use std::time::{Duration, Instant};

use luna::control_client;
use luna::control_file::ControlFile;
use luna_messages::executor::OrderOutcome;
use luna_messages::tools::ToolReport;
use serde_json::{Value, json};

use crate::desktop::{ALT, CONTROL, SUPER, models};
use crate::scene::ActingScene;
use crate::times::Times;

/// At most: the person is asked each time, which takes seconds.
const ASKED_ROUNDS: usize = 12;
/// The X11 key symbol of the letter of `control.hot_keys.confirm`.
const LETTER_V: u32 = 0x76;
/// How fast the person reacts, and how long the keys are held.
const REACTS: Duration = Duration::from_millis(200);
const HOLDS: Duration = Duration::from_millis(60);
/// After an action the screen is read again; the next call does not meet that.
const SETTLES: Duration = Duration::from_millis(600);
/// The side of the region that is recognised, in pixels.
const SIDE: i64 = 480;
const TYPED: &str = "Luna writes 루나가 씁니다";
/// Models without which nothing is recognised.
const RECOGNITION: [&str; 3] = ["onnxruntime", "ppocr-v6-det-small", "ppocr-v6-rec-small"];

impl ActingScene {
    /// Calls a tool that only looks; its data, and milliseconds.
    fn look(&self, tool: &str, input: &Value) -> (Value, f64) {
        let begin = Instant::now();
        let report = call(&self.control, tool, input);
        (data(tool, report), begin.elapsed().as_secs_f64() * 1e3)
    }

    /// Calls a tool that acts, and says yes by key; milliseconds without those from the question to the yes.
    fn act(&self, tool: &str, input: &Value) -> f64 {
        self.luna.clear();
        let control = &self.control;
        std::thread::scope(|scope| {
            let begin = Instant::now();
            let calling = scope.spawn(move || (call(control, tool, input), Instant::now()));
            let question = self.luna.event("Executor.Question", |_| true);
            let before = begin.elapsed();
            // It counts as asked once it was spoken to its end.
            let asks = |data: &Value| {
                question["text"]
                    .as_str()
                    .is_some_and(|text| data["text"].as_str().is_some_and(|part| text.contains(part)))
            };
            self.luna.event("TTS.Start", asks);
            self.luna.event("TTS.Stop", |data| data["finished"] == true);
            std::thread::sleep(REACTS);
            self.mouse.hold(&[CONTROL, ALT, SUPER, LETTER_V], HOLDS);
            let yes = Instant::now();
            let (report, end) = calling.join().unwrap();
            if !report.success {
                println!("{}", self.luna.seen.lock().unwrap());
            }
            data(tool, report);
            (before + end.saturating_duration_since(yes)).as_secs_f64() * 1e3
        })
    }
}

fn call(control: &ControlFile, tool: &str, input: &Value) -> ToolReport {
    control_client::call_tool(control, tool.to_owned(), input.clone()).unwrap()
}

#[track_caller]
fn data(tool: &str, report: ToolReport) -> Value {
    assert!(report.success, "{tool}: {:?}", report.error);
    report.data.unwrap_or_default()
}

/// Beside a reference of `from` to `to` milliseconds.
fn row(name: &str, times: &Times, from: f64, to: f64) -> Value {
    let ours = times.quantile(0.5);
    let reference = if from.total_cmp(&to).is_eq() { format!("{from}") } else { format!("{from} to {to}") };
    let faster = from / ours;
    println!("{name:60} median {ours:8.2} ms  reference {reference} ms: {faster:.1} times as fast");
    json!({
        "name": format!("{name}, median"), "unit": "ms", "ours": ours, "peers": {"reference": reference},
        "ratio": format!("{:.3} ({faster:.1} times as fast)", ours / from), "goal": "≥ 3 times as fast",
    })
}

/// Calls each tool, and checks what it told or did.
pub fn measure(scene: &mut ActingScene, rounds: usize) -> Vec<Value> {
    let asked = rounds.min(ASKED_ROUNDS);
    let (_, focused) = (scene.silence(), scene.order("이름 눌러").0);
    assert_eq!(focused.outcome, OrderOutcome::Success, "{focused:?}");
    scene.silence();
    let screen = scene.look("read_screen", &json!({})).0;
    let place = |text: &str| bbox(&screen, text);
    let mut rows = vec![
        looks(scene, rounds, "echo", &json!({"text": "가나다"}), |data| data["text"] == "가나다", 1.0, 1.0),
        looks(
            scene,
            rounds,
            "screen_capture of the whole screen",
            &json!({"region": {"x": 0, "y": 0, "width": 1920, "height": 1080}}),
            |data| data["width"] == 1920 && data["base64"].as_str().is_some_and(|file| file.starts_with("iVBOR")),
            100.0,
            300.0,
        ),
    ];
    let [x, y, width, height] = place("Save");
    let region = json!({"region": {"x": x - 20, "y": y - SIDE / 4, "width": SIDE, "height": SIDE}});
    let missing: Vec<&str> = RECOGNITION.into_iter().filter(|model| !models().join(model).exists()).collect();
    if missing.is_empty() {
        scene.luna.wait_for_capability("text_recognition", "available");
        let found = |data: &Value| data["lines"].to_string().contains("Save");
        rows.push(looks(scene, rounds, "ocr of 480 by 480 pixels", &region, found, 500.0, 1000.0));
    }
    let save = json!({"who": "save", "what": "clicked"});
    let click = json!({"x": x + width / 2, "y": y + height / 2});
    rows.push(acts(scene, asked, ("click by coordinates", "click"), &click, &[save], (100.0, 200.0)));
    if missing.is_empty() {
        let stamp = json!({"who": "stamp", "what": "clicked"});
        rows.push(acts(
            scene,
            asked,
            ("click by text", "click"),
            &json!({"text": "Stamp"}),
            &[stamp],
            (1000.0, 2000.0),
        ));
    } else {
        let why = format!("not measured: {} is not in {}", missing.join(", "), models().display());
        println!("ocr, click by text: {why}");
        rows.push(json!({"name": "ocr, click by text", "ours": why}));
    }
    // A click took the focus away.
    scene.order("이름 눌러");
    scene.silence();
    rows.push(acts(scene, asked, ("type 19 characters", "type"), &json!({"text": TYPED}), &[], (50.0, 500.0)));
    let enter = json!({"who": "entry", "what": "activated"});
    rows.push(acts(scene, asked, ("key_press", "key_press"), &json!({"keys": "Enter"}), &[enter], (50.0, 100.0)));
    rows
}

fn looks(
    scene: &ActingScene,
    rounds: usize,
    name: &str,
    input: &Value,
    is_right: impl Fn(&Value) -> bool,
    from: f64,
    to: f64,
) -> Value {
    let (tool, mut times) = (name.split(' ').next().unwrap(), Times::default());
    for round in 0..=rounds {
        let (data, ms) = scene.look(tool, input);
        assert!(is_right(&data), "{name}: {data:#}");
        // The first call starts what it needs.
        if round > 0 {
            times.add(ms);
        }
    }
    row(name, &times, from, to)
}

/// `expected`: what the window has to tell each time; if it is empty, that [`TYPED`] was written once more.
fn acts(
    scene: &mut ActingScene,
    rounds: usize,
    (name, tool): (&str, &str),
    input: &Value,
    expected: &[Value],
    (from, to): (f64, f64),
) -> Value {
    let mut times = Times::default();
    for round in 0..=rounds {
        scene.told();
        let ms = scene.act(tool, input);
        match expected.first() {
            Some(event) => scene.expect_soon(name, event),
            None => {
                let told = scene.told();
                let text = told.last().and_then(|event| event["text"].as_str()).unwrap_or_default();
                assert_eq!(text.matches(TYPED).count(), round + 1, "{told:?}");
            }
        }
        if round > 0 {
            times.add(ms);
        }
        std::thread::sleep(SETTLES);
    }
    row(name, &times, from, to)
}

/// The box of the element with this text, as `read_screen` told it.
#[track_caller]
fn bbox(screen: &Value, text: &str) -> [i64; 4] {
    let elements = screen["elements"].as_array().unwrap();
    let one = elements.iter().find(|one| one["text"].as_str().is_some_and(|shown| shown.contains(text)));
    let place = &one.unwrap_or_else(|| panic!("{text}: {screen:#}"))["bbox"];
    [0, 1, 2, 3].map(|at: usize| place[at].as_i64().unwrap())
}
