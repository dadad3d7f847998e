//! The Uia actor: questions to the accessibility tree (PIC-1, PIC-5).
//!
//! **Receives** [`UiaMessage`]. **Sends** answers to its callers, and the questions for lines that need recognition to Ocr.
//! **Never** reads a protected field, and never lets recognition capture a region that was not searched for protected fields.

#![forbid(unsafe_code)]

mod answer;
mod lines;
mod snapshots;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::actor::{Actor, ActorContext, ActorError};
use luna_actor_runtime::blocking::BlockingService;
use luna_actor_runtime::capabilities::Capabilities;
use luna_actor_runtime::inbox::Inbox;
use luna_actor_runtime::stages::{Stage, record_stage};
use luna_actor_runtime::task::Task;
use luna_focus::region::RegionRule;
use luna_messages::capability::{Capability, CapabilityState};
use luna_messages::ocr::OcrMessage;
use luna_messages::pick::{PickRequest, RoleSet};
use luna_messages::uia::{TreeAnswer, UiaMessage};
use luna_platform::accessibility::Accessibility;
use luna_platform::capture::Capture;
use tokio::time::Instant;

pub use crate::answer::failure;
use crate::snapshots::Snapshots;

/// Settings of picking by the tree.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UiaSettings {
    /// The region that recognition captures.
    pub region: RegionRule,
    /// Whether the tree is asked first, `focus_mode.prefer_uia`. If not, it still guards protected fields.
    pub prefer_tree: bool,
    /// Roles that are never read, `privacy.block_roles`.
    pub blocked: RoleSet,
}

/// Settings of the cache of recent lines (BUF-1); they are read only at Luna's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnapshotSettings {
    /// Maximum snapshots kept, `windows.uia.snapshots`.
    pub count: usize,
    /// Lifetime of a snapshot, `windows.uia.ttl_ms`.
    pub ttl: Duration,
    /// Longest interval at which expired snapshots are wiped, `privacy.ttl_purge_ms`.
    pub purge_every: Duration,
}

/// Dependencies of the Uia actor.
#[derive(Clone)]
pub struct UiaDependencies {
    /// The accessibility tree.
    pub accessibility: Arc<dyn Accessibility>,
    /// Reports the monitors.
    pub capture: BlockingService<dyn Capture>,
    /// Recognises the lines of a window.
    pub ocr: Inbox<OcrMessage>,
    /// Reports whether the accessibility tree is available.
    pub capabilities: Capabilities,
    /// Returns the current settings; called at each pick (CFG-4).
    pub settings: Arc<dyn Fn() -> UiaSettings + Send + Sync>,
    /// Settings of the cache.
    pub snapshots: SnapshotSettings,
}

/// Answers questions about the accessibility tree and caches snapshots.
pub struct UiaActor {
    dependencies: UiaDependencies,
    /// Recently requested lines of windows (BUF-1); shared with running questions.
    snapshots: Arc<Mutex<Snapshots>>,
    /// The running pick; a newer pick replaces and thereby cancels it (KER-6).
    pick: Option<Task>,
    /// The running question for lines.
    lines: Option<Task>,
    /// The running question for rows.
    rows: Option<Task>,
    /// The running check whether the tree is available.
    check: Option<Task>,
    /// The timer for wiping and checks.
    timer: Option<Task>,
}

impl UiaActor {
    #[must_use]
    pub fn new(dependencies: UiaDependencies) -> Self {
        let SnapshotSettings { count, ttl, .. } = dependencies.snapshots;
        let snapshots = Arc::new(Mutex::new(Snapshots::new(count, ttl, Instant::now())));
        Self { dependencies, snapshots, pick: None, lines: None, rows: None, check: None, timer: None }
    }

    fn tick(&mut self, context: &ActorContext<UiaMessage>) {
        if let Ok(mut snapshots) = self.snapshots.lock() {
            snapshots.purge(Instant::now());
        }
        // A check costs a round trip, so it runs only if the tree is not known to be available. A running check is not restarted, else a check that
        // takes longer than the interval of ticks would never end.
        let is_checking = self.check.as_ref().is_some_and(|check| !check.is_finished());
        if !is_checking && self.dependencies.capabilities.get(Capability::Accessibility) != CapabilityState::Available {
            let dependencies = self.dependencies.clone();
            self.check = Some(context.spawn_service(async move {
                let outcome = answer::within(dependencies.accessibility.check()).await;
                answer::report(&dependencies.capabilities, &outcome);
            }));
        }
    }
}

#[async_trait]
impl Actor for UiaActor {
    type Message = UiaMessage;
    const NAME: &'static str = "uia";

    async fn started(&mut self, context: &ActorContext<UiaMessage>) -> Result<(), ActorError> {
        self.timer = Some(context.every(self.dependencies.snapshots.purge_every, || UiaMessage::Tick));
        self.tick(context);
        Ok(())
    }

    async fn handle(&mut self, message: UiaMessage, context: &ActorContext<UiaMessage>) -> Result<(), ActorError> {
        let dependencies = self.dependencies.clone();
        match message {
            UiaMessage::Pick { request, reply } => {
                self.pick = Some(context.spawn(async move {
                    let settings = (dependencies.settings)();
                    let begun = Instant::now();
                    let found = answer::pick(&dependencies, settings, request).await;
                    record_stage(Stage::Pick, begun.elapsed());
                    reply.answer(found);
                }));
            }
            UiaMessage::Lines { request, reply } => {
                let snapshots = self.snapshots.clone();
                self.lines = Some(context.spawn(async move {
                    lines::lines(&dependencies, &snapshots, request, reply).await;
                }));
            }
            UiaMessage::Rows { request, extent, reply } => {
                self.rows = Some(context.spawn(async move {
                    let settings = (dependencies.settings)();
                    reply.answer(answer::rows(&dependencies, settings, request, extent).await);
                }));
            }
            // Dropping a running question cancels it (KER-6).
            UiaMessage::EndPick => self.pick = None,
            UiaMessage::Tick => self.tick(context),
        }
        Ok(())
    }
}

/// Asks the tree without an actor, for batch commands.
pub async fn pick_once(dependencies: &UiaDependencies, request: PickRequest) -> TreeAnswer {
    answer::pick(dependencies, (dependencies.settings)(), request).await
}
