//! Keys and hotkeys arrive with their modifiers.

use std::sync::Arc;

use super::person::SHIFT;
use super::*;

// EXE-4
#[tokio::test(flavor = "multi_thread")]
async fn chords_arrive_as_often_as_asked_exe_4() {
    let _desk = desk().await;
    let mut program = ActedProgram::start(SCRIPT, "Chords 조합");
    let (input, person) = (X11Input::new(), SimulatedHands::new());
    let window = active(&AtSpi::new(), "Chords").await.handle;
    program.tell("keys");
    for layouts in ["us", "ru,us", "fr"] {
        person.set_layouts(layouts);
        let before = person.keyboard();
        for (name, times, expect) in [
            ("ctrl+s", 1, "<Primary>s"),
            ("컨트롤 쉬프트 티", 1, "<Primary><Shift>t"),
            ("엔터", 1, "Return"),
            ("위로", 3, "Up"),
            ("alt+f4", 1, "<Alt>F4"),
            ("page_up", 2, "Page_Up"),
            ("f24", 1, "F24"),
            ("한영", 1, "Hangul"),
            ("menu", 1, "Menu"),
            ("delete", 1, "Delete"),
        ] {
            let done = input.press(&name.parse().unwrap(), times, window, &free());
            assert_eq!(done, Ok(InputResult::Done), "{name}");
            let told: Vec<String> = program.told().iter().map(|line| line.to_lowercase()).collect();
            let expect = format!("key {expect}").to_lowercase();
            assert_eq!(told, vec![expect; usize::from(times)], "{name} {layouts}");
        }
        assert!(person.keyboard() == before && !person.is_any_key_down(), "{layouts}");
    }
    person.set_layouts("us");
    assert_eq!(input.press(&"ctrl+plus".parse().unwrap(), 1, window, &free()), Ok(InputResult::Done));
    assert_eq!(program.told(), ["key <Primary><Shift>plus"]);
}

// EXE-4, EXE-7, KER-11
#[tokio::test(flavor = "multi_thread")]
async fn keys_that_the_person_holds_are_respected_and_a_stop_releases_all_exe_4_exe_7_ker_11() {
    let _desk = desk().await;
    let mut program = ActedProgram::start(SCRIPT, "Holds 누르고");
    let (input, mut person) = (Arc::new(X11Input::new()), SimulatedHands::new());
    let window = active(&AtSpi::new(), "Holds").await.handle;
    program.tell("keys");
    let chord = "ctrl+d".parse().unwrap();
    person.hold(SHIFT);
    assert_eq!(input.press(&chord, 1, window, &free()), Ok(InputResult::NotDone(InputRefusal::Held)));
    // The person lets go in time.
    let late = Arc::clone(&input);
    let pressing = tokio::task::spawn_blocking(move || late.press(&chord, 1, window, &free()));
    tokio::time::sleep(Duration::from_millis(30)).await;
    person.let_go();
    assert_eq!(pressing.await.unwrap(), Ok(InputResult::Done));
    assert_eq!(program.told(), ["key <Primary>d"]);
    let (epoch, many) = (StopEpoch::default(), Arc::clone(&input));
    let barrier = epoch.barrier(RequestId(1));
    let pressing = tokio::task::spawn_blocking(move || many.press(&chord, 255, window, &barrier));
    tokio::time::sleep(Duration::from_millis(20)).await;
    epoch.stop(RequestId(2));
    let result = pressing.await.unwrap();
    let told = program.told();
    assert!(!person.is_any_key_down());
    match result {
        Ok(InputResult::Partly { sent, why: InputInterruption::Refused(InputRefusal::Stopped) }) => {
            assert_eq!(told, vec!["key <Primary>d"; sent]);
        }
        // A quick machine was done before the stop, a slow one had not begun.
        Ok(InputResult::Done) => assert_eq!(told.len(), 255),
        Ok(InputResult::NotDone(InputRefusal::Stopped)) => assert!(told.is_empty()),
        other => panic!("{other:?}"),
    }
    let raised = epoch.barrier(RequestId(3));
    epoch.stop(RequestId(4));
    assert_eq!(input.press(&chord, 1, window, &raised), Ok(InputResult::NotDone(InputRefusal::Stopped)));
    assert_eq!(program.told(), Vec::<String>::new());
}
