// What grows in a stream of nodes: what is painted before each, which `draws` has found.

// What is painted before the element, in two parts (of no meaning where the scene has no element: then nobody
// asks), and its place in the scene: on their way while its place in the tree is found.
var<private> asked_first: vec4<f32>;
var<private> asked_gap: vec4<u32>;
var<private> asked_element: u32;

fn emit_ask(mine: Mine) {
    if mine.exists {
        asked_first = products[plan.values + mine.item];
        asked_gap = gaps4[mine.item];
        if mine.role != 0u {
            asked_element = element_of(mine.item);
        }
    }
}

// What changes around a node: what is painted between the one before and itself; around a non-local
// blend all, of which that is a part.
fn grow_own(mine: Mine, flows: Flows) -> Grow {
    if (mine.role & ROLE_NON_LOCAL) != 0u {
        return rect_canonical(flow_after(mine.item));
    }
    return rect_union(asked_first, gap_box(asked_gap));
}

fn emit_bounds(mine: Mine, box: vec4<f32>) {
    bounds[asked_element] = packed(box);
}
