//! A small random number generator that is the same everywhere.

/// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014): a counter, stirred. Good enough to test with, and no
/// dependency's update can change what a seed means.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The generator of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which must not be 0. Very nearly uniform.
    pub fn below(&mut self, bound: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(bound)) >> 32) as u32
    }

    /// True in this many of a hundred cases.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) < percent
    }

    /// True in one of `bound` cases.
    pub fn one_in(&mut self, bound: u32) -> bool {
        self.below(bound) == 0
    }

    /// A multiple of 2^-24 in `low .. high`, near enough.
    pub fn range(&mut self, low: f32, high: f32) -> f32 {
        let unit = self.below(1 << 24) as f32 / (1 << 24) as f32;
        low + (high - low) * unit
    }
}
