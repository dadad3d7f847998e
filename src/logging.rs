//! Logs to standard error, without e-mail addresses and URLs unless `privacy.redact` allows them (PRV-2); keeps the newest warnings in memory
//! (BUF-1).

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use luna_platform::stream;
use luna_text::printable::printable;
use luna_text::redact::{Redaction, redact_some};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;

/// What is redacted; global, like the log.
static EMAILS: AtomicBool = AtomicBool::new(true);
static URLS: AtomicBool = AtomicBool::new(true);

/// Sets `privacy.redact`, from the next line on.
pub fn set_redaction(redaction: Redaction) {
    EMAILS.store(redaction.emails, Ordering::Relaxed);
    URLS.store(redaction.urls, Ordering::Relaxed);
}

/// What is redacted in the log.
#[must_use]
pub fn redaction() -> Redaction {
    Redaction { emails: EMAILS.load(Ordering::Relaxed), urls: URLS.load(Ordering::Relaxed) }
}

/// The newest warnings and errors, for `luna ctl status` and `luna doctor`.
#[derive(Clone, Default)]
pub struct RecentLog {
    lines: Arc<Mutex<VecDeque<String>>>,
    /// Number of lines kept, `windows.log.recent`.
    capacity: usize,
}

impl RecentLog {
    /// Keeps the newest `capacity` lines.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self { lines: Arc::default(), capacity }
    }

    /// The lines, oldest first.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    fn keep(&self, line: &str) {
        if self.capacity == 0 {
            return;
        }
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        while lines.len() >= self.capacity {
            lines.pop_front();
        }
        lines.push_back(line.to_owned());
    }
}

/// Writes one redacted event at a time. A line that standard error does not accept (closed, disk full, not read) is dropped: logging never stops or
/// blocks Luna.
struct RedactingWriter {
    recent: RecentLog,
}

impl Write for RedactingWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The formatter passes one whole event a call. `printable` keeps its line end.
        let line = redact_some(&String::from_utf8_lossy(bytes), redaction());
        let line = printable(&line);
        if line.contains(" WARN ") || line.contains("ERROR ") {
            self.recent.keep(line.trim_end());
        }
        stream::write_best_effort(&io::stderr(), line.as_bytes());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct MakeRedacting(RecentLog);

impl<'a> MakeWriter<'a> for MakeRedacting {
    type Writer = RedactingWriter;

    fn make_writer(&'a self) -> Self::Writer {
        RedactingWriter { recent: self.0.clone() }
    }
}

/// Starts logging. `LUNA_LOG` sets the level, such as `debug` or `luna_actor_runtime=trace`; screen text is never logged above `debug`.
pub fn start(recent: &RecentLog, default_level: &str) {
    let filter = EnvFilter::try_from_env("LUNA_LOG").unwrap_or_else(|_| EnvFilter::new(default_level));
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(MakeRedacting(recent.clone()))
        // The library reports an event that it can't write to standard error too, and panics if that fails.
        .log_internal_errors(false)
        .with_ansi(false)
        .with_target(false);
    // A second start, as in tests, keeps the first subscriber.
    drop(subscriber.try_init());
}

#[cfg(test)]
mod tests {
    use luna_actor_runtime::TraceLog;

    use super::*;

    // KER-12, BUF-1
    #[test]
    fn a_line_of_the_log_names_the_trace_that_it_belongs_to_ker_12() {
        let recent = RecentLog::new(8);
        let subscriber = tracing_subscriber::fmt()
            .with_env_filter(EnvFilter::new("warn"))
            .with_writer(MakeRedacting(recent.clone()))
            .with_ansi(false)
            .with_target(false);
        tracing::subscriber::with_default(subscriber.finish(), || {
            let traces = TraceLog::default();
            drop(traces.begin("command"));
            traces.begin("hot_key").scope(|| tracing::warn!("It failed."));
            tracing::warn!("It failed again.");
        });
        let lines = recent.lines();
        assert!(lines[0].ends_with("WARN trace{id=2 origin=\"hot_key\"}: It failed."), "{lines:?}");
        assert!(lines[1].ends_with("WARN It failed again."), "{lines:?}");
    }

    // PRV-2, BUF-1
    #[test]
    fn what_is_logged_is_redacted_and_the_newest_warnings_are_kept_prv_2_buf_1() {
        let recent = RecentLog::new(8);
        let mut writer = RedactingWriter { recent: recent.clone() };
        for i in 0..10 {
            writer.write_all(format!(" WARN line {i} of kim@example.kr\n").as_bytes()).unwrap();
        }
        writer.write_all(b" INFO nothing to keep\n").unwrap();
        let lines = recent.lines();
        assert_eq!(lines.len(), 8);
        assert!(lines.iter().all(|line| line.contains("[EMAIL]") && !line.contains("example")));
        assert!(lines[7].contains("line 9"));
        // `privacy.redact` without e-mail addresses takes effect from the next line on.
        set_redaction(Redaction { emails: false, urls: true });
        writer.write_all(b" WARN kim@example.kr at https://example.kr/a\n").unwrap();
        set_redaction(Redaction::ALL);
        assert!(recent.lines()[7].ends_with("kim@example.kr at [URL]"), "{:?}", recent.lines());
    }
}
