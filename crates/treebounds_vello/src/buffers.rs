//! The pipeline's growing buffers, which are reused across frames.

use crate::device::create;
use crate::{Error, Sizes};
use treebounds::wgpu;
use vello_encoding::{
    BufferSize, BufferSizes, ConfigUniform, Layout, LineSoup, PathSegment, RenderConfig,
    SegmentCount, Tile,
};
use wgpu::BufferUsages;

/// The required size of each buffer, by slot.
pub(crate) type Bytes = [u64; Slot::BUFFERS.len()];

/// One buffer per slot.
pub(crate) struct Buffers {
    list: Vec<wgpu::Buffer>,
}

impl Buffers {
    pub(crate) fn new(device: &wgpu::Device, bytes: &Bytes) -> Result<Self, Error> {
        let list: Result<_, Error> = Slot::BUFFERS
            .iter()
            .map(|(slot, label)| create(device, label, bytes[*slot as usize], usage(*slot)))
            .collect();
        Ok(Self { list: list? })
    }

    pub(crate) fn are_too_small(&self, bytes: &Bytes) -> bool {
        self.list.iter().zip(bytes).any(|(buffer, needed)| buffer.size() < *needed)
    }

    /// Replaces the buffers that are too small.
    pub(crate) fn grow(&mut self, device: &wgpu::Device, bytes: &Bytes) -> Result<(), Error> {
        for (slot, label) in Slot::BUFFERS {
            let needed = bytes[slot as usize];
            if self.get(slot).size() < needed {
                self.list[slot as usize] = create(device, label, needed, usage(slot))?;
            }
        }
        Ok(())
    }

    pub(crate) fn get(&self, slot: Slot) -> &wgpu::Buffer {
        &self.list[slot as usize]
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.list.iter().map(wgpu::Buffer::size).sum()
    }
}

fn usage(slot: Slot) -> BufferUsages {
    let storage = BufferUsages::STORAGE;
    match slot {
        Slot::Config => BufferUsages::UNIFORM | BufferUsages::COPY_DST,
        Slot::Scene | Slot::MaskLut => storage | BufferUsages::COPY_DST,
        Slot::Bump => storage | BufferUsages::COPY_DST | BufferUsages::COPY_SRC,
        Slot::Indirect => storage | BufferUsages::INDIRECT,
        // Tests read these back.
        Slot::ClipBboxes | Slot::DrawMonoids | Slot::PathBboxes | Slot::ClipInp => {
            storage | BufferUsages::COPY_SRC
        }
        _ => storage,
    }
}

/// Rounds the counts of a layout up to powers of two, so that buffers can be reused for scenes of similar size.
pub(crate) fn rounded_up(layout: &Layout) -> Layout {
    let round = |count: u32| count.checked_next_power_of_two().unwrap_or(count);
    let tag_words = layout.path_data_base - layout.path_tag_base;
    Layout {
        n_draw_objects: round(layout.n_draw_objects),
        n_paths: round(layout.n_paths),
        n_clips: round(layout.n_clips),
        bin_data_start: round(layout.bin_data_start),
        path_tag_base: 0,
        path_data_base: round(tag_words),
        ..*layout
    }
}

/// The required sizes of all buffers for a frame.
pub(crate) fn bytes_needed(
    layout: &Layout,
    scene_bytes: usize,
    mask_bytes: usize,
    target: [u32; 2],
    sizes: &Sizes,
) -> Bytes {
    let layout = rounded_up(layout);
    let config = RenderConfig::new(&layout, target[0], target[1], &peniko::Color::TRANSPARENT);
    let known: BufferSizes = config.buffer_sizes;
    let each = |count: u32, size: usize| u64::from(count) * size as u64;
    fn all<T>(known: BufferSize<T>) -> u64 {
        u64::from(known.len()) * size_of::<T>() as u64
    }
    let tiles = config.gpu.width_in_tiles * config.gpu.height_in_tiles;
    let mut bytes: Bytes = [0; Slot::BUFFERS.len()];
    let mut set = |slot: Slot, size: u64| bytes[slot as usize] = size.max(16).next_multiple_of(4);
    set(Slot::Config, size_of::<ConfigUniform>() as u64);
    set(Slot::Scene, (scene_bytes as u64).next_power_of_two());
    set(Slot::Reduced, all(known.path_reduced));
    set(Slot::Reduced2, all(known.path_reduced2));
    set(Slot::ReducedScan, all(known.path_reduced_scan));
    set(Slot::TagMonoids, all(known.path_monoids));
    set(Slot::PathBboxes, all(known.path_bboxes));
    set(Slot::Bump, all(known.bump_alloc));
    set(Slot::Lines, each(sizes.lines, size_of::<LineSoup>()));
    set(Slot::DrawReduced, all(known.draw_reduced));
    set(Slot::DrawMonoids, all(known.draw_monoids));
    let info_words = u64::from(layout.bin_data_start) + u64::from(sizes.bin_entries);
    set(Slot::InfoBinData, 4 * info_words);
    set(Slot::ClipInp, all(known.clip_inps));
    set(Slot::ClipBics, all(known.clip_bics));
    set(Slot::ClipEls, all(known.clip_els));
    set(Slot::ClipBboxes, all(known.clip_bboxes));
    set(Slot::DrawBboxes, all(known.draw_bboxes));
    set(Slot::BinHeaders, all(known.bin_headers));
    set(Slot::Paths, all(known.paths));
    set(Slot::Tiles, each(sizes.tiles, size_of::<Tile>()));
    set(Slot::Indirect, all(known.indirect_count));
    set(Slot::SegCounts, each(sizes.segments, size_of::<SegmentCount>()));
    set(Slot::Ptcl, each(sizes.all_command_words(tiles), 4));
    set(Slot::Segments, each(sizes.segments, size_of::<PathSegment>()));
    set(Slot::BlendSpill, each(sizes.spill_words, 4));
    set(Slot::MaskLut, mask_bytes as u64);
    bytes
}

/// Declares the slots, and a list of the buffer slots with their labels.
macro_rules! slots {
    ($($buffer:ident $label:literal)*; $($texture:ident)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(usize)]
        pub(crate) enum Slot { $($buffer,)* $($texture,)* }

        impl Slot {
            pub(crate) const BUFFERS: [(Self, &'static str); [$($label),*].len()] =
                [$((Self::$buffer, $label)),*];
        }
    };
}

slots! {
    Config "config"
    Scene "scene"
    Reduced "reduced path tags"
    Reduced2 "reduced path tags, second level"
    ReducedScan "scanned path tags"
    TagMonoids "path tag monoids"
    PathBboxes "path boxes"
    Bump "bump counters"
    Lines "lines"
    DrawReduced "reduced draws"
    DrawMonoids "draw monoids"
    InfoBinData "draw info and bins"
    ClipInp "clip input"
    ClipBics "clip bicyclic elements"
    ClipEls "clip elements"
    ClipBboxes "clip boxes"
    DrawBboxes "draw boxes"
    BinHeaders "bin headers"
    Paths "paths"
    Tiles "tiles"
    Indirect "indirect dispatch"
    SegCounts "segment counts"
    Ptcl "tile commands"
    Segments "segments"
    BlendSpill "blend spill"
    MaskLut "mask table";
    Output Gradients Atlas
}
