//! The overlay shows what there is, at any size.

#![allow(clippy::unwrap_used, clippy::panic)]

use treebounds_core::{Bounds, NodeKind, Rect, StreamBuilder, reference};
use treebounds_report::{Findings, Frame, FrameError, Origin, Overlay, Picture, Scene};

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

fn paint((scene, bounds): &(Scene, Bounds), frame: Frame) -> Picture {
    Overlay::new(&Findings::new(scene, bounds).unwrap(), frame).paint().unwrap()
}

fn pixel(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let at = 4 * (y * picture.width() + x) as usize;
    picture.pixels()[at..at + 3].try_into().unwrap()
}

/// Whether this is more blue than anything else.
fn is_blue([r, g, b]: [u8; 3]) -> bool {
    b > 150 && b > g && g > r && r < 100
}

#[test]
fn a_draw_has_lines_on_its_edges_and_none_inside() {
    let scene = scene([Rect::new(20.0, 10.0, 40.0, 30.0)]);
    let picture = paint(&scene, Frame::with_scale(100.0, 50.0, 10.0).unwrap());
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
fn what_is_outside_or_far_away_is_harmless() {
    let far = [
        Rect::EVERYTHING,
        Rect::NOTHING,
        Rect::new(1e30, 1e30, 2e30, 2e30),
        Rect::new(-1e30, 1.0, -5.0, 2.0),
        Rect::new(20.0, 10.0, 20.000_002, 10.000_001),
    ];
    let scene = scene(far);
    for pixels in [1, 2, 7, 40, 333, 2000] {
        let picture = paint(&scene, Frame::with_width(100.0, 50.0, pixels).unwrap());
        assert!(picture.width() >= pixels.max(100), "a legend finds room at any size");
        assert!(picture.to_png().unwrap().starts_with(b"\x89PNG"));
    }
}

#[test]
fn a_crowd_leaves_the_picture_free_where_it_is_not() {
    let crowd = (0..20_000_u16).map(|ix| {
        let (x, y) = (f32::from(ix % 200) / 10.0, f32::from(ix / 200) / 10.0);
        Rect::new(x, y, x + 20.0, y + 20.0)
    });
    let picture = paint(&scene(crowd), Frame::fit(100.0, 50.0).unwrap());
    assert!(!is_blue(pixel(&picture, 900, 450)));
    // The box of the crowd is 0..40 by 0..30; most of them meet in its middle.
    let [middle, corner] = [(200, 150), (5, 5)].map(|(x, y)| pixel(&picture, x, y));
    let sum = |[r, g, b]: [u8; 3]| u32::from(r) + u32::from(g) + u32::from(b);
    assert!(sum(middle) + 200 < sum(corner), "many are darker: {middle:?}, {corner:?}");
}

/// How many pixels of this row are blue.
fn blues(picture: &Picture, y: u32) -> usize {
    (0..picture.width()).filter(|x| is_blue(pixel(picture, *x, y))).count()
}

#[test]
fn lines_are_as_wide_at_any_scale() {
    let scene = scene([Rect::new(20.0, 10.0, 40.0, 30.0)]);
    for scale in [5.0, 10.0, 20.0, 40.0] {
        let picture = paint(&scene, Frame::with_scale(100.0, 50.0, scale).unwrap());
        assert_eq!(blues(&picture, (25.0 * scale) as u32), 4, "two lines of two pixels at {scale}");
    }
}

#[test]
fn what_is_off_the_canvas_is_only_counted() {
    let off = (0..40_u16).map(|ix| Rect::new(500.0, f32::from(ix), 510.0, f32::from(ix) + 9.0));
    let frame = Frame::with_scale(100.0, 50.0, 10.0).unwrap();
    let [some, none] = [scene(off), scene([])].map(|scene| paint(&scene, frame));
    let drawing = 4 * 1000 * 500;
    assert_eq!(some.pixels()[..drawing], none.pixels()[..drawing]);
    assert_ne!(some.pixels()[drawing..], none.pixels()[drawing..], "the legend says how many");
}

#[test]
fn frames_refuse_what_cannot_be() {
    assert!(matches!(Frame::fit(0.0, 5.0), Err(FrameError::NoArea { .. })));
    assert!(matches!(Frame::fit(f32::NAN, 5.0), Err(FrameError::NoArea { .. })));
    assert!(matches!(Frame::with_scale(1.0, 1.0, -1.0), Err(FrameError::BadScale { .. })));
    assert!(matches!(Frame::with_scale(1.0, 1.0, f64::NAN), Err(FrameError::BadScale { .. })));
    assert!(matches!(Frame::with_scale(1.0, 1.0, 1e9), Err(FrameError::TooLarge { .. })));
    assert!(matches!(Frame::with_width(1.0, 1e9, 9), Err(FrameError::TooLarge { .. })));
    let sides = |width, height| {
        let frame = Frame::fit(width, height).unwrap();
        (frame.width(), frame.height())
    };
    assert_eq!(sides(10.0, 5.0), (1000, 500));
    assert_eq!(sides(1200.0, 600.0), (1200, 600));
    assert_eq!(sides(1e30, 1.0), (8000, 1));
    assert_eq!(sides(120.0, 6000.0), (160, 8000), "the shorter side is to be seen");
    assert_eq!(sides(400.0, 4000.0), (300, 3000));
}

/// What takes minutes to paint is refused or painted coarser, wherever it hides.
#[cfg(feature = "picture")]
#[test]
fn costly_drawings_are_known_before_they_are_painted() {
    use resvg::usvg::{Options, Tree};
    use treebounds_report::{Backdrop, BackdropError};

    let svg = |body: &str| {
        format!("<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>{body}</svg>")
    };
    let shape = "<rect width='90' height='90'/>";
    let noise = format!(
        "<filter id='f'><feTurbulence baseFrequency='9' numOctaves='2000000000'/></filter>\
         <g filter='url(#f)'>{shape}</g>"
    );
    let escaped = svg(&noise).replace('<', "%3C").replace('#', "%23");
    let image = format!("<image width='50' height='50' href=\"data:image/svg+xml,{escaped}\"/>");
    let chain = |tag: &str, property: &str| {
        let links: String = (0..1000)
            .map(|ix| format!("<{tag} id='c{ix}' {property}='url(#c{})'>{shape}</{tag}>", ix + 1))
            .collect();
        format!("{links}<g {property}='url(#c0)'>{shape}</g>")
    };
    let pattern = "<pattern id='p' width='9e5' height='9e5' patternUnits='userSpaceOnUse'>\
                   <rect width='9' height='9'/></pattern><rect width='9' height='9' fill='url(#p)'/>";
    let chains = [chain("clipPath", "clip-path"), chain("mask", "mask")];
    let costly = [noise, image, pattern.to_owned()].into_iter().chain(chains);
    let refused = move || {
        for body in costly {
            let tree = Tree::from_str(&svg(&body), &Options::default()).unwrap();
            let frame = Frame::with_width(100.0, 100.0, 8000).unwrap();
            let refused = Backdrop::svg(&tree, &frame);
            let is_named = matches!(
                refused,
                Err(BackdropError::TooCostly | BackdropError::Unpaintable { .. })
            );
            assert!(is_named, "{}", &body[..60]);
        }
    };
    let far = svg("<path d='M0 0L9 9V4294967296z'/>");
    let tree = Tree::from_str(&far, &Options::default()).unwrap();
    let frame = Frame::fit(100.0, 100.0).unwrap();
    let error = Backdrop::svg(&tree, &frame).unwrap_err();
    assert_eq!(error.to_string(), "a shape reaches 4e10 pixels; at most 1e8 can be painted");
    // usvg follows chains with recursion.
    std::thread::Builder::new().stack_size(256 << 20).spawn(refused).unwrap().join().unwrap();
}
