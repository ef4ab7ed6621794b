// Which workgroup this is, and which of its threads: the arguments of every entry point.

import package::constants::WORKGROUP_SIZE;

@if(browser && subgroups) enable subgroups;
// Whether a subgroup operation is reached depends on values in buffers, the same for all threads of a
// workgroup. A compiler cannot see that they are the same.
@if(browser && subgroups) diagnostic(off, subgroup_uniformity);

// The same for all threads of a workgroup. These are in a struct of their own, because barriers may depend on them: a
// compiler takes a struct as uniform only if every member is.
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

// The workgroup's index. Workgroups lie in rows, because one dimension of a dispatch may be too short for all.
fn workgroup_index(workgroup: Workgroup) -> u32 {
    return workgroup.id.y * workgroup.count.x + workgroup.id.x;
}

// Whether every subgroup has all its lanes.
@if(subgroups)
fn subgroups_are_full(workgroup: Workgroup) -> bool {
    return workgroup.subgroups * workgroup.subgroup_size == WORKGROUP_SIZE;
}

// The lanes of a subgroup, a power of two: 1 without subgroups, and where a subgroup is not full. A kernel then
// goes through workgroup memory alone.
fn lane_count(workgroup: Workgroup) -> u32 {
    @if(subgroups)
    return select(1u, workgroup.subgroup_size, subgroups_are_full(workgroup));
    @else
    return 1u;
}

// The thread's index in its workgroup, 0 to WORKGROUP_SIZE - 1, such that the threads of a subgroup are consecutive, in
// the order of their lanes.
//
// No API promises how local indices map to lanes, but `subgroup * subgroup_size + lane` is a bijection onto
// these indices exactly when every subgroup is full; otherwise the local index serves. Direct3D has no
// `subgroup_id`: naga derives it from the local index, which is right where a wave holds consecutive indices. Direct3D
// does not promise that, so subgroups are left out there unless a caller asks for them (treebounds::Options).
fn thread_index(workgroup: Workgroup, local: Local) -> u32 {
    @if(subgroups) {
        let by_lane = local.subgroup * workgroup.subgroup_size + local.lane;
        return select(local.index, by_lane, subgroups_are_full(workgroup));
    }
    @else
    return local.index;
}
