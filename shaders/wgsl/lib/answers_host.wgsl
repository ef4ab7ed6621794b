// What the caller's WGSL stores of its stream: see lib/answers.wgsl and lib/host.wgsl. Values only flow down.

import package::kernel::{Element, Flow};
import package::lib::answers::clip_of;
import package::lib::rect::rect_canonical;
import package::host::{HostTop, host_emit, host_top};

// What the caller's WGSL loads for the element and its link.
alias Early = HostTop;

fn load_early(e: Element) -> Early {
    var early: HostTop;
    if e.exists {
        early = host_top(e.index, e.role, e.link);
    }
    return early;
}

fn write_down(e: Element, flow: Flow, early: Early) {
    if e.exists {
        host_emit(e.index, e.role, e.link, clip_of(e, flow), rect_canonical(flow.inherited), early);
    }
}
