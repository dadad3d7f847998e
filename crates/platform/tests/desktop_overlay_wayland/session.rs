//! Runs the body of a test inside a headless sway session of its own: the test starts its own program again there, as a user who may run sway.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;

/// Tells the program that it runs inside the session.
const INSIDE: &str = "LUNA_TEST_IN_WAYLAND";
const DONE: &str = "done in a Wayland session";

/// Runs `body` in a session with two monitors: `HEADLESS-1` with 1280×800 pixels at 0, 0, and to its right `HEADLESS-2` with the same pixels and scale 2.
pub fn in_session(test: &str, body: impl FnOnce()) {
    if std::env::var_os(INSIDE).is_some() {
        assert!(std::env::var_os("DISPLAY").is_none());
        sway(&["create_output"]);
        sway(&["output HEADLESS-1 position 0 0"]);
        sway(&["output HEADLESS-2 resolution 1280x800 scale 2 position 1280 0"]);
        sway(&["default_border none"]);
        body();
        println!("{DONE}");
        return;
    }
    // The session may run as another user, who can't read this checkout.
    let folder = std::env::temp_dir().join(format!("luna-{test}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/wayland_session.sh");
    std::fs::copy(script, folder.join("wayland_session.sh")).unwrap();
    std::fs::copy(std::env::current_exe().unwrap(), folder.join("test")).unwrap();
    let done = Command::new("timeout")
        .arg("60")
        .arg(folder.join("wayland_session.sh"))
        .arg(folder.join("test"))
        .args(["--exact", test, "--nocapture"])
        .env(INSIDE, "1")
        .output()
        .unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && said.contains(DONE), "{said}");
    println!("{said}");
}

/// Has sway carry out a command.
pub fn sway(command: &[&str]) {
    let done = Command::new("swaymsg").arg("-s").arg(socket()).args(command).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{command:?}: {said}");
}

fn socket() -> PathBuf {
    let folder = std::env::var("XDG_RUNTIME_DIR").unwrap();
    let files = std::fs::read_dir(folder).unwrap().flatten();
    let mut sockets = files.filter(|file| file.file_name().to_string_lossy().starts_with("sway-ipc."));
    sockets.next().expect("sway has a socket").path()
}

/// The process of sway.
pub fn sway_process() -> String {
    let name = socket().file_name().unwrap().to_string_lossy().into_owned();
    name.split('.').nth(2).expect("sway-ipc.USER.PROCESS.sock").to_owned()
}
