//! A batch: scenes, what the reference says, and all that is uploaded, made by many threads.

use crate::many::variants::{self, VARIANTS};
use rayon::prelude::*;
use std::ops::Range;
use treebounds::Params;
use treebounds_core::{Bounds, Stream, reference};

/// Bytes of the params of a scene.
pub(crate) const PARAMS: usize = size_of::<Params>();

/// A scene, and its answer.
pub(crate) struct Scene {
    pub(crate) number: u64,
    pub(crate) stream: Stream,
    pub(crate) expected: Bounds,
    /// The place of params, tags and rects among the uploaded bytes.
    pub(crate) upload: usize,
    /// The place of its answer among the bytes that are read back.
    pub(crate) answer: usize,
}

impl Scene {
    fn new(number: u64) -> Self {
        let stream = (VARIANTS[variants::of(number)].scene)(number);
        let expected = reference::bounds(&stream);
        Self { number, stream, expected, upload: 0, answer: 0 }
    }

    /// Bytes that are uploaded.
    pub(crate) fn upload_bytes(&self) -> usize {
        PARAMS + size_of_val(self.stream.tags()) + size_of_val(self.stream.rects())
    }

    /// The answer, part by part: element of each node, links, clips, contents, bounds.
    pub(crate) fn answer_parts(&self) -> [&[u8]; 5] {
        let Bounds { marker_elements, links, clips, contents, boxes } = &self.expected;
        [
            bytemuck::cast_slice(marker_elements),
            bytemuck::cast_slice(links),
            bytemuck::cast_slice(clips),
            bytemuck::cast_slice(contents),
            bytemuck::cast_slice(boxes),
        ]
    }

    /// Bytes of the answer.
    pub(crate) fn answer_bytes(&self) -> usize {
        self.answer_parts().iter().map(|part| part.len()).sum()
    }

    fn write(&self, target: &mut [u8]) {
        let params = Params {
            viewport: self.stream.viewport().to_array(),
            elements: self.stream.len() as u32,
            ..Params::default()
        };
        let (own, rest) = target.split_at_mut(PARAMS);
        own.copy_from_slice(bytemuck::bytes_of(&params));
        let tags: &[u8] = bytemuck::cast_slice(self.stream.tags());
        let (own, rest) = rest.split_at_mut(tags.len());
        own.copy_from_slice(tags);
        rest.copy_from_slice(bytemuck::cast_slice(self.stream.rects()));
    }

    /// Compares an answer with the reference's, byte for byte.
    pub(crate) fn check(&self, mut found: &[u8]) {
        let names = ["node elements", "links", "clips", "contents", "bounds"];
        for (name, expected) in names.into_iter().zip(self.answer_parts()) {
            let (own, rest) = found.split_at(expected.len());
            found = rest;
            let Some(at) = own.iter().zip(expected).position(|(a, b)| a != b) else { continue };
            let Self { number, .. } = *self;
            let variant = VARIANTS[variants::of(number)].name;
            panic!(
                "scene {number} ({variant}): {name}, byte {at} of {}, is not the reference's; \
                 TREEBOUNDS_SCENES={number}..{} is this scene alone",
                own.len(),
                number + 1
            );
        }
    }
}

/// Scenes that run in one submission.
pub(crate) struct Batch {
    pub(crate) scenes: Vec<Scene>,
    /// What is uploaded of all of them.
    pub(crate) upload: Vec<u8>,
    /// Bytes of all answers.
    pub(crate) answers: usize,
}

impl Batch {
    /// The scenes of these numbers.
    pub(crate) fn new(numbers: Range<u64>) -> Self {
        let mut scenes: Vec<_> = numbers.into_par_iter().map(Scene::new).collect();
        let (mut upload, mut answers) = (0, 0);
        for scene in &mut scenes {
            (scene.upload, scene.answer) = (upload, answers);
            upload += scene.upload_bytes();
            answers += scene.answer_bytes();
        }
        let mut bytes = vec![0; upload];
        let mut rest = &mut bytes[..];
        for scene in &scenes {
            let (own, others) = rest.split_at_mut(scene.upload_bytes());
            scene.write(own);
            rest = others;
        }
        Self { scenes, upload: bytes, answers }
    }
}
