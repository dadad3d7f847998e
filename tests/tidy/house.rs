//! The input of the rules: the project's files and the graph of its crates, each read once.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use cargo_metadata::{Metadata, MetadataCommand, Package};

/// The workspace's root folder.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A text file of the project.
pub struct SourceFile {
    /// Path below the root, with `/`.
    pub path: String,
    pub text: String,
}

impl SourceFile {
    /// Whether it is compiled into a program, not only into tests or benches.
    pub fn is_product_code(&self) -> bool {
        let for_tests = self.path.starts_with("crates/test-support/");
        self.path.ends_with(".rs") && self.path.split('/').any(|part| part == "src") && !for_tests
    }

    /// The file's lines up to the test module, numbered from 1, without comments.
    pub fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate().map(|(index, line)| (index + 1, line));
        lines.take_while(|(_, line)| line.trim() != "#[cfg(test)]").filter_map(|(number, line)| {
            let code = line.split_once("//").map_or(line, |(code, _)| code);
            (!code.trim().is_empty()).then_some((number, code))
        })
    }

    pub fn place(&self, line: usize) -> String {
        format!("{}:{line}", self.path)
    }
}

/// All text files that git tracks or would add.
pub fn files() -> &'static [SourceFile] {
    static FILES: LazyLock<Vec<SourceFile>> = LazyLock::new(|| {
        // The checkout may belong to another user than the one running the tests.
        let output = Command::new("git")
            .args(["-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", "-z"])
            .current_dir(root())
            .output()
            .expect("git is needed to list the project's files");
        assert!(output.status.success(), "git ls-files: {}", String::from_utf8_lossy(&output.stderr));
        let names = String::from_utf8(output.stdout).expect("file names are UTF-8");
        let read = |path: &str| {
            // Skips files that are not UTF-8, and deleted files whose deletion is not committed yet.
            let text = std::fs::read_to_string(root().join(path)).ok()?;
            Some(SourceFile { path: path.to_owned(), text })
        };
        let files: Vec<SourceFile> = names.split('\0').filter(|name| !name.is_empty()).filter_map(read).collect();
        assert!(
            files.iter().any(|file| file.path == "Cargo.toml"),
            "git lists no Cargo.toml below {}",
            root().display()
        );
        files
    });
    &FILES
}

pub fn rust_files() -> impl Iterator<Item = &'static SourceFile> {
    files().iter().filter(|file| file.path.ends_with(".rs"))
}

/// Cargo's metadata of the workspace and its dependencies.
pub fn metadata() -> &'static Metadata {
    static METADATA: LazyLock<Metadata> = LazyLock::new(|| {
        MetadataCommand::new().manifest_path(root().join("Cargo.toml")).exec().expect("cargo metadata of the workspace")
    });
    &METADATA
}

/// The crates of the workspace.
pub fn members() -> Vec<&'static Package> {
    metadata().workspace_packages()
}

/// A crate's folder below the root, for example `crates/text`; empty for the root package.
pub fn folder(package: &Package) -> String {
    let folder: PathBuf = package.manifest_path.parent().expect("a manifest lies in a folder").into();
    folder.strip_prefix(root()).expect("members lie below the root").to_string_lossy().replace('\\', "/")
}

/// Fails with one violation per line.
#[track_caller]
pub fn assert_none(rule: &str, violations: impl IntoIterator<Item = String>) {
    let violations: Vec<String> = violations.into_iter().collect();
    assert!(violations.is_empty(), "{rule}\n  {}\n", violations.join("\n  "));
}
