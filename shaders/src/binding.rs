//! The buffers that kernels read and write.

/// A buffer; its number is the same in every kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u32)]
pub enum Binding {
    /// [`Params`](crate::Params), a uniform.
    Params,
    /// [`Plan`](crate::Plan), a uniform.
    Plan,
    /// [`Level`](crate::Level), a uniform.
    Level,
    /// [`Counts`](crate::Counts): written by what compacts, or by `match reduce`.
    Counts,
    /// A tag word an element.
    Tags,
    /// A rect an element.
    Rects,
    /// For each element, how many nodes come before it.
    NodesBefore,
    /// For each node, its element.
    NodeElements,
    /// A link a node.
    Links,
    /// A clip a node.
    Clips,
    /// A content a node.
    Contents,
    /// A box an element.
    Bounds,
    /// The tags as vectors of four; the buffer is padded to whole ones.
    Tags4,
    /// A bit an element, set where it opens.
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
    /// Scratch: two counters to which many workgroups add.
    BinTotals,
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

    /// Its name in WGSL, and its type.
    pub const fn declaration(self) -> (&'static str, &'static str) {
        match self {
            Self::Params => ("params", "Params"),
            Self::Plan => ("plan", "Plan"),
            Self::Level => ("level", "Level"),
            Self::Counts => ("counts", "Counts"),
            Self::Tags => ("tags", "array<u32>"),
            Self::Rects => ("rects", "array<RectIn>"),
            Self::NodesBefore => ("nodes_before", "array<u32>"),
            Self::NodeElements => ("node_elements", "array<u32>"),
            Self::Links => ("links", "array<u32>"),
            Self::Clips => ("clips", "array<RectOut>"),
            Self::Contents => ("contents", "array<RectOut>"),
            Self::Bounds => ("bounds", "array<RectOut>"),
            Self::Tags4 => ("tags4", "array<vec4<u32>>"),
            Self::BitsIn => ("bits_in", "array<u32>"),
            Self::Links4 => ("links4", "array<vec4<u32>>"),
            Self::Words => ("words", "array<u32>"),
            Self::Products => ("products", "array<Product>"),
            Self::Inputs => ("inputs", "array<Input>"),
            Self::Outputs => ("outputs", "array<Output>"),
            Self::Bin => ("bin", "BinPlan"),
            Self::BinStatus => ("bin_status", "BinStatus"),
            Self::BinHeaders => ("bin_headers", "array<vec2<u32>>"),
            Self::BinEntries => ("bin_entries", "array<u32>"),
            Self::BinTotals => ("bin_totals", "BinTotals"),
        }
    }

    pub(crate) fn wgsl(self, access: Access) -> String {
        let (name, ty) = self.declaration();
        let space = match access {
            Access::Uniform => "uniform",
            Access::Read => "storage, read",
            Access::ReadWrite => "storage, read_write",
        };
        format!("@group(0) @binding({}) var<{space}> {name}: {ty};\n", self.number())
    }
}
