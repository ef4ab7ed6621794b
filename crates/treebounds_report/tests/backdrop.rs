//! What would take too much to paint, or make the painter fail, is refused by name.
#![cfg(feature = "picture")]
#![allow(clippy::unwrap_used, clippy::panic)]

use resvg::usvg::{Options, Tree};
use treebounds_report::{Backdrop, BackdropError, Frame};

/// Paints, 1,000 pixels wide, on a stack that holds all of these.
fn paint(body: &str) -> Result<f64, BackdropError> {
    let text = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink'
            width='100' height='100'>{body}</svg>"
    );
    let painter = std::thread::Builder::new().stack_size(1 << 28).spawn(move || {
        let tree = Tree::from_str(&text, &Options::default()).unwrap();
        Backdrop::svg(&tree, &Frame::fit(100.0, 100.0).unwrap()).map(|drawing| drawing.reduction())
    });
    painter.unwrap().join().unwrap()
}

/// A square with a filter.
fn filtered(primitives: &str) -> String {
    format!("<filter id='f'>{primitives}</filter><rect width='90' height='90' filter='url(#f)'/>")
}

#[test]
fn ordinary_drawings_are_painted_as_they_are() {
    let dashes = "<path d='M0 9H100' stroke='red' stroke-dasharray='1 2'/>".repeat(100);
    let ordinary = [
        filtered("<feGaussianBlur stdDeviation='2'/>"),
        filtered("<feDropShadow dx='1' dy='1' stdDeviation='1'/>"),
        filtered("<feTurbulence baseFrequency='0.05' numOctaves='4'/><feMorphology radius='0.2'/>"),
        filtered("<feMerge><feMergeNode/><feMergeNode in='SourceGraphic'/></feMerge>"),
        format!("<g transform='rotate(30) skewX(20)'>{}</g>", filtered("<feFlood/>")),
        dashes,
    ];
    for body in ordinary {
        assert_eq!(paint(&body).unwrap(), 1.0, "{body}");
    }
}

#[test]
fn a_layer_that_is_not_skewed_is_counted_with_all_its_pixels() {
    let skewed = format!("<g transform='skewX(89.99)'>{}</g>", filtered("<feFlood/>"));
    // 5.7 billion pixels at full size; a coarser picture has room for them.
    assert!(paint(&skewed).is_ok_and(|reduction| reduction > 4.0));
    let many = skewed.replace("filter='url(#f)'", "") + &skewed.repeat(50);
    assert!(matches!(paint(&many), Err(BackdropError::TooCostly)));
}

#[test]
fn work_is_counted_in_inputs_edges_dashes_and_stops() {
    let zigzag: String =
        (0..100_000u64).map(|x| format!("{} {} ", x * 7919 % 100, x * 104_729 % 100)).collect();
    let dashed = "<path d='M0 9H100' stroke='red' stroke-dasharray='0.0002'/>".repeat(200);
    let stops: String = (0..100_000)
        .map(|stop| format!("<stop offset='{}' stop-color='#{stop:06x}'/>", f64::from(stop) / 1e5))
        .collect();
    let fill = "<rect width='100' height='100' fill='url(#g)'/>".repeat(20);
    let costly = [
        filtered(&format!("<feMerge>{}</feMerge>", "<feMergeNode/>".repeat(50_000))),
        filtered(&"<feFlood/>".repeat(300_000)),
        format!("<path d='M{zigzag}'/>"),
        dashed,
        format!("<linearGradient id='g'>{stops}</linearGradient>{fill}"),
    ];
    for body in costly {
        let start: String = body.chars().take(60).collect();
        assert!(matches!(paint(&body), Err(BackdropError::TooCostly)), "{start}");
    }
}

/// Layers in layers, each as large as the picture or larger.
#[test]
fn layers_that_are_too_many_are_painted_coarser_or_not_at_all() {
    let blurs = "<g filter='blur(9)'>".repeat(300);
    let blurred = format!("{blurs}<rect width='90' height='90'/>{}", "</g>".repeat(300));
    let clips = "<path clip-path='url(#c)' d='M0 0h100v99z'/>".repeat(1_000);
    let clipped = format!(
        "<clipPath id='c'><path d='M0 0h99v100z'/></clipPath><clipPath id='d'>{clips}</clipPath>
        <rect width='100' height='100' clip-path='url(#d)'/>"
    );
    for body in [blurred, clipped] {
        assert!(paint(&body).map_or(true, |reduction| reduction > 1.0), "{}", &body[..40]);
    }
}

#[test]
fn what_the_painter_fails_on_is_named() {
    let flaws = [
        ("<feOffset dx='1e30'/>", "an feOffset that far"),
        ("<feOffset dx='1e9' dy='-1e30'/>", "an feOffset that far"),
        ("<feDropShadow dx='1e30'/>", "an feDropShadow that far"),
        ("<feGaussianBlur stdDeviation='1e30'/>", "an feGaussianBlur that wide"),
        ("<feMorphology operator='dilate' radius='1e30'/>", "an feMorphology that wide"),
        ("<feTurbulence baseFrequency='1e38'/>", "an feTurbulence that fine"),
    ];
    for (primitive, name) in flaws {
        match paint(&filtered(primitive)) {
            Err(BackdropError::Unpaintable { what }) => assert_eq!(what, name),
            other => panic!("{primitive}: {other:?}"),
        }
    }
}

/// The painter makes dashes of all of a circle, and fails on those that are far away.
#[test]
fn a_dashed_circle_of_radius_1e30_is_too_far() {
    let circle = "<circle r='1e30' stroke='red' stroke-dasharray='1e27'/>";
    let shown = [
        circle.to_owned(),
        format!("<clipPath id='c'>{circle}</clipPath><path d='M0 0h9v9z' clip-path='url(#c)'/>"),
        format!("<mask id='m'>{circle}</mask><path d='M0 0h9v9z' mask='url(#m)'/>"),
        format!(
            "<pattern id='p' width='9' height='9' patternUnits='userSpaceOnUse'>{circle}</pattern>
            <path d='M0 0h9v9z' fill='url(#p)'/>"
        ),
        format!("<marker id='m'>{circle}</marker><path d='M0 0h9' marker-end='url(#m)'/>"),
    ];
    for body in shown {
        match paint(&body) {
            Err(BackdropError::TooFar { reach }) => assert!(reach > 1e30, "{body}"),
            other => panic!("{body}: {other:?}"),
        }
    }
    // As large a one is painted where it is small in pixels.
    assert!(paint(&format!("<g transform='scale(1e-28)'>{circle}</g>")).is_ok());
}
