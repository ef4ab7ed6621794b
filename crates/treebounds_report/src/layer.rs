//! How large the painter's layers are.

use resvg::{
    tiny_skia::{Rect, Transform},
    usvg::{Group, NonZeroRect},
};

/// What the painter paints on: the picture, or the layer of a group, which it paints on another one when it is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer {
    width: f32,
    height: f32,
    /// From the coordinates of what is painted to pixels.
    pub(crate) to: Transform,
    /// Layers are cut to this: at the picture's scale, five times the picture's width and height.
    most: Rect,
}

impl Layer {
    /// A picture of this size, or what takes its place; `None` without pixels.
    pub(crate) fn picture(width: f32, height: f32, to: Transform) -> Option<Self> {
        let most = Rect::from_ltrb(-2.0 * width, -2.0 * height, 3.0 * width, 3.0 * height)?;
        Some(Self { width, height, to, most })
    }

    /// The same pixels, for what is inside a group or beside it.
    pub(crate) fn with(self, to: Transform) -> Self {
        Self { to, ..self }
    }

    /// The tile of a pattern.
    pub(crate) fn tile(self, width: f32, height: f32, to: Transform) -> Self {
        Self { width, height, to, ..self }
    }

    /// What an image of a filter, as large as this layer, is painted on.
    pub(crate) fn image(self, to: Transform) -> Option<Self> {
        let most = Rect::from_ltrb(0.0, 0.0, self.width, self.height)?;
        Some(Self { to, most, ..self })
    }

    /// The layer of an isolated group inside; `None` where the painter paints nothing.
    ///
    /// Filters work along the axes of the group: its layer is neither rotated nor skewed, and may have many more pixels than
    /// are seen of it.
    pub(crate) fn of(&self, group: &Group) -> Option<Self> {
        let to = self.to.pre_concat(group.transform());
        let is_filtered = !group.filters().is_empty();
        let rest = if is_filtered { unscaled(to) } else { Transform::identity() };
        let back = rest.invert()?;
        let most = self.most.transform(back)?;
        let to = back.pre_concat(to);
        let area = NonZeroRect::to_rect(&group.layer_bounding_box()).transform(to)?;
        let edge = if is_filtered { 0.0 } else { 2.0 };
        let left = (area.left().floor() - edge).max(most.left());
        let top = (area.top().floor() - edge).max(most.top());
        let width = (area.right().ceil() + edge).min(most.right()) - left;
        let height = (area.bottom().ceil() + edge).min(most.bottom()) - top;
        let to = to.post_translate(-left, -top);
        (width > 0.0 && height > 0.0).then_some(Self { width, height, to, most })
    }

    pub(crate) fn width(&self) -> f64 {
        f64::from(self.width)
    }

    pub(crate) fn height(&self) -> f64 {
        f64::from(self.height)
    }

    /// How many pixels it has.
    pub(crate) fn pixels(&self) -> f64 {
        self.width() * self.height()
    }

    /// Pixels for a unit, across and down.
    pub(crate) fn scale(&self) -> [f64; 2] {
        let (x, y) = self.to.get_scale();
        [x, y].map(f64::from)
    }

    /// How many of its pixels a box touches, about.
    pub(crate) fn covered(&self, area: Rect) -> f64 {
        let Some(area) = area.transform(self.to) else { return self.pixels() };
        let cut = |from: f32, to: f32, side: f32| f64::from(to.min(side) - from.max(0.0)).max(0.0);
        (cut(area.left(), area.right(), self.width) + 4.0)
            * (cut(area.top(), area.bottom(), self.height) + 4.0)
    }

    /// How far a box is from the layer's corner, at its farthest; infinite where it cannot be said.
    pub(crate) fn reach(&self, area: Rect) -> f64 {
        let Some(area) = area.transform(self.to) else { return f64::INFINITY };
        let edges = [area.left(), area.top(), area.right(), area.bottom()];
        edges.into_iter().map(|edge| f64::from(edge).abs()).fold(0.0, f64::max)
    }
}

/// What is left of a transform without its scales: rotation and skew.
fn unscaled(to: Transform) -> Transform {
    let (x, y) = (to.sx.hypot(to.ky), to.kx.hypot(to.sy));
    Transform::from_row(to.sx / x, to.ky / x, to.kx / y, to.sy / y, 0.0, 0.0)
}
