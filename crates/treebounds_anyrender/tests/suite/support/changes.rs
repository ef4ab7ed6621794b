//! Changes of a user interface: a frame of a page, and the next. The second list is the first, edited as the page would change.

use anyrender::recording::{RenderCommand, Scene};
use anyrender::{Glyph, Paint, PaintScene};
use kurbo::{Affine, Arc, BezPath, Circle, Point, Rect, RoundedRect, Shape, Stroke, Vec2};
use peniko::{Color, Fill};
use treebounds_anyrender::Scroll;
use treebounds_testkit::lists::font;
use treebounds_testkit::pages::{WINDOW, page};

/// Two frames, and the hint if the page was scrolled.
pub struct Change {
    pub name: &'static str,
    pub frames: [Scene; 2],
    pub scroll: Option<Scroll>,
}

/// The changes, at this scale.
pub fn changes(scale: f64) -> Vec<Change> {
    let plain = |name, frames| Change { name, frames, scroll: None };
    vec![
        plain("a button is hovered", hover(scale)),
        plain("a caret blinks", caret(scale)),
        plain("a letter is typed", typing(scale)),
        plain("a spinner turns", spinner(scale)),
        plain("a chart gets a point", chart(scale)),
        plain("a modal opens", modal(scale)),
        plain("a card is removed", removal(scale)),
        plain("scrolled by 40, no hint", scrolled(scale)),
        Change {
            scroll: Some(Scroll {
                area: Rect::new(0.0, 0.0, WINDOW[0] * scale, WINDOW[1] * scale),
                by: [0, (-40.0 * scale) as i32],
            }),
            ..plain("scrolled by 40, with the hint", scrolled(scale))
        },
    ]
}

const BUTTON: Color = Color::from_rgb8(232, 236, 243);
const BLUE: Color = Color::from_rgb8(60, 120, 220);

fn hover(scale: f64) -> [Scene; 2] {
    let old = page("feed", scale, 0.0);
    let mut new = old.clone();
    let button = new.commands.iter_mut().find_map(|command| match command {
        RenderCommand::Fill(fill) if fill.brush == Paint::Solid(BUTTON) => Some(fill),
        _ => None,
    });
    button.unwrap().brush = Paint::Solid(BLUE);
    [old, new]
}

fn caret(scale: f64) -> [Scene; 2] {
    let old = page("mail", scale, 0.0);
    let mut new = old.clone();
    let caret = Rect::new(712.0, 60.0, 713.5, 78.0);
    new.fill(Fill::NonZero, Affine::scale(scale), Color::BLACK, None, &caret);
    [old, new]
}

fn typing(scale: f64) -> [Scene; 2] {
    let frame = |letters: u32| {
        let mut scene = page("mail", scale, 0.0);
        let at = Affine::scale(scale);
        let field = RoundedRect::new(650.0, 20.0, 1200.0, 52.0, 8.0);
        scene.fill(Fill::NonZero, at, Color::WHITE, None, &field);
        scene.push_clip_layer(Fill::NonZero, at, &field);
        let glyphs = (0..letters).map(|i| Glyph { id: 68 + i, x: 660.0 + 9.0 * i as f32, y: 41.0 });
        let style = Fill::NonZero;
        scene.draw_glyphs(
            font(),
            15.0,
            false,
            &[],
            Vec2::ZERO,
            style,
            Color::BLACK,
            1.0,
            at,
            None,
            glyphs,
        );
        let caret =
            Rect::new(0.0, 28.0, 1.5, 46.0) + Vec2::new(660.0 + 9.0 * f64::from(letters), 0.0);
        scene.fill(Fill::NonZero, at, Color::BLACK, None, &caret);
        scene.pop_layer();
        scene
    };
    [frame(12), frame(13)]
}

fn spinner(scale: f64) -> [Scene; 2] {
    let frame = |angle: f64| {
        let mut scene = page("feed", scale, 0.5);
        let arc = Arc::new((0.0, 0.0), (18.0, 18.0), angle, 4.0, 0.0);
        let at = Affine::scale(scale) * Affine::translate((640.0, 400.0));
        scene.fill(Fill::NonZero, at, Color::WHITE, None, &Circle::new((0.0, 0.0), 26.0));
        scene.stroke(&Stroke::new(4.0), at, BLUE, None, &arc);
        scene
    };
    [frame(0.0), frame(0.2)]
}

fn chart(scale: f64) -> [Scene; 2] {
    let frame = |points: u32| {
        let mut scene = page("thread", scale, 0.0);
        let at = Affine::scale(scale);
        let card = Rect::new(700.0, 80.0, 1240.0, 320.0);
        scene.fill(Fill::NonZero, at, Color::WHITE, None, &card);
        let place = |i: u32| {
            Point::new(720.0 + 8.0 * f64::from(i), 200.0 + 70.0 * (f64::from(i) * 0.7).sin())
        };
        let mut line = BezPath::new();
        line.move_to(place(0));
        (1..points).for_each(|i| line.line_to(place(i)));
        scene.stroke(&Stroke::new(2.0), at, BLUE, None, &line);
        for i in 0..points {
            scene.fill(Fill::NonZero, at, BLUE, None, &Circle::new(place(i), 3.0));
        }
        scene
    };
    [frame(50), frame(51)]
}

fn modal(scale: f64) -> [Scene; 2] {
    let old = page("feed", scale, 0.0);
    let mut new = old.clone();
    let at = Affine::scale(scale);
    let window = Rect::new(0.0, 0.0, WINDOW[0], WINDOW[1]);
    let sheet = Rect::new(420.0, 220.0, 860.0, 560.0);
    new.fill(Fill::NonZero, at, Color::from_rgba8(0, 0, 0, 120), None, &window);
    new.draw_box_shadow(at, sheet, Color::from_rgba8(0, 0, 0, 90), 12.0, 8.0);
    new.fill(Fill::NonZero, at, Color::WHITE, None, &RoundedRect::from_rect(sheet, 12.0));
    [old, new]
}

/// The feed without its first card: the others move up.
fn removal(scale: f64) -> [Scene; 2] {
    let old = page("feed", scale, 0.0);
    let mut new = old.clone();
    let is_card = |command: &RenderCommand| match command {
        RenderCommand::Fill(fill) => {
            let rect = fill.shape.bounding_box();
            fill.brush == Paint::Solid(Color::WHITE) && rect.width() == 760.0
        }
        _ => false,
    };
    let cards = new.commands.iter().enumerate().filter(|(_, command)| is_card(command));
    let starts: Vec<usize> = cards.map(|(at, _)| at).collect();
    let by = Affine::translate((0.0, -440.0 * scale));
    let rest = new.commands.split_off(starts[1]);
    new.commands.truncate(starts[0]);
    new.append_scene(Scene { commands: rest, ..Scene::new() }, by);
    [old, new]
}

fn scrolled(scale: f64) -> [Scene; 2] {
    const RANGE: f64 = 60.0 * 440.0 + 48.0 - WINDOW[1];
    [3_000.0, 3_040.0].map(|place| page("feed", scale, place / RANGE))
}
