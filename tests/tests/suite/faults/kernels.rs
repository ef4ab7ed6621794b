//! Tests rejected kernels: invalid WGSL from a caller, and options that no variant supports.

use crate::faults::subjects::{ALL, with};
use crate::faults::table::{Lab, Table, made};
use crate::host::{LAYOUT, WGSL, group, host, layout, numbered_layout};
use crate::tasks::MATRICES;
use treebounds::{
    Binner, BinnerDescriptor, Gpu, HostAdapter, HostClips, LeafFix, MatchInput, Matcher,
    MatcherDescriptor, RootFix, Tuning, WgslMonoid, wgpu,
};
use wgpu::BufferBindingType as Type;

/// Few threads, so that there are fewer kernels to reject.
const SMALL: Tuning = Tuning { workgroup_size: Some(8), subgroups: None, checked: false };

/// A mistake in WGSL: its name, the replaced text, and the replacement.
type Mistake = (&'static str, &'static str, &'static str);

fn mistakes(text: &str, all: &[Mistake]) -> Vec<(&'static str, String)> {
    let change = |&(name, from, to): &Mistake| {
        assert!(text.contains(from), "{name}");
        (name, text.replacen(from, to, 1))
    };
    all.iter().map(change).collect()
}

/// Missing definitions and mistakes in a monoid.
const OF_A_MONOID: [Mistake; 20] = [
    ("without_input", "alias Input = vec2<u32>;", ""),
    ("without_product", "alias Product = vec4<u32>;", ""),
    ("without_output", "alias Output = vec4<u32>;", ""),
    ("without_identity", "fn product_identity", "fn other_identity"),
    ("without_load", "fn product_load", "fn other_load"),
    ("without_combine", "fn product_combine", "fn other_combine"),
    ("without_store", "fn product_store", "fn other_store"),
    ("unknown_type", "alias Product = vec4<u32>;", "alias Product = nothing;"),
    ("another_product", "alias Product = vec4<u32>;", "alias Product = vec4<f32>;"),
    ("a_product_that_is_larger", "alias Product = vec4<u32>;", "alias Product = mat4x4<f32>;"),
    ("a_product_without_size", "alias Product = vec4<u32>;", "alias Product = array<u32>;"),
    ("an_input_that_is_larger", "alias Input = vec2<u32>;", "alias Input = vec4<u32>;"),
    ("an_output_of_booleans", "alias Output = vec4<u32>;", "alias Output = vec4<bool>;"),
    ("not_closed", ");\n        }", ");"),
    ("no_semicolon", "return product; }", "return product }"),
    ("not_wgsl", "alias Input", "#version 450\nalias Input"),
    ("another_type_returned", "return vec4<u32>(1u, 0u, 0u, 1u);", "return 1.5;"),
    ("calls_itself", "(1u, input.x, input.y, 1u)", "(product_load(input).x)"),
    (
        "writes_its_argument",
        "{ return vec4<u32>(1u, input.x",
        "{ input.x = 1u; return vec4<u32>(1u, input.x",
    ),
    ("imports_what_is_not_there", "alias Input = vec2<u32>", "import package::nowhere::Input"),
];

const ROLES: [(&str, &str); 12] = [
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
    ("twice", "fn role(tag: u32) -> u32 { return 0u; } fn role(tag: u32) -> u32 { return 1u; }"),
];

/// Missing definitions and mistakes in a host.
const OF_A_HOST: [Mistake; 12] = [
    ("without_count", "fn adapter_count", "fn other_count"),
    ("without_viewport", "fn adapter_viewport", "fn other_viewport"),
    ("without_role", "fn adapter_role", "fn other_role"),
    ("without_rect", "fn adapter_rect", "fn other_rect"),
    ("without_top", "fn adapter_top", "fn other_top"),
    ("without_emit", "fn adapter_emit", "fn other_emit"),
    ("without_the_type_of_top", "struct AdapterTop { top: u32, kind: u32 }", ""),
    ("another_group", "@group(1) @binding(2)", "@group(2) @binding(2)"),
    ("a_binding_twice", "@group(1) @binding(2)", "@group(1) @binding(1)"),
    ("a_binding_that_the_layout_lacks", "@binding(2)", "@binding(4)"),
    ("writes_what_is_read", "answers[item] = ", "records[item].kind = 0u; answers[item] = "),
    (
        "a_box_of_another_type",
        "fn adapter_rect(item: u32) -> vec4<f32>",
        "fn adapter_rect(item: u32) -> vec2<f32>",
    ),
];

const READ: Type = Type::Storage { read_only: true };
const WRITE: Type = Type::Storage { read_only: false };

/// Layouts that do not match the host's WGSL. The last is itself invalid: it repeats a binding.
const LAYOUTS: [(&str, &[(Type, u32)]); 6] = [
    ("layout_of_nothing", &[]),
    ("layout_of_two", &[(Type::Uniform, 0), (READ, 1)]),
    ("layout_without_a_uniform", &[(READ, 0), (READ, 1), (WRITE, 2)]),
    ("layout_that_only_reads", &[(Type::Uniform, 0), (READ, 1), (READ, 2)]),
    ("layout_that_writes_all", &[(Type::Uniform, 0), (WRITE, 1), (WRITE, 2)]),
    ("layout_in_error", &[(Type::Uniform, 0), (Type::Uniform, 0)]),
];

pub(crate) fn run(table: &mut Table<'_>) {
    let device = &table.lab.gpu.device;
    let mut monoids = |name: &str, monoid: &WgslMonoid<'_>, expected: &str| {
        table.case(&format!("root_fix/kernels/{name}"), expected, || {
            made(RootFix::new(device, monoid, &SMALL.into()))
        });
        table.case(&format!("leaf_fix/kernels/{name}"), expected, || {
            made(LeafFix::new(device, monoid, &SMALL.into()))
        });
    };
    for (name, wgsl) in mistakes(MATRICES.wgsl, &OF_A_MONOID) {
        monoids(name, &WgslMonoid { wgsl: &wgsl, ..MATRICES }, "Kernel");
    }
    monoids("empty", &WgslMonoid { wgsl: "", ..MATRICES }, "Kernel");
    for bytes in [0, 4, 7] {
        let input = WgslMonoid { input_bytes: bytes, ..MATRICES };
        monoids(&format!("input_bytes_{bytes}"), &input, "Kernel");
        let product = WgslMonoid { product_bytes: bytes, ..MATRICES };
        monoids(&format!("product_bytes_{bytes}"), &product, "Kernel");
        let output = WgslMonoid { output_bytes: bytes, ..MATRICES };
        monoids(&format!("output_bytes_{bytes}"), &output, "Kernel");
    }
    let most = WgslMonoid { product_bytes: u32::MAX, ..MATRICES };
    monoids("product_bytes_most", &most, "DeviceLacks");
    for (name, text) in ROLES {
        table.case(&format!("match/kernels/{name}"), "Kernel", || {
            let input = MatchInput::Roles(text);
            made(Matcher::new(device, &MatcherDescriptor { input, ..SMALL.into() }))
        });
    }
    if table.wants("host_clips/kernels") {
        hosts(table);
    }
    options(table);
}

fn hosts(table: &mut Table<'_>) {
    let Lab { gpu: Gpu { device, .. }, other, .. } = table.lab;
    let bindings = layout(device, &LAYOUT);
    let mut case = |name: &str, wgsl: &str, bindings: &wgpu::BindGroupLayout| {
        table.case(&format!("host_clips/kernels/{name}"), "Kernel", || {
            made(HostClips::new(device, &HostAdapter { wgsl, bindings }, &SMALL.into()))
        });
    };
    for (name, wgsl) in mistakes(WGSL, &OF_A_HOST) {
        case(name, &wgsl, &bindings);
    }
    for (name, types) in LAYOUTS {
        // The caller's scope receives the error of the invalid layout.
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let bindings = numbered_layout(device, types);
        drop(scope.pop());
        case(name, WGSL, &bindings);
    }
    case("layout_of_another_device", WGSL, &layout(&other.device, &LAYOUT));
    let clips = HostClips::new(device, &host(&bindings), &SMALL.into()).unwrap();
    for (name, on) in [("group_of_nothing", device), ("group_of_another_device", &other.device)] {
        let group = group(on, &layout(on, &[]), &[]);
        table.case(&format!("host_clips/kernels/{name}"), "Device", || {
            made(clips.bind(&group, &clips.scratch(100)?))
        });
    }
}

fn options(table: &mut Table<'_>) {
    let device = &table.lab.gpu.device;
    let plain = table.lab.device();
    // Vello's clip stage has no options.
    for (name, _, build) in ALL.iter().filter(|(name, ..)| !name.starts_with("clip_stage")) {
        for threads in [0, 1, 3, 48, 2048, 1 << 31, u32::MAX] {
            table.case(&format!("{name}/options/threads_{threads}"), "Variant", || {
                made(build(device, with(Some(threads))))
            });
        }
        let case = format!("{name}/options/subgroups_that_are_not_there");
        table.case(&case, "NoSubgroups: SUBGROUP", || {
            made(build(&plain.device, Tuning { subgroups: Some(true), ..SMALL }))
        });
    }
    for each in [0, 33, 1 << 31, u32::MAX] {
        let (case, per_thread) = (format!("options/per_thread_{each}"), Some(each));
        table.case(&format!("match/{case}"), "Variant", || {
            made(Matcher::new(device, &MatcherDescriptor { per_thread, ..SMALL.into() }))
        });
        table.case(&format!("bin/{case}"), "Variant", || {
            made(Binner::new(device, &BinnerDescriptor { per_thread, ..SMALL.into() }))
        });
    }
}
