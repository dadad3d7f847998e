//! What changed between the listing and the action, and stops.

use super::*;

// PIC-6, EXE-7
#[tokio::test(flavor = "multi_thread")]
async fn what_is_gone_or_replaced_is_not_pressed_pic_6_exe_7() {
    let _desk = desk().await;
    let mut program = ActedProgram::start("gtk3_actions.py", "Gone 사라짐");
    let tree = AtSpi::new();
    let (window, all) = listed(&tree, "Gone", "Save 저장").await;
    let save = able(&all, Capacity::Press, "Save 저장").id().clone();
    program.told();
    // A new object for the same element is the same element.
    program.tell("replace save Save 저장");
    assert_eq!(tree.inspect(&save).await.map(|state| state.element.id), Ok(save.clone()));
    assert_eq!(act(&tree, &save, ElementAction::Press).await, ACCEPTED);
    assert_eq!(program.told(), ["save clicked"]);
    for (command, expect) in [
        // The same object with another meaning.
        ("rename save Delete 삭제", ElementRefusal::Replaced),
        // Another object at the same place.
        ("replace save Format 포맷", ElementRefusal::Replaced),
    ] {
        program.tell(command);
        assert_eq!(tree.inspect(&save).await, Err(expect), "{command}");
        assert_eq!(act(&tree, &save, ElementAction::Press).await, Err(expect), "{command}");
        assert_eq!(program.told(), Vec::<String>::new(), "{command}");
    }
    let all = tree.window_elements_to_act_on(&window).await.unwrap();
    let last = able(&all, Capacity::Press, "File 파일").id().clone();
    program.tell("insert");
    // All that comes after it is at another place.
    assert_eq!(act(&tree, &last, ElementAction::Press).await, Err(ElementRefusal::Replaced));
    let first = able(&all, Capacity::Press, "First 처음").id().clone();
    program.tell("remove first");
    let refusal = act(&tree, &first, ElementAction::Press).await;
    assert!(matches!(refusal, Err(ElementRefusal::Gone | ElementRefusal::Replaced)), "{refusal:?}");
    assert_eq!(program.told(), Vec::<String>::new());
    let unknown = ElementId("0123456789abcdef0123456789abcdef".into());
    assert_eq!(act(&tree, &unknown, ElementAction::Press).await, Err(ElementRefusal::Gone));
    // The program ended.
    let (_, all) = listed(&tree, "Gone", "Format 포맷").await;
    let format = able(&all, Capacity::Press, "Format 포맷").id().clone();
    drop(program);
    let refusal = act(&tree, &format, ElementAction::Press).await;
    assert!(matches!(refusal, Err(ElementRefusal::Gone | ElementRefusal::NoAnswer)), "{refusal:?}");
}

// KER-11, EXE-7
#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_done_after_a_stop_ker_11_exe_7() {
    let _desk = desk().await;
    let mut program = ActedProgram::start("gtk3_actions.py", "Stop 멈춤");
    let tree = AtSpi::new();
    let (_, all) = listed(&tree, "Stop", "Save 저장").await;
    program.told();
    let epoch = StopEpoch::default();
    let cases = [
        ("Save 저장", ElementAction::Press),
        ("Volume", ElementAction::SetNumber(3.0)),
        ("Name 이름", set_text("x")),
        ("Two 둘", ElementAction::Select),
        ("Password", ElementAction::Focus),
    ];
    for (label, action) in &cases {
        let barrier = epoch.barrier(RequestId(1));
        epoch.stop(RequestId(2));
        let id = able(&all, action.capacity(), label).id();
        let result = tree.act(id, action.clone(), &barrier).await;
        assert_eq!(result, Ok(ActionResult::NoEffect(NoEffectProof::NotDelivered)), "{label}");
    }
    assert_eq!(program.told(), Vec::<String>::new());
    // A later order is carried out.
    let save = able(&all, Capacity::Press, "Save 저장").id();
    assert_eq!(tree.act(save, ElementAction::Press, &epoch.barrier(RequestId(3))).await, ACCEPTED);
    assert_eq!(program.told(), ["save clicked"]);
}
