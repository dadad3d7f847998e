//! The OCR engine (OCR-1): PP-OCR models by ONNX Runtime, Tesseract for Korean lines that no PP-OCR model can read.
//!
//! The way of a picture: [`plan`] says where and at what scale to look, [`detect`] finds lines, [`direction`] turns those that
//! stand on their head, [`lines`] chooses a recogniser for each, [`recognise`] and [`tesseract`] read. [`engine`] holds it
//! together.

mod engine;

mod runtime;

mod quad;

mod picture;
mod plan;

mod boxes;
mod detect;

mod direction;

mod ctc;
mod recognise;
mod spaces;
mod tesseract;

mod lines;

use std::process::ExitCode;

use luna_wiping_alloc::WipingAlloc;

/// What was read or spoken does not stay in freed memory (BUF-2).
#[global_allocator]
static HEAP: WipingAlloc = WipingAlloc;

fn main() -> ExitCode {
    // One line is too little work for several threads of Tesseract's own; with them it takes longer.
    // SAFETY: no other thread runs yet.
    unsafe { std::env::set_var("OMP_THREAD_LIMIT", "1") };
    luna_engine_protocol::serve(engine::Ocr::default())
}
