//! Three pages as display lists, as an HTML engine produces them: a clip for each box with hidden overflow, a layer for each
//! faded box, and text in runs. Content scrolled out above the window still pushes and pops.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a mistake in a test ends it")]

use crate::font;
use crate::lists::image_of;
use anyrender::recording::Scene;
use anyrender::{Glyph, PaintScene};
use kurbo::{Affine, Rect, RoundedRect, Stroke, Vec2};
use peniko::{Color, Fill, ImageBrush, ImageData, ImageQuality, ImageSampler, Mix};
use std::sync::OnceLock;

/// The pages.
pub const NAMES: [&str; 3] = ["feed", "mail", "thread"];

/// The window at scale 1.
pub const WINDOW: [f64; 2] = [1280.0, 800.0];

/// Returns a page at a scale, scrolled to a place between 0 (the top) and 1 (the end).
pub fn page(name: &str, scale: f64, place: f64) -> Scene {
    let mut page = Page { scene: Scene::new(), scale, scroll: 0.0 };
    match name {
        "feed" => feed(&mut page, place),
        "mail" => mail(&mut page, place),
        "thread" => thread(&mut page, place),
        _ => panic!("{name} is no page: {NAMES:?}"),
    }
    page.scene
}

struct Page {
    scene: Scene,
    scale: f64,
    scroll: f64,
}

impl Page {
    fn at(&self) -> Affine {
        Affine::scale(self.scale).pre_translate(Vec2::new(0.0, -self.scroll))
    }

    /// Whether the rect is visible in the window. Like Blitz, the page paints nothing below the window, and only text and
    /// colour above it.
    fn shows(&self, rect: Rect) -> bool {
        rect.y1 > self.scroll && rect.y0 < self.scroll + WINDOW[1]
    }

    fn is_below(&self, rect: Rect) -> bool {
        rect.y0 >= self.scroll + WINDOW[1]
    }

    fn box_of(&mut self, rect: Rect, radius: f64, color: Color) {
        if self.shows(rect) {
            let shape = RoundedRect::from_rect(rect, radius);
            self.scene.fill(Fill::NonZero, self.at(), color, None, &shape);
        }
    }

    fn border(&mut self, rect: Rect, radius: f64, color: Color) {
        if self.shows(rect) {
            let shape = RoundedRect::from_rect(rect.inset(-0.5), radius);
            self.scene.stroke(&Stroke::new(1.0), self.at(), color, None, &shape);
        }
    }

    /// Clips the content: `overflow: hidden`.
    fn hidden(&mut self, rect: Rect, radius: f64, inside: impl FnOnce(&mut Self)) {
        let at = self.at();
        if radius > 0.0 {
            let shape = RoundedRect::from_rect(rect, radius);
            self.scene.push_clip_layer(Fill::NonZero, at, &shape);
        } else {
            self.scene.push_clip_layer(Fill::NonZero, at, &rect);
        }
        inside(self);
        self.scene.pop_layer();
    }

    fn faded(&mut self, rect: Rect, alpha: f32, inside: impl FnOnce(&mut Self)) {
        let at = self.at();
        self.scene.push_layer(Fill::NonZero, Mix::Normal, alpha, at, &rect, None, None);
        inside(self);
        self.scene.pop_layer();
    }

    /// Paints a line of text with the width of `columns` letters.
    fn text(&mut self, x: f64, y: f64, size: f32, columns: usize, seed: usize, color: Color) {
        if !self.shows(Rect::new(x, y - 20.0, x + 9.0, y + 9.0)) {
            return;
        }
        let letter = |i: usize| 68 + ((seed * 7 + i * (3 + seed % 5) + i * i) % 26) as u32;
        let glyphs = (0..columns).filter(|i| (i + seed) % 6 != 5).map(|i| Glyph {
            id: letter(i),
            x: x as f32 + i as f32 * 0.62 * size,
            y: y as f32,
        });
        let (style, at) = (Fill::NonZero, self.at());
        self.scene.draw_glyphs(
            font(),
            size,
            false,
            &[],
            Vec2::ZERO,
            style,
            color,
            1.0,
            at,
            None,
            glyphs,
        );
    }

    fn photo(&mut self, rect: Rect, seed: usize) {
        if !self.shows(rect) {
            return;
        }
        let image = picture(seed);
        let (width, height) = (f64::from(image.width), f64::from(image.height));
        let into = Affine::translate((rect.x0, rect.y0))
            * Affine::scale_non_uniform(rect.width() / width, rect.height() / height);
        let sampler = ImageSampler::new().with_quality(ImageQuality::Medium);
        let brush = ImageBrush { image: image.clone(), sampler };
        self.scene.fill(
            Fill::NonZero,
            self.at() * into,
            brush.as_ref(),
            None,
            &Rect::new(0.0, 0.0, width, height),
        );
    }
}

fn picture(seed: usize) -> &'static ImageData {
    static PICTURES: OnceLock<Vec<ImageData>> = OnceLock::new();
    let make = |seed: u32| {
        let pixel = |x: u32, y: u32| [x * 6 + seed * 31, y * 8, 90 + seed * 17, 255];
        image_of([40, 30], |x, y| pixel(x, y).map(|channel| channel as u8))
    };
    let pictures = PICTURES.get_or_init(|| (0..6).map(make).collect());
    &pictures[seed % pictures.len()]
}

const INK: Color = Color::from_rgb8(28, 35, 48);
const GRAY: Color = Color::from_rgb8(119, 119, 136);
const PAPER: Color = Color::WHITE;
const LINE: Color = Color::from_rgb8(213, 219, 228);
const BUTTON: Color = Color::from_rgb8(232, 236, 243);

fn background(page: &mut Page, color: Color) {
    let window = Rect::new(0.0, page.scroll, WINDOW[0], page.scroll + WINDOW[1]);
    page.box_of(window, 0.0, color);
}

/// Paints cards with a rounded picture each. Every fourth card is faded.
fn feed(page: &mut Page, place: f64) {
    const CARDS: usize = 60;
    const STEP: f64 = 440.0;
    page.scroll = (place * (CARDS as f64 * STEP + 48.0 - WINDOW[1])).round();
    background(page, Color::from_rgb8(238, 241, 245));
    for i in 0..CARDS {
        let y = 24.0 + STEP * i as f64;
        let rect = Rect::new(260.0, y, 1020.0, y + 420.0);
        if page.is_below(rect) {
            break;
        }
        if i % 4 == 3 {
            page.faded(rect, 0.6, |page| card(page, rect, i));
        } else {
            card(page, rect, i);
        }
    }
}

fn card(page: &mut Page, rect: Rect, i: usize) {
    let (x, y) = (rect.x0, rect.y0);
    page.box_of(rect, 14.0, PAPER);
    page.border(rect, 14.0, LINE);
    page.hidden(rect.inset(-1.0), 13.0, |page| {
        let face = Rect::new(x + 14.0, y + 14.0, x + 58.0, y + 58.0);
        page.hidden(face, 22.0, |page| page.photo(face, i));
        let line = |top: f64, height: f64| Rect::new(x + 70.0, top, x + 746.0, top + height);
        page.hidden(line(y + 14.0, 22.0), 0.0, |page| {
            page.text(x + 70.0, y + 30.0, 15.0, 14, i, INK);
        });
        page.hidden(line(y + 36.0, 22.0), 0.0, |page| {
            page.text(x + 70.0, y + 52.0, 13.0, 16, i + 1, GRAY);
        });
        let photo = Rect::new(x + 14.0, y + 72.0, x + 746.0, y + 312.0);
        page.hidden(photo, 8.0, |page| {
            page.photo(Rect { y1: photo.y1 + 20.0, ..photo }, i + 1);
        });
        let body = Rect::new(x, y + 312.0, x + 760.0, y + 384.0);
        page.hidden(body, 0.0, |page| {
            page.text(x + 14.0, y + 340.0, 15.0, 76, i + 2, INK);
            page.text(x + 14.0, y + 362.0, 15.0, 60, i + 3, INK);
        });
        for (k, columns) in [7, 5, 5].into_iter().enumerate() {
            let left = x + 14.0 + 96.0 * k as f64;
            let button = Rect::new(left, y + 384.0, left + 88.0, y + 412.0);
            page.box_of(button, 14.0, BUTTON);
            page.hidden(button, 14.0, |page| {
                page.text(left + 14.0, y + 403.0, 13.0, columns, i + k, INK);
            });
        }
    });
}

/// Paints three panes with one clip per row. Some lines are wider than their box.
fn mail(page: &mut Page, place: f64) {
    background(page, PAPER);
    let side = Rect::new(0.0, 0.0, 220.0, 800.0);
    page.box_of(side, 0.0, Color::from_rgb8(36, 48, 68));
    page.hidden(side, 0.0, |page| {
        for i in 0..14 {
            let y = 12.0 + 38.0 * f64::from(i);
            let folder = Rect::new(12.0, y, 208.0, y + 36.0);
            if i == 0 {
                page.box_of(folder, 8.0, Color::from_rgb8(59, 77, 107));
            }
            page.hidden(folder, 8.0, |page| {
                page.text(24.0, y + 23.0, 15.0, 9 + i as usize % 4, i as usize, PAPER);
            });
        }
    });
    let list = Rect::new(220.0, 0.0, 620.0, 800.0);
    page.hidden(list, 0.0, |page| {
        // The list scrolls inside its pane.
        let from = (place * 189.0) as usize;
        for row in 0..from + 12 {
            let y = 72.0 * (row as f64 - from as f64);
            let rect = Rect::new(220.0, y, 620.0, y + 72.0);
            page.hidden(rect, 0.0, |page| {
                let line = |top: f64| Rect::new(234.0, top, 606.0, top + 22.0);
                page.hidden(line(y + 8.0), 0.0, |page| {
                    page.text(234.0, y + 24.0, 15.0, 14, row, INK);
                });
                page.hidden(line(y + 30.0), 0.0, |page| {
                    page.text(234.0, y + 46.0, 15.0, 30, row + 1, INK);
                });
                // This text overflows its box.
                page.hidden(line(y + 50.0), 0.0, |page| {
                    page.text(234.0, y + 65.0, 14.0, 70, row + 2, GRAY);
                });
                page.box_of(Rect::new(220.0, y + 71.0, 620.0, y + 72.0), 0.0, LINE);
            });
        }
    });
    let view = Rect::new(620.0, 0.0, 1280.0, 800.0);
    page.box_of(view, 0.0, Color::from_rgb8(250, 251, 253));
    page.hidden(view, 0.0, |page| {
        for i in 0..8 {
            let x = 650.0 + 74.0 * f64::from(i);
            let chip = Rect::new(x, 60.0, x + 70.0, 86.0);
            page.box_of(chip, 12.0, Color::from_rgb8(223, 233, 251));
            page.hidden(chip, 12.0, |page| page.text(x + 12.0, 78.0, 13.0, 5, i as usize, INK));
        }
        for line in 0..30 {
            page.text(650.0, 120.0 + 22.0 * line as f64, 15.0, 64, line, INK);
        }
    });
}

/// Paints nested answers, each in a rounded box with hidden overflow. Some are faded.
fn thread(page: &mut Page, place: f64) {
    page.scroll = (place * 9_000.0).round();
    background(page, Color::from_rgb8(238, 241, 245));
    let mut y = 20.0;
    for i in 0..40 {
        post(page, 150.0, &mut y, i * 11 + 1, 7);
    }
}

/// Returns the height of a post with all its answers.
fn height_of(seed: usize, depth: usize) -> f64 {
    let answers: f64 =
        (0..answers_to(seed, depth)).map(|i| height_of(seed * 3 + i + 1, depth - 1)).sum();
    88.0 + answers
}

fn answers_to(seed: usize, depth: usize) -> usize {
    if depth == 0 { 0 } else { 1 + usize::from(seed.is_multiple_of(5)) }
}

fn post(page: &mut Page, x: f64, y: &mut f64, seed: usize, depth: usize) {
    let (top, height) = (*y, height_of(seed, depth));
    let rect = Rect::new(x, top, 1130.0, top + height - 8.0);
    *y += height;
    if page.is_below(rect) {
        return;
    }
    let inside = |page: &mut Page| {
        page.box_of(rect, 8.0, PAPER);
        page.border(rect, 8.0, LINE);
        page.hidden(rect.inset(-1.0), 7.0, |page| {
            let line = |from: f64, height: f64| Rect::new(x + 14.0, from, 1130.0, from + height);
            page.hidden(line(top + 8.0, 22.0), 0.0, |page| {
                page.text(x + 14.0, top + 24.0, 13.0, 20, seed, GRAY);
            });
            page.hidden(line(top + 30.0, 22.0), 0.0, |page| {
                page.text(x + 14.0, top + 46.0, 15.0, 24 + seed % 30, seed + 1, INK);
            });
            let vote = Rect::new(x + 14.0, top + 54.0, x + 74.0, top + 76.0);
            page.box_of(vote, 10.0, BUTTON);
            page.hidden(vote, 10.0, |page| page.text(x + 24.0, top + 69.0, 12.0, 5, seed, INK));
            let mut below = top + 80.0;
            for i in 0..answers_to(seed, depth) {
                post(page, x + 15.0, &mut below, seed * 3 + i + 1, depth - 1);
            }
        });
    };
    if seed % 9 == 8 { page.faded(rect, 0.55, inside) } else { inside(page) }
}

/// Returns the size of the window at this scale, in device pixels.
pub fn size(scale: f64) -> [u32; 2] {
    WINDOW.map(|side| (side * scale).round() as u32)
}
