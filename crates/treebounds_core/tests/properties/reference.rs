//! The reference against the contract, and the guarantees that a renderer relies on.

use proptest::prelude::*;
use treebounds_core::{NONE, NodeKind, Rect, Role, Stream, Tag, reference};
use treebounds_testkit::Oracle;
use treebounds_testkit::streams::{self, SHAPES, strategy};

fn agrees_with_the_oracle(stream: &Stream) -> Result<(), TestCaseError> {
    let (bounds, oracle) = (reference::bounds(stream), Oracle::new(stream));
    for (node, element) in bounds.marker_elements.iter().enumerate() {
        let ix = *element as usize;
        prop_assert_eq!(bounds.links[node], oracle.link(ix), "link of {}", ix);
        prop_assert_eq!(bounds.clips[node], oracle.clip(ix), "clip of {}", ix);
        prop_assert_eq!(bounds.contents[node], oracle.content(ix), "content of {}", ix);
    }
    for (ix, found) in bounds.boxes.iter().enumerate() {
        prop_assert_eq!(*found, oracle.bounds(ix), "bounds of {}", ix);
    }
    Ok(())
}

/// No box reaches out of a node around it, and every node's content contains everything inside it.
fn is_sound(stream: &Stream) -> Result<(), TestCaseError> {
    let (bounds, oracle) = (reference::bounds(stream), Oracle::new(stream));
    for (clip, content) in bounds.clips.iter().zip(&bounds.contents) {
        prop_assert!(clip.contains(*content));
    }
    for (ix, inner) in bounds.boxes.iter().enumerate() {
        prop_assert!(stream.viewport().contains(*inner));
        // The first node around an end is the one that it ends, whose bounds it repeats.
        let itself = usize::from(stream.tags()[ix].role() == Role::End);
        for outer in oracle.around(ix).skip(itself) {
            let node = bounds.marker_of(outer as u32).expect("what is around is a node");
            prop_assert!(stream.rects()[outer].contains(bounds.clips[node]));
            prop_assert!(bounds.contents[node].contains(*inner), "{} in {}", ix, outer);
        }
    }
    Ok(())
}

fn is_well_formed(stream: &Stream) -> Result<(), TestCaseError> {
    let bounds = reference::bounds(stream);
    let nodes = bounds.marker_elements.len();
    prop_assert_eq!(bounds.boxes.len(), stream.len());
    prop_assert_eq!(nodes, stream.marker_count());
    prop_assert_eq!([bounds.links.len(), bounds.clips.len(), bounds.contents.len()], [nodes; 3]);
    prop_assert!(bounds.marker_elements.is_sorted_by(|a, b| a < b));
    let links = reference::links(stream.tags());
    for (node, element) in bounds.marker_elements.iter().enumerate() {
        prop_assert_eq!(bounds.links[node], links[*element as usize]);
        let link = bounds.links[node];
        prop_assert!(link == NONE || link < *element);
        if stream.tags()[*element as usize].role() == Role::End && link != NONE {
            let begin = bounds.marker_of(link).expect("a link names a node");
            prop_assert_eq!(bounds.clips[node], bounds.clips[begin]);
            prop_assert_eq!(bounds.contents[node], bounds.contents[begin]);
            prop_assert_eq!(bounds.boxes[*element as usize], bounds.boxes[link as usize]);
        }
    }
    Ok(())
}

fn all_canonical(stream: &Stream) -> Result<(), TestCaseError> {
    let bounds = reference::bounds(stream);
    for rect in bounds.clips.iter().chain(&bounds.contents).chain(&bounds.boxes) {
        let canonical = rect.canonical().expect("no NaN").to_array().map(f32::to_bits);
        prop_assert_eq!(canonical, rect.to_array().map(f32::to_bits));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_reference_is_the_contract(stream in strategy::stream(40)) {
        agrees_with_the_oracle(&stream)?;
    }

    #[test]
    fn bounds_are_sound(stream in strategy::stream(40)) {
        is_sound(&stream)?;
    }

    #[test]
    fn the_answer_is_well_formed(stream in strategy::stream(40)) {
        is_well_formed(&stream)?;
        all_canonical(&stream)?;
    }

    #[test]
    fn an_old_answer_leaves_no_trace(old in strategy::stream(40), new in strategy::stream(40)) {
        let mut answer = reference::bounds(&old);
        reference::bounds_into(&new, &mut answer);
        prop_assert_eq!(answer, reference::bounds(&new));
    }

    /// The flags of an end are only for readers of a dump.
    #[test]
    fn the_kind_of_an_end_is_never_read(stream in strategy::stream(40)) {
        let plain = |tag: &Tag| match tag.role() {
            Role::End => Tag::end(NodeKind::Blend).non_local(),
            _ => *tag,
        };
        let tags = stream.tags().iter().map(plain).collect();
        let same = Stream::new(tags, stream.rects().to_vec(), stream.viewport()).unwrap();
        prop_assert_eq!(reference::bounds(&same), reference::bounds(&stream));
    }

    /// Ends without a begin change nothing, wherever they are.
    #[test]
    fn stray_ends_change_nothing(stream in strategy::stream(40)) {
        let mut closed = vec![Tag::end(NodeKind::Clip); 3];
        closed.extend(stream.tags());
        let mut rects = vec![Rect::NOTHING; 3];
        rects.extend(stream.rects());
        let shifted = Stream::new(closed, rects, stream.viewport()).unwrap();
        let (a, b) = (reference::bounds(&stream), reference::bounds(&shifted));
        prop_assert_eq!(&b.boxes[3..], &a.boxes);
        prop_assert_eq!(&b.clips[3..], &a.clips);
    }
}

#[test]
fn every_shape_agrees_with_the_contract() {
    for shape in SHAPES {
        let stream = shape.stream(120, 5);
        let checked = agrees_with_the_oracle(&stream)
            .and_then(|()| is_sound(&stream))
            .and_then(|()| is_well_formed(&stream))
            .and_then(|()| all_canonical(&stream));
        checked.unwrap_or_else(|error| panic!("{}: {error}", shape.name));
    }
}

#[test]
fn mixtures_agree_with_the_contract() {
    for seed in 0..200 {
        let stream = streams::random_mixture(seed, 80);
        agrees_with_the_oracle(&stream).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    }
}
