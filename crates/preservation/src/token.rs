//! Tokens, and the values that a token may stand for.

use luna_messages::preserve::TokenClass;

use super::ratio::Ratio;
use super::units::{Dimension, Money};

/// How strictly a token must be matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Weight {
    /// It must occur in the other text.
    Hard,
    /// Spelled out ("three", "세 개"): it may match a token of the other text, and two that disagree are an alteration, but a missing counterpart
    /// is no error.
    Strong,
    /// So common a word ("a", "한") that it only ever matches a hard token.
    Weak,
}

/// A value. Two tokens mean the same if they share a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum CanonicalValue {
    Number(Ratio),
    /// An amount plus or minus (±).
    Spread(Ratio),
    Percent(Ratio),
    /// Percentage points.
    Points(Ratio),
    Money(Money, Ratio),
    /// In the base unit of the dimension.
    Measure(Dimension, Ratio),
    /// Year, month, day; 0 for a missing part.
    Date(i64, u8, u8),
    /// Seconds since midnight.
    Time(u32),
    /// A single thing, as expressed by "a", "per" and "1개".
    Single,
    /// Text that is compared verbatim.
    Text(Box<str>),
    /// A number as written, with a unit word of the language: 30초, 30 seconds.
    WithUnitWord(Dimension, Ratio, Box<str>),
}

impl CanonicalValue {
    /// Whether it also counts in faithful mode.
    pub(super) const fn is_verbatim(&self) -> bool {
        matches!(self, Self::Text(_) | Self::WithUnitWord(..))
    }
}

/// A token. Positions are in characters.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) start: u32,
    pub(super) end: u32,
    /// An alternative end, before `end`, if what follows may be a Korean particle; 0 for none.
    pub(super) short_end: u32,
    /// Index of its first value in [`TokenScan::keys`].
    pub(super) values_from: u32,
    pub(super) values_len: u8,
    pub(super) class: TokenClass,
    pub(super) weight: Weight,
}

impl Token {
    pub(super) const fn span(&self) -> (usize, usize) {
        (self.start as usize, self.end as usize)
    }
}

/// All tokens of a text, in order.
#[derive(Debug, Default)]
pub(super) struct TokenScan {
    pub(super) tokens: Vec<Token>,
    pub(super) keys: Vec<CanonicalValue>,
}

impl TokenScan {
    pub(super) fn keys_of(&self, token: &Token) -> &[CanonicalValue] {
        let from = token.values_from as usize;
        self.keys.get(from..from + usize::from(token.values_len)).unwrap_or(&[])
    }

    /// Adds a value to `token`, if no other token has values after its own.
    pub(super) fn add_value(&mut self, token: usize, value: CanonicalValue) {
        let end = self.keys.len();
        let last = self.tokens.get_mut(token);
        if let Some(token) = last.filter(|token| token.values_from as usize + usize::from(token.values_len) == end)
            && let Some(more) = token.values_len.checked_add(1)
        {
            token.values_len = more;
            self.keys.push(value);
        }
    }

    /// Adds a token with its values; `None` values are dropped.
    pub(super) fn push(
        &mut self,
        class: TokenClass,
        (start, end): (usize, usize),
        weight: Weight,
        keys: impl IntoIterator<Item = Option<CanonicalValue>>,
    ) {
        let before = self.keys.len();
        self.keys.extend(keys.into_iter().flatten());
        self.tokens.push(Token {
            start: narrow(start),
            end: narrow(end),
            short_end: 0,
            values_from: narrow(before),
            values_len: u8::try_from(self.keys.len() - before).unwrap_or(u8::MAX),
            class,
            weight,
        });
    }
}

/// Texts are far below 2^32 characters.
pub(super) fn narrow(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}
