//! The boxes of elements, for values that depend on them: transforms about an element's own box, basic shapes for
//! clipping, and the regions of filter functions.

use super::outline::Outline;
use crate::values::{self, Environment, attribute_transform};
use kurbo::{Affine, Rect, Shape, Stroke, StrokeOpts};
use std::collections::HashMap;

/// Returns the text of a matrix attribute. usvg skips elements under a matrix with zeros on its diagonal, but not under
/// other singular matrices.
pub(crate) fn matrix_text(matrix: Affine) -> String {
    if matrix.determinant() == 0.0 {
        return "scale(0)".to_owned();
    }
    // Removes the signs of zeros.
    let [a, b, c, d, e, f] = matrix.as_coeffs().map(|one| one + 0.0);
    format!("matrix({a} {b} {c} {d} {e} {f})")
}

/// The CSS transform properties of an element.
pub(crate) struct Moves {
    pub(crate) in_css: bool,
    pub(crate) transform: String,
    pub(crate) origin: String,
    /// The value of `transform-box`.
    pub(crate) area: String,
    pub(crate) individual: [String; 3],
    pub(crate) environment: Environment,
}

impl Moves {
    /// Returns the matrix, unless it depends on the box of the element.
    pub(crate) fn now(&self) -> Option<Affine> {
        let (width, height) = self.environment.view.unwrap_or(self.environment.page);
        let is_view = self.area == "view-box";
        is_view.then(|| self.matrix(Rect::new(0.0, 0.0, width, height)))?
    }

    fn matrix(&self, area: Rect) -> Option<Affine> {
        let environment = &self.environment;
        let [translate, rotate, scale] = self.individual.each_ref().map(String::as_str);
        let (css, attribute) =
            if self.in_css { (&*self.transform, "none") } else { ("none", &*self.transform) };
        let mut all = values::transform([translate, rotate, scale, css], environment, area)?;
        if attribute != "none" {
            all *= attribute_transform(attribute)?;
        }
        let origin = values::origin(&self.origin, environment, area)?;
        Some(Affine::translate(origin) * all * Affine::translate(-origin))
    }

    /// Returns the properties as style declarations.
    pub(crate) fn text(&self) -> String {
        let [translate, rotate, scale] = &self.individual;
        let all = [
            ("transform-box", &self.area, "view-box"),
            ("transform", &self.transform, "none"),
            ("translate", translate, "none"),
            ("rotate", rotate, "none"),
            ("scale", scale, "none"),
        ];
        let said = all.iter().filter(|(_, value, default)| value != default);
        let said: Vec<String> = said.map(|(name, value, _)| format!("{name}: {value}")).collect();
        said.join("; ")
    }
}

/// The box data of an element.
pub(crate) struct Own {
    /// The text whose box only usvg can measure, or another element without a known box.
    pub(crate) text: Option<u32>,
    pub(crate) outline: Option<Outline>,
    pub(crate) pen: Option<Stroke>,
    /// The transform from the element's own coordinates to its parent's, unless `moves` defines it.
    pub(crate) matrix: Option<Affine>,
    pub(crate) moves: Option<Moves>,
    /// The position of the content. `x` and `y` of a `use` or `svg` translate it after all other transforms.
    pub(crate) place: Affine,
    /// The transform from the content to the element's own coordinates.
    pub(crate) inner: Affine,
}

/// The error for a box that depends on something only usvg can measure.
pub(crate) struct Unknown;

/// The boxes of the elements of a document.
pub(crate) struct Boxes<'t> {
    all: Vec<Option<Own>>,
    children: Vec<Vec<u32>>,
    /// The cached boxes of fills (`false`), and including strokes (`true`).
    known: HashMap<(u32, bool), Option<Rect>>,
    texts: &'t HashMap<u32, Rect>,
    pub(crate) wants_texts: bool,
}

impl<'t> Boxes<'t> {
    /// Creates an empty tree of elements. `texts` contains the boxes of texts.
    pub(crate) fn new(texts: &'t HashMap<u32, Rect>) -> Self {
        let (all, children, known) = (Vec::new(), Vec::new(), HashMap::new());
        Self { all, children, known, texts, wants_texts: false }
    }

    /// Reserves a slot for an element that is added later.
    pub(crate) fn slot(&mut self) -> u32 {
        self.all.push(None);
        self.children.push(Vec::new());
        self.all.len() as u32 - 1
    }

    /// Adds an element in its slot. Without a parent, the element is not part of any other element's box.
    pub(crate) fn add(&mut self, slot: u32, parent: Option<u32>, own: Own) {
        if let Some(children) = parent.and_then(|parent| self.children.get_mut(parent as usize)) {
            children.push(slot);
        }
        self.all[slot as usize] = Some(own);
    }

    /// Returns the box of an element in its own coordinates; `None` if it is empty.
    pub(crate) fn area(&mut self, slot: u32, stroked: bool) -> Result<Option<Rect>, Unknown> {
        if let Some(known) = self.known.get(&(slot, stroked)) {
            return Ok(*known);
        }
        let Some(own) = self.all.get(slot as usize).and_then(Option::as_ref) else {
            return Ok(None);
        };
        let inner = own.inner;
        let outline = own.outline.as_ref().map(Outline::path);
        let mut area = match (outline, own.text) {
            (_, Some(text)) => match self.texts.get(&text) {
                Some(area) => Some(*area),
                None => {
                    self.wants_texts = true;
                    return Err(Unknown);
                }
            },
            (Some(shape), _) if shape.is_empty() => None,
            (Some(shape), _) => Some(match own.pen.as_ref().filter(|_| stroked) {
                Some(pen) if pen.width > 0.0 => {
                    kurbo::stroke(shape.iter(), pen, &StrokeOpts::default(), 0.01).bounding_box()
                }
                _ => shape.bounding_box(),
            }),
            (None, _) => None,
        };
        for part in self.children[slot as usize].clone() {
            let Some(found) = self.area(part, stroked)? else { continue };
            let moved = self.all[part as usize].as_ref().map_or(Affine::IDENTITY, |own| own.place);
            let matrix = self.matrix(part)? * moved * inner;
            let found = matrix.transform_rect_bbox(found);
            area = Some(area.map_or(found, |area| area.union(found)));
        }
        let area = area.filter(|area| area.is_finite());
        self.known.insert((slot, stroked), area);
        Ok(area)
    }

    /// Returns the matrices of the elements whose transform depends on a box.
    pub(crate) fn matrices(&mut self) -> HashMap<u32, Affine> {
        let is_later = |slot: &u32| self.moves(*slot).is_some_and(|it| it.now().is_none());
        let slots: Vec<u32> = (0..self.all.len() as u32).filter(is_later).collect();
        let known = |slot| Some((slot, self.matrix(slot).ok()?));
        slots.into_iter().filter_map(known).collect()
    }

    fn moves(&self, slot: u32) -> Option<&Moves> {
        self.all.get(slot as usize)?.as_ref()?.moves.as_ref()
    }

    /// Returns the matrix from an element's coordinates to its parent's.
    fn matrix(&mut self, slot: u32) -> Result<Affine, Unknown> {
        let own = self.all[slot as usize].as_ref().ok_or(Unknown)?;
        let Some(moves) = &own.moves else { return own.matrix.ok_or(Unknown) };
        if let Some(now) = moves.now() {
            return Ok(now);
        }
        let stroked = matches!(&*moves.area, "stroke-box" | "border-box");
        let area = self.area(slot, stroked)?.unwrap_or(Rect::ZERO);
        let moves = self.all[slot as usize].as_ref().and_then(|own| own.moves.as_ref());
        moves.and_then(|moves| moves.matrix(area)).ok_or(Unknown)
    }
}
