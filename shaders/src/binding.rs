//! The buffers that kernels read and write.

/// A buffer; its number is the same in every kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum Binding {
    /// [`Params`](crate::Params), a uniform.
    Params,
    /// [`TreePlan`](crate::TreePlan), a uniform.
    Plan,
    /// [`MatchLevel`](crate::MatchLevel), a uniform.
    Level,
    /// [`Counts`](crate::Counts): written by what compacts, or by `match reduce`.
    Counts,
    /// One tag word per element.
    Tags,
    /// One rect per element.
    Rects,
    /// For each element, how many markers come before it.
    MarkersBefore,
    /// For each marker, its element.
    MarkerElements,
    /// One link per marker.
    Links,
    /// One clip per marker.
    Clips,
    /// One content box per marker.
    Contents,
    /// One box per element.
    Bounds,
    /// The tags as vectors of four; the buffer is padded to whole ones.
    Tags4,
    /// One bit per element, set where it opens.
    BitsIn,
    /// The links as vectors of four; the buffer is padded to whole ones.
    Links4,
    /// Scratch: words.
    Words,
    /// Scratch: products.
    Products,
    /// The caller's value of each element.
    Inputs,
    /// The caller's answer for each element.
    Outputs,
    /// [`BinPlan`](crate::BinPlan), a uniform.
    Bin,
    /// [`BinStatus`](crate::BinStatus).
    BinStatus,
    /// The list of each bin: where it begins, and how long it is.
    BinHeaders,
    /// The lists of all bins.
    BinEntries,
    /// Scratch: what all workgroups of binning in pieces add to.
    BinTotal,
    /// [`MatchPlan`](crate::MatchPlan), a uniform.
    MatchPlan,
    /// Scratch of matching: what each tile does to the stack, and levels of products above.
    Pyramid,
    /// Scratch of matching: the elements that each tile leaves open, bottom first, TILE a tile.
    Slices,
    /// Scratch of matching: the elements as bits.
    Bitmaps,
    /// Scratch: the bins that each element touches.
    BinRanges,
    /// Scratch: for each segment of a level and each child, how many items touch the child, then where they go.
    BinMatrix,
    /// Scratch: the entries that the elements of each segment need.
    BinNeeds,
    /// Scratch: the cells of a level.
    BinCells,
    /// Scratch: those of the next level.
    BinNextCells,
    /// Scratch: the segments of a level.
    BinSegments,
    /// Scratch: those of the next level.
    BinNext,
    /// Scratch: the items of a level.
    BinItems,
}

/// What a kernel does with a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Reads it, all threads alike.
    Uniform,
    /// Reads it.
    Read,
    /// Reads and writes it.
    ReadWrite,
}

impl Binding {
    /// Its number in bind group 0.
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// The buffer of this number.
    pub fn of(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|binding| binding.number() == number)
    }

    /// Every buffer.
    const ALL: [Self; 36] = [
        Self::Params,
        Self::Plan,
        Self::Level,
        Self::Counts,
        Self::Tags,
        Self::Rects,
        Self::MarkersBefore,
        Self::MarkerElements,
        Self::Links,
        Self::Clips,
        Self::Contents,
        Self::Bounds,
        Self::Tags4,
        Self::BitsIn,
        Self::Links4,
        Self::Words,
        Self::Products,
        Self::Inputs,
        Self::Outputs,
        Self::Bin,
        Self::BinStatus,
        Self::BinHeaders,
        Self::BinEntries,
        Self::BinTotal,
        Self::MatchPlan,
        Self::Pyramid,
        Self::Slices,
        Self::Bitmaps,
        Self::BinRanges,
        Self::BinMatrix,
        Self::BinNeeds,
        Self::BinCells,
        Self::BinNextCells,
        Self::BinSegments,
        Self::BinNext,
        Self::BinItems,
    ];
}
