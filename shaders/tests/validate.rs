//! Every kernel in every variant is valid WGSL, as naga sees it. Needs no GPU.
#![allow(clippy::unwrap_used, clippy::panic)]

use naga::back::{hlsl, msl};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use treebounds_shaders::{
    Access, Custom, Kernel, Linked, RectFormat, Task, Variant, link, link_custom,
};

/// Parses and validates; an error names the fragment's file and line.
fn validate(linked: &Linked) -> Result<(naga::Module, ModuleInfo), String> {
    let module = naga::front::wgsl::parse_str(linked.source()).map_err(|error| {
        let line = error.location(linked.source()).map_or(0, |at| at.line_number as usize);
        let (file, line) = linked.locate(line);
        format!("{file}:{line}: {error}")
    })?;
    let capabilities = Capabilities::SUBGROUP;
    let info = Validator::new(ValidationFlags::all(), capabilities).validate(&module).map_err(
        |error| {
            let line = error.location(linked.source()).map_or(0, |at| at.line_number as usize);
            let (file, line) = linked.locate(line);
            format!("{file}:{line}: {}", error.emit_to_string(linked.source()))
        },
    )?;
    Ok((module, info))
}

fn variants() -> impl Iterator<Item = Variant> {
    let sizes = (1..=10).map(|log2| 1 << log2);
    let all = sizes.flat_map(|size| {
        [1, 2, 3, 4, 8, 16, 31, 32, 64].into_iter().flat_map(move |k| {
            [false, true].map(|on| Variant::new(size, k).unwrap().with_subgroups(on))
        })
    });
    all.flat_map(|variant| {
        let of_tiles =
            (variant.per_thread() == 1).then(|| [variant.in_runs(), variant.in_bundles()]);
        [variant].into_iter().chain(of_tiles.into_iter().flatten())
    })
}

#[test]
fn every_kernel_in_every_variant_is_valid() {
    for variant in variants() {
        for kernel in Kernel::all().into_iter().filter(|kernel| kernel.check(&variant).is_ok()) {
            if let Err(error) = validate(&link(kernel, &variant).unwrap()) {
                panic!("{} in {variant:?}: {error}", kernel.name());
            }
        }
    }
}

/// Where wgpu has no Vulkan, it says the same in other words. What a driver makes of these, only a driver knows.
#[test]
fn every_kernel_has_words_for_metal_and_direct3d() {
    for subgroups in [false, true] {
        let variant = Variant::default().with_subgroups(subgroups);
        for kernel in Kernel::all().into_iter().filter(|kernel| kernel.check(&variant).is_ok()) {
            let (module, info) = validate(&link(kernel, &variant).unwrap()).unwrap();
            let options = msl::Options { lang_version: (2, 4), ..Default::default() };
            msl::write_string(&module, &info, &options, &Default::default())
                .unwrap_or_else(|error| panic!("Metal, {} in {variant:?}: {error}", kernel.name()));
            let model = hlsl::ShaderModel::V6_0;
            let options = hlsl::Options { shader_model: model, ..Default::default() };
            let (mut text, entry) = (String::new(), Default::default());
            hlsl::Writer::new(&mut text, &options, &entry)
                .write(&module, &info, None)
                .unwrap_or_else(|error| panic!("HLSL, {} in {variant:?}: {error}", kernel.name()));
        }
    }
}

/// Bytes of all that is in workgroup memory.
fn workgroup_bytes(linked: &Linked) -> u32 {
    let module = naga::front::wgsl::parse_str(linked.source()).unwrap();
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).unwrap();
    let shared = |space| space == naga::AddressSpace::WorkGroup;
    let globals = module.global_variables.iter().filter(|(_, global)| shared(global.space));
    globals.map(|(_, global)| layouter[global.ty].size).sum()
}

/// Devices are asked for what the formulas say.
#[test]
fn no_kernel_takes_more_workgroup_memory_than_is_asked_for() {
    for variant in variants() {
        for kernel in Kernel::all().into_iter().filter(|kernel| kernel.check(&variant).is_ok()) {
            let asked = match kernel {
                Kernel::BinPieces => variant.piece_workgroup_bytes(),
                Kernel::BinCount | Kernel::BinScan | Kernel::BinSums => {
                    variant.bin_workgroup_bytes()
                }
                Kernel::BinEmit(_) | Kernel::BinFew => variant.bin_workgroup_bytes(),
                _ if kernel.is_matching() => variant.match_workgroup_bytes(),
                Kernel::SurviveBundles(task) | Kernel::OutsideBundles(task) => {
                    let alone = variant.with_subgroups(variant.subgroups() && !task.is_generic());
                    let flow = if task.flows() && !task.is_generic() { 16 } else { 4 };
                    alone.bundle_workgroup_bytes(flow)
                }
                // The monoid that stands in for the caller's has a word.
                _ if kernel.task().is_some_and(Task::is_generic) => variant.workgroup_bytes(4),
                Kernel::OneTile(_) => variant.one_tile_workgroup_bytes(),
                _ => variant.scene_workgroup_bytes(),
            };
            let taken = workgroup_bytes(&link(kernel, &variant).unwrap());
            assert!(taken <= asked, "{} in {variant:?}: {taken} of {asked}", kernel.name());
        }
    }
}

/// WebGPU's default limit.
#[test]
fn no_kernel_that_must_run_binds_more_than_eight_storage_buffers() {
    for kernel in Kernel::all().into_iter().filter(|kernel| !kernel.is_optional()) {
        let bindings = kernel.bindings();
        let storage = bindings.iter().filter(|binding| binding.1 != Access::Uniform).count();
        assert!(storage <= 8, "{kernel:?}: {storage}");
    }
}

#[test]
fn scenes_in_every_format_are_valid() {
    use RectFormat::{F32, I16, I32, PathBbox};
    for rects in [F32, I32, I16, PathBbox] {
        for boxes in [F32, I32, I16] {
            let variant = Variant::default().with_formats(rects, boxes).unwrap();
            for kernel in Kernel::all().into_iter().filter(|kernel| kernel.check(&variant).is_ok())
            {
                if let Err(error) = validate(&link(kernel, &variant).unwrap()) {
                    panic!("{} from {rects:?} to {boxes:?}: {error}", kernel.name());
                }
            }
        }
    }
    assert!(Variant::default().with_formats(F32, PathBbox).is_err());
}

#[test]
fn lines_are_traced_to_their_fragments() {
    let linked = link(Kernel::Survive(Task::Scene), &Variant::default()).unwrap();
    let line = 1 + linked.source().lines().position(|l| l.starts_with("fn role_in")).unwrap();
    let (file, at) = linked.locate(line);
    assert_eq!(file, "parts/ranks.wgsl");
    let text = include_str!("../wgsl/parts/ranks.wgsl");
    assert!(text.lines().nth(at - 1).unwrap().starts_with("fn role_in"));
    assert_eq!(linked.locate(1), ("", 1));
}

#[test]
fn browsers_are_told_of_subgroups_and_naga_is_not() {
    use treebounds_shaders::Target;
    let variant = Variant::default().with_subgroups(true);
    let native = link(Kernel::Survive(Task::Scene), &variant).unwrap();
    let browser =
        link(Kernel::Survive(Task::Scene), &variant.with_target(Target::Browser)).unwrap();
    assert!(!native.source().contains("enable subgroups;"));
    assert!(browser.source().starts_with("enable subgroups;\n"));
}

/// naga knows no `enable subgroups;`, and so minds no lack of it.
#[test]
fn a_browser_is_told_wherever_there_is_a_subgroup() {
    use treebounds_shaders::Target;
    for variant in variants().filter(Variant::subgroups) {
        let variant = variant.with_target(Target::Browser);
        for kernel in Kernel::all().into_iter().filter(|kernel| kernel.check(&variant).is_ok()) {
            let linked = link(kernel, &variant).unwrap();
            let code = linked.source().lines().filter(|line| !line.trim().starts_with("//"));
            let uses = code.skip(2).any(|line| line.contains("subgroupShuffle"));
            let told = linked.source().starts_with("enable subgroups;");
            assert!(told || !uses, "{} in {variant:?}", kernel.name());
        }
    }
}

#[test]
fn vectors_want_a_multiple_of_four() {
    use treebounds_shaders::VariantError;
    for per_thread in 1..=32 {
        let linked = link(Kernel::MatchResolve, &Variant::new(64, per_thread).unwrap());
        let refused = matches!(linked, Err(VariantError::Vectors(_)));
        assert_eq!(refused, per_thread % 4 != 0);
    }
    let linked = link(Kernel::MatchReduce, &Variant::new(1024, 32).unwrap());
    assert!(matches!(linked, Err(VariantError::Codes(_))));
}

#[test]
fn only_the_first_kernel_takes_several_tiles_a_workgroup() {
    use treebounds_shaders::VariantError;
    let runs = Variant::new(8, 1).unwrap().in_runs();
    assert_eq!((runs.tile(), runs.tiles()), (8, 8));
    for kernel in [Kernel::Count, Kernel::MatchReduce, Kernel::BinCount] {
        assert_eq!(kernel.check(&runs), Err(VariantError::Tiles(8)));
    }
    assert_eq!(Kernel::Survive(Task::Scene).check(&runs), Ok(()));
}

#[test]
fn each_workgroup_reads_all_elements_where_it_has_the_threads() {
    use treebounds_shaders::{Reach, VariantError};
    let [few, enough] = [8, 16].map(|threads| Variant::new(threads, 1).unwrap());
    assert_eq!([few.nearest(), enough.nearest()], [0, 64]);
    for kernel in [Kernel::Resolve, Kernel::Span].map(|of| of(Task::Scene, Reach::Nearest)) {
        assert_eq!(kernel.check(&few), Err(VariantError::Nearest(8)));
        assert_eq!(kernel.check(&enough), Ok(()));
    }
}

/// Whoever gives WGSL is promised names that are free.
#[test]
fn no_name_of_a_kernel_begins_with_my() {
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    for kernel in
        Kernel::all().into_iter().filter(|kernel| kernel.check(&Variant::default()).is_ok())
    {
        let linked = link(kernel, &Variant::default()).unwrap();
        let taken =
            linked.source().split(|letter| !is_name(letter)).find(|name| name.starts_with("my_"));
        assert_eq!(taken, None, "{}", kernel.name());
    }
}

#[test]
fn roles_of_the_callers_own_take_the_place_of_ours() {
    let role = "fn role(tag: u32) -> u32 { return select(0u, 1u, tag == 40u); }";
    let custom = Custom { role, ..Custom::default() };
    let linked = link_custom(Kernel::MatchReduce, &Variant::new(64, 4).unwrap(), &custom).unwrap();
    validate(&linked).unwrap();
    assert_eq!(linked.source().matches("fn role(").count(), 1);
    assert!(linked.source().contains(role));
}
