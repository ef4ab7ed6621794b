//! Tests the GPU stage in every variant against the reference, bit for bit.

use treebounds::{MatchInput, Matcher, MatcherDescriptor, Stage, Tuning, Variant};
use treebounds_core::{NONE, NodeKind, Role, Stream, Tag, bicyclic_tree, reference};
use treebounds_tests::bound::{bit_links, links, tags_of_bits};
use treebounds_tests::gpu::{can_match, can_run, gpu, tuning};
use treebounds_tests::streams::shapes::{comb, deep_then_small, saw_teeth};
use treebounds_tests::streams::{Rng, SHAPES, shapes};

/// The shapes to check with very many elements.
const DEEP: [&str; 3] = ["random walk", "all open, then close", "only opens"];

fn variant(threads: u32, per_thread: u32, subgroups: bool) -> Variant {
    Variant::new(threads, per_thread).unwrap().with_subgroups(subgroups)
}

fn matcher(input: MatchInput<'static>, variant: &Variant, tuning: Tuning) -> Matcher {
    let per_thread = Some(variant.per_thread());
    let descriptor = MatcherDescriptor { input, per_thread, tuning, ..Default::default() };
    Matcher::new(&gpu().device, &descriptor).unwrap()
}

/// Fails with the first difference, which is more helpful than two long lists.
fn assert_same<T: PartialEq + std::fmt::Debug>(what: &str, gpu: &[T], cpu: &[T]) {
    assert_eq!(gpu.len(), cpu.len(), "{what}: lengths");
    if let Some(at) = (0..cpu.len()).find(|&at| gpu[at] != cpu[at]) {
        panic!("{what} [{at}] of {}: GPU {:?}, reference {:?}", cpu.len(), gpu[at], cpu[at]);
    }
}

fn check_links(matching: &Matcher, name: &str, tags: &[Tag]) {
    let words: Vec<u32> = tags.iter().map(|tag| tag.bits()).collect();
    let n = words.len() as u32;
    let name = format!("links of {name} (n = {n}, {:?})", matching.variant(n));
    assert_same(&name, &links(matching, &words).unwrap(), &reference::links(tags));
}

/// Checks matching on a bitmap of the stream's markers.
fn check_bits(matching: &Matcher, name: &str, tags: &[Tag]) {
    let nodes = tags.iter().filter(|tag| tag.is_marker());
    let opens: Vec<bool> = nodes.map(|tag| tag.role() == Role::Begin).collect();
    let n = opens.len() as u32;
    let name = format!("links of the bitmap of {name} (n = {n}, {:?})", matching.variant(n));
    let expected = reference::links(&tags_of_bits(&opens));
    assert_same(&name, &bit_links(matching, &opens).unwrap(), &expected);
}

fn bits() -> Matcher {
    let descriptor = MatcherDescriptor { input: MatchInput::Bits, ..Default::default() };
    Matcher::new(&gpu().device, &descriptor).unwrap()
}

fn check_bounds(stage: &Stage, name: &str, stream: &Stream) {
    let gpu = stage.compute(&gpu().queue, stream).unwrap();
    let cpu = reference::bounds(stream);
    let about = |what| {
        format!("{what} of {name} (n = {}, {:?})", stream.len(), stage.variant(stream.len() as u32))
    };
    assert_same(&about("node elements"), &gpu.marker_elements, &cpu.marker_elements);
    assert_same(&about("links"), &gpu.links, &cpu.links);
    assert_same(&about("clips"), &gpu.clips, &cpu.clips);
    assert_same(&about("contents"), &gpu.contents, &cpu.contents);
    assert_same(&about("bounds"), &gpu.boxes, &cpu.boxes);
}

/// Checks matching and the stage, if the device can run them, on every shape at these sizes.
fn check_variant(variant: &Variant, sizes: &[usize]) {
    check_tuning(variant, tuning(variant), sizes);
}

fn check_tuning(variant: &Variant, tuning: Tuning, sizes: &[usize]) {
    let device = &gpu().device;
    let matching = can_match(variant).then(|| matcher(MatchInput::Tags, variant, tuning));
    let bits = can_match(variant).then(|| matcher(MatchInput::Bits, variant, tuning));
    let stage = can_run(variant).then(|| Stage::new(device, &tuning.into()).unwrap());
    for (seed, &n) in sizes.iter().enumerate() {
        for (name, stream) in shapes(n, seed as u64) {
            matching.iter().for_each(|matching| check_links(matching, name, stream.tags()));
            bits.iter().for_each(|bits| check_bits(bits, name, stream.tags()));
            stage.iter().for_each(|stage| check_bounds(stage, name, &stream));
        }
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn the_default_matches_the_reference_from_zero_to_many_tiles() {
    let device = &gpu().device;
    let matching = Matcher::new(device, &Default::default()).unwrap();
    let bits = bits();
    let stage = Stage::new(device, &Default::default()).unwrap();
    let sizes = [0, 1, 2, 7, 8, 9, 255, 256, 257, 2047, 2048, 2049, 4095, 4096, 4097, 10_000];
    for n in sizes.into_iter().chain([511, 512, 513, 1023, 1024, 1025, 66_000]) {
        for (name, stream) in shapes(n, n as u64) {
            check_links(&matching, name, stream.tags());
            check_bits(&bits, name, stream.tags());
            check_bounds(&stage, name, &stream);
        }
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn every_tuning_matches_the_reference_at_sizes_around_a_tile() {
    for threads in [2, 16, 64, 128, 256, 1024] {
        for per_thread in [1, 2, 4, 8, 16, 32, 64] {
            for subgroups in [false, true] {
                let variant = variant(threads, per_thread, subgroups);
                let tile = variant.tile() as usize;
                check_variant(&variant, &[tile - 1, tile, tile + 1]);
            }
        }
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn every_number_of_elements_per_thread_matches_the_reference() {
    for per_thread in (1..=32).chain([64]) {
        check_variant(&variant(8, per_thread, false), &[3 * 8 * per_thread as usize + 5]);
    }
}

/// wgpu's bounds checks could hide errors that unchecked kernels show, and vice versa.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn kernels_with_runtime_checks_match_the_reference() {
    for subgroups in [false, true] {
        for (threads, per_thread) in [(256, 1), (4, 1), (256, 8), (128, 32), (64, 64), (4, 4)] {
            let variant = variant(threads, per_thread, subgroups);
            let tuning = Tuning { checked: true, ..tuning(&variant) };
            check_tuning(&variant, tuning, &[0, 1, 2 * variant.tile() as usize + 3]);
        }
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn deep_trees_of_small_tiles_match_the_reference() {
    for (threads, per_thread) in [(2, 1), (4, 1), (8, 1), (32, 1), (4, 4), (8, 4)] {
        for subgroups in [false, true] {
            let variant = variant(threads, per_thread, subgroups);
            check_variant(&variant, &[5 * variant.tile() as usize + 3, 3000]);
        }
    }
}

/// Returns adversarial shapes for tiles of this size.
fn hard_for_tiles(n: usize, tile: usize) -> Vec<(String, Vec<Role>)> {
    let named = |name: &str, roles| (name.to_owned(), roles);
    let mut all = vec![
        named("all open, then close", saw_teeth(n, n)),
        named("deep, then many small", deep_then_small(n)),
        named("an empty stack", saw_teeth(n, 2)),
        named("only closes", vec![Role::End; n]),
        named("only opens", vec![Role::Begin; n]),
    ];
    for period in [tile - 1, tile, tile + 1, 2 * tile, 5 * tile] {
        all.push((format!("saw teeth {period}"), saw_teeth(n, period)));
    }
    for period in [tile - 1, tile, tile + 1, 8 * tile] {
        all.push((format!("one open left per {period}, then pops"), comb(n, period)));
    }
    all
}

fn tags_of_roles(roles: &[Role]) -> Vec<Tag> {
    let tag = |role: &Role| match role {
        Role::Draw => Tag::DRAW,
        Role::Begin => Tag::begin(NodeKind::Clip),
        Role::End => Tag::end(NodeKind::Clip),
    };
    roles.iter().map(tag).collect()
}

/// Each level of the pyramid over the tiles can be smaller than the one below by a factor of up to
/// 16 times the workgroup size. This test has one to three levels, and runs of every length per
/// thread.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn high_pyramids_of_small_tiles_match_the_reference() {
    for threads in [2, 4, 8] {
        for (per_thread, subgroups) in
            [(4, false), (4, true), (16, true), (32, false), (32, true), (64, true)]
        {
            let variant = variant(threads, per_thread, subgroups);
            if !can_match(&variant) {
                continue;
            }
            let [matching, bits] = [MatchInput::Tags, MatchInput::Bits]
                .map(|input| matcher(input, &variant, tuning(&variant)));
            for n in [3000, 4097, 20_000] {
                for (name, roles) in hard_for_tiles(n, variant.tile() as usize) {
                    check_links(&matching, &name, &tags_of_roles(&roles));
                    check_bits(&bits, &name, &tags_of_roles(&roles));
                }
            }
        }
    }
}

#[test]
fn maximally_deep_streams_match_the_reference() {
    let stage = Stage::new(&gpu().device, &Default::default()).unwrap();
    let n = 1 << 19;
    for shape in SHAPES.iter().filter(|shape| DEEP.contains(&shape.name)) {
        check_bounds(&stage, shape.name, &shape.stream(n, 7));
    }
}

/// Returns the sizes at which [`Matcher`] switches to another variant by default: the maximum size
/// of each variant.
fn variant_switches(matching: &Matcher, most: u32) -> Vec<u32> {
    let powers = (0..=most.ilog2()).map(|log| 1 << log);
    powers.filter(|&n| matching.variant(n) != matching.variant(n + 1)).collect()
}

#[test]
fn sizes_around_variant_switches_match_the_reference() {
    let matching = Matcher::new(&gpu().device, &Default::default()).unwrap();
    let bits = bits();
    let changes = variant_switches(&matching, 1 << 20);
    assert!(!changes.is_empty());
    for n in changes.into_iter().flat_map(|n| [n, n + 1]) {
        for shape in SHAPES.iter().filter(|shape| DEEP.contains(&shape.name)) {
            let tags = tags_of_roles(&shape.roles(n as usize, 7));
            check_links(&matching, shape.name, &tags);
            check_bits(&bits, shape.name, &tags);
        }
    }
}

/// In arbitrary words, only two bits decide how they match: on the GPU, in `bicyclic_tree` and in
/// the reference.
#[test]
fn invalid_tags_are_matched_by_their_bits() {
    let matching = Matcher::new(&gpu().device, &Default::default()).unwrap();
    let mut rng = Rng::new(5);
    for n in 0..300 {
        let words: Vec<u32> = (0..n).map(|_| rng.bits() as u32 >> (rng.below(2) * 30)).collect();
        let tags: &[Tag] = bytemuck::cast_slice(&words);
        let expected = reference::links(tags);
        assert_eq!(bicyclic_tree::links(tags), expected, "{words:?}");
        assert_eq!(links(&matching, &words).unwrap(), expected, "{words:?}");
    }
    let begin = Tag::ROLE_BEGIN;
    let found = links(&matching, &[begin, 3, 0xffff_ffff, begin | 0xff00, 2, 7]).unwrap();
    assert_eq!(found, [NONE, NONE, NONE, 0, 3, NONE]);
}
