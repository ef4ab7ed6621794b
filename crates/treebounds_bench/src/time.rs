//! A time that was measured several times.

use serde::{Deserialize, Serialize};

/// Microseconds: the median of the runs, and the quartiles around it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Time {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Time {
    /// Of at least one run.
    pub(crate) fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at = |quarter: usize| times.get((times.len().max(1) - 1) * quarter / 4).copied();
        Self {
            median: at(2).unwrap_or(f64::NAN),
            low: at(1).unwrap_or(f64::NAN),
            high: at(3).unwrap_or(f64::NAN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_lie_around_the_median() {
        let time = Time::of(vec![5.0, 1.0, 4.0, 2.0, 3.0]);
        assert_eq!((time.low, time.median, time.high), (2.0, 3.0, 4.0));
        let time = Time::of(vec![7.0]);
        assert_eq!((time.low, time.median, time.high), (7.0, 7.0, 7.0));
    }
}
