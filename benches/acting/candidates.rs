//! What a window of 1,000 elements offers for an order.

use std::time::{Duration, Instant};

use luna_focus::announce::AnnouncementStyle;
use luna_focus::candidates::candidates_to_act_on;
use luna_messages::Lang;
use luna_messages::reading::Verbosity;
use luna_platform::PlatformError;
use luna_platform::accessibility::actions::ElementActions as _;
use luna_platform::accessibility::linux::AtSpi;
use serde_json::{Value, json};

use crate::acted_program::ActedWindow;
use crate::scene;
use crate::times::{Times, rows};

const TITLE: &str = "Many 많음";
const COUNT: usize = 1000;
const PATIENCE: Duration = Duration::from_secs(20);

/// Lists them by turns with the peer, which goes through the same window's tree.
pub fn measure(rounds: usize) -> Vec<Value> {
    let _window = ActedWindow::start_as("gtk3_many.py", &[TITLE, &COUNT.to_string()]);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (tree, mut peer) = (AtSpi::new(), scene::peer());
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    // GTK makes what it tells of 1,000 elements when it is asked for the first time, which may take longer than Luna waits.
    let first = Instant::now();
    while runtime.block_on(count(&tree)).is_err() {
        assert!(first.elapsed() < PATIENCE, "the window does not tell its elements");
    }
    println!("the window told all its elements for the first time after {:.0} ms", first.elapsed().as_secs_f64() * 1e3);
    for round in 0..=rounds {
        let begin = Instant::now();
        let count = runtime.block_on(count(&tree)).unwrap();
        let took = begin.elapsed().as_secs_f64() * 1e3;
        assert_eq!(count, COUNT, "not all candidates of the window were found");
        let answer = peer.ask(json!({"deed": "list", "window": TITLE}));
        assert!(answer["count"].as_u64() >= Some(COUNT as u64), "{answer}");
        // The first round warms up both.
        if round > 0 {
            ours.add(took);
            theirs.add(answer["ms"].as_f64().unwrap());
        }
    }
    rows("candidates of a window of 1,000 elements", &ours, &theirs, Some("≤ 100"))
}

/// The number of candidates of the active window, found as Executor does.
async fn count(tree: &AtSpi) -> Result<usize, PlatformError> {
    let windows = tree.active_windows().await?;
    let window = windows.last().filter(|window| window.title == TITLE).expect("the window is not active");
    let listed = tree.window_elements_to_act_on(window).await?;
    let style = AnnouncementStyle { verbosity: Verbosity::Full, lang: Lang::Ko, focused: false };
    Ok(candidates_to_act_on(&listed.elements, window.bounds, style).len())
}
