//! Another agent by MCP: the same tools under the same policy.

use super::*;
use desktop::{ESCAPE, Mouse};
use rmcp::model::CallToolRequestParams;
use rmcp::transport::TokioChildProcess;
use rmcp::{RoleClient, ServiceExt as _, service::RunningService};

async fn agent(scene: &ToolScene) -> RunningService<RoleClient, ()> {
    let mut command = luna(scene.luna.home.path());
    command.arg("mcp");
    let child = TokioChildProcess::new(tokio::process::Command::from(command)).unwrap();
    ().serve(child).await.unwrap()
}

fn request(tool: &'static str, input: &Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(input.as_object().unwrap().clone())
}

// TOOL-1, DNG-2
#[test]
fn an_agent_looks_by_mcp_and_asks_before_it_acts_tool_1_dng_2() {
    let _turn = take_turns();
    let mut scene = ToolScene::new("Agent");
    let screen = scene.data("read_screen", &json!({}));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let agent = agent(&scene).await;
        let tools = agent.list_all_tools().await.unwrap();
        let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
        assert_eq!(names.len(), 12, "{names:?}");
        let click = tools.iter().find(|tool| tool.name == "click").unwrap();
        assert_eq!(click.annotations.as_ref().and_then(|of| of.read_only_hint), Some(false));
        assert!(click.input_schema.contains_key("properties"));
        let echo = agent.call_tool(request("echo", &json!({"text": "가"}))).await.unwrap();
        let told = serde_json::to_value(&echo).unwrap();
        assert_eq!(
            (&told["isError"], &told["content"][0]["text"]),
            (&Value::from(false), &Value::from("{\"text\":\"가\"}"))
        );
        let picture = agent.call_tool(request("screen_capture", &json!({}))).await.unwrap();
        let told = serde_json::to_value(&picture).unwrap();
        assert_eq!(told["content"][1]["mimeType"], "image/png", "{told:#}");
        let wrong = agent.call_tool(request("wait", &json!({"ms": "long"}))).await.unwrap();
        let told = serde_json::to_value(&wrong).unwrap();
        assert_eq!(told["isError"], true);
        assert!(told["content"][0]["text"].as_str().unwrap().contains("whole number from 0 to 30000"), "{told:#}");
        // Acting asks the person, who says no.
        let calling = agent.call_tool(request("click", &middle(&screen, "저장")));
        let refusing = async {
            scene.luna.event("Executor.Question", |_| true);
            Mouse::new().press(&[ESCAPE]);
        };
        let (clicked, ()) = tokio::join!(calling, refusing);
        let told = serde_json::to_value(clicked.unwrap()).unwrap();
        assert_eq!(told["isError"], true);
        assert!(told["content"][0]["text"].as_str().unwrap().contains("not_allowed"), "{told:#}");
        agent.cancel().await.unwrap();
    });
    assert_eq!(scene.program.done(), [""; 0]);
}

// TOOL-1
#[test]
fn without_a_running_luna_mcp_says_so_tool_1() {
    let home = tempfile::tempdir().unwrap();
    let output = luna(home.path()).arg("mcp").stdin(Stdio::null()).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("isn't running") && error.contains("luna run"), "{error}");
    assert!(output.stdout.is_empty(), "nothing that an agent could take for an answer");
}
