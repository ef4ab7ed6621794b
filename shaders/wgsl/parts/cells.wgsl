// Cells in workgroup memory, for what flows down: two an element of a tile.
var<workgroup> cells: array<Flow, 2u * TILE>;
