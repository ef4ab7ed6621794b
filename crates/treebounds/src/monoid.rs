//! Passes over a tree with the caller's monoid: products down the paths or up the subtrees.

use crate::gpu::buffers::{Need, bytes, check, vector_bytes};
use crate::gpu::pipelines::{Compiler, descriptor};
use crate::stage::scratch::TreeScratch;
use crate::stage::tree::{Tree, elements_scratch};
use crate::{Error, Job, Scratch};
use treebounds_shaders::{Binding, Custom, Stream, Task};
use wgpu::BufferBinding;

/// A monoid in WGSL: an associative operation and its identity, on values of any type.
///
/// The text is a WGSL module that defines three types and four functions. Its names do not clash with
/// names in the kernels, which are compiled with wgpu's bounds checks.
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
/// `product_combine` need not be commutative: `first` comes first in the stream. Where it is only
/// nearly associative, as sums of floats are, answers differ from the reference's by rounding, and are
/// the same in every run.
///
/// The trait [`Monoid`](treebounds_core::Monoid) is its counterpart in Rust, for the reference.
#[derive(Clone, Copy, Debug)]
pub struct WgslMonoid<'a> {
    /// The WGSL module.
    pub wgsl: &'a str,
    /// The stride of an array of `Input` in bytes, as WGSL defines it: a `vec3<f32>` takes 16. Less
    /// than the stride is [`Error::Kernel`], here and below.
    pub input_bytes: u32,
    /// The stride of an array of `Product` in bytes. Workgroup memory holds a product per thread: the
    /// larger they are, the fewer threads (with WebGPU's limits 256 with 16 bytes, 32 with 240).
    /// It is an error where the memory does not hold four.
    pub product_bytes: u32,
    /// The stride of an array of `Output` in bytes.
    pub output_bytes: u32,
}

/// Values flow down a tree: each element gets the product along its path from the root, its own value
/// last.
///
/// The tree is a stream of [`Tag`](treebounds_core::Tag)s, of which only the roles are read. An end
/// gets what its begin gets, or the identity where it has none. The same as
/// [`reference::root_fix`](treebounds_core::reference).
///
/// Dispatches: 1 up to 1,024 elements, 2 up to 2<sup>16</sup>, 3 up to 2<sup>20</sup>, 4 beyond, with
/// 256 threads per workgroup. A value is read at most three times and written once. Any length, any
/// depth.
///
/// Source: Levien, [Fast GPU bounding boxes on tree-structured
/// scenes](https://arxiv.org/abs/2205.11659) (2022), which does it for clips.
#[derive(Clone, Debug)]
pub struct RootFix(Product);

/// Values grow up a tree: each node gets the product, in order, of its own value and all values inside
/// it.
///
/// The tree is as for [`RootFix`]. An end gets what its begin gets, or the identity where it has none;
/// any other element gets its own value; a begin without an end lasts to the end of the stream. Values
/// of ends are not read. The same as [`reference::leaf_fix`](treebounds_core::reference).
///
/// Dispatches: 1 up to 1,024 elements, 3 up to 2<sup>16</sup>, 4 up to 2<sup>20</sup>, 6 beyond, with
/// 256 threads per workgroup. Any length, any depth.
#[derive(Clone, Debug)]
pub struct LeafFix(Product);

descriptor! {
    /// How to build a [`RootFix`] or a [`LeafFix`].
    FixDescriptor: "treebounds fix"
}

/// The ranges that a [`RootFix`] or [`LeafFix`] reads and writes, for a capacity of n elements.
/// [`InputBindings`](crate::InputBindings) says how ranges may share buffers.
///
/// | range | content | bytes | usage |
/// |---|---|---|---|
/// | `params` | [`Params`](crate::Params); the viewport is not read | 32 | `UNIFORM` |
/// | `tags` | one [`Tag`](treebounds_core::Tag) per element | 4 n, rounded up to a multiple of 16 | `STORAGE` |
/// | `inputs` | one `Input` per element | [`WgslMonoid::input_bytes`] n | `STORAGE` |
/// | `outputs` | one `Output` per element | [`WgslMonoid::output_bytes`] n | `STORAGE` |
///
/// More elements than the capacity are ignored.
#[derive(Clone, Debug)]
pub struct FixBindings<'a> {
    /// How many elements there are.
    pub params: BufferBinding<'a>,
    /// The tag of each element.
    pub tags: BufferBinding<'a>,
    /// The value of each element.
    pub inputs: BufferBinding<'a>,
    /// The answer for each element.
    pub outputs: BufferBinding<'a>,
}

#[derive(Clone, Debug)]
struct Product {
    tree: Tree,
    input_bytes: u32,
    output_bytes: u32,
}

/// Both have the same methods.
macro_rules! product_of_paths {
    ($name:ident, $task:expr) => {
        impl $name {
            /// Builds it for a device.
            ///
            /// # Errors
            /// As [`Stage::new`](crate::Stage::new); [`Error::Kernel`] where the monoid's WGSL is
            /// wrong, or its types have larger strides than the monoid says.
            pub fn new(
                device: &wgpu::Device,
                monoid: &WgslMonoid<'_>,
                descriptor: &FixDescriptor<'_>,
            ) -> Result<Self, Error> {
                Product::new(device, $task, monoid, descriptor).map(Self)
            }

            /// Binds ranges that are large enough for the scratch.
            ///
            /// # Errors
            /// As [`Stage::bind`](crate::Stage::bind).
            pub fn bind(
                &self,
                buffers: &FixBindings<'_>,
                scratch: &Scratch<Self>,
            ) -> Result<Job, Error> {
                self.0.bind(buffers, &scratch.tree)
            }
        }

        elements_scratch!($name, 0.tree, "");
    };
}

product_of_paths!(RootFix, Task::down(Stream::Monoid));
product_of_paths!(LeafFix, Task::up(Stream::Monoid));

impl Product {
    fn new(
        device: &wgpu::Device,
        task: Task,
        monoid: &WgslMonoid<'_>,
        descriptor: &FixDescriptor<'_>,
    ) -> Result<Self, Error> {
        let build = descriptor.build(device);
        let custom = Custom { monoid: Some(monoid.wgsl), ..Custom::default() };
        let WgslMonoid { input_bytes, product_bytes, output_bytes, .. } = *monoid;
        // The device would accept a stride of 0.
        let strides = [
            (Binding::Inputs, input_bytes.max(1)),
            (Binding::Products, product_bytes.max(1)),
            (Binding::Outputs, output_bytes.max(1)),
        ];
        // Not all of the module is ours, so it is checked.
        let compiler = Compiler { custom, strides: &strides, checked: true, ..build.compiler() };
        let tree = Tree::new(&compiler, task, product_bytes)?;
        Ok(Self { tree, input_bytes, output_bytes })
    }

    fn bind(&self, buffers: &FixBindings<'_>, scratch: &TreeScratch) -> Result<Job, Error> {
        let n = scratch.capacity().elements;
        let needs = [
            Need::params(&buffers.params),
            Need::storage("tags", &buffers.tags, vector_bytes(n)),
            Need::storage("inputs", &buffers.inputs, bytes(self.input_bytes.into(), n)),
            Need::storage("outputs", &buffers.outputs, bytes(self.output_bytes.into(), n)),
        ];
        let ranges = check(&self.tree.build.device, needs, &scratch.parts)?;
        self.tree.bind(scratch, &ranges, None)
    }
}
