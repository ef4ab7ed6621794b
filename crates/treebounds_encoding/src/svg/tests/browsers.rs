//! Style sheets and values as browsers read them: one small file per case in which usvg alone differs.

use super::{assert_each, assert_notes, assert_painted, file, painted, read, read_file};
use crate::svg::{Media, Options, encode};

const WHOLE: &str = "0 0 10 10";

#[test]
fn the_cascade_follows_css() {
    let rect = "<style>$</style><g><path/><rect id='a' class='c' BOX/></g>";
    let rules = [
        ("rect{display:none}", ""),
        ("#a{display:inline}.c{display:none}", WHOLE),
        ("g>rect:not(.d):nth-child(2){display:none}", ""),
        (":is(.c,.e):where(rect){DISPLAY:NONE}", ""),
        ("path+rect:last-child{display:none}", ""),
        ("[id^='a']{display:none}", ""),
        ("rect{display:none;display:bogus}", ""),
        ("rect{;display:none}", ""),
        ("g{&amp; rect{display:none}}", ""),
        ("@media print{rect{display:none}}", WHOLE),
        ("@media (prefers-color-scheme:dark){rect{display:none}}", WHOLE),
        ("@media screen and (max-width:200px){rect{display:none}}", ""),
        ("@media (width >= 100px) and (50px &lt; height &lt; 200px){rect{display:none}}", ""),
        ("@media (width > 100px){rect{display:none}}", WHOLE),
        ("@layer x{#a{display:none}}rect{display:inline}", WHOLE),
        ("rect::before,rect:hover{display:none}", WHOLE),
        ("rect,::bogus{display:none}", WHOLE),
        ("rect:not(:enabled){display:none}", ""),
        (":root{--d:none}rect{display:var(--d)}", ""),
        ("rect{display:var(--e, none)}", ""),
        ("a{--a:var(--b);--b:var(--a)}rect{display:var(--a)}", WHOLE),
    ];
    assert_each(rect, &rules);
    let styled = rect.replace("BOX", "BOX style='display:inline'");
    let rules = [("rect{display:none}", WHOLE), ("rect{display:none!important}", "")];
    assert_each(&styled, &rules);
}

#[test]
fn sheets_apply_to_the_requested_medium() {
    let inside =
        "<style>@media print{#a{display:none}}@media (prefers-color-scheme:dark){#b{display:none}}
        #c{color-scheme:light dark;fill:light-dark(transparent,red)}</style>
        <rect id='a' BOX/><rect id='b' BOX/><rect id='c' BOX/>";
    for (print, dark) in [(false, false), (true, false), (false, true)] {
        let options = Options::default().media(Media { print, dark });
        let drawing = encode(file(inside).as_bytes(), &options).unwrap();
        let shown = ["a", "b", "c"].map(|id| painted(&drawing, id).is_some());
        assert_eq!(shown, [!print, !dark, dark]);
    }
}

#[test]
fn colours_paint_as_in_browsers() {
    let visible = "light-dark(red, blue); rebeccapurple; rgb(0 0 255 / 50%); rgba(255,0,0,50%); RED; grey; \
        hsl(0.5turn 100% 31%); hsl(180, 100%, 31.5%); oklch(60% 0.2 200); color(display-p3 1 0 0); \
        color-mix(in srgb, red, blue 20%); CanvasText; currentcolor; url(#nothing) red; lab(50% 40 40); \
        hwb(120 0% 0%); rgb(1/**/2/**/3)";
    let invisible = "none; NONE; transparent; url(#nothing); bogus; rgb(0 0 0 / 0); light-dark(red, none); \
        rgb(from red r g b); color-mix(in hsl longer hue, red, blue); \
        url(#nothing) url(#nothing)";
    for (paints, expected) in [(visible, "20 15 40 25"), (invisible, "")] {
        let rows: Vec<_> = paints.split("; ").map(|paint| (paint, expected)).collect();
        assert_each("<path id='a' d='M20 20H40' stroke='$' stroke-width='10'/>", &rows);
    }
    let inside = "<g color='transparent'>
        <path id='a' d='M20 20H40' stroke='color-mix(in srgb, currentcolor, transparent)'/>
        <path id='b' d='M20 20H40' color='currentcolor' stroke='currentcolor'/>
        <path id='c' d='M20 20H40' color='red' stroke='currentcolor' stroke-width='10'/></g>";
    assert_painted(inside, "a, b, c 20 15 40 25");
}

#[test]
fn lengths_accept_all_units() {
    let lengths = [
        ("2em", "0 0 32 5"),
        ("2rem", "0 0 32 5"),
        ("20PX", "0 0 20 5"),
        ("1in", "0 0 96 5"),
        ("40q", "0 0 37.795277 5"),
        ("10vw", "0 0 10 5"),
        ("calc(50% - 20px)", "0 0 30 5"),
        ("min(3rem, 40px)", "0 0 40 5"),
        ("clamp(1px, 30px, 20px)", "0 0 20 5"),
        ("calc(2 * (3px + 4px))", "0 0 14 5"),
    ];
    assert_each("<rect id='a' width='$' height='5'/>", &lengths);
    assert_each("<rect id='a' height='5' style='width:$'/>", &lengths);
    assert_painted("<rect id='a' width=' 20 ' height='5'/>", "0 0 20 5");
    let lines =
        "<g font-size='10' style='line-height: .5'><rect id='a' width='2em' height='1lh'/></g>";
    assert_painted(lines, "0 0 20 5");
    let root = "<svg xmlns='http://www.w3.org/2000/svg' width='1em' height='2rem'/>";
    assert_eq!((read_file(root).scene.width, read_file(root).scene.height), (16.0, 32.0));
}

/// usvg's tree does not contain the conditions that usvg did not understand.
#[test]
fn conditions_match_browsers() {
    let (met, unmet) = ("0 0 9 10", WHOLE);
    let conditions = [
        ("@media (min-width: 50px) and (orientation: portrait)", met),
        ("@media print, (width &lt;= 200px)", met),
        ("@media not print", met),
        ("@supports (fill: lab(50% 40 40)) and (not (fill: bogus(1)))", met),
        ("@supports (--x: 1)", met),
        ("@layer a", met),
        ("@media (bogus)", unmet),
        ("@media not (bogus)", unmet),
        ("@media (min-width: 50)", unmet),
        ("@supports (transform: bogus(1))", unmet),
        ("@supports not (display: grid)", unmet),
        ("@supports (width: 5)", unmet),
    ];
    assert_each("<style>$ { rect { width: 9px } }</style><rect id='a' BOX/>", &conditions);
    let sheet = "<style>@supports (bogus: 1) { rect { fill: red } }</style>";
    assert_notes(sheet, &["@supports (bogus: 1) of svg: not understood"]);
}

#[test]
fn rules_are_sorted_by_layers_and_order() {
    let rules = [
        ("@layer a { rect { width: 5px } } rect { width: 6px }", "0 0 6 10"),
        ("rect{width: 6px !important} @layer a { rect{width: 5px !important} }", "0 0 5 10"),
        ("@layer a { @layer b { rect { width: 5px } } rect { width: 6px } }", "0 0 6 10"),
        ("rect { width: 5px; &amp; { width: 6px } width: 7px }", "0 0 7 10"),
        ("rect { --w: initial; width: var(--w, 6px) }", "0 0 6 10"),
        ("g{--u: 2px; --w: calc(var(--u) * 3)} rect{--u: 9px; width: var(--w)}", "0 0 6 10"),
        ("rect { width: calc(2px - 9px); min-width: 0 }", ""),
        ("rect:lang(en) { width: 6px }", "0 0 6 10"),
        ("rect{fill:none}#a{fill:revert-layer}", WHOLE),
        ("@layer x{rect{fill:none}}rect{fill:red}#a{fill:revert-layer}", ""),
        ("@layer x{.c{fill:red}rect{fill:none}@layer y{#a{fill:revert-layer}}}", WHOLE),
    ];
    assert_each("<style>$</style><g lang='en'><rect id='a' class='c' BOX/></g>", &rules);
    let style = "style='fill:red;fill:revert-layer'";
    assert_painted(&format!("<style>rect{{fill:none}}</style><rect id='a' BOX {style}/>"), "");
}

#[test]
fn invalid_styles_are_read_as_in_browsers() {
    let styles = [
        ("}width: 5px; height: 6px", "0 0 10 6"),
        ("width: 5px} height: 6px; height: 7px", "0 0 10 7"),
        ("--w: 6px; --w: revert-layer; width: var(--w, 7px)", "0 0 7 10"),
        ("--w: 5; width: var(--w)px", ""),
        ("width: 5px\u{a0}; height: 6px", "0 0 10 6"),
        ("width: 3px; width: var(w, 4px)", "0 0 3 10"),
        ("width: calc(1px+ 2px); width: calc(1px + 1px)", "0 0 2 10"),
        ("d: M0 0H9; width: 6; height: calc(6)", "0 0 6 10"),
        ("width: 3px; width: var(--w 4px)", "0 0 3 10"),
        ("width: 3px; width: var(--w, 4px", "0 0 4 10"),
        ("width: calc(5px + env(safe-area-inset-top, 9px))", "0 0 5 10"),
        ("font: 2px/1 serif; width: 2em; height: 1lh", "0 0 4 2"),
        ("font: 2px/-1 serif; width: 1em", "0 0 16 10"),
        ("width: max-content", ""),
        ("font: 1em monospace; width: 1em", "0 0 13 10"),
        ("font: 1rem monospace; width: 1em", "0 0 16 10"),
        ("transform: scale(-1); transform-origin: var(--none)", "90 90 100 100"),
    ];
    assert_each("<rect id='a' BOX style='$'/>", &styles);
    let sheets = [
        ("<style>rect { width: 6; x: 5 }</style>", "5 0 15 10"),
        ("<style title='x'>rect{x: 5px}</style><style title='y'>rect{y: 5px}</style>", "5 0 15 10"),
    ];
    assert_each("$<rect id='a' BOX/>", &sheets);
    let first = [("<style/>", ""), ("<bogus/>", ""), ("<title/>", "")];
    assert_each("<switch>$<rect id='a' BOX/></switch>", &first);
    let filter = "<filter id='f'><feOffset dx='5'/></filter>
        <rect id='a' width='9' height='9' style='filter:url(\"#f\")drop-shadow(2px 2px)'/>";
    assert_painted(filter, "5 0 12 11");
    assert_painted("<ellipse id='a' cx='50' cy='50' rx='bogus' ry='9'/>", "");
}

#[test]
fn text_attributes_match_browsers() {
    let edges = |text: &str, more: &str| {
        let inside = format!(
            "<g xml:space='preserve' font-family='DejaVu Sans' font-size='20'><text id='a' y='50' {more}>{text}</text></g>"
        );
        let found =
            painted(&read(&inside).unwrap(), "a").expect("apt-get install fonts-dejavu-core");
        [found.x0, found.x1].map(f32::round)
    };
    let plain = edges("HH", "");
    for (text, more, same) in [
        ("  HH", "", plain),
        ("  HH", "xml:space='preserve' style='white-space:inherit'", plain),
        ("HH", "x=' 20'", plain),
        ("hh", "text-transform='uppercase'", edges("hh", "")),
        ("hh", "style='text-transform:uppercase'", plain),
        ("HH", "style='font-family:\"X\", \"Sans\"'", plain),
        ("<tspan font-weight='lighter'>HH</tspan>", "font-weight='bold'", plain),
        ("HH", "font-stretch='narrower'", plain),
        ("HH", "font-stretch='75%'", edges("HH", "font-stretch='condensed'")),
        ("HH", "dx='calc(3px + 3px)'", plain),
        ("HH", "style='letter-spacing:calc(3 * 2)'", plain),
    ] {
        assert_eq!(edges(text, more), same, "{text} {more}");
    }
    for (text, more) in
        [("  HH", "xml:space='preserve'"), ("HH", "x='20 '"), ("HH", "font-weight='bold'")]
    {
        assert_ne!(edges(text, more), plain, "{text} {more}");
    }
}

#[test]
fn hostile_style_sheets_terminate() {
    let deep = |start: &str, open: &str, middle: &str, close: &str, count: usize| {
        format!("{start}{}{middle}{}", open.repeat(count), close.repeat(count))
    };
    let mut bomb = "<rect width='9' height='9' style='--a0:1px".to_owned();
    for at in 1..60 {
        bomb += &format!(";--a{at}:var(--a{0}) var(--a{0})", at - 1);
    }
    for inside in [
        deep("<style>", "a{", "", "}", 20_000) + "</style>",
        deep("<style>", ":is(", "", ")", 20_000) + "</style>",
        bomb + ";stroke-dasharray:var(--a59)'/>",
        deep("<rect height='9' width='", "calc(", "1", ")", 9000) + "'/>",
        deep("<rect BOX fill='", "light-dark(", "red", ",red)", 9000) + "'/>",
    ] {
        read(&inside).unwrap();
    }
}
