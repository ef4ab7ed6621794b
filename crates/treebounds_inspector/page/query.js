// The search field: words that all must hold, `!` before a word for its opposite.
import { area, intersect, isEmpty, isEverything, pixels } from "./box.js";
import { CLIP, DRAW, LAYER } from "./model.js";

/** The part of a layer that is as given, and holds nothing: in pixels and as a share. */
export function waste(model, item) {
    if (!model.isLayer(item)) return { pixels: 0, share: 0 };
    const given = pixels(intersect(model.box("rect", item), model.viewport));
    const found = pixels(model.box("bounds", item));
    const wasted = Math.max(0, given - found);
    return { pixels: wasted, share: given === 0 ? 0 : wasted / given };
}

const WORDS = {
    draw: (model, item) => model.kind[item] === DRAW,
    clip: (model, item) => (model.kind[item] & CLIP) !== 0,
    layer: (model, item) => (model.kind[item] & LAYER) !== 0,
    node: (model, item) => model.kind[item] !== DRAW,
    culled: (model, item) => model.isCulled(item),
    cut: (model, item) => isCut(model, item),
    filtered: (model, item) => !isEmpty(model.box("own", item)),
};

/** Whether some of what the item has for a box of its own is left, and some is not. */
function isCut(model, item) {
    const [rect, bounds] = [model.box("rect", item), model.box("bounds", item)];
    return !isEverything(rect) && !isEmpty(bounds) && area(bounds) < area(rect);
}

const SIZES = {
    w: (model, item) => side(model, item, 0),
    h: (model, item) => side(model, item, 1),
    area: (model, item) => side(model, item, 0) * side(model, item, 1),
    depth: (model, item) => model.depth[item],
    wasted: (model, item, isShare) => (isShare ? waste(model, item).share : waste(model, item).pixels),
};

function side(model, item, at) {
    if (model.isCulled(item)) return 0;
    const edge = 4 * item + at;
    return model.bounds[edge + 2] - model.bounds[edge];
}

/** The names of all words, for the help. */
export const QUERY_WORDS = [...Object.keys(WORDS), ...Object.keys(SIZES)];

/** A test of (model, item) for this text; null where the text asks for nothing. */
export function query(text) {
    const tests = text.trim().split(/\s+/).filter(Boolean).map(test);
    if (tests.length === 0) return null;
    return (model, item) => tests.every((holds) => holds(model, item));
}

function test(word) {
    if (word.length > 1 && word.startsWith("!")) {
        const holds = test(word.slice(1));
        return (model, item) => !holds(model, item);
    }
    const lower = word.toLowerCase();
    if (Object.hasOwn(WORDS, lower)) return WORDS[lower];
    const compared = /^(w|h|area|depth|wasted)([<>])([\d.]+)(%?)$/.exec(lower);
    if (compared) return comparison(compared);
    const exact = word.startsWith("#") ? word.slice(1) : null;
    if (exact) return (model, item) => model.ids[item] === exact || (model.ids[item] ?? "").startsWith(exact);
    return (model, item) => {
        const [id, path] = [model.ids[item], model.paths[item]];
        if (id !== null && id.toLowerCase().includes(lower)) return true;
        return model.sources[item].toLowerCase() === lower || (path !== null && path.toLowerCase().includes(lower));
    };
}

function comparison([, name, sign, digits, unit]) {
    const limit = Number(digits) / (unit ? 100 : 1);
    const value = SIZES[name];
    return (model, item) => {
        const found = value(model, item, unit !== "");
        return sign === ">" ? found > limit : found < limit;
    };
}
