//! Tests `Matcher` as a library: its inputs, its errors and its guarantees.

use treebounds::{
    Counts, Error, MatchInput, MatchScratch, Matcher, MatcherDescriptor, Params, Tuning, Variant,
    wgpu,
};
use treebounds_core::{NONE, Role, Tag, reference};
use treebounds_tests::bound::{Matching, POISON, bitmap, links, match_whole, tags_of_bits};
use treebounds_tests::gpu::{buffer, device_with, gpu, read, run_counted, run_times};
use treebounds_tests::streams::{SHAPES, padded, random_mixture};
use wgpu::BufferUsages;

/// Matches the parentheses of a text, one character per word.
pub(crate) const TEXT: MatchInput<'_> = MatchInput::Roles(
    "fn role(tag: u32) -> u32 { return select(select(0u, 2u, tag == 41u), 1u, tag == 40u); }",
);

/// With 64 elements per thread, the first pass has twice as many threads.
#[test]
fn default_limits_suffice_for_any_number_of_elements() {
    let small = device_with(treebounds::required_limits());
    for input in INPUTS {
        let matching =
            Matcher::new(&small.device, &MatcherDescriptor { input, ..Default::default() })
                .unwrap();
        for elements in [1, 1 << 16, 1 << 20, 1 << 24, 1 << 27] {
            assert!(matching.variant(elements).match_threads() <= 256, "{elements}");
        }
        let refused = Matcher::new(&small.device, &sized(input, 256, 64)).map(|_| ());
        let what = "max_compute_invocations_per_workgroup";
        assert_eq!(refused.unwrap_err(), Error::DeviceLacks { what, needed: 512, has: 256 });
    }
}

/// Returns descriptors for small tiles, for the default, and for many elements per thread.
fn all_descriptors() -> [MatcherDescriptor<'static>; 3] {
    let sized = |threads, per_thread| sized(MatchInput::Tags, threads, per_thread);
    [sized(2, 4), MatcherDescriptor::default(), sized(128, 32)]
}

/// Returns a descriptor with this number of threads per workgroup and elements per thread.
fn sized(input: MatchInput<'_>, threads: u32, per_thread: u32) -> MatcherDescriptor<'_> {
    let tuning = Tuning { workgroup_size: Some(threads), ..Default::default() };
    MatcherDescriptor { input, per_thread: Some(per_thread), tuning, ..Default::default() }
}

fn matching(input: MatchInput<'_>, descriptor: &MatcherDescriptor<'static>) -> Matcher {
    Matcher::new(&gpu().device, &MatcherDescriptor { input, ..*descriptor }).unwrap()
}

#[test]
fn characters_are_matched_like_tags() {
    for options in all_descriptors() {
        let matching = matching(TEXT, &options);
        for n in [5, 4095] {
            for shape in SHAPES {
                let tags = shape.stream(n, 11).tags().to_vec();
                let text: Vec<u32> = tags.iter().enumerate().map(character).collect();
                assert_eq!(links(&matching, &text).unwrap(), reference::links(&tags), "{shape:?}");
            }
        }
    }
}

/// Maps a tag to a character. Draws become other characters, including the words 1 and 2, which
/// would be a begin and an end among tags.
fn character((at, tag): (usize, &Tag)) -> u32 {
    match tag.role() {
        Role::Begin => u32::from('('),
        Role::End => u32::from(')'),
        Role::Draw => ['a', ' ', '\u{1}', '\u{2}', '*', '\'', '\u{10ffff}'][at % 7].into(),
    }
}

#[test]
fn characters_are_matched_with_a_wgsl_role() {
    let matching = matching(TEXT, &MatcherDescriptor::default());
    let text: Vec<u32> = "f(x, (y)) + )(".chars().map(u32::from).collect();
    let found = links(&matching, &text).unwrap();
    let expected = [(5, 1), (7, 5), (8, 1)];
    for (at, link) in found.into_iter().enumerate() {
        let known = expected.iter().find(|(element, _)| *element == at);
        assert_eq!(link, known.map_or(NONE, |(_, open)| *open), "{at}");
    }
}

/// Checks a job with this count of elements. `tags` fills the capacity, and tags past the count
/// must not affect the result.
fn check_count(bound: &Matching, tags: &[Tag], count: u32, about: &str) {
    let about = format!("{count} of {} elements, {about}", tags.len());
    run_counted(&bound.job, &bound.params, count);
    let used = tags.len().min(count as usize);
    let found: Vec<u32> = read(&bound.links, (bound.links.size() / 4) as usize);
    assert_eq!(found[..used], reference::links(&tags[..used]), "{about}");
    let rest = &found[used.next_multiple_of(4)..];
    assert!(rest.iter().all(|link| *link == POISON), "{about}: written past the count");
    let counts: Counts = read(bound.scratch.counts().buffer, 1)[0];
    let clamped = if count as usize > tags.len() { Counts::ELEMENTS_CLAMPED } else { 0 };
    assert_eq!((counts.elements as usize, counts.status), (used, clamped), "{about}");
}

/// Checks counts in random order, so that the scratch contains data of longer inputs.
fn check_counts(input: MatchInput<'_>, matching: &Matcher, capacity: u32) {
    let words = padded(&vec![0; capacity as usize]);
    let bound = Matching::new(matching, &words, capacity).unwrap();
    let around = [capacity, capacity / 3, capacity + 1, 0, 1, capacity.saturating_sub(1)];
    let far = [2049, u32::MAX, 5, capacity / 2, 4096];
    for (seed, count) in around.into_iter().chain(far).enumerate() {
        let tags = random_tags(input, seed as u64, capacity);
        bound.write(&words_of(input, &tags));
        check_count(&bound, &tags, count, &format!("{:?}", matching.variant(capacity)));
    }
}

/// Returns random tags; for a bitmap, only markers.
pub(crate) fn random_tags(input: MatchInput<'_>, seed: u64, n: u32) -> Vec<Tag> {
    let tags = random_mixture(seed, n as usize).tags().to_vec();
    if input == MatchInput::Bits { tags_of_bits(&opens(&tags)) } else { tags }
}

/// Returns the input words for tags; for [`TEXT`], they are characters.
pub(crate) fn words_of(input: MatchInput<'_>, tags: &[Tag]) -> Vec<u32> {
    match input {
        MatchInput::Tags => padded(&tags.iter().map(|tag| tag.bits()).collect::<Vec<_>>()),
        MatchInput::Bits => bitmap(&opens(tags)),
        _ => padded(&tags.iter().enumerate().map(character).collect::<Vec<_>>()),
    }
}

fn opens(tags: &[Tag]) -> Vec<bool> {
    tags.iter().map(|tag| tag.role() == Role::Begin).collect()
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn the_gpu_can_write_the_count() {
    for input in [MatchInput::Tags, MatchInput::Bits] {
        for options in all_descriptors() {
            let matching = matching(input, &options);
            for capacity in [0, 1, 31, 32, 33, 2048, 10_000] {
                check_counts(input, &matching, capacity);
            }
        }
    }
}

#[test]
fn jobs_can_be_recorded_repeatedly() {
    let tags = random_mixture(5, 3000).tags().to_vec();
    for options in all_descriptors() {
        let matching = matching(MatchInput::Tags, &options);
        let bound = Matching::new(&matching, &words_of(MatchInput::Tags, &tags), 3000).unwrap();
        assert_eq!(bound.run(3000), reference::links(&tags));
        run_times(&bound.job, 3);
        assert_eq!(read::<u32>(&bound.links, 3000), reference::links(&tags));
    }
}

#[test]
fn scratch_takes_about_five_bytes_per_element() {
    for input in [MatchInput::Tags, MatchInput::Bits, TEXT] {
        let matching = matching(input, &MatcherDescriptor::default());
        for elements in (12..=28).map(|log| 1_u32 << log) {
            let bytes = matching.scratch_bytes(elements).unwrap();
            let quarters = if elements <= 1 << 18 { 21 } else { 18 };
            let most = u64::from(elements) * quarters / 4;
            assert!(bytes <= most, "{elements} elements: {bytes} bytes, over {most}");
        }
    }
}

/// The caller's module may use the same names as ours.
#[test]
fn names_in_caller_wgsl_do_not_collide_with_ours() {
    let text = "const TILE = 41u; fn thread_tree(tag: u32) -> u32 { return tag - 39u; }
        fn role(tag: u32) -> u32 { return select(0u, thread_tree(tag), tag == TILE || tag == 40u); }";
    let matching = matching(MatchInput::Roles(text), &MatcherDescriptor::default());
    assert_eq!(links(&matching, &[40, 7, 41]).unwrap(), [NONE, NONE, 0]);
}

/// Returns the total size of the device's buffers, if the device reports it.
fn allocated(device: &wgpu::Device) -> Option<u64> {
    device.generate_allocator_report().map(|report| report.total_allocated_bytes)
}

#[test]
fn scratch_size_is_as_announced_and_recording_allocates_nothing() {
    let own = device_with(treebounds::required_limits());
    let matching = Matcher::new(&own.device, &Default::default()).unwrap();
    for elements in [0, 1, 4096, 100_000, 1 << 20] {
        let said = matching.scratch_bytes(elements).unwrap();
        let before = allocated(&own.device);
        let scratch = matching.scratch(elements).unwrap();
        let has = allocated(&own.device).zip(before).map(|(after, before)| after - before);
        // Uniforms add a few hundred bytes per dispatch.
        let right = has.is_none_or(|has| (said..said + 20_000).contains(&has));
        assert!(right, "{elements}: said {said}, has {has:?}");
        check_recording(&own.device, &matching, &scratch, elements);
    }
}

fn check_recording(
    device: &wgpu::Device,
    matching: &Matcher,
    scratch: &MatchScratch,
    elements: u32,
) {
    let create = |size, usage| {
        let descriptor =
            wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
        device.create_buffer(&descriptor)
    };
    let params = create(size_of::<Params>() as u64, BufferUsages::UNIFORM);
    let size = 4 * u64::from(elements.max(1).next_multiple_of(4));
    let [tags, links] = [0; 2].map(|_| create(size, BufferUsages::STORAGE));
    let job = match_whole(matching, [&params, &tags, &links], scratch).unwrap();
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let before = allocated(device);
    for _ in 0..100 {
        job.record(&mut encoder);
    }
    assert_eq!(allocated(device), before, "{elements} elements");
    drop(encoder);
}

const INPUTS: [MatchInput<'_>; 3] = [MatchInput::Tags, TEXT, MatchInput::Bits];

#[test]
fn rejects_scratch_of_another_variant() {
    for input in INPUTS {
        let [small, default, many] = all_descriptors().map(|options| matching(input, &options));
        let scratch = many.scratch(1001).unwrap();
        assert_eq!(scratch.variant(), many.variant(1001));
        let bound = Matching::new(&many, &[0; 1004], 1001).unwrap();
        let refused = [small, default, many].map(|matching| {
            let buffers = [&bound.params, &bound.input, &bound.links];
            match_whole(&matching, buffers, &scratch).map(|_| ()).err()
        });
        assert_eq!(refused, [Some(Error::ForeignScratch), Some(Error::ForeignScratch), None]);
    }
}

#[test]
fn device_limits_are_reported() {
    let limit = 1 << 16;
    let limits =
        wgpu::Limits { max_storage_buffer_binding_size: limit, ..treebounds::required_limits() };
    let own = device_with(limits);
    let tuning = Tuning { subgroups: Some(false), ..Default::default() };
    let options = MatcherDescriptor::from(tuning);
    for (input, name) in [(MatchInput::Tags, "tags"), (MatchInput::Bits, "links")] {
        let descriptor = MatcherDescriptor { input, ..options };
        let small = Matcher::new(&own.device, &descriptor).unwrap();
        assert!(small.scratch(8192).is_ok());
        let elements = (1 << 14) + 4;
        let Err(Error::TooLarge { needed, limit_name, limit: has, .. }) = small.scratch(elements)
        else {
            panic!("{input:?}: a scratch over the limit was not refused");
        };
        let tile = small.variant(elements).tile();
        assert_eq!(needed, 4 * u64::from(elements.next_multiple_of(tile)));
        assert_eq!((limit_name, has), ("max_storage_buffer_binding_size", limit));

        // Bind a scratch made for a larger device, with buffers of that size.
        let scratch = matching(input, &options).scratch(elements).unwrap();
        let params = buffer(32, BufferUsages::UNIFORM);
        let size = 4 * u64::from(elements);
        let [tags, links] = [0; 2].map(|_| buffer(size, BufferUsages::STORAGE));
        let refused = match_whole(&small, [&params, &tags, &links], &scratch);
        let refused = refused.map(|_| ()).unwrap_err();
        let limit_name = "max_storage_buffer_binding_size";
        assert_eq!(refused, Error::TooLarge { what: name, needed: size, limit_name, limit });
    }
}

#[test]
fn the_32_bit_limit_is_reported() {
    for input in INPUTS {
        let matching = matching(input, &MatcherDescriptor::default());
        for elements in [u32::MAX, u32::MAX - 1] {
            assert!(matches!(matching.scratch_bytes(elements), Err(Error::TooMany { .. })));
            assert!(matches!(matching.scratch(elements), Err(Error::TooMany { .. })));
        }
    }
}

/// The check does not depend on the device's thread limit, and rounds up the elements per thread.
#[test]
fn rejects_tiles_with_more_elements_than_16_bits_count() {
    let refused = Variant::new(1024, 32).unwrap().check_matching().unwrap_err();
    assert!(refused.to_string().contains("cannot have 32768 elements"), "{refused}");
    assert!(Variant::new(1024, 28).unwrap().check_matching().is_ok());
    let small = device_with(treebounds::required_limits());
    for input in INPUTS {
        for (device, per_thread) in [(&gpu().device, 32), (&gpu().device, 29), (&small.device, 32)]
        {
            let made = Matcher::new(device, &sized(input, 1024, per_thread));
            let error = made.map(|_| ()).unwrap_err();
            assert_eq!(error, Error::Variant(refused), "{per_thread} a thread");
        }
    }
}

/// The number of elements per thread must fit every workgroup size that the device can run.
#[test]
fn workgroup_sizes_need_no_elements_per_thread() {
    let device = &gpu().device;
    let most = device.limits().max_compute_invocations_per_workgroup.min(1024);
    for threads in [2, 64, most / 2, most] {
        for subgroups in [Some(false), None] {
            let tuning = Tuning { workgroup_size: Some(threads), subgroups, ..Default::default() };
            let matching = Matcher::new(device, &tuning.into()).unwrap();
            assert_eq!(matching.variant(100).workgroup_size(), threads);
        }
    }
}
