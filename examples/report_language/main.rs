//! Measures how well Luna understands utterances and preserves protected tokens in a translation: `make report-language`.

#![allow(clippy::print_stdout, reason = "a report is printed")]

mod lock;
mod perturb;
mod understanding;

fn main() -> anyhow::Result<()> {
    let mut out = String::new();
    understanding::report(&mut out)?;
    out.push('\n');
    lock::report(&mut out)?;
    println!("{out}");
    Ok(())
}
