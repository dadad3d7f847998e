//! The names of all metrics, with their descriptions (MET-1, MET-2). Prometheus conventions: base units, `_total` for counters. Label values are
//! listed in [`labels`], or are names of actors, lanes, stages and the like; never text of the screen or of speech.

use metrics::{Key, Unit, describe_counter, describe_gauge, describe_histogram};

mod labels;

pub use labels::*;

/// Gauge `{actor, lane}`: waiting messages.
pub const INBOX_DEPTH: &str = "luna_inbox_depth";
/// Histogram `{actor, lane}`, seconds: from post to the start of handling. Sampled.
pub const INBOX_WAIT: &str = "luna_inbox_wait_seconds";
/// Counter `{actor, lane}`: messages handed to the actor.
pub const MESSAGES_HANDLED: &str = "luna_messages_handled_total";
/// Counter `{actor, lane, how}`: messages that were offered or accepted but not handled; `how` is one of [`how`].
pub const MESSAGES_DROPPED: &str = "luna_messages_dropped_total";
/// Counter `{actor, lane}`: messages that waited too long and moved to the end of lane Uia (KER-5).
pub const MESSAGES_PROMOTED: &str = "luna_messages_promoted_total";
/// Counter `{actor}`: messages during which the actor crashed (KER-7).
pub const MESSAGES_CRASHED: &str = "luna_messages_crashed_total";
/// Counter `{actor}`: messages that were delivered again after a crash (KER-7).
pub const MESSAGES_RETRIED: &str = "luna_messages_retried_total";

/// Counter `{actor, cause}`: unrequested ends; `cause` is one of [`cause`].
pub const ACTOR_FAILURES: &str = "luna_actor_failures_total";
/// Counter `{actor}`: times that the actor ran again after a failure.
pub const ACTOR_RESTARTS: &str = "luna_actor_restarts_total";
/// Counter `{actor}`: handlers without progress that the watchdog found (KER-8).
pub const ACTOR_HUNG: &str = "luna_actor_hung_total";
/// Counter `{actor}`: times that the actor was given up for a while.
pub const ACTOR_GIVEN_UP: &str = "luna_actor_given_up_total";
/// Counter `{actor}`: panics of tasks that an actor had started.
pub const TASK_PANICS: &str = "luna_task_panics_total";
/// Counter `{what}`: calls to the display, a device, a driver or a disk without a result in time, also those that fail at once because an earlier
/// call hangs or too many wait (KER-11).
pub const OUTSIDE_LATE: &str = "luna_outside_late_total";

/// Gauge `{capability}`: 1 available, 0 not (KER-9). Absent while unknown.
pub const CAPABILITY_AVAILABLE: &str = "luna_capability_available";

/// Histogram `{stage}`, seconds: duration of a request's stage; `stage` is a name of [`crate::stages::Stage`] (MET-4).
pub const STAGE_DURATION: &str = "luna_stage_duration_seconds";
/// Gauge `{stage}`, seconds: the time that 95 of 100 observations of the stage must stay within (MET-4).
pub const STAGE_BUDGET: &str = "luna_stage_budget_seconds";
/// Counter `{method, outcome}`: picks by accessibility tree and by text recognition; `method` is one of [`method`] or `none`.
pub const PICKS: &str = "luna_picks_total";
/// Counter `{outcome}`: how the person's requests ended; `outcome` is one of [`request_outcome`].
pub const OUTCOMES: &str = "luna_outcomes_total";

/// Histogram, seconds: from the stop command until the device is told to be silent (TTS-4).
pub const SPEECH_STOP_DURATION: &str = "luna_speech_stop_duration_seconds";
/// Counter, without labels: times that sound was muted ahead of the speech actor (BRG-7).
pub const SPEECH_MUTES: &str = "luna_speech_hushes_total";
/// Counter `{lang}`: sentences whose sound went to the device.
pub const SPEECH_SENTENCES: &str = "luna_speech_sentences_total";

/// Counter `{engine}`: engine programs started.
pub const ENGINE_STARTS: &str = "luna_engine_starts_total";
/// Counter `{engine, how}`: engine programs that ended; `how` is one of [`ended`].
pub const ENGINE_ENDS: &str = "luna_engine_ends_total";
/// Counter `{engine}`: times that a standby took over for a program that ended.
pub const ENGINE_TAKEOVERS: &str = "luna_engine_takeovers_total";
/// Counter `{engine, outcome}`: loads of models; `outcome` is one of [`outcome`].
pub const ENGINE_LOADS: &str = "luna_engine_loads_total";
/// Counter `{engine, outcome}`: jobs; `outcome` is one of [`outcome`].
pub const ENGINE_REQUESTS: &str = "luna_engine_requests_total";

/// Counter `{engine, end}`: pieces of work for engines that hold models, by outcome; `end` is one of [`work_end`].
pub const WORK: &str = "luna_engine_work_total";
/// Counter `{task, part}`: tokens of language models; `part` is one of [`token_part`].
pub const LLM_TOKENS: &str = "luna_llm_tokens_total";
/// Histogram `{task}`, seconds: from the start of the job in the engine to its first token.
pub const LLM_FIRST_TOKEN: &str = "luna_llm_first_token_seconds";
/// Histogram `{task}`, seconds: from a request for text to its last token; waiting and loading included.
pub const LLM_DURATION: &str = "luna_llm_generation_seconds";
/// Counter `{status}`: translated sentences by result of the preservation check; `status` is one of [`sentence_status`].
pub const SENTENCES: &str = "luna_translation_sentences_total";
/// Counter `{outcome}`: failures of the preservation check; `outcome` is one of [`preserve_outcome`] (PRE-4).
pub const PRESERVE: &str = "luna_preserve_failures_total";
/// Counter: clarifying questions to the person, asked by a model or because it gave no answer (REA-3).
pub const CLARIFICATIONS: &str = "luna_clarifications_total";
/// Counter: answers of models that were rejected (DSL-4).
pub const REJECTIONS: &str = "luna_llm_rejections_total";
/// Histogram `{extent}`, seconds: from a transcription request to its result, waiting and loading included; `extent` is one of [`extent`].
pub const STT_DURATION: &str = "luna_stt_transcription_seconds";

/// Counter `{outcome}`: words and voices that were heard, by what became of them; `outcome` is one of [`heard_outcome`] (MET-1).
pub const HEARD: &str = "luna_heard_total";
/// Histogram, seconds: from the end of a voice until it is decided what becomes of it; 0 if that was decided before it ended (MET-4).
pub const HEARD_DECISION: &str = "luna_heard_decision_seconds";
/// Counter, without labels: samples of the microphone that were lost, because this machine was too busy to take them.
pub const MICROPHONE_LOST: &str = "luna_microphone_lost_samples_total";

/// Counter `{outcome}`: orders and answers to questions about them, by what came of them; `outcome` is one of [`order_outcome`] (MET-1).
pub const ORDERS: &str = "luna_orders_total";
/// Histogram, seconds: from an order until its action was done and seen, of those that needed no question (EXE-2).
pub const ORDER_DURATION: &str = "luna_order_seconds";

/// Counter `{tool, outcome}`: calls of tools that ended; `tool` is a name of [`tool`], `outcome` one of [`tool_outcome`] (TOOL-1).
pub const TOOL_CALLS: &str = "luna_tool_calls_total";
/// Histogram `{tool}`, seconds: from a call of a tool to its end, the question to the person included (TOOL-1, TOOL-4).
pub const TOOL_DURATION: &str = "luna_tool_call_seconds";

/// Histogram `{lane}`, seconds: from a claim for a model's memory to its grant (GPU-2).
pub const GPU_WAIT: &str = "luna_gpu_wait_seconds";
/// Histogram `{engine}`, seconds: from grant to the end of the lease, loading included.
pub const GPU_LEASE_DURATION: &str = "luna_gpu_hold_seconds";
/// Counter `{outcome}`: claims that ended; `outcome` is one of [`claim_outcome`].
pub const GPU_CLAIMS: &str = "luna_gpu_claims_total";
/// Counter `{lane}`: claims that waited so long that they went before others.
pub const GPU_PROMOTIONS: &str = "luna_gpu_promotions_total";
/// Counter `{engine, how}`: orders to lease holders to free memory for another; `how` is one of [`reclaim`].
pub const GPU_RECLAIMS: &str = "luna_gpu_reclaims_total";
/// Counter `{engine, place}`: loads of models that were allowed; `place` is `card` or `ram`.
pub const GPU_LOADS: &str = "luna_gpu_loads_total";
/// Gauge `{place}`: memory budget for models, bytes.
pub const GPU_BUDGET: &str = "luna_gpu_budget_bytes";
/// Gauge `{place}`: memory granted to resident models, bytes.
pub const GPU_RESIDENT: &str = "luna_gpu_resident_bytes";
/// Gauge: waiting claims.
pub const GPU_WAITING: &str = "luna_gpu_waiting_claims";

/// A metric family that can be left out, a word of `metrics.counters`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// `latency_ms`: [`STAGE_DURATION`].
    Latency,
    /// `used_tokens.think`: thinking of [`LLM_TOKENS`].
    ThinkingTokens,
    /// `used_tokens.answer`: answers of [`LLM_TOKENS`].
    AnswerTokens,
    /// `preserve_fail`: [`PRESERVE`].
    PreserveFailures,
    /// `clarify`: [`CLARIFICATIONS`].
    Clarifications,
    /// `ocr_rate`: [`PICKS`] by recognition.
    PicksByRecognition,
    /// `uia_rate`: [`PICKS`] by the tree.
    PicksByTree,
}

impl Family {
    pub const ALL: [Self; 7] = [
        Self::Latency,
        Self::ThinkingTokens,
        Self::AnswerTokens,
        Self::PreserveFailures,
        Self::Clarifications,
        Self::PicksByRecognition,
        Self::PicksByTree,
    ];

    pub(crate) const fn bit(self) -> u8 {
        1 << self as u8
    }

    /// The family of a metric; `None` if it is always recorded.
    #[must_use]
    pub fn of(key: &Key) -> Option<Self> {
        let label = |name: &str| key.labels().find(|label| label.key() == name).map(metrics::Label::value);
        match (key.name(), label("part"), label("method")) {
            (STAGE_DURATION, ..) => Some(Self::Latency),
            (LLM_TOKENS, Some(token_part::THINKING), _) => Some(Self::ThinkingTokens),
            (LLM_TOKENS, Some(token_part::ANSWER), _) => Some(Self::AnswerTokens),
            (PRESERVE, ..) => Some(Self::PreserveFailures),
            (CLARIFICATIONS, ..) => Some(Self::Clarifications),
            (PICKS, _, Some(method::OCR)) => Some(Self::PicksByRecognition),
            (PICKS, _, Some(method::UIA)) => Some(Self::PicksByTree),
            _ => None,
        }
    }
}

/// Bounds in seconds for work of models: 10 ms to 5 min.
pub const WORK_BUCKETS: &[f64] = &[0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];
/// Bounds in seconds for durations that a person notices: 1 ms to 10 s.
pub const LATENCY_BUCKETS: &[f64] =
    &[0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0];
/// Bounds in seconds for stages of a request. Each budget is a bound, so that the share within it is counted exactly instead of interpolated.
pub const STAGE_BUCKETS: &[f64] = &[
    0.000_1, 0.000_5, 0.001, 0.002, 0.005, 0.01, 0.02, 0.033, 0.04, 0.06, 0.08, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6,
    0.8, 1.0, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 120.0,
];
/// Bounds in seconds for waits in an inbox: 1 µs to 10 s.
pub const WAIT_BUCKETS: &[f64] =
    &[0.000_001, 0.000_005, 0.000_01, 0.000_025, 0.000_05, 0.000_1, 0.000_25, 0.001, 0.005, 0.025, 0.1, 0.5, 2.0, 10.0];

/// The histograms with the bounds of their buckets, for the installer of the recorder.
pub const HISTOGRAMS: &[(&str, &[f64])] = &[
    (INBOX_WAIT, WAIT_BUCKETS),
    (STAGE_DURATION, STAGE_BUCKETS),
    (SPEECH_STOP_DURATION, LATENCY_BUCKETS),
    (GPU_WAIT, WORK_BUCKETS),
    (GPU_LEASE_DURATION, WORK_BUCKETS),
    (LLM_FIRST_TOKEN, LATENCY_BUCKETS),
    (LLM_DURATION, WORK_BUCKETS),
    (STT_DURATION, WORK_BUCKETS),
    (HEARD_DECISION, LATENCY_BUCKETS),
    (ORDER_DURATION, WORK_BUCKETS),
    (TOOL_DURATION, LATENCY_BUCKETS),
];

/// Describes every metric to the recorder. Call it once, after the recorder was installed and before inboxes are made.
pub fn describe_all() {
    describe_gauge!(INBOX_DEPTH, Unit::Count, "Messages that wait, by actor and lane.");
    describe_histogram!(INBOX_WAIT, Unit::Seconds, "Time from post to handling, by actor and lane; sampled.");
    describe_counter!(MESSAGES_HANDLED, Unit::Count, "Messages handed to the actor, by lane.");
    describe_counter!(MESSAGES_DROPPED, Unit::Count, "Messages that were not handled, by actor, lane and how.");
    describe_counter!(MESSAGES_PROMOTED, Unit::Count, "Messages that waited too long and went to the end of lane uia.");
    describe_counter!(MESSAGES_CRASHED, Unit::Count, "Messages during which the actor crashed.");
    describe_counter!(MESSAGES_RETRIED, Unit::Count, "Messages that were handed out once more after a crash.");
    describe_counter!(ACTOR_FAILURES, Unit::Count, "Ends of actors that were not asked for, by cause.");
    describe_counter!(ACTOR_RESTARTS, Unit::Count, "Times that an actor was back after a failure.");
    describe_counter!(ACTOR_HUNG, Unit::Count, "Handlers without progress that the watchdog found.");
    describe_counter!(ACTOR_GIVEN_UP, Unit::Count, "Times that an actor was given up for a while.");
    describe_counter!(TASK_PANICS, Unit::Count, "Panics of tasks that an actor had started.");
    describe_counter!(
        OUTSIDE_LATE,
        Unit::Count,
        "Questions to the display, a device, a driver or a disk without an answer in time."
    );
    describe_gauge!(CAPABILITY_AVAILABLE, Unit::Count, "1 if the capability is available, 0 if it is not.");
    describe_histogram!(
        STAGE_DURATION,
        Unit::Seconds,
        "Duration of the stages of a request, from pick or command to sound."
    );
    describe_gauge!(STAGE_BUDGET, Unit::Seconds, "Time that 95 of 100 observations of a stage are to keep within.");
    describe_counter!(PICKS, Unit::Count, "Picks by method and outcome.");
    describe_counter!(OUTCOMES, Unit::Count, "How the person's requests ended.");
    describe_histogram!(SPEECH_STOP_DURATION, Unit::Seconds, "Time from the command to stop until the device is told.");
    describe_counter!(SPEECH_MUTES, Unit::Count, "Times that sound was ordered silent ahead of the speech actor.");
    describe_counter!(SPEECH_SENTENCES, Unit::Count, "Sentences of which sound went to the device, by language.");
    describe_counter!(ENGINE_STARTS, Unit::Count, "Engine programs started.");
    describe_counter!(ENGINE_ENDS, Unit::Count, "Engine programs that ended, by how.");
    describe_counter!(ENGINE_TAKEOVERS, Unit::Count, "Times that a standby took over for a program that ended.");
    describe_counter!(ENGINE_LOADS, Unit::Count, "Loads of models, by outcome.");
    describe_counter!(ENGINE_REQUESTS, Unit::Count, "Jobs for engines, by outcome.");
    describe_histogram!(GPU_WAIT, Unit::Seconds, "Time from a claim for a model's memory to its grant.");
    describe_histogram!(GPU_LEASE_DURATION, Unit::Seconds, "Time that leases on models were held.");
    describe_counter!(GPU_CLAIMS, Unit::Count, "Claims for the memory of models, by how each ended.");
    describe_counter!(GPU_PROMOTIONS, Unit::Count, "Claims that waited so long that they went before others.");
    describe_counter!(GPU_RECLAIMS, Unit::Count, "Orders to lease holders to free memory for another.");
    describe_counter!(GPU_LOADS, Unit::Count, "Loads of models that were allowed, by engine and place.");
    describe_gauge!(GPU_BUDGET, Unit::Bytes, "Memory that models may have.");
    describe_gauge!(GPU_RESIDENT, Unit::Bytes, "Memory that models have been granted.");
    describe_gauge!(GPU_WAITING, Unit::Count, "Claims for the memory of models that wait.");
    describe_counter!(WORK, Unit::Count, "Pieces of work for engines that hold models, by how each ended.");
    describe_counter!(LLM_TOKENS, Unit::Count, "Tokens of language models, by task and part.");
    describe_histogram!(LLM_FIRST_TOKEN, Unit::Seconds, "Time from a job's beginning to its first token.");
    describe_histogram!(LLM_DURATION, Unit::Seconds, "Time from a request for text to its last token.");
    describe_counter!(SENTENCES, Unit::Count, "Translated sentences, by how they came through the preserve lock.");
    describe_counter!(PRESERVE, Unit::Count, "Failures of the preserve lock, by what was done.");
    describe_counter!(CLARIFICATIONS, Unit::Count, "Questions to the person about what was meant.");
    describe_counter!(REJECTIONS, Unit::Count, "Answers of language models that were rejected.");
    describe_histogram!(STT_DURATION, Unit::Seconds, "Time from a request to write speech down to its result.");
    describe_counter!(HEARD, Unit::Count, "Words and voices that were heard, by what became of them.");
    describe_histogram!(HEARD_DECISION, Unit::Seconds, "Time from the end of a voice until it is decided about.");
    describe_counter!(ORDERS, Unit::Count, "Orders and answers about them, by what came of them.");
    describe_histogram!(ORDER_DURATION, Unit::Seconds, "Time from an order until it was done and seen.");
    describe_counter!(TOOL_CALLS, Unit::Count, "Calls of tools that ended, by tool and outcome.");
    describe_histogram!(TOOL_DURATION, Unit::Seconds, "Time from a call of a tool to its end.");
    describe_counter!(MICROPHONE_LOST, Unit::Count, "Samples of the microphone that came too fast to be heard.");
}
