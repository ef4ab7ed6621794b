//! A time that was measured several times.

use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// How long the CPU may repeat something, once it has run twice.
const BUDGET: Duration = Duration::from_millis(300);

/// Microseconds: the median of the runs, and the quartiles around it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Time {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Time {
    /// Of work on the CPU: at least two runs, at most as many as on the GPU.
    pub(crate) fn of_work(runs: u32, mut work: impl FnMut()) -> Self {
        let start = Instant::now();
        let mut times = Vec::new();
        while times.len() < 2 || (times.len() < runs as usize && start.elapsed() < BUDGET) {
            let start = Instant::now();
            work();
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
        Self::of(times)
    }

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
