// The arguments of every entry point, which identify the workgroup and the thread.

import package::constants::WORKGROUP_SIZE;

@if(browser && subgroups) enable subgroups;
// Control flow around subgroup operations depends on values that are uniform in a workgroup, in a subgroup (results of
// most) or in a chunk (results of all_skip). A compiler cannot prove this.
@if(browser && subgroups) diagnostic(off, subgroup_uniformity);

// The arguments that are uniform in a workgroup. Barriers may depend on them, so they are in a separate struct: a compiler
// regards a struct as uniform only if every member is.
struct Workgroup {
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) count: vec3<u32>,
    @if(subgroups) @builtin(subgroup_size) subgroup_size: u32,
    @if(subgroups) @builtin(num_subgroups) subgroups: u32,
}

struct Local {
    @builtin(local_invocation_index) index: u32,
    @if(subgroups) @builtin(subgroup_id) subgroup: u32,
    @if(subgroups) @builtin(subgroup_invocation_id) lane: u32,
}

// Returns the index of the workgroup. Dispatches have two dimensions, because the size of one is limited.
fn workgroup_index(workgroup: Workgroup) -> u32 {
    return workgroup.id.y * workgroup.count.x + workgroup.id.x;
}

@if(subgroups)
fn subgroups_are_full(workgroup: Workgroup) -> bool {
    return workgroup.subgroups * workgroup.subgroup_size == WORKGROUP_SIZE;
}

// Returns the number of lanes of a subgroup, a power of two. It is 1 without subgroups, or if a subgroup is not full; the
// kernel then uses only workgroup memory.
fn lane_count(workgroup: Workgroup) -> u32 {
    @if(subgroups)
    return select(1u, workgroup.subgroup_size, subgroups_are_full(workgroup));
    @else
    return 1u;
}

// Returns the thread's index in its workgroup, 0 to WORKGROUP_SIZE - 1. The threads of a subgroup are consecutive, in the
// order of their lanes.
//
// No API specifies the mapping of local indices to lanes. But `subgroup * subgroup_size + lane` is a bijection onto these
// indices if every subgroup is full; otherwise the local index is used. Direct3D has no `subgroup_id`, so naga derives it
// from the local index. This is correct if a wave contains consecutive indices, which Direct3D does not guarantee, so
// kernels are compiled without subgroups there.
fn thread_index(workgroup: Workgroup, local: Local) -> u32 {
    @if(subgroups) {
        let by_lane = local.subgroup * workgroup.subgroup_size + local.lane;
        return select(local.index, by_lane, subgroups_are_full(workgroup));
    }
    @else
    return local.index;
}
