//! Every key has a reader or is in a list that may only shrink (CFG-5), and each change takes effect at the announced time (CFG-4).
//!
//! Changes each key of the built-in file, one at a time, and compares what every reader sees before and after. Readers that query the
//! configuration at each event are observed through the handles that `luna run` gives to actors while a change is applied; readers that get
//! it once, by the value they get.
#![allow(clippy::unwrap_used, clippy::expect_used, missing_docs)]

use std::path::Path;
use std::sync::Arc;

use luna::settings::{self, LiveConfig};
use luna::system::System;
use luna::wiring::Wiring;
use luna::{cli, engines, logging, reload};
use luna_actor_runtime::sampling;
use luna_config::effect::{TakesEffect, is_listed, not_yet, takes_effect};
use luna_config::speech::CommandMode;
use luna_config::{Config, LoadOptions, load, schema};
use luna_engine_host::ModelPlan;
use luna_focus::phrases::Phrase;
use luna_messages::gpu::MemoryPlace;
use luna_messages::llm::LlmTask;
use luna_messages::pick::Role;
use luna_messages::tts::TtsMessage;
use luna_model_store::manifest::Format;
use luna_model_store::{Manifest, ModelStore, Sha256};
use luna_platform::accessibility::fault::ScriptedAccessibility;
use serde_json::{Value, json};

/// Keys of features that don't exist yet. Nothing may be added here: a new key comes with its reader.
const NOT_YET: [&str; 9] =
    ["company", "groups", "jobs", "mcp", "models.tasks.voice_activity", "modes", "providers", "tool_box", "tools"];

/// A reader of the configuration.
struct SettingReader {
    name: &'static str,
    /// When a change takes effect for this reader.
    sees: TakesEffect,
    observe: Box<dyn Fn(&Config) -> String>,
}

fn reader(name: &'static str, sees: TakesEffect, observe: impl Fn(&Config) -> String + 'static) -> SettingReader {
    SettingReader { name, sees, observe: Box::new(observe) }
}

/// A running Luna that applies configurations as `luna run` does.
struct RunningReaders {
    live: LiveConfig,
    wiring: Wiring,
}

impl RunningReaders {
    fn new(config: &Config) -> Self {
        let live = LiveConfig::new(config.clone());
        let wiring = Wiring::new(&live, &System::of_this_machine());
        Self { live, wiring }
    }

    /// Applies `config` and returns what was posted to speech.
    fn apply_config(&self, config: &Config) -> Vec<TtsMessage> {
        reload::apply_config(&self.live, &self.wiring, config.clone());
        luna_test_support::drain(&self.wiring.tts)
    }
}

fn model(found: Result<ModelPlan, luna_messages::capability::Unavailable>) -> String {
    match found {
        Ok(model) => format!("{model:?} {:?}", (model.spec)(MemoryPlace::Ram)),
        Err(why) => format!("{why:?}"),
    }
}

/// Readers that query the configuration each time.
fn immediate_readers(base: &Config) -> Vec<SettingReader> {
    let running = Arc::new(RunningReaders::new(base));
    let asks = |name, observe: Box<dyn Fn() -> String>| {
        let running = running.clone();
        reader(name, TakesEffect::AtOnce, move |config| {
            running.apply_config(config);
            observe()
        })
    };
    let wiring = &running.wiring;
    let (focus, uia, ocr) =
        (wiring.focus_dependencies().settings, wiring.uia_dependencies().settings, wiring.ocr_dependencies().settings);
    let executor = wiring.executor_dependencies().settings;
    let overlay = wiring.overlay_dependencies().settings;
    let (mind, gpu) = (wiring.language_task_dependencies().settings, wiring.gpu_dependencies().settings);
    let (llm, stt) = (wiring.llm_dependencies(), wiring.stt_dependencies());
    let (llm_program, stt_program, commands) = (llm.clone(), stt.clone(), stt.clone());
    let tasks = [LlmTask::Intent, LlmTask::Translate, LlmTask::TranslateLarge];
    let (speech, announcer) = (running.clone(), running.clone());
    vec![
        asks("focus", Box::new(move || format!("{:?}", focus()))),
        asks("uia", Box::new(move || format!("{:?}", uia()))),
        asks("ocr", Box::new(move || format!("{:?}", ocr()))),
        asks("executor", Box::new(move || format!("{:?}", executor()))),
        asks("overlay", Box::new(move || format!("{:?}", overlay()))),
        asks("mind", Box::new(move || format!("{:?}", mind()))),
        asks("gpu", Box::new(move || format!("{:?}", gpu()))),
        asks("llm", Box::new(move || tasks.map(|task| model(llm.find(task))).join(" "))),
        asks("stt", Box::new(move || model(stt.find()))),
        reader("listening", TakesEffect::AtOnce, |config| {
            let vocabulary = luna::rules::vocabulary(config);
            format!("{:?} {:?}", settings::listening_settings(config, true), vocabulary)
        }),
        asks("stt commands", Box::new(move || commands.find_for_commands().map(model).unwrap_or_default())),
        asks(
            "the programs of models",
            Box::new(move || format!("{:?} {:?}", llm_program.program(), stt_program.program())),
        ),
        asks(
            "the process",
            Box::new(|| format!("{:?} {:?} {}", logging::redaction(), sampling::families(), sampling::rate())),
        ),
        reader("tts", TakesEffect::AtOnce, move |config| {
            let posted = speech.apply_config(config);
            format!("{:?}", posted.iter().filter(|it| matches!(it, TtsMessage::Configure(_))).collect::<Vec<_>>())
        }),
        reader("announcer", TakesEffect::AtOnce, move |config| {
            announcer.apply_config(config);
            announcer.wiring.announcer.say(Phrase::Ready);
            let said = luna_test_support::drain(&announcer.wiring.tts);
            said.iter()
                .map(|it| if let TtsMessage::Say(notice) = it { notice.text.clone() } else { String::new() })
                .collect()
        }),
        // Rejected values count as read, too: the person is told (PRV-2, PRV-8).
        reader("the check", TakesEffect::AtOnce, |config| {
            let privacy = &config.privacy;
            let sets = [("store_think", privacy.store_think), ("buffer_disk_persist", privacy.buffer_disk_persist)];
            let refused = sets.map(|(key, value)| {
                let sets = vec![format!("privacy.{key}={value}")];
                value && load(&LoadOptions { sets, release: true, ..LoadOptions::default() }).is_err()
            });
            format!("{refused:?}")
        }),
    ]
}

/// Readers that get the configuration once.
fn startup_readers(store: ModelStore) -> Vec<SettingReader> {
    let at_start = |name, observe: fn(&Config) -> String| reader(name, TakesEffect::AfterRestart, observe);
    vec![
        at_start("inboxes", |config| format!("{:?}", settings::inbox_settings(config))),
        at_start("snapshots", |config| {
            format!("{:?}", RunningReaders::new(config).wiring.uia_dependencies().snapshots)
        }),
        at_start("results", |config| format!("{:?}", RunningReaders::new(config).wiring.ocr_dependencies().results)),
        at_start("recognition's program", |config| {
            format!("{:?}", RunningReaders::new(config).wiring.ocr_dependencies().program)
        }),
        at_start("speech's program", |config| {
            format!("{:?}", RunningReaders::new(config).wiring.tts_dependencies().engine)
        }),
        at_start("the sound device", |config| {
            let tts = settings::tts_settings(config);
            format!("{} {:?}", tts.buffer_frames, tts.device)
        }),
        at_start("hot keys", |config| format!("{:?}", luna::hot_keys::configured(config))),
        at_start("keys that silence", |config| format!("{:?}", luna::silence_keys::settings(config))),
        at_start("the key for speaking", |config| {
            let mut held = config.clone();
            held.voice.command_mode = CommandMode::Hold;
            format!("{:?} {:?}", luna::hold_key::hold_key(config), luna::hold_key::hold_key(&held))
        }),
        at_start("endpoint, metrics, recent log", |config| format!("{:?}", settings::start_settings(config))),
        at_start("the folder of models", |config| {
            format!("{:?}", engines::store_by(config, |_| None).map(|store| store.directory().to_owned()))
        }),
        reader("recognition's models", TakesEffect::AfterRestart, move |config| {
            format!("{:?}", engines::ocr_load_from(&store, config))
        }),
    ]
}

/// Readers that read the configuration file at each run of a command.
fn next_run_readers() -> Vec<SettingReader> {
    vec![
        reader("understand", TakesEffect::NextRun("luna understand"), |config| {
            format!("{:?}", luna::rules::vocabulary(config))
        }),
        reader("llm", TakesEffect::NextRun("luna llm"), |config| cli::llm::answer_tokens(None, config).to_string()),
    ]
}

/// A store in which every model is present, a few bytes each.
fn store(folder: &Path) -> ModelStore {
    let mut manifest = Manifest::built_in().unwrap();
    for model in &mut manifest.models {
        let Some(file) = model.files.first_mut() else { continue };
        let place = folder.join(&model.name);
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join("file.txt"), &model.name).unwrap();
        let (sum, bytes) = luna_model_store::checksum::of_file(&place.join("file.txt")).unwrap();
        (file.path, file.platform, file.format) = ("file.txt".to_owned(), None, Format::Text);
        (file.bytes, file.about_bytes, file.sha256) = (Some(bytes), None, Sha256::Known(sum));
        model.files.truncate(1);
    }
    ModelStore::new(manifest, folder)
}

/// The built-in configuration with models that exist.
fn base(folder: &Path) -> Config {
    let mut config = Config::built_in("default").unwrap();
    let file = |name: &str| {
        let path = folder.join(name);
        std::fs::write(&path, vec![0; 1 << 16]).unwrap();
        path.to_str().map(str::to_owned)
    };
    let tasks = &mut config.models.tasks;
    (tasks.stt, tasks.intent) = (file("a.bin"), file("b.gguf"));
    tasks.stt_command = file("e.bin");
    (tasks.translate, tasks.translate_large) = (file("c.gguf"), file("d.gguf"));
    config
}

/// All leaf keys.
fn leaves(value: &Value, path: &str, into: &mut Vec<String>) {
    match value.as_object().filter(|map| !map.is_empty()) {
        Some(map) => {
            for (key, below) in map {
                leaves(below, &if path.is_empty() { key.clone() } else { format!("{path}.{key}") }, into);
            }
        }
        None => into.push(path.to_owned()),
    }
}

/// Every enumeration value in the schema.
fn words(schema: &Value, into: &mut Vec<Value>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| words(item, into)),
        Value::Object(map) => {
            into.extend(map.get("const").filter(|word| word.is_string()).cloned());
            into.extend(map.get("enum").and_then(Value::as_array).into_iter().flatten().cloned());
            map.values().for_each(|below| words(below, into));
        }
        _ => {}
    }
}

/// Other values, the likeliest first; the type check shows which of them fits the key.
fn others(value: &Value, words: &[Value]) -> Vec<Value> {
    match value {
        Value::Bool(value) => vec![json!(!value)],
        Value::Number(number) => match (number.as_u64(), number.as_f64()) {
            (Some(whole), _) => vec![json!(whole + 1)],
            (None, Some(part)) if part >= 0.3 => vec![json!(part / 2.0)],
            (None, part) => vec![json!(part.unwrap_or_default() + 0.01)],
        },
        Value::String(text) if text.starts_with('#') => vec![json!("#00FF00")],
        Value::String(text) => {
            let mut others = vec![json!(format!("{text}x")), json!("127.0.0.2")];
            others.extend(words.iter().cloned());
            others
        }
        Value::Null => vec![json!("x"), json!(7)],
        Value::Array(items) if items.is_empty() => vec![json!(["x"]), json!([{ "name": "x", "command": "y" }])],
        Value::Array(items) => {
            let more = words.iter().filter(|word| !items.contains(word));
            let more = more.map(|word| Value::Array(items.iter().chain([word]).cloned().collect()));
            [json!(items[..items.len() - 1])].into_iter().chain(more).collect()
        }
        Value::Object(_) => Vec::new(),
    }
}

/// The configuration with each other value of `key`: a constant condition may hide one of them from its reader.
fn changed(config: &Config, key: &str, words: &[Value]) -> Vec<Config> {
    let values = serde_json::to_value(config).unwrap();
    let pointer = format!("/{}", key.replace('.', "/"));
    let now = values.pointer(&pointer).unwrap().clone();
    let fits = others(&now, words).into_iter().filter(|other| *other != now).filter_map(|other| {
        let mut values = values.clone();
        *values.pointer_mut(&pointer).unwrap() = other;
        serde_json::from_value::<Config>(values).ok().filter(|changed| changed != config)
    });
    let found: Vec<Config> = fits.take(3).collect();
    assert!(!found.is_empty(), "no other value for {key}: {now}");
    found
}

/// When a change of a key takes effect for its readers, and which readers see it.
fn seen(readers: &[SettingReader], before: &[String], after: &[Config]) -> (Option<TakesEffect>, Vec<&'static str>) {
    let sees = |it: &SettingReader, before: &String| after.iter().any(|after| (it.observe)(after) != *before);
    let by: Vec<&SettingReader> =
        readers.iter().zip(before).filter(|(it, before)| sees(it, before)).map(|(it, _)| it).collect();
    let late = by.iter().find(|it| it.sees == TakesEffect::AfterRestart);
    let soon = by.iter().find(|it| it.sees == TakesEffect::AtOnce);
    let effect = late.or(soon).or(by.first()).map(|it| it.sees);
    (effect, by.iter().map(|it| it.name).collect())
}

// CFG-4, CFG-5
#[test]
fn every_key_has_a_reader_who_sees_a_change_when_it_is_said_cfg_4_cfg_5() {
    let folder = tempfile::tempdir().unwrap();
    let base = base(folder.path());
    let mut readers = immediate_readers(&base);
    readers.extend(startup_readers(store(folder.path())));
    readers.extend(next_run_readers());
    let (mut keys, mut all_words) = (Vec::new(), Vec::new());
    leaves(&serde_json::to_value(&base).unwrap(), "", &mut keys);
    words(&schema::schema(), &mut all_words);
    assert!(keys.len() > 140, "{}", keys.len());
    let before: Vec<String> = readers.iter().map(|it| (it.observe)(&base)).collect();
    let mut wrong = Vec::new();
    for key in &keys {
        let (found, by) = seen(&readers, &before, &changed(&base, key, &all_words));
        let right = match (takes_effect(key), found) {
            (TakesEffect::NotYet(_), None) => true,
            (said, Some(found)) => said == found,
            (_, None) => false,
        };
        if !right || !is_listed(key) {
            wrong.push(format!("{key}: the table says {:?}, it is {found:?}, read by {by:?}", takes_effect(key)));
        }
    }
    // Restores the built-in values for other tests of this process.
    settings::process_settings(&base).apply();
    assert!(wrong.is_empty(), "{} of {} keys:\n{}", wrong.len(), keys.len(), wrong.join("\n"));
}

// CFG-5
#[test]
fn the_keys_without_a_reader_only_become_fewer_cfg_5() {
    let added: Vec<_> = not_yet().into_iter().filter(|row| !NOT_YET.contains(row)).collect();
    assert!(added.is_empty(), "give these a reader instead: {added:?}");
}

// PRV-3, CFG-4
#[test]
fn blocked_roles_reach_the_tree_before_it_is_read_and_with_each_change_prv_3_cfg_4() {
    let blocking = |roles: &str| {
        let sets = vec![format!("privacy.block_roles={roles}")];
        load(&LoadOptions { sets, ..LoadOptions::default() }).unwrap().config
    };
    let tree = ScriptedAccessibility::default();
    let system = System { accessibility: Arc::new(tree.clone()), ..System::of_this_machine() };
    let is_blocked = |role| tree.blocked.lock().unwrap().contains(role);
    let live = LiveConfig::new(blocking("[Edit]"));
    let wiring = Wiring::new(&live, &system);
    assert!(is_blocked(Role::Edit) && !is_blocked(Role::Button));
    reload::apply_config(&live, &wiring, blocking("[Button]"));
    assert!(!is_blocked(Role::Edit) && is_blocked(Role::Button));
}
