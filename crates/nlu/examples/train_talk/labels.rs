//! Real labels of user interfaces: strings of Windows Terminal in both languages, names in accessibility trees.

use std::path::Path;

use serde_json::Value;

use super::Failure;
use super::corpora::text;

/// Longest label that anyone says.
const LONGEST: usize = 28;

/// How often a common label stands for one of the data.
const COMMON: usize = 4;

/// All labels: those of the data, and those of a file.
pub fn all(data: &Path, more: &Path) -> Result<Vec<String>, Failure> {
    let more = text(more)?;
    let lines = more.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    // They are what is on most screens, so they are drawn more often.
    let common: Vec<String> = lines.map(str::to_owned).collect();
    let mut labels = Vec::new();
    let strings = data.join("8-translation/ms-terminal");
    for part in ["TerminalApp", "TerminalSettingsEditor"] {
        for lang in ["en-US", "ko-KR"] {
            for entry in in_order(&strings.join(part).join(lang))? {
                labels.extend(resources(&text(&entry)?));
            }
        }
    }
    for folder in ["uia-axe-windows", "atspi-odilia"] {
        for entry in in_order(&data.join("10-ui-trees").join(folder))? {
            if let Ok(tree) = serde_json::from_str::<Value>(&text(&entry)?) {
                names(&tree, &mut labels);
            }
        }
    }
    let mut labels: Vec<String> = labels.iter().filter_map(|label| said(label)).collect();
    labels.sort();
    labels.dedup();
    for _ in 0..COMMON {
        labels.extend(common.iter().cloned());
    }
    Ok(labels)
}

fn in_order(folder: &Path) -> Result<Vec<std::path::PathBuf>, Failure> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths)
}

/// The values of a .resw file.
fn resources(xml: &str) -> Vec<String> {
    let values = xml.split("<value>").skip(1).filter_map(|rest| rest.split("</value>").next());
    values
        .map(|value| value.replace("&amp;", "&").replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\""))
        .collect()
}

/// The names of all elements of a tree. Names of properties, which such a dump contains too, are single words in camel case and left out by `said`.
fn names(tree: &Value, labels: &mut Vec<String>) {
    match tree {
        Value::Object(fields) => {
            for (key, value) in fields {
                if let ("Name" | "name" | "text", Value::String(name)) = (key.as_str(), value) {
                    labels.push(name.clone());
                } else {
                    names(value, labels);
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| names(item, labels)),
        _ => {}
    }
}

/// The label as a person would say it; `None` for paths, placeholders, sentences and names of properties.
fn said(label: &str) -> Option<String> {
    let plain: String = label.chars().filter(|c| !matches!(c, '_' | '&' | '…')).collect();
    let plain = plain.trim().trim_end_matches(['.', ':']).trim().to_owned();
    let count = plain.chars().count();
    let letters = plain.chars().filter(|c| c.is_alphabetic()).count();
    let odd = plain.contains(['{', '}', '\\', '/', '<', '>', '=', '"', '\n', ';', '@', '(']);
    let camel = plain.chars().zip(plain.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    let fits = (2..=LONGEST).contains(&count) && letters * 2 > count && plain.split_whitespace().count() <= 5;
    (fits && !odd && !camel).then_some(plain)
}
