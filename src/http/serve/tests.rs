//! Limits of the server against slow and many clients, over real sockets.

use std::net::SocketAddr;

use axum::routing::get;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::time::Instant;

use super::*;

const LIMITS: Limits =
    Limits { connections: 8, headers: Duration::from_millis(300), stalled: Duration::from_millis(500) };

async fn server() -> (SocketAddr, tokio::task::JoinHandle<io::Error>) {
    let router =
        Router::new().route("/", get(|| async { "fine" })).route("/much", get(|| async { "x".repeat(64 << 20) }));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    (address, tokio::spawn(serve(listener, router, LIMITS)))
}

async fn connect(address: SocketAddr, bytes: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(bytes.as_bytes()).await.unwrap();
    stream
}

/// Reads everything until the server closes.
async fn rest(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    // A reset also ends the connection.
    drop(tokio::time::timeout(Duration::from_secs(10), stream.read_to_end(&mut text)).await.expect("it never ends"));
    String::from_utf8_lossy(&text).into_owned()
}

const ASK: &str = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

// PRV-4
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_sends_no_headers_in_time_is_closed_prv_4() {
    let (address, _server) = server().await;
    for begun in ["", "GET", "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", ASK] {
        let mut stream = connect(address, begun).await;
        let begin = Instant::now();
        rest(&mut stream).await;
        let took = begin.elapsed();
        assert!(took > Duration::from_millis(150) && took < Duration::from_secs(5), "{begun:?} took {took:?}");
    }
    // Sending bytes slowly does not help.
    let mut stream = connect(address, "GET / HTTP/1.1\r\n").await;
    let begin = Instant::now();
    while stream.write_all(b"X: y\r\n").await.is_ok() && begin.elapsed() < Duration::from_secs(10) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
}

// PRV-4
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_that_say_nothing_keep_nobody_out_prv_4() {
    let (address, _server) = server().await;
    let mut silent = Vec::new();
    for _ in 0..100 {
        silent.push(connect(address, "").await);
        if silent.len() % 10 == 0 {
            let mut asks = connect(address, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await;
            assert!(rest(&mut asks).await.ends_with("fine"));
        }
    }
    // The oldest were closed for the newer ones.
    assert_eq!(rest(&mut silent[0]).await, "");
}

// PRV-4
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_takes_nothing_of_an_answer_is_given_up_prv_4() {
    let (address, _server) = server().await;
    let mut stream = connect(address, "GET /much HTTP/1.1\r\nHost: x\r\n\r\n").await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    let text = rest(&mut stream).await;
    assert!(text.len() < 64 << 20, "{}", text.len());
}

// PRV-4
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ending_the_server_ends_its_connections_prv_4() {
    let (address, server) = server().await;
    let mut stream = connect(address, ASK).await;
    let mut first = [0; 15];
    stream.read_exact(&mut first).await.unwrap();
    let begin = Instant::now();
    server.abort();
    rest(&mut stream).await;
    assert!(begin.elapsed() < Duration::from_millis(250), "{:?}", begin.elapsed());
}
