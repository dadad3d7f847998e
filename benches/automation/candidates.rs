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
/// Then the lists are counted as incomplete.
const PATIENCE: Duration = Duration::from_secs(10);

/// Lists them by turns with the peer, which goes through the same window's tree. Returns also how many of Luna's lists were incomplete: it waits a limited time.
pub fn measure(rounds: usize) -> (Vec<Value>, usize) {
    let _window = ActedWindow::start_as("gtk3_many.py", &[TITLE, &COUNT.to_string()]);
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let (tree, mut peer) = (AtSpi::new(), scene::peer());
    let (mut ours, mut theirs, mut incomplete) = (Times::default(), Times::default(), 0);
    // GTK makes what it tells of 1,000 elements when it is asked for the first time, which may take longer than Luna waits.
    let first = Instant::now();
    while runtime.block_on(count(&tree)).ok() != Some(COUNT) && first.elapsed() < PATIENCE {}
    for _ in 0..rounds {
        let begin = Instant::now();
        let found = runtime.block_on(count(&tree));
        ours.add(begin.elapsed().as_secs_f64() * 1e3);
        incomplete += usize::from(found.ok() != Some(COUNT));
        let answer = peer.ask(json!({"action_kind": "list", "window": TITLE}));
        assert!(answer["count"].as_u64() >= Some(COUNT as u64), "{answer}");
        theirs.add(answer["ms"].as_f64().unwrap());
    }
    let mut rows = rows("candidates of a window of 1,000 elements", &ours, &theirs, Some("≤ 100"));
    println!("incomplete lists of 1,000 elements: {incomplete} of {rounds}");
    rows.push(
        json!({"name": format!("incomplete lists of 1,000 elements, of {rounds}"), "ours": incomplete, "goal": "0"}),
    );
    (rows, incomplete)
}

/// The number of candidates of the active window, found as Executor does.
async fn count(tree: &AtSpi) -> Result<usize, PlatformError> {
    let windows = tree.active_windows().await?;
    let window = windows.last().filter(|window| window.title == TITLE).expect("the window is not active");
    let listed = tree.window_elements_to_act_on(window).await?;
    let style = AnnouncementStyle { verbosity: Verbosity::Full, lang: Lang::Ko, focused: false };
    Ok(candidates_to_act_on(&listed.elements, window.bounds, style).len())
}
