//! How long things took.

use std::{
    fmt,
    time::{Duration, Instant},
};

/// The steps of a program, each with the time that it took.
#[derive(Clone, Debug, Default)]
pub struct Times(Vec<(&'static str, Duration)>);

impl Times {
    /// Another step.
    pub fn add(&mut self, what: &'static str, time: Duration) {
        self.0.push((what, time));
    }

    /// Does a step, and adds the time that it took.
    pub fn of<T>(&mut self, what: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = work();
        self.add(what, start.elapsed());
        done
    }
}

/// `reading 12 ms, computing 3.10 ms`.
impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (what, time)) in self.0.iter().enumerate() {
            let gap = if at > 0 { ", " } else { "" };
            write!(f, "{gap}{what} {}", short(*time))?;
        }
        Ok(())
    }
}

/// The time with three digits or so.
pub fn short(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    match ms {
        ..0.1 => format!("{:.1} us", ms * 1e3),
        ..10.0 => format!("{ms:.2} ms"),
        ..1000.0 => format!("{ms:.0} ms"),
        _ => format!("{:.1} s", ms / 1e3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits_or_so() {
        let of = |us| short(Duration::from_nanos((us * 1e3) as u64));
        assert_eq!(
            [12.34, 123.4, 12_340.0, 2_340_000.0].map(of),
            ["12.3 us", "0.12 ms", "12 ms", "2.3 s"]
        );
        let mut times = Times::default();
        times.add("reading", Duration::from_millis(20));
        times.add("computing", Duration::from_millis(3));
        assert_eq!(times.to_string(), "reading 20 ms, computing 3.00 ms");
    }
}
