//! A session bus of its own for each test.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

/// A running bus, ended on drop.
pub(super) struct PrivateBus {
    daemon: Child,
    pub(super) address: String,
}

impl PrivateBus {
    pub(super) fn start() -> Self {
        let mut daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--nopidfile", "--nosyslog", "--print-address=1"])
            .arg(format!("--address=unix:dir={}", std::env::temp_dir().display()))
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-daemon is needed (Debian package dbus)");
        let mut address = String::new();
        BufReader::new(daemon.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { daemon, address: address.trim().to_owned() }
    }
}

impl Drop for PrivateBus {
    fn drop(&mut self) {
        let _ = self.daemon.kill();
        let _ = self.daemon.wait();
    }
}
