//! Orders that need a confirmation, and who may give it.

use super::*;
use desktop::{ALT, CONTROL, ESCAPE, Mouse, SUPER};

/// The X11 key symbol of Enter.
const ENTER: u32 = 0xff0d;

fn scene(title: &str) -> OrderScene {
    let mut scene = OrderScene::new(title, &[]);
    scene.program.order("rename save Delete 삭제");
    scene
}

// DNG-1, DNG-2, PRV-5
#[test]
fn only_the_person_confirms_what_is_dangerous_dng_1_dng_2_prv_5() {
    let _turn = take_turns();
    let mut scene = scene("Danger");
    let report = scene.does("삭제 눌러", "confirm");
    let said = report["said"].as_str().unwrap();
    assert!(said.contains("삭제") && said.contains("루나, 예"), "{said}");
    scene.luna.event("Executor.Question", |data| data["options"].as_array().is_some_and(|all| all.len() == 1));
    // Programs may answer, and confirm nothing, whatever they say; the question stays.
    scene.answers("예", "confirm");
    scene.answers("루나, 예", "confirm");
    scene.luna.ctl(&["say-to", "루나, 예"]);
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    let forged = agent
        .post(format!("http://{}/command", scene.luna.address))
        .header("Authorization", format!("Bearer {}", scene.luna.token))
        .header("Content-Type", "application/json")
        .send(r#"{"command":"confirm"}"#.as_bytes());
    assert_eq!(forged.unwrap().status().as_u16(), 403);
    assert_eq!(scene.program.done(), [""; 0]);
    // The key of the person does.
    Mouse::new().press(&[CONTROL, ALT, SUPER, ENTER]);
    scene.luna.event("Executor.QuestionClosed", |_| true);
    scene.luna.event("Executor.Report", |data| data["report"]["outcome"] == "failed");
    assert_eq!(scene.program.done(), ["save clicked"]);
}

// DNG-2
#[test]
fn a_confirmation_covers_the_very_element_and_ends_with_no_dng_2() {
    let _turn = take_turns();
    let mut scene = scene("Changed");
    scene.does("삭제 눌러", "confirm");
    scene.program.order("rename save Delete all 모두 삭제");
    let mouse = Mouse::new();
    mouse.press(&[CONTROL, ALT, SUPER, ENTER]);
    scene.luna.hears("바뀌어서");
    scene.does("모두 삭제 눌러", "confirm");
    scene.answers("아니", "refused");
    scene.does("모두 삭제 눌러", "confirm");
    mouse.press(&[ESCAPE]);
    scene.luna.event("Executor.QuestionClosed", |_| true);
    mouse.press(&[CONTROL, ALT, SUPER, ENTER]);
    assert_eq!(scene.program.done(), [""; 0]);
}
