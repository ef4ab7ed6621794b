//! What is kept of a list, to be compared with the next.

use super::look::{Look, Looks, plain_number};
use crate::Error;
use crate::filter;
use crate::measure::Measure;
use crate::pixels::Pixels;
use crate::plan::{Layer, Role};
use crate::stream::{ListStream, encode, rect_of};
use anyrender::recording::RenderCommand;
use treebounds_core::damage::{Backdrop, Frame, Ident};
use treebounds_core::{Bounds, Kernel, Rect, Role as TagRole, Stream, reference};

/// A list as elements, and what they look like.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// `None` if there is no list.
    pub(super) stream: Option<Stream>,
    bounds: Bounds,
    pub(super) backdrops: Vec<Backdrop>,
    /// Per command: its element.
    elements: Vec<u32>,
    /// Per element.
    looks: Vec<Look>,
    /// Per element.
    plain: Vec<Plain>,
}

/// Pixels that an element changes all alike, being a plain colour or a layer that cuts none of them, and the number of that change.
#[derive(Clone, Copy, Debug, Default)]
struct Plain {
    pixels: Pixels,
    number: u64,
    /// Whether the change has the same bits whatever the shape. A layer's may be rounded in another way at its edges.
    is_exact: bool,
}

/// Content that moves inside an area.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    pub(super) area: Pixels,
    pub(super) by: [i32; 2],
}

impl Kept {
    pub(super) fn viewport(&self) -> Option<Rect> {
        self.stream.as_ref().map(Stream::viewport)
    }

    /// Reads a list that is measured for this viewport.
    pub(super) fn read(
        &mut self,
        commands: &[RenderCommand],
        measure: &Measure,
        looks: &mut Looks,
        viewport: Pixels,
    ) -> Result<(), Error> {
        self.stream = None;
        let kernel = |layer: &Layer, _| kernel_of(layer);
        let ListStream { stream, elements } = encode(measure, commands, rect_of(viewport), kernel)?;
        reference::bounds_into(&stream, &mut self.bounds);
        self.backdrops.clear();
        self.looks.clear();
        self.looks.resize(stream.len(), Look::default());
        self.plain.clear();
        self.plain.resize(stream.len(), Plain::default());
        for ((command, item), element) in commands.iter().zip(&measure.items).zip(&elements) {
            let at = *element as usize;
            match item.role {
                Role::Pop => continue,
                Role::Draw => self.plain[at].pixels = item.covered,
                Role::Push => {
                    self.read_layer(*element, command, &measure.layers[item.layer as usize])
                }
            }
            self.plain[at].number = plain_number(command);
            self.plain[at].is_exact = item.role == Role::Draw;
            if self.plain[at].number == 0 {
                self.plain[at].pixels = Pixels::NOTHING;
            }
            let look = looks.of(command);
            self.looks[at] = look;
            let filter = stream.tags().get(at + 1).filter(|_| item.role == Role::Push);
            if filter.is_some_and(|tag| tag.is_spread() && tag.role() == TagRole::Begin) {
                self.looks[at + 1] = look.part();
            }
        }
        // vello_cpu takes the box of all contents, whether they can be seen or not.
        for layer in measure.layers.iter().filter(|layer| layer.is_rigid) {
            let inside = elements.get(layer.push + 1..layer.pop).unwrap_or_default();
            let looks = inside.iter().map(|element| self.looks[*element as usize].here());
            let at = elements[layer.push] as usize;
            self.looks[at] = self.looks[at].with(looks);
        }
        (self.stream, self.elements) = (Some(stream), elements);
        Ok(())
    }

    fn read_layer(&mut self, node: u32, push: &RenderCommand, layer: &Layer) {
        if layer.reads_backdrop {
            self.backdrops.push(Backdrop { node, kernel: backdrop_of(push, layer) });
        } else if let (None, Some(rect)) = (layer.kernel, layer.rect) {
            self.plain[node as usize].pixels = Pixels::inside(rect);
        }
    }

    /// The list as a frame. `None` if there is none.
    pub(super) fn frame(&self) -> Option<Frame<'_>> {
        Frame::new(self.stream.as_ref()?, &self.bounds, &self.backdrops).ok()
    }

    /// Whether each command has to be painted for these rects. All of them, if the commands are of another list.
    pub(super) fn touching(&self, commands: &[RenderCommand], rects: &[Rect]) -> Vec<bool> {
        let mut kept = vec![true; commands.len()];
        let Some(stream) = self.stream.as_ref().filter(|_| commands.len() == self.elements.len())
        else {
            return kept;
        };
        // How many layers are open from the outermost that is left out, and from the outermost with a filter.
        let (mut out, mut filter) = (0_u32, 0_u32);
        for ((command, kept), element) in commands.iter().zip(&mut kept).zip(&self.elements) {
            let at = *element as usize;
            let bounds = self.bounds.boxes[at];
            let touches = rects.iter().any(|rect| !rect.intersect(bounds).is_empty());
            match command {
                RenderCommand::PopLayer => {
                    *kept = out == 0;
                    (out, filter) = (out.saturating_sub(1), filter.saturating_sub(1));
                }
                RenderCommand::PushLayer(_) | RenderCommand::PushClipLayer(_) => {
                    let is_out = out > 0 || (filter == 0 && !touches);
                    out += u32::from(is_out);
                    let spreads = stream.tags().get(at + 1).is_some_and(|tag| tag.is_spread());
                    filter += u32::from(filter > 0 || spreads);
                    *kept = !is_out;
                }
                _ => *kept = out == 0 && (filter > 0 || touches),
            }
        }
        kept
    }

    /// The identity of each element: its look and its place, where the place counts.
    ///
    /// `by` is how far the list moves; without it, equal places are equal bit for bit. Elements that change all pixels of `area` alike
    /// have no place.
    pub(super) fn idents(&self, area: Pixels, by: Option<[i32; 2]>, idents: &mut Vec<Ident>) {
        let by = by.map(|by| by.map(f64::from));
        let number = |(look, plain): (&Look, &Plain)| match by {
            _ if (plain.is_exact || by.is_some()) && plain.pixels.contains(area) => plain.number,
            None => look.here(),
            Some(by) => look.moved(by),
        };
        idents.clear();
        let numbers = self.looks.iter().zip(&self.plain).map(number);
        idents.extend(numbers.map(|number| Ident { key: number, hash: number }));
    }

    /// The elements where the move takes them. The looks stay behind.
    pub(super) fn moved(&self, by: [i32; 2]) -> Option<Self> {
        let stream = self.stream.as_ref()?;
        let places = stream.tags().iter().zip(stream.rects());
        let rects =
            places.map(|(tag, rect)| if tag.is_spread() { *rect } else { moved(*rect, by) });
        let viewport = moved(stream.viewport(), by);
        let stream = Stream::new(stream.tags().to_vec(), rects.collect(), viewport).ok()?;
        let bounds = reference::bounds(&stream);
        let backdrops = self.backdrops.clone();
        Some(Self { stream: Some(stream), bounds, backdrops, ..Self::default() })
    }
}

/// The rect, moved. Far edges stay.
pub(super) fn moved(rect: Rect, by: [i32; 2]) -> Rect {
    if rect.is_empty() {
        return Rect::NOTHING;
    }
    let [x, y] = by.map(|by| by as f32);
    Rect::new(rect.x0 + x, rect.y0 + y, rect.x1 + x, rect.y1 + y)
}

/// What a layer's filter reads. Any change inside may change all of a result that depends on the box of the contents.
fn kernel_of(layer: &Layer) -> Kernel {
    match layer.kernel {
        None => Kernel::IDENTITY,
        Some(_) if layer.is_rigid => Kernel::EVERYWHERE,
        Some(kernel) => kernel,
    }
}

/// How far a layer reads the pixels behind it.
fn backdrop_of(push: &RenderCommand, layer: &Layer) -> Kernel {
    let RenderCommand::PushLayer(push) = push else { return Kernel::IDENTITY };
    let Some(behind) = &push.backdrop_filter else { return kernel_of(layer) };
    let support = filter::support(behind, push.transform, true);
    let kernel = if support.is_rigid { Kernel::EVERYWHERE } else { support.kernel };
    kernel.hull(kernel_of(layer))
}
