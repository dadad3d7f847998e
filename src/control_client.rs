//! Client of the running Luna's local endpoint, for commands.

use std::io::{BufRead, BufReader};
use std::time::Duration;

use anyhow::Context as _;
use luna_messages::control::Command;
use luna_messages::executor::OrderReport;
use luna_messages::listening::HeardReport;
use luna_messages::tools::ToolReport;
use serde::de::DeserializeOwned;
use ureq::http::Response;
use ureq::{Agent, Body};

use crate::control_file::ControlFile;
use crate::control_protocol::{CommandRequest, OrderRequest, Refusal, SayToRequest, Status, ToolCallRequest, Traces};

/// Longest wait for an answer that is not a stream.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// The same for an order, which is answered once it is done.
const ORDER_TIMEOUT: Duration = Duration::from_secs(70);

/// The same for a call of a tool, for which the person may be asked.
const CALL_TIMEOUT: Duration = Duration::from_secs(110);
/// Longest result of a tool, bytes: a picture of a large screen.
const LONGEST_RESULT: u64 = 64 * 1024 * 1024;

const NO_ANSWER: &str = "the running Luna does not answer; if it was killed, start it again with `luna run`";

/// Sends a command, as if it had been spoken.
///
/// # Errors
/// If Luna refuses the command or does not answer.
pub fn send(control: &ControlFile, command: Command) -> anyhow::Result<()> {
    let body = serde_json::to_vec(&CommandRequest { command })?;
    accepted(post(control, "command", &body, Some(ANSWER_TIMEOUT)).context(NO_ANSWER)?)?;
    Ok(())
}

/// Says something to Luna as text; what became of it.
///
/// # Errors
/// If Luna refuses the words or does not answer.
pub fn say_to(control: &ControlFile, text: String) -> anyhow::Result<HeardReport> {
    let body = serde_json::to_vec(&SayToRequest { text })?;
    let response = post(control, "say-to", &body, Some(ANSWER_TIMEOUT)).context(NO_ANSWER)?;
    let text = accepted(response)?.body_mut().read_to_string().context(NO_ANSWER)?;
    serde_json::from_str(&text).context("the answer of the running Luna can't be read")
}

/// Has Luna carry out an order as if it had been said (EXE); returns once it is done, asks something or can't be done.
///
/// # Errors
/// If Luna refuses the words or does not answer.
pub fn carry_out(control: &ControlFile, text: String) -> anyhow::Result<OrderReport> {
    order(control, "do", text)
}

/// Answers the open question; never confirms anything dangerous (DNG-2).
///
/// # Errors
/// As for [`carry_out`].
pub fn answer(control: &ControlFile, text: String) -> anyhow::Result<OrderReport> {
    order(control, "answer", text)
}

/// Calls a tool; returns once it is done, can't be done, or the person did not allow it.
///
/// # Errors
/// If Luna takes no calls or does not answer. That the tool failed is no error.
pub fn call_tool(control: &ControlFile, name: String, arguments: serde_json::Value) -> anyhow::Result<ToolReport> {
    let body = serde_json::to_vec(&ToolCallRequest { name, arguments })?;
    let response = post(control, "tools/call", &body, Some(CALL_TIMEOUT)).context(NO_ANSWER)?;
    let mut response = accepted(response)?;
    let text = response.body_mut().with_config().limit(LONGEST_RESULT).read_to_string().context(NO_ANSWER)?;
    serde_json::from_str(&text).context("the answer of the running Luna can't be read")
}

fn order(control: &ControlFile, route: &str, text: String) -> anyhow::Result<OrderReport> {
    let body = serde_json::to_vec(&OrderRequest { text })?;
    let response = post(control, route, &body, Some(ORDER_TIMEOUT)).context(NO_ANSWER)?;
    let text = accepted(response)?.body_mut().read_to_string().context(NO_ANSWER)?;
    serde_json::from_str(&text).context("the answer of the running Luna can't be read")
}

/// Requests the state of the running Luna.
///
/// # Errors
/// If Luna does not answer or refuses, or its answer can't be parsed.
pub fn ask_status(control: &ControlFile) -> anyhow::Result<Status> {
    ask(control, "status")
}

/// Requests the traces of the newest commands and picks.
///
/// # Errors
/// As for [`ask_status`].
pub fn ask_traces(control: &ControlFile) -> anyhow::Result<Traces> {
    ask(control, "trace")
}

fn ask<T: DeserializeOwned>(control: &ControlFile, route: &str) -> anyhow::Result<T> {
    let response = get(control, route, Some(ANSWER_TIMEOUT)).context(NO_ANSWER)?;
    let text = accepted(response)?.body_mut().read_to_string().context(NO_ANSWER)?;
    serde_json::from_str(&text).context("the answer of the running Luna can't be read")
}

/// Events as they happen, one JSON object a line; the stream ends when Luna exits.
///
/// # Errors
/// If Luna refuses the stream or does not answer.
pub fn events(control: &ControlFile) -> anyhow::Result<impl BufRead> {
    let response = get(control, "events", None).context(NO_ANSWER)?;
    Ok(BufReader::new(accepted(response)?.into_body().into_reader()))
}

/// Posts JSON to a route; `limit` bounds the whole answer.
///
/// # Errors
/// If Luna does not answer. A refusal is an answer and no error.
pub fn post(
    control: &ControlFile,
    route: &str,
    body: &[u8],
    limit: Option<Duration>,
) -> Result<Response<Body>, ureq::Error> {
    agent(limit)
        .post(url(control, route))
        .header("Authorization", bearer(control))
        .header("Content-Type", "application/json")
        .send(body)
}

fn get(control: &ControlFile, route: &str, limit: Option<Duration>) -> Result<Response<Body>, ureq::Error> {
    agent(limit).get(url(control, route)).header("Authorization", bearer(control)).call()
}

fn agent(limit: Option<Duration>) -> Agent {
    let config =
        Agent::config_builder().timeout_global(limit).proxy(None).max_redirects(0).http_status_as_error(false).build();
    config.into()
}

fn url(control: &ControlFile, route: &str) -> String {
    format!("http://{}/{route}", control.address)
}

fn bearer(control: &ControlFile) -> String {
    format!("Bearer {}", control.token)
}

/// Turns a refusal into an error with the reason that Luna gives (KER-4).
fn accepted(mut response: Response<Body>) -> anyhow::Result<Response<Body>> {
    if response.status().is_success() {
        return Ok(response);
    }
    let text = response.body_mut().read_to_string().unwrap_or_default();
    match serde_json::from_str::<Refusal>(&text) {
        Ok(refusal) => anyhow::bail!("Luna did not take it: {}", refusal.reason.trim_end_matches('.')),
        Err(_) => anyhow::bail!("Luna did not take it (HTTP {})", response.status()),
    }
}
