//! `luna read`.

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use luna_focus::phrases::Phrase;
use luna_messages::ocr::{OcrBlock, OcrPick, OcrResult};
use luna_messages::pick::{Pick, PickFailure};
use luna_messages::tts::ReadAloud;
use luna_messages::{Lang, Point, Rect};
use serde::Serialize;

use super::{Globals, output, small_runtime};
use crate::batch_commands::picture::{self, Recogniser};
use crate::batch_commands::{candidates, pick, sound};
use crate::settings;
use crate::system::System;
use luna_config::Config;

/// Reads what is at a place on the screen or in a picture, once: prints it and speaks it.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = true, args = ["at", "image"])]
pub struct ReadArguments {
    /// The place, in physical pixels of the screen or of the picture.
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    at: Option<ScreenPoint>,
    /// Reads a picture file instead of the screen.
    #[arg(long, value_name = "FILE")]
    image: Option<PathBuf>,
    /// Lists the candidates for commands in the window at the place instead of reading; stays silent.
    #[arg(long, requires = "at", conflicts_with = "image")]
    candidates: bool,
    /// Magnification of the picture before recognition, 1 to 4.
    #[arg(long, default_value_t = 1.0, value_parser = parse_magnification)]
    magnify: f32,
    /// Prints JSON and stays silent.
    #[arg(long)]
    json: bool,
    /// Prints and stays silent.
    #[arg(long)]
    silent: bool,
}

/// A point given as `X,Y`.
#[derive(Debug, Clone, Copy)]
struct ScreenPoint(Point);

impl FromStr for ScreenPoint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("\"{text}\" is no place; give it as X,Y in pixels, such as 640,480");
        let (x, y) = text.split_once(',').ok_or_else(wrong)?;
        let number = |part: &str| part.trim().parse().map_err(|_| wrong());
        Ok(Self(Point::new(number(x)?, number(y)?)))
    }
}

fn parse_magnification(text: &str) -> Result<f32, String> {
    text.parse().ok().filter(|m| (1.0..=4.0).contains(m)).ok_or_else(|| format!("{text} is not between 1 and 4"))
}

/// What `--json` prints.
#[derive(Debug, Serialize)]
struct ReadReport {
    blocks: Vec<OcrBlock>,
    picked: Option<PickReport>,
    is_table: bool,
    lang: Lang,
    #[serde(skip_serializing_if = "Option::is_none")]
    low_quality: Option<bool>,
}

#[derive(Debug, Serialize)]
struct PickReport {
    text: String,
    bbox: Rect,
    method: luna_messages::pick::PickMethod,
    confidence: f32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rows: Vec<Vec<String>>,
    has_header: bool,
    /// Index of the row that is pointed at.
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<usize>,
}

impl From<Pick> for PickReport {
    fn from(pick: Pick) -> Self {
        Self {
            text: pick.text,
            bbox: pick.bbox,
            method: pick.method,
            confidence: pick.confidence,
            rows: pick.rows,
            has_header: pick.has_header,
            row: pick.row,
        }
    }
}

/// Runs `luna read`.
///
/// # Errors
/// If there is nothing to read, a required part is unavailable, or the output can't be written.
pub fn run(arguments: ReadArguments, globals: &Globals) -> anyhow::Result<ExitCode> {
    let config = globals.load()?.config;
    if let (true, Some(place)) = (arguments.candidates, arguments.at) {
        return list(&config, place.0, arguments.json);
    }
    let (report, reading) = match &arguments.image {
        Some(path) => read_picture(&config, picture::open(path)?, &arguments)?,
        None => match arguments.at {
            Some(place) => read_screen(&config, place.0)?,
            None => anyhow::bail!("say where to read, with --at X,Y or --image FILE"),
        },
    };
    if arguments.json {
        output::json(&report)?;
        return Ok(ExitCode::SUCCESS);
    }
    match &report.picked {
        Some(picked) => print_all(std::iter::once(&picked.text))?,
        None => print_all(report.blocks.iter().map(|block| block.text.as_str()))?,
    }
    if !arguments.silent {
        let request = sound::request(reading, settings::own_language(&config));
        small_runtime()?.block_on(sound::aloud(&config, &System::of_this_machine(), request))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the candidates of the window at a point (PIC-9).
fn list(config: &Config, point: Point, json: bool) -> anyhow::Result<ExitCode> {
    let system = System::of_this_machine();
    let found = small_runtime()?
        .block_on(candidates::at(config, &system, point))
        .map_err(|failure| failure_message(config, failure))?;
    if json {
        output::json(&found)?;
    } else {
        print_all(found.iter().map(candidates::line))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints lines until the reader closes the pipe.
fn print_all(lines: impl Iterator<Item = impl AsRef<str>>) -> Result<(), output::OutputError> {
    for line in lines {
        if !output::line(line.as_ref())? {
            break;
        }
    }
    Ok(())
}

/// The reason that there is nothing to read, in Luna's words.
fn failure_message(config: &Config, failure: PickFailure) -> anyhow::Error {
    anyhow::anyhow!("{}", Phrase::NothingToRead(failure).text(settings::own_language(config)))
}

fn read_picture(
    config: &Config,
    picture: luna_messages::image::Picture,
    arguments: &ReadArguments,
) -> anyhow::Result<(ReadReport, ReadAloud)> {
    let (result, picked) = small_runtime()?.block_on(async {
        let recogniser = Recogniser::new(config);
        let result = recogniser.recognise(picture, arguments.magnify).await;
        let picked = match (&result, arguments.at) {
            (Ok(result), Some(place)) => recogniser.pick(result, place.0),
            _ => None,
        };
        recogniser.close().await;
        result.map(|result| (result, picked))
    })?;
    let lang = settings::own_language(config);
    if result.blocks.is_empty() {
        output::remark(Phrase::NothingToRead(PickFailure::NoText).text(lang));
    } else if result.low_quality {
        output::remark(Phrase::LowQuality.text(lang));
    }
    Ok(report_of_picture(result, picked))
}

fn report_of_picture(result: OcrResult, picked: Option<OcrPick>) -> (ReadReport, ReadAloud) {
    let reading = match &picked {
        Some(found) => reading_of(&found.pick),
        None if !result.rows.is_empty() => {
            ReadAloud::Rows { rows: result.rows.clone(), has_header: result.has_header, row: 0 }
        }
        None => {
            let text = result.blocks.iter().map(|block| block.text.as_str()).collect::<Vec<_>>().join("\n");
            ReadAloud::Text { text, offset: 0 }
        }
    };
    let report = ReadReport {
        is_table: !result.rows.is_empty(),
        lang: result.lang,
        low_quality: Some(result.low_quality),
        blocks: result.blocks,
        picked: picked.map(|found| found.pick.into()),
    };
    (report, reading)
}

fn read_screen(config: &Config, point: Point) -> anyhow::Result<(ReadReport, ReadAloud)> {
    let system = System::of_this_machine();
    let picked = small_runtime()?.block_on(pick::at(config, &system, point));
    let pick = picked.map_err(|failure| failure_message(config, failure))?;
    let reading = reading_of(&pick);
    let block =
        OcrBlock { text: pick.text.clone(), bbox: pick.bbox, confidence: pick.confidence, contrast: 1.0, order: 0 };
    let report = ReadReport {
        blocks: vec![block],
        is_table: pick.is_table,
        lang: pick.lang,
        low_quality: None,
        picked: Some(pick.into()),
    };
    Ok((report, reading))
}

fn reading_of(pick: &Pick) -> ReadAloud {
    if pick.is_table && !pick.rows.is_empty() {
        ReadAloud::Rows { rows: pick.rows.clone(), has_header: pick.has_header, row: pick.row.unwrap_or(0) }
    } else {
        ReadAloud::Text { text: pick.text.clone(), offset: pick.offset.unwrap_or(0) }
    }
}
