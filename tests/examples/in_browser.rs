//! The program that `tests/suite/browser.rs` runs in Chromium. Checks the stage, matching, binning and a monoid against the
//! reference through the browser's own WebGPU, and logs errors and a final line.

#[cfg(not(target_family = "wasm"))]
fn main() {
    println!("This is for a browser: cargo test -p treebounds_tests --features browser browser::");
}

#[cfg(target_family = "wasm")]
fn main() {
    std::panic::set_hook(Box::new(|info| {
        wasm::log(&info.to_string());
        wasm::log("end");
    }));
    wasm_bindgen_futures::spawn_local(async {
        if let Err(error) = wasm::all().await {
            wasm::log(&error.to_string());
        }
        wasm::log("end");
    });
}

#[cfg(target_family = "wasm")]
mod wasm {
    use bytemuck::{Pod, cast_slice};
    use futures_channel::oneshot;
    use std::error::Error;
    use std::sync::{Arc, Mutex};
    use treebounds::{
        BinCapacity, Binner, Bins, Capacity, FixBindings, Gpu, Inputs, Job, LeafFix, MatchBindings,
        MatchInput, Matcher, MatcherDescriptor, Outputs, Params, PieceBinner, Stage,
        StageDescriptor, Tuning, WgslMonoid, wgpu,
    };
    use treebounds_core::{BinGrid, BinHeader, Bounds, Stream, reference};
    use treebounds_testkit::boxes::BOX_SHAPES;
    use treebounds_testkit::streams::{
        SHAPES, padded, random_few_markers, random_scene, random_walk,
    };
    use wgpu::BufferUsages;

    type Outcome = Result<(), Box<dyn Error>>;

    /// Writes to the browser's log, which the test reads.
    pub(super) fn log(text: &str) {
        web_sys::console::log_1(&format!("treebounds {}", text.replace('\n', " ")).into());
    }

    fn check(is_right: bool, about: &str) {
        if !is_right {
            log(&format!("wrong: {about}"));
        }
    }

    pub(super) async fn all() -> Outcome {
        let gpu = Browser(Gpu::request().await?);
        let told = Arc::new(Mutex::new(Vec::new()));
        let keep = told.clone();
        gpu.0.device.on_uncaptured_error(Arc::new(move |error| {
            keep.lock().into_iter().for_each(|mut told| told.push(error.to_string()));
        }));
        gpu.check_compute().await?;
        gpu.check_stages().await?;
        gpu.check_matching().await?;
        gpu.check_bins().await?;
        gpu.check_monoid().await?;
        let errors = |about: &str, is_right: fn(&[String]) -> bool| {
            let found = told.lock().map(|mut told| std::mem::take(&mut *told)).unwrap_or_default();
            check(is_right(&found), &format!("{about}: {found:?}"));
        };
        errors("errors of the device", <[_]>::is_empty);
        gpu.check_errors().await?;
        errors("errors of a broken monoid", |found| {
            found.iter().any(|told| told.contains("0.125"))
        });
        Ok(())
    }

    struct Browser(Gpu);

    impl Browser {
        fn storage(&self, size: u64) -> wgpu::Buffer {
            let all = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
            self.buffer(size, all)
        }

        fn buffer(&self, size: u64, usage: BufferUsages) -> wgpu::Buffer {
            let size = size.next_multiple_of(16).max(16);
            let mapped_at_creation = false;
            let descriptor =
                wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation };
            self.0.device.create_buffer(&descriptor)
        }

        fn words<T: Pod>(&self, values: &[T]) -> wgpu::Buffer {
            let buffer = self.storage(size_of_val(values) as u64);
            self.0.queue.write_buffer(&buffer, 0, cast_slice(values));
            buffer
        }

        fn params(&self, elements: usize) -> wgpu::Buffer {
            let usage = BufferUsages::UNIFORM | BufferUsages::STORAGE | BufferUsages::COPY_DST;
            let params = Params { elements: elements as u32, ..Params::default() };
            let buffer = self.buffer(size_of::<Params>() as u64, usage);
            self.0.queue.write_buffer(&buffer, 0, bytemuck::bytes_of(&params));
            buffer
        }

        fn run(&self, job: &Job) {
            let mut encoder = self.0.device.create_command_encoder(&Default::default());
            job.record(&mut encoder);
            self.0.queue.submit([encoder.finish()]);
        }

        async fn read<T: Pod>(
            &self,
            buffer: &wgpu::Buffer,
            len: usize,
        ) -> Result<Vec<T>, Box<dyn Error>> {
            let target =
                self.buffer(buffer.size(), BufferUsages::MAP_READ | BufferUsages::COPY_DST);
            let mut encoder = self.0.device.create_command_encoder(&Default::default());
            encoder.copy_buffer_to_buffer(buffer, 0, &target, 0, buffer.size());
            self.0.queue.submit([encoder.finish()]);
            let (sender, receiver) = oneshot::channel();
            target.map_async(wgpu::MapMode::Read, .., |result| {
                // The receiver waits for the result.
                let _ = sender.send(result);
            });
            receiver.await??;
            let mut values: Vec<T> = bytemuck::pod_collect_to_vec(&target.get_mapped_range(..)?);
            values.truncate(len);
            Ok(values)
        }

        /// Checks that a single call computes everything, in a browser too.
        async fn check_compute(&self) -> Outcome {
            for n in [0, 100, 20_000] {
                let stream = random_scene(3, n, 50);
                let found =
                    treebounds::compute_async(&self.0.device, &self.0.queue, &stream).await?;
                check(found == reference::bounds(&stream), &format!("compute_async of {n}"));
            }
            Ok(())
        }

        /// Checks every shape in one tile, few tiles and many, and few markers among many elements.
        async fn check_stages(&self) -> Outcome {
            let sizes: &[usize] = &[0, 1, 255, 257, 1025, 5000, 8193, 70_000];
            self.check_stage(&Tuning::default(), sizes, &[300, 9000, 600_000]).await?;
            for threads in [64, 16, 4] {
                let options = Tuning { workgroup_size: Some(threads), ..Tuning::default() };
                self.check_stage(&options, &[33, 300, 1100], &[300, 3000]).await?;
            }
            Ok(())
        }

        /// Checks every shape at each size, and few markers among each of `few` elements.
        async fn check_stage(&self, options: &Tuning, sizes: &[usize], few: &[usize]) -> Outcome {
            let descriptor = StageDescriptor { few_markers: true, ..(*options).into() };
            let stage = Stage::new(&self.0.device, &descriptor)?;
            let mut streams = Vec::new();
            for (at, n) in sizes.iter().enumerate() {
                streams.extend(SHAPES.iter().map(|shape| shape.stream(*n, at as u64)));
            }
            streams.extend(few.iter().map(|n| random_few_markers(*n as u64, *n, n / 8)));
            for stream in &streams {
                let found = self.bounds(&stage, stream).await?;
                let about = || format!("{} elements, {options:?}", stream.len());
                check(found == reference::bounds(stream), &about());
            }
            Ok(())
        }

        async fn bounds(&self, stage: &Stage, stream: &Stream) -> Result<Bounds, Box<dyn Error>> {
            let device = &self.0.device;
            let capacity = Capacity::of(stream);
            let Capacity { elements, markers, .. } = capacity;
            let inputs = Inputs::new(device, capacity)?;
            let outputs = Outputs::new(device, capacity)?;
            let scratch = stage.scratch(capacity)?;
            let job = stage.bind(&inputs, &outputs, &scratch)?;
            inputs.write(&self.0.queue, stream)?;
            self.run(&job);
            let (n, m) = (elements as usize, markers as usize);
            Ok(Bounds {
                marker_elements: self.read(&outputs.marker_elements, m).await?,
                links: self.read(&outputs.links, m).await?,
                clips: self.read(&outputs.clips, m).await?,
                contents: self.read(&outputs.contents, m).await?,
                boxes: self.read(&outputs.boxes, n).await?,
            })
        }

        async fn check_matching(&self) -> Outcome {
            let matching = Matcher::new(
                &self.0.device,
                &MatcherDescriptor { input: MatchInput::Tags, ..Default::default() },
            )?;
            for n in [1, 5000, 300_000] {
                let stream = random_walk(n as u64, n);
                let tags = tag_words(&stream);
                let [params, tags] = [self.params(n), self.words(&tags)];
                let links = self.storage(4 * n as u64);
                let buffers = MatchBindings {
                    params: whole(&params),
                    input: whole(&tags),
                    links: whole(&links),
                };
                let scratch = matching.scratch(n as u32)?;
                self.run(&matching.bind(&buffers, &scratch)?);
                let found: Vec<u32> = self.read(&links, n).await?;
                check(found == reference::links(stream.tags()), &format!("{n} links"));
            }
            Ok(())
        }

        async fn check_bins(&self) -> Outcome {
            let grid = BinGrid::new(1920, 1080)?;
            let device = &self.0.device;
            let bin = Binner::new(device, &Default::default())?;
            let pieces = PieceBinner::new(device, &Default::default())?;
            let all = [300, 20_000].into_iter();
            for (n, shape) in all.flat_map(|n| BOX_SHAPES.iter().map(move |shape| (n, shape))) {
                let boxes = shape.boxes(&grid, n, 1);
                let expected = reference::bins(&grid, &boxes);
                let entries = expected.iter().map(Vec::len).sum::<usize>() as u32;
                let capacity = BinCapacity { elements: n as u32, entries };
                let [params, boxes] = [self.params(n), self.words(&boxes)];
                let scratch = bin.scratch(capacity, &grid)?;
                let bins = Bins::new(device, &grid, entries)?;
                self.run(&bin.bind(whole(&params), whole(&boxes), &bins, &scratch)?);
                let found = self.lists(&bins, grid.bins(), entries).await?;
                check(found == expected, &format!("bins of {n}, {}", shape.name));
                let cut = pieces.buffers(capacity, &grid)?;
                self.run(&pieces.bind(whole(&params), whole(&boxes), &cut, capacity, &grid)?);
                let each = pieces.pieces(n as u32) * grid.bins();
                let mut found = self.lists(&cut, each, entries).await?;
                let others = found.split_off(grid.bins() as usize);
                for (at, piece) in others.into_iter().enumerate() {
                    found[at % grid.bins() as usize].extend(piece);
                }
                check(found == expected, &format!("pieces of {n}, {}", shape.name));
            }
            Ok(())
        }

        async fn lists(
            &self,
            bins: &Bins,
            headers: u32,
            entries: u32,
        ) -> Result<Vec<Vec<u32>>, Box<dyn Error>> {
            let headers: Vec<BinHeader> = self.read(&bins.headers, headers as usize).await?;
            let entries: Vec<u32> = self.read(&bins.entries, entries as usize).await?;
            let list = |header: &BinHeader| {
                let list = entries.iter().skip(header.offset as usize).take(header.count as usize);
                list.copied().collect()
            };
            Ok(headers.iter().map(list).collect())
        }

        /// Checks sums over subtrees.
        async fn check_monoid(&self) -> Outcome {
            let fix = LeafFix::new(&self.0.device, &SUM, &Default::default())?;
            for n in [300, 100_000] {
                let stream = random_scene(n as u64, n, 50);
                let values: Vec<Sum> = (0..n as u32).map(Sum).collect();
                let [params, tags, inputs] =
                    [self.params(n), self.words(&tag_words(&stream)), self.words(&values)];
                let outputs = self.storage(4 * n as u64);
                let buffers = FixBindings {
                    params: whole(&params),
                    tags: whole(&tags),
                    inputs: whole(&inputs),
                    outputs: whole(&outputs),
                };
                let scratch = fix.scratch(n as u32)?;
                self.run(&fix.bind(&buffers, &scratch)?);
                let found: Vec<Sum> = self.read(&outputs, n).await?;
                check(found == reference::leaf_fix(stream.tags(), &values), &format!("{n} sums"));
            }
            Ok(())
        }

        /// Checks that mistakes reach the device's error handler, although the call returns them as errors elsewhere,
        /// and that blocking calls are rejected.
        async fn check_errors(&self) -> Outcome {
            let device = &self.0.device;
            // Linking detects invalid names but not mismatched types.
            let wgsl = SUM.wgsl.replace("return 0u;", "return 0.125;");
            let broken = WgslMonoid { wgsl: &wgsl, ..SUM };
            check(LeafFix::new(device, &broken, &Default::default()).is_ok(), "errors come later");
            let waited = treebounds::compute(device, &self.0.queue, &random_walk(0, 9));
            let message = waited.err().map(|error| error.to_string()).unwrap_or_default();
            check(message.contains("browser"), &format!("compute says {message:?}"));
            // Gives the browser time to report the error.
            self.read::<u32>(&self.storage(16), 1).await.map(|_| ())
        }
    }

    fn whole(buffer: &wgpu::Buffer) -> wgpu::BufferBinding<'_> {
        buffer.as_entire_buffer_binding()
    }

    fn tag_words(stream: &Stream) -> Vec<u32> {
        padded(&stream.tags().iter().map(|tag| tag.bits()).collect::<Vec<_>>())
    }

    const SUM: WgslMonoid<'_> = WgslMonoid {
        wgsl: "
            alias Input = u32;
            alias Product = u32;
            alias Output = u32;
            fn product_identity() -> Product { return 0u; }
            fn product_load(input: Input) -> Product { return input; }
            fn product_combine(first: Product, second: Product) -> Product { return first + second; }
            fn product_store(product: Product) -> Output { return product; }
        ",
        input_bytes: 4,
        product_bytes: 4,
        output_bytes: 4,
    };

    #[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
    #[repr(transparent)]
    struct Sum(u32);

    impl treebounds_core::Monoid for Sum {
        const IDENTITY: Self = Self(0);

        fn combine(&self, later: &Self) -> Self {
            Self(self.0.wrapping_add(later.0))
        }
    }
}
