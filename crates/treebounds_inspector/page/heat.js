// Overdraw: counts how often each tile is painted, with a two-dimensional prefix sum over the corners of the boxes.
import { DRAW } from "./model.js";
import { clear, color } from "./paint.js";
import { make, whole } from "./words.js";

const TILES_MAX = 1 << 20;

export class Heat {
    /** Counts tiles with this side in pixels. The side doubles until there are not too many tiles. */
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

    /** Returns the half-open range of tiles touched by a box: left, top, right, bottom; null if it touches none. */
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

    /** Returns the maximum value of all tiles. */
    most(which) {
        return this.given.reduce((most, _, tile) => Math.max(most, this.value(which, tile)), 0);
    }

    /** Returns the tile at a point of the drawing, or -1. */
    at(x, y) {
        const [column, row] = [Math.floor((x - this.left) / this.side), Math.floor((y - this.top) / this.side)];
        const isIn = column >= 0 && row >= 0 && column < this.columns && row < this.rows;
        return isIn ? row * this.columns + column : -1;
    }

    /**
     * Returns how often a tile is painted: without clips ("given"), within bounds ("found"), or the difference
     * ("saved").
     */
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

/** Returns the colour for a share from 0 to 1. */
export function heatColor(share) {
    const at = Math.min(1, Math.max(0, share)) * (SCALE.length - 1);
    const low = Math.min(SCALE.length - 2, Math.floor(at));
    return SCALE[low].map((channel, c) => Math.round(channel + (SCALE[low + 1][c] - channel) * (at - low)));
}

/** Paints the tiles in a view, with `ratio` device pixels per CSS pixel. */
export function paintHeat(context, heat, { model, view, ratio, which }) {
    const tiles = new ImageData(heat.columns, heat.rows);
    const most = Math.max(1, heat.most(which));
    for (let tile = 0; tile < heat.given.length; tile += 1) {
        const value = heat.value(which, tile);
        const [r, g, b] = heatColor(value <= 1 ? 0 : Math.log(value) / Math.max(Math.log(2), Math.log(most)));
        tiles.data.set([r, g, b, value === 0 ? 0 : 232], 4 * tile);
    }
    const small = make("canvas", { width: heat.columns, height: heat.rows });
    small.getContext("2d").putImageData(tiles, 0, 0);
    const [x, y] = [heat.left * view.scale + view.x, heat.top * view.scale + view.y];
    const side = heat.side * view.scale * ratio;
    context.save();
    const [vx0, vy0, vx1, vy1] = view.toPage(model.viewport).map((edge) => edge * ratio);
    context.beginPath();
    context.rect(vx0, vy0, vx1 - vx0, vy1 - vy0);
    context.clip();
    context.imageSmoothingEnabled = false;
    context.drawImage(small, x * ratio, y * ratio, heat.columns * side, heat.rows * side);
    context.restore();
}

/** Paints the edges of the bins in a view, and the number of boxes in each. */
export function paintBins(context, bins, { view, ratio }) {
    const side = bins.side * view.scale * ratio;
    const [left, top] = [(bins.left * view.scale + view.x) * ratio, (bins.top * view.scale + view.y) * ratio];
    context.strokeStyle = clear(color("ink"), 0.45);
    context.lineWidth = Math.max(1, Math.round(ratio));
    context.setLineDash([]);
    context.beginPath();
    for (let column = 0; column <= bins.columns; column += 1) {
        context.moveTo(Math.round(left + column * side) + 0.5, top);
        context.lineTo(Math.round(left + column * side) + 0.5, top + bins.rows * side);
    }
    for (let row = 0; row <= bins.rows; row += 1) {
        context.moveTo(left, Math.round(top + row * side) + 0.5);
        context.lineTo(left + bins.columns * side, Math.round(top + row * side) + 0.5);
    }
    context.stroke();
    if (side < 44 * ratio) return;
    context.font = `600 ${12 * ratio}px system-ui, sans-serif`;
    context.textBaseline = "top";
    for (const [bin, count] of bins.found.entries()) {
        const x = left + (bin % bins.columns) * side + 5 * ratio;
        const y = top + Math.floor(bin / bins.columns) * side + 5 * ratio;
        if (x < -side || y < -side || x > context.canvas.width || y > context.canvas.height) continue;
        const text = whole(count);
        context.lineWidth = 3 * ratio;
        context.strokeStyle = clear(color("halo"), 0.8);
        context.strokeText(text, x, y);
        context.fillStyle = color("ink");
        context.fillText(text, x, y);
    }
}
