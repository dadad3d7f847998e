//! A clip on its way into the ring: stretched and resampled, with the places of what was pushed.

use std::collections::VecDeque;

use luna_speech::resample::Resampler;
use luna_speech::tempo::Tempo;
use zeroize::Zeroize;

use super::PlaybackJob;
use crate::clip::{ClipEnd, ClipPosition};
use crate::ring::{Ring, RingSlot};

/// Milliseconds of a clip that are processed in one step.
const STEP_MS: u32 = 10;
/// Places kept: at four times the speed 640 ms of sound, more than ring and device hold.
const PLACES: usize = 256;

/// How far a call of [`Feeding::push`] came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fed {
    /// The ring is full, or more of the clip is still to be synthesised, or all is pushed.
    Waiting,
    /// The synthesis failed.
    Failed(ClipEnd),
}

/// A clip that is being fed into the ring.
pub(super) struct Feeding {
    pub job: PlaybackJob,
    place: ClipPosition,
    /// Samples of the clip before `place`.
    read: usize,
    tempo: Option<Tempo>,
    /// Samples of the clip before the first that the stretch was given.
    stretched_from: usize,
    resampler: Option<Resampler>,
    /// Samples ready for the ring; those before `at` are in it.
    ready: Vec<f32>,
    at: usize,
    /// Samples ever ready.
    made: usize,
    /// What was made: samples for the device, and the sample of the clip that comes next.
    places: VecDeque<(usize, usize)>,
    start_pushed: bool,
    /// The whole clip is stretched; only `ready` is left.
    fully_processed: bool,
    end_pushed: bool,
    /// Reused buffers, so that not every step allocates.
    input: Vec<f32>,
    stretched: Vec<f32>,
}

impl Feeding {
    pub fn new(job: PlaybackJob) -> Self {
        Self {
            job,
            place: ClipPosition::START,
            read: 0,
            tempo: None,
            stretched_from: 0,
            resampler: None,
            ready: Vec::new(),
            at: 0,
            made: 0,
            places: VecDeque::from([(0, 0)]),
            start_pushed: false,
            fully_processed: false,
            end_pushed: false,
            input: Vec::new(),
            stretched: Vec::new(),
        }
    }

    /// Goes on from sample `from` of the clip under a new number of the order; the order that has `started` does not start again.
    pub fn go_to(&mut self, from: usize, order: u32, started: bool) {
        let mut job = self.job.clone();
        job.order = order;
        let mut next = Self::new(job);
        next.place = next.job.clip.position(from);
        next.read = from;
        next.places = VecDeque::from([(0, from)]);
        next.start_pushed = started;
        // The drop of the old one wipes what was ready.
        *self = next;
    }

    /// The sample of the clip at which the device is after `played` samples of this order: to within 20 ms.
    pub fn clip_sample(&self, played: usize) -> usize {
        let next = self.places.partition_point(|(made, _)| *made <= played);
        let (made, sample) = next.checked_sub(1).and_then(|at| self.places.get(at)).copied().unwrap_or_default();
        // Between two places the clip passes evenly; after the last at the end of what was made.
        let Some((later, until)) = self.places.get(next).copied().filter(|(later, _)| *later > made) else {
            return sample;
        };
        sample + until.saturating_sub(sample) * (played - made.min(played)) / (later - made)
    }

    /// Pushes as much as the ring takes, stretched to `rate` and resampled to the device's `sample_rate`.
    pub fn push(&mut self, ring: &Ring, sample_rate: u32, rate: f32) -> Fed {
        let order = self.job.order;
        while !self.end_pushed {
            // Samples that are ready are pushed first.
            while let Some(sample) = self.ready.get(self.at) {
                self.start_pushed = self.start_pushed || ring.push(order, RingSlot::Start);
                if !self.start_pushed || !ring.push(order, RingSlot::Sample(*sample)) {
                    return Fed::Waiting;
                }
                self.at += 1;
            }
            self.ready.zeroize();
            self.at = 0;
            if self.fully_processed {
                self.start_pushed = self.start_pushed || ring.push(order, RingSlot::Start);
                self.end_pushed = self.start_pushed && ring.push(order, RingSlot::End);
                return Fed::Waiting;
            }
            // Read before the samples: once the clip has ended, no more samples are appended, so none are missed.
            let ended = self.job.clip.ended();
            if let Some(end @ (ClipEnd::Crashed | ClipEnd::Impossible)) = ended {
                return Fed::Failed(end);
            }
            match self.job.clip.sample_rate() {
                Some(clip_rate) => {
                    if !self.process(clip_rate, sample_rate, rate, ended.is_some()) {
                        return Fed::Waiting;
                    }
                }
                // A sentence without any sound, such as "…", still begins and ends.
                None if ended.is_some() => self.fully_processed = true,
                None => return Fed::Waiting,
            }
        }
        Fed::Waiting
    }

    /// Processes the next step of the clip; false if it is not there yet.
    fn process(&mut self, clip_rate: u32, sample_rate: u32, rate: f32, ended: bool) -> bool {
        let read = self.read;
        let tempo = self.tempo.get_or_insert_with(|| {
            self.stretched_from = read;
            Tempo::new(clip_rate)
        });
        let resampler = self.resampler.get_or_insert_with(|| Resampler::new(clip_rate, sample_rate));
        tempo.set_rate(rate);
        self.input.zeroize();
        self.stretched.zeroize();
        let step = (clip_rate * STEP_MS / 1000).max(1) as usize;
        let count = self.job.clip.read(&mut self.place, step, &mut self.input);
        self.read += count;
        let sample = if count > 0 {
            tempo.push(&self.input, &mut self.stretched);
            resampler.push(&self.stretched, &mut self.ready);
            self.stretched_from + tempo.place()
        } else if ended {
            tempo.finish(&mut self.stretched);
            resampler.push(&self.stretched, &mut self.ready);
            resampler.finish(&mut self.ready);
            self.fully_processed = true;
            self.read
        } else {
            return false;
        };
        self.made += self.ready.len();
        if self.places.len() == PLACES {
            self.places.pop_front();
        }
        self.places.push_back((self.made, sample));
        true
    }
}

impl Drop for Feeding {
    fn drop(&mut self) {
        self.ready.zeroize();
        self.input.zeroize();
        self.stretched.zeroize();
    }
}
