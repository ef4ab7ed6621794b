//! Tests random streams, balanced and not, against the reference. Failures are shrunk.

use proptest::prelude::*;
use treebounds::{MatchInput, Matcher, MatcherDescriptor, Stage, StageDescriptor, Tuning};
use treebounds_core::reference;
use treebounds_testkit::failing;
use treebounds_tests::bound::{bit_links, links, tags_of_bits};
use treebounds_tests::gpu::gpu;
use treebounds_tests::streams::strategy;

/// Returns three tunings: the default; small tiles, so that short streams cross many of them; and
/// tiles with two runs of elements.
fn tunings() -> [Tuning; 3] {
    [None, Some(4), Some(8)].map(|workgroup_size| Tuning { workgroup_size, ..Default::default() })
}

/// Returns a matcher with default tiles and one with small tiles.
fn matchers(input: MatchInput<'static>) -> [Matcher; 2] {
    let [default, small, _] = tunings();
    [(default, None), (small, Some(4))].map(|(tuning, per_thread)| {
        let descriptor = MatcherDescriptor { input, per_thread, tuning, ..Default::default() };
        Matcher::new(&gpu().device, &descriptor).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "minutes: run with --include-ignored"]
    fn bounds_match_the_reference(stream in strategy::stream(300)) {
        thread_local! {
            static STAGES: [Stage; 3] = tunings().map(|tuning| {
                let descriptor = StageDescriptor { filter_depth: 16, ..tuning.into() };
                Stage::new(&gpu().device, &descriptor).unwrap()
            });
        }
        let expected = reference::bounds(&stream);
        STAGES.with(|stages| -> Result<(), TestCaseError> {
            for stage in stages {
                let found = stage.compute(&gpu().queue, &stream).unwrap();
                prop_assert_eq!(&found, &expected, "{}", failing(&stream));
            }
            Ok(())
        })?;
    }

    #[test]
    fn links_match_the_reference(stream in strategy::stream(300)) {
        thread_local! {
            static MATCHES: [Matcher; 2] = matchers(MatchInput::Tags);
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
    fn links_of_a_bitmap_match_the_reference(opens in strategy::bits(5000)) {
        thread_local! {
            static MATCHES: [Matcher; 2] = matchers(MatchInput::Bits);
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
