//! Exact fractions: 1.5 is three halves, so that unit conversion loses nothing (TRN-3).

/// A reduced fraction with a positive denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ratio {
    n: i64,
    d: i64,
}

const fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Ratio {
    /// The neutral element of [`Ratio::plus`].
    pub const ZERO: Self = Self { n: 0, d: 1 };
    /// The neutral element of [`Ratio::times`].
    pub const ONE: Self = Self { n: 1, d: 1 };

    /// The integer `n`.
    #[must_use]
    pub const fn whole(n: i64) -> Self {
        Self { n, d: 1 }
    }

    /// The fraction `n` / `d`. `None` if a term overflows after reduction, or the denominator is zero.
    #[must_use]
    pub fn new(n: i128, d: i128) -> Option<Self> {
        let (n, d) = if d < 0 { (n.checked_neg()?, d.checked_neg()?) } else { (n, d) };
        if d == 0 {
            return None;
        }
        let g = i128::try_from(gcd(n.unsigned_abs(), d.unsigned_abs())).ok()?.max(1);
        Some(Self { n: i64::try_from(n / g).ok()?, d: i64::try_from(d / g).ok()? })
    }

    /// The product; `None` if it overflows, as in [`Ratio::new`].
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        Self::new(i128::from(self.n) * i128::from(other.n), i128::from(self.d) * i128::from(other.d))
    }

    /// The quotient; `None` if it overflows or `other` is zero.
    #[must_use]
    pub fn over(self, other: Self) -> Option<Self> {
        Self::new(i128::from(self.n) * i128::from(other.d), i128::from(self.d) * i128::from(other.n))
    }

    /// The sum; `None` if it overflows.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let (a, b) = (i128::from(self.n) * i128::from(other.d), i128::from(other.n) * i128::from(self.d));
        Self::new(a.checked_add(b)?, i128::from(self.d) * i128::from(other.d))
    }

    /// The number with the opposite sign.
    #[must_use]
    pub fn negative(self) -> Option<Self> {
        Some(Self { n: self.n.checked_neg()?, d: self.d })
    }

    /// Ten to the power of `exponent`, from -18 to 18.
    #[must_use]
    pub fn power_of_ten(exponent: i32) -> Option<Self> {
        let ten = 10_i128.checked_pow(exponent.unsigned_abs())?;
        if exponent < 0 { Self::new(1, ten) } else { Self::new(ten, 1) }
    }

    /// The number, if it is an integer.
    #[must_use]
    pub const fn as_whole(self) -> Option<i64> {
        if self.d == 1 { Some(self.n) } else { None }
    }

    /// Numerator and denominator, reduced.
    #[must_use]
    pub const fn terms(self) -> (i64, i64) {
        (self.n, self.d)
    }

    /// Whether it is less than `other`.
    #[must_use]
    pub fn is_below(self, other: Self) -> bool {
        i128::from(self.n) * i128::from(other.d) < i128::from(other.n) * i128::from(self.d)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // TRN-3
    #[test]
    fn numbers_are_exact_trn_3() {
        let third = Ratio::new(1, 3);
        assert_eq!(third.and_then(|t| t.times(Ratio::whole(3))), Some(Ratio::ONE));
        assert_eq!(Ratio::new(3, 2).and_then(|n| n.times(Ratio::whole(1000))), Some(Ratio::whole(1500)));
        assert_eq!(Ratio::new(1, 0), None);
        assert_eq!(Ratio::whole(i64::MAX).times(Ratio::whole(2)), None);
        assert_eq!(Ratio::power_of_ten(-2).and_then(|n| n.plus(Ratio::ONE)), Ratio::new(101, 100));
        assert_eq!(Ratio::power_of_ten(-40), None);
    }
}
