//! What the stage wants of a device, and how it is tuned.

use crate::Error;
use treebounds_shaders::{Access, Kernel, Task, Variant};

/// How to build a stage. The default chooses for the device.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Options {
    /// Threads a workgroup, a power of two from 2 to 1024; `None`: for the stage 256,
    /// or as many as the device has workgroup memory for, twice that for a few more than 256<sup>2</sup>,
    /// and from half of that up to four times that where one workgroup holds all, or twice, where several take no more
    /// dispatches; for matching alone 256, or 128 where
    /// few elements are expected, and where many are and the device has fewer than 512: with
    /// 64 elements a thread, its first pass has twice as many.
    pub workgroup_size: Option<u32>,
    /// Elements a thread, of matching alone and of [`Bin`](crate::Bin); whatever else there is chooses by itself, and does
    /// not read this. Matching takes 1 to 32 or 64, and rounds up to a multiple of 4; binning takes 1 to 32, and then
    /// never has a workgroup a bin. `None`: for matching from 4 to 64, by how many elements there may be, or where the
    /// workgroup size is given the most up to 32 that fit; for binning 1 to 8.
    pub per_thread: Option<u32>,
    /// Whether to use subgroup operations; `None`: where the device has them, of 64 lanes at most.
    pub subgroups: Option<bool>,
    /// Whether wgpu adds its checks to every index and loop of the kernels. They
    /// hold without; this is for tests, and for those who would rather be slow.
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
/// `max_storage_buffers_per_shader_stage` of 10, or 9 for one pass, a scene of one tile is one
/// dispatch instead of two.
pub fn required_limits() -> wgpu::Limits {
    wgpu::Limits::default()
}

/// How many buffers of a kind a kernel binds.
fn buffers(kernel: Kernel, is_kind: fn(Access) -> bool) -> u32 {
    kernel.bindings().iter().filter(|binding| is_kind(binding.1)).count() as u32
}

/// The most that a kernel binds of these that must run.
fn most_buffers(of: fn(Kernel) -> bool, is_kind: fn(Access) -> bool) -> u32 {
    let kernels = Kernel::all().into_iter().filter(|kernel| of(*kernel) && !kernel.is_optional());
    kernels.map(|kernel| buffers(kernel, is_kind)).max().unwrap_or(0)
}

fn is_binning(kernel: Kernel) -> bool {
    kernel.task().is_none() && !kernel.is_matching()
}

fn is_of_a_tree(kernel: Kernel) -> bool {
    kernel.task().is_some()
}

/// Whether a kernel that need not run may.
pub(crate) fn has_buffers(device: &wgpu::Device, kernel: Kernel) -> bool {
    let limit = device.limits().max_storage_buffers_per_shader_stage;
    buffers(kernel, |access| access != Access::Uniform) <= limit
}

/// Whether the kernels of bundles may run, with values of so many bytes: the variant has bundles, and the device memory.
pub(crate) fn has_bundles(
    device: &wgpu::Device,
    variant: &Variant,
    task: Task,
    value_bytes: u32,
) -> bool {
    let flow_bytes = if task.flows() { value_bytes } else { 4 };
    // A caller's values do not go from lane to lane.
    let variant = variant.with_subgroups(variant.subgroups() && !task.is_generic());
    let memory = device.limits().max_compute_workgroup_storage_size;
    variant.bundle_tiles() > 1 && variant.bundle_workgroup_bytes(flow_bytes) <= memory
}

impl Options {
    /// The variant of the stage to build for this device and task, with values of so many bytes.
    pub(crate) fn variant(
        &self,
        device: &wgpu::Device,
        task: Task,
        value_bytes: u32,
    ) -> Result<Variant, Error> {
        let own = Self { per_thread: None, ..*self };
        let of = |threads| {
            let variant = own.choose(device, Variant::new(threads, 1)?)?;
            variant.check_stage()?;
            check_tile(device, &variant, task, value_bytes)?;
            Ok(variant)
        };
        let fits = [256, 128, 64, 32, 16, 8].into_iter().find_map(|threads| of(threads).ok());
        fits.map_or_else(|| of(4), Ok)
    }

    /// The variants of the stage for as many tiles as threads, ascending: that one, and where nobody
    /// asked for another number of threads, one of twice as many, which
    /// reaches four times as far.
    ///
    /// Then those for one tile: the same, one of half as many, and one of four times as many; but not for a host and
    /// for clips of nodes alone, of which several tiles are one dispatch, too, and faster.
    pub(crate) fn near_variants(
        &self,
        device: &wgpu::Device,
        task: Task,
        value_bytes: u32,
        middle: &Variant,
    ) -> Result<[Vec<Variant>; 2], Error> {
        if self.workgroup_size.is_some() {
            return Ok([vec![*middle], vec![*middle]]);
        }
        let threads = middle.workgroup_size();
        let (mut near, mut one_tile) = (Vec::new(), Vec::new());
        for own in [threads / 2, threads, 2 * threads, 4 * threads] {
            let variant = Variant::new(own, 1)?
                .with_subgroups(middle.subgroups())
                .with_formats(middle.rects(), middle.boxes())?;
            let runs = check_tile(device, &variant, task, value_bytes).is_ok();
            if runs && (threads..=2 * threads).contains(&own) {
                near.push(variant);
            }
            let is_rects = task.is_scene() || task.is_bounds();
            let alone = is_rects
                && has_buffers(device, Kernel::OneTile(task))
                && check(&device.limits(), is_of_a_tree, own, variant.one_tile_workgroup_bytes())
                    .is_ok();
            let gains = own <= 2 * threads || !matches!(task, Task::Host | Task::BoundsClips);
            if gains && (runs || alone) {
                one_tile.push(variant);
            }
        }
        Ok([near, one_tile])
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

    /// The variants of binning to build for this device, and the most elements that
    /// each is the best for, ascending.
    pub(crate) fn bin_variants(&self, device: &wgpu::Device) -> Result<Vec<(Variant, u32)>, Error> {
        let tuned = [(1, 1 << 17), (4, 1 << 20), (8, u32::MAX)];
        let few = if self.per_thread.is_none() { 0 } else { tuned.len() - 1 };
        let build = |&(per_thread, most)| {
            let variant = self.choose(device, Variant::new(256, per_thread)?)?;
            variant.check_binning()?;
            check(
                &device.limits(),
                is_binning,
                variant.workgroup_size(),
                variant.bin_workgroup_bytes(),
            )?;
            Ok((variant, most))
        };
        tuned[few..].iter().map(build).collect()
    }

    /// The variant of binning for few elements, unless somebody asked for elements a thread: more
    /// threads than elsewhere, for each then looks at fewer.
    pub(crate) fn bin_few_variant(&self, device: &wgpu::Device) -> Result<Option<Variant>, Error> {
        if self.per_thread.is_some() {
            return Ok(None);
        }
        self.choose(device, Variant::new(512, 1)?).map(Some)
    }

    /// The variant of binning in pieces.
    pub(crate) fn bin_pieces_variant(&self, device: &wgpu::Device) -> Result<Variant, Error> {
        let own = Self { per_thread: None, ..*self };
        let variant = own.choose(device, Variant::new(256, 1)?)?;
        variant.check_binning()?;
        check(
            &device.limits(),
            is_binning,
            variant.workgroup_size(),
            variant.piece_workgroup_bytes(),
        )?;
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
        check(
            &device.limits(),
            Kernel::is_matching,
            variant.match_threads(),
            variant.match_workgroup_bytes(),
        )?;
        Ok(variant)
    }

    /// What was asked for, and the default for the rest.
    fn choose(&self, device: &wgpu::Device, default: Variant) -> Result<Variant, Error> {
        let has_subgroups = device.features().contains(wgpu::Features::SUBGROUP);
        // Of more lanes the kernels make no use.
        let pays = has_subgroups && device.adapter_info().subgroup_min_size <= 64;
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

/// That the device can run the stage in this variant.
fn check_tile(
    device: &wgpu::Device,
    variant: &Variant,
    task: Task,
    value_bytes: u32,
) -> Result<(), Error> {
    let bytes = if task.is_generic() {
        variant.workgroup_bytes(value_bytes)
    } else {
        variant.scene_workgroup_bytes()
    };
    check(&device.limits(), is_of_a_tree, variant.workgroup_size(), bytes)
}

fn check(
    limits: &wgpu::Limits,
    of: fn(Kernel) -> bool,
    threads: u32,
    bytes: u32,
) -> Result<(), Error> {
    let rows = [
        (
            "max_compute_invocations_per_workgroup",
            threads,
            limits.max_compute_invocations_per_workgroup,
        ),
        ("max_compute_workgroup_size_x", threads, limits.max_compute_workgroup_size_x),
        ("max_compute_workgroup_storage_size", bytes, limits.max_compute_workgroup_storage_size),
        (
            "max_storage_buffers_per_shader_stage",
            most_buffers(of, |access| access != Access::Uniform),
            limits.max_storage_buffers_per_shader_stage,
        ),
        (
            "max_uniform_buffers_per_shader_stage",
            most_buffers(of, |access| access == Access::Uniform),
            limits.max_uniform_buffers_per_shader_stage,
        ),
    ];
    for (what, needed, has) in rows {
        if needed > has {
            return Err(Error::DeviceLacks { what, needed: needed.into(), has: has.into() });
        }
    }
    Ok(())
}
