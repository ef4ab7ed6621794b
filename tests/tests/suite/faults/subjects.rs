//! Every part of the library that makes a job of buffers.

use crate::faults::subject::{AnyJob, AnyScratch, MakeScratch, Slot, Subject};
use crate::faults::table::Refusal;
use crate::host;
use crate::vello::clips;
use treebounds::device::scoped;
use treebounds::{
    BinBindings, BinCapacity, BinStatus, Binner, BracketBindings, BracketMatcher, Capacity,
    CompactBindings, Compactor, Counts, Damage, DamageBindings, FixBindings, FrameBindings, Host,
    HostClips, InputBindings, LeafFix, MatchBindings, MatchInput, Matcher, MatcherDescriptor,
    NodeOutputBindings, NodeStage, OutputBindings, Params, PieceBinner, RootFix, Stage, Tuning,
    WgslMonoid, wgpu,
};
use treebounds_core::damage::{BinDamage, bins};
use treebounds_core::{
    BinGrid, BinHeader, Bracket, Monoid, NONE, Rect, Role, Stream, Tag, reference,
};
use treebounds_tests::bound::{bitmap, tags_of_bits};
use treebounds_tests::streams::{filtered, random_few_markers, random_scene, random_walk};
use treebounds_vello::{ClipBuffers, ClipCapacity, ClipStage, ClipStageDescriptor, LayerBoxes};
use wgpu::{BufferBinding as Range, BufferBindingType, BufferUsages};

type Built = Result<Subject, Refusal>;

/// Builds a subject for a device.
pub(crate) type Build = fn(&wgpu::Device) -> Built;

/// The name of each subject, and the function that builds it.
pub(crate) const ALL: [(&str, Build); 19] = [
    ("stage", |device| stage(device, Tuning::default(), random_scene(3, 100, 40), 1, None)),
    ("stage_of_many_tiles", |device| stage(device, threads(8), random_scene(4, 700, 40), 1, None)),
    ("stage_of_few_markers", |device| {
        stage(device, threads(8), random_few_markers(5, 600, 75), 8, None)
    }),
    ("stage_with_filters", |device| {
        let stream = filtered(&random_scene(11, 200, 40), 11, 20, 1);
        stage(device, threads(16), stream, 1, Some(1))
    }),
    ("node_stage", |device| node_stage(device, random_walk(6, 100), None)),
    ("node_stage_with_filters", |device| {
        node_stage(device, filtered(&random_walk(12, 100), 12, 20, 1), Some(1))
    }),
    ("match", |device| {
        let tags = random_scene(7, 100, 40).tags().to_vec();
        let words = tags.iter().map(|tag| tag.bits()).collect();
        matcher(device, MatchInput::Tags, words, &tags)
    }),
    ("match_roles", |device| {
        let tags = random_scene(8, 100, 40).tags().to_vec();
        let character = |tag: &Tag| u32::from(['x', '(', ')'][role(tag) as usize]);
        let words = tags.iter().map(character).collect();
        matcher(device, MatchInput::Roles(PARENTHESES), words, &tags)
    }),
    ("match_bits", |device| {
        let walk = random_walk(9, 100);
        let opens: Vec<bool> = walk.tags().iter().map(|tag| tag.role() == Role::Begin).collect();
        matcher(device, MatchInput::Bits, bitmap(&opens), &tags_of_bits(&opens))
    }),
    ("brackets", bracket_matcher),
    ("compact", compactor),
    ("bin", binner),
    ("bin_pieces", piece_binner),
    ("damage", damage),
    ("root_fix", root_fix),
    ("leaf_fix", leaf_fix),
    ("host_clips", host_clips),
    ("clip_stage", |device| clip_stage(device, LayerBoxes::Clip)),
    ("clip_stage_that_shrinks", |device| clip_stage(device, LayerBoxes::Visible)),
];

/// Builds the subjects with these names.
pub(crate) fn some(
    device: &wgpu::Device,
    names: impl Fn(&str) -> bool,
) -> Vec<(&'static str, Subject)> {
    let build = |(name, build): (&'static str, Build)| match build(device) {
        Ok(subject) => (name, subject),
        Err(refusal) => panic!("{name}: {refusal:?}"),
    };
    ALL.into_iter().filter(|(name, _)| names(name)).map(build).collect()
}

/// Workgroups of so many threads.
fn threads(threads: u32) -> Tuning {
    Tuning { workgroup_size: Some(threads), ..Tuning::default() }
}

/// So many ranges.
fn of<'a, const N: usize>(ranges: &[Range<'a>]) -> Result<[Range<'a>; N], Refusal> {
    ranges.to_vec().try_into().map_err(|_| Refusal::wrong("another number of buffers"))
}

/// The params of a stream.
fn params(stream: &Stream) -> Slot {
    let elements = stream.len() as u32;
    let viewport = stream.viewport().to_array();
    Slot::uniform("params", &Params { viewport, elements, ..Params::default() })
}

fn tags(stream: &Stream, n: u64) -> Slot {
    Slot::input("tags", n, stream.tags()).in_vectors()
}

fn role(tag: &Tag) -> u32 {
    match tag.role() {
        Role::Draw => 0,
        Role::Begin => 1,
        Role::End => 2,
    }
}

/// The counts of a stream, which has room for all its markers.
fn counts(stream: &Stream) -> Slot {
    let (elements, markers) = (stream.len() as u32, stream.marker_count() as u32);
    let counts = Counts { elements, markers, status: 0, markers_needed: markers };
    let clamped = Counts { status: Counts::ELEMENTS_CLAMPED, ..counts };
    Slot::output("counts", 1, &[counts]).or_clamped(clamped)
}

/// How many markers come before each element.
fn markers_before(stream: &Stream, n: u64) -> Slot {
    let is_marker = stream.tags().iter().map(|tag| u32::from(tag.is_marker()));
    let before = is_marker.scan(0, |sum, one| Some(std::mem::replace(sum, *sum + one)));
    Slot::output("markers_before", n, &before.collect::<Vec<u32>>())
}

/// Makes the scratch of a part of the library, in new buffers or in a range.
macro_rules! scratch {
    ($kind:ident, $part:ident, |$room:ident| $($capacity:expr),+) => {{
        let part = $part.clone();
        Box::new(move |$room: u32, memory: Option<Range<'_>>| {
            Ok(AnyScratch::$kind(match memory {
                None => part.scratch($($capacity),+)?,
                Some(memory) => part.scratch_in($($capacity),+, memory)?,
            }))
        })
    }};
}

/// The same for a number of filters around an element, where there are any.
macro_rules! scratch_for {
    ($filters:ident, $part:ident, |$room:ident| $capacity:expr) => {{
        let part = $part.clone();
        let made: Box<MakeScratch> = match $filters {
            None => scratch!(Tree, $part, |$room| $capacity),
            Some(depth) => Box::new(move |$room: u32, memory: Option<Range<'_>>| {
                Ok(AnyScratch::Tree(match memory {
                    None => part.scratch_with_filters($capacity, depth)?,
                    Some(memory) => part.scratch_with_filters_in($capacity, depth, memory)?,
                }))
            }),
        };
        made
    }};
}

/// `Stage`, with room for one marker among so many elements, and for a number of filters around an element.
fn stage(
    device: &wgpu::Device,
    tuning: Tuning,
    stream: Stream,
    per_marker: u32,
    filters: Option<u32>,
) -> Built {
    let part = Stage::new(device, &tuning.into())?;
    let expected = reference::bounds(&stream);
    let capacity = move |room| Capacity { elements: room, markers: room / per_marker };
    let scratch = scratch_for!(filters, part, |room| capacity(room));
    let bind = move |at: &[Range<'_>], scratch: &AnyScratch, _| {
        let [params, tags, rects, counts, markers_before, marker_elements, rest @ ..] =
            of::<10>(at)?;
        let [links, clips, contents, boxes] = rest;
        let inputs = InputBindings { params, tags, rects };
        let outputs = OutputBindings {
            counts,
            markers_before,
            marker_elements,
            links,
            clips,
            contents,
            boxes,
        };
        Ok(AnyJob::Core(part.bind(inputs, outputs, scratch.tree()?)?))
    };
    let elements = stream.len() as u32;
    let slots = move |room| {
        let Capacity { elements: n, markers: m } = capacity(room);
        let (n, m) = (n.into(), m.into());
        let counts = counts(&stream);
        vec![
            params(&stream),
            tags(&stream, n),
            Slot::input("rects", n, stream.rects()),
            Slot { usage: counts.usage | BufferUsages::UNIFORM, ..counts },
            markers_before(&stream, n),
            Slot::output("marker_elements", m, &expected.marker_elements),
            Slot::output("links", m, &expected.links),
            Slot::output("clips", m, &expected.clips),
            Slot::output("contents", m, &expected.contents),
            Slot::output("boxes", n, &expected.boxes),
        ]
    };
    Ok(Subject { scratch, ..Subject::new(elements, slots, bind) })
}

/// `NodeStage`, whose stream has markers alone.
fn node_stage(device: &wgpu::Device, stream: Stream, filters: Option<u32>) -> Built {
    let part = NodeStage::new(device, &threads(32).into())?;
    let expected = reference::bounds(&stream);
    let scratch = scratch_for!(filters, part, |room| room);
    let bind = move |at: &[Range<'_>], scratch: &AnyScratch, _| {
        let [params, tags, rects, links, clips, contents] = of(at)?;
        let inputs = InputBindings { params, tags, rects };
        let outputs = NodeOutputBindings { links, clips, contents };
        Ok(AnyJob::Core(part.bind(inputs, outputs, scratch.tree()?)?))
    };
    let elements = stream.len() as u32;
    let slots = move |room: u32| {
        let n = room.into();
        vec![
            params(&stream),
            tags(&stream, n),
            Slot::input("rects", n, stream.rects()),
            Slot::output("links", n, &expected.links),
            Slot::output("clips", n, &expected.clips),
            Slot::output("contents", n, &expected.contents),
        ]
    };
    Ok(Subject { scratch, ..Subject::new(elements, slots, bind) })
}

/// The text of a program: `(` opens, `)` closes.
const PARENTHESES: &str =
    "fn role(tag: u32) -> u32 { return select(select(0u, 2u, tag == 41u), 1u, tag == 40u); }";

/// `Matcher`, of tags, of words with roles of the caller's own, and of bits.
fn matcher(
    device: &wgpu::Device,
    input: MatchInput<'_>,
    words: Vec<u32>,
    of_tags: &[Tag],
) -> Built {
    let part = Matcher::new(device, &MatcherDescriptor { input, ..threads(8).into() })?;
    let per_word = if input == MatchInput::Bits { 32 } else { 1 };
    let (elements, expected) = (of_tags.len() as u32, reference::links(of_tags));
    let scratch = scratch!(Match, part, |room| room);
    let bind = move |at: &[Range<'_>], scratch: &AnyScratch, _| {
        let AnyScratch::Match(scratch) = scratch else {
            return Err(Refusal::wrong("not the scratch of matching"));
        };
        let [params, input, links] = of(at)?;
        Ok(AnyJob::Core(part.bind(&MatchBindings { params, input, links }, scratch)?))
    };
    let slots = move |room: u32| {
        let params = Params { elements, ..Params::default() };
        let count = u64::from(room.div_ceil(per_word));
        let input = match per_word {
            1 => Slot::input("tags", count, &words).in_vectors(),
            _ => Slot::input("bits", count, &words),
        };
        let links = Slot::output("links", room.into(), &expected).in_vectors();
        vec![Slot::uniform("params", &params), input, links]
    };
    Ok(Subject { scratch, ..Subject::new(elements, slots, bind) })
}

/// `BracketMatcher`, of two kinds in lines.
fn bracket_matcher(device: &wgpu::Device) -> Built {
    let part = BracketMatcher::new(device, &threads(8).into())?;
    let bracket = |(ix, tag): (usize, &Tag)| match tag.role() {
        _ if ix % 30 == 29 => Bracket::RESET,
        Role::Begin => Bracket::open(u32::from(ix % 9 == 0)),
        Role::End => Bracket::close(u32::from(ix % 7 == 0)),
        Role::Draw => Bracket::OTHER,
    };
    let scene = random_scene(12, 100, 20);
    let words: Vec<Bracket> = scene.tags().iter().enumerate().map(bracket).collect();
    let (elements, expected) = (words.len() as u32, reference::brackets(&words));
    let segments = expected.segments.len() as u32;
    let scratch = scratch!(Match, part, |room| room, segments);
    let bind = move |at: &[Range<'_>], scratch: &AnyScratch, _| {
        let AnyScratch::Match(scratch) = scratch else {
            return Err(Refusal::wrong("not the scratch of matching"));
        };
        let [params, input, links, partners, depths, segments] = of(at)?;
        let buffers = BracketBindings { params, input, links, partners, depths, segments };
        Ok(AnyJob::Core(part.bind(&buffers, scratch)?))
    };
    let slots = move |room: u32| {
        let (params, n) = (Params { elements, ..Params::default() }, room.into());
        vec![
            Slot::uniform("params", &params),
            Slot::input("tags", n, &words).in_vectors(),
            Slot::output("links", n, &expected.links).in_vectors(),
            Slot::output("partners", n, &expected.partners),
            Slot::output("depths", n, &expected.depths).in_vectors(),
            Slot::output("segments", segments.into(), &expected.segments),
        ]
    };
    Ok(Subject { scratch, ..Subject::new(elements, slots, bind) })
}

/// `Compactor`.
fn compactor(device: &wgpu::Device) -> Built {
    let part = Compactor::new(device, &threads(8).into())?;
    let stream = random_scene(10, 300, 60);
    let scratch = scratch!(Tree, part, |room| Capacity { elements: room, markers: room });
    let bind = move |at: &[Range<'_>], scratch: &AnyScratch, _| {
        let [params, tags, markers_before, marker_elements, counts] = of(at)?;
        let buffers = CompactBindings { params, tags, markers_before, marker_elements, counts };
        Ok(AnyJob::Core(part.bind(&buffers, scratch.tree()?)?))
    };
    let elements = stream.len() as u32;
    let slots = move |room: u32| {
        let n = room.into();
        let markers = reference::bounds(&stream).marker_elements;
        vec![
            params(&stream),
            tags(&stream, n),
            markers_before(&stream, n),
            Slot::output("marker_elements", n, &markers),
            counts(&stream),
        ]
    };
    Ok(Subject { scratch, ..Subject::new(elements, slots, bind) })
}

/// Boxes, the grid, and the list of each bin.
#[derive(Clone)]
struct Lists {
    grid: BinGrid,
    boxes: Vec<Rect>,
    expected: Vec<Vec<u32>>,
}

impl Lists {
    fn new() -> Self {
        // Seventeen bins in a row: a window of 16 and one more.
        let grid = BinGrid::with_bins([0, 0], [1024, 768], [61, 128]).unwrap();
        let boxes = reference::bounds(&random_scene(11, 100, 60)).boxes;
        let expected = reference::bins(&grid, &boxes);
        Self { grid, boxes, expected }
    }

    fn needed(&self) -> u32 {
        self.expected.iter().map(Vec::len).sum::<usize>() as u32
    }

    fn capacity(&self, room: u32) -> BinCapacity {
        let entries = (room - self.boxes.len() as u32).saturating_add(self.needed());
        BinCapacity { elements: room, entries }
    }

    fn slots(&self, room: u32, pieces: u32) -> Vec<Slot> {
        let (elements, needed) = (self.boxes.len() as u32, self.needed());
        let headers = u64::from(pieces) * u64::from(self.grid.bins());
        let status = BinStatus { needed, written: needed, flags: 0, elements };
        let clamped = BinStatus { flags: BinStatus::ELEMENTS_CLAMPED, ..status };
        vec![
            Slot::uniform("params", &Params { elements, ..Params::default() }),
            Slot::input("boxes", room.into(), &self.boxes),
            Slot::output("status", 1, &[status]).or_clamped(clamped),
            Slot::output::<BinHeader>("headers", headers, &[]),
            Slot::output::<u32>("entries", self.capacity(room).entries.into(), &[]),
        ]
    }

    /// Lists may lie anywhere.
    fn compare(&self, found: &[Vec<u8>]) -> Result<(), String> {
        let headers: Vec<BinHeader> = bytemuck::pod_collect_to_vec(&found[1]);
        let entries: Vec<u32> = bytemuck::pod_collect_to_vec(&found[2]);
        let piece = |header: &BinHeader| {
            let end = header.offset as usize + header.count as usize;
            entries.get(header.offset as usize..end).unwrap_or_default().to_vec()
        };
        for (bin, expected) in self.expected.iter().enumerate() {
            let own = headers.iter().skip(bin).step_by(self.expected.len());
            let list: Vec<u32> = own.flat_map(piece).collect();
            if list != *expected {
                return Err(format!("bin {bin}: {list:?}, not {expected:?}"));
            }
        }
        Ok(())
    }
}

/// `Binner`.
fn binner(device: &wgpu::Device) -> Built {
    let part = Binner::new(device, &threads(16).into())?;
    let [lists, of_slots, of_answer] = [(); 3].map(|()| Lists::new());
    let elements = lists.boxes.len() as u32;
    let scratch = scratch!(Bins, part, |room| lists.capacity(room), &lists.grid);
    let bind = move |at: &[Range<'_>], scratch: &AnyScratch, _| {
        let AnyScratch::Bins(scratch) = scratch else {
            return Err(Refusal::wrong("not the scratch of binning"));
        };
        let [params, boxes, status, headers, entries] = of(at)?;
        let bins = BinBindings { status, headers, entries };
        Ok(AnyJob::Core(part.bind(params, boxes, bins, scratch)?))
    };
    let compare = Box::new(move |found: &[Vec<u8>]| of_answer.compare(found));
    let slots = move |room| of_slots.slots(room, 1);
    Ok(Subject { scratch, compare, ..Subject::new(elements, slots, bind) })
}

/// `PieceBinner`.
fn piece_binner(device: &wgpu::Device) -> Built {
    let part = PieceBinner::new(device, &threads(16).into())?;
    let [lists, of_slots, of_answer] = [(); 3].map(|()| Lists::new());
    let elements = lists.boxes.len() as u32;
    let binner = part.clone();
    let bind = move |at: &[Range<'_>], _: &AnyScratch, room| {
        let [params, boxes, status, headers, entries] = of(at)?;
        let bins = BinBindings { status, headers, entries };
        let capacity = lists.capacity(room);
        Ok(AnyJob::Core(binner.bind(params, boxes, bins, capacity, &lists.grid)?))
    };
    let compare = Box::new(move |found: &[Vec<u8>]| of_answer.compare(found));
    let slots = move |room| of_slots.slots(room, part.pieces(room));
    Ok(Subject { compare, ..Subject::new(elements, slots, bind) })
}

/// `Damage`, of frames of which every third element has no partner.
fn damage(device: &wgpu::Device) -> Built {
    let part = Damage::new(device, &threads(16).into())?;
    let grid = BinGrid::with_bins([0, 0], [1024, 768], [61, 128]).unwrap();
    let frames = [11, 12].map(|seed| reference::bounds(&random_scene(seed, 100, 60)).boxes);
    let elements = frames.each_ref().map(|boxes| boxes.len() as u32);
    let partner = |element: u32| if element.is_multiple_of(3) { NONE } else { element };
    let partners = elements.map(|elements| (0..elements).map(partner).collect::<Vec<u32>>());
    let [old, new] = [0, 1].map(|frame| (&frames[frame][..], &partners[frame][..]));
    let rects = bins(&grid, [old, new]);
    let bit = |word: u32, rect: &BinDamage| word << 1 | u32::from(!rect.is_empty());
    let word = |rects: &[BinDamage]| rects.iter().rev().fold(0, bit);
    let bits: Vec<u32> = rects.chunks(32).map(word).collect();
    let bind = move |at: &[Range<'_>], _: &AnyScratch, room| {
        let [params, boxes, partners, new_params, new_boxes, new_partners, bits, rects] = of(at)?;
        let old = FrameBindings { params, boxes, partners };
        let new = FrameBindings { params: new_params, boxes: new_boxes, partners: new_partners };
        let bins = DamageBindings { bits, rects };
        Ok(AnyJob::Core(part.bind([old, new], bins, room, &grid)?))
    };
    let slots = move |room: u32| {
        let frame = |frame: usize| {
            let params = Params { elements: elements[frame], ..Params::default() };
            [
                Slot::uniform("params", &params),
                Slot::input("boxes", room.into(), &frames[frame]),
                Slot::input("partners", room.into(), &partners[frame]),
            ]
        };
        let [bits, rects] = [
            Slot::output("bits", bits.len() as u64, &bits),
            Slot::output("rects", rects.len() as u64, &rects),
        ];
        [frame(0).to_vec(), frame(1).to_vec(), vec![bits, rects]].concat()
    };
    Ok(Subject::new(elements[0].max(elements[1]), slots, bind))
}

/// Maps `x -> a x + b` modulo 2^32, one after the other: exact, and not commutative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Map([u32; 2]);

impl Monoid for Map {
    const IDENTITY: Self = Self([1, 0]);

    fn combine(&self, later: &Self) -> Self {
        let ([a, b], [c, d]) = (self.0, later.0);
        Self([a.wrapping_mul(c), b.wrapping_mul(c).wrapping_add(d)])
    }
}

/// The same in WGSL.
pub(crate) const MONOID: WgslMonoid<'_> = WgslMonoid {
    wgsl: "
        alias Input = vec2<u32>;
        alias Product = vec2<u32>;
        alias Output = vec2<u32>;
        fn product_identity() -> Product { return vec2<u32>(1u, 0u); }
        fn product_load(input: Input) -> Product { return input; }
        fn product_combine(first: Product, later: Product) -> Product {
            return vec2<u32>(first.x * later.x, first.y * later.x + later.y);
        }
        fn product_store(product: Product) -> Output { return product; }
    ",
    input_bytes: 8,
    product_bytes: 8,
    output_bytes: 8,
};

/// `RootFix` or `LeafFix`.
macro_rules! fix {
    ($name:ident, $part:ident, $reference:path) => {
        fn $name(device: &wgpu::Device) -> Built {
            let part = $part::new(device, &MONOID, &threads(32).into())?;
            let stream = random_scene(12, 100, 40);
            let value = |at: u32| Map([2 * at + 1, at.wrapping_mul(77)]);
            let values: Vec<_> = (0..100).map(value).collect();
            let expected = $reference(stream.tags(), &values);
            let scratch = scratch!(Tree, part, |room| room);
            let bind = move |at: &[Range<'_>], scratch: &AnyScratch, _| {
                let [params, tags, inputs, outputs] = of(at)?;
                let buffers = FixBindings { params, tags, inputs, outputs };
                Ok(AnyJob::Core(part.bind(&buffers, scratch.tree()?)?))
            };
            let slots = move |room: u32| {
                let n = room.into();
                vec![
                    params(&stream),
                    tags(&stream, n),
                    Slot::input("inputs", n, &values),
                    Slot::output("outputs", n, &expected),
                ]
            };
            Ok(Subject { scratch, ..Subject::new(100, slots, bind) })
        }
    };
}

fix!(root_fix, RootFix, reference::root_fix);
fix!(leaf_fix, LeafFix, reference::leaf_fix);

/// A uniform like `Params`, one word and one box per element, and one box per element for the answer.
pub(crate) const HOST_WGSL: &str = "
    struct Frame { viewport: vec4<f32>, count: u32, pad0: u32, pad1: u32, pad2: u32 }
    @group(1) @binding(0) var<uniform> frame: Frame;
    @group(1) @binding(1) var<storage, read> kinds: array<u32>;
    @group(1) @binding(2) var<storage, read> boxes: array<vec4<f32>>;
    @group(1) @binding(3) var<storage, read_write> clips: array<vec4<f32>>;

    fn host_count() -> u32 { return frame.count; }
    fn host_viewport() -> vec4<f32> { return frame.viewport; }
    fn host_role(item: u32) -> u32 { return kinds[item]; }
    fn host_rect(item: u32) -> vec4<f32> { return boxes[item]; }
    alias HostTop = u32;
    fn host_top(item: u32, role: u32, top: u32) -> HostTop { return 0u; }
    fn host_emit(
        item: u32, role: u32, top: u32, clip: vec4<f32>, around: vec4<f32>, known: HostTop,
    ) {
        clips[item] = clip;
    }
";

/// What group 1 binds.
pub(crate) const LAYOUT: [BufferBindingType; 4] = [
    BufferBindingType::Uniform,
    BufferBindingType::Storage { read_only: true },
    BufferBindingType::Storage { read_only: true },
    BufferBindingType::Storage { read_only: false },
];

/// `HostClips`, in buffers of a renderer's own.
fn host_clips(device: &wgpu::Device) -> Built {
    let layout = scoped(device, || host::layout(device, &LAYOUT)).map_err(Refusal::wgpu)?;
    let host = Host { wgsl: HOST_WGSL, bindings: &layout };
    let part = HostClips::new(device, &host, &threads(32).into())?;
    let stream = random_scene(13, 100, 40);
    let bounds = reference::bounds(&stream);
    let mut expected = bounds.boxes;
    for (element, clip) in bounds.marker_elements.iter().zip(&bounds.clips) {
        expected[*element as usize] = *clip;
    }
    let scratch = scratch!(Tree, part, |room| room);
    let device = device.clone();
    // The library reports mistakes in the group.
    let bind = move |at: &[Range<'_>], scratch: &AnyScratch, _| {
        let filters = [wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory];
        let scopes = filters.map(|filter| device.push_error_scope(filter));
        let group = host::group(&device, &layout, at);
        scopes.into_iter().rev().for_each(|scope| drop(scope.pop()));
        Ok(AnyJob::Core(part.bind(&group, scratch.tree()?)?))
    };
    let slots = move |room: u32| {
        let n = room.into();
        let kinds: Vec<u32> = stream.tags().iter().map(role).collect();
        vec![
            params(&stream),
            Slot::input("kinds", n, &kinds),
            Slot::input("boxes", n, stream.rects()),
            Slot::output("clips", n, &expected),
        ]
    };
    let (checks, binds_whole) = (false, true);
    Ok(Subject { scratch, checks, binds_whole, ..Subject::new(100, slots, bind) })
}

/// `ClipStage`, on Vello's buffers, with and without shrinking.
fn clip_stage(device: &wgpu::Device, layers: LayerBoxes) -> Built {
    let part = ClipStage::new(device, &ClipStageDescriptor { layers, ..Default::default() })?;
    let frame = clips::frame(60, 9, 14);
    let shrinks = layers == LayerBoxes::Visible;
    let (boxes, monoids, _) = clips::expected(&frame, shrinks);
    let (elements, markers) = (frame.tags.len() as u32, frame.clip_inp.len() as u32);
    let capacity = move |room: u32| {
        let clips = (room - elements).saturating_add(markers);
        ClipCapacity { draw_objects: room, clips }
    };
    let bind = move |at: &[Range<'_>], _: &AnyScratch, room| {
        let [config, scene, clip_inp, path_bboxes, draw_monoids, clip_bboxes] = of(at)?;
        let buffers =
            ClipBuffers { config, scene, clip_inp, path_bboxes, draw_monoids, clip_bboxes };
        Ok(AnyJob::Clips(part.bind(&buffers, capacity(room))?))
    };
    let slots = move |room| {
        let ClipCapacity { draw_objects: n, clips: m } = capacity(room);
        let (n, m) = (n.into(), m.into());
        let clips::Frame { scene, config, clip_inp, path_bboxes, draw_monoids, .. } = &frame;
        let data = Slot::input("draw_monoids", n, draw_monoids).data;
        vec![
            Slot { each: 88, ..Slot::uniform("config", config) },
            Slot::input("scene", scene.len() as u64, scene),
            Slot::input("clip_inp", m, clip_inp),
            // Shrinking writes the boxes of paths, which it reads.
            Slot { is_output: shrinks, ..Slot::input("path_bboxes", n, path_bboxes) },
            Slot { data, ..Slot::output("draw_monoids", n, &monoids) },
            Slot::output::<Rect>("clip_bboxes", m, &[]),
        ]
    };
    // Empty boxes have many forms.
    let compare = Box::new(move |found: &[Vec<u8>]| {
        let found: Vec<clips::Box4> = bytemuck::pod_collect_to_vec(&found[found.len() - 1]);
        let mut pairs = found.iter().zip(&boxes).enumerate();
        match pairs.find(|(_, (found, expected))| !clips::same(**found, **expected)) {
            Some((at, pair)) => Err(format!("clip_bboxes[{at}]: found, not answer: {pair:?}")),
            None => Ok(()),
        }
    });
    // Without shrinking, nothing of a scene but its clips is read.
    let (repeats, unbound) = (!shrinks, if shrinks { "" } else { "scene" });
    let subject = Subject::new(elements, slots, bind);
    Ok(Subject { compare, repeats, unbound, binds_whole: true, ..subject })
}
