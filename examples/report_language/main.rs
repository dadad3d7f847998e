//! Measures how well Luna understands utterances and preserves protected tokens in a translation: `make report-language`.

#![allow(clippy::print_stdout, reason = "a report is printed")]

mod first_sight;
mod lock;
mod perturb;
mod talk;
mod understanding;

use luna_nlu::{Understanding, Vocabulary};

fn main() -> anyhow::Result<()> {
    let mut out = String::new();
    let classifier = luna::order_or_talk::load();
    if let Err(error) = &classifier {
        out.push_str(&format!("{error}: the grammar alone is measured.\n\n"));
    }
    let luna = Understanding::new(&Vocabulary::default());
    let luna = luna.with_classifier(classifier.ok().map(|(_, classifier)| classifier));
    first_sight::report(&mut out, &luna)?;
    understanding::report(&mut out, &luna)?;
    talk::report(&mut out, &luna)?;
    out.push('\n');
    lock::report(&mut out)?;
    println!("{out}");
    Ok(())
}
