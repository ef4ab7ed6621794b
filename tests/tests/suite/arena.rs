//! Tests ranges of one buffer per usage, as in a renderer with arenas: `scratch_bytes` is enough, one job can have two
//! parts, and invalid ranges are errors. `faults` also binds every part in ranges.

use treebounds::{
    BinBindings, BinCapacity, Binner, Capacity, Counts, Error, InputBindings, Job, MatchBindings,
    MatchInput, Matcher, MatcherDescriptor, OutputBindings, Params, Stage, Tuning, wgpu,
};
use treebounds_core::{BinGrid, BinHeader, Role, Tag, reference};
use treebounds_tests::bound::{bitmap, tags_of_bits};
use treebounds_tests::gpu::{Arena, gpu, read_at, run};
use treebounds_tests::streams::{padded, random_scene, random_walk};
use wgpu::{BufferBinding, BufferUsages};

/// One buffer per usage: uniforms, read-only storage, written storage, and counts, which one kernel writes and another
/// reads as a uniform.
struct Arenas {
    uniform: Arena,
    read: Arena,
    written: Arena,
    counts: Arena,
}

impl Arenas {
    fn new() -> Self {
        let storage = BufferUsages::STORAGE;
        Self {
            uniform: Arena::new(4096, BufferUsages::UNIFORM),
            read: Arena::new(1 << 20, storage),
            written: Arena::new(8 << 20, storage),
            counts: Arena::new(1024, storage | BufferUsages::UNIFORM),
        }
    }

    fn params(&self, elements: usize) -> BufferBinding<'_> {
        self.uniform.put(&[Params { elements: elements as u32, ..Params::default() }])
    }

    fn inputs(&self, capacity: Capacity) -> InputBindings<'_> {
        let n = u64::from(capacity.elements);
        InputBindings {
            params: self.uniform.take(32),
            tags: self.read.take((4 * n).next_multiple_of(16)),
            rects: self.read.take(16 * n),
            filter_depth: 0,
        }
    }

    fn outputs(&self, capacity: Capacity) -> OutputBindings<'_> {
        let (n, m) = (u64::from(capacity.elements), u64::from(capacity.markers));
        OutputBindings {
            counts: self.counts.take(16),
            markers_before: self.written.take(4 * n),
            marker_elements: self.written.take(4 * m),
            links: self.written.take(4 * m),
            clips: Some(self.written.take(16 * m)),
            contents: Some(self.written.take(16 * m)),
            boxes: self.written.take(16 * n),
            landings: None,
        }
    }
}

/// Uses few threads, so that there are many tiles.
fn small() -> Tuning {
    Tuning { workgroup_size: Some(8), ..Tuning::default() }
}

fn words(tags: &[Tag]) -> Vec<u32> {
    padded(&tags.iter().map(|tag| tag.bits()).collect::<Vec<_>>())
}

#[test]
fn links_in_ranges_of_an_arena_match_the_reference() {
    let stream = random_scene(8, 3000, 40);
    let opens: Vec<bool> =
        random_walk(9, 3000).tags().iter().map(|tag| tag.role() == Role::Begin).collect();
    let of_bits = (MatchInput::Bits, bitmap(&opens), tags_of_bits(&opens));
    let of_tags = (MatchInput::Tags, words(stream.tags()), stream.tags().to_vec());
    for (input, words, tags) in [of_tags, of_bits] {
        let per_thread = Some(4);
        let descriptor = MatcherDescriptor { input, per_thread, ..small().into() };
        let matcher = Matcher::new(&gpu().device, &descriptor).unwrap();
        let (arenas, n) = (Arenas::new(), tags.len());
        let buffers = MatchBindings {
            params: arenas.params(n),
            input: arenas.read.put(&words),
            links: arenas.written.take((4 * n as u64).next_multiple_of(16)),
        };
        let memory = arenas.written.take(matcher.scratch_bytes(n as u32).unwrap());
        let scratch = matcher.scratch_in(n as u32, memory).unwrap();
        run(&matcher.bind(&buffers, &scratch).unwrap());
        assert_eq!(read_at::<u32>(&buffers.links, n), reference::links(&tags), "{input:?}");
        let counts: Counts = read_at(&scratch.counts(), 1)[0];
        assert_eq!((counts.elements, counts.status), (n as u32, 0));
    }
}

/// The stage's boxes are in the arena of written buffers. A binner only reads them, so its lists need another buffer.
#[test]
fn one_job_runs_the_stage_and_the_binner() {
    let stream = random_scene(4, 700, 40);
    let capacity = Capacity::of(&stream);
    let stage = Stage::new(&gpu().device, &small().into()).unwrap();
    let binner = Binner::new(&gpu().device, &small().into()).unwrap();
    let grid = BinGrid::new(1000, 1000).unwrap();
    let expected = reference::bins(&grid, &reference::bounds(&stream).boxes);
    let entries = expected.iter().map(Vec::len).sum::<usize>() as u32;
    let bin_capacity = BinCapacity { elements: capacity.elements, entries };
    let bind = |arenas: &Arenas, lists: &Arena| -> Result<(Job, Vec<Vec<u32>>), Error> {
        let (inputs, outputs) = (arenas.inputs(capacity), arenas.outputs(capacity));
        inputs.write(&gpu().queue, &stream)?;
        let bins = BinBindings {
            status: lists.take(16),
            headers: lists.take(8 * u64::from(grid.bins())),
            entries: lists.take(4 * u64::from(entries)),
        };
        let scratch = arenas.written.take(stage.scratch_bytes(capacity)?);
        let scratch = stage.scratch_in(capacity, scratch)?;
        let memory = lists.take(binner.scratch_bytes(bin_capacity, &grid)?);
        let memory = binner.scratch_in(bin_capacity, &grid, memory)?;
        let job = stage.bind_bins(inputs, outputs, &scratch, &binner, bins.clone(), &memory)?;
        run(&job);
        let headers: Vec<BinHeader> = read_at(&bins.headers, grid.bins() as usize);
        let all: Vec<u32> = read_at(&bins.entries, entries as usize);
        let list = |at: &BinHeader| all[at.offset as usize..][..at.count as usize].to_vec();
        Ok((job, headers.iter().map(list).collect()))
    };
    let lists = Arena::new(1 << 20, BufferUsages::STORAGE);
    assert_eq!(bind(&Arenas::new(), &lists).unwrap().1, expected);
    let arenas = Arenas::new();
    let refused = bind(&arenas, &arenas.written).map(|_| ()).unwrap_err();
    let written = "ranges";
    assert_eq!(refused, Error::MixedAccess { kernel: "bin_count", read: "boxes", written });
}

/// Ranges that do not fit are rejected before binding.
#[test]
fn rejects_unaligned_short_and_overlapping_ranges() {
    let stage = Stage::new(&gpu().device, &Default::default()).unwrap();
    let capacity = Capacity::all_markers(100);
    let arenas = Arenas::new();
    let (inputs, outputs) = (arenas.inputs(capacity), arenas.outputs(capacity));
    let bytes = stage.scratch_bytes(capacity).unwrap();
    let scratch = stage.scratch_in(capacity, arenas.written.take(bytes)).unwrap();
    let refused = |inputs: &InputBindings<'_>, outputs: &OutputBindings<'_>| {
        stage.bind(inputs.clone(), outputs.clone(), &scratch).map(|_| ()).err()
    };
    assert_eq!(refused(&inputs, &outputs), None);

    let moved = |range: &BufferBinding<'_>, by: u64| range.offset + by;
    let mut wrong = outputs.clone();
    wrong.links.offset = moved(&wrong.links, 4);
    let limits = gpu().device.limits();
    assert_eq!(
        refused(&inputs, &wrong),
        Some(Error::Unaligned {
            buffer: "links",
            offset: wrong.links.offset,
            alignment: limits.min_storage_buffer_offset_alignment,
            limit_name: "min_storage_buffer_offset_alignment",
        })
    );
    let mut wrong = inputs.clone();
    wrong.params.offset = moved(&wrong.params, 16);
    let alignment = limits.min_uniform_buffer_offset_alignment;
    let error = refused(&wrong, &outputs);
    let is_it = matches!(error, Some(Error::Unaligned { buffer: "params", alignment: found, .. })
        if found == alignment);
    assert!(is_it || alignment <= 16, "{error:?}");

    let mut wrong = outputs.clone();
    wrong.boxes.size = wgpu::BufferSize::new(1584);
    let error = Error::BufferTooSmall { buffer: "boxes", needed: 1600, size: 1584 };
    assert_eq!(refused(&inputs, &wrong), Some(error));

    let mut wrong = outputs.clone();
    wrong.boxes.offset = wrong.boxes.buffer.size() - 1024;
    let (end, size) = (wrong.boxes.offset + 1600, wrong.boxes.buffer.size());
    let error = Error::OutsideBuffer { buffer: "boxes", end, size };
    assert_eq!(refused(&inputs, &wrong), Some(error));

    let mut wrong = outputs.clone();
    wrong.clips = wrong.contents.clone();
    let error = Error::Overlap { first: "clips", second: "contents" };
    assert_eq!(refused(&inputs, &wrong), Some(error));

    let mut wrong = outputs.clone();
    let memory = arenas.written.take(bytes);
    let size = wrong.clips.as_ref().and_then(|clips| clips.size);
    wrong.clips = Some(BufferBinding { size, ..memory.clone() });
    let scratch = stage.scratch_in(capacity, memory.clone()).unwrap();
    let error = stage.bind(inputs.clone(), wrong, &scratch).map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Overlap { second: "clips", .. }), "{error}");

    let short = BufferBinding { size: wgpu::BufferSize::new(bytes - 4), ..memory.clone() };
    let error = stage.scratch_in(capacity, short).map(|_| ()).unwrap_err();
    let expected = Error::BufferTooSmall { buffer: "scratch", needed: bytes, size: bytes - 4 };
    assert_eq!(error, expected);
    let shifted = BufferBinding { offset: memory.offset + 4, ..memory };
    let error = stage.scratch_in(capacity, shifted).map(|_| ()).unwrap_err();
    assert!(matches!(error, Error::Unaligned { buffer: "scratch", .. }), "{error}");

    // An input in a buffer of outputs.
    let mut wrong = inputs.clone();
    wrong.rects = arenas.written.take(1600);
    let error = refused(&wrong, &outputs);
    assert!(matches!(error, Some(Error::MixedAccess { read: "rects", .. })), "{error:?}");
}
