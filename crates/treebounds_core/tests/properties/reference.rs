//! Compares the reference with the oracle, and checks the guarantees for renderers.

use proptest::prelude::*;
use treebounds_core::{NONE, Role, Stream, reference};
use treebounds_testkit::streams::dress::{filtered_by, footprint};
use treebounds_testkit::streams::{SHAPES, strategy};
use treebounds_testkit::{Oracle, failing};

/// Checks that the bounds and links equal the oracle's, and that all rects are canonical.
fn check_against_oracle(stream: &Stream) -> Result<(), TestCaseError> {
    let (bounds, oracle) = (reference::bounds(stream), Oracle::new(stream));
    prop_assert_eq!(&bounds, &oracle.all(), "{}", failing(stream));
    let mut links = vec![NONE; stream.len()];
    for (element, link) in bounds.marker_elements.iter().zip(&bounds.links) {
        links[*element as usize] = *link;
    }
    prop_assert_eq!(reference::links(stream.tags()), links);
    for rect in bounds.clips.iter().chain(&bounds.contents).chain(&bounds.boxes) {
        let canonical = rect.canonical().expect("no NaN").to_array().map(f32::to_bits);
        prop_assert_eq!(canonical, rect.to_array().map(f32::to_bits));
    }
    Ok(())
}

/// Checks that boxes are inside their ancestors' boxes, and that contents cover everything inside the node.
fn check_soundness(stream: &Stream) -> Result<(), TestCaseError> {
    let (bounds, oracle) = (reference::bounds(stream), Oracle::new(stream));
    for (clip, content) in bounds.clips.iter().zip(&bounds.contents) {
        prop_assert!(clip.contains(*content));
    }
    for (ix, inner) in bounds.boxes.iter().enumerate() {
        prop_assert!(stream.viewport().contains(*inner));
        // The first node around an end is the node that it ends, whose bounds it repeats.
        let itself = usize::from(stream.tags()[ix].role() == Role::End);
        for outer in oracle.around(ix).skip(itself) {
            let node = bounds.marker_of(outer as u32).expect("what is around is a node");
            prop_assert!(stream.rects()[outer].contains(bounds.clips[node]));
            prop_assert!(bounds.contents[node].contains(*inner), "{} in {}", ix, outer);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn reference_matches_the_oracle(
        stream in strategy::stream(40), mut filters in strategy::choices(160),
    ) {
        check_against_oracle(&stream)?;
        check_soundness(&stream)?;
        check_against_oracle(&filtered_by(&mut filters, &stream, 30, 4, footprint))?;
    }

    #[test]
    fn reused_bounds_equal_new_bounds(old in strategy::stream(40), new in strategy::stream(40)) {
        let mut answer = reference::bounds(&old);
        reference::bounds_into(&new, &mut answer);
        prop_assert_eq!(answer, reference::bounds(&new));
    }
}

#[test]
fn all_shapes_match_the_oracle() {
    for shape in SHAPES {
        let stream = shape.stream(120, 5);
        let checked = check_against_oracle(&stream).and_then(|()| check_soundness(&stream));
        checked.unwrap_or_else(|error| panic!("{}: {error}", shape.name));
    }
}
