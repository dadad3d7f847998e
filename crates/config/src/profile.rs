//! Profiles of a configuration, and deep inheritance between them (CFG-1).
//!
//! YAML's own `<<` is shallow: a profile that sets `windows.uia` would lose the rest of `windows`. Here it merges map by map, and a profile that
//! merges another profile inherits from it by name, so that the person's changes to `default` also apply to the built-in `low_vram`.

use std::sync::Arc;

use super::error::{ConfigFault, Problem};
use super::nearest::nearest;
use super::place::SourcePosition;
use super::schema_check::show;
use super::tree::{ConfigNode, Entry, YamlValue};

/// YAML's merge key.
const MERGE: &str = "<<";
/// The profile that all others inherit from.
pub const DEFAULT: &str = "default";

/// The profiles of one YAML document.
#[derive(Debug, Default)]
pub struct Document {
    profiles: Vec<Profile>,
}

#[derive(Debug)]
struct Profile {
    name: Arc<str>,
    /// Profiles that its `<<` names, in descending precedence.
    parents: Vec<Arc<str>>,
    /// Its own keys, without inherited ones.
    own: ConfigNode,
}

impl Document {
    /// Splits a document into its profiles. Top-level keys are `version`, `profiles`, and `x-…` for anchors.
    pub fn new(root: ConfigNode, problems: &mut Vec<Problem>) -> Self {
        let mut report = |place: &SourcePosition, key: &str, fault| {
            problems.push(Problem { place: place.clone(), key: key.to_owned(), fault });
        };
        let YamlValue::Map(entries) = root.value else {
            let fault =
                ConfigFault::WrongType { expected: "the keys version and profiles".into(), found: show(&root.value) };
            report(&root.place, "", fault);
            return Self::default();
        };
        if !entries.iter().any(|entry| entry.key == "version") {
            report(
                &root.place,
                "",
                ConfigFault::Missing { key: "version".into(), example: "the line \"version: 1\"".into() },
            );
        }
        let mut profiles = None;
        for entry in entries {
            match entry.key.as_str() {
                "version" if entry.node.value == YamlValue::Integer(1) => {}
                "version" => {
                    let why = "This program knows version 1 of the configuration.".to_owned();
                    report(
                        &entry.node.place,
                        "version",
                        ConfigFault::Refused { why, remedy: "Write version: 1.".into() },
                    );
                }
                "profiles" => profiles = Some(entry.node),
                key if key.starts_with("x-") => {}
                key => {
                    let known = vec!["version".to_owned(), "profiles".to_owned()];
                    let nearest = nearest(key, known.iter().map(String::as_str)).map(str::to_owned);
                    report(&entry.place, key, ConfigFault::UnknownKey { nearest, known });
                }
            }
        }
        match profiles {
            None => Self::default(),
            Some(ConfigNode { value: YamlValue::Null, .. }) => Self::default(),
            Some(ConfigNode { value: YamlValue::Map(entries), .. }) => Self::from_profiles(entries, problems),
            Some(node) => {
                let fault = ConfigFault::WrongType { expected: "a map of profiles".into(), found: show(&node.value) };
                problems.push(Problem { place: node.place, key: "profiles".into(), fault });
                Self::default()
            }
        }
    }

    fn from_profiles(entries: Vec<Entry>, problems: &mut Vec<Problem>) -> Self {
        let bodies: Vec<(Arc<str>, SourcePosition)> =
            entries.iter().map(|entry| (Arc::from(entry.key.as_str()), entry.node.place.clone())).collect();
        let mut profiles = Vec::new();
        for (entry, (name, _)) in entries.into_iter().zip(&bodies) {
            let mut node = entry.node;
            if node.value == YamlValue::Null {
                node.value = YamlValue::Map(Vec::new());
            }
            let mut parents = Vec::new();
            if let YamlValue::Map(own) = &mut node.value {
                own.retain(|entry| {
                    if entry.key != MERGE {
                        return true;
                    }
                    // An alias has the position of its anchor, so the position identifies the profile.
                    let merged = match &entry.node.value {
                        YamlValue::List(items) => items.iter().collect(),
                        _ => vec![&entry.node],
                    };
                    let names: Vec<_> = merged
                        .iter()
                        .filter_map(|node| bodies.iter().find(|(other, place)| other != name && *place == node.place))
                        .map(|(name, _)| Arc::clone(name))
                        .collect();
                    let all = names.len() == merged.len();
                    if all {
                        parents.extend(names);
                    }
                    !all
                });
            }
            let mut own = flatten(node, problems);
            own.name_profile(name);
            profiles.push(Profile { name: Arc::clone(name), parents, own });
        }
        Self { profiles }
    }

    fn get(&self, name: &str) -> Option<&Profile> {
        self.profiles.iter().find(|profile| &*profile.name == name)
    }

    /// The own keys of each profile, without inherited ones.
    pub fn own(&self) -> impl Iterator<Item = &ConfigNode> {
        self.profiles.iter().map(|profile| &profile.own)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.profiles.iter().map(|profile| &*profile.name)
    }
}

/// A profile with inherited keys, from documents of ascending precedence. `None` if no document has it.
#[must_use]
pub fn effective(documents: &[&Document], name: &str) -> Option<ConfigNode> {
    let mut visiting = Vec::new();
    inherit(documents, name, &mut visiting)
}

fn inherit(documents: &[&Document], name: &str, visiting: &mut Vec<String>) -> Option<ConfigNode> {
    if visiting.iter().any(|other| other == name) {
        return None;
    }
    let found: Vec<&Profile> = documents.iter().filter_map(|document| document.get(name)).collect();
    let mut parents: Vec<&str> = found
        .iter()
        .rev()
        .find(|it| !it.parents.is_empty())
        .map_or_else(Vec::new, |it| it.parents.iter().map(|p| &**p).collect());
    let mut own: Vec<ConfigNode> = found.iter().map(|it| it.own.clone()).collect();
    if found.is_empty() {
        return None;
    }
    if parents.is_empty() && name != DEFAULT {
        parents.push(DEFAULT);
    }
    visiting.push(name.to_owned());
    // Of several parents the first wins, so it is merged last.
    let inherited: Vec<ConfigNode> =
        parents.iter().rev().filter_map(|parent| inherit(documents, parent, visiting)).collect();
    visiting.pop();
    // The built-in `default` is the lowest layer, even below profiles that the person's `default` inherits.
    let lowest = if name == DEFAULT { vec![own.remove(0)] } else { Vec::new() };
    lowest.into_iter().chain(inherited).chain(own).reduce(overlay)
}

/// Merges `over` into `base`: maps deeply; other values are replaced.
#[must_use]
pub fn overlay(base: ConfigNode, over: ConfigNode) -> ConfigNode {
    match (base, over) {
        (
            ConfigNode { value: YamlValue::Map(mut base), .. },
            ConfigNode { value: YamlValue::Map(over), place, profile },
        ) => {
            for entry in over {
                match base.iter_mut().find(|other| other.key == entry.key) {
                    Some(other) => {
                        let below = std::mem::replace(
                            &mut other.node,
                            ConfigNode { value: YamlValue::Null, place: place.clone(), profile: None },
                        );
                        other.node = overlay(below, entry.node);
                        other.place = entry.place;
                    }
                    None => base.push(entry),
                }
            }
            ConfigNode { value: YamlValue::Map(base), place, profile }
        }
        (_, over) => over,
    }
}

/// Resolves each `<<`, also in nested maps.
fn flatten(node: ConfigNode, problems: &mut Vec<Problem>) -> ConfigNode {
    let ConfigNode { value, place, profile } = node;
    let value = match value {
        YamlValue::List(items) => YamlValue::List(items.into_iter().map(|item| flatten(item, problems)).collect()),
        YamlValue::Map(entries) => {
            let mut merged = Vec::new();
            let mut own = Vec::new();
            for entry in entries {
                let Entry { key, place, node } = entry;
                let node = flatten(node, problems);
                if key != MERGE {
                    own.push(Entry { key, place, node });
                    continue;
                }
                let parts = match node.value {
                    YamlValue::List(items) => items,
                    _ => vec![node],
                };
                for part in parts {
                    if matches!(part.value, YamlValue::Map(_)) {
                        merged.push(part);
                    } else {
                        problems.push(Problem { place: place.clone(), key: key.clone(), fault: ConfigFault::BadMerge });
                    }
                }
            }
            let own = ConfigNode { value: YamlValue::Map(own), place: place.clone(), profile: None };
            match merged.into_iter().rev().chain([own]).reduce(overlay) {
                Some(node) => node.value,
                None => YamlValue::Map(Vec::new()),
            }
        }
        other => other,
    };
    ConfigNode { value, place, profile }
}
