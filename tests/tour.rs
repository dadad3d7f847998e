//! The quick part of the tour: what Luna says at places of three real programs, by pointer and by keyboard focus (ANN, ATT-2). The whole
//! tour is `make tour`.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;
use std::process::{Command, Output};

fn script(name: &str, arguments: &[&str]) -> Output {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/tour");
    let mut command = Command::new("/usr/bin/python3");
    command.arg("-B").arg(scripts.join(name)).args(arguments).env("LUNA_BIN", env!("CARGO_BIN_EXE_luna"));
    command.output().expect("Debian's python3 is needed")
}

#[track_caller]
fn assert_success(output: &Output) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}\n{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn the_comparison_tells_right_from_wrong_ann_1() {
    assert_success(&script("compare_test.py", &[]));
}

// ANN-1, ANN-2, ANN-3, ANN-4, ATT-2, OCR-5
#[test]
fn what_must_be_said_at_the_places_of_the_quick_tour_is_said_ann_1_ann_2_ann_3_ann_4_att_2_ocr_5() {
    for name in ["DISPLAY", "DBUS_SESSION_BUS_ADDRESS"] {
        assert!(
            std::env::var_os(name).is_some(),
            "{name} is not set: run the tests with `make test`, on its virtual desktop"
        );
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (scratch, out) = (path("scratch"), path("out"));
    let options = ["--quick", "--strict", "--languages", "ko", "--scratch", &scratch, "--out", &out];
    assert_success(&script("tour.py", &options));
}
