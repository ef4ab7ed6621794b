//! The table of targets.

use crate::{Seeds, input};
use treebounds_tests::streams::Rng;

/// A body, and the generator of its inputs.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name of the target, its body and its folders.
    pub name: &'static str,
    /// The body. It panics where something does not hold.
    pub body: fn(&[u8]) -> Outcome,
    /// Makes an input from the random numbers of its index.
    pub make: fn(&mut Rng, &Seeds) -> Vec<u8>,
    /// How many inputs are run between two notes of how far it is.
    pub block: u64,
    /// Bytes of memory that a process of it may have; `None` where a driver wants more addresses than memory.
    pub memory: Option<u64>,
}

/// 4 GiB, and what the allocator sets aside for its threads.
const MEMORY: Option<u64> = Some(5 << 30);

/// All of them.
pub const TARGETS: [Target; 9] = [
    Target { name: "stream", body: crate::stream, make: input::words, block: 512, memory: MEMORY },
    Target {
        name: "matching",
        body: crate::matching,
        make: input::words,
        block: 512,
        memory: MEMORY,
    },
    Target { name: "canvas", body: crate::canvas, make: input::words, block: 128, memory: MEMORY },
    Target { name: "vello", body: crate::vello, make: input::words, block: 128, memory: MEMORY },
    Target { name: "report", body: crate::report, make: input::words, block: 64, memory: MEMORY },
    Target { name: "svg", body: crate::svg, make: input::svg, block: 8, memory: MEMORY },
    Target {
        name: "svg_bombs",
        body: crate::svg,
        make: input::svg_bombs,
        block: 1,
        memory: MEMORY,
    },
    Target {
        name: "stream_gpu",
        body: crate::stream_gpu,
        make: input::batch,
        block: 1,
        memory: None,
    },
    Target {
        name: "matching_gpu",
        body: crate::matching_gpu,
        make: input::batch,
        block: 1,
        memory: None,
    },
];

/// Falls over as told, to test what watches: its kept inputs are the words that it obeys.
const SELF_TEST: Target =
    Target { name: "self_test", body: obey, make: |_, _| Vec::new(), block: 512, memory: MEMORY };

fn obey(data: &[u8]) -> Outcome {
    match data {
        b"abort" => std::process::abort(),
        b"memory" => drop(std::hint::black_box(Vec::<u8>::with_capacity(6 << 30))),
        word => assert!(word != b"panic", "as told"),
    }
    Outcome::ACCEPTED
}

impl Target {
    /// The target of this name.
    pub fn named(name: &str) -> Option<Self> {
        TARGETS.into_iter().chain([SELF_TEST]).find(|target| target.name == name)
    }

    /// The input with this index: the kept ones first, then those made of the seed.
    pub fn input(&self, seeds: &Seeds, seed: u64, index: u64) -> Vec<u8> {
        if let Some(kept) = usize::try_from(index).ok().and_then(|at| seeds.0.get(at)) {
            return kept.clone();
        }
        let mut mixed = Rng::new(seed);
        let mut rng =
            Rng::new(mixed.bits().wrapping_add(index.wrapping_mul(0xd134_2543_de82_ef95)));
        (self.make)(&mut rng, seeds)
    }
}

/// How many inputs a body read, refused, or saw a library panic on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Inputs that were read and held all that must hold.
    pub accepted: u64,
    /// Inputs that were refused with a typed error.
    pub refused: u64,
    /// Inputs on which a library panicked, and the panic was caught.
    pub caught: u64,
}

impl Outcome {
    /// One input was read.
    pub const ACCEPTED: Self = Self { accepted: 1, refused: 0, caught: 0 };
    /// One input was refused.
    pub const REFUSED: Self = Self { accepted: 0, refused: 1, caught: 0 };
    /// One input made a library panic.
    pub const CAUGHT: Self = Self { accepted: 0, refused: 0, caught: 1 };

    /// How many inputs these are.
    pub fn cases(&self) -> u64 {
        self.accepted + self.refused + self.caught
    }
}

impl std::ops::AddAssign for Outcome {
    fn add_assign(&mut self, other: Self) {
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.caught += other.caught;
    }
}
