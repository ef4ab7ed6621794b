//! Frames: buffers and a job for each scene of a batch, and one submission of all.

use crate::many::batch::{Batch, PARAMS, Scene};
use crate::many::variants::{self, MOST, VARIANTS, check_compaction};
use rayon::prelude::*;
use treebounds::{Gpu, Inputs, Job, Outputs, Stage, wgpu};
use treebounds_tests::gpu::{buffer, gpu};
use wgpu::BufferUsages;

/// Scenes that one thread records.
const RECORDED: usize = 64;

/// The most bytes that a scene uploads, and that its answer has.
const UPLOAD: u64 = PARAMS as u64 + (4 + 16) * MOST as u64;
const ANSWER: u64 = (4 + 4 + 16 + 16 + 16) * MOST as u64;

/// What one scene runs on.
struct Frame {
    inputs: Inputs,
    outputs: Outputs,
    job: Job,
}

impl Frame {
    /// Copies a scene in.
    fn fill(&self, encoder: &mut wgpu::CommandEncoder, upload: &wgpu::Buffer, scene: &Scene) {
        let (tags, rects) = (size_of_val(scene.stream.tags()), size_of_val(scene.stream.rects()));
        let parts =
            [(&self.inputs.params, PARAMS), (&self.inputs.tags, tags), (&self.inputs.rects, rects)];
        let mut at = scene.upload as u64;
        for (target, bytes) in parts.map(|(target, bytes)| (target, bytes as u64)) {
            if bytes > 0 {
                encoder.copy_buffer_to_buffer(upload, at, target, 0, bytes);
            }
            at += bytes;
        }
    }

    /// Copies the answer out: as much as the scene has.
    fn drain(&self, encoder: &mut wgpu::CommandEncoder, answers: &wgpu::Buffer, scene: &Scene) {
        let Outputs { marker_elements, links, clips, contents, boxes, .. } = &self.outputs;
        let sources = [marker_elements, links, clips, contents, boxes];
        let mut at = scene.answer as u64;
        for (source, part) in sources.into_iter().zip(scene.answer_parts()) {
            let bytes = part.len() as u64;
            if bytes > 0 {
                encoder.copy_buffer_to_buffer(source, 0, answers, at, bytes);
            }
            at += bytes;
        }
    }
}

/// Frames for a whole batch.
pub(crate) struct Frames {
    device: wgpu::Device,
    /// The frames of each variant.
    variants: Vec<Vec<Frame>>,
    upload: wgpu::Buffer,
    answers: wgpu::Buffer,
}

/// A batch that is running.
pub(crate) struct Running {
    frames: Frames,
    batch: Batch,
    submission: wgpu::SubmissionIndex,
}

impl Frames {
    /// So many of each variant. Those of one variant share a scratch: they run one after the other.
    pub(crate) fn new(stages: &[Stage], each: usize) -> Self {
        let device = &gpu().device;
        let frames = |(stage, variant): (&Stage, &variants::Variant)| -> Vec<Frame> {
            let scratch = stage.scratch(variant.capacity).unwrap();
            let frame = |_| {
                let inputs = Inputs::new(device, variant.capacity).unwrap();
                let outputs = Outputs::new(device, variant.capacity).unwrap();
                let job = stage.bind(&inputs, &outputs, &scratch).unwrap();
                Frame { inputs, outputs, job }
            };
            (0..each).map(frame).collect()
        };
        let variants: Vec<Vec<Frame>> = stages.iter().zip(&VARIANTS).map(frames).collect();
        for (frames, variant) in variants.iter().zip(&VARIANTS) {
            check_compaction(variant, &frames[0].job);
        }
        let scenes = (VARIANTS.len() * each) as u64;
        Self {
            device: device.clone(),
            variants,
            upload: buffer(scenes * UPLOAD, BufferUsages::COPY_DST | BufferUsages::COPY_SRC),
            answers: buffer(scenes * ANSWER, BufferUsages::COPY_DST | BufferUsages::MAP_READ),
        }
    }

    /// The frame of a scene. Numbers of a batch follow each other, so that no two have the same.
    fn of(&self, first: u64, number: u64) -> &Frame {
        let each = (number - first) as usize / VARIANTS.len();
        &self.variants[variants::of(number)][each]
    }

    /// Records scenes: all that comes in, all jobs, all that goes out.
    fn record(&self, first: u64, scenes: &[Scene]) -> wgpu::CommandBuffer {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let frames: Vec<_> =
            scenes.iter().map(|scene| (self.of(first, scene.number), scene)).collect();
        for (frame, scene) in &frames {
            frame.fill(&mut encoder, &self.upload, scene);
        }
        let mut pass = encoder.begin_compute_pass(&Default::default());
        frames.iter().for_each(|(frame, _)| frame.job.record_in_pass(&mut pass));
        drop(pass);
        for (frame, scene) in &frames {
            frame.drain(&mut encoder, &self.answers, scene);
        }
        encoder.finish()
    }

    /// Submits a batch, and asks for its answers.
    pub(crate) fn start(self, batch: Batch) -> Running {
        let Gpu { queue, .. } = gpu();
        queue.write_buffer(&self.upload, 0, &batch.upload);
        let first = batch.scenes.first().map_or(0, |scene| scene.number);
        let parts = batch.scenes.par_chunks(RECORDED);
        let commands: Vec<_> = parts.map(|scenes| self.record(first, scenes)).collect();
        let submission = queue.submit(commands);
        let bytes = (batch.answers as u64).next_multiple_of(8);
        if bytes > 0 {
            self.answers.map_async(wgpu::MapMode::Read, ..bytes, |result| result.unwrap());
        }
        Running { frames: self, batch, submission }
    }
}

impl Running {
    /// Waits for the batch and compares its answers. The frames are free again.
    pub(crate) fn finish(self) -> Frames {
        let Self { frames, batch, submission } = self;
        let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: None };
        frames.device.poll(wait).unwrap();
        if batch.answers > 0 {
            let bytes = (batch.answers as u64).next_multiple_of(8);
            let view = frames.answers.get_mapped_range(..bytes).unwrap();
            let all: &[u8] = &view;
            batch.scenes.par_iter().for_each(|scene| scene.check(&all[scene.answer..]));
            drop(view);
            frames.answers.unmap();
        }
        frames
    }
}
