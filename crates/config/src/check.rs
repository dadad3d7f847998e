//! Checks that a schema can't express: keys that depend on one another, names that must exist, and values that Luna refuses on principle.

use std::net::IpAddr;
use std::path::Path;
use std::sync::LazyLock;

use luna_messages::control::Command;
use luna_model_store::Manifest;
use luna_model_store::manifest::Format;

use super::Config;
use super::error::{ConfigFault, Problem};
use super::schema_check::unknown_value;
use super::tree::{ConfigNode, YamlValue};

/// Keys other than letters, digits and function keys.
const NAMED_KEYS: [&str; 11] =
    ["escape", "space", "enter", "up", "down", "left", "right", "page_up", "page_down", "home", "end"];
/// Names of modifiers, each with its usual one.
const MODIFIERS: [(&str, &str); 8] = [
    ("ctrl", "ctrl"),
    ("control", "ctrl"),
    ("alt", "alt"),
    ("shift", "shift"),
    ("super", "super"),
    ("win", "super"),
    ("windows", "super"),
    ("meta", "super"),
];
const ESCALATIONS: [&str; 3] = ["preserve_failed", "negations", "policy_keywords"];

static MODEL_NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let manifest = Manifest::built_in();
    manifest.map(|manifest| manifest.models.iter().map(|model| model.name.clone()).collect()).unwrap_or_default()
});

/// The typed configuration of a node that conforms to the schema.
///
/// # Errors
/// All values that Luna refuses, each with its position.
pub fn validated(node: &ConfigNode, release: bool, warnings: &mut Vec<String>) -> Result<Config, Vec<Problem>> {
    let mut check = Check { node, problems: Vec::new() };
    let mut values = node.to_json();
    if !check.bind() {
        // A placeholder, so that the remaining problems are found; the configuration is refused anyway.
        values["http"]["bind"] = "127.0.0.1".into();
    }
    let mut config: Config = serde_json::from_value(values).map_err(|error| {
        // The schema is generated from the same types, so this is a defect of Luna; it is reported, not hidden.
        let fault = ConfigFault::Refused {
            why: format!("A value of this configuration can't be used, and Luna can't tell which ({error})."),
            remedy: "Take back the last change, and report this as a defect of Luna.".to_owned(),
        };
        vec![Problem { place: node.place.clone(), key: String::new(), fault }]
    })?;
    check.all(&config, release);
    if !check.problems.is_empty() {
        return Err(check.problems);
    }
    let rounds = &mut config.company.intent_alignment_max_rounds;
    if !(1..=5).contains(rounds) {
        let in_range = (*rounds).clamp(1, 5);
        warnings.push(format!("company.intentAlignmentMaxRounds: {rounds} is taken as {in_range} (1 to 5)."));
        *rounds = in_range;
    }
    if config.privacy.buffer_disk_persist {
        warnings.push("privacy.buffer_disk_persist is on: debug builds may write screen text to disk.".to_owned());
    }
    Ok(config)
}

/// Names of models with the format of their first file.
static NAMES_OF_FORMAT: LazyLock<Vec<(String, Format)>> = LazyLock::new(|| {
    let models = Manifest::built_in().map(|manifest| manifest.models).unwrap_or_default();
    models.into_iter().filter_map(|model| Some((model.name, model.files.first()?.format))).collect()
});

/// The path in the value of a task's model; `None` if the value is a name from the manifest.
#[must_use]
pub fn model_path(named: &str) -> Option<&Path> {
    let path = Path::new(named);
    let is_path =
        path.extension().is_some_and(|ending| ending == "gguf" || ending == "bin") || named.contains(['/', '\\']);
    is_path.then_some(path)
}

struct Check<'a> {
    node: &'a ConfigNode,
    problems: Vec<Problem>,
}

impl Check<'_> {
    fn report(&mut self, key: &str, fault: ConfigFault) {
        let place = self.node.at(&key.split('.').collect::<Vec<_>>()).unwrap_or(self.node).place.clone();
        self.problems.push(Problem { place, key: key.to_owned(), fault });
    }

    fn refuse(&mut self, unless: bool, key: &str, why: impl Into<String>, remedy: impl Into<String>) {
        if !unless {
            self.report(key, ConfigFault::Refused { why: why.into(), remedy: remedy.into() });
        }
    }

    fn require_known<'n>(&mut self, key: &str, found: &str, allowed: impl IntoIterator<Item = &'n str>) {
        let allowed: Vec<String> = allowed.into_iter().map(str::to_owned).collect();
        if !allowed.iter().any(|name| name == found) {
            self.report(key, unknown_value(found, allowed));
        }
    }

    /// Whether the address is a loopback address (PRV-4).
    fn bind(&mut self) -> bool {
        let Some(YamlValue::Text(text)) = self.node.at(&["http", "bind"]).map(|node| node.value.clone()) else {
            return true;
        };
        let loopback = text.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        let why = format!(
            "\"{text}\" is not a loopback address. \
             Luna can read the screen and press keys, so only this machine may reach it."
        );
        self.refuse(loopback, "http.bind", why, "Write 127.0.0.1 or ::1.");
        loopback
    }

    fn all(&mut self, config: &Config, release: bool) {
        self.speech(config);
        self.windows(config);
        let color = &config.overlay.color;
        let hex =
            color.strip_prefix('#').is_some_and(|hex| hex.len() == 6 && hex.bytes().all(|it| it.is_ascii_hexdigit()));
        self.refuse(hex, "overlay.color", format!("\"{color}\" is no colour."), "Write it as \"#FFD84A\", in quotes.");
        let wake = config.voice.wake_word.as_deref().is_none_or(|word| !word.trim().is_empty());
        self.refuse(wake, "voice.wake_word", "The wake word is empty.", "Write a word, or null to listen always.");
        self.persistence(config, release);
        self.escalations(config);
        self.hot_keys(config);
        self.providers(config);
        self.models(config);
        for (name, group) in &config.groups {
            for tool in &group.tools {
                self.require_known(&format!("groups.{name}.tools"), tool, config.tools.keys().map(String::as_str));
            }
        }
    }

    fn speech(&mut self, config: &Config) {
        let tts = &config.tts;
        let (least, most, rate) = (tts.rate_min, tts.rate_max, tts.rate);
        let ordered = least <= most;
        let why = format!("{least} is above tts.rate_max ({most}).");
        self.refuse(ordered, "tts.rate_min", why, "Make it the smaller one.");
        let why = format!("{rate} is not between tts.rate_min ({least}) and tts.rate_max ({most}).");
        self.refuse(!ordered || (least..=most).contains(&rate), "tts.rate", why, "Change one of the three.");
    }

    fn windows(&mut self, config: &Config) {
        let stt = &config.windows.stt;
        let why = format!("{} is more than windows.stt.full_seconds ({}).", stt.hot_seconds, stt.full_seconds);
        let fits = stt.hot_seconds <= stt.full_seconds;
        self.refuse(fits, "windows.stt.hot_seconds", why, "Make it the smaller one.");
        let caps = &config.llm_budget.caps;
        let parts = [caps.system, caps.device_state, caps.digest, caps.candidates, caps.user_utterance];
        let (sum, most) = (parts.iter().sum::<u32>(), config.llm_budget.max_tokens);
        let why = format!("The parts add up to {sum}, more than llm_budget.max_tokens ({most}).");
        self.refuse(sum <= most, "llm_budget.caps", why, "Lower a part or raise max_tokens.");
    }

    /// PRV-2, PRV-8, REA-4.
    fn persistence(&mut self, config: &Config, release: bool) {
        let fits = !(release && config.privacy.buffer_disk_persist);
        let why = "What was on the screen, heard or recognised never lasts on disk; \
                   only a debug build can be told otherwise.";
        self.refuse(fits, "privacy.buffer_disk_persist", why, "Write false, or leave the key out.");
        let why = "A model's thinking is counted and thrown away; it is never stored, spoken or logged.";
        self.refuse(!config.privacy.store_think, "privacy.store_think", why, "Write false, or leave the key out.");
    }

    fn escalations(&mut self, config: &Config) {
        for rule in &config.translation.escalate_if {
            let known = rule.split_once(">=").is_some_and(|(name, count)| {
                ESCALATIONS.contains(&name.trim()) && count.trim().parse::<u32>().is_ok_and(|count| count > 0)
            });
            let remedy = format!("Write NAME>=COUNT with a count of 1 or more and one of {}.", ESCALATIONS.join(", "));
            self.refuse(known, "translation.escalate_if", format!("\"{rule}\" is no rule."), remedy);
        }
    }

    fn hot_keys(&mut self, config: &Config) {
        let mut taken: Vec<(String, &str)> = Vec::new();
        for (command, key) in &config.control.hot_keys {
            let path = format!("control.hot_keys.{command}");
            self.require_known(&path, command, Command::NAMES);
            let Some(key) = key else { continue };
            let Some(normal) = normal_key(key) else {
                let remedy = "Write modifiers and one key with +, such as ctrl+alt+super+l, alt+f5, escape; \
                              or null for no key.";
                self.refuse(false, &path, format!("\"{key}\" is no key."), remedy);
                continue;
            };
            if let Some((_, other)) = taken.iter().find(|(other, _)| *other == normal) {
                self.refuse(false, &path, format!("{key} is the key of {other} already."), "Choose another.");
            }
            taken.push((normal, command));
        }
    }

    fn providers(&mut self, config: &Config) {
        let names = || config.providers.keys().map(String::as_str);
        let modes =
            [("default", &config.modes.default), ("fast", &config.modes.fast), ("vision", &config.modes.vision)];
        for (name, mode) in modes {
            self.require_known(&format!("modes.{name}.provider"), &mode.provider, names());
            if let Some(fallback) = &mode.fallback {
                self.require_known(&format!("modes.{name}.fallback"), fallback, names());
            }
        }
        for (name, provider) in &config.providers {
            let url = provider.url.as_deref();
            let remote = matches!(provider.kind, super::llm::ProviderKind::Openai);
            let good = url.map_or(!remote, |url| url.starts_with("http://") || url.starts_with("https://"));
            self.refuse(
                good,
                &format!("providers.{name}.url"),
                "The address of the server is missing or no web address.",
                "Write it as https://…",
            );
        }
    }

    fn models(&mut self, config: &Config) {
        let ocr = &config.engines.ocr;
        let tasks = &config.models.tasks;
        let named = [
            ("engines.ocr.detection", Some(&ocr.detection)),
            ("engines.ocr.direction", ocr.direction.as_ref()),
            ("engines.ocr.recognition", Some(&ocr.recognition)),
            ("engines.ocr.recognition_ko", ocr.recognition_ko.as_ref()),
            ("models.tasks.voice_activity", tasks.voice_activity.as_ref()),
        ];
        for (key, name) in named {
            if let Some(name) = name {
                self.require_known(key, name, MODEL_NAMES.iter().map(String::as_str));
            }
        }
        let by_name_or_path = [
            ("models.tasks.stt", tasks.stt.as_ref(), Format::Ggml),
            ("models.tasks.stt_command", tasks.stt_command.as_ref(), Format::Ggml),
            ("models.tasks.intent", tasks.intent.as_ref(), Format::Gguf),
            ("models.tasks.translate", tasks.translate.as_ref(), Format::Gguf),
            ("models.tasks.translate_large", tasks.translate_large.as_ref(), Format::Gguf),
        ];
        for (key, name, format) in by_name_or_path {
            if let Some(name) = name {
                self.name_or_path(key, name, format);
            }
        }
    }

    /// Does not check that the file exists: it may be added later (KER-9).
    fn name_or_path(&mut self, key: &str, name: &str, format: Format) {
        let Some(path) = model_path(name) else {
            let names = NAMES_OF_FORMAT.iter().filter(|(_, of)| *of == format);
            self.require_known(key, name, names.map(|(name, _)| name.as_str()));
            return;
        };
        let (ending, what) =
            if format == Format::Ggml { ("bin", "a Whisper file, ….bin") } else { ("gguf", "a GGUF file, ….gguf") };
        let fits = path.extension().is_some_and(|found| found == ending);
        self.refuse(
            fits,
            key,
            format!("\"{name}\" is not {what}."),
            "Name another file, or a model of `luna models list`.",
        );
        self.refuse(
            path.is_absolute(),
            key,
            format!("\"{name}\" depends on where Luna is started."),
            "Write the whole path, from the root folder on.",
        );
    }
}

/// The key with its modifiers in canonical order; `None` if it is not a key.
fn normal_key(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let mut parts: Vec<&str> = lower.split('+').map(str::trim).collect();
    let key = parts.pop()?;
    let letter = key.len() == 1 && key.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let function = key
        .strip_prefix('f')
        .and_then(|number| number.parse::<u8>().ok())
        .is_some_and(|number| (1..=24).contains(&number));
    let usual = |part: &&str| MODIFIERS.iter().find(|(name, _)| name == part).map(|(_, usual)| *usual);
    let mut parts = parts.iter().map(usual).collect::<Option<Vec<_>>>()?;
    if !(letter || function || NAMED_KEYS.contains(&key)) {
        return None;
    }
    parts.sort_unstable();
    parts.dedup();
    parts.push(key);
    Some(parts.join("+"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_told_from_names() {
        for (named, is_path) in [
            ("qwen3-4b-instruct-2507", false),
            ("whisper-base", false),
            ("/m/x.gguf", true),
            ("x.gguf", true),
            ("./x", true),
            ("C:\\m\\x.bin", true),
        ] {
            assert_eq!(model_path(named).is_some(), is_path, "{named}");
        }
    }
}
