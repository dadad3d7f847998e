//! What desktops, systems and screen readers use by default: none of it is a default or a proposal of Luna (SES-6).

use std::sync::LazyLock;

use super::HotKey;

/// The facts, each section with its source.
const TABLE: &str = include_str!("taken.txt");

/// A combination that another program uses by default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyUse {
    pub key: HotKey,
    /// Who uses it.
    pub by: &'static str,
    /// What it does there, in English.
    pub what: &'static str,
    /// Whether pressing it by mistake harms a person who cannot see the effect: it locks, ends or records something, or starts a screen reader.
    pub harms: bool,
}

static USES: LazyLock<Vec<KeyUse>> = LazyLock::new(|| parsed(TABLE).into_iter().flatten().collect());

/// The known uses of `key` by other programs.
pub fn known_uses(key: &HotKey) -> impl Iterator<Item = &'static KeyUse> {
    USES.iter().filter(move |known| known.key == *key)
}

/// A line that is no section and no combination.
#[derive(Debug, Clone, PartialEq, Eq)]
struct BadLine(#[cfg_attr(not(test), allow(dead_code, reason = "shown by the test that fails"))] &'static str);

fn parsed(table: &'static str) -> Vec<Result<KeyUse, BadLine>> {
    let mut by = "";
    let mut uses = Vec::new();
    for line in table.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix("= ") {
            by = name;
            continue;
        }
        let (harms, rest) = line.strip_prefix("! ").map_or((false, line), |rest| (true, rest));
        let Some((combination, what)) = rest.split_once("  ").filter(|_| !by.is_empty()) else {
            uses.push(Err(BadLine(line)));
            continue;
        };
        let of = |key: Result<HotKey, _>| key.map(|key| KeyUse { key, by, what: what.trim(), harms });
        uses.extend(expanded(combination).iter().map(|key| of(key.parse()).map_err(|_| BadLine(line))));
    }
    uses
}

/// `ctrl+{a b}` as `ctrl+a` and `ctrl+b`.
fn expanded(combination: &str) -> Vec<String> {
    match combination.split_once('{') {
        Some((before, keys)) => {
            keys.trim_end_matches('}').split_whitespace().map(|key| format!("{before}{key}")).collect()
        }
        None => vec![combination.to_owned()],
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    // SES-6
    #[test]
    fn every_line_of_the_table_is_a_combination_ses_6() {
        let bad: Vec<_> = parsed(TABLE).into_iter().filter_map(Result::err).collect();
        assert!(bad.is_empty(), "{bad:?}");
        assert!(USES.len() > 300, "{}", USES.len());
        for wrong in ["= A\nctrl+alt+l", "= A\nhyper+l  x", "ctrl+l  no section", "= A\nctrl+{a foo}  x"] {
            assert!(parsed(wrong).iter().any(Result::is_err), "{wrong}");
        }
    }

    // SES-6
    #[test]
    fn known_uses_are_found_ses_6() {
        let by = |key: &str| known_uses(&key.parse().unwrap()).map(|known| known.by).collect::<Vec<_>>();
        assert_eq!(by("alt+ctrl+f"), ["Xfce", "Windows, AltGr"]);
        assert!(by("ctrl+alt+n").contains(&"NVDA") && by("win+alt+s").contains(&"Orca"));
        assert!(by("ctrl+alt+super+u").is_empty());
        let locks = known_uses(&"ctrl+alt+l".parse().unwrap()).find(|known| known.by == "Xfce").unwrap();
        assert!(locks.harms && locks.what == "locks the screen", "{locks:?}");
    }
}
