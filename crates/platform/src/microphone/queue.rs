//! Hands samples from the device's thread to the thread that works on them, without a lock.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use super::{InputFormat, Microphone, OpenMicrophone, SoundSink};
use crate::PlatformError;

/// A bounded queue of samples (KER-4) for one producer and one consumer. Each sample is an atomic, which costs as much as a plain store on the
/// processors that Luna runs on and needs no unsafe code.
#[derive(Debug)]
pub struct SampleQueue {
    samples: Box<[AtomicU32]>,
    /// Number of samples ever put in, and ever taken out; their difference is what waits.
    put: AtomicUsize,
    taken: AtomicUsize,
    lost: AtomicU64,
}

/// The end that the device's thread holds.
#[derive(Debug)]
pub struct SampleProducer {
    queue: Arc<SampleQueue>,
}

/// The end that the working thread holds.
#[derive(Debug)]
pub struct SampleConsumer {
    queue: Arc<SampleQueue>,
}

/// A queue for at least `capacity` samples.
#[must_use]
pub fn queue(capacity: usize) -> (SampleProducer, SampleConsumer) {
    // A power of two: positions stay right when the counters wrap.
    let samples = (0..capacity.max(1).next_power_of_two()).map(|_| AtomicU32::new(0)).collect();
    let queue = Arc::new(SampleQueue {
        samples,
        put: AtomicUsize::new(0),
        taken: AtomicUsize::new(0),
        lost: AtomicU64::new(0),
    });
    (SampleProducer { queue: queue.clone() }, SampleConsumer { queue })
}

/// Opens a microphone whose samples come through a queue for `seconds` of sound.
///
/// # Errors
/// As of [`Microphone::open`]; also [`PlatformError::Unavailable`] if the microphone asked for no receiver, a mistake of its adapter.
pub fn open_queued(
    microphone: &dyn Microphone,
    device: Option<&str>,
    seconds: usize,
) -> Result<(Box<dyn OpenMicrophone>, SampleConsumer), PlatformError> {
    // The channel has space for the one queue.
    let (sender, made) = std::sync::mpsc::sync_channel(1);
    let make_sink = move |format: InputFormat| -> Box<dyn SoundSink> {
        let (producer, consumer) = queue(format.sample_rate as usize * seconds);
        let _ = sender.try_send(consumer);
        Box::new(producer)
    };
    let opened = microphone.open(device, Box::new(make_sink))?;
    let missing = || {
        let reason = "The microphone was opened without a receiver.";
        PlatformError::unavailable(reason, "This is a mistake in Luna; please report it.")
    };
    Ok((opened, made.try_recv().map_err(|_| missing())?))
}

impl SampleProducer {
    /// Puts samples in; what finds no room is counted and lost. Never waits.
    pub fn put(&mut self, samples: &[f32]) {
        let queue = &*self.queue;
        let put = queue.put.load(Ordering::Relaxed);
        // Acquire: the consumer has wiped what it took before this thread writes there.
        let room = queue.samples.len() - put.wrapping_sub(queue.taken.load(Ordering::Acquire));
        let fits = samples.len().min(room);
        for (i, sample) in samples[..fits].iter().enumerate() {
            queue.at(put.wrapping_add(i)).store(sample.to_bits(), Ordering::Relaxed);
        }
        queue.put.store(put.wrapping_add(fits), Ordering::Release);
        if fits < samples.len() {
            queue.lost.fetch_add((samples.len() - fits) as u64, Ordering::Relaxed);
        }
    }
}

impl SoundSink for SampleProducer {
    fn take(&mut self, samples: &[f32]) {
        self.put(samples);
    }
}

impl SampleConsumer {
    /// Appends at most `most` of the waiting samples to `out` and overwrites them in the queue (PRV-1).
    pub fn take(&mut self, most: usize, out: &mut Vec<f32>) {
        let queue = &*self.queue;
        let taken = queue.taken.load(Ordering::Relaxed);
        let count = queue.put.load(Ordering::Acquire).wrapping_sub(taken).min(most);
        out.extend((0..count).map(|i| f32::from_bits(queue.at(taken.wrapping_add(i)).swap(0, Ordering::Relaxed))));
        queue.taken.store(taken.wrapping_add(count), Ordering::Release);
    }

    /// Number of samples that wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queue.put.load(Ordering::Acquire).wrapping_sub(self.queue.taken.load(Ordering::Relaxed))
    }

    /// Number of samples that were lost because the queue was full, since the last call.
    #[must_use]
    pub fn take_lost(&mut self) -> u64 {
        self.queue.lost.swap(0, Ordering::Relaxed)
    }

    /// Whether the other end is gone: no more samples follow those that wait.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        Arc::strong_count(&self.queue) == 1
    }
}

impl SampleQueue {
    fn at(&self, position: usize) -> &AtomicU32 {
        &self.samples[position & (self.samples.len() - 1)]
    }
}

impl Drop for SampleQueue {
    fn drop(&mut self) {
        for sample in &self.samples {
            sample.store(0, Ordering::Relaxed);
        }
        std::hint::black_box(&self.samples);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;

    fn all_zero(consumer: &SampleConsumer) -> bool {
        consumer.queue.samples.iter().all(|sample| sample.load(Ordering::Relaxed) == 0)
    }

    proptest! {
        // KER-4, PRV-1
        #[test]
        fn it_is_a_bounded_queue_that_counts_what_is_lost_and_wipes_what_is_taken_ker_4_prv_1(
            capacity in 1_usize..40,
            start in prop_oneof![Just(0), Just(usize::MAX - 5)],
            steps in proptest::collection::vec((0_usize..30, 0_usize..30), 1..40),
        ) {
            let (mut producer, mut consumer) = queue(capacity);
            // The counters wrap.
            producer.queue.put.store(start, Ordering::Relaxed);
            producer.queue.taken.store(start, Ordering::Relaxed);
            let capacity = capacity.next_power_of_two();
            let (mut model, mut next, mut lost) = (VecDeque::new(), 1.0_f32, 0);
            for (put, take) in steps {
                let samples: Vec<f32> = (0..put).map(|i| next + i as f32).collect();
                next += put as f32;
                producer.put(&samples);
                let fits = put.min(capacity - model.len());
                model.extend(&samples[..fits]);
                lost += (put - fits) as u64;
                let mut out = Vec::new();
                consumer.take(take, &mut out);
                let expect: Vec<f32> = model.drain(..take.min(model.len())).collect();
                prop_assert_eq!(out, expect);
                prop_assert_eq!(consumer.waiting(), model.len());
            }
            prop_assert_eq!(consumer.take_lost(), lost);
            prop_assert_eq!(consumer.take_lost(), 0);
            consumer.take(usize::MAX, &mut Vec::new());
            prop_assert!(all_zero(&consumer));
        }
    }

    #[test]
    fn two_threads_lose_nothing_and_keep_the_order() {
        let (mut producer, mut consumer) = queue(64);
        let count = 20_000_u32;
        let producing = std::thread::spawn(move || {
            let mut next = 1;
            while next <= count {
                let room = 64
                    - producer
                        .queue
                        .put
                        .load(Ordering::Relaxed)
                        .wrapping_sub(producer.queue.taken.load(Ordering::Acquire));
                let samples: Vec<f32> = (next..=count).take(room.min(17)).map(|i| i as f32).collect();
                next += samples.len() as u32;
                producer.put(&samples);
                std::thread::yield_now();
            }
        });
        let mut out = Vec::new();
        while !consumer.is_closed() || consumer.waiting() > 0 {
            consumer.take(usize::MAX, &mut out);
            std::thread::yield_now();
        }
        producing.join().unwrap();
        assert!(out.iter().copied().eq((1..=count).map(|i| i as f32)), "{} samples", out.len());
        assert_eq!(consumer.take_lost(), 0);
        assert!(all_zero(&consumer));
    }
}
