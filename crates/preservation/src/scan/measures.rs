//! Values of units.

use super::super::ratio::Ratio;
use super::super::token::CanonicalValue;
use super::super::units;

/// `value` of a unit in its base unit.
pub(super) fn measure(unit: units::MeasureUnit, value: Ratio) -> Option<CanonicalValue> {
    unit.convert(value).map(|n| CanonicalValue::Measure(unit.dimension, n))
}
