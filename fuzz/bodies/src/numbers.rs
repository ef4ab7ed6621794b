//! Numbers as fuzzing wants them: often small and whole, now and then anything.

use arbitrary::{Arbitrary, Result, Unstructured};

/// Coordinates at which arithmetic changes its mind.
const EDGES: [f32; 16] = [
    0.0,
    -0.0,
    0.5,
    0.1,
    -0.25,
    1e-45,
    f32::MIN_POSITIVE,
    f32::EPSILON,
    16_777_216.0,
    16_777_217.0,
    -1e9,
    1e30,
    f32::MAX,
    f32::MIN,
    f32::INFINITY,
    f32::NEG_INFINITY,
];

/// A coordinate of 32 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number(pub(crate) f32);

impl<'a> Arbitrary<'a> for Number {
    fn arbitrary(u: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self(match u.arbitrary::<u8>()? {
            255 => match u.arbitrary::<u8>()? {
                0..8 => f32::NAN,
                _ => f32::from_bits(u.arbitrary()?),
            },
            250..255 => EDGES[usize::from(u.arbitrary::<u8>()?) % EDGES.len()],
            small => f32::from(small) - 64.0,
        }))
    }
}

impl Number {
    /// Whether it is small, so that no arithmetic on a few of them overflows or loses much.
    pub(crate) fn is_tame(self) -> bool {
        self.0 == 0.0 || (1e-3..1e6).contains(&self.0.abs())
    }
}
