//! Jobs of the stage, of matching and of binning, each bound to buffers of its own.

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

/// [`Stage`] bound to buffers of its own.
pub struct Bound {
    /// The number of elements, the tags and the rects.
    pub inputs: Inputs,
    /// The answer.
    pub outputs: Outputs,
    /// The job that finds it.
    pub job: Job,
    /// Its scratch.
    pub scratch: Scratch,
}

impl Bound {
    /// Buffers with room for this much.
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

    /// The same for scenes with so many filters around an element.
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

    /// Runs on a stream and returns all that the stage wrote.
    ///
    /// # Panics
    /// If the stream does not fit, or as [`Self::found`] does.
    #[expect(clippy::expect_used, reason = "a stream that does not fit is a mistake of the test")]
    pub fn run(&self, stream: &Stream) -> Bounds {
        let written = self.inputs.write(&gpu().queue, stream);
        written.expect("the buffers have room");
        run(&self.job);
        self.found(stream)
    }

    /// All that the stage wrote of a stream, when a job has run.
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

    /// Where on the canvas the elements of the last frame are seen, if the stage has computed that.
    ///
    /// # Panics
    /// If the capacity has no filters.
    #[expect(clippy::expect_used, reason = "a capacity without filters is a mistake of the test")]
    pub fn landings(&self, stream: &Stream) -> Vec<Rect> {
        read(self.outputs.landings.as_ref().expect("a capacity with filters"), stream.len())
    }

    /// How many elements and markers the last frame had.
    pub fn counts(&self) -> Counts {
        read(&self.outputs.counts, 1)[0]
    }
}

/// The reference's answer; with clips alone, clips for bounds of markers; with blends alone, no clips.
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

/// Fills every output before a job runs, so that a word which no kernel wrote is seen.
pub const POISON: u32 = 0xdead_dead;

/// Binds whole buffers: params, input and links.
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

/// [`Matcher`] bound to buffers of its own.
pub struct Matching {
    /// How many elements there are; a kernel can write it too.
    pub params: wgpu::Buffer,
    /// The input.
    pub input: wgpu::Buffer,
    /// The links.
    pub links: wgpu::Buffer,
    /// The scratch.
    pub scratch: MatchScratch,
    /// What finds them.
    pub job: Job,
}

impl Matching {
    /// Buffers for this many elements, which these words hold.
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

    /// Finds the links of so many elements.
    pub fn run(&self, elements: u32) -> Vec<u32> {
        let params = Params { elements, ..Params::default() };
        gpu().queue.write_buffer(&self.params, 0, as_bytes(&[params]));
        run(&self.job);
        read(&self.links, elements as usize)
    }
}

/// The links that [`Matcher`] finds on the GPU for these tag words.
///
/// # Errors
/// Any error of the stage or the device.
pub fn links(matching: &Matcher, tags: &[u32]) -> Result<Vec<u32>, treebounds::Error> {
    let n = tags.len() as u32;
    Ok(Matching::new(matching, &padded(tags), n)?.run(n))
}

/// The links that [`Matcher`] finds on the GPU for a bitmap of what opens.
///
/// # Errors
/// Any error of the stage or the device.
pub fn bit_links(matching: &Matcher, opens: &[bool]) -> Result<Vec<u32>, treebounds::Error> {
    let n = opens.len() as u32;
    Ok(Matching::new(matching, &bitmap(opens), n)?.run(n))
}

/// A bit an element; past the last come set bits, which must not matter.
pub fn bitmap(opens: &[bool]) -> Vec<u32> {
    let bit = |bits: &[bool], at: usize| u32::from(bits.get(at).copied().unwrap_or(true)) << at;
    let word = |bits: &[bool]| (0..32).map(|at| bit(bits, at)).sum();
    let mut words: Vec<u32> = opens.chunks(32).map(word).collect();
    words.resize(words.len().max(1), u32::MAX);
    words
}

/// The tags that a bitmap of what opens stands for.
pub fn tags_of_bits(opens: &[bool]) -> Vec<Tag> {
    let tags = [Tag::end(NodeKind::Clip), Tag::begin(NodeKind::Clip)];
    opens.iter().map(|open| tags[usize::from(*open)]).collect()
}

/// [`BracketMatcher`] bound to buffers of its own.
pub struct Bracketing {
    /// How many elements there are; a kernel can write it too.
    pub params: wgpu::Buffer,
    /// The other bracket of each pair.
    pub partners: wgpu::Buffer,
    /// The scratch.
    pub scratch: MatchScratch<BracketMatcher>,
    /// What matches them.
    pub job: Job,
    /// The input, links, depths and segments.
    buffers: [wgpu::Buffer; 4],
}

impl Bracketing {
    /// Buffers with room for this many elements and segments.
    ///
    /// # Panics
    /// If matching or the device refuses.
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

    /// Its buffers.
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

    /// Writes the input, and poisons the answers.
    pub fn write(&self, elements: &[Bracket]) {
        let [input, links, depths, segments] = &self.buffers;
        let padded = padded(bytemuck::cast_slice(elements));
        gpu().queue.write_buffer(input, 0, as_bytes(&padded));
        for answer in [links, depths, segments, &self.partners] {
            let poison = vec![POISON; answer.size() as usize / 4];
            gpu().queue.write_buffer(answer, 0, as_bytes(&poison));
        }
    }

    /// Matches so many elements. The capacity is the number of segments.
    pub fn run(&self, elements: usize) -> reference::Brackets {
        let params = Params { elements: elements as u32, ..Params::default() };
        gpu().queue.write_buffer(&self.params, 0, as_bytes(&[params]));
        run(&self.job);
        self.found(elements, self.buffers[3].size() as usize / 16)
    }

    /// The answers for the first elements and segments.
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

/// [`Binner`] or [`PieceBinner`], bound to buffers of its own.
pub struct Binning {
    /// How many elements there are; a kernel can write it too.
    pub params: wgpu::Buffer,
    /// The boxes.
    pub bounds: wgpu::Buffer,
    /// The lists that are found.
    pub bins: Bins,
    /// The job that finds them.
    pub job: Job,
    headers: usize,
    capacity: BinCapacity,
}

/// The outputs of binning, as they are in the buffers.
#[derive(Debug)]
pub struct Binned {
    /// The status.
    pub status: BinStatus,
    /// The place of each list.
    pub headers: Vec<BinHeader>,
    /// All that is in the buffer, [`POISON`] where no kernel wrote.
    pub entries: Vec<u32>,
}

impl Binned {
    /// How many entries all lists or pieces have, which must lie without gaps from the first on, with
    /// nothing written after them.
    ///
    /// # Panics
    /// If they overlap or leave gaps.
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

    /// The list of each bin. In pieces, all lists of the first 256 elements come first.
    pub fn lists(&self) -> Vec<&[u32]> {
        let list =
            |header: &BinHeader| &self.entries[header.offset as usize..][..header.count as usize];
        self.headers.iter().map(list).collect()
    }

    /// The list of each of so many bins, its pieces one after the other.
    pub fn lists_of(&self, bins: u32) -> Vec<Vec<u32>> {
        let lists = self.lists();
        let of = |bin| lists.iter().skip(bin).step_by(bins as usize).copied().flatten().copied();
        (0..bins as usize).map(|bin| of(bin).collect()).collect()
    }
}

impl Binning {
    /// Buffers for a grid and a capacity.
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

    /// The same of binning in pieces.
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

    /// Finds the bins of these boxes, for this count of them.
    pub fn run(&self, boxes: &[Rect], elements: u32) -> Binned {
        let params = Params { elements, ..Params::default() };
        gpu().queue.write_buffer(&self.params, 0, as_bytes(&[params]));
        gpu().queue.write_buffer(&self.bounds, 0, as_bytes(boxes));
        self.poison();
        run(&self.job);
        self.read()
    }

    /// Overwrites all that is written, so that what the kernels leave out shows.
    pub fn poison(&self) {
        for buffer in [&self.bins.status, &self.bins.headers, &self.bins.entries] {
            let poison = vec![POISON; buffer.size() as usize / 4];
            gpu().queue.write_buffer(buffer, 0, as_bytes(&poison));
        }
    }

    /// Reads the buffers back.
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
