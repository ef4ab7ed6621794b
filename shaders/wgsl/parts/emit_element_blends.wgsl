// The same where blends alone are wanted: the content of a draw is its box as it is.
fn emit_down(mine: Mine, flows: Flows) {
    links[mine.item] = mine.top;
    if mine.role == 0u {
        contents[mine.item] = packed(rect_of(mine.item));
    }
}
