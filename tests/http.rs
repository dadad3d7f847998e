//! The local endpoint: access control, and metrics that Prometheus accepts (PRV-4, MET-1, MET-2).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

#[path = "support/desktop.rs"]
mod desktop;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use desktop::{LunaProcess, Mouse, SampleWindow, take_turns, wait};

/// Sends a raw request and returns the status line.
fn raw(luna: &LunaProcess, request: &str) -> String {
    let mut stream = TcpStream::connect(&luna.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    stream.write_all(request.replace('\n', "\r\n").as_bytes()).unwrap();
    let mut answer = [0; 64];
    let read = stream.read(&mut answer).unwrap();
    String::from_utf8_lossy(&answer[..read]).lines().next().unwrap_or_default().to_owned()
}

// PRV-4
#[test]
fn a_page_in_a_browser_cannot_drive_luna_prv_4() {
    let _turn = take_turns();
    let luna = LunaProcess::start();
    let host = &luna.address;
    let token = format!("Authorization: Bearer {}\n", luna.token);
    let body = "Content-Type: application/json\nContent-Length: 18\nConnection: close\n\n{\"command\":\"stop\"}";
    for (request, expect) in [
        (format!("POST /command HTTP/1.1\nHost: {host}\n{token}{body}"), "202"),
        (format!("POST /command HTTP/1.1\nHost: {host}\n{body}"), "401"),
        (format!("POST /command HTTP/1.1\nHost: {host}\nAuthorization: Bearer 00\n{body}"), "401"),
        (format!("POST /command HTTP/1.1\nHost: evil.example\n{token}{body}"), "403"),
        (format!("POST /command HTTP/1.1\nHost: {host}\nOrigin: http://evil.example\n{token}{body}"), "403"),
        (format!("GET /events HTTP/1.1\nHost: {host}\nConnection: close\n\n"), "401"),
        (format!("GET /status HTTP/1.1\nHost: {host}\nConnection: close\n\n"), "401"),
        (format!("GET /metrics HTTP/1.1\nHost: {host}\nConnection: close\n\n"), "200"),
        ("GET /metrics HTTP/1.1\nHost: evil.example\nConnection: close\n\n".to_owned(), "403"),
        (
            format!(
                "POST /command HTTP/1.1\nHost: {host}\n{token}Content-Type: application/json\nContent-Length: 3\nConnection: close\n\n{{}}x"
            ),
            "422",
        ),
    ] {
        let status = raw(&luna, &request);
        assert!(status.contains(expect), "{status} instead of {expect} for {request}");
    }
    // The endpoint listens on this machine only.
    assert!(host.starts_with("127.0.0.1:"), "{host}");
}

#[test]
fn a_second_luna_is_refused_and_says_so() {
    let _turn = take_turns();
    let luna = LunaProcess::start();
    let output = desktop::luna(luna.home.path()).arg("run").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("runs already"));
}

// MET-1, MET-2
#[test]
fn prometheus_scrapes_and_tells_a_quantile_met_1_met_2() {
    let _turn = take_turns();
    let sample = SampleWindow::start("gtk3_sample.py", "Metrics");
    let mouse = Mouse::new();
    mouse.move_to(sample.point("label_en"));
    let luna = LunaProcess::start();
    luna.order("on");
    luna.hears("quick brown fox");
    luna.order("stop");
    luna.event("TTS.Stop", |_| true);

    let mut check = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("promtool is not there: the Debian package prometheus has it");
    check.stdin.take().unwrap().write_all(luna.get("metrics").as_bytes()).unwrap();
    let checked = check.wait_with_output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));

    let folder = tempfile::tempdir().unwrap();
    let config = format!(
        "global: {{scrape_interval: 1s}}\nscrape_configs: [{{job_name: luna, static_configs: [{{targets: ['{}']}}]}}]\n",
        luna.address
    );
    std::fs::write(folder.path().join("prometheus.yml"), config).unwrap();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut prometheus = Command::new("prometheus")
        .arg(format!("--config.file={}", folder.path().join("prometheus.yml").display()))
        .arg(format!("--storage.tsdb.path={}", folder.path().join("data").display()))
        .arg(format!("--web.listen-address=127.0.0.1:{port}"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("prometheus is not there");
    let query = "histogram_quantile(0.95, sum by (le) (luna_inbox_wait_seconds_bucket))";
    let value = wait(
        "a quantile",
        Duration::from_secs(40),
        || {
            let output = Command::new("promtool")
                .args(["query", "instant", &format!("http://127.0.0.1:{port}"), query])
                .output()
                .ok()?;
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            text.split("=> ").nth(1)?.split(' ').next()?.parse::<f64>().ok().filter(|value| value.is_finite())
        },
        String::new,
    );
    prometheus.kill().unwrap();
    prometheus.wait().unwrap();
    assert!(value > 0.0 && value < 10.0, "{value}");
    assert!(luna.metric("luna_picks_total{method=\"uia\",outcome=\"success\"}") >= 1.0, "{}", luna.get("metrics"));
}
