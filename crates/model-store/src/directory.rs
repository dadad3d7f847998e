//! The folder of model files.

use std::path::PathBuf;

use crate::error::ModelError;

/// The folder of all models: `named` (`--models-dir`), else `LUNA_MODELS`, else `configured` (`models.directory`), else
/// `luna/models` in the user's data directory (`$XDG_DATA_HOME`, `~/.local/share`; on Windows `%LOCALAPPDATA%`, `%APPDATA%`).
///
/// # Errors
/// No folder is named or configured, and the user has no home folder. No fallback below `/tmp` is used: other users could create it, and Luna loads
/// its files (PRV-7).
pub fn directory(
    named: Option<PathBuf>,
    configured: Option<PathBuf>,
    var: impl Fn(&str) -> Option<String>,
) -> Result<PathBuf, ModelError> {
    let path = |name: &str| var(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = || {
        let data = if cfg!(windows) {
            path("LOCALAPPDATA").or_else(|| path("APPDATA"))
        } else {
            let home = || path("HOME").map(|home| home.join(".local").join("share"));
            path("XDG_DATA_HOME").filter(|path| path.is_absolute()).or_else(home)
        };
        data.filter(|data| data.is_absolute()).map(|data| data.join("luna").join("models"))
    };
    named.or_else(|| path("LUNA_MODELS")).or(configured).or_else(data).ok_or(ModelError::NoPlace)
}

#[cfg(test)]
#[cfg(not(windows))]
mod tests {
    use super::*;

    fn check(named: Option<&str>, configured: Option<&str>, vars: &[(&str, &str)], expect: &str) {
        let var = |name: &str| vars.iter().find(|(other, _)| *other == name).map(|(_, value)| (*value).to_owned());
        let found = directory(named.map(PathBuf::from), configured.map(PathBuf::from), var).ok();
        assert_eq!(found, Some(PathBuf::from(expect)).filter(|path| !path.as_os_str().is_empty()));
    }

    // PRV-7
    #[test]
    fn without_a_home_no_folder_of_others_is_taken_prv_7() {
        for vars in [&[][..], &[("HOME", "")], &[("HOME", "relative"), ("XDG_DATA_HOME", "too")], &[("TMPDIR", "/tmp")]]
        {
            check(None, None, vars, "");
        }
        check(None, Some("/configured"), &[], "/configured");
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
