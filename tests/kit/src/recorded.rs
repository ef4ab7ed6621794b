//! Changes of pages as text, one command per line. `examples/blitz` records them, and the tests read them.
//!
//! ```text
//! size 1280,800
//! font 757076                                           its length in bytes
//! image 44,44                                           its size
//! frame                                                 twice: before and after
//! fill NonZero 1,0,0,1,24,24 rgba:1,1,1,1 - | M0,0 L760,0 L760,90 L0,90 Z
//! ```
//!
//! Numbers are written so that they read back bit by bit. Glyph outlines and image pixels are omitted: the caller of
//! [`read`] provides fonts and images.

use anyrender::recording::{
    BoxShadowCommand, ClipCommand, FillCommand, GlyphRunCommand, LayerCommand, RenderCommand,
    Scene, StrokeCommand,
};
use anyrender::{Glyph, Paint};
use kurbo::{Affine, BezPath, Cap, Join, Rect, Stroke, Vec2};
use peniko::{
    BlendMode, Color, Extend, Fill, FontData, ImageBrush, ImageData, ImageQuality, ImageSampler,
    Style,
};
use std::fmt::{Debug, Display, Write};
use std::str::{FromStr, Split};
use treebounds_anyrender::Scroll;

/// Two frames, the size of the window, and the scroll hint if the page was scrolled.
#[derive(Debug, PartialEq)]
pub struct Recorded {
    /// Width and height of the window.
    pub size: [u32; 2],
    /// The scroll hint.
    pub scroll: Option<Scroll>,
    /// The frames before and after the change.
    pub frames: [Scene; 2],
}

/// Writes a change as text. Fails with the name of an unsupported command. Filters, blend modes, gradients, dashes and
/// variable fonts are unsupported.
pub fn write(recorded: &Recorded) -> Result<String, String> {
    let mut writer = Writer::default();
    let mut frames = String::new();
    for frame in &recorded.frames {
        frames += "frame\n";
        for command in &frame.commands {
            let line = writer.line(command).ok_or_else(|| format!("no text for {command:?}"))?;
            frames += &line;
            frames.push('\n');
        }
    }
    let mut text = format!("size {}\n", list(recorded.size));
    if let Some(Scroll { area, by }) = recorded.scroll {
        let _ = writeln!(text, "scroll {} {}", rect_list(area), list(by));
    }
    for font in &writer.fonts {
        let _ = writeln!(text, "font {}", font.data.len());
    }
    for image in &writer.images {
        let _ = writeln!(text, "image {}", list([image.width, image.height]));
    }
    Ok(text + &frames)
}

#[derive(Default)]
struct Writer {
    fonts: Vec<FontData>,
    images: Vec<ImageData>,
}

/// Returns the index of a value. Adds the value if it is new.
fn index_of<T: Clone + PartialEq>(all: &mut Vec<T>, value: &T) -> usize {
    all.iter().position(|known| known == value).unwrap_or_else(|| {
        all.push(value.clone());
        all.len() - 1
    })
}

impl Writer {
    fn line(&mut self, command: &RenderCommand) -> Option<String> {
        Some(match command {
            RenderCommand::PopLayer => "pop".to_owned(),
            RenderCommand::PushClipLayer(ClipCommand { fill, transform, clip }) => {
                format!("clip {fill:?} {} | {}", affine(*transform), clip.to_svg())
            }
            RenderCommand::PushLayer(layer) => {
                let LayerCommand { fill, alpha, transform, clip, .. } = layer;
                let has_filter = layer.filter.is_some() || layer.backdrop_filter.is_some();
                if has_filter || layer.blend != BlendMode::default() {
                    return None;
                }
                format!("layer {fill:?} {alpha} {} | {}", affine(*transform), clip.to_svg())
            }
            RenderCommand::Fill(FillCommand { fill, transform, brush, brush_transform, shape }) => {
                let (brush, second) = (self.brush(brush)?, optional(*brush_transform));
                let transform = affine(*transform);
                format!("fill {fill:?} {transform} {brush} {second} | {}", shape.to_svg())
            }
            RenderCommand::Stroke(stroke) => {
                let StrokeCommand { style, transform, brush, brush_transform, shape } = stroke;
                if !style.dash_pattern.is_empty() {
                    return None;
                }
                let (brush, second) = (self.brush(brush)?, optional(*brush_transform));
                let (style, transform) = (stroke_style(style), affine(*transform));
                format!("stroke {style} {transform} {brush} {second} | {}", shape.to_svg())
            }
            RenderCommand::GlyphRun(run) => self.run(run)?,
            RenderCommand::BoxShadow(shadow) => {
                let BoxShadowCommand { transform, rect, brush, radius, std_dev } = shadow;
                let (rect, color) = (rect_list(*rect), list(brush.components));
                format!("shadow {} {rect} {color} {radius} {std_dev}", affine(*transform))
            }
        })
    }

    fn run(&mut self, run: &GlyphRunCommand) -> Option<String> {
        let Style::Fill(fill) = run.style else { return None };
        let is_varied = !run.normalized_coords.is_empty() || run.embolden != Vec2::ZERO;
        if is_varied || run.glyph_transform.is_some() {
            return None;
        }
        let font = index_of(&mut self.fonts, &run.font_data);
        let GlyphRunCommand { font_size, hint, brush_alpha, .. } = run;
        let (brush, transform) = (self.brush(&run.brush)?, affine(run.transform));
        let place = |glyph: &Glyph| format!("{},{},{}", glyph.id, glyph.x, glyph.y);
        let glyphs = run.glyphs.iter().map(place).collect::<Vec<_>>().join(" ");
        let head = format!("glyphs {font} {font_size} {hint} {fill:?} {brush} {brush_alpha}");
        Some(format!("{head} {transform} | {glyphs}"))
    }

    fn brush(&mut self, brush: &Paint) -> Option<String> {
        match brush {
            Paint::Solid(color) => Some(format!("rgba:{}", list(color.components))),
            Paint::Image(ImageBrush { image, sampler }) => {
                let ImageSampler { x_extend, y_extend, quality, alpha } = sampler;
                let index = index_of(&mut self.images, image);
                Some(format!("image:{index}:{x_extend:?}:{y_extend:?}:{quality:?}:{alpha}"))
            }
            _ => None,
        }
    }
}

fn list<T: Display>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(",")
}

fn affine(transform: Affine) -> String {
    list(transform.as_coeffs())
}

fn optional(transform: Option<Affine>) -> String {
    transform.map_or("-".to_owned(), affine)
}

fn rect_list(rect: Rect) -> String {
    list([rect.x0, rect.y0, rect.x1, rect.y1])
}

fn stroke_style(style: &Stroke) -> String {
    let Stroke { width, join, miter_limit, start_cap, end_cap, .. } = style;
    format!("{width} {join:?} {miter_limit} {start_cap:?} {end_cap:?}")
}

/// Reads a change. `None` if [`write()`] cannot have written the text. `font` returns the font file of a given length
/// in bytes, and `image` the image of a given size.
pub fn read(
    text: &str,
    font: impl Fn(usize) -> FontData,
    image: impl Fn([u32; 2]) -> ImageData,
) -> Option<Recorded> {
    let (mut size, mut scroll, mut frames) = (None, None, Vec::<Scene>::new());
    let (mut fonts, mut images) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let (head, tail) = line.split_once(" | ").unwrap_or((line, ""));
        let mut words = Words(head.split(' '));
        match words.next()? {
            "size" => size = Some(words.numbers()?),
            "scroll" => scroll = Some(Scroll { area: words.rect()?, by: words.numbers()? }),
            "font" => fonts.push(font(words.number()?)),
            "image" => images.push(image(words.numbers()?)),
            "frame" => frames.push(Scene::new()),
            kind => {
                let command = words.command(kind, tail, &fonts, &images)?;
                frames.last_mut()?.commands.push(command);
            }
        }
    }
    Some(Recorded { size: size?, scroll, frames: frames.try_into().ok()? })
}

struct Words<'a>(Split<'a, char>);

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a str> {
        self.0.next()
    }

    fn number<T: FromStr>(&mut self) -> Option<T> {
        self.next()?.parse().ok()
    }

    fn numbers<T: FromStr, const N: usize>(&mut self) -> Option<[T; N]> {
        numbers(self.next()?)?.try_into().ok()
    }

    fn rect(&mut self) -> Option<Rect> {
        let [x0, y0, x1, y1] = self.numbers()?;
        Some(Rect::new(x0, y0, x1, y1))
    }

    fn affine(&mut self) -> Option<Affine> {
        self.numbers().map(Affine::new)
    }

    fn optional(&mut self) -> Option<Option<Affine>> {
        match self.next()? {
            "-" => Some(None),
            word => Some(Some(Affine::new(numbers(word)?.try_into().ok()?))),
        }
    }

    fn rule(&mut self) -> Option<Fill> {
        one_of(&[Fill::NonZero, Fill::EvenOdd], self.next()?)
    }

    fn stroke(&mut self) -> Option<Stroke> {
        let caps = [Cap::Butt, Cap::Square, Cap::Round];
        let width = self.number()?;
        let join = one_of(&[Join::Bevel, Join::Miter, Join::Round], self.next()?)?;
        let miter_limit = self.number()?;
        let [start_cap, end_cap] = [one_of(&caps, self.next()?)?, one_of(&caps, self.next()?)?];
        Some(Stroke { width, join, miter_limit, start_cap, end_cap, ..Stroke::default() })
    }

    fn brush(&mut self, images: &[ImageData]) -> Option<Paint> {
        let word = self.next()?;
        if let Some(color) = word.strip_prefix("rgba:") {
            return Some(Paint::Solid(Color::new(numbers(color)?.try_into().ok()?)));
        }
        let mut parts = word.strip_prefix("image:")?.split(':');
        let extends = [Extend::Pad, Extend::Repeat, Extend::Reflect];
        let image = images.get(parts.next()?.parse::<usize>().ok()?)?.clone();
        let sampler = ImageSampler {
            x_extend: one_of(&extends, parts.next()?)?,
            y_extend: one_of(&extends, parts.next()?)?,
            quality: one_of(
                &[ImageQuality::Low, ImageQuality::Medium, ImageQuality::High],
                parts.next()?,
            )?,
            alpha: parts.next()?.parse().ok()?,
        };
        Some(Paint::Image(ImageBrush { image, sampler }))
    }

    fn command(
        &mut self,
        kind: &str,
        tail: &str,
        fonts: &[FontData],
        images: &[ImageData],
    ) -> Option<RenderCommand> {
        let path = || BezPath::from_svg(tail).ok();
        Some(match kind {
            "pop" => RenderCommand::PopLayer,
            "clip" => RenderCommand::PushClipLayer(ClipCommand {
                fill: self.rule()?,
                transform: self.affine()?,
                clip: path()?,
            }),
            "layer" => RenderCommand::PushLayer(LayerCommand {
                fill: self.rule()?,
                blend: BlendMode::default(),
                alpha: self.number()?,
                transform: self.affine()?,
                clip: path()?,
                filter: None,
                backdrop_filter: None,
            }),
            "fill" => RenderCommand::Fill(FillCommand {
                fill: self.rule()?,
                transform: self.affine()?,
                brush: self.brush(images)?,
                brush_transform: self.optional()?,
                shape: path()?,
            }),
            "stroke" => RenderCommand::Stroke(StrokeCommand {
                style: self.stroke()?,
                transform: self.affine()?,
                brush: self.brush(images)?,
                brush_transform: self.optional()?,
                shape: path()?,
            }),
            "glyphs" => RenderCommand::GlyphRun(self.run(tail, fonts, images)?),
            "shadow" => RenderCommand::BoxShadow(BoxShadowCommand {
                transform: self.affine()?,
                rect: self.rect()?,
                brush: Color::new(self.numbers()?),
                radius: self.number()?,
                std_dev: self.number()?,
            }),
            _ => return None,
        })
    }

    fn run(
        &mut self,
        tail: &str,
        fonts: &[FontData],
        images: &[ImageData],
    ) -> Option<GlyphRunCommand> {
        let glyph = |word: &str| {
            let mut parts = word.split(',');
            let id = parts.next()?.parse().ok()?;
            let [x, y] = [parts.next()?.parse().ok()?, parts.next()?.parse().ok()?];
            Some(Glyph { id, x, y })
        };
        Some(GlyphRunCommand {
            font_data: fonts.get(self.number::<usize>()?)?.clone(),
            font_size: self.number()?,
            hint: self.number()?,
            normalized_coords: Vec::new(),
            embolden: Vec2::ZERO,
            style: Style::Fill(self.rule()?),
            brush: self.brush(images)?,
            brush_alpha: self.number()?,
            transform: self.affine()?,
            glyph_transform: None,
            glyphs: tail.split_whitespace().map(glyph).collect::<Option<_>>()?,
        })
    }
}

fn numbers<T: FromStr>(word: &str) -> Option<Vec<T>> {
    word.split(',').map(|number| number.parse().ok()).collect()
}

/// Returns the value whose debug format is `word`.
fn one_of<T: Copy + Debug>(all: &[T], word: &str) -> Option<T> {
    all.iter().copied().find(|value| format!("{value:?}") == word)
}
