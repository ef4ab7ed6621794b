//! What a kernel is compiled for.

/// Where the text goes: targets differ in the directives they want.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Target {
    /// naga, inside wgpu on native platforms: rejects `enable subgroups;`.
    #[default]
    Native,
    /// A browser's own compiler: requires `enable subgroups;` for subgroups.
    Browser,
}

/// How the rects of a scene come, and its boxes go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RectFormat {
    /// Four `f32`, 16 bytes.
    #[default]
    F32,
    /// Four `i32`, 16 bytes. The least and the greatest stand for no edge; boxes are
    /// rounded outward. Coordinates beyond 2<sup>24</sup> are as exact as `f32` is.
    I32,
    /// Four `i16`, 8 bytes. The least and the greatest stand for no edge; boxes are
    /// rounded outward, and what lies beyond goes to the edge with an area of 1.
    I16,
    /// Vello's `PathBbox`, 24 bytes: four `i32` as [`RectFormat::I32`], and two words that
    /// are not read. Rects only.
    PathBbox,
}

impl RectFormat {
    /// Bytes of a rect.
    pub const fn bytes(self) -> u64 {
        match self {
            Self::F32 | Self::I32 => 16,
            Self::I16 => 8,
            Self::PathBbox => 24,
        }
    }
}

/// One way to compile the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    workgroup_size: u32,
    per_thread: u32,
    tiles: u32,
    subgroups: bool,
    target: Target,
    rects: RectFormat,
    boxes: RectFormat,
}

/// What matching alone keeps of a thread's elements between its two passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// Nothing: the second pass reads the input again.
    Nothing,
    /// A word: its opens and its closes, 16 bits each. From bits, nothing.
    Halves,
    /// Its opens, its closes, and which opens it leaves open: a word each, or two.
    Words,
}

/// Why there is no such variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariantError {
    /// A tree over the threads wants a power of two of them.
    #[error("a workgroup of {0} threads: it must be a power of two from 2 to 1024")]
    WorkgroupSize(u32),
    /// A thread's elements are the bits of a word, or of two.
    #[error("{0} elements a thread: they must be from 1 to 32, or 64 for matching alone")]
    PerThread(u32),
    /// A thread of the stage has one element.
    #[error("{0} elements a thread: the stage takes one")]
    Stage(u32),
    /// Elements whose roles lie in one word are not cut unevenly.
    #[error(
        "{0} elements a thread: the stage's first kernel and compaction take 1, 4, 8, 16 or 32"
    )]
    Runs(u32),
    /// Others have a tile a workgroup, and their threads hold all of it.
    #[error("{0} tiles a workgroup: only the stage's first kernel takes more than one")]
    Tiles(u32),
    /// Tiles of a bundle are made of runs.
    #[error(
        "{0} threads a workgroup, {1} tiles: those of bundles have several, in `Variant::in_bundles`"
    )]
    Bundles(u32, u32),
    /// A run of fewer elements than four is not worth it.
    #[error("{0} threads a workgroup: where each reads all elements there must be at least 16")]
    Nearest(u32),
    /// A box has no words for a path's flags and transform.
    #[error("boxes cannot be Vello's boxes of paths; choose F32, I32 or I16")]
    Boxes,
    /// Matching alone and compaction load vectors of four.
    #[error("{0} elements a thread: matching alone and compaction need a multiple of 4")]
    Vectors(u32),
    /// Matching alone numbers the elements that a tile sees with 16 bits.
    #[error("{0} elements a workgroup: matching alone takes at most {most}", most = Variant::MATCH_TILE)]
    Codes(u32),
}

impl Default for Variant {
    /// 256 threads with one element each, without subgroups: within the default
    /// limits of WebGPU.
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Variant {
    const DEFAULT: Self = Self {
        workgroup_size: 256,
        per_thread: 1,
        tiles: 1,
        subgroups: false,
        target: Target::Native,
        rects: RectFormat::F32,
        boxes: RectFormat::F32,
    };

    /// The variant with this many threads a workgroup and elements a thread.
    ///
    /// # Errors
    /// A workgroup size that is no power of two from 2 to 1024, or elements a
    /// thread that are neither 1 to 32 nor 64.
    pub const fn new(workgroup_size: u32, per_thread: u32) -> Result<Self, VariantError> {
        if !workgroup_size.is_power_of_two() || workgroup_size < 2 || workgroup_size > 1024 {
            return Err(VariantError::WorkgroupSize(workgroup_size));
        }
        if per_thread == 0 || (per_thread > 32 && per_thread != 64) {
            return Err(VariantError::PerThread(per_thread));
        }
        Ok(Self { workgroup_size, per_thread, ..Self::DEFAULT })
    }

    /// The same with subgroup operations, or without.
    #[must_use]
    pub const fn with_subgroups(self, subgroups: bool) -> Self {
        Self { subgroups, ..self }
    }

    /// The same for another compiler.
    #[must_use]
    pub const fn with_target(self, target: Target) -> Self {
        Self { target, ..self }
    }

    /// The same for rects that come, and boxes that go, in these formats.
    ///
    /// # Errors
    /// [`VariantError::Boxes`] for boxes as Vello's of paths.
    pub const fn with_formats(
        self,
        rects: RectFormat,
        boxes: RectFormat,
    ) -> Result<Self, VariantError> {
        if matches!(boxes, RectFormat::PathBbox) {
            return Err(VariantError::Boxes);
        }
        Ok(Self { rects, boxes, ..self })
    }

    /// How the rects of a scene come.
    pub const fn rects(&self) -> RectFormat {
        self.rects
    }

    /// How its boxes go.
    pub const fn boxes(&self) -> RectFormat {
        self.boxes
    }

    /// Threads a workgroup.
    pub const fn workgroup_size(&self) -> u32 {
        self.workgroup_size
    }

    /// Elements a thread.
    pub const fn per_thread(&self) -> u32 {
        self.per_thread
    }

    /// Whether the kernels use subgroup operations.
    pub const fn subgroups(&self) -> bool {
        self.subgroups
    }

    /// What the first pass of matching alone is compiled for where it reads words: with
    /// 64 elements a thread, two threads of 32 for each.
    pub(crate) const fn reducing(&self) -> Self {
        let pair = self.words();
        Self {
            workgroup_size: pair * self.workgroup_size,
            per_thread: self.per_thread / pair,
            ..*self
        }
    }

    /// The most threads of a workgroup of matching alone: twice as many in the first
    /// pass where there are 64 elements a thread.
    pub const fn match_threads(&self) -> u32 {
        self.words() * self.workgroup_size
    }

    /// Which compiler the text is for.
    pub const fn target(&self) -> Target {
        self.target
    }

    /// Elements a tile: what one workgroup holds, but where it is [`Self::in_runs`] or [`Self::in_bundles`].
    pub const fn tile(&self) -> u32 {
        self.workgroup_size * self.per_thread / self.tiles
    }

    /// Tiles that one workgroup holds.
    pub const fn tiles(&self) -> u32 {
        self.tiles
    }

    /// That the stage can be compiled so.
    ///
    /// # Errors
    /// [`VariantError::Stage`] for another number of elements a thread than one.
    pub const fn check_stage(&self) -> Result<(), VariantError> {
        if self.per_thread != 1 {
            return Err(VariantError::Stage(self.per_thread));
        }
        Ok(())
    }

    /// That the first kernel of the stage, and those of compaction, can be compiled so.
    ///
    /// # Errors
    /// [`VariantError::Runs`] for elements a thread that do not divide 32, and for 2.
    pub const fn check_rows(&self) -> Result<(), VariantError> {
        if !32u32.is_multiple_of(self.per_thread) || self.per_thread == 2 {
            return Err(VariantError::Runs(self.per_thread));
        }
        Ok(())
    }

    /// The same tile in runs of [`Self::RUN`] elements a thread, or of all where it has fewer; a workgroup
    /// holds as many tiles as it has threads for. A tile of 2 stays as it is.
    #[must_use]
    pub const fn in_runs(self) -> Self {
        self.in_runs_of(Self::RUN_THREADS)
    }

    /// The same with more threads, whose tiles are a bundle.
    #[must_use]
    pub const fn in_bundles(self) -> Self {
        self.in_runs_of(Self::BUNDLE_THREADS)
    }

    /// Tiles of such a bundle: 1 where there are no runs, and so no bundles.
    pub const fn bundle_tiles(&self) -> u32 {
        self.in_bundles().tiles
    }

    /// Words of such a bundle: its closes, opens and nodes, and half a word for each tile.
    pub const fn bundle_words(&self) -> u32 {
        3 + self.bundle_tiles() / 2
    }

    const fn in_runs_of(self, most: u32) -> Self {
        let run = if self.tile() < Self::RUN { self.tile() } else { Self::RUN };
        if self.per_thread != 1 || run < 4 {
            return self;
        }
        let threads = if self.tile() < most { self.tile() } else { most };
        Self {
            workgroup_size: threads,
            per_thread: run,
            tiles: threads * run / self.tile(),
            ..self
        }
    }

    /// Elements a thread of the stage's first kernel, where there are many tiles.
    pub const RUN: u32 = 16;

    /// Threads a workgroup of [`Self::in_runs`], at most.
    pub const RUN_THREADS: u32 = 64;

    /// The same of [`Self::in_bundles`].
    pub const BUNDLE_THREADS: u32 = 256;

    /// Node indices that a thread of the stage's first kernel stores, where nodes are few: any workgroup stores those of
    /// whole groups of 32 elements.
    pub const INDEX_ROWS: u32 = 16;

    /// The most elements of a stream of which each workgroup of the stage reads all before its own tile: a
    /// quarter of what [`Reach::Near`](crate::Reach) holds, and no more than 32 a thread; 0 where the threads are
    /// too few.
    pub const fn nearest(&self) -> u32 {
        self.nearest_run() * self.workgroup_size
    }

    /// How many a thread.
    pub(crate) const fn nearest_run(&self) -> u32 {
        match self.workgroup_size / 4 {
            0..4 => 0,
            run @ 4..32 => run,
            _ => 32,
        }
    }

    /// The variant of compaction, where nothing else does it: as many threads, with
    /// [`Self::COUNT_ROWS`] elements each.
    #[must_use]
    pub const fn in_rows(self) -> Self {
        Self { per_thread: Self::COUNT_ROWS, ..self }
    }

    /// Elements a thread of compaction: even two threads have a whole group of 32.
    pub const COUNT_ROWS: u32 = 16;

    /// That matching alone can be compiled so.
    ///
    /// # Errors
    /// [`VariantError::Vectors`], [`VariantError::Codes`].
    pub const fn check_matching(&self) -> Result<(), VariantError> {
        if !self.per_thread.is_multiple_of(4) {
            return Err(VariantError::Vectors(self.per_thread));
        }
        if self.tile() > Self::MATCH_TILE {
            return Err(VariantError::Codes(self.tile()));
        }
        Ok(())
    }

    /// The most elements of a tile of matching alone: 15 bits number them, and as
    /// many elements of other tiles with two words of nothing.
    pub const MATCH_TILE: u32 = (1 << 15) - 64;

    /// What matching alone keeps of a thread's elements between its two passes: as
    /// much as half a byte an element has room for.
    pub const fn kept(&self) -> Kept {
        match self.per_thread {
            12..=16 => Kept::Halves,
            0..24 => Kept::Nothing,
            _ => Kept::Words,
        }
    }

    /// Words of each kind that it keeps a tile.
    pub const fn kept_words(&self) -> u32 {
        match self.kept() {
            Kept::Nothing => 0,
            Kept::Halves => self.workgroup_size,
            Kept::Words => self.words() * self.workgroup_size,
        }
    }

    /// Elements of other tiles that wait in workgroup memory. Few elements a thread
    /// are for inputs that end soon: there it is latency that counts.
    pub(crate) const fn near_entries(&self) -> u32 {
        match self.kept() {
            Kept::Words => 256,
            _ => 512,
        }
    }

    /// Words of bits that a thread of matching alone holds: one, or two.
    pub const fn words(&self) -> u32 {
        self.per_thread.div_ceil(32)
    }

    /// Elements in each of them.
    pub const fn per_word(&self) -> u32 {
        self.per_thread / self.words()
    }

    /// Vectors of four in the row that a thread of matching alone stages at a time.
    pub(crate) const fn quads(&self) -> u32 {
        match self.per_thread {
            0..=4 => 1,
            5..=8 => 2,
            _ => 4,
        }
    }

    /// Values of 8 bytes a thread that matching alone keeps in workgroup memory in
    /// its second pass: a tree, or what is below each thread and, where no
    /// subgroups pass them on, a row of codes.
    pub(crate) const fn match_room(&self) -> u32 {
        if self.subgroups { 2 } else { self.words() + self.quads() }
    }

    /// The most bytes of workgroup memory that a kernel of matching alone needs:
    /// that room and a word for each of a thread's, the entries that are near, and 11
    /// words for the search of those that are not.
    pub const fn match_workgroup_bytes(&self) -> u32 {
        let resolve = self.workgroup_size * (8 * self.match_room() + 4 * self.words())
            + 4 * (self.near_entries() + 2 * self.per_word())
            + 44;
        let reduce = self.match_threads() * 16;
        if reduce > resolve { reduce } else { resolve }
    }

    /// The most bytes of workgroup memory that a kernel of binning needs: a place and a
    /// total for each child of a cell, an element a thread, and bitmaps of the threads for each column
    /// and row of children; or steps around the children, and a tree over the threads.
    pub const fn bin_workgroup_bytes(&self) -> u32 {
        let side = crate::BinPlan::FAN;
        let words = self.workgroup_size.div_ceil(32);
        let emit = 8 * side * side + self.workgroup_size * 4 + 4 * (2 * side + 1) * words + 40;
        let count = 4 * (side + 1) * (side + 1) + self.workgroup_size * 8 + 32;
        if emit > count { emit } else { count }
    }

    /// The same of binning in pieces: for each bin of a window a bitmap of the threads, the bits before
    /// each of its words, and a place.
    pub const fn piece_workgroup_bytes(&self) -> u32 {
        let side = crate::BinPlan::PIECE_FAN;
        let words = self.workgroup_size.div_ceil(32);
        4 * (side * side * (1 + words + words.div_ceil(2)) + (2 * side + 1) * words + 1)
    }

    /// That binning can be compiled so.
    ///
    /// # Errors
    /// [`VariantError::PerThread`] for 64.
    pub const fn check_binning(&self) -> Result<(), VariantError> {
        if self.per_thread > 32 {
            return Err(VariantError::PerThread(self.per_thread));
        }
        Ok(())
    }

    /// The most bytes of workgroup memory that a kernel of the stage needs, whose values take this
    /// many bytes each, but for what survive and outside of bundles need: a tree of them over a tile's
    /// elements, seven words an element, and three for each 32.
    pub const fn workgroup_bytes(&self, value_bytes: u32) -> u32 {
        let an_element = value_bytes.saturating_mul(2).saturating_add(28);
        let roles = 12 * self.tile().div_ceil(32);
        an_element.saturating_mul(self.tile()).saturating_add(roles + 24)
    }

    /// The same of those two, where what flows takes this many bytes: a tree over as many, or with
    /// subgroups one each; and what is known of each tile.
    pub const fn bundle_workgroup_bytes(&self, flow_bytes: u32) -> u32 {
        let tree = flow_bytes.saturating_mul(2).saturating_add(24);
        let an_element = if self.subgroups { flow_bytes.saturating_add(16) } else { tree };
        let a_tile = flow_bytes.saturating_add(28).saturating_mul(self.bundle_tiles());
        an_element.saturating_mul(self.tile()).saturating_add(a_tile).saturating_add(24)
    }

    /// The same of rectangles: with subgroups, which pass them on, there is one an element and one for
    /// each four.
    pub const fn scene_workgroup_bytes(&self) -> u32 {
        if !self.subgroups {
            return self.workgroup_bytes(16);
        }
        let roles = 12 * self.tile().div_ceil(32);
        44u32.saturating_mul(self.tile()).saturating_add(roles + 24)
    }

    /// The same of the kernel that holds all of a scene in one tile: nothing is known of others.
    pub const fn one_tile_workgroup_bytes(&self) -> u32 {
        if !self.subgroups {
            return self.workgroup_bytes(16);
        }
        25u32.saturating_mul(self.tile()).saturating_add(24)
    }
}
