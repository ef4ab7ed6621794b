//! The renderer in a window. B toggles the use of boxes, O draws them over the picture, + and - change the number of cards,
//! and the title shows the amount of work.

use crate::Renderer;
use crate::frame::Boxes;
use anyhow::Context;
use std::sync::Arc;
use std::time::Instant;
use treebounds::Gpu;
use treebounds::wgpu::{self, util::TextureBlitter};
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::Key;
use winit::window::{Window, WindowId};

/// Opens a window and paints until it is closed.
pub(crate) fn run(cards: u32, size: [u32; 2], boxes: Boxes) -> anyhow::Result<()> {
    let events = EventLoop::new().context("no window can be opened: use --png FILE")?;
    let mut app = App { cards, size, boxes, start: Instant::now(), open: None, failure: None };
    events.run_app(&mut app)?;
    app.failure.map_or(Ok(()), Err)
}

struct App {
    cards: u32,
    size: [u32; 2],
    boxes: Boxes,
    start: Instant,
    open: Option<Open>,
    failure: Option<anyhow::Error>,
}

struct Open {
    window: Arc<Window>,
    surface: wgpu::Surface<'static>,
    blitter: TextureBlitter,
    renderer: Renderer,
}

impl Open {
    fn new(events: &ActiveEventLoop, cards: u32, size: [u32; 2]) -> anyhow::Result<Self> {
        let inner = PhysicalSize::new(size[0], size[1]);
        let attributes = Window::default_attributes().with_inner_size(inner).with_resizable(false);
        let window = Arc::new(events.create_window(attributes)?);
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let surface = instance.create_surface(window.clone())?;
        let wanted = wgpu::RequestAdapterOptions {
            compatible_surface: Some(&surface),
            ..Default::default()
        };
        let adapter = pollster::block_on(instance.request_adapter(&wanted))?;
        let gpu = pollster::block_on(Gpu::open(&adapter))?;
        let config = surface
            .get_default_config(&adapter, size[0], size[1])
            .context("the adapter cannot paint into this window")?;
        surface.configure(&gpu.device, &config);
        let blitter = TextureBlitter::new(&gpu.device, config.format);
        Ok(Self { window, surface, blitter, renderer: Renderer::new(gpu, cards, size)? })
    }

    fn paint(&mut self, seconds: f32, boxes: Boxes) -> anyhow::Result<()> {
        let work = self.renderer.paint(seconds, boxes)?;
        let (wgpu::CurrentSurfaceTexture::Success(shown)
        | wgpu::CurrentSurfaceTexture::Suboptimal(shown)) = self.surface.get_current_texture()
        else {
            return Ok(());
        };
        let Renderer { gpu, frame, .. } = &self.renderer;
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        let [canvas, target] =
            [&frame.canvas, &shown.texture].map(|one| one.create_view(&Default::default()));
        self.blitter.copy(&gpu.device, &mut encoder, &canvas, &target);
        gpu.queue.submit([encoder.finish()]);
        gpu.queue.present(shown);
        let state = if boxes == Boxes::Without { "without boxes" } else { "with boxes" };
        self.window.set_title(&format!(
            "{state} (B, O): {} draws in bins, layer of {} pixels; + and - change the number of cards",
            work.entries, work.layer_pixels
        ));
        self.window.request_redraw();
        Ok(())
    }
}

impl App {
    fn key(&mut self, key: &str) -> anyhow::Result<()> {
        match key {
            "b" | "B" => self.boxes = toggled(self.boxes, Boxes::Without),
            "o" | "O" => self.boxes = toggled(self.boxes, Boxes::Shown),
            "+" | "=" => return self.resize(self.cards.saturating_mul(2)),
            "-" => return self.resize(self.cards / 2),
            _ => {}
        }
        Ok(())
    }

    /// Changes the number of cards. Creates new buffers and keeps the kernels.
    fn resize(&mut self, cards: u32) -> anyhow::Result<()> {
        self.cards = cards.clamp(1, 100_000);
        match &mut self.open {
            Some(open) => open.renderer.set_cards(self.cards),
            None => Ok(()),
        }
    }

    fn paint(&mut self) -> anyhow::Result<()> {
        let seconds = self.start.elapsed().as_secs_f32();
        self.open.as_mut().map_or(Ok(()), |open| open.paint(seconds, self.boxes))
    }
}

/// Returns the state after a key press.
fn toggled(boxes: Boxes, to: Boxes) -> Boxes {
    if boxes == to { Boxes::Used } else { to }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        match Open::new(events, self.cards, self.size) {
            Ok(open) => self.open = Some(open),
            Err(failure) => self.failure = Some(failure),
        }
        if self.failure.is_some() {
            events.exit();
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let result = match event {
            WindowEvent::CloseRequested => return events.exit(),
            WindowEvent::RedrawRequested => self.paint(),
            WindowEvent::KeyboardInput {
                event:
                    KeyEvent { logical_key: Key::Character(key), state: ElementState::Pressed, .. },
                ..
            } => self.key(&key),
            _ => Ok(()),
        };
        if let Err(failure) = result {
            self.failure = Some(failure);
            events.exit();
        }
    }
}
