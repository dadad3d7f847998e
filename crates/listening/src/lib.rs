//! From the sound of the microphone to what was said to Luna (STT-1, STT-2, STT-4, BRG, VOI-1). Pure: samples, words and times are arguments.

#![forbid(unsafe_code)]

pub mod signal;
pub mod turn;
