//! A renderer that runs Vello's stages with either clip stage.

mod picture;
mod record;
mod spill;

use crate::buffers::Slot;
use crate::buffers::{Buffers, bytes_needed};
use crate::check::{self, Nesting};
use crate::clip_stage::{
    ClipBuffers, ClipCapacity, ClipJob, ClipStage, ClipStageDescriptor, LayerBoxes, close_layers,
};
use crate::device::{check_device, check_queue, create};
use crate::stages::{self, AFTER_CLIPS, BEFORE_CLIPS, Compiled, VELLO_CLIPS};
use crate::textures::Textures;
use crate::{Antialiasing, EncodingError, Error, Frame, Report, Sizes};
use picture::Picture;
use treebounds::device::{in_parallel, scoped};
use treebounds::wgpu;
use vello_encoding::{
    BumpAllocators, Encoding, Layout, RenderConfig, Resolver, make_mask_lut, make_mask_lut_16,
};
use wgpu::BufferUsages;

/// The clip stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clips {
    /// Vello's stage, for up to 65,792 begins and ends, and a depth of 256.
    Vello,
    /// treebounds, for any number and depth.
    Treebounds,
    /// treebounds, with each layer cut to its visible contents.
    TreeboundsShrink,
}

/// Settings for a [`Pipeline`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The clip stage.
    pub clips: Clips,
    /// The initial sizes of growing buffers.
    pub sizes: Sizes,
    /// Whether to plan the blend spill before rendering a frame with more deeply nested layers (inside four others) or a larger
    /// target than earlier frames. Without a plan, such a frame may have to be rendered twice.
    pub plan_spill: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { clips: Clips::TreeboundsShrink, sizes: Sizes::default(), plan_spill: true }
    }
}

/// The maximum number of attempts. Five consecutive failures of different stages need six.
const MOST_ATTEMPTS: u32 = 8;

/// The maximum number of begins and ends for Vello's clip stage.
const VELLO_MOST_CLIPS: u32 = 65_792;
/// The maximum number of open layers at multiples of 256 begins and ends for Vello's clip stage.
const VELLO_MOST_DEPTH: u32 = 256;

/// Renders Vello encodings on a device, with Vello's own shaders.
///
/// Buffers, textures and bindings are reused across frames and only replaced if a frame needs larger ones.
pub struct Pipeline {
    device: wgpu::Device,
    queue: wgpu::Queue,
    before: Vec<Compiled>,
    clips: ClipPart,
    after: Vec<Compiled>,
    fine: Vec<(Antialiasing, Compiled)>,
    resolver: Resolver,
    packed: Vec<u8>,
    sizes: Sizes,
    buffers: Buffers,
    textures: Textures,
    mask: Option<Antialiasing>,
    /// Bind groups of all stages except the last and the clip stage of treebounds.
    bound: Option<Vec<wgpu::BindGroup>>,
    readback: wgpu::Buffer,
    /// The target of frames whose pixels are read back.
    picture: Option<Picture>,
    /// The maximum values for which the blend spill was planned. If planning is disabled, they are larger than in any frame.
    planned: Deep,
}

/// The values that determine the blend spill.
#[derive(Clone, Copy)]
struct Deep {
    /// The number of layers inside four or more others.
    layers: u32,
    /// Width and height of the target.
    target: [u32; 2],
}

enum ClipPart {
    Vello(Vec<Compiled>),
    Treebounds { stage: Box<ClipStage>, capacity: ClipCapacity, job: Option<Box<ClipJob>> },
}

/// A frame with everything uploaded and bound.
struct Prepared {
    layout: Layout,
    config: RenderConfig,
    frame: Frame,
}

impl Pipeline {
    /// Compiles Vello's stages except the last, which is compiled when its antialiasing mode is first used.
    ///
    /// # Errors
    /// [`Error::DeviceLacks`] if a device limit is too low; [`Error::Kernel`] and [`Error::Stage`] if the device rejects a kernel;
    /// [`Error::Device`] if the device is lost, or if the queue belongs to another device, whose error handler is also called.
    pub fn new(
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        options: &Options,
    ) -> Result<Self, Error> {
        check_device(device)?;
        check_queue(device, queue)?;
        let compile = |list: &[&'static stages::Stage]| {
            let made = in_parallel(device, list, |stage| Compiled::new(device, stage));
            made.into_iter().collect::<Result<Vec<_>, _>>()
        };
        let ours = |layers| {
            let descriptor = ClipStageDescriptor { layers, ..Default::default() };
            let stage = Box::new(ClipStage::new(device, &descriptor)?);
            Ok::<_, Error>(ClipPart::Treebounds {
                stage,
                capacity: ClipCapacity::default(),
                job: None,
            })
        };
        let bytes = bytes_needed(&Layout::new(), 4, 4, [16, 16], &Sizes::NONE);
        let readback = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        Ok(Self {
            device: device.clone(),
            queue: queue.clone(),
            before: compile(&BEFORE_CLIPS)?,
            clips: match options.clips {
                Clips::Vello => ClipPart::Vello(compile(&VELLO_CLIPS)?),
                Clips::Treebounds => ours(LayerBoxes::Clip)?,
                Clips::TreeboundsShrink => ours(LayerBoxes::Visible)?,
            },
            after: compile(&AFTER_CLIPS)?,
            fine: Vec::new(),
            resolver: Resolver::new(),
            packed: Vec::new(),
            sizes: options.sizes,
            buffers: Buffers::new(device, &bytes)?,
            textures: Textures::new(device)?,
            mask: None,
            bound: None,
            readback: create(
                device,
                "bump read back",
                size_of::<BumpAllocators>() as u64,
                readback,
            )?,
            picture: None,
            planned: match options.plan_spill {
                true => Deep { layers: 0, target: [0; 2] },
                false => Deep { layers: u32::MAX, target: [u32::MAX; 2] },
            },
        })
    }

    /// Renders an encoding into a texture with unpremultiplied colors. `target` must be a view of the first mip level of an
    /// `Rgba8Unorm` texture with the usage `STORAGE_BINDING`, at least as large as the frame.
    ///
    /// This submits, waits for the GPU, and renders again if a buffer was too small.
    ///
    /// # Errors
    /// Before anything is recorded: [`Error::Encoding`], [`Error::Target`] and [`Error::TargetTooSmall`]. Before or after recording:
    /// [`Error::TooMany`]; [`Error::TooLarge`] if a buffer would exceed a device limit; [`Error::StillFailing`] if larger buffers do
    /// not help; [`Error::Kernel`] and [`Error::Stage`] if the device rejects a kernel or a binding; [`Error::Device`] if it fails.
    pub fn render_to_texture(
        &mut self,
        encoding: &Encoding,
        frame: &Frame,
        target: &wgpu::TextureView,
    ) -> Result<Report, Error> {
        let (texture, frame_size) = (target.texture(), [frame.width, frame.height]);
        let has = [texture.width(), texture.height()];
        if has[0] < frame.width || has[1] < frame.height {
            return Err(Error::TargetTooSmall { has, frame: frame_size });
        }
        self.render(encoding, frame, target, None)
    }

    /// Renders an encoding into memory as unpremultiplied RGBA with 8 bits per channel, row by row from the top.
    ///
    /// # Errors
    /// Same as [`Pipeline::render_to_texture`].
    pub fn render_to_pixels(
        &mut self,
        encoding: &Encoding,
        frame: &Frame,
    ) -> Result<(Vec<u8>, Report), Error> {
        self.check_target(frame)?;
        let mut pixels = vec![0; 4 * frame.width as usize * frame.height as usize];
        let report = self.render_to_slice(encoding, frame, &mut pixels)?;
        Ok((pixels, report))
    }

    /// Renders an encoding like [`Pipeline::render_to_pixels`], into caller-provided memory of four bytes per pixel. Short slices are
    /// filled with as many pixels as fit; the rest of longer slices is unchanged.
    ///
    /// The intermediate texture and buffer are reused until the frame size changes. Frames of the same size make no frame-sized
    /// allocations.
    ///
    /// # Errors
    /// Same as [`Pipeline::render_to_texture`]. On error, the slice is unchanged.
    pub fn render_to_slice(
        &mut self,
        encoding: &Encoding,
        frame: &Frame,
        pixels: &mut [u8],
    ) -> Result<Report, Error> {
        let picture = self.picture(frame)?;
        let report = self.render(encoding, frame, &picture.texture.view, Some(&picture))?;
        picture.read(&self.device, pixels)?;
        Ok(report)
    }

    /// Returns the target for a frame of this size, and replaces it if the size changed.
    fn picture(&mut self, frame: &Frame) -> Result<Picture, Error> {
        self.check_target(frame)?;
        let size = [frame.width, frame.height];
        let picture = match self.picture.take().filter(|picture| picture.size() == size) {
            Some(picture) => picture,
            None => Picture::new(&self.device, size)?,
        };
        Ok(self.picture.insert(picture).clone())
    }

    fn render(
        &mut self,
        encoding: &Encoding,
        frame: &Frame,
        target: &wgpu::TextureView,
        download: Option<&Picture>,
    ) -> Result<Report, Error> {
        let (layout, nesting) = self.resolve(encoding, frame)?;
        let before = self.sizes;
        self.sizes.grow(Sizes::estimate(layout.n_draw_objects, encoding.n_path_segments));
        self.plan_spill(encoding, frame, nesting.deep);
        let result = self.attempt(layout, frame, target, download);
        if result.is_err() {
            // Otherwise, a frame that is too large would make the next one fail too.
            self.sizes = before;
        }
        result
    }

    /// Plans the blend spill of a frame that has a larger target or more layers inside four others than earlier frames.
    ///
    /// Planning reads all paths, which takes longer than the remaining CPU work, so most frames are not planned.
    fn plan_spill(&mut self, encoding: &Encoding, frame: &Frame, layers: u32) {
        let Deep { layers: most, target: [width, height] } = self.planned;
        if layers == 0 || (layers <= most && frame.width <= width && frame.height <= height) {
            return;
        }
        let target = [frame.width.max(width), frame.height.max(height)];
        self.planned = Deep { layers: layers.max(most), target };
        let clips = match &self.clips {
            ClipPart::Vello(_) => Clips::Vello,
            ClipPart::Treebounds { stage, .. } => match stage.layers() {
                LayerBoxes::Clip => Clips::Treebounds,
                LayerBoxes::Visible => Clips::TreeboundsShrink,
            },
        };
        let limits = self.device.limits();
        let most = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size) / 8;
        if let Some(spill_words) = spill::words(encoding, frame, clips)
            && u64::from(spill_words) <= most
        {
            self.sizes.grow(Sizes { spill_words, ..Sizes::NONE });
        }
    }

    /// Renders until all buffers are large enough.
    fn attempt(
        &mut self,
        layout: Layout,
        frame: &Frame,
        target: &wgpu::TextureView,
        download: Option<&Picture>,
    ) -> Result<Report, Error> {
        let mut failed = 0;
        for attempts in 1..=MOST_ATTEMPTS {
            let prepared = self.prepare(layout, frame)?;
            let bump = self.submit(&prepared, target, download)?;
            let used = Sizes::of(&bump);
            used.check_dispatches(&self.device.limits())?;
            let grew = self.sizes.grow(used);
            failed = bump.failed;
            if failed == 0 && !grew {
                return Ok(self.report(attempts, used, &layout));
            }
            if !grew {
                return Err(Error::StillFailing { attempts, failed });
            }
        }
        Err(Error::StillFailing { attempts: MOST_ATTEMPTS, failed })
    }

    fn check_target(&self, frame: &Frame) -> Result<(), Error> {
        let most = self.device.limits().max_texture_dimension_2d;
        let Frame { width, height, .. } = *frame;
        if [width, height].into_iter().all(|side| (1..=most).contains(&side)) {
            Ok(())
        } else {
            Err(Error::Target { width, height, most })
        }
    }

    fn check_clips(&self, nesting: &Nesting) -> Result<(), Error> {
        let remedy = "use another of `Clips`";
        let rows = [
            ("begins and ends of layers", nesting.clips, VELLO_MOST_CLIPS),
            ("layers nested", nesting.depth_at_borders, VELLO_MOST_DEPTH),
        ];
        let over = rows.into_iter().find(|(_, count, most)| count > most);
        match (&self.clips, over) {
            (ClipPart::Vello(_), Some((what, count, most))) => {
                Err(Error::TooMany { what, count: count.into(), most: most.into(), remedy })
            }
            _ => Ok(()),
        }
    }

    /// Checks the encoding, packs it, and uploads gradients and images.
    fn resolve(&mut self, encoding: &Encoding, frame: &Frame) -> Result<(Layout, Nesting), Error> {
        self.check_target(frame)?;
        let nesting = check::nesting(encoding)?;
        self.check_clips(&nesting)?;
        let (mut layout, ramps, images) = self.resolver.resolve(encoding, &mut self.packed);
        close_layers(&mut layout, encoding);
        let (device, queue) = (&self.device, &self.queue);
        let size = [images.width, images.height];
        let mut written = self.textures.write_ramps(device, queue, &ramps);
        if written.is_ok() {
            written = self.textures.write_images(device, queue, size, images.images);
        }
        if written.is_err() {
            // The resolver assumes that everything it returned was uploaded.
            self.resolver = Resolver::new();
        }
        written?;
        if layout.draw_data_base - layout.draw_tag_base != layout.n_draw_objects {
            return Err(EncodingError::Font.into());
        }
        if self.packed.is_empty() {
            self.packed.resize(4, 0);
        }
        Ok((layout, nesting))
    }

    /// Grows the buffers, uploads the scene, and creates missing bind groups.
    fn prepare(&mut self, layout: Layout, frame: &Frame) -> Result<Prepared, Error> {
        let [width, height] = [frame.width, frame.height];
        let mut config = RenderConfig::new(&layout, width, height, &frame.base_color);
        self.sizes.write(&mut config.gpu);
        self.check_counts(&config)?;
        let mask = mask_table(frame.antialiasing);
        let bytes =
            bytes_needed(&layout, self.packed.len(), mask.len(), [width, height], &self.sizes);
        if self.buffers.are_too_small(&bytes) {
            self.bound = None;
            self.mask = None;
            self.buffers.grow(&self.device, &bytes)?;
        }
        if !self.fine.iter().any(|(mode, _)| *mode == frame.antialiasing) {
            let fine = Compiled::new(&self.device, stages::fine(frame.antialiasing))?;
            self.fine.push((frame.antialiasing, fine));
        }
        self.bind_clips(&layout)?;
        if self.bound.is_none() {
            self.bound = Some(scoped(&self.device, || self.bind_stages()).map_err(Error::Device)?);
        }
        let is_new_mask = self.mask != Some(frame.antialiasing) && !mask.is_empty();
        let write = |slot, bytes: &[u8]| self.queue.write_buffer(self.buffers.get(slot), 0, bytes);
        scoped(&self.device, || {
            write(Slot::Config, bytemuck::bytes_of(&config.gpu));
            write(Slot::Scene, &self.packed);
            if is_new_mask {
                write(Slot::MaskLut, &mask);
            }
        })
        .map_err(Error::Device)?;
        if is_new_mask {
            self.mask = Some(frame.antialiasing);
        }
        Ok(Prepared { layout, config, frame: *frame })
    }

    /// Checks that all stages can be dispatched.
    fn check_counts(&self, config: &RenderConfig) -> Result<(), Error> {
        let counts = &config.workgroup_counts;
        let workgroups = u64::from(self.device.limits().max_compute_workgroups_per_dimension);
        // Two levels of 256 tiles of 1024 path tags.
        let tags = u64::from(config.gpu.layout.path_tags_size());
        let rows = [
            ("path tags", tags, (256 * 256 * 1024).min(256 * workgroups)),
            ("draw objects", config.gpu.layout.n_draw_objects.into(), 256 * workgroups),
            ("tiles a row", counts.fine.0.into(), workgroups),
            ("tiles a column", counts.fine.1.into(), workgroups),
        ];
        match rows.into_iter().find(|(_, count, most)| count > most) {
            Some((what, count, most)) => {
                Err(Error::TooMany { what, count, most, remedy: "split the scene" })
            }
            None => Ok(()),
        }
    }

    fn bind_clips(&mut self, layout: &Layout) -> Result<(), Error> {
        let ClipPart::Treebounds { stage, capacity, job } = &mut self.clips else { return Ok(()) };
        if self.bound.is_none() {
            // A buffer was replaced.
            *job = None;
        }
        let fits =
            layout.n_draw_objects <= capacity.draw_objects && layout.n_clips <= capacity.clips;
        if layout.n_clips == 0 || (fits && job.is_some()) {
            return Ok(());
        }
        // The maximum that fits the buffers, whose sizes are based on rounded counts.
        let buffer = |slot| self.buffers.get(slot);
        let room = |slot, each: usize| (buffer(slot).size() / each as u64) as u32;
        *capacity = ClipCapacity {
            draw_objects: room(Slot::DrawMonoids, size_of::<vello_encoding::DrawMonoid>()),
            clips: room(Slot::ClipBboxes, size_of::<vello_encoding::ClipBbox>()),
        };
        let whole = |slot| buffer(slot).as_entire_buffer_binding();
        let buffers = ClipBuffers {
            config: whole(Slot::Config),
            scene: whole(Slot::Scene),
            clip_inp: whole(Slot::ClipInp),
            path_bboxes: whole(Slot::PathBboxes),
            draw_monoids: whole(Slot::DrawMonoids),
            clip_bboxes: whole(Slot::ClipBboxes),
        };
        *job = Some(Box::new(stage.bind(&buffers, *capacity)?));
        Ok(())
    }

    fn bind_stages(&self) -> Vec<wgpu::BindGroup> {
        let resource = |slot: Slot| self.buffers.get(slot).as_entire_binding();
        let vello = match &self.clips {
            ClipPart::Vello(stages) => &stages[..],
            ClipPart::Treebounds { .. } => &[],
        };
        let all = self.before.iter().chain(vello).chain(&self.after);
        all.map(|stage| stage.bind(&self.device, resource)).collect()
    }

    fn report(&self, attempts: u32, used: Sizes, layout: &Layout) -> Report {
        let job = match &self.clips {
            ClipPart::Treebounds { job: Some(job), .. } => job.bytes(),
            _ => 0,
        };
        let picture = self.picture.as_ref().map_or(0, Picture::bytes);
        Report {
            attempts,
            used,
            draw_objects: layout.n_draw_objects,
            clips: layout.n_clips,
            bytes: self.buffers.bytes() + self.textures.bytes() + job + picture,
        }
    }
}

fn mask_table(antialiasing: Antialiasing) -> Vec<u8> {
    match antialiasing {
        Antialiasing::Area => Vec::new(),
        Antialiasing::Msaa8 => make_mask_lut(),
        Antialiasing::Msaa16 => make_mask_lut_16(),
    }
}
