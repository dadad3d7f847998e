//! How much memory an engine may hold before it is started anew between two requests (ENG-2). Pure.

use luna_messages::engine::EngineKind;

const MB: u64 = 1 << 20;

/// What an engine may hold that holds `held` bytes with its models loaded, where the configuration says nothing: twice of it, and room for its
/// work. Weights that are read from the disk at need count in full, so `held` is to be the larger of what it reports and of what its files have.
pub(super) const fn default_limit(kind: EngineKind, held: u64) -> u64 {
    let work = match kind {
        EngineKind::Speech => 256 * MB,
        // A whole screen at twice its size takes some 700 MB in between.
        EngineKind::Ocr | EngineKind::Llm | EngineKind::Stt => 1024 * MB,
    };
    held.saturating_mul(2).saturating_add(work)
}

#[cfg(test)]
mod tests {
    use super::*;

    // ENG-2
    #[test]
    fn a_limit_follows_the_size_of_the_models_eng_2() {
        for (kind, held_mb, limit_mb) in [
            (EngineKind::Speech, 20, 296),
            (EngineKind::Ocr, 150, 1324),
            (EngineKind::Llm, 2600, 6224),
            (EngineKind::Stt, 0, 1024),
        ] {
            assert_eq!(default_limit(kind, held_mb * MB), limit_mb * MB, "{kind:?} {held_mb}");
        }
        assert_eq!(default_limit(EngineKind::Llm, u64::MAX), u64::MAX);
    }
}
