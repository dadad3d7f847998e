//! Elements of GTK 4, of which fewer can be acted on.

use super::*;

// EXE-1, EXE-7
#[tokio::test(flavor = "multi_thread")]
async fn each_action_on_gtk_4_has_its_effect_exactly_once_exe_1_exe_7() {
    let _desk = desk().await;
    let mut program = ActedProgram::start("gtk4_actions.py", "Four 넷");
    let tree = AtSpi::new();
    let (_, all) = listed(&tree, "Four 넷", "Save 저장").await;
    program.told();
    for (label, action, expect) in [
        ("Save 저장", ElementAction::Press, "save clicked"),
        ("Save 저장", ElementAction::Press, "save clicked"),
        // Told as a button that does not stay down.
        ("Bold 굵게", ElementAction::Press, "bold toggled true"),
        ("Volume 음량", ElementAction::SetNumber(40.0), "volume value 40.0"),
    ] {
        let id = able(&all, action.capacity(), label).id().clone();
        let what = format!("{action:?} {label}");
        let start = Instant::now();
        assert_eq!(act(&tree, &id, action).await, ACCEPTED, "{what}");
        println!("{what} took {:?}", start.elapsed());
        // GTK 4 shows a button as pressed for a while before it is.
        assert_eq!(program.next(), expect, "{what}");
        assert_eq!(program.told(), Vec::<String>::new(), "{what}");
    }
    let id = able(&all, Capacity::SetText, "Name 이름").id().clone();
    assert_eq!(act(&tree, &id, set_text("새 이름")).await, ACCEPTED);
    // GTK 4 empties a field before it fills it.
    let told = program.told();
    assert_eq!(told.last().map(String::as_str), Some("entry changed 새 이름"), "{told:?}");
    for label in ["Not now", "Notify 알림"] {
        let id = all.elements.iter().find(|one| is_called(one, label)).unwrap().id();
        let refused = act(&tree, id, ElementAction::Press).await;
        assert_eq!(refused, Ok(ActionResult::NoEffect(NoEffectProof::NotOffered)), "{label}");
    }
    assert_eq!(program.told(), Vec::<String>::new());
}
