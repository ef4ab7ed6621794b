//! What a canvas should make of its calls.

use crate::shapes::{Drawn, is_tame};
use kurbo::{Affine, Point};
use treebounds_core::{Rect, Stream};
use treebounds_testkit::failing;

/// A save or a layer: the transform to go back to, and how many nodes were open.
#[derive(Clone, Copy, Debug)]
struct Scope {
    is_layer: bool,
    transform: Affine,
    depth: usize,
}

/// Saves, layers and nodes as three counts and a stack; and what was drawn.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    scopes: Vec<Scope>,
    depth: usize,
    /// Points that the box of each element must hold.
    points: Vec<Vec<Point>>,
    pub(super) transform: Affine,
    /// Whether a number was large, so that one can become NaN.
    pub(super) wild: bool,
    /// The name of the error of a call that has no place where it stands.
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

    /// Something with a shape and a line of so much on either side.
    pub(super) fn draw(&mut self, shape: Drawn, reach: f64, by: Affine) {
        self.wild |= !(shape.tame && is_tame(by));
        let transform = self.transform * by;
        let points = shape.points(reach).into_iter().map(|point| transform * point).collect();
        self.points.push(points);
    }

    /// Something of which no points are known.
    pub(super) fn draw_unknown(&mut self) {
        self.points.push(Vec::new());
    }

    /// The box of every element holds its points, as far as the numbers carry; a box without area holds none.
    pub(super) fn check(&self, stream: &Stream) {
        if self.wild {
            return;
        }
        for (at, (points, rect)) in self.points.iter().zip(stream.rects()).enumerate() {
            let Some((first, rest)) = points.split_first() else { continue };
            let start = kurbo::Rect::from_points(*first, *first);
            let all = rest.iter().fold(start, |all, point| all.union_pt(*point));
            // A box that has area only by rounding has none.
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

/// Whether the point is in the box, give or take what circles are followed by.
fn holds(rect: Rect, point: Point) -> bool {
    let [x0, y0, x1, y1] = rect.to_array().map(f64::from);
    let slack = |x: f64| 2e-3 + 1e-6 * x.abs();
    let within = |low: f64, x: f64, high: f64| low - slack(x) <= x && x <= high + slack(x);
    within(x0, point.x, x1) && within(y0, point.y, y1)
}
