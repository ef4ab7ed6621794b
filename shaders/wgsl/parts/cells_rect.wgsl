// Workgroup memory for trees of rectangles.
var<workgroup> cells: array<vec4<f32>, 2u * WORKGROUP_SIZE>;
