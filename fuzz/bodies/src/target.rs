//! The table of targets.

use crate::{Seeds, input};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use treebounds_testkit::Rng;
use usvg_guard::contain::{Ended, Limits};

/// A body with its input generator.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of the target, which is also the name of its body and its folders.
    pub name: &'static str,
    /// The body. It panics if a property is violated.
    pub body: fn(&[u8]) -> Outcome,
    /// Makes an input from random numbers.
    pub make: fn(&mut Rng, &Seeds) -> Vec<u8>,
    /// The number of inputs per job.
    pub block: u64,
    /// The time and memory limits of a job.
    pub limits: Limits,
    /// Whether a job may exceed its limits. The cost of a drawing is unknown before it is read.
    pub may_stop: bool,
}

/// All targets.
pub const TARGETS: [Target; 6] = [
    target("stream", crate::stream, input::words, 128),
    target("canvas", crate::canvas, input::words, 128),
    target("vello", crate::vello, input::words, 128),
    target("report", crate::report, input::words, 64),
    Target { may_stop: true, ..target("svg", crate::svg, input::svg, 8) },
    Target { may_stop: true, ..target("svg_bombs", crate::svg, input::svg_bombs, 1) },
];

/// A target that fails on demand, to test the runner. Its seeds contain the commands.
pub const SELF_TEST: Target = target("self_test", obey, |_, _| Vec::new(), 512);

const fn target(
    name: &'static str,
    body: fn(&[u8]) -> Outcome,
    make: fn(&mut Rng, &Seeds) -> Vec<u8>,
    block: u64,
) -> Target {
    let (time, memory) = (Duration::from_secs(20), 4 << 30);
    let limits = Limits { time, memory, answer_bytes: 1 << 10 };
    Target { name, body, make, block, limits, may_stop: false }
}

fn obey(data: &[u8]) -> Outcome {
    match data {
        b"abort" => std::process::abort(),
        b"memory" => drop(std::hint::black_box(Vec::<u8>::with_capacity(6 << 30))),
        word => assert!(word != b"panic", "as told"),
    }
    Outcome::ACCEPTED
}

impl Target {
    /// Returns the target with this name.
    pub fn named(name: &str) -> Option<Self> {
        TARGETS.into_iter().chain([SELF_TEST]).find(|target| target.name == name)
    }

    /// Returns the input with this number: first the seeds, then new inputs.
    pub fn input(&self, seeds: &Seeds, seed: u64, index: u64) -> Vec<u8> {
        if let Some(kept) = usize::try_from(index).ok().and_then(|at| seeds.0.get(at)) {
            return kept.clone();
        }
        let mut mixed = Rng::new(seed);
        let mut rng =
            Rng::new(mixed.bits().wrapping_add(index.wrapping_mul(0xd134_2543_de82_ef95)));
        (self.make)(&mut rng, seeds)
    }

    /// Whether the target allows a job to be stopped at this limit.
    pub fn is_stopped_by(&self, ended: &Ended) -> bool {
        self.may_stop && matches!(ended, Ended::Time(_) | Ended::Memory(_) | Ended::Stack)
    }
}

/// The numbers of inputs by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Inputs that were read and satisfied all properties.
    pub accepted: u64,
    /// Inputs that were rejected with a typed error.
    pub refused: u64,
    /// Inputs on which a library panicked, and the panic was caught.
    pub caught: u64,
    /// Inputs on which a worker was stopped at its limits.
    pub stopped: u64,
}

impl Outcome {
    const NONE: Self = Self { accepted: 0, refused: 0, caught: 0, stopped: 0 };
    /// One accepted input.
    pub const ACCEPTED: Self = Self { accepted: 1, ..Self::NONE };
    /// One rejected input.
    pub const REFUSED: Self = Self { refused: 1, ..Self::NONE };
    /// One input on which a library panicked.
    pub const CAUGHT: Self = Self { caught: 1, ..Self::NONE };
    /// One input on which a worker was stopped.
    pub const STOPPED: Self = Self { stopped: 1, ..Self::NONE };

    /// Returns the total number of inputs.
    pub fn cases(&self) -> u64 {
        self.accepted + self.refused + self.caught + self.stopped
    }
}

impl std::ops::AddAssign for Outcome {
    fn add_assign(&mut self, other: Self) {
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.caught += other.caught;
        self.stopped += other.stopped;
    }
}
