//! `luna keys`: which keys Luna has, what each does, which another program has, and what to use instead (SES-6, ATT-6).

use std::process::ExitCode;

use anyhow::bail;
use luna_messages::Lang;
use luna_messages::control::Command;
use luna_platform::PlatformError;
use luna_platform::hot_key::known_uses;
use luna_speech::keys::{purpose, written_key};
use serde::Serialize;

use super::{Globals, output};
use crate::control_protocol::{HotKeyStatus, SilenceStatus};
use crate::system::System;
use crate::{control_client, control_file, hot_keys, peer, settings, silence_keys};
use luna_config::Config;
use luna_config::speech::HoldKey;

/// Lists the keys, what each does and whether Luna can have it. Asks the running Luna, else tries each key for a moment.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 Luna has each key or can have it, or nothing here tells, which the list says then; \
                        1 it lacks one; 2 wrong usage or configuration."
)]
pub struct KeysArguments {
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// All keys.
#[derive(Debug, Serialize)]
struct KeyReport {
    /// Whether a running Luna was asked; else each key was tried.
    running: bool,
    /// Whether the configuration names other keys than the running Luna has, which count after a restart.
    needs_restart: bool,
    /// Why no key can be tried here.
    untried: Option<String>,
    hot_keys: Vec<KeyEntry>,
    silence: SilenceStatus,
}

/// A hot key.
#[derive(Debug, Serialize)]
struct KeyEntry {
    /// Name of the command, as in `control.hot_keys`.
    command: Command,
    /// As in `control.hot_keys`.
    key: String,
    /// What it does, in Luna's language.
    purpose: &'static str,
    /// Whether Luna has it or can have it; `None` if it can't be tried here.
    held: Option<bool>,
    /// Why not.
    reason: Option<String>,
    /// A free key.
    proposal: Option<String>,
    /// Who uses this key by default.
    used_by: Vec<&'static str>,
}

/// Runs `luna keys`.
///
/// # Errors
/// If Luna lacks a key, the running Luna does not answer, or the output can't be written.
pub fn run(arguments: KeysArguments, globals: &Globals) -> anyhow::Result<ExitCode> {
    let config = globals.load()?.config;
    let lang = settings::own_language(&config);
    let report = report(&config, lang)?;
    if arguments.json {
        output::json(&report)?;
    } else {
        print(&report, lang)?;
    }
    let missing: Vec<String> =
        report.hot_keys.iter().filter(|key| key.held == Some(false)).map(|key| written_key(&key.key)).collect();
    if !missing.is_empty() {
        bail!("Luna can't have {} of {} keys: {}", missing.len(), report.hot_keys.len(), missing.join(", "));
    }
    Ok(ExitCode::SUCCESS)
}

fn report(config: &Config, lang: Lang) -> anyhow::Result<KeyReport> {
    let configured = hot_keys::configured(config);
    let mut untried = None;
    let (running, states, silence) = match status_of_running_luna()? {
        Some((states, silence)) => (true, states, silence),
        None => {
            let states = match hot_keys::try_all(&*System::of_this_machine().hot_keys, &configured) {
                Ok(states) => states,
                Err(PlatformError::Unavailable(why)) => {
                    untried = Some(format!("{} {}", why.reason, why.remedy));
                    hot_keys::board_of(&configured)
                }
                Err(other) => return Err(anyhow::Error::new(other).context("the keys can't be tried")),
            };
            let talk_key = silence_keys::talk_key(config);
            (false, states, SilenceStatus::of(silence_keys::settings(config), talk_key, untried.clone()))
        }
    };
    let is_configured = |state: &HotKeyStatus| {
        configured.iter().any(|(command, key)| *command == state.command && key.to_string() == state.key)
    };
    let needs_restart = states.len() != configured.len() || !states.iter().all(is_configured);
    let entry = |state: HotKeyStatus| KeyEntry {
        purpose: purpose(state.command, lang),
        used_by: users(&state.key),
        command: state.command,
        key: state.key,
        held: untried.is_none().then_some(state.held),
        reason: state.reason.or_else(|| untried.clone()),
        proposal: state.proposal,
    };
    let mut hot_keys: Vec<KeyEntry> = states.into_iter().map(entry).collect();
    hot_keys.sort_by_key(|key| Command::ALL.iter().position(|command| *command == key.command));
    Ok(KeyReport { running, needs_restart, untried, hot_keys, silence })
}

/// Who uses a key by default.
fn users(key: &str) -> Vec<&'static str> {
    let Ok(key) = key.parse() else { return Vec::new() };
    let mut users: Vec<&str> = known_uses(&key).map(|known| known.by).collect();
    users.dedup();
    users
}

/// The keys of the running Luna; `None` if none runs.
fn status_of_running_luna() -> anyhow::Result<Option<(Vec<HotKeyStatus>, SilenceStatus)>> {
    let Ok(control) = control_file::read(&control_file::path()) else { return Ok(None) };
    if peer::verify(&control).is_err() {
        return Ok(None);
    }
    let status = control_client::ask_status(&control)?;
    Ok(Some((status.hot_keys, status.silence)))
}

fn print(report: &KeyReport, lang: Lang) -> Result<(), output::OutputError> {
    let of = |ko: &'static str, en: &'static str| if lang == Lang::Ko { ko } else { en };
    output::line(match (report.running, &report.untried) {
        (true, _) => of("지금 돌고 있는 루나의 키:", "The keys of the running Luna:"),
        (false, None) => {
            of("루나가 돌고 있지 않아서 키를 하나씩 시험했습니다:", "Luna does not run, so each key was tried:")
        }
        (false, Some(_)) => of(
            "루나가 돌고 있지 않고 여기서는 키를 시험할 수 없습니다. 설정된 키:",
            "Luna does not run, and no key can be tried here. The configured keys:",
        ),
    })?;
    if let Some(why) = &report.untried {
        output::line(&format!("  {why}"))?;
    }
    for key in &report.hot_keys {
        let state = match (key.held, report.running) {
            (Some(true), true) => of("씁니다", "works"),
            (Some(true), false) => of("쓸 수 있습니다", "can be used"),
            (Some(false), _) => of("쓸 수 없습니다", "does not work"),
            (None, _) => of("다른 프로그램이 가졌는지 알 수 없습니다", "whether another program has it can't be told"),
        };
        output::line(&format!("  {}: {}. {state}.", written_key(&key.key), key.purpose))?;
        if key.held != Some(true) {
            if let Some(reason) = key.reason.as_ref().filter(|_| report.untried.is_none()) {
                output::line(&format!("    {reason}"))?;
            }
            if !key.used_by.is_empty() {
                output::line(&format!(
                    "    {}: {}.",
                    of("처음부터 쓰는 곳", "Used by default in"),
                    key.used_by.join(", ")
                ))?;
            }
            if let Some(proposal) = &key.proposal {
                let name = key.command.name();
                output::line(&match lang {
                    Lang::Ko => format!(
                        "    비어 있는 키: {} (설정: control.hot_keys.{name}: {proposal})",
                        written_key(proposal)
                    ),
                    Lang::En => {
                        format!("    Free: {} (set control.hot_keys.{name}: {proposal})", written_key(proposal))
                    }
                })?;
            }
        }
    }
    let silence = &report.silence;
    for (on, ko, en) in [
        (
            silence.talk_key == Some(HoldKey::RightCtrl),
            "오른쪽 Ctrl을 누르고 있기: 루나에게 말하기. 프로그램도 이 키를 받습니다.",
            "Right Ctrl held down: speak to Luna; the application gets the key, too.",
        ),
        (
            silence.talk_key == Some(HoldKey::LeftCtrl),
            "왼쪽 Ctrl을 누르고 있기: 루나에게 말하기. 프로그램도 이 키를 받습니다.",
            "Left Ctrl held down: speak to Luna; the application gets the key, too.",
        ),
        (
            silence.ctrl_tap,
            "Ctrl만 짧게 누르기: 조용히. 프로그램도 이 키를 받습니다.",
            "A tap of Ctrl alone: silence; the application gets the key, too.",
        ),
        (
            silence.any_key,
            "아무 키나: 조용히. 프로그램도 이 키를 받습니다.",
            "Any key: silence; the application gets the key, too.",
        ),
    ] {
        if on {
            output::line(&format!("  {}", of(ko, en)))?;
        }
    }
    if let Some(reason) = silence.reason.as_ref().filter(|_| report.untried.is_none()) {
        output::line(&format!("    {}: {reason}", of("지금은 안 됩니다", "Not now")))?;
        if silence.talk_key.is_some() {
            output::line(&format!(
                "    {}",
                of(
                    "voice.command_mode를 wake-only나 auto로 바꾸면 이름을 불러서 말할 수 있습니다.",
                    silence_keys::WITHOUT_TALK_KEY
                )
            ))?;
        }
    }
    if report.needs_restart {
        output::line(of(
            "설정에는 다른 키가 있습니다. 루나를 다시 시작하면 쓰입니다.",
            "The configuration names other keys; they count after a restart of Luna.",
        ))?;
    }
    Ok(())
}
