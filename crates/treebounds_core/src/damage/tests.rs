//! Tests damage with pictures whose pixels are hashes of everything they depend on, so that equal pixels have equal dependencies.

use super::*;
use crate::{Footprint, NodeKind, Stream, Tag};
use alloc::{vec, vec::Vec};
use proptest::prelude::*;

const CASES: u32 = 2_000;
/// Pixels range from -LOW to SIDE - LOW on both axes. The margin around the viewport is large enough for all filters.
const SIDE: usize = 40;
const LOW: i32 = 14;
const VIEWPORT: Rect = Rect::new(0.0, 0.0, 12.0, 12.0);

#[derive(Clone, Copy, Debug, PartialEq)]
struct Element {
    tag: Tag,
    rect: Rect,
    seed: u64,
    key: u64,
    backdrop: Option<Footprint>,
}

impl Element {
    fn hash(&self) -> u64 {
        let edges = self.rect.to_array().map(|edge| u64::from(edge.to_bits()));
        let footprint = self.backdrop.map_or([0; 4], |footprint| {
            footprint.to_rect().to_array().map(|edge| u64::from(edge.to_bits()))
        });
        [u64::from(self.tag.bits()), self.seed].iter().chain(&edges).chain(&footprint).fold(1, mix)
    }
}

fn mix(a: u64, b: &u64) -> u64 {
    let x = (a ^ b.rotate_left(29)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (x ^ (x >> 31)).wrapping_mul(0xD6E8_FEB8_6659_FD93) | 1
}

/// One hash per pixel; 0 for unpainted pixels.
type Picture = Vec<u64>;

fn pixels() -> impl Iterator<Item = (usize, i32, i32)> {
    (0..SIDE * SIDE).map(|at| (at, (at % SIDE) as i32 - LOW, (at / SIDE) as i32 - LOW))
}

fn contains_pixel(rect: Rect, x: i32, y: i32) -> bool {
    let (x, y) = (x as f32, y as f32);
    rect.x0 <= x && x < rect.x1 && rect.y0 <= y && y < rect.y1
}

fn at(picture: &Picture, x: i32, y: i32) -> u64 {
    let inside = |v: i32| (-LOW..SIDE as i32 - LOW).contains(&v);
    let index = |v: i32| (v + LOW) as usize;
    if inside(x) && inside(y) { picture[index(y) * SIDE + index(x)] } else { 0 }
}

/// A filter's output at a pixel: 0 if all its inputs are 0.
fn spread(read: impl Fn(i32, i32) -> u64, footprint: Footprint, x: i32, y: i32) -> u64 {
    let k = footprint.to_rect().to_array().map(|side| side as i32);
    let offsets = (k[1]..=k[3]).flat_map(|dy| (k[0]..=k[2]).map(move |dx| (dx, dy)));
    let values: Vec<u64> = offsets.map(|(dx, dy)| read(x - dx, y - dy)).collect();
    if values.iter().all(|value| *value == 0) { 0 } else { values.iter().fold(3, mix) }
}

/// An open node, or the root, with its clip. Backdrops ignore pixels outside the clip.
struct Layer {
    node: Option<Element>,
    clip: Rect,
    picture: Picture,
}

impl Layer {
    fn new(node: Option<Element>, clip: Rect) -> Self {
        Self { node, clip, picture: vec![0; SIDE * SIDE] }
    }

    fn inside(&self, node: Element) -> Self {
        let clip = match node.tag.is_spread() {
            true => Footprint::stored(node.rect).reverse_bounds(self.clip),
            false => self.clip.intersect(node.rect),
        };
        Self::new(Some(node), clip)
    }
}

fn paint(elements: &[Element]) -> Picture {
    paint_in(elements, &[VIEWPORT])
}

/// Paints a picture in which all pixels outside `rects` are missing, except inside filters.
fn paint_in(elements: &[Element], rects: &[Rect]) -> Picture {
    let mut layers = vec![Layer::new(None, VIEWPORT)];
    let open = elements.iter().copied().map(Some).chain([None; 64]);
    for element in open {
        match element {
            Some(element) if element.tag.role() == Role::Draw => {
                let is_in_filter = is_in_filter(&layers);
                let picture = &mut layers.last_mut().unwrap().picture;
                let is_there = |x, y| is_in_filter || is_in(rects, x, y);
                let shown = pixels().filter(|(_, x, y)| contains_pixel(element.rect, *x, *y));
                for (index, ..) in shown.filter(|(_, x, y)| is_there(*x, *y)) {
                    picture[index] = mix(picture[index], &element.hash());
                }
            }
            Some(element) if element.tag.role() == Role::Begin => {
                layers.push(layers.last().unwrap().inside(element));
            }
            _ if layers.len() == 1 => {}
            _ => {
                let Layer { node, picture, .. } = layers.pop().unwrap();
                composite(node.unwrap(), &picture, &mut layers, rects);
            }
        }
    }
    layers.pop().unwrap().picture
}

fn is_in_filter(layers: &[Layer]) -> bool {
    layers.iter().any(|layer| layer.node.is_some_and(|node| node.tag.is_spread()))
}

fn is_in(rects: &[Rect], x: i32, y: i32) -> bool {
    rects == [VIEWPORT] || rects.iter().any(|rect| contains_pixel(*rect, x, y))
}

fn composite(node: Element, content: &Picture, layers: &mut [Layer], rects: &[Rect]) {
    let behind = |x: i32, y: i32| {
        let seen = |layer: &Layer| {
            if contains_pixel(layer.clip, x, y) { at(&layer.picture, x, y) } else { 0 }
        };
        let values: Vec<u64> = layers.iter().map(seen).collect();
        if values.iter().all(|value| *value == 0) { 0 } else { values.iter().fold(5, mix) }
    };
    let source = pixels().map(|(index, x, y)| {
        if node.tag.is_spread() {
            return spread(|x, y| at(content, x, y), Footprint::stored(node.rect), x, y);
        }
        let is_inside = contains_pixel(node.rect, x, y);
        let fill = if node.tag.is_filling() { 9 } else { 0 };
        let below = node.backdrop.map_or(0, |footprint| spread(behind, footprint, x, y));
        match content[index] {
            _ if !is_inside => 0,
            0 if fill == 0 => 0,
            value => [value, fill, below].iter().fold(7, mix),
        }
    });
    let source: Picture = source.collect();
    let is_in_filter = is_in_filter(layers);
    let target = &mut layers.last_mut().unwrap().picture;
    for (index, x, y) in pixels() {
        let (value, is_there) = (source[index], is_in_filter || is_in(rects, x, y));
        if is_there && (value != 0 || node.tag.is_non_local()) {
            target[index] = [node.hash(), value].iter().fold(target[index], mix);
        }
    }
}

fn element_of(rect: Rect) -> Element {
    Element { tag: Tag::DRAW, rect, seed: 0, key: 0, backdrop: None }
}

fn element() -> impl Strategy<Value = Element> {
    let rect = (-3..12_i8, -3..12_i8, 0..14_i8, 0..14_i8).prop_map(|(x, y, width, height)| {
        let edges = [x, y, x + width, y + height].map(f32::from);
        Rect::new(edges[0], edges[1], edges[2], edges[3]).or_nothing()
    });
    let footprint = (-2..2_i8, -2..2_i8, 0..3_i8, 0..3_i8).prop_map(|(x, y, width, height)| {
        let [x0, y0, x1, y1] = [x, y, x + width, y + height].map(f32::from);
        Footprint::new(x0, y0, x1, y1).unwrap()
    });
    (0..13_u8, rect, footprint, 0..3_u64).prop_map(|(kind, rect, footprint, seed)| {
        let [clip, both] = [NodeKind::Clip, NodeKind::ClipBlend].map(Tag::begin);
        let element = Element { seed, ..element_of(rect) };
        match kind {
            0..=4 => element,
            5 => Element { tag: clip, ..element },
            6 => Element { tag: both, ..element },
            7 => Element { tag: both.non_local(), ..element },
            8 => {
                Element { tag: Tag::begin(NodeKind::Spread), rect: footprint.to_rect(), ..element }
            }
            9 => Element { tag: both.fills(), ..element },
            10 => Element { tag: both.fills(), backdrop: Some(footprint), ..element },
            _ => Element { tag: Tag::end(NodeKind::Clip), rect: Rect::NOTHING, ..element },
        }
    })
}

/// Whether the filters fit the margin around the viewport.
fn fits(elements: &[Element]) -> bool {
    let tags = elements.iter().map(|element| element.tag).collect();
    let rects = elements.iter().map(|element| element.rect).collect();
    Stream::new(tags, rects, VIEWPORT).unwrap().filter_depth() <= 3
}

#[derive(Clone, Debug)]
enum Edit {
    Replace(Element),
    Insert(Element),
    Remove,
    Move(usize),
}

fn edit() -> impl Strategy<Value = (usize, Edit)> {
    let edit = prop_oneof![
        element().prop_map(Edit::Replace),
        element().prop_map(Edit::Insert),
        Just(Edit::Remove),
        (0..40_usize).prop_map(Edit::Move),
    ];
    (0..40_usize, edit)
}

fn apply_edits(elements: &[Element], edits: &[(usize, Edit)]) -> Vec<Element> {
    let mut edited = elements.to_vec();
    for (number, (place, edit)) in (1_000..).zip(edits) {
        let place = place % (edited.len() + 1);
        match *edit {
            Edit::Insert(element) => edited.insert(place, Element { key: number, ..element }),
            _ if place == edited.len() => {}
            Edit::Replace(element) => edited[place] = Element { key: edited[place].key, ..element },
            Edit::Remove => _ = edited.remove(place),
            Edit::Move(to) => {
                let element = edited.remove(place);
                edited.insert(to % (edited.len() + 1), element);
            }
        }
    }
    edited
}

struct Encoded {
    stream: Stream,
    backdrops: Vec<Backdrop>,
    idents: Vec<Ident>,
}

fn encode(elements: &[Element]) -> Encoded {
    let tags = elements.iter().map(|element| element.tag).collect();
    let rects = elements.iter().map(|element| element.rect).collect();
    let stream = Stream::new(tags, rects, VIEWPORT).unwrap();
    let backdrops = (0..).zip(elements).filter_map(|(node, element)| {
        element.backdrop.map(|footprint| Backdrop { node, footprint })
    });
    let idents = elements.iter().map(|element| Ident { key: element.key, hash: element.hash() });
    Encoded { backdrops: backdrops.collect(), idents: idents.collect(), stream }
}

fn region(old: &[Element], new: &[Element], most: usize) -> Region {
    let (old, new) = (encode(old), encode(new));
    let partners = Pairing::default().find(&old.idents, &new.idents).to_vec();
    let mut region = Region::new(VIEWPORT, most);
    let old = DamageFrame::new(&old.stream, &old.backdrops).unwrap();
    let new = DamageFrame::new(&new.stream, &new.backdrops).unwrap();
    DamageFinder::default().find(&old, &new, &partners, &mut region);
    region
}

fn check_rects(region: &Region, most: usize) {
    let rects = region.rects();
    assert!(rects.len() <= most, "{rects:?}");
    for (index, rect) in rects.iter().enumerate() {
        assert!(!rect.is_empty() && VIEWPORT.contains(*rect) && *rect == rect.round_out());
        assert!(rects[..index].iter().all(|other| other.intersect(*rect).is_empty()), "{rects:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pixels_outside_the_damage_are_equal(
        mut elements in prop::collection::vec(element(), 0..24),
        edits in prop::collection::vec(edit(), 0..4),
        most in 1..9_usize,
    ) {
        (1..).zip(&mut elements).for_each(|(key, element)| element.key = key);
        let new = apply_edits(&elements, &edits);
        prop_assume!(fits(&elements) && fits(&new));
        let region = region(&elements, &new, most);
        check_rects(&region, most);
        let (before, after) = (paint(&elements), paint(&new));
        for (index, x, y) in pixels().filter(|(_, x, y)| contains_pixel(VIEWPORT, *x, *y)) {
            let is_damaged = region.rects().iter().any(|rect| contains_pixel(*rect, x, y));
            prop_assert!(is_damaged || before[index] == after[index], "{x}, {y} of {region:?}");
        }
    }

    #[test]
    fn painting_a_widened_region_gives_correct_pixels(
        elements in prop::collection::vec((element(), 0..2_u8), 0..16),
        shown in prop::collection::vec(element(), 1..3),
        most in 1..9_usize,
    ) {
        // About half of the draws become empty backdrop layers that read one or two pixels.
        let glass = |element: Element, reach: f32| Element {
            tag: Tag::begin(NodeKind::ClipBlend).fills(),
            backdrop: Footprint::new(-reach, -reach, reach, reach).ok(),
            ..element
        };
        let end = Element { tag: Tag::end(NodeKind::Clip), ..element_of(Rect::NOTHING) };
        let elements: Vec<Element> = (1_u8..)
            .zip(elements)
            .flat_map(|(at, (element, is_glass))| match is_glass {
                1 if element.tag == Tag::DRAW => vec![glass(element, f32::from(1 + at % 2)), end],
                _ => vec![element],
            })
            .collect();
        prop_assume!(fits(&elements));
        let Encoded { stream, backdrops, .. } = encode(&elements);
        let mut region = Region::new(VIEWPORT, most);
        shown.iter().for_each(|shown| region.add(shown.rect));
        let shown = region.clone();
        DamageFinder::widen(&DamageFrame::new(&stream, &backdrops).unwrap(), &mut region);
        let (whole, part) = (paint(&elements), paint_in(&elements, region.rects()));
        for (index, x, y) in pixels().filter(|(_, x, y)| is_in(shown.rects(), *x, *y)) {
            prop_assert!(!contains_pixel(VIEWPORT, x, y) || whole[index] == part[index], "{x}, {y} of {region:?}");
        }
    }

    #[test]
    fn regions_contain_all_added_pixels(rects in prop::collection::vec(element(), 0..40), most in 1..9_usize) {
        let mut region = Region::new(VIEWPORT, most);
        for element in &rects {
            region.add(element.rect);
            check_rects(&region, most);
        }
        for (_, x, y) in pixels().filter(|(_, x, y)| contains_pixel(VIEWPORT, *x, *y)) {
            let is_added = rects.iter().any(|element| contains_pixel(element.rect, x, y));
            let is_held = region.rects().iter().any(|rect| contains_pixel(*rect, x, y));
            prop_assert!(!is_added || is_held);
        }
    }

    #[test]
    fn partners_ascend_and_are_longest_for_unique_keys(
        old in prop::collection::vec(0..9_u64, 0..12),
        new in prop::collection::vec(0..9_u64, 0..12),
    ) {
        let idents = |keys: &[u64]| keys.iter().map(|key| Ident { key: *key, hash: 1 }).collect::<Vec<_>>();
        let mut pairing = Pairing::default();
        let partners = pairing.find(&idents(&old), &idents(&new));
        let pairs = || partners.iter().zip(&new).filter(|(partner, _)| **partner != NONE);
        prop_assert!(pairs().all(|(partner, key)| old[*partner as usize] == *key && *key != 0));
        prop_assert!(pairs().zip(pairs().skip(1)).all(|((a, _), (b, _))| a < b));
        // If keys are unique, no common subsequence is longer.
        let is_set = |keys: &[u64]| keys.iter().enumerate().all(|(at, key)| *key != 0 && !keys[..at].contains(key));
        if is_set(&old) && is_set(&new) {
            let mut longest = vec![0; old.len() + 1];
            for key in &new {
                let mut diagonal = 0;
                for (at, other) in old.iter().enumerate() {
                    let here = if key == other { diagonal + 1 } else { longest[at].max(longest[at + 1]) };
                    diagonal = core::mem::replace(&mut longest[at + 1], here);
                }
            }
            prop_assert_eq!(pairs().count(), *longest.last().unwrap());
        }
    }
}

#[test]
fn equal_frames_have_no_damage_and_larger_viewports_add_their_edge() {
    let page = [Element { key: 1, ..element_of(VIEWPORT) }];
    assert_eq!(region(&page, &page, 4).rects(), []);
    let mut region = Region::new(Rect::new(0.0, 0.0, 20.0, 12.0), 4);
    region.add_outside(Rect::new(0.0, 0.0, 20.0, 12.0), VIEWPORT);
    assert_eq!(region.rects(), [Rect::new(12.0, 0.0, 20.0, 12.0)]);
}

#[test]
fn corner_overlaps_are_cut_and_crossing_rects_joined() {
    let mut region = Region::new(VIEWPORT, 8);
    region.add(Rect::new(0.0, 0.0, 12.0, 1.0));
    region.add(Rect::new(0.0, 0.0, 1.0, 12.0));
    assert_eq!(region.rects(), [Rect::new(0.0, 0.0, 12.0, 1.0), Rect::new(0.0, 1.0, 1.0, 12.0)]);
    region.restart(VIEWPORT);
    region.add(Rect::new(0.0, 5.0, 12.0, 6.0));
    region.add(Rect::new(5.0, 0.0, 6.0, 12.0));
    assert_eq!(region.rects(), [VIEWPORT]);
}

#[test]
fn rejects_invalid_frames() {
    let node = Element {
        tag: Tag::begin(NodeKind::ClipBlend).fills(),
        rect: VIEWPORT,
        seed: 0,
        key: 1,
        backdrop: None,
    };
    let stream = encode(&[node, node]).stream;
    let short = DamageFrame::of(stream.tags(), &[VIEWPORT], VIEWPORT, &[]).err();
    assert_eq!(short, Some(FrameError::LengthsDiffer { tags: 2, rects: 1 }));
    let [first, second, third] =
        [0, 1, 2].map(|node| Backdrop { node, footprint: Footprint::IDENTITY });
    assert!(DamageFrame::new(&stream, &[first, second]).is_ok());
    let error = |backdrops: &[Backdrop]| DamageFrame::new(&stream, backdrops).err();
    let index = 1;
    assert_eq!(error(&[second, first]), Some(FrameError::NotInOrder { index }));
    assert_eq!(error(&[first, first]), Some(FrameError::NotInOrder { index }));
    assert_eq!(error(&[first, third]), Some(FrameError::NoNode { index, node: 2 }));
    // A draw, and a layer without `FILLS`.
    let tags = [Tag::DRAW, Tag::begin(NodeKind::ClipBlend)];
    let error = |backdrop| DamageFrame::of(&tags, &[VIEWPORT; 2], VIEWPORT, &[backdrop]).err();
    let index = 0;
    assert_eq!(error(first), Some(FrameError::NoNode { index, node: 0 }));
    assert_eq!(error(second), Some(FrameError::NotFilling { index, node: 1 }));
}
