//! Progress of a fetch.

/// Receives the progress of a fetch, on the thread that fetches.
pub trait ProgressSink {
    /// A file begins. `total` is its size in bytes, if known; `done` are the bytes kept from an earlier attempt.
    fn begin(&mut self, name: &str, source: &str, total: Option<u64>, done: u64);
    /// `done` bytes are present.
    fn advance(&mut self, done: u64);
    /// The file is verified and in place.
    fn finish(&mut self, name: &str, bytes: u64);
    /// A message for the person, such as a failed source or a wait for another fetch.
    fn note(&mut self, text: &str);
}

/// Ignores progress.
#[derive(Debug, Default, Clone, Copy)]
pub struct SilentProgress;

impl ProgressSink for SilentProgress {
    fn begin(&mut self, _name: &str, _source: &str, _total: Option<u64>, _done: u64) {}
    fn advance(&mut self, _done: u64) {}
    fn finish(&mut self, _name: &str, _bytes: u64) {}
    fn note(&mut self, _text: &str) {}
}
