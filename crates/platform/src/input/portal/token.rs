//! The token that stands for the person's consent, so that the desktop asks once and not in every run. Whoever has it may press
//! keys: it is a secret (PRV-4), and each one works once.

use std::ffi::OsString;
use std::fmt;
use std::io::Read as _;
use std::path::PathBuf;

use crate::private_folder;

const NAME: &str = "portal-token";
/// Maximum bytes of a token; desktops give some 40.
const MAX_BYTES: usize = 4096;

/// The token of a consent. `Debug` leaves it out.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct RestoreToken(pub(super) String);

impl fmt::Debug for RestoreToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RestoreToken")
    }
}

/// Where the token is kept.
#[derive(Debug, Clone)]
pub(super) struct TokenStore {
    folder: Option<PathBuf>,
}

impl TokenStore {
    pub(super) const fn new(folder: Option<PathBuf>) -> Self {
        Self { folder }
    }

    /// The token of an earlier run; `None` without one that can be trusted.
    pub(super) fn load(&self) -> Option<RestoreToken> {
        let folder = self.folder.as_ref()?;
        let read = private_folder::check(folder).and_then(|()| private_folder::open(&folder.join(NAME)));
        let file = match read {
            Ok(file) => file,
            Err(error) => {
                if !error.is_not_found() {
                    tracing::warn!(%error, "The consent to press keys can't be read; the desktop asks again.");
                }
                return None;
            }
        };
        let mut token = String::new();
        let length = file.take(MAX_BYTES as u64 + 1).read_to_string(&mut token).ok()?;
        (1..=MAX_BYTES).contains(&length).then_some(RestoreToken(token))
    }

    /// Keeps the token in the place of the one before.
    pub(super) fn keep(&self, token: &RestoreToken) {
        let Some(folder) = &self.folder else { return };
        if token.0.is_empty() || token.0.len() > MAX_BYTES {
            return self.forget();
        }
        let kept =
            private_folder::create(folder).and_then(|()| private_folder::write(&folder.join(NAME), token.0.as_bytes()));
        if let Err(error) = kept {
            tracing::warn!(%error, "The consent to press keys can't be kept; the desktop asks again in the next run.");
        }
    }

    /// The consent was taken back, or used up.
    pub(super) fn forget(&self) {
        if let Some(folder) = &self.folder {
            drop(std::fs::remove_file(folder.join(NAME)));
        }
    }
}

/// Luna's folder for what outlives a run: `luna` in `$XDG_STATE_HOME`, else in `~/.local/state`. Pure.
pub(super) fn state_folder(var: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let path = |name: &str| var(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let state = path("XDG_STATE_HOME").or_else(|| path("HOME").map(|home| home.join(".local/state")));
    state.map(|state| state.join("luna"))
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRV-4
    #[test]
    fn the_token_is_kept_where_states_are_and_nowhere_without_a_home_prv_4() {
        for (vars, expect) in [
            (&[("XDG_STATE_HOME", "/s"), ("HOME", "/h")][..], Some("/s/luna")),
            (&[("HOME", "/h")], Some("/h/.local/state/luna")),
            (&[("XDG_STATE_HOME", "relative"), ("HOME", "/h")], Some("/h/.local/state/luna")),
            (&[("HOME", "")], None),
            (&[], None),
        ] {
            let var = |name: &str| vars.iter().find(|(other, _)| *other == name).map(|(_, value)| value.into());
            assert_eq!(state_folder(var), expect.map(PathBuf::from), "{vars:?}");
        }
    }

    // PRV-2
    #[test]
    fn a_token_is_not_logged_prv_2() {
        assert_eq!(format!("{:?}", RestoreToken("secret".to_owned())), "RestoreToken");
    }
}
