// A cell an element in workgroup memory, for what flows down.
var<workgroup> cells: array<Flow, TILE>;
