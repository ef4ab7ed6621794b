// Overdraw: how often each tile is painted, by a two-dimensional prefix sum over the corners of the boxes.
import { DRAW } from "./model.js";

const TILES_MAX = 1 << 20;

export class Heat {
    /** Counts tiles of this many pixels a side; the side doubles until there are not too many tiles. */
    constructor(model, side) {
        const [x0, y0, x1, y1] = model.viewport;
        while (Math.ceil((x1 - x0) / side) * Math.ceil((y1 - y0) / side) > TILES_MAX) side *= 2;
        this.side = side;
        this.left = x0;
        this.top = y0;
        this.columns = Math.max(1, Math.ceil((x1 - x0) / side));
        this.rows = Math.max(1, Math.ceil((y1 - y0) / side));
        this.given = this.#count(model, model.rect);
        this.found = this.#count(model, model.bounds);
        this.givenSum = sum(this.given);
        this.foundSum = sum(this.found);
    }

    #count(model, boxes) {
        const { columns, rows } = this;
        const stride = columns + 1;
        const tiles = new Int32Array(stride * (rows + 1));
        for (let item = 0; item < model.length; item += 1) {
            if (model.kind[item] !== DRAW) continue;
            const touched = this.touched(boxes.subarray(4 * item, 4 * item + 4), model.viewport);
            if (touched === null) continue;
            const [left, top, right, bottom] = touched;
            tiles[top * stride + left] += 1;
            tiles[top * stride + right] -= 1;
            tiles[bottom * stride + left] -= 1;
            tiles[bottom * stride + right] += 1;
        }
        const out = new Uint32Array(columns * rows);
        const above = new Int32Array(columns);
        for (let row = 0; row < rows; row += 1) {
            let running = 0;
            for (let column = 0; column < columns; column += 1) {
                running += tiles[row * stride + column];
                above[column] += running;
                out[row * columns + column] = above[column];
            }
        }
        return out;
    }

    /** The half-open range of tiles that a box touches: left, top, right, bottom; null if there are none. */
    touched(box, viewport) {
        const x0 = Math.max(box[0], viewport[0]);
        const y0 = Math.max(box[1], viewport[1]);
        const x1 = Math.min(box[2], viewport[2]);
        const y1 = Math.min(box[3], viewport[3]);
        if (!(x0 < x1 && y0 < y1)) return null;
        const at = (edge, first) => (edge - first) / this.side;
        return [
            Math.floor(at(x0, this.left)), Math.floor(at(y0, this.top)),
            Math.min(this.columns, Math.ceil(at(x1, this.left))), Math.min(this.rows, Math.ceil(at(y1, this.top))),
        ];
    }

    /** The largest value of a tile. */
    most(which) {
        return this.given.reduce((most, _, tile) => Math.max(most, this.value(which, tile)), 0);
    }

    /** The tile at a point of the drawing, or -1. */
    at(x, y) {
        const [column, row] = [Math.floor((x - this.left) / this.side), Math.floor((y - this.top) / this.side)];
        const isIn = column >= 0 && row >= 0 && column < this.columns && row < this.rows;
        return isIn ? row * this.columns + column : -1;
    }

    /** How often a tile is painted: without clips ("given"), within bounds ("found"), or the difference ("saved"). */
    value(which, tile) {
        if (which === "saved") return this.given[tile] - this.found[tile];
        return this[which][tile];
    }
}

function sum(tiles) {
    return tiles.reduce((all, tile) => all + tile, 0);
}

/** Cividis at eight points: dark to bright, for any colour vision. */
const SCALE = [
    [0, 34, 78], [35, 62, 108], [79, 87, 108], [109, 111, 113],
    [140, 136, 120], [174, 163, 113], [211, 193, 96], [254, 232, 56],
];

/** The colour for a share from 0 to 1. */
export function heatColor(share) {
    const at = Math.min(1, Math.max(0, share)) * (SCALE.length - 1);
    const low = Math.min(SCALE.length - 2, Math.floor(at));
    return SCALE[low].map((channel, c) => Math.round(channel + (SCALE[low + 1][c] - channel) * (at - low)));
}
