// What is worth a look in a drawing, in plain words. Each finding selects an item, or searches for the items it is about.
import { area, CLIP, DRAW, EVERYTHING, intersect, isEmpty, NOTHING, union } from "./model.js";
import { count, name, tag } from "./words.js";

/** At most this many layers, and only those that an item makes larger by this factor and by this share of the canvas. */
const LAYERS_MAX = 3;
const LARGER = 1.5;
const SHARE = 0.01;

/** The findings on a drawing: `text`, and `item` or `find`, the words of a search. */
export function findings(model) {
    const many = { draw: 0, clip: 0, layer: 0, idle: 0 };
    const idle = idleClips(model);
    for (let item = 0; item < model.length; item += 1) {
        many.idle += idle[item];
        if (!model.isCulled(item) || model.isGroup(item)) continue;
        if (model.kind[item] === DRAW) many.draw += 1;
        else many[model.isLayer(item) ? "layer" : "clip"] += 1;
    }
    const found = [];
    const tell = (number, text, find) => number > 0 && found.push({ text, find });
    tell(many.draw, `${count(many.draw, "draw is", "draws are")} never visible`, "draw culled");
    for (const { layer, item, factor } of largerLayers(model)) {
        const times = factor < 10 ? Number(factor.toFixed(1)) : Math.round(factor);
        const layerName = model.ids[layer] ? `layer ${tag(model, layer)}` : "its layer";
        found.push({ text: `${name(model, item)} makes ${layerName} ${times} times larger`, item });
    }
    tell(many.layer, `${count(many.layer, "layer")} ${many.layer === 1 ? "shows" : "show"} nothing`, "layer culled");
    tell(many.clip, `${count(many.clip, "clip")} ${many.clip === 1 ? "lets" : "let"} nothing through`, "clip !layer culled");
    tell(many.idle, `${count(many.idle, "clip cuts", "clips cut")} no box`, "idle");
    const ids = [...repeatedIds(model)];
    const isFound = model.ids.some((id) => id !== null && ids.includes(id));
    tell(isFound ? ids.length : 0, `${count(ids.length, "id is", "ids are")} used more than once`, "repeated");
    return found;
}

/** The ids that several objects of the document have. */
export function repeatedIds(model) {
    if (model.repeated) return model.repeated;
    const seen = new Set();
    model.repeated = new Set();
    for (const { id } of model.objects) {
        if (id !== null && seen.has(id)) model.repeated.add(id);
        seen.add(id);
    }
    return model.repeated;
}

/** One byte for each item: 1 for a clip that no box would be larger without. It may still round off corners. */
export function idleClips(model) {
    if (model.idle) return model.idle;
    const idle = (model.idle = new Uint8Array(model.length));
    const inside = new Float32Array(4 * model.length);
    for (let item = 0; item < model.length; item += 1) inside.set(NOTHING, 4 * item);
    // Leaves first: what an item holds is known before its parent needs it.
    for (let item = model.length - 1; item >= 0; item -= 1) {
        const rect = model.isGroup(item) ? EVERYTHING : model.box("rect", item);
        const isLeaf = model.kind[item] === DRAW || model.nonLocal[item] === 1;
        const held = isLeaf ? rect : inside.subarray(4 * item, 4 * item + 4);
        if (model.kind[item] === CLIP && !model.isCulled(item)) {
            const arriving = intersect(held, model.activeClip(item));
            idle[item] = area(intersect(arriving, rect)) === area(arriving) ? 1 : 0;
        }
        const parent = model.parent[item];
        if (parent >= 0) inside.set(union(inside.subarray(4 * parent, 4 * parent + 4), intersect(held, rect)), 4 * parent);
    }
    return idle;
}

/**
 * The layers that one draw makes much larger. The item that alone reaches an edge decides where that edge is, so the first and
 * the second extent on each side are enough.
 */
function largerLayers(model) {
    const found = [];
    const least = SHARE * area(model.viewport);
    const extents = new Map();
    for (let item = model.length - 1; item >= 0; item -= 1) {
        if (model.isCulled(item)) continue;
        const isLeaf = model.kind[item] === DRAW || model.nonLocal[item] === 1;
        const own = isLeaf ? leaf(item, model.box("bounds", item)) : extents.get(item);
        extents.delete(item);
        if (own === undefined) continue;
        if (!isLeaf && model.isLayer(item)) {
            const content = model.box("content", item);
            for (const who of new Set(own.map(({ who }) => who))) {
                const rest = own.map((side) => (side.who === who ? side.second : side.first) * side.sign);
                const saved = area(content) - area(rest);
                const factor = area(content) / area(rest);
                if (!isEmpty(rest) && factor >= LARGER && saved >= least) found.push({ layer: item, item: who, factor, saved });
            }
        }
        const parent = model.parent[item];
        if (parent >= 0) extents.set(parent, merged(extents.get(parent), own));
    }
    found.sort((a, b) => b.saved - a.saved);
    const layers = new Set();
    return found.filter(({ layer, item }) => !layers.has(layer) && layers.add(layer) && item !== layer).slice(0, LAYERS_MAX);
}

/** The four sides of one box. `first` and `second` are the farthest two extents, outwards along `sign`. */
function leaf(item, box) {
    return [-1, -1, 1, 1].map((sign, at) => ({ sign, who: item, first: box[at] * sign, second: -Infinity }));
}

function merged(a, b) {
    if (a === undefined) return b;
    return a.map((side, at) => {
        const [far, near] = side.first >= b[at].first ? [side, b[at]] : [b[at], side];
        return { ...far, second: Math.max(far.second, near.first) };
    });
}
