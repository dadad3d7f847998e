//! Origins of values, and effects of a change (CFG-3, CFG-4).

use super::*;

// CFG-2
#[test]
fn a_missing_file_means_the_built_in_defaults_cfg_2() {
    let folder = TempDir::new().unwrap();
    let loaded = load(&options(&folder.path().join("none.yaml"))).unwrap();
    assert!(!loaded.file_found);
    assert_eq!(loaded.config, Config::built_in("default").unwrap());
    assert!(loaded.warnings[0].contains("is not there"), "a file that was named is told");
}

#[cfg(not(windows))]
#[test]
fn the_usual_places_of_the_file() {
    let folder = TempDir::new().unwrap();
    let home = folder.path().display().to_string();
    let place = |env: &[(&str, &str)]| {
        let env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        luna_config::user_file(&LoadOptions { env, ..LoadOptions::default() }).map(|(path, _)| path)
    };
    assert_eq!(place(&[]), None);
    assert_eq!(place(&[("HOME", &home)]), Some(folder.path().join(".config/luna/config.yaml")));
    assert_eq!(place(&[("HOME", &home), ("XDG_CONFIG_HOME", "/x")]), Some("/x/luna/config.yaml".into()));
    assert_eq!(place(&[("HOME", &home), ("LUNA_CONFIG", "/y.yaml")]), Some("/y.yaml".into()));
}

// CFG-3
#[test]
fn flags_win_over_the_environment_and_that_over_files_cfg_3() {
    let file = file(
        "version: 1\nprofiles:\n  default:\n    tts:\n      rate: 1.1\n      rate_step: 0.2\n      rate_max: 2.5\n",
    );
    let mut options = options(&file.path);
    options.env.insert("LUNA__TTS__RATE".into(), "1.2".into());
    options.env.insert("LUNA__TTS__RATE_STEP".into(), "0.3".into());
    options.env.insert("LUNA__OVERLAY__COLOR".into(), "#00FF00".into());
    options.env.insert("LUNA__VOICE__DANGEROUS".into(), "[a, 나]".into());
    options.env.insert("LUNA__COMPANY__INTENTALIGNMENTMODE".into(), "strict".into());
    options.env.insert("LUNA__CONTROL__HOT_KEYS__STOP".into(), "null".into());
    options.env.insert("LUNA_PROFILE".into(), "low_vram".into());
    options.sets = vec!["tts.rate=1.3".into(), "tts.rate=1.4".into(), "voice.wake_word=null".into()];
    let loaded = load(&options).unwrap();
    let config = &loaded.config;
    assert_eq!((config.tts.rate, config.tts.rate_step, config.tts.rate_max), (1.4, 0.3, 2.5));
    assert_eq!((config.overlay.color.as_str(), config.voice.wake_word.as_deref()), ("#00FF00", None));
    assert_eq!(config.voice.dangerous, ["a", "나"]);
    assert_eq!(config.control.hot_keys["stop"], None);
    assert_eq!(config.gpu.budget_mb, 6144);

    let from = |key: &str| loaded.provenance[key].to_string();
    assert_eq!(from("tts.rate"), "flag --set tts.rate=1.4");
    assert_eq!(from("tts.rate_step"), "env LUNA__TTS__RATE_STEP");
    assert_eq!(from("tts.rate_max"), format!("{}:7:17, profile default", file.path.display()));
    assert_eq!(from("tts.rate_min"), "default");
    assert_eq!(from("gpu.budget_mb"), "default, profile low_vram");
    assert_eq!(loaded.provenance["gpu.grace_ms"], ValueOrigin::Default { profile: "default".into() });

    // `--profile` wins over `LUNA_PROFILE`.
    options.profile = Some("default".into());
    assert_eq!(load(&options).unwrap().config.gpu.budget_mb, 8192);
}

// CFG-3
#[test]
fn mistakes_in_variables_and_flags_name_them_cfg_3() {
    let check = |sets: &[&str], env: &[(&str, &str)], expect: &str| {
        let env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let options =
            LoadOptions { sets: sets.iter().map(|set| (*set).to_owned()).collect(), env, ..LoadOptions::default() };
        let error = load(&options).unwrap_err().to_string();
        assert!(error.contains(expect), "{error}");
    };
    check(&["tts.rate"], &[], "flag --set tts.rate: expected KEY=VALUE");
    check(&["tts.raet=1"], &[], "flag --set tts.raet=1: tts.raet: unknown key. Did you mean \"rate\"?");
    check(&["tts.rate=99"], &[], "99 is out of range; allowed: 0.25 to 5");
    check(&["tts.rate=[1"], &[], "flag --set tts.rate=[1: tts.rate: ");
    check(&["=1"], &[], "unknown key");
    check(&[], &[("LUNA__TTS__RATE", "fast")], "env LUNA__TTS__RATE: tts.rate: expected a number");
    check(&[], &[("LUNA__TTTS__RATE", "1")], "env LUNA__TTTS__RATE: ttts: unknown key. Did you mean \"tts\"?");
    check(
        &[],
        &[("LUNA_PROFILE", "low_vran")],
        "env LUNA_PROFILE: profile: \"low_vran\" is not known here. Did you mean \"low_vram\"?",
    );
}

// PRV-8
#[test]
fn what_was_on_the_screen_is_never_kept_on_disk_prv_8() {
    let sets = vec!["privacy.buffer_disk_persist=true".to_owned()];
    let release = LoadOptions { sets: sets.clone(), release: true, ..LoadOptions::default() };
    let error = load(&release).unwrap_err().to_string();
    assert!(error.contains("never lasts on disk") && error.contains("Write false"), "{error}");
    let debug = load(&LoadOptions { sets, ..LoadOptions::default() }).unwrap();
    assert!(debug.warnings[0].contains("buffer_disk_persist"), "a debug build may, and says so");
}

// ALN-8
#[test]
fn rounds_are_brought_into_one_to_five_aln_8() {
    for (typed, expect) in [("0", 1), ("1", 1), ("5", 5), ("9", 5)] {
        let sets = vec![format!("company.intentAlignmentMaxRounds={typed}")];
        let loaded = load(&LoadOptions { sets, ..LoadOptions::default() }).unwrap();
        assert_eq!(loaded.config.company.intent_alignment_max_rounds, expect);
        let warned = loaded.warnings.iter().any(|warning| warning.contains("is taken as"));
        assert_eq!(warned, typed.parse() != Ok(expect));
    }
}

// CFG-4
#[test]
fn safe_changes_and_those_that_need_a_restart_cfg_4() {
    let old = Config::built_in("default").unwrap();
    let mut new = old.clone();
    assert!(changes(&old, &new).is_empty());
    new.focus_mode.follow = false;
    new.tts.buffer_frames = 256;
    new.tts.rate = 1.5;
    new.http.port = 1;
    new.voice.dangerous.push("x".into());
    new.windows.ocr.topk = 5;
    new.tools.remove("SongTool");
    new.overlay.corner_radius = 3;
    let changes = changes(&old, &new);
    assert_eq!(
        changes.safe,
        ["focus_mode.follow", "overlay.corner_radius", "tts.rate", "voice.dangerous", "windows.ocr.topk"]
    );
    assert_eq!(changes.needs_restart, ["http.port", "tts.buffer_frames"]);
    assert_eq!(changes.not_yet, ["tools.SongTool"]);
    let words = changes.in_words();
    assert!(words.contains("without any effect in this version: tools.SongTool"), "{words}");
}

// CFG-5
#[test]
fn a_key_that_nobody_reads_yet_is_warned_about_from_wherever_it_is_set_cfg_5() {
    let file = file("version: 1\nprofiles:\n  default:\n    jobs: { workers: 3 }\n    tts: { rate: 1.1 }\n");
    let mut options = options(&file.path);
    options.env.insert("LUNA__MODELS__TASKS__VOICE_ACTIVITY".into(), "whisper-base".into());
    options.sets = vec!["tools.SongTool.capacity=1".into(), "voice.wake_word=a".into()];
    let loaded = load(&options).unwrap();
    let path = file.path.display();
    assert_eq!(
        loaded.warnings,
        [
            format!(
                "There are no jobs and no tools in this version, so this changes nothing: jobs.workers ({path}:4:22, profile default), \
                 tools.SongTool.capacity (flag --set tools.SongTool.capacity=1)."
            ),
            "Voices are found without a model in this version, so this changes nothing: models.tasks.voice_activity (env LUNA__MODELS__TASKS__VOICE_ACTIVITY).".to_owned(),
        ]
    );
    assert!(load(&LoadOptions::default()).unwrap().warnings.is_empty(), "what nobody set is not warned about");
    let shown = show::yaml(&loaded);
    let line = |start: &str| shown.lines().find(|line| line.trim().starts_with(start)).unwrap().to_owned();
    assert!(
        line("workers:").ends_with("; changes nothing yet: there are no jobs and no tools in this version"),
        "{shown}"
    );
    assert!(!line("wake_word:").contains("; "), "it counts at once: {shown}");
    assert!(shown.contains("; read by luna llm"), "{shown}");
    assert!(line("buffer_frames:").ends_with("# default; a change counts after a restart"), "{shown}");
    assert!(line("rate_min:").ends_with("# default"), "{shown}");
    let json = show::json(&loaded);
    assert_eq!(json["takes_effect"]["tts.rate"], "at_once");
    assert_eq!(json["takes_effect"]["jobs.workers"]["not_yet"], "there are no jobs and no tools in this version");
}

// PRV-2, REA-4
#[test]
fn thinking_is_never_kept_whatever_is_configured_prv_2_rea_4() {
    let sets = vec!["privacy.store_think=true".to_owned()];
    let error = load(&LoadOptions { sets, ..LoadOptions::default() }).unwrap_err().to_string();
    assert!(error.contains("privacy.store_think") && error.contains("never stored"), "{error}");
}

// CFG-4
#[test]
fn the_watcher_sees_changes_and_tells_broken_edits_cfg_4() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("config.yaml");
    let mut watcher = ConfigWatcher::new(options(&path));
    assert!(watcher.poll().is_none());
    fs::write(&path, "version: 1\nprofiles: { default: { tts: { rate: 2.0 } } }\n").unwrap();
    assert_eq!(watcher.poll().unwrap().unwrap().config.tts.rate, 2.0);
    assert!(watcher.poll().is_none());
    fs::write(&path, "version: 1\nprofiles: { default: { tts: { rate: quick } } }\n").unwrap();
    let error = watcher.poll().unwrap().unwrap_err().to_string();
    assert!(error.contains("config.yaml:2:37: tts.rate: expected a number"), "{error}");
    assert!(watcher.poll().is_none(), "a broken edit is told once");
    fs::remove_file(&path).unwrap();
    assert_eq!(watcher.poll().unwrap().unwrap().config.tts.rate, 1.0);
}

#[test]
fn the_committed_schema_is_the_one_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../config/schema.json");
    let committed: Value = serde_json::from_slice(&fs::read(&path).expect("config/schema.json is there")).unwrap();
    assert!(committed == schema::schema(), "config/schema.json is old: luna config schema > config/schema.json");
}

#[test]
fn every_key_of_the_built_in_file_has_its_type_and_every_command_its_name() {
    for name in Command::NAMES {
        let command: Command = serde_json::from_value(json!(name)).unwrap();
        assert_eq!(command.name(), name);
    }
    let keys = load(&LoadOptions::default()).unwrap().provenance;
    assert!(keys.len() > 120, "{}", keys.len());
    let lines = BUILT_IN.lines().filter(|line| line.contains('\t')).count();
    assert_eq!(lines, 0, "no tabs");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Loading the output of `luna config show` gives the same configuration.
    #[test]
    fn shown_and_loaded_again_is_the_same(
        rate in 0.5f64..3.0,
        wake in proptest::option::of("[^\u{0}-\u{1f}\u{7f}-\u{9f}\u{2028}\u{2029}\u{feff}]{1,12}"),
        words in proptest::collection::vec("\\PC{1,8}", 0..4),
        tool in "[a-zA-Z#: -]{1,8}",
        port in any::<u16>(),
        low in any::<bool>(),
    ) {
        prop_assume!(wake.as_ref().is_none_or(|word| !word.trim().is_empty()));
        let mut config = Config::built_in(if low { "low_vram" } else { "default" }).unwrap();
        config.tts.rate = rate;
        config.voice.wake_word = wake;
        config.voice.dangerous = words;
        let like = config.tools["SongTool"].clone();
        config.tools.insert(tool, like);
        config.http.port = port;
        let shown = LoadedConfig { config, ..load(&LoadOptions::default()).unwrap() };
        let text = show::yaml(&shown);
        let file = file(&text);
        let again = load(&options(&file.path));
        prop_assert!(again.is_ok(), "{}\n{}", again.unwrap_err(), text);
        prop_assert_eq!(again.unwrap().config, shown.config);
    }

    /// No text makes the parser panic, and every mistake has a position.
    #[test]
    fn any_text_is_taken_or_told(text in "\\PC{0,40}(\n[ ]{0,6}[a-z<*&:{}\\[\\]\"', -]{0,20}){0,8}") {
        for line in mistakes(&text) {
            let place: Vec<_> = line.splitn(3, ':').collect();
            prop_assert!(place.len() == 3 && place[0].parse::<u64>().is_ok(), "{}", line);
        }
    }
}
