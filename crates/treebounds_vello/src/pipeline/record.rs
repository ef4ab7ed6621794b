//! What a frame records: the stages in order, in compute passes that may be timed.

use super::{ClipPart, Pipeline, Prepared};
use crate::buffers::Slot;
use crate::device::read;
use crate::stages::{Compiled, Groups};
use crate::textures::Texture;
use crate::{Error, Frame, StageTime};
use std::time::Duration;
use treebounds::device::scoped;
use treebounds::wgpu;
use vello_encoding::BumpAllocators;
use wgpu_profiler::{GpuProfiler, GpuProfilerSettings};

/// The parts of the pipeline before the last stage.
#[derive(Clone, Copy)]
enum Part {
    Before,
    Clips,
    After,
}

impl Pipeline {
    /// Records and submits everything, waits, and reads what the stages counted.
    pub(super) fn submit(
        &mut self,
        prepared: &Prepared,
        target: &wgpu::TextureView,
        download: Option<(&Texture, &wgpu::Buffer, u32)>,
    ) -> Result<BumpAllocators, Error> {
        let device = self.device.clone();
        scoped(&device, || {
            let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("treebounds_vello"),
            });
            let passes = Passes { timer: self.timer.as_ref(), encoder: &mut encoder };
            self.record(passes, prepared, target);
            let bump = self.buffers.get(Slot::Bump);
            encoder.copy_buffer_to_buffer(bump, 0, &self.readback, 0, self.readback.size());
            if let Some((texture, buffer, bytes_per_row)) = download {
                copy_pixels(&mut encoder, texture, buffer, bytes_per_row, &prepared.frame);
            }
            if let Some(timer) = &mut self.timer {
                timer.resolve(&mut encoder);
            }
            self.queue.submit([encoder.finish()]);
        })
        .map_err(Error::Device)?;
        let bytes = read(&self.device, &self.readback)?;
        if let Some(timer) = &mut self.timer {
            timer.end_frame(&self.device, &self.queue)?;
        }
        Ok(bytemuck::pod_read_unaligned(&bytes))
    }

    pub(super) fn record(
        &self,
        mut passes: Passes<'_>,
        prepared: &Prepared,
        target: &wgpu::TextureView,
    ) {
        passes.encoder.clear_buffer(self.buffers.get(Slot::Bump), 0, None);
        let counts = &prepared.config.workgroup_counts;
        let indirect = self.buffers.get(Slot::Indirect);
        passes.stages(&self.bound_part(Part::Before), counts, indirect);
        self.record_clips(&mut passes, prepared);
        passes.stages(&self.bound_part(Part::After), counts, indirect);
        let fine = self.fine.iter().find(|(mode, _)| *mode == prepared.frame.antialiasing);
        if let Some((_, fine)) = fine {
            let group = fine.bind(&self.device, |slot| match slot {
                Slot::Output => wgpu::BindingResource::TextureView(target),
                Slot::Gradients => {
                    wgpu::BindingResource::TextureView(&self.textures.gradients.view)
                }
                Slot::Atlas => wgpu::BindingResource::TextureView(&self.textures.atlas.view),
                buffer => self.buffers.get(buffer).as_entire_binding(),
            });
            passes.stages(&[(fine, &group)], counts, indirect);
        }
    }

    pub(super) fn record_clips(&self, passes: &mut Passes<'_>, prepared: &Prepared) {
        if prepared.layout.n_clips == 0 {
            return;
        }
        let counts = &prepared.config.workgroup_counts;
        let indirect = self.buffers.get(Slot::Indirect);
        match &self.clips {
            ClipPart::Vello(_) => passes.one("clips", |pass| {
                let part = self.bound_part(Part::Clips);
                part.into_iter().for_each(|part| dispatch(pass, part, counts, indirect));
            }),
            ClipPart::Treebounds { job: Some(job), .. } => {
                passes.one("clips", |pass| job.record_in_pass(pass));
            }
            ClipPart::Treebounds { .. } => {}
        }
    }

    /// Vello's stages of this part, each with its bind group.
    fn bound_part(&self, part: Part) -> Vec<(&Compiled, &wgpu::BindGroup)> {
        let vello = match &self.clips {
            ClipPart::Vello(stages) => &stages[..],
            ClipPart::Treebounds { .. } => &[],
        };
        let parts = [&self.before[..], vello, &self.after[..]];
        let start = parts[..part as usize].iter().map(|part| part.len()).sum();
        let groups = self.bound.iter().flatten().skip(start);
        parts[part as usize].iter().zip(groups).collect()
    }
}

/// Compute passes: one for each stage where they are timed.
pub(super) struct Passes<'a> {
    pub(super) timer: Option<&'a Timer>,
    pub(super) encoder: &'a mut wgpu::CommandEncoder,
}

impl Passes<'_> {
    fn stages(
        &mut self,
        parts: &[(&Compiled, &wgpu::BindGroup)],
        counts: &vello_encoding::WorkgroupCounts,
        indirect: &wgpu::Buffer,
    ) {
        let parts: Vec<_> = parts.iter().filter(|part| part.0.stage.runs(counts)).collect();
        if self.timer.is_some() {
            for part in parts {
                self.one(part.0.stage.name, |pass| dispatch(pass, *part, counts, indirect));
            }
        } else {
            self.one("vello", |pass| {
                parts.iter().for_each(|part| dispatch(pass, **part, counts, indirect));
            });
        }
    }

    fn one(&mut self, label: &'static str, work: impl FnOnce(&mut wgpu::ComputePass<'_>)) {
        match self.timer {
            Some(timer) => timer.pass(self.encoder, label, work),
            None => work(&mut self.encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: Some(label),
                timestamp_writes: None,
            })),
        }
    }
}

fn dispatch(
    pass: &mut wgpu::ComputePass<'_>,
    (compiled, group): (&Compiled, &wgpu::BindGroup),
    counts: &vello_encoding::WorkgroupCounts,
    indirect: &wgpu::Buffer,
) {
    pass.set_pipeline(&compiled.pipeline);
    pass.set_bind_group(0, group, &[]);
    match compiled.stage.groups {
        Groups::Counted(of) => {
            let (x, y, z) = of(counts);
            pass.dispatch_workgroups(x, y, z);
        }
        Groups::Indirect => pass.dispatch_workgroups_indirect(indirect, 0),
    }
}

fn copy_pixels(
    encoder: &mut wgpu::CommandEncoder,
    texture: &Texture,
    buffer: &wgpu::Buffer,
    bytes_per_row: u32,
    frame: &Frame,
) {
    encoder.copy_texture_to_buffer(
        texture.texture().as_image_copy(),
        wgpu::TexelCopyBufferInfo {
            buffer,
            layout: wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(bytes_per_row),
                rows_per_image: None,
            },
        },
        wgpu::Extent3d { width: frame.width, height: frame.height, depth_or_array_layers: 1 },
    );
}

/// Puts a timestamp before and after each compute pass.
pub(super) struct Timer {
    profiler: GpuProfiler,
    times: Vec<StageTime>,
}

impl Timer {
    /// A timer, where the device has timestamps.
    pub(super) fn new(device: &wgpu::Device) -> Result<Option<Self>, Error> {
        if !device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return Ok(None);
        }
        let settings = GpuProfilerSettings { enable_debug_groups: false, ..Default::default() };
        let profiler =
            GpuProfiler::new(device, settings).map_err(|error| Error::Device(error.to_string()))?;
        Ok(Some(Self { profiler, times: Vec::new() }))
    }

    /// Records a pass between two timestamps.
    pub(super) fn pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        label: &'static str,
        work: impl FnOnce(&mut wgpu::ComputePass<'_>),
    ) {
        let query = self.profiler.begin_pass_query(label, encoder);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(label),
            timestamp_writes: query.compute_pass_timestamp_writes(),
        });
        work(&mut pass);
        drop(pass);
        self.profiler.end_query(encoder, query);
    }

    pub(super) fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder) {
        self.profiler.resolve_queries(encoder);
    }

    /// Reads the times of a frame that was submitted, and waits for them.
    pub(super) fn end_frame(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
    ) -> Result<(), Error> {
        let failed = |message: String| Error::Device(message);
        self.profiler.end_frame().map_err(|error| failed(error.to_string()))?;
        device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| failed(error.to_string()))?;
        let results = self.profiler.process_finished_frame(queue.get_timestamp_period());
        let time = |range: std::ops::Range<f64>| {
            Duration::try_from_secs_f64(range.end - range.start).unwrap_or_default()
        };
        self.times = results
            .into_iter()
            .flatten()
            .filter_map(|result| Some(StageTime { time: time(result.time?), stage: result.label }))
            .collect();
        Ok(())
    }

    pub(super) fn take(&mut self) -> Vec<StageTime> {
        std::mem::take(&mut self.times)
    }
}
