// Findings about a drawing in plain words. Each finding selects an item, or searches for several items.
import { area, cut, emptyBoxes, grow, intersect, isEmpty, pixels } from "./boxes.js";
import { CLIP, DRAW } from "./model.js";
import { bytes, count, name, PIXEL_BYTES, tag, whole } from "./words.js";

/** The maximum number of listed layers. An item must enlarge them by this factor and by this share of the canvas. */
const LAYERS_MAX = 3;
const LARGER = 1.5;
const SHARE = 0.01;

/** Layers are reported if they take this many times the pixels of the canvas. */
const CANVASES = 4;

/**
 * Returns the findings on a drawing, most expensive first: `text`, and `item` or `find`, a search text. `isRect` returns
 * whether a clip is a rectangle.
 */
export function findings(model, isRect) {
    const many = { draw: 0, clip: 0, layer: 0, idle: 0, useless: 0, layers: 0 };
    const cost = { draw: 0, layer: 0, layers: 0 };
    const idle = idleClips(model);
    for (let item = 0; item < model.length; item += 1) {
        many.idle += idle[item];
        if (idle[item] && isRect(item)) many.useless += 1;
        if (model.isGroup(item)) continue;
        if (model.isLayer(item)) {
            many.layers += 1;
            cost.layers += pixels(intersect(model.box("bounds", item), model.viewport));
        }
        if (!model.isCulled(item)) continue;
        const kind = model.kind[item] === DRAW ? "draw" : model.isLayer(item) ? "layer" : "clip";
        many[kind] += 1;
        if (kind !== "clip") cost[kind] += pixels(intersect(model.box(kind === "draw" ? "rect" : "clip", item), model.viewport));
    }
    const found = [];
    const tell = (number, text, find, pixels = 0) => number > 0 && found.push({ text, find, cost: pixels });
    tell(many.draw, `${count(many.draw, "draw is", "draws are")} never visible`, "draw culled", cost.draw);
    for (const { layer, item, factor, saved } of largerLayers(model)) {
        const times = factor < 10 ? Number(factor.toFixed(1)) : whole(factor);
        const layerName = model.ids[layer] ? `layer ${tag(model, layer)}` : "its layer";
        found.push({ text: `${name(model, item)} makes ${layerName} ${times} times larger`, item, cost: saved });
    }
    const isMuch = cost.layers > CANVASES * pixels(model.viewport);
    const peak = model.head.layer_plan?.peak;
    const atOnce = peak > 0 ? `, ${bytes(peak * PIXEL_BYTES)} at the same time` : "";
    tell(isMuch ? many.layers : 0, `${count(many.layers, "layer takes", "layers take")} ${bytes(cost.layers * PIXEL_BYTES)}${atOnce}`, "layer", cost.layers);
    tell(many.layer, `${count(many.layer, "layer")} ${many.layer === 1 ? "shows" : "show"} nothing`, "layer culled", cost.layer);
    tell(many.clip, `${count(many.clip, "clip")} ${many.clip === 1 ? "lets" : "let"} nothing through`, "clip !layer culled");
    const rects = many.useless === 1 ? "1 of them is a rectangle and does" : `${whole(many.useless)} of them are rectangles and do`;
    tell(many.useless, `${count(many.idle, "clip cuts", "clips cut")} no box; ${rects} nothing`, "idle");
    const ids = [...repeatedIds(model)];
    const isFound = ids.length > 0 && model.ids.some((id) => ids.includes(id));
    tell(isFound ? ids.length : 0, `${count(ids.length, "id is", "ids are")} used more than once`, "repeated");
    return found.sort((a, b) => b.cost - a.cost);
}

/** Returns the ids shared by several objects of the document. */
export function repeatedIds(model) {
    if (model.repeated) return model.repeated;
    const seen = new Set();
    model.repeated = new Set();
    for (const object of model.known) {
        const id = typeof object === "number" ? model.ids[model.itemOf(object)] : object.id;
        if (id !== null && seen.has(id)) model.repeated.add(id);
        seen.add(id);
    }
    return model.repeated;
}

/** Returns one byte per item: 1 for a clip that shrinks no box. It may still round off corners. */
export function idleClips(model) {
    if (model.idle) return model.idle;
    const idle = (model.idle = new Uint8Array(model.length));
    const inside = emptyBoxes(model.length);
    // Leaves first, so that the children of an item are processed before it.
    for (let item = model.length - 1; item >= 0; item -= 1) {
        const base = 4 * item;
        const isLeaf = model.kind[item] === DRAW || model.nonLocal[item] === 1;
        const held = isLeaf ? model.rect : inside;
        if (model.kind[item] === CLIP && !model.isCulled(item)) {
            const arriving = intersect(held.subarray(base, base + 4), model.activeClip(item));
            idle[item] = area(intersect(arriving, model.box("rect", item))) === area(arriving) ? 1 : 0;
        }
        if (!isLeaf && !model.isGroup(item)) cut(inside, inside, base, model.rect, base);
        if (model.parent[item] >= 0) grow(inside, 4 * model.parent[item], held, base);
    }
    return idle;
}

/**
 * Returns the layers that a single draw, other than the background, makes much larger. Only an item that alone reaches an
 * edge decides where that edge is, so the first and second extents on each side are enough.
 */
function largerLayers(model) {
    const found = [];
    const least = SHARE * area(model.viewport);
    // For each side of an item: the outermost edge of the draws inside it, the draw with that edge, and the
    // outermost edge of the other draws. Edges are multiplied by the side's sign.
    const [first, second] = [0, 1].map(() => new Float32Array(4 * model.length).fill(-Infinity));
    const who = new Int32Array(4 * model.length);
    for (let item = model.length - 1; item >= 0; item -= 1) {
        const base = 4 * item;
        const isLeaf = model.kind[item] === DRAW || model.nonLocal[item] === 1;
        if (model.isCulled(item)) continue;
        if (isLeaf) {
            for (let side = base; side < base + 4; side += 1) {
                first[side] = sign(side) * model.bounds[side];
                second[side] = -Infinity;
                who[side] = item;
            }
        } else if (model.isLayer(item) && first[base] > -Infinity) {
            const content = model.box("content", item);
            for (const one of new Set(who.subarray(base, base + 4))) {
                const rest = [0, 1, 2, 3].map((at) => sign(at) * (who[base + at] === one ? second : first)[base + at]);
                const saved = area(content) - area(rest);
                const factor = area(content) / area(rest);
                // An item that covers the whole layer is its background.
                const isGround = area(model.box("bounds", one)) === area(content);
                if (!isEmpty(rest) && !isGround && factor >= LARGER && saved >= least) found.push({ layer: item, item: one, factor, saved });
            }
        }
        if (model.parent[item] < 0) continue;
        for (let side = base, to = 4 * model.parent[item]; side < base + 4; side += 1, to += 1) {
            if (first[side] > first[to]) {
                second[to] = Math.max(second[side], first[to]);
                first[to] = first[side];
                who[to] = who[side];
            } else {
                second[to] = Math.max(second[to], first[side]);
            }
        }
    }
    found.sort((a, b) => b.saved - a.saved);
    const layers = new Set();
    return found.filter(({ layer, item }) => !layers.has(layer) && layers.add(layer) && item !== layer).slice(0, LAYERS_MAX);
}

/** The outward direction: negative for the left and top sides. */
const sign = (side) => (side % 4 < 2 ? -1 : 1);
