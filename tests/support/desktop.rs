//! A desktop with a running Luna for end-to-end tests: real bus, real applications, real sound. Run by `make test`; without a desktop a
//! test fails and says so.

#![allow(dead_code, reason = "each test file uses its part")]

mod hands;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

#[allow(unused_imports, reason = "each test file uses its part")]
pub use hands::{ALT, CONTROL, CONTROL_RIGHT, ESCAPE, HeldKeys, KeyWindow, LETTER_O, Mouse, SUPER};
use serde_json::Value;

/// The content of the sample applications' password fields. Finding it anywhere means a leak.
pub const SECRET: &str = "hunter2-비밀";

/// Serialises the tests of one file, because there is one pointer and one sound device. Files run one after another anyway.
pub fn take_turns() -> MutexGuard<'static, ()> {
    static DESK: Mutex<()> = Mutex::new(());
    for name in ["DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "PULSE_SERVER"] {
        assert!(
            std::env::var_os(name).is_some(),
            "{name} is not set: run the tests with `make test`, on its virtual desktop"
        );
    }
    DESK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The root of the workspace.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// A file of `tests/samples`.
pub fn sample(path: &str) -> PathBuf {
    let path = root().join("tests/samples").join(path);
    assert!(path.exists(), "{} is not there", path.display());
    path
}

/// The folder of the models; `make test` fetches them.
pub fn models() -> PathBuf {
    let folder = std::env::var_os("LUNA_MODELS").map_or_else(|| root().join(".cache/models"), PathBuf::from);
    assert!(folder.exists(), "{} is not there: `luna models fetch` fills it", folder.display());
    folder
}

/// `luna` with its own runtime folder and without the user's configuration.
pub fn luna(home: &std::path::Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_luna"));
    command
        .env("LUNA_RUNTIME_DIR", home.join("run"))
        .env("LUNA_MODELS", models())
        .env("LUNA_CONFIG", home.join("config.yaml"))
        .env("LUNA__LANGUAGE", "ko")
        .env("LUNA__HTTP__PORT", "0");
    command
}

/// The output without the line that every command of [`luna`] prints about the missing configuration.
pub fn without_default_notice(text: &str) -> String {
    text.lines().filter(|line| !line.ends_with("the built-in defaults hold.")).map(|line| format!("{line}\n")).collect()
}

/// A running Luna.
pub struct LunaProcess {
    pub child: Child,
    pub home: tempfile::TempDir,
    pub address: String,
    pub token: String,
    events: Receiver<Value>,
    /// All event lines so far, for searching.
    pub seen: Arc<Mutex<String>>,
    /// Standard output and error.
    pub log: Arc<Mutex<String>>,
}

impl LunaProcess {
    /// Starts Luna and subscribes to its events.
    pub fn start() -> Self {
        Self::start_with(|_| {})
    }

    /// Starts Luna with changes to its environment or arguments.
    pub fn start_with(change: impl FnOnce(&mut Command)) -> Self {
        Self::start_at(tempfile::tempdir().unwrap(), change)
    }

    /// Starts Luna in a home that an earlier Luna may have used.
    pub fn start_at(home: tempfile::TempDir, change: impl FnOnce(&mut Command)) -> Self {
        let mut command = luna(home.path());
        command.args(["run", "--json"]);
        change(&mut command);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).stdin(Stdio::null()).spawn().unwrap();
        let log = Arc::new(Mutex::new(String::new()));
        collect(child.stdout.take().unwrap(), log.clone());
        collect(child.stderr.take().unwrap(), log.clone());
        let control = home.path().join("run/control.json");
        // A killed Luna leaves its control file behind.
        let own = || {
            let control: Value = serde_json::from_slice(&std::fs::read(&control).ok()?).ok()?;
            (control["process"] == child.id()).then_some(control)
        };
        let control = wait("Luna to be ready", Duration::from_secs(20), own, || log.lock().unwrap().clone());
        let text = |key: &str| control[key].as_str().unwrap().to_owned();
        let (address, token) = (text("address"), text("token"));
        let seen = Arc::new(Mutex::new(String::new()));
        let events = listen(&address, &token, seen.clone());
        Self { child, home, address, token, events, seen, log }
    }

    /// Runs `luna ctl …` against this Luna.
    pub fn ctl(&self, arguments: &[&str]) -> std::process::Output {
        luna(self.home.path()).arg("ctl").args(arguments).output().unwrap()
    }

    /// Sends a command and expects it to be accepted.
    #[track_caller]
    pub fn order(&self, order: &str) {
        let output = self.ctl(&["focus", order]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// The body of a `GET` with the token.
    pub fn get(&self, route: &str) -> String {
        let agent: ureq::Agent = ureq::Agent::config_builder().proxy(None).build().into();
        let url = format!("http://{}/{route}", self.address);
        let answer = agent.get(url).header("Authorization", format!("Bearer {}", self.token)).call();
        answer.unwrap().body_mut().read_to_string().unwrap()
    }

    /// The value of the first metric line that begins with `line`; 0 if there is none.
    pub fn metric(&self, line: &str) -> f64 {
        let text = self.get("metrics");
        text.lines().find(|l| l.starts_with(line)).and_then(|l| l.rsplit(' ').next()?.parse().ok()).unwrap_or(0.0)
    }

    /// Waits until a capability has this state.
    #[track_caller]
    pub fn wait_for_capability(&self, capability: &str, state: &str) {
        self.wait_for_capability_within(Duration::from_secs(30), capability, state);
    }

    /// As [`Self::wait_for_capability`], with a given limit.
    #[track_caller]
    pub fn wait_for_capability_within(&self, limit: Duration, capability: &str, state: &str) {
        let is = || {
            let status: Value = serde_json::from_str(&self.get("status")).ok()?;
            let list = status["capabilities"].as_array()?.clone();
            list.iter().any(|c| c["capability"] == capability && c["state"] == state).then_some(())
        };
        wait(&format!("{capability} to be {state}"), limit, is, || self.get("status"));
    }

    /// Waits for an event of that name for which `fits` holds; returns its data.
    #[track_caller]
    pub fn event(&self, name: &str, fits: impl Fn(&Value) -> bool) -> Value {
        let until = Instant::now() + Duration::from_secs(20);
        while let Some(left) = until.checked_duration_since(Instant::now()) {
            match self.events.recv_timeout(left) {
                Ok(event) if event["name"] == name && fits(&event["data"]) => return event["data"].clone(),
                Ok(_) => {}
                Err(_) => break,
            }
        }
        panic!(
            "no event {name} that fits came. Events:\n{}\nLog:\n{}",
            self.seen.lock().unwrap(),
            self.log.lock().unwrap()
        );
    }

    /// Waits until a sentence that contains `part` begins to sound.
    #[track_caller]
    pub fn hears(&self, part: &str) -> Value {
        self.event("TTS.Start", |data| data["text"].as_str().is_some_and(|text| text.contains(part)))
    }

    /// Discards the events so far.
    pub fn clear(&self) {
        while self.events.try_recv().is_ok() {}
    }

    /// Sends a signal by name.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Process ids of engine programs of that name.
    pub fn engines(&self, name: &str) -> Vec<u32> {
        children_of(self.child.id())
            .into_iter()
            .filter(|(_, command)| command.contains(name))
            .map(|(pid, _)| pid)
            .collect()
    }
}

impl Drop for LunaProcess {
    fn drop(&mut self) {
        let _ = Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status();
        let until = Instant::now() + Duration::from_secs(6);
        while Instant::now() < until {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal by name to an existing process.
#[track_caller]
pub fn kill(process: u32, signal: &str) {
    assert!(kill_if_there(process, signal), "process {process} can't be sent {signal}");
}

/// As [`kill`], but returns `false` if there is no such process.
pub fn kill_if_there(process: u32, signal: &str) -> bool {
    let status = Command::new("kill").args([format!("-{signal}"), process.to_string()]).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Direct children of a process with their command lines.
pub fn children_of(parent: u32) -> Vec<(u32, String)> {
    let Ok(folder) = std::fs::read_dir("/proc") else { return Vec::new() };
    folder
        .flatten()
        .filter_map(|entry| {
            let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            let ppid: u32 = stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()?;
            let command = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).ok()?;
            (ppid == parent && !command.is_empty()).then_some((pid, command))
        })
        .collect()
}

fn collect(stream: impl Read + Send + 'static, into: Arc<Mutex<String>>) {
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            let mut into = into.lock().unwrap();
            into.push_str(&line);
            into.push('\n');
        }
    });
}

fn listen(address: &str, token: &str, seen: Arc<Mutex<String>>) -> Receiver<Value> {
    let agent: ureq::Agent = ureq::Agent::config_builder().proxy(None).build().into();
    let answer = agent
        .get(format!("http://{address}/events"))
        .header("Authorization", format!("Bearer {token}"))
        .call()
        .unwrap();
    let (sender, events) = mpsc::channel();
    std::thread::spawn(move || {
        for line in BufReader::new(answer.into_body().into_reader()).lines().map_while(Result::ok) {
            let mut all = seen.lock().unwrap();
            all.push_str(&line);
            all.push('\n');
            drop(all);
            if serde_json::from_str(&line).is_ok_and(|event| sender.send(event).is_err()) {
                return;
            }
        }
    });
    events
}

/// Polls `look` until it returns a value; panics after `limit`.
#[track_caller]
pub fn wait<T>(what: &str, limit: Duration, mut look: impl FnMut() -> Option<T>, tell: impl Fn() -> String) -> T {
    let until = Instant::now() + limit;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < until, "waited {} s in vain for {what}\n{}", limit.as_secs(), tell());
        std::thread::sleep(Duration::from_millis(25));
    }
}

/// A sample application and the positions of its parts.
pub struct SampleWindow {
    child: Child,
    places: BTreeMap<String, (i32, i32, i32, i32)>,
}

impl SampleWindow {
    /// Starts `gtk3_sample.py` or `gtk4_sample.py`.
    pub fn start(script: &str, title: &str) -> Self {
        Self::start_at(script, title, 60, 60)
    }

    /// As [`Self::start`], with the window at a given position.
    pub fn start_at(script: &str, title: &str, x: i32, y: i32) -> Self {
        Self::start_variant(script, title, x, y, "light")
    }

    /// As [`Self::start_at`], with one of the variants that some samples have.
    pub fn start_variant(script: &str, title: &str, x: i32, y: i32, variant: &str) -> Self {
        let mut child = Command::new("/usr/bin/python3")
            .arg(root().join("tests/fixtures").join(script))
            .args([title, &x.to_string(), &y.to_string(), variant])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut places = BTreeMap::new();
        let mut ready = false;
        for line in BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok) {
            if line == "READY" {
                ready = true;
                break;
            }
            let Ok(place) = serde_json::from_str::<Value>(&line) else { continue };
            let number = |key: &str| i32::try_from(place[key].as_i64().unwrap()).unwrap();
            let name = place["name"].as_str().unwrap().to_owned();
            places.insert(name, (number("x"), number("y"), number("width"), number("height")));
        }
        assert!(ready, "{script} did not start; is its toolkit installed?");
        // The window manager and the registry need a moment to know the window.
        std::thread::sleep(Duration::from_millis(700));
        Self { child, places }
    }

    /// A point inside a named part: slightly right of its left edge, at the middle of its height.
    #[track_caller]
    pub fn point(&self, name: &str) -> (i32, i32) {
        let (x, y, width, height) = self.place(name);
        (x + (width / 2).min(30), y + height / 2)
    }

    /// The box of a named part.
    #[track_caller]
    pub fn place(&self, name: &str) -> (i32, i32, i32, i32) {
        *self.places.get(name).unwrap_or_else(|| panic!("the sample has no {name}: {:?}", self.places.keys()))
    }

    /// Sends a signal to the sample application, for example to stop, continue or end it.
    pub fn signal(&self, name: &str) {
        let status = Command::new("kill").args([format!("-{name}"), self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }
}

impl Drop for SampleWindow {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        std::thread::sleep(Duration::from_millis(200));
    }
}
