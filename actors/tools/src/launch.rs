//! Starting programs (TOOL-3).

use luna_messages::RequestId;
use luna_messages::executor::RequestedAction;
use luna_messages::tools::{ToolFailure, ToolFailureKind};
use serde_json::{Value, json};

use crate::{ToolEnvironment, failures, permission};

/// Starts the one program that the name fits.
pub async fn start(environment: &ToolEnvironment, id: RequestId, name: &str) -> Result<Value, ToolFailure> {
    let programs = &environment.dependencies.programs;
    let wanted = name.to_owned();
    let found = programs.ask(move |programs| programs.find(&wanted)).await;
    let mut found = found.map_err(failures::of_silence)?.map_err(failures::of_machine)?;
    if found.len() > 1 {
        let names: Vec<&str> = found.iter().take(8).map(|program| program.name.as_str()).collect();
        let message = format!("Several programs fit; give the whole name of one: {}.", names.join(", "));
        return Err(ToolFailure::new(ToolFailureKind::NotFound, message));
    }
    let Some(program) = found.pop() else {
        let message = "No installed program has that name; give the name as the menus show it.";
        return Err(ToolFailure::new(ToolFailureKind::NotFound, message));
    };
    let action = RequestedAction::Launch { program: program.name.clone() };
    let permit = permission::ask(environment, id, action, vec![program.name.clone()]).await?;
    let (barrier, started) = (permit.into_barrier(), program.name.clone());
    let launched = programs
        .ask(move |programs| match barrier.is_raised() {
            true => None,
            false => Some(programs.launch(&program)),
        })
        .await;
    match launched.map_err(failures::of_silence)? {
        None => Err(failures::stopped()),
        Some(result) => {
            result.map_err(failures::of_machine)?;
            Ok(json!({ "program": started }))
        }
    }
}
