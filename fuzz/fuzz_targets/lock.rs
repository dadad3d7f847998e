//! The preserve lock on any two texts (PRE-6): no panic; a text preserves its own tokens; spans lie inside the texts; repaired text passes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use luna_messages::Fidelity;
use luna_preservation::{Glossary, POLICY_WORDS, check, translation_difficulty, invented_numbers, repair};

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    // The first line may be a glossary; a NUL separates source and translation.
    let (glossary, text) = match text.strip_prefix('!').and_then(|rest| rest.split_once('\n')) {
        Some((names, rest)) => (Glossary::new(names.split(',')), rest),
        None => (Glossary::default(), &*text),
    };
    let (source, target) = text.split_once('\0').unwrap_or((text, ""));
    for mode in [Fidelity::Faithful, Fidelity::Natural] {
        assert!(check(source, source, mode, &glossary).ok, "a text keeps its own tokens");
        let report = check(source, target, mode, &glossary);
        for token in &report.tokens {
            for (span, text) in [(token.source_span, source), (token.target_span, target)] {
                if let Some(span) = span {
                    assert!(span.start < span.end && span.end <= text.chars().count());
                }
            }
        }
        let mended = repair(source, target, mode, &glossary);
        assert!(!mended.repaired || mended.report.ok);
    }
    assert!(invented_numbers(source, source).is_empty());
    let _ = translation_difficulty(source, POLICY_WORDS);
});
