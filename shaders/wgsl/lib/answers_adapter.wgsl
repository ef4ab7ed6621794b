// Results that an adapter stores: see lib/answers_shared.wgsl and lib/adapter.wgsl. Values only flow down.

import package::kernel::{Element, Flow};
import package::lib::answers_shared::clip_of;
import package::lib::rect::rect_canonical;
import package::adapter::{AdapterTop, adapter_emit, adapter_top};

alias Early = AdapterTop;

fn load_early(e: Element) -> Early {
    var early: AdapterTop;
    if e.exists {
        early = adapter_top(e.index, e.role, e.link);
    }
    return early;
}

fn write_down(e: Element, flow: Flow, early: Early) {
    if e.exists {
        adapter_emit(e.index, e.role, e.link, clip_of(e, flow), rect_canonical(flow.inherited), early);
    }
}
