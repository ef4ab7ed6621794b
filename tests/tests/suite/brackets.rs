//! Tests `BracketMatcher` against the sequential reference: kinds, segments, partners, depths and
//! errors.

use proptest::collection::vec;
use proptest::prelude::*;
use treebounds::{BracketCounts, BracketMatcher, BracketMatcherDescriptor, Error, Matcher, Tuning};
use treebounds_core::{Bracket, Role, Segment, reference};
use treebounds_tests::bound::{Bracketing, POISON};
use treebounds_tests::gpu::{gpu, read, run_counted, run_times};
use treebounds_tests::streams::{Rng, SHAPES};

/// Creates a matcher with this number of threads per workgroup and elements per thread, or the
/// default.
fn matcher(size: Option<(u32, u32)>, subgroups: Option<bool>) -> BracketMatcher {
    let tuning = Tuning { workgroup_size: size.map(|size| size.0), subgroups, ..Tuning::default() };
    let per_thread = size.map(|size| size.1);
    let descriptor = BracketMatcherDescriptor { per_thread, tuning, ..Default::default() };
    BracketMatcher::new(&gpu().device, &descriptor).unwrap()
}

/// Returns matchers with tiles of 8 elements, of 64 in one row, of 128 in four rows and of 512 in
/// sixteen, and the default.
fn matchers() -> Vec<BracketMatcher> {
    let sizes = [Some((2, 4)), Some((16, 4)), Some((8, 16)), Some((8, 64)), None];
    sizes.map(|size| matcher(size, None)).into()
}

/// Ends a segment at this number of elements per thousand.
pub(crate) fn with_resets(seed: u64, roles: &[Role], kinds: u32, per_mille: u32) -> Vec<Bracket> {
    let mut rng = Rng::new(seed);
    let element = |role: &Role| {
        let kind = if rng.percent(90) { 0 } else { rng.below(kinds) };
        match role {
            _ if rng.below(1000) < per_mille => Bracket::RESET,
            Role::Begin => Bracket::open(kind),
            Role::End => Bracket::close(kind),
            Role::Draw => Bracket::OTHER,
        }
    };
    roles.iter().map(element).collect()
}

fn check(matcher: &BracketMatcher, elements: &[Bracket], about: &str) {
    let expected = reference::brackets(elements);
    let bound = Bracketing::new(matcher, elements.len() as u32, expected.segments.len() as u32);
    let about = format!("{} elements, {about}, {:?}", elements.len(), matcher.variant(0));
    bound.write(elements);
    assert_eq!(bound.run(elements.len()), expected, "{about}");
    let counts: BracketCounts = read(bound.scratch.counts().buffer, 1)[0];
    let (n, segments) = (elements.len() as u32, expected.segments.len() as u32);
    assert_eq!((counts.elements, counts.segments, counts.status), (n, segments, 0), "{about}");
}

#[test]
fn every_shape_matches_the_reference() {
    for matcher in matchers() {
        for shape in SHAPES {
            for (seed, per_mille) in [(1, 0), (2, 2), (3, 100)] {
                let elements = with_resets(seed, &shape.roles(3000, seed), 4, per_mille);
                check(&matcher, &elements, &format!("{}, {per_mille} resets", shape.name));
            }
        }
    }
}

/// Tests only resets, no resets, and one reset at the maximum depth, at sizes around a tile and a
/// row.
#[test]
fn brackets_and_resets_around_tile_boundaries_match_the_reference() {
    for matcher in matchers() {
        let tile = matcher.variant(0).tile() as usize;
        for n in [0, 1, 3, 4, 5, tile - 1, tile, tile + 1, 2 * tile + 1, 3 * tile] {
            let opens = vec![Bracket::open(1); n];
            let closes = vec![Bracket::close(1); n];
            check(&matcher, &opens, "opens");
            check(&matcher, &closes, "closes");
            check(&matcher, &vec![Bracket::RESET; n], "resets");
            check(&matcher, &vec![Bracket::OTHER; n], "others");
            check(&matcher, &[&opens[..], &closes].concat(), "deep");
            check(
                &matcher,
                &[&opens[..], &[Bracket::RESET], &closes].concat(),
                "cut in the middle",
            );
            check(&matcher, &[&opens[..], &[Bracket::close(2)]].concat(), "mismatched at the end");
        }
    }
}

/// Tests more tiles than threads, so that `bracket_scan` runs, with and without subgroups.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn brackets_in_many_tiles_match_the_reference() {
    for subgroups in [Some(false), None] {
        let matcher = matcher(Some((4, 4)), subgroups);
        for (seed, per_mille) in [(1, 0), (2, 1), (3, 300)] {
            for shape in &SHAPES[..4] {
                let elements = with_resets(seed, &shape.roles(60_001, seed), 3, per_mille);
                check(&matcher, &elements, shape.name);
            }
        }
    }
}

/// The number of elements may be below or above the capacity, and so may the number of segments.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn gpu_counts_are_clamped_to_the_capacity() {
    for matcher in matchers() {
        let (capacity, room) = (1000, 7);
        let elements = with_resets(5, &SHAPES[3].roles(capacity, 5), 3, 30);
        let bound = Bracketing::new(&matcher, capacity as u32, room);
        for count in [1000, 333, 1001, 0, 1, 999, u32::MAX, 5] {
            bound.write(&elements);
            run_counted(&bound.job, &bound.params, count);
            let used = capacity.min(count as usize);
            let expected = reference::brackets(&elements[..used]);
            let segments = expected.segments.len();
            let mut first = expected.segments.clone();
            first.resize(room as usize, Segment::NEW);
            let found = bound.found(used, room as usize);
            assert_eq!(found, reference::Brackets { segments: first, ..expected }, "{count}");
            let words: Vec<u32> = read(&bound.partners, capacity);
            assert!(words[used..].iter().all(|word| *word == POISON), "{count}");
            let counts: BracketCounts = read(bound.scratch.counts().buffer, 1)[0];
            let mut status = 0;
            if count as usize > capacity {
                status |= BracketCounts::ELEMENTS_CLAMPED;
            }
            if segments > room as usize {
                status |= BracketCounts::SEGMENTS_CLAMPED;
            }
            let seen = (counts.elements as usize, counts.segments as usize, counts.status);
            assert_eq!(seen, (used, segments, status), "{count}");
        }
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn jobs_can_run_repeatedly() {
    let elements = with_resets(9, &SHAPES[0].roles(3000, 9), 2, 10);
    for matcher in matchers() {
        let expected = reference::brackets(&elements);
        let bound = Bracketing::new(&matcher, 3000, expected.segments.len() as u32);
        bound.write(&elements);
        assert_eq!(bound.run(3000), expected);
        run_times(&bound.job, 3);
        assert_eq!(bound.found(3000, expected.segments.len()), expected);
    }
}

/// Tests a caller-supplied role function that matches characters line by line. Kinds may use all 30
/// bits.
#[test]
fn custom_wgsl_roles_find_the_first_error_of_each_line() {
    let role = "fn role(tag: u32) -> u32 {
        let at = tag | 32u;
        if tag == 10u { return 3u; }
        if tag == 40u || tag == 41u { return tag - 39u; }
        if at == 123u || at == 125u { return select(1u, 2u, at == 125u) | ((0xffffff00u | (tag & 32u)) << 2u); }
        return 0u;
    }";
    let descriptor = BracketMatcherDescriptor { role: Some(role), ..Default::default() };
    let matcher = BracketMatcher::new(&gpu().device, &descriptor).unwrap();
    let text = "f(x, [y])\n[(])\n{]}\n)(\n([{}]\n";
    let element = |character| match character {
        '\n' => Bracket::RESET,
        '(' => Bracket::open(0),
        ')' => Bracket::close(0),
        '[' | '{' => Bracket::open(0xffff_ff00 | u32::from(character) & 32),
        ']' | '}' => Bracket::close(0xffff_ff00 | u32::from(character) & 32),
        _ => Bracket::OTHER,
    };
    let elements: Vec<Bracket> = text.chars().map(element).collect();
    let words: Vec<Bracket> = text.chars().map(|c| Bracket::from(u32::from(c))).collect();
    let expected = reference::brackets(&elements);
    let bound = Bracketing::new(&matcher, words.len() as u32, 6);
    bound.write(&words);
    assert_eq!(bound.run(words.len()), expected);
    let errors = expected.segments.iter().map(|segment| segment.first_error().map(|e| e.element));
    assert_eq!(errors.collect::<Vec<_>>(), [None, Some(12), Some(16), Some(19), Some(22), None]);
}

/// A scratch belongs to one variant.
#[test]
fn rejects_scratch_of_another_variant() {
    let (brackets, small) = (matcher(None, None), matcher(Some((2, 4)), None));
    let plain = Matcher::new(&gpu().device, &Default::default()).unwrap();
    let bound = Bracketing::new(&brackets, 100, 10);
    let bind = |scratch| brackets.bind(&bound.bindings(), &scratch).map(|_| ()).err();
    assert_eq!(bind(small.scratch(100, 10).unwrap()), Some(Error::ForeignScratch));
    assert_eq!(bind(brackets.scratch(100, 10).unwrap()), None);
    assert!(matches!(bind(brackets.scratch(100, 11).unwrap()), Some(Error::BufferTooSmall { .. })));
    assert!(matches!(brackets.scratch(u32::MAX, 1), Err(Error::TooMany { .. })));
    let tiles = |elements: u32| elements.div_ceil(brackets.variant(elements).tile());
    for elements in [100, 1 << 20] {
        let more =
            brackets.scratch_bytes(elements, 1).unwrap() - plain.scratch_bytes(elements).unwrap();
        assert!((16 * tiles(elements)..16 * tiles(elements) + 256).contains(&(more as u32)));
    }
}

/// Generates brackets in any order, which shrink to kind 0.
fn brackets(longest: usize, resets: u32) -> impl Strategy<Value = Vec<Bracket>> {
    let bracket = prop_oneof![
        2 => Just(Bracket::OTHER),
        20 => (0..3_u32).prop_map(Bracket::open),
        20 => (0..3_u32).prop_map(Bracket::close),
        resets => Just(Bracket::RESET),
    ];
    vec(bracket, 0..=longest)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_brackets_match_the_reference(
        elements in prop_oneof![brackets(300, 1), brackets(300, 10), brackets(40, 30)]
    ) {
        thread_local! {
            static MATCHERS: [BracketMatcher; 2] =
                [Some((2, 4)), None].map(|size| matcher(size, None));
        }
        let expected = reference::brackets(&elements);
        MATCHERS.with(|matchers| -> Result<(), TestCaseError> {
            for matcher in matchers {
                let (n, segments) = (elements.len(), expected.segments.len());
                let bound = Bracketing::new(matcher, n as u32, segments as u32);
                bound.write(&elements);
                prop_assert_eq!(&bound.run(n), &expected);
            }
            Ok(())
        })?;
    }
}
