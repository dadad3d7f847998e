//! The runtime folder without `XDG_RUNTIME_DIR` is below the temporary folder, where any user could create it first (PRV-4).

use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::desktop::{self, take_turns, wait};

/// The user id of another user.
const OTHER: u32 = 65534;

/// A folder like the system's temporary folder: world-writable with the sticky bit.
struct Temporary {
    folder: tempfile::TempDir,
}

impl Temporary {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o1777)).unwrap();
        Self { folder }
    }

    /// The path of Luna's runtime folder.
    fn runtime(&self) -> PathBuf {
        self.folder.path().join("luna-kim")
    }

    fn luna(&self, arguments: &[&str]) -> Command {
        let mut command = desktop::luna(self.folder.path());
        command
            .args(arguments)
            .env_remove("LUNA_RUNTIME_DIR")
            .env_remove("XDG_RUNTIME_DIR")
            .env("TMPDIR", self.folder.path())
            .env("USER", "kim")
            .env("LUNA__LANGUAGE", "en");
        command
    }

    /// Starts Luna; returns its first output line once it is ready.
    fn run(&self) -> (Child, Value) {
        let mut child = self
            .luna(&["run", "--json"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(self.folder.path().join("log")).unwrap())
            .spawn()
            .unwrap();
        let mut values =
            serde_json::Deserializer::from_reader(std::io::BufReader::new(child.stdout.take().unwrap())).into_iter();
        let ready = values.next().expect("Luna says that it is ready").unwrap();
        (child, ready)
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap()
    }
}

fn end(mut child: Child) {
    desktop::kill(child.id(), "TERM");
    assert!(child.wait().unwrap().success());
}

fn give_to_other(path: &Path) {
    let given = chown(path, Some(OTHER), Some(OTHER));
    assert!(given.is_ok(), "only root can play another user here; run the tests as root, as CI does: {given:?}");
}

/// Plants a control file that would direct requests to another user's program.
fn write_foreign_control(folder: &Path) {
    std::fs::create_dir(folder).unwrap();
    let control = json!({"address": "127.0.0.1:9", "token": "00", "process": 1});
    std::fs::write(folder.join("control.json"), control.to_string()).unwrap();
    give_to_other(&folder.join("control.json"));
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o777)).unwrap();
    give_to_other(folder);
}

// PRV-4, KER-9
#[test]
fn a_folder_that_another_user_made_first_is_not_used_and_luna_says_so_prv_4_ker_9() {
    let _turn = take_turns();
    let temporary = Temporary::new();
    write_foreign_control(&temporary.runtime());
    for arguments in [&["ctl", "status"][..], &["ctl", "focus", "stop"], &["ctl", "events"]] {
        let output = temporary.luna(arguments).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains("belongs to another user") && error.contains("65534"), "{error}");
        assert_eq!(error.lines().count(), 1, "one sentence: {error}");
    }
    // Luna runs, because a person depends on it, but writes no token there; it reports this and the remedy.
    let (child, ready) = temporary.run();
    assert_eq!(ready["address"], Value::Null);
    let log = temporary.log();
    assert!(log.contains("belongs to another user") && log.contains("LUNA_RUNTIME_DIR"), "{log}");
    assert!(!log.contains("http.port"), "{log}");
    let names: Vec<_> =
        std::fs::read_dir(temporary.runtime()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["control.json"], "nothing was put there");
    let control = std::fs::read_to_string(temporary.runtime().join("control.json")).unwrap();
    assert!(control.contains("127.0.0.1:9"));
    // Once the folder is gone, Luna creates its own, readable only by its owner.
    std::fs::remove_dir_all(temporary.runtime()).unwrap();
    let answers = || temporary.luna(&["ctl", "status"]).output().unwrap().status.success().then_some(());
    wait("ctl", Duration::from_secs(40), answers, || temporary.log());
    let mode = |path: &Path| std::fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(&temporary.runtime()), 0o700);
    for name in ["control.json", "luna.lock"] {
        assert_eq!(mode(&temporary.runtime().join(name)), 0o600, "{name}");
    }
    // Another user can neither read the token nor replace the file.
    let other = |words: &[&str]| {
        let run = Command::new("setpriv")
            .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
            .args(words)
            .stderr(Stdio::null())
            .status();
        run.expect("setpriv is needed (util-linux)").success()
    };
    let control = temporary.runtime().join("control.json");
    assert!(!other(&["cat", control.to_str().unwrap()]));
    assert!(!other(&[
        "mv",
        temporary.runtime().to_str().unwrap(),
        temporary.folder.path().join("x").to_str().unwrap()
    ]));
    end(child);
    assert!(!control.exists());
}

// PRV-4
#[test]
fn links_and_open_folders_are_not_believed_prv_4() {
    let _turn = take_turns();
    let temporary = Temporary::new();
    let runtime = temporary.runtime();
    // A link to another folder of the person: Luna's files would land there.
    let link_target = temporary.folder.path().join("victim");
    std::fs::create_dir(&link_target).unwrap();
    symlink(&link_target, &runtime).unwrap();
    let (child, ready) = temporary.run();
    assert_eq!(ready["address"], Value::Null);
    assert!(temporary.log().contains("symbolic link"), "{}", temporary.log());
    end(child);
    assert_eq!(std::fs::read_dir(&link_target).unwrap().count(), 0);
    std::fs::remove_file(&runtime).unwrap();

    // A control file in a folder that was world-writable: Luna ignores it and restricts the folder before it writes its own.
    std::fs::create_dir(&runtime).unwrap();
    std::fs::set_permissions(&runtime, std::fs::Permissions::from_mode(0o777)).unwrap();
    let foreign_control = runtime.join("control.json");
    std::fs::write(&foreign_control, json!({"address": "127.0.0.1:9", "token": "00", "process": 1}).to_string())
        .unwrap();
    give_to_other(&foreign_control);
    let output = temporary.luna(&["ctl", "status"]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("other users of this machine can write"), "{output:?}");
    let (child, ready) = temporary.run();
    assert!(ready["address"].is_string(), "{}", temporary.log());
    assert_eq!(std::fs::metadata(&runtime).unwrap().mode() & 0o777, 0o700);
    let status = temporary.luna(&["ctl", "status"]).output().unwrap();
    assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    end(child);

    // Files that another user left under Luna's names are neither written nor opened blockingly.
    for left in ["a link", "a pipe", "a foreign file"] {
        let temporary = Temporary::new();
        let runtime = temporary.runtime();
        let target = temporary.folder.path().join("target");
        std::fs::write(&target, "untouched").unwrap();
        std::fs::create_dir(&runtime).unwrap();
        let lock = runtime.join("luna.lock");
        match left {
            "a link" => symlink(&target, &lock).unwrap(),
            "a pipe" => assert!(Command::new("mkfifo").arg(&lock).status().unwrap().success()),
            _ => {
                std::fs::write(&lock, "").unwrap();
                give_to_other(&lock);
            }
        }
        let (child, ready) = temporary.run();
        assert_eq!(ready["address"], Value::Null, "{left}");
        end(child);
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "untouched");
    }
}
