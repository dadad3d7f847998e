//! Looking needs no yes.

use super::*;

// TOOL-1, SCR-1, SCR-2, SCR-3
#[test]
fn programs_look_at_the_screen_freely_tool_1_scr_1_scr_2_scr_3() {
    let _turn = take_turns();
    let mut scene = ToolScene::new("Looked at");
    assert_eq!(scene.data("echo", &json!({"text": "가나다"})), json!({"text": "가나다"}));
    let windows = scene.data("list_windows", &json!({}));
    let first = &windows["windows"][0];
    assert_eq!((&first["title"], &first["active"]), (&Value::from("Looked at"), &Value::from(true)), "{windows:#}");
    assert_eq!(first["program"], "gtk3_actions");
    let screen = scene.data("read_screen", &json!({}));
    assert_eq!(screen["node"]["programName"], "gtk3_actions", "{screen:#}");
    assert_eq!(screen["node"]["stateHash"].as_str().map(str::len), Some(64));
    bbox(&screen, "저장");
    // What somebody writes makes no other screen, another control does.
    scene.program.order("rename save Save 저장 (12)");
    let counted = scene.data("read_screen", &json!({}));
    assert_eq!(counted["node"], screen["node"]);
    assert_ne!(counted["instance_hash"], screen["instance_hash"]);
    scene.program.order("remove save");
    let other = scene.data("read_screen", &json!({}));
    assert_ne!(other["node"], screen["node"]);
    // The picture is of the window.
    let picture = scene.data("screen_capture", &json!({}));
    let place = &first["bbox"];
    assert_eq!((&picture["width"], &picture["height"]), (&place[2], &place[3]), "{place}");
    assert!(picture["base64"].as_str().is_some_and(|file| file.starts_with("iVBOR")));
    assert_eq!(scene.program.done(), [""; 0], "looking does nothing");
    assert_eq!(scene.luna.metric("luna_tool_calls_total{tool=\"read_screen\",outcome=\"success\"}"), 3.0);
    assert_eq!(scene.luna.metric("luna_tool_call_seconds_count{tool=\"echo\"}"), 1.0);
}

// TOOL-1
#[test]
fn exit_codes_and_errors_say_what_is_wrong_tool_1() {
    let _turn = take_turns();
    let scene = ToolScene::new("Wrong");
    for (tool, input, kind, exit) in [
        ("erase", json!({}), "unknown_tool", 2),
        ("echo", json!({"words": "a"}), "invalid_input", 2),
        ("navigate_to", json!({"target": "settings"}), "not_available", 1),
        ("read_screen", json!({"mode": "detailed"}), "not_available", 1),
        ("launch_app", json!({"name": "no such program at all"}), "not_found", 1),
        ("ocr", json!({"region": {"x": 30000, "y": 30000, "width": 5, "height": 5}}), "not_found", 1),
    ] {
        let (report, code) = scene.calls(tool, &input);
        assert_eq!((error(&report), code), (kind, Some(exit)), "{tool}: {report:#}");
    }
    // Without the token nobody looks.
    let agent: ureq::Agent = ureq::Agent::config_builder().http_status_as_error(false).build().into();
    for token in ["", "Bearer 00"] {
        let answer = agent
            .post(format!("http://{}/tools/call", scene.luna.address))
            .header("Authorization", token)
            .header("Content-Type", "application/json")
            .send(r#"{"name":"read_screen"}"#.as_bytes());
        assert_eq!(answer.unwrap().status().as_u16(), 401);
    }
}

// PRV-3
#[test]
fn a_password_is_in_no_result_prv_3() {
    let _turn = take_turns();
    let scene = ToolScene::new("Secret");
    let screen = scene.data("read_screen", &json!({}));
    let fields: Vec<&Value> =
        screen["elements"].as_array().unwrap().iter().filter(|one| one["type"] == "protected").collect();
    assert_eq!(fields.len(), 1, "{screen:#}");
    assert_eq!(fields[0]["text"], "");
    // Its box is black in a picture.
    let place: Vec<i64> = fields[0]["bbox"].as_array().unwrap().iter().map(|one| one.as_i64().unwrap()).collect();
    let region =
        json!({"region": {"x": place[0] + 4, "y": place[1] + 4, "width": place[2] - 8, "height": place[3] - 8}});
    let picture = scene.data("screen_capture", &region);
    let file = desktop_picture(picture["base64"].as_str().unwrap());
    assert!(file.pixels().all(|pixel| pixel.0 == [0, 0, 0]), "the field is black");
}

fn desktop_picture(file: &str) -> image::RgbImage {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::STANDARD.decode(file).unwrap();
    image::load_from_memory(&bytes).unwrap().to_rgb8()
}
