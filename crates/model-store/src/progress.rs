//! How a fetch tells how far it is.

/// Hears about a fetch. All methods may be called from the thread that fetches.
pub trait ProgressSink {
    /// A file begins. `total` is its size where known; `done` is what is there from an earlier attempt.
    fn begin(&mut self, name: &str, source: &str, total: Option<u64>, done: u64);
    /// So many bytes are there now.
    fn advance(&mut self, done: u64);
    /// The file is in place, verified.
    fn finish(&mut self, name: &str, bytes: u64);
    /// Something that a person wants to know: a source failed, another fetch is waited for.
    fn note(&mut self, text: &str);
}

/// Tells nobody.
#[derive(Debug, Default, Clone, Copy)]
pub struct Silent;

impl ProgressSink for Silent {
    fn begin(&mut self, _name: &str, _source: &str, _total: Option<u64>, _done: u64) {}
    fn advance(&mut self, _done: u64) {}
    fn finish(&mut self, _name: &str, _bytes: u64) {}
    fn note(&mut self, _text: &str) {}
}
