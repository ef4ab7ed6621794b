//! Kernels that are rejected: wrong WGSL from a caller, and options without a variant.

use crate::faults::lab::Lab;
use crate::faults::subjects::{HOST_WGSL, LAYOUT, MONOID};
use crate::faults::table::{Ending, Expect, Refusal, Table, made};
use crate::host::{group, layout};
use treebounds::device::scoped;
use treebounds::{
    Binner, BinnerDescriptor, Capacity, Compactor, Damage, Host, HostClips, LeafFix, MatchInput,
    Matcher, MatcherDescriptor, NodeStage, PieceBinner, RootFix, Stage, Tuning, WgslMonoid, wgpu,
};
use wgpu::BufferBindingType as Type;

/// Few threads: fewer kernels to refuse.
const SMALL: Tuning = Tuning { workgroup_size: Some(8), subgroups: None, checked: false };

/// Every text that is wrong, and every option.
pub(crate) fn run(lab: &Lab, table: &mut Table<'_>) {
    monoids(lab, table);
    roles(lab, table);
    hosts(lab, table);
    layouts(lab, table);
    options(lab, table);
}

/// What replaces what in a text, by name.
type Change = (&'static str, &'static str, &'static str);

/// Definitions that a monoid must have, and mistakes in them.
const MONOID_CHANGES: [Change; 20] = [
    ("without_input", "alias Input = vec2<u32>;", ""),
    ("without_product", "alias Product = vec2<u32>;", ""),
    ("without_output", "alias Output = vec2<u32>;", ""),
    ("without_identity", "fn product_identity", "fn other_identity"),
    ("without_load", "fn product_load", "fn other_load"),
    ("without_combine", "fn product_combine", "fn other_combine"),
    ("without_store", "fn product_store", "fn other_store"),
    ("unknown_type", "alias Product = vec2<u32>;", "alias Product = nothing;"),
    ("another_product", "alias Product = vec2<u32>;", "alias Product = vec2<f32>;"),
    ("a_product_that_is_larger", "alias Product = vec2<u32>;", "alias Product = vec4<u32>;"),
    ("a_product_without_size", "alias Product = vec2<u32>;", "alias Product = array<u32>;"),
    ("an_input_that_is_larger", "alias Input = vec2<u32>;", "alias Input = vec4<u32>;"),
    ("an_output_of_booleans", "alias Output = vec2<u32>;", "alias Output = vec2<bool>;"),
    ("not_closed", "later.y);\n        }", "later.y);"),
    ("no_semicolon", "return product; }", "return product }"),
    ("not_wgsl", "alias Input", "#version 450\nalias Input"),
    ("another_type_returned", "return vec2<u32>(1u, 0u);", "return 1.5;"),
    ("calls_itself", "{ return input; }", "{ return product_load(input); }"),
    ("writes_its_argument", "{ return input; }", "{ input.x = 1u; return input; }"),
    (
        "imports_what_is_not_there",
        "alias Input = vec2<u32>;",
        "import package::nowhere::Thing; alias Input = Thing;",
    ),
];

fn monoids(lab: &Lab, table: &mut Table<'_>) {
    let refused = Expect::Refused(&["Kernel", "DeviceLacks"], "");
    let mut cases: Vec<(&str, String, WgslMonoid<'_>)> = Vec::new();
    for (name, from, to) in MONOID_CHANGES {
        assert!(MONOID.wgsl.contains(from), "{name}");
        cases.push((name, MONOID.wgsl.replacen(from, to, 1), MONOID));
    }
    cases.push(("empty", String::new(), MONOID));
    let sizes = [
        ("input_bytes_0", WgslMonoid { input_bytes: 0, ..MONOID }),
        ("input_bytes_4", WgslMonoid { input_bytes: 4, ..MONOID }),
        ("product_bytes_0", WgslMonoid { product_bytes: 0, ..MONOID }),
        ("product_bytes_4", WgslMonoid { product_bytes: 4, ..MONOID }),
        ("product_bytes_7", WgslMonoid { product_bytes: 7, ..MONOID }),
        ("product_bytes_most", WgslMonoid { product_bytes: u32::MAX, ..MONOID }),
        ("output_bytes_0", WgslMonoid { output_bytes: 0, ..MONOID }),
        ("output_bytes_4", WgslMonoid { output_bytes: 4, ..MONOID }),
        ("output_bytes_7", WgslMonoid { output_bytes: 7, ..MONOID }),
    ];
    cases.extend(sizes.map(|(name, monoid)| (name, monoid.wgsl.to_owned(), monoid)));
    let device = &lab.gpu.device;
    for (name, wgsl, monoid) in &cases {
        let monoid = WgslMonoid { wgsl, ..*monoid };
        table.case(&format!("root_fix/kernels/{name}"), refused, || {
            made(RootFix::new(device, &monoid, &SMALL.into()))
        });
        table.case(&format!("leaf_fix/kernels/{name}"), refused, || {
            made(LeafFix::new(device, &monoid, &SMALL.into()))
        });
    }
}

fn roles(lab: &Lab, table: &mut Table<'_>) {
    let texts = [
        ("empty", ""),
        ("another_name", "fn roles(tag: u32) -> u32 { return tag; }"),
        ("another_argument", "fn role(tag: f32) -> u32 { return 0u; }"),
        ("no_argument", "fn role() -> u32 { return 0u; }"),
        ("another_result", "fn role(tag: u32) -> f32 { return 0.0; }"),
        ("no_result", "fn role(tag: u32) { }"),
        ("calls_itself", "fn role(tag: u32) -> u32 { return role(tag); }"),
        ("calls_what_is_not_there", "fn role(tag: u32) -> u32 { return no_such_thing(tag); }"),
        ("two_arguments", "fn role(tag: u32, other: u32) -> u32 { return tag; }"),
        ("not_closed", "fn role(tag: u32) -> u32 { return tag;"),
        ("not_wgsl", "int role(int tag) { return tag; }"),
        (
            "twice",
            "fn role(tag: u32) -> u32 { return 0u; } fn role(tag: u32) -> u32 { return 1u; }",
        ),
    ];
    for (name, text) in texts {
        let refused = Expect::Refused(&["Kernel"], "");
        table.case(&format!("match/kernels/{name}"), refused, || {
            let input = MatchInput::Roles(text);
            let descriptor = MatcherDescriptor { input, ..SMALL.into() };
            made(Matcher::new(&lab.gpu.device, &descriptor))
        });
    }
}

/// Definitions that a host must have, and mistakes in them.
const HOST_CHANGES: [Change; 12] = [
    ("without_count", "fn host_count", "fn other_count"),
    ("without_viewport", "fn host_viewport", "fn other_viewport"),
    ("without_role", "fn host_role", "fn other_role"),
    ("without_rect", "fn host_rect", "fn other_rect"),
    ("without_top", "fn host_top", "fn other_top"),
    ("without_emit", "fn host_emit", "fn other_emit"),
    ("without_the_type_of_top", "alias HostTop = u32;", ""),
    ("another_group", "@group(1) @binding(3)", "@group(2) @binding(3)"),
    ("a_binding_twice", "@group(1) @binding(3)", "@group(1) @binding(2)"),
    ("a_binding_that_the_layout_lacks", "@binding(3)", "@binding(4)"),
    ("writes_what_is_read", "clips[item] = clip;", "boxes[item] = clip;"),
    ("a_box_of_another_type", "return boxes[item]; }", "return vec2<f32>(0.0, 1.0); }"),
];

fn hosts(lab: &Lab, table: &mut Table<'_>) {
    let device = &lab.gpu.device;
    let bindings = layout(device, &LAYOUT);
    for (name, from, to) in HOST_CHANGES {
        assert!(HOST_WGSL.contains(from), "{name}");
        let wgsl = HOST_WGSL.replacen(from, to, 1);
        let host = Host { wgsl: &wgsl, bindings: &bindings };
        let refused = Expect::Refused(&["Kernel"], "");
        table.case(&format!("host_clips/kernels/{name}"), refused, || {
            made(HostClips::new(device, &host, &SMALL.into()))
        });
    }
}

/// Layouts that differ from the text's.
fn layouts(lab: &Lab, table: &mut Table<'_>) {
    let device = &lab.gpu.device;
    let (read, write) = (Type::Storage { read_only: true }, Type::Storage { read_only: false });
    let all: [(&str, &[Type]); 5] = [
        ("layout_of_nothing", &[]),
        ("layout_of_three", &LAYOUT[..3]),
        ("layout_without_a_uniform", &[read, read, read, write]),
        ("layout_that_only_reads", &[Type::Uniform, read, read, read]),
        ("layout_that_writes_all", &[Type::Uniform, write, write, write]),
    ];
    let of = |name: &str, bindings: &wgpu::BindGroupLayout, table: &mut Table<'_>| {
        let host = Host { wgsl: HOST_WGSL, bindings };
        table.case(&format!("host_clips/kernels/{name}"), Expect::AnyError, || {
            made(HostClips::new(device, &host, &SMALL.into()))
        });
    };
    for (name, types) in all {
        of(name, &layout(device, types), table);
    }
    of("layout_of_another_device", &layout(&lab.other.device, &LAYOUT), table);
    // The layout is in error itself, and the caller's scope has heard so.
    let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
    let twice = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("twice"),
        entries: &[0, 0].map(|binding| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty: Type::Uniform,
                has_dynamic_offset: false,
                min_binding_size: None,
            },
            count: None,
        }),
    });
    drop(scope.pop());
    of("layout_in_error", &twice, table);
    another_group(lab, table);
}

/// A group of another layout than the host's.
fn another_group(lab: &Lab, table: &mut Table<'_>) {
    let device = &lab.gpu.device;
    let bindings = layout(device, &LAYOUT);
    let host = Host { wgsl: HOST_WGSL, bindings: &bindings };
    let clips = HostClips::new(device, &host, &SMALL.into()).unwrap();
    for (name, on) in [("group_of_nothing", &lab.gpu), ("group_of_another_device", &lab.other)] {
        let group = group(&on.device, &layout(&on.device, &[]), &[]);
        let refused = Expect::Refused(&["Device"], "");
        table.case(&format!("host_clips/kernels/{name}"), refused, || {
            made(clips.bind(&group, &clips.scratch(100)?))
        });
    }
}

/// What builds a part of the library.
type Build = fn(&wgpu::Device, Tuning, Option<u32>) -> Ending;

const BUILDS: [(&str, Build); 11] = [
    ("stage", |device, tuning, _| made(Stage::new(device, &tuning.into()))),
    ("node_stage", |device, tuning, _| made(NodeStage::new(device, &tuning.into()))),
    ("stage_with_filters", |device, tuning, _| {
        let stage = Stage::new(device, &tuning.into())?;
        made(stage.scratch_with_filters(Capacity { elements: 100, markers: 100 }, 1))
    }),
    ("match", |device, tuning, per_thread| {
        made(Matcher::new(device, &MatcherDescriptor { per_thread, ..tuning.into() }))
    }),
    ("compact", |device, tuning, _| made(Compactor::new(device, &tuning.into()))),
    ("bin", |device, tuning, per_thread| {
        made(Binner::new(device, &BinnerDescriptor { per_thread, ..tuning.into() }))
    }),
    ("bin_pieces", |device, tuning, _| made(PieceBinner::new(device, &tuning.into()))),
    ("damage", |device, tuning, _| made(Damage::new(device, &tuning.into()))),
    ("root_fix", |device, tuning, _| made(RootFix::new(device, &MONOID, &tuning.into()))),
    ("leaf_fix", |device, tuning, _| made(LeafFix::new(device, &MONOID, &tuning.into()))),
    ("host_clips", |device, tuning, _| {
        let layout = scoped(device, || layout(device, &LAYOUT)).map_err(Refusal::wgpu)?;
        let host = Host { wgsl: HOST_WGSL, bindings: &layout };
        made(HostClips::new(device, &host, &tuning.into()))
    }),
];

fn options(lab: &Lab, table: &mut Table<'_>) {
    let plain = lab.device_with(lab.limits()).unwrap();
    for (name, build) in BUILDS {
        for threads in [0, 1, 3, 48, 2048, 1 << 31, u32::MAX] {
            let options = Tuning { workgroup_size: Some(threads), ..Tuning::default() };
            table.case(&format!("{name}/options/threads_{threads}"), Expect::AnyError, || {
                build(&lab.gpu.device, options, None)
            });
        }
        let options = Tuning { subgroups: Some(true), ..SMALL };
        let refused = Expect::Refused(&["NoSubgroups"], "SUBGROUP");
        table.case(&format!("{name}/options/subgroups_that_are_not_there"), refused, || {
            build(&plain.device, options, None)
        });
        if ["match", "bin"].contains(&name) {
            for per_thread in [0, 33, 1 << 31, u32::MAX] {
                let case = format!("{name}/options/per_thread_{per_thread}");
                table.case(&case, Expect::AnyError, || {
                    build(&lab.gpu.device, SMALL, Some(per_thread))
                });
            }
        }
    }
}
