//! Passes over a tree with a caller-supplied monoid: products down the paths or up the subtrees.

use crate::gpu::buffers::{Need, bytes, check, vector_bytes};
use crate::gpu::pipelines::{Compiler, descriptor};
use crate::stage::scratch::TreeScratch;
use crate::stage::tree::{Tree, elements_scratch};
use crate::{Error, Job, Scratch};
use treebounds_shaders::{Binding, Custom, Stream, Task};
use wgpu::BufferBinding;

/// A monoid in WGSL: an associative operation and its identity, on values of any type.
///
/// The WGSL module defines three types and four functions. Its names cannot clash with names in the kernels,
/// which are compiled with wgpu's bounds checks.
///
/// ```wgsl
/// alias Input = u32;    // the type in the input buffer
/// alias Product = u32;  // the type that is combined
/// alias Output = u32;   // the type in the output buffer
/// fn product_identity() -> Product { return 0u; }
/// fn product_load(input: Input) -> Product { return input; }
/// fn product_combine(first: Product, second: Product) -> Product { return first + second; }
/// fn product_store(product: Product) -> Output { return product; }
/// ```
///
/// `product_combine` need not be commutative: `first` comes first in the stream. If it is only
/// approximately associative, like float addition, results differ from the reference by rounding, but
/// are the same in every run.
///
/// The Rust counterpart for the reference is the trait [`Monoid`](treebounds_core::Monoid).
#[derive(Clone, Copy, Debug)]
pub struct WgslMonoid<'a> {
    /// The WGSL module.
    pub wgsl: &'a str,
    /// The stride of an array of `Input` in bytes, as defined by WGSL: 16 for a `vec3<f32>`. If this or
    /// another stride is too small, building returns [`Error::Kernel`].
    pub input_bytes: u32,
    /// The stride of an array of `Product` in bytes. Workgroup memory contains one product per thread,
    /// so workgroups have fewer threads if products are large (with WebGPU's limits, 256 for 16 bytes and
    /// 32 for 240). If fewer than four products fit, building returns an error.
    pub product_bytes: u32,
    /// The stride of an array of `Output` in bytes.
    pub output_bytes: u32,
}

/// Products down a tree: each element gets the product along its path from the root, ending with its own
/// value.
///
/// The tree is a stream of [`Tag`](treebounds_core::Tag)s of any length and depth; only the roles are
/// read. An end gets the product of its begin, or the identity if it has none. The result equals
/// [`reference::root_fix`](treebounds_core::reference).
///
/// Dispatches: 1 for up to 1,024 elements, 2 for up to 2<sup>16</sup>, 3 for up to 2<sup>20</sup>, 4 for
/// more, with 256 threads per workgroup. Each value is read at most three times and written once.
///
/// Source: Levien, [Fast GPU bounding boxes on tree-structured
/// scenes](https://arxiv.org/abs/2205.11659) (2022), which computes clips this way.
#[derive(Clone, Debug)]
pub struct RootFix(Product);

/// Products up a tree: each node gets the product of its own value and all values inside it, in order.
///
/// The tree is a stream of [`Tag`](treebounds_core::Tag)s, as for [`RootFix`]. An end gets the product of
/// its begin, or the identity if it has none. A begin without an end extends to the end of the stream.
/// All other elements get their own value. Values of ends are not read. The result equals
/// [`reference::leaf_fix`](treebounds_core::reference).
///
/// Dispatches: 1 for up to 1,024 elements, 3 for up to 2<sup>16</sup>, 4 for up to 2<sup>20</sup>, 6 for
/// more, with 256 threads per workgroup.
#[derive(Clone, Debug)]
pub struct LeafFix(Product);

descriptor! {
    /// How to build a [`RootFix`] or a [`LeafFix`].
    FixDescriptor: "treebounds fix"
}

/// The ranges that a [`RootFix`] or [`LeafFix`] reads and writes, for a capacity of n elements.
/// [`InputBindings`](crate::InputBindings) explains how ranges may share buffers.
///
/// | range | contents | bytes | usage |
/// |---|---|---|---|
/// | `params` | [`Params`](crate::Params); the viewport is not read | 32 | `UNIFORM` |
/// | `tags` | one [`Tag`](treebounds_core::Tag) per element | 4 n, rounded up to a multiple of 16 | `STORAGE` |
/// | `inputs` | one `Input` per element | [`WgslMonoid::input_bytes`] n | `STORAGE` |
/// | `outputs` | one `Output` per element | [`WgslMonoid::output_bytes`] n | `STORAGE` |
///
/// Elements beyond the capacity are ignored.
#[derive(Clone, Debug)]
pub struct FixBindings<'a> {
    /// The number of elements.
    pub params: BufferBinding<'a>,
    /// The tag of each element.
    pub tags: BufferBinding<'a>,
    /// The value of each element.
    pub inputs: BufferBinding<'a>,
    /// The product for each element.
    pub outputs: BufferBinding<'a>,
}

#[derive(Clone, Debug)]
struct Product {
    tree: Tree,
    input_bytes: u32,
    output_bytes: u32,
}

macro_rules! product_of_paths {
    ($name:ident, $task:expr) => {
        impl $name {
            /// Compiles the kernels for a device.
            ///
            /// # Errors
            /// The errors of [`Stage::new`](crate::Stage::new); [`Error::Kernel`] if the monoid's WGSL is
            /// invalid, or if its types have larger strides than `monoid` declares.
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
            /// Same as [`Stage::bind`](crate::Stage::bind).
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
        // The device would accept a stride of 0 bytes.
        let strides = [
            (Binding::Inputs, input_bytes.max(1)),
            (Binding::Products, product_bytes.max(1)),
            (Binding::Outputs, output_bytes.max(1)),
        ];
        // Caller-supplied WGSL needs wgpu's checks.
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
