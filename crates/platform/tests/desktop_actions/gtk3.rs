//! Each kind of element of GTK 3, and what it does.

use super::*;

// EXE-1, EXE-7
#[tokio::test(flavor = "multi_thread")]
async fn each_action_on_gtk_3_has_its_effect_exactly_once_exe_1_exe_7() {
    let _desk = desk().await;
    let mut program = ActedProgram::start("gtk3_actions.py", "Acts 동작");
    let tree = AtSpi::new();
    let (_, all) = listed(&tree, "Acts 동작", "Save 저장").await;
    assert!(all.is_complete);
    let cases = [
        ("Save 저장", ElementAction::Press, "save clicked"),
        ("Save 저장", ElementAction::Press, "save clicked"),
        ("Notify 알림", ElementAction::Toggle, "check toggled true"),
        ("Notify 알림", ElementAction::Press, "check toggled false"),
        ("Sound 소리", ElementAction::Toggle, "switch toggled true"),
        ("Bold 굵게", ElementAction::Toggle, "toggle toggled true"),
        ("Weekly 매주", ElementAction::Select, "weekly toggled true"),
        ("City 도시", ElementAction::Expand, "city popup true"),
        ("Count 개수", ElementAction::SetNumber(7.0), "count value 7.0"),
        ("Volume 음량", ElementAction::SetNumber(40.0), "volume value 40.0"),
        ("Name 이름", set_text("새 이름"), "entry changed 새 이름"),
        ("More 더 보기", ElementAction::Expand, "expander expanded true"),
        ("Two 둘", ElementAction::Select, "tabs page 1"),
    ];
    program.told();
    for (label, action, expect) in cases {
        let id = able(&all, action.capacity(), label).id().clone();
        let what = format!("{action:?} {label}");
        let start = Instant::now();
        assert_eq!(act(&tree, &id, action).await, ACCEPTED, "{what}");
        println!("{what} took {:?}", start.elapsed());
        assert_eq!(program.told(), [expect], "{what}");
    }
}

// EXE-1, EXE-7
#[tokio::test(flavor = "multi_thread")]
async fn what_is_impossible_is_not_done_and_said_to_have_no_effect_exe_7() {
    let _desk = desk().await;
    let mut program = ActedProgram::start("gtk3_actions.py", "Impossible 불가능");
    let tree = AtSpi::new();
    let (_, all) = listed(&tree, "Impossible", "Save 저장").await;
    let not_offered = Ok(ActionResult::NoEffect(NoEffectProof::NotOffered));
    program.told();
    let id = |label: &str| all.elements.iter().find(|one| is_called(one, label)).unwrap().id().clone();
    // GTK 3 says that it presses an insensitive button, and does not.
    let off = able(&all, Capacity::Press, "Not now").id().clone();
    assert!(tree.inspect(&off).await.unwrap().is(State::Disabled));
    for (id, action) in [
        (off, ElementAction::Press),
        (id("Save 저장"), ElementAction::Toggle),
        (id("Save 저장"), set_text("x")),
        // GTK 3 takes the nearest number instead.
        (able(&all, Capacity::SetNumber, "Volume").id().clone(), ElementAction::SetNumber(400.0)),
        (able(&all, Capacity::SetNumber, "Volume").id().clone(), ElementAction::SetNumber(f64::NAN)),
    ] {
        assert_eq!(act(&tree, &id, action.clone()).await, not_offered, "{action:?}");
    }
    // "activate" of a field would be the Enter key, and a fixed one takes no text.
    assert!(!able(&all, Capacity::SetText, "Name 이름").capacities.contains(Capacity::Press));
    assert!(!all.elements.iter().any(|one| is_called(one, "Fixed") && one.capacities.contains(Capacity::SetText)));
    assert_eq!(program.told(), Vec::<String>::new());
}

// EXE-7
#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_answers_too_late_is_never_asked_twice_exe_7() {
    let _desk = desk().await;
    let mut program = ActedProgram::start("gtk3_actions.py", "Late 늦음");
    let tree = AtSpi::new();
    let (_, all) = listed(&tree, "Late", "Slow 느림").await;
    program.told();
    let (slow, save) = (able(&all, Capacity::Press, "Slow 느림").id(), able(&all, Capacity::Press, "Save").id());
    // GTK 3 answers before it runs the handler.
    assert_eq!(act(&tree, slow, ElementAction::Press).await, ACCEPTED);
    assert_eq!(program.next(), "slow clicked");
    // Now it is busy for two seconds: nothing is done that was not asked of it.
    let start = Instant::now();
    assert_eq!(act(&tree, save, ElementAction::Press).await, Err(ElementRefusal::NoAnswer));
    assert!(start.elapsed() < Duration::from_millis(1500), "{:?}", start.elapsed());
    assert_eq!(program.next(), "slow done");
    assert_eq!(program.told(), Vec::<String>::new());
    // A new connection knows nothing of the silence.
    let tree = AtSpi::new();
    let (_, all) = listed(&tree, "Late", "Slow 느림").await;
    // What changes a text is done before the answer.
    let start = Instant::now();
    let field = able(&all, Capacity::SetText, "Lazy 굼뜬").id();
    assert_eq!(act(&tree, field, set_text("새 글")).await, Ok(ActionResult::Unknown));
    assert!(start.elapsed() < Duration::from_millis(1500), "{:?}", start.elapsed());
    assert_eq!([program.next(), program.next()], ["lazy changed 새 글", "lazy done"]);
    assert_eq!(program.told(), Vec::<String>::new());
}

// EXE-1, EXE-7
#[tokio::test(flavor = "multi_thread")]
async fn a_modal_dialog_is_opened_once_and_closed_by_its_button_exe_1_exe_7() {
    let _desk = desk().await;
    let mut program = ActedProgram::start("gtk3_actions.py", "Modal 모달");
    let tree = AtSpi::new();
    let (_, all) = listed(&tree, "Modal", "Ask 묻기").await;
    program.told();
    assert_eq!(act(&tree, able(&all, Capacity::Press, "Ask").id(), ElementAction::Press).await, ACCEPTED);
    assert_eq!(program.next(), "ask clicked");
    let (_, dialog) = listed(&tree, "Question", "Close 닫기").await;
    let close = able(&dialog, Capacity::Press, "Close 닫기").id().clone();
    assert_eq!(act(&tree, &close, ElementAction::Press).await, ACCEPTED);
    assert_eq!(program.next(), "ask closed");
    assert_eq!(tree.inspect(&close).await, Err(ElementRefusal::Gone));
}

// EXE-1, PIC-9
#[tokio::test(flavor = "multi_thread")]
async fn an_open_menu_comes_before_its_window_and_its_entries_are_pressed_exe_1_pic_9() {
    let _desk = desk().await;
    let mut program = ActedProgram::start("gtk3_actions.py", "Menus 메뉴");
    let tree = AtSpi::new();
    let (window, all) = listed(&tree, "Menus", "File 파일").await;
    assert_eq!(tree.active_windows().await.unwrap(), std::slice::from_ref(&window));
    program.told();
    assert_eq!(act(&tree, able(&all, Capacity::Press, "File 파일").id(), ElementAction::Press).await, ACCEPTED);
    assert_eq!(program.next(), "file shown");
    let start = Instant::now();
    let entries = loop {
        assert!(start.elapsed() < PATIENCE, "the menu has no entries");
        let windows = tree.active_windows().await.unwrap();
        assert_eq!(windows.last(), Some(&window));
        if windows.len() > 1 {
            let entries = tree.window_elements_to_act_on(&windows[0]).await.unwrap_or_default();
            if !entries.elements.is_empty() {
                break entries;
            }
        }
    };
    let open = able(&entries, Capacity::Press, "Open 열기").id().clone();
    assert_eq!(act(&tree, &open, ElementAction::Press).await, ACCEPTED);
    assert_eq!(program.next(), "open activated");
    assert_eq!(program.told(), Vec::<String>::new());
}

// PIC-5, PRV-2, EXE-1
#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_written_and_never_read_pic_5_prv_2_exe_1() {
    let _desk = desk().await;
    let mut program = ActedProgram::start("gtk3_actions.py", "Secret 비밀");
    let tree = AtSpi::new();
    let (window, all) = listed(&tree, "Secret", "Save 저장").await;
    let field = able(&all, Capacity::SetText, "Password 비밀번호").clone();
    assert!(field.protected && field.element.role == Role::Protected && field.element.text.is_empty(), "{field:?}");
    assert_eq!(all.elements.iter().filter(|one| one.protected).count(), 1);
    program.told();
    assert_eq!(act(&tree, field.id(), set_text("열려라 참깨")).await, ACCEPTED);
    assert_eq!(program.told(), ["secret changed 6 true"]);
    // Its id does not depend on what is in it.
    let after = tree.inspect(field.id()).await.unwrap();
    assert!(after.protected && after.element.text.is_empty() && after.element.properties.value.is_none());
    assert_eq!(act(&tree, field.id(), ElementAction::Focus).await, ACCEPTED);
    assert_eq!(program.next(), "secret focused");
    // It told so while it was being focused, and tells the tree later.
    let start = Instant::now();
    while !tree.inspect(field.id()).await.unwrap().focused {
        assert!(start.elapsed() < PATIENCE, "the field is not focused");
    }
    let again = tree.window_elements_to_act_on(&window).await.unwrap();
    for shown in [format!("{all:?}"), format!("{after:?}"), format!("{again:?}")] {
        assert!(!shown.contains(SECRET) && !shown.contains("참깨") && !shown.contains('●') && !shown.contains('•'));
    }
}

// PIC-6, PIC-9, EXE-1
#[tokio::test(flavor = "multi_thread")]
async fn a_window_of_a_thousand_buttons_is_listed_whole_and_each_is_what_it_is_by_itself_pic_6_pic_9_exe_1() {
    let _desk = desk().await;
    let _program = ActedProgram::start("gtk3_many.py", "Many 많음");
    let tree = AtSpi::new();
    // The application tells more and more of its elements while it makes them.
    let start = Instant::now();
    let listing = loop {
        let (_, listing) = listed(&tree, "Many 많음", "0 번").await;
        if listing.elements.len() == 1000 {
            break listing;
        }
        assert!(start.elapsed() < PATIENCE, "{} of 1,000 elements were listed", listing.elements.len());
    };
    assert!(listing.is_complete && !listing.is_late);
    let names: std::collections::BTreeSet<&str> =
        listing.elements.iter().map(|one| one.element.text.as_str()).collect();
    assert_eq!(names.len(), 1000);
    for one in listing.elements.iter().step_by(97) {
        let single = tree.inspect(&one.element.id).await.unwrap();
        assert_eq!((&single.element, single.capacities), (&one.element, one.capacities));
    }
}
