// Boxes. A box is [x0, y0, x1, y1]; it is half open, and empty unless x0 < x1 and y0 < y1. A column is a flat
// array with the coordinates of many boxes.

/** The largest f32, the edge of the box "everything". */
export const MAX = 3.4028234663852886e38;
export const EVERYTHING = [-MAX, -MAX, MAX, MAX];
export const NOTHING = [MAX, MAX, -MAX, -MAX];

export function isEmpty(box) {
    return !(box[0] < box[2] && box[1] < box[3]);
}

export function isEverything(box) {
    return box[0] === -MAX && box[1] === -MAX && box[2] === MAX && box[3] === MAX;
}

export function intersect(a, b) {
    const box = [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
    return isEmpty(box) ? NOTHING : box;
}

export function union(a, b) {
    return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

export function area(box) {
    return isEmpty(box) ? 0 : (box[2] - box[0]) * (box[3] - box[1]);
}

/** Returns the area of the whole pixels that the box touches. */
export function pixels(box) {
    if (isEmpty(box)) return 0;
    const width = Math.ceil(box[2]) - Math.floor(box[0]);
    return width * (Math.ceil(box[3]) - Math.floor(box[1]));
}

export function emptyBoxes(many) {
    const boxes = new Float32Array(4 * many);
    boxes.set(NOTHING.slice(0, boxes.length));
    for (let length = 4; length < boxes.length; length *= 2) boxes.copyWithin(length, 0, length);
    return boxes;
}

/** Intersects the box at `base` of a column with another box, and writes the result to the same place of column `to`. */
export function cut(to, boxes, base, around, from) {
    const [x0, y0] = [Math.max(boxes[base], around[from]), Math.max(boxes[base + 1], around[from + 1])];
    const [x1, y1] = [Math.min(boxes[base + 2], around[from + 2]), Math.min(boxes[base + 3], around[from + 3])];
    const isIn = x0 < x1 && y0 < y1;
    to[base] = isIn ? x0 : MAX;
    to[base + 1] = isIn ? y0 : MAX;
    to[base + 2] = isIn ? x1 : -MAX;
    to[base + 3] = isIn ? y1 : -MAX;
}

/** Grows the box at `base` of a column to contain a box of another column, unless that is empty. */
export function grow(to, base, boxes, from) {
    if (!(boxes[from] < boxes[from + 2] && boxes[from + 1] < boxes[from + 3])) return;
    to[base] = Math.min(to[base], boxes[from]);
    to[base + 1] = Math.min(to[base + 1], boxes[from + 1]);
    to[base + 2] = Math.max(to[base + 2], boxes[from + 2]);
    to[base + 3] = Math.max(to[base + 3], boxes[from + 3]);
}
