//! Writes the overlay, an SVG document with the boxes over the drawing.

use crate::labels::{self, Label};
use crate::marks::{self, CrowdMap, Kind, Look, Mark, Marks, PixelBox};
use crate::{Findings, PictureFrame};
use std::fmt::{self, Write};

/// A picture of the boxes of some elements, as SVG or PNG.
///
/// The drawing is dimmed behind the boxes, and a legend with counts is below them. Draws are solid blue, clips dashed
/// orange, layers dotted purple. Lines run just outside their boxes and are equally thick in every picture. If there is
/// room, a box is labelled with its id, or with its index in the report. A culled element has no bounds: its rect is crossed
/// out, or only counted if it lies outside the canvas. If a kind has too many boxes for lines, colours show how many of them
/// overlap. A picture is at least as wide as its legend.
#[derive(Clone, Copy, Debug)]
pub struct Overlay<'a> {
    findings: &'a Findings<'a>,
    frame: PictureFrame,
    #[cfg(feature = "picture")]
    pub(crate) drawing: Option<&'a resvg::usvg::Tree>,
}

/// The reason why a picture could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// There is not enough memory for the pixels.
    #[error("there is no memory for a picture of {width} x {height} pixels; choose a smaller one")]
    NoMemory {
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
    },
    /// The thread for painting could not be started.
    #[error("cannot start a thread to paint on: {0}")]
    NoThread(#[from] std::io::Error),
    /// resvg or usvg panicked.
    #[error("resvg failed on the drawing; make the picture without it")]
    Failed,
    /// The document generated for the boxes is invalid, which is a bug in this crate.
    #[error("resvg cannot read the boxes: {0}")]
    Svg(String),
    /// The pixels could not be encoded as PNG.
    #[error("the picture cannot be written as PNG: {0}")]
    Png(String),
}

impl<'a> Overlay<'a> {
    /// Shows the boxes of these findings, without a drawing behind them.
    pub fn new(findings: &'a Findings<'a>, frame: PictureFrame) -> Self {
        Self {
            findings,
            frame,
            #[cfg(feature = "picture")]
            drawing: None,
        }
    }

    /// Puts the drawing behind the boxes.
    #[cfg(feature = "picture")]
    #[must_use]
    pub fn on(self, drawing: &'a resvg::usvg::Tree) -> Self {
        Self { drawing: Some(drawing), ..self }
    }

    /// Width and height of the whole picture in pixels, with the legend.
    pub fn size(&self) -> [u32; 2] {
        self.parts().size
    }

    /// The size and scale of the drawing in the picture.
    pub fn frame(&self) -> PictureFrame {
        self.frame
    }

    /// Returns the picture as a self-contained SVG document. It contains the drawing as measured, with texts as outlines and
    /// with embedded images. Each box is an element whose title contains its name and edges.
    ///
    /// # Errors
    /// [`PictureError::NoThread`], or [`PictureError::Failed`] if usvg cannot write the drawing. Does not fail without a
    /// drawing.
    pub fn svg(&self) -> Result<String, PictureError> {
        let parts = self.parts();
        #[cfg(feature = "picture")]
        let drawing = self.drawing.map(crate::png::inline).transpose()?.unwrap_or_default();
        #[cfg(not(feature = "picture"))]
        let drawing = "";
        let (scale, Parts { open, back, front, .. }) = (self.frame.scale(), &parts);
        Ok(format!(
            "{open}{back}<g id=\"drawing\" transform=\"scale({scale})\">{drawing}</g>\n{front}</svg>\n"
        ))
    }

    /// Returns the document without the drawing, in parts.
    pub(crate) fn parts(&self) -> Parts {
        let marks = marks::all(self.findings, &self.frame);
        let is_map = |marks: &&Marks| marks.look == Look::Map;
        let crowds = marks.iter().filter(is_map).flat_map(|marks| &marks.boxes);
        let map = CrowdMap::new(crowds, &self.frame);
        let [width, height] = [self.frame.width() as i32, self.frame.height() as i32];
        let legend = Legend::new(&marks, map.most, width);
        let size = [width.max(legend.width()), height + legend.height()];
        let [full_width, full_height] = size;
        let open = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{full_width}\" height=\"{full_height}\" \
             viewBox=\"0 0 {full_width} {full_height}\" font-family=\"'DejaVu Sans Mono', monospace\">\n"
        );
        // A checkerboard of rows of dashes. Every other row begins with a gap. The legend covers the overhang of the last
        // row.
        let row = |row: i32| format!("M{} {}H{width}", 16 - row % 2 * 16, 16 * row + 8);
        let rows: String = (0..(height + 15) / 16).map(row).collect();
        let legend_height = legend.height();
        let back = format!(
            "<rect width=\"{full_width}\" height=\"{full_height}\" fill=\"#fff\"/>\n\
             <path d=\"{rows}\" stroke=\"#f4f4f4\" stroke-width=\"16\" stroke-dasharray=\"16\"/>\n\
             <rect y=\"{height}\" width=\"{full_width}\" height=\"{legend_height}\" fill=\"#fff\"/>\n"
        );
        let labels = labels::placed(&marks, [width, height]);
        let front = Front {
            marks: &marks,
            map: &map,
            labels: &labels,
            legend: &legend,
            size: [width, height],
        };
        Parts { size: size.map(|side| side as u32), open, back, front: front.to_string() }
    }
}

/// An SVG document in parts. The drawing is inserted between `back` and `front`.
pub(crate) struct Parts {
    /// Width and height in pixels.
    pub(crate) size: [u32; 2],
    pub(crate) open: String,
    pub(crate) back: String,
    pub(crate) front: String,
}

struct Front<'a> {
    marks: &'a [Marks],
    map: &'a CrowdMap,
    labels: &'a [Label],
    legend: &'a Legend,
    size: [i32; 2],
}

/// The opacity of the white veil over the drawing, which makes the lines stand out.
const VEIL: f32 = 0.55;

impl fmt::Display for Front<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [width, height] = self.size;
        writeln!(
            f,
            "<rect id=\"veil\" width=\"{width}\" height=\"{height}\" fill=\"#fff\" opacity=\"{VEIL}\"/>"
        )?;
        self.write_crowds(f)?;
        self.write_halos(f)?;
        for marks in self.marks {
            match marks.look {
                Look::Lines(thickness) => self.write_lines(f, marks, thickness)?,
                Look::Map => {}
            }
        }
        self.names(f)?;
        self.legend.write(f, self.marks, self.size)
    }
}

impl Front<'_> {
    /// Writes the map of overlapping boxes.
    fn write_crowds(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<g id=\"crowds\" opacity=\"0.8\">\n")?;
        for (color, runs) in CrowdMap::COLORS.iter().zip(self.map.runs()) {
            if !runs.is_empty() {
                write!(f, "<path fill=\"{color}\" d=\"")?;
                runs.iter().try_for_each(|[x, y, w, h]| write!(f, "M{x} {y}h{w}v{h}h-{w}z"))?;
                f.write_str("\"/>\n")?;
            }
        }
        f.write_str("</g>\n")
    }

    /// Writes light borders below all lines, so that lines stand out on dark drawings and none hides another.
    fn write_halos(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<g id=\"halos\" fill=\"none\" stroke=\"#fff\" stroke-opacity=\"0.7\">\n")?;
        for marks in self.marks {
            let Look::Lines(thickness @ 2..) = marks.look else { continue };
            write!(f, "<path stroke-width=\"{}\" d=\"", thickness + 2)?;
            for [x, y, w, h] in
                marks.boxes.iter().map(|mark| self.line(mark.place, marks.kind, thickness))
            {
                write!(f, "M{x} {y}h{w}v{h}h-{w}z")?;
            }
            f.write_str("\"/>\n")?;
        }
        f.write_str("</g>\n")
    }

    fn write_lines(
        &self,
        f: &mut fmt::Formatter<'_>,
        marks: &Marks,
        thickness: i32,
    ) -> fmt::Result {
        let [noun, nouns] = marks.kind.nouns();
        writeln!(f, "<g id=\"{nouns}\" {}>", stroke(marks.kind, thickness))?;
        for Mark { place, name, exact } in &marks.boxes {
            if marks.kind == Kind::Culled {
                let Some([x0, y0, x1, y1]) = self.crossed(*place) else { continue };
                write!(
                    f,
                    "<path d=\"M{x0} {y0}L{x1} {y1}M{x1} {y0}L{x0} {y1}M{x0} {y0}H{x1}V{y1}H{x0}z\">"
                )?;
            } else {
                let [x, y, w, h] = self.line(*place, marks.kind, thickness);
                write!(f, "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\">")?;
            }
            let [x0, y0, x1, y1] = exact.to_array();
            let name = Escaped(name);
            let tag = if marks.kind == Kind::Culled { "path" } else { "rect" };
            writeln!(f, "<title>{noun} {name}: x {x0} to {x1}, y {y0} to {y1}</title></{tag}>")?;
        }
        f.write_str("</g>\n")
    }

    /// Returns the centre line around a box: left, top, width and height. The line runs outside the box, unless that would
    /// be outside the picture.
    fn line(&self, [x0, y0, x1, y1]: PixelBox, kind: Kind, thickness: i32) -> [f32; 4] {
        let half = thickness as f32 / 2.0;
        let out = kind.outset() as f32 + half;
        let [width, height] = self.size.map(|side| (side as f32 - half).max(half));
        let (left, top) =
            ((x0 as f32 - out).clamp(half, width), (y0 as f32 - out).clamp(half, height));
        let right = (x1 as f32 + out).clamp(left, width);
        let bottom = (y1 as f32 + out).clamp(top, height);
        [left, top, right - left, bottom - top]
    }

    /// Returns the part of a culled box inside the picture, if it is large enough for a recognizable cross.
    fn crossed(&self, [x0, y0, x1, y1]: PixelBox) -> Option<[f32; 4]> {
        const LEAST: i32 = 6;
        let [width, height] = self.size;
        let [x0, y0, x1, y1] = [x0.max(0), y0.max(0), x1.min(width), y1.min(height)];
        let is_large = x1 - x0 >= LEAST && y1 - y0 >= LEAST;
        is_large.then_some([x0 as f32 + 0.5, y0 as f32 + 0.5, x1 as f32 - 0.5, y1 as f32 - 0.5])
    }

    fn names(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "<g id=\"labels\" font-size=\"{}\">", labels::SIZE)?;
        for Label { place: [x0, y0, x1, y1], kind, text } in self.labels {
            let (width, height) = (x1 - x0, y1 - y0);
            let (x, y) = (x0 + labels::PADDING, y1 - 4);
            let (color, text) = (kind.color(), Escaped(text));
            writeln!(
                f,
                "<rect x=\"{x0}\" y=\"{y0}\" width=\"{width}\" height=\"{height}\" rx=\"2\" fill=\"#fff\" \
                 fill-opacity=\"0.9\"/><text x=\"{x}\" y=\"{y}\" fill=\"{color}\">{text}</text>"
            )?;
        }
        f.write_str("</g>\n")
    }
}

fn stroke(kind: Kind, thickness: i32) -> String {
    let mut attributes =
        format!("fill=\"none\" stroke=\"{}\" stroke-width=\"{thickness}\"", kind.color());
    if !kind.dashes().is_empty() {
        attributes.push_str(&format!(" stroke-dasharray=\"{}\"", kind.dashes()));
    }
    attributes
}

/// The strip below the drawing that explains the lines.
struct Legend {
    /// The texts with their left edges and their lines in the legend.
    entries: Vec<(f32, i32, String)>,
    /// The width of the widest entry.
    widest: f32,
    /// Large pictures are usually displayed smaller, so their legends are larger.
    scale: f32,
}

impl Legend {
    const LINE: i32 = 30;
    const MARGIN: f32 = 10.0;
    /// The width of a sample, and the gap after it.
    const SAMPLE: [f32; 2] = [34.0, 9.0];
    const BETWEEN: f32 = 28.0;
    const LETTERS: f32 = 14.0;

    /// Lays out one entry per kind, in lines that fit the width.
    fn new(marks: &[Marks], most: u32, width: i32) -> Self {
        let scale = (width as f32 / 1000.0).clamp(1.0, 2.0);
        let draws_first = marks.iter().cycle().skip(1).take(marks.len());
        let texts: Vec<String> = draws_first.map(|marks| Self::text(marks, most)).collect();
        let length = |text: &String| {
            let letters = text.chars().count() as f32 * labels::ADVANCE * Self::LETTERS;
            Self::SAMPLE[0] + Self::SAMPLE[1] + letters
        };
        let widest = texts.iter().map(length).fold(0.0, f32::max);
        let available = (width as f32 / scale).max(widest + 2.0 * Self::MARGIN) - Self::MARGIN;
        let (mut x, mut line) = (Self::MARGIN, 0);
        let mut entries = Vec::new();
        for text in texts {
            let length = length(&text);
            if x > Self::MARGIN && x + length > available {
                (x, line) = (Self::MARGIN, line + 1);
            }
            entries.push((x, line, text));
            x += length + Self::BETWEEN;
        }
        Self { entries, widest, scale }
    }

    /// Returns the text of an entry, for example `1,204 draws`.
    fn text(marks: &Marks, most: u32) -> String {
        let [one, many] = marks.kind.nouns();
        let noun = if marks.count == 1 { one } else { many };
        let text = format!("{} {noun}", grouped(marks.count));
        match marks.off_canvas {
            _ if marks.look == Look::Map => {
                format!("{text}, up to {} in one place", grouped(most as usize))
            }
            0 => text,
            off_canvas => format!("{text}, {} off the canvas", grouped(off_canvas)),
        }
    }

    /// Returns the minimum width of the picture in pixels.
    fn width(&self) -> i32 {
        ((self.widest + 2.0 * Self::MARGIN) * self.scale).ceil() as i32
    }

    fn height(&self) -> i32 {
        let lines = self.entries.last().map_or(0, |(_, line, _)| line + 1);
        (((Self::LINE * lines) as f32 + Self::MARGIN) * self.scale).ceil() as i32
    }

    fn write(
        &self,
        f: &mut fmt::Formatter<'_>,
        marks: &[Marks],
        [width, top]: [i32; 2],
    ) -> fmt::Result {
        let (scale, right) = (self.scale, width.max(self.width()) as f32 / self.scale);
        writeln!(
            f,
            "<g id=\"legend\" transform=\"translate(0 {top}) scale({scale})\" font-size=\"{}\">\n\
             <path stroke=\"#d2d2d2\" d=\"M0 0.5H{right}\"/>",
            Self::LETTERS
        )?;
        for ((x, line, text), at) in self.entries.iter().zip(1..) {
            let marks = &marks[at % marks.len()];
            let y = Self::LINE * line + 12;
            self.write_sample(f, marks, *x, y)?;
            let text_x = x + Self::SAMPLE[0] + Self::SAMPLE[1];
            let text_y = y + 13;
            writeln!(f, "<text x=\"{text_x}\" y=\"{text_y}\" fill=\"#222\">{text}</text>")?;
        }
        f.write_str("</g>\n")
    }

    /// Draws a sample box, or the colours of a map.
    fn write_sample(
        &self,
        f: &mut fmt::Formatter<'_>,
        marks: &Marks,
        x: f32,
        y: i32,
    ) -> fmt::Result {
        let [width, height] = [Self::SAMPLE[0], 16.0];
        if marks.look == Look::Map {
            let step = width / CrowdMap::COLORS.len() as f32;
            for (color, at) in CrowdMap::COLORS.iter().zip(0_u8..) {
                let x = x + step * f32::from(at);
                write!(f, "<path fill=\"{color}\" d=\"M{x} {y}h{step}v{height}h-{step}z\"/>")?;
            }
            return Ok(());
        }
        let thickness = if marks.kind == Kind::Culled { 1 } else { 2 };
        let inset = thickness as f32 / 2.0;
        let (left, top) = (x + inset, y as f32 + inset);
        let (w, h) = (width - 2.0 * inset, height - 2.0 * inset);
        write!(f, "<path {} d=\"M{left} {top}h{w}v{h}h-{w}z", stroke(marks.kind, thickness))?;
        if marks.kind == Kind::Culled {
            write!(f, "l{w} {h}m-{w} 0l{w} -{h}")?;
        }
        f.write_str("\"/>")
    }
}

/// Formats a number with commas between thousands.
fn grouped(count: usize) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (ix, digit) in digits.chars().enumerate() {
        if ix > 0 && (digits.len() - ix).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Text inside an XML element. Characters forbidden in XML are replaced by the replacement character.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '&' => f.write_str("&amp;"),
            '\u{0}'..='\u{8}'
            | '\u{b}'
            | '\u{c}'
            | '\u{e}'..='\u{1f}'
            | '\u{fffe}'
            | '\u{ffff}' => f.write_char('\u{fffd}'),
            c => f.write_char(c),
        })
    }
}
