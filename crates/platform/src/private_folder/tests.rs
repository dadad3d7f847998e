//! Owners, modes and links of private folders (PRV-4, PRV-7).

#![allow(clippy::unwrap_used)]

use std::os::unix::fs::{PermissionsExt as _, symlink};

use super::system::{FileFacts, FolderFault, Person, fault_above, fault_of};
use super::*;

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("luna-private-{}-{name}", std::process::id()));
    drop(fs::remove_dir_all(&folder));
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    folder
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

// PRV-4, PRV-7
#[test]
fn owner_and_mode_decide_prv_4_prv_7() {
    const ME: u32 = 1000;
    const OTHER: u32 = 1001;
    let person = Person { user: ME, group: ME, unknown: None };
    let (other, writable) = (Some(FolderFault::OtherOwner), Some(FolderFault::WritableByOthers));
    for (owner, group, mode, itself, above) in [
        (ME, ME, 0o700, None, None),
        (ME, ME, 0o755, None, None),
        (0, 0, 0o755, None, None),
        // The user's own primary group, and a group with other members.
        (ME, ME, 0o775, None, None),
        (ME, 100, 0o775, writable, writable),
        (0, 0, 0o775, None, None),
        (0, 50, 0o2775, writable, writable),
        (ME, ME, 0o777, writable, writable),
        // Such as `/tmp`.
        (0, 0, 0o1777, writable, None),
        (OTHER, OTHER, 0o1777, other, other),
        (OTHER, OTHER, 0o700, other, other),
        (OTHER, ME, 0o700, other, other),
        (65534, 65534, 0o755, other, other),
    ] {
        let facts = FileFacts { owner, group, mode };
        assert_eq!((fault_of(facts, person), fault_above(facts, person)), (itself, above), "{facts:?}");
    }
    // In a container the host's folders belong to the overflow user.
    let inside = Person { unknown: Some(65534), ..person };
    assert_eq!(fault_above(FileFacts { owner: 65534, group: 65534, mode: 0o755 }, inside), None);
}

// PRV-4
#[test]
fn a_folder_is_made_for_its_owner_alone_and_an_open_one_is_closed_prv_4() {
    let scratch = scratch("made");
    let folder = scratch.join("a/luna");
    create(&folder).unwrap();
    assert_eq!(mode(&folder), 0o700);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    create(&folder).unwrap();
    assert_eq!(mode(&folder), 0o700);
    check(&folder).unwrap();
    fs::remove_dir_all(scratch).unwrap();
}

// PRV-4
#[test]
fn what_lies_under_the_name_already_is_never_used_prv_4() {
    let scratch = scratch("planted");
    let elsewhere = scratch.join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    fs::write(elsewhere.join("victim"), "untouched").unwrap();
    let linked = scratch.join("linked");
    symlink(&elsewhere, &linked).unwrap();
    assert!(matches!(create(&linked), Err(PrivateFolderError::Link { .. })));
    // The user's own link to another disk is fine if it is only read.
    check(&linked).unwrap();
    symlink("nowhere", scratch.join("dangling")).unwrap();
    assert!(matches!(create(&scratch.join("dangling")), Err(PrivateFolderError::Link { .. })));
    fs::write(scratch.join("file"), "").unwrap();
    assert!(matches!(create(&scratch.join("file")), Err(PrivateFolderError::OtherKind { .. })));
    assert!(matches!(open(&scratch), Err(PrivateFolderError::OtherKind { .. })));

    let file = elsewhere.join("control.json");
    symlink("victim", &file).unwrap();
    symlink("victim", draft_of(&file)).unwrap();
    assert!(matches!(open(&file), Err(PrivateFolderError::Link { .. })));
    assert!(matches!(open_or_create(&file), Err(PrivateFolderError::Link { .. })));
    write(&file, b"token").unwrap();
    assert_eq!(fs::read_to_string(elsewhere.join("victim")).unwrap(), "untouched");
    assert!(fs::symlink_metadata(&file).unwrap().is_file());
    assert_eq!((fs::read_to_string(&file).unwrap().as_str(), mode(&file)), ("token", 0o600));
    assert!(!draft_of(&file).exists());

    fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
    assert!(matches!(open(&file), Err(PrivateFolderError::WritableByOthers { .. })));
    fs::set_permissions(&elsewhere, fs::Permissions::from_mode(0o777)).unwrap();
    assert!(matches!(check(&elsewhere), Err(PrivateFolderError::WritableByOthers { .. })));
    assert!(matches!(create(&elsewhere.join("below")), Err(PrivateFolderError::WritableByOthers { .. })));
    assert!(check(&scratch.join("missing")).is_err_and(|error| error.is_not_found()));
    fs::remove_dir_all(scratch).unwrap();
}

// PRV-4
#[test]
fn a_pipe_that_somebody_left_holds_nobody_prv_4() {
    let scratch = scratch("pipe");
    let pipe = scratch.join("control.json");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(matches!(open(&pipe), Err(PrivateFolderError::OtherKind { .. })));
    fs::remove_dir_all(scratch).unwrap();
}

// PRV-4
#[test]
fn only_the_file_that_was_written_is_removed_prv_4() {
    let scratch = scratch("own");
    let file = scratch.join("control.json");
    let mine = write(&file, b"mine").unwrap();
    let newer = write(&file, b"newer").unwrap();
    assert_ne!(mine, newer);
    remove_own(&file, mine);
    assert_eq!(fs::read_to_string(&file).unwrap(), "newer");
    remove_own(&file, newer);
    assert!(!file.exists());
    // A new file may reuse the inode number of a removed one.
    let mine = write(&file, b"mine").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    fs::remove_file(&file).unwrap();
    fs::write(&file, b"newer").unwrap();
    remove_own(&file, mine);
    assert_eq!(fs::read_to_string(&file).unwrap(), "newer");
    fs::remove_dir_all(scratch).unwrap();
}

// KER-9
#[test]
fn a_full_disk_is_called_so_ker_9() {
    for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded, io::ErrorKind::FileTooLarge] {
        let message = PrivateFolderError::io(Path::new("/run/luna/control.json"), io::Error::from(kind)).to_string();
        assert!(message.contains("no room left on the disk"), "{message}");
    }
}
