//! The OCR engine (OCR-1): PP-OCR models by ONNX Runtime, and Tesseract for Korean lines that no PP-OCR model can read.
//!
//! For each picture [`plan`] chooses parts and scale, [`detect`] finds lines, [`stacks`] mends them, [`follow`] finds where they go on beyond the part that the person
//! points at, [`direction`] turns upside-down ones, [`recognise`] and [`tesseract`] read them, and [`lines`] decides whose reading counts. [`engine`] drives these steps.

mod engine;

mod runtime;

mod quad;

mod contrast;
mod picture;
mod plan;

mod boxes;
mod detect;

mod stacks;

mod direction;

mod follow;

mod letters;
mod reading;
mod script;

mod ctc;
mod recognise;
mod spaces;
mod tesseract;

mod lines;
mod worker;

use std::process::ExitCode;

use luna_wiping_alloc::WipingAlloc;

/// Wipes freed memory, so that read or spoken text does not remain in it (BUF-2).
#[global_allocator]
static HEAP: WipingAlloc = WipingAlloc;

fn main() -> ExitCode {
    // Recognising a line with Tesseract's own threads takes longer than without them.
    // SAFETY: no other thread runs yet.
    unsafe { std::env::set_var("OMP_THREAD_LIMIT", "1") };
    luna_engine_protocol::serve(engine::Ocr::default())
}
