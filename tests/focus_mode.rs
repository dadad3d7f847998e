//! Focus mode end to end: pointer, accessibility bus, recognition, speech, commands (FOC, PIC, OCR, TTS).

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

#[path = "support/desktop.rs"]
mod desktop;

use std::time::Duration;

use desktop::{ALT, CONTROL, ESCAPE, KeyWindow, LETTER_O, LunaProcess, Mouse, SUPER, SampleWindow, take_turns, wait};

/// A sample window and a running Luna, with the pointer on the English label.
fn scene(title: &str) -> (SampleWindow, Mouse, LunaProcess) {
    let sample = SampleWindow::start("gtk3_sample.py", title);
    let mouse = Mouse::new();
    mouse.move_to(sample.point("label_en"));
    (sample, mouse, LunaProcess::start())
}

/// Sets the pointer as programs do: without an event of a device.
fn warp_to((x, y): (i32, i32)) {
    use x11rb::connection::Connection as _;
    use x11rb::protocol::xproto::ConnectionExt as _;
    let (connection, screen) = x11rb::connect(None).unwrap();
    let (root, x, y) = (connection.setup().roots[screen].root, i16::try_from(x).unwrap(), i16::try_from(y).unwrap());
    connection.warp_pointer(x11rb::NONE, root, 0, 0, 0, 0, x, y).unwrap().check().unwrap();
}

// FOC-1, FOC-2, PIC-1, TTS-5
#[test]
fn what_is_under_the_pointer_is_read_and_followed_foc_1_foc_2_pic_1_tts_5() {
    let _turn = take_turns();
    let (sample, mouse, luna) = scene("Follow");
    luna.order("on");
    let found = luna.event("Focus.Pick.result", |_| true);
    assert_eq!((found["method"].as_str(), found["lang"].as_str()), (Some("uia"), Some("en")));
    assert_eq!(luna.hears("quick brown fox")["lang"], "en");
    for (part, expect, lang) in [
        ("label_ko", "다람쥐", "ko"),
        ("button", "Send report 보고서 보내기", "ko"),
        ("entry", "서울역", "ko"),
        ("link", "manual", "ko"),
    ] {
        mouse.move_to(sample.point(part));
        let said = luna.hears(expect);
        assert!(said["lang"] == lang || said["lang"] == "en", "PIC-8: {said}");
    }
    luna.order("off");
    luna.event("Focus.State", |data| data["state"] == "Idle");
    luna.event("Overlay.Highlight", |data| data["bbox"].is_null());
    // After "off" the pointer is no longer followed.
    let searches = || luna.seen.lock().unwrap().matches("Focus.Pick.request").count();
    let before = searches();
    mouse.move_to(sample.point("label_en"));
    std::thread::sleep(std::time::Duration::from_millis(900));
    assert_eq!(searches(), before, "{}", luna.seen.lock().unwrap());
}

// FOC-2, ANN-5
#[test]
fn lines_close_together_are_each_a_target_and_trembling_on_one_is_not_foc_2_ann_5() {
    let _turn = take_turns();
    let (sample, mouse, luna) = scene("Lines");
    luna.order("on");
    luna.hears("quick brown fox");
    // The lines of the note are 17 px apart.
    mouse.move_to(sample.point("note_line0"));
    luna.hears("First line");
    let (x, y) = sample.point("note_line1");
    mouse.move_to((x, y));
    luna.hears("둘째 줄");
    luna.clear();
    let questions = || luna.metric("luna_stage_duration_seconds_count{stage=\"pick\"}");
    let before = questions();
    mouse.move_to((x + 4, y + 2));
    wait(
        "the question after a small move",
        Duration::from_secs(10),
        || (questions() > before).then_some(()),
        String::new,
    );
    // The lines below may follow, but not the line once more.
    mouse.move_to(sample.point("button"));
    luna.event("TTS.Start", |data| {
        let text = data["text"].as_str().unwrap();
        assert!(!text.contains("둘째 줄"), "{text}");
        text.contains("Send report")
    });
}

// FOC-2
#[test]
fn a_pointer_that_a_program_moves_is_followed_foc_2() {
    let _turn = take_turns();
    let (sample, _mouse, luna) = scene("Warp");
    luna.order("on");
    luna.hears("quick brown fox");
    warp_to(sample.point("label_ko"));
    luna.hears("다람쥐");
}

// PIC-2, PIC-4, OCR-1
#[test]
fn a_picture_of_text_is_recognised_pic_2_pic_4_ocr_1() {
    let _turn = take_turns();
    let (sample, mouse, luna) = scene("Recognise");
    luna.wait_for_capability("text_recognition", "available");
    let (x, y, _, height) = sample.place("picture");
    mouse.move_to((x + 60, y + height / 4));
    luna.order("on");
    let found = luna.event("Focus.Pick.result", |_| true);
    assert_eq!(found["method"], "ocr", "{found}");
    let text = found["text"].as_str().unwrap();
    assert!(text.contains("1,234.56"), "{text}");
    luna.hears("1,234.56");
    // The Korean line below, by its own recogniser (OCR-1).
    mouse.move_to((x + 60, y + 3 * height / 4));
    luna.event("Focus.Pick.result", |data| data["text"].as_str().is_some_and(|text| text.contains("루나")));
}

// ANN-3, OCR-4
#[test]
fn a_cell_is_read_and_its_row_and_table_on_demand_ann_3_ocr_4() {
    let _turn = take_turns();
    let (sample, mouse, luna) = scene("Table");
    mouse.move_to(sample.point("cell0_0"));
    luna.order("on");
    luna.hears("사과 Apple");
    luna.order("read-row");
    luna.hears("1,200원");
    luna.order("read-table");
    assert!(luna.hears("머리글")["text"].as_str().unwrap().contains("품목"));
    luna.hears("1,200원");
    luna.hears("2,500원");
}

// ANN-3, OCR-4
#[test]
fn an_item_is_read_and_its_list_on_demand_ann_3_ocr_4() {
    let _turn = take_turns();
    let (sample, mouse, luna) = scene("Rows");
    mouse.move_to(sample.point("task1"));
    luna.order("on");
    luna.hears("Call the dentist");
    luna.order("read-table");
    luna.hears("머리글 불명");
    luna.hears("우유 사기");
}

// TTS-2, TTS-3, BRG-2, BRG-8
#[test]
fn speech_obeys_tts_2_tts_3_brg_2_brg_8() {
    let _turn = take_turns();
    let (_sample, _mouse, luna) = scene("Obey");
    luna.order("on");
    luna.hears("quick brown fox");
    luna.order("stop");
    luna.event("TTS.Stop", |data| data["finished"] == false);
    luna.order("resume");
    luna.hears("quick brown fox");
    luna.order("faster");
    let faster = luna.event("TTS.Rate", |_| true);
    assert!((faster["rate"].as_f64().unwrap() - 1.15).abs() < 0.01, "{faster}");
    luna.order("repeat");
    luna.hears("quick brown fox");
    luna.order("spell");
    // From the beginning of the sentence, by the names of the letters; capitals are announced (TTS-3).
    assert_eq!(luna.hears("대문자 티, 에이치, 이")["idx"], 0);
    luna.order("numbers");
    luna.order("slower");
    luna.event("TTS.Rate", |data| (data["rate"].as_f64().unwrap() - 1.0).abs() < 0.01);
}

// FOC-1, FOC-4
#[test]
fn pinned_it_stays_and_steps_by_line_foc_1_foc_4() {
    let _turn = take_turns();
    let (sample, mouse, luna) = scene("Pin");
    luna.order("on");
    luna.hears("quick brown fox");
    luna.order("pin");
    luna.event("Focus.State", |data| data["state"] == "Pinned");
    mouse.move_to(sample.point("button"));
    std::thread::sleep(std::time::Duration::from_millis(800));
    luna.clear();
    luna.order("next");
    // Whatever the line below contains, it is not the pinned line, and the place moved.
    let said = luna.event("TTS.Start", |data| data["notice"] == false);
    assert!(!said["text"].as_str().unwrap().contains("quick brown fox"), "{said}");
    luna.order("unpin");
    luna.event("Focus.State", |data| data["state"] == "Reading");
}

// FOC-1
#[test]
fn where_there_is_nothing_luna_asks_and_gives_up_in_time_foc_1() {
    let _turn = take_turns();
    let sample = SampleWindow::start("gtk3_sample.py", "Nothing");
    let luna = LunaProcess::start_with(|command| {
        command.env("LUNA__FOCUS_MODE__WAIT_CMD_TIMEOUT_MS", "4000");
    });
    luna.wait_for_capability("text_recognition", "available");
    let mouse = Mouse::new();
    // The lower left corner of the window is empty.
    let (x, _, _, _) = sample.place("picture");
    mouse.move_to((x, 60 + 620));
    luna.order("on");
    luna.event("Focus.State", |data| data["state"] == "WaitCmd" || data["state"] == "Reading");
    if luna.seen.lock().unwrap().contains("WaitCmd") {
        luna.hears("더 크게 할까요?");
        luna.order("bigger");
        luna.event("Focus.State", |data| data["state"] == "Targeting");
        luna.event("Focus.State", |data| data["state"] == "Reading" || data["state"] == "WaitCmd");
    }
    // There is no window here.
    luna.order("off");
    mouse.move_to((1900, 1060));
    luna.order("on");
    luna.hears("창이 없어요");
    luna.event("Focus.State", |data| data["state"] == "Idle");
    // A search without an answer does not switch focus mode off: pointing at something else is enough.
    luna.hears("커서를 옮기면");
    mouse.move_to(sample.point("label_en"));
    luna.hears("quick brown fox");
}

// FOC-5
#[test]
fn after_a_miss_moving_on_is_enough_and_esc_stays_with_the_application_foc_5() {
    let _turn = take_turns();
    let (sample, mouse, luna) = scene("Miss");
    mouse.move_to((1900, 1060));
    luna.order("on");
    luna.hears("창이 없어요");
    mouse.move_to(sample.point("label_ko"));
    luna.hears("다람쥐");
    luna.order("off");
    luna.hears("껐어요");
    // A real application with the keyboard receives Esc, and Luna sees it.
    let application = KeyWindow::open();
    mouse.move_to((1900, 1060));
    luna.order("on");
    luna.hears("창이 없어요");
    std::thread::sleep(std::time::Duration::from_millis(500));
    mouse.press(&[ESCAPE]);
    assert_eq!(application.next_key(), Some(ESCAPE), "the application did not get its Esc");
    luna.event("Focus.State", |data| data["state"] == "Idle");
    luna.hears("껐어요");
    // After "off" the pointer is no longer followed.
    let searches = || luna.seen.lock().unwrap().matches("Focus.Pick.request").count();
    let before = searches();
    mouse.move_to(sample.point("label_en"));
    std::thread::sleep(std::time::Duration::from_millis(900));
    assert_eq!(searches(), before, "{}", luna.seen.lock().unwrap());
}

// FOC-6, KER-6
#[test]
fn what_a_stopped_search_finds_is_never_spoken_foc_6_ker_6() {
    let _turn = take_turns();
    let (sample, mouse, luna) = scene("Late");
    // The application is slow, so that the search is running when the person stops it.
    sample.signal("STOP");
    luna.order("on");
    luna.event("Focus.State", |data| data["state"] == "Targeting");
    luna.order("stop");
    luna.event("Focus.State", |data| data["state"] == "Idle");
    sample.signal("CONT");
    std::thread::sleep(std::time::Duration::from_millis(2500));
    let seen = luna.seen.lock().unwrap().clone();
    assert!(!seen.contains("quick brown fox") && !seen.contains("응답하지 않아요"), "{seen}");
    // Stop does not switch focus mode off.
    mouse.move_to(sample.point("label_ko"));
    luna.hears("다람쥐");
}

// FOC-1, KER-9
#[test]
fn an_application_that_never_answers_and_a_window_that_goes_are_said_foc_1_ker_9() {
    let _turn = take_turns();
    let (sample, mouse, luna) = scene("Frozen");
    sample.signal("STOP");
    luna.order("on");
    luna.hears("응답하지 않아요");
    sample.signal("CONT");
    luna.order("off");
    drop(sample);
    let next = SampleWindow::start("gtk3_sample.py", "Next");
    mouse.move_to(next.point("label_ko"));
    luna.order("on");
    luna.hears("다람쥐");
}

#[test]
fn a_hot_key_switches_focus_mode_whatever_window_has_the_keyboard() {
    let _turn = take_turns();
    let (_sample, mouse, luna) = scene("Key");
    luna.wait_for_capability("hot_key", "available");
    mouse.press(&[CONTROL, ALT, SUPER, LETTER_O]);
    // Found, not heard: the key was taken from the window for a moment, and that it has the focus again may be told first.
    luna.event("Focus.Pick.result", |data| data["text"].as_str().is_some_and(|text| text.contains("quick brown fox")));
    mouse.press(&[CONTROL, ALT, SUPER, LETTER_O]);
    luna.event("Focus.State", |data| data["state"] == "Idle");
}

// ATT-6
#[test]
fn a_tap_of_ctrl_silences_and_the_application_gets_the_key_att_6() {
    let _turn = take_turns();
    let (_sample, mouse, luna) = scene("Tap");
    let observed = || {
        let status: serde_json::Value = serde_json::from_str(&luna.get("status")).unwrap();
        status["silence"]["reason"].is_null().then_some(())
    };
    let limit = std::time::Duration::from_secs(10);
    desktop::wait("the keyboard to be observed", limit, observed, || luna.get("status"));
    let application = KeyWindow::open();
    luna.order("on");
    luna.hears("quick brown fox");
    // A shortcut of the application is no tap, and neither is a Ctrl that is held.
    mouse.press(&[CONTROL, LETTER_O]);
    assert_eq!((application.next_key(), application.next_key()), (Some(CONTROL), Some(LETTER_O)));
    mouse.hold(&[CONTROL], std::time::Duration::from_millis(300));
    assert_eq!(application.next_key(), Some(CONTROL));
    let stops = || luna.seen.lock().unwrap().matches("BargeIn.Command").count();
    assert_eq!(stops(), 1, "only focus_on: {}", luna.seen.lock().unwrap());
    luna.order("repeat");
    luna.hears("quick brown fox");
    let begin = std::time::Instant::now();
    mouse.press(&[CONTROL]);
    luna.event("BargeIn.Command", |data| data["type"] == "stop");
    println!("tap to command: {:?}", begin.elapsed());
    luna.event("TTS.Stop", |data| data["finished"] == false);
    println!("tap to the report of silence: {:?}", begin.elapsed());
    assert_eq!(application.next_key(), Some(CONTROL), "the application did not get the key");
    // The text is still there.
    luna.order("repeat");
    luna.hears("quick brown fox");
}
