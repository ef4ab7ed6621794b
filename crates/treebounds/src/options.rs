//! What the stage wants of a device, and how it is tuned.

use crate::Error;
use treebounds_shaders::{Size, Stream, Task, TreeKernel, Variant};

/// Which of its two passes a stage runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Passes {
    /// Clips flow down, blends grow up.
    #[default]
    ClipsAndBlends,
    /// Clips flow down. The bounds of a node are its clip; `contents` is not written.
    ClipsOnly,
    /// Blends grow up over the boxes of draws as they are; a non-local blend contributes
    /// the viewport. `clips` is not written.
    BlendsOnly,
}

impl Passes {
    /// What kernels compute.
    pub(crate) const fn task(self, stream: Stream) -> Task {
        match self {
            Self::ClipsAndBlends => Task::both(stream),
            Self::ClipsOnly => Task::down(stream),
            Self::BlendsOnly => Task::up(stream),
        }
    }
}

/// How to build a stage. The default chooses for the device.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Which passes a [`Stage`](crate::Stage) or a [`NodeStage`](crate::NodeStage) runs. Nothing else reads this.
    pub passes: Passes,
    /// Threads per workgroup: a power of two, 2 to 1,024; for a stage 4 at least. `None` tunes each kernel for the device
    /// (256 for most). `Some` fixes one size for all kernels, mainly for tests.
    pub workgroup_size: Option<u32>,
    /// Elements per thread, of [`Matcher`](crate::Matcher) (1 to 32 or 64, rounded up to a multiple of 4) and of
    /// [`Binner`](crate::Binner) (1 to 32). `None` tunes for the device and the number of elements. Nothing else reads this.
    pub per_thread: Option<u32>,
    /// Whether to use subgroup operations. `None`: where the device has them, with 64 lanes at most, and not on Direct3D 12,
    /// which does not promise what lanes a thread shares a subgroup with.
    pub subgroups: Option<bool>,
    /// Whether wgpu adds its bounds checks to every index and loop of the kernels. The kernels hold without; this is for
    /// tests.
    pub checked: bool,
}

/// The features that a device must have: none.
pub const fn required_features() -> wgpu::Features {
    wgpu::Features::empty()
}

/// The features that make the stage faster where a device has them. Ask for
/// those that the adapter offers.
pub const fn optional_features() -> wgpu::Features {
    wgpu::Features::SUBGROUP
}

/// The limits that a device must have: WebGPU's defaults are enough. Large
/// scenes want larger buffers: raise `max_buffer_size` and
/// `max_storage_buffer_binding_size` to what the adapter offers. With a
/// `max_storage_buffers_per_shader_stage` of 9, a scene of one tile is one dispatch instead of
/// three.
pub fn required_limits() -> wgpu::Limits {
    wgpu::Limits::default()
}

impl Options {
    /// The variant of the stage to build for this device and task, with values of so many bytes: 256 threads, or as many
    /// as the device has workgroup memory for.
    pub(crate) fn tree_variant(
        &self,
        device: &wgpu::Device,
        task: Task,
        value_bytes: u32,
    ) -> Result<Variant, Error> {
        let own = Self { per_thread: None, ..*self };
        let of = |threads| {
            let variant = own.choose(device, Variant::new(threads, 1)?)?;
            variant.check_stage()?;
            check_tree(device, &variant, task, &ANY_SIZE, value_bytes)?;
            Ok(variant)
        };
        let fits = [256, 128, 64, 32, 16, 8].into_iter().find_map(|threads| of(threads).ok());
        fits.map_or_else(|| of(4), Ok)
    }

    /// The same with so many times the threads, for one tile or near, if the device can run it and nobody asked for a
    /// number of threads.
    pub(crate) fn larger_tree_variant(
        &self,
        device: &wgpu::Device,
        (task, value_bytes): (Task, u32),
        size: Size,
        variant: &Variant,
        times: u32,
    ) -> Option<Variant> {
        if self.workgroup_size.is_some() {
            return None;
        }
        let large = Variant::new(times * variant.workgroup_size(), 1).ok()?;
        let large = large.with_subgroups(variant.subgroups());
        let runs = check_tree(device, &large, task, &[size], value_bytes).is_ok();
        runs.then_some(large)
    }

    /// The variants of matching alone to build for this device, and the most
    /// elements that each is the best for, ascending: few elements a thread where
    /// few threads would have work, then many.
    pub(crate) fn match_variants(
        &self,
        device: &wgpu::Device,
    ) -> Result<Vec<(Variant, u32)>, Error> {
        // With 64 elements a thread, the first pass has twice the threads.
        let most = if most_threads(device) < 512 { 128 } else { 256 };
        let tuned =
            [(128, 4, 1 << 18), (256, 16, 1 << 21), (256, 32, 1 << 24), (most, 64, u32::MAX)];
        match (self.workgroup_size, self.per_thread) {
            (None, None) => tuned
                .into_iter()
                .map(|(threads, per_thread, most)| {
                    Ok((self.match_variant(device, threads, per_thread)?, most))
                })
                .collect(),
            (Some(threads), None) => {
                let variant = |per_thread| self.match_variant(device, threads, per_thread);
                let fits = [32, 16, 8].into_iter().find_map(|k| variant(k).ok());
                Ok(vec![(fits.map_or_else(|| variant(4), Ok)?, u32::MAX)])
            }
            _ => Ok(vec![(self.match_variant(device, 256, 32)?, u32::MAX)]),
        }
    }

    /// The variant of binning. Elements a thread are no part of it: chunks are as long as a plan says.
    pub(crate) fn bin_variant(&self, device: &wgpu::Device) -> Result<Variant, Error> {
        let own = Self { per_thread: None, ..*self };
        let variant = own.choose(device, Variant::new(256, 1)?)?;
        Variant::new(variant.workgroup_size(), self.per_thread.unwrap_or(1))?.check_binning()?;
        check_limits(thread_limits(
            &device.limits(),
            variant.workgroup_size(),
            variant.bin_workgroup_bytes(),
        ))?;
        Ok(variant)
    }

    /// What was asked for of matching alone, with these for the rest, if the device
    /// can run it.
    fn match_variant(
        &self,
        device: &wgpu::Device,
        threads: u32,
        per_thread: u32,
    ) -> Result<Variant, Error> {
        let chosen = self.choose(device, Variant::new(threads, per_thread)?)?;
        let per_thread = chosen.per_thread().next_multiple_of(4);
        let variant =
            Variant::new(chosen.workgroup_size(), per_thread)?.with_subgroups(chosen.subgroups());
        variant.check_matching()?;
        check_limits(thread_limits(
            &device.limits(),
            variant.match_threads(),
            variant.match_workgroup_bytes(),
        ))?;
        Ok(variant)
    }

    /// What was asked for, and the default for the rest.
    fn choose(&self, device: &wgpu::Device, default: Variant) -> Result<Variant, Error> {
        let has_subgroups = device.features().contains(wgpu::Features::SUBGROUP);
        let adapter = device.adapter_info();
        // A chunk has at most 64 lanes. On Direct3D naga derives `subgroup_id` from the local index, but Direct3D does not
        // promise that the lanes of a wave have consecutive indices.
        let is_promised = adapter.backend != wgpu::Backend::Dx12;
        let pays = has_subgroups && is_promised && adapter.subgroup_min_size <= 64;
        if self.subgroups == Some(true) && !has_subgroups {
            return Err(Error::NoSubgroups);
        }
        let largest = 1 << most_threads(device).clamp(2, default.workgroup_size()).ilog2();
        let variant = Variant::new(
            self.workgroup_size.unwrap_or(largest),
            self.per_thread.unwrap_or(default.per_thread()),
        )?;
        Ok(variant.with_subgroups(self.subgroups.unwrap_or(pays)))
    }
}

/// The most threads of a workgroup.
fn most_threads(device: &wgpu::Device) -> u32 {
    let limits = device.limits();
    limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x).min(1024)
}

/// The strategies that every device must run.
const ANY_SIZE: [Size; 3] = [Size::Near, Size::Bundles, Size::Groups];

/// That the device can run the kernels of a task in this variant, for these numbers of tiles.
fn check_tree(
    device: &wgpu::Device,
    variant: &Variant,
    task: Task,
    sizes: &[Size],
    value_bytes: u32,
) -> Result<(), Error> {
    let kernels = sizes.iter().flat_map(|size| TreeKernel::steps(task, *size));
    let bytes = kernels.map(|kernel| kernel.workgroup_bytes(variant, value_bytes)).max();
    let threads = variant.workgroup_size();
    check_limits(thread_limits(&device.limits(), threads, bytes.unwrap_or(0)))
}

fn thread_limits(limits: &wgpu::Limits, threads: u32, bytes: u32) -> [(&'static str, u32, u32); 3] {
    [
        (
            "max_compute_invocations_per_workgroup",
            threads,
            limits.max_compute_invocations_per_workgroup,
        ),
        ("max_compute_workgroup_size_x", threads, limits.max_compute_workgroup_size_x),
        ("max_compute_workgroup_storage_size", bytes, limits.max_compute_workgroup_storage_size),
    ]
}

/// That the device has as much of each as is needed: a limit's name, what is needed, what it has.
pub(crate) fn check_limits(
    rows: impl IntoIterator<Item = (&'static str, u32, u32)>,
) -> Result<(), Error> {
    for (what, needed, has) in rows {
        if needed > has {
            return Err(Error::DeviceLacks { what, needed: needed.into(), has: has.into() });
        }
    }
    Ok(())
}
