//! Random streams, balanced and not, shrunk to the smallest that fails: the GPU
//! gives the reference's answer.

use proptest::prelude::*;
use treebounds::{MatchInput, Matcher, Options, Stage};
use treebounds_core::reference;
use treebounds_tests::bound::{bit_links, bounds, links, tags_of_bits};
use treebounds_tests::gpu::gpu;
use treebounds_tests::streams::strategy;

/// Small tiles, so that short streams cross many of them.
fn small_tiles() -> Options {
    Options { workgroup_size: Some(4), per_thread: Some(4), ..Options::default() }
}

/// Tiles of two runs of elements.
fn small_runs() -> Options {
    Options { workgroup_size: Some(8), ..Options::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bounds_are_the_references(stream in strategy::stream(300)) {
        thread_local! {
            static STAGES: [Stage; 3] = [Options::default(), small_tiles(), small_runs()]
                .map(|options| Stage::new(&gpu().device, &options).unwrap());
        }
        let expected = reference::bounds(&stream);
        STAGES.with(|stages| -> Result<(), TestCaseError> {
            for stage in stages {
                prop_assert_eq!(&bounds(stage, &stream).unwrap(), &expected);
            }
            Ok(())
        })?;
    }

    #[test]
    fn links_are_the_references(stream in strategy::stream(300)) {
        thread_local! {
            static MATCHES: [Matcher; 2] = [Options::default(), small_tiles()]
                .map(|options| Matcher::new(&gpu().device, &options).unwrap());
        }
        let words: Vec<u32> = stream.tags().iter().map(|tag| tag.bits()).collect();
        let expected = reference::links(stream.tags());
        MATCHES.with(|matches| -> Result<(), TestCaseError> {
            for matching in matches {
                prop_assert_eq!(&links(matching, &words).unwrap(), &expected);
            }
            Ok(())
        })?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn links_of_a_bitmap_are_the_references(opens in strategy::bits(5000)) {
        thread_local! {
            static MATCHES: [Matcher; 2] = [Options::default(), small_tiles()]
                .map(|options| Matcher::reading(&gpu().device, MatchInput::Bits, &options).unwrap());
        }
        let expected = reference::links(&tags_of_bits(&opens));
        MATCHES.with(|matches| -> Result<(), TestCaseError> {
            for matching in matches {
                prop_assert_eq!(&bit_links(matching, &opens).unwrap(), &expected);
            }
            Ok(())
        })?;
    }
}
