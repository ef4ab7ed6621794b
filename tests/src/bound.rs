//! Jobs of the stage, matching and binning, each bound to its own buffers.

use crate::gpu::{buffer, gpu, read, read_all, run, whole};
use crate::streams::padded;
use treebounds::{
    BinCapacity, BinStatus, Binner, Bins, BracketBindings, BracketMatcher, Capacity, Counts,
    Inputs, Job, MatchBindings, MatchScratch, Matcher, Outputs, Params, Passes, PieceBinner,
    Scratch, Stage, wgpu,
};
use treebounds_core::{
    BinGrid, BinHeader, Bounds, Bracket, NodeKind, Rect, Stream, Tag, reference,
};
use wgpu::BufferUsages;

/// A [`Stage`] bound to its own buffers.
pub struct Bound {
    /// The number of elements, the tags and the rects.
    pub inputs: Inputs,
    /// The output buffers.
    pub outputs: Outputs,
    /// The job that writes the outputs.
    pub job: Job,
    /// The scratch of the job.
    pub scratch: Scratch,
}

impl Bound {
    /// Creates buffers with this capacity.
    ///
    /// # Errors
    /// Any error of the stage or the device.
    pub fn new(stage: &Stage, capacity: Capacity) -> Result<Self, treebounds::Error> {
        let scratch = stage.scratch(capacity)?;
        let device = &gpu().device;
        let inputs = Inputs::new(device, capacity)?;
        let outputs = Outputs::new(device, capacity)?;
        let job = stage.bind(&inputs, &outputs, &scratch)?;
        Ok(Self { inputs, outputs, job, scratch })
    }

    /// Creates buffers for scenes with at most this many filters around an element.
    ///
    /// # Errors
    /// Any error of the stage or the device.
    pub fn with_filters(
        stage: &Stage,
        capacity: Capacity,
        depth: u32,
    ) -> Result<Self, treebounds::Error> {
        Self::new(stage, Capacity { filter_depth: depth.max(1), ..capacity })
    }

    /// Whether the job compacts the markers first.
    pub fn compacts(&self) -> bool {
        self.job.dispatches().iter().any(|dispatch| dispatch.label() == "compact_markers")
    }

    /// Runs on a stream and returns the complete output of the stage.
    ///
    /// # Panics
    /// If the stream does not fit, or for the reasons of [`Self::found`].
    #[expect(clippy::expect_used, reason = "a stream that does not fit is a mistake of the test")]
    pub fn run(&self, stream: &Stream) -> Bounds {
        let written = self.inputs.write(&gpu().queue, stream);
        written.expect("the buffers have room");
        run(&self.job);
        self.found(stream)
    }

    /// Returns the output of a finished run on this stream.
    ///
    /// # Panics
    /// If the counts or the numbers of markers before each element are wrong.
    pub fn found(&self, stream: &Stream) -> Bounds {
        let Capacity { elements: n, markers: m, .. } = Capacity::of(stream);
        let counts = self.counts();
        assert_eq!((counts.elements, counts.markers, counts.status), (n, m, 0));
        let mut before = 0;
        let markers_before = stream.tags().iter().map(|tag| {
            before += u32::from(tag.is_marker());
            before - u32::from(tag.is_marker())
        });
        let (n, m) = (n as usize, m as usize);
        let Outputs {
            markers_before: seen, marker_elements, links, clips, contents, boxes, ..
        } = &self.outputs;
        let parts = read_all(&[
            (seen, 4 * n),
            (marker_elements, 4 * m),
            (links, 4 * m),
            (clips, 16 * m),
            (contents, 16 * m),
            (boxes, 16 * n),
        ]);
        let words = |part: usize| bytemuck::pod_collect_to_vec::<u8, u32>(&parts[part]);
        let rects = |part: usize| bytemuck::pod_collect_to_vec::<u8, Rect>(&parts[part]);
        assert_eq!(words(0), markers_before.collect::<Vec<_>>());
        Bounds {
            marker_elements: words(1),
            links: words(2),
            clips: rects(3),
            contents: rects(4),
            boxes: rects(5),
        }
    }

    /// Returns the landings of the last frame's elements on the canvas.
    ///
    /// # Panics
    /// If the capacity has no filters.
    #[expect(clippy::expect_used, reason = "a capacity without filters is a mistake of the test")]
    pub fn landings(&self, stream: &Stream) -> Vec<Rect> {
        read(self.outputs.landings.as_ref().expect("a capacity with filters"), stream.len())
    }

    /// Returns the numbers of elements and markers in the last frame.
    pub fn counts(&self) -> Counts {
        read(&self.outputs.counts, 1)[0]
    }
}

/// Returns the reference's answer. With clips only, the bounds of markers are their clips; with blends
/// only, all clips are empty.
pub fn expected(passes: Passes, stream: &Stream) -> Bounds {
    let mut expected = reference::bounds(stream);
    if passes == Passes::BlendsOnly {
        expected.clips.fill(Rect::new(0.0, 0.0, 0.0, 0.0));
    }
    if passes == Passes::ClipsOnly {
        expected.contents.fill(Rect::new(0.0, 0.0, 0.0, 0.0));
        for (marker, clip) in expected.clips.iter().enumerate() {
            expected.boxes[expected.marker_elements[marker] as usize] = *clip;
        }
    }
    expected
}

/// The fill value of every output before a job runs, so that unwritten words are detected.
pub const POISON: u32 = 0xdead_dead;

/// Binds whole buffers for matching.
///
/// # Errors
/// Any error of matching.
pub fn match_whole(
    matching: &Matcher,
    buffers: [&wgpu::Buffer; 3],
    scratch: &MatchScratch,
) -> Result<Job, treebounds::Error> {
    let [params, input, links] = buffers.map(whole);
    matching.bind(&MatchBindings { params, input, links }, scratch)
}

/// A [`Matcher`] bound to its own buffers.
pub struct Matching {
    /// The number of elements, which a kernel can also write.
    pub params: wgpu::Buffer,
    /// The input words.
    pub input: wgpu::Buffer,
    /// The links.
    pub links: wgpu::Buffer,
    /// The scratch.
    pub scratch: MatchScratch,
    /// The job that writes the links.
    pub job: Job,
}

impl Matching {
    /// Creates buffers for this number of elements, stored in this number of words.
    ///
    /// # Errors
    /// Any error of the stage or the device.
    pub fn new(
        matching: &Matcher,
        words: &[u32],
        capacity: u32,
    ) -> Result<Self, treebounds::Error> {
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let params = buffer(size_of::<Params>() as u64, BufferUsages::UNIFORM | storage);
        let input = buffer(4 * words.len() as u64, storage);
        let bytes = 4 * u64::from(capacity.max(1)).next_multiple_of(4);
        let links = buffer(bytes, storage | BufferUsages::COPY_SRC);
        let scratch = matching.scratch(capacity)?;
        let job = match_whole(matching, [&params, &input, &links], &scratch)?;
        let this = Self { params, input, links, scratch, job };
        this.write(words);
        Ok(this)
    }

    /// Writes the input, and poisons the links.
    pub fn write(&self, words: &[u32]) {
        let poison = vec![POISON; self.links.size() as usize / 4];
        gpu().queue.write_buffer(&self.input, 0, as_bytes(words));
        gpu().queue.write_buffer(&self.links, 0, as_bytes(&poison));
    }

    /// Runs on the first `elements` elements and returns their links.
    pub fn run(&self, elements: u32) -> Vec<u32> {
        let params = Params { elements, ..Params::default() };
        gpu().queue.write_buffer(&self.params, 0, as_bytes(&[params]));
        run(&self.job);
        read(&self.links, elements as usize)
    }
}

/// Returns the links that [`Matcher`] finds on the GPU for tag words.
///
/// # Errors
/// Any error of the stage or the device.
pub fn links(matching: &Matcher, tags: &[u32]) -> Result<Vec<u32>, treebounds::Error> {
    let n = tags.len() as u32;
    Ok(Matching::new(matching, &padded(tags), n)?.run(n))
}

/// Returns the links that [`Matcher`] finds on the GPU for a bitmap of opens.
///
/// # Errors
/// Any error of the stage or the device.
pub fn bit_links(matching: &Matcher, opens: &[bool]) -> Result<Vec<u32>, treebounds::Error> {
    let n = opens.len() as u32;
    Ok(Matching::new(matching, &bitmap(opens), n)?.run(n))
}

/// Packs one bit per element, padded with set bits, which must not affect the result.
pub fn bitmap(opens: &[bool]) -> Vec<u32> {
    let bit = |bits: &[bool], at: usize| u32::from(bits.get(at).copied().unwrap_or(true)) << at;
    let word = |bits: &[bool]| (0..32).map(|at| bit(bits, at)).sum();
    let mut words: Vec<u32> = opens.chunks(32).map(word).collect();
    words.resize(words.len().max(1), u32::MAX);
    words
}

/// Returns the tags represented by a bitmap of opens.
pub fn tags_of_bits(opens: &[bool]) -> Vec<Tag> {
    let tags = [Tag::end(NodeKind::Clip), Tag::begin(NodeKind::Clip)];
    opens.iter().map(|open| tags[usize::from(*open)]).collect()
}

/// A [`BracketMatcher`] bound to its own buffers.
pub struct Bracketing {
    /// The number of elements, which a kernel can also write.
    pub params: wgpu::Buffer,
    /// The partner of each bracket.
    pub partners: wgpu::Buffer,
    /// The scratch.
    pub scratch: MatchScratch<BracketMatcher>,
    /// The job that matches the brackets.
    pub job: Job,
    buffers: [wgpu::Buffer; 4],
}

impl Bracketing {
    /// Creates buffers with this capacity of elements and segments.
    ///
    /// # Panics
    /// If matching or the device fails.
    #[expect(clippy::expect_used, reason = "a failure of the test")]
    pub fn new(matcher: &BracketMatcher, elements: u32, segments: u32) -> Self {
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let params = buffer(size_of::<Params>() as u64, BufferUsages::UNIFORM | storage);
        let words = || buffer(4 * u64::from(elements.max(1)).next_multiple_of(4), storage);
        let partners = buffer(4 * u64::from(elements.max(1)), storage);
        let segments_buffer = buffer(16 * u64::from(segments.max(1)), storage);
        let buffers = [words(), words(), words(), segments_buffer];
        let scratch = matcher.scratch(elements, segments).expect("a scratch");
        let bindings = Self::bindings_of(&params, &partners, &buffers);
        let job = matcher.bind(&bindings, &scratch).expect("the buffers fit");
        Self { params, partners, scratch, job, buffers }
    }

    /// Returns bindings of all buffers.
    pub fn bindings(&self) -> BracketBindings<'_> {
        Self::bindings_of(&self.params, &self.partners, &self.buffers)
    }

    fn bindings_of<'a>(
        params: &'a wgpu::Buffer,
        partners: &'a wgpu::Buffer,
        [input, links, depths, segments]: &'a [wgpu::Buffer; 4],
    ) -> BracketBindings<'a> {
        BracketBindings {
            params: whole(params),
            input: whole(input),
            links: whole(links),
            partners: whole(partners),
            depths: whole(depths),
            segments: whole(segments),
        }
    }

    /// Writes the input, and poisons the outputs.
    pub fn write(&self, elements: &[Bracket]) {
        let [input, links, depths, segments] = &self.buffers;
        let padded = padded(bytemuck::cast_slice(elements));
        gpu().queue.write_buffer(input, 0, as_bytes(&padded));
        for answer in [links, depths, segments, &self.partners] {
            let poison = vec![POISON; answer.size() as usize / 4];
            gpu().queue.write_buffer(answer, 0, as_bytes(&poison));
        }
    }

    /// Matches the first `elements` elements, with as many segments as the capacity allows.
    pub fn run(&self, elements: usize) -> reference::Brackets {
        let params = Params { elements: elements as u32, ..Params::default() };
        gpu().queue.write_buffer(&self.params, 0, as_bytes(&[params]));
        run(&self.job);
        self.found(elements, self.buffers[3].size() as usize / 16)
    }

    /// Returns the output for the first elements and segments.
    pub fn found(&self, elements: usize, segments: usize) -> reference::Brackets {
        let [_, links, depths, segments_buffer] = &self.buffers;
        let bytes = 4 * elements;
        let answers = [(links, bytes), (&self.partners, bytes), (depths, bytes)];
        let parts = read_all(&[&answers[..], &[(segments_buffer, 16 * segments)]].concat());
        reference::Brackets {
            links: bytemuck::pod_collect_to_vec(&parts[0]),
            partners: bytemuck::pod_collect_to_vec(&parts[1]),
            depths: bytemuck::pod_collect_to_vec(&parts[2]),
            segments: bytemuck::pod_collect_to_vec(&parts[3]),
        }
    }
}

/// A [`Binner`] or [`PieceBinner`] bound to its own buffers.
pub struct Binning {
    /// The number of elements, which a kernel can also write.
    pub params: wgpu::Buffer,
    /// The boxes.
    pub bounds: wgpu::Buffer,
    /// The output lists.
    pub bins: Bins,
    /// The job that writes the lists.
    pub job: Job,
    headers: usize,
    capacity: BinCapacity,
}

/// The outputs of binning, as read from the buffers.
#[derive(Debug)]
pub struct Binned {
    /// The status.
    pub status: BinStatus,
    /// The position of each list.
    pub headers: Vec<BinHeader>,
    /// The whole buffer of entries, with [`POISON`] in unwritten places.
    pub entries: Vec<u32>,
}

impl Binned {
    /// Returns the total number of entries. Lists or pieces must be contiguous from the first entry
    /// on, with nothing written after them.
    ///
    /// # Panics
    /// If lists overlap or have gaps between them.
    pub fn entries_without_gaps(&self, about: &str) -> u32 {
        let mut headers: Vec<_> = self.headers.iter().filter(|header| header.count > 0).collect();
        headers.sort_by_key(|header| header.offset);
        let end = headers.iter().fold(0, |end, header| {
            assert_eq!(header.offset, end, "{about}: a gap between lists");
            end + header.count
        });
        let beyond = &self.entries[end as usize..];
        assert!(beyond.iter().all(|entry| *entry == POISON), "{about}: written past the end");
        end
    }

    /// Returns the list of each bin. In pieces, all lists of the first 256 elements come first.
    pub fn lists(&self) -> Vec<&[u32]> {
        let list =
            |header: &BinHeader| &self.entries[header.offset as usize..][..header.count as usize];
        self.headers.iter().map(list).collect()
    }

    /// Returns the list of each of `bins` bins, with its pieces concatenated.
    pub fn lists_of(&self, bins: u32) -> Vec<Vec<u32>> {
        let lists = self.lists();
        let of = |bin| lists.iter().skip(bin).step_by(bins as usize).copied().flatten().copied();
        (0..bins as usize).map(|bin| of(bin).collect()).collect()
    }
}

impl Binning {
    /// Creates buffers for a grid and a capacity.
    ///
    /// # Errors
    /// Any error of the stage or the device.
    pub fn new(
        bin: &Binner,
        grid: &BinGrid,
        capacity: BinCapacity,
    ) -> Result<Self, treebounds::Error> {
        let scratch = bin.scratch(capacity, grid)?;
        Self::bind(capacity, grid.bins(), |params, bounds, bins| {
            bin.bind(whole(params), whole(bounds), bins, &scratch)
        })
    }

    /// Creates buffers for binning in pieces.
    ///
    /// # Errors
    /// Any error of the stage or the device.
    pub fn in_pieces(
        bin: &PieceBinner,
        grid: &BinGrid,
        capacity: BinCapacity,
    ) -> Result<Self, treebounds::Error> {
        Self::bind(capacity, bin.pieces(capacity.elements) * grid.bins(), |params, bounds, bins| {
            bin.bind(whole(params), whole(bounds), bins, capacity, grid)
        })
    }

    fn bind(
        capacity: BinCapacity,
        headers: u32,
        job: impl FnOnce(&wgpu::Buffer, &wgpu::Buffer, &Bins) -> Result<Job, treebounds::Error>,
    ) -> Result<Self, treebounds::Error> {
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let BinCapacity { elements, entries } = capacity;
        let params = buffer(size_of::<Params>() as u64, BufferUsages::UNIFORM | storage);
        let bounds = buffer(16 * u64::from(elements.max(1)), storage);
        let bins = Bins {
            status: buffer(16, storage),
            headers: buffer(8 * u64::from(headers.max(1)), storage),
            entries: buffer(4 * u64::from(entries.max(1)), storage),
        };
        let job = job(&params, &bounds, &bins)?;
        Ok(Self { params, bounds, bins, job, headers: headers as usize, capacity })
    }

    /// Bins the boxes, with this number of elements.
    pub fn run(&self, boxes: &[Rect], elements: u32) -> Binned {
        let params = Params { elements, ..Params::default() };
        gpu().queue.write_buffer(&self.params, 0, as_bytes(&[params]));
        gpu().queue.write_buffer(&self.bounds, 0, as_bytes(boxes));
        self.poison();
        run(&self.job);
        self.read()
    }

    /// Overwrites all outputs, so that unwritten places are detected.
    pub fn poison(&self) {
        for buffer in [&self.bins.status, &self.bins.headers, &self.bins.entries] {
            let poison = vec![POISON; buffer.size() as usize / 4];
            gpu().queue.write_buffer(buffer, 0, as_bytes(&poison));
        }
    }

    /// Reads the output buffers.
    pub fn read(&self) -> Binned {
        let Bins { status, headers, entries } = &self.bins;
        let entry_bytes = 4 * self.capacity.entries as usize;
        let parts = read_all(&[(status, 16), (headers, 8 * self.headers), (entries, entry_bytes)]);
        Binned {
            status: bytemuck::pod_read_unaligned(&parts[0]),
            headers: bytemuck::pod_collect_to_vec(&parts[1]),
            entries: bytemuck::pod_collect_to_vec(&parts[2]),
        }
    }
}

fn as_bytes<T: bytemuck::NoUninit>(values: &[T]) -> &[u8] {
    bytemuck::cast_slice(values)
}
