//! A page in a window, with the boxes of its commands on top.

use crate::damage::Screen;
use crate::document::{Page, View};
use crate::measure::MODES;
use anyhow::{Context, Result};
use anyrender::{PaintScene, Scene, WindowRenderer};
use kurbo::{Affine, Rect, Stroke};
use peniko::Color;
use std::sync::Arc;
use treebounds_anyrender::{TreeboundsWindowRenderer, Workspace, replay, stream};
use treebounds_core::reference;
use winit::application::ApplicationHandler;
use winit::event::{ElementState, KeyEvent, WindowEvent};
use winit::event_loop::{ActiveEventLoop, EventLoop};
use winit::keyboard::{Key, NamedKey};
use winit::window::{Window, WindowId};

/// Shows the page until the window is closed.
pub fn show(page: Page) -> Result<()> {
    let mut app = App {
        page,
        renderer: TreeboundsWindowRenderer::new(),
        workspace: Workspace::new(),
        window: None,
        place: 0.0,
        boxes: false,
        optimize: true,
        screen: Screen::default(),
        error: None,
    };
    EventLoop::new().context("no display to open a window on")?.run_app(&mut app)?;
    app.error.map_or(Ok(()), Err)
}

struct App {
    page: Page,
    renderer: TreeboundsWindowRenderer,
    workspace: Workspace,
    window: Option<Arc<Window>>,
    place: f64,
    boxes: bool,
    optimize: bool,
    screen: Screen,
    error: Option<anyhow::Error>,
}

impl App {
    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<()> {
        let attributes = Window::default_attributes().with_title("treebounds: Blitz");
        let window = Arc::new(event_loop.create_window(attributes)?);
        let size = window.inner_size();
        self.renderer.resume(window.clone(), size.width, size.height, || ());
        if let Some(error) = self.renderer.error() {
            return Err(error.clone().into());
        }
        self.window = Some(window);
        Ok(())
    }

    fn paint(&mut self) -> Result<()> {
        let Some(window) = &self.window else { return Ok(()) };
        let size = window.inner_size();
        let view = View {
            size: [size.width.max(1), size.height.max(1)],
            scale: window.scale_factor() as f32,
            place: self.place,
        };
        self.page.look(&view);
        let mut scene = self.page.record(&view);
        let viewport = Rect::new(0.0, 0.0, size.width.into(), size.height.into());
        let mut title = format!("{} commands", scene.commands.len());
        if self.optimize {
            let report = self.workspace.optimize(&mut scene, viewport, &MODES[1])?;
            title = format!(
                "{} of {} commands, {} of {} layers",
                report.after.commands,
                report.before.commands,
                report.after.layers,
                report.before.layers
            );
        }
        let boxes = if self.boxes { boxes_of(&scene, viewport)? } else { Scene::new() };
        let (scene, damaged) = self.screen.show(scene, view.size)?;
        window.set_title(&format!("{title}, {:.1}% painted", 100.0 * damaged));
        if self.screen.is_flashing() {
            window.request_redraw();
        }
        self.renderer.render(|painter| {
            replay(&scene, painter);
            replay(&boxes, painter);
        });
        self.renderer.error().map_or(Ok(()), |error| Err(error.clone().into()))
    }

    fn key(&mut self, key: &Key) {
        match key.as_ref() {
            Key::Character("b") => self.boxes ^= true,
            Key::Character("o") => self.optimize ^= true,
            Key::Character("d") => self.screen.flash ^= true,
            Key::Character("p") => self.screen.partial ^= true,
            Key::Named(NamedKey::ArrowDown) => self.place = (self.place + 0.02).min(1.0),
            Key::Named(NamedKey::ArrowUp) => self.place = (self.place - 0.02).max(0.0),
            _ => return,
        }
        if let Some(window) = &self.window {
            window.request_redraw();
        }
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.window.is_none()
            && let Err(error) = self.open(event_loop)
        {
            self.error = Some(error);
            event_loop.exit();
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(size) => self.renderer.set_size(size.width, size.height),
            WindowEvent::KeyboardInput {
                event: KeyEvent { logical_key, state: ElementState::Pressed, .. },
                ..
            } => self.key(&logical_key),
            WindowEvent::RedrawRequested => {
                if let Err(error) = self.paint() {
                    self.error = Some(error);
                    event_loop.exit();
                }
            }
            _ => {}
        }
    }
}

/// The boxes of all commands: draws blue, layers and clips red.
pub fn boxes_of(scene: &Scene, viewport: Rect) -> Result<Scene> {
    let elements = stream(scene, viewport)?.stream;
    let bounds = reference::bounds(&elements);
    let mut boxes = Scene::new();
    for (tag, rect) in elements.tags().iter().zip(&bounds.boxes) {
        if rect.is_empty() {
            continue;
        }
        let color = if tag.is_marker() {
            Color::from_rgba8(220, 40, 60, 160)
        } else {
            Color::from_rgba8(30, 90, 230, 110)
        };
        let edges = [rect.x0, rect.y0, rect.x1, rect.y1].map(f64::from);
        let rect = Rect::new(edges[0], edges[1], edges[2], edges[3]).inset(-0.5);
        boxes.stroke(&Stroke::new(1.0), Affine::IDENTITY, color, None, &rect);
    }
    Ok(boxes)
}
