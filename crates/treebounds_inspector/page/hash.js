// The link to what is seen: everything that is not as at first, in the URL's hash.
import { TILT_MAX, ZOOM_MAX } from "./explode.js";

const BOXES = ["own", "clip", "content", "bounds", "culled", "bins"];

/** The hash for a state. */
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
    if (boxes !== FIRST_BOXES) parts.set("boxes", boxes || "none");
    if (state.drawing !== "dim") parts.set("drawing", state.drawing);
    if (state.heat !== "found") parts.set("heat", state.heat);
    if (state.compare !== "side") parts.set("compare", state.compare);
    if (state.theme !== "auto") parts.set("theme", state.theme);
    if (!state.isFit) parts.set("view", [state.view.scale, state.view.x, state.view.y].map((x) => Number(x.toPrecision(6))).join(","));
    return parts.toString().replaceAll("%2C", ",").replaceAll("%23", "#");
}

const FIRST_BOXES = "clip.bounds.culled";
const FIRST_SPLIT = 0.5;
const CAMERA = ["turn", "tilt", "zoom"];
const FIRST_CAMERA = "-0.6,0.95,1";
/** What names a part of the drawing. */
const PARTS = ["select", "step", "find", "at", "object", "change", "view"];

/** Of a hash, what holds for another drawing too: how things are shown, not which. */
export function lookOf(hash) {
    const parts = new URLSearchParams(hash);
    for (const name of PARTS) parts.delete(name);
    return parts.toString();
}

/** What a hash says; unknown and wrong parts are left out. */
export function readHash(hash, model, changes = []) {
    const parts = new URLSearchParams(hash.replace(/^#/, ""));
    const found = {};
    const item = (name) => (/^\d+$/.test(parts.get(name) ?? "") ? model.itemOf(Number(parts.get(name))) : -1);
    const place = (name, list) => (/^\d+$/.test(parts.get(name) ?? "") && Number(parts.get(name)) < list.length ? Number(parts.get(name)) : -1);
    const numbers = (name, many) => {
        const list = (parts.get(name) ?? "").split(",").map(Number);
        return parts.has(name) && list.length === many && list.every(Number.isFinite) ? list : null;
    };
    found.selected = item("select");
    found.step = item("step");
    found.mode = oneOf(parts.get("mode"), ["boxes", "heat", "exploded", "compare"]);
    found.tab = oneOf(parts.get("tab"), ["why", "point", "layers", "objects", "changes", "tree"]);
    found.drawing = oneOf(parts.get("drawing"), ["full", "dim", "off"], "dim");
    found.heat = oneOf(parts.get("heat"), ["given", "found", "saved"], "found");
    found.compare = oneOf(parts.get("compare"), ["side", "over", "slider"], "side");
    found.theme = oneOf(parts.get("theme"), ["auto", "light", "dark"], "auto");
    found.query = parts.get("find") ?? "";
    found.point = numbers("at", 2);
    found.object = place("object", model.objects);
    found.change = place("change", changes);
    const split = Number(parts.get("split") ?? FIRST_SPLIT);
    found.split = split >= 0 && split <= 1 ? split : FIRST_SPLIT;
    found.camera = cameraOf(parts.get("camera")) ?? cameraOf(FIRST_CAMERA);
    const view = numbers("view", 3);
    found.view = view !== null && view[0] > 0 ? view : null;
    const boxes = (parts.get("boxes") ?? FIRST_BOXES).split(".");
    found.show = Object.fromEntries(BOXES.map((box) => [box, boxes.includes(box)]));
    return found;
}

/** Null where the text is no camera. */
function cameraOf(text) {
    const [turn, tilt, zoom] = (text ?? "").split(",").map(Number);
    const isOne = Number.isFinite(turn) && tilt >= 0 && tilt <= TILT_MAX && zoom > 0 && zoom <= ZOOM_MAX;
    return isOne ? { turn, tilt, zoom } : null;
}

function oneOf(value, allowed, first = allowed[0]) {
    return allowed.includes(value) ? value : first;
}
