//! Words as inputs of matching jobs that are bound once.

use super::{BATCH, MOST};
use treebounds::{
    Job, MatchBindings, MatchInput, Matcher, MatcherDescriptor, Params, Tuning, wgpu,
};
use treebounds_core::{Tag, reference};
use treebounds_tests::gpu::{bitmap, buffer, gpu, tags_of_bits};
use treebounds_tests::streams::padded;
use wgpu::BufferUsages;

/// The parentheses of a text, a character a word.
const TEXT: MatchInput<'_> = MatchInput::Roles(
    "fn role(tag: u32) -> u32 { return select(select(0u, 2u, tag == 41u), 1u, tag == 40u); }",
);

/// Bytes of the links of a frame: whole vectors.
const ANSWER: u64 = 4 * MOST as u64;

/// The frames of every form of input and every size of workgroup.
pub(super) struct LinkFrames {
    frames: Vec<(MatchInput<'static>, Vec<Frame>)>,
    target: wgpu::Buffer,
}

struct Frame {
    params: wgpu::Buffer,
    input: wgpu::Buffer,
    links: wgpu::Buffer,
    job: Job,
}

impl LinkFrames {
    #[expect(clippy::expect_used, reason = "a device that does not match is a failure")]
    pub(super) fn new() -> Self {
        let sized = |threads, per_thread| MatcherDescriptor {
            per_thread: Some(per_thread),
            ..Tuning { workgroup_size: Some(threads), ..Default::default() }.into()
        };
        let mut frames = Vec::new();
        for input in [MatchInput::Tags, TEXT, MatchInput::Bits] {
            for sized in [sized(2, 4), MatcherDescriptor::default(), sized(16, 8)] {
                let descriptor = MatcherDescriptor { input, ..sized };
                let matching = Matcher::new(&gpu().device, &descriptor).expect("it builds");
                let frame = |_| Frame::new(&matching).expect("the frame binds");
                frames.push((input, (0..BATCH).map(frame).collect()));
            }
        }
        let size = ANSWER * (BATCH * frames.len()) as u64;
        let target = buffer(size, BufferUsages::MAP_READ | BufferUsages::COPY_DST);
        Self { frames, target }
    }

    /// All inputs in all forms, in one submission.
    #[expect(clippy::expect_used, reason = "a device that is lost is a failure")]
    pub(super) fn check(&self, inputs: &[Vec<u32>]) {
        let (device, queue) = (&gpu().device, &gpu().queue);
        let mut encoder = device.create_command_encoder(&Default::default());
        let mut at = 0;
        for (form, frame, words) in self.runs(inputs) {
            frame.write(&forms(form, words), words.len() as u32);
            frame.job.record(&mut encoder);
            encoder.copy_buffer_to_buffer(&frame.links, 0, &self.target, at, ANSWER);
            at += ANSWER;
        }
        queue.submit([encoder.finish()]);
        if at == 0 {
            return;
        }
        self.target.map_async(wgpu::MapMode::Read, .., |_| ());
        device.poll(wgpu::PollType::wait_indefinitely()).expect("the device works");
        let bytes = self.target.get_mapped_range(..).expect("it is mapped");
        for ((form, _, words), bytes) in self.runs(inputs).zip(bytes.chunks_exact(ANSWER as usize))
        {
            let found = bytemuck::pod_collect_to_vec::<u8, u32>(&bytes[..4 * words.len()]);
            assert_eq!(found, reference::links(&tags(form, words)), "{form:?} of {words:?}");
        }
        drop(bytes);
        self.target.unmap();
    }

    fn runs<'a>(
        &'a self,
        inputs: &'a [Vec<u32>],
    ) -> impl Iterator<Item = (MatchInput<'static>, &'a Frame, &'a Vec<u32>)> {
        self.frames.iter().flat_map(move |(form, frames)| {
            frames.iter().zip(inputs).map(|(frame, words)| (*form, frame, words))
        })
    }
}

/// What is uploaded of these words.
fn forms(form: MatchInput<'_>, words: &[u32]) -> Vec<u32> {
    match form {
        MatchInput::Bits => bitmap(&opens(words)),
        _ => padded(words),
    }
}

/// The words as bits: odd ones open.
fn opens(words: &[u32]) -> Vec<bool> {
    words.iter().map(|word| word % 2 == 1).collect()
}

/// The tags that the input stands for.
fn tags(form: MatchInput<'_>, words: &[u32]) -> Vec<Tag> {
    match form {
        MatchInput::Bits => tags_of_bits(&opens(words)),
        MatchInput::Roles(_) => words.iter().map(|word| bytemuck::cast(role(*word))).collect(),
        _ => bytemuck::cast_slice(words).to_vec(),
    }
}

fn role(word: u32) -> u32 {
    match word {
        40 => Tag::ROLE_BEGIN,
        41 => Tag::ROLE_END,
        _ => Tag::ROLE_DRAW,
    }
}

impl Frame {
    fn new(matching: &Matcher) -> Result<Self, treebounds::Error> {
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let params = buffer(size_of::<Params>() as u64, BufferUsages::UNIFORM | storage);
        let input = buffer(ANSWER, storage);
        let links = buffer(ANSWER, storage | BufferUsages::COPY_SRC);
        let scratch = matching.scratch(MOST as u32)?;
        let buffers = MatchBindings {
            params: params.as_entire_buffer_binding(),
            input: input.as_entire_buffer_binding(),
            links: links.as_entire_buffer_binding(),
        };
        let job = matching.bind(&buffers, &scratch)?;
        Ok(Self { params, input, links, job })
    }

    fn write(&self, words: &[u32], elements: u32) {
        let params = Params { elements, ..Params::default() };
        let queue = &gpu().queue;
        queue.write_buffer(&self.params, 0, bytemuck::cast_slice(&[params]));
        queue.write_buffer(&self.input, 0, bytemuck::cast_slice(words));
    }
}
