//! What became of an input.

/// What a body made of one input, or of several: how many were read, refused, or made a library panic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Read, and all that must hold did.
    pub accepted: u64,
    /// Refused with a typed error.
    pub refused: u64,
    /// Refused because a library panicked, and the panic was caught.
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
