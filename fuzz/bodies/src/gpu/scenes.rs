//! Streams as frames of jobs that are bound once.

use super::{BATCH, MOST};
use treebounds::{Capacity, Inputs, Job, Outputs, Stage, Tuning, wgpu};
use treebounds_core::{Bounds, Rect, Stream, reference};
use treebounds_tests::gpu::{buffer, gpu};
use wgpu::BufferUsages;

/// Bytes of each output in the answer of a frame: element of each node, links, clips, contents, bounds.
const PARTS: [usize; 5] = [4, 4, 16, 16, 16];
const ANSWER: usize = (4 + 4 + 16 + 16 + 16) * MOST;

/// The frames of every stage, and where all their answers go.
pub(super) struct SceneFrames {
    stages: Vec<Vec<Frame>>,
    target: wgpu::Buffer,
}

struct Frame {
    capacity: Capacity,
    inputs: Inputs,
    outputs: Outputs,
    job: Job,
}

/// One tile; a few tiles without subgroups; many tiles; and many tiles of few nodes, which are compacted first.
fn stages() -> [(Tuning, Capacity); 4] {
    let most = MOST as u32;
    let room = |elements, markers| Capacity { elements, markers };
    let sized = |threads| Tuning { workgroup_size: Some(threads), ..Tuning::default() };
    let alone = Tuning { subgroups: Some(false), ..sized(64) };
    [
        (Tuning::default(), room(most, most)),
        (alone, room(1100, 1100)),
        (sized(8), room(most, most)),
        (sized(16), room(1100, 100)),
    ]
}

impl SceneFrames {
    #[expect(clippy::expect_used, reason = "a device that does not build a stage is a failure")]
    pub(super) fn new() -> Self {
        let frames = |(options, capacity): (Tuning, Capacity)| {
            let stage = Stage::new(&gpu().device, &options.into()).expect("the stage builds");
            (0..BATCH).map(|_| Frame::new(&stage, capacity).expect("the frame binds")).collect()
        };
        let stages: Vec<Vec<Frame>> = stages().into_iter().map(frames).collect();
        let size = (ANSWER * BATCH * stages.len()) as u64;
        let target = buffer(size, BufferUsages::MAP_READ | BufferUsages::COPY_DST);
        Self { stages, target }
    }

    /// All streams on all stages that have room for them, in one submission.
    #[expect(clippy::expect_used, reason = "a device that is lost is a failure")]
    pub(super) fn check(&self, streams: &[Stream]) {
        let (device, queue) = (&gpu().device, &gpu().queue);
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut at = 0;
        for (frame, stream) in self.runs(streams) {
            frame.inputs.write(queue, stream).expect("there is room");
            frame.record(&mut encoder, &self.target, at);
            at += ANSWER as u64;
        }
        queue.submit([encoder.finish()]);
        if at == 0 {
            return;
        }
        self.target.map_async(wgpu::MapMode::Read, .., |_| ());
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device works");
        let bytes = self.target.get_mapped_range(..).expect("it is mapped");
        for ((frame, stream), bytes) in self.runs(streams).zip(bytes.chunks_exact(ANSWER)) {
            let expected = reference::bounds(stream);
            let found = answer(bytes, stream.len(), stream.marker_count());
            assert_eq!(found, expected, "with room for {:?}: {stream:?}", frame.capacity);
        }
        drop(bytes);
        self.target.unmap();
    }

    /// Every frame that is used, and its stream.
    fn runs<'a>(&'a self, streams: &'a [Stream]) -> impl Iterator<Item = (&'a Frame, &'a Stream)> {
        let all = self.stages.iter().flat_map(move |frames| frames.iter().zip(streams));
        all.filter(|(frame, stream)| stream.marker_count() <= frame.capacity.markers as usize)
    }
}

impl Frame {
    fn new(stage: &Stage, capacity: Capacity) -> Result<Self, treebounds::Error> {
        let device = &gpu().device;
        let inputs = Inputs::new(device, capacity)?;
        // What is copied out of them is as long for all.
        let most = MOST as u32;
        let largest =
            Capacity { elements: capacity.elements.max(most), markers: capacity.markers.max(most) };
        let outputs = Outputs::new(device, largest)?;
        let scratch = stage.scratch(capacity)?;
        let job = stage.bind(&inputs, &outputs, &scratch)?;
        Ok(Self { capacity, inputs, outputs, job })
    }

    fn record(&self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::Buffer, at: u64) {
        self.job.record(encoder);
        let Outputs { marker_elements, links, clips, contents, boxes, .. } = &self.outputs;
        let mut offset = at;
        for (source, each) in
            [marker_elements, links, clips, contents, boxes].into_iter().zip(PARTS)
        {
            let size = (each * MOST) as u64;
            encoder.copy_buffer_to_buffer(source, 0, target, offset, size);
            offset += size;
        }
    }
}

/// What a frame found, cut to what the stream has.
fn answer(bytes: &[u8], elements: usize, nodes: usize) -> Bounds {
    let mut rest = bytes;
    let mut part = |index: usize, len: usize| {
        let (own, others) = rest.split_at(PARTS[index] * MOST);
        rest = others;
        &own[..PARTS[index] * len]
    };
    let words = |bytes: &[u8]| bytemuck::pod_collect_to_vec::<u8, u32>(bytes);
    let rects = |bytes: &[u8]| bytemuck::pod_collect_to_vec::<u8, Rect>(bytes);
    Bounds {
        marker_elements: words(part(0, nodes)),
        links: words(part(1, nodes)),
        clips: rects(part(2, nodes)),
        contents: rects(part(3, nodes)),
        boxes: rects(part(4, elements)),
    }
}
