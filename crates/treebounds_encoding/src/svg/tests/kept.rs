//! Content that usvg alone leaves out, clips or moves, in contrast to browsers.

use super::{assert_each, assert_notes, assert_painted, file, painted, read, read_file};

#[test]
fn filters_with_out_of_range_values_are_painted() {
    let filter = "<filter id='f' x='0' y='0' width='1' height='1'>$</filter><rect id='a' BOX filter='url(#f)'/>";
    let light = "<feDistantLight elevation='40'/>";
    let lit = |exponent: &str| {
        format!("<feSpecularLighting specularExponent='{exponent}'>{light}</feSpecularLighting>")
    };
    let kernel = "<feConvolveMatrix order='1' kernelMatrix='1' divisor='0'/>";
    let void = "<feOffset width='0'/>";
    assert_each(
        filter,
        &[
            (kernel, "0 0 10 10"),
            (&lit("0"), "0 0 10 10"),
            (&lit("900"), "0 0 10 10"),
            (void, ""),
            (&format!("{void}<feOffset in='SourceGraphic' dx='3'/>"), "3 0 10 10"),
        ],
    );
    assert_notes(&filter.replace('$', "<feOffset in='FillPaint'/>"), &["in of svg/filter[1]"]);
}

#[test]
fn filters_of_nested_svgs_apply_after_the_clip() {
    let svg =
        "<svg id='a' x='20' y='20' width='10' height='10' $><rect width='30' height='5'/></svg>";
    assert_each(
        svg,
        &[
            ("filter='drop-shadow(30 5)'", "20 20 60 30"),
            ("filter='drop-shadow(3 0)' viewBox='0 0 5 5'", "20 20 36 30"),
        ],
    );
}

#[test]
fn empty_viewports_show_their_overflow() {
    let rows =
        [("", ""), ("overflow='visible'", "5 0 15 10"), ("style='overflow:auto'", "5 0 15 10")];
    assert_each("<svg id='a' x='5' width='0' height='9' $><rect BOX/></svg>", &rows);
    let symbol = "<symbol id='s' $><rect BOX/></symbol><use id='a' href='#s' x='5' width='0'/>";
    assert_each(symbol, &rows[..2]);
}

#[test]
fn trailing_movetos_do_not_affect_boxes() {
    let clip = "<clipPath id='c' clipPathUnits='objectBoundingBox'><rect width='.5' height='1'/></clipPath>";
    let path = format!("{clip}<path id='a' clip-path='url(#c)' d='M50 0h20v10h-20z$'/>");
    assert_each(&path, &[("M0 0", "50 0 60 10"), ("m1 1M0 0", "50 0 60 10")]);
}

#[test]
fn attributes_and_styles_of_the_same_name_are_read_once() {
    let text = "<rect id='a' BOX line-height='3' style='line-height:2;all:bogus;all:3' stroke-miterlimit='3'/>";
    assert_painted(text, "0 0 10 10");
    assert_painted(
        "<g stroke='red' stroke-width='2'><rect id='a' BOX style='all:initial;width:10px;height:10px'/></g>",
        "0 0 10 10",
    );
}

#[test]
fn sheets_are_read_from_data_urls_and_in_scopes() {
    let sheet = "data:text/css,%23a%7Bdisplay:none%7D";
    let text = format!("<?xml-stylesheet href='{sheet}'?>{}", file("<rect id='a' BOX/>"));
    assert_eq!(painted(&read_file(&text), "a"), None);
    let rows = [
        (&*format!("@import url({sheet})"), ""),
        (&format!("@import '{sheet}' print"), "0 0 10 10"),
        (&format!("rect{{x:0}}@import url({sheet})"), "0 0 10 10"),
        ("@scope(.in){rect{display:none}}", ""),
        ("@scope(.in){:scope>rect{display:none}}", ""),
        ("@scope(.in) to (.out){rect{display:none}}", "0 0 10 10"),
    ];
    let inside =
        "<style>$</style><g class='in'><rect BOX/><g class='out'><rect id='a' BOX/></g></g>";
    let direct =
        inside.replace("<rect id='a' BOX/>", "").replace("<rect BOX/>", "<rect id='a' BOX/>");
    assert_each(&direct, &rows[..5]);
    assert_each(inside, &rows[5..]);
}

#[test]
fn svg_images_are_clipped_and_sized_by_their_element() {
    let image = "<image id='a' x='20' y='20' width='60' height='60' href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' $\"/>";
    let shape = "%3Crect width='20' height='90'/%3E%3C/svg%3E";
    let view = "viewBox='0 0 40 40'%3E%3Cview id='v' viewBox='10 0 40 40'/%3E";
    assert_each(
        image,
        &[
            (&format!("%3E{shape}"), "20 20 40 80"),
            (&format!("width='100%25'%3E{shape}"), "20 20 40 80"),
            (&format!("{view}{shape}"), "20 20 50 80"),
            (&format!("{view}{shape}#v"), "20 20 35 80"),
            (&format!("{view}{shape}#svgView(viewBox(0,0,20,20))"), "20 20 80 80"),
        ],
    );
}

#[test]
fn letters_of_different_fonts_are_not_kerned() {
    let text = |font: &str| {
        let text = "<text font-family='DejaVu Sans' font-size='30' y='50'>AV<tspan id='a' $>A</tspan></text>";
        let found = read(&text.replace('$', font)).map(|it| painted(&it, "a").map(|a| a.x0));
        found.expect("a good file").expect("a letter")
    };
    assert!(text("fill='red'") < text("font-size='29.9'") - 1.0);
}

#[test]
fn text_decorations_are_a_tenth_of_the_font_size_thick() {
    let text = "<text id='a' x='10' y='50' font-family='DejaVu Sans' font-size='30' text-decoration='$'>x</text>";
    let edges = |line: &str| painted(&read(&text.replace('$', line)).unwrap(), "a").unwrap();
    assert_eq!(edges("underline").y1, 55.0);
    assert!((edges("overline").y0 - 19.2).abs() < 0.1);
}

#[test]
fn dangling_references_and_unpainted_elements_are_noted() {
    for (inside, note) in [
        ("<rect id='a' fill='url(#x)'/>", "fill of #a: leads to no such element"),
        ("<rect style='clip-path:url(#x)'/>", "clip-path of svg/rect[1]: leads to no"),
        ("<rect id='a' mask='url(#x)'/>", "mask of #a: leads to no such element"),
        ("<g><use href='#x'/></g>", "use of svg/g[1]/use[1]: leads to no such element"),
        ("<bogus id='a'><rect/></bogus>", "bogus of #a: not known"),
        ("<solidColor id='a'/>", "solidColor of #a: not known"),
        ("<rect id='a' BOX style='outline:2px solid red'/>", "outline of #a: left out"),
        ("<path id='a' d='M0 0L9 9 x'/>", "d of #a: has an error"),
        ("<text id='a' font-family='DejaVu Sans'>&#xF8FE;</text>", "letters of #a: no font"),
        ("<text id='a' style='text-decoration:underline wavy'>x</text>", "text-decoration of #a"),
        (
            "<image id='a' BOX href='data:image/png;base64,AAAA'/>",
            "image of #a: skipped: it is not PNG",
        ),
    ] {
        assert_notes(inside, &[note]);
    }
    let bare = read_file("<svg width='9' height='9'><rect width='9' height='9'/></svg>");
    assert!(bare.scene.notes[0].starts_with("xmlns of svg: missing"));
    let apart = read("<x:g xmlns:x='urn:x'><rect id='a' BOX/></x:g>").unwrap();
    assert_eq!(painted(&apart, "a"), None);
}

#[test]
fn exif_rotated_images_are_noted() {
    let exif = "/9j/4QAiRXhpZgAATU0AKgAAAAgAAQESAAMAAAABAAYAAAAAAAD/2Q==";
    let image = format!("<image id='a' BOX href='data:image/jpeg;base64,{exif}'/>");
    assert_notes(&image, &["image of #a: not turned"]);
}
