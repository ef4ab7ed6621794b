//! Numbers that are often small and whole and now and then anything; and words that may be a stream.

use arbitrary::{Arbitrary, Result, Unstructured};
use treebounds_core::{Kernel, KernelError, NodeKind, Rect, Stream, StreamError, Tag};

/// Coordinates at which arithmetic behaves differently.
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

/// Any tags and rects. Often they are a stream.
#[derive(Clone, Debug)]
pub(crate) struct Words {
    pub(crate) tags: Vec<u32>,
    pub(crate) rects: Vec<Rect>,
    pub(crate) viewport: Rect,
}

/// The tags that there are, draws and clips more often than others.
const TAGS: [Tag; 20] = [
    Tag::DRAW,
    Tag::begin(NodeKind::Clip),
    Tag::end(NodeKind::Clip),
    Tag::DRAW,
    Tag::begin(NodeKind::Blend),
    Tag::end(NodeKind::Blend),
    Tag::DRAW,
    Tag::begin(NodeKind::ClipBlend),
    Tag::end(NodeKind::ClipBlend),
    Tag::DRAW,
    Tag::begin(NodeKind::Blend).non_local(),
    Tag::end(NodeKind::Blend).non_local(),
    Tag::begin(NodeKind::ClipBlend).non_local(),
    Tag::end(NodeKind::ClipBlend).non_local(),
    Tag::begin(NodeKind::Clip),
    Tag::end(NodeKind::Clip),
    Tag::begin(NodeKind::Clip).fills(),
    Tag::end(NodeKind::Clip).fills(),
    Tag::begin(NodeKind::Spread),
    Tag::end(NodeKind::Spread),
];

impl Words {
    /// At most so many elements; all that the bytes hold, if those are fewer.
    pub(crate) fn read(u: &mut Unstructured<'_>, most: usize) -> Result<Self> {
        let viewport = rect(u)?;
        let (mut tags, mut rects) = (Vec::new(), Vec::new());
        while !u.is_empty() && tags.len() < most {
            let tag = tag(u)?;
            let rect = rect(u)?;
            let is_kernel = Tag::from_bits(tag).is_some_and(Tag::is_spread) && u.arbitrary()?;
            tags.push(tag);
            rects.push(if is_kernel { kernel(rect) } else { rect });
        }
        if u.arbitrary::<u8>()? == 1 {
            rects.pop();
        }
        Ok(Self { tags, rects, viewport })
    }

    /// What the library makes of them.
    pub(crate) fn stream(&self) -> std::result::Result<Stream, StreamError> {
        Stream::new(bytemuck::cast_slice(&self.tags).to_vec(), self.rects.clone(), self.viewport)
    }

    /// Why they are no stream, read off the rules.
    pub(crate) fn mistake(&self) -> Option<StreamError> {
        let (tags, rects) = (self.tags.len(), self.rects.len());
        if tags != rects {
            return Some(StreamError::LengthsDiffer { tags, rects });
        }
        for (index, (&bits, rect)) in self.tags.iter().zip(&self.rects).enumerate() {
            if Tag::from_bits(bits).is_none() {
                return Some(StreamError::BadTag { index, bits });
            }
            match bits & Tag::ROLE_MASK {
                // The rect of an end is never read.
                Tag::ROLE_END => {}
                _ if bits & Tag::SPREAD != 0 => {
                    if let Some(source) = bad_kernel(*rect) {
                        return Some(StreamError::BadKernel { index, source });
                    }
                }
                _ if has_nan(*rect) => return Some(StreamError::BadRect { index }),
                _ => {}
            }
        }
        has_nan(self.viewport).then_some(StreamError::BadViewport)
    }
}

/// What is wrong with a kernel, read off the rules.
pub(crate) fn bad_kernel(rect: Rect) -> Option<KernelError> {
    let sides = rect.to_array();
    if sides.iter().any(|side| side.is_nan() || (side.is_finite() && side.fract() != 0.0)) {
        Some(KernelError::NotWhole)
    } else if sides.iter().any(|side| side.abs() > Kernel::MAX) {
        Some(KernelError::TooLarge)
    } else {
        (rect.x0 > rect.x1 || rect.y0 > rect.y1).then_some(KernelError::Reversed)
    }
}

/// A kernel, more or less.
fn kernel(rect: Rect) -> Rect {
    let [x0, y0, x1, y1] = rect.to_array().map(f32::round);
    Rect::new(x0.min(x1), y0.min(y1), x0.max(x1), y0.max(y1))
}

fn has_nan(rect: Rect) -> bool {
    rect.to_array().into_iter().any(f32::is_nan)
}

/// A tag; one in five hundred or so is any word.
fn tag(u: &mut Unstructured<'_>) -> Result<u32> {
    Ok(match u.arbitrary::<u8>()? {
        255 => match u.arbitrary::<u8>()? {
            small @ 0..128 => u32::from(small),
            _ => u.arbitrary()?,
        },
        usual => TAGS[usize::from(usual) % TAGS.len()].bits(),
    })
}

/// A rect: everything, nothing, any four numbers, or a corner and a size.
fn rect(u: &mut Unstructured<'_>) -> Result<Rect> {
    let mut number = || Ok(u.arbitrary::<Number>()?.0);
    let kind = number()?;
    Ok(match kind {
        x if x < -56.0 => Rect::EVERYTHING,
        x if x < -52.0 => Rect::NOTHING,
        x if x < 0.0 => Rect::new(number()?, number()?, number()?, number()?),
        _ => {
            let (x, y) = (number()?, number()?);
            Rect::new(x, y, x + number()?.abs(), y + number()?.abs())
        }
    })
}
