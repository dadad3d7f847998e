//! Logistic regression by AdaGrad with averaging; weights rounded to bytes; calibration on the tuning part.

use luna_nlu::talk::Classifier;
use luna_nlu::talk::features::{self, Feature};

use super::random::{RandomSequence, hash};
use super::samples::Sample;
use super::variants;

/// Buckets as a power of two: 256 KiB of weights. On the tuning part 2^17 lose a tenth in log loss, and 2^20 gain as much.
const BITS: u32 = 18;
const EPOCHS: u64 = 12;
const RATE: f32 = 0.5;
const DECAY: f32 = 5e-5;
/// The largest weight is that of this share of all used buckets: few weights are larger, and cutting them gives all others a finer scale.
const CUT: f64 = 0.9995;

/// Trains on one part and calibrates on another. `None` if the result is no classifier, which would be a defect here.
pub fn train(training: &[&Sample], tuning: &[&Sample]) -> Option<Classifier> {
    let weights = quantised(&descend(training));
    let raw = Classifier::new(weights.clone(), 1.0, 0.0)?;
    let (slope, offset) = calibrate(&raw, tuning);
    Classifier::new(weights, slope, offset)
}

/// Makes orders and talk of a language equally heavy.
fn balance(samples: &[&Sample]) -> Vec<f32> {
    let mut sums = [[0.0_f32; 2]; 2];
    for sample in samples {
        sums[usize::from(sample.is_korean())][usize::from(sample.is_order)] += sample.weight;
    }
    let half = samples.len() as f32 / 4.0;
    let of = |sample: &&Sample| {
        sample.weight * half / sums[usize::from(sample.is_korean())][usize::from(sample.is_order)].max(1.0)
    };
    samples.iter().map(of).collect()
}

fn descend(samples: &[&Sample]) -> Vec<f32> {
    let size = 1_usize << BITS;
    let (mut weights, mut squares, mut sums) = (vec![0.0_f32; size], vec![1e-6_f32; size], vec![0.0_f64; size]);
    let balance = balance(samples);
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let mut seen: Vec<Feature> = Vec::new();
    let mut bias = 0.0_f32;
    let mut averaged = 0_u32;
    for epoch in 0..EPOCHS {
        let mut random = RandomSequence::new(hash("epoch") ^ epoch);
        for at in (1..order.len()).rev() {
            order.swap(at, random.below(at + 1));
        }
        for at in &order {
            let sample = samples[*at];
            seen.clear();
            features::each(&variants::varied(&sample.text, &mut random), |feature| seen.push(feature));
            if seen.is_empty() {
                continue;
            }
            let scale = 1.0 / (seen.len() as f32).sqrt();
            let sum: f32 = seen.iter().map(|feature| sign(*feature) * weights[feature.bucket(BITS)]).sum();
            let odds = sum * scale + bias;
            let error = balance[*at] * (1.0 / (1.0 + (-odds).exp()) - f32::from(u8::from(sample.is_order)));
            bias -= 0.01 * error;
            for feature in &seen {
                let bucket = feature.bucket(BITS);
                let gradient = error * scale * sign(*feature) + DECAY * weights[bucket];
                squares[bucket] += gradient * gradient;
                weights[bucket] -= RATE * gradient / squares[bucket].sqrt();
            }
        }
        // The average over the later epochs depends less on the order of the last sentences.
        if epoch * 2 >= EPOCHS {
            averaged += 1;
            for (sum, weight) in sums.iter_mut().zip(&weights) {
                *sum += f64::from(*weight);
            }
        }
    }
    sums.iter().map(|sum| (*sum / f64::from(averaged.max(1))) as f32).collect()
}

fn sign(feature: Feature) -> f32 {
    if feature.is_negative() { -1.0 } else { 1.0 }
}

/// Rounds to bytes.
fn quantised(weights: &[f32]) -> Box<[i8]> {
    let mut sizes: Vec<f32> = weights.iter().map(|weight| weight.abs()).filter(|size| *size > 0.0).collect();
    sizes.sort_by(f32::total_cmp);
    let at = ((sizes.len() as f64 * CUT) as usize).min(sizes.len().saturating_sub(1));
    let largest = sizes.get(at).copied().unwrap_or(1.0);
    weights.iter().map(|weight| (weight / largest * 127.0).round().clamp(-127.0, 127.0) as i8).collect()
}

/// Slope and offset by Platt's method, with both labels equally heavy, by Newton's iteration.
fn calibrate(raw: &Classifier, tuning: &[&Sample]) -> (f32, f32) {
    let balance = balance(tuning);
    let rows: Vec<(f64, f64, f64)> = tuning
        .iter()
        .zip(&balance)
        .filter_map(|(sample, weight)| {
            let score = f64::from(raw.log_odds(&sample.text)?);
            Some((score, f64::from(u8::from(sample.is_order)), f64::from(*weight)))
        })
        .collect();
    let spread =
        (rows.iter().map(|(score, ..)| score * score).sum::<f64>() / rows.len().max(1) as f64).sqrt().max(1e-9);
    let (mut slope, mut offset) = (1.0 / spread, 0.0);
    for _ in 0..50 {
        let (mut g, mut h) = ([0.0; 2], [1e-9, 0.0, 1e-9]);
        for (score, order, weight) in &rows {
            let p = 1.0 / (1.0 + (-(slope * score + offset)).exp());
            let (error, curve) = (weight * (p - order), weight * p * (1.0 - p));
            g[0] += error * score;
            g[1] += error;
            h[0] += curve * score * score;
            h[1] += curve * score;
            h[2] += curve;
        }
        let det = h[0] * h[2] - h[1] * h[1];
        slope -= (h[2] * g[0] - h[1] * g[1]) / det;
        offset -= (h[0] * g[1] - h[1] * g[0]) / det;
    }
    (slope as f32, offset as f32)
}
