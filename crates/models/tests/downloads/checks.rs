//! Checksums, headers and refusals (ENG-4, PRV-7).

use super::*;

#[test]
fn an_unknown_checksum_is_learnt_and_then_enforced() {
    let body = body();
    let first = server(body.clone(), vec![Answer::Right, Answer::Wrong, Answer::Right]);
    let folder = TempDir::new().unwrap();
    let store = store(folder.path(), "unknown", "about_bytes: 5", &[format!("url: {}/file", first.address)]);
    fetch(&store, &mut Silent).unwrap();
    let learnt = fs::read_to_string(folder.path().join("learnt.json")).unwrap();
    assert!(learnt.contains(&sum(&body)), "{learnt}");

    let path = folder.path().join("m/f.gguf");
    fs::remove_file(&path).unwrap();
    let error = fetch(&store, &mut Silent).unwrap_err().to_string();
    assert!(error.contains("checksum") && error.contains(&sum(&body)), "{error}");
    assert!(!path.exists());
    fetch(&store, &mut Silent).unwrap();

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
    assert_eq!(store.list()[0].state, State::Present, "a list is quick: size and header");

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

#[test]
fn two_fetches_at_once_do_not_disturb_each_other() {
    let body = body();
    let server = server(body.clone(), Vec::new());
    let folder = TempDir::new().unwrap();
    let store = store(folder.path(), &sum(&body), "bytes: 300008", &[format!("url: {}/file", server.address)]);
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..4).map(|_| scope.spawn(|| fetch(&store, &mut Silent).unwrap())).collect();
        let fetched =
            all.into_iter().map(|thread| thread.join().unwrap()).filter(|it| *it != [Fetched::WasThere]).count();
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
    let error = fetch(&nowhere, &mut Silent).unwrap_err().to_string();
    assert!(error.contains("can't be written to") && error.contains("--models-dir"), "{error}");

    // /dev/full answers every write with "no space left".
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("m")).unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.path().join("m/f.gguf.part")).unwrap();
    let full = store(folder.path(), &sum(&body), "bytes: 300008", &[source]);
    let error = fetch(&full, &mut Silent).unwrap_err().to_string();
    assert!(error.contains("is full; 300008 bytes are needed"), "{error}");
    assert_eq!(left(folder.path()), Vec::<String>::new());
}
