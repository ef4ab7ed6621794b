//! The GPU stage, in every variant, against the reference: bit for bit.
#![allow(clippy::unwrap_used, clippy::panic)]

use treebounds::{Match, Options, Stage, Variant};
use treebounds_core::{NONE, Stream, Tag, reference};
use treebounds_tests::gpu::{bounds, can_match, can_run, gpu, links, one_at_a_time};
use treebounds_tests::streams::shapes;

fn variant(threads: u32, per_thread: u32, subgroups: bool) -> Variant {
    Variant::new(threads, per_thread).unwrap().with_subgroups(subgroups)
}

/// The options that ask for a variant.
fn options(variant: &Variant) -> Options {
    Options {
        workgroup_size: Some(variant.workgroup_size()),
        per_thread: Some(variant.per_thread()),
        subgroups: Some(variant.subgroups()),
        checked: false,
    }
}

/// Fails with the first difference, which says more than two long lists.
fn assert_same<T: PartialEq + std::fmt::Debug>(what: &str, gpu: &[T], cpu: &[T]) {
    assert_eq!(gpu.len(), cpu.len(), "{what}: lengths");
    if let Some(at) = (0..cpu.len()).find(|&at| gpu[at] != cpu[at]) {
        panic!("{what} [{at}] of {}: GPU {:?}, reference {:?}", cpu.len(), gpu[at], cpu[at]);
    }
}

fn check_links(matching: &Match, name: &str, stream: &Stream) {
    let words: Vec<u32> = stream.tags().iter().map(|tag| tag.bits()).collect();
    let name = format!(
        "links of {name} (n = {}, {:?})",
        words.len(),
        matching.variant(words.len() as u32)
    );
    assert_same(&name, &links(matching, &words).unwrap(), &reference::links(stream.tags()));
}

fn check_bounds(stage: &Stage, name: &str, stream: &Stream) {
    let gpu = bounds(stage, stream).unwrap();
    let cpu = reference::bounds(stream);
    let about = |what| format!("{what} of {name} (n = {}, {:?})", stream.len(), stage.variant());
    assert_same(&about("node elements"), &gpu.node_elements, &cpu.node_elements);
    assert_same(&about("links"), &gpu.links, &cpu.links);
    assert_same(&about("clips"), &gpu.clips, &cpu.clips);
    assert_same(&about("contents"), &gpu.contents, &cpu.contents);
    assert_same(&about("bounds"), &gpu.bounds, &cpu.bounds);
}

/// Checks matching and the stage, where each runs, on every shape at these sizes.
fn check_variant(variant: &Variant, sizes: &[usize]) {
    check_options(variant, &options(variant), sizes);
}

fn check_options(variant: &Variant, options: &Options, sizes: &[usize]) {
    let device = &gpu().device;
    let matching = can_match(variant).then(|| Match::new(device, options).unwrap());
    let stage = can_run(variant).then(|| Stage::new(device, options).unwrap());
    for (seed, &n) in sizes.iter().enumerate() {
        for (name, stream) in shapes(n, seed as u64) {
            matching.iter().for_each(|matching| check_links(matching, name, &stream));
            stage.iter().for_each(|stage| check_bounds(stage, name, &stream));
        }
    }
}

#[test]
fn default_variant_from_nothing_to_many_tiles() {
    let _turn = one_at_a_time();
    let device = &gpu().device;
    let matching = Match::new(device, &Options::default()).unwrap();
    let stage = Stage::new(device, &Options::default()).unwrap();
    let sizes = [0, 1, 2, 7, 8, 9, 255, 256, 257, 2047, 2048, 2049, 4095, 4096, 4097, 10_000];
    for n in sizes.into_iter().chain([100_000]) {
        for (name, stream) in shapes(n, n as u64) {
            check_links(&matching, name, &stream);
            check_bounds(&stage, name, &stream);
        }
    }
}

#[test]
fn every_workgroup_size_and_elements_per_thread_around_a_tile() {
    let _turn = one_at_a_time();
    for threads in [2, 16, 64, 128, 256, 1024] {
        for per_thread in [1, 2, 4, 8, 16, 32] {
            for subgroups in [false, true] {
                let variant = variant(threads, per_thread, subgroups);
                let tile = variant.tile() as usize;
                check_variant(&variant, &[tile - 1, tile, tile + 1]);
            }
        }
    }
}

#[test]
fn every_number_of_elements_per_thread() {
    let _turn = one_at_a_time();
    for per_thread in 1..=32 {
        check_variant(&variant(8, per_thread, false), &[3 * 8 * per_thread as usize + 5]);
    }
}

/// What wgpu's checks would hide, the unchecked kernels of the other tests would
/// show, and the other way round.
#[test]
fn kernels_with_runtime_checks_agree_too() {
    let _turn = one_at_a_time();
    for subgroups in [false, true] {
        for (threads, per_thread) in [(256, 8), (128, 32), (4, 4)] {
            let variant = variant(threads, per_thread, subgroups);
            let options = Options { checked: true, ..options(&variant) };
            check_options(&variant, &options, &[0, 1, 2 * variant.tile() as usize + 3]);
        }
    }
}

#[test]
fn small_tiles_make_deep_trees() {
    let _turn = one_at_a_time();
    for (threads, per_thread) in [(2, 1), (4, 3), (8, 2), (32, 1)] {
        for subgroups in [false, true] {
            let variant = variant(threads, per_thread, subgroups);
            check_variant(&variant, &[5 * variant.tile() as usize + 3, 3000]);
        }
    }
}

#[test]
fn half_a_million_elements_as_deep_as_they_go() {
    let _turn = one_at_a_time();
    let stage = Stage::new(&gpu().device, &Options::default()).unwrap();
    let n = 1 << 19;
    for shape in treebounds_tests::streams::SHAPES {
        let deep = ["random walk", "all open, then close", "only opens"];
        if deep.contains(&shape.name) {
            check_bounds(&stage, shape.name, &shape.stream(n, 7));
        }
    }
}

#[test]
fn tags_that_are_no_tags_do_neither() {
    let _turn = one_at_a_time();
    let matching = Match::new(&gpu().device, &Options::default()).unwrap();
    let begin = Tag::ROLE_BEGIN;
    let found = links(&matching, &[begin, 3, 0xffff_ffff, begin | 0xff00, 2, 7]).unwrap();
    assert_eq!(found, [NONE, NONE, NONE, 0, 3, NONE]);
}
