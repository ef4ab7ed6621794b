//! The bombs, each made anew.

use std::fmt::Write;

fn file(inside: &str) -> String {
    let xlink = "xmlns:xlink='http://www.w3.org/1999/xlink'";
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' {xlink} width='100' height='100'>{inside}</svg>"
    )
}

/// Ten of ten of ten ..., so many levels.
fn tens(levels: usize, tag: &str, by: &str) -> String {
    let mut out = format!("<{tag} id='b0' width='1' height='1'><path d='M0 0 1 1 2 0'/></{tag}>");
    for level in 1..=levels {
        let inside = by.replace('?', &format!("#b{}", level - 1)).repeat(10);
        write!(out, "<{tag} id='b{level}' width='1' height='1'>{inside}</{tag}>").unwrap();
    }
    file(&(out + &by.replace('?', &format!("#b{levels}"))))
}

/// Three definitions in a circle.
fn circle(tag: &str, property: &str) -> String {
    let one = |(id, to)| {
        format!(
            "<{tag} id='{id}' width='1' height='1'><path d='M0 0h9v9z' {property}='url(#{to})'/></{tag}>"
        )
    };
    let all: String = [("a", "b"), ("b", "c"), ("c", "a")].map(one).concat();
    file(&format!("{all}<path d='M0 0h9v9z' {property}='url(#a)'/>"))
}

/// A chain of definitions.
fn chain(count: usize, tag: &str, property: &str) -> String {
    let one = |at: usize| {
        let next = at + 1;
        format!(
            "<{tag} id='a{at}' width='1' height='1'><path d='M0 0h9v9z' {property}='url(#a{next})'/></{tag}>"
        )
    };
    let all: String = (0..count).map(one).collect();
    file(&format!("{all}<path d='M0 0h9v9z' {property}='url(#a0)'/>"))
}

fn entities() -> String {
    let mut text = String::from("<!DOCTYPE svg [<!ENTITY e0 \"ha\">");
    for level in 1..9 {
        let references = format!("&e{};", level - 1).repeat(10);
        write!(text, "<!ENTITY e{level} '{references}'>").unwrap();
    }
    text + "]>" + &file("<text>&e8;</text>")
}

/// An image in an image in an image ...
fn images(levels: usize) -> String {
    let mut inner = file("<rect width='9' height='9'/>");
    for _ in 0..levels {
        let escaped = inner.replace('%', "%25").replace('<', "%3C").replace('>', "%3E");
        let href = escaped.replace('\'', "%22").replace('#', "%23");
        inner = file(&format!("<image width='9' height='9' href='data:image/svg+xml,{href}'/>"));
    }
    inner
}

/// All bombs, by name.
pub(crate) fn bombs() -> Vec<(&'static str, String)> {
    let path = "<path d='M0 0h9v9z'/>";
    let paint = |by: &str| format!("<path d='M0 0 1 1 2 0' {by}='url(?)'/>");
    let attributes: String = (0..200_000).map(|at| format!(" a{at}=''")).collect();
    let rules: String = (0..20_000).map(|at| format!(".c{at}{{fill:red}}")).collect();
    let nest = "<g>".repeat(1000) + &"</g>".repeat(1000);
    let stops = "<stop offset='0'/><stop offset='.5' stop-color='red'/>".repeat(25_000);
    let long = format!("<path id='p' d='M0 0{}'/>", "h1".repeat(1_000_000));
    let curves = format!("<path id='p' d='M0 0{}'/>", "c1 2 3 4 5 6".repeat(100_000));
    let data = format!("<image id='p' href='data:image/png;base64,{}'/>", "A".repeat(1 << 20));
    let round = [("a", "b"), ("b", "c"), ("c", "a")];
    let titled = round.map(|(id, to)| {
        format!(
            "<pattern id='{id}' xlink:href='#{id}x' width='1' height='1'><title/></pattern>
             <pattern id='{id}x' width='1' height='1'><path d='M0 0h9v9z' fill='url(#{to})'/></pattern>"
        )
    });
    let titled = titled.concat();
    let styled = round.map(|(id, to)| {
        format!("<clipPath id='{id}'><path d='M0 0h9v9z' style='clip-path:url(#{to})'/></clipPath>")
    });
    let styled = styled.concat();
    let twice: String = (1..=30)
        .map(|at| {
            let below = at - 1;
            format!(
                "<g id='g{at}' filter='url(#F{at})'><use xlink:href='#g{below}'/></g>
                 <filter id='F{at}'><feImage xlink:href='#g{at}'/></filter>"
            )
        })
        .collect();
    let twice = format!("<defs><g id='g0'>{path}</g>{twice}</defs><use xlink:href='#g30'/>");
    let pattern = format!("<pattern id='P' width='1' height='1'>{}</pattern>", path.repeat(2000));
    let uses = |count| "<use xlink:href='#p'/>".repeat(count);
    vec![
        ("entities, ten of ten of ten ...: billion laughs", entities()),
        ("uses, ten of ten of ten ...", tens(10, "g", "<use xlink:href='?'/>")),
        ("patterns, ten of ten of ten ...", tens(7, "pattern", &paint("fill"))),
        ("masks, ten of ten of ten ...", tens(7, "mask", &paint("mask"))),
        ("markers, ten of ten of ten ...", tens(7, "marker", &paint("marker-end"))),
        ("clip paths, ten of ten of ten ...", tens(7, "clipPath", &paint("clip-path"))),
        ("images in images, 8 deep", images(8)),
        ("3 clip paths in a circle", circle("clipPath", "clip-path")),
        ("3 masks in a circle", circle("mask", "mask")),
        ("3 patterns in a circle", circle("pattern", "fill")),
        ("3 markers in a circle", circle("marker", "marker-end")),
        (
            "a pattern in a circle by inheritance",
            file(&format!(
                "<g fill='url(#p)'><pattern id='p' width='1' height='1'>{path}</pattern>{path}</g>"
            )),
        ),
        (
            "3 gradients in a circle",
            file(&format!(
                "<linearGradient id='a' xlink:href='#b'/><linearGradient id='b' xlink:href='#c'/>
                 <linearGradient id='c' xlink:href='#b'/><g fill='url(#a)'>{path}</g>"
            )),
        ),
        (
            "a filter that shows a use of what it filters",
            file(
                "<filter id='F'><feImage xlink:href='#u'/></filter>
                 <defs><rect id='r' width='9' height='9' filter='url(#F)'/></defs>
                 <use id='u' xlink:href='#r'/>",
            ),
        ),
        (
            "3 clip paths in a circle, in spans without a text",
            circle("clipPath", "clip-path")
                .replace("<clip", "<tspan><clip")
                .replace("</clipPath>", "</clipPath></tspan>"),
        ),
        (
            "3 patterns in a circle, from patterns with a title",
            file(&format!("{titled}<path d='M0 0h9v9z' fill='url(#a)'/>")),
        ),
        (
            "3 clip paths in a circle, by what is inherited and important",
            file(&format!(
                "<style>path{{clip-path:inherit!important}}</style>{styled}<g clip-path='url(#a)'>{path}</g>"
            )),
        ),
        ("30 filters that show twice as much each", file(&twice)),
        (
            "60,000 clips taken out one by one",
            file(&format!(
                "<clipPath id='c'><path d='M0 0h9v9z' clip-path='url(#all)'/></clipPath><g id='all'>{}</g>",
                "<path d='M0 0h9v9z' clip-path='url(#c)'/>".repeat(60_000)
            )),
        ),
        ("a chain of 10,000 patterns", chain(10_000, "pattern", "fill")),
        ("a chain of 100,000 clip paths", chain(100_000, "clipPath", "clip-path")),
        (
            "groups nested 1,000,000 deep",
            file(&("<g>".repeat(1_000_000) + &"</g>".repeat(1_000_000))),
        ),
        ("200,000 attributes", file(&format!("<rect{attributes}/>"))),
        (
            "20,000 rules, 20,000 elements",
            file(&format!("<style>{rules}</style>{}", "<rect class='x'/>".repeat(20_000))),
        ),
        (
            "selector zz g g g, 1,000 groups",
            file(&format!("<style>zz g g g{{fill:red}}</style>{nest}")),
        ),
        ("a path of 1,000,000 segments used 1,000 times", file(&(long + &uses(1000)))),
        (
            "50,000 stops for 20,000 shapes",
            file(&format!(
                "<linearGradient id='g'>{stops}</linearGradient><g fill='url(#g)'>{}</g>",
                path.repeat(20_000)
            )),
        ),
        (
            "200 shapes in 99 markers, painted with 2,000",
            file(&format!(
                "{pattern}<marker id='M'>{}</marker><path fill='url(#P)' marker-mid='url(#M)' d='M0 0{}'/>",
                "<path d='M0 0h9v9z' fill='context-fill'/>".repeat(200),
                "h1v1".repeat(50)
            )),
        ),
        (
            "5,000 letters in their places, painted with 2,000 shapes",
            file(&format!(
                "{pattern}<text fill='url(#P)' x='{}'>{}</text>",
                "1 2 3 4 5 ".repeat(1000),
                "abcde".repeat(1000)
            )),
        ),
        (
            "100,000 dashes inherited by 100,000 shapes",
            file(&format!(
                "<g stroke='red' stroke-dasharray='{}'>{}</g>",
                "1 ".repeat(100_000),
                path.repeat(100_000)
            )),
        ),
        (
            "an id of 1 MB around 10,000 shapes, as text",
            file(&format!(
                "<defs><text id='{}'>a</text></defs>{}",
                "x".repeat(1 << 20),
                path.repeat(10_000)
            )),
        ),
        ("a data URI of 1 MB used 10,000 times", file(&(data + &uses(10_000)))),
        (
            "300,000 tspans",
            file(&format!("<text>{}</text>", "<tspan x='1'>a</tspan>".repeat(300_000))),
        ),
        ("a text of 300,000 letters", file(&format!("<text>{}</text>", "ab ".repeat(100_000)))),
        (
            "1,000 empty textPaths on 100,000 curves",
            file(&format!(
                "{curves}<text>{}</text>",
                "<textPath xlink:href='#p' startOffset='9%'/>".repeat(1000)
            )),
        ),
        (
            "text on a path of 10^38 pixels",
            file(
                "<path id='p' d='M-1e38 73C35 108 85 108 100 73'/>
                 <text><textPath xlink:href='#p'>abc</textPath></text>",
            ),
        ),
        ("an arc of radius 10^38", file("<path d='M0 0a1e38 1.0001 0 1 0 .6 1.9'/>")),
        (
            "100,000 clips by what is no clip path",
            file(&format!(
                "<g id='all'><clipPath id='c'>{}</clipPath></g>",
                "<path d='M0 0h9v9z' clip-path='url(#all)'/>".repeat(100_000)
            )),
        ),
        (
            "100,000 uses that show themselves",
            file(&format!(
                "<g id='a'>{}{}</g>",
                "<g/>".repeat(100_000),
                "<use xlink:href='#a'/>".repeat(100_000)
            )),
        ),
        (
            "an image 10^30 high",
            file(
                "<image width='10' height='1e30' href='data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%229%22 height=%229%22/%3E'/>",
            ),
        ),
        (
            "a filter as wide as a billionth of a box",
            file(
                "<filter id='F' x='0' width='1e-9'><feFlood/></filter><rect x='30' width='30' height='30' filter='url(#F)'/>",
            ),
        ),
        ("a quadratic curve 10^20 long", file("<path d='M0 0Q1e20 1e20 3e20 1e20' stroke='red'/>")),
        (
            "a dashed circle of radius 10^30",
            file("<circle r='1e30' stroke='red' stroke-dasharray='1e27'/>"),
        ),
        (
            "noise of frequency 10^39",
            file(
                "<filter id='F'><feTurbulence baseFrequency='1e39'/></filter><rect width='9' height='9' filter='url(#F)'/>",
            ),
        ),
    ]
}
