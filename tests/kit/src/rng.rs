//! The choices that every random input is made of.

/// A source of choices: a seed, or bytes chosen by a fuzzer or by proptest.
///
/// Generators treat 0 as the simplest choice, and bytes that run out go on as zeros. So an input shrinks where bytes are
/// removed or become smaller.
#[derive(Clone, Debug)]
pub struct Rng(Source);

#[derive(Clone, Debug)]
enum Source {
    /// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): a counter, stirred. Good
    /// enough to test with, and no dependency's update can change what a seed means.
    Seed(u64),
    Bytes(std::vec::IntoIter<u8>),
}

impl Rng {
    /// The choices of this seed.
    pub fn new(seed: u64) -> Self {
        Self(Source::Seed(seed))
    }

    /// The choices that these bytes are.
    pub fn of_bytes(bytes: impl Into<Vec<u8>>) -> Self {
        Self(Source::Bytes(bytes.into().into_iter()))
    }

    /// The next bytes as a source of their own; from a seed, a source of another seed.
    #[must_use]
    pub fn part(&mut self, bytes: usize) -> Self {
        match &mut self.0 {
            Source::Seed(_) => Self::new(self.bits()),
            Source::Bytes(all) => Self::of_bytes(all.take(bytes).collect::<Vec<_>>()),
        }
    }

    /// Whether only zeros are left.
    pub fn is_spent(&self) -> bool {
        matches!(&self.0, Source::Bytes(bytes) if bytes.len() == 0)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        match &mut self.0 {
            Source::Seed(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let z = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                z ^ (z >> 31)
            }
            Source::Bytes(bytes) => u64::from_le_bytes(take(bytes)),
        }
    }

    /// 32 random bits.
    pub fn word(&mut self) -> u32 {
        match &mut self.0 {
            Source::Seed(_) => (self.bits() >> 32) as u32,
            Source::Bytes(bytes) => u32::from_le_bytes(take(bytes)),
        }
    }

    /// 8 random bits.
    pub fn byte(&mut self) -> u8 {
        match &mut self.0 {
            Source::Seed(_) => (self.bits() >> 56) as u8,
            Source::Bytes(bytes) => bytes.next().unwrap_or(0),
        }
    }

    /// A number below `bound`, which must not be 0. Very nearly uniform from a seed. From bytes, it takes one byte, two or
    /// four, whatever `bound` needs.
    pub fn below(&mut self, bound: u32) -> u32 {
        match &mut self.0 {
            Source::Seed(_) => ((u64::from(self.word()) * u64::from(bound)) >> 32) as u32,
            Source::Bytes(bytes) if bound <= 1 << 16 && bound > 1 << 8 => {
                u32::from(u16::from_le_bytes(take(bytes))) % bound
            }
            Source::Bytes(_) if bound <= 1 << 8 => u32::from(self.byte()) % bound,
            Source::Bytes(_) => self.word() % bound,
        }
    }

    /// True in this many of a hundred cases.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) >= 100 - percent
    }

    /// True in one of `bound` cases.
    pub fn one_in(&mut self, bound: u32) -> bool {
        self.below(bound) == bound - 1
    }

    /// A multiple of 2^-24 in `low .. high`, near enough.
    pub fn range(&mut self, low: f32, high: f32) -> f32 {
        let unit = self.below(1 << 24) as f32 / (1 << 24) as f32;
        low + (high - low) * unit
    }

    /// A number from 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// One of the items. There must be one.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }
}

/// The next bytes, and zeros after the last.
fn take<const N: usize>(bytes: &mut std::vec::IntoIter<u8>) -> [u8; N] {
    std::array::from_fn(|_| bytes.next().unwrap_or(0))
}
