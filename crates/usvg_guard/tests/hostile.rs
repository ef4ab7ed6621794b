//! Files made to take a program down, by name: each is read, or refused for a reason, in seconds.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{SHAPE, file, left_out, read, read_file, refused};
use std::fmt::Write;
use usvg_guard::{Limits, Refused, parse, usvg::Options};

#[test]
fn b01_a_path_used_often() {
    let path = format!("<path id='p' d='M0 0{}'/>", "h1".repeat(1_000_000));
    refused!(&(path + &"<use xlink:href='#p'/>".repeat(1000)), Refused::TooManySegments { .. });
}

#[test]
fn b02_stops_for_many_shapes() {
    let stops = "<stop offset='0'/><stop offset='.5' stop-color='red'/>".repeat(25_000);
    let gradient = format!("<linearGradient id='g'>{stops}</linearGradient><g fill='url(#g)'>");
    let shapes = SHAPE.repeat(20_000);
    refused!(&format!("{gradient}{shapes}</g>"), Refused::TooMuchMemory { .. });
}

#[test]
fn b03_dashes_that_are_inherited() {
    let dashes = "1 ".repeat(100_000);
    let shapes = SHAPE.repeat(100_000);
    let inside = format!("<g stroke='red' stroke-dasharray='{dashes}'>{shapes}</g>");
    refused!(&inside, Refused::TooMuchMemory { .. });
}

#[test]
fn b04_a_data_uri_used_often() {
    let data = "A".repeat(1 << 20);
    let image = format!("<image id='i' href='data:image/png;base64,{data}'/>");
    refused!(&(image + &"<use xlink:href='#i'/>".repeat(2000)), Refused::TooMuchMemory { .. });
}

#[test]
fn b05_a_long_image_used_often_is_read_once() {
    let comment = format!("<!--{}-->", "x".repeat(10 << 20));
    let inner = file(&comment).replace('<', "%3C").replace('>', "%3E").replace('\'', "%22");
    let image = format!(
        "<defs><image id='i' width='9' height='9' href='data:image/svg+xml,{inner}'/></defs>"
    );
    assert!(read(&(image + &"<use xlink:href='#i'/>".repeat(20))).is_ok());
}

#[test]
fn b06_a_long_id_of_many_shapes() {
    let inside = format!("<g id='{}'>{}</g>", "x".repeat(1 << 20), SHAPE.repeat(10_000));
    refused!(&inside, Refused::TooMuchMemory { .. });
}

#[test]
fn b07_a_long_value_that_is_inherited() {
    let inside = format!("<g fill='{}red'>{}</g>", " ".repeat(1 << 20), SHAPE.repeat(100_000));
    refused!(&inside, Refused::TooManySteps { .. });
}

#[test]
fn b08_functions_of_a_filter() {
    let inside = format!("<g filter='{}'>{SHAPE}</g>", "blur(2) ".repeat(3_000_000));
    refused!(&inside, Refused::TooMuchMemory { .. });
}

#[test]
fn b09_stops_behind_a_gradient_without_any() {
    let stops = "<stop offset='0'/><stop offset='.5' stop-color='red'/>".repeat(25_000);
    let gradients = format!(
        "<linearGradient id='g' href='#h'><g/></linearGradient><linearGradient id='h'>{stops}</linearGradient>"
    );
    let shapes = SHAPE.repeat(20_000);
    refused!(&format!("{gradients}<g fill='url(#g)'>{shapes}</g>"), Refused::TooMuchMemory { .. });
}

#[test]
fn b10_patterns_copied_for_all_that_is_painted_alike() {
    let alike = "<path d='M0 0h9v9z' fill='context-fill'/>".repeat(200);
    let pattern = format!("<pattern id='P' width='1' height='1'>{}</pattern>", SHAPE.repeat(2000));
    let marker = format!("<marker id='M'>{alike}</marker>");
    let path = format!("d='M0 0{}' fill='url(#P)' marker-mid='url(#M)'", "h1v1".repeat(50));
    refused!(&format!("{pattern}{marker}<path {path}/>"), Refused::TooMuch { .. });
    let text = format!("x='{}'>{}", "1 2 3 4 5 ".repeat(1000), "abcde".repeat(1000));
    refused!(&format!("{pattern}<text fill='url(#P)' {text}</text>"), Refused::TooMuch { .. });
    let group = format!("<defs><g id='g' fill='red'>{}</g></defs>", alike.repeat(20));
    let used = "<use xlink:href='#g' fill='url(#P)'/>";
    refused!(&(pattern + &group + used), Refused::TooMuch { .. });
}

#[test]
fn c01_attributes_without_end() {
    let mut element = String::from("<rect");
    (0..200_000).for_each(|at| write!(element, " a{at}=''").unwrap());
    refused!(&(element + "/>"), Refused::TooManyAttributes { .. });
}

#[test]
fn c02_namespaces_without_end() {
    let nest: String =
        (0..900).map(|at| format!("<g xmlns:a{at}='u{at}' xmlns:b{at}='u'>")).collect();
    refused!(&(nest + &"</g>".repeat(900)), Refused::TooManyNamespaces { .. });
}

#[test]
fn c03_rules_times_elements() {
    let rules: String = (0..20_000).map(|at| format!(".c{at}{{fill:red}}")).collect();
    let inside = format!("<style>{rules}</style>{}", "<rect class='x'/>".repeat(20_000));
    refused!(&inside, Refused::SlowStyles { .. });
}

#[test]
fn c04_selectors_that_go_back() {
    let nest = |depth: usize| "<g>".repeat(depth) + &"</g>".repeat(depth);
    let sheet = "<style>zz g g g{fill:red}</style>";
    refused!(&(sheet.to_owned() + &nest(1000)), Refused::SlowStyles { .. });
    let long = format!("<style>{}{{fill:red}}</style>", "g ".repeat(2000));
    refused!(&(long + &nest(1000)), Refused::SlowStyles { .. });
}

#[test]
fn d01_spans_without_end() {
    let inside = format!("<text>{}</text>", "<tspan x='1'>a</tspan>".repeat(300_000));
    refused!(&inside, Refused::TooMuchText { .. });
}

#[test]
fn d02_empty_texts_on_a_path() {
    let path = format!("<path id='p' d='M0 0{}'/>", "c1 2 3 4 5 6".repeat(100_000));
    let texts = "<textPath xlink:href='#p' startOffset='9%'/>".repeat(1000);
    refused!(&format!("{path}<text>{texts}</text>"), Refused::TooMuchText { .. });
}

#[test]
fn d03_letters_elsewhere_looked_up_often() {
    let inside = "<g/>".repeat(300_000)
        + &format!("<text>{}</text>", "<tref xlink:href='#x'/>".repeat(100_000));
    refused!(&inside, Refused::TooMuchText { .. });
}

#[test]
fn d04_positions_of_foreign_elements() {
    let letters = "ab ".repeat(50_000);
    let foreign = "<f:tspan x='1'>c</f:tspan>";
    let inside = format!("<text f:x='{}'>{letters}{foreign}{letters}</text>", "1 ".repeat(100_000));
    refused!(&inside, Refused::TooMuchText { .. });
}

#[test]
fn e01_a_path_made_long_by_a_style_sheet() {
    let inside = "<style>text{transform:scale(1e7)}#p{}</style>
        <path id='p' d='M0 0C0 1e11 1e11 1e11 1e11 0'/>
        <text font-size='1e9'><textPath href='#p'>abcdef</textPath></text>";
    refused!(inside, Refused::TooMuchText { .. });
}

#[test]
fn f02_numbers_that_overflow() {
    let svg = "data:image/svg+xml,&lt;svg xmlns=&quot;http://www.w3.org/2000/svg&quot; width=&quot;9&quot; height=&quot;9&quot;/&gt;";
    left_out(&format!("<image width='10' height='1e30' href='{svg}'/>"), &["image href="]);
    let filter = |primitive: &str| {
        format!("<filter id='F'>{primitive}</filter><rect width='9' height='9' filter='url(#F)'/>")
    };
    left_out(&filter("<feMorphology radius='1e39'/>"), &["feMorphology radius"]);
    left_out(&filter("<feTurbulence baseFrequency='1e39'/>"), &["feTurbulence baseFrequency"]);
    left_out(&filter("<feOffset dx='1e9' dy='-1e30'/>"), &["feOffset dx", "feOffset dy"]);
    left_out("<g filter='blur(1e20)'><path d='M0 0h9v9z'/></g>", &["filter: blur(1e20)"]);
    let sheet = "<style>path{filter:drop-shadow(1e39px 1px 2px)!important}</style>";
    left_out(&(sheet.to_owned() + SHAPE), &["path of path"]);
}

#[test]
fn f06_shares_of_a_box_that_vanish() {
    let shape = "x='30' width='30' height='30'";
    let filter = "<filter id='F' x='0' width='1e-9'><feFlood/></filter>";
    left_out(&format!("{filter}<rect {shape} filter='url(#F)'/>"), &["filter width"]);
    let mask = format!("<mask id='F' x='0' width='1e-9'>{SHAPE}</mask>");
    left_out(&format!("{mask}<rect {shape} mask='url(#F)'/>"), &["mask width"]);
    let pattern = format!("<pattern id='F' width='1e-9' height='1'>{SHAPE}</pattern>");
    left_out(&format!("{pattern}<rect {shape} fill='url(#F)'/>"), &["pattern width"]);
    let far = "<filter id='F' width='.5'><feFlood/></filter>
        <rect x='16777216' width='2' height='30' filter='url(#F)'/>";
    left_out(far, &["filter width"]);
    left_out("<rect width='3e38' height='30' filter='sepia(1)'/>", &["rect width"]);
}

#[test]
fn f07_curves_that_overflow() {
    let path = "<path d='M0 0Q1e20 1e20 3e20 1e20' stroke='red'/>";
    left_out(path, &["path d="]);
    left_out("<text font-size='1e25' stroke='red'>abg</text>", &["font-size: 1e25 of text"]);
}

#[test]
fn g01_clip_paths_that_refer_to_the_whole_drawing() {
    let child = "<path d='M0 0h9v9z' clip-path='url(#all)'/>".repeat(100_000);
    let inside = format!("<g id='all'><clipPath id='c'>{child}</clipPath></g>");
    refused!(&inside, Refused::TooManySteps { .. });
}

#[test]
fn g04_references_that_are_taken_out_one_by_one() {
    let paths = |property: &str, to: &str| {
        format!("<path d='M0 0h9v9z' {property}='url(#{to})'/>").repeat(60_000)
    };
    let clips = paths("clip-path", "c");
    refused!(
        &format!("<clipPath id='c'><defs>{clips}</defs></clipPath>"),
        Refused::TooManySteps { .. }
    );
    let clip = "<clipPath id='c'><path d='M0 0h9v9z' clip-path='url(#all)'/></clipPath>";
    refused!(&format!("{clip}<g id='all'>{clips}</g>"), Refused::TooManySteps { .. });
    let twice = format!("<pattern id='p'>{}</pattern><pattern id='p'/>", paths("fill", "p"));
    refused!(&twice, Refused::TooManySteps { .. });
}

#[test]
fn g05_inputs_that_are_looked_up() {
    let primitive = |at: usize| format!("<feBlend in='none' in2='none' result='r{at}'/>");
    let filter: String = (0..50_000).map(primitive).collect();
    let shape = "<rect width='9' height='9' filter='url(#F)'/>";
    refused!(&format!("<filter id='F'>{filter}</filter>{shape}"), Refused::TooManySteps { .. });
}

#[test]
fn g02_uses_that_are_looked_for() {
    let uses = "<use xlink:href='#a'/>".repeat(100_000);
    let inside = format!("<g id='a'>{}{uses}</g>", "<g/>".repeat(100_000));
    refused!(&inside, Refused::TooManySteps { .. });
}

#[test]
fn g03_shapes_deep_inside() {
    let groups = "<g stroke-width='1' stroke='red' fill='red' opacity='1'>".repeat(1000);
    let inside = format!("{groups}{}{}", SHAPE.repeat(200_000), "</g>".repeat(1000));
    refused!(&inside, Refused::TooManySteps { .. });
}

#[test]
fn h01_entities() {
    let mut text = String::from("<!DOCTYPE svg [<!ENTITY e0 \"ha\">");
    for level in 1..9 {
        let references = format!("&e{};", level - 1).repeat(10);
        write!(text, "<!ENTITY e{level} '{references}'>").unwrap();
    }
    let text = text + "]>" + &file("<text>&e8;</text>");
    assert!(matches!(read_file(&text), Err(Refused::TooLong { .. })));
}

#[test]
fn h02_entities_looked_up_often() {
    let entities: String = (0..10_000).map(|at| format!("<!ENTITY e{at} 'x'>")).collect();
    let text = format!("<!DOCTYPE svg [{entities}]>{}", file(&"&e9999;".repeat(200_000)));
    assert!(matches!(read_file(&text), Err(Refused::TooManyEntities { .. })));
}

#[test]
fn h03_uses_of_uses() {
    let mut inside = format!("<g id='b0'>{SHAPE}</g>");
    for level in 1..=10 {
        let uses = format!("<use xlink:href='#b{}'/>", level - 1).repeat(10);
        write!(inside, "<g id='b{level}'>{uses}</g>").unwrap();
    }
    refused!(&inside, Refused::TooManyUsed { .. });
}

#[test]
fn i01_flat_files_are_told_what_the_limit_is_about() {
    let error = read(&"<rect/>".repeat(1_000_001)).unwrap_err();
    let Refused::TooManyElements { found, max } = error else { panic!("{error}") };
    assert_eq!((found, max), (1_000_002, 1_000_000));
    assert!(!error.to_string().contains("use "), "{error}");
}

#[test]
fn i02_nests_are_read_as_deep_as_usvg_reads() {
    let nest = |depth: usize| "<g opacity='.9'>".repeat(depth) + SHAPE + &"</g>".repeat(depth);
    assert!(read(&nest(1023)).unwrap().tree.depth() >= 1023);
    refused!(&nest(1024), Refused::TooNested { depth: 1025, .. });
}

#[test]
fn limits_are_the_callers() {
    let limits = Limits { visits: 10, ..Limits::default() };
    let few = parse(file(&SHAPE.repeat(9)).as_bytes(), &limits, Options::default());
    let many = parse(file(&SHAPE.repeat(10)).as_bytes(), &limits, Options::default());
    assert!(few.is_ok());
    assert!(matches!(many, Err(Refused::TooMuch { max: 10 })));
}
