//! Requests that are too many, too slow, too large or without a token (PRV-4).

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::desktop::{self, LunaProcess, Mouse, SampleWindow, kill, take_turns, wait};

/// Sends bytes and returns everything received until the other side closes or is silent for a while.
fn send(address: &str, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(1500))).unwrap();
    stream.set_write_timeout(Some(Duration::from_secs(5))).unwrap();
    // The server may close before it has read everything, which counts as an answer.
    drop(stream.write_all(bytes));
    let mut text = Vec::new();
    let mut some = [0; 4096];
    while let Ok(read) = stream.read(&mut some) {
        text.extend_from_slice(&some[..read]);
        if read == 0 {
            break;
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// The status codes of all answers, in order.
fn statuses(answer: &str) -> Vec<&str> {
    answer.split("HTTP/1.").skip(1).filter_map(|rest| rest.get(2..5)).collect()
}

// PRV-4
#[test]
fn what_was_tried_by_hand_is_refused_and_the_person_notices_nothing_prv_4() {
    let _turn = take_turns();
    let luna = LunaProcess::start();
    let (host, token) = (luna.address.clone(), luna.token.clone());
    let port = host.rsplit(':').next().unwrap().to_owned();
    let bearer = format!("Authorization: Bearer {token}\r\n");
    let stop = "{\"command\":\"stop\"}";
    let json = |body: &str| format!("Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let post = |headers: &str, rest: &str| format!("POST /command HTTP/1.1\r\nHost: {host}\r\n{headers}{rest}");
    let get = |target: &str, headers: &str| format!("GET {target} HTTP/1.1\r\n{headers}\r\n");
    let h = format!("Host: {host}\r\n");
    let close = "Connection: close\r\n";
    let long = "x".repeat(1 << 20);
    let many: String = (0..500).map(|n| format!("X-{n}: y\r\n")).collect();
    // The request, and the accepted status codes; an empty one means that the connection ends without an answer.
    let table: Vec<(&str, String, &[&str])> = vec![
        // Valid requests.
        ("in order", post(&format!("{bearer}{close}"), &json(stop)), &["202"]),
        (
            "in order, by name",
            post(&format!("{bearer}{close}"), &json(stop)).replace("127.0.0.1", "localhost"),
            &["202"],
        ),
        // Without the token, or with a similar one.
        ("no token", post(close, &json(stop)), &["401"]),
        ("empty token", post(&format!("Authorization: Bearer \r\n{close}"), &json(stop)), &["401"]),
        ("half a token", post(&format!("Authorization: Bearer {}\r\n{close}", &token[..32]), &json(stop)), &["401"]),
        ("token and more", post(&format!("Authorization: Bearer {token}0\r\n{close}"), &json(stop)), &["401"]),
        (
            "capitals",
            post(&format!("Authorization: Bearer {}\r\n{close}", token.to_uppercase()), &json(stop)),
            &["401"],
        ),
        ("another scheme", post(&format!("Authorization: Basic {token}\r\n{close}"), &json(stop)), &["401"]),
        ("two tokens", post(&format!("Authorization: Bearer 00\r\n{bearer}{close}"), &json(stop)), &["401"]),
        ("token in the address", get(&format!("/status?token={token}"), &format!("{h}{close}")), &["401"]),
        ("token as a cookie", get("/status", &format!("{h}Cookie: token={token}\r\n{close}")), &["401"]),
        ("status", get("/status", &format!("{h}{close}")), &["401"]),
        ("events", get("/events", &format!("{h}{close}")), &["401"]),
        // Under another host name: DNS rebinding.
        ("no host", get("/metrics", close), &["403", "400"]),
        ("HTTP/1.0", "GET /metrics HTTP/1.0\r\n\r\n".to_owned(), &["403"]),
        ("another host", get("/metrics", &format!("Host: evil.example:{port}\r\n{close}")), &["403"]),
        ("host without port", get("/metrics", &format!("Host: 127.0.0.1\r\n{close}")), &["403"]),
        ("host with a user", get("/metrics", &format!("Host: x@{host}\r\n{close}")), &["403"]),
        ("host with a dot", get("/metrics", &format!("Host: localhost.:{port}\r\n{close}")), &["403"]),
        ("host as a number", get("/metrics", &format!("Host: 2130706433:{port}\r\n{close}")), &["403"]),
        ("any address", get("/metrics", &format!("Host: 0.0.0.0:{port}\r\n{close}")), &["403"]),
        ("two hosts", get("/metrics", &format!("{h}Host: evil.example\r\n{close}")), &["403", "400"]),
        ("two hosts, turned", get("/metrics", &format!("Host: evil.example\r\n{h}{close}")), &["403", "400"]),
        ("host in the line", get("http://evil.example/metrics", &format!("{h}{close}")), &["403", "400"]),
        ("forwarded host", get("/status", &format!("{h}X-Forwarded-Host: evil.example\r\n{close}")), &["401"]),
        // From a web page.
        ("page", post(&format!("Origin: http://evil.example\r\n{bearer}{close}"), &json(stop)), &["403"]),
        ("page without a name", post(&format!("Origin: null\r\n{bearer}{close}"), &json(stop)), &["403"]),
        ("page by https", post(&format!("Origin: https://{host}\r\n{bearer}{close}"), &json(stop)), &["403"]),
        (
            "page at another port",
            post(&format!("Origin: http://127.0.0.1:1\r\n{bearer}{close}"), &json(stop)),
            &["403"],
        ),
        (
            "two pages",
            post(&format!("Origin: http://{host}\r\nOrigin: http://evil.example\r\n{bearer}{close}"), &json(stop)),
            &["403"],
        ),
        (
            "a form",
            post(&format!("{bearer}{close}"), &format!("Content-Type: text/plain\r\nContent-Length: 18\r\n\r\n{stop}")),
            &["415"],
        ),
        (
            "before a request of a page",
            format!(
                "OPTIONS /command HTTP/1.1\r\n{h}Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n{close}\r\n"
            ),
            &["403"],
        ),
        // Methods and paths.
        ("get a command", get("/command", &format!("{h}{bearer}{close}")), &["405"]),
        ("delete", format!("DELETE /status HTTP/1.1\r\n{h}{bearer}{close}\r\n"), &["405"]),
        ("trace", format!("TRACE /status HTTP/1.1\r\n{h}{bearer}{close}\r\n"), &["405"]),
        (
            "connect",
            format!("CONNECT evil.example:443 HTTP/1.1\r\n{h}{bearer}{close}\r\n"),
            &["403", "404", "405", "400"],
        ),
        ("a method of its own", format!("LUNA /status HTTP/1.1\r\n{h}{bearer}{close}\r\n"), &["405"]),
        ("head", format!("HEAD /status HTTP/1.1\r\n{h}{close}\r\n"), &["401"]),
        ("nothing there", get("/", &format!("{h}{bearer}{close}")), &["404"]),
        ("a folder above", get("/../../etc/passwd", &format!("{h}{bearer}{close}")), &["404"]),
        ("coded", get("/%2e%2e/%2e%2e/etc/passwd", &format!("{h}{bearer}{close}")), &["404"]),
        ("another slash", get("//status", &format!("{h}{close}")), &["404", "401", "403", "400"]),
        ("a slash behind", get("/status/", &format!("{h}{close}")), &["404"]),
        ("capitals", get("/STATUS", &format!("{h}{close}")), &["404"]),
        ("a zero", get("/status%00", &format!("{h}{close}")), &["404"]),
        ("an asterisk", get("*", &format!("{h}{close}")), &["404", "400"]),
        ("no proof", get("/identity", &format!("{h}{close}")), &["400"]),
        ("a short challenge", get("/identity?challenge=00", &format!("{h}{close}")), &["400"]),
        (
            "a long challenge",
            get(&format!("/identity?challenge={}", "0".repeat(8000)), &format!("{h}{close}")),
            &["400"],
        ),
        (
            "a challenge of words",
            get(&format!("/identity?challenge={}", "g".repeat(64)), &format!("{h}{close}")),
            &["400"],
        ),
        // Bodies.
        ("no body", post(&format!("{bearer}{close}"), "Content-Type: application/json\r\n\r\n"), &["400"]),
        ("no JSON", post(&format!("{bearer}{close}"), &json("stop")), &["400"]),
        ("no command", post(&format!("{bearer}{close}"), &json("{}")), &["422"]),
        ("an unknown command", post(&format!("{bearer}{close}"), &json("{\"command\":\"reboot\"}")), &["422"]),
        ("a list", post(&format!("{bearer}{close}"), &json("[\"stop\"]")), &["422", "202"]),
        ("deep", post(&format!("{bearer}{close}"), &json(&"[".repeat(10_000))), &["400", "422"]),
        (
            "no text",
            format!(
                "{}\u{0}\u{1}\u{2}",
                post(&format!("{bearer}{close}"), "Content-Type: application/json\r\nContent-Length: 3\r\n\r\n")
            ),
            &["400"],
        ),
        ("a million bytes", post(&format!("{bearer}{close}"), &json(&long)), &["413", ""]),
        (
            "a terabyte announced",
            post(
                &format!("{bearer}{close}"),
                &format!("Content-Type: application/json\r\nContent-Length: 1099511627776\r\n\r\n{stop}"),
            ),
            &["413"],
        ),
        ("less than nothing", post(&format!("{bearer}{close}"), "Content-Length: -1\r\n\r\n"), &["400"]),
        (
            "two lengths",
            post(&format!("{bearer}{close}"), &format!("Content-Length: 18\r\nContent-Length: 5\r\n\r\n{stop}")),
            &["400"],
        ),
        (
            "length and pieces",
            post(
                &format!("{bearer}{close}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"),
                &format!("Content-Length: 4\r\n\r\n12\r\n{stop}\r\n0\r\n\r\n"),
            ),
            &["400", "202"],
        ),
        (
            "pieces",
            post(
                &format!("{bearer}{close}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"),
                &format!("\r\n12\r\n{stop}\r\n0\r\n\r\n"),
            ),
            &["202"],
        ),
        (
            "bad pieces",
            post(
                &format!("{bearer}{close}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"),
                "\r\nzz\r\n{}\r\n0\r\n\r\n",
            ),
            &["400"],
        ),
        (
            "an endless piece",
            post(
                &format!("{bearer}{close}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n"),
                "\r\nFFFFFFFFFFFFFFFFF\r\n{}",
            ),
            &["400"],
        ),
        ("an unknown coding", post(&format!("{bearer}{close}Transfer-Encoding: gzip\r\n"), "\r\nx"), &["400"]),
        // Headers and request lines.
        ("a long header", get("/metrics", &format!("{h}X: {long}\r\n{close}")), &["431", ""]),
        ("a long address", get(&format!("/{long}"), &format!("{h}{close}")), &["414", "431", ""]),
        ("many headers", get("/metrics", &format!("{h}{many}{close}")), &["431"]),
        ("a folded header", get("/metrics", &format!("{h}X: a\r\n b\r\n{close}")), &["400"]),
        ("a header without a name", get("/metrics", &format!("{h}: x\r\n{close}")), &["400"]),
        ("blanks before the colon", get("/metrics", &format!("Host : {host}\r\n{close}")), &["400"]),
        ("another version", format!("GET /metrics HTTP/9.9\r\n{h}\r\n"), &["400", ""]),
        ("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(), &["400", ""]),
        ("TLS", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}".to_owned(), &["400", ""]),
        ("blanks", " ".repeat(100_000), &["400", "431", ""]),
        ("ends of lines", "\r\n".repeat(10_000), &["400", "431", ""]),
        ("an upgrade", get("/events", &format!("{h}Connection: Upgrade\r\nUpgrade: websocket\r\n")), &["401"]),
    ];
    let mut wrong = Vec::new();
    for (name, request, right) in &table {
        let answer = send(&luna.address, request.as_bytes());
        let status = statuses(&answer).first().copied().unwrap_or_default().to_owned();
        if !right.contains(&status.as_str()) {
            wrong.push(format!("{name}: {status:?} instead of {right:?}"));
        }
        if answer.contains(&token) {
            wrong.push(format!("{name}: the token is in the answer"));
        }
    }
    assert!(wrong.is_empty(), "of {}:\n{}", table.len(), wrong.join("\n"));
    // A pipelined request must carry the token itself.
    let first = post(&bearer, &json(stop));
    let both = send(&luna.address, format!("{first}{}", post(close, &json(stop))).as_bytes());
    assert_eq!(statuses(&both), ["202", "401"], "{both}");
    luna.order("stop");
    assert!(luna.ctl(&["status"]).status.success());
    let log = desktop::without_default_notice(&luna.log.lock().unwrap());
    assert!(!log.contains(" WARN ") && !log.contains("ERROR"), "strangers fill no log: {log}");
}

/// A Luna with few file descriptors, as with `ulimit -n`.
fn with_few_files(files: u32) -> LunaProcess {
    let luna = LunaProcess::start();
    let limit = format!("--nofile={files}:{files}");
    let set = Command::new("prlimit").args(["--pid", &luna.child.id().to_string(), &limit]).status().unwrap();
    assert!(set.success(), "prlimit is needed (util-linux)");
    luna
}

// PRV-4, ENG-2
#[test]
fn hundreds_of_silent_and_slow_connections_keep_neither_ctl_nor_engines_out_prv_4_eng_2() {
    let _turn = take_turns();
    let sample = SampleWindow::start("gtk3_sample.py", "Idle");
    let mouse = Mouse::new();
    mouse.move_to(sample.point("label_en"));
    let luna = with_few_files(200);
    luna.wait_for_capability("text_recognition", "available");
    let beginnings = ["", "GET /status HTTP/1.1\r\nHost: ", "POST /command HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"];
    let mut silent = Vec::new();
    for number in 0..300 {
        let mut stream = TcpStream::connect(&luna.address).unwrap();
        drop(stream.write_all(beginnings[number % beginnings.len()].as_bytes()));
        silent.push(stream);
    }
    let open = || std::fs::read_dir(format!("/proc/{}/fd", luna.child.id())).unwrap().count();
    wait("the limit of connections", Duration::from_secs(5), || (open() < 150).then_some(()), || open().to_string());
    // `ctl` gets through, events arrive, and a killed engine restarts, which needs pipes.
    luna.order("on");
    luna.hears("quick brown fox");
    for engine in luna.engines("luna-engine-speech") {
        kill(engine, "KILL");
    }
    luna.order("repeat");
    luna.hears("quick brown fox");
    assert!(luna.ctl(&["status"]).status.success());
    // Sending a header now and then does not prolong a connection.
    for stream in &mut silent {
        drop(stream.write_all(b"X: y\r\n"));
    }
    luna.order("stop");
    // After their timeout all are closed.
    let gone = || (open() < 90).then_some(());
    wait("the end of all that say nothing", Duration::from_secs(20), gone, || open().to_string());
}

// PRV-4
#[test]
fn where_the_system_gives_no_more_files_luna_waits_and_goes_on_prv_4() {
    let _turn = take_turns();
    let luna = with_few_files(1024);
    luna.wait_for_capability("text_recognition", "available");
    let open = std::fs::read_dir(format!("/proc/{}/fd", luna.child.id())).unwrap().count();
    let process = luna.child.id().to_string();
    let limit = |files: usize| {
        let set =
            Command::new("prlimit").args(["--pid", &process, &format!("--nofile={files}:1024")]).status().unwrap();
        assert!(set.success());
    };
    // Lowers the limit, so that no further file descriptor is available.
    limit(open);
    let silent: Vec<_> = (0..20).map(|_| TcpStream::connect(&luna.address).unwrap()).collect();
    std::thread::sleep(Duration::from_secs(1));
    let before = processor_time(luna.child.id());
    std::thread::sleep(Duration::from_secs(2));
    let spent = processor_time(luna.child.id()) - before;
    assert!(spent < 100, "it turns in a circle: {spent} hundredths of a second in two");
    limit(1024);
    drop(silent);
    let answers = || luna.ctl(&["status"]).status.success().then_some(());
    wait("ctl", Duration::from_secs(10), answers, || luna.log.lock().unwrap().clone());
}

/// Processor time in hundredths of a second.
fn processor_time(process: u32) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

// PRV-4, KER-4
#[test]
fn streams_of_events_are_limited_and_the_rest_is_told_so_prv_4_ker_4() {
    let _turn = take_turns();
    let luna = LunaProcess::start();
    let request =
        format!("GET /events HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n", luna.address, luna.token);
    let follow = || {
        let mut stream = TcpStream::connect(&luna.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = [0; 512];
        let read = stream.read(&mut answer).unwrap();
        (stream, String::from_utf8_lossy(&answer[..read]).into_owned())
    };
    let mut streams = Vec::new();
    let (_, refused) = loop {
        let (stream, answer) = follow();
        if !answer.starts_with("HTTP/1.1 200") {
            break (stream, answer);
        }
        streams.push(stream);
        assert!(streams.len() <= 16, "there is no limit");
    };
    // The test's own event stream counts, too.
    assert_eq!(streams.len(), 15);
    assert!(refused.starts_with("HTTP/1.1 429") && refused.contains("\"error\":\"busy\""), "{refused}");
    let ctl = luna.ctl(&["events", "--follow"]);
    assert_eq!(ctl.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&ctl.stderr).contains("Too many programs follow"), "{ctl:?}");
    // The other streams are undisturbed, and a released slot can be reused.
    luna.order("stop");
    luna.event("BargeIn.Command", |data| data["type"] == "stop");
    streams.pop().unwrap().shutdown(Shutdown::Both).unwrap();
    let again = || {
        luna.order("stop");
        follow().1.starts_with("HTTP/1.1 200").then_some(())
    };
    wait("a place", Duration::from_secs(5), again, String::new);
}

// KER-4, PRV-4
#[test]
fn a_flood_of_commands_is_taken_or_refused_and_never_only_promised_ker_4_prv_4() {
    let _turn = take_turns();
    let luna = LunaProcess::start();
    let body = "{\"command\":\"next\"}";
    let one = format!(
        "POST /command HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        luna.address,
        luna.token,
        body.len()
    );
    let begin = Instant::now();
    let (taken, refused) = std::thread::scope(|scope| {
        let flood = || {
            let answers = send(&luna.address, one.repeat(500).as_bytes());
            let statuses = statuses(&answers).into_iter().map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(statuses.len(), 500, "each is answered");
            assert!(statuses.iter().all(|status| status == "202" || status == "429"), "{statuses:?}");
            let taken = statuses.iter().filter(|status| *status == "202").count();
            (taken, statuses.len() - taken)
        };
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(flood)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).fold((0, 0), |all, one| (all.0 + one.0, all.1 + one.1))
    });
    assert_eq!(taken + refused, 2000);
    let sent = begin.elapsed();
    // Every accepted command was handled: none was refused after the answer.
    let metrics = luna.get("metrics");
    let of_focus = |line: &&str| {
        let labels = ["actor=\"focus\"", "lane=\"reflex\"", "how=\"refused\""];
        line.starts_with("luna_messages_dropped_total") && labels.iter().all(|label| line.contains(label))
    };
    let behind: f64 =
        metrics.lines().filter(of_focus).filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok()).sum();
    assert!(behind <= refused as f64, "{behind} were refused, {refused} were told so");
    luna.order("stop");
    assert!(sent < Duration::from_secs(60), "{sent:?}");
    assert!(desktop::luna(luna.home.path()).args(["ctl", "status"]).output().unwrap().status.success());
}
