//! Members of Python wheels. pip downloads them, so that its configured mirrors and proxies apply.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use zip::ZipArchive;

use super::{FetchRequest, local};
use crate::error::SourceError;
use crate::manifest::Pypi;
use crate::progress::ProgressSink;

/// Wheels downloaded so far; a wheel may contain several models.
pub(super) struct DownloadedWheels {
    /// The Python program that `LUNA_PYTHON` names; `None`: the usual names are tried in turn.
    python: Option<String>,
    downloaded: BTreeMap<String, (TempDir, PathBuf)>,
}

impl DownloadedWheels {
    pub(super) fn new(python: Option<String>) -> Self {
        Self { python, downloaded: BTreeMap::new() }
    }

    pub(super) fn get(
        &mut self,
        pypi: &Pypi,
        wanted: &FetchRequest<'_>,
        sink: &mut dyn ProgressSink,
    ) -> Result<(), SourceError> {
        sink.begin(wanted.name, &format!("{} {} by pip", pypi.package, pypi.version), wanted.bytes.or(wanted.about), 0);
        let id = format!("{}=={}", pypi.package, pypi.version);
        if !self.downloaded.contains_key(&id) {
            let wheel = self.download(&id)?;
            self.downloaded.insert(id.clone(), wheel);
        }
        let Some((_, wheel)) = self.downloaded.get(&id) else {
            return Err(SourceError::NoFile);
        };
        let unusable = |message: String| SourceError::Wheel { message };
        let file = File::open(wheel).map_err(|error| unusable(error.to_string()))?;
        let mut archive = ZipArchive::new(file).map_err(|error| unusable(error.to_string()))?;
        let mut member =
            archive.by_name(&pypi.member).map_err(|error| unusable(format!("{}: {error}", pypi.member)))?;
        local::copy(&mut member, wanted, sink)
    }

    fn download(&self, id: &str) -> Result<(TempDir, PathBuf), SourceError> {
        let pip = |message: String| SourceError::Pip { message };
        let folder = TempDir::new().map_err(|error| pip(error.to_string()))?;
        let candidates: Vec<&str> = match &self.python {
            Some(python) => vec![python],
            None if cfg!(windows) => vec!["py", "python", "python3"],
            None => vec!["python3", "python"],
        };
        for python in candidates {
            let mut command = Command::new(python);
            command
                .args(["-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-input", "--quiet"])
                .args(["--disable-pip-version-check", "--progress-bar=off", "--dest"])
                .arg(folder.path())
                .arg(id)
                .stdin(Stdio::null());
            let output = match command.output() {
                Ok(output) => output,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => return Err(pip(format!("{python}: {error}"))),
            };
            if !output.status.success() {
                let text = String::from_utf8_lossy(&output.stderr);
                if text.contains("No module named pip") {
                    return Err(SourceError::NoPip { python: python.to_owned() });
                }
                return Err(pip(last_error(&text)));
            }
            let files = fs::read_dir(folder.path()).map_err(|error| pip(error.to_string()))?;
            let wheel =
                files.flatten().map(|entry| entry.path()).find(|path| path.extension().is_some_and(|it| it == "whl"));
            return wheel.map(|wheel| (folder, wheel)).ok_or_else(|| pip("it left no wheel".to_owned()));
        }
        Err(SourceError::NoPython)
    }
}

/// pip's last error line, without its prefix; at most 300 characters.
fn last_error(text: &str) -> String {
    let errors: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("ERROR: ")).collect();
    let line = errors.last().copied().or_else(|| text.lines().rfind(|line| !line.trim().is_empty()));
    line.unwrap_or("it said nothing").chars().take(300).collect()
}
