//! Small inputs and their rewritten output.

use std::sync::Arc;
use usvg_css::{Error, MARK, Media, Page, Part, Reader, usvg::fontdb::Database};

fn rewrite(inside: &str) -> Page {
    let text = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' id='root' width='100' height='100'>{inside}</svg>"
    );
    let reader = Reader::new(Arc::new(Database::new()), Media::default(), &());
    let mut page = reader.rewrite(&text).expect("a good text");
    reader.parse(&mut page).expect("usvg reads it");
    page
}

#[track_caller]
fn assert_written(inside: &str, expected: &str) {
    let text = rewrite(inside).text;
    assert!(text.contains(expected), "{expected} is not in {text}");
}

#[test]
fn sheets_become_attributes() {
    let sheet = "<style>@layer a { #a { fill: red } } g > rect { fill: rgb(0 0 255) }</style>";
    let inside = format!("{sheet}<g id='g'><rect id='a' width='9' height='9'/></g>");
    let expected =
        "<g id=\"g\"><rect id=\"a\" fill=\"#0000ff\" height=\"9\" width=\"9\"></rect></g>";
    assert_written(&inside, expected);
}

#[test]
fn uses_become_groups_with_copies_without_ids() {
    let inside = "<defs><rect id='r' width='2em' height='9'/></defs><use id='u' href='#r' x='5' font-size='10'/>";
    let expected = "<g id=\"u\" font-size=\"10\" transform=\"matrix(1 0 0 1 5 0)\"><rect height=\"9\" width=\"20\">";
    assert_written(inside, expected);
    let clip = "<clipPath id='c'><use id='u' href='#r' x='5'/></clipPath><rect id='r' width='9' height='9'/>";
    assert_written(clip, "</defs><use id=\"u\" x=\"5\" href=\"#");
}

#[test]
fn non_scaling_strokes_keep_their_width_on_the_page() {
    let line = "<path id='a' d='M0 0H9' stroke='red' stroke-width='4' vector-effect='non-scaling-stroke'/>";
    assert_written(&format!("<g transform='scale(2)'>{line}</g>"), "stroke-width=\"2\"");
    let uneven =
        "<g transform=\"matrix(0.5 0 0 1 0 0)\"><path d=\"M0,0 L18,0\" fill=\"none\"/></g>";
    assert_written(&format!("<g transform='scale(2 1)'>{line}</g>"), uneven);
}

#[test]
fn elements_are_found_by_their_ids() {
    let page = rewrite("<g id='a'/><g id='a'><rect width='9' height='9'/></g><defs><path/></defs>");
    let parts: Vec<Part> = page.elements.all.iter().map(|one| one.part).collect();
    let (painted, defined) = (Part::Painted, Part::Definition);
    assert_eq!(parts, [painted, painted, painted, painted, defined, defined]);
    assert_eq!(page.elements.find("root"), Some(0));
    assert_eq!(page.elements.find("a"), None, "two elements have it");
    let second = format!("{MARK}2");
    assert_eq!(page.elements.find(&second), Some(2));
    assert_eq!(page.elements.own_id(&second), "a");
    assert!(page.text.contains(&format!("<g id=\"{second}\"><rect ")), "{}", page.text);
}

#[test]
fn lines_name_elements_with_ignored_parts() {
    let page =
        rewrite("<rect id='a' style='zoom:2'/><rect style='zoom:3'/><use id='u' href='#u'/>");
    let zoom = "zoom of #a, root: left out; the box is that without it";
    let circle = "use of #u: left out, because it is a circular reference";
    assert_eq!(page.lines(), [zoom.replace("root", "svg/rect[2]").as_str(), circle]);
}

#[test]
fn expanded_uses_are_limited() {
    let level = |at: usize| {
        format!("<g id='l{}'>{}</g>", at + 1, format!("<use href='#l{at}'/>").repeat(10))
    };
    let levels: String = (0..9).map(level).collect();
    let text = format!("<svg xmlns='http://www.w3.org/2000/svg'><g id='l0'/>{levels}</svg>");
    let reader = Reader::new(Arc::new(Database::new()), Media::default(), &());
    assert_eq!(reader.rewrite(&text).map(|_| ()), Err(Error::TooManyUsed));
}
