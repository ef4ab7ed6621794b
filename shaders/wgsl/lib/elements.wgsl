// The stream of elements: their number, and the role and value of each.
//
// | condition   | elements                            | role         | value              |
// |-------------|-------------------------------------|--------------|--------------------|
// | rects       | a scene's elements                  | from the tag | its rect           |
// | filters     | the same                            | from the tag | its rect or filter |
// | monoid      | a tree's elements                   | from the tag | from the caller    |
// | adapter     | what the caller's WGSL defines      | adapter_role | adapter_rect       |
// | few_markers | posts of a scene (lib/posts.wgsl)   | in the post  | its element's value |

import package::kernel::{frame_counts, inputs, params, plan, rects, tags};
import package::constants::{ROLE_BEGIN, ROLE_END, ROLE_MASK, TAG_NON_LOCAL, TAG_SPREAD, TILE};
import package::adapter::{adapter_count, adapter_rect, adapter_role, adapter_viewport};
import package::monoid::product_load;
import package::lib::posts;
import package::lib::roles::{CLOSES, NON_LOCAL, OPENS};
import package::value::{Value, down_identity, of_clip, of_filter};

// Returns the number of elements in this frame. It may come from another kernel, from the caller's WGSL or from the CPU, so
// it is clamped to the capacity, for which every buffer is sized.
fn element_count() -> u32 {
    @if(adapter) return min(adapter_count(), plan.element_capacity);
    @elif(few_markers) return min(posts::count(frame_counts.elements, frame_counts.markers), plan.element_capacity);
    @else return min(params.elements, plan.element_capacity);
}

fn tiles_of(elements: u32) -> u32 {
    return (elements + TILE - 1u) / TILE;
}

// Returns the number of tiles with elements. The last may be partial. With `one_tile`, returns 1 even without elements,
// because the workgroup stores the counts.
fn tile_count() -> u32 {
    @if(one_tile && scene) return 1u;
    @else return tiles_of(element_count());
}

// Returns the role of an element; 0 past the last. The index of the load is clamped to the last element, so the load does
// not wait for a branch.
fn role_at(element: u32) -> u32 {
    let count = element_count();
    let clamped = min(element, max(count, 1u) - 1u);
    @if(adapter) {
        let role = adapter_role(clamped) & (OPENS | CLOSES);
        // An element with both bits set is neither an open nor a close.
        return select(role, 0u, element >= count || role == (OPENS | CLOSES));
    }
    @elif(few_markers) {
        return select(0u, posts::role(posts::load(clamped)), element < count);
    }
    @else {
        return select(0u, tag_role(tags[clamped]), element < count);
    }
}

@if(rects || monoid)
fn tag_role(tag: u32) -> u32 {
    let role = tag & ROLE_MASK;
    let is_non_local = (tag & (TAG_NON_LOCAL | TAG_SPREAD)) == TAG_NON_LOCAL;
    let open = select(OPENS, OPENS | NON_LOCAL, is_non_local);
    return select(select(0u, CLOSES, role == ROLE_END), open, role == ROLE_BEGIN);
}

// Returns the value of an element: its factor in the product along a path. The element must exist.
fn own_value(element: u32) -> Value {
    @if(adapter) return adapter_rect(element);
    @elif(monoid) return product_load(inputs[element]);
    @elif(few_markers) {
        let post = posts::load(element);
        if posts::is_separator(post) {
            return down_identity();
        }
        return value_in_scene(posts::scene_element(post));
    }
    @else return value_in_scene(element);
}

fn value_in_scene(element: u32) -> Value {
    @if(filters) {
        let tag = tags[element];
        if (tag & ROLE_MASK) == ROLE_BEGIN && (tag & TAG_SPREAD) != 0u {
            return of_filter(element);
        }
        return of_clip(rects[element]);
    }
    @else return rects[element];
}

// Returns the number of elements of the scene, whose rects may be loaded.
fn scene_count() -> u32 {
    @if(few_markers) return frame_counts.elements;
    @else return element_count();
}

// Returns the value that elements without a parent inherit.
fn root_value() -> Value {
    @if(adapter) return adapter_viewport();
    @elif(monoid) return down_identity();
    @elif(filters) return of_clip(params.viewport);
    @else return params.viewport;
}
