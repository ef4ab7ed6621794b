//! Products of any monoid, down the paths of a tree or up its subtrees.

use crate::buffers::{Need, bytes, check};
use crate::compiler::Compiler;
use crate::tree::Tree;
use crate::{Capacity, Error, Job, Options, Scratch};
use treebounds_shaders::{Binding, Custom, Params, Stream, Task};
use wgpu::BufferUsages;

/// A monoid in WGSL: an associative operation and its identity, on values of any type.
///
/// The text is a WGSL module of its own that defines three types and four functions. Its names clash with none of the
/// kernels, which are compiled with wgpu's bounds checks.
///
/// ```wgsl
/// alias Input = u32;    // what the buffer of inputs holds for an element
/// alias Product = u32;  // what is combined
/// alias Output = u32;   // what the buffer of outputs holds for an element
/// fn product_identity() -> Product { return 0u; }
/// fn product_load(input: Input) -> Product { return input; }
/// fn product_combine(first: Product, second: Product) -> Product { return first + second; }
/// fn product_store(product: Product) -> Output { return product; }
/// ```
///
/// `product_combine` need not be commutative: `first` comes first in the stream. Where it
/// is associative only nearly, as sums of floats are, answers differ from the reference's
/// by rounding, and alike from run to run.
///
/// The trait [`Monoid`](treebounds_core::Monoid) is its twin in Rust, for the reference.
#[derive(Clone, Copy, Debug)]
pub struct WgslMonoid<'a> {
    /// The WGSL.
    pub wgsl: &'a str,
    /// Bytes from one `Input` in an array to the next, WGSL's stride: 16 of a `vec3<f32>`, too. Less than that is
    /// [`Error::Kernel`], of all three.
    pub input_bytes: u32,
    /// Bytes from one `Product` in an array to the next. Products wait in workgroup memory: the more bytes, the
    /// fewer threads (256 of 16 bytes with WebGPU's limits, 32 of 240), and an error where the memory does not hold four.
    pub product_bytes: u32,
    /// Bytes from one `Output` in an array to the next.
    pub output_bytes: u32,
}

/// Values flow down a tree: each element gets the product along its path from the root,
/// its own value last.
///
/// The tree is a stream of [`Tag`](treebounds_core::Tag)s, of which only the roles are
/// read. An end gets what its begin gets, or the identity where it has none. The same as
/// [`reference::root_fix`](treebounds_core::reference).
///
/// Dispatches: 1 up to 1,024 elements, 2 up to 2<sup>16</sup>, 3 up to 2<sup>20</sup>, 4 beyond, with 256 threads per
/// workgroup. A value is read at most three times, and written once. Any length, any depth.
///
/// Source: Levien, [Fast GPU bounding boxes on tree-structured
/// scenes](https://arxiv.org/abs/2205.11659) (2022), which does it for clips.
#[derive(Clone, Debug)]
pub struct RootFix(Product);

/// Values grow up a tree: each node gets the product, in order, of its own value and all
/// values inside it.
///
/// The tree is as for [`RootFix`]. An end gets what its begin gets, or the identity where
/// it has none; what is neither, its own value; a begin without an end lasts to the end
/// of the stream. Values of ends are not read. The same as
/// [`reference::leaf_fix`](treebounds_core::reference).
///
/// Dispatches: 1 up to 1,024 elements, 3 up to 2<sup>16</sup>, 4 up to 2<sup>20</sup>, 6 beyond, with 256 threads per
/// workgroup. Any length, any depth.
#[derive(Clone, Debug)]
pub struct LeafFix(Product);

#[derive(Clone, Debug)]
struct Product {
    tree: Tree,
    input_bytes: u32,
    output_bytes: u32,
}

/// The two have the same methods.
macro_rules! product_of_paths {
    ($name:ident, $task:expr) => {
        impl $name {
            /// Builds it for a device.
            ///
            /// # Errors
            /// As [`Stage::new`](crate::Stage::new); [`Error::Kernel`] where the monoid's
            /// WGSL is wrong, or takes more bytes than the monoid says.
            pub fn new(
                device: &wgpu::Device,
                monoid: &WgslMonoid<'_>,
                options: &Options,
            ) -> Result<Self, Error> {
                Product::new(device, $task, monoid, options).map(Self)
            }

            /// Working memory for this many elements.
            ///
            /// # Errors
            /// [`Error::TooLarge`], [`Error::TooMany`], or [`Error::Device`] where memory runs out.
            pub fn scratch(&self, elements: u32) -> Result<Scratch, Error> {
                self.0.tree.scratch(Capacity { elements, markers: elements })
            }

            /// Binds buffers: `params` ([`Params`], of which the viewport is not read; the
            /// count is cut to the capacity of the scratch), `tags`, a word an element up
            /// to a multiple of 16 bytes, and an `Input` and an `Output` an element.
            ///
            /// # Errors
            /// As [`Stage::bind`](crate::Stage::bind).
            pub fn bind(
                &self,
                params: &wgpu::Buffer,
                tags: &wgpu::Buffer,
                inputs: &wgpu::Buffer,
                outputs: &wgpu::Buffer,
                scratch: &Scratch,
            ) -> Result<Job, Error> {
                self.0.bind([params, tags, inputs, outputs], scratch)
            }
        }
    };
}

product_of_paths!(RootFix, Task::down(Stream::Monoid));
product_of_paths!(LeafFix, Task::up(Stream::Monoid));

impl Product {
    fn new(
        device: &wgpu::Device,
        task: Task,
        monoid: &WgslMonoid<'_>,
        options: &Options,
    ) -> Result<Self, Error> {
        let custom = Custom { monoid: monoid.wgsl, ..Custom::default() };
        let WgslMonoid { input_bytes, product_bytes, output_bytes, .. } = *monoid;
        // Of nothing at all the device would not know that it is too little.
        let strides = [
            (Binding::Inputs, input_bytes.max(1)),
            (Binding::Products, product_bytes.max(1)),
            (Binding::Outputs, output_bytes.max(1)),
        ];
        // Not all of the module is ours: it does not go unchecked.
        let compiler = Compiler { custom, strides: &strides, ..Compiler::new(device, true) };
        let tree = Tree::new(&compiler, task, product_bytes, options)?;
        Ok(Self { tree, input_bytes, output_bytes })
    }

    fn bind(&self, buffers: [&wgpu::Buffer; 4], scratch: &Scratch) -> Result<Job, Error> {
        let [params, tags, inputs, outputs] = buffers;
        let n = scratch.capacity().elements;
        let storage = BufferUsages::STORAGE;
        let needs: [Need<'_>; 4] = [
            ("params", params, size_of::<Params>() as u64, BufferUsages::UNIFORM),
            ("tags", tags, bytes(4, n).next_multiple_of(16), storage),
            ("inputs", inputs, bytes(self.input_bytes.into(), n), storage),
            ("outputs", outputs, bytes(self.output_bytes.into(), n), storage),
        ];
        check(&self.tree.device, &needs)?;
        let buffers = |binding| {
            let at = match binding {
                Binding::Params => 0,
                Binding::Tags => 1,
                Binding::Inputs => 2,
                Binding::Outputs => 3,
                _ => return None,
            };
            Some((needs[at].1, needs[at].2))
        };
        self.tree.bind(scratch, &buffers, None)
    }
}
