//! Tests the construction, rejection and bounds of streams.

use crate::Outcome;
use crate::words::Words;
use treebounds_core::{
    BuildError, Footprint, NodeKind, Rect, Role, Stream, StreamBuilder, StreamError, Tag, reference,
};
use treebounds_report::SceneFile;
use treebounds_testkit::{Oracle, Rng, failing, scene_text};

/// The maximum number of elements, because the oracle is quadratic.
const MOST: usize = 64;

/// Tests arbitrary words as tags and rects.
pub fn stream(data: &[u8]) -> Outcome {
    let words = Words::read(&mut Rng::of_bytes(data), MOST);
    let made = words.stream();
    assert_eq!(made.as_ref().err().copied(), words.mistake(), "of {words:?}");
    check_builder(&words);
    let Ok(stream) = made else { return Outcome::REFUSED };
    assert_eq!(reference::bounds(&stream), Oracle::new(&stream).all(), "{}", failing(&stream));
    check_scene_file(&stream);
    Outcome::ACCEPTED
}

/// Checks that the stream reads back from a scene file, with the same answers.
fn check_scene_file(stream: &Stream) {
    let file = SceneFile::capture(stream, |_| None);
    let text = scene_text(stream);
    assert_eq!(SceneFile::from_json(&text).ok().as_ref(), Some(&file), "of {text}");
    assert_eq!(file.stream().as_ref(), Ok(stream), "of {text}");
    let answered = file.with_answers().unwrap_or_default();
    let read = SceneFile::from_json(&answered.to_json()).ok();
    assert_eq!(read, Some(answered), "of {text}");
}

/// Passes the same words to a builder, which rejects unmatched ends and closes open nodes.
fn check_builder(words: &Words) {
    let mut builder = StreamBuilder::new(words.viewport);
    let (mut tags, mut rects, mut open): (Vec<Tag>, Vec<Rect>, Vec<Tag>) = Default::default();
    for (bits, rect) in words.tags.iter().zip(&words.rects) {
        let Some(tag) = Tag::from_bits(*bits) else { continue };
        let index = tags.len() as u32;
        let rect =
            if tag == Tag::begin(NodeKind::Blend).non_local() { Rect::EVERYTHING } else { *rect };
        let mut expected = match rect.canonical() {
            Ok(_) => Ok(index),
            Err(_) => Err(BuildError::Stream(StreamError::BadRect { index: tags.len() })),
        };
        if tag.is_spread() && tag.role() == Role::Begin {
            // `begin_spread` accepts only a valid footprint.
            let Ok(footprint) = Footprint::from_rect(rect) else { continue };
            expected = Ok(index);
            assert_eq!(builder.begin_spread(footprint), expected, "of {words:?}");
            tags.push(tag);
            rects.push(rect);
            open.push(tag);
            continue;
        }
        let added = match (tag.role(), tag.node_kind()) {
            (Role::End, _) => {
                let begin = open.pop();
                expected = begin.map(|_| index).ok_or(BuildError::NothingOpen { index });
                begin.into_iter().for_each(|begin| tags.push(begin.closing()));
                rects.resize(tags.len(), Rect::NOTHING);
                assert_eq!(builder.end(), expected, "of {words:?}");
                continue;
            }
            (_, None) => builder.draw(rect),
            (_, Some(_)) if tag.is_filling() && tag.is_non_local() => continue,
            (_, Some(kind)) if tag.is_filling() => builder.begin_filling(kind, rect),
            (_, Some(NodeKind::Blend)) if tag.is_non_local() => builder.begin_non_local(None),
            (_, Some(_)) if tag.is_non_local() => builder.begin_non_local(Some(rect)),
            (_, Some(kind)) => builder.begin(kind, rect),
        };
        assert_eq!(added, expected, "of {words:?}");
        if added.is_ok() {
            tags.push(tag);
            rects.push(rect);
            open.extend((tag.role() == Role::Begin).then_some(tag));
        }
    }
    assert_eq!((builder.len(), builder.depth()), (tags.len(), open.len()), "of {words:?}");
    let closings = open.len();
    tags.extend(open.into_iter().rev().map(Tag::closing));
    rects.resize(tags.len(), Rect::NOTHING);
    let expected = Stream::new(tags, rects, words.viewport);
    match builder.finish_closing() {
        Ok((stream, closed)) => {
            assert_eq!(closed.len(), closings, "of {words:?}");
            assert_eq!(Ok(stream), expected, "of {words:?}");
        }
        Err(BuildError::Stream(error)) => assert_eq!(Err(error), expected, "of {words:?}"),
        Err(error) => assert!(closings == usize::MAX, "{error}: of {words:?}"),
    }
}
