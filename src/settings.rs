//! Makes each actor's settings from the validated configuration, with only what the actor needs.

mod hint;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use luna_actor_gpu::GpuSettings;
use luna_actor_language_tasks::LanguageTaskSettings;
use luna_actor_listening::ListeningSettings;
use luna_actor_ocr::{OcrSettings, ResultSettings};
use luna_actor_overlay::OverlayActorSettings;
use luna_actor_runtime::inbox::InboxSettings;
use luna_actor_runtime::metric_names::Family;
use luna_actor_runtime::sampling;
use luna_actor_tools::ShadowSettings;
use luna_actor_tts::TtsSettings;
use luna_actor_uia::{SnapshotSettings, UiaSettings};
use luna_executor::events::ExecutorSettings;
use luna_focus::announce::AnnouncementStyle;
use luna_focus::choose::ChoiceWeights;
use luna_focus::help::VoiceCall;
use luna_focus::machine as focus;
use luna_focus::region::RegionRule;
use luna_listening::signal::{EchoReference, SignalSettings};
use luna_listening::turn::{Addressing, TurnSettings};
use luna_llm_tasks::prompt::PartCaps;
use luna_llm_tasks::reasoning::{Budgets, StageBudget};
use luna_llm_tasks::translation::Escalation;
use luna_messages::pick::RoleSet;
use luna_messages::tts::SpeechSettings;
use luna_messages::{Lane, Lang};
use luna_overlay::machine::OverlaySettings;
use luna_overlay::scene::OverlayLook;
use luna_text::redact::Redaction;

use crate::hold_key::hold_key;
use crate::logging;
use luna_config::Config;
use luna_config::llm::TaskBudget;
use luna_config::perception::{AttentionSource, CaptureUnit, Redact};
use luna_config::runtime::Counter;
use luna_config::speech::{CommandMode, LanguageChoice, ListenChoice, Loopback};

/// The current configuration; replaced whole when the file changes (CFG-4).
#[derive(Clone)]
pub struct LiveConfig(Arc<RwLock<Arc<Config>>>);

impl LiveConfig {
    /// Starts with `config`.
    #[must_use]
    pub fn new(config: Config) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(config))))
    }

    #[must_use]
    pub fn get(&self) -> Arc<Config> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn set(&self, config: Config) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(config);
    }
}

/// Language of Luna's own sentences; `automatic`: that of the desktop.
fn language(config: &Config, automatic: impl FnOnce() -> Lang) -> Lang {
    match config.language {
        LanguageChoice::Ko => Lang::Ko,
        LanguageChoice::En => Lang::En,
        LanguageChoice::Auto => automatic(),
    }
}

/// Language of Luna's own sentences on this machine.
#[must_use]
pub fn own_language(config: &Config) -> Lang {
    language(config, luna_platform::ui_language::ui_language)
}

#[must_use]
pub fn focus_settings(config: &Config) -> focus::FocusSettings {
    let mode = &config.focus_mode;
    focus::FocusSettings {
        sources: focus::AttentionSources {
            pointer: mode.sources.contains(&AttentionSource::Pointer),
            focus: mode.sources.contains(&AttentionSource::Focus),
        },
        follow: mode.follow,
        move_threshold_px: mode.move_threshold_px,
        debounce: Duration::from_millis(mode.debounce_ms),
        wait_command_timeout: Duration::from_millis(mode.wait_cmd_timeout_ms),
        lines_before: config.windows.text.prev as usize,
        lines_after: config.windows.text.next as usize,
        lang: own_language(config),
        fidelity: config.translation.mode_default,
        verbosity: config.reading.verbosity,
        call: voice_call(config),
        ..focus::FocusSettings::default()
    }
}

/// What has to come before words that are meant for Luna (VOI-1).
fn voice_call(config: &Config) -> VoiceCall {
    let word = || config.voice.wake_word.as_deref().map(str::trim).filter(|word| !word.is_empty()).map(Arc::from);
    match (config.voice.command_mode, hold_key(config)) {
        (_, Some(key)) => VoiceCall::Hold(key),
        (CommandMode::Auto | CommandMode::Hold, None) => word().map_or(VoiceCall::Nothing, VoiceCall::WhenSilent),
        (CommandMode::WakeOnly, None) => word().map_or(VoiceCall::Nothing, VoiceCall::Always),
    }
}

/// How batch commands announce what is pointed at (ANN-1).
#[must_use]
pub fn announcement_style(config: &Config) -> AnnouncementStyle {
    AnnouncementStyle { verbosity: config.reading.verbosity, lang: own_language(config), focused: false }
}

const fn region(config: &Config) -> RegionRule {
    RegionRule {
        roi_px: config.focus_mode.roi_px,
        whole_screen: matches!(config.focus_mode.capture, CaptureUnit::Screen),
    }
}

/// How orders are carried out.
#[must_use]
pub fn executor_settings(config: &Config) -> ExecutorSettings {
    let name = config.voice.wake_word.as_deref().map(str::trim).filter(|word| !word.is_empty());
    ExecutorSettings {
        lang: own_language(config),
        tree_first: config.executor.uia_first,
        coord_fallback: config.executor.coord_fallback,
        confirm_on_danger: config.executor.confirm_on_danger,
        confirming_call: name.filter(|_| config.executor.confirm_requires_wake).map(str::to_owned),
        confirm_timeout: Duration::from_millis(config.executor.confirm_timeout_ms),
        asks_model: config.models.tasks.intent.is_some(),
    }
}

/// How long the model of the screen is kept: as long as what was recognised (PRV-1).
#[must_use]
pub const fn shadow_settings(config: &Config) -> ShadowSettings {
    let recognition = result_settings(config);
    ShadowSettings { lifetime: recognition.ttl, purge_every: recognition.purge_every }
}

/// Roles that the person blocked, in addition to those that are always blocked.
/// What is shown on the screen, and how.
#[must_use]
pub fn overlay_settings(config: &Config) -> OverlayActorSettings {
    let overlay = &config.overlay;
    // The check of the configuration made sure that it is a colour.
    let color = overlay.color.strip_prefix('#').and_then(|hex| u32::from_str_radix(hex, 16).ok()).unwrap_or(0xff_d84a);
    let [_, red, green, blue] = color.to_be_bytes();
    OverlayActorSettings {
        shown: OverlaySettings { enabled: overlay.enabled, show_numbers: overlay.show_numbers },
        look: OverlayLook {
            color: [red, green, blue],
            darkness: overlay.dim_outside,
            corner_radius: overlay.corner_radius,
            high_contrast: overlay.high_contrast,
            lang: own_language(config),
        },
    }
}

#[must_use]
pub fn blocked_roles(config: &Config) -> RoleSet {
    let roles = config.privacy.block_roles.iter().filter_map(|blocked| blocked.role());
    roles.fold(RoleSet::default(), RoleSet::with)
}

/// Settings of picking by the tree.
#[must_use]
pub fn uia_settings(config: &Config) -> UiaSettings {
    UiaSettings { region: region(config), prefer_tree: config.focus_mode.prefer_uia, blocked: blocked_roles(config) }
}

/// Settings of the snapshots of picking by the tree.
#[must_use]
pub const fn snapshot_settings(config: &Config) -> SnapshotSettings {
    let window = &config.windows.uia;
    SnapshotSettings {
        count: window.snapshots as usize,
        ttl: Duration::from_millis(window.ttl_ms),
        purge_every: Duration::from_millis(config.privacy.ttl_purge_ms),
    }
}

#[must_use]
pub const fn ocr_settings(config: &Config) -> OcrSettings {
    let weights = &config.focus_mode.ocr;
    OcrSettings {
        weights: ChoiceWeights {
            text: weights.w_text,
            size: weights.w_size,
            contrast_penalty: weights.w_contrast_penalty,
            epsilon: weights.epsilon,
        },
        #[expect(clippy::cast_possible_truncation, reason = "a confidence between 0 and 1")]
        low_quality: config.focus_mode.ocr_low_quality as f32,
        top: config.windows.ocr.topk as usize,
    }
}

/// Settings of recognition's cache of results.
#[must_use]
pub const fn result_settings(config: &Config) -> ResultSettings {
    let window = &config.windows.ocr;
    ResultSettings {
        history: window.history as usize,
        ttl: Duration::from_millis(window.ttl_ms),
        purge_every: Duration::from_millis(config.privacy.ttl_purge_ms),
    }
}

#[must_use]
pub fn tts_settings(config: &Config) -> TtsSettings {
    let tts = &config.tts;
    #[expect(clippy::cast_possible_truncation, reason = "speeds between 0.25 and 5")]
    let speed = |value: f64| value as f32;
    let speech = SpeechSettings {
        rate: speed(tts.rate),
        rate_step: speed(tts.rate_step),
        rate_min: speed(tts.rate_min),
        rate_max: speed(tts.rate_max),
        voices: BTreeMap::from([(Lang::Ko, tts.voices.ko.clone()), (Lang::En, tts.voices.en.clone())]),
    };
    TtsSettings { speech, buffer_frames: tts.buffer_frames, device: tts.device.clone() }
}

#[must_use]
pub fn language_task_settings(config: &Config) -> LanguageTaskSettings {
    let (budget, translation) = (&config.llm_budget, &config.translation);
    let both = |of: fn(&TaskBudget) -> u32| StageBudget {
        thinking: of(&config.thinking_budget),
        answer: of(&config.answer_budget),
    };
    LanguageTaskSettings {
        lang: own_language(config),
        caps: PartCaps {
            system: budget.caps.system,
            device_state: budget.caps.device_state,
            digest: budget.caps.digest,
            candidates: budget.caps.candidates,
            user_utterance: budget.caps.user_utterance,
            max_tokens: budget.max_tokens,
        },
        budgets: Budgets {
            nlu_intent: both(|tokens| tokens.nlu_intent),
            selection_disambiguation: both(|tokens| tokens.selection_disambiguation),
            translate_faithful: both(|tokens| tokens.translate_faithful),
            summarize_short: both(|tokens| tokens.summarize_short),
            macro_plan: both(|tokens| tokens.macro_plan),
        },
        barge_in_shrink: budget.barge_in_shrink,
        timeout_soft: Duration::from_millis(budget.timeout_ms_soft),
        dangerous: config.voice.dangerous.clone(),
        top: config.ranking.topk_for_llm as usize,
        glossary: translation.glossary.clone(),
        classes: translation.preserve_tokens.clone(),
        escalation: Escalation::new(&translation.escalate_if, &translation.policy_keywords),
        summary_sentences: translation.summary_max_sentences,
    }
}

/// Settings of listening. `has_model`: speech recognition has a model.
#[must_use]
pub fn listening_settings(config: &Config, has_model: bool) -> ListeningSettings {
    let (voice, barge_in, window) = (&config.voice, &config.barge_in, &config.windows.stt);
    let (hot, full) = (Duration::from_secs(window.hot_seconds.into()), Duration::from_secs(window.full_seconds.into()));
    let cancel_echo = barge_in.aec.enable && barge_in.aec.loopback != Loopback::None;
    // That of the output on which Luna speaks.
    let loopback = || match cancel_echo {
        true => EchoReference::Loopback { output: config.tts.device.clone() },
        false => EchoReference::Own,
    };
    ListeningSettings {
        listens: match voice.listen {
            ListenChoice::Auto => has_model,
            ListenChoice::Always => true,
            ListenChoice::Never => false,
        },
        device: voice.device.clone(),
        reference: match barge_in.aec.loopback {
            Loopback::Wasapi if cfg!(windows) => loopback(),
            Loopback::Monitor => loopback(),
            Loopback::Wasapi | Loopback::Playback | Loopback::None => EchoReference::Own,
        },
        signal: SignalSettings { cancel_echo, hot, full },
        turns: TurnSettings {
            addressing: match voice.command_mode {
                CommandMode::Auto => Addressing::Auto,
                CommandMode::Hold => Addressing::Hold,
                CommandMode::WakeOnly => Addressing::WakeOnly,
            },
            wake_word: voice.wake_word.clone(),
            barge_in: barge_in.enabled,
            debounce: Duration::from_millis(barge_in.debounce_ms),
            min_repeat: Duration::from_millis(barge_in.min_repeat_interval_ms),
            safety_gate: Duration::from_millis(barge_in.aec.safety_gate_ms),
            hot,
            lang: own_language(config),
            hint: hint::hint(config, own_language(config)),
        },
    }
}

/// Settings of the GpuToken actor. `listening_full`: Luna transcribes everything said, so recognition may use the card (GPU-5).
#[must_use]
pub const fn gpu_settings(config: &Config, listening_full: bool) -> GpuSettings {
    let gpu = &config.gpu;
    GpuSettings {
        budget_mb: gpu.budget_mb,
        linger: Duration::from_millis(gpu.linger_ms),
        grace: Duration::from_millis(gpu.grace_ms),
        wait_bound: Duration::from_millis(gpu.wait_bound_ms),
        listening_full,
    }
}

/// Settings of the process as a whole; they can change at any time.
#[derive(Debug, Clone, PartialEq)]
pub struct ProcessSettings {
    /// What logs redact (PRV-2).
    pub redaction: Redaction,
    /// Families of metrics that are recorded.
    pub families: Vec<Family>,
    /// Share of histogram observations that is recorded (MET-3).
    pub sample_rate: f64,
}

impl ProcessSettings {
    /// Puts these settings into effect.
    pub fn apply(&self) {
        logging::set_redaction(self.redaction);
        sampling::set_families(&self.families);
        sampling::set_rate(self.sample_rate);
    }
}

#[must_use]
pub fn process_settings(config: &Config) -> ProcessSettings {
    let classes = &config.privacy.redact;
    let family = |counter: &Counter| match counter {
        Counter::LatencyMs => Family::Latency,
        Counter::UsedTokensThink => Family::ThinkingTokens,
        Counter::UsedTokensAnswer => Family::AnswerTokens,
        Counter::PreserveFail => Family::PreserveFailures,
        Counter::Clarify => Family::Clarifications,
        Counter::OcrRate => Family::PicksByRecognition,
        Counter::UiaRate => Family::PicksByTree,
    };
    ProcessSettings {
        redaction: Redaction { emails: classes.contains(&Redact::Email), urls: classes.contains(&Redact::Url) },
        families: config.metrics.counters.iter().map(family).collect(),
        sample_rate: config.metrics.sample_rate,
    }
}

/// Settings that apply once, at the start of `luna run`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartSettings {
    /// Address of the endpoint (PRV-4).
    pub listen: SocketAddr,
    /// Whether metrics are recorded (MET-1).
    pub metrics: bool,
    /// Warnings that are kept in memory (BUF-1).
    pub recent_log: usize,
}

#[must_use]
pub const fn start_settings(config: &Config) -> StartSettings {
    StartSettings {
        listen: SocketAddr::new(config.http.bind, config.http.port),
        metrics: config.metrics.enable,
        recent_log: config.windows.log.recent as usize,
    }
}

/// Settings of all inboxes (KER-4, KER-5).
#[must_use]
pub fn inbox_settings(config: &Config) -> InboxSettings {
    let (bound, promotion) = (&config.mailbox.bound, &config.mailbox.promotion_ms);
    let mut promote_after = [None; 5];
    promote_after[Lane::Ocr.index()] = Some(Duration::from_millis(promotion.ocr));
    promote_after[Lane::Llm.index()] = Some(Duration::from_millis(promotion.llm));
    InboxSettings { bounds: [bound.reflex, bound.tts, bound.uia, bound.ocr, bound.llm], promote_after }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_comes_from_the_configuration_then_from_the_locale() {
        let mut config = Config::built_in("default").unwrap();
        config.language = LanguageChoice::Auto;
        for automatic in [Lang::Ko, Lang::En] {
            assert_eq!(language(&config, || automatic), automatic);
        }
        config.language = LanguageChoice::Ko;
        assert_eq!(language(&config, || Lang::En), Lang::Ko);
    }

    // FOC-2, PIC-2, PIC-4, BUF-1
    #[test]
    fn the_defaults_of_the_specification_reach_the_actors_foc_2_pic_2_pic_4_buf_1() {
        let config = Config::built_in("default").unwrap();
        let focus = focus_settings(&config);
        assert_eq!((focus.move_threshold_px, focus.debounce), (24, Duration::from_millis(150)));
        assert_eq!(focus.wait_command_timeout, Duration::from_secs(8));
        assert_eq!(uia_settings(&config).region.roi_px, 420);
        let (snapshots, results) = (snapshot_settings(&config), result_settings(&config));
        assert_eq!((snapshots.count, snapshots.ttl), (3, Duration::from_millis(1500)));
        assert_eq!((results.history, ocr_settings(&config).top, results.ttl), (2, 20, Duration::from_millis(2500)));
        assert_eq!(ocr_settings(&config).weights, ChoiceWeights::default());
    }
}
