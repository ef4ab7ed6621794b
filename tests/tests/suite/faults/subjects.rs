//! The subjects: every part of the library that makes a job from buffers.

use crate::faults::bench::{Job, Scratch as AnyScratch, Slot, Subject};
use crate::faults::table::Refusal;
use crate::vello::clips;
use crate::{brackets, damage, host, matching, tasks};
use treebounds::device::scoped;
use treebounds::{
    BinBindings, BinCapacity, BinScratch, BinStatus, Binner, BracketBindings, BracketMatcher,
    Capacity, CompactBindings, Compactor, Counts, Damage, DamageBindings, FixBindings,
    FrameBindings, HostClips, InputBindings, LeafFix, MatchBindings, MatchInput, MatchScratch,
    Matcher, MatcherDescriptor, NodeOutputBindings, NodeStage, OutputBindings, Params, PieceBinner,
    RootFix, Scratch, Stage, StageDescriptor, Tuning, wgpu,
};
use treebounds_core::damage::BinDamage;
use treebounds_core::{BinGrid, BinHeader, Bounds, Rect, Role, Stream, reference};
use treebounds_tests::bound::Binned;
use treebounds_tests::streams::{SHAPES, filtered, random_few_markers, random_scene, random_walk};
use treebounds_vello::{ClipBuffers, ClipCapacity, ClipStage, ClipStageDescriptor, LayerBoxes};
use wgpu::BufferBinding as Range;

type Built = Result<Subject, Refusal>;

pub(crate) type Build = fn(&wgpu::Device, Tuning) -> Built;

/// The name of each subject, its threads per workgroup if not the default, and its constructor.
pub(crate) const ALL: [(&str, Option<u32>, Build); 19] = [
    ("stage", None, |d, t| stage(d, t, random_scene(3, 100, 40), 1, 0)),
    ("stage_of_many_tiles", Some(8), |d, t| stage(d, t, random_scene(4, 700, 40), 1, 0)),
    ("stage_of_few_markers", Some(8), |d, t| stage(d, t, random_few_markers(5, 600, 75), 8, 0)),
    ("stage_with_filters", Some(16), |d, t| {
        stage(d, t, filtered(&random_scene(11, 200, 40), 11, 20, 1), 1, 1)
    }),
    ("node_stage", Some(32), |d, t| node_stage(d, t, random_walk(6, 100), 0)),
    ("node_stage_with_filters", Some(32), |d, t| {
        node_stage(d, t, filtered(&random_walk(12, 100), 12, 20, 1), 1)
    }),
    ("match", Some(8), |d, t| matcher(d, t, MatchInput::Tags)),
    ("match_roles", Some(8), |d, t| matcher(d, t, matching::TEXT)),
    ("match_bits", Some(8), |d, t| matcher(d, t, MatchInput::Bits)),
    ("brackets", Some(8), bracket_matcher),
    ("compact", Some(8), compactor),
    ("bin", Some(16), binner),
    ("bin_pieces", Some(16), piece_binner),
    ("damage", Some(16), damage),
    ("root_fix", Some(32), root_fix),
    ("leaf_fix", Some(32), leaf_fix),
    ("host_clips", Some(32), host_clips),
    ("clip_stage", None, |d, _| clip_stage(d, LayerBoxes::Clip)),
    ("clip_stage_that_shrinks", None, |d, _| clip_stage(d, LayerBoxes::Visible)),
];

/// Returns the subjects with these names, and their constructors.
pub(crate) fn builds<'a>(
    names: impl Fn(&str) -> bool + 'a,
) -> impl Iterator<Item = (&'static str, impl Fn(&wgpu::Device) -> Built)> + 'a {
    let wanted = ALL.into_iter().filter(move |(name, ..)| names(name));
    wanted.map(|(name, threads, build)| (name, move |device: &_| build(device, with(threads))))
}

pub(crate) fn with(workgroup_size: Option<u32>) -> Tuning {
    Tuning { workgroup_size, ..Tuning::default() }
}

pub(crate) fn some(
    device: &wgpu::Device,
    names: impl Fn(&str) -> bool,
) -> Vec<(&'static str, Subject)> {
    builds(names).map(|(name, build)| (name, build(device).expect(name))).collect()
}

/// Defines a subject: the number of elements in its scene, how to create its scratch, the buffers to bind for a
/// number of elements, how to bind buffers and scratch, and special properties.
macro_rules! subject {
    (
        $elements:expr, $scratch:expr;
        |$n:ident| { $($name:ident: $slot:expr,)* }
        |$memory:ident: $type:ty, $room:pat_param| $bind:expr
        $(; $($field:ident: $value:expr),*)?
    ) => {{
        let scratch = $scratch;
        let subject = Subject {
            elements: $elements,
            slots: Box::new(move |$n: u32| vec![$($slot.named(stringify!($name))),*]),
            scratch: Box::new(move |room, memory| Ok(Box::new(scratch(room, memory)?))),
            bind: Box::new(move |ranges: &[Range<'_>], memory: &AnyScratch, $room: u32| {
                let [$($name),*] = ranges.to_vec().try_into().expect("a range for each slot");
                let $memory: &$type = (**memory).downcast_ref().expect("a scratch of its type");
                let job = std::sync::Arc::new($bind?);
                Ok(Job {
                    record: { let job = job.clone(); Box::new(move |encoder| job.record(encoder)) },
                    record_in_pass: Box::new(move |pass| job.record_in_pass(pass)),
                })
            }),
            compare: Box::new(|_| Ok(())),
            repeats: true,
            checks: true,
            binds_whole: false,
            unbound: "",
        };
        Ok(Subject { $($($field: $value,)*)? ..subject })
    }};
}

/// Creates the scratch of a part of the library, in new buffers or in a range.
macro_rules! scratch {
    ($part:ident, |$n:ident| $($capacity:expr),+) => {{
        let part = $part.clone();
        move |$n: u32, memory: Option<Range<'_>>| match memory {
            None => part.scratch($($capacity),+),
            Some(memory) => part.scratch_in($($capacity),+, memory),
        }
    }};
}

fn no_scratch(_: u32, _: Option<Range<'_>>) -> Result<(), Refusal> {
    Ok(())
}

fn params_of(stream: &Stream) -> Slot {
    let viewport = stream.viewport().to_array();
    Slot::uniform(&Params { viewport, elements: stream.len() as u32, ..Params::default() })
}

fn count(elements: u32) -> Slot {
    Slot::uniform(&Params { elements, ..Params::default() })
}

fn tags_of(stream: &Stream, n: u32) -> Slot {
    Slot::input(n, stream.tags()).in_vectors()
}

/// Returns the counts of a stream, for a capacity that holds all its markers.
fn counts_of(stream: &Stream) -> Slot {
    let (elements, markers) = (stream.len() as u32, stream.marker_count() as u32);
    let counts = Counts { elements, markers, status: 0, markers_needed: markers };
    clamped(&counts, &Counts { status: Counts::ELEMENTS_CLAMPED, ..counts })
}

/// Returns a slot for a status; `clamped` is expected if the count was too large.
fn clamped<T: bytemuck::NoUninit>(answer: &T, clamped: &T) -> Slot {
    let answers = [answer, clamped].map(|answer| bytemuck::bytes_of(answer).to_vec());
    Slot { answers, ..Slot::output::<T>(1_u32, &[]) }
}

fn markers_before_in(stream: &Stream, n: u32) -> Slot {
    let is_marker = stream.tags().iter().map(|tag| u32::from(tag.is_marker()));
    let before = is_marker.scan(0, |sum, one| Some(std::mem::replace(sum, *sum + one)));
    Slot::output(n, &before.collect::<Vec<u32>>())
}

/// Builds a `Stage` with a capacity of one marker per `per_marker` elements and of `filter_depth` nested
/// filters.
fn stage(
    device: &wgpu::Device,
    tuning: Tuning,
    stream: Stream,
    per_marker: u32,
    filter_depth: u32,
) -> Built {
    let descriptor = StageDescriptor { few_markers: true, filter_depth, ..tuning.into() };
    let part = Stage::new(device, &descriptor)?;
    let expected = reference::bounds(&stream);
    let clamped = bounds_if_clamped(&stream, &expected);
    let capacity =
        move |room| Capacity { elements: room, markers: room / per_marker, filter_depth };
    subject! {
        stream.len() as u32, scratch!(part, |n| capacity(n));
        |n| {
            params: params_of(&stream),
            tags: tags_of(&stream, n),
            rects: Slot::input(n, stream.rects()),
            counts: counts_of(&stream),
            markers_before: markers_before_in(&stream, n),
            marker_elements: Slot::output(n / per_marker, &expected.marker_elements),
            links: Slot::output(n / per_marker, &expected.links),
            clips: Slot::output(n / per_marker, &expected.clips),
            contents: boxes_of(n / per_marker, &expected.contents, &clamped.contents),
            boxes: boxes_of(n, &expected.boxes, &clamped.boxes),
        }
        |scratch: Scratch, _| {
            let inputs = InputBindings { params, tags, rects, filter_depth };
            let (clips, contents) = (Some(clips), Some(contents));
            let outputs = OutputBindings { counts, markers_before, marker_elements, links, clips, contents, boxes, landings: None };
            part.bind(inputs, outputs, scratch)
        }
    }
}

/// Builds a `NodeStage`, for a stream of markers only.
fn node_stage(device: &wgpu::Device, tuning: Tuning, stream: Stream, filter_depth: u32) -> Built {
    let descriptor = StageDescriptor { filter_depth, ..tuning.into() };
    let part = NodeStage::new(device, &descriptor)?;
    let expected = reference::bounds(&stream);
    let clamped = bounds_if_clamped(&stream, &expected);
    subject! {
        stream.len() as u32, scratch!(part, |n| Capacity { filter_depth, ..Capacity::all_markers(n) });
        |n| {
            params: params_of(&stream),
            tags: tags_of(&stream, n),
            rects: Slot::input(n, stream.rects()),
            links: Slot::output(n, &expected.links),
            clips: Slot::output(n, &expected.clips),
            contents: boxes_of(n, &expected.contents, &clamped.contents),
        }
        |scratch: Scratch<NodeStage>, _| {
            let inputs = InputBindings { params, tags, rects, filter_depth };
            let outputs = NodeOutputBindings { links, clips: Some(clips), contents: Some(contents) };
            part.bind(inputs, outputs, scratch)
        }
    }
}

/// Returns the bounds if the count is too large. The boxes of unclosed nodes are unlimited.
fn bounds_if_clamped(stream: &Stream, bounds: &Bounds) -> Bounds {
    let unlimited = if stream.has_filters() { Rect::EVERYTHING } else { stream.viewport() };
    let mut clamped = bounds.clone();
    let mut open = Vec::new();
    for (marker, element) in bounds.marker_elements.iter().enumerate() {
        match stream.tags()[*element as usize].role() {
            Role::Begin => open.push((marker, *element as usize)),
            _ => drop(open.pop()),
        }
    }
    for (marker, element) in open {
        clamped.contents[marker] = unlimited;
        if !stream.tags()[element].is_non_local() {
            clamped.boxes[element] = unlimited;
        }
    }
    clamped
}

/// Returns a slot for boxes; `clamped` are expected if the count was too large.
fn boxes_of(n: u32, boxes: &[Rect], clamped: &[Rect]) -> Slot {
    let answers = [boxes, clamped].map(|boxes| bytemuck::cast_slice(boxes).to_vec());
    Slot { answers, ..Slot::output::<Rect>(n, &[]) }
}

/// Builds a `Matcher`, on tags, on words with caller-supplied roles, or on bits.
fn matcher(device: &wgpu::Device, tuning: Tuning, input: MatchInput<'_>) -> Built {
    let part = Matcher::new(device, &MatcherDescriptor { input, ..tuning.into() })?;
    let tags = matching::random_tags(input, 7, 100);
    let (words, expected) = (matching::words_of(input, &tags), reference::links(&tags));
    let is_bits = input == MatchInput::Bits;
    let slot = move |n: u32| match is_bits {
        true => Slot::input(n.div_ceil(32), &words).named("bits"),
        false => Slot::input(n, &words).in_vectors().named("tags"),
    };
    subject! {
        100, scratch!(part, |n| n);
        |n| {
            params: count(100),
            input: slot(n),
            links: Slot::output(n, &expected).in_vectors(),
        }
        |scratch: MatchScratch, _| part.bind(&MatchBindings { params, input, links }, scratch)
    }
}

/// Builds a `BracketMatcher`, with two kinds of brackets in lines.
fn bracket_matcher(device: &wgpu::Device, tuning: Tuning) -> Built {
    let part = BracketMatcher::new(device, &tuning.into())?;
    let words = brackets::with_resets(12, &SHAPES[0].roles(100, 12), 2, 30);
    let expected = reference::brackets(&words);
    let room = expected.segments.len() as u32;
    subject! {
        100, scratch!(part, |n| n, room);
        |n| {
            params: count(100),
            input: Slot::input(n, &words).in_vectors().named("tags"),
            links: Slot::output(n, &expected.links).in_vectors(),
            partners: Slot::output(n, &expected.partners),
            depths: Slot::output(n, &expected.depths).in_vectors(),
            segments: Slot::output(room, &expected.segments),
        }
        |scratch: MatchScratch<BracketMatcher>, _| {
            part.bind(&BracketBindings { params, input, links, partners, depths, segments }, scratch)
        }
    }
}

fn compactor(device: &wgpu::Device, tuning: Tuning) -> Built {
    let part = Compactor::new(device, &tuning.into())?;
    let stream = random_scene(10, 300, 60);
    let markers = reference::bounds(&stream).marker_elements;
    subject! {
        300, scratch!(part, |n| Capacity::all_markers(n));
        |n| {
            params: params_of(&stream),
            tags: tags_of(&stream, n),
            markers_before: markers_before_in(&stream, n),
            marker_elements: Slot::output(n, &markers),
            counts: counts_of(&stream),
        }
        |scratch: Scratch<Compactor>, _| {
            part.bind(&CompactBindings { params, tags, markers_before, marker_elements, counts }, scratch)
        }
    }
}

/// Boxes, the grid, and the list of each bin.
#[derive(Clone)]
struct Lists {
    grid: BinGrid,
    boxes: Vec<Rect>,
    expected: Vec<Vec<u32>>,
}

impl Lists {
    fn new() -> Self {
        // Seventeen bins in a row: a window of 16 and one more.
        let grid = BinGrid::with_bins([0, 0], [1024, 768], [61, 128]).unwrap();
        let boxes = reference::bounds(&random_scene(11, 100, 60)).boxes;
        let expected = reference::bins(&grid, &boxes);
        Self { grid, boxes, expected }
    }

    fn needed(&self) -> u32 {
        self.expected.iter().map(Vec::len).sum::<usize>() as u32
    }

    fn capacity(&self, room: u32) -> BinCapacity {
        BinCapacity { elements: room, entries: (room - 100).saturating_add(self.needed()) }
    }

    fn status(&self) -> Slot {
        let needed = self.needed();
        let status = BinStatus { needed, written: needed, flags: 0, elements: 100 };
        clamped(&status, &BinStatus { flags: BinStatus::ELEMENTS_CLAMPED, ..status })
    }

    fn headers(&self, pieces: u32) -> Slot {
        Slot::output::<BinHeader>(u64::from(pieces) * u64::from(self.grid.bins()), &[])
    }

    /// Compares the status, the headers and the entries. Lists may be stored in any order.
    fn compare(&self, found: &[Vec<u8>]) -> Result<(), String> {
        let headers = bytemuck::pod_collect_to_vec(&found[1]);
        let entries = bytemuck::pod_collect_to_vec(&found[2]);
        let binned = Binned { status: BinStatus::default(), headers, entries };
        let lists = binned.lists_of(self.grid.bins());
        if lists == self.expected { Ok(()) } else { Err(format!("the lists of bins: {lists:?}")) }
    }
}

fn binner(device: &wgpu::Device, tuning: Tuning) -> Built {
    let part = Binner::new(device, &tuning.into())?;
    let [lists, of_slots, of_answer] = [(); 3].map(|()| Lists::new());
    subject! {
        100, scratch!(part, |n| lists.capacity(n), &lists.grid);
        |n| {
            params: count(100),
            boxes: Slot::input(n, &of_slots.boxes),
            status: of_slots.status(),
            headers: of_slots.headers(1),
            entries: Slot::output::<u32>(of_slots.capacity(n).entries, &[]),
        }
        |scratch: BinScratch, _| {
            part.bind(params, boxes, BinBindings { status, headers, entries }, scratch)
        };
        compare: Box::new(move |found| of_answer.compare(found))
    }
}

fn piece_binner(device: &wgpu::Device, tuning: Tuning) -> Built {
    let part = PieceBinner::new(device, &tuning.into())?;
    let [lists, of_slots, of_answer] = [(); 3].map(|()| Lists::new());
    let binner = part.clone();
    subject! {
        100, no_scratch;
        |n| {
            params: count(100),
            boxes: Slot::input(n, &of_slots.boxes),
            status: of_slots.status(),
            headers: of_slots.headers(binner.pieces(n)),
            entries: Slot::output::<u32>(of_slots.capacity(n).entries, &[]),
        }
        |_scratch: (), room| {
            let bins = BinBindings { status, headers, entries };
            part.bind(params, boxes, bins, lists.capacity(room), &lists.grid)
        };
        compare: Box::new(move |found| of_answer.compare(found))
    }
}

fn damage(device: &wgpu::Device, tuning: Tuning) -> Built {
    let part = Damage::new(device, &tuning.into())?;
    let Lists { grid, boxes, .. } = Lists::new();
    let frames = damage::frames(&boxes);
    let damaged = damage::expected(&grid, &frames);
    let bit = |word: u32, rect: &BinDamage| word << 1 | u32::from(!rect.is_empty());
    let word = |rects: &[BinDamage]| rects.iter().rev().fold(0, bit);
    let words: Vec<u32> = damaged.chunks(32).map(word).collect();
    subject! {
        100, no_scratch;
        |n| {
            params: count(100),
            boxes: Slot::input(n, &frames[0].0),
            partners: Slot::input(n, &frames[0].1),
            new_params: count(100).named("params"),
            new_boxes: Slot::input(n, &frames[1].0).named("boxes"),
            new_partners: Slot::input(n, &frames[1].1).named("partners"),
            bits: Slot::output(words.len() as u32, &words),
            rects: Slot::output(damaged.len() as u32, &damaged),
        }
        |_scratch: (), room| {
            let old = FrameBindings { params, boxes, partners };
            let new = FrameBindings { params: new_params, boxes: new_boxes, partners: new_partners };
            part.bind([old, new], DamageBindings { bits, rects }, room, &grid)
        }
    }
}

macro_rules! fix {
    ($name:ident, $part:ident) => {
        fn $name(device: &wgpu::Device, tuning: Tuning) -> Built {
            let part = $part::new(device, &tasks::MATRICES, &tuning.into())?;
            let (stream, values) = (random_scene(12, 100, 40), tasks::values(100));
            let expected = reference::$name(stream.tags(), &tasks::matrices(&values));
            subject! {
                100, scratch!(part, |n| n);
                |n| {
                    params: params_of(&stream),
                    tags: tags_of(&stream, n),
                    inputs: Slot::input(n, &values),
                    outputs: Slot::output(n, &expected),
                }
                |scratch: Scratch<$part>, _| {
                    part.bind(&FixBindings { params, tags, inputs, outputs }, scratch)
                }
            }
        }
    };
}

fix!(root_fix, RootFix);
fix!(leaf_fix, LeafFix);

/// Builds `HostClips` on a renderer's own buffers.
fn host_clips(device: &wgpu::Device, tuning: Tuning) -> Built {
    let layout = scoped(device, || host::layout(device, &host::LAYOUT)).map_err(Refusal::wgpu)?;
    let part = HostClips::new(device, &host::host(&layout), &tuning.into())?;
    let scene = random_scene(13, 100, 40);
    let (stream, device) = (scene.clone(), device.clone());
    subject! {
        100, scratch!(part, |n| n);
        |n| {
            params: params_of(&scene),
            records: Slot::input(n, &host::records(&scene)),
            answers: Slot::output::<host::Answer>(n, &[]),
        }
        |scratch: Scratch<HostClips>, _| {
            // The library reports mistakes in the bind group.
            let filters = [wgpu::ErrorFilter::Validation, wgpu::ErrorFilter::OutOfMemory];
            let scopes = filters.map(|filter| device.push_error_scope(filter));
            let group = host::group(&device, &layout, &[params, records, answers]);
            scopes.into_iter().rev().for_each(|scope| drop(scope.pop()));
            part.bind(&group, scratch)
        };
        compare: Box::new(move |found| {
            host::compare(&stream, &bytemuck::pod_collect_to_vec(&found[0]))
        }),
        checks: false,
        binds_whole: true
    }
}

/// Builds a `ClipStage` on Vello's buffers, with or without shrinking.
fn clip_stage(device: &wgpu::Device, layers: LayerBoxes) -> Built {
    let part = ClipStage::new(device, &ClipStageDescriptor { layers, ..Default::default() })?;
    let frame = clips::frame(60, 9, 14);
    let shrinks = layers == LayerBoxes::Visible;
    let (expected, monoids, _) = clips::expected(&frame, shrinks);
    let clips = frame.clip_inp.len() as u32;
    let clips = move |room: u32| (room - 60).saturating_add(clips);
    let monoids_before = Slot::input(60_u32, &frame.draw_monoids).data;
    // There are many representations of empty boxes.
    let compare = move |found: &[Vec<u8>]| {
        let found: Vec<clips::Box4> = bytemuck::pod_collect_to_vec(&found[found.len() - 1]);
        let mut pairs = found.iter().zip(&expected).enumerate();
        let wrong = pairs.find(|(_, (found, expected))| !clips::are_equal(**found, **expected));
        wrong.map_or(Ok(()), |wrong| Err(format!("clip box: found, not answer: {wrong:?}")))
    };
    subject! {
        60, no_scratch;
        |n| {
            config: Slot::uniform(&frame.config),
            scene: Slot::input(frame.scene.len() as u32, &frame.scene),
            clip_inp: Slot::input(clips(n), &frame.clip_inp),
            // Shrinking overwrites the boxes of paths that it reads.
            path_bboxes: Slot { is_output: shrinks, ..Slot::input(n, &frame.path_bboxes) },
            draw_monoids: Slot { data: monoids_before.clone(), ..Slot::output(n, &monoids) },
            clip_bboxes: Slot::output::<Rect>(clips(n), &[]),
        }
        |_scratch: (), room| {
            let capacity = ClipCapacity { draw_objects: room, clips: clips(room) };
            let buffers =
                ClipBuffers { config, scene, clip_inp, path_bboxes, draw_monoids, clip_bboxes };
            part.bind(&buffers, capacity)
        };
        compare: Box::new(compare),
        repeats: !shrinks,
        binds_whole: true,
        // Without shrinking, only the clips of a scene are read.
        unbound: if shrinks { "" } else { "scene" }
    }
}
