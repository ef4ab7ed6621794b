//! What Vello's stages bind, by the names of Vello's own renderer.

/// A buffer or texture of the pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(usize)]
pub(crate) enum Slot {
    Config,
    Scene,
    Reduced,
    Reduced2,
    ReducedScan,
    TagMonoids,
    PathBboxes,
    Bump,
    Lines,
    DrawReduced,
    DrawMonoids,
    InfoBinData,
    ClipInp,
    ClipBics,
    ClipEls,
    ClipBboxes,
    DrawBboxes,
    BinHeaders,
    Paths,
    Tiles,
    Indirect,
    SegCounts,
    Ptcl,
    Segments,
    BlendSpill,
    MaskLut,
    // Textures from here on.
    Output,
    Gradients,
    Atlas,
}

impl Slot {
    /// Every buffer, in order.
    pub(crate) const BUFFERS: [(Self, &'static str); 26] = [
        (Self::Config, "config"),
        (Self::Scene, "scene"),
        (Self::Reduced, "reduced path tags"),
        (Self::Reduced2, "reduced path tags, second level"),
        (Self::ReducedScan, "scanned path tags"),
        (Self::TagMonoids, "path tag monoids"),
        (Self::PathBboxes, "path boxes"),
        (Self::Bump, "bump counters"),
        (Self::Lines, "lines"),
        (Self::DrawReduced, "reduced draws"),
        (Self::DrawMonoids, "draw monoids"),
        (Self::InfoBinData, "draw info and bins"),
        (Self::ClipInp, "clip input"),
        (Self::ClipBics, "clip bicyclic elements"),
        (Self::ClipEls, "clip elements"),
        (Self::ClipBboxes, "clip boxes"),
        (Self::DrawBboxes, "draw boxes"),
        (Self::BinHeaders, "bin headers"),
        (Self::Paths, "paths"),
        (Self::Tiles, "tiles"),
        (Self::Indirect, "indirect dispatch"),
        (Self::SegCounts, "segment counts"),
        (Self::Ptcl, "tile commands"),
        (Self::Segments, "segments"),
        (Self::BlendSpill, "blend spill"),
        (Self::MaskLut, "mask table"),
    ];
}
