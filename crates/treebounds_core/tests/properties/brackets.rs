//! Properties of bracket matching with kinds and segments.

use proptest::collection::vec;
use proptest::prelude::*;
use treebounds_core::{
    Bracket, BracketError, BracketErrorKind, BracketRole, NONE, NodeKind, Tag, reference,
};

/// Random brackets of two kinds, with segment ends.
fn brackets() -> impl Strategy<Value = Vec<Bracket>> {
    let bracket = prop_oneof![
        1 => Just(Bracket::OTHER),
        1 => Just(Bracket::RESET),
        4 => (0..2_u32).prop_map(Bracket::open),
        4 => (0..2_u32).prop_map(Bracket::close),
    ];
    vec(bracket, 0..60)
}

/// A parser without recovery, which stops at the first error.
fn parse(elements: &[Bracket]) -> Option<(u32, BracketErrorKind)> {
    let mut open = Vec::new();
    for (ix, bracket) in (0..).zip(elements) {
        match bracket.role() {
            BracketRole::Open => open.push((ix, bracket.kind())),
            BracketRole::Close => match open.pop() {
                None => return Some((ix, BracketErrorKind::Unopened)),
                Some((_, kind)) if kind == bracket.kind() => {}
                Some(_) => return Some((ix, BracketErrorKind::Mismatched)),
            },
            BracketRole::Other | BracketRole::Reset => {}
        }
    }
    open.first().map(|(ix, _)| (*ix, BracketErrorKind::Unclosed))
}

#[test]
fn results_match_the_example_in_the_docs() {
    let element = |character| match character {
        '(' | '[' | '{' => Bracket::open(character.into()),
        ')' => Bracket::close('('.into()),
        ']' => Bracket::close('['.into()),
        '}' => Bracket::close('{'.into()),
        _ => Bracket::RESET,
    };
    let found = reference::brackets(&"[{}];{];);([".chars().map(element).collect::<Vec<_>>());
    assert_eq!(found.partners, [3, 2, 1, 0, NONE, 6, 5, NONE, NONE, NONE, NONE, NONE]);
    assert_eq!(found.links, [NONE, 0, 1, 0, NONE, NONE, 5, NONE, NONE, NONE, NONE, 10]);
    assert_eq!(found.depths, [0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(found.segments.iter().map(|segment| segment.end).collect::<Vec<_>>(), [4, 7, 9, 12]);
    let errors = [
        None,
        Some(BracketError { element: 6, kind: BracketErrorKind::Mismatched }),
        Some(BracketError { element: 8, kind: BracketErrorKind::Unopened }),
        Some(BracketError { element: 10, kind: BracketErrorKind::Unclosed }),
    ];
    assert_eq!(
        found.segments.iter().map(|segment| segment.first_error()).collect::<Vec<_>>(),
        errors
    );
}

#[test]
fn words_contain_a_role_and_a_kind() {
    for kind in [0, 1, 5, Bracket::KINDS - 1] {
        let (open, close) = (Bracket::open(kind), Bracket::close(kind));
        assert_eq!((open.role(), open.kind()), (BracketRole::Open, kind));
        assert_eq!((close.role(), close.kind()), (BracketRole::Close, kind));
        assert_eq!(Bracket::from(open.bits()), open);
    }
    assert_eq!(Bracket::open(Bracket::KINDS), Bracket::open(0));
}

proptest! {
    /// Each segment has the same result when matched alone, and its first error is where a parser stops.
    #[test]
    fn segments_are_independent(elements in brackets()) {
        let all = reference::brackets(&elements);
        let mut start = 0;
        for (number, segment) in elements.split(|bracket| *bracket == Bracket::RESET).enumerate() {
            let alone = reference::brackets(segment);
            let moved = |index: u32| if index == NONE { NONE } else { index + start as u32 };
            let range = start..start + segment.len();
            let links: Vec<u32> = alone.links.into_iter().map(moved).collect();
            let partners: Vec<u32> = alone.partners.into_iter().map(moved).collect();
            prop_assert_eq!(&all.links[range.clone()], links);
            prop_assert_eq!(&all.partners[range.clone()], partners);
            prop_assert_eq!(&all.depths[range.clone()], alone.depths);
            prop_assert_eq!(all.segments[number].end as usize, range.end);
            let found = all.segments[number].first_error().map(|error| (error.element, error.kind));
            prop_assert_eq!(found, parse(segment).map(|(ix, kind)| (moved(ix), kind)));
            start = range.end + 1;
        }
        prop_assert_eq!(start, elements.len() + 1);
    }

    /// With one segment, links equal those of parentheses matching.
    #[test]
    fn links_ignore_kinds(elements in brackets()) {
        let mut elements = elements;
        elements.retain(|bracket| *bracket != Bracket::RESET);
        let tag = |bracket: &Bracket| match bracket.role() {
            BracketRole::Open => Tag::begin(NodeKind::Clip),
            BracketRole::Close => Tag::end(NodeKind::Clip),
            _ => Tag::DRAW,
        };
        let tags: Vec<Tag> = elements.iter().map(tag).collect();
        prop_assert_eq!(reference::brackets(&elements).links, reference::links(&tags));
    }
}
