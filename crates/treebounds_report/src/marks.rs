//! Chooses the boxes in the overlay and their looks.

use crate::{Cutter, Element, Findings, PictureFrame, Place};
use std::collections::HashSet;
use treebounds_core::{NodeKind, Rect, Role};

/// Four edges in picture pixels: left, top, right, bottom.
pub(crate) type PixelBox = [i32; 4];

/// The kinds of boxes in drawing order. Patterns with gaps are drawn over solid lines, so that all coinciding boxes stay
/// visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An invisible element.
    Culled,
    /// A painted element.
    Draw,
    /// A node's clip box.
    Clip,
    /// The area covered by a layer.
    Layer,
}

impl Kind {
    pub(crate) const ALL: [Self; 4] = [Self::Culled, Self::Draw, Self::Clip, Self::Layer];

    pub(crate) fn nouns(self) -> [&'static str; 2] {
        match self {
            Self::Culled => ["culled"; 2],
            Self::Draw => ["draw", "draws"],
            Self::Clip => ["clip", "clips"],
            Self::Layer => ["layer", "layers"],
        }
    }

    /// Returns a colour from the palette of Okabe and Ito, which remains distinguishable with any common colour vision
    /// deficiency. The dash pattern distinguishes the kinds as well.
    pub(crate) fn color(self) -> &'static str {
        match self {
            Self::Culled => "#555555",
            Self::Draw => "#0072b2",
            Self::Clip => "#d55e00",
            Self::Layer => "#ba488c",
        }
    }

    /// Returns the lengths of dashes and gaps; empty for a solid line.
    pub(crate) fn dashes(self) -> &'static str {
        match self {
            Self::Culled | Self::Draw => "",
            Self::Clip => "9 6",
            Self::Layer => "3 3",
        }
    }

    /// Returns the distance in pixels between a box and its line. A clip or layer often has the same box as its only draw;
    /// with different distances, all three lines are visible.
    pub(crate) fn outset(self) -> i32 {
        match self {
            Self::Culled | Self::Draw => 0,
            Self::Clip => 2,
            Self::Layer => 4,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Look {
    /// Lines with this thickness in pixels.
    Lines(i32),
    /// Colours that show how many boxes overlap.
    Map,
}

/// The boxes of one kind.
#[derive(Debug)]
pub(crate) struct Marks {
    pub(crate) kind: Kind,
    /// The number of elements of this kind, visible or not.
    pub(crate) count: usize,
    /// The number of culled elements outside the canvas, which the picture cannot show.
    pub(crate) off_canvas: usize,
    /// The boxes without duplicates.
    pub(crate) boxes: Vec<Mark>,
    pub(crate) look: Look,
}

#[derive(Debug)]
pub(crate) struct Mark {
    pub(crate) place: PixelBox,
    /// The id or index of the first element with this box.
    pub(crate) name: String,
    /// The box in drawing pixels.
    pub(crate) exact: Rect,
}

/// The number of boxes per kind that are always drawn as lines.
const FEW: usize = 64;
/// The share of the picture that lines of full thickness may cover before they become thinner.
const CROWDED: f64 = 0.3;
/// The share of the picture that thin lines may cover before they are replaced by a map.
const FULL: f64 = 0.35;

/// Collects the boxes of the selected elements by kind.
///
/// The box of a draw is its visible bounds; of a clip, its clip box; of a layer, the area that it may change. A culled
/// element has no bounds, so its rect is used.
pub(crate) fn all(findings: &Findings<'_>, frame: &PictureFrame) -> [Marks; 4] {
    let mut all = Kind::ALL.map(|kind| Marks {
        kind,
        count: 0,
        off_canvas: 0,
        boxes: Vec::new(),
        look: Look::Lines(if kind == Kind::Culled { 1 } else { 2 }),
    });
    let mut seen: [HashSet<PixelBox>; 4] = Default::default();
    for element in findings.elements().filter(|element| element.tag.role() != Role::End) {
        let is_draw = element.tag.role() == Role::Draw;
        let node = element.tag.node_kind();
        let is = |kind| node == Some(NodeKind::ClipBlend) || node == Some(kind);
        let kinds = [
            (Kind::Draw, is_draw, element.place()),
            (Kind::Clip, is(NodeKind::Clip), element.clip),
            (Kind::Layer, is(NodeKind::Blend), element.place()),
            (Kind::Culled, element.is_culled(), culled_place(&element)),
        ];
        for (kind, _, exact) in kinds.into_iter().filter(|(_, is_of_kind, _)| *is_of_kind) {
            let marks = &mut all[kind as usize];
            marks.count += 1;
            marks.off_canvas += usize::from(kind == Kind::Culled && is_off_canvas(&element));
            let is_shown = kind == Kind::Culled || !element.is_culled();
            if let Some(place) = frame.place(exact).filter(|_| is_shown)
                && seen[kind as usize].insert(place)
            {
                marks.boxes.push(Mark { place, name: name(&element), exact });
            }
        }
    }
    for marks in &mut all {
        marks.look = look(marks, frame);
    }
    all
}

/// Chooses thinner lines for many boxes, and a map of the overlaps for too many.
fn look(marks: &Marks, frame: &PictureFrame) -> Look {
    let [width, height] = [frame.width(), frame.height()].map(|side| side as i32);
    let side = |from: i32, to: i32, end: i32| f64::from((to.min(end) - from.max(0)).max(0));
    let boxes = marks.boxes.iter().map(|mark| mark.place);
    let length: f64 =
        boxes.map(|[x0, y0, x1, y1]| 2.0 * (side(x0, x1, width) + side(y0, y1, height))).sum();
    let covered = length / (f64::from(width) * f64::from(height));
    match marks.look {
        Look::Lines(thickness)
            if marks.boxes.len() <= FEW || covered * f64::from(thickness) <= CROWDED =>
        {
            Look::Lines(thickness)
        }
        _ if covered > FULL && marks.kind != Kind::Culled => Look::Map,
        _ => Look::Lines(1),
    }
}

/// Returns the element's id, or its index if it has none. For a part of a text, the part's own id takes precedence.
fn name(element: &Element<'_>) -> String {
    let own = element.path.as_ref().and_then(Place::id);
    match own.or(element.id.as_deref()) {
        Some(id) => id.to_owned(),
        None => element.ix.to_string(),
    }
}

/// Whether it is culled because it lies outside the canvas.
fn is_off_canvas(element: &Element<'_>) -> bool {
    element.culled.as_ref().is_some_and(|reason| reason.by == Cutter::Canvas)
}

/// Returns the rect of a culled element, which has no bounds. Empty if the rect is the whole plane or lies outside the
/// canvas.
fn culled_place(element: &Element<'_>) -> Rect {
    let rect = if element.own.is_empty() { element.rect } else { element.own };
    if is_off_canvas(element) || rect == Rect::EVERYTHING { Rect::NOTHING } else { rect }
}

/// The number of boxes that cover each square of the picture.
pub(crate) struct CrowdMap {
    columns: usize,
    counts: Vec<u32>,
    /// The maximum number of overlapping boxes.
    pub(crate) most: u32,
}

impl CrowdMap {
    /// The side of a square in pixels.
    const SQUARE: i32 = 4;
    /// From few boxes to many. The colours go from light to dark, so that they remain distinguishable in greyscale.
    pub(crate) const COLORS: [&'static str; 9] = [
        "#ffeca0", "#fed878", "#fec44f", "#f59a32", "#ec7014", "#cd4c13", "#ae2812", "#7b1a21",
        "#480c30",
    ];

    /// Counts the boxes per square. Adds each box to the corners of a table, whose sums over rows and columns are the
    /// counts.
    pub(crate) fn new<'a>(boxes: impl Iterator<Item = &'a Mark>, frame: &PictureFrame) -> Self {
        let side = |pixels: u32| pixels.div_ceil(Self::SQUARE as u32) as usize;
        let (columns, rows) = (side(frame.width()), side(frame.height()));
        let mut table = vec![0_i32; (columns + 1) * (rows + 1)];
        // Edges snap to the nearest square, so that adjacent boxes do not overlap. Every box covers at least one
        // square.
        let nearest = |edge: i32| edge.saturating_add(Self::SQUARE / 2) / Self::SQUARE;
        let squares = |low: i32, high: i32, most: usize| {
            let low = nearest(low);
            let inside = |at: i32| at.clamp(0, most as i32) as usize;
            (inside(low), inside(nearest(high).max(low + 1)))
        };
        for Mark { place: [x0, y0, x1, y1], .. } in boxes {
            let (left, right) = squares(*x0, *x1, columns);
            let (top, bottom) = squares(*y0, *y1, rows);
            for (row, sign) in [(top, 1), (bottom, -1)] {
                table[row * (columns + 1) + left] += sign;
                table[row * (columns + 1) + right] -= sign;
            }
        }
        let mut counts = vec![0_u32; columns * rows];
        for row in 0..rows {
            let mut across = 0;
            for column in 0..columns {
                across += table[row * (columns + 1) + column];
                let above = if row > 0 { counts[(row - 1) * columns + column] } else { 0 };
                counts[row * columns + column] = above.saturating_add_signed(across);
            }
        }
        let most = counts.iter().copied().max().unwrap_or(0);
        Self { columns, counts, most }
    }

    /// Returns, for each of the [`COLORS`](Self::COLORS), its runs of squares: left, top, width and height in pixels.
    pub(crate) fn runs(&self) -> [Vec<[i32; 4]>; Self::COLORS.len()] {
        let mut runs: [Vec<[i32; 4]>; Self::COLORS.len()] = Default::default();
        for (row, counts) in (0..).zip(self.counts.chunks(self.columns)) {
            let mut column = 0;
            for run in counts.chunk_by(|a, b| self.level(*a) == self.level(*b)) {
                if let Some(level) = self.level(run[0]) {
                    let side = Self::SQUARE;
                    runs[level].push([column * side, row * side, run.len() as i32 * side, side]);
                }
                column += run.len() as i32;
            }
        }
        runs
    }

    /// Returns the colour index of a count on a logarithmic scale. `None` for 0.
    fn level(&self, count: u32) -> Option<usize> {
        let share = f64::from(count).ln() / f64::from(self.most.max(2)).ln();
        let last = Self::COLORS.len() - 1;
        (count > 0).then_some(((share * last as f64).round() as usize).min(last))
    }
}
