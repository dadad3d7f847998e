//! A server of files that misbehaves on demand.
#![allow(dead_code, reason = "each test file uses its part")]

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// How the server answers a request.
#[derive(Clone, Copy)]
pub enum ServerAnswer {
    /// Correctly, with ranges.
    Right,
    /// With the whole file, ignoring ranges.
    NoRanges,
    /// Correctly, but disconnects after this number of bytes of the body.
    BreakAfter(usize),
    /// With other bytes of the same size.
    Wrong,
    /// With an error page and status 200.
    Page,
    Status(u16),
    /// To `/file`.
    Redirect,
}

pub struct DownloadServer {
    pub address: String,
    /// Request lines and Range headers of all requests.
    pub seen: Arc<Mutex<Vec<String>>>,
}

/// Gives these answers to successive requests, then `Right` to all further ones.
pub fn server(body: Vec<u8>, answers: Vec<ServerAnswer>) -> DownloadServer {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port on this machine");
    let address = format!("http://{}", listener.local_addr().unwrap());
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    std::thread::spawn(move || {
        let mut answers = answers.into_iter();
        for stream in listener.incoming() {
            let Ok(stream) = stream else { return };
            let answer = answers.next().unwrap_or(ServerAnswer::Right);
            let _ = serve(stream, &body, answer, &log);
        }
    });
    DownloadServer { address, seen }
}

fn serve(mut stream: TcpStream, body: &[u8], answer: ServerAnswer, log: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut lines = BufReader::new(stream.try_clone()?).lines();
    let mut request = lines.next().transpose()?.unwrap_or_default();
    let mut start = 0;
    for line in lines {
        let line = line?.to_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(range) = line.strip_prefix("range: bytes=") {
            start = range.trim_end_matches('-').parse().unwrap_or(0);
            request = format!("{request} from {start}");
        }
    }
    log.lock().unwrap().push(request);
    let head = "Connection: close\r\nETag: \"1\"\r\n";
    match answer {
        ServerAnswer::Status(code) => write!(stream, "HTTP/1.1 {code} No\r\n{head}Content-Length: 0\r\n\r\n"),
        ServerAnswer::Redirect => {
            write!(stream, "HTTP/1.1 302 Found\r\n{head}Location: /file\r\nContent-Length: 0\r\n\r\n")
        }
        ServerAnswer::Page => write!(stream, "HTTP/1.1 200 OK\r\n{head}Content-Length: 13\r\n\r\n<html>no</htm"),
        ServerAnswer::Wrong => {
            write!(stream, "HTTP/1.1 200 OK\r\n{head}Content-Length: {}\r\n\r\n", body.len())?;
            let mut other = body.to_vec();
            if let Some(last) = other.last_mut() {
                *last ^= 1;
            }
            stream.write_all(&other)
        }
        ServerAnswer::Right | ServerAnswer::NoRanges | ServerAnswer::BreakAfter(_) => {
            if start > body.len() {
                return write!(stream, "HTTP/1.1 416 No\r\n{head}Content-Length: 0\r\n\r\n");
            }
            let start = if matches!(answer, ServerAnswer::NoRanges) { 0 } else { start };
            let rest = &body[start..];
            if start > 0 {
                let last = body.len() - 1;
                write!(stream, "HTTP/1.1 206 Part\r\n{head}Content-Range: bytes {start}-{last}/{}\r\n", body.len())?;
            } else {
                write!(stream, "HTTP/1.1 200 OK\r\n{head}")?;
            }
            write!(stream, "Content-Length: {}\r\n\r\n", rest.len())?;
            let end = if let ServerAnswer::BreakAfter(count) = answer { count.min(rest.len()) } else { rest.len() };
            stream.write_all(&rest[..end])
        }
    }?;
    stream.flush()
}
