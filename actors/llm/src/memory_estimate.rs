//! Estimates the memory of a language model before it is loaded.

/// Memory of the engine's program besides the model, in bytes.
const PROGRAM_BYTES: u64 = 48 << 20;

/// An estimate in bytes, from the size of the model's file and the maximum tokens of prompt and answer together.
///
/// Each context token stores keys and values in every layer. With grouped-query attention this is about 1/16,000 of a 4-bit file (a
/// model of 4 billion parameters: 147 kB of 2.5 GB); older and tiny models need a larger share of a smaller file.
#[must_use]
pub const fn needed(file_bytes: u64, context_tokens: u32) -> u64 {
    const MIN_BYTES_PER_TOKEN: u64 = 4 << 10;
    let share = file_bytes / 16_000;
    let bytes_per_token = if share > MIN_BYTES_PER_TOKEN { share } else { MIN_BYTES_PER_TOKEN };
    // The working memory of the computation grows with the model too.
    file_bytes + file_bytes / 20 + bytes_per_token * context_tokens as u64 + PROGRAM_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    // GPU-2
    #[test]
    fn the_estimate_is_near_what_models_need_gpu_2() {
        let check = |file: u64, context: u32, least_mb: u64, most_mb: u64| {
            let mb = needed(file, context) >> 20;
            assert!((least_mb..=most_mb).contains(&mb), "{file} bytes with {context} tokens: {mb} MB");
        };
        // Qwen3-4B at 4 bit: 2381 MB of weights, 144 kB a token.
        check(2_497_000_000, 4096, 2381 + 576, 3500);
        check(2_497_000_000, 2048, 2381 + 288, 3200);
        // Llama 3.2 1B at 4 bit: 770 MB, 32 kB a token.
        check(808_000_000, 4096, 770 + 128, 1200);
        check(1_200_000, 256, 1, 64);
        check(0, 0, 48, 48);
    }
}
