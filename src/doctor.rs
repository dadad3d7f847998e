//! Checks what works on this machine, by trying it (KER-9). Checks are independent: a failed or hanging check does not affect the others.

mod checks;
mod listening;
mod llm;
mod overlay;
mod session;

use std::time::Duration;

use luna_messages::Lang;
use luna_messages::engine::EngineKind;
use luna_platform::session::DesktopSession;
use serde::Serialize;

use crate::silence_keys;
use crate::system::System;
use luna_config::LoadedConfig;

/// Time limit of one check. Loading the models of recognition takes about a second on a slow machine.
const CHECK_LIMIT: Duration = Duration::from_secs(20);

/// How well the checked part of Luna works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckState {
    Works,
    /// The part works with limits, or something optional is missing.
    Limited,
    /// The part doesn't work.
    Missing,
}

/// Result of one check, for people and programs.
#[derive(Debug, Clone, Serialize)]
pub struct CheckResult {
    /// Name of the check; constant, for programs.
    pub name: &'static str,
    pub state: CheckState,
    /// Finding, one sentence.
    pub detail: String,
    /// What to do unless it works.
    pub remedy: Option<String>,
    /// Finding and remedy in Korean, if they are known in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub korean: Option<KoreanFinding>,
}

/// The sentences of a finding for a person whose language is Korean.
#[derive(Debug, Clone, Serialize)]
pub struct KoreanFinding {
    pub detail: String,
    /// What to do unless it works.
    pub remedy: Option<String>,
}

impl CheckResult {
    pub(crate) fn works(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, state: CheckState::Works, detail: detail.into(), remedy: None, korean: None }
    }

    pub(crate) fn with_remedy(
        name: &'static str,
        state: CheckState,
        detail: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self { name, state, detail: detail.into(), remedy: Some(remedy.into()), korean: None }
    }

    fn in_korean(self, detail: String, remedy: Option<String>) -> Self {
        Self { korean: Some(KoreanFinding { detail, remedy }), ..self }
    }

    /// Finding and remedy for people, in their language if they are known in it.
    #[must_use]
    pub fn sentences(&self, lang: Lang) -> (&str, Option<&str>) {
        match &self.korean {
            Some(korean) if lang == Lang::Ko => (&korean.detail, korean.remedy.as_deref()),
            _ => (&self.detail, self.remedy.as_deref()),
        }
    }

    /// Name of the check, for people.
    #[must_use]
    pub fn title(&self, lang: Lang) -> &'static str {
        let (ko, en) = match self.name {
            "configuration" => ("설정", "Configuration"),
            "running" => ("실행 중인 루나", "Running Luna"),
            "session" => ("데스크톱 세션", "Desktop session"),
            "keyboard_focus" => ("키보드 초점 따라가기", "Following the keyboard focus"),
            "reading" => ("커서 아래 읽기", "Reading at the pointer"),
            "accessibility" => ("접근성 트리", "Accessibility tree"),
            "screen_capture" => ("화면 찍기", "Pictures of the screen"),
            "pointer" => ("커서", "Pointer"),
            "overlay" => ("화면 표시", "Marks on the screen"),
            "hot_key" => ("단축키", "Hot keys"),
            "audio_output" => ("소리 장치", "Sound device"),
            "microphone" => ("마이크", "Microphone"),
            "talk_key" => ("말할 때 누르는 키", "Key that is held to speak"),
            "speech_synthesis" => ("음성 합성", "Speech synthesis"),
            "text_recognition" => ("글자 인식", "Text recognition"),
            "korean_text_recognition" => ("한국어 글자 인식", "Korean text recognition"),
            "models" => ("모델", "Models"),
            "language_model_engine" => ("언어 모델 엔진", "Engine of language models"),
            "language_model" => ("언어 모델", "Language models"),
            "speech_recognition_engine" => ("음성 인식 엔진", "Engine of speech recognition"),
            "speech_recognition" => ("음성 인식 모델", "Model of speech recognition"),
            "understanding" => ("말 알아듣기", "Understanding"),
            "memory" => ("모델을 위한 메모리", "Memory for models"),
            _ => ("그 밖", "Other"),
        };
        match lang {
            Lang::Ko => ko,
            Lang::En => en,
        }
    }
}

/// Runs all checks, in the order in which a person would fix problems.
pub async fn examine(loaded: &LoadedConfig, system: &System) -> Vec<CheckResult> {
    let config = &loaded.config;
    let mut findings = vec![checks::configuration(loaded), checks::running()];
    let session = detect_session().await;
    findings.push(session::session(&session));
    findings.push(limited("accessibility", checks::accessibility(system)).await);
    findings.push(limited("keyboard_focus", session::keyboard_focus(system)).await);
    let keys = config.clone();
    let hot_key = move |system: &System| checks::hot_key(system, &keys);
    let marks = config.clone();
    let overlay = move |system: &System| overlay::overlay(system, &marks);
    for result in [
        limited("reading", session::reading(system)).await,
        off_thread("screen_capture", system, checks::screen_capture).await,
        off_thread("pointer", system, checks::pointer).await,
        off_thread("overlay", system, overlay).await,
        off_thread("hot_key", system, hot_key).await,
    ] {
        findings.push(session::within(&session, result));
    }
    findings.push(off_thread("audio_output", system, checks::audio_output).await);
    let listening = config.clone();
    let microphone = move |system: &System| listening::microphone(system, &listening);
    findings.push(off_thread("microphone", system, microphone).await);
    if silence_keys::talk_key(config).is_some() {
        let keys = config.clone();
        let talk_key = move |system: &System| listening::talk_key(system, &keys);
        findings.push(session::within(&session, off_thread("talk_key", system, talk_key).await));
    }
    findings.push(limited("speech_synthesis", checks::speech(config)).await);
    findings.push(checks::models(config));
    findings.push(checks::understanding());
    let recognition = tokio::time::timeout(CHECK_LIMIT, checks::recognition(config)).await;
    findings.extend(recognition.unwrap_or_else(|_| vec![too_slow("text_recognition")]));
    let engine = llm::engine("language_model_engine", EngineKind::Llm, config);
    findings.push(limited("language_model_engine", engine).await);
    findings.push(limited("language_model", llm::language_models(config)).await);
    let engine = llm::engine("speech_recognition_engine", EngineKind::Stt, config);
    findings.push(limited("speech_recognition_engine", engine).await);
    findings.push(limited("speech_recognition", llm::speech_recognition(config)).await);
    findings.push(limited("memory", llm::memory(config, system)).await);
    findings
}

/// The session; headless if asking takes too long.
#[allow(clippy::disallowed_methods, reason = "asking blocks, and this command ends with it")]
async fn detect_session() -> DesktopSession {
    let work = tokio::task::spawn_blocking(DesktopSession::detect);
    tokio::time::timeout(CHECK_LIMIT, work).await.ok().and_then(Result::ok).unwrap_or(DesktopSession::Headless)
}

async fn limited(name: &'static str, check: impl Future<Output = CheckResult>) -> CheckResult {
    tokio::time::timeout(CHECK_LIMIT, check).await.unwrap_or_else(|_| too_slow(name))
}

/// Runs a blocking check on its own thread, so that a hanging check blocks no other.
#[allow(clippy::disallowed_methods, reason = "the checks block, and this command ends with them")]
async fn off_thread(
    name: &'static str,
    system: &System,
    check: impl FnOnce(&System) -> CheckResult + Send + 'static,
) -> CheckResult {
    let system = system.clone();
    let work = tokio::task::spawn_blocking(move || check(&system));
    match tokio::time::timeout(CHECK_LIMIT, work).await {
        Ok(Ok(finding)) => finding,
        Ok(Err(_)) => CheckResult::with_remedy(
            name,
            CheckState::Missing,
            "The check itself failed.",
            "Report this as a defect of Luna.",
        ),
        Err(_) => too_slow(name),
    }
}

fn too_slow(name: &'static str) -> CheckResult {
    let detail = format!("It did not answer within {} s.", CHECK_LIMIT.as_secs());
    CheckResult::with_remedy(name, CheckState::Missing, detail, "Log out and in again; if it stays, report it.")
}
