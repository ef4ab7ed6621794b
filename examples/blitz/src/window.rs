//! Shows a page in a window, optionally with the boxes of its commands.

use crate::damage::Screen;
use crate::document::{Page, View};
use crate::measure::MODES;
use anyhow::{Context, Result};
use anyrender::{PaintScene, Scene, WindowRenderer};
use kurbo::{Affine, Rect, Stroke};
use peniko::Color;
use std::sync::Arc;
use std::time::Instant;
use treebounds_anyrender::{TreeboundsWindowRenderer, Workspace, replay, stream};
use treebounds_core::reference;
use winit::application::ApplicationHandler;
use winit::event::{ElementState, KeyEvent, MouseScrollDelta, WindowEvent};
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
        view: View { size: [1, 1], scale: 1.0, place: 0.0 },
        scrolled: 0.0,
        frame: Instant::now(),
        time: 0.0,
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
    view: View,
    /// The scroll position of the last frame, in pixels.
    scrolled: f64,
    frame: Instant,
    /// The time of the page, in seconds. Blitz ends an animation if a frame skips a whole iteration.
    time: f64,
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
        self.view.size = [size.width.max(1), size.height.max(1)];
        self.view.scale = window.scale_factor() as f32;
        let frame = std::mem::replace(&mut self.frame, Instant::now());
        self.time += (self.frame - frame).as_secs_f64().min(0.1);
        self.page.settle(self.time);
        self.page.look(&self.view);
        let mut scene = self.page.record(&self.view);
        let scrolled = self.page.document().viewport_scroll().y * f64::from(self.view.scale);
        let by = (std::mem::replace(&mut self.scrolled, scrolled) - scrolled).round() as i32;
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
        let (scene, damaged) = self.screen.show(scene, self.view.size, [0, by])?;
        window.set_title(&format!("{title}, {:.1}% painted", 100.0 * damaged));
        if self.screen.is_flashing() || self.page.document().is_animating() {
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
            Key::Named(NamedKey::ArrowDown) => self.scroll(40.0),
            Key::Named(NamedKey::ArrowUp) => self.scroll(-40.0),
            Key::Named(NamedKey::PageDown) => self.scroll(400.0),
            Key::Named(NamedKey::PageUp) => self.scroll(-400.0),
            Key::Named(NamedKey::Space) if self.page.write(Some(" ")) => {}
            Key::Named(NamedKey::Backspace) if self.page.write(None) => {}
            Key::Character(text) if self.page.write(Some(text)) => {}
            Key::Character("b") => self.boxes ^= true,
            Key::Character("o") => self.optimize ^= true,
            Key::Character("d") => self.screen.flash ^= true,
            Key::Character("p") => self.screen.partial ^= true,
            _ => return,
        }
        self.redraw();
    }

    fn scroll(&mut self, by: f64) {
        let hidden = self.page.hidden(&self.view).max(1.0);
        self.view.place = (self.view.place + by / hidden).clamp(0.0, 1.0);
    }

    fn redraw(&self) {
        self.window.iter().for_each(|window| window.request_redraw());
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
            WindowEvent::CursorMoved { position, .. }
                if self.page.point(&self.view, [position.x, position.y]) =>
            {
                self.redraw();
            }
            WindowEvent::MouseInput { state: ElementState::Pressed, .. } => {
                self.page.click();
                self.redraw();
            }
            WindowEvent::MouseWheel { delta, .. } => {
                self.scroll(match delta {
                    MouseScrollDelta::LineDelta(_, lines) => -40.0 * f64::from(lines),
                    MouseScrollDelta::PixelDelta(by) => -by.y / f64::from(self.view.scale),
                });
                self.redraw();
            }
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

/// Draws the boxes of all commands: draws blue, layers and clips red.
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
