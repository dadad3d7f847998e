//! URLs and e-mail addresses (PRE-3): they end before a particle, a closing bracket or a full stop.

use luna_messages::preserve::TokenClass::{Code, Email, Url};
use luna_text::characters::IndexedText;

use super::super::text::{is_digit, is_hangul};
use super::super::token::narrow;
use super::Scanner;

/// Top-level domains that make a bare host name an address.
const TOP_LEVEL: &[&str] = &[
    "com", "net", "org", "io", "kr", "dev", "app", "edu", "gov", "info", "biz", "jp", "cn", "uk", "de", "fr", "tv",
    "xyz", "ai", "gg", "co", "eu", "ca", "au", "local", "cloud", "site", "online", "store", "example", "test",
];

/// File name extensions.
const EXTENSIONS: &[&str] = &[
    "txt",
    "md",
    "rs",
    "py",
    "js",
    "ts",
    "jsx",
    "tsx",
    "vue",
    "json",
    "jsonl",
    "yaml",
    "yml",
    "toml",
    "html",
    "htm",
    "css",
    "scss",
    "png",
    "jpg",
    "jpeg",
    "gif",
    "svg",
    "webp",
    "bmp",
    "ico",
    "pdf",
    "doc",
    "docx",
    "xls",
    "xlsx",
    "ppt",
    "pptx",
    "hwp",
    "hwpx",
    "zip",
    "tar",
    "gz",
    "tgz",
    "xz",
    "bz2",
    "7z",
    "rar",
    "exe",
    "msi",
    "dll",
    "so",
    "sh",
    "bat",
    "cmd",
    "ps1",
    "log",
    "csv",
    "tsv",
    "xml",
    "ini",
    "cfg",
    "conf",
    "c",
    "h",
    "cpp",
    "hpp",
    "cc",
    "cs",
    "java",
    "jar",
    "kt",
    "go",
    "rb",
    "php",
    "swift",
    "sql",
    "mp3",
    "mp4",
    "m4a",
    "wav",
    "ogg",
    "flac",
    "avi",
    "mkv",
    "mov",
    "webm",
    "iso",
    "img",
    "bin",
    "dat",
    "db",
    "sqlite",
    "lock",
    "env",
    "gguf",
    "onnx",
    "apk",
    "dmg",
    "pkg",
    "deb",
    "rpm",
    "wasm",
    "ipynb",
    "epub",
    "tex",
    "bak",
    "tmp",
    "resw",
    "srt",
    "ttf",
    "woff",
    "psd",
    "ai",
    "eml",
    "ics",
    "key",
    "pem",
    "crt",
    "properties",
    "gradle",
    "plist",
];

/// Korean particles that may follow an address, even if its last part is Hangul.
const PARTICLES: &[&str] = &[
    "에서는",
    "에서",
    "으로",
    "까지",
    "부터",
    "에는",
    "에도",
    "에게",
    "입니다",
    "이에요",
    "보다",
    "처럼",
    "이나",
    "을",
    "를",
    "은",
    "는",
    "에",
    "로",
    "와",
    "과",
    "의",
    "이",
    "가",
    "도",
];

impl Scanner<'_> {
    /// A URL that begins at `start`; its host begins at `host`.
    pub(super) fn url(&mut self, start: usize, host: usize) -> usize {
        let mut end = host;
        // Open brackets within the URL.
        let (mut round, mut square) = (0_usize, 0_usize);
        let mut in_host = true;
        let mut hangul_from = 0;
        loop {
            let c = self.t.at(end);
            let before = self.t.before(end);
            match c {
                '(' => round += 1,
                '[' => square += 1,
                ')' if round > 0 => round -= 1,
                ']' if square > 0 => square -= 1,
                ')' | ']' | '\0' | '"' | '\'' | '<' | '>' | '`' | '|' | '^' | '\\' => break,
                '{' | '}' if !self.is_placeholder(end) => break,
                // Two URLs in a list.
                ',' if matches!(self.t.at(end + 1), 'h' | 'w') && self.t.starts(end + 1, "http") => break,
                '/' | '?' | '#' => in_host = false,
                _ if c.is_whitespace() || c.is_control() => break,
                _ if c.is_ascii() => {}
                _ if is_hangul(c) => {
                    let goes_on = hangul_from > 0 && is_hangul(before);
                    let begins = matches!(before, '/' | '=' | '&' | '#' | '-' | '_' | '+')
                        || (before == '.' && in_host && self.hangul_label(end))
                        || end == host;
                    if !goes_on && !begins {
                        break;
                    }
                    if !goes_on {
                        hangul_from = end;
                    }
                }
                // A path may contain letters of other scripts, but not the sentence's punctuation.
                _ if c.is_alphabetic() && !in_host => {}
                _ => break,
            }
            end += 1;
        }
        let end = self.trimmed(host, end);
        if end <= host {
            return start + 1;
        }
        self.push_text(Url, start, end);
        if hangul_from > 0 && hangul_from < end && is_hangul(self.t.before(end)) {
            self.may_end_in_particle(hangul_from, end);
        }
        end
    }

    /// Whether the Hangul at `i` is a part of a host name: followed by another part, or a top-level domain.
    fn hangul_label(&self, i: usize) -> bool {
        let end = self.t.short_run(i, 16, is_hangul);
        (self.t.at(end) == '.' && self.t.at(end + 1).is_alphanumeric())
            || ["한국", "닷컴", "닷넷"].iter().any(|name| self.t.starts(i, name))
    }

    fn is_placeholder(&self, i: usize) -> bool {
        if self.t.at(i) == '}' {
            let from = i.saturating_sub(24);
            return self.t.slice(from, i).iter().rev().take_while(|c| !c.is_whitespace()).any(|c| *c == '{');
        }
        let end = self.t.short_run(i + 1, 24, |c| c.is_ascii_alphanumeric() || c == '_');
        self.t.at(end) == '}'
    }

    /// Records that the last token may be shorter, without the particle in `from..end`.
    fn may_end_in_particle(&mut self, from: usize, end: usize) {
        let short = PARTICLES.iter().find_map(|particle| {
            let at = end.checked_sub(particle.chars().count())?;
            (at >= from && self.t.starts(at, particle)).then_some(at)
        });
        if let (Some(short), Some(token)) = (short, self.scan.tokens.last_mut()) {
            token.short_end = narrow(short);
        }
    }

    /// An e-mail address, a bare host or a file, if a run of letters, digits and dots begins here. Each run is read once.
    pub(super) fn chunk(&mut self, i: usize) -> Option<usize> {
        if i < self.chunk_end {
            return None;
        }
        let end = self.t.run(i, |c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '%' | '+' | '-'));
        self.chunk_end = end;
        if self.t.at(end) == '@'
            && let Some(end) = self.email(i, end)
        {
            return Some(end);
        }
        let trimmed = self.trimmed(i, end);
        let dot = (i..trimmed).rev().find(|k| self.t.at(*k) == '.')?;
        if dot == i {
            return None;
        }
        let plain = (i..trimmed).all(|k| !matches!(self.t.at(k), '%' | '+'));
        let label = self.string(dot + 1, trimmed);
        if !plain || label.is_empty() || label.len() > 12 {
            return None;
        }
        let lower = label.to_ascii_lowercase();
        let in_path = matches!(self.t.at(trimmed), '/') && self.t.at(trimmed + 1).is_ascii_alphanumeric();
        if TOP_LEVEL.contains(&&*label) && self.is_host(i, trimmed) {
            let goes_on =
                in_path || self.t.at(trimmed) == '/' || (self.t.at(trimmed) == ':' && is_digit(self.t.at(trimmed + 1)));
            if goes_on {
                return Some(self.url(i, trimmed));
            }
            self.push_text(Url, i, trimmed);
            return Some(trimmed);
        }
        if EXTENSIONS.contains(&&*lower)
            && !in_path
            && (lower.len() > 1 || self.t.at(dot.saturating_sub(1)).is_ascii_lowercase())
        {
            // A sentence with a missing space: "done.So".
            if label.chars().next().is_some_and(char::is_uppercase) && !label.chars().all(|c| !c.is_lowercase()) {
                return None;
            }
            self.push_text(Code, i, trimmed);
            return Some(trimmed);
        }
        // obj.method()
        let called = self.t.at(end) == '(' && self.t.at(end + 1) == ')' && self.t.at(i).is_ascii_alphabetic();
        if called && (i..end).all(|k| self.t.at(k) != '-') {
            self.push_text(Code, i, end + 2);
            return Some(end + 2);
        }
        None
    }

    fn is_host(&self, i: usize, end: usize) -> bool {
        let first = self.t.run(i, |c| c != '.') - i;
        let letters = (i..end).all(|k| matches!(self.t.at(k), 'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '-'));
        letters && (first >= 2 || self.t.at(end) == '/') && (i..end).any(|k| self.t.at(k).is_ascii_alphabetic())
    }

    fn email(&mut self, start: usize, at: usize) -> Option<usize> {
        let end = self.t.run(at + 1, |c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-'));
        let end = self.trimmed(at + 1, end);
        let dot = (at + 1..end).rev().find(|k| self.t.at(*k) == '.')?;
        let last = end - dot - 1;
        let letters = (dot + 1..end).all(|k| self.t.at(k).is_ascii_alphabetic());
        if last < 2 || !letters || dot == at + 1 {
            return None;
        }
        self.push_text(Email, start, end);
        Some(end)
    }
}
