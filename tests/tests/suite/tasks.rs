//! Tests each task over a tree separately against the reference: clips only, blends only, products of a monoid down
//! and up, and compaction.

use proptest::prelude::*;
use treebounds::{
    Capacity, CompactBindings, Compactor, Counts, Error, FixBindings, Inputs, LeafFix, Outputs,
    Params, Passes, RootFix, Scratch, Stage, StageDescriptor, Tuning, Variant, WgslMonoid, wgpu,
};
use treebounds_core::layer_plan::{LayerNodes, LayerPath, LayerRules, layer_paths, layer_plan};
use treebounds_core::{Tag, reference};
use treebounds_tests::bound::{Bound, expected};
use treebounds_tests::gpu::{buffer, gpu, read, run, tuning, variants, whole};
use treebounds_tests::streams::{SHAPES, padded, strategy, unclipped};
use wgpu::BufferUsages;

/// Products of 2 x 2 matrices over the integers modulo 2^32: exact, and not commutative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
pub(crate) struct Matrix([u32; 4]);

impl treebounds_core::Monoid for Matrix {
    const IDENTITY: Self = Self([1, 0, 0, 1]);

    fn combine(&self, later: &Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, later.0);
        let sum =
            |x: u32, y: u32, z: u32, w: u32| x.wrapping_mul(y).wrapping_add(z.wrapping_mul(w));
        Self([sum(a, e, b, g), sum(a, f, b, h), sum(c, e, d, g), sum(c, f, d, h)])
    }
}

pub(crate) const MATRICES: WgslMonoid<'_> = WgslMonoid {
    wgsl: "
        alias Input = vec2<u32>;
        alias Product = vec4<u32>;
        alias Output = vec4<u32>;
        fn product_identity() -> Product { return vec4<u32>(1u, 0u, 0u, 1u); }
        fn product_load(input: Input) -> Product { return vec4<u32>(1u, input.x, input.y, 1u); }
        fn product_combine(a: Product, b: Product) -> Product {
            return vec4<u32>(
                a.x * b.x + a.y * b.z,
                a.x * b.y + a.y * b.w,
                a.z * b.x + a.w * b.z,
                a.z * b.y + a.w * b.w,
            );
        }
        fn product_store(product: Product) -> Output { return product; }
    ",
    input_bytes: 8,
    product_bytes: 16,
    output_bytes: 16,
};

/// The monoid of layer plans, as in the documentation of [`LayerPath`].
const LAYER_PATHS: WgslMonoid<'_> = WgslMonoid {
    wgsl: "
        alias Input = vec2<u32>;
        alias Product = vec2<u32>;
        alias Output = vec2<u32>;
        fn product_identity() -> Product { return vec2<u32>(0u, 0u); }
        fn product_load(input: Input) -> Product { return input; }
        fn product_combine(around: Product, inner: Product) -> Product {
            let sum = around + inner;
            return select(sum, vec2<u32>(0xffffffffu), sum < around);
        }
        fn product_store(product: Product) -> Output { return product; }
    ",
    input_bytes: 8,
    product_bytes: 8,
    output_bytes: 8,
};

/// Binds whole buffers: params, tags, inputs and outputs.
fn fix_bindings([params, tags, inputs, outputs]: [&wgpu::Buffer; 4]) -> FixBindings<'_> {
    FixBindings {
        params: whole(params),
        tags: whole(tags),
        inputs: whole(inputs),
        outputs: whole(outputs),
    }
}

/// Returns one small value per element, such that different products are distinguishable.
pub(crate) fn values(n: usize) -> Vec<[u32; 2]> {
    (0..n as u32).map(|ix| [ix % 7 + 1, ix.wrapping_mul(2_654_435_761) >> 28]).collect()
}

/// Returns the matrices that [`MATRICES`] loads for values.
pub(crate) fn matrices(values: &[[u32; 2]]) -> Vec<Matrix> {
    values.iter().map(|[b, c]| Matrix([1, *b, *c, 1])).collect()
}

fn storage(bytes: usize) -> wgpu::Buffer {
    let usage = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
    buffer((bytes as u64).next_multiple_of(16).max(16), usage)
}

fn params(elements: u32) -> wgpu::Buffer {
    let params = buffer(size_of::<Params>() as u64, BufferUsages::UNIFORM | BufferUsages::COPY_DST);
    let value = Params { elements, ..Params::default() };
    gpu().queue.write_buffer(&params, 0, bytemuck::bytes_of(&value));
    params
}

fn upload<T: bytemuck::NoUninit>(words: &[T]) -> wgpu::Buffer {
    let bytes: &[u8] = bytemuck::cast_slice(words);
    let buffer = storage(bytes.len());
    gpu().queue.write_buffer(&buffer, 0, bytes);
    buffer
}

struct Fixes {
    root: RootFix,
    leaf: LeafFix,
}

impl Fixes {
    fn new(tuning: Tuning) -> Self {
        let device = &gpu().device;
        Self {
            root: RootFix::new(device, &MATRICES, &tuning.into()).unwrap(),
            leaf: LeafFix::new(device, &MATRICES, &tuning.into()).unwrap(),
        }
    }
}

/// Compares rootfix and leaffix on these tags with the reference.
fn check_fixes(fixes: &Fixes, name: &str, tags: &[Tag]) {
    let n = tags.len() as u32;
    let scratches = (fixes.root.scratch(n).unwrap(), fixes.leaf.scratch(n).unwrap());
    check_fixes_with(fixes, &scratches, name, tags, tags.len());
}

/// Compares rootfix and leaffix with the reference, with these scratches and this capacity.
fn check_fixes_with(
    Fixes { root, leaf }: &Fixes,
    (of_root, of_leaf): &(Scratch<RootFix>, Scratch<LeafFix>),
    name: &str,
    tags: &[Tag],
    room: usize,
) {
    let n = tags.len();
    let values = values(room);
    let matrices = matrices(&values[..n]);
    let mut words: Vec<_> = tags.iter().map(|tag| tag.bits()).collect();
    words.resize(room.max(1).next_multiple_of(4), Tag::ROLE_BEGIN);
    let (params, tag_words, inputs) = (params(n as u32), upload(&words), upload(&values));
    let outputs = storage(16 * room);
    let buffers = fix_bindings([&params, &tag_words, &inputs, &outputs]);
    run(&root.bind(&buffers, of_root).unwrap());
    let found: Vec<Matrix> = read(&outputs, n);
    assert_eq!(found, reference::root_fix(tags, &matrices), "root fix, {name}, n = {n}");
    run(&leaf.bind(&buffers, of_leaf).unwrap());
    let found: Vec<Matrix> = read(&outputs, n);
    assert_eq!(found, reference::leaf_fix(tags, &matrices), "leaf fix, {name}, n = {n}");
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn products_of_a_noncommutative_monoid_match_the_reference() {
    for variant in variants([4, 8, 32, 256]) {
        let tile = variant.tile() as usize;
        let fixes = Fixes::new(tuning(&variant));
        for shape in SHAPES {
            for n in [1, tile + 1, 5 * tile + 3] {
                check_fixes(&fixes, shape.name, shape.stream(n.min(1500), 7).tags());
            }
        }
    }
}

/// Tests the offsets and the peak of layers, including layers a million times as large, whose sums saturate.
#[test]
fn layer_plans_match_the_reference() {
    let fix = RootFix::new(&gpu().device, &LAYER_PATHS, &Tuning::default().into()).unwrap();
    for shape in SHAPES {
        for n in [1, 255, 257, 3000] {
            let stream = shape.stream(n, 7);
            let bounds = reference::bounds(&stream);
            let rules = LayerRules { nodes: LayerNodes::All, ..LayerRules::default() };
            let plan = layer_plan(&stream, &bounds, &rules);
            let paths = layer_paths(&stream, &bounds, &rules);
            for scale in [1, 1 << 20] {
                let large = |path: &LayerPath| LayerPath {
                    pixels: path.pixels.saturating_mul(scale),
                    ..*path
                };
                let paths: Vec<_> = paths.iter().map(large).collect();
                let words: Vec<_> = stream.tags().iter().map(|tag| tag.bits()).collect();
                let (params, outputs) = (params(n as u32), storage(8 * n));
                let (tags, inputs) = (upload(&words), upload(&paths));
                let buffers = fix_bindings([&params, &tags, &inputs, &outputs]);
                run(&fix.bind(&buffers, &fix.scratch(n as u32).unwrap()).unwrap());
                let found: Vec<LayerPath> = read(&outputs, n);
                assert_eq!(
                    found,
                    reference::root_fix(stream.tags(), &paths),
                    "{}, {n}",
                    shape.name
                );
                let peak = found.iter().map(|path| path.pixels).max();
                assert!(scale > 1 || peak == Some(plan.peak), "{}, {n}", shape.name);
            }
        }
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn products_over_many_groups_of_tiles_match_the_reference() {
    // Sizes with many groups of tiles, and with bundles.
    for (threads, n) in [(8, 3000), (32, 1500), (64, 5000)] {
        let fixes = Fixes::new(tuning(&Variant::new(threads, 1).unwrap()));
        for shape in SHAPES {
            check_fixes(&fixes, shape.name, shape.stream(n, 7).tags());
        }
    }
}

/// Tests more tiles than a workgroup has threads, with the small kernels and with all kernels.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn products_with_default_tiles_match_the_reference() {
    let fixes = Fixes::new(Tuning::default());
    let walk = SHAPES.iter().find(|shape| shape.name == "random walk").unwrap();
    for n in [70_000, 300_000, 1_050_000] {
        check_fixes(&fixes, walk.name, walk.stream(n, 7).tags());
    }
}

/// The error names the line in the caller's text, not in the kernel around it.
#[test]
fn errors_in_a_monoid_name_its_line() {
    // A parse error names its statement, a validation error its function.
    let head = "fn product_combine(a: Product, b: Product) -> Product {";
    let mistakes = [
        (head, format!("{head}\n let mistake: u32 = 1.5;"), "let mistake"),
        ("a.z * b.y + a.w * b.w", "a.z * b.y + 1.5".to_owned(), head),
    ];
    for (right, mistake, place) in mistakes {
        let wgsl = MATRICES.wgsl.replace(right, &mistake);
        let line = 1 + wgsl.lines().position(|line| line.contains(place)).unwrap();
        let wrong = WgslMonoid { wgsl: &wgsl, ..MATRICES };
        let made = LeafFix::new(&gpu().device, &wrong, &Default::default());
        let error = made.map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(&format!("the caller's WGSL, line {line}:")), "{error}");
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn a_single_pass_matches_the_reference_in_every_variant() {
    for variant in variants([4, 8, 32, 256]) {
        let tile = variant.tile() as usize;
        for (passes, checked) in [
            (Passes::ClipsOnly, false),
            (Passes::ClipsOnly, true),
            (Passes::BlendsOnly, false),
            (Passes::BlendsOnly, true),
        ] {
            let descriptor =
                StageDescriptor { passes, ..Tuning { checked, ..tuning(&variant) }.into() };
            let stage = Stage::new(&gpu().device, &descriptor).unwrap();
            for shape in SHAPES {
                // If tiles are small, the last sizes need bundles and groups of tiles.
                let many = [tile * tile + 5, tile * tile * tile + 5].map(|n| n.min(1500));
                for n in [1, tile - 1, tile, (5 * tile + 3).min(1500), many[0], many[1]] {
                    let stream = shape.stream(n, 7);
                    let stream =
                        if passes == Passes::BlendsOnly { unclipped(&stream) } else { stream };
                    let bound = Bound::new(&stage, Capacity::of(&stream)).unwrap();
                    assert_eq!(bound.run(&stream), expected(passes, &stream), "{}", shape.name);
                }
            }
        }
    }
}

/// A stage that computes only clips needs no tree of unions. Compared with both passes, either pass alone needs
/// less memory and at most as many dispatches.
#[test]
fn single_passes_need_less_memory_than_both() {
    let dispatches = |passes| {
        let device = &gpu().device;
        let stage = Stage::new(device, &StageDescriptor { passes, ..Default::default() }).unwrap();
        let capacity = Capacity::all_markers(100_000);
        let inputs = Inputs::new(device, capacity).unwrap();
        let outputs = Outputs::new(device, capacity).unwrap();
        let scratch = stage.scratch(capacity).unwrap();
        let job = stage.bind(&inputs, &outputs, &scratch).unwrap();
        (job.dispatches().len(), stage.scratch_bytes(capacity).unwrap())
    };
    let all = dispatches(Passes::ClipsAndBlends);
    let clips = dispatches(Passes::ClipsOnly);
    let blends = dispatches(Passes::BlendsOnly);
    assert!(clips.0 <= all.0 && clips.1 < all.1 && blends.1 < all.1);
}

#[test]
fn single_passes_ignore_the_buffers_of_the_other_pass() {
    let device = &gpu().device;
    let capacity = Capacity::all_markers(1000);
    let inputs = Inputs::new(device, capacity).unwrap();
    let outputs = Outputs::new(device, capacity).unwrap();
    let nothing = buffer(16, BufferUsages::STORAGE);
    let without = |passes, outputs: &Outputs| {
        let stage = Stage::new(device, &StageDescriptor { passes, ..Default::default() }).unwrap();
        stage.bind(&inputs, outputs, &stage.scratch(capacity).unwrap()).map(|_| ())
    };
    let clips = Outputs { contents: nothing.clone(), ..outputs.clone() };
    assert_eq!(without(Passes::ClipsOnly, &clips), Ok(()));
    let blends = Outputs { clips: nothing, ..outputs };
    assert_eq!(without(Passes::BlendsOnly, &blends), Ok(()));
    let both = without(Passes::ClipsAndBlends, &blends);
    assert!(matches!(both, Err(Error::BufferTooSmall { buffer: "clips", .. })), "{both:?}");
}

fn check_compaction(compact: &Compactor, tags: &[Tag], n: usize, capacity: Capacity) {
    let words = padded(&tags.iter().map(|tag| tag.bits()).collect::<Vec<_>>());
    let len = tags.len();
    let tags = &tags[..n];
    let (before, elements) = (storage(4 * len), storage(4 * len));
    let counts = storage(size_of::<Counts>());
    let scratch = compact.scratch(capacity).unwrap();
    let (params, tag_words) = (params(n as u32), upload(&words));
    let buffers = CompactBindings {
        params: whole(&params),
        tags: whole(&tag_words),
        markers_before: whole(&before),
        marker_elements: whole(&elements),
        counts: whole(&counts),
    };
    run(&compact.bind(&buffers, &scratch).unwrap());

    let nodes: Vec<u32> = (0..n as u32).filter(|ix| tags[*ix as usize].is_marker()).collect();
    let most = nodes.len().min(capacity.markers as usize);
    let mut seen = 0;
    let expected: Vec<u32> = tags
        .iter()
        .map(|tag| {
            let before = seen.min(capacity.markers);
            seen += u32::from(tag.is_marker());
            before
        })
        .collect();
    assert_eq!(read::<u32>(&before, n), expected);
    assert_eq!(read::<u32>(&elements, most), nodes[..most]);
    let counts: Counts = read(&counts, 1)[0];
    let clamped = nodes.len() > most;
    let status = if clamped { Counts::MARKERS_CLAMPED } else { 0 };
    assert_eq!((counts.elements, counts.markers, counts.status), (n as u32, most as u32, status));
    assert_eq!(counts.markers_needed, nodes.len() as u32);
}

#[test]
fn compaction_alone_matches_the_tags() {
    for variant in variants([4, 8, 32, 256]) {
        let tile = variant.count_tile() as usize;
        let tuning = Tuning { checked: variant.subgroups(), ..tuning(&variant) };
        let compact = Compactor::new(&gpu().device, &tuning.into()).unwrap();
        for n in [0, 1, tile - 1, tile, tile + 1, 3 * tile + 5] {
            for shape in SHAPES.iter().filter(|shape| shape.name.contains("draws")) {
                let tags = shape.stream(n, 7).tags().to_vec();
                let capacity = Capacity::all_markers(n as u32);
                check_compaction(&compact, &tags, n, capacity);
                check_compaction(
                    &compact,
                    &tags,
                    n,
                    Capacity { markers: n as u32 / 3, ..capacity },
                );
                // Tags past the count are not elements.
                check_compaction(&compact, &tags, n - n.min(2), capacity);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_products_match_the_reference(stream in strategy::stream(200)) {
        thread_local! {
            static FIXES: Fixes =
                Fixes::new(Tuning { workgroup_size: Some(4), ..Default::default() });
        }
        FIXES.with(|fixes| check_fixes(fixes, "random", stream.tags()));
    }
}

/// A scratch is laid out for a task and its values: another task's scratch would be too small.
#[test]
fn rejects_scratch_of_another_task() {
    let device = &gpu().device;
    let passes = [Passes::ClipsAndBlends, Passes::ClipsOnly, Passes::BlendsOnly];
    let stages = passes.map(|passes| {
        let descriptor = StageDescriptor { passes, few_markers: true, ..Default::default() };
        Stage::new(device, &descriptor).unwrap()
    });
    let few = Capacity { elements: 1 << 20, markers: 1 << 17, filter_depth: 0 };
    for capacity in [Capacity::all_markers(1000), few] {
        let inputs = Inputs::new(device, capacity).unwrap();
        let outputs = Outputs::new(device, capacity).unwrap();
        for (one, stage) in stages.iter().enumerate() {
            for (other, another) in stages.iter().enumerate() {
                let scratch = another.scratch(capacity).unwrap();
                let bound = stage.bind(&inputs, &outputs, &scratch).map(|_| ());
                assert_eq!(bound.err(), (one != other).then_some(Error::ForeignScratch));
            }
        }
    }

    let wide = WgslMonoid { product_bytes: 32, ..MATRICES };
    let (params, tags, inputs, outputs) =
        (params(0), storage(4000), storage(8000), storage(16_000));
    let narrow = RootFix::new(device, &MATRICES, &Default::default()).unwrap();
    let foreign = RootFix::new(device, &wide, &Default::default()).unwrap().scratch(1000).unwrap();
    let buffers = fix_bindings([&params, &tags, &inputs, &outputs]);
    let bound = narrow.bind(&buffers, &foreign).map(|_| ());
    assert_eq!(bound.unwrap_err(), Error::ForeignScratch);
}

/// Frames of many sizes can share a scratch; earlier frames do not affect later ones.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn fixes_of_different_sizes_match_the_reference() {
    let fixes = Fixes::new(tuning(&Variant::new(8, 2).unwrap()));
    // Sizes with many groups of tiles, and with bundles.
    for most in [900, 500] {
        let room = most as u32;
        let scratches = (fixes.root.scratch(room).unwrap(), fixes.leaf.scratch(room).unwrap());
        for (shape, n) in SHAPES.iter().zip([most, 17, 0, 300, 16, most, 1]) {
            let stream = shape.stream(n, 7);
            check_fixes_with(&fixes, &scratches, shape.name, stream.tags(), most);
        }
    }
}
