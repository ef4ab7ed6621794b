//! Every part of the library that makes a job of buffers.

use crate::faults::subject::{AnyJob, AnyScratch, Bound, Slot, Subject};
use crate::faults::table::Refusal;
use crate::vello::clips;
use treebounds::device::scoped;
use treebounds::{
    BinBindings, BinCapacity, BinStatus, Binner, Capacity, CompactBindings, Compactor, Counts,
    FixBindings, Host, HostClips, Inputs, LeafFix, MatchInput, Matcher, MatcherDescriptor,
    NodeOutputs, NodeStage, Outputs, Params, PieceBinner, RootFix, Stage, Tuning, WgslMonoid, wgpu,
};
use treebounds_core::{BinGrid, BinHeader, Bounds, Monoid, Rect, Role, Stream, Tag, reference};
use treebounds_tests::bound::{bitmap, match_whole, tags_of_bits};
use treebounds_tests::gpu::whole;
use treebounds_tests::streams::{random_few_markers, random_scene, random_walk};
use treebounds_vello::{ClipBuffers, ClipCapacity, ClipStage, ClipStageDescriptor, LayerBoxes};
use vello_encoding::DrawMonoid;
use wgpu::{BufferBindingType, BufferUsages};

type Built = Result<Box<dyn Subject>, Refusal>;

/// Builds a subject for a device.
pub(crate) type Build = fn(&wgpu::Device) -> Built;

/// The name of each subject, and the function that builds it.
pub(crate) const ALL: [(&str, Build); 15] = [
    ("stage", |device| Whole::build(device, Tuning::default(), random_scene(3, 100, 40), 1)),
    ("stage_of_many_tiles", |device| Whole::build(device, threads(8), random_scene(4, 700, 40), 1)),
    ("stage_of_few_markers", |device| {
        Whole::build(device, threads(8), random_few_markers(5, 600, 75), 8)
    }),
    ("node_stage", nodes),
    ("match", |device| {
        let tags = random_scene(7, 100, 40).tags().to_vec();
        let words = tags.iter().map(|tag| tag.bits()).collect();
        Matching::build(device, MatchInput::Tags, words, &tags)
    }),
    ("match_roles", |device| {
        let tags = random_scene(8, 100, 40).tags().to_vec();
        let character = |tag: &Tag| u32::from(['x', '(', ')'][role(tag) as usize]);
        let words = tags.iter().map(character).collect();
        Matching::build(device, MatchInput::Roles(PARENTHESES), words, &tags)
    }),
    ("match_bits", |device| {
        let walk = random_walk(9, 100);
        let opens: Vec<bool> = walk.tags().iter().map(|tag| tag.role() == Role::Begin).collect();
        Matching::build(device, MatchInput::Bits, bitmap(&opens), &tags_of_bits(&opens))
    }),
    ("compact", compaction),
    ("bin", |device| Binning::build(Lists(Binner::new(device, &threads(16).into())?))),
    ("bin_pieces", |device| Binning::build(Pieces(PieceBinner::new(device, &threads(16).into())?))),
    ("root_fix", |device| {
        Fix::build(Root(RootFix::new(device, &MONOID, &threads(32).into())?), reference::root_fix)
    }),
    ("leaf_fix", |device| {
        Fix::build(Leaf(LeafFix::new(device, &MONOID, &threads(32).into())?), reference::leaf_fix)
    }),
    ("host_clips", host),
    ("clip_stage", |device| Clips::build(device, LayerBoxes::Clip)),
    ("clip_stage_that_shrinks", |device| Clips::build(device, LayerBoxes::Visible)),
];

/// Builds the subjects with these names.
pub(crate) fn some(
    device: &wgpu::Device,
    names: impl Fn(&str) -> bool,
) -> Vec<(&'static str, Box<dyn Subject>)> {
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

/// `Stage`.
struct Whole {
    stage: Stage,
    stream: Stream,
    expected: Bounds,
    /// Elements for each marker that there is room for.
    elements_per_marker: u32,
}

impl Whole {
    fn build(device: &wgpu::Device, tuning: Tuning, stream: Stream, per_marker: u32) -> Built {
        let stage = Stage::new(device, &tuning.into())?;
        let expected = reference::bounds(&stream);
        Ok(Box::new(Self { stage, stream, expected, elements_per_marker: per_marker }))
    }

    fn capacity(&self, room: u32) -> Capacity {
        Capacity { elements: room, markers: room / self.elements_per_marker }
    }
}

impl Subject for Whole {
    fn elements(&self) -> u32 {
        self.stream.len() as u32
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let Capacity { elements: n, markers: m } = self.capacity(room);
        let (n, m) = (n.into(), m.into());
        let counts = counts(&self.stream);
        vec![
            params(&self.stream),
            tags(&self.stream, n),
            Slot::input("rects", n, self.stream.rects()),
            Slot { usage: counts.usage | BufferUsages::UNIFORM, ..counts },
            markers_before(&self.stream, n),
            Slot::output("marker_elements", m, &self.expected.marker_elements),
            Slot::output("links", m, &self.expected.links),
            Slot::output("clips", m, &self.expected.clips),
            Slot::output("contents", m, &self.expected.contents),
            Slot::output("boxes", n, &self.expected.boxes),
        ]
    }

    fn scratch(&self, room: u32) -> Result<AnyScratch, Refusal> {
        Ok(AnyScratch::Tree(self.stage.scratch(self.capacity(room))?))
    }

    fn bind(&self, buffers: &[wgpu::Buffer], scratch: &AnyScratch, _: u32) -> Bound {
        let at = |at: usize| buffers[at].clone();
        let inputs = Inputs { params: at(0), tags: at(1), rects: at(2) };
        let outputs = Outputs {
            counts: at(3),
            markers_before: at(4),
            marker_elements: at(5),
            links: at(6),
            clips: at(7),
            contents: at(8),
            boxes: at(9),
        };
        Ok(AnyJob::Core(self.stage.bind(&inputs, &outputs, scratch.tree()?)?))
    }
}

/// `NodeStage`, whose stream has markers alone.
struct Nodes {
    stage: NodeStage,
    stream: Stream,
    expected: Bounds,
}

fn nodes(device: &wgpu::Device) -> Built {
    let stage = NodeStage::new(device, &threads(32).into())?;
    let stream = random_walk(6, 100);
    let expected = reference::bounds(&stream);
    Ok(Box::new(Nodes { stage, stream, expected }))
}

impl Subject for Nodes {
    fn elements(&self) -> u32 {
        self.stream.len() as u32
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let n = room.into();
        vec![
            params(&self.stream),
            tags(&self.stream, n),
            Slot::input("rects", n, self.stream.rects()),
            Slot::output("links", n, &self.expected.links),
            Slot::output("clips", n, &self.expected.clips),
            Slot::output("contents", n, &self.expected.contents),
        ]
    }

    fn scratch(&self, room: u32) -> Result<AnyScratch, Refusal> {
        Ok(AnyScratch::Tree(self.stage.scratch(room)?))
    }

    fn bind(&self, buffers: &[wgpu::Buffer], scratch: &AnyScratch, _: u32) -> Bound {
        let at = |at: usize| buffers[at].clone();
        let inputs = Inputs { params: at(0), tags: at(1), rects: at(2) };
        let outputs = NodeOutputs { links: at(3), clips: at(4), contents: at(5) };
        Ok(AnyJob::Core(self.stage.bind(&inputs, &outputs, scratch.tree()?)?))
    }
}

/// The text of a program: `(` opens, `)` closes.
const PARENTHESES: &str =
    "fn role(tag: u32) -> u32 { return select(select(0u, 2u, tag == 41u), 1u, tag == 40u); }";

/// `Matcher`, of tags, of words with roles of the caller's own, and of bits.
struct Matching {
    matching: Matcher,
    elements: u32,
    words: Vec<u32>,
    /// Elements per word of the input.
    per_word: u32,
    expected: Vec<u32>,
}

impl Matching {
    fn build(device: &wgpu::Device, input: MatchInput<'_>, words: Vec<u32>, tags: &[Tag]) -> Built {
        let descriptor = MatcherDescriptor { input, ..threads(8).into() };
        let matching = Matcher::new(device, &descriptor)?;
        let per_word = if input == MatchInput::Bits { 32 } else { 1 };
        let (elements, expected) = (tags.len() as u32, reference::links(tags));
        Ok(Box::new(Self { matching, elements, words, per_word, expected }))
    }
}

impl Subject for Matching {
    fn elements(&self) -> u32 {
        self.elements
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let params = Params { elements: self.elements, ..Params::default() };
        let words = u64::from(room.div_ceil(self.per_word));
        let input = match self.per_word {
            1 => Slot::input("tags", words, &self.words).in_vectors(),
            _ => Slot::input("bits", words, &self.words),
        };
        let links = Slot::output("links", room.into(), &self.expected).in_vectors();
        vec![Slot::uniform("params", &params), input, links]
    }

    fn scratch(&self, room: u32) -> Result<AnyScratch, Refusal> {
        Ok(AnyScratch::Match(self.matching.scratch(room)?))
    }

    fn bind(&self, buffers: &[wgpu::Buffer], scratch: &AnyScratch, _: u32) -> Bound {
        let AnyScratch::Match(scratch) = scratch else {
            return Err(Refusal::wrong("not the scratch of matching"));
        };
        let buffers = [&buffers[0], &buffers[1], &buffers[2]];
        Ok(AnyJob::Core(match_whole(&self.matching, buffers, scratch)?))
    }
}

/// `Compactor`.
struct Compaction {
    compactor: Compactor,
    stream: Stream,
}

fn compaction(device: &wgpu::Device) -> Built {
    let compactor = Compactor::new(device, &threads(8).into())?;
    Ok(Box::new(Compaction { compactor, stream: random_scene(10, 300, 60) }))
}

impl Subject for Compaction {
    fn elements(&self) -> u32 {
        self.stream.len() as u32
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let n = room.into();
        let markers = reference::bounds(&self.stream).marker_elements;
        vec![
            params(&self.stream),
            tags(&self.stream, n),
            markers_before(&self.stream, n),
            Slot::output("marker_elements", n, &markers),
            counts(&self.stream),
        ]
    }

    fn scratch(&self, room: u32) -> Result<AnyScratch, Refusal> {
        let capacity = Capacity { elements: room, markers: room };
        Ok(AnyScratch::Tree(self.compactor.scratch(capacity)?))
    }

    fn bind(&self, buffers: &[wgpu::Buffer], scratch: &AnyScratch, _: u32) -> Bound {
        let buffers = CompactBindings {
            params: whole(&buffers[0]),
            tags: whole(&buffers[1]),
            markers_before: whole(&buffers[2]),
            marker_elements: whole(&buffers[3]),
            counts: whole(&buffers[4]),
        };
        Ok(AnyJob::Core(self.compactor.bind(&buffers, scratch.tree()?)?))
    }
}

/// A way to bin.
enum Method {
    Lists(Binner),
    Pieces(PieceBinner),
}

use Method::{Lists, Pieces};

/// `Binner` and `PieceBinner`.
struct Binning {
    method: Method,
    grid: BinGrid,
    boxes: Vec<Rect>,
    expected: Vec<Vec<u32>>,
}

impl Binning {
    fn build(method: Method) -> Built {
        // Seventeen bins in a row: a window of 16 and one more.
        let grid = BinGrid::with_bins([0, 0], [1024, 768], [61, 128]).unwrap();
        let boxes = reference::bounds(&random_scene(11, 100, 60)).boxes;
        let expected = reference::bins(&grid, &boxes);
        Ok(Box::new(Self { method, grid, boxes, expected }))
    }

    fn needed(&self) -> u32 {
        self.expected.iter().map(Vec::len).sum::<usize>() as u32
    }

    fn capacity(&self, room: u32) -> BinCapacity {
        let entries = (room - self.elements()).saturating_add(self.needed());
        BinCapacity { elements: room, entries }
    }
}

impl Subject for Binning {
    fn elements(&self) -> u32 {
        self.boxes.len() as u32
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let (elements, needed) = (self.elements(), self.needed());
        let pieces = match &self.method {
            Lists(_) => 1,
            Pieces(pieces) => pieces.pieces(room),
        };
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

    fn scratch(&self, room: u32) -> Result<AnyScratch, Refusal> {
        Ok(match &self.method {
            Lists(bin) => AnyScratch::Bins(bin.scratch(self.capacity(room), &self.grid)?),
            Pieces(_) => AnyScratch::Own,
        })
    }

    fn bind(&self, buffers: &[wgpu::Buffer], scratch: &AnyScratch, room: u32) -> Bound {
        let at = |at: usize| whole(&buffers[at]);
        let (params, boxes) = (at(0), at(1));
        let bins = BinBindings { status: at(2), headers: at(3), entries: at(4) };
        Ok(AnyJob::Core(match (&self.method, scratch) {
            (Lists(bin), AnyScratch::Bins(scratch)) => bin.bind(params, boxes, bins, scratch)?,
            (Pieces(bin), AnyScratch::Own) => {
                bin.bind(params, boxes, bins, self.capacity(room), &self.grid)?
            }
            _ => return Err(Refusal::wrong("not the scratch of binning")),
        }))
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

/// A way through a tree.
enum Way {
    Root(RootFix),
    Leaf(LeafFix),
}

use Way::{Leaf, Root};

/// `RootFix` and `LeafFix`.
struct Fix {
    way: Way,
    stream: Stream,
    values: Vec<Map>,
    expected: Vec<Map>,
}

impl Fix {
    fn build(way: Way, reference: fn(&[Tag], &[Map]) -> Vec<Map>) -> Built {
        let stream = random_scene(12, 100, 40);
        let value = |at: u32| Map([2 * at + 1, at.wrapping_mul(77)]);
        let values: Vec<_> = (0..100).map(value).collect();
        let expected = reference(stream.tags(), &values);
        Ok(Box::new(Self { way, stream, values, expected }))
    }
}

impl Subject for Fix {
    fn elements(&self) -> u32 {
        self.stream.len() as u32
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let n = room.into();
        vec![
            params(&self.stream),
            tags(&self.stream, n),
            Slot::input("inputs", n, &self.values),
            Slot::output("outputs", n, &self.expected),
        ]
    }

    fn scratch(&self, room: u32) -> Result<AnyScratch, Refusal> {
        Ok(AnyScratch::Tree(match &self.way {
            Root(fix) => fix.scratch(room)?,
            Leaf(fix) => fix.scratch(room)?,
        }))
    }

    fn bind(&self, buffers: &[wgpu::Buffer], scratch: &AnyScratch, _: u32) -> Bound {
        let buffers = FixBindings {
            params: whole(&buffers[0]),
            tags: whole(&buffers[1]),
            inputs: whole(&buffers[2]),
            outputs: whole(&buffers[3]),
        };
        Ok(AnyJob::Core(match &self.way {
            Root(fix) => fix.bind(&buffers, scratch.tree()?)?,
            Leaf(fix) => fix.bind(&buffers, scratch.tree()?)?,
        }))
    }
}

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
struct HostOfClips {
    device: wgpu::Device,
    layout: wgpu::BindGroupLayout,
    clips: HostClips,
    stream: Stream,
    expected: Vec<Rect>,
}

fn host(device: &wgpu::Device) -> Built {
    let layout = scoped(device, || crate::host::layout(device, &LAYOUT)).map_err(Refusal::wgpu)?;
    let host = Host { wgsl: HOST_WGSL, bindings: &layout };
    let clips = HostClips::new(device, &host, &threads(32).into())?;
    let stream = random_scene(13, 100, 40);
    let bounds = reference::bounds(&stream);
    let mut expected = bounds.boxes;
    for (element, clip) in bounds.marker_elements.iter().zip(&bounds.clips) {
        expected[*element as usize] = *clip;
    }
    Ok(Box::new(HostOfClips { device: device.clone(), layout, clips, stream, expected }))
}

impl Subject for HostOfClips {
    fn elements(&self) -> u32 {
        self.stream.len() as u32
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let n = room.into();
        let kinds: Vec<u32> = self.stream.tags().iter().map(role).collect();
        vec![
            params(&self.stream),
            Slot::input("kinds", n, &kinds),
            Slot::input("boxes", n, self.stream.rects()),
            Slot::output("clips", n, &self.expected),
        ]
    }

    fn scratch(&self, room: u32) -> Result<AnyScratch, Refusal> {
        Ok(AnyScratch::Tree(self.clips.scratch(room)?))
    }

    /// The library reports mistakes in the group.
    fn bind(&self, buffers: &[wgpu::Buffer], scratch: &AnyScratch, _: u32) -> Bound {
        let filters = [wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory];
        let scopes = filters.map(|filter| self.device.push_error_scope(filter));
        let group = crate::host::group(&self.device, &self.layout, buffers);
        scopes.into_iter().rev().for_each(|scope| drop(scope.pop()));
        Ok(AnyJob::Core(self.clips.bind(&group, scratch.tree()?)?))
    }

    fn checks(&self) -> bool {
        false
    }
}

/// `ClipStage`, on Vello's buffers, with and without shrinking.
struct Clips {
    stage: ClipStage,
    frame: clips::Frame,
    expected: clips::Expected,
}

impl Clips {
    fn build(device: &wgpu::Device, layers: LayerBoxes) -> Built {
        let descriptor = ClipStageDescriptor { layers, ..Default::default() };
        let stage = ClipStage::new(device, &descriptor)?;
        let frame = clips::frame(60, 9, 14);
        let expected = clips::expected(&frame, layers == LayerBoxes::Visible);
        Ok(Box::new(Self { stage, frame, expected }))
    }

    fn capacity(&self, room: u32) -> ClipCapacity {
        let clips = self.frame.clip_inp.len() as u32;
        let clips = (room - self.elements()).saturating_add(clips);
        ClipCapacity { draw_objects: room, clips }
    }
}

impl Subject for Clips {
    fn elements(&self) -> u32 {
        self.frame.tags.len() as u32
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let ClipCapacity { draw_objects: n, clips: m } = self.capacity(room);
        let (n, m) = (n.into(), m.into());
        let clips::Frame { scene, config, clip_inp, path_bboxes, draw_monoids, .. } = &self.frame;
        let (_, monoids, _) = &self.expected;
        let data = Slot::input("draw_monoids", n, draw_monoids).data;
        vec![
            Slot { each: 88, ..Slot::uniform("config", config) },
            Slot::input("scene", scene.len() as u64, scene),
            Slot::input("clip_inp", m, clip_inp),
            Slot::input("path_bboxes", n, path_bboxes),
            Slot { data, ..Slot::output::<DrawMonoid>("draw_monoids", n, monoids) },
            Slot::output::<Rect>("clip_bboxes", m, &[]),
        ]
    }

    fn bind(&self, buffers: &[wgpu::Buffer], _: &AnyScratch, room: u32) -> Bound {
        let buffers = ClipBuffers {
            config: whole(&buffers[0]),
            scene: whole(&buffers[1]),
            clip_inp: whole(&buffers[2]),
            path_bboxes: whole(&buffers[3]),
            draw_monoids: whole(&buffers[4]),
            clip_bboxes: whole(&buffers[5]),
        };
        Ok(AnyJob::Clips(self.stage.bind(&buffers, self.capacity(room))?))
    }

    /// Empty boxes have many forms.
    fn compare(&self, found: &[Vec<u8>]) -> Result<(), String> {
        let found: Vec<clips::Box4> = bytemuck::pod_collect_to_vec(&found[1]);
        let mut pairs = found.iter().zip(&self.expected.0).enumerate();
        match pairs.find(|(_, (found, expected))| !clips::same(**found, **expected)) {
            Some((at, pair)) => Err(format!("clip_bboxes[{at}]: found, not answer: {pair:?}")),
            None => Ok(()),
        }
    }

    fn repeats(&self) -> bool {
        // Shrinking writes the boxes of paths, which it reads.
        self.stage.layers() == LayerBoxes::Clip
    }

    fn binds_whole(&self) -> bool {
        true
    }

    fn unbound(&self) -> &'static [&'static str] {
        // Without shrinking, nothing of a scene but its clips is read.
        match self.stage.layers() {
            LayerBoxes::Visible => &[],
            LayerBoxes::Clip => &["scene"],
        }
    }
}
