// The product over the leaves first .. end of the tree of unions, in order: from both
// ends up, taking every subtree that lies inside and whose parent does not.
fn unions_range(first: u32, end: u32) -> vec4<f32> {
    var left = NOTHING;
    var right = NOTHING;
    var low = unions_size() + first;
    var high = unions_size() + max(end, first);
    while low < high {
        if low % 2u == 1u {
            left = rect_union(left, unions_load(low));
            low++;
        }
        if high % 2u == 1u {
            high--;
            right = rect_union(unions_load(high), right);
        }
        low /= 2u;
        high /= 2u;
    }
    return rect_union(left, right);
}
