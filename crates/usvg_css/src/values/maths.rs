//! Quantities, and the functions of `calc()`.

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Number,
    /// In pixels.
    Length,
    /// In degrees.
    Angle,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantity {
    pub(crate) value: f64,
    pub(crate) kind: Kind,
}

impl Quantity {
    /// Whether it is a zero without a unit, which may be of any kind.
    pub(crate) fn is_zero(self) -> bool {
        self.kind == Kind::Number && self.value == 0.0
    }
}

/// A multiple of a step, or of 1, near a value.
pub(crate) fn round(way: &str, values: &[f64]) -> Option<f64> {
    let (value, step) = match values {
        [value] => (*value, 1.0),
        [value, step] => (*value, *step),
        _ => return None,
    };
    let count = value / step;
    let count = match way {
        "nearest" => (count + 0.5).floor(),
        "up" => count.ceil(),
        "down" => count.floor(),
        "to-zero" => count.trunc(),
        _ => return None,
    };
    Some(count * step)
}

/// A mathematical function of CSS, and the kind of its value.
pub(crate) fn function(name: &str, kind: Kind, values: &[f64]) -> Option<(f64, Kind)> {
    let is_number = kind == Kind::Number;
    let radians = |value: f64| if is_number { value } else { value.to_radians() };
    let all = || values.iter().copied();
    Some(match (name, values) {
        ("min", _) => (all().fold(f64::INFINITY, f64::min), kind),
        ("max", _) => (all().fold(f64::NEG_INFINITY, f64::max), kind),
        ("clamp", [least, value, most]) => (value.min(*most).max(*least), kind),
        ("abs", [value]) => (value.abs(), kind),
        ("mod", [value, by]) => (value - by * (value / by).floor(), kind),
        ("rem", [value, by]) => (value % by, kind),
        ("round", _) => (round("nearest", values)?, kind),
        ("hypot", _) => (all().fold(0.0, f64::hypot), kind),
        ("sign", [value]) if *value == 0.0 => (0.0, Kind::Number),
        ("sign", [value]) => (value.signum(), Kind::Number),
        ("atan2", [y, x]) => (y.atan2(*x).to_degrees(), Kind::Angle),
        ("sin", [angle]) if kind != Kind::Length => (radians(*angle).sin(), Kind::Number),
        ("cos", [angle]) if kind != Kind::Length => (radians(*angle).cos(), Kind::Number),
        ("tan", [angle]) if kind != Kind::Length => (radians(*angle).tan(), Kind::Number),
        _ if !is_number => return None,
        ("asin", [value]) => (value.asin().to_degrees(), Kind::Angle),
        ("acos", [value]) => (value.acos().to_degrees(), Kind::Angle),
        ("atan", [value]) => (value.atan().to_degrees(), Kind::Angle),
        ("pow", [value, by]) => (value.powf(*by), kind),
        ("sqrt", [value]) => (value.sqrt(), kind),
        ("exp", [value]) => (value.exp(), kind),
        ("log", [value]) => (value.ln(), kind),
        ("log", [value, base]) => (value.log(*base), kind),
        _ => return None,
    })
}
