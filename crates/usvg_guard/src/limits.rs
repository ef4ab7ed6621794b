//! How much a file may cost.

use crate::Refused;
use crate::measure::Cost;

/// The most elements and texts that usvg reads, what its uses show included.
pub const USVG_ELEMENTS: u64 = 1_000_000;

/// The deepest nesting that usvg reads, where a use counts as two levels.
pub const USVG_NESTING: u64 = 1024;

/// How much a file may cost. Every field is the most that is let through; a file that costs more is
/// [`Refused`] before usvg reads it.
///
/// The defaults are made for one file to take less than about 20 seconds and 4 GB in an optimized build, whatever is
/// in it, and for ordinary drawings to be far below.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the file, and of what gzip makes of it: 256 MiB.
    pub bytes: u64,
    /// Bytes of the text with its entities expanded, where those make it more than twice as long: 64 MiB.
    pub expanded_bytes: u64,
    /// Attributes of one element: 4,096. The XML parser compares each with every other.
    pub attributes: u64,
    /// Prefixes of namespaces in one file: 1,024. The XML parser looks them up one by one.
    pub namespaces: u64,
    /// Entities times references to entities: 1,000,000,000. The XML parser looks them up one by one.
    pub entities: u64,
    /// Nodes of XML, texts and comments included: 4,000,000.
    pub nodes: u32,
    /// Elements and texts, what uses show included: 1,000,000, which is usvg's own limit, [`USVG_ELEMENTS`].
    pub elements: u64,
    /// How many times as much a drawing in [`Pieces`](crate::Pieces) may cost, all pieces together, memory and levels aside:
    /// 2.
    pub in_pieces: u64,
    /// Levels of nesting, a use counted as two: 1,024, which is usvg's own limit, [`USVG_NESTING`].
    pub nesting: u64,
    /// Levels of nesting that the stack must hold, where a reference to a pattern, mask, marker, filter or clip path
    /// counts as 16: one for every 16 KiB of [`LARGE_STACK`](crate::LARGE_STACK).
    pub levels: u64,
    /// Elements that are visited when every reference is followed: 4,000,000. One takes about a microsecond and 700
    /// bytes.
    pub visits: u64,
    /// Copies of patterns, masks, markers, filters and clip paths: 100,000. usvg compares each with every other.
    pub copies: u64,
    /// Steps of laying out text: 8,000,000,000. One is about 0.6 ns.
    pub text_steps: u64,
    /// Steps of following arcs: 1,000,000,000. One is about 1 ns.
    pub arc_steps: u64,
    /// Numbers in the data of paths, each as often as its path is shown: 32,000,000.
    pub segments: u64,
    /// Bytes that gradients, dashes, ids and the data of images take, each as often as it is used: 1 GiB.
    pub memory: u64,
    /// Steps of looking up and reading attributes, each as often as it is inherited or repeated: 6,000,000,000. One is
    /// about 1 ns.
    pub steps: u64,
    /// Steps of matching style sheets, every selector with every element once: 50,000,000. One is about 5 ns.
    pub style_steps: u64,
    /// Bytes of a linked image file: 64 MiB. All of a drawing together may have four times as many.
    pub image_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 256 << 20,
            expanded_bytes: 64 << 20,
            attributes: 4096,
            namespaces: 1024,
            entities: 1_000_000_000,
            nodes: 4_000_000,
            elements: USVG_ELEMENTS,
            in_pieces: 2,
            nesting: USVG_NESTING,
            levels: crate::LARGE_STACK as u64 >> 14,
            visits: 4_000_000,
            copies: 100_000,
            text_steps: 8_000_000_000,
            arc_steps: 1_000_000_000,
            segments: 32_000_000,
            memory: 1 << 30,
            steps: 6_000_000_000,
            style_steps: 50_000_000,
            image_bytes: 64 << 20,
        }
    }
}

impl Limits {
    /// What all pieces of a drawing may cost together.
    pub(crate) fn of_pieces(&self) -> Self {
        let times = |limit: u64| limit.saturating_mul(self.in_pieces);
        Self {
            visits: times(self.visits),
            copies: times(self.copies),
            text_steps: times(self.text_steps),
            arc_steps: times(self.arc_steps),
            segments: times(self.segments),
            steps: times(self.steps),
            ..self.clone()
        }
    }

    /// Refuses what costs more.
    ///
    /// # Errors
    /// The first limit that is passed.
    pub(crate) fn check(&self, cost: &Cost) -> Result<(), Refused> {
        use Refused as R;
        let parts = [
            (cost.work, self.visits, R::TooMuch { max: self.visits }),
            (cost.copies, self.copies, R::TooManyCopies { max: self.copies }),
            (cost.text, self.text_steps, R::TooMuchText { max: self.text_steps }),
            (cost.arcs, self.arc_steps, R::TooLargeArcs { max: self.arc_steps }),
            (cost.segments, self.segments, R::TooManySegments { max: self.segments }),
            (cost.memory, self.memory, R::TooMuchMemory { max: self.memory }),
            (cost.steps, self.steps, R::TooManySteps { max: self.steps }),
            (cost.depth, self.levels, R::TooDeep { depth: cost.depth, max: self.levels }),
        ];
        parts.into_iter().find(|(found, max, _)| found > max).map_or(Ok(()), |(.., why)| Err(why))
    }
}
