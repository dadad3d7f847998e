//! The echo canceller: frames in, and two frames out, one with what the linear filter leaves and one with what is left after suppression.

use std::collections::VecDeque;

use luna_messages::engine::STT_SAMPLE_RATE;
use sonora_aec3::block::Block;
use sonora_aec3::block_processor::BlockProcessor;
use sonora_aec3::common::BLOCK_SIZE;
use sonora_aec3::config::EchoCanceller3Config;
use zeroize::Zeroize;

use super::FRAME;
use super::high_pass::HighPass;

/// Samples by which blocks lag behind frames at most: a frame is two and a half blocks.
const LAG: usize = BLOCK_SIZE / 2;
/// Samples by which both outputs are delayed: the lag, and a block of the filter bank of the suppressor. The linear output is delayed as much.
pub(super) const DELAY: usize = LAG + BLOCK_SIZE;
/// The canceller's full scale.
const SCALE: f32 = 32_768.0;
/// Samples from which the converter of a microphone was overdriven.
const SATURATED: f32 = 32_700.0;

/// What is left of a frame of the microphone.
pub(super) struct CancelledFrame {
    /// After the linear filter: without most of the echo, and with all of what people say. For the recogniser.
    pub linear: [f32; FRAME],
    /// After suppression: without echo, and with holes in what people say at the same time. For the detector of voices.
    pub clean: [f32; FRAME],
}

/// Removes a reference from a microphone's sound.
pub(super) struct EchoCanceller {
    processor: BlockProcessor,
    high_pass: HighPass,
    microphone: VecDeque<f32>,
    played: VecDeque<f32>,
    linear: VecDeque<f32>,
    clean: VecDeque<f32>,
    blocks: [Block; 3],
}

impl EchoCanceller {
    pub fn new() -> Self {
        let mut config = EchoCanceller3Config::default();
        config.filter.export_linear_aec_output = true;
        let silence = |count| VecDeque::from(vec![0.0; count]);
        Self {
            processor: BlockProcessor::new(&config, STT_SAMPLE_RATE as usize, 1, 1),
            high_pass: HighPass::new(),
            microphone: VecDeque::new(),
            played: VecDeque::new(),
            // The suppressor's filter bank delays by itself.
            linear: silence(LAG + BLOCK_SIZE),
            clean: silence(LAG),
            blocks: [Block::new(1, 1), Block::new(1, 1), Block::new(1, 1)],
        }
    }

    /// Takes a frame of the microphone and what was played meanwhile.
    pub fn process(&mut self, frame: &[f32], played: &[f32]) -> CancelledFrame {
        self.microphone.extend(frame.iter().map(|sample| self.high_pass.filter(*sample) * SCALE));
        self.played.extend(played.iter().map(|sample| sample * SCALE));
        let [microphone, reference, linear] = &mut self.blocks;
        // First all of the reference: it must not come behind its echo.
        while self.played.len() >= BLOCK_SIZE {
            fill(reference, &mut self.played);
            self.processor.buffer_render(reference);
        }
        while self.microphone.len() >= BLOCK_SIZE {
            fill(microphone, &mut self.microphone);
            let saturated = microphone.view(0, 0).iter().any(|sample| sample.abs() >= SATURATED);
            self.processor.process_capture(false, saturated, Some(linear), microphone);
            self.linear.extend(linear.view(0, 0));
            self.clean.extend(microphone.view(0, 0));
        }
        CancelledFrame { linear: next_frame(&mut self.linear), clean: next_frame(&mut self.clean) }
    }
}

impl Drop for EchoCanceller {
    fn drop(&mut self) {
        for waiting in [&mut self.microphone, &mut self.played, &mut self.linear, &mut self.clean] {
            waiting.make_contiguous().zeroize();
        }
        for block in &mut self.blocks {
            block.view_mut(0, 0).zeroize();
        }
    }
}

fn fill(block: &mut Block, waiting: &mut VecDeque<f32>) {
    for (sample, next) in block.view_mut(0, 0).iter_mut().zip(waiting.drain(..BLOCK_SIZE)) {
        *sample = next;
    }
}

fn next_frame(waiting: &mut VecDeque<f32>) -> [f32; FRAME] {
    let mut frame = [0.0; FRAME];
    for (sample, next) in frame.iter_mut().zip(waiting.drain(..FRAME.min(waiting.len()))) {
        let next = next / SCALE;
        *sample = if next.is_finite() { next.clamp(-1.0, 1.0) } else { 0.0 };
    }
    frame
}
