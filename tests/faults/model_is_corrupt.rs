//! A model file is damaged and later repaired.

use crate::desktop::{self, LunaProcess, Mouse, SampleWindow, take_turns};

/// A failed start is retried after 15 to 20 s; the load comes on top.
const RETRY_LIMIT: std::time::Duration = std::time::Duration::from_secs(90);

/// The model folder with one changed file; the others are links, so that nothing is copied.
fn folder_with(broken: impl Fn(&std::path::Path)) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy_links(&desktop::models(), folder.path());
    let detector = find(folder.path(), "det").expect("a detector among the models");
    let target = std::fs::canonicalize(&detector).unwrap();
    std::fs::remove_file(&detector).unwrap();
    std::fs::copy(target, &detector).unwrap();
    broken(&detector);
    // Earlier verifications don't apply to these files.
    let _ = std::fs::remove_file(folder.path().join("verified.json"));
    folder
}

fn copy_links(from: &std::path::Path, to: &std::path::Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            copy_links(&path, &to.join(name));
        } else {
            std::os::unix::fs::symlink(std::fs::canonicalize(&path).unwrap(), to.join(name)).unwrap();
        }
    }
}

fn find(folder: &std::path::Path, part: &str) -> Option<std::path::PathBuf> {
    let config = luna_config::Config::built_in("default").unwrap();
    let name = config.engines.ocr.detection;
    assert!(name.contains(part), "{name}");
    let files = std::fs::read_dir(folder.join(&name)).ok()?.flatten().map(|entry| entry.path());
    files.max_by_key(|path| std::fs::metadata(path).map(|meta| meta.len()).unwrap_or(0))
}

// ENG-4, KER-9, PRV-7
#[test]
fn recognition_says_which_file_and_comes_back_once_it_is_right_eng_4_ker_9_prv_7() {
    let _turn = take_turns();
    type Break = fn(&std::path::Path);
    let breaks: [(&str, Break); 2] = [
        ("cut", |file| {
            let half = std::fs::metadata(file).unwrap().len() / 2;
            std::fs::OpenOptions::new().write(true).open(file).unwrap().set_len(half).unwrap();
        }),
        ("changed", |file| {
            let mut bytes = std::fs::read(file).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 0xff;
            std::fs::write(file, bytes).unwrap();
        }),
    ];
    for (how, broken) in breaks {
        let folder = folder_with(broken);
        let sample = SampleWindow::start("gtk3_sample.py", "Corrupt");
        let mouse = Mouse::new();
        mouse.move_to(sample.point("label_en"));
        let luna = LunaProcess::start_with(|command| {
            command.env("LUNA_MODELS", folder.path());
        });
        luna.wait_for_capability("text_recognition", "unavailable");
        let status = luna.get("status");
        assert!(status.contains("det") && status.contains("luna models fetch"), "{how}: {status}");
        // Everything else continues, including reflex commands.
        luna.order("on");
        luna.hears("quick brown fox");
        luna.order("stop");
        luna.event("TTS.Stop", |data| data["finished"] == false);
        let detector = find(folder.path(), "det").unwrap();
        let right = find(&desktop::models(), "det").unwrap();
        std::fs::remove_file(&detector).unwrap();
        std::os::unix::fs::symlink(std::fs::canonicalize(right).unwrap(), &detector).unwrap();
        luna.wait_for_capability_within(RETRY_LIMIT, "text_recognition", "available");
        let (x, y, _, height) = sample.place("picture");
        mouse.move_to((x + 60, y + height / 4));
        luna.hears("1,234.56");
    }
}
