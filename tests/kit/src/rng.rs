//! The source of random choices for generated inputs.

/// A source of choices: a seed, or bytes chosen by a fuzzer or by proptest.
///
/// Generators treat 0 as the simplest choice, and exhausted bytes continue with zeros. Inputs therefore shrink when bytes
/// are removed or become smaller.
#[derive(Clone, Debug)]
pub struct Rng(Source);

#[derive(Clone, Debug)]
enum Source {
    /// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014): a counter with
    /// a mixing function. It is good enough for tests, and because it is implemented here, no update of a crate
    /// changes the sequence of a seed.
    Seed(u64),
    Bytes(std::vec::IntoIter<u8>),
}

impl Rng {
    /// Creates a source from a seed.
    pub fn new(seed: u64) -> Self {
        Self(Source::Seed(seed))
    }

    /// Creates a source from bytes.
    pub fn of_bytes(bytes: impl Into<Vec<u8>>) -> Self {
        Self(Source::Bytes(bytes.into().into_iter()))
    }

    /// Splits off a separate source: the next bytes, or a generator with a random seed.
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

    /// Returns 64 random bits.
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

    /// Returns 32 random bits.
    pub fn word(&mut self) -> u32 {
        match &mut self.0 {
            Source::Seed(_) => (self.bits() >> 32) as u32,
            Source::Bytes(bytes) => u32::from_le_bytes(take(bytes)),
        }
    }

    /// Returns 8 random bits.
    pub fn byte(&mut self) -> u8 {
        match &mut self.0 {
            Source::Seed(_) => (self.bits() >> 56) as u8,
            Source::Bytes(bytes) => bytes.next().unwrap_or(0),
        }
    }

    /// Returns a number below `bound`, which must not be 0. Very nearly uniform for seeds. Consumes one, two or four bytes,
    /// depending on `bound`.
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

    /// Returns true with a probability of `percent`.
    pub fn percent(&mut self, percent: u32) -> bool {
        self.below(100) >= 100 - percent
    }

    /// Returns true in one of `bound` cases.
    pub fn one_in(&mut self, bound: u32) -> bool {
        self.below(bound) == bound - 1
    }

    /// Returns approximately a multiple of 2^-24 in `low .. high`.
    pub fn range(&mut self, low: f32, high: f32) -> f32 {
        let unit = self.below(1 << 24) as f32 / (1 << 24) as f32;
        low + (high - low) * unit
    }

    /// Returns a number from 0 to 1.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns one of the items. `items` must not be empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }
}

/// Returns the next bytes, followed by zeros.
fn take<const N: usize>(bytes: &mut std::vec::IntoIter<u8>) -> [u8; N] {
    std::array::from_fn(|_| bytes.next().unwrap_or(0))
}
