//! Runs the body of a test inside a headless sway session of its own: the test starts its own program again there, as a user who may run sway.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::PATIENCE;

/// Tells the program that it runs inside the session.
const INSIDE: &str = "LUNA_TEST_IN_WAYLAND";
/// Tells it that it runs in the sway that [`nested`] starts; its value is that one's socket for commands.
const NESTED: &str = "LUNA_TEST_NESTED_SWAY";
const DONE: &str = "done in a Wayland session";

/// Runs `body` in a session with two monitors: `HEADLESS-1` with 1280×800 pixels at 0, 0, and to its right `HEADLESS-2` with the same pixels and scale 2.
pub fn in_session(test: &str, body: impl FnOnce()) {
    if std::env::var_os(NESTED).is_some() {
        body();
        println!("{DONE}");
        return;
    }
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

/// Runs `body` in a second sway, whose monitors `WL-1` and `WL-2` are windows of the first one: monitors of a headless sway can't go. To be called in
/// [`in_session`].
pub fn nested(test: &str, body: impl FnOnce()) {
    if std::env::var_os(NESTED).is_some() {
        return body();
    }
    let folder = PathBuf::from(std::env::var("LUNA_WAYLAND_DIR").unwrap());
    let config = folder.join("nested.conf");
    std::fs::write(&config, "output WL-1 position 0 0\noutput WL-2 position 2000 0\nxwayland disable\n").unwrap();
    let mut second = Command::new("sway")
        .arg("-c")
        .arg(config)
        .envs([("WLR_BACKENDS", "wayland"), ("WLR_WL_OUTPUTS", "2")])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let name = format!("sway-ipc.{}.{}.sock", rustix::process::getuid().as_raw(), second.id());
    let (start, socket, display) = (Instant::now(), folder.join(name), folder.join("wayland-2"));
    while !(socket.exists() && display.exists()) {
        assert!(start.elapsed() < PATIENCE, "the second sway does not start");
        std::thread::sleep(Duration::from_millis(5));
    }
    let done = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(NESTED, socket)
        .env("WAYLAND_DISPLAY", "wayland-2")
        .output()
        .unwrap();
    second.kill().unwrap();
    second.wait().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success() && said.contains(DONE), "{said}");
}

/// Has the innermost sway carry out a command.
pub fn sway(command: &[&str]) {
    let socket = std::env::var_os(NESTED).map_or_else(socket, PathBuf::from);
    tell(&socket, command);
}

/// Has the sway around [`nested`] carry out a command.
pub fn outer_sway(command: &[&str]) {
    let nested = PathBuf::from(std::env::var_os(NESTED).expect("inside of the second sway"));
    let folder = std::fs::read_dir(nested.parent().unwrap()).unwrap().flatten().map(|file| file.path());
    let is_socket =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("sway-ipc."));
    tell(&folder.into_iter().find(|path| is_socket(path) && *path != nested).unwrap(), command);
}

fn tell(socket: &Path, command: &[&str]) {
    let done = Command::new("swaymsg").arg("-s").arg(socket).args(command).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{command:?}: {said}");
}

fn socket() -> PathBuf {
    let folder = std::env::var("XDG_RUNTIME_DIR").unwrap();
    let files = std::fs::read_dir(folder).unwrap().flatten();
    let mut sockets = files.filter(|file| file.file_name().to_string_lossy().starts_with("sway-ipc."));
    sockets.next().expect("sway has a socket").path()
}

/// The process number of the sway around the test, by the name of its socket.
pub fn sway_process() -> String {
    let name = socket().file_name().unwrap().to_string_lossy().into_owned();
    name.split('.').nth(2).expect("sway-ipc.USER.PROCESS.sock").to_owned()
}
