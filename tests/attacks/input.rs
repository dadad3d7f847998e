//! Malformed pictures and sounds, and input without an end (KER-4).

use std::io::{Cursor, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use image::{DynamicImage, ImageFormat, RgbImage};
use luna::batch_commands::{picture, transcribe};
use luna_test_support::tiny_models::gguf;

use crate::desktop::{luna, take_turns};

/// A picture of distinct pixels, so that a missing one is noticed.
fn noise() -> DynamicImage {
    let mut seed = 7_u32;
    DynamicImage::ImageRgb8(RgbImage::from_fn(67, 45, |_, _| {
        let mut byte = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed.to_be_bytes()[0]
        };
        image::Rgb([byte(), byte(), byte()])
    }))
}

// KER-9
#[test]
fn a_picture_that_is_cut_short_is_never_taken_for_a_whole_one_ker_9() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture");
    let open = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        picture::open(&path)
    };
    let mut wrong = Vec::new();
    for format in
        [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Bmp, ImageFormat::Gif, ImageFormat::WebP, ImageFormat::Tiff]
    {
        let mut file = Cursor::new(Vec::new());
        noise().write_to(&mut file, format).unwrap();
        let file = file.into_inner();
        let whole = open(&file).unwrap();
        assert_eq!((whole.width, whole.height), (67, 45), "{format:?}");
        assert_eq!(open(&[&file[..], b"something behind"].concat()).unwrap().rgb, whole.rgb, "{format:?}");
        let cuts = (0..file.len()).step_by(file.len() / 60 + 1).chain(file.len() - 20..file.len());
        for length in cuts {
            match open(&file[..length]) {
                // Data after the pixels may be missing.
                Ok(found) if found.rgb == whole.rgb => {}
                Ok(_) => wrong.push(format!("{format:?}: {length} of {} bytes are a picture", file.len())),
                Err(error) => {
                    let message = format!("{error:#}");
                    if !message.contains(path.to_str().unwrap()) {
                        wrong.push(format!("{format:?}: {length} of {} bytes: {message}", file.len()));
                    }
                }
            }
        }
        let half = format!("{:#}", open(&file[..file.len() / 2]).unwrap_err());
        if !half.contains("cut short") {
            wrong.push(format!("{format:?}: half of it: {half}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

// KER-4
#[test]
fn a_picture_that_is_too_large_is_refused_before_its_pixels_are_unpacked_ker_4() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.bmp");
    for (width, height, part) in [
        (30_001, 1, "too large (30001×1 pixels"),
        (1, 30_001, "too large (1×30001 pixels"),
        (8_000, 6_251, "too large (8000×6251 pixels"),
        (20_000, 20_000, "too large (20000×20000 pixels"),
        (8_000, 6_250, "cut short"),
        (30_000, 1_666, "cut short"),
        (0, 0, "no picture that Luna can read"),
    ] {
        // Only the headers before the pixels.
        let mut bytes = b"BM\x36\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0".to_vec();
        bytes.extend([i32::to_le_bytes(width), i32::to_le_bytes(height)].concat());
        bytes.extend([1, 0, 24, 0]);
        bytes.resize(54, 0);
        std::fs::write(&path, &bytes).unwrap();
        let message = format!("{:#}", picture::open(&path).unwrap_err());
        assert!(message.contains(part) && message.contains("picture.bmp"), "{width}×{height}: {message}");
    }
}

// OCR-1
#[test]
fn a_picture_is_turned_as_its_camera_was_held_ocr_1() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("photo.jpeg");
    let mut file = Cursor::new(Vec::new());
    noise().write_to(&mut file, ImageFormat::Jpeg).unwrap();
    for (turned, size) in [(1, (67, 45)), (3, (67, 45)), (6, (45, 67)), (8, (45, 67)), (99, (67, 45))] {
        // One metadata entry: the orientation.
        let entry = [0x12, 1, 3, 0, 1, 0, 0, 0, turned, 0, 0, 0];
        let metadata = [&b"Exif\0\0II*\0\x08\0\0\0\x01\0"[..], &entry, &[0; 4]].concat();
        let length = u16::try_from(metadata.len() + 2).unwrap().to_be_bytes();
        let photo = [&[0xff, 0xd8, 0xff, 0xe1][..], &length, &metadata, &file.get_ref()[2..]].concat();
        std::fs::write(&path, photo).unwrap();
        let found = picture::open(&path).unwrap();
        assert_eq!((found.width, found.height), size, "orientation {turned}");
    }
}

/// A mono WAV file of 8,000 samples a second and 16 bits, with these lengths in its header.
fn wav(whole: u32, sound: u32, samples: usize) -> Vec<u8> {
    let mut bytes = b"RIFF".to_vec();
    bytes.extend(whole.to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data");
    bytes.extend(sound.to_le_bytes());
    bytes.extend((0..samples).flat_map(|n| i16::try_from(n % 97 * 300).unwrap().to_le_bytes()));
    bytes
}

// STT-3
#[test]
fn a_sound_is_read_as_far_as_it_goes_or_refused_with_the_reason_stt_3() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sound.wav");
    let open = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        transcribe::open(&path).map(|sound| sound.samples.len()).map_err(|error| format!("{error:#}"))
    };
    let second = 8000;
    // The lengths in the header, the existing samples, and the resulting number of samples at 16 kHz or a part of the error.
    for (whole, sound, samples, expect) in [
        (16_036, 16_000, second, Ok(16_000)),
        (0xffff_ffff, 0xffff_ffff, second, Ok(16_000)),
        (0x7fff_f024, 0x7fff_f000, second, Ok(16_000)),
        (0x8000_0024, 0x8000_0000, second, Ok(16_000)),
        (0, 0, second, Ok(16_000)),
        (36, 0, second, Ok(16_000)),
        (0xffff_ffff, 0xffff_ffff, 600 * second, Ok(9_600_000)),
        (0xffff_ffff, 0xffff_ffff, 601 * second, Err("longer than 600 s")),
        (16_036, 16_000, second / 2, Err("cut short")),
        (160_036, 160_000, second, Err("cut short")),
        (36, 0, 0, Err("empty")),
        (0xffff_ffff, 0xffff_ffff, 0, Err("empty")),
        (10_016_036, 10_016_000, second, Err("too long")),
    ] {
        let found = open(&wav(whole, sound, samples));
        let fits = match (&found, expect) {
            (Ok(found), Ok(expect)) => found.abs_diff(expect) <= 40,
            (Err(found), Err(part)) => found.contains(part) && found.contains("sound.wav"),
            _ => false,
        };
        assert!(fits, "{whole} {sound} {samples}: {found:?}");
    }
    // Half a sample at the end of a stream from a pipe.
    let mut odd = wav(u32::MAX, u32::MAX, second);
    odd.push(1);
    assert!(open(&odd).unwrap().abs_diff(16_000) <= 40);
    // The sample rate or the channel count is zero.
    for (place, length) in [(24, 4), (22, 2)] {
        let mut bent = wav(16_036, 16_000, second);
        bent[place..place + length].fill(0);
        let message = open(&bent).unwrap_err();
        assert!(message.contains("sound.wav"), "{message}");
    }
    // Every truncation of the header.
    let good = wav(16_036, 16_000, second);
    for length in 0..44 {
        assert!(open(&good[..length]).is_err(), "{length} bytes");
    }
    for place in 0..44 {
        for byte in [0, 1, 0x7f, 0xff] {
            let mut bent = good.clone();
            bent[place] = byte;
            // No panic, and never more samples than the file can contain.
            assert!(open(&bent).map_or(true, |samples| samples <= 9_600_040), "byte {place} is {byte}");
        }
    }
}

/// Runs with little memory, so that a process that buffers all of its input dies.
fn run_small(home: &Path, arguments: &[&str], input: Stdio) -> Output {
    let program = luna(home);
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 2000000; exec \"$0\" \"$@\""]).arg(program.get_program()).args(arguments);
    for (name, value) in program.get_envs() {
        command.env(name, value.unwrap_or_default());
    }
    command.stdin(input).stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap()
}

// KER-4
#[test]
fn input_that_does_not_end_is_refused_at_its_bound_ker_4() {
    let _turn = take_turns();
    let home = tempfile::tempdir().unwrap();
    let model = home.path().join("says.gguf");
    gguf::ScriptedLlm::new("One.").write(&model).unwrap();
    let model = model.to_str().unwrap();
    for (arguments, code, part) in [
        (&["say", "-", "--wav", "/dev/null"][..], 1, "standard input is larger than 16 MiB; give it in parts"),
        (&["llm", "-", "--model", model], 1, "standard input is larger than 16 MiB"),
        (&["llm", "x", "--model", model, "--schema", "/dev/zero"], 1, "/dev/zero is larger than 16 MiB"),
        (&["translate", "--model", model], 1, "standard input is larger than 16 MiB"),
        (&["translate", "/dev/zero", "--model", model], 1, "/dev/zero is larger than 16 MiB"),
        (&["summarize", "-", "--model", model], 1, "standard input is larger than 16 MiB"),
        (&["lock", "check", "--jsonl", "--glossary", "/dev/zero"], 1, "/dev/zero is larger than 16 MiB"),
        (&["read", "--image", "/dev/zero", "--silent"], 1, "/dev/zero is larger than 256 MiB"),
        (&["transcribe", "/dev/zero"], 1, "/dev/zero is no sound file"),
        (&["--config", "/dev/zero", "say", "x"], 2, "/dev/zero is a pipe or a device"),
    ] {
        let input = std::fs::File::open("/dev/zero").unwrap();
        let ran = run_small(home.path(), arguments, input.into());
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(ran.status.code() == Some(code) && said.contains(part), "{arguments:?}: {:?} {said}", ran.status);
    }
}

// KER-4, NLU-2
#[test]
fn a_line_that_is_too_long_costs_itself_only_ker_4_nlu_2() {
    let home = tempfile::tempdir().unwrap();
    let good = ["{\"utterance\": \"멈춰\", \"speaking\": true}", "{\"source\": \"1\", \"target\": \"1\"}"];
    let commands = [&["understand", "--jsonl"][..], &["lock", "check", "--jsonl"]];
    for (arguments, good) in commands.into_iter().zip(good) {
        let long = vec![b'x'; 200 << 20];
        let quoted =
            format!("{{\"utterance\": \"{0}멈춰\", \"source\": \"{0}\", \"target\": \"\"}}", " ".repeat(100_000));
        let all = [&long[..], b"\n", good.as_bytes(), b"\n", quoted.as_bytes(), b"\n", good.as_bytes()].concat();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&all).unwrap();
        std::io::Seek::rewind(&mut file).unwrap();
        drop(all);
        let ran = run_small(home.path(), arguments, file.into());
        let out = String::from_utf8_lossy(&ran.stdout).into_owned();
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(ran.status.code(), Some(1), "{out} {}", String::from_utf8_lossy(&ran.stderr));
        assert_eq!(lines.len(), 4, "{out}");
        assert!(lines[0].contains("longer than the 4194304 bytes that are taken; shorten it"), "{}", lines[0]);
        assert_eq!(lines[1], lines[3], "what follows is as if it had not been there");
        assert!(!lines[1].contains("error"), "{}", lines[1]);
    }
}

// OCR-1
#[test]
fn a_picture_may_come_through_a_pipe_ocr_1() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut file = Cursor::new(Vec::new());
    noise().write_to(&mut file, ImageFormat::Png).unwrap();
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::write(pipe, file.into_inner()).unwrap()
    });
    let found = picture::open(&pipe).unwrap();
    writer.join().unwrap();
    assert_eq!((found.width, found.height), (67, 45));
}
