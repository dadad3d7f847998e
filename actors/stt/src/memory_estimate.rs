//! Estimates the memory of a speech recognition model before it is loaded.

/// An estimate in bytes, from the size of the model's file: whisper.cpp needs about 2.25 times as much with its caches, and the engine's program 64
/// MB.
#[must_use]
pub const fn needed(file_bytes: u64) -> u64 {
    file_bytes / 4 * 9 + (64 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    // GPU-2
    #[test]
    fn the_estimate_is_near_what_the_manifest_says_gpu_2() {
        for (file, manifest_mb) in [(32_152_673, 130), (59_707_625, 200), (190_000_000, 500), (539_000_000, 1200)] {
            let mb = needed(file) >> 20;
            assert!(mb.abs_diff(manifest_mb) * 100 <= manifest_mb * 25, "{file}: {mb} MB instead of {manifest_mb}");
        }
    }
}
