//! A 64-bit hash that is fast over floats.
//!
//! Multiplying two words to 128 bits and folding the halves mixes 16 bytes in about five cycles of latency, and a
//! processor can start one such product per cycle. The four lanes are independent, so callers interleave them to hide
//! the latency.

use std::hash::Hasher;

/// Random odd numbers (digits of pi).
const ODD: [u64; 4] =
    [0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7345, 0xA409_3822_299F_31D1, 0x082E_FA98_EC4E_6C89];

#[derive(Clone, Copy, Debug)]
pub(super) struct Hash64 {
    lanes: [u64; 4],
}

impl Hash64 {
    /// Starts a hash. Different heads give different hashes of the same words.
    #[inline(always)]
    pub(super) fn new(head: u64) -> Self {
        let [a, b, c, d] = ODD;
        Self { lanes: [a, b, c, d ^ head.wrapping_mul(c)] }
    }

    /// Mixes two words into a lane. The order of words in different lanes does not matter.
    #[inline(always)]
    pub(super) fn put(&mut self, lane: usize, a: u64, b: u64) {
        self.lanes[lane] = fold(self.lanes[lane] ^ a, b ^ ODD[(lane + 1) % 4]);
    }

    #[inline(always)]
    pub(super) fn floats(&mut self, lane: usize, a: f64, b: f64) {
        self.put(lane, a.to_bits(), b.to_bits());
    }

    /// Returns the hash, which is never 0.
    #[inline(always)]
    pub(super) fn number(self) -> u64 {
        let [a, b, c, d] = self.lanes;
        let sides = [fold(a ^ ODD[1], b ^ ODD[2]), fold(c ^ ODD[3], d ^ ODD[0])];
        (sides[0] ^ sides[1].rotate_left(32)).max(1)
    }
}

/// Mixes two more words into a hash. The result is never 0.
#[inline]
pub(super) fn together(hash: u64, [a, b]: [u64; 2]) -> u64 {
    fold(hash ^ ODD[0], fold(a ^ ODD[1], b ^ ODD[2]) ^ ODD[3]).max(1)
}

#[inline(always)]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// Hashes values that implement `Hash`.
impl Hasher for Hash64 {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.put(3, u64::from_le_bytes(word), chunk.len() as u64);
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.put(3, word.into(), 4);
    }

    fn write_u64(&mut self, word: u64) {
        self.put(3, word, 8);
    }

    fn finish(&self) -> u64 {
        self.number()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn of(words: &[(usize, u64, u64)]) -> u64 {
        let mut mixer = Hash64::new(0);
        words.iter().for_each(|(lane, a, b)| mixer.put(*lane, *a, *b));
        mixer.number()
    }

    #[test]
    fn each_bit_flips_half_of_the_hash() {
        for lane in 0..4 {
            for bit in 0..128 {
                let (mut flips, mut each) = (0, [0_u32; 64]);
                for seed in 0..200_u64 {
                    let a = fold(seed ^ ODD[0], ODD[1]);
                    let b = fold(seed ^ ODD[2], ODD[3]);
                    let flip = 1_u128 << bit;
                    let before = of(&[(lane, a, b), (lane, b, a)]);
                    let after =
                        of(&[(lane, a ^ flip as u64, b ^ (flip >> 64) as u64), (lane, b, a)]);
                    flips += (before ^ after).count_ones();
                    (0..64).for_each(|at| each[at] += ((before ^ after) >> at & 1) as u32);
                }
                assert!((6_000..6_800).contains(&flips), "lane {lane}, bit {bit}: {flips}");
                assert!(
                    each.iter().all(|n| (55..145).contains(n)),
                    "lane {lane}, bit {bit}: {each:?}"
                );
            }
        }
    }

    #[test]
    fn floats_on_a_grid_do_not_collide() {
        let mut seen = HashSet::new();
        for x in 0..1_000 {
            for y in 0..500 {
                let mut mixer = Hash64::new(0);
                mixer.floats(0, f64::from(x), f64::from(y));
                mixer.floats(0, f64::from(x) + 20.0, f64::from(y) + 10.5);
                assert!(seen.insert(mixer.number()), "{x}, {y}");
            }
        }
    }
}
