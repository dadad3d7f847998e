//! The values of labels, listed so that they are bounded (MET-2).

/// Values of label `how` of [`super::MESSAGES_DROPPED`].
pub mod how {
    /// The lane was full; the sender got the message back.
    pub const REFUSED: &str = "refused";
    /// The inbox was closed; the sender got the message back.
    pub const CLOSED: &str = "closed";
    /// The oldest message was dropped for a newer one.
    pub const DROPPED_OLDEST: &str = "dropped_oldest";
    /// A newer message of its kind replaced it.
    pub const COALESCED: &str = "coalesced";
    /// The message waited when the actor was given up.
    pub const GIVEN_UP: &str = "given_up";
    /// The message waited when Luna shut down.
    pub const SHUTDOWN: &str = "shutdown";
}

/// Values of label `cause` of [`super::ACTOR_FAILURES`].
pub mod cause {
    /// The actor panicked.
    pub const PANIC: &str = "panic";
    /// The actor returned an error, or could not be started.
    pub const ERROR: &str = "error";
    /// The actor made no progress.
    pub const HUNG: &str = "hung";
    /// The actor ended without being asked to.
    pub const ENDED: &str = "ended";
}

/// Values of label `how` of [`super::ENGINE_ENDS`].
pub mod ended {
    /// The program was asked to end and did.
    pub const CLOSED: &str = "closed";
    /// Luna killed the program.
    pub const KILLED: &str = "killed";
    /// The program ended by itself.
    pub const CRASHED: &str = "crashed";
    /// The program violated the protocol and was ended.
    pub const PROTOCOL: &str = "protocol";
    /// The program did not answer and was ended.
    pub const TIMED_OUT: &str = "timed_out";
    /// The program exceeded its memory limit and was ended between two requests.
    pub const OUTGREW: &str = "outgrew";
}

/// Values of label `outcome` of [`super::ENGINE_LOADS`] and [`super::ENGINE_REQUESTS`].
pub mod outcome {
    /// The load or job was completed.
    pub const DONE: &str = "done";
    /// The job was cancelled.
    pub const CANCELLED: &str = "cancelled";
    /// The engine reported an error, or a job gave more results than its caller read.
    pub const FAILED: &str = "failed";
    /// The engine ended first, or answered with a message that does not fit the request.
    pub const LOST: &str = "lost";
}

/// Values of label `end` of [`super::WORK`].
pub mod work_end {
    use luna_messages::work::WorkFailure;

    /// The work was completed.
    pub const DONE: &str = "done";
    /// The work was preempted and is queued again.
    pub const REQUEUED: &str = "put_back";

    /// The label for work that failed or was stopped.
    #[must_use]
    pub const fn of(failure: &WorkFailure) -> &'static str {
        match failure {
            WorkFailure::Unavailable(_) => "unavailable",
            WorkFailure::OutOfMemory(_) => "no_room",
            WorkFailure::Busy { .. } => "busy",
            WorkFailure::Refused(_) => "refused",
            WorkFailure::EngineEnded { .. } => "engine_ended",
            WorkFailure::Interrupted => "interrupted",
            WorkFailure::Cancelled => "cancelled",
        }
    }
}

/// Values of label `method` of [`super::PICKS`], beside `none`.
pub mod method {
    /// By the accessibility tree.
    pub const UIA: &str = "uia";
    /// By text recognition.
    pub const OCR: &str = "ocr";
}

/// Values of label `outcome` of [`super::OUTCOMES`].
pub mod request_outcome {
    /// The text was read.
    pub const SUCCESS: &str = "success";
    /// There was nothing to read; the person is asked to clarify.
    pub const CLARIFY: &str = "clarify";
    /// The request failed for another reason.
    pub const FAILED: &str = "failed";

    /// The outcome of a request, from label `outcome` of [`super::super::PICKS`].
    #[must_use]
    pub fn of(pick: &str) -> &'static str {
        match pick {
            "success" => SUCCESS,
            "no_text" => CLARIFY,
            _ => FAILED,
        }
    }
}

/// Values of label `part` of [`super::LLM_TOKENS`].
pub mod token_part {
    /// Of the prompt, newly evaluated.
    pub const PROMPT: &str = "prompt";
    /// Of the prompt, reused from the cache.
    pub const REUSED: &str = "reused";
    /// Thinking before the answer.
    pub const THINKING: &str = "thinking";
    pub const ANSWER: &str = "answer";
}

/// Values of label `status` of [`super::SENTENCES`].
pub mod sentence_status {
    use luna_messages::language_tasks::PieceStatus;

    /// The label for a sentence's result of the preservation check.
    #[must_use]
    pub const fn of(status: PieceStatus) -> &'static str {
        match status {
            PieceStatus::Kept => "kept",
            PieceStatus::Repaired => "repaired",
            PieceStatus::Unchanged => "unchanged",
            PieceStatus::Failed => "failed",
            PieceStatus::Missing => "missing",
        }
    }
}

/// Values of label `outcome` of [`super::PRESERVE`].
pub mod preserve_outcome {
    /// The model was asked once more.
    pub const ASKED_AGAIN: &str = "asked_again";
    /// The second try failed, too: the sentence is marked.
    pub const MARKED: &str = "marked";
}

/// Values of label `extent` of [`super::STT_DURATION`].
pub mod extent {
    use luna_messages::engine::SoundExtent;

    /// How much sound was transcribed.
    #[must_use]
    pub const fn of(extent: SoundExtent) -> &'static str {
        match extent {
            SoundExtent::Utterance => "utterance",
            SoundExtent::Window => "window",
        }
    }
}

/// Values of label `outcome` of [`super::GPU_CLAIMS`].
pub mod claim_outcome {
    pub const GRANTED: &str = "granted";
    /// No memory can be made available for it.
    pub const REFUSED: &str = "refused";
    /// The claimant no longer waits.
    pub const WITHDRAWN: &str = "withdrawn";
}

/// Values of label `how` of [`super::GPU_RECLAIMS`].
pub mod reclaim {
    use luna_messages::gpu::ResidencyOrder;

    /// The holder did not stop or unload in time, so its program was ended.
    pub const END: &str = "end";

    /// The label for an order.
    #[must_use]
    pub const fn of(order: &ResidencyOrder) -> &'static str {
        match order {
            ResidencyOrder::Stop { .. } => "stop",
            ResidencyOrder::Unload { .. } => "unload",
        }
    }
}

/// Values of label `outcome` of [`super::HEARD`].
pub mod heard_outcome {
    use luna_messages::listening::HeardOutcome;

    /// The label for what became of a voice; the name that the outcome has in events.
    #[must_use]
    pub const fn of(outcome: HeardOutcome) -> &'static str {
        match outcome {
            HeardOutcome::Obeyed => "obeyed",
            HeardOutcome::AskedModel => "asked_model",
            HeardOutcome::Called => "called",
            HeardOutcome::NotUnderstood => "not_understood",
            HeardOutcome::NotAddressed => "not_addressed",
            HeardOutcome::OwnVoice => "own_voice",
            HeardOutcome::NoWords => "no_words",
            HeardOutcome::Repeated => "repeated",
            HeardOutcome::NotTranscribed => "not_transcribed",
            HeardOutcome::AtTheBorder => "at_the_border",
        }
    }
}

/// Values of label `outcome` of [`super::ORDERS`].
pub mod order_outcome {
    use luna_messages::executor::OrderOutcome;

    /// The label for what came of an order; the name that it has in reports.
    #[must_use]
    pub const fn of(outcome: OrderOutcome) -> &'static str {
        match outcome {
            OrderOutcome::Success => "success",
            OrderOutcome::Clarify => "clarify",
            OrderOutcome::Confirm => "confirm",
            OrderOutcome::Failed => "failed",
            OrderOutcome::Refused => "refused",
            OrderOutcome::None => "none",
        }
    }
}

/// Values of label `tool` of [`super::TOOL_CALLS`] and [`super::TOOL_DURATION`].
pub mod tool {
    use luna_messages::tools::ToolKind;

    /// The label for the tool that was called; `None`: no tool has the name.
    #[must_use]
    pub const fn of(tool: Option<ToolKind>) -> &'static str {
        match tool {
            Some(tool) => tool.name(),
            None => "unknown",
        }
    }
}

/// Values of label `outcome` of [`super::TOOL_CALLS`].
pub mod tool_outcome {
    use luna_messages::tools::ToolFailureKind;

    /// The label for what came of a call.
    #[must_use]
    pub const fn of(failure: Option<ToolFailureKind>) -> &'static str {
        match failure {
            Some(kind) => kind.name(),
            None => "success",
        }
    }
}
