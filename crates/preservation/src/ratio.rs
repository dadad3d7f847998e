//! Exact fractions, under the name that this crate uses.

pub(super) use luna_text::ratio::Ratio;
