//! `Binner` and `PieceBinner`.

use super::{Built, threads};
use crate::faults::subject::{AnyJob, AnyScratch, Slot, Subject, first, same};
use crate::faults::table::Refusal;
use treebounds::{BinBindings, BinCapacity, BinStatus, Binner, Params, PieceBinner, wgpu};
use treebounds_core::{BinGrid, BinHeader, Rect, reference};
use treebounds_tests::gpu::whole;
use treebounds_tests::streams::random_scene;

enum Method {
    Lists(Binner),
    Pieces(PieceBinner),
}

struct Binning {
    method: Method,
    grid: BinGrid,
    boxes: Vec<Rect>,
    expected: Vec<Vec<u32>>,
}

pub(super) fn lists(device: &wgpu::Device) -> Built {
    Ok(build(Method::Lists(Binner::new(device, &threads(16).into())?)))
}

pub(super) fn pieces(device: &wgpu::Device) -> Built {
    Ok(build(Method::Pieces(PieceBinner::new(device, &threads(16).into())?)))
}

fn build(method: Method) -> Box<dyn Subject> {
    // Seventeen bins in a row: a window of 16 and one more.
    let grid = BinGrid::with_bins([0, 0], [1024, 768], [61, 128]).unwrap();
    let boxes = reference::bounds(&random_scene(11, 100, 60)).boxes;
    let expected = reference::bins(&grid, &boxes);
    Box::new(Binning { method, grid, boxes, expected })
}

impl Binning {
    fn needed(&self) -> u32 {
        self.expected.iter().map(Vec::len).sum::<usize>() as u32
    }

    fn capacity(&self, room: u32) -> BinCapacity {
        BinCapacity {
            elements: room,
            entries: (room - self.elements()).saturating_add(self.needed()),
        }
    }
}

impl Subject for Binning {
    fn elements(&self) -> u32 {
        self.boxes.len() as u32
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let params = Params { elements: self.elements(), ..Params::default() };
        let pieces = match &self.method {
            Method::Lists(_) => 1,
            Method::Pieces(pieces) => pieces.pieces(room),
        };
        vec![
            Slot::uniform("params", &params),
            Slot::input("boxes", room.into(), &self.boxes),
            Slot::output::<BinStatus>("status", 1),
            Slot::output::<BinHeader>("headers", u64::from(pieces) * u64::from(self.grid.bins())),
            Slot::output::<u32>("entries", self.capacity(room).entries.into()),
        ]
    }

    fn scratch(&self, room: u32) -> Result<AnyScratch, Refusal> {
        Ok(match &self.method {
            Method::Lists(bin) => AnyScratch::Bins(bin.scratch(self.capacity(room), &self.grid)?),
            Method::Pieces(_) => AnyScratch::Own,
        })
    }

    fn bind(
        &self,
        buffers: &[wgpu::Buffer],
        scratch: &AnyScratch,
        room: u32,
    ) -> Result<AnyJob, Refusal> {
        let [params, bounds, status, headers, entries] = buffers else {
            return Err(Refusal::wrong("five buffers"));
        };
        let [params, boxes] = [params, bounds].map(whole);
        let [status, headers, entries] = [status, headers, entries].map(whole);
        let bins = BinBindings { status, headers, entries };
        let job = match (&self.method, scratch) {
            (Method::Lists(bin), AnyScratch::Bins(scratch)) => {
                bin.bind(params, boxes, bins, scratch)?
            }
            (Method::Pieces(bin), AnyScratch::Own) => {
                bin.bind(params, boxes, bins, self.capacity(room), &self.grid)?
            }
            _ => return Err(Refusal::wrong("not the scratch of binning")),
        };
        Ok(AnyJob::Core(job))
    }

    fn compare(&self, found: &[Vec<u8>], lied: bool) -> Result<(), String> {
        let status = first::<BinStatus>(&found[0], 1)[0];
        let flags = if lied { BinStatus::ELEMENTS_CLAMPED } else { 0 };
        let (needed, elements) = (self.needed(), self.elements());
        let expected = BinStatus { needed, written: needed, flags, elements };
        same("status", &[status], &[expected])?;
        let headers: Vec<BinHeader> = first(&found[1], found[1].len() / 8);
        let entries: Vec<u32> = first(&found[2], found[2].len() / 4);
        let piece = |header: &BinHeader| {
            let end = header.offset as usize + header.count as usize;
            entries.get(header.offset as usize..end).unwrap_or_default().to_vec()
        };
        let bins = self.expected.len();
        let list =
            |bin| headers.iter().skip(bin).step_by(bins).flat_map(piece).collect::<Vec<u32>>();
        let lists: Vec<_> = (0..bins).map(list).collect();
        same("lists", &lists, &self.expected)
    }
}
