//! Values that depend on the boxes of elements: transforms about an element's own box, basic shapes that clip, the regions of
//! filter functions, and strokes that do not scale.

use super::lower::attribute_transform;
use super::rewrite::write_attribute;
use super::values::{self, Effect, Environment, Whole};
use kurbo::{Affine, BezPath, Rect, Shape, Stroke, StrokeOpts};
use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt::Write;
use treebounds_report::Ignored;

/// An attribute of the new document that is filled in at the end.
pub(super) struct Gap {
    /// The place in the text.
    pub(super) at: usize,
    pub(super) object: u32,
    /// The attribute; empty for the place of generated definitions.
    pub(super) name: &'static str,
    /// The matrix, if it is known already.
    pub(super) matrix: Option<Affine>,
}

/// A definition that stands for a value of CSS.
pub(super) enum Generated {
    Clip { mark: String, object: u32, shape: String, environment: Environment },
    Filter { mark: String, object: u32, effects: Vec<Effect> },
    Path { mark: String, d: String },
}

/// What CSS transforms an element with.
pub(super) struct Moves {
    pub(super) in_css: bool,
    pub(super) transform: String,
    pub(super) origin: String,
    /// The value of `transform-box`.
    pub(super) area: String,
    pub(super) individual: [String; 3],
    pub(super) environment: Environment,
}

impl Moves {
    /// The matrix, unless it depends on the box of the element.
    pub(super) fn now(&self, environment: &Environment) -> Option<Affine> {
        let (width, height) = self.environment.view.unwrap_or(environment.page);
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

    fn text(&self) -> String {
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

/// An element, as far as boxes need it.
pub(super) struct Own {
    pub(super) is_text: bool,
    pub(super) shape: Option<BezPath>,
    pub(super) pen: Option<Stroke>,
    /// From its own coordinates to its parent's, unless its moves say so.
    pub(super) matrix: Option<Affine>,
    pub(super) moves: Option<Moves>,
    /// The place of its contents, which `x` and `y` of a `use` or `svg` move after everything else.
    pub(super) place: Affine,
    /// From its contents to its own coordinates.
    pub(super) inner: Affine,
}

impl Own {
    /// The path of a shape with these attributes.
    pub(super) fn outline(
        tag: &str,
        attributes: &[(Cow<'static, str>, String)],
    ) -> Option<BezPath> {
        let text = |name: &str| {
            attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
        };
        let number =
            |name: &str| text(name).map_or(Some(0.0), |value| value.trim().parse::<f64>().ok());
        Some(match tag {
            "image" if text("width").and(text("height")).is_none() => return None,
            "rect" | "image" => {
                let (x, y) = (number("x")?, number("y")?);
                let rect = Rect::new(x, y, x + number("width")?, y + number("height")?);
                // Dashes begin after the first corner.
                let (rx, ry) = (number("rx")?, number("ry")?);
                let radius =
                    if text("rx").and(text("ry")).is_some() { rx.min(ry) } else { rx.max(ry) };
                if radius > 0.0 {
                    rect.to_rounded_rect(radius).to_path(0.1)
                } else {
                    rect.to_path(0.1)
                }
            }
            "circle" => {
                kurbo::Circle::new((number("cx")?, number("cy")?), number("r")?).to_path(0.1)
            }
            "ellipse" => {
                let auto = |name: &str, other: &str| {
                    if text(name).is_some() { number(name) } else { number(other) }
                };
                let radii = (auto("rx", "ry")?, auto("ry", "rx")?);
                kurbo::Ellipse::new((number("cx")?, number("cy")?), radii, 0.0).to_path(0.1)
            }
            "line" => {
                kurbo::Line::new((number("x1")?, number("y1")?), (number("x2")?, number("y2")?))
                    .to_path(0.1)
            }
            "path" => BezPath::from_svg(text("d")?).ok()?,
            _ => {
                let mut path = BezPath::new();
                for (index, point) in svgtypes::PointsParser::from(text("points")?).enumerate() {
                    if index == 0 { path.move_to(point) } else { path.line_to(point) }
                }
                if tag == "polygon" && !path.is_empty() {
                    path.close_path();
                }
                path
            }
        })
    }
}

/// A box that is not known, because it depends on something that only usvg can measure.
struct Unknown;

/// How many elements and references may be nested in each other where boxes are measured.
const DEPTH: u32 = 4096;

/// The boxes of the elements of a document.
pub(super) struct Boxes<'t> {
    all: Vec<Option<Own>>,
    children: Vec<Vec<u32>>,
    /// The targets of `use` elements.
    links: HashMap<u32, u32>,
    /// The boxes that were asked for: of fills, and with strokes.
    known: HashMap<(u32, bool), Option<Rect>>,
    texts: &'t HashMap<u32, Rect>,
    pub(super) wants_texts: bool,
}

impl<'t> Boxes<'t> {
    /// Room for as many elements.
    pub(super) fn new(count: usize, texts: &'t HashMap<u32, Rect>) -> Self {
        let all = std::iter::repeat_with(|| None).take(count).collect();
        let (links, known) = (HashMap::new(), HashMap::new());
        Self { all, children: vec![Vec::new(); count], links, known, texts, wants_texts: false }
    }

    /// Adds an element; without a parent it is part of no other element's box.
    pub(super) fn add(&mut self, object: u32, parent: Option<u32>, own: Own) {
        if let Some(children) = parent.and_then(|parent| self.children.get_mut(parent as usize)) {
            children.push(object);
        }
        self.all[object as usize] = Some(own);
    }

    /// Notes the target of a `use`.
    pub(super) fn link(&mut self, object: u32, target: Option<u32>) {
        self.links.extend(target.map(|target| (object, target)));
    }

    /// The box of an element in its own coordinates; `None` if it is empty.
    fn area(&mut self, object: u32, stroked: bool, depth: u32) -> Result<Option<Rect>, Unknown> {
        let depth = depth.checked_sub(1).ok_or(Unknown)?;
        if let Some(known) = self.known.get(&(object, stroked)) {
            return Ok(*known);
        }
        let Some(own) = self.all.get(object as usize).and_then(Option::as_ref) else {
            return Ok(None);
        };
        let inner = own.inner;
        let mut area = match (&own.shape, own.is_text) {
            (_, true) => match self.texts.get(&object) {
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
        let mut parts = self.children[object as usize].clone();
        parts.extend(self.links.get(&object));
        for part in parts {
            let Some(found) = self.area(part, stroked, depth)? else { continue };
            let place = self.all[part as usize].as_ref().map_or(Affine::IDENTITY, |own| own.place);
            let matrix = inner * self.matrix(part, depth)? * place;
            let found = matrix.transform_rect_bbox(found);
            area = Some(area.map_or(found, |area| area.union(found)));
        }
        let area = area.filter(|area| area.is_finite());
        self.known.insert((object, stroked), area);
        Ok(area)
    }

    /// The matrix from an element's coordinates to its parent's.
    fn matrix(&mut self, object: u32, depth: u32) -> Result<Affine, Unknown> {
        let own = self.all[object as usize].as_ref().ok_or(Unknown)?;
        let Some(moves) = &own.moves else { return own.matrix.ok_or(Unknown) };
        if let Some(now) = moves.now(&moves.environment) {
            return Ok(now);
        }
        let stroked = matches!(&*moves.area, "stroke-box" | "border-box");
        if moves.area == "view-box" {
            return Err(Unknown);
        }
        let area = self.area(object, stroked, depth)?.unwrap_or(Rect::ZERO);
        let moves = self.all[object as usize].as_ref().and_then(|own| own.moves.as_ref());
        moves.and_then(|moves| moves.matrix(area)).ok_or(Unknown)
    }

    /// The text with its gaps filled in.
    pub(super) fn fill(
        &mut self,
        text: &str,
        gaps: &[Gap],
        generated: &[Generated],
        ignored: &mut Vec<Ignored>,
    ) -> String {
        let mut out = String::with_capacity(text.len() + 100 * gaps.len());
        let mut start = 0;
        for gap in gaps {
            out += &text[start..gap.at];
            start = gap.at;
            if gap.name.is_empty() {
                generated.iter().for_each(|one| self.define(one, &mut out, ignored));
                continue;
            }
            match gap.matrix.map_or_else(|| self.matrix(gap.object, DEPTH), Ok) {
                Ok(matrix) if matrix.is_finite() => {
                    let [a, b, c, d, e, f] = matrix.as_coeffs();
                    let _ = write!(out, " {}=\"matrix({a} {b} {c} {d} {e} {f})\"", gap.name);
                    if gap.object == 0 {
                        out += " transform-origin=\"0 0\"";
                    }
                }
                _ => {
                    let own = self.all.get(gap.object as usize).and_then(Option::as_ref);
                    let what = own.and_then(|own| own.moves.as_ref()).map(Moves::text);
                    let what = what.unwrap_or_else(|| "transform".to_owned()).into();
                    let effect = super::properties::IGNORED.into();
                    ignored.push(Ignored { object: gap.object, what, effect });
                }
            }
        }
        out += &text[start..];
        out
    }

    /// Writes a generated definition.
    fn define(&mut self, one: &Generated, out: &mut String, ignored: &mut Vec<Ignored>) {
        match one {
            Generated::Clip { mark, object, shape, environment } => {
                let lower = shape.to_ascii_lowercase();
                let is_box = |word: &&str| word.ends_with("-box") && !word.contains('(');
                let (boxes, functions): (Vec<&str>, Vec<&str>) = values::split_words(shape)
                    .into_iter()
                    .partition(|word| is_box(&&*word.to_ascii_lowercase()));
                let (stroked, is_view) = match boxes.first() {
                    Some(_) if lower.contains("view-box") => (false, true),
                    Some(_) => (
                        ["stroke-box", "border-box", "margin-box"]
                            .iter()
                            .any(|one| lower.contains(one)),
                        false,
                    ),
                    None => (true, false),
                };
                let area = match environment.view {
                    // The box of the root is the page.
                    _ if *object == 0 => Ok(Rect::from_origin_size((0.0, 0.0), environment.page)),
                    Some(view) if is_view => Ok(Rect::from_origin_size((0.0, 0.0), view)),
                    None if is_view => Err(Unknown),
                    _ => self.area(*object, stroked, DEPTH).map(Option::unwrap_or_default),
                };
                let function = match &functions[..] {
                    [] => "inset(0px)".to_owned(),
                    words => words.join(" "),
                };
                let function = &function;
                let found = area.ok().and_then(|area| clip_shape(function, environment, area));
                if found.is_none() {
                    let what = format!("clip-path: {shape}").into();
                    let effect = super::properties::DOES_NOT_CUT.into();
                    ignored.push(Ignored { object: *object, what, effect });
                }
                let everything =
                    "<rect x=\"-1000000\" y=\"-1000000\" width=\"2000000\" height=\"2000000\"/>";
                let found = found.unwrap_or_else(|| everything.to_owned());
                *out += &format!("<clipPath id=\"{mark}\">{found}</clipPath>");
            }
            Generated::Path { mark, d } => {
                *out += &format!("<path id=\"{mark}\"");
                write_attribute(out, "d", d);
                *out += "/>";
            }
            Generated::Filter { mark, object, effects } => {
                let region = self.area(*object, true, DEPTH).map(Option::unwrap_or_default);
                let (mut area, units) = match region {
                    Ok(area) => (area, "userSpaceOnUse"),
                    Err(Unknown) => {
                        let what = "filter".into();
                        let effect = "its region is three times as large as the box, because that is not known".into();
                        ignored.push(Ignored { object: *object, what, effect });
                        (Rect::new(-1.0, -1.0, 2.0, 2.0), "objectBoundingBox")
                    }
                };
                let mut parts = String::new();
                for effect in effects {
                    let (moved, part) = primitive(effect, area);
                    if units == "userSpaceOnUse" {
                        area = moved;
                    }
                    parts += &part;
                }
                let (x, y, width, height) = (area.x0, area.y0, area.width(), area.height());
                let _ = write!(
                    out,
                    "<filter id=\"{mark}\" filterUnits=\"{units}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" color-interpolation-filters=\"sRGB\">{parts}</filter>"
                );
            }
        }
    }
}

/// The box of what an effect paints, and its filter primitive.
fn primitive(effect: &Effect, area: Rect) -> (Rect, String) {
    match effect {
        Effect::Blur(blur) => {
            let reach = 3.0 * blur;
            (area.inflate(reach, reach), format!("<feGaussianBlur stdDeviation=\"{blur}\"/>"))
        }
        Effect::Shadow { by, blur, colour } => {
            let reach = 3.0 * blur;
            let (dx, dy) = (by.x, by.y);
            let part = format!(
                "<feDropShadow dx=\"{dx}\" dy=\"{dy}\" stdDeviation=\"{blur}\" flood-color=\"{colour}\"/>"
            );
            (area.union((area + *by).inflate(reach, reach)), part)
        }
        Effect::Colours(part) => (area, part.clone()),
        Effect::Link(_) => (area, String::new()),
    }
}

/// A basic shape as an element that clips.
fn clip_shape(text: &str, environment: &Environment, area: Rect) -> Option<String> {
    let (name, inner) = text.trim().split_once('(')?;
    let inner = inner.strip_suffix(')')?.trim();
    let (width, height) = (area.width(), area.height());
    let along =
        |word: &str, whole: f64| values::strict_length(word, environment, Whole::Pixels(whole));
    let rect = |x: f64, y: f64, width: f64, height: f64| {
        let (width, height) = (width.max(0.0), height.max(0.0));
        Some(format!("<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"))
    };
    let (words, _) = inner.split_once(" round ").unwrap_or((inner, ""));
    let words = values::split_words(words);
    // Four sides, of which the last may be left out.
    let side =
        |at: usize| words.get(at).or_else(|| words.get(at % 2)).or_else(|| words.first()).copied();
    let middle = words.iter().position(|word| *word == "at");
    let (radii, centre) = words.split_at(middle.unwrap_or(words.len()));
    let centre = centre.get(1..).unwrap_or_default().join(" ");
    let centre = if centre.is_empty() { "center".to_owned() } else { centre };
    let centre = || values::origin(&centre, environment, area);
    let radius = |word: Option<&str>, [least, most]: [f64; 2], whole: f64| match word {
        None | Some("closest-side") => Some(least),
        Some("farthest-side") => Some(most),
        Some(word) => along(word, whole).filter(|radius| *radius >= 0.0),
    };
    match &*name.trim().to_ascii_lowercase() {
        "inset" => {
            let (top, right) = (along(side(0)?, height)?, along(side(1)?, width)?);
            let (bottom, left) = (along(side(2)?, height)?, along(side(3)?, width)?);
            rect(area.x0 + left, area.y0 + top, width - left - right, height - top - bottom)
        }
        "xywh" => {
            let [x, y] = [along(side(0)?, width)?, along(side(1)?, height)?];
            rect(area.x0 + x, area.y0 + y, along(side(2)?, width)?, along(side(3)?, height)?)
        }
        "circle" => {
            let at = centre()?;
            let sides =
                [at.x - area.x0, area.x1 - at.x, at.y - area.y0, area.y1 - at.y].map(f64::abs);
            let least = sides.into_iter().fold(f64::INFINITY, f64::min);
            let most = sides.into_iter().fold(0.0, f64::max);
            let whole = width.hypot(height) / std::f64::consts::SQRT_2;
            let r = radius(radii.first().copied(), [least, most], whole)?;
            Some(format!("<circle cx=\"{}\" cy=\"{}\" r=\"{r}\"/>", at.x, at.y))
        }
        "ellipse" if radii.len() == 1 => None,
        "ellipse" => {
            let at = centre()?;
            let range = |a: f64, b: f64| [a.abs().min(b.abs()), a.abs().max(b.abs())];
            let rx = radius(radii.first().copied(), range(at.x - area.x0, area.x1 - at.x), width)?;
            let ry = radius(radii.get(1).copied(), range(at.y - area.y0, area.y1 - at.y), height)?;
            Some(format!("<ellipse cx=\"{}\" cy=\"{}\" rx=\"{rx}\" ry=\"{ry}\"/>", at.x, at.y))
        }
        "polygon" => {
            let mut points = String::new();
            for pair in values::split(inner, ',') {
                match values::split_words(pair)[..] {
                    ["nonzero" | "evenodd"] => {}
                    [x, y] => {
                        let (x, y) = (area.x0 + along(x, width)?, area.y0 + along(y, height)?);
                        let _ = write!(points, "{x},{y} ");
                    }
                    _ => return None,
                }
            }
            Some(format!("<polygon points=\"{points}\"/>"))
        }
        "path" => {
            let d = inner.rsplit_once(',').map_or(inner, |(rule, d)| {
                if matches!(rule.trim(), "nonzero" | "evenodd") { d } else { inner }
            });
            let d = d.trim().trim_matches(['"', '\'']);
            let is_good = BezPath::from_svg(d).is_ok() && !d.contains(['"', '<', '&']);
            let (x, y) = (area.x0, area.y0);
            is_good.then(|| format!("<path transform=\"translate({x} {y})\" d=\"{d}\"/>"))
        }
        _ => None,
    }
}

/// Strokes that do not scale, by marks in their miter limits.
///
/// usvg keeps no `vector-effect`, and forgets the ids of what a `use` shows. So the last bits of such a stroke's miter limit,
/// which change it by less than a thousandth, hold the number of an entry here. All other limits have zeros there.
#[derive(Debug, Default)]
pub(super) struct Pens(Vec<f64>);

/// The bits of a miter limit that hold a number.
const BITS: u32 = 0xfff;

/// A miter limit without a mark.
pub(super) fn plain_miter(limit: f32) -> f32 {
    f32::from_bits(limit.to_bits() & !BITS)
}

/// The least factor by which a transform scales, over all directions.
pub(super) fn least_scale(transform: Affine) -> f64 {
    let [a, b, c, d, ..] = transform.as_coeffs();
    let (sum, det) = (a * a + b * b + c * c + d * d, (a * d - b * c).abs());
    let most = ((sum + (sum * sum - 4.0 * det * det).max(0.0).sqrt()) / 2.0).sqrt();
    if most > 0.0 { det / most } else { 0.0 }
}

impl Pens {
    /// Marks the miter limit of a stroke that is written `by` times as wide; `None` if there are too many kinds.
    pub(super) fn add(&mut self, by: f64, limit: f32) -> Option<f32> {
        let at = self.0.iter().rposition(|known| *known == by).unwrap_or_else(|| {
            self.0.push(by);
            self.0.len() - 1
        });
        let mark = u32::try_from(at + 1).ok().filter(|mark| *mark <= BITS)?;
        Some(f32::from_bits(plain_miter(limit).to_bits() | mark))
    }

    /// How much too wide a stroke with this miter limit is written; `None` if it scales.
    pub(super) fn get(&self, limit: f32) -> Option<f64> {
        let at = (limit.to_bits() & BITS).checked_sub(1)?;
        self.0.get(at as usize).copied()
    }
}
