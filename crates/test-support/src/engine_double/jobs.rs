//! The double's results of successful jobs.

use luna_engine_protocol::{EngineChunk, EngineJob};
use luna_messages::engine::{FinishReason, GenerationUsage, RecognisedLine, TextPart, TranscribedSegment};
use luna_messages::{Lang, Rect};

use super::EngineTiming;

/// Duration of a part of speech, in milliseconds.
const PIECE_MS: u32 = 100;

/// The parts of the result with their payloads.
pub(super) fn parts(job: &EngineJob, payload: &[u8], timing: &EngineTiming) -> Vec<(EngineChunk, Vec<u8>)> {
    let without_payload = |chunks: Vec<EngineChunk>| chunks.into_iter().map(|chunk| (chunk, Vec::new())).collect();
    match job {
        EngineJob::Speak(job) => {
            let characters = u32::try_from(job.text.chars().count()).unwrap_or(u32::MAX);
            let pieces = (characters.saturating_mul(timing.speech_ms) / PIECE_MS).max(1);
            let samples = (timing.sample_rate * PIECE_MS / 1000) as usize;
            let sound = 8000i16.to_le_bytes().repeat(samples);
            let chunk = EngineChunk::Sound { sample_rate: timing.sample_rate, words: Vec::new() };
            (0..pieces).map(|_| (chunk.clone(), sound.clone())).collect()
        }
        EngineJob::Recognise(job) => {
            let side = |pixels: u32| i32::try_from(pixels).unwrap_or(i32::MAX);
            let (width, height) = (side(job.width), side(job.height));
            let line = |text: &str, y: i32| {
                EngineChunk::Line(RecognisedLine {
                    text: text.into(),
                    bbox: Rect::new(0, y, width, height / 2),
                    confidence: 0.9,
                    contrast: 1.0,
                    recogniser: "double".into(),
                })
            };
            without_payload(vec![line("A line of text", 0), line("한 줄 더", height / 2)])
        }
        EngineJob::Generate(job) => {
            let words = job.max_answer_tokens.min(40);
            let thoughts = job.max_thinking_tokens.min(3);
            let thought = |_| EngineChunk::Text { part: TextPart::Thinking, text: "hm ".into() };
            let text = |_| EngineChunk::Text { part: TextPart::Answer, text: "word ".into() };
            let usage = EngineChunk::Usage(GenerationUsage {
                prompt_tokens: 10,
                reused_tokens: 0,
                thinking_tokens: thoughts,
                answer_tokens: words,
                thinking_cut: false,
                stop: FinishReason::End,
                first_token_us: 1,
            });
            without_payload((0..thoughts).map(thought).chain((0..words).map(text)).chain([usage]).collect())
        }
        EngineJob::CountTokens(job) => {
            let count = |text: &String| u32::try_from(text.split_whitespace().count()).unwrap_or(u32::MAX);
            without_payload(vec![EngineChunk::TokenCounts { counts: job.texts.iter().map(count).collect() }])
        }
        EngineJob::Transcribe(job) => {
            let end_ms = payload.len() as u64 / 32;
            let segment = EngineChunk::Transcript(TranscribedSegment {
                text: "said".into(),
                start_ms: 0,
                end_ms,
                lang: job.lang.unwrap_or(Lang::En),
                confidence: 0.9,
                no_speech: 0.0,
            });
            let partial = EngineChunk::PartialTranscript { text: "sa".into() };
            without_payload(if job.partials { vec![partial, segment] } else { vec![segment] })
        }
    }
}
