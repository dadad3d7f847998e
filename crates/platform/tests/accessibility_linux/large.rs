//! Pages of thousands of elements in Chromium, and protected fields outside of their container's box.

use std::fmt::Write as _;

use super::*;

/// How often each page is searched: the browser answers now early and now late.
const ROUNDS: usize = 4;
const PASSWORD: &str = "<input type=password value=hunter2-비밀>";

/// Shows a page whose first words are "Begin here", scrolled down by `scrolled` pixels.
async fn show(tree: &AtSpi, name: &str, style: &str, body: &str, scrolled: u32) -> (Browser, PathBuf) {
    let path = std::env::temp_dir().join(format!("luna-large-{name}-{}.html", std::process::id()));
    let page = format!(
        "<!doctype html><meta charset=utf-8><title>Large {name}</title><style>body{{margin:0;font:14px sans-serif}}{style}</style>
        <p style='position:fixed;left:20px;top:10px;margin:0;background:white'>Begin here</p>{body}
        <script>addEventListener('load',()=>scrollTo(0,{scrolled}))</script>"
    );
    std::fs::write(&path, page).unwrap();
    let mut browser = Browser::open(&path, "100,120", "800,650");
    let start = Instant::now();
    loop {
        assert!(start.elapsed() < Duration::from_secs(60), "Chromium did not show {name}");
        tokio::time::sleep(Duration::from_millis(300)).await;
        if browser.is_shown(tree, Point::new(500, 500), &format!("Large {name}")).await
            && matches!(pick(tree, browser.at(50, 18)).await, Ok(AtPoint::Element(found)) if found.text.contains("Begin"))
        {
            // The tree of a large page arrives piece by piece.
            tokio::time::sleep(Duration::from_secs(2)).await;
            return (browser, path);
        }
    }
}

// PIC-5
#[tokio::test(flavor = "multi_thread")]
async fn a_field_outside_of_its_container_is_found_or_nobody_says_that_there_is_none_pic_5() {
    let _desk = desk().await;
    let tree = AtSpi::new();
    let rows = |count: usize| {
        (0..count).fold(String::new(), |mut all, index| {
            write!(all, "<p>Line {index} with <b>something</b> in it.</p>").unwrap();
            all
        })
    };
    let cells = (0..5000).fold(String::new(), |mut all, index| {
        write!(all, "<i>{}</i>", index % 10).unwrap();
        all
    });
    let there = "style='position:fixed;left:300px;top:200px'";
    let at = Rect::new(280, 180, 260, 70);
    // Name, style, body, scroll position, whether the field is there, and whether the search can be completed.
    let cases = [
        // The page has no protected field, and most of it is invisible: the search must still be completed.
        ("long", String::new(), rows(2500), 20_000, false, true),
        // The field's container was scrolled away, or lies elsewhere in the window.
        (
            "scrolled",
            String::new(),
            format!("<header><h1>Top</h1><div {there}>{PASSWORD}</div></header>{}", rows(200)),
            2000,
            true,
            true,
        ),
        (
            "scrolled-large",
            String::new(),
            format!("<header><h1>Top</h1><div {there}>{PASSWORD}</div></header>{}", rows(2500)),
            20_000,
            true,
            // The corners of the region hit the field, which comes 700 siblings before the elements around it.
            false,
        ),
        (
            "end-large",
            String::new(),
            format!("{}<footer><h1>End</h1><div {there}>{PASSWORD}</div></footer>", rows(2500)),
            20_000,
            true,
            true,
        ),
        (
            "dense",
            "i{float:left;width:9px;height:8px;font-size:6px;overflow:hidden}footer{position:fixed;bottom:0}".into(),
            format!("{cells}<footer><div {there}>{PASSWORD}</div>end</footer>"),
            0,
            true,
            false,
        ),
    ];
    let mut wrong = Vec::new();
    for (name, style, body, scrolled, holds, is_searchable) in cases {
        let (browser, path) = show(&tree, name, &style, &body, scrolled).await;
        let region = at.translated(browser.origin.x, browser.origin.y);
        let window = tree.window_at(region.center()).await.unwrap().unwrap();
        let (mut answers, begin) = (0, Instant::now());
        // The browser may be busy for a while.
        for round in 0.. {
            let is_late = begin.elapsed() > Duration::from_secs(20);
            if round >= ROUNDS && (answers > 0 || !is_searchable || is_late) {
                break;
            }
            let start = Instant::now();
            let found = tree.protected_boxes(&window, region).await;
            let outcome = format!("{name}: {found:?} in {:?}", start.elapsed());
            println!("{outcome}");
            let is_right = match &found {
                Ok(boxes) if holds => boxes.iter().any(|one| one.contains(browser.at(320, 212))),
                Ok(boxes) => boxes.is_empty(),
                // This error is right while the browser is busy, and if more elements are shown than can be searched.
                Err(error) => *error == PlatformError::NoAnswer,
            };
            answers += usize::from(found.is_ok());
            if !is_right {
                wrong.push(outcome);
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
        }
        if answers == 0 && is_searchable {
            wrong.push(format!("{name}: never an answer"));
        }
        drop(browser);
        std::fs::remove_file(path).unwrap();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
