//! Tests clips in a renderer's own buffers, with several buffer layouts, against the reference.

use treebounds::{HostAdapter, HostClips, wgpu};
use treebounds_core::{NONE, Rect, Role, Stream, Tag, reference};
use treebounds_tests::gpu::{buffer, gpu, read, run, tuning, variants, whole};
use treebounds_tests::streams::{SHAPES, shapes};
use wgpu::{BufferBinding, BufferBindingType, BufferUsages};

/// A host with its own record layout for elements and answers.
pub(crate) const WGSL: &str = "
    struct Record { x: vec2<f32>, kind: u32, pad: u32, y: vec2<f32>, pad2: vec2<u32> }
    struct Answer { clip: vec4<f32>, around: vec4<f32>, top: u32, pad: vec3<u32> }
    struct AdapterTop { top: u32, kind: u32 }
    struct Frame { viewport: vec4<f32>, count: u32 }
    @group(1) @binding(0) var<uniform> frame: Frame;
    @group(1) @binding(1) var<storage, read> records: array<Record>;
    @group(1) @binding(2) var<storage, read_write> answers: array<Answer>;

    fn adapter_count() -> u32 { return frame.count; }
    fn adapter_viewport() -> vec4<f32> { return frame.viewport; }
    fn adapter_role(item: u32) -> u32 { return records[item].kind; }
    fn adapter_rect(item: u32) -> vec4<f32> {
        let record = records[item];
        return vec4<f32>(record.x.x, record.y.x, record.x.y, record.y.y);
    }
    fn adapter_top(item: u32, role: u32, top: u32) -> AdapterTop {
        // Padding past the last element has no record.
        if item >= frame.count || top == 0xffffffffu {
            return AdapterTop(item, role);
        }
        return AdapterTop(top, records[top].kind);
    }
    fn adapter_emit(
        item: u32, role: u32, top: u32, clip: vec4<f32>, around: vec4<f32>, known: AdapterTop,
    ) {
        answers[item] = Answer(clip, around, top, vec3<u32>(known.top, known.kind, 0u));
    }
";

#[derive(Clone, Copy, Debug, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Record {
    x: [f32; 2],
    kind: u32,
    pad: u32,
    y: [f32; 2],
    pad2: [u32; 2],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Answer {
    clip: [f32; 4],
    around: [f32; 4],
    top: u32,
    pad: [u32; 3],
    /// The result of `adapter_top`: the top element and its role. If there is no top element, the
    /// element itself.
    known: [u32; 2],
    pad2: [u32; 2],
}

fn floats(rect: Rect) -> [f32; 4] {
    [rect.x0, rect.y0, rect.x1, rect.y1]
}

pub(crate) fn records(stream: &Stream) -> Vec<Record> {
    let pairs = stream.tags().iter().zip(stream.rects());
    let record = |(tag, rect): (&Tag, &Rect)| Record {
        x: [rect.x0, rect.x1],
        kind: kind(*tag),
        pad: 0,
        y: [rect.y0, rect.y1],
        pad2: [0; 2],
    };
    pairs.map(record).collect()
}

pub(crate) fn kind(tag: Tag) -> u32 {
    match tag.role() {
        Role::Draw => 0,
        Role::Begin => 1,
        Role::End => 2,
    }
}

/// Returns the answers of the reference.
fn answers(stream: &Stream) -> Vec<Answer> {
    let bounds = reference::bounds(stream);
    let mut marker_of = vec![NONE; stream.len()];
    for (node, element) in bounds.marker_elements.iter().enumerate() {
        marker_of[*element as usize] = node as u32;
    }
    let link = |element: u32| bounds.links[marker_of[element as usize] as usize];
    let clip = |element: u32| match element {
        NONE => stream.viewport(),
        element => bounds.clips[marker_of[element as usize] as usize],
    };
    let mut open: Vec<u32> = Vec::new();
    let answer = |(ix, tag): (usize, &Tag)| {
        let ix = ix as u32;
        let top = open.last().copied().unwrap_or(NONE);
        let (own, around) = match tag.role() {
            Role::Draw => (bounds.boxes[ix as usize], clip(top)),
            Role::Begin => (clip(ix), clip(top)),
            // An unmatched end has no begin whose clip could apply.
            Role::End if top == NONE => (Rect::NOTHING, stream.viewport()),
            Role::End => (clip(ix), clip(link(top))),
        };
        match tag.role() {
            Role::Begin => open.push(ix),
            Role::End => drop(open.pop()),
            Role::Draw => {}
        }
        let known = if top == NONE { ix } else { top };
        let known = [known, kind(stream.tags()[known as usize])];
        Answer { clip: floats(own), around: floats(around), top, known, ..Answer::default() }
    };
    stream.tags().iter().enumerate().map(answer).collect()
}

/// Compares answers with the reference's. Returns the first difference.
pub(crate) fn compare(stream: &Stream, found: &[Answer]) -> Result<(), String> {
    for (at, (found, expected)) in found.iter().zip(answers(stream)).enumerate() {
        // An unmatched end has no begin whose clip could apply.
        let is_lost = found.top == NONE && stream.tags()[at].role() == Role::End;
        let around = if is_lost { expected.around } else { found.around };
        let found = Answer { around, pad: [0; 3], pad2: [0; 2], ..*found };
        if found != expected {
            return Err(format!("[{at}] of {}: {found:?}, not {expected:?}", stream.len()));
        }
    }
    Ok(())
}

/// The binding types of group 1.
pub(crate) const LAYOUT: [BufferBindingType; 3] = [
    BufferBindingType::Uniform,
    BufferBindingType::Storage { read_only: true },
    BufferBindingType::Storage { read_only: false },
];

/// Returns the adapter with this layout of group 1.
pub(crate) fn host(bindings: &wgpu::BindGroupLayout) -> HostAdapter<'_> {
    HostAdapter { wgsl: WGSL, bindings }
}

/// Returns the bind group layout for `types`, numbered from 0.
pub(crate) fn layout(device: &wgpu::Device, types: &[BufferBindingType]) -> wgpu::BindGroupLayout {
    let numbered: Vec<_> = types.iter().copied().zip(0..).collect();
    numbered_layout(device, &numbered)
}

/// Returns the bind group layout for types with these numbers.
pub(crate) fn numbered_layout(
    device: &wgpu::Device,
    types: &[(BufferBindingType, u32)],
) -> wgpu::BindGroupLayout {
    let entry = |(ty, binding): &(BufferBindingType, u32)| wgpu::BindGroupLayoutEntry {
        binding: *binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: *ty,
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("host"),
        entries: &types.iter().map(entry).collect::<Vec<_>>(),
    })
}

/// Creates the bind group of these ranges.
pub(crate) fn group(
    device: &wgpu::Device,
    layout: &wgpu::BindGroupLayout,
    ranges: &[BufferBinding<'_>],
) -> wgpu::BindGroup {
    let ranges = ranges.iter().cloned().zip(0..);
    let entries: Vec<_> = ranges
        .map(|(range, binding)| wgpu::BindGroupEntry {
            binding,
            resource: wgpu::BindingResource::Buffer(range),
        })
        .collect();
    device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("host"),
        layout,
        entries: &entries,
    })
}

fn upload<T: bytemuck::NoUninit>(values: &[T], usage: BufferUsages) -> wgpu::Buffer {
    let bytes: &[u8] = bytemuck::cast_slice(values);
    let buffer = buffer((bytes.len() as u64).max(64), usage | BufferUsages::COPY_DST);
    gpu().queue.write_buffer(&buffer, 0, bytes);
    buffer
}

/// Checks a stream and returns the number of dispatches.
fn check(clips: &HostClips, layout: &wgpu::BindGroupLayout, name: &str, stream: &Stream) -> usize {
    let n = stream.len();
    let mut frame = floats(stream.viewport()).map(f32::to_bits).to_vec();
    frame.extend([n as u32, 0, 0, 0]);
    let frame = upload(&frame, BufferUsages::UNIFORM);
    let records = upload(&records(stream), BufferUsages::STORAGE);
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
    let answered = buffer((n.max(1) * size_of::<Answer>()) as u64, usage);
    let group = group(&gpu().device, layout, &[&frame, &records, &answered].map(whole));
    let scratch = clips.scratch(n as u32).unwrap();
    let job = clips.bind(&group, &scratch).unwrap();
    run(&job);
    compare(stream, &read(&answered, n)).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
    job.dispatches().len()
}

/// Returns the supported variants with this number of threads per workgroup, without and with subgroups.
fn of_size(threads: u32, host: &HostAdapter<'_>) -> impl Iterator<Item = HostClips> {
    variants([threads])
        .map(|variant| HostClips::new(&gpu().device, host, &tuning(&variant).into()).unwrap())
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn host_clips_match_the_reference_in_every_variant() {
    let layout = layout(&gpu().device, &LAYOUT);
    let host = host(&layout);
    for threads in [2, 8, 32, 256] {
        for clips in of_size(threads, &host) {
            let tile = threads as usize;
            // Sizes of one tile, a few tiles, bundles of tiles, and many groups.
            let many = [tile * tile + 5, tile * tile * tile + 5].map(|n| n.min(2000));
            for n in [0, 1, tile, tile + 1, (3 * tile + 1).min(700)].into_iter().chain(many) {
                for (name, stream) in shapes(n, 7) {
                    check(&clips, &layout, name, &stream);
                }
            }
        }
    }
}

#[test]
fn default_kernels_match_the_reference_with_bundles_and_groups() {
    let layout = layout(&gpu().device, &LAYOUT);
    let host = host(&layout);
    let clips = HostClips::new(&gpu().device, &host, &Default::default()).unwrap();
    for shape in SHAPES.iter().filter(|shape| shape.name.contains("random")) {
        for n in [300_000, 1_050_000] {
            check(&clips, &layout, shape.name, &shape.stream(n, 7));
        }
    }
}

/// In a tile of ends, the last end is enclosed by a node below all those that the tile closes.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn whole_tiles_of_ends_match_the_reference() {
    let layout = layout(&gpu().device, &LAYOUT);
    let host = host(&layout);
    for threads in [2, 4, 8, 16, 32] {
        for clips in of_size(threads, &host) {
            let name = "all open, then close";
            let shape = SHAPES.iter().find(|shape| shape.name == name).unwrap();
            let tile = threads as usize;
            for tiles in [2, 4, 2 * tile, 4 * tile, (2 * tile * tile).min(4096 / tile)] {
                check(&clips, &layout, name, &shape.stream(tiles * tile, 7));
            }
        }
    }
}

/// Tests as many tiles as a workgroup has threads.
#[test]
fn many_tiles_need_two_dispatches() {
    let layout = layout(&gpu().device, &LAYOUT);
    let host = host(&layout);
    for clips in of_size(32, &host) {
        for shape in SHAPES {
            let stream = shape.stream(1024, 7);
            assert_eq!(check(&clips, &layout, shape.name, &stream), 2, "{}", shape.name);
        }
    }
}
