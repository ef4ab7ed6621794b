use super::*;
use crate::check_text;

/// A drawing with definitions, a use and a group that is too large for a piece of 4 elements.
const MAP: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><!-- a map -->
<clipPath id='c'><rect width='5' height='5'/></clipPath><path id='p' d='M0 0L5 5'/>
<g id='roads' fill='url(#f)'><rect/><rect/><defs><pattern id='f'/></defs>
<g><use href='#p'/><rect clip-path='url(#c)'/><rect/><rect/><rect/></g></g> <rect/><text>a</text></svg>";

fn pieces(text: &str, elements: u64) -> Vec<String> {
    let pieces = Pieces::of(text, elements, &Limits::default()).unwrap();
    (0..pieces.count()).map(|piece| pieces.text(piece)).collect()
}

fn why(text: &str) -> String {
    let mut pieces = match Pieces::of(text, 2, &Limits::default()) {
        Ok(pieces) => pieces,
        Err(Refused::NotInPieces { why }) => return why,
        Err(other) => panic!("{other}"),
    };
    let texts: Vec<_> = (0..pieces.count()).map(|piece| pieces.text(piece)).collect();
    let limits = Limits::default();
    let checks =
        texts.iter().map(|text| check_text(text, &limits, |one| pieces.check(one, &limits)));
    match checks.collect::<Result<(), _>>() {
        Err(Refused::NotInPieces { why }) => why,
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_piece_has_its_own_elements_and_what_they_refer_to() {
    let clip = "<clipPath guard-part=\"0\" id='c'><rect width='5' height='5'/></clipPath>";
    let path = "<path guard-part=\"1\" id='p' d='M0 0L5 5'/>";
    let roads = "<g guard-part=\"open-0\" id='roads' fill='url(#f)'>";
    let pattern = "<defs guard-part=\"3\"><pattern id='f'/></defs>";
    let root = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>";
    let f = format!("<defs guard-part=\"aside\">{roads}{pattern}</g></defs>");
    let of_group = format!(
        "<defs guard-part=\"aside\"><!-- a map -->\n{clip}{path}{roads}{pattern}</g></defs>"
    );
    let group = "<g guard-part=\"open-1\">";
    let expected = [
        format!("{root}<!-- a map -->\n{clip}{path}{f}</svg>"),
        format!("{root}{roads}<rect/><rect/>{pattern}</g></svg>"),
        format!(
            "{root}{of_group}{roads}{group}<use href='#p'/><rect clip-path='url(#c)'/><rect/><rect/></g></g></svg>"
        ),
        format!("{root}{f}{roads}{group}<rect/></g></g> <rect/><text>a</text></svg>"),
    ];
    assert_eq!(pieces(MAP, 4), expected);
}

#[test]
fn all_in_one_piece_is_the_drawing_but_for_marks() {
    let text = pieces(MAP, 100).concat();
    assert_eq!(text.replace(" guard-part=\"0\"", "").replace(" guard-part=\"1\"", "").len(), {
        // The group is not opened, so that the pattern in it is repeated with all of it.
        MAP.len() + " guard-part=\"2\"".len()
    });
}

#[test]
fn every_element_is_own_in_one_piece() {
    for elements in 1..12 {
        let all = pieces(MAP, elements);
        let count = |what: &str| all.iter().map(|text| text.matches(what).count()).sum::<usize>();
        assert_eq!(count("<rect/>"), 6, "pieces of {elements}");
        assert_eq!((count("<text>"), count("<use ")), (1, 1));
    }
}

#[test]
fn style_sheets_keep_their_places() {
    let text = "<svg xmlns='http://www.w3.org/2000/svg'><style>a{}</style><g/><style>b{fill:url(#x)}</style><g/><i id='x'/></svg>";
    let order = |text: &str| text.find("a{}") < text.find("b{") && text.contains("id='x'");
    assert!(pieces(text, 1).iter().all(|text| order(text)));
}

#[test]
fn what_could_be_wrong_is_refused() {
    let svg = |inside: &str| {
        format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{inside}</svg>")
    };
    let cases = [
        (
            svg("<style>g + g{fill:red}</style><g/>"),
            "the selector 'g + g' looks at siblings, parents or <defs>",
        ),
        (svg("<style>g:first-child{fill:red}</style>"), "the selector 'g:first-child' looks"),
        (svg("<style>g > g{fill:red}</style>"), "the selector 'g > g' looks"),
        (svg("<style>g{opacity:.5}</style><g><g/><g/><g/></g>"), "<g> has 'opacity', an effect"),
        (svg("<use href='#a'/><g id='a'/><g id='a'/><g/>"), "several elements have the id 'a'"),
        (
            svg(
                "<clipPath id='a'><g clip-path='url(#b)'/></clipPath><clipPath id='b'><g clip-path='url(#a)'/></clipPath><g clip-path='url(#a)'/>",
            ),
            "references lead round in a circle",
        ),
    ];
    for (text, expected) in cases {
        let why = why(&text);
        assert!(why.starts_with(expected), "{why}, not {expected}: {text}");
    }
    let entities =
        "<!DOCTYPE svg [<!ENTITY r '<rect/>'>]><svg xmlns='http://www.w3.org/2000/svg'>&r;</svg>";
    assert_eq!(why(entities), "its elements use entities that it declares");
    let entities = "<!DOCTYPE svg [<!ENTITY p 'url(#g)'>]><svg fill='&p;'><g/></svg>";
    assert_eq!(why(entities), "its outermost element uses entities that it declares");
    assert_eq!(why("<svg/>"), "it has no elements");
    assert!(why("<svg><g guard-part='aside'/></svg>").starts_with("it has the word 'guard-part'"));
}

#[test]
fn an_element_that_is_too_large_is_named() {
    let stops = "<stop/>".repeat(1_000_001);
    let text = format!("<svg><linearGradient id='a'>{stops}</linearGradient></svg>");
    let expected = "usvg reads at most 1000000 elements at once, and the drawing cannot be read in pieces: \
        <linearGradient id=\"a\"> alone has 1000002 elements such as <stop> inside; split it into several files";
    assert_eq!(Pieces::of(&text, 1000, &Limits::default()).unwrap_err().to_string(), expected);
}

#[test]
fn broken_texts_are_refused() {
    let angles = "<svg><<<<<<<<\u{2039}\u{e9}:style>a{}\u{2039}/\u{e9}:style><g/></svg>";
    let closed = "<svg><<<<<<<<\u{e9}:style>a{}</\u{e9}:style><g/></svg>";
    let crossed = "<svg><g><g/><g/><g/><g/></h></svg>";
    let short = ["", "<svg>", "</svg>", "<svg></svg></svg>", "<svg><g></svg>", "<svg></svg><g/>"];
    for text in short.into_iter().chain([angles, closed, crossed, "<svg a='<'></svg>"]) {
        assert!(
            matches!(Pieces::of(text, 3, &Limits::default()), Err(Refused::BadXml { .. })),
            "{text}"
        );
    }
}

#[test]
fn pieces_together_have_limits() {
    let mut pieces = Pieces::of(MAP, 4, &Limits::default()).unwrap();
    let limits = Limits { visits: 12, in_pieces: 1, ..Limits::default() };
    let texts: Vec<_> = (0..pieces.count()).map(|piece| pieces.text(piece)).collect();
    let mut checks =
        texts.iter().map(|text| check_text(text, &limits, |one| pieces.check(one, &limits)));
    assert_eq!(checks.next(), Some(Ok(())));
    assert!(checks.any(|one| one == Err(Refused::TooMuch { max: 12 })));
}

#[test]
fn a_deep_nest_is_refused_before_it_is_cut() {
    let nest = |open: &str, depth: usize| {
        format!("<svg>{}{}</svg>", open.repeat(depth), "</g>".repeat(depth))
    };
    let of = |text: &str| Pieces::of(text, 1, &Limits::default()).map(|pieces| pieces.count());
    let max = 1024;
    assert!(of(&nest("<g><style></style>", 1022)).is_ok());
    let deep = of(&nest("<g><style></style>", 1023));
    assert_eq!(deep, Err(Refused::TooNested { depth: 1025, max }));
    assert!(matches!(of(&nest("<g>", 600_000)), Err(Refused::TooNested { .. })));
}

#[test]
fn what_is_repeated_is_paid_for() {
    let paths = "<path/>".repeat(60);
    let text = format!(
        "<svg width='9' height='9'><defs>{paths}<path id='p'/></defs>{}</svg>",
        "<use href='#p'/>".repeat(40)
    );
    let limits = Limits { elements: 1000, ..Limits::default() };
    let mut pieces = Pieces::of(&text, 1, &limits).unwrap();
    let texts: Vec<_> = (0..pieces.count()).map(|piece| pieces.text(piece)).collect();
    let checks =
        texts.iter().map(|text| check_text(text, &limits, |one| pieces.check(one, &limits)));
    let why = checks.collect::<Result<(), _>>().unwrap_err().to_string();
    assert!(why.contains("more than 2000 elements of all pieces together"), "{why}");
}
