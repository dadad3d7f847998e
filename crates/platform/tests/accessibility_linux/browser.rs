//! A Chromium window for the tests.

use super::*;

/// A Chromium window that shows the sample page.
pub(super) struct Browser {
    pub(super) child: Child,
    profile: PathBuf,
    /// Top left corner of the page.
    pub(super) origin: Point,
}

impl Browser {
    pub(super) async fn start(tree: &AtSpi) -> Self {
        Self::start_page(tree, "page.html", "Luna sample page", (Point::new(60, 30), "Weather")).await
    }

    /// Opens a page and waits until the window has this title and the page this text at this place.
    pub(super) async fn start_page(tree: &AtSpi, page: &str, title: &str, (place, text): (Point, &str)) -> Self {
        let mut browser = Self::open(&fixture(page), "100,120", "800,650");
        let start = Instant::now();
        // Waits until both the page and its tree are available.
        loop {
            assert!(start.elapsed() < Duration::from_secs(40), "Chromium did not show the page");
            tokio::time::sleep(Duration::from_millis(300)).await;
            if !browser.is_shown(tree, Point::new(500, 500), title).await {
                continue;
            }
            let found = pick(tree, browser.at(place.x, place.y)).await;
            if matches!(found, Ok(AtPoint::Element(element)) if element.text.contains(text)) {
                return browser;
            }
        }
    }

    /// Whether the window at `point` has this title. Sets `origin` to the window's corner.
    pub(super) async fn is_shown(&mut self, tree: &AtSpi, point: Point, title: &str) -> bool {
        let Some(window) = tree.window_at(point).await.unwrap() else { return false };
        self.origin = Point::new(window.bounds.x, window.bounds.y);
        window.title.contains(title)
    }

    /// Starts Chromium with its own profile.
    pub(super) fn open(page: &std::path::Path, place: &str, size: &str) -> Self {
        Self::start_with(&format!("--app=file://{}", page.display()), place, size, 1)
    }

    /// With Chromium's own controls around the page; `place` and `size` in logical pixels.
    pub(super) fn open_scaled(page: &std::path::Path, place: &str, size: &str, scale: u32) -> Self {
        Self::start_with(&format!("file://{}", page.display()), place, size, scale)
    }

    fn start_with(page: &str, place: &str, size: &str, scale: u32) -> Self {
        let profile = std::env::temp_dir().join(format!(
            "luna-chromium-{}-{:?}",
            std::process::id(),
            std::thread::current().id()
        ));
        let child = Command::new("chromium")
            .args(["--force-renderer-accessibility", "--no-sandbox", "--test-type", "--disable-gpu", "--no-first-run"])
            .args(["--disable-background-networking"])
            .args([
                format!("--force-device-scale-factor={scale}"),
                format!("--window-position={place}"),
                format!("--window-size={size}"),
            ])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(page)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("chromium is needed (Debian package chromium): {error}"));
        Self { child, profile, origin: Point::default() }
    }

    pub(super) fn at(&self, x: i32, y: i32) -> Point {
        Point::new(self.origin.x + x, self.origin.y + y)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        std::thread::sleep(Duration::from_millis(300));
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
