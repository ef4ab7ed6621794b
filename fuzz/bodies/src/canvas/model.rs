//! A model of the expected results of canvas calls.

use crate::shapes::{Drawn, is_tame};
use kurbo::{Affine, Point};
use treebounds_core::{Rect, Stream};
use treebounds_testkit::failing;

/// A save or a layer: the transform to restore, and the number of open nodes.
#[derive(Clone, Copy, Debug)]
struct Scope {
    is_layer: bool,
    transform: Affine,
    depth: usize,
}

/// The state of the canvas: open saves, layers and nodes, and the points of the drawn shapes.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    scopes: Vec<Scope>,
    depth: usize,
    /// For each element, points that its box must contain.
    points: Vec<Vec<Point>>,
    pub(super) transform: Affine,
    /// Whether a number was large enough to cause NaNs.
    pub(super) wild: bool,
    /// The name of the error for a misplaced call.
    pub(super) mistake: Option<&'static str>,
}

impl Model {
    pub(super) fn elements(&self) -> usize {
        self.points.len()
    }

    pub(super) fn open_nodes(&self) -> usize {
        self.depth
    }

    pub(super) fn set_transform(&mut self, transform: Affine) {
        self.transform = transform;
        self.wild |= !is_tame(transform);
    }

    pub(super) fn save(&mut self) {
        self.push_scope(false);
    }

    fn push_scope(&mut self, is_layer: bool) {
        self.scopes.push(Scope { is_layer, transform: self.transform, depth: self.depth });
    }

    pub(super) fn may_restore(&self) -> bool {
        self.scopes.last().is_some_and(|scope| !scope.is_layer)
    }

    pub(super) fn may_pop(&self) -> bool {
        self.scopes.iter().any(|scope| scope.is_layer)
    }

    pub(super) fn restore(&mut self) {
        match self.scopes.last() {
            None => self.mistake = Some("NothingSaved"),
            Some(scope) if scope.is_layer => self.mistake = Some("LayerOpen"),
            Some(_) => self.leave(self.scopes.len() - 1),
        }
    }

    pub(super) fn pop_layer(&mut self) {
        match self.scopes.iter().rposition(|scope| scope.is_layer) {
            None => self.mistake = Some("NoLayer"),
            Some(layer) => self.leave(layer),
        }
    }

    fn leave(&mut self, scope: usize) {
        let Scope { transform, depth, .. } = self.scopes[scope];
        self.scopes.truncate(scope);
        self.transform = transform;
        let ends = self.depth - depth;
        self.points.extend(std::iter::repeat_n(Vec::new(), ends));
        self.depth = depth;
    }

    pub(super) fn open_layer(&mut self, shape: Option<(Drawn, Affine)>) {
        self.push_scope(true);
        self.open(shape);
    }

    pub(super) fn open(&mut self, shape: Option<(Drawn, Affine)>) {
        self.depth += 1;
        match shape {
            Some((shape, by)) => self.draw(shape, 0.0, by),
            None => self.draw_unknown(),
        }
    }

    /// Draws a shape with a line that extends by `reach` on either side.
    pub(super) fn draw(&mut self, shape: Drawn, reach: f64, by: Affine) {
        self.wild |= !(shape.tame && is_tame(by));
        let transform = self.transform * by;
        let points = shape.points(reach).into_iter().map(|point| transform * point).collect();
        self.points.push(points);
    }

    /// Draws a shape without known points.
    pub(super) fn draw_unknown(&mut self) {
        self.points.push(Vec::new());
    }

    /// Checks that the box of every element contains its points, within numerical limits. Skips points that
    /// span no area.
    pub(super) fn check(&self, stream: &Stream) {
        if self.wild {
            return;
        }
        for (at, (points, rect)) in self.points.iter().zip(stream.rects()).enumerate() {
            let Some((first, rest)) = points.split_first() else { continue };
            let start = kurbo::Rect::from_points(*first, *first);
            let all = rest.iter().fold(start, |all, point| all.union_pt(*point));
            // An area caused only by rounding does not count.
            let noise = 2e-6
                * [all.x0, all.y0, all.x1, all.y1].map(f64::abs).into_iter().fold(1.0, f64::max);
            if all.width() > noise && all.height() > noise {
                for point in points {
                    assert!(
                        holds(*rect, *point),
                        "element {at}: {rect:?} lacks {point:?}: {self:?}; {}",
                        failing(stream)
                    );
                }
            }
        }
    }
}

/// Whether the box contains the point, with a tolerance for approximated circles.
fn holds(rect: Rect, point: Point) -> bool {
    let [x0, y0, x1, y1] = rect.to_array().map(f64::from);
    let slack = |x: f64| 2e-3 + 1e-6 * x.abs();
    let within = |low: f64, x: f64, high: f64| low - slack(x) <= x && x <= high + slack(x);
    within(x0, point.x, x1) && within(y0, point.y, y1)
}
