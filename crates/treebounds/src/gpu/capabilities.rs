//! Device requirements, and kernel tuning for a device.

use crate::Error;
use treebounds_shaders::{Size, Task, TreeKernel, Variant};

/// Controls how kernels are compiled. The defaults suit the device; other settings are for tests and
/// measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tuning {
    /// Threads per workgroup: a power of two from 2 to 1,024, and at least 4 for a stage. With `None`,
    /// each kernel uses its best number (256 for most); with `Some`, all kernels use the same.
    pub workgroup_size: Option<u32>,
    /// Whether to use subgroup operations. With `None`, they are used if the device supports them with
    /// subgroups of at most 64 lanes, and never on Direct3D 12, where `Some(true)` returns
    /// [`Error::SubgroupsOnDirect3D`].
    pub subgroups: Option<bool>,
    /// Whether wgpu adds checks to every index and loop. The kernels are correct without them. Kernels
    /// with caller-supplied WGSL are always checked, unless created with an unchecked constructor.
    pub checked: bool,
}

/// The required device features: none.
pub const fn required_features() -> wgpu::Features {
    wgpu::Features::empty()
}

/// The features that make kernels faster. Request all of these that the adapter supports.
pub const fn optional_features() -> wgpu::Features {
    wgpu::Features::SUBGROUP
}

/// The required device limits: WebGPU's defaults.
///
/// Large scenes need larger buffers: increase `max_buffer_size` and `max_storage_buffer_binding_size` to
/// the adapter's limits. With a `max_storage_buffers_per_shader_stage` of 9, scenes of one tile need one
/// dispatch instead of three.
pub fn required_limits() -> wgpu::Limits {
    wgpu::Limits::default()
}

impl Tuning {
    /// The variant of tree kernels for values of `value_bytes`: 256 threads, or fewer if workgroup memory
    /// is too small.
    pub(crate) fn tree_variant(
        &self,
        device: &wgpu::Device,
        task: Task,
        value_bytes: u32,
    ) -> Result<Variant, Error> {
        let of = |threads| {
            let variant = self.variant(device, Variant::new(threads, 1)?, None)?;
            variant.check_stage()?;
            check_tree(device, &variant, task, &ANY_SIZE, value_bytes)?;
            Ok(variant)
        };
        let fits = [256, 128, 64, 32, 16, 8].into_iter().find_map(|threads| of(threads).ok());
        fits.map_or_else(|| of(4), Ok)
    }

    /// A tree variant with the number of threads multiplied by `times`, if the device supports it and the
    /// caller has not fixed the number.
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

    /// The variants of matching with the maximum number of elements for each, in ascending order. Small
    /// inputs use few elements per thread, so that more threads have work.
    pub(crate) fn match_variants(
        &self,
        device: &wgpu::Device,
        per_thread: Option<u32>,
    ) -> Result<Vec<(Variant, u32)>, Error> {
        let variant = |threads, each| self.match_variant(device, threads, each, per_thread);
        // With 64 elements per thread, the first pass uses twice as many threads.
        let most = if most_threads(device) < 512 { 128 } else { 256 };
        let tuned =
            [(128, 4, 1 << 18), (256, 16, 1 << 21), (256, 32, 1 << 24), (most, 64, u32::MAX)];
        match (self.workgroup_size, per_thread) {
            (None, None) => tuned
                .into_iter()
                .map(|(threads, each, most)| Ok((variant(threads, each)?, most)))
                .collect(),
            (Some(threads), None) => {
                let fits = [32, 16, 8].into_iter().find_map(|each| variant(threads, each).ok());
                Ok(vec![(fits.map_or_else(|| variant(threads, 4), Ok)?, u32::MAX)])
            }
            _ => Ok(vec![(variant(256, 32)?, u32::MAX)]),
        }
    }

    /// The matching variant with the caller's settings; `threads` and `each` are the defaults for unset
    /// ones. Returns an error if the device does not support it.
    fn match_variant(
        &self,
        device: &wgpu::Device,
        threads: u32,
        each: u32,
        per_thread: Option<u32>,
    ) -> Result<Variant, Error> {
        let chosen = self.variant(device, Variant::new(threads, each)?, per_thread)?;
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

    /// The binning variant. Its number of elements per thread is unused, because the plan contains the
    /// segment length.
    pub(crate) fn bin_variant(&self, device: &wgpu::Device) -> Result<Variant, Error> {
        let variant = self.variant(device, Variant::new(256, 1)?, None)?;
        check_limits(thread_limits(
            &device.limits(),
            variant.workgroup_size(),
            variant.bin_workgroup_bytes(),
        ))?;
        Ok(variant)
    }

    /// The variant with the caller's settings; unset ones come from `default`.
    fn variant(
        &self,
        device: &wgpu::Device,
        default: Variant,
        per_thread: Option<u32>,
    ) -> Result<Variant, Error> {
        let adapter = device.adapter_info();
        let has_subgroups = device.features().contains(wgpu::Features::SUBGROUP);
        // naga derives `subgroup_id` from the local index, but Direct3D 12 does not guarantee that the
        // lanes of a wave have consecutive indices.
        let is_promised = adapter.backend != wgpu::Backend::Dx12;
        match self.subgroups {
            Some(true) if !is_promised => return Err(Error::SubgroupsOnDirect3D),
            Some(true) if !has_subgroups => return Err(Error::NoSubgroups),
            _ => {}
        }
        // A chunk is a subgroup of at most 32 lanes, or half of a subgroup of 64.
        let pays = has_subgroups && is_promised && adapter.subgroup_min_size <= 64;
        let largest = 1 << most_threads(device).clamp(2, default.workgroup_size()).ilog2();
        let variant = Variant::new(
            self.workgroup_size.unwrap_or(largest),
            per_thread.unwrap_or(default.per_thread()),
        )?;
        Ok(variant.with_subgroups(self.subgroups.unwrap_or(pays)))
    }
}

/// The maximum number of threads per workgroup.
fn most_threads(device: &wgpu::Device) -> u32 {
    let limits = device.limits();
    limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x).min(1024)
}

/// The strategies that every device must support.
const ANY_SIZE: [Size; 3] = [Size::Near, Size::Bundles, Size::Groups];

/// Checks that the device supports the kernels of a task in a variant, for the given sizes.
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
    macro_rules! rows {
        ($($limit:ident $needed:ident),*) => { [$((stringify!($limit), $needed, limits.$limit)),*] };
    }
    rows! {
        max_compute_invocations_per_workgroup threads,
        max_compute_workgroup_size_x threads,
        max_compute_workgroup_storage_size bytes
    }
}

/// Checks the device limits. A row contains the name of the limit, the required value and the device's
/// value.
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
