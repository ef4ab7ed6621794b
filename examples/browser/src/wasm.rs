//! What the worker calls.

use std::sync::Arc;
use treebounds::{Capacity, Gpu, Inputs, Job, Outputs, Scratch, Stage, StageDescriptor};
use treebounds_core::{Bounds, Rect, Stream, reference};
use treebounds_encoding::svg::{self, Drawing, usvg::fontdb::Database};
use treebounds_report::{Backend, Findings, Report};
use wasm_bindgen::prelude::*;

type Outcome<T> = Result<T, JsError>;

/// How often a computation is timed at most; the middle of the times counts.
const RUNS: usize = 5;
/// Milliseconds of timing after which no further run begins: a slow adapter takes seconds a run.
const ENOUGH: f64 = 1000.0;

/// A drawing, and what it is computed on.
#[wasm_bindgen]
#[derive(Default)]
pub struct Desk {
    fonts: Database,
    drawing: Option<Drawing>,
    /// The drawing's elements, over and over.
    stream: Option<Stream>,
    gpu: Option<Gpu>,
    /// The GPU's kernels, compiled once.
    stage: Option<Stage>,
    on_cpu: Bounds,
    on_gpu: Bounds,
}

#[wasm_bindgen]
impl Desk {
    /// A desk without a drawing or a GPU.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a font file for text.
    #[wasm_bindgen(js_name = addFont)]
    pub fn add_font(&mut self, file: Vec<u8>) {
        self.fonts.load_font_data(file);
        let family = self
            .fonts
            .faces()
            .next()
            .and_then(|face| face.families.first())
            .map(|(name, _)| name.clone());
        if let Some(family) = family {
            self.fonts.set_serif_family(family.clone());
            self.fonts.set_sans_serif_family(family.clone());
            self.fonts.set_monospace_family(family.clone());
            self.fonts.set_cursive_family(family.clone());
            self.fonts.set_fantasy_family(family);
        }
    }

    /// Reads a file; how many elements it has. The drawing before stays where the file cannot be read.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn read(&mut self, file: &[u8]) -> Outcome<usize> {
        let mut options = svg::Options::default().system_fonts(false);
        options.fonts = Some(Arc::new(self.fonts.clone()));
        let drawing = svg::encode(file, &options)?;
        let elements = drawing.scene.stream.len();
        self.stream = Some(drawing.scene.stream.clone());
        self.drawing = Some(drawing);
        Ok(elements)
    }

    /// Opens WebGPU; the adapter's name.
    ///
    /// # Errors
    /// There is none.
    #[wasm_bindgen(js_name = openGpu)]
    pub async fn open_gpu(&mut self) -> Outcome<String> {
        let gpu = Gpu::request().await?;
        let parts = [&gpu.adapter.name, &gpu.adapter.device.to_string(), &gpu.adapter.driver_info];
        let name = parts.into_iter().find(|name| !name.is_empty() && *name != "0").cloned();
        self.gpu = Some(gpu);
        Ok(name.unwrap_or_else(|| "WebGPU".to_owned()))
    }

    /// Whether there is a GPU.
    #[wasm_bindgen(js_name = hasGpu)]
    pub fn has_gpu(&self) -> bool {
        self.gpu.is_some()
    }

    /// Takes the drawing so many times, one beside the other; how many elements that are.
    ///
    /// # Errors
    /// There is no drawing, or these are too many elements.
    pub fn repeat(&mut self, times: usize) -> Outcome<usize> {
        let drawing = self.drawing.as_ref().ok_or_else(|| JsError::new("there is no drawing"))?;
        let one = &drawing.scene.stream;
        let tags = one.tags().repeat(times);
        let rects: Vec<Rect> = one.rects().repeat(times);
        let stream = Stream::new(tags, rects, one.viewport())?;
        let elements = stream.len();
        self.stream = Some(stream);
        Ok(elements)
    }

    /// Computes by the reference, in WebAssembly; milliseconds.
    ///
    /// # Errors
    /// There is no drawing.
    #[wasm_bindgen(js_name = onCpu)]
    pub fn on_cpu(&mut self) -> Outcome<f64> {
        let stream = self.stream.as_ref().ok_or_else(|| JsError::new("there is no drawing"))?;
        let mut bounds = std::mem::take(&mut self.on_cpu);
        let mut times = Vec::with_capacity(RUNS);
        while !is_enough(&times) {
            let start = now();
            reference::bounds_into(stream, &mut bounds);
            times.push(now() - start);
        }
        self.on_cpu = bounds;
        Ok(middle(times))
    }

    /// Computes on WebGPU; milliseconds of the kernels, with the waiting for them, and of a run with upload and readback.
    /// `is_wanted` is asked between the runs: nothing comes back where it says false.
    ///
    /// The desk is borrowed until the promise is kept: until then no other method may be called.
    ///
    /// # Errors
    /// There is no drawing or no GPU, the GPU cannot hold so many elements, or it fails.
    #[wasm_bindgen(js_name = onGpu)]
    pub async fn on_gpu(&mut self, is_wanted: js_sys::Function) -> Outcome<Option<Vec<f64>>> {
        let is_wanted = || is_wanted.call0(&JsValue::NULL).is_ok_and(|answer| answer.is_truthy());
        let stream = self.stream.as_ref().ok_or_else(|| JsError::new("there is no drawing"))?;
        let gpu = self.gpu.as_ref().ok_or_else(|| JsError::new("there is no GPU"))?;
        let stage = match self.stage.take() {
            Some(stage) => self.stage.insert(stage),
            None => {
                let descriptor =
                    StageDescriptor { few_markers: true, filter_depth: 16, ..Default::default() };
                self.stage.insert(Stage::new(&gpu.device, &descriptor)?)
            }
        };
        stage.compute_async(&gpu.queue, stream).await?;
        let ready = Ready::new(stage, gpu, stream)?;
        let mut times = Vec::with_capacity(RUNS);
        while !is_enough(&times) {
            if !is_wanted() {
                return Ok(None);
            }
            times.push(ready.time(gpu).await?);
        }
        if !is_wanted() {
            return Ok(None);
        }
        // The readback comes last: it fails where the GPU was lost in one of the runs before, which end without an error.
        let start = now();
        self.on_gpu = stage.compute_async(&gpu.queue, stream).await?;
        Ok(Some(vec![middle(times), now() - start]))
    }

    /// Whether both gave the same bits.
    pub fn agree(&self) -> bool {
        let bits = |bounds: &Bounds| {
            let boxes = [&bounds.boxes, &bounds.clips, &bounds.contents];
            boxes.map(|boxes| bytemuck::cast_slice::<Rect, u32>(boxes).to_vec())
        };
        bits(&self.on_cpu) == bits(&self.on_gpu) && self.on_cpu.links == self.on_gpu.links
    }

    /// The report on the drawing itself; `gpu`: what the GPU is called, where it is the GPU's answer.
    ///
    /// # Errors
    /// There is no drawing, or it has not been computed.
    pub fn report(&self, source: &str, gpu: Option<String>) -> Outcome<String> {
        let drawing = self.drawing.as_ref().ok_or_else(|| JsError::new("there is no drawing"))?;
        let bounds = if gpu.is_some() { &self.on_gpu } else { &self.on_cpu };
        let findings = Findings::new(&drawing.scene, bounds)?.of(&drawing.document)?;
        let backend = gpu.map_or(Backend::Cpu, |adapter| Backend::Gpu { adapter });
        let mut json = Vec::new();
        Report::new(&findings, backend, source).write_json(&mut json)?;
        Ok(String::from_utf8(json)?)
    }

    /// The GPU's device, which can be lost while the desk computes; none without a GPU.
    pub fn device(&self) -> Option<Device> {
        self.gpu.as_ref().map(|gpu| Device(gpu.device.clone()))
    }

    /// Does without the GPU from now on.
    #[wasm_bindgen(js_name = dropGpu)]
    pub fn drop_gpu(&mut self) {
        (self.gpu, self.stage) = (None, None);
    }
}

/// A GPU's device.
#[wasm_bindgen]
pub struct Device(wgpu::Device);

#[wasm_bindgen]
impl Device {
    /// Loses the device, as a driver may: for tests.
    pub fn lose(&self) {
        self.0.destroy();
    }
}

/// A job with its input in place.
struct Ready {
    job: Job,
    _buffers: (Inputs, Outputs, Scratch),
}

impl Ready {
    fn new(stage: &Stage, gpu: &Gpu, stream: &Stream) -> Outcome<Self> {
        let capacity = Capacity::of(stream);
        let inputs = Inputs::new(&gpu.device, capacity)?;
        let outputs = Outputs::new(&gpu.device, capacity)?;
        let scratch = stage.scratch(capacity)?;
        inputs.write(&gpu.queue, stream)?;
        let job = stage.bind(&inputs, &outputs, &scratch)?;
        Ok(Self { job, _buffers: (inputs, outputs, scratch) })
    }

    async fn time(&self, gpu: &Gpu) -> Outcome<f64> {
        let start = now();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.job.record(&mut encoder);
        gpu.queue.submit([encoder.finish()]);
        let done = js_sys::Promise::new(&mut |resolve, _| {
            gpu.queue.on_submitted_work_done(move || {
                // The promise waits for it.
                let _ = resolve.call0(&JsValue::NULL);
            });
        });
        wasm_bindgen_futures::JsFuture::from(done)
            .await
            .map_err(|_| JsError::new("the GPU was lost"))?;
        Ok(now() - start)
    }
}

/// Milliseconds since some time.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

fn is_enough(times: &[f64]) -> bool {
    times.len() == RUNS || times.iter().sum::<f64>() > ENOUGH
}

fn middle(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
