// Queries on a drawing: searching, picking at a point, and the pixels of layers.
import { area, intersect, isEmpty, isEverything, pixels } from "./boxes.js";
import { idleClips, repeatedIds } from "./findings.js";
import { CLIP, DRAW, GROUP, LAYER, SPREAD } from "./model.js";

const WORDS = {
    draw: (model, item) => model.kind[item] === DRAW,
    clip: (model, item) => (model.kind[item] & CLIP) !== 0,
    layer: (model, item) => (model.kind[item] & LAYER) !== 0,
    node: (model, item) => model.kind[item] !== DRAW,
    culled: (model, item) => model.isCulled(item),
    cut: (model, item) => isCut(model, item),
    filtered: (model, item) => model.filtered[item] === 1,
    idle: (model, item) => idleClips(model)[item] === 1,
    repeated: (model, item) => repeatedIds(model).has(model.ids[item]),
};

/** Whether the item is partly visible. */
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

/** Returns the empty part of a layer's clip, in pixels and as a share. */
function waste(model, item) {
    if (!model.isLayer(item)) return { pixels: 0, share: 0 };
    const given = pixels(model.box("clip", item));
    const wasted = Math.max(0, given - pixels(model.box("bounds", item)));
    return { pixels: wasted, share: given === 0 ? 0 : wasted / given };
}

/**
 * Parses the search text. All words must match; `!` negates a word. Returns `holds`, a predicate on items, or null if the
 * text is empty; `objects`, the objects with matching ids; and `error`, a sentence about the first invalid word.
 */
export function query(model, text) {
    const found = { holds: null, objects: [], error: "" };
    const words = text.match(/!?(?:"[^"]+"|“[^”]+”|[^\s"“”]+)/g) ?? [];
    const tests = words.map((word) => test(model, word, found));
    if (words.length === 0 && text.trim() !== "") found.error = "Put words between two quotation marks.";
    if (tests.length > 0) found.holds = (item) => tests.every((holds) => holds(item));
    return found;
}

function test(model, word, found) {
    if (word.startsWith("!") && word.length > 1) {
        const holds = test(model, word.slice(1), found);
        return (item) => !holds(item);
    }
    const quoted = /^["“](.+)["”]$/.exec(word)?.[1];
    if (quoted !== undefined) return textTest(model, quoted, false, found);
    const lower = word.toLowerCase();
    if (Object.hasOwn(WORDS, lower)) return (item) => WORDS[lower](model, item);
    const [, name, sign, digits, unit] = /^(\w+)([<>]=?|=)(.*?)(%?)$/.exec(lower) ?? [];
    if (name !== undefined) return comparison(model, name, sign, digits, unit, found);
    return textTest(model, word, word.startsWith("#") && word.length > 1, found);
}

/** Matches an id, the words of a text, the name of an element, or a part of a path. */
function textTest(model, word, isId, found) {
    const lower = word.toLowerCase();
    const ids = isId ? (id) => id.startsWith(word.slice(1)) : (id) => id.toLowerCase().includes(lower);
    const inside = groupsNamed(model, ids, found);
    return (item) => {
        const [id, path] = [model.ids[item], model.paths[item]];
        if ((id !== null && ids(id)) || (path !== null && inside(path))) return true;
        if (!isId && model.texts.get(item)?.toLowerCase().includes(lower)) return true;
        return !isId && (model.sources[item].toLowerCase() === lower || (path !== null && isAt(path.toLowerCase(), lower)));
    };
}

/** Whether a path, such as `svg/g[1]/rect[2]`, ends with an element of this name, or contains this part of a path. */
function isAt(path, text) {
    if (text.includes("/") || text.includes("[")) return path.includes(text);
    const last = path.slice(path.lastIndexOf("/") + 1);
    return last === text || last.startsWith(`${text}[`);
}

/**
 * Returns whether a path is inside a group whose id matches. A group that neither clips nor blends is not an item, so its id
 * finds the items inside it.
 */
function groupsNamed(model, matches, found) {
    const objects = model.objects.filter(({ id }) => id !== null && matches(id));
    found.objects.push(...objects);
    const known = new Set(objects.length > 0 ? model.ids.filter((_, item) => !model.isGroup(item)) : []);
    const paths = new Set(objects.filter(({ id, part }) => part === "painted" && !known.has(id)).map(({ path }) => path));
    return (path) => {
        if (paths.size === 0) return false;
        for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
            if (paths.has(path.slice(0, end))) return true;
        }
        return false;
    };
}

function comparison(model, name, sign, digits, unit, found) {
    const limit = Number(digits) / (unit ? 100 : 1);
    if (!Object.hasOwn(SIZES, name)) found.error ||= `“${name}” is not a size. Try w, h, area, depth or wasted.`;
    else if (digits === "" || !Number.isFinite(limit)) found.error ||= `Add a number after “${name}${sign}”, such as ${name}${sign}100.`;
    if (found.error) return () => false;
    const value = SIZES[name];
    return (item) => {
        const size = value(model, item, unit !== "");
        // Sizes are shown with two decimals, and shares in percent.
        if (sign.includes("=") && Math.abs(size - limit) < 0.005) return true;
        return sign.startsWith(">") ? size > limit : sign.startsWith("<") && size < limit;
    };
}

/**
 * Returns the items at a point, front to back. An item is there if its rect contains the point; an unlimited item is there
 * if its bounds do. `state` is "visible", "clipped" (invisible here) or "culled" (invisible everywhere). Scanning 200,000
 * items takes about a millisecond, so there is no index.
 */
export function pick(model, x, y) {
    const { rect, bounds } = model;
    const found = [];
    for (let item = model.length - 1; item >= 0; item -= 1) {
        const base = 4 * item;
        // Inside a filter, rects are places before filtering.
        const own = model.filtered[item] || model.kind[item] === SPREAD ? bounds : rect;
        const isInRect = own[base] <= x && x < own[base + 2] && own[base + 1] <= y && y < own[base + 3];
        if (!isInRect || model.kind[item] === GROUP) continue;
        const isInBounds = bounds[base] <= x && x < bounds[base + 2] && bounds[base + 1] <= y && y < bounds[base + 3];
        if (!isInBounds && isEverything(model.box("rect", item))) continue;
        const isCulled = !isInBounds && isEmpty(model.box("bounds", item));
        found.push({ item, state: isInBounds ? "visible" : isCulled ? "culled" : "clipped" });
    }
    return found;
}

/** Returns the frontmost visible draw at a point, otherwise the innermost node there, or -1. */
export function topmost(model, x, y, allowed, last = model.length - 1) {
    const { bounds, kind } = model;
    let node = -1;
    for (let item = last; item >= 0; item -= 1) {
        const base = 4 * item;
        const isHere = bounds[base] <= x && x < bounds[base + 2] && bounds[base + 1] <= y && y < bounds[base + 3];
        if (!isHere || kind[item] === GROUP || (allowed && !allowed[item])) continue;
        if (kind[item] === DRAW) return item;
        if (node < 0) node = item;
    }
    return node;
}

/**
 * Returns one row per layer, most wasteful first, and the sums. `given` counts the pixels left by the enclosing clips and
 * the layer's own extent, which a renderer allocates if it does not know the contents. `found` is the visible part of its
 * contents.
 */
export function layers(model) {
    const rows = [];
    const sums = { given: 0, found: 0, empty: 0 };
    for (let item = 0; item < model.length; item += 1) {
        if (!model.isLayer(item)) continue;
        const given = pixels(model.box("clip", item));
        const found = pixels(intersect(model.box("bounds", item), model.viewport));
        rows.push({ item, given, found, note: note(model, item, given, found) });
        sums.given += given;
        sums.found += found;
        sums.empty += found === 0 ? 1 : 0;
    }
    rows.sort((a, b) => b.given - b.found - (a.given - a.found) || b.given - a.given || a.item - b.item);
    return { rows, sums };
}

function note(model, item, given, found) {
    if (!isEmpty(model.box("bounds", item))) return found < given ? "" : "nothing saved";
    return model.end[item] === item + 1 ? "empty" : "shows nothing";
}
