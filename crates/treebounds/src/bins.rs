//! What binning is given and gives back.

use crate::Error;
use crate::buffers::{Need, bytes, create};
use treebounds_core::{BinGrid, BinHeader};
use treebounds_shaders::BinStatus;
use wgpu::BufferUsages;

/// How much a [`BinScratch`](crate::BinScratch), or binning in pieces, and its buffers are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BinCapacity {
    /// The most elements.
    pub elements: u32,
    /// The most entries of all lists together. An element has one for each bin that
    /// it touches.
    pub entries: u32,
}

/// What [`Binner`](crate::Binner) writes, or [`PieceBinner`](crate::PieceBinner).
///
/// | buffer | holds | bytes | usage |
/// |---|---|---|---|
/// | `status` | [`BinStatus`] | 16 | `STORAGE` |
/// | `headers` | a [`BinHeader`] a bin, row by row | 8 a bin; in pieces 8 a bin and piece | `STORAGE` |
/// | `entries` | element indices, ascending in each list | 4 an entry | `STORAGE` |
///
/// The lists of all bins, or their pieces, lie in `entries` one after the other, without gaps, in
/// an order of their own. Past the last of them `entries` keeps what it had. Where the count in a header is 0, the offset
/// means nothing.
///
/// Where the status has the flag [`BinStatus::ENTRIES_TOO_FEW`], no list is of use: those of [`Binner`](crate::Binner) are empty,
/// those of [`PieceBinner`](crate::PieceBinner) may lack pieces.
#[derive(Clone, Debug)]
pub struct Bins {
    /// How many entries there are, and whether they fit.
    pub status: wgpu::Buffer,
    /// Where the list of each bin is.
    pub headers: wgpu::Buffer,
    /// The lists.
    pub entries: wgpu::Buffer,
}

impl Bins {
    /// New buffers for a grid and this many entries, that can also be copied from. Those of pieces are
    /// [`PieceBinner::buffers`](crate::PieceBinner::buffers).
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] where memory runs out.
    pub fn new(device: &wgpu::Device, grid: &BinGrid, entries: u32) -> Result<Self, Error> {
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let status = size_of::<BinStatus>() as u64;
        let header = size_of::<BinHeader>() as u64;
        Ok(Self {
            status: create(device, "treebounds bin status", status, storage)?,
            headers: create(device, "treebounds bin headers", bytes(header, grid.bins()), storage)?,
            entries: create(device, "treebounds bin entries", bytes(4, entries), storage)?,
        })
    }

    pub(crate) fn needs(&self, grid: &BinGrid, entries: u32) -> [Need<'_>; 3] {
        let storage = BufferUsages::STORAGE;
        let header = size_of::<BinHeader>() as u64;
        [
            ("status", &self.status, size_of::<BinStatus>() as u64, storage),
            ("headers", &self.headers, bytes(header, grid.bins()), storage),
            ("entries", &self.entries, bytes(4, entries), storage),
        ]
    }
}
