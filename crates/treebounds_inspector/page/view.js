// The view (a scale and an offset that map the drawing's pixels to the page's), and the link that
// stores the state.
import { TILT_MAX, ZOOM_MAX } from "./explode.js";

const LEAST = 1e-4;
const MOST = 1e4;

export class View {
    constructor(scale = 1, x = 0, y = 0) {
        this.scale = scale;
        this.x = x;
        this.y = y;
    }

    /** Returns the view that fits the box into an area of this size. */
    static fit(box, width, height) {
        const margin = Math.min(24, width / 16, height / 16);
        const across = (width - 2 * margin) / (box[2] - box[0]);
        const down = (height - 2 * margin) / (box[3] - box[1]);
        const scale = clamp(Math.min(across, down));
        return new View(
            scale,
            (width - scale * (box[0] + box[2])) / 2,
            (height - scale * (box[1] + box[3])) / 2,
        );
    }

    /** Zooms by a factor around the point (x, y) of the page. */
    zoomed(factor, x, y) {
        const scale = clamp(this.scale * factor);
        const by = scale / this.scale;
        return new View(scale, x + (this.x - x) * by, y + (this.y - y) * by);
    }

    moved(x, y) {
        return new View(this.scale, this.x + x, this.y + y);
    }

    /** Maps a point of the page to the drawing. */
    toDrawing(x, y) {
        return [(x - this.x) / this.scale, (y - this.y) / this.scale];
    }

    /** Maps a box of the drawing to the page. */
    toPage(box) {
        return [
            box[0] * this.scale + this.x, box[1] * this.scale + this.y,
            box[2] * this.scale + this.x, box[3] * this.scale + this.y,
        ];
    }

    same(other) {
        return this.scale === other.scale && this.x === other.x && this.y === other.y;
    }
}

function clamp(scale) {
    return Math.min(MOST, Math.max(LEAST, scale));
}

const BOXES = ["own", "clip", "content", "draw", "layer", "culled", "bins"];
/** A drawing with more elements than this shows only its clips and layers at first. */
const CROWDED = 300;

function firstBoxes(model) {
    return model.count > CROWDED ? "clip.layer" : "clip.draw.layer.culled";
}

/**
 * From this number of elements on, browsers take seconds to draw. The drawing is hidden at first and drawn only on request.
 */
const HEAVY = 20000;

export function isHeavy(model) {
    return model.count > HEAVY;
}

function firstDrawing(model) {
    return isHeavy(model) ? "off" : "dim";
}

/** Returns the hash that describes a state: all differences from the initial state. */
export function writeHash(state, model) {
    const parts = new URLSearchParams();
    if (state.selected >= 0) parts.set("select", model.ix[state.selected]);
    if (state.step >= 0) parts.set("step", model.ix[state.step]);
    if (state.mode !== "boxes") parts.set("mode", state.mode);
    if (state.tab !== "why") parts.set("tab", state.tab);
    if (state.query) parts.set("find", state.query);
    if (state.point) parts.set("at", state.point.map((x) => Number(x.toFixed(2))).join(","));
    if (state.object >= 0) parts.set("object", state.object);
    if (state.change >= 0) parts.set("change", state.change);
    if (state.split !== FIRST_SPLIT) parts.set("split", Number(state.split.toFixed(4)));
    const camera = CAMERA.map((name) => Number(state.camera[name].toFixed(3))).join(",");
    if (camera !== FIRST_CAMERA) parts.set("camera", camera);
    const boxes = BOXES.filter((box) => state.show[box]).join(".");
    if (boxes !== firstBoxes(model)) parts.set("boxes", boxes || "none");
    if (state.drawing !== firstDrawing(model)) parts.set("drawing", state.drawing);
    if (state.drawnBy !== "measured") parts.set("by", state.drawnBy);
    if (state.heat !== "found") parts.set("heat", state.heat);
    if (state.compare !== "side") parts.set("compare", state.compare);
    if (state.theme !== "auto") parts.set("theme", state.theme);
    if (!state.isFit) parts.set("view", [state.view.scale, state.view.x, state.view.y].map((x) => Number(x.toPrecision(6))).join(","));
    return parts.toString().replaceAll("%2C", ",").replaceAll("%23", "#");
}

const FIRST_SPLIT = 0.5;
const CAMERA = ["turn", "tilt", "zoom"];
const FIRST_CAMERA = "-0.6,0.95,1";
/** The parts of a hash that refer to one drawing. */
const PARTS = ["select", "step", "find", "at", "object", "change", "view"];

/** Returns the parts of a hash that also apply to other drawings. */
export function lookOf(hash) {
    const parts = new URLSearchParams(hash);
    for (const name of PARTS) parts.delete(name);
    return parts.toString();
}

/** Reads a hash. Unknown and invalid parts are ignored. */
export function readHash(hash, model, changes = []) {
    const parts = new URLSearchParams(hash.replace(/^#/, ""));
    const found = {};
    const item = (name) => (/^[\d.]+$/.test(parts.get(name) ?? "") ? model.itemOf(Number(parts.get(name))) : -1);
    const place = (name, many) => (/^\d+$/.test(parts.get(name) ?? "") && Number(parts.get(name)) < many ? Number(parts.get(name)) : -1);
    const numbers = (name, many) => {
        const list = (parts.get(name) ?? "").split(",").map(Number);
        return parts.has(name) && list.length === many && list.every(Number.isFinite) ? list : null;
    };
    found.selected = item("select");
    found.step = item("step");
    found.mode = oneOf(parts.get("mode"), ["boxes", "heat", "exploded", "compare"]);
    found.tab = oneOf(parts.get("tab"), ["why", "point", "layers", "objects", "changes", "tree"]);
    found.drawing = oneOf(parts.get("drawing"), ["full", "dim", "off"], firstDrawing(model));
    found.drawnBy = oneOf(parts.get("by"), ["measured", "browser"], "measured");
    found.heat = oneOf(parts.get("heat"), ["given", "found", "saved"], "found");
    found.compare = oneOf(parts.get("compare"), ["side", "over", "slider"], "side");
    found.theme = oneOf(parts.get("theme"), ["auto", "light", "dark"], "auto");
    found.query = parts.get("find") ?? "";
    found.point = numbers("at", 2);
    found.object = place("object", model.known.length);
    found.change = place("change", changes.length);
    const split = Number(parts.get("split") ?? FIRST_SPLIT);
    found.split = split >= 0 && split <= 1 ? split : FIRST_SPLIT;
    found.camera = cameraOf(parts.get("camera")) ?? cameraOf(FIRST_CAMERA);
    const view = numbers("view", 3);
    found.view = view !== null && view[0] > 0 ? view : null;
    const boxes = (parts.get("boxes") ?? firstBoxes(model)).split(".");
    found.show = Object.fromEntries(BOXES.map((box) => [box, boxes.includes(box)]));
    return found;
}

/** Parses a camera, or returns null. */
function cameraOf(text) {
    const [turn, tilt, zoom] = (text ?? "").split(",").map(Number);
    const isOne = Number.isFinite(turn) && tilt >= 0 && tilt <= TILT_MAX && zoom > 0 && zoom <= ZOOM_MAX;
    return isOne ? { turn, tilt, zoom } : null;
}

function oneOf(value, allowed, first = allowed[0]) {
    return allowed.includes(value) ? value : first;
}
