//! Commands over HTTP, each with its status code.

use std::sync::Arc;

use axum::body::to_bytes;
use luna_actor_reflex::ReflexActor;
use luna_actor_runtime::restart::RestartPolicy;
use luna_actor_runtime::supervisor::SupervisionTree;
use luna_messages::control::Command;
use tokio::sync::Semaphore;

use super::*;
use crate::lease::ModelsLock;
use crate::logging::RecentLog;
use crate::settings::LiveConfig;
use crate::system::System;
use crate::wiring::Wiring;
use luna_config::Config;

/// The endpoint with the real reflex actor. Nothing reads the messages that it forwards.
fn endpoint() -> Endpoint {
    let wiring = Wiring::new(&LiveConfig::new(Config::built_in("default").unwrap()), &System::of_this_machine());
    let tree = SupervisionTree::new(Arc::new(|_| {}));
    let dependencies = wiring.reflex_dependencies();
    tree.add(RestartPolicy::default(), wiring.reflex.clone(), move || ReflexActor::new(dependencies.clone()));
    Endpoint {
        metrics: None,
        reflex: wiring.reflex.clone(),
        executor: wiring.executor.clone(),
        tools: wiring.tools.clone(),
        listening: wiring.listening.clone(),
        traces: wiring.traces.clone(),
        gpu: wiring.gpu.clone(),
        bus: wiring.bus.clone(),
        capabilities: wiring.capabilities.clone(),
        tree: Arc::new(tree),
        log: RecentLog::new(0),
        lease_holders: wiring.lease_holders.clone(),
        models_lock: ModelsLock::of_this_person(),
        hot_keys: wiring.hot_keys,
        streams: Arc::new(Semaphore::new(1)),
        token: "00".into(),
    }
}

async fn order(endpoint: &Endpoint, which: Command) -> (StatusCode, Option<Refusal>) {
    let response = command(State(endpoint.clone()), Json(CommandRequest { command: which })).await;
    let status = response.status();
    let body = to_bytes(response.into_body(), 4096).await.unwrap();
    (status, serde_json::from_slice(&body).ok())
}

// KER-4
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_somebody_has_no_room_for_is_refused_with_the_reason_ker_4() {
    let endpoint = endpoint();
    let mut taken = 0;
    let refusal = loop {
        match order(&endpoint, Command::Next).await {
            (StatusCode::ACCEPTED, _) => taken += 1,
            (status, refusal) => {
                assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
                break refusal.unwrap();
            }
        }
        assert!(taken < 100_000, "it never says no");
    };
    assert!(taken > 0);
    assert_eq!(refusal.error, "busy");
    assert!(refusal.reason.contains("try again"), "{refusal:?}");
    // A command that only silences is never refused.
    for silences in [Command::Stop, Command::FocusOff] {
        assert_eq!(order(&endpoint, silences).await.0, StatusCode::ACCEPTED);
    }
    endpoint.reflex.close();
    let (status, refusal) = order(&endpoint, Command::Next).await;
    assert_eq!((status, refusal.unwrap().error.as_str()), (StatusCode::SERVICE_UNAVAILABLE, "closed"));
}
