//! What is seen after an action.

use super::*;

/// What a watch tells.
struct SeenChanges {
    changes: Receiver<ObservedChange>,
    _watch: Watch,
}

impl SeenChanges {
    async fn of(tree: &AtSpi, scope: ChangeScope) -> Self {
        let (sender, changes) = channel();
        let seen = Box::new(move |change| {
            // The test may have ended.
            let _ = sender.send(change);
        });
        Self { changes, _watch: tree.watch_changes(scope, seen).await.unwrap() }
    }

    /// Waits for a change; returns all until it.
    #[track_caller]
    fn wait_for(&self, expect: &ObservedChange) -> Vec<ObservedChange> {
        let mut all = Vec::new();
        loop {
            let change = self.changes.recv_timeout(Duration::from_secs(5));
            let change = change.unwrap_or_else(|_| panic!("{expect:?} is not among {all:?}"));
            all.push(change);
            if all.last() == Some(expect) {
                return all;
            }
        }
    }
}

// EXE-2
#[tokio::test(flavor = "multi_thread")]
async fn what_an_action_changes_is_seen_exe_2() {
    let _desk = desk().await;
    let mut program = ActedProgram::start("gtk3_actions.py", "Watch 보기");
    let tree = AtSpi::new();
    let (window, all) = listed(&tree, "Watch", "Save 저장").await;
    let target = |holds| ObservedChange::State { of: ChangedElement::Target, holds };
    let content = ObservedChange::Content { of: ChangedElement::Target };
    let other = ObservedChange::State { of: ChangedElement::Other, holds: true };
    for (label, action, expect) in [
        ("Notify 알림", ElementAction::Toggle, target(true)),
        ("Notify 알림", ElementAction::Toggle, target(false)),
        ("Weekly 매주", ElementAction::Select, target(true)),
        ("More 더 보기", ElementAction::Expand, target(true)),
        ("Volume 음량", ElementAction::SetNumber(40.0), content.clone()),
        ("Name 이름", set_text("새 이름"), content),
        ("Two 둘", ElementAction::Select, other),
        ("Password 비밀번호", ElementAction::Focus, ObservedChange::Focus),
        ("Ask 묻기", ElementAction::Press, ObservedChange::WindowOpened),
    ] {
        let id = able(&all, action.capacity(), label).id();
        let start = Instant::now();
        let seen = SeenChanges::of(&tree, ChangeScope::Element(id.clone())).await;
        let opened = start.elapsed();
        assert_eq!(act(&tree, id, action).await, ACCEPTED, "{label}");
        let all = seen.wait_for(&expect);
        println!("{label}: the watch took {opened:?}, and with the action {:?}: {all:?}", start.elapsed());
    }
    // The dialog is closed.
    let seen = SeenChanges::of(&tree, ChangeScope::Window(window.handle)).await;
    let (_, dialog) = listed(&tree, "Question", "Close 닫기").await;
    assert_eq!(act(&tree, able(&dialog, Capacity::Press, "Close").id(), ElementAction::Press).await, ACCEPTED);
    seen.wait_for(&ObservedChange::WindowClosed);
    program.told();
}

// EXE-2, PIC-5
#[tokio::test(flavor = "multi_thread")]
async fn other_programs_and_secrets_are_not_watched_exe_2_pic_5() {
    let _desk = desk().await;
    let mut other = ActedProgram::start("gtk3_actions.py", "Bystander 다른 것");
    let mut program = ActedProgram::start("gtk3_actions.py", "Watched 보이는 것");
    let tree = AtSpi::new();
    let (_, all) = listed(&tree, "Watched", "Save 저장").await;
    let password = able(&all, Capacity::SetText, "Password").id();
    let seen = SeenChanges::of(&tree, ChangeScope::Element(password.clone())).await;
    other.tell("rename save Other 다른 이름");
    assert_eq!(act(&tree, password, set_text("열려라 참깨")).await, ACCEPTED);
    program.tell("rename save New name 새 이름");
    // The name of the button comes after what was written, and is the first that is seen.
    let content = ObservedChange::Content { of: ChangedElement::Other };
    assert_eq!(seen.wait_for(&content), [content]);
}
