//! `luna llm`.

use std::cell::{Cell, RefCell};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use luna_llm_tasks::schema_subset;
use luna_messages::engine::{ChatMessage, ChatRole, FinishReason, GenerateJob, Grammar, Prompt, Sampling, TextPart};
use luna_messages::llm::GeneratedText;
use luna_model_store::manifest::Format;
use serde_json::json;

use super::{Globals, input, output, progress, small_runtime};
use crate::batch_commands::generate::{GenerationProgress, generate};
use crate::batch_commands::models::EngineProgress;
use crate::settings;
use crate::system::System;
use luna_config::Config;

/// Maximum tokens of thinking, with `--think`.
const MAX_THINKING_TOKENS: u32 = 1024;

/// Asks a language model on this machine. The answer appears on standard output as it is generated, everything else on standard error.
#[derive(Debug, clap::Args)]
pub struct LlmArguments {
    /// The prompt; `-` reads standard input.
    prompt: String,
    /// A JSON Schema; the model is forced to answer by it.
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,
    /// A model of `luna models list`, or any GGUF file; default: models.tasks.intent of the configuration.
    #[arg(long, value_name = "NAME|FILE")]
    model: Option<String>,
    /// Maximum tokens of the answer; default: modes.default.max_tokens of the configuration.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=131_072))]
    max_tokens: Option<u32>,
    /// Lets the model think before it answers, and shows its thinking on standard error.
    #[arg(long)]
    think: bool,
    /// Prints the whole answer with figures as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs `luna llm`. Exit codes: 0 success, 1 no answer or one that violates the schema, 2 wrong usage or configuration.
///
/// # Errors
/// If the configuration or an argument is invalid, the model or its engine fails, or the output can't be written; the error says what to do.
pub fn run(arguments: LlmArguments, globals: &Globals) -> anyhow::Result<ExitCode> {
    let mut config = globals.load()?.config;
    if let Err(wrong) = super::choose_model(&mut config.models.tasks.intent, arguments.model.as_deref(), Format::Gguf) {
        return Ok(wrong);
    }
    let job = job(&arguments, &config)?;
    let lang = settings::own_language(&config);
    let (answer, thinking) = (RefCell::new(String::new()), RefCell::new(String::new()));
    let progress = RefCell::new(progress::ProgressPrinter::new(lang));
    let (begun, unwritten) = (Cell::new(None), Cell::new(None));
    let tell = |told: GenerationProgress| match told {
        GenerationProgress::Step(step) => {
            progress.borrow_mut().step(&step);
            true
        }
        GenerationProgress::Text(GeneratedText { part, text }) => {
            // Its state is polled, so the text may be here first; nothing is printed into it.
            progress.borrow_mut().step(&EngineProgress::Working);
            match part {
                TextPart::Answer => answer.borrow_mut().push_str(&text),
                TextPart::Thinking => thinking.borrow_mut().push_str(&text),
            }
            // If the reader is gone or the disk is full, the model is stopped.
            show(part, &text, begun.replace(Some(part)), arguments.json).unwrap_or_else(|error| {
                unwritten.set(Some(error));
                false
            })
        }
    };
    let system = System::of_this_machine();
    let outcome =
        small_runtime()?.block_on(generate(&config, &system, job, arguments.think, progress::lease_lost, tell));
    progress.borrow_mut().clear();
    if let Some(error) = unwritten.take() {
        return Err(error.into());
    }
    if begun.get().is_some() && !arguments.json {
        output::line("")?;
    }
    // The reader closed the pipe, which is no failure.
    let Some(usage) = outcome? else { return Ok(ExitCode::SUCCESS) };
    let answer = answer.take();
    let cut = cut(usage.stop, usage.answer_tokens);
    let shapeless = arguments.schema.is_some() && serde_json::from_str::<serde::de::IgnoredAny>(&answer).is_err();
    if arguments.json {
        let thinking = arguments.think.then(|| thinking.take());
        let model = &config.models.tasks.intent;
        let told = json!({
            "answer": answer, "thinking": thinking, "model": model, "usage": usage, "finished": cut.is_none(), "reason": cut,
        });
        output::json(&told)?;
    }
    match cut {
        Some(why) => output::remark(&format!("luna: {why}")),
        None if shapeless => output::remark("luna: the model ended its answer before it matched the schema"),
        None => {}
    }
    // A truncated text is useful; truncated JSON is not.
    Ok(if shapeless { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Why an answer is truncated, and what to do.
fn cut(stop: FinishReason, tokens: u32) -> Option<String> {
    match stop {
        FinishReason::End | FinishReason::StopText => None,
        FinishReason::AnswerLimit => {
            Some(format!("the answer was cut off at its limit of {tokens} tokens; allow more with --max-tokens"))
        }
        FinishReason::ContextFull => Some(
            "the answer was cut off because the context is full; shorten the prompt, or set engines.llm.context_tokens higher".to_owned(),
        ),
    }
}

/// Prints the answer as it arrives; thinking goes to standard error and ends its line before the answer.
fn show(part: TextPart, text: &str, before: Option<TextPart>, silent: bool) -> output::Printed {
    match part {
        _ if silent => Ok(true),
        TextPart::Thinking => {
            output::remark_piece(text);
            Ok(true)
        }
        TextPart::Answer => {
            if before == Some(TextPart::Thinking) {
                output::remark("");
            }
            output::piece(text)
        }
    }
}

/// Maximum tokens of an answer: the requested number, else `modes.default.max_tokens`.
#[must_use]
pub fn answer_tokens(asked: Option<u32>, config: &Config) -> u32 {
    asked.unwrap_or(config.modes.default.max_tokens)
}

fn job(arguments: &LlmArguments, config: &Config) -> anyhow::Result<GenerateJob> {
    let prompt = input::argument(arguments.prompt.clone(), "the prompt")?;
    let grammar = match &arguments.schema {
        None => None,
        Some(path) => {
            let name = path.display();
            let schema = input::text(Some(path)).with_context(|| format!("the schema {name} can't be used"))?;
            let value = serde_json::from_str::<serde_json::Value>(&schema)
                .with_context(|| format!("the schema {name} is no JSON"))?;
            // Checked before anything is loaded: unsupported parts of a schema would be ignored silently.
            schema_subset::check(&value).with_context(|| format!("the schema {name} can't be used"))?;
            Some(Grammar::JsonSchema { schema })
        }
    };
    Ok(GenerateJob {
        prompt: Prompt::Chat { messages: vec![ChatMessage { role: ChatRole::User, text: prompt }] },
        max_answer_tokens: answer_tokens(arguments.max_tokens, config),
        max_thinking_tokens: if arguments.think { MAX_THINKING_TOKENS } else { 0 },
        sampling: Sampling::default(),
        stop: Vec::new(),
        grammar,
        pictures: Vec::new(),
    })
}
