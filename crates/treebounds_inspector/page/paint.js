// Painting of boxes: colours, lines, and a painter that works in time slices.
import { isEmpty, isEverything } from "./boxes.js";
import { CLIP, DRAW, GROUP, LAYER } from "./model.js";

const NAMES = [
    "draw", "clip", "layer", "culled", "content", "own", "ink", "paper", "accent",
    "moved", "grown", "shrunk", "gone", "appeared", "repainted", "halo",
];

let known = null;

/** Returns a colour of the style sheet as rgb() text, for example for `color("draw")`. */
export function color(name) {
    known ??= read();
    return known[name];
}

/** Clears the cached colours. Call it when the theme or the background of the drawing has changed. */
export function forgetColors() {
    known = null;
}

function read() {
    const probe = document.createElement("span");
    // The background of the drawing decides between light and dark.
    document.getElementById("stage").append(probe);
    const found = {};
    for (const name of NAMES) {
        probe.style.color = `var(--${name})`;
        found[name] = getComputedStyle(probe).color;
    }
    probe.remove();
    return found;
}

/** Returns the colour of an item. */
export function kindColor(model, item) {
    if (model.isLayer(item)) return color("layer");
    if (model.isGroup(item)) return color("accent");
    return model.isClip(item) ? color("clip") : color("draw");
}

/** Returns the colour with this opacity. */
export function clear(rgb, alpha) {
    return rgb.replace(/^rgb\(([^)]*)\)$/, (_, channels) => `rgb(${channels.replaceAll(",", " ")} / ${alpha})`);
}

/** Lines are cut off this far outside the canvas. */
const OUTSIDE = 16;

/** Draws boxes at whole device pixels, so that lines are sharp. `ratio` is the number of device pixels per CSS pixel. */
export class Pen {
    constructor(context, view, ratio) {
        this.context = context;
        this.view = view;
        this.ratio = ratio;
        this.right = context.canvas.width + OUTSIDE;
        this.bottom = context.canvas.height + OUTSIDE;
        this.last = [NaN, NaN, NaN, NaN];
    }

    /** The box in device pixels, cut to the canvas; null if no edge is visible. */
    place(column, base) {
        const { view, ratio } = this;
        const x0 = Math.round((column[base] * view.scale + view.x) * ratio);
        const y0 = Math.round((column[base + 1] * view.scale + view.y) * ratio);
        const x1 = Math.round((column[base + 2] * view.scale + view.x) * ratio);
        const y1 = Math.round((column[base + 3] * view.scale + view.y) * ratio);
        if (!(column[base] < column[base + 2] && column[base + 1] < column[base + 3])) return null;
        if (x1 < 0 || y1 < 0 || x0 > this.right || y0 > this.bottom) return null;
        if (x0 < -OUTSIDE && y0 < -OUTSIDE && x1 > this.right && y1 > this.bottom) return null;
        return [
            Math.max(x0, -OUTSIDE), Math.max(y0, -OUTSIDE),
            Math.min(x1, this.right), Math.min(y1, this.bottom),
        ];
    }

    /** Strokes one box of a column, unless it equals the one before. */
    stroke(column, base, outset = 0) {
        const box = this.place(column, base);
        if (box === null || box.every((edge, at) => edge === this.last[at])) return false;
        this.last = box;
        const half = (this.context.lineWidth % 2) / 2;
        const [x, y] = [box[0] - outset + half, box[1] - outset + half];
        const width = Math.max(1, box[2] - box[0] + 2 * outset - 1);
        const height = Math.max(1, box[3] - box[1] + 2 * outset - 1);
        this.context.strokeRect(x, y, width, height);
        return true;
    }

    /** Strokes a box with a cross. */
    cross(column, base) {
        const box = this.place(column, base);
        if (box === null) return;
        const { context } = this;
        context.beginPath();
        context.moveTo(box[0], box[1]);
        context.lineTo(box[2], box[3]);
        context.moveTo(box[2], box[1]);
        context.lineTo(box[0], box[3]);
        context.rect(box[0], box[1], box[2] - box[0], box[3] - box[1]);
        context.stroke();
    }

    fill(column, base) {
        const box = this.place(column, base) ?? this.#whole(column, base);
        if (box !== null) this.context.fillRect(box[0], box[1], box[2] - box[0], box[3] - box[1]);
    }

    /** A box that covers the whole canvas has no visible edge, but it fills the canvas. */
    #whole(column, base) {
        const [x0, y0, x1, y1] = this.view.toPage(column.subarray ? column.subarray(base, base + 4) : column);
        const covers = x0 <= 0 && y0 <= 0 && x1 * this.ratio >= this.right - OUTSIDE && y1 * this.ratio >= this.bottom - OUTSIDE;
        return covers ? [0, 0, this.right, this.bottom] : null;
    }
}

/** Line styles: dashes and widths in CSS pixels. Pattern and colour are redundant on purpose. */
export const LINES = {
    draw: { dash: [], width: 1.25, outset: 0 },
    clip: { dash: [7, 5], width: 1.75, outset: 0 },
    layer: { dash: [2, 3], width: 1.75, outset: 2 },
    culled: { dash: [], width: 1, outset: 0 },
    content: { dash: [10, 3, 2, 3], width: 1.5, outset: 0 },
    own: { dash: [1, 2], width: 1.25, outset: 0 },
};

/** Sets the context's line style, and returns the outset of the line. */
export function lineStyle(context, kind, colorText, ratio, isCrowded = false) {
    const line = LINES[kind];
    context.strokeStyle = colorText;
    context.lineWidth = isCrowded ? 1 : Math.max(1, Math.round(line.width * ratio));
    context.setLineDash(isCrowded ? [] : line.dash.map((length) => length * ratio));
    return isCrowded ? 0 : line.outset * ratio;
}

/** Above this number, boxes are painted thin, without dashes, and fainter with increasing number. */
const CROWD = 4000;
const FAINTEST = 0.07;
const AT_ONCE = 256;

/** Each pass paints one column of the items for which `holds` is true. Later passes paint over earlier ones. */
const PASSES = [
    { kind: "own", column: "rect", holds: (model, item) => model.kind[item] !== GROUP && !model.isCulled(item) },
    { kind: "culled", column: "rect", holds: (model, item) => model.kind[item] !== GROUP && model.isCulled(item), cross: true },
    { kind: "draw", column: "bounds", holds: (model, item) => model.kind[item] === DRAW },
    { kind: "content", column: "content", holds: (model, item) => model.kind[item] !== DRAW && model.kind[item] !== GROUP },
    { kind: "clip", column: "clip", holds: (model, item) => (model.kind[item] & CLIP) !== 0 && !model.isCulled(item) },
    { kind: "layer", column: "bounds", holds: (model, item) => (model.kind[item] & LAYER) !== 0 },
];

export class Painter {
    constructor() {
        this.canvas = document.createElement("canvas");
        this.job = null;
    }

    /**
     * Starts a scene: the model, the view, the size in device pixels, `ratio`, `show` (the kinds of boxes), `allowed` (one
     * byte per item, or null for all), and `last`, the last item to paint.
     */
    start(scene) {
        const { canvas } = this;
        canvas.width = scene.width;
        canvas.height = scene.height;
        const context = canvas.getContext("2d");
        const passes = PASSES.filter((pass) => scene.show[pass.kind]);
        const count = scene.allowed ? scene.count : scene.last + 1;
        const isCrowded = count > CROWD;
        const alpha = Math.max(FAINTEST, Math.min(0.6, (0.75 * CROWD) / count));
        this.job = { scene, context, passes, isCrowded, alpha, pen: new Pen(context, scene.view, scene.ratio), pass: 0, item: 0 };
        if (passes.length > 0) this.#style();
    }

    #style() {
        const { context, passes, pass, scene, isCrowded, alpha } = this.job;
        const { kind } = passes[pass];
        const ink = color(kind);
        this.job.outset = lineStyle(context, kind, isCrowded ? clear(ink, alpha) : ink, scene.ratio, isCrowded);
    }

    /** Paints for this many milliseconds, and returns whether everything is painted. */
    slice(milliseconds) {
        const { job } = this;
        if (job === null) return true;
        const until = performance.now() + milliseconds;
        while (job.pass < job.passes.length) {
            if (!this.#some(job)) {
                job.pass += 1;
                job.item = 0;
                if (job.pass < job.passes.length) this.#style();
            } else if (performance.now() >= until) {
                return false;
            }
        }
        this.job = null;
        return true;
    }

    /** Paints some items of the pass, and returns whether there are more. */
    #some({ scene, passes, pass, item, pen, outset }) {
        const { model, allowed, last } = scene;
        const { column, holds, cross } = passes[pass];
        const boxes = model[column];
        let painted = 0;
        let at = item;
        // Skipping an item costs less than painting it.
        for (let seen = 0; at <= last && painted < AT_ONCE && seen < 32 * AT_ONCE; at += 1, seen += 1) {
            if ((allowed !== null && !allowed[at]) || !holds(model, at)) continue;
            if (cross) pen.cross(boxes, 4 * at);
            else pen.stroke(boxes, 4 * at, outset);
            painted += 1;
        }
        this.job.item = at;
        return at <= last;
    }
}

/** Returns the place of a culled item without clipping, or null if it has none. */
export function culledPlace(model, item) {
    const box = model.given(item);
    return isEmpty(box) || isEverything(box) ? null : box;
}
