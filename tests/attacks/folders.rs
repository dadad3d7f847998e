//! Folders and files that belong to another user of the machine or are world-writable (PRV-4, PRV-7).

#[path = "folders/runtime.rs"]
mod runtime;

/// Models that other users could have written or could change (PRV-7). One of the files is a library, whose code Luna's engine runs.
mod models {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
    use std::path::Path;
    use std::process::Output;

    use crate::desktop::{luna, models, take_turns};

    const NOBODY: u32 = 65_534;

    fn verify(home: &Path, folder: &Path) -> (Option<i32>, String) {
        let command = &mut luna(home);
        outcome(command.args(["models", "verify", "onnxruntime"]).env("LUNA_MODELS", folder).output().unwrap())
    }

    fn outcome(output: Output) -> (Option<i32>, String) {
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&text).into_owned())
    }

    /// Copies the library's folder below `folder`; returns the library's path.
    fn copy(folder: &Path) -> std::path::PathBuf {
        let (from, to) = (models().join("onnxruntime"), folder.join("onnxruntime"));
        fs::create_dir_all(&to).unwrap();
        let library = fs::read_dir(from).unwrap().flatten().find(|entry| entry.file_type().unwrap().is_file()).unwrap();
        let file = to.join(library.file_name());
        fs::copy(library.path(), &file).unwrap();
        file
    }

    // PRV-7
    #[test]
    fn models_that_others_could_have_put_there_are_not_loaded_prv_7() {
        let _turn = take_turns();
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("models");
        let file = copy(&folder);
        let library = file.parent().unwrap().to_owned();
        assert_eq!(verify(home.path(), &folder).0, Some(0), "{}", verify(home.path(), &folder).1);
        let refused = |what: &str, part: &str| {
            let (code, text) = verify(home.path(), &folder);
            assert!(code == Some(1) && text.contains(part), "{what}: {code:?} {text}");
            let list =
                luna(home.path()).args(["models", "list", "--json"]).env("LUNA_MODELS", &folder).output().unwrap();
            assert!(outcome(list).1.contains(part), "{what}: the list tells it, too");
        };
        for (what, path, right) in
            [("the folder", &folder, 0o755), ("the library's", &library, 0o755), ("the file", &file, 0o644)]
        {
            fs::set_permissions(path, Permissions::from_mode(right | 0o002)).unwrap();
            refused(&format!("others write to {what}"), "other users of this machine can write");
            fs::set_permissions(path, Permissions::from_mode(right)).unwrap();
            // Changing the owner needs administrator rights, which CI has.
            if chown(path, Some(NOBODY), None).is_ok() {
                refused(&format!("{what} is another's"), "belongs to another user");
                chown(path, Some(0), None).unwrap();
            }
        }
        // The person's own link is followed to its target.
        let link = home.path().join("link");
        symlink(&folder, &link).unwrap();
        assert_eq!(verify(home.path(), &link).0, Some(0));
        fs::set_permissions(&folder, Permissions::from_mode(0o777)).unwrap();
        assert_eq!(verify(home.path(), &link).0, Some(1));
        let page = crate::desktop::sample("ocrs/why-rust.png");
        let read =
            luna(home.path()).args(["read", "--silent", "--image"]).arg(page).env("LUNA_MODELS", &folder).output();
        let (code, text) = outcome(read.unwrap());
        assert!(code == Some(1) && text.contains("other users of this machine can write"), "{code:?} {text}");
    }

    // PRV-7
    #[test]
    fn without_a_home_no_folder_of_everybody_is_looked_into_prv_7() {
        let home = tempfile::tempdir().unwrap();
        let run = |arguments: &[&str]| {
            let command = &mut luna(home.path());
            for name in ["LUNA_MODELS", "HOME", "XDG_DATA_HOME"] {
                command.env_remove(name);
            }
            outcome(command.env("TMPDIR", home.path()).args(arguments).output().unwrap())
        };
        copy(&home.path().join("luna-models"));
        let page = crate::desktop::sample("ocrs/why-rust.png");
        for arguments in [
            &["models", "list"][..],
            &["models", "fetch", "onnxruntime"],
            &["read", "--silent", "--image", page.to_str().unwrap()],
        ] {
            let (code, text) = run(arguments);
            assert!(
                code == Some(1) && text.contains("no home folder is known") && text.contains("LUNA_MODELS"),
                "{arguments:?}: {code:?} {text}"
            );
        }
    }
}
