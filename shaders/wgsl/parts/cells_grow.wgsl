// Cells in workgroup memory, for what flows down, if anything does, and then what grows up,
// which is of the same type.
var<workgroup> cells: array<Grow, CELLS>;
