// The segment of a workgroup, and the children that its items touch.

import package::kernel::{bin, bin_segments, bin_items, bin_ranges};
import package::lib::bin_grid::element_count;
import package::lib::bin_level::{root_segments, unpack_coords};
import package::layout::BinSegment;

fn segment_count() -> u32 {
    if bin.level == 0u {
        return root_segments();
    }
    return bin_segments.count;
}

// `index` is below segment_count(), which is at most the length of the list of segments (BinLayout).
fn segment_at(index: u32) -> BinSegment {
    if bin.level == 0u {
        let start = index * bin.segment;
        return BinSegment(0u, start, min(start + bin.segment, element_count()));
    }
    return bin_segments.list[index];
}

// `item` is below the length of the level's lists.
fn item_element(item: u32) -> u32 {
    if bin.level == 0u {
        return item;
    }
    return bin_items[item];
}

// Loads the bins that an element touches, which bin_count has stored on the first level.
fn load_range(element: u32) -> vec4<u32> {
    let packed = bin_ranges[element];
    return vec4<u32>(unpack_coords(packed.x), unpack_coords(packed.y));
}

// Returns the children of a cell that a range of bins touches: columns and rows, half open, clamped to the fan; all 0 if
// there are none. The first bin of the cell is at `cell_corner`.
fn touched_children(range: vec4<u32>, cell_corner: vec2<u32>) -> vec4<u32> {
    let child_size = vec2<u32>(bin.cell_x, bin.cell_y);
    let fan = vec2<u32>(bin.fan_x, bin.fan_y);
    let low = max(range.xy, cell_corner) - cell_corner;
    let high = min(max(range.zw, cell_corner) - cell_corner, fan * child_size);
    if any(low >= high) {
        return vec4<u32>(0u);
    }
    if bin.is_last != 0u {
        // On the last level, a child is a bin.
        return vec4<u32>(low, high);
    }
    return vec4<u32>(low / child_size, (high - 1u) / child_size + 1u);
}
