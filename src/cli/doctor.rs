//! `luna doctor`.

use std::process::ExitCode;

use luna_messages::Lang;

use super::{Globals, output, small_runtime};
use crate::doctor::{self, CheckResult, CheckState};
use crate::logging::{self, RecentLog};
use crate::settings;
use crate::system::System;

/// Checks what works on this machine, and says how to get the rest. Tries everything for real: bus, display, sound device, engines, models.
#[derive(Debug, clap::Args)]
pub struct DoctorArguments {
    /// Prints JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the checks. Exit code 0 if everything that reading needs works, else 1.
///
/// # Errors
/// If the checks can't be started, or the output can't be written. A failed check is no error but exit code 1.
pub fn run(arguments: DoctorArguments, globals: &Globals) -> anyhow::Result<ExitCode> {
    logging::start(&RecentLog::new(0), "error");
    let loaded = match globals.load() {
        Ok(loaded) => loaded,
        // A broken configuration must not hide other problems: the remaining checks use the built-in configuration.
        Err(error) => {
            output::error(&error);
            luna_config::load(&luna_config::LoadOptions::default())?
        }
    };
    let findings = small_runtime()?.block_on(doctor::examine(&loaded, &System::of_this_machine()));
    if arguments.json {
        output::json(&findings)?;
    } else {
        print(&findings, settings::own_language(&loaded.config))?;
    }
    let fine = findings.iter().all(|finding| finding.state != CheckState::Missing);
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(findings: &[CheckResult], lang: Lang) -> Result<(), output::OutputError> {
    for finding in findings {
        let (mark, word) = match (finding.state, lang) {
            (CheckState::Works, Lang::Ko) => ("[O]", "됩니다"),
            (CheckState::Works, Lang::En) => ("[ok]", "works"),
            (CheckState::Limited, Lang::Ko) => ("[△]", "일부만 됩니다"),
            (CheckState::Limited, Lang::En) => ("[..]", "limited"),
            (CheckState::Missing, Lang::Ko) => ("[X]", "안 됩니다"),
            (CheckState::Missing, Lang::En) => ("[no]", "does not work"),
        };
        let (detail, remedy) = finding.sentences(lang);
        output::line(&format!("{mark} {}: {word}. {detail}", finding.title(lang)))?;
        if let Some(remedy) = remedy {
            let arrow = if lang == Lang::Ko { "해결" } else { "remedy" };
            output::line(&format!("     {arrow}: {remedy}"))?;
        }
    }
    Ok(())
}
