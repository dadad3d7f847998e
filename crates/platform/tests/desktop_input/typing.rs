//! Texts arrive whole, whatever the keyboard's layout, and the keyboard is as before.

use std::process::{Command, Stdio};
use std::sync::Arc;

use super::person::{CAPS_LOCK, SHIFT};
use super::*;

const KOREAN: &str = "안녕하세요, 루나예요. 오늘 서울은 맑고 기온은 23도입니다!";
const LOCK_BIT: u16 = 2;

// EXE-1
#[tokio::test(flavor = "multi_thread")]
async fn korean_arrives_whole_20_of_20_and_the_keyboard_is_as_before_exe_1() {
    let _desk = desk().await;
    let mut program = ActedProgram::start(SCRIPT, "Types 입력");
    let (input, person) = (X11Input::new(), SimulatedHands::new());
    let window = active(&AtSpi::new(), "Types").await.handle;
    let before = person.keyboard();
    let mut times = Vec::new();
    for turn in 0..20 {
        let start = Instant::now();
        assert_eq!(input.type_text(&text(KOREAN), window, &free()), Ok(InputResult::Done));
        times.push(start.elapsed());
        assert_eq!(typed(&mut program), KOREAN, "{turn}");
        program.tell("clear");
    }
    times.sort();
    println!("{} characters took {:?} to {:?}", KOREAN.chars().count(), times[0], times[19]);
    assert!(person.keyboard() == before && !person.is_any_key_down());
}

// EXE-1
#[tokio::test(flavor = "multi_thread")]
async fn any_character_arrives_whatever_the_layout_and_caps_lock_exe_1() {
    let _desk = desk().await;
    let mut program = ActedProgram::start(SCRIPT, "Any 아무");
    let (input, mut person) = (X11Input::new(), SimulatedHands::new());
    let window = active(&AtSpi::new(), "Any").await.handle;
    // More different characters than a keyboard has spare keys.
    let many: String = ('가'..).step_by(28).take(24).chain("Hello, World! aA éßñ ½\n".chars()).collect();
    let texts = ["😀👩‍💻 e\u{301} 漢字 かな\tДа\nsecond 둘째 줄", &many];
    for (layouts, has_caps_lock) in [("ru,us", false), ("fr", true), ("us", false)] {
        person.set_layouts(layouts);
        if has_caps_lock {
            person.tap(CAPS_LOCK);
        }
        let before = person.keyboard();
        for one in texts {
            assert_eq!(input.type_text(&text(one), window, &free()), Ok(InputResult::Done));
            assert_eq!(typed(&mut program), one, "{layouts} {has_caps_lock}");
            program.tell("clear");
        }
        assert!(person.keyboard() == before && !person.is_any_key_down(), "{layouts}");
        assert_eq!(person.has(LOCK_BIT), has_caps_lock);
        if has_caps_lock {
            person.tap(CAPS_LOCK);
        }
    }
    person.set_layouts("us");
}

// EXE-1
#[tokio::test(flavor = "multi_thread")]
async fn programs_that_answer_no_question_get_all_of_it_exe_1() {
    let _desk = desk().await;
    let (input, tree) = (X11Input::new(), AtSpi::new());
    let file = std::env::temp_dir().join(format!("luna-input-{}", std::process::id()));
    let script = format!("stty -echo; cat > {}", file.display());
    let mut terminal = Command::new("xterm")
        .args(["-u8", "-T", "Terminal 터미널", "-e", "sh", "-c", &script])
        .spawn()
        .unwrap_or_else(|error| panic!("xterm is needed (Debian package xterm): {error}"));
    let start = Instant::now();
    let window = active(&tree, "Terminal").await.handle;
    while !file.exists() && start.elapsed() < PATIENCE {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let line = format!("{KOREAN} Hello 😀\n");
    assert_eq!(input.type_text(&text(&line), window, &free()), Ok(InputResult::Done));
    // The end of the file.
    assert_eq!(input.press(&"ctrl+d".parse().unwrap(), 1, window, &free()), Ok(InputResult::Done));
    terminal.wait().unwrap();
    assert_eq!(std::fs::read_to_string(&file).unwrap(), line);
    std::fs::remove_file(&file).unwrap();
}

// EXE-1, EXE-4
#[tokio::test(flavor = "multi_thread")]
async fn a_dialog_takes_a_text_and_enter_exe_1_exe_4() {
    let _desk = desk().await;
    let (input, tree) = (X11Input::new(), AtSpi::new());
    let dialog = Command::new("zenity")
        .args(["--entry", "--title", "Dialog 대화", "--text", "Name 이름"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("zenity is needed (Debian package zenity): {error}"));
    let window = active(&tree, "Dialog").await.handle;
    // zenity focuses its field after its window.
    let start = Instant::now();
    let mut result = input.type_text(&text(KOREAN), window, &free());
    while matches!(result, Ok(InputResult::NotDone(InputRefusal::NotFocused { .. }))) && start.elapsed() < PATIENCE {
        result = input.type_text(&text(KOREAN), window, &free());
    }
    assert_eq!(result, Ok(InputResult::Done));
    assert_eq!(input.press(&"엔터".parse().unwrap(), 1, window, &free()), Ok(InputResult::Done));
    let output = dialog.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), KOREAN);
}

// KER-11, EXE-7
#[tokio::test(flavor = "multi_thread")]
async fn a_stop_ends_typing_and_what_arrived_is_told_ker_11_exe_7() {
    let _desk = desk().await;
    let mut program = ActedProgram::start(SCRIPT, "Stop 멈춤");
    let (input, person) = (Arc::new(X11Input::new()), SimulatedHands::new());
    let window = active(&AtSpi::new(), "Stop").await.handle;
    let before = person.keyboard();
    let long = text(&"가나다라마바사아자차카타파하 ".repeat(400));
    let (epoch, typist) = (StopEpoch::default(), Arc::clone(&input));
    let (barrier, all) = (epoch.barrier(RequestId(1)), long.clone());
    let typing = tokio::task::spawn_blocking(move || typist.type_text(&all, window, &barrier));
    let start = Instant::now();
    while typed(&mut program).is_empty() {
        assert!(start.elapsed() < PATIENCE, "nothing arrives");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    epoch.stop(RequestId(2));
    let start = Instant::now();
    let result = typing.await.unwrap();
    println!("typing stopped after {:?}", start.elapsed());
    let Ok(InputResult::Partly { sent, why: InputInterruption::Refused(InputRefusal::Stopped) }) = result else {
        panic!("{result:?}");
    };
    let expect: String = long.0.chars().take(sent).collect();
    assert_eq!(typed(&mut program), expect);
    assert!(sent > 0 && sent < 6000, "{sent}");
    assert!(person.keyboard() == before && !person.is_any_key_down());
    // Nothing at all after a stop.
    program.tell("clear");
    let raised = epoch.barrier(RequestId(3));
    epoch.stop(RequestId(4));
    assert_eq!(input.type_text(&long, window, &raised), Ok(InputResult::NotDone(InputRefusal::Stopped)));
    assert_eq!(typed(&mut program), "");
}

// EXE-7, PRV-2
#[tokio::test(flavor = "multi_thread")]
async fn a_window_without_the_focus_gets_nothing_exe_7_prv_2() {
    let _desk = desk().await;
    let mut first = ActedProgram::start(SCRIPT, "First 처음");
    let tree = AtSpi::new();
    let intended = active(&tree, "First").await.handle;
    let mut second = ActedProgram::start(SCRIPT, "Second 둘째");
    let other = active(&tree, "Second").await;
    let (input, mut person) = (X11Input::new(), SimulatedHands::new());
    for result in [
        input.type_text(&text("비밀번호"), intended, &free()),
        input.press(&"ctrl+s".parse().unwrap(), 1, intended, &free()),
    ] {
        let Ok(InputResult::NotDone(InputRefusal::NotFocused { focused: Some(focused) })) = result else {
            panic!("{result:?}");
        };
        assert_eq!((focused.window, focused.title), (other.handle, "Second 둘째".to_owned()));
    }
    person.hold(SHIFT);
    let held = input.type_text(&text("비밀번호"), other.handle, &free());
    assert_eq!(held, Ok(InputResult::NotDone(InputRefusal::Held)));
    person.let_go();
    let control = input.type_text(&text("가\u{7}"), other.handle, &free());
    assert_eq!(control, Ok(InputResult::NotDone(InputRefusal::NotTypeable { place: 1 })));
    assert_eq!((typed(&mut first), typed(&mut second)), (String::new(), String::new()));
    assert_eq!(input.type_text(&text("가"), other.handle, &free()), Ok(InputResult::Done));
    assert_eq!((typed(&mut first), typed(&mut second)), (String::new(), "가".to_owned()));
}
