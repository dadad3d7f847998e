//! From the cursor to the text through the accessibility tree, on the GTK 3 sample and in Chromium, compared with a plain Python client
//! (pyatspi) in the same session. Prints median and 95th percentile of both and their ratio, and writes `target/report/accessibility.json`.
//!
//! Needs a desktop session with a window manager, `python3-gi`, `gir1.2-gtk-3.0`, `python3-pyatspi` and `chromium`.
#![allow(missing_docs, clippy::print_stdout, clippy::print_stderr)]

#[cfg(not(target_os = "linux"))]
fn main() {
    println!("This bench measures AT-SPI, which only Linux has.");
}

#[cfg(target_os = "linux")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    linux::main()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::error::Error;
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::path::{Path, PathBuf};
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    use luna_messages::{Point, Rect};
    use luna_platform::accessibility::linux::AtSpi;
    use luna_platform::accessibility::{Accessibility, AtPoint};

    type BenchResult<T> = Result<T, Box<dyn Error>>;

    /// Picks per point.
    const ROUNDS: usize = 50;

    /// Ends a program when it goes out of scope.
    struct RunningPage(Child);

    impl Drop for RunningPage {
        fn drop(&mut self) {
            let _ = self.0.kill();
            let _ = self.0.wait();
        }
    }

    /// A window and the points to pick.
    struct BenchTarget {
        name: &'static str,
        title: String,
        points: Vec<Point>,
    }

    pub(super) fn main() -> BenchResult<()> {
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?.block_on(measure())
    }

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
    }

    async fn measure() -> BenchResult<()> {
        let tree = AtSpi::new();
        tree.check().await?;
        let (_sample, gtk) = start_gtk()?;
        let profile = std::env::temp_dir().join(format!("luna-bench-chromium-{}", std::process::id()));
        let (browser, page) = start_chromium(&tree, &profile).await?;
        let targets = [gtk, page];
        let mut report = Vec::new();
        let peers = peer(&targets)?;
        println!("{:<10} {:>8} {:>14} {:>14} {:>7}", "window", "", "Luna (ms)", "pyatspi (ms)", "ratio");
        for (target, peer) in targets.iter().zip(peers.as_array().into_iter().flatten()) {
            let (mut ours, texts) = picks(&tree, target).await?;
            let mut theirs: Vec<f64> =
                peer["micros"].as_array().into_iter().flatten().filter_map(serde_json::Value::as_f64).collect();
            let same = texts
                .iter()
                .zip(peer["texts"].as_array().into_iter().flatten())
                .filter(|(a, b)| Some(a.as_str()) == b.as_str())
                .count();
            for (label, at) in [("median", 0.5), ("p95", 0.95)] {
                let (one, other) = (quantile(&mut ours, at) / 1000.0, quantile(&mut theirs, at) / 1000.0);
                println!("{:<10} {label:>8} {one:>14.2} {other:>14.2} {:>7.2}", target.name, one / other);
                report.push(serde_json::json!({
                    "name": format!("cursor to text, {}, {label}", target.name), "unit": "ms", "ours": one, "peer": other, "ratio": one / other,
                }));
            }
            println!(
                "{:<10} {} picks each; both read the same text at {same} of {} points",
                "",
                ours.len(),
                texts.len()
            );
        }
        drop(browser);
        let _ = std::fs::remove_dir_all(&profile);
        let target_directory =
            std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
        let directory = target_directory.join("report");
        std::fs::create_dir_all(&directory)?;
        std::fs::write(directory.join("accessibility.json"), serde_json::to_string_pretty(&report)?)?;
        Ok(())
    }

    fn python() -> &'static str {
        if Path::new("/usr/bin/python3").exists() { "/usr/bin/python3" } else { "python3" }
    }

    fn start_gtk() -> BenchResult<(RunningPage, BenchTarget)> {
        let title = "Bench GTK 3";
        let mut child = Command::new(python())
            .arg(root().join("tests/fixtures/gtk3_sample.py"))
            .args([title, "20", "40"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = child.stdout.take().ok_or("no output")?;
        let running = RunningPage(child);
        let wanted = ["label_en", "label_ko", "button", "entry", "note_line2", "tab_other"];
        let mut points = Vec::new();
        for line in BufReader::new(stdout).lines() {
            let line = line?;
            if line == "READY" {
                if points.len() != wanted.len() {
                    return Err("the sample window did not tell its places".into());
                }
                return Ok((running, BenchTarget { name: "GTK 3", title: title.to_owned(), points }));
            }
            let place: serde_json::Value = serde_json::from_str(&line)?;
            let number = |key: &str| place[key].as_i64().and_then(|number| i32::try_from(number).ok()).unwrap_or(0);
            if wanted.iter().any(|name| place["name"] == *name) {
                points.push(Rect::new(number("x"), number("y"), number("width"), number("height")).center());
            }
        }
        Err("the sample window ended: are python3-gi and gir1.2-gtk-3.0 installed?".into())
    }

    async fn start_chromium(tree: &AtSpi, profile: &Path) -> BenchResult<(RunningPage, BenchTarget)> {
        let page = root().join("tests/fixtures/page.html").canonicalize()?;
        let child = Command::new("chromium")
            .args(["--force-renderer-accessibility", "--no-sandbox", "--test-type", "--disable-gpu", "--no-first-run"])
            .args(["--disable-background-networking", "--window-position=960,120", "--window-size=800,650"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(format!("--app=file://{}", page.display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let running = RunningPage(child);
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(40) {
            tokio::time::sleep(Duration::from_millis(300)).await;
            let Some(window) = tree.window_at(Point::new(1300, 500)).await? else {
                continue;
            };
            let at = |x, y| Point::new(window.bounds.x + x, window.bounds.y + y);
            let found = tree.at_point(at(60, 22), Rect::default()).await;
            if matches!(found, Ok(AtPoint::Element(element)) if element.text.contains("Weather")) {
                let points = vec![at(60, 22), at(60, 62), at(270, 62), at(60, 102), at(100, 145), at(100, 190)];
                return Ok((running, BenchTarget { name: "Chromium", title: "Luna sample page".to_owned(), points }));
            }
        }
        Err("Chromium did not show the page".into())
    }

    async fn picks(tree: &AtSpi, target: &BenchTarget) -> BenchResult<(Vec<f64>, Vec<String>)> {
        let (mut micros, mut texts) = (Vec::new(), Vec::new());
        for round in 0..=ROUNDS {
            for &point in &target.points {
                let region = Rect::new(point.x - 120, point.y - 120, 240, 240);
                let start = Instant::now();
                let answer = tree.at_point(point, region).await?;
                let took = start.elapsed();
                let AtPoint::Element(element) = answer else {
                    return Err(format!("no text at {point:?} of {}", target.name).into());
                };
                // The first round warms up both sides.
                if round == 0 { texts.push(element.text) } else { micros.push(took.as_secs_f64() * 1e6) }
            }
        }
        Ok((micros, texts))
    }

    fn peer(targets: &[BenchTarget]) -> BenchResult<serde_json::Value> {
        let windows: Vec<_> = targets
            .iter()
            .map(|target| {
                let points: Vec<[i32; 2]> = target.points.iter().map(|point| [point.x, point.y]).collect();
                serde_json::json!({"title": target.title, "points": points})
            })
            .collect();
        let mut child = Command::new(python())
            .arg(root().join("benches/accessibility_pyatspi.py"))
            .arg(ROUNDS.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        child.stdin.take().ok_or("no input")?.write_all(serde_json::to_string(&windows)?.as_bytes())?;
        let output = child.wait_with_output()?;
        if !output.status.success() {
            return Err("the Python client failed: is python3-pyatspi installed?".into());
        }
        Ok(serde_json::from_slice(&output.stdout)?)
    }

    fn quantile(values: &mut [f64], at: f64) -> f64 {
        values.sort_by(f64::total_cmp);
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let index = ((values.len().saturating_sub(1)) as f64 * at).round() as usize;
        values.get(index).copied().unwrap_or(f64::NAN)
    }
}
