//! A test-only mode of the kernels that checks that indices stay in bounds for any lane behavior.
//!
//! Kernels run without bounds checks, and a driver may violate the assumptions of `lib/chunks.wgsl` and `lib/lanes.wgsl` about lanes.
//! [`instrument`] rewrites the WGSL of a kernel:
//!
//! - The results of all subgroup operations on words become noise, which differs between calls.
//! - Every index into a storage buffer or a workgroup array is compared with the length of the array. Indices out of bounds are
//!   counted and replaced by 0.
//!
//! Floats keep their values, because no kernel of the stage or of matching converts a float to an index.

use std::collections::HashMap;
use std::fmt::Write;
use std::sync::{Mutex, OnceLock};
use wgpu::util::DeviceExt;

/// The counters of a device.
pub(crate) struct Probe {
    device: wgpu::Device,
    words: wgpu::Buffer,
    pub(crate) layout: wgpu::BindGroupLayout,
    pub(crate) group: wgpu::BindGroup,
}

/// The index of the probe's bind group.
pub(crate) const GROUP: u32 = 2;

static PROBE: OnceLock<Probe> = OnceLock::new();

/// The WGSL of each instrumented access.
static ACCESSES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The probe, if the kernels of this device are instrumented.
pub(crate) fn of(device: &wgpu::Device) -> Option<&'static Probe> {
    PROBE.get().filter(|probe| probe.device == *device)
}

impl Probe {
    fn new(device: &wgpu::Device) -> Self {
        let words = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("probe"),
            contents: &[0; 16],
            usage: wgpu::BufferUsages::STORAGE
                | wgpu::BufferUsages::COPY_SRC
                | wgpu::BufferUsages::COPY_DST,
        });
        let entry = wgpu::BindGroupLayoutEntry {
            binding: 0,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only: false },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("probe"),
            entries: &[entry],
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("probe"),
            layout: &layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: words.as_entire_binding() }],
        });
        Self { device: device.clone(), words, layout, group }
    }
}

const HELPERS: &str = "
@group(2) @binding(0) var<storage, read_write> probe_words: array<atomic<u32>, 4>;

// Counts an index past the end, and remembers where it was.
fn probe_at(index: u32, length: u32, access: u32) -> u32 {
    if index < length {
        return index;
    }
    atomicAdd(&probe_words[0], 1u);
    atomicStore(&probe_words[2], access);
    return 0u;
}

// Small and large words: each number of leading zeros is equally likely.
fn probe_noise() -> u32 {
    var word = atomicAdd(&probe_words[1], 1u) * 747796405u + 2891336453u;
    word = ((word >> ((word >> 28u) + 4u)) ^ word) * 277803737u;
    word ^= word >> 22u;
    return (word * 2246822519u) >> (word & 31u);
}
";

/// Adds noise and index checks to the WGSL of a kernel.
pub(crate) fn instrument(label: &str, source: &str) -> String {
    let lines = source.lines().map(|line| line.split("//").next().unwrap_or_default());
    let text = lines.collect::<Vec<_>>().join("\n");
    let lengths = lengths(&text);
    let counted = count_indices(label, &text, &lengths);
    add_noise(&counted) + HELPERS
}

/// WGSL expressions for the lengths of all storage and workgroup arrays.
fn lengths(text: &str) -> HashMap<String, String> {
    let mut found = HashMap::new();
    for declaration in text.split("var<").skip(1) {
        let declaration = declaration.split(';').next().unwrap_or_default();
        let Some((space, rest)) = declaration.split_once('>') else { continue };
        let Some((name, ty)) = rest.split_once(':') else { continue };
        let (name, ty) = (name.trim(), ty.trim());
        if space.starts_with("storage") {
            // BinSegments and BinNext end with the runtime-sized array `list`.
            found.insert(name.to_owned(), format!("arrayLength(&{name})"));
            found.insert(format!("{name}.list"), format!("arrayLength(&{name}.list)"));
        } else if space == "workgroup" && ty.starts_with("array<") {
            let length = ty.trim_end_matches('>').rsplit(',').next().unwrap_or_default();
            found.insert(name.to_owned(), format!("u32({})", length.trim()));
        }
    }
    found
}

/// The position of the bracket that closes the one at `open`.
fn closing_bracket(text: &str, open: usize) -> usize {
    let mut depth = 0;
    for (at, letter) in text.bytes().enumerate().skip(open) {
        match letter {
            b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    panic!("an open bracket: {}", &text[open..]);
}

fn count_indices(label: &str, text: &str, lengths: &HashMap<String, String>) -> String {
    let is_name = |letter: char| letter.is_alphanumeric() || "_.".contains(letter);
    let (mut out, mut at) = (String::new(), 0);
    while let Some(open) = text[at..].find('[').map(|found| at + found) {
        let name = text[..open].rsplit(|letter| !is_name(letter)).next().unwrap_or_default();
        let end = closing_bracket(text, open);
        let index = &text[open + 1..end];
        out += &text[at..open];
        match lengths.get(name) {
            Some(length) => {
                let mut accesses = ACCESSES.lock().unwrap();
                let id = accesses.len();
                accesses.push(format!("{label}: {name}[{index}]"));
                drop(accesses);
                let index = count_indices(label, index, lengths);
                write!(out, "[probe_at({index}, {length}, {id}u)]").unwrap();
            }
            None => write!(out, "[{}]", count_indices(label, index, lengths)).unwrap(),
        }
        at = end + 1;
    }
    out + &text[at..]
}

/// Replaces the results of subgroup operations with noise. Multiplication and addition work for words and
/// vectors of words.
fn add_noise(text: &str) -> String {
    let floats = ["own.outside", "own.inside"];
    let (mut out, mut at) = (String::new(), 0);
    while let Some(found) = text[at..].find("subgroup") {
        let start = at + found;
        let is_call = text[start + 8..].starts_with(char::is_uppercase)
            && !text[..start].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
        if !is_call {
            out += &text[at..start + 8];
            at = start + 8;
            continue;
        }
        let open = start + text[start..].find('(').unwrap();
        let end = closing_bracket(text, open);
        // Only the word of a filtered value becomes an index; other exchanged values are floats.
        let function = text[..start].rsplit("fn ").next().unwrap_or_default();
        let is_value = function.starts_with("chunks_value");
        let argument = text[open + 1..end].split(',').next().unwrap_or_default();
        let is_float = is_value && (argument == "own" || floats.contains(&argument));
        out += &text[at..start];
        let call = format!("{}({})", &text[start..open], add_noise(&text[open + 1..end]));
        match is_float {
            true => out += &call,
            false => write!(out, "({call} * probe_noise() + probe_noise())").unwrap(),
        }
        at = end + 1;
    }
    out + &text[at..]
}

mod tests {
    #![allow(clippy::indexing_slicing)]
    use super::*;
    use crate::{
        Capacity, Gpu, HostAdapter, HostClips, Inputs, Job, MatchBindings, MatchInput, Matcher,
        MatcherDescriptor, NodeOutputs, NodeStage, Outputs, Params, Passes, Stage, StageDescriptor,
        Tuning,
    };
    use treebounds_core::{Footprint, NodeKind, Rect, Stream, StreamBuilder};
    use wgpu::BufferUsages;

    /// Runs a job, and checks that all indices were in bounds.
    fn run(gpu: &Gpu, probe: &Probe, job: &Job, name: &str) {
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        job.record(&mut encoder);
        let copy = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: 16,
            usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        encoder.copy_buffer_to_buffer(&probe.words, 0, &copy, 0, 16);
        gpu.queue.submit([encoder.finish()]);
        let words: Vec<u32> = crate::gpu::read(&gpu.device, &copy).unwrap();
        if words[0] > 0 {
            let last = &ACCESSES.lock().unwrap()[words[2] as usize];
            panic!("{name}: {} indices out of bounds; the last is {last}", words[0]);
        }
    }

    struct Random(u64);

    impl Random {
        fn below(&mut self, end: u32) -> u32 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) as u32) % end
        }

        fn rect(&mut self) -> Rect {
            let [x, y, w, h] = [(); 4].map(|()| self.below(900) as f32);
            Rect::new(x, y, x + w, y + h)
        }
    }

    /// A random walk. On average, `draws` of ten elements are draws. One node in eight is a filter, with at most `filters` nested.
    fn scene(random: &mut Random, elements: u32, draws: u32, filters: u32) -> Stream {
        let mut scene = StreamBuilder::new(Rect::new(0.0, 0.0, 1000.0, 1000.0));
        let mut around: Vec<bool> = Vec::new();
        for _ in 0..elements {
            let count = around.iter().filter(|is_filter| **is_filter).count() as u32;
            if random.below(10) < draws {
                scene.draw(random.rect()).unwrap();
            } else if random.below(2) == 0 || around.is_empty() {
                let is_filter = count < filters && random.below(8) == 0;
                match (is_filter, random.below(5)) {
                    (true, _) => scene.begin_spread(Footprint::new(-3.0, -3.0, 5.0, 5.0).unwrap()),
                    (false, 0) => scene.begin_non_local(None),
                    (false, 1) if filters > 0 => {
                        scene.begin_filling(NodeKind::Blend, Rect::EVERYTHING)
                    }
                    (false, _) => scene.begin(NodeKind::ClipBlend, random.rect()),
                }
                .unwrap();
                around.push(is_filter);
            } else {
                around.pop();
                scene.end().unwrap();
            }
        }
        scene.finish_closing().unwrap().0
    }

    /// Both forms of the stage for one variant.
    struct Stages<'a> {
        gpu: &'a Gpu,
        probe: &'a Probe,
        name: String,
        stage: Stage,
        nodes: NodeStage,
    }

    impl<'a> Stages<'a> {
        fn new(gpu: &'a Gpu, probe: &'a Probe, tuning: Tuning, passes: Passes) -> Self {
            let filter_depth = if passes == Passes::ClipsAndBlends { 4 } else { 0 };
            let few_markers = true;
            let landings = filter_depth > 0;
            let descriptor =
                StageDescriptor { passes, few_markers, filter_depth, landings, ..tuning.into() };
            let stage = Stage::new(&gpu.device, &descriptor).unwrap();
            let nodes = NodeStage::new(&gpu.device, &descriptor).unwrap();
            Self { gpu, probe, name: format!("{descriptor:?}"), stage, nodes }
        }

        fn check(&self, stream: &Stream) {
            let Self { gpu, stage, nodes, .. } = self;
            let capacity = Capacity::of(stream);
            let elements = capacity.elements;
            let inputs = Inputs::new(&gpu.device, capacity).unwrap();
            let outputs = Outputs::new(&gpu.device, capacity).unwrap();
            let node_outputs = NodeOutputs::new(&gpu.device, elements).unwrap();
            let scratch = stage.scratch(capacity).unwrap();
            let of_nodes = nodes.scratch(capacity).unwrap();
            inputs.write(&gpu.queue, stream).unwrap();
            let jobs = [
                stage.bind(&inputs, &outputs, &scratch).unwrap(),
                nodes.bind(&inputs, &node_outputs, &of_nodes).unwrap(),
            ];
            for job in jobs {
                run(gpu, self.probe, &job, &format!("{} for {elements} elements", self.name));
            }
        }
    }

    fn buffer(gpu: &Gpu, words: &[u32], usage: BufferUsages) -> wgpu::Buffer {
        gpu.device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: None,
            contents: bytemuck::cast_slice(words),
            usage,
        })
    }

    fn check_matching(gpu: &Gpu, probe: &Probe, tuning: Tuning, per_thread: u32) {
        let random = &mut Random(2);
        for input in [MatchInput::Tags, MatchInput::Bits] {
            let per_thread = Some(per_thread);
            let descriptor = MatcherDescriptor { input, per_thread, ..tuning.into() };
            let matcher = Matcher::new(&gpu.device, &descriptor).unwrap();
            for n in [1_u32, 700, 50_000] {
                let words: Vec<u32> =
                    (0..n.next_multiple_of(4)).map(|_| 1 + random.below(2)).collect();
                let params = Params { elements: n, ..Params::default() };
                let params = buffer(gpu, bytemuck::cast_slice(&[params]), BufferUsages::UNIFORM);
                let read = buffer(gpu, &words, BufferUsages::STORAGE);
                let links = buffer(gpu, &words, BufferUsages::STORAGE);
                let bindings = MatchBindings {
                    params: params.as_entire_buffer_binding(),
                    input: read.as_entire_buffer_binding(),
                    links: links.as_entire_buffer_binding(),
                };
                let scratch = matcher.scratch(n).unwrap();
                let job = matcher.bind(&bindings, &scratch).unwrap();
                run(gpu, probe, &job, &format!("matching {n} with {descriptor:?}"));
            }
        }
    }

    const ADAPTER: &str = "
        @group(1) @binding(0) var<storage, read> kinds: array<u32>;
        @group(1) @binding(1) var<storage, read_write> clips: array<vec4<f32>>;
        fn adapter_count() -> u32 { return arrayLength(&kinds); }
        fn adapter_viewport() -> vec4<f32> { return vec4<f32>(0.0, 0.0, 99.0, 99.0); }
        fn adapter_role(item: u32) -> u32 { return kinds[item]; }
        fn adapter_rect(item: u32) -> vec4<f32> { return vec4<f32>(0.0, 0.0, 9.0, 9.0); }
        alias AdapterTop = u32;
        fn adapter_top(item: u32, role: u32, top: u32) -> AdapterTop {
            if top == 0xffffffffu { return 0u; }
            return kinds[top];
        }
        fn adapter_emit(
            item: u32, role: u32, top: u32, clip: vec4<f32>, around: vec4<f32>, known: AdapterTop,
        ) {
            clips[item] = clip;
        }";

    #[expect(unsafe_code, reason = "the adapter checks its indices")]
    fn check_adapter(gpu: &Gpu, probe: &Probe, tuning: Tuning) {
        let random = &mut Random(3);
        let entry = |binding, read_only| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: wgpu::BufferBindingType::Storage { read_only },
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        };
        let entries = [entry(0, true), entry(1, false)];
        let bindings = gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: None,
            entries: &entries,
        });
        let adapter = HostAdapter { wgsl: ADAPTER, bindings: &bindings };
        // SAFETY: items are below the count, and `top` is compared with NONE.
        let host =
            unsafe { HostClips::new_unchecked(&gpu.device, &adapter, &tuning.into()) }.unwrap();
        for n in [13, 200, 5000, 80_000] {
            let kinds: Vec<u32> = (0..n).map(|_| random.below(3)).collect();
            let kinds = buffer(gpu, &kinds, BufferUsages::STORAGE);
            let clips = buffer(gpu, &vec![0; 4 * n as usize], BufferUsages::STORAGE);
            let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &bindings,
                entries: &[
                    wgpu::BindGroupEntry { binding: 0, resource: kinds.as_entire_binding() },
                    wgpu::BindGroupEntry { binding: 1, resource: clips.as_entire_binding() },
                ],
            });
            let job = host.bind(&group, &host.scratch(n).unwrap()).unwrap();
            run(gpu, probe, &job, &format!("an adapter with {n} elements and {tuning:?}"));
        }
    }

    /// The device with instrumented kernels.
    fn probed() -> (&'static Gpu, &'static Probe) {
        static GPU: OnceLock<Gpu> = OnceLock::new();
        let gpu = GPU.get_or_init(|| pollster::block_on(Gpu::request()).unwrap());
        assert!(gpu.device.features().contains(wgpu::Features::SUBGROUP), "subgroups are tested");
        (gpu, PROBE.get_or_init(|| Probe::new(&gpu.device)))
    }

    /// Checks scenes for each strategy: one tile, near, bundles, groups.
    fn check_stage(passes: Passes, threads: u32) {
        let (gpu, probe) = probed();
        let random = &mut Random(1);
        let tuning = Tuning { workgroup_size: Some(threads), ..with_subgroups() };
        let stages = Stages::new(gpu, probe, tuning, passes);
        for tiles in [1, 7, 2 * threads, 18 * threads] {
            // With nine draws among ten elements, large scenes have few markers.
            for draws in [0, 5, 9] {
                stages.check(&scene(random, tiles * threads - 3, draws, 0));
            }
        }
        if passes == Passes::ClipsAndBlends {
            for (tiles, draws, filters) in
                [(1, 5, 1), (7, 5, 1), (40, 5, 1), (18 * threads, 9, 1), (7, 5, 3), (40, 5, 2)]
            {
                stages.check(&scene(random, tiles * threads - 5, draws, filters));
            }
        }
    }

    /// Also shows that all loops terminate.
    #[test]
    #[ignore = "minutes: run with --include-ignored"]
    fn indices_stay_in_bounds_if_subgroup_results_are_noise() {
        let (gpu, probe) = probed();
        let tuning = Tuning { workgroup_size: Some(16), ..with_subgroups() };
        for per_thread in [4, 32] {
            check_matching(gpu, probe, tuning, per_thread);
        }
        check_adapter(gpu, probe, tuning);
        check_stage(Passes::ClipsAndBlends, 16);
        check_stage(Passes::ClipsOnly, 8);
        check_stage(Passes::BlendsOnly, 8);
    }

    fn with_subgroups() -> Tuning {
        Tuning { subgroups: Some(true), ..Tuning::default() }
    }
}
