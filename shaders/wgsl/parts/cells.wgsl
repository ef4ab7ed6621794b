// Cells in workgroup memory, for what flows down.
var<workgroup> cells: array<Flow, CELLS>;
