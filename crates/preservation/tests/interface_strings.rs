//! False alarms on intact pairs: the interface of Windows Terminal in English and Korean, and our labelled pairs that are right.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use luna_messages::Fidelity::{self, Faithful, Natural};
use luna_preservation::{Glossary, check};

/// False alarms allowed on intact interface strings, in percent.
const MAX_ALARMS: usize = 2;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names and texts of a resource file, by the plain shape in which all of them are written.
fn resources(path: &Path) -> BTreeMap<String, String> {
    let file = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    // The description of the format stands in a comment at the top.
    let body = file.split("-->").last().unwrap();
    let between = |text: &str, from: &str, to: &str| -> Option<String> {
        let rest = &text[text.find(from)? + from.len()..];
        Some(rest[..rest.find(to)?].to_owned())
    };
    let plain = |text: String| {
        ["&lt;<", "&gt;>", "&quot;\"", "&apos;'", "&#xA;\n", "&amp;&"].iter().fold(text, |text, pair| {
            let (entity, sign) = pair.split_at(pair.len() - 1);
            text.replace(entity, sign)
        })
    };
    body.split("<data ")
        .skip(1)
        .filter_map(|entry| {
            let value = between(entry, "<value>", "</value>")
                .or_else(|| between(entry, "<value xml:space=\"preserve\">", "</value>"))?;
            Some((between(entry, "name=\"", "\"")?, plain(value)))
        })
        .collect()
}

/// English and Korean strings of an interface.
fn interface_pairs(folder: &Path) -> Vec<(String, String)> {
    let mut pairs = Vec::new();
    for component in ["TerminalApp", "TerminalSettingsEditor"] {
        for file in ["Resources.resw", "ContextMenu.resw"] {
            let english = folder.join(component).join("en-US").join(file);
            if english.exists() {
                let mut korean = resources(&folder.join(component).join("ko-KR").join(file));
                let named = resources(&english).into_iter();
                pairs.extend(named.filter_map(|(name, english)| Some((english, korean.remove(&name)?))));
            }
        }
    }
    pairs
}

/// The labelled pairs that are right.
fn labelled_pairs() -> Vec<(String, String, Fidelity)> {
    let text = std::fs::read_to_string(root().join("tests/language/pairs.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    rows.filter(|row| row["expect"]["ok"] == true)
        .map(|row| {
            let text = |key: &str| row[key].as_str().unwrap().to_owned();
            (text("source"), text("target"), if row["mode"] == "natural" { Natural } else { Faithful })
        })
        .collect()
}

/// The pairs that are called broken, with the reasons.
fn alarms(pairs: &[(String, String, Fidelity)]) -> Vec<String> {
    let broken = |(source, target, mode): &(String, String, Fidelity)| {
        let report = check(source, target, *mode, &Glossary::default());
        let reasons: Vec<_> = report.broken().map(|t| (t.class, t.status, &t.text, &t.target_text)).collect();
        (!report.ok).then(|| format!("{mode:?} {source} / {target}: {reasons:?}"))
    };
    pairs.iter().filter_map(broken).collect()
}

// PRE-2, TRN-3
#[test]
fn intact_interface_strings_hardly_alarm_pre_2_trn_3() {
    let folder = root().join("tests/samples/windows-terminal");
    let pairs = interface_pairs(&folder);
    assert!(pairs.len() > 900, "{} pairs", pairs.len());
    for mode in [Natural, Faithful] {
        let both = pairs.iter().flat_map(|(english, korean)| {
            [(english.clone(), korean.clone(), mode), (korean.clone(), english.clone(), mode)]
        });
        let both: Vec<_> = both.collect();
        let found = alarms(&both);
        let most = both.len() * MAX_ALARMS / 100;
        assert!(found.len() <= most, "{} of {}:\n{}", found.len(), both.len(), found.join("\n"));
    }
}

// PRE-2, TRN-3
#[test]
fn right_labelled_pairs_do_not_alarm_in_their_mode_pre_2_trn_3() {
    let pairs = labelled_pairs();
    assert!(pairs.len() > 300, "{} pairs", pairs.len());
    assert_eq!(alarms(&pairs), Vec::<String>::new());
}
