//! Failures of applications, windows and buses.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn a_window_that_vanishes_is_told_as_gone_and_the_process_goes_on() {
    let _desk = desk().await;
    let tree = AtSpi::new();
    for wait in [0, 3, 10, 40] {
        let mut sample = SampleApp::start("gtk3_sample.py", "Vanishing 사라지기", Point::new(60, 60));
        let point = sample.place("cell2_0").center();
        let window = tree.window_at(point).await.unwrap().unwrap();
        element(&tree, "cell", point).await;
        sample.tell("close");
        tokio::time::sleep(Duration::from_millis(wait)).await;
        let answer = pick(&tree, point).await;
        let is_fine = matches!(
            answer,
            Ok(AtPoint::Element(_) | AtPoint::NoWindow | AtPoint::NoText { .. })
                | Err(PlatformError::Gone | PlatformError::NoAnswer)
        );
        assert!(is_fine, "{answer:?}");
        sample.child.wait().unwrap();
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert_eq!(tree.window_lines(&window).await, Err(PlatformError::Gone));
        assert_eq!(tree.protected_boxes(&window, window.bounds).await, Err(PlatformError::Gone));
    }
    let sample = SampleApp::start("gtk3_sample.py", "Still here", Point::new(60, 60));
    element(&tree, "button", sample.place("button").center()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_that_does_not_answer_is_left_alone_and_comes_back() {
    let _desk = desk().await;
    let sample = SampleApp::start("gtk3_sample.py", "Stopped 멈춤", Point::new(60, 60));
    let point = sample.place("button").center();
    for is_known in [false, true] {
        let tree = AtSpi::new();
        if is_known {
            element(&tree, "button", point).await;
        }
        sample.signal("-STOP");
        assert_eq!(pick(&tree, point).await, Err(PlatformError::NoAnswer), "known: {is_known}");
        // While the application is not queried, the answer is immediate.
        let start = Instant::now();
        assert_eq!(pick(&tree, point).await, Err(PlatformError::NoAnswer));
        assert!(start.elapsed() < Duration::from_millis(50), "{:?}", start.elapsed());
        let window = tree.window_at(point).await.unwrap().unwrap();
        assert_eq!(tree.protected_boxes(&window, window.bounds).await, Err(PlatformError::NoAnswer));
        sample.signal("-CONT");
        let start = Instant::now();
        while pick(&tree, point).await == Err(PlatformError::NoAnswer) {
            assert!(start.elapsed() < Duration::from_secs(6), "it did not come back");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        element(&tree, "button", point).await;
    }
}

// KER-9
#[tokio::test(flavor = "multi_thread")]
async fn without_a_bus_the_reason_and_the_remedy_are_told_ker_9() {
    let _desk = desk().await;
    let sample = SampleApp::start("gtk3_sample.py", "No bus", Point::new(60, 60));
    let tree = AtSpi::with_session_bus("unix:path=/nonexistent/luna-test-bus");
    let point = sample.place("button").center();
    for error in [tree.check().await.unwrap_err(), pick(&tree, point).await.unwrap_err()] {
        let PlatformError::Unavailable(why) = error else { panic!("{error:?}") };
        assert!(why.reason.contains("session bus") && !why.remedy.is_empty(), "{why:?}");
    }
    // The window is still found, so recognition can continue.
    assert!(tree.window_at(point).await.unwrap().is_some());
}

// KER-9
#[tokio::test(flavor = "multi_thread")]
async fn a_bus_that_went_away_and_came_back_is_found_again_ker_9() {
    let _desk = desk().await;
    let address_of = |child: &mut Child| {
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        line.trim().to_owned()
    };
    let directory = std::env::temp_dir().join(format!("luna-bus-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let wanted = format!("unix:path={}", directory.join("bus").display());
    let start = || {
        let _ = std::fs::remove_file(directory.join("bus"));
        let mut daemon = Command::new("dbus-daemon")
            .args(["--session", "--nofork", "--print-address", &format!("--address={wanted}")])
            // Without a display and with its own runtime directory the daemon does not touch the accessibility bus of
            // this desktop.
            .env_remove("AT_SPI_BUS_ADDRESS")
            .env_remove("DISPLAY")
            .env("XDG_RUNTIME_DIR", &directory)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap_or_else(|error| panic!("dbus-daemon is needed (Debian package dbus): {error}"));
        assert!(address_of(&mut daemon).starts_with("unix:path="));
        daemon
    };
    let mut daemon = start();
    let tree = AtSpi::with_session_bus(&wanted);
    tree.check().await.unwrap();
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    // The daemon's accessibility bus ends after it, with a delay.
    let since = Instant::now();
    while tree.check().await.is_ok() {
        assert!(since.elapsed() < Duration::from_secs(20), "the accessibility bus outlives its session");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert!(matches!(tree.check().await, Err(PlatformError::Unavailable(_))));
    let mut daemon = start();
    let since = Instant::now();
    while let Err(error) = tree.check().await {
        assert!(since.elapsed() < Duration::from_secs(10), "{error}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    daemon.kill().unwrap();
    daemon.wait().unwrap();
    let _ = std::fs::remove_dir_all(&directory);
}
