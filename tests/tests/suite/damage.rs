//! Tests the damaged bins between two frames against the reference, bit for bit.

use proptest::prelude::*;
use treebounds::{
    Damage, DamageBuffers, DamageDescriptor, Error, FrameBindings, Job, Params, Tuning, wgpu,
};
use treebounds_core::damage::{BinDamage, bins};
use treebounds_core::{BinGrid, NONE, Rect};
use treebounds_tests::boxes::BOX_SHAPES;
use treebounds_tests::gpu::{buffer, gpu, read, run, whole};
use wgpu::BufferUsages;

/// A frame: its boxes, and for each the index of its partner in the other frame.
pub(crate) type Frame = (Vec<Rect>, Vec<u32>);

struct Bound {
    frames: [[wgpu::Buffer; 3]; 2],
    outputs: DamageBuffers,
    job: Job,
}

fn damage(threads: u32) -> Damage {
    let tuning = Tuning { workgroup_size: Some(threads), ..Default::default() };
    Damage::new(&gpu().device, &tuning.into()).unwrap()
}

impl Bound {
    fn new(damage: &Damage, grid: &BinGrid, capacity: u32) -> Self {
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let room = u64::from(capacity.max(1));
        let frame = || {
            let params = buffer(32, BufferUsages::UNIFORM | BufferUsages::COPY_DST);
            [params, buffer(16 * room, storage), buffer(4 * room, storage)]
        };
        let frames = [frame(), frame()];
        let outputs = DamageBuffers::new(&gpu().device, grid).unwrap();
        let bindings = frames.each_ref().map(|[params, boxes, partners]| FrameBindings {
            params: whole(params),
            boxes: whole(boxes),
            partners: whole(partners),
        });
        let job = damage.bind(bindings, &outputs, capacity, grid).unwrap();
        Self { frames, outputs, job }
    }

    /// Returns the damage. Checks that the bits mark the damaged bins.
    fn run(&self, grid: &BinGrid, frames: &[Frame; 2], elements: [u32; 2]) -> Vec<BinDamage> {
        for (([params, boxes, partners], frame), elements) in
            self.frames.iter().zip(frames).zip(elements)
        {
            let queue = &gpu().queue;
            let count = Params { elements, ..Params::default() };
            queue.write_buffer(params, 0, bytemuck::bytes_of(&count));
            queue.write_buffer(boxes, 0, bytemuck::cast_slice(&frame.0));
            queue.write_buffer(partners, 0, bytemuck::cast_slice(&frame.1));
        }
        run(&self.job);
        let rects: Vec<BinDamage> = read(&self.outputs.rects, grid.bins() as usize);
        let words: Vec<u32> = read(&self.outputs.bits, grid.bins().div_ceil(32) as usize);
        for (bin, rect) in rects.iter().enumerate() {
            assert_eq!(words[bin / 32] >> (bin % 32) & 1 == 1, !rect.is_empty(), "bin {bin}");
        }
        let beyond = rects.len() as u32 % 32;
        let last = words.last().copied().unwrap_or(0);
        assert!(beyond == 0 || last >> beyond == 0, "bits beyond the last bin");
        rects
    }
}

fn grids() -> Vec<BinGrid> {
    let grid = |size, bin| BinGrid::with_bins([0, 0], size, bin).unwrap();
    vec![
        grid([100, 100], [256, 256]),
        BinGrid::new(1920, 1080).unwrap(),
        BinGrid::with_bins([-1000, 77], [999, 515], [31, 16]).unwrap(),
        grid([300, 200], [7, 5]),
        grid([32, 1], [1, 1]),
        grid([33, 1], [1, 1]),
    ]
}

/// Returns two frames with this number of elements: some moved, some without a partner, some with a
/// partner out of range.
pub(crate) fn frames(boxes: &[Rect]) -> [Frame; 2] {
    let elements = boxes.len() as u32;
    let partner = |shift: u32| {
        move |index: u32| match (index + shift) % 7 {
            3 => NONE,
            5 => index + 1_000_000,
            _ => index,
        }
    };
    let mut new = boxes.to_vec();
    for at in (1..new.len()).filter(|at| at % 11 == 4) {
        new[at] = boxes[at - 1];
    }
    [
        (boxes.to_vec(), (0..elements).map(partner(0)).collect()),
        (new, (0..elements).map(partner(1)).collect()),
    ]
}

pub(crate) fn expected(grid: &BinGrid, frames: &[Frame; 2]) -> Vec<BinDamage> {
    bins(grid, frames.each_ref().map(|(boxes, partners)| (&boxes[..], &partners[..])))
}

#[test]
fn damage_of_every_size_matches_the_reference() {
    for threads in [4, 64] {
        let damage = damage(threads);
        for grid in grids() {
            for shape in BOX_SHAPES {
                for elements in [0, 1, threads - 1, threads, threads + 1, 5 * threads + 3] {
                    let frames = frames(&shape.boxes(&grid, elements as usize, 7));
                    let bound = Bound::new(&damage, &grid, elements);
                    let expected = expected(&grid, &frames);
                    // The second run reuses the buffers of the first without clearing them.
                    for _ in 0..2 {
                        let found = bound.run(&grid, &frames, [elements; 2]);
                        assert_eq!(
                            found, expected,
                            "{elements} boxes, {}, on {grid:?}",
                            shape.name
                        );
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn damage_of_random_frames_matches_the_reference(
        old in prop::collection::vec((any::<[u8; 4]>(), 0..12_u32), 0..40),
        new in prop::collection::vec((any::<[u8; 4]>(), 0..12_u32), 0..40),
        grid in 0..6_usize,
    ) {
        let frame = |elements: &[([u8; 4], u32)]| -> Frame {
            let rect = |([x, y, width, height], _): &([u8; 4], u32)| {
                // Few places, so that partners often have equal boxes.
                let [x, y] = [x, y].map(|v| f32::from(v % 4) * 40.25 - 20.0);
                Rect::new(x, y, x + f32::from(width % 3) * 50.0, y + f32::from(height % 3) * 9.5).or_nothing()
            };
            (elements.iter().map(rect).collect(), elements.iter().map(|element| element.1).collect())
        };
        let (grid, frames) = (grids()[grid], [frame(&old), frame(&new)]);
        let bound = Bound::new(&damage(16), &grid, 40);
        // One frame has more elements than the capacity.
        let found = bound.run(&grid, &padded(&frames), [old.len() as u32, new.len() as u32]);
        prop_assert_eq!(found, expected(&grid, &frames));
    }
}

/// Appends elements past the count to the frames' buffers.
fn padded(frames: &[Frame; 2]) -> [Frame; 2] {
    frames.clone().map(|(mut boxes, mut partners)| {
        boxes.resize(40, Rect::EVERYTHING);
        partners.resize(40, NONE);
        (boxes, partners)
    })
}

#[test]
fn elements_beyond_the_capacity_are_ignored() {
    let grid = BinGrid::new(256, 256).unwrap();
    let everything = (vec![Rect::EVERYTHING; 3], vec![0, 1, 2]);
    let frames = [everything.clone(), everything];
    let bound = Bound::new(&damage(4), &grid, 3);
    assert_eq!(bound.run(&grid, &frames, [u32::MAX; 2]), [BinDamage::NOTHING]);
    // The second frame has one element fewer, so the last element of the first frame has no
    // partner.
    let all = BinDamage { x0: 0, y0: 0, x1: 256, y1: 256 };
    assert_eq!(bound.run(&grid, &frames, [3, 2]), [all]);
}

#[test]
fn rejects_more_elements_than_32_bits_count() {
    let (grid, device) = (BinGrid::new(256, 256).unwrap(), &gpu().device);
    let damage = Damage::new(device, &DamageDescriptor::default()).unwrap();
    let bound = Bound::new(&damage, &grid, 3);
    let frames = bound.frames.each_ref().map(|[params, boxes, partners]| FrameBindings {
        params: whole(params),
        boxes: whole(boxes),
        partners: whole(partners),
    });
    let many = damage.bind(frames, &bound.outputs, u32::MAX, &grid);
    assert!(matches!(many, Err(Error::TooMany { .. })), "{many:?}");
}
