//! Checksums, headers and refusals (ENG-4, PRV-7).

use super::*;

#[test]
fn an_unknown_checksum_is_learnt_and_then_enforced() {
    let body = body();
    let first = server(body.clone(), vec![ServerAnswer::Right, ServerAnswer::Wrong, ServerAnswer::Right]);
    let folder = TempDir::new().unwrap();
    let store = store(folder.path(), "unknown", "about_bytes: 5", &[format!("url: {}/file", first.address)]);
    fetch(&store, &mut SilentProgress).unwrap();
    let learnt = fs::read_to_string(folder.path().join("learnt.json")).unwrap();
    assert!(learnt.contains(&sum(&body)), "{learnt}");

    let path = folder.path().join("m/f.gguf");
    fs::remove_file(&path).unwrap();
    let error = fetch(&store, &mut SilentProgress).unwrap_err().to_string();
    assert!(error.contains("checksum") && error.contains(&sum(&body)), "{error}");
    assert!(!path.exists());
    fetch(&store, &mut SilentProgress).unwrap();

    let mut changed = body;
    changed[9] ^= 1;
    fs::write(&path, changed).unwrap();
    assert!(matches!(store.resolve("m", "f.gguf"), Err(ModelError::WrongChecksum { .. })));
}

#[test]
fn damaged_notes_do_not_make_anything_acceptable() {
    let folder = TempDir::new().unwrap();
    let store = store(folder.path(), "unknown", "about_bytes: 5", &["path: /nowhere".to_owned()]);
    fs::create_dir(folder.path().join("m")).unwrap();
    fs::write(folder.path().join("m/f.gguf"), body()).unwrap();
    fs::write(folder.path().join("learnt.json"), "{broken").unwrap();
    let error = store.resolve("m", "").unwrap_err().to_string();
    assert!(error.contains("learnt.json"), "{error}");
}

// ENG-4
#[test]
fn files_that_are_missing_truncated_or_wrong_are_refused_with_what_to_do_eng_4() {
    let body = body();
    let folder = TempDir::new().unwrap();
    let store = store(folder.path(), &sum(&body), "bytes: 300008", &["path: /nowhere".to_owned()]);
    let path = folder.path().join("m/f.gguf");
    let check = |content: Option<Vec<u8>>, expect: &str| {
        if let Some(content) = content {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, content).unwrap();
        }
        let error = store.resolve("m", "f.gguf").unwrap_err().to_string();
        assert!(error.contains(expect) && error.contains("f.gguf") && error.contains("luna models fetch m"), "{error}");
    };
    check(None, "is not there");
    check(Some(body[..1000].to_vec()), "has 1000 bytes instead of 300008");
    check(Some(vec![0; body.len()]), "is not a language model");
    let mut changed = body.clone();
    changed[5000] ^= 1;
    check(Some(changed), "has the checksum");
    assert_eq!(store.list()[0].state, StoredState::Present, "a list is quick: size and header");

    fs::write(&path, &body).unwrap();
    store.resolve("m", "f.gguf").unwrap();
    let unknown = store.resolve("m", "other").unwrap_err().to_string();
    assert!(unknown.contains("has no file \"other\"") && unknown.contains("f.gguf"), "{unknown}");
    assert!(store.resolve("n", "").unwrap_err().to_string().contains("Known: m"));
}

// PRV-7
#[test]
fn a_changed_file_is_verified_again_prv_7() {
    let body = body();
    let folder = TempDir::new().unwrap();
    let store = store(folder.path(), &sum(&body), "bytes: 300008", &["path: /nowhere".to_owned()]);
    let path = folder.path().join("m/f.gguf");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, &body).unwrap();
    store.resolve("m", "").unwrap();
    let mut changed = body;
    changed[5000] ^= 1;
    fs::write(&path, &changed).unwrap();
    let later = std::time::SystemTime::now() + Duration::from_secs(3);
    fs::File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
    assert!(matches!(store.resolve("m", ""), Err(ModelError::WrongChecksum { .. })));
}

// PRV-7
#[test]
fn a_file_with_the_old_size_and_time_is_verified_again_prv_7() {
    let body = body();
    let folder = TempDir::new().unwrap();
    let store = store(folder.path(), &sum(&body), "bytes: 300008", &["path: /nowhere".to_owned()]);
    let path = folder.path().join("m/f.gguf");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, &body).unwrap();
    store.resolve("m", "").unwrap();
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    let mut changed = body.clone();
    changed[5000] ^= 1;
    let pretend = |path: &Path| fs::File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    // Changed in place, then replaced by another file; both with the modification time of the verified file.
    fs::write(&path, &changed).unwrap();
    pretend(&path);
    assert!(matches!(store.resolve("m", ""), Err(ModelError::WrongChecksum { .. })));
    fs::write(&path, &body).unwrap();
    pretend(&path);
    store.resolve("m", "").unwrap();
    let other = folder.path().join("other");
    fs::write(&other, &changed).unwrap();
    pretend(&other);
    fs::rename(&other, &path).unwrap();
    assert!(matches!(store.resolve("m", ""), Err(ModelError::WrongChecksum { .. })));
}

// PRV-7
#[test]
fn a_note_on_a_library_is_never_believed_prv_7() {
    let body = body();
    let folder = TempDir::new().unwrap();
    let text = |kind: &str| {
        format!(
            "version: 1\nsets: {{ default: [m] }}\nmodels:\n  - name: m\n    kind: {kind}\n    task: t\n    purpose: p\n    memory_mb: 1\n    licence: MIT\n    files:\n      - path: f.gguf\n        format: gguf\n        bytes: 300008\n        sha256: {}\n        sources:\n          - path: /nowhere\n",
            sum(&body)
        )
    };
    let path = folder.path().join("m/f.gguf");
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, &body).unwrap();
    let store = |kind: &str| ModelStore::new(Manifest::parse(&text(kind)).unwrap(), folder.path());
    store("library").resolve("m", "").unwrap();
    // A forged record: the stamp is right, the checksum is that of the changed library.
    let mut changed = body.clone();
    changed[5000] ^= 1;
    fs::write(&path, &changed).unwrap();
    let stamp = luna_model_store::records::FileStamp::of(&path).unwrap();
    let note = luna_model_store::records::VerifiedRecord { sha256: sum(&body), stamp };
    let notes = std::collections::BTreeMap::from([("m/f.gguf", note)]);
    fs::write(folder.path().join("verified.json"), serde_json::to_vec(&notes).unwrap()).unwrap();
    store("model").resolve("m", "").unwrap();
    assert!(matches!(store("library").resolve("m", ""), Err(ModelError::WrongChecksum { .. })));
}

// PRV-7, ENG-4
#[test]
fn each_error_has_a_remedy_for_its_own_cause_prv_7_eng_4() {
    let path = || std::path::PathBuf::from("/m/f");
    let io = |kind: std::io::ErrorKind| ModelError::Io { path: path(), source: kind.into() };
    let model = || "m".to_owned();
    for (error, reason, remedy) in [
        (ModelError::Missing { model: model(), path: path() }, "is not there.", "Get it with: luna models fetch m."),
        (
            ModelError::WrongSize { model: model(), path: path(), found: 1, expected: 2 },
            "has 1 bytes instead of 2: it is truncated or another file.",
            "Get it again with: luna models fetch m.",
        ),
        (
            ModelError::DiskFull { path: path(), needed: 7 },
            "is full; 7 bytes are needed.",
            "Make room, or choose another place",
        ),
        (io(std::io::ErrorKind::PermissionDenied), "/m/f", "Give yourself the right to read it"),
        (io(std::io::ErrorKind::Other), "/m/f", "Check the disk"),
        (
            ModelError::NoPlace,
            "no home folder is known.",
            "Name one with --models-dir, LUNA_MODELS or models.directory.",
        ),
        (
            ModelError::DamagedRecords { path: path() },
            "are damaged.",
            "Remove that file, then run: luna models verify.",
        ),
        (ModelError::NotPrivate("it is another's".into()), "it is another's", "Choose a folder of your own"),
        (
            ModelError::FromSystem { model: model(), packages: vec!["p".into()] },
            "comes from the system.",
            "Install it with: sudo apt-get install p.",
        ),
    ] {
        let (said, how) = error.parts();
        assert!(said.ends_with(reason) || said.starts_with(reason), "{said} | {how}");
        assert!(how.starts_with(remedy), "{said} | {how}");
    }
}

#[test]
fn two_fetches_at_once_do_not_disturb_each_other() {
    let body = body();
    let server = server(body.clone(), Vec::new());
    let folder = TempDir::new().unwrap();
    let store = store(folder.path(), &sum(&body), "bytes: 300008", &[format!("url: {}/file", server.address)]);
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..4).map(|_| scope.spawn(|| fetch(&store, &mut SilentProgress).unwrap())).collect();
        let fetched = all
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .filter(|it| *it != [FetchOutcome::AlreadyPresent])
            .count();
        assert_eq!(fetched, 1);
    });
    assert_eq!(server.seen.lock().unwrap().len(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_cannot_be_written_to_and_a_full_disk_are_told() {
    let body = body();
    let server = server(body.clone(), Vec::new());
    let source = format!("url: {}/file", server.address);
    let nowhere = store(Path::new("/proc/luna-models"), &sum(&body), "bytes: 300008", std::slice::from_ref(&source));
    let error = fetch(&nowhere, &mut SilentProgress).unwrap_err().to_string();
    assert!(error.contains("can't be written to") && error.contains("--models-dir"), "{error}");

    // Every write to /dev/full fails with "no space left on device".
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("m")).unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.path().join("m/f.gguf.part")).unwrap();
    let full = store(folder.path(), &sum(&body), "bytes: 300008", &[source]);
    let error = fetch(&full, &mut SilentProgress).unwrap_err().to_string();
    assert!(error.contains("is full; 300008 bytes are needed"), "{error}");
    assert_eq!(left(folder.path()), Vec::<String>::new());
}
