//! Renders with an independent renderer, `vello_cpu`, which shares no shaders with Vello.

use crate::scenes::{Layer, Painter};
use treebounds_vello::Frame;
use vello_cpu::kurbo::BezPath;
use vello_cpu::peniko::{Color, ImageAlphaType};
use vello_cpu::{
    Pixmap, RasterizerSettings, RenderContext, RenderMode, RenderSettings, Resources, TargetInit,
};

/// Paints with `vello_cpu`.
pub struct Cpu(RenderContext);

impl Painter for Cpu {
    fn fill(&mut self, path: &BezPath, color: Color) {
        self.0.set_paint(color);
        self.0.fill_path(path);
    }

    fn push(&mut self, path: &BezPath, layer: Layer) {
        match layer {
            Layer::Clip => self.0.push_clip_layer(path),
            Layer::Blend(mode, alpha) => {
                self.0.push_layer(Some(path), Some(mode), Some(alpha), None, None);
            }
        }
    }

    fn pop(&mut self) {
        self.0.pop_layer();
    }
}

/// Paints a frame with `vello_cpu` and returns RGBA pixels, unpremultiplied, row by row. Uses a
/// large stack, because `vello_cpu` recurses into nested layers.
///
/// # Panics
/// If `vello_cpu` panics, or a side of the frame has more than 65,535 pixels.
#[expect(clippy::expect_used, reason = "a failure of the test")]
pub fn render_cpu(frame: &Frame, paint: impl FnOnce(&mut Cpu) + Send) -> Vec<u8> {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(1 << 30)
            .spawn_scoped(scope, || render(frame, paint))
            .expect("there is memory for a stack")
            .join()
            .expect("vello_cpu renders")
    })
}

#[expect(clippy::expect_used, reason = "no test has such a frame")]
fn render(frame: &Frame, paint: impl FnOnce(&mut Cpu)) -> Vec<u8> {
    let [width, height] = [frame.width, frame.height].map(|side| side.try_into().expect("small"));
    let mut cpu = Cpu(RenderContext::new_with(width, height, RenderSettings::default()));
    paint(&mut cpu);
    cpu.0.flush();
    let mut pixmap = Pixmap::new(width, height);
    let settings = RasterizerSettings {
        render_mode: RenderMode::OptimizeQuality,
        target_init: TargetInit::Clear(frame.base_color),
        ..RasterizerSettings::default()
    };
    cpu.0.render_with(&mut pixmap, &mut Resources::new(), settings);
    pixmap.take_rgba8(ImageAlphaType::Alpha)
}
