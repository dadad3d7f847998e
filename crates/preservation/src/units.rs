//! Units with their exact ratio to the base unit of their dimension (PRE-1, TRN-3).

use super::ratio::Ratio;

/// What a unit measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Dimension {
    Length,
    Mass,
    Time,
    Months,
    Bits,
    BitRate,
    Frequency,
    Power,
    Voltage,
    Current,
    Charge,
    Energy,
    Work,
    Volume,
    Area,
    Speed,
    Acceleration,
    Pressure,
    Force,
    Loudness,
    Pixels,
    Dots,
    Points,
    Frames,
    Turns,
    Parts,
    Celsius,
    Degrees,
    Ohms,
    Light,
    Em,
    Percent,
}

/// A currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Money {
    Won,
    Dollar,
    Euro,
    Yen,
    Yuan,
    Pound,
    Rupee,
    /// An Australian, Canadian, Hong Kong, New Taiwan or Singapore dollar.
    DollarOf(char),
    Bitcoin,
}

/// A unit: its dimension, and its size as a fraction of the base unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MeasureUnit {
    pub(super) dimension: Dimension,
    n: i64,
    d: i64,
    /// The offset subtracted before multiplying: 32 for Fahrenheit.
    offset: i64,
}

impl MeasureUnit {
    const fn of(dimension: Dimension, n: i64, d: i64) -> Self {
        Self { dimension, n, d, offset: 0 }
    }

    /// `amount` of this unit in the base unit.
    pub(super) fn convert(self, amount: Ratio) -> Option<Ratio> {
        let amount = amount.plus(Ratio::whole(-self.offset))?;
        amount.times(Ratio::new(self.n.into(), self.d.into())?)
    }
}

pub(super) const CELSIUS: MeasureUnit = MeasureUnit::of(Dimension::Celsius, 1, 1);
pub(super) const FAHRENHEIT: MeasureUnit = MeasureUnit { dimension: Dimension::Celsius, n: 5, d: 9, offset: 32 };
pub(super) const DEGREE: MeasureUnit = MeasureUnit::of(Dimension::Degrees, 1, 1);
pub(super) const SECOND: MeasureUnit = MeasureUnit::of(Dimension::Time, 1, 1);
pub(super) const MINUTE: MeasureUnit = MeasureUnit::of(Dimension::Time, 60, 1);
pub(super) const HOUR: MeasureUnit = MeasureUnit::of(Dimension::Time, 3600, 1);
pub(super) const DAY: MeasureUnit = MeasureUnit::of(Dimension::Time, 86_400, 1);
pub(super) const WEEK: MeasureUnit = MeasureUnit::of(Dimension::Time, 604_800, 1);
pub(super) const MONTH: MeasureUnit = MeasureUnit::of(Dimension::Months, 1, 1);
pub(super) const YEAR: MeasureUnit = MeasureUnit::of(Dimension::Months, 12, 1);
pub(super) const KILOMETRE: MeasureUnit = MeasureUnit::of(Dimension::Length, 1000, 1);
pub(super) const METRE: MeasureUnit = MeasureUnit::of(Dimension::Length, 1, 1);
pub(super) const KILOGRAM: MeasureUnit = MeasureUnit::of(Dimension::Mass, 1000, 1);
pub(super) const POUND: MeasureUnit = MeasureUnit::of(Dimension::Mass, 45_359_237, 100_000);
pub(super) const KM_PER_HOUR: MeasureUnit = MeasureUnit::of(Dimension::Speed, 5, 18);
const MIL: i64 = 1_000_000;
const GIG: i64 = 1_000_000_000;

/// The unit with this symbol. Case-sensitive: Mb is not MB.
pub(super) fn symbol(symbol: &str) -> Option<MeasureUnit> {
    use Dimension as D;
    let (dimension, n, d) = match symbol {
        "km" | "㎞" | "KM" | "Km" => (D::Length, 1000, 1),
        "m" => (D::Length, 1, 1),
        "cm" | "㎝" => (D::Length, 1, 100),
        "mm" | "㎜" => (D::Length, 1, 1000),
        "μm" | "um" | "㎛" => (D::Length, 1, MIL),
        "nm" | "㎚" => (D::Length, 1, GIG),
        "mi" => (D::Length, 1_609_344, 1000),
        "ft" => (D::Length, 3048, 10_000),
        "yd" => (D::Length, 9144, 10_000),
        "in" | "inch" => (D::Length, 254, 10_000),
        "kg" | "㎏" | "KG" | "Kg" => (D::Mass, 1000, 1),
        "g" => (D::Mass, 1, 1),
        "mg" | "㎎" => (D::Mass, 1, 1000),
        "μg" | "㎍" | "mcg" => (D::Mass, 1, MIL),
        "t" => (D::Mass, MIL, 1),
        "lb" | "lbs" => (D::Mass, 45_359_237, 100_000),
        "oz" => (D::Mass, 45_359_237, 1_600_000),
        "s" => (D::Time, 1, 1),
        "ms" | "㎳" | "msec" => (D::Time, 1, 1000),
        "μs" | "us" | "㎲" => (D::Time, 1, MIL),
        "ns" => (D::Time, 1, GIG),
        "h" => (D::Time, 3600, 1),
        "bit" | "bits" => (D::Bits, 1, 1),
        "B" => (D::Bits, 8, 1),
        "kB" | "KB" | "㎅" => (D::Bits, 8000, 1),
        "MB" | "㎆" => (D::Bits, 8 * MIL, 1),
        "GB" | "㎇" => (D::Bits, 8 * GIG, 1),
        "TB" => (D::Bits, 8 * GIG * 1000, 1),
        "PB" => (D::Bits, 8 * GIG * MIL, 1),
        "KiB" | "kiB" => (D::Bits, 8 << 10, 1),
        "MiB" => (D::Bits, 8 << 20, 1),
        "GiB" => (D::Bits, 8 << 30, 1),
        "TiB" => (D::Bits, 8 << 40, 1),
        "PiB" => (D::Bits, 8 << 50, 1),
        "kb" | "Kb" | "kbit" | "Kbit" => (D::Bits, 1000, 1),
        "Mb" | "Mbit" => (D::Bits, MIL, 1),
        "Gb" | "Gbit" => (D::Bits, GIG, 1),
        "bps" => (D::BitRate, 1, 1),
        "kbps" | "Kbps" | "kb/s" => (D::BitRate, 1000, 1),
        "Mbps" | "Mb/s" | "Mbit/s" => (D::BitRate, MIL, 1),
        "Gbps" | "Gb/s" | "Gbit/s" => (D::BitRate, GIG, 1),
        "B/s" => (D::BitRate, 8, 1),
        "KB/s" | "kB/s" | "KBps" => (D::BitRate, 8000, 1),
        "MB/s" | "MBps" => (D::BitRate, 8 * MIL, 1),
        "GB/s" | "GBps" => (D::BitRate, 8 * GIG, 1),
        "MiB/s" => (D::BitRate, 8 << 20, 1),
        "GiB/s" => (D::BitRate, 8 << 30, 1),
        "Hz" | "㎐" => (D::Frequency, 1, 1),
        "kHz" | "KHz" | "㎑" => (D::Frequency, 1000, 1),
        "MHz" | "㎒" => (D::Frequency, MIL, 1),
        "GHz" | "㎓" => (D::Frequency, GIG, 1),
        "W" => (D::Power, 1, 1),
        "mW" => (D::Power, 1, 1000),
        "kW" | "KW" | "㎾" => (D::Power, 1000, 1),
        "MW" => (D::Power, MIL, 1),
        "GW" => (D::Power, GIG, 1),
        "V" => (D::Voltage, 1, 1),
        "mV" => (D::Voltage, 1, 1000),
        "kV" => (D::Voltage, 1000, 1),
        "A" => (D::Current, 1, 1),
        "mA" => (D::Current, 1, 1000),
        "mAh" => (D::Charge, 1, 1000),
        "Ah" => (D::Charge, 1, 1),
        "Wh" => (D::Work, 1, 1),
        "kWh" | "KWh" => (D::Work, 1000, 1),
        "MWh" => (D::Work, MIL, 1),
        "J" => (D::Energy, 1, 1),
        "kJ" => (D::Energy, 1000, 1),
        "cal" => (D::Energy, 4184, 1000),
        "kcal" | "Kcal" => (D::Energy, 4184, 1),
        "L" | "l" | "ℓ" => (D::Volume, 1, 1),
        "mL" | "ml" | "㎖" | "cc" => (D::Volume, 1, 1000),
        "dL" | "dl" => (D::Volume, 1, 10),
        "m³" | "㎥" | "m3" => (D::Volume, 1000, 1),
        "cm³" => (D::Volume, 1, 1000),
        "gal" => (D::Volume, 3_785_411_784, GIG),
        "m²" | "㎡" | "m2" => (D::Area, 1, 1),
        "km²" | "㎢" => (D::Area, MIL, 1),
        "cm²" | "㎠" => (D::Area, 1, 10_000),
        "ha" => (D::Area, 10_000, 1),
        "m/s" => (D::Speed, 1, 1),
        "km/h" | "kph" | "km/hr" | "kmh" => (D::Speed, 5, 18),
        "mph" => (D::Speed, 1397, 3125),
        "m/s²" => (D::Acceleration, 1, 1),
        "Pa" => (D::Pressure, 1, 1),
        "hPa" => (D::Pressure, 100, 1),
        "kPa" => (D::Pressure, 1000, 1),
        "MPa" => (D::Pressure, MIL, 1),
        "N" => (D::Force, 1, 1),
        "dB" => (D::Loudness, 1, 1),
        "px" => (D::Pixels, 1, 1),
        "MP" => (D::Pixels, MIL, 1),
        "dpi" | "DPI" | "ppi" => (D::Dots, 1, 1),
        "pt" => (D::Points, 1, 1),
        "fps" | "FPS" => (D::Frames, 1, 1),
        "rpm" | "RPM" => (D::Turns, 1, 1),
        "ppm" => (D::Parts, 1, MIL),
        "ppb" => (D::Parts, 1, GIG),
        "°C" | "℃" => return Some(CELSIUS),
        "°F" | "℉" => return Some(FAHRENHEIT),
        "°" => return Some(DEGREE),
        "Ω" => (D::Ohms, 1, 1),
        "kΩ" => (D::Ohms, 1000, 1),
        "lx" | "lux" => (D::Light, 1, 1),
        "nits" | "nit" => (D::Light, 1, 1),
        "em" => (D::Em, 1, 1),
        "rem" => (D::Em, 1000, 1),
        _ => return None,
    };
    Some(MeasureUnit::of(dimension, n, d))
}

/// The unit of a lower-case English word.
pub(super) fn english(word: &str) -> Option<MeasureUnit> {
    let unit = match word {
        "second" | "seconds" | "sec" | "secs" => SECOND,
        "minute" | "minutes" | "min" | "mins" => MINUTE,
        "hour" | "hours" | "hr" | "hrs" => HOUR,
        "day" | "days" => DAY,
        "week" | "weeks" => WEEK,
        "month" | "months" => MONTH,
        "year" | "years" => YEAR,
        "degree" | "degrees" => DEGREE,
        "millisecond" | "milliseconds" => return symbol("ms"),
        "microsecond" | "microseconds" => return symbol("μs"),
        "nanosecond" | "nanoseconds" => return symbol("ns"),
        "kilometer" | "kilometers" | "kilometre" | "kilometres" => KILOMETRE,
        "meter" | "meters" | "metre" | "metres" => METRE,
        "centimeter" | "centimeters" | "centimetre" | "centimetres" => return symbol("cm"),
        "millimeter" | "millimeters" | "millimetre" | "millimetres" => return symbol("mm"),
        "mile" | "miles" => return symbol("mi"),
        "foot" | "feet" => return symbol("ft"),
        "yard" | "yards" => return symbol("yd"),
        "inch" | "inches" => return symbol("in"),
        "kilogram" | "kilograms" | "kilo" | "kilos" | "kgs" => KILOGRAM,
        "gram" | "grams" => return symbol("g"),
        "milligram" | "milligrams" => return symbol("mg"),
        "ton" | "tons" | "tonne" | "tonnes" => return symbol("t"),
        "ounce" | "ounces" => return symbol("oz"),
        "liter" | "liters" | "litre" | "litres" => return symbol("L"),
        "milliliter" | "milliliters" | "millilitre" | "millilitres" => return symbol("mL"),
        "byte" | "bytes" => return symbol("B"),
        "kilobyte" | "kilobytes" => return symbol("KB"),
        "megabyte" | "megabytes" => return symbol("MB"),
        "gigabyte" | "gigabytes" => return symbol("GB"),
        "terabyte" | "terabytes" => return symbol("TB"),
        "pixel" | "pixels" => return symbol("px"),
        "hertz" => return symbol("Hz"),
        "kilohertz" => return symbol("kHz"),
        "megahertz" => return symbol("MHz"),
        "gigahertz" => return symbol("GHz"),
        "watt" | "watts" => return symbol("W"),
        "kilowatt" | "kilowatts" => return symbol("kW"),
        "volt" | "volts" => return symbol("V"),
        "amp" | "amps" | "ampere" | "amperes" => return symbol("A"),
        "calorie" | "calories" => return symbol("cal"),
        "decibel" | "decibels" => return symbol("dB"),
        "megapixel" | "megapixels" => return symbol("MP"),
        _ => return None,
    };
    Some(unit)
}

/// The meaning of a Korean word after a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KoreanUnit {
    Percent,
    Points,
    Money(Money, i64),
    Unit(MeasureUnit),
    /// Kilo: grams or metres.
    Kilo,
    Pound,
    /// 도: of temperature or of an angle.
    Degree,
}

/// Korean words after a number: word, syllables that must not follow (another word begins the same way), meaning. Longer words first.
pub(super) fn hangul() -> &'static [(&'static str, &'static str, KoreanUnit)] {
    use Dimension as D;
    use KoreanUnit::{Degree, Kilo, Money as Cash, Percent, Points, Pound, Unit as U};
    const fn unit(dimension: D, n: i64, d: i64) -> KoreanUnit {
        U(MeasureUnit::of(dimension, n, d))
    }
    const WORDS: &[(&str, &str, KoreanUnit)] = &[
        ("원", "칙소색형심료룸격통뿔산천", Cash(Money::Won, 1)),
        ("퍼센트포인트", "", Points),
        ("퍼센트", "", Percent),
        ("프로", "그젝세필토모덕파야", Percent),
        ("달러", "", Cash(Money::Dollar, 1)),
        ("불", "가꽃고교금길내능당데도동량러리만면법빛상신안완우을이평편필합행황", Cash(Money::Dollar, 1)),
        ("유로", "파", Cash(Money::Euro, 1)),
        ("엔화", "", Cash(Money::Yen, 1)),
        ("엔", "진터트드딩지", Cash(Money::Yen, 1)),
        ("위안", "부", Cash(Money::Yuan, 1)),
        ("루피", "", Cash(Money::Rupee, 1)),
        ("비트코인", "", Cash(Money::Bitcoin, 1)),
        ("센트", "럴", Cash(Money::Dollar, 100)),
        ("파운드", "", Pound),
        ("밀리초", "", unit(D::Time, 1, 1000)),
        ("마이크로초", "", unit(D::Time, 1, MIL)),
        ("나노초", "", unit(D::Time, 1, GIG)),
        ("시간", "", U(HOUR)),
        ("분", "기의야류석할량산포해열비배수", U(MINUTE)),
        ("초", "과기반등보점대록음콜중심", U(SECOND)),
        ("주일", "", U(WEEK)),
        ("주", "요택소식문인민행로장제유기년점권", U(WEEK)),
        ("개월", "", U(MONTH)),
        ("달", "라성력리", U(MONTH)),
        ("년", "대생", U(YEAR)),
        ("일", "반정부본상종관품곱", U(DAY)),
        ("킬로미터", "", U(KILOMETRE)),
        ("킬로그램", "", U(KILOGRAM)),
        ("킬로바이트", "", unit(D::Bits, 8000, 1)),
        ("킬로와트시", "", unit(D::Work, 1000, 1)),
        ("킬로와트", "", unit(D::Power, 1000, 1)),
        ("킬로칼로리", "", unit(D::Energy, 4184, 1)),
        ("킬로헤르츠", "", unit(D::Frequency, 1000, 1)),
        ("킬로", "", Kilo),
        ("센티미터", "", unit(D::Length, 1, 100)),
        ("센티", "", unit(D::Length, 1, 100)),
        ("밀리미터", "", unit(D::Length, 1, 1000)),
        ("밀리그램", "", unit(D::Mass, 1, 1000)),
        ("밀리리터", "", unit(D::Volume, 1, 1000)),
        ("밀리암페어시", "", unit(D::Charge, 1, 1000)),
        ("밀리", "", unit(D::Length, 1, 1000)),
        ("제곱미터", "", unit(D::Area, 1, 1)),
        ("제곱킬로미터", "", unit(D::Area, MIL, 1)),
        ("미터", "기", U(METRE)),
        ("마일", "리", unit(D::Length, 1_609_344, 1000)),
        ("인치", "", unit(D::Length, 254, 10_000)),
        ("피트", "니", unit(D::Length, 3048, 10_000)),
        ("야드", "", unit(D::Length, 9144, 10_000)),
        ("그램", "", unit(D::Mass, 1, 1)),
        ("톤", "", unit(D::Mass, MIL, 1)),
        ("온스", "", unit(D::Mass, 45_359_237, 1_600_000)),
        ("리터", "", unit(D::Volume, 1, 1)),
        ("헥타르", "", unit(D::Area, 10_000, 1)),
        ("바이트", "", unit(D::Bits, 8, 1)),
        ("비트", "코", unit(D::Bits, 1, 1)),
        ("메가바이트", "", unit(D::Bits, 8 * MIL, 1)),
        ("메가픽셀", "", unit(D::Pixels, MIL, 1)),
        ("메가헤르츠", "", unit(D::Frequency, MIL, 1)),
        ("메가와트", "", unit(D::Power, MIL, 1)),
        ("메가비피에스", "", unit(D::BitRate, MIL, 1)),
        ("메가", "", unit(D::Bits, 8 * MIL, 1)),
        ("기가바이트", "", unit(D::Bits, 8 * GIG, 1)),
        ("기가헤르츠", "", unit(D::Frequency, GIG, 1)),
        ("기가와트", "", unit(D::Power, GIG, 1)),
        ("기가", "", unit(D::Bits, 8 * GIG, 1)),
        ("테라바이트", "", unit(D::Bits, 8 * GIG * 1000, 1)),
        ("테라", "", unit(D::Bits, 8 * GIG * 1000, 1)),
        ("픽셀", "", unit(D::Pixels, 1, 1)),
        ("화소", "", unit(D::Pixels, 1, 1)),
        ("헤르츠", "", unit(D::Frequency, 1, 1)),
        ("와트", "", unit(D::Power, 1, 1)),
        ("볼트", "", unit(D::Voltage, 1, 1)),
        ("암페어", "", unit(D::Current, 1, 1)),
        ("칼로리", "", unit(D::Energy, 4184, 1000)),
        ("데시벨", "", unit(D::Loudness, 1, 1)),
        ("도", "시구움입착달서장면형덕록", Degree),
    ];
    WORDS
}
