//! Tests the overlay at several sizes.
#![cfg(feature = "picture")]
#![allow(clippy::unwrap_used, clippy::panic)]

use treebounds_core::{Bounds, NodeKind, Rect, StreamBuilder, reference};
use treebounds_report::{
    Findings, Origin, Overlay, Picture, PictureError, PictureFrame, PictureFrameError, Scene, usvg,
};

fn scene(draws: impl IntoIterator<Item = Rect>) -> (Scene, Bounds) {
    let mut stream = StreamBuilder::new(Rect::new(0.0, 0.0, 100.0, 50.0));
    stream.begin(NodeKind::Clip, Rect::new(0.0, 0.0, 60.0, 50.0)).unwrap();
    for rect in draws {
        stream.draw(rect).unwrap();
    }
    stream.end().unwrap();
    let stream = stream.finish().unwrap();
    let origins = vec![Origin::default(); stream.len()];
    let bounds = reference::bounds(&stream);
    (Scene { stream, origins, notes: vec![], width: 100.0, height: 50.0 }, bounds)
}

fn paint((scene, bounds): &(Scene, Bounds), frame: PictureFrame) -> Picture {
    Overlay::new(&Findings::new(scene, bounds).unwrap(), frame).paint().unwrap()
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let at = 4 * (y * picture.width() + x) as usize;
    picture.pixels()[at..at + 3].try_into().unwrap()
}

fn is_blue([r, g, b]: [u8; 3]) -> bool {
    b > 150 && b > g && g > r && r < 100
}

#[test]
fn draws_are_outlined_and_not_filled() {
    let scene = scene([Rect::new(20.0, 10.0, 40.0, 30.0)]);
    let picture = paint(&scene, PictureFrame::with_scale(100.0, 50.0, 10.0).unwrap());
    assert_eq!(picture.width(), 1000);
    assert!(picture.height() > 500, "the legend lies below");
    for (x, y) in [(199, 200), (401, 200), (300, 99), (300, 301)] {
        assert!(is_blue(pixel(&picture, x, y)), "{x}, {y}");
    }
    for (x, y) in [(300, 200), (200, 200), (399, 200), (300, 299)] {
        assert!(!is_blue(pixel(&picture, x, y)), "lines lie outside of the box: {x}, {y}");
    }
}

#[test]
fn boxes_outside_the_picture_are_clipped() {
    let far = [
        Rect::EVERYTHING,
        Rect::NOTHING,
        Rect::new(1e30, 1e30, 2e30, 2e30),
        Rect::new(-1e30, 1.0, -5.0, 2.0),
        Rect::new(20.0, 10.0, 20.000_002, 10.000_001),
    ];
    let scene = scene(far);
    for pixels in [1, 2, 7, 40, 333, 2000] {
        let picture = paint(&scene, PictureFrame::with_width(100.0, 50.0, pixels).unwrap());
        assert!(picture.width() >= pixels.max(100), "a legend finds room at any size");
        assert!(picture.png().unwrap().starts_with(b"\x89PNG"));
    }
}

#[test]
fn crowd_maps_cover_only_the_crowd() {
    let crowd = (0..20_000_u16).map(|ix| {
        let (x, y) = (f32::from(ix % 200) / 10.0, f32::from(ix / 200) / 10.0);
        Rect::new(x, y, x + 20.0, y + 20.0)
    });
    let picture = paint(&scene(crowd), PictureFrame::fit(100.0, 50.0).unwrap());
    assert!(!is_blue(pixel(&picture, 900, 450)));
    // The crowd covers 0..40 by 0..30. Most of its boxes overlap in the middle.
    let [middle, corner] = [(200, 150), (5, 5)].map(|(x, y)| pixel(&picture, x, y));
    let sum = |[r, g, b]: [u8; 3]| u32::from(r) + u32::from(g) + u32::from(b);
    assert!(sum(middle) + 200 < sum(corner), "many are darker: {middle:?}, {corner:?}");
}

fn blues(picture: &Picture, y: u32) -> usize {
    (0..picture.width()).filter(|x| is_blue(pixel(picture, *x, y))).count()
}

#[test]
fn line_width_is_independent_of_the_scale() {
    let scene = scene([Rect::new(20.0, 10.0, 40.0, 30.0)]);
    for scale in [5.0, 10.0, 20.0, 40.0] {
        let picture = paint(&scene, PictureFrame::with_scale(100.0, 50.0, scale).unwrap());
        assert_eq!(blues(&picture, (25.0 * scale) as u32), 4, "two lines of two pixels at {scale}");
    }
}

#[test]
fn culled_elements_off_the_canvas_are_only_counted() {
    let off = (0..40_u16).map(|ix| Rect::new(500.0, f32::from(ix), 510.0, f32::from(ix) + 9.0));
    let frame = PictureFrame::with_scale(100.0, 50.0, 10.0).unwrap();
    let [some, none] = [scene(off), scene([])].map(|scene| paint(&scene, frame));
    let drawing = 4 * 1000 * 500;
    assert!(some.pixels()[..drawing] == none.pixels()[..drawing], "the drawings differ");
    assert!(some.pixels()[drawing..] != none.pixels()[drawing..], "the legend says how many");
}

#[test]
fn invalid_frame_sizes_are_rejected() {
    assert!(matches!(PictureFrame::fit(0.0, 5.0), Err(PictureFrameError::NoArea { .. })));
    assert!(matches!(PictureFrame::fit(f32::NAN, 5.0), Err(PictureFrameError::NoArea { .. })));
    assert!(matches!(
        PictureFrame::with_scale(1.0, 1.0, -1.0),
        Err(PictureFrameError::BadScale { .. })
    ));
    assert!(matches!(
        PictureFrame::with_scale(1.0, 1.0, f64::NAN),
        Err(PictureFrameError::BadScale { .. })
    ));
    assert!(matches!(
        PictureFrame::with_scale(1.0, 1.0, 1e9),
        Err(PictureFrameError::TooLarge { .. })
    ));
    assert!(matches!(
        PictureFrame::with_width(1.0, 1e9, 9),
        Err(PictureFrameError::TooLarge { .. })
    ));
    let sides = |width, height| {
        let frame = PictureFrame::fit(width, height).unwrap();
        (frame.width(), frame.height())
    };
    assert_eq!(sides(10.0, 5.0), (1000, 500));
    assert_eq!(sides(1200.0, 600.0), (1200, 600));
    assert_eq!(sides(1e30, 1.0), (8000, 1));
    assert_eq!(sides(120.0, 6000.0), (160, 8000), "the shorter side is to be seen");
    assert_eq!(sides(400.0, 4000.0), (300, 3000));
}

#[test]
fn svg_is_well_formed_and_names_every_box() {
    let (mut scene, bounds) = scene([Rect::new(20.0, 10.0, 40.0, 30.0)]);
    scene.origins[1].id = Some("a<b>&\u{1}\"".into());
    let frame = PictureFrame::with_scale(100.0, 50.0, 10.0).unwrap();
    let svg = Overlay::new(&Findings::new(&scene, &bounds).unwrap(), frame).svg().unwrap();
    let document = usvg::roxmltree::Document::parse(&svg).unwrap();
    let titles: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("title"))
        .map(|node| node.text().unwrap())
        .collect();
    let expected = ["draw a<b>&\u{fffd}\": x 20 to 40, y 10 to 30", "clip 0: x 0 to 60, y 0 to 50"];
    assert_eq!(titles, expected);
}

/// The drawing looks the same in the SVG and in the PNG.
#[test]
fn the_drawing_lies_behind_the_boxes() {
    let (scene, bounds) = scene([Rect::new(20.0, 10.0, 40.0, 30.0)]);
    let text = "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='50'>
        <rect id='veil' x='20' y='10' width='20' height='20' fill='red'/></svg>";
    let tree = usvg::Tree::from_str(text, &usvg::Options::default()).unwrap();
    let findings = Findings::new(&scene, &bounds).unwrap();
    let overlay =
        Overlay::new(&findings, PictureFrame::with_scale(100.0, 50.0, 10.0).unwrap()).on(&tree);
    let picture = overlay.paint().unwrap();
    let [r, g, b] = pixel(&picture, 350, 250);
    assert!(r > 240 && (100..200).contains(&g) && g == b, "dimmed red, not {r} {g} {b}");
    let svg = overlay.svg().unwrap();
    assert_eq!(svg.matches("id=\"veil\"").count(), 1, "the drawing's ids are its own");
    let from_svg = usvg::Tree::from_str(&svg, &usvg::Options::default()).unwrap();
    let mut pixmap = resvg::tiny_skia::Pixmap::new(picture.width(), picture.height()).unwrap();
    resvg::render(&from_svg, resvg::tiny_skia::Transform::identity(), &mut pixmap.as_mut());
    let at = 4 * (250 * picture.width() + 350) as usize;
    assert!(pixmap.data()[at..at + 3].iter().zip([r, g, b]).all(|(a, b)| a.abs_diff(b) < 3));
}

/// resvg recurses into groups, and panics on dashes far outside the picture.
#[test]
fn deep_nesting_is_painted_and_panics_become_errors() {
    let (scene, bounds) = scene([]);
    let findings = Findings::new(&scene, &bounds).unwrap();
    let overlay = Overlay::new(&findings, PictureFrame::with_width(100.0, 50.0, 50).unwrap());
    let deep = "<g opacity='.9'>".repeat(500) + "<path d='M0 0h9v9z'/>" + &"</g>".repeat(500);
    let far = "<circle r='1e30' stroke='red' stroke-dasharray='1e27'/>".to_owned();
    let [deep, far] = [deep, far].map(|body| {
        let parse = move || {
            let head = "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='50'>";
            usvg::Tree::from_str(&format!("{head}{body}</svg>"), &usvg::Options::default()).unwrap()
        };
        let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(parse);
        thread.unwrap().join().unwrap()
    });
    assert!(overlay.on(&deep).paint().is_ok() && overlay.on(&deep).svg().is_ok());
    assert!(matches!(overlay.on(&far).paint(), Err(PictureError::Failed)));
}
