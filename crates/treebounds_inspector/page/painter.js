// All boxes of a scene, painted in slices of a few milliseconds, so that the page answers meanwhile.
import { isEmpty, isEverything } from "./box.js";
import { color, clear } from "./colors.js";
import { CLIP, DRAW, LAYER } from "./model.js";
import { Pen, lineStyle } from "./strokes.js";

/** More boxes than these are painted thin, without dashes, and the more of them the fainter. */
const CROWD = 4000;
const FAINTEST = 0.07;
const AT_ONCE = 256;

/** Which items a pass paints, from which column, how. Later passes lie over earlier ones. */
const PASSES = [
    { kind: "own", toggle: "own", column: "rect", holds: (model, item) => !model.isCulled(item) },
    { kind: "culled", toggle: "culled", column: "rect", holds: (model, item) => model.isCulled(item), cross: true },
    { kind: "draw", toggle: "bounds", column: "bounds", holds: (model, item) => model.kind[item] === DRAW },
    { kind: "content", toggle: "content", column: "content", holds: (model, item) => model.kind[item] !== DRAW },
    { kind: "clip", toggle: "clip", column: "clip", holds: (model, item) => (model.kind[item] & CLIP) !== 0 && !model.isCulled(item) },
    { kind: "layer", toggle: "bounds", column: "bounds", holds: (model, item) => (model.kind[item] & LAYER) !== 0 },
];

export class Painter {
    constructor() {
        this.canvas = document.createElement("canvas");
        this.job = null;
    }

    /**
     * Starts over with a scene: the model, the view, the size in device pixels, `ratio` (device pixels per CSS pixel), `show` (the
     * active toggles), `allowed` (one byte per item, or null for all), and `last`, the last item to paint.
     */
    start(scene) {
        const { canvas } = this;
        canvas.width = scene.width;
        canvas.height = scene.height;
        const context = canvas.getContext("2d");
        const passes = PASSES.filter((pass) => scene.show[pass.toggle]);
        const count = scene.allowed ? scene.count : scene.last + 1;
        const isCrowded = count > CROWD;
        const alpha = Math.max(FAINTEST, Math.min(0.6, (0.75 * CROWD) / count));
        this.job = { scene, context, passes, isCrowded, alpha, pen: new Pen(context, scene.view, scene.ratio), pass: 0, item: 0 };
        if (passes.length > 0) this.#style();
    }

    #style() {
        const { context, passes, pass, scene, isCrowded, alpha } = this.job;
        const { kind } = passes[pass];
        const ink = kind === "own" ? color("own") : color(kind);
        this.job.outset = lineStyle(context, kind, isCrowded ? clear(ink, alpha) : ink, scene.ratio, isCrowded);
    }

    /** Paints for so many milliseconds; whether all is painted. */
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

    /** Paints some items of the pass; whether there are more. */
    #some({ scene, passes, pass, item, pen, outset }) {
        const { model, allowed, last } = scene;
        const { column, holds, cross } = passes[pass];
        const boxes = model[column];
        let painted = 0;
        let at = item;
        // Items that are left out cost less.
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

/** Where something culled would be; null where it has no place. */
export function culledPlace(model, item) {
    const box = model.given(item);
    return isEmpty(box) || isEverything(box) ? null : box;
}
