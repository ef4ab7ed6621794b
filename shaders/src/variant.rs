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

/// One way to compile the kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    workgroup_size: u32,
    per_thread: u32,
    subgroups: bool,
    target: Target,
}

/// Why there is no such variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariantError {
    /// A tree over the threads wants a power of two of them.
    #[error("a workgroup of {0} threads: it must be a power of two from 2 to 1024")]
    WorkgroupSize(u32),
    /// A thread's elements are the bits of one word.
    #[error("{0} elements a thread: they must be from 1 to 32")]
    PerThread(u32),
    /// Matching alone loads vectors of four.
    #[error("{0} elements a thread: matching alone needs a multiple of 4")]
    Vectors(u32),
}

impl Default for Variant {
    /// 256 threads with 8 elements each, without subgroups: within the default
    /// limits of WebGPU.
    fn default() -> Self {
        Self { workgroup_size: 256, per_thread: 8, subgroups: false, target: Target::Native }
    }
}

impl Variant {
    /// The variant with this many threads a workgroup and elements a thread.
    ///
    /// # Errors
    /// A workgroup size that is no power of two from 2 to 1024, or elements a
    /// thread outside 1 to 32.
    pub const fn new(workgroup_size: u32, per_thread: u32) -> Result<Self, VariantError> {
        if !workgroup_size.is_power_of_two() || workgroup_size < 2 || workgroup_size > 1024 {
            return Err(VariantError::WorkgroupSize(workgroup_size));
        }
        if per_thread == 0 || per_thread > 32 {
            return Err(VariantError::PerThread(per_thread));
        }
        Ok(Self { workgroup_size, per_thread, subgroups: false, target: Target::Native })
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

    /// Which compiler the text is for.
    pub const fn target(&self) -> Target {
        self.target
    }

    /// Elements a tile: what one workgroup holds.
    pub const fn tile(&self) -> u32 {
        self.workgroup_size * self.per_thread
    }

    /// The most bytes of workgroup memory that a kernel of matching alone needs: a
    /// tree of 8 bytes a node over the threads, three words and a staged row a
    /// thread, and the runs that are near. Elements a thread count up to whole
    /// vectors of four.
    pub const fn match_workgroup_bytes(&self) -> u32 {
        let row = if self.per_thread <= 4 { 4 } else { 8 };
        self.workgroup_size * (2 * 8 + 3 * 4 + 4 * (row + 1)) + 3 * 4 * 32
    }

    /// The most bytes of workgroup memory that a kernel of the stage needs: a tree of 8 bytes
    /// a node over the threads, a word and a rectangle a thread, and a parent.
    /// The trees of rectangles need 32 bytes a thread.
    pub const fn workgroup_bytes(&self) -> u32 {
        self.workgroup_size * (2 * 8 + 4 + 16 + 4)
    }
}
