// Boxes: [x0, y0, x1, y1], half open, empty unless x0 < x1 and y0 < y1.

/** The largest f32: where "everything" ends. */
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
    const box = [
        Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3]),
    ];
    return isEmpty(box) ? NOTHING : box;
}

export function union(a, b) {
    return [
        Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3]),
    ];
}

export function area(box) {
    return isEmpty(box) ? 0 : (box[2] - box[0]) * (box[3] - box[1]);
}

/** The area of the whole pixels that the box touches. */
export function pixels(box) {
    if (isEmpty(box)) return 0;
    const width = Math.ceil(box[2]) - Math.floor(box[0]);
    return width * (Math.ceil(box[3]) - Math.floor(box[1]));
}

export function same(a, b) {
    return a.every((edge, at) => edge === b[at]);
}
