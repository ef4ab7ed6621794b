//! A scene of flying cards. The CPU knows its structure, but only the GPU knows the places of its shapes.

use bytemuck::{Pod, Zeroable};
use treebounds_core::{Footprint, NodeKind, Rect, Stream, StreamBuilder};

/// The deviation of the blur.
pub(crate) const DEVIATION: f32 = 5.0;

/// The paint and the movement of an element. The same struct is in `shaders/shapes.wgsl`.
#[derive(Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Shape {
    /// The rect at rest: x0, y0, x1, y1.
    rest: [f32; 4],
    /// Premultiplied.
    color: [f32; 4],
    /// The movement of its card: the amplitudes in x and y, the speed and the phase.
    orbit: [f32; 4],
    /// Its own movement, in the same form.
    own: [f32; 4],
    kind: u32,
    /// The index of the matching end or begin.
    partner: u32,
    /// The corner radius, or the opacity of a group.
    number: f32,
    padding: u32,
}

const DRAW: u32 = 0;
const CLIP: u32 = 1;
const GROUP: u32 = 2;
const BLUR: u32 = 3;
const END: u32 = 4;

/// The tags for the stage, and the shapes for the kernels of this example.
pub(crate) struct Scene {
    pub(crate) stream: Stream,
    pub(crate) shapes: Vec<Shape>,
    /// The names of the elements in captured frames.
    pub(crate) names: Vec<String>,
    /// The element that opens the blur.
    pub(crate) blur: u32,
}

/// Builds stream and shapes in parallel.
struct Builder {
    stream: StreamBuilder,
    shapes: Vec<Shape>,
    names: Vec<String>,
    cards: u32,
    open: Vec<usize>,
    random: u32,
}

impl Scene {
    /// Creates a scene with this number of cards on a canvas of this size. The last card is blurred.
    pub(crate) fn new(cards: u32, [width, height]: [u32; 2]) -> anyhow::Result<Self> {
        let canvas = Rect::new(0.0, 0.0, width as f32, height as f32);
        let mut builder = Builder {
            stream: StreamBuilder::new(canvas),
            shapes: Vec::new(),
            names: Vec::new(),
            cards: 0,
            open: Vec::new(),
            random: 7,
        };
        builder.draw(canvas, [0.94, 0.95, 0.97, 1.0], Shape::default())?;
        for _ in 1..cards {
            // Half of the cards are outside the canvas.
            let x = (2.0 * builder.random() - 0.5) * canvas.x1;
            let y = builder.random() * canvas.y1;
            builder.card([x, y])?;
        }
        let footprint = Footprint::blur(DEVIATION.into(), DEVIATION.into()).to_rect();
        let blur = builder.begin(BLUR, footprint, Shape::default())?;
        builder.card([0.5 * canvas.x1, 0.5 * canvas.y1])?;
        builder.end()?;
        let Builder { stream, shapes, names, .. } = builder;
        Ok(Self { stream: stream.finish()?, shapes, names, blur })
    }
}

impl Builder {
    /// Returns a random number from 0 to 1 (xorshift).
    fn random(&mut self) -> f32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        (self.random >> 8) as f32 / (1 << 24) as f32
    }

    /// Adds a half-transparent group with a rounded clip, which contains a page and eight dots that move out
    /// of the clip.
    fn card(&mut self, [x, y]: [f32; 2]) -> anyhow::Result<()> {
        let (w, h) = (60.0 + 90.0 * self.random(), 40.0 + 60.0 * self.random());
        self.cards += 1;
        let orbit = [
            30.0 + 60.0 * self.random(),
            40.0 * self.random(),
            0.5 + self.random(),
            6.3 * self.random(),
        ];
        let shape = Shape { orbit, ..Shape::default() };
        let page = Rect::new(x - w / 2.0, y - h / 2.0, x + w / 2.0, y + h / 2.0);
        self.begin(GROUP, Rect::EVERYTHING, Shape { number: 0.85, ..shape })?;
        self.begin(CLIP, page, Shape { number: 14.0, ..shape })?;
        let tint = [self.random(), self.random(), self.random()].map(|part| 0.55 + 0.4 * part);
        self.draw(page, [tint[0], tint[1], tint[2], 1.0], shape)?;
        for _ in 0..8 {
            let r = 5.0 + 14.0 * self.random();
            let own = [
                w * self.random(),
                h * self.random(),
                1.0 + 2.0 * self.random(),
                6.3 * self.random(),
            ];
            let dot = Rect::new(x - r, y - r, x + r, y + r);
            let ink = tint.map(|part| 0.6 * part);
            self.draw(dot, [ink[0], ink[1], ink[2], 1.0], Shape { own, number: r, ..shape })?;
        }
        self.end()?;
        self.end()
    }

    fn draw(&mut self, rect: Rect, color: [f32; 4], shape: Shape) -> anyhow::Result<()> {
        self.stream.draw(rect)?;
        self.push(DRAW, rect, Shape { color, ..shape });
        Ok(())
    }

    fn begin(&mut self, kind: u32, rect: Rect, shape: Shape) -> anyhow::Result<u32> {
        let element = match kind {
            BLUR => self.stream.begin_spread(Footprint::from_rect(rect)?)?,
            CLIP => self.stream.begin(NodeKind::Clip, rect)?,
            _ => self.stream.begin(NodeKind::Blend, rect)?,
        };
        self.open.push(self.shapes.len());
        self.push(kind, rect, shape);
        Ok(element)
    }

    fn end(&mut self) -> anyhow::Result<()> {
        self.stream.end()?;
        let end = self.shapes.len();
        let begin = self.open.pop().unwrap_or_default();
        let Shape { rest, orbit, .. } = self.shapes[begin];
        self.shapes[begin].partner = end as u32;
        self.names.push(self.names[begin].clone());
        self.shapes.push(Shape {
            rest,
            orbit,
            kind: END,
            partner: begin as u32,
            ..Shape::default()
        });
        Ok(())
    }

    fn push(&mut self, kind: u32, rect: Rect, shape: Shape) {
        let part = ["shape", "clip", "group", "blur"].get(kind as usize).unwrap_or(&"");
        self.names.push(format!("card {} {part}", self.cards));
        self.shapes.push(Shape { rest: rect.to_array(), kind, ..shape });
    }
}
