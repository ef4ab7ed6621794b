//! Validates every variant of every kernel with naga. Needs no GPU.
#![allow(clippy::unwrap_used, clippy::panic)]

use naga::back::{hlsl, msl};
use naga::valid::{Capabilities, ModuleInfo, ValidationFlags, Validator};
use treebounds_shaders::{
    Access, Custom, Kernel, LinkError, Linked, Size, Step, Stream, Target, Task, TreeKernel,
    Variant, VariantError, link, link_custom, link_overlay,
};

/// Parses and validates a linked kernel. Errors contain the original file and line.
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
    sizes.flat_map(|size| {
        [1, 2, 3, 4, 8, 16, 31, 32, 64].into_iter().flat_map(move |k| {
            [false, true].map(|on| Variant::new(size, k).unwrap().with_subgroups(on))
        })
    })
}

#[test]
fn every_variant_with_subgroups_is_valid() {
    variants().filter(|variant| variant.subgroups()).for_each(check_every_kernel);
}

#[test]
fn every_variant_without_subgroups_is_valid() {
    variants().filter(|variant| !variant.subgroups()).for_each(check_every_kernel);
}

/// Checks that every kernel is valid, that its bindings are listed, and that it fits in the computed workgroup memory.
fn check_every_kernel(variant: Variant) {
    let variant = &variant;
    for kernel in Kernel::all().into_iter().filter(|kernel| kernel.check(variant).is_ok()) {
        let linked = link(kernel, variant).unwrap();
        let name = kernel.name();
        match validate(&linked) {
            Err(error) => panic!("{name} in {variant:?}: {error}"),
            Ok((module, _)) => {
                check_workgroup_memory(kernel, variant, &module);
                check_bindings(&format!("{name} in {variant:?}"), &module, &linked);
            }
        }
    }
}

/// Checks that the variables in workgroup memory do not exceed the computed size.
fn check_workgroup_memory(kernel: Kernel, variant: &Variant, module: &naga::Module) {
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).unwrap();
    let shared = |space| space == naga::AddressSpace::WorkGroup;
    let globals = module.global_variables.iter().filter(|(_, global)| shared(global.space));
    let taken: u32 = globals.map(|(_, global)| layouter[global.ty].size).sum();
    let asked = match kernel {
        // A product of the default monoid is one word.
        Kernel::Tree(tree) if tree.task.stream == Stream::Monoid => {
            tree.workgroup_bytes(variant, 4)
        }
        Kernel::Tree(tree) if tree.task.filters => {
            tree.workgroup_bytes(variant, Task::FILTERED_BYTES)
        }
        Kernel::Tree(tree) => tree.workgroup_bytes(variant, 16),
        Kernel::Filter { .. } => variant.filter_workgroup_bytes(),
        _ if kernel.is_matching() => variant.match_workgroup_bytes(),
        _ => variant.bin_workgroup_bytes(),
    };
    assert!(taken <= asked, "{} in {variant:?}: {taken} of {asked}", kernel.name());
}

/// Checks that the listed bindings equal those that naga finds.
fn check_bindings(about: &str, module: &naga::Module, linked: &Linked) {
    let space = |access| match access {
        Access::Uniform => naga::AddressSpace::Uniform,
        Access::Read => naga::AddressSpace::Storage { access: naga::StorageAccess::LOAD },
        Access::ReadWrite => naga::AddressSpace::Storage {
            access: naga::StorageAccess::LOAD | naga::StorageAccess::STORE,
        },
    };
    let globals = module.global_variables.iter();
    let bound = globals.filter_map(|(_, global)| Some((global.binding?, global.space)));
    let ours = bound.filter(|(binding, _)| binding.group == 0);
    let mut declared: Vec<_> = ours.map(|(binding, space)| (binding.binding, space)).collect();
    let listed = linked.bindings().iter();
    let mut listed: Vec<_> =
        listed.map(|(binding, access)| (binding.number(), space(*access))).collect();
    declared.sort_by_key(|binding| binding.0);
    listed.sort_by_key(|binding| binding.0);
    assert_eq!(declared, listed, "{about}");
}

/// wgpu translates kernels for Metal and Direct3D. This does not test whether drivers accept the results.
#[test]
fn every_kernel_translates_to_metal_and_direct3d() {
    for subgroups in [false, true] {
        let variant = Variant::default().with_subgroups(subgroups);
        for kernel in Kernel::all().into_iter().filter(|kernel| kernel.check(&variant).is_ok()) {
            let (module, info) = validate(&link(kernel, &variant).unwrap()).unwrap();
            check_translation(&format!("{} in {variant:?}", kernel.name()), &module, &info);
        }
    }
}

fn check_translation(about: &str, module: &naga::Module, info: &ModuleInfo) {
    let options = msl::Options { lang_version: (2, 4), ..Default::default() };
    msl::write_string(module, info, &options, &Default::default())
        .unwrap_or_else(|error| panic!("Metal, {about}: {error}"));
    let model = hlsl::ShaderModel::V6_0;
    let options = hlsl::Options { shader_model: model, ..Default::default() };
    let (mut text, entry) = (String::new(), Default::default());
    hlsl::Writer::new(&mut text, &options, &entry)
        .write(module, info, None)
        .unwrap_or_else(|error| panic!("HLSL, {about}: {error}"));
}

#[test]
fn overlay_is_valid_and_translates_to_metal_and_direct3d() {
    let linked = link_overlay().unwrap();
    let (module, info) = validate(&linked).unwrap();
    let stages: Vec<_> = module.entry_points.iter().map(|entry| entry.stage).collect();
    assert_eq!(stages, [naga::ShaderStage::Vertex, naga::ShaderStage::Fragment]);
    check_bindings("overlay", &module, &linked);
    check_translation("overlay", &module, &info);
}

/// Eight is the default limit of WebGPU. Kernels for one tile may exceed it, because the stage can use the kernels of
/// [`Size::Near`] instead.
#[test]
fn required_kernels_bind_at_most_eight_storage_buffers() {
    for kernel in Kernel::all() {
        let may_be_refused = matches!(kernel, Kernel::Tree(tree) if tree.size == Size::OneTile);
        let variant = Variant::new(64, if kernel.is_matching() { 4 } else { 1 }).unwrap();
        let linked = link(kernel, &variant).unwrap();
        let is_storage = |binding: &&(_, Access)| binding.1 != Access::Uniform;
        let storage = linked.bindings().iter().filter(is_storage).count();
        assert!(storage <= if may_be_refused { 9 } else { 8 }, "{kernel:?}: {storage}");
    }
}

/// naga reports lines of the linked text.
#[test]
fn locate_maps_linked_lines_to_source_lines() {
    let linked = link(Kernel::MatchBuild, &Variant::new(64, 4).unwrap()).unwrap();
    let of = |text: &str| {
        let line = 1 + linked.source().lines().position(|line| line.contains(text)).unwrap();
        linked.locate(line)
    };
    let origin = |(file, at): (&str, usize)| {
        let path = format!("{}/wgsl/{file}", env!("CARGO_MANIFEST_DIR"));
        std::fs::read_to_string(path).unwrap().lines().nth(at - 1).unwrap().trim().to_owned()
    };
    assert_eq!(of("let leaf =").0, "match_build.wgsl");
    assert!(origin(of("let leaf =")).starts_with("let leaf ="));
    assert_eq!(of("let pairs =").0, "lib/bicyclic.wgsl");
    assert!(origin(of("let pairs =")).starts_with("let pairs ="));
    assert_eq!(of("level /= 2u").0, "lib/thread_tree.wgsl");
    assert_eq!(of("const TILE").0, "");
}

/// naga accepts subgroup operations without `enable subgroups;`, so validation cannot detect a missing directive.
#[test]
fn subgroups_are_enabled_explicitly_only_for_browsers() {
    let starts = |linked: &Linked| linked.source().starts_with("enable subgroups;\n");
    for native in variants().filter(Variant::subgroups) {
        let variant = native.with_target(Target::Browser);
        for kernel in Kernel::all().into_iter().filter(|kernel| kernel.check(&variant).is_ok()) {
            let linked = link(kernel, &variant).unwrap();
            let code = linked.source().lines().filter(|line| !line.trim().starts_with("//"));
            let uses = code.skip(2).any(|line| line.contains("subgroupShuffle"));
            assert!(starts(&linked) || !uses, "{} in {variant:?}", kernel.name());
        }
    }
    let task = Task::both(Stream::Scene);
    let spine = Kernel::Tree(TreeKernel { step: Step::Spine, task, size: Size::Bundles });
    let native = Variant::default().with_subgroups(true);
    assert!(starts(&link(spine, &native.with_target(Target::Browser)).unwrap()));
    assert!(!link(spine, &native).unwrap().source().contains("enable subgroups;"));
}

#[test]
fn matching_rejects_elements_per_thread_that_are_not_multiples_of_four() {
    for per_thread in 1..=32 {
        let linked = link(Kernel::MatchResolve, &Variant::new(64, per_thread).unwrap());
        let refused = matches!(linked, Err(LinkError::Variant(VariantError::Vectors(_))));
        assert_eq!(refused, per_thread % 4 != 0);
    }
    let linked = link(Kernel::MatchReduce, &Variant::new(1024, 32).unwrap());
    assert!(matches!(linked, Err(LinkError::Variant(VariantError::Codes(_)))));
}

#[test]
fn custom_role_replaces_the_default() {
    let role = "\nfn role(tag: u32) -> u32 {\n    return select(0u, 1u, tag == 40u);\n}";
    let linked = link_with_role(role).unwrap();
    validate(&linked).unwrap();
    assert_eq!(linked.source().matches("fn role_role(").count(), 1);
    let line = 1 + linked.source().lines().position(|line| line.contains("tag == 40u")).unwrap();
    assert_eq!(linked.locate(line), (Linked::GIVEN, 3));
}

/// As in WGSL, a variable shadows a declaration of the same name only after its own initializer.
#[test]
fn variables_do_not_shadow_declarations_in_their_initializers() {
    let role = "
        import package::constants::{NONE, TILE};
        fn low(tag: u32) -> u32 { return tag & NONE; }
        fn role(TILE: u32) -> u32 {
            { let low = low(TILE); if low == 1u { return low; } }
            return low(TILE + 1u);
        }";
    let linked = link_with_role(role).unwrap();
    validate(&linked).unwrap();
    for text in
        ["fn role_role(TILE: u32)", "let low = role_low(TILE);", "return role_low(TILE + 1u);"]
    {
        assert!(linked.source().contains(text), "{text}");
    }
}

fn link_with_role(role: &str) -> Result<Linked, LinkError> {
    let custom = Custom { role: Some(role), ..Custom::default() };
    link_custom(Kernel::MatchReduce, &Variant::new(64, 4).unwrap(), &custom)
}

/// Tests errors that occur before naga can validate a linked text.
#[test]
fn link_errors_contain_file_and_line() {
    let wrong = [
        ("const A = 1u;\n\nfn role(", 3),
        ("const A = 1u;\nfn roll(tag: u32) -> u32 { return tag; }", 0),
        (
            "import package::lib::nothing::there;\nfn role(tag: u32) -> u32 { return there(tag); }",
            1,
        ),
        ("fn role(tag: u32) -> u32 {\n    return tag & TILE;\n}", 2),
    ];
    for (role, expected) in wrong {
        match link_with_role(role).unwrap_err() {
            LinkError::Wgsl { file, line, message } => {
                assert!(line == expected || expected == 0, "{role}: {file}: {line}: {message}");
                assert!(!message.is_empty() && !message.contains('\n'), "{message}");
                assert!(!file.is_empty(), "{role}: {message}");
            }
            error => panic!("{role}: {error}"),
        }
    }
}
