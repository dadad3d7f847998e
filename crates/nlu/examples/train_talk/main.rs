//! Trains the order-or-talk classifier (`luna_nlu::talk`) and measures it: `scripts/train-talk.sh`. The same data give the same file, bit by bit. The
//! figures are written beside the file; wrong sentences are printed.
//!
//! `train_talk DATA OUT`: `DATA` is the folder with the texts (`7-nlu`) beside which requests to agents lie (`9-tool-calls`,
//! `11-clarification`) and labels of user interfaces (`8-translation`, `10-ui-trees`).

#![allow(clippy::print_stdout, reason = "wrong sentences are printed")]

mod acceptance;
mod corpora;
mod drawing;
mod labels;
mod learning;
mod measures;
mod random;
mod samples;
mod variants;

use std::path::{Path, PathBuf};

use self::samples::{Part, Sample};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args_os().skip(1).map(PathBuf::from);
    let (Some(data), Some(out)) = (arguments.next(), arguments.next()) else {
        return Err("usage: train_talk DATA OUT".into());
    };
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/train_talk");
    let utterances = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/language/utterances.jsonl");
    let samples = samples::all(&data, &own, &utterances)?;
    let training: Vec<&Sample> = samples.iter().filter(|sample| sample.part == Part::Train).collect();
    let tuning: Vec<&Sample> = samples.iter().filter(|sample| sample.part == Part::Tune).collect();
    let classifier = learning::train(&training, &tuning).ok_or("the weights fit no classifier")?;
    let written = |error: std::io::Error| format!("{}: {error}", out.display());
    std::fs::write(&out, classifier.bytes()).map_err(written)?;
    let mut report = "# What the model that tells orders from talk reaches\n\n".to_owned();
    measures::counts(&mut report, &samples)?;
    measures::tables(&mut report, &classifier, &samples)?;
    let wrong = measures::held_out(&mut report, &classifier, &own.join("held-out.tsv"))?;
    std::fs::write(out.with_file_name("measured.md"), report).map_err(written)?;
    println!("{}", measures::worst(&classifier, &samples)?);
    println!("## Wrong held-out sentences\n\n{wrong}\n{}", measures::tuning(&classifier, &samples));
    println!("{}", measures::time(&classifier));
    let (weights, reached) = acceptance::fit(&samples).ok_or("the weights of the acceptance can't be fitted")?;
    println!("{reached}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/score/weights.in");
    std::fs::write(&path, weights).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(())
}
