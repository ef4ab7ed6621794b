//! Records the stages of a frame.

use super::picture::Picture;
use super::{ClipPart, Pipeline, Prepared};
use crate::Error;
use crate::buffers::Slot;
use crate::device::read;
use crate::stages::{Compiled, Groups};
use treebounds::device::scoped;
use treebounds::wgpu;
use vello_encoding::BumpAllocators;

/// The parts of the pipeline before the last stage.
#[derive(Clone, Copy)]
enum Part {
    Before,
    Clips,
    After,
}

impl Pipeline {
    /// Records and submits a frame, waits, and reads the stages' counters.
    pub(super) fn submit(
        &mut self,
        prepared: &Prepared,
        target: &wgpu::TextureView,
        download: Option<&Picture>,
    ) -> Result<BumpAllocators, Error> {
        let device = self.device.clone();
        scoped(&device, || {
            let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor {
                label: Some("treebounds_vello"),
            });
            self.record(&mut encoder, prepared, target);
            let bump = self.buffers.get(Slot::Bump);
            encoder.copy_buffer_to_buffer(bump, 0, &self.readback, 0, self.readback.size());
            if let Some(picture) = download {
                picture.record_copy(&mut encoder);
            }
            self.queue.submit([encoder.finish()]);
        })
        .map_err(Error::Device)?;
        let bytes = read(&self.device, &self.readback)?;
        Ok(bytemuck::pod_read_unaligned(&bytes))
    }

    fn record(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        prepared: &Prepared,
        target: &wgpu::TextureView,
    ) {
        encoder.clear_buffer(self.buffers.get(Slot::Bump), 0, None);
        let label = Some("vello");
        let descriptor = wgpu::ComputePassDescriptor { label, timestamp_writes: None };
        let mut pass = encoder.begin_compute_pass(&descriptor);
        self.dispatch(&mut pass, &self.bound_stages_of(Part::Before), prepared);
        if prepared.layout.n_clips > 0 {
            self.dispatch(&mut pass, &self.bound_stages_of(Part::Clips), prepared);
            if let ClipPart::Treebounds { job: Some(job), .. } = &self.clips {
                job.record_in_pass(&mut pass);
            }
        }
        self.dispatch(&mut pass, &self.bound_stages_of(Part::After), prepared);
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
            self.dispatch(&mut pass, &[(fine, &group)], prepared);
        }
    }

    fn dispatch(
        &self,
        pass: &mut wgpu::ComputePass<'_>,
        stages: &[(&Compiled, &wgpu::BindGroup)],
        prepared: &Prepared,
    ) {
        let counts = &prepared.config.workgroup_counts;
        for (compiled, group) in stages.iter().filter(|(compiled, _)| compiled.stage.runs(counts)) {
            pass.set_pipeline(&compiled.pipeline);
            pass.set_bind_group(0, *group, &[]);
            match compiled.stage.groups {
                Groups::Counted(of) => {
                    let (x, y, z) = of(counts);
                    pass.dispatch_workgroups(x, y, z);
                }
                Groups::Indirect => {
                    pass.dispatch_workgroups_indirect(self.buffers.get(Slot::Indirect), 0);
                }
            }
        }
    }

    /// The stages of Vello in a part of the pipeline, with their bind groups.
    fn bound_stages_of(&self, part: Part) -> Vec<(&Compiled, &wgpu::BindGroup)> {
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
