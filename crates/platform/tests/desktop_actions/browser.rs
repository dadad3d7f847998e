//! Elements of a page in Chromium; the title of its window tells what was done.

use std::process::{Child, Command, Stdio};

use super::*;

/// A Chromium window, ended on drop.
struct ActedBrowser {
    child: Child,
    profile: PathBuf,
}

impl ActedBrowser {
    fn start() -> Self {
        let profile = std::env::temp_dir().join(format!("luna-actions-{}", std::process::id()));
        let child = Command::new("chromium")
            .args(["--force-renderer-accessibility", "--no-sandbox", "--test-type", "--disable-gpu", "--no-first-run"])
            .args(["--disable-background-networking", "--window-size=800,650"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(format!("--app=file://{}", fixture("actions.html").display()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("chromium is needed (Debian package chromium): {error}"));
        Self { child, profile }
    }
}

impl Drop for ActedBrowser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}

/// Waits until the title of the active window says this.
async fn wait_for_title(tree: &AtSpi, title: &str) {
    let start = Instant::now();
    loop {
        let titles: Vec<String> = tree.active_windows().await.unwrap().into_iter().map(|window| window.title).collect();
        if titles.last().is_some_and(|last| last == title) {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(5), "{title:?} is not the title: {titles:?}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

// EXE-1, EXE-7, PIC-5
#[tokio::test(flavor = "multi_thread")]
async fn each_action_on_a_page_has_its_effect_exactly_once_exe_1_exe_7_pic_5() {
    let _desk = desk().await;
    let _browser = ActedBrowser::start();
    let tree = AtSpi::new();
    let (_, all) = listed(&tree, "Actions", "Save 저장").await;
    let cases = [
        ("Save 저장", ElementAction::Press, "save clicked"),
        ("Save 저장", ElementAction::Press, "save clicked"),
        ("Read more 더 읽기", ElementAction::Press, "link clicked"),
        ("Plain text 그냥 글", ElementAction::Press, "span clicked"),
        ("Notify 알림", ElementAction::Toggle, "check true"),
        ("Notify 알림", ElementAction::Toggle, "check false"),
        ("Daily 매일", ElementAction::Select, "radio true"),
        ("Volume 음량", ElementAction::SetNumber(40.0), "volume 40"),
        ("Name 이름", ElementAction::Focus, "name focused"),
        ("Password 비밀번호", ElementAction::Focus, "secret focused"),
        ("More 더 보기", ElementAction::Expand, "more true"),
        ("Two 둘", ElementAction::Select, "tab clicked"),
    ];
    for (count, (label, action, expect)) in (1..).zip(cases) {
        let id = able(&all, action.capacity(), label).id().clone();
        let what = format!("{action:?} {label}");
        let start = Instant::now();
        assert_eq!(act(&tree, &id, action).await, ACCEPTED, "{what}");
        println!("{what} took {:?}", start.elapsed());
        // The number counts all that was done so far.
        wait_for_title(&tree, &format!("Actions {count} {expect}")).await;
    }
    let password = able(&all, Capacity::Focus, "Password 비밀번호");
    assert!(password.protected && password.element.text.is_empty(), "{password:?}");
    assert!(!format!("{all:?}").contains(SECRET));
    let off = all.elements.iter().find(|one| is_called(one, "Not now")).unwrap().id();
    let refused = act(&tree, off, ElementAction::Press).await;
    assert_eq!(refused, Ok(ActionResult::NoEffect(NoEffectProof::NotOffered)));
}
