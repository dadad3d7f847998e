//! Where model files lie.

use std::path::PathBuf;

/// The folder of all models: what was named (`--models-dir`), else `LUNA_MODELS`, else what the configuration says, else
/// `luna/models` in the user's data directory (`$XDG_DATA_HOME`, `~/.local/share`; on Windows `%LOCALAPPDATA%`), else `luna-models`
/// in the temporary directory of a person without a home.
#[must_use]
pub fn directory(named: Option<PathBuf>, configured: Option<PathBuf>, var: impl Fn(&str) -> Option<String>) -> PathBuf {
    let path = |name: &str| var(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = || {
        let data = if cfg!(windows) {
            path("LOCALAPPDATA").or_else(|| path("APPDATA"))
        } else {
            let home = || path("HOME").map(|home| home.join(".local").join("share"));
            path("XDG_DATA_HOME").filter(|path| path.is_absolute()).or_else(home)
        };
        data.map_or_else(|| std::env::temp_dir().join("luna-models"), |data| data.join("luna").join("models"))
    };
    named.or_else(|| path("LUNA_MODELS")).or(configured).unwrap_or_else(data)
}

#[cfg(test)]
#[cfg(not(windows))]
mod tests {
    use super::*;

    fn check(named: Option<&str>, configured: Option<&str>, vars: &[(&str, &str)], expect: &str) {
        let var = |name: &str| vars.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned());
        assert_eq!(directory(named.map(PathBuf::from), configured.map(PathBuf::from), var), PathBuf::from(expect));
    }

    #[test]
    fn the_nearest_word_wins() {
        let vars = [("LUNA_MODELS", "/env"), ("XDG_DATA_HOME", "/data"), ("HOME", "/home/a")];
        check(Some("/named"), Some("/configured"), &vars, "/named");
        check(None, Some("/configured"), &vars, "/env");
        check(None, Some("/configured"), &vars[1..], "/configured");
        check(None, None, &vars[1..], "/data/luna/models");
        check(
            None,
            None,
            &[("LUNA_MODELS", ""), ("XDG_DATA_HOME", "relative"), ("HOME", "/home/a")],
            "/home/a/.local/share/luna/models",
        );
    }
}
