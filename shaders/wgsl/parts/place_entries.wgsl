// What an entry is, with its index among the nodes of the scene.

// Its element.
var<private> own_element: u32;

fn place_of(tile: u32, thread: u32) -> Place {
    let item = tile * TILE + thread;
    if item >= element_count() {
        return Place(0u, NONE);
    }
    let entry = entry_load(item);
    own_element = entry_element(entry);
    return Place(entry_role(entry), entry_node(item, entry));
}
