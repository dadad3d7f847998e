//! HTTP downloads that resume after an interruption.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ureq::Agent;
use ureq::http::{Response, StatusCode, header};

use super::FetchRequest;
use crate::error::{ModelError, SourceError};
use crate::progress::ProgressSink;

/// Maximum size of a file whose size the manifest does not give: 64 GiB.
const MAX_UNKNOWN_BYTES: u64 = 1 << 36;

/// Timeouts and attempts of a download.
#[derive(Debug, Clone, Copy)]
pub struct HttpSettings {
    /// Timeout for connecting.
    pub connect: Duration,
    /// Timeout for the response header.
    pub answer: Duration,
    /// Timeout for each read of the body.
    pub silence: Duration,
    /// Maximum attempts if the connection is interrupted; each resumes where the last one stopped. Once an attempt ends without a byte, no other
    /// follows.
    pub attempts: u32,
}

impl Default for HttpSettings {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(15),
            answer: Duration::from_secs(30),
            silence: Duration::from_secs(60),
            attempts: 3,
        }
    }
}

pub(super) struct HttpClient {
    agent: Agent,
    attempts: u32,
}

/// The origin of a part, so that it is not continued with other content.
struct DownloadOrigin {
    url: String,
    validator: String,
}

impl HttpClient {
    pub(super) fn new(settings: HttpSettings) -> Self {
        let config = Agent::config_builder()
            .timeout_connect(Some(settings.connect))
            .timeout_recv_response(Some(settings.answer))
            .timeout_per_read(Some(settings.silence))
            .max_redirects(8)
            .http_status_as_error(false)
            .user_agent(concat!("luna/", env!("CARGO_PKG_VERSION")))
            .build();
        Self { agent: Agent::new_with_config(config), attempts: settings.attempts.max(1) }
    }

    pub(super) fn get(
        &self,
        url: &str,
        wanted: &FetchRequest<'_>,
        sink: &mut dyn ProgressSink,
    ) -> Result<(), SourceError> {
        let mut last = None;
        for _ in 0..self.attempts {
            let before = length(wanted.part);
            match self.attempt(url, wanted, sink) {
                Err(SourceError::Network { cause }) => {
                    // No byte has arrived, so an immediate retry would fail, too.
                    let stuck = length(wanted.part) == before && before == 0;
                    last = Some(SourceError::Network { cause });
                    if stuck {
                        break;
                    }
                }
                other => return other,
            }
        }
        Err(last.unwrap_or(SourceError::NoFile))
    }

    fn attempt(&self, url: &str, wanted: &FetchRequest<'_>, sink: &mut dyn ProgressSink) -> Result<(), SourceError> {
        let mut have = continuable(url, wanted);
        if have > 0 && wanted.bytes == Some(have) {
            return Ok(());
        }
        let mut request = self.agent.get(url).header(header::ACCEPT_ENCODING, "identity");
        if have > 0 {
            request = request.header(header::RANGE, format!("bytes={have}-"));
            if let Some(origin) =
                read_origin(wanted.part).filter(|origin| origin.url == url && !origin.validator.is_empty())
            {
                request = request.header(header::IF_RANGE, origin.validator);
            }
        }
        let response = request.call().map_err(network)?;
        let status = response.status();
        match status {
            StatusCode::PARTIAL_CONTENT if range_start(&response) == Some(have) => {}
            StatusCode::OK => have = 0,
            // The part is longer than the file, or the server can't resume: the next attempt starts from the beginning.
            StatusCode::RANGE_NOT_SATISFIABLE | StatusCode::PARTIAL_CONTENT if have > 0 => {
                discard(wanted.part);
                return Err(SourceError::Network { cause: "the download could not be continued".to_owned() });
            }
            _ => {
                return Err(SourceError::Status { code: status.as_u16() });
            }
        }
        let rest = response.headers().get(header::CONTENT_LENGTH);
        let rest = rest.and_then(|value| value.to_str().ok()).and_then(|text| text.parse::<u64>().ok());
        let total = rest.map(|rest| have + rest);
        if let (Some(found), Some(expected)) = (total, wanted.bytes)
            && found != expected
        {
            discard(wanted.part);
            return Err(SourceError::WrongSize { found, expected });
        }
        write_origin(wanted.part, url, &response).map_err(|error| target(wanted, error))?;
        sink.begin(wanted.name, url, total.or(wanted.bytes).or(wanted.about), have);
        let mut file = open(wanted.part, have).map_err(|error| target(wanted, error))?;
        let mut body = response.into_body().into_reader();
        let mut buffer = vec![0; 1 << 16];
        let limit = wanted.bytes.unwrap_or(MAX_UNKNOWN_BYTES);
        loop {
            let count = match body.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    let _ = file.flush();
                    return Err(SourceError::Network { cause: error.to_string() });
                }
            };
            have += count as u64;
            if have > limit {
                drop(file);
                discard(wanted.part);
                return Err(SourceError::WrongSize { found: have, expected: limit });
            }
            if let Err(error) = file.write_all(&buffer[..count]) {
                drop(file);
                // Frees the space of a full disk.
                discard(wanted.part);
                return Err(target(wanted, error));
            }
            sink.advance(have);
        }
        match total {
            Some(total) if have < total => {
                Err(SourceError::Network { cause: format!("the connection ended after {have} of {total} bytes") })
            }
            _ => Ok(()),
        }
    }
}

/// Bytes of an earlier attempt that can be continued; removes a part that can't be.
fn continuable(url: &str, wanted: &FetchRequest<'_>) -> u64 {
    let have = length(wanted.part);
    let same = read_origin(wanted.part).is_some_and(|origin| origin.url == url && !origin.validator.is_empty());
    let fits = wanted.bytes.is_none_or(|bytes| have <= bytes);
    if have > 0 && fits && (same || wanted.has_known_checksum) {
        return have;
    }
    if have > 0 {
        discard(wanted.part);
    }
    0
}

fn open(part: &Path, have: u64) -> io::Result<File> {
    if have > 0 { OpenOptions::new().append(true).open(part) } else { File::create(part) }
}

fn length(part: &Path) -> u64 {
    fs::metadata(part).map_or(0, |meta| meta.len())
}

fn origin_path(part: &Path) -> PathBuf {
    let mut name = part.as_os_str().to_owned();
    name.push(".from");
    PathBuf::from(name)
}

fn read_origin(part: &Path) -> Option<DownloadOrigin> {
    let text = fs::read_to_string(origin_path(part)).ok()?;
    let (url, validator) = text.split_once('\n')?;
    Some(DownloadOrigin { url: url.to_owned(), validator: validator.trim_end().to_owned() })
}

fn write_origin<B>(part: &Path, url: &str, response: &Response<B>) -> io::Result<()> {
    let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok());
    // A weak validator does not guarantee identical bytes.
    let etag = header(header::ETAG).filter(|etag| !etag.starts_with("W/"));
    let validator = etag.or_else(|| header(header::LAST_MODIFIED)).unwrap_or_default();
    fs::write(origin_path(part), format!("{url}\n{validator}\n"))
}

/// Removes a part and its origin file.
pub(super) fn discard(part: &Path) {
    for path in [part.to_owned(), origin_path(part)] {
        match fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => {
                tracing::warn!(path = %path.display(), %error, "A broken download could not be removed.")
            }
        }
    }
}

fn range_start<B>(response: &Response<B>) -> Option<u64> {
    let text = response.headers().get(header::CONTENT_RANGE)?.to_str().ok()?;
    text.strip_prefix("bytes ")?.split('-').next()?.parse().ok()
}

fn target(wanted: &FetchRequest<'_>, error: io::Error) -> SourceError {
    let needed = wanted.bytes.or(wanted.about).unwrap_or(0);
    SourceError::Target(Box::new(ModelError::io(wanted.part, needed, error)))
}

fn network(error: ureq::Error) -> SourceError {
    SourceError::Network { cause: error.to_string() }
}
