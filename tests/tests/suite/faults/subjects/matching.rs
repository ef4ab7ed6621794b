//! `Matcher`, of tags, of words with roles of the caller's own, and of bits.

use super::{Built, threads};
use crate::faults::subject::{AnyJob, AnyScratch, Slot, Subject, first, same};
use crate::faults::table::Refusal;
use treebounds::{MatchInput, Matcher, MatcherDescriptor, Params, wgpu};
use treebounds_core::{Role, Tag, reference};
use treebounds_tests::bound::{bitmap, match_whole, tags_of_bits};
use treebounds_tests::streams::{random_scene, random_walk};

/// The text of a program: `(` opens, `)` closes.
const PARENTHESES: &str =
    "fn role(tag: u32) -> u32 { return select(select(0u, 2u, tag == 41u), 1u, tag == 40u); }";

struct Matching {
    matching: Matcher,
    elements: u32,
    words: Vec<u32>,
    /// Elements in a word of the input.
    elements_a_word: u32,
    expected: Vec<u32>,
}

pub(super) fn tags(device: &wgpu::Device) -> Built {
    let tags = random_scene(7, 100, 40).tags().to_vec();
    build(device, MatchInput::Tags, tags.iter().map(|tag| tag.bits()).collect(), &tags)
}

pub(super) fn roles(device: &wgpu::Device) -> Built {
    let tags = random_scene(8, 100, 40).tags().to_vec();
    let character = |tag: &Tag| match tag.role() {
        Role::Draw => u32::from('x'),
        Role::Begin => u32::from('('),
        Role::End => u32::from(')'),
    };
    build(device, MatchInput::Roles(PARENTHESES), tags.iter().map(character).collect(), &tags)
}

pub(super) fn bits(device: &wgpu::Device) -> Built {
    let walk = random_walk(9, 100);
    let opens: Vec<bool> = walk.tags().iter().map(|tag| tag.role() == Role::Begin).collect();
    build(device, MatchInput::Bits, bitmap(&opens), &tags_of_bits(&opens))
}

fn build(device: &wgpu::Device, input: MatchInput<'_>, words: Vec<u32>, tags: &[Tag]) -> Built {
    let descriptor = MatcherDescriptor { input, ..threads(8).into() };
    let matching = Matcher::new(device, &descriptor)?;
    let elements_a_word = if input == MatchInput::Bits { 32 } else { 1 };
    let (elements, expected) = (tags.len() as u32, reference::links(tags));
    Ok(Box::new(Matching { matching, elements, words, elements_a_word, expected }))
}

impl Subject for Matching {
    fn elements(&self) -> u32 {
        self.elements
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let params = Params { elements: self.elements, ..Params::default() };
        let words = u64::from(room.div_ceil(self.elements_a_word));
        let input = match self.elements_a_word {
            1 => Slot::input("tags", words, &self.words).in_vectors(),
            _ => Slot::input("bits", words, &self.words),
        };
        let links = Slot::output::<u32>("links", room.into()).in_vectors();
        vec![Slot::uniform("params", &params), input, links]
    }

    fn scratch(&self, room: u32) -> Result<AnyScratch, Refusal> {
        Ok(AnyScratch::Match(self.matching.scratch(room)?))
    }

    fn bind(
        &self,
        buffers: &[wgpu::Buffer],
        scratch: &AnyScratch,
        _: u32,
    ) -> Result<AnyJob, Refusal> {
        let AnyScratch::Match(scratch) = scratch else {
            return Err(Refusal::wrong("not the scratch of matching"));
        };
        let buffers = [&buffers[0], &buffers[1], &buffers[2]];
        let job = match_whole(&self.matching, buffers, scratch)?;
        Ok(AnyJob::Core(job))
    }

    fn compare(&self, found: &[Vec<u8>], _: bool) -> Result<(), String> {
        same("links", &first::<u32>(&found[0], self.expected.len()), &self.expected)
    }
}
