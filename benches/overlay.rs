//! From a scene to the picture on the screen: the first time, with the connection and the windows, and later. Then the processor time while something is
//! shown and nothing happens. Writes `target/report/overlay.json`.
//!
//! Run on an X display: `scripts/desktop-session.sh cargo bench -p luna-platform --bench overlay`.
#![allow(missing_docs, clippy::print_stdout, clippy::unwrap_used)]

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("This bench measures X11.");
}

#[cfg(target_os = "linux")]
fn main() {
    linux::main();
}

#[cfg(target_os = "linux")]
mod linux {
    use std::path::Path;
    use std::time::{Duration, Instant};

    use luna_messages::reading::Intent;
    use luna_messages::{Lang, Rect};
    use luna_overlay::font::ChipFont;
    use luna_overlay::image::image;
    use luna_overlay::scene::{OverlayLook, OverlayScene, SceneChip, SceneMonitor, SceneTarget};
    use luna_platform::capture::Capture as _;
    use luna_platform::capture::linux::X11Capture;
    use luna_platform::fonts;
    use luna_platform::overlay::ScreenOverlay as _;
    use luna_platform::overlay::linux::X11Overlay;

    const ROUNDS: usize = 60;
    const IDLE: Duration = Duration::from_secs(5);

    pub(super) fn main() {
        let monitors: Vec<SceneMonitor> = X11Capture::new()
            .monitors()
            .unwrap()
            .into_iter()
            .map(|one| SceneMonitor { bounds: one.bounds, scale: one.scale, density: 1 })
            .collect();
        let look = OverlayLook {
            color: [0xff, 0xd8, 0x4a],
            darkness: 0.18,
            corner_radius: 10,
            high_contrast: false,
            lang: Lang::Ko,
        };
        let (start, mut font) = (Instant::now(), None);
        fonts::system().find(&mut |bytes| {
            font = ChipFont::of(bytes, look.lang);
            font.is_some()
        });
        let letters = start.elapsed();
        let (mut first, mut next, mut drawn) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            let x = 40 + 7 * i32::try_from(round).unwrap();
            let scene = OverlayScene {
                target: Some(SceneTarget { bbox: Rect::new(x, 300, 700, 120), pinned: false }),
                badges: (1..=5).zip((0..5).map(|row| Rect::new(x, 500 + 60 * row, 200, 40))).collect(),
                chip: Some(SceneChip { mode: Some(Intent::Read), listening: true }),
            };
            let overlay = X11Overlay::new();
            for times in [&mut first, &mut next] {
                let start = Instant::now();
                let image = image(&scene, &monitors, &look, font.as_ref());
                drawn.push(start.elapsed());
                overlay.show(image).unwrap();
                times.push(start.elapsed());
                // The second picture is at another place.
                overlay.hide().unwrap();
            }
        }
        let overlay = X11Overlay::new();
        let scene = OverlayScene {
            target: Some(SceneTarget { bbox: Rect::new(300, 300, 700, 120), pinned: true }),
            ..OverlayScene::default()
        };
        overlay.show(image(&scene, &monitors, &look, None)).unwrap();
        std::thread::sleep(Duration::from_millis(500));
        let before = processor_time();
        std::thread::sleep(IDLE);
        let idle = processor_time() - before;
        let [first, next, drawn] = [first, next, drawn].map(percentiles);
        println!("letters of the chip: {letters:?}");
        println!("drawing: median {:.1} ms, p95 {:.1} ms", drawn[0], drawn[1]);
        println!("first frame: median {:.1} ms, p95 {:.1} ms (budget 50 ms)", first[0], first[1]);
        println!("next frame: median {:.1} ms, p95 {:.1} ms", next[0], next[1]);
        println!("processor time of all threads in {IDLE:?} while shown: {idle:?}");
        let report = serde_json::json!({
            "first_frame_ms": {"median": first[0], "p95": first[1]},
            "next_frame_ms": {"median": next[0], "p95": next[1]},
            "drawing_ms": {"median": drawn[0], "p95": drawn[1]},
            "letters_ms": letters.as_secs_f64() * 1e3,
            "idle_processor_ms_in_5_s": idle.as_secs_f64() * 1e3,
        });
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/report");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("overlay.json"), report.to_string()).unwrap();
    }

    /// Median and 95th percentile in milliseconds.
    fn percentiles(mut times: Vec<Duration>) -> [f64; 2] {
        times.sort_unstable();
        [times.len() / 2, times.len() * 95 / 100].map(|index| times[index].as_secs_f64() * 1e3)
    }

    /// Processor time of this process so far.
    fn processor_time() -> Duration {
        let tasks = std::fs::read_dir("/proc/self/task").unwrap().flatten();
        let nanoseconds = tasks.map(|task| {
            let schedule = std::fs::read_to_string(task.path().join("schedstat")).unwrap_or_default();
            // The bench's own thread sleeps.
            schedule.split_whitespace().next().and_then(|one| one.parse().ok()).unwrap_or(0)
        });
        Duration::from_nanos(nanoseconds.sum())
    }
}
