//! Units, currencies and counters, under the name that this crate uses.

pub(super) use luna_text::units::{
    CELSIUS, DAY, DEGREE, Dimension, FAHRENHEIT, FOOT, HOUR, INCH, KILOGRAM, KILOMETRE, KoreanUnit, METRE, MINUTE,
    MONTH, MeasureUnit, Money, POUND, SECOND, WEEK, YEAR, counter, english, english_money, korean, money_code,
    money_sign, month, symbol,
};
