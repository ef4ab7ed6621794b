//! Shows the damage of a window: flashes differences from the last frame, or paints only the damage.

use anyhow::Result;
use anyrender::{ImageRenderer, PaintScene, Scene};
use anyrender_vello_cpu::VelloCpuImageRenderer;
use kurbo::{Affine, Rect};
use peniko::{
    Blob, Color, Fill, ImageAlphaType, ImageBrush, ImageData, ImageFormat, ImageQuality,
    ImageSampler,
};
use std::ops::Add;
use std::time::{Duration, Instant};
use treebounds_anyrender::{ListDamage, Options, Repaint, Scroll};

const FLASH: Duration = Duration::from_millis(300);

/// The current and the previous content of a window.
pub struct Screen {
    /// Whether damage flashes.
    pub flash: bool,
    /// Whether only the damage is painted, by `vello_cpu`, over the last picture.
    pub partial: bool,
    damage: ListDamage,
    flashes: Vec<(Rect, Instant)>,
    picture: Vec<u8>,
    size: [u32; 2],
    patch: Patch,
}

impl Default for Screen {
    fn default() -> Self {
        let damage = ListDamage::new(8, &Options::EXACT);
        let (flashes, picture) = (Vec::new(), Vec::new());
        let patch = Patch::default();
        Self { flash: false, partial: false, damage, flashes, picture, size: [0, 0], patch }
    }
}

impl Screen {
    /// Returns the list to paint, and the damaged share of the window. `by` is the scroll distance in pixels.
    pub fn show(&mut self, scene: Scene, size: [u32; 2], by: [i32; 2]) -> Result<(Scene, f64)> {
        if !self.flash && !self.partial {
            self.damage.forget();
            return Ok((scene, 1.0));
        }
        let window = Rect::new(0.0, 0.0, size[0].into(), size[1].into());
        if self.partial && (size != self.size || self.picture.is_empty()) {
            self.damage.forget();
            (self.size, self.picture) = (size, vec![0; 4 * size[0] as usize * size[1] as usize]);
        }
        let scroll = Scroll { area: window, by };
        let Repaint { copy, rects } = self.damage.update_scrolled(&scene, window, scroll)?;
        let part = rects.iter().map(Rect::area).fold(0.0, f64::add) / window.area();
        let now = Instant::now();
        if self.flash {
            self.flashes.extend(rects.iter().map(|rect| (*rect, now)));
        }
        let mut shown = if self.partial { self.repaint(&scene, copy) } else { scene };
        if !self.partial {
            // The picture is outdated from now on.
            self.picture.clear();
        }
        self.flashes.retain(|(_, start)| now - *start < FLASH);
        for (rect, start) in &self.flashes {
            let left = 1.0 - (now - *start).as_secs_f32() / FLASH.as_secs_f32();
            let color = Color::from_rgba8(60, 180, 75, (150.0 * left) as u8);
            shown.fill(Fill::NonZero, Affine::IDENTITY, color, None, rect);
        }
        Ok((shown, part))
    }

    /// Whether another frame is needed to fade a flash.
    pub fn is_flashing(&self) -> bool {
        !self.flashes.is_empty()
    }

    /// Paints the damage into the last picture and returns a list that shows the picture.
    fn repaint(&mut self, scene: &Scene, copy: Option<Scroll>) -> Scene {
        let width = self.size[0] as usize;
        self.patch.paint(&self.damage, scene, copy, &mut self.picture, width);
        let image = ImageData {
            data: Blob::from(self.picture.clone()),
            format: ImageFormat::Rgba8,
            alpha_type: ImageAlphaType::AlphaPremultiplied,
            width: self.size[0],
            height: self.size[1],
        };
        let sampler = ImageSampler::new().with_quality(ImageQuality::Low);
        let brush = ImageBrush { image, sampler };
        let window = Rect::new(0.0, 0.0, self.size[0].into(), self.size[1].into());
        let mut shown = Scene::new();
        shown.fill(Fill::NonZero, Affine::IDENTITY, brush.as_ref(), None, &window);
        shown
    }
}

/// Paints damage with `vello_cpu`. Reuses its images and glyphs for all rects.
pub struct Patch {
    renderer: VelloCpuImageRenderer,
    pixels: Vec<u8>,
}

impl Default for Patch {
    fn default() -> Self {
        Self { renderer: VelloCpuImageRenderer::new(1, 1), pixels: Vec::new() }
    }
}

impl Patch {
    /// Updates the last picture, `width` pixels wide: copies scrolled pixels and paints the damage.
    pub fn paint(
        &mut self,
        damage: &ListDamage,
        scene: &Scene,
        copy: Option<Scroll>,
        picture: &mut [u8],
        width: usize,
    ) {
        if let Some(scroll) = copy {
            move_pixels(picture, width, scroll);
        }
        let mut inside = Scene::new();
        damage.replay(scene, &mut inside);
        for rect in damage.rects() {
            let [columns, rows] = [rect.width() as u32, rect.height() as u32];
            self.renderer.resize(columns, rows);
            let by = Affine::translate((-rect.x0, -rect.y0));
            let part = inside.clone();
            self.renderer.render_to_vec(|painter| painter.append_scene(part, by), &mut self.pixels);
            let start = 4 * (rect.y0 as usize * width + rect.x0 as usize);
            let lines = picture[start..].chunks_mut(4 * width);
            for (line, painted) in lines.zip(self.pixels.chunks(4 * columns as usize)) {
                line[..painted.len()].copy_from_slice(painted);
            }
        }
    }
}

/// Moves the pixels of an area, whose source and destination may overlap.
fn move_pixels(picture: &mut [u8], width: usize, Scroll { area, by }: Scroll) {
    let at = |x: f64, y: f64| 4 * (y as usize * width + x as usize);
    let length = 4 * area.width() as usize;
    let rows = area.y0 as i32..area.y1 as i32;
    let mut copy = |y: i32| {
        let from = at(area.x0, f64::from(y));
        let to = at(area.x0 + f64::from(by[0]), f64::from(y + by[1]));
        picture.copy_within(from..from + length, to);
    };
    if by[1] <= 0 { rows.for_each(&mut copy) } else { rows.rev().for_each(&mut copy) }
}
