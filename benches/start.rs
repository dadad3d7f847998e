//! Time from start to ready, idle memory, and time from the command to the first sound, compared with an equivalent Python client. Run on a
//! desktop: `make report`, or `scripts/desktop-session.sh cargo bench -p luna --bench start`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout, missing_docs)]
#![allow(clippy::disallowed_methods, reason = "a bench measures the real clock")]

#[path = "../tests/support/desktop.rs"]
mod desktop;

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use desktop::{LunaProcess, Mouse, SampleWindow};
use serde_json::{Value, json};

const ROUNDS: usize = 15;

/// The Python client up to the point where it can query the tree.
const PYTHON_READY: &str =
    "import pyatspi; pyatspi.Registry.getDesktop(0).childCount; print('ready', flush=True); input()";

/// The Python client: finds the text under a point and has espeak-ng speak it to the sound device.
const PYTHON_READ: &str = r#"
import subprocess, sys, pyatspi
def text_at(x, y):
    for app in pyatspi.Registry.getDesktop(0):
        for frame in (app or []):
            try: part = frame.queryComponent().getAccessibleAtPoint(x, y, pyatspi.DESKTOP_COORDS)
            except Exception: continue
            while part:
                inner = None
                try: inner = part.queryComponent().getAccessibleAtPoint(x, y, pyatspi.DESKTOP_COORDS)
                except Exception: pass
                if not inner or inner == part: break
                part = inner
            if part and part.name: return part.name
    return ''
print('ready', flush=True)
for line in sys.stdin:
    x, y = map(int, line.split())
    voice = subprocess.Popen(['espeak-ng', '--stdout', text_at(x, y)], stdout=subprocess.PIPE)
    subprocess.run(['paplay', '--latency-msec=20'], stdin=voice.stdout)
"#;

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn percentile(values: &[f64], hundredth: usize) -> f64 {
    values[(values.len() * hundredth / 100).min(values.len() - 1)]
}

fn resident_mb(process: u32) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let kb: f64 =
        status.lines().find_map(|l| l.strip_prefix("VmRSS:")).unwrap().trim().trim_end_matches(" kB").parse().unwrap();
    kb / 1024.0
}

fn luna_ready() -> (f64, f64) {
    let home = tempfile::tempdir().unwrap();
    let begin = Instant::now();
    // Without models: the time until Luna accepts commands.
    let mut child = desktop::luna(home.path())
        .args(["run", "--json"])
        .env("LUNA_MODELS", home.path().join("none"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let ready = begin.elapsed().as_secs_f64() * 1e3;
    std::thread::sleep(Duration::from_millis(1500));
    let memory = resident_mb(child.id());
    let _ = Command::new("kill").arg(child.id().to_string()).status();
    child.wait().unwrap();
    (ready, memory)
}

fn python_ready() -> (f64, f64) {
    let begin = Instant::now();
    let mut child = Command::new("/usr/bin/python3")
        .args(["-c", PYTHON_READY])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 with pyatspi is needed: the Debian package python3-pyatspi");
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
    let ready = begin.elapsed().as_secs_f64() * 1e3;
    let memory = resident_mb(child.id());
    child.kill().unwrap();
    child.wait().unwrap();
    (ready, memory)
}

/// Listens to the output of the sound device.
struct SoundListener {
    sounds: std::sync::mpsc::Receiver<Instant>,
    child: std::process::Child,
}

impl SoundListener {
    fn open() -> Self {
        let mut child = Command::new("parec")
            .args([
                "--device=@DEFAULT_MONITOR@",
                "--latency-msec=5",
                "--rate=48000",
                "--channels=1",
                "--format=s16le",
                "--raw",
            ])
            .stdout(Stdio::piped())
            .spawn()
            .expect("parec is needed: the Debian package pulseaudio-utils");
        let mut stream = child.stdout.take().unwrap();
        let (sender, sounds) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let mut block = [0; 480];
            while stream.read_exact(&mut block).is_ok() {
                let loud = block.chunks_exact(2).any(|b| i16::from_le_bytes([b[0], b[1]]).unsigned_abs() > 300);
                if loud && sender.send(Instant::now()).is_err() {
                    return;
                }
            }
        });
        Self { sounds, child }
    }

    /// Milliseconds from `begin` to the first sound after it.
    fn first_sound(&self, begin: Instant, whose: impl Fn() -> String) -> f64 {
        let limit = Duration::from_secs(5);
        loop {
            let Ok(heard) = self.sounds.recv_timeout(limit) else {
                panic!("nothing was heard at the monitor of the sound device. {}", whose());
            };
            if heard > begin {
                return (heard - begin).as_secs_f64() * 1e3;
            }
        }
    }

    fn wait_for_silence(&self) {
        while self.sounds.recv_timeout(Duration::from_millis(400)).is_ok() {}
    }
}

impl Drop for SoundListener {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn main() {
    if std::env::args().any(|argument| argument == "--test") {
        return;
    }
    let _turn = desktop::take_turns();
    assert!(
        Command::new("espeak-ng").arg("--version").stdout(Stdio::null()).status().is_ok_and(|status| status.success()),
        "espeak-ng is needed as the voice of the Python client: the Debian package espeak-ng"
    );
    let (mut ours, mut memory, mut theirs, mut their_memory) = (vec![], vec![], vec![], vec![]);
    // The first start reads the programs from the disk; it is reported separately.
    let cold = [luna_ready().0, python_ready().0];
    for _ in 0..ROUNDS {
        let (ready, resident) = luna_ready();
        ours.push(ready);
        memory.push(resident);
        let (ready, resident) = python_ready();
        theirs.push(ready);
        their_memory.push(resident);
    }

    let sample = SampleWindow::start("gtk3_sample.py", "Bench");
    let mouse = Mouse::new();
    let luna = LunaProcess::start();
    let listener = SoundListener::open();
    let point = sample.point("label_en");
    mouse.move_to(point);
    let mut sound = vec![];
    for round in 0..ROUNDS + 2 {
        listener.wait_for_silence();
        let begin = Instant::now();
        luna.order("on");
        let first = listener.first_sound(begin, || {
            format!("Round {round}\n{}\n{}", luna.seen.lock().unwrap(), luna.log.lock().unwrap())
        });
        luna.order("off");
        // The notice of switching off ends before the next round.
        luna.hears("껐어요");
        // The first rounds open the device.
        if round >= 2 {
            sound.push(first);
        }
    }
    drop(luna);
    let mut python = Command::new("/usr/bin/python3")
        .args(["-c", PYTHON_READ])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut ready = String::new();
    BufReader::new(python.stdout.as_mut().unwrap()).read_line(&mut ready).unwrap();
    let mut their_sound = vec![];
    for round in 0..ROUNDS + 2 {
        listener.wait_for_silence();
        let begin = Instant::now();
        std::io::Write::write_all(python.stdin.as_mut().unwrap(), format!("{} {}\n", point.0, point.1).as_bytes())
            .unwrap();
        let first = listener.first_sound(begin, || format!("The Python client's round {round}"));
        if round >= 2 {
            their_sound.push(first);
        }
    }
    python.kill().unwrap();
    python.wait().unwrap();

    let row = |name: &str, unit: &str, ours: f64, peer: f64| {
        println!("{name:55} {ours:9.1} {unit:3}  peer {peer:9.1} {unit:3}  ratio {:.3}", ours / peer);
        json!({"name": name, "unit": unit, "ours": ours, "peer": peer, "ratio": ours / peer})
    };
    let rows: Vec<Value> = vec![
        row("start to ready, median (peer: pyatspi ready to ask)", "ms", median(&mut ours), median(&mut theirs)),
        row("start to ready, p95", "ms", percentile(&ours, 95), percentile(&theirs, 95)),
        row("the first start, cold", "ms", cold[0], cold[1]),
        row("idle memory (peer: pyatspi client)", "MB", median(&mut memory), median(&mut their_memory)),
        row(
            "command to first sound at the monitor, median (peer: pyatspi, espeak-ng, paplay)",
            "ms",
            median(&mut sound),
            median(&mut their_sound),
        ),
        row("command to first sound at the monitor, p95", "ms", percentile(&sound, 95), percentile(&their_sound, 95)),
    ];
    let folder = desktop::root().join("target/report");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("start.json"), serde_json::to_vec_pretty(&rows).unwrap()).unwrap();
}
