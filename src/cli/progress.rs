//! Progress on standard error while a model is loaded and works.

use std::io::IsTerminal as _;

use luna_messages::Lang;
use tokio::time::Instant;

use super::output;
use crate::batch_commands::models::EngineProgress;

/// Prints why the memory for a model was revoked.
pub fn lease_lost(why: &str) {
    output::remark(&format!("luna: {why}"));
}

/// Characters of a partial result that are shown: fits on a line even if all are wide.
const MAX_SHOWN_CHARACTERS: usize = 38;

/// Prints each step on a line; frequent changes only on a terminal, redrawing one line.
pub struct ProgressPrinter {
    lang: Lang,
    terminal: bool,
    /// Whether the line on the terminal has text.
    drawn: bool,
    /// When loading began.
    loading: Option<Instant>,
}

impl ProgressPrinter {
    /// Prints in the person's language.
    #[must_use]
    pub fn new(lang: Lang) -> Self {
        Self { lang, terminal: std::io::stderr().is_terminal(), drawn: false, loading: None }
    }

    /// Prints a new state of the engine.
    pub fn step(&mut self, step: &EngineProgress) {
        self.clear();
        match step {
            EngineProgress::Loading { model, mb } => {
                self.loading = Some(Instant::now());
                output::remark(&match self.lang {
                    Lang::Ko => format!("{model} 모델을 불러오는 중이에요 (메모리 약 {mb} MB)…"),
                    Lang::En => format!("Loading {model} (about {mb} MB of memory)…"),
                });
            }
            EngineProgress::Working => {
                if let Some(since) = self.loading.take() {
                    let seconds = since.elapsed().as_secs_f64();
                    output::remark(&match self.lang {
                        Lang::Ko => format!("불러왔어요 ({seconds:.1}초)."),
                        Lang::En => format!("Loaded in {seconds:.1} s."),
                    });
                }
            }
        }
    }

    /// Shows the text recognised so far, or its end if it is long.
    pub fn partial(&mut self, text: &str) {
        if self.terminal {
            let skipped = text.chars().count().saturating_sub(MAX_SHOWN_CHARACTERS);
            let end: String = text.chars().skip(skipped).filter(|c| !c.is_control()).collect();
            output::redraw(&format!("… {end}"));
            self.drawn = true;
        }
    }

    /// Clears the line on the terminal.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.drawn) {
            output::redraw("");
        }
    }
}
