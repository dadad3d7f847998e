//! Another program uses the port and later releases it.

use std::net::TcpListener;
use std::time::Duration;

use crate::desktop::{LunaProcess, take_turns};

// KER-9
#[test]
fn the_endpoint_opens_once_the_port_is_free_ker_9() {
    let _turn = take_turns();
    let other = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = other.local_addr().unwrap();
    let ends = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(3));
        drop(other);
    });
    // `start_with` waits for the control file, which is written once the port is bound.
    let luna = LunaProcess::start_with(|command| {
        command.env("LUNA__HTTP__PORT", address.port().to_string());
    });
    ends.join().unwrap();
    assert_eq!(luna.address, address.to_string());
    luna.order("stop");
    luna.wait_for_capability("http", "available");
    let log = luna.log.lock().unwrap().clone();
    assert!(log.contains(&format!("another program uses port {}", address.port())), "{log}");
    assert!(log.contains("http.port"), "{log}");
    assert_eq!(log.matches("another program uses port").count(), 1, "told once: {log}");
}
