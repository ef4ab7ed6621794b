//! `RootFix` and `LeafFix`, of sums modulo 2^32.

use super::stage::params;
use super::{Built, threads};
use crate::faults::subject::{AnyJob, AnyScratch, Slot, Subject, first, same};
use crate::faults::table::Refusal;
use treebounds::{FixBindings, LeafFix, RootFix, WgslMonoid, wgpu};
use treebounds_core::{Monoid, Stream, reference};
use treebounds_tests::gpu::whole;
use treebounds_tests::streams::random_scene;

/// Maps `x -> a x + b` modulo 2^32, one after the other: exact, and not commutative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C)]
struct Map([u32; 2]);

impl Monoid for Map {
    const IDENTITY: Self = Self([1, 0]);

    fn combine(&self, later: &Self) -> Self {
        let ([a, b], [c, d]) = (self.0, later.0);
        Self([a.wrapping_mul(c), b.wrapping_mul(c).wrapping_add(d)])
    }
}

/// The same in WGSL.
pub(crate) const MONOID: WgslMonoid<'_> = WgslMonoid {
    wgsl: "
        alias Input = vec2<u32>;
        alias Product = vec2<u32>;
        alias Output = vec2<u32>;
        fn product_identity() -> Product { return vec2<u32>(1u, 0u); }
        fn product_load(input: Input) -> Product { return input; }
        fn product_combine(first: Product, later: Product) -> Product {
            return vec2<u32>(first.x * later.x, first.y * later.x + later.y);
        }
        fn product_store(product: Product) -> Output { return product; }
    ",
    input_bytes: 8,
    product_bytes: 8,
    output_bytes: 8,
};

enum Way {
    Root(RootFix),
    Leaf(LeafFix),
}

struct Fix {
    way: Way,
    stream: Stream,
    values: Vec<Map>,
    expected: Vec<Map>,
}

pub(super) fn root(device: &wgpu::Device) -> Built {
    let fix = RootFix::new(device, &MONOID, &threads(32).into())?;
    Ok(build(Way::Root(fix), reference::root_fix))
}

pub(super) fn leaf(device: &wgpu::Device) -> Built {
    let fix = LeafFix::new(device, &MONOID, &threads(32).into())?;
    Ok(build(Way::Leaf(fix), reference::leaf_fix))
}

type Reference = fn(&[treebounds_core::Tag], &[Map]) -> Vec<Map>;

fn build(way: Way, reference: Reference) -> Box<dyn Subject> {
    let stream = random_scene(12, 100, 40);
    let values: Vec<_> = (0..100_u32).map(|at| Map([2 * at + 1, at.wrapping_mul(77)])).collect();
    let expected = reference(stream.tags(), &values);
    Box::new(Fix { way, stream, values, expected })
}

impl Subject for Fix {
    fn elements(&self) -> u32 {
        self.stream.len() as u32
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let n = room.into();
        vec![
            Slot::uniform("params", &params(&self.stream)),
            Slot::input("tags", n, self.stream.tags()).in_vectors(),
            Slot::input("inputs", n, &self.values),
            Slot::output::<Map>("outputs", n),
        ]
    }

    fn scratch(&self, room: u32) -> Result<AnyScratch, Refusal> {
        Ok(AnyScratch::Tree(match &self.way {
            Way::Root(fix) => fix.scratch(room)?,
            Way::Leaf(fix) => fix.scratch(room)?,
        }))
    }

    fn bind(
        &self,
        buffers: &[wgpu::Buffer],
        scratch: &AnyScratch,
        _: u32,
    ) -> Result<AnyJob, Refusal> {
        let [params, tags, inputs, outputs] = buffers else {
            return Err(Refusal::wrong("four buffers"));
        };
        let scratch = scratch.tree()?;
        let buffers = FixBindings {
            params: whole(params),
            tags: whole(tags),
            inputs: whole(inputs),
            outputs: whole(outputs),
        };
        Ok(AnyJob::Core(match &self.way {
            Way::Root(fix) => fix.bind(&buffers, scratch)?,
            Way::Leaf(fix) => fix.bind(&buffers, scratch)?,
        }))
    }

    fn compare(&self, found: &[Vec<u8>], _: bool) -> Result<(), String> {
        same("outputs", &first::<Map>(&found[0], self.expected.len()), &self.expected)
    }
}
