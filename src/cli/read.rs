//! `luna read`.

mod report;

use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use luna_focus::announce::{AnnouncementStyle, announce, is_protected, reads_rows};
use luna_focus::phrases::Phrase;
use luna_messages::Point;
use luna_messages::ocr::{OcrPick, OcrResult};
use luna_messages::pick::{Pick, PickFailure};
use luna_messages::tts::ReadAloud;
use luna_speech::script;

use super::{Globals, output, small_runtime};
use crate::batch_commands::picture::{self, Recogniser};
use crate::batch_commands::{candidates, pick, sound};
use crate::settings;
use crate::system::System;
use luna_config::Config;
use report::{PickReport, ReadReport};

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
            Some(place) => read_screen(&config, place.0, arguments.json)?,
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
    Ok(report_of_picture(result, picked, settings::announcement_style(config)))
}

fn report_of_picture(result: OcrResult, picked: Option<OcrPick>, style: AnnouncementStyle) -> (ReadReport, ReadAloud) {
    let picked = picked.map(|found| {
        let (reading, said) = reading_of(&found.pick, style);
        (PickReport::new(found.pick, said), reading)
    });
    let (picked, pointed) = picked.unzip();
    let reading = match pointed {
        Some(reading) => reading,
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
        picked,
    };
    (report, reading)
}

fn read_screen(config: &Config, point: Point, json: bool) -> anyhow::Result<(ReadReport, ReadAloud)> {
    let (system, style) = (System::of_this_machine(), settings::announcement_style(config));
    let pick = match small_runtime()?.block_on(pick::at(config, &system, point)) {
        Ok(pick) if !is_protected(&pick) => pick,
        refused => {
            let failure = refused.as_ref().err().copied().unwrap_or(PickFailure::Protected);
            if json && failure == PickFailure::Protected {
                let picked = report_of_protected(refused.ok(), point, style);
                output::json(&ReadReport::of_pick(picked, style.lang, false))?;
            }
            return Err(failure_message(config, failure));
        }
    };
    let (reading, said) = reading_of(&pick, style);
    let (lang, is_table) = (pick.lang, pick.is_table);
    Ok((ReadReport::of_pick(PickReport::new(pick, said), lang, is_table), reading))
}

/// What can be told of a protected field (PIC-5). It is not known which one if the tree refused to name it.
fn report_of_protected(pick: Option<Pick>, point: Point, style: AnnouncementStyle) -> PickReport {
    match pick {
        Some(pick) => {
            let said = announce(&pick, None, style).said();
            PickReport::new(pick, said)
        }
        None => PickReport::of_unknown_protected(point, Phrase::NothingToRead(PickFailure::Protected).text(style.lang)),
    }
}

/// What is read aloud of a pick, and the same as one text.
fn reading_of(pick: &Pick, style: AnnouncementStyle) -> (ReadAloud, String) {
    if reads_rows(pick) {
        let rows = ReadAloud::Rows { rows: pick.rows.clone(), has_header: pick.has_header, row: pick.row.unwrap_or(0) };
        let script = script::from_request(&sound::request(rows.clone(), style.lang));
        let said: Vec<&str> = script.sentences.iter().skip(script.first).map(|one| one.text.as_str()).collect();
        return (rows, said.join("\n"));
    }
    let announcement = announce(pick, None, style);
    (announcement.reading(&[]), announcement.said())
}
