// Threads hand values down to each other by pointer jumping.
//
// A thread's stack stands on a node that an earlier thread opened, its parent.
// It brings the product over the parent's part of the stack up to that node; to
// have the product over everything below its own stack it needs the parent's
// value too, and its parent's. Each round doubles how far back the value
// reaches, so log2(WORKGROUP_SIZE) rounds reach the first thread.
//
//     round 0:   t <- p        round 1:   t <- p <- pp       round 2: four more
//
// Valid after: flow_settle, in every thread.

var<workgroup> flow_parents: array<u32, WORKGROUP_SIZE>;
var<workgroup> flow_values: array<Flow, WORKGROUP_SIZE>;

fn flow_settle(thread: u32, parent: u32, value: Flow) {
    var up = parent;
    var product = value;
    flow_parents[thread] = up;
    flow_values[thread] = product;
    for (var reach = 1u; reach < WORKGROUP_SIZE; reach *= 2u) {
        workgroupBarrier();
        if up != NONE {
            product = flow_combine(flow_values[up], product);
            up = flow_parents[up];
        }
        workgroupBarrier();
        flow_parents[thread] = up;
        flow_values[thread] = product;
    }
    workgroupBarrier();
}

fn flow_settled(thread: u32) -> Flow {
    return flow_values[thread];
}
