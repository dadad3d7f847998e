//! One channel of floats from what the device delivers.

use std::time::Duration;

use cpal::traits::DeviceTrait;
use cpal::{Data, ErrorKind, FromSample, I24, InputCallbackInfo, SampleFormat, SizedSample, StreamConfig, U24};

/// Channels that are mixed. What follows in the devices of musicians is line inputs and what the computer plays.
const MIXED: usize = 2;

/// Opens a device of any sample format. `timeout`: how long the sound server may take.
pub fn open(
    device: &cpal::Device,
    config: StreamConfig,
    format: SampleFormat,
    mut deliver: impl FnMut(&[f32]) + Send + 'static,
    on_error: impl FnMut(cpal::Error) + Send + 'static,
    timeout: Duration,
) -> Result<cpal::Stream, cpal::Error> {
    let convert = converter(format).ok_or_else(|| cpal::Error::new(ErrorKind::UnsupportedConfig))?;
    let channels = usize::from(config.channels).max(1);
    let mut mono = Vec::new();
    let take = move |data: &Data, _: &InputCallbackInfo| {
        convert(data, channels, &mut mono);
        deliver(&mono);
        mono.fill(0.0);
        std::hint::black_box(&mono);
        mono.clear();
    };
    device.build_input_stream_raw(config, format, take, on_error, Some(timeout))
}

type Convert = fn(&Data, usize, &mut Vec<f32>);

fn converter(format: SampleFormat) -> Option<Convert> {
    fn convert<T: SizedSample>(data: &Data, channels: usize, out: &mut Vec<f32>)
    where
        f32: FromSample<T>,
    {
        mix(data.as_slice::<T>().unwrap_or_default(), channels, out);
    }
    Some(match format {
        SampleFormat::I8 => convert::<i8>,
        SampleFormat::I16 => convert::<i16>,
        SampleFormat::I24 => convert::<I24>,
        SampleFormat::I32 => convert::<i32>,
        SampleFormat::I64 => convert::<i64>,
        SampleFormat::U8 => convert::<u8>,
        SampleFormat::U16 => convert::<u16>,
        SampleFormat::U24 => convert::<U24>,
        SampleFormat::U32 => convert::<u32>,
        SampleFormat::U64 => convert::<u64>,
        SampleFormat::F32 => convert::<f32>,
        SampleFormat::F64 => convert::<f64>,
        // One-bit sound; and what later versions add.
        _ => return None,
    })
}

/// Appends the mean of the first channels of each frame.
fn mix<T: SizedSample>(samples: &[T], channels: usize, out: &mut Vec<f32>)
where
    f32: FromSample<T>,
{
    let mixed = channels.clamp(1, MIXED);
    out.extend(samples.chunks_exact(channels.max(1)).map(|frame| {
        let sum: f32 = frame[..mixed].iter().map(|sample| f32::from_sample_(*sample)).sum();
        sum / mixed as f32
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: SizedSample>(samples: &[T], channels: usize, expect: &[f32])
    where
        f32: FromSample<T>,
    {
        let mut out = Vec::new();
        mix(samples, channels, &mut out);
        assert!(out.len() == expect.len() && out.iter().zip(expect).all(|(a, b)| (a - b).abs() < 0.01), "{out:?}");
    }

    // STT-3
    #[test]
    fn every_format_becomes_one_channel_of_floats_stt_3() {
        check(&[0_i16, i16::MAX, i16::MIN], 1, &[0.0, 1.0, -1.0]);
        check(&[i32::MAX, 0, i32::MIN, 0], 2, &[0.5, -0.5]);
        check(&[128_u8, 255, 0], 1, &[0.0, 1.0, -1.0]);
        check(&[32_768_u16, 65_535], 1, &[0.0, 1.0]);
        check(&[I24::new(1 << 22).unwrap_or_default()], 1, &[0.5]);
        check(&[0.25_f64, 0.75], 2, &[0.5]);
        // The third and fourth channels are what the computer plays; a frame that is cut off is none.
        check(&[0.5_f32, 0.1, 0.9, 0.9, 0.5, 0.1, 0.9], 4, &[0.3]);
        check::<f32>(&[], 2, &[]);
    }

    #[test]
    fn one_bit_sound_is_refused() {
        assert!(converter(SampleFormat::DsdU8).is_none() && converter(SampleFormat::F32).is_some());
    }
}
