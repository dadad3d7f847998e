//! A double of the GpuToken actor for tests of one lease holder: it grants every claim at once unless a test scripts otherwise, and logs
//! messages about claims and leases. It supports one engine with one model, and has no budget.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use luna_messages::RequestId;
use luna_messages::gpu::{Claim, GpuMessage, GpuRefusal, Grant, Lease, MemoryPlace};

use super::drain;
use luna_actor_runtime::inbox::{Inbox, InboxSettings};
use luna_actor_runtime::task::Task;
use luna_mailbox::sync::lock;

/// Interval at which it polls its inbox.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The scripted response to a claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrantScript {
    Refuse(GpuRefusal),
    /// Does not answer.
    NoAnswer,
    /// Loses the claim, as in a crash.
    Lose,
    /// Grants the claim as if the model were resident, although it is not.
    GrantWithoutLoad,
    /// Grants a lease on the card.
    OnCard,
}

/// A received message.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of the messages")]
pub enum TokenLog {
    Acquire { model: String },
    Withdraw,
    Loaded(Lease),
    Release(Lease),
    Unloaded(Lease),
}

#[derive(Default)]
struct TokenDoubleState {
    heard: Vec<TokenLog>,
    claims: Vec<Claim>,
    answers: VecDeque<GrantScript>,
    last: u64,
    /// The model in memory, and the lease under which it was loaded.
    resident: Option<(String, Lease)>,
    /// The granted lease.
    out: Option<Lease>,
    /// The claim of the granted lease.
    given_to: Option<RequestId>,
    /// Unanswered claims.
    unanswered: Vec<(RequestId, luna_messages::Reply<Result<Grant, GpuRefusal>>)>,
}

/// The double; it stops when it is dropped.
pub struct TokenDouble {
    /// The token's inbox for the actor under test.
    pub inbox: Inbox<GpuMessage>,
    state: Arc<Mutex<TokenDoubleState>>,
    _task: Task,
}

impl TokenDouble {
    /// Starts the double on the caller's runtime.
    #[must_use]
    pub fn start() -> Self {
        let inbox = Inbox::new("gpu", InboxSettings::default());
        let state = Arc::new(Mutex::new(TokenDoubleState::default()));
        let (reads, works) = (inbox.clone(), state.clone());
        let task = Task::spawn("gpu", async move {
            loop {
                drain(&reads).into_iter().for_each(|message| handle(&works, message));
                tokio::time::sleep(POLL_INTERVAL).await;
            }
        });
        Self { inbox, state, _task: task }
    }

    /// Scripts the response to the next claim that has none yet.
    pub fn plan(&self, answer: GrantScript) {
        lock(&self.state).answers.push_back(answer);
    }

    /// Messages about claims and leases so far, in order; others are ignored.
    #[must_use]
    pub fn heard(&self) -> Vec<TokenLog> {
        lock(&self.state).heard.clone()
    }

    /// All claims so far.
    #[must_use]
    pub fn claims(&self) -> Vec<Claim> {
        lock(&self.state).claims.clone()
    }

    /// The granted lease.
    #[must_use]
    pub fn out(&self) -> Option<Lease> {
        lock(&self.state).out
    }

    /// The lease under which the model in memory was loaded.
    #[must_use]
    pub fn resident(&self) -> Option<Lease> {
        lock(&self.state).resident.as_ref().map(|(_, loaded_by)| *loaded_by)
    }
}

fn handle(state: &Mutex<TokenDoubleState>, message: GpuMessage) {
    let mut state = lock(state);
    match message {
        GpuMessage::Acquire { claim, reply } => {
            state.heard.push(TokenLog::Acquire { model: claim.model.clone() });
            state.claims.push(claim.clone());
            let load = state.resident.as_ref().is_none_or(|(model, _)| *model != claim.model);
            match state.answers.pop_front() {
                Some(GrantScript::Refuse(refusal)) => reply.answer(Err(refusal)),
                Some(GrantScript::NoAnswer) => state.unanswered.push((claim.id, reply)),
                Some(GrantScript::Lose) => drop(reply),
                Some(GrantScript::GrantWithoutLoad) => reply.answer(Ok(state.grant(claim, false, MemoryPlace::Ram))),
                Some(GrantScript::OnCard) => reply.answer(Ok(state.grant(claim, load, MemoryPlace::Card))),
                None => reply.answer(Ok(state.grant(claim, load, MemoryPlace::Ram))),
            }
        }
        GpuMessage::Withdraw { id } => {
            state.heard.push(TokenLog::Withdraw);
            state.unanswered.retain(|(unanswered, _)| *unanswered != id);
            if state.given_to == Some(id)
                && let Some(lease) = state.out.take()
            {
                // The model of a withdrawn claim is never loaded.
                state.resident.take_if(|(_, loaded_by)| *loaded_by == lease);
            }
        }
        GpuMessage::Loaded { lease } => state.heard.push(TokenLog::Loaded(lease)),
        GpuMessage::Release { lease } => {
            state.heard.push(TokenLog::Release(lease));
            state.out.take_if(|out| *out == lease);
        }
        GpuMessage::Unloaded { holder: _, loaded_by } => {
            state.heard.push(TokenLog::Unloaded(loaded_by));
            if state.resident.take_if(|(_, resident)| *resident == loaded_by).is_some() {
                state.out = None;
            }
        }
        GpuMessage::Ability { .. } | GpuMessage::Used { .. } | GpuMessage::Status { .. } | GpuMessage::Tick => {}
    }
}

impl TokenDoubleState {
    fn grant(&mut self, claim: Claim, load: bool, place: MemoryPlace) -> Grant {
        self.last += 1;
        let lease = Lease(self.last);
        assert!(self.out.is_none(), "an engine asks for a lease while it has one");
        (self.out, self.given_to) = (Some(lease), Some(claim.id));
        let known = self.resident.as_ref().filter(|_| !load).map(|(_, loaded_by)| *loaded_by);
        let loaded_by = known.unwrap_or(lease);
        self.resident = Some((claim.model, loaded_by));
        Grant { lease, loaded_by, place, load }
    }
}
