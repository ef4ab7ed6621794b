// Compares an old and a new drawing.
import { isEmpty } from "./boxes.js";
import { Marks } from "./marks.js";
import { BadReport } from "./model.js";
import { clear, color } from "./paint.js";

/** The kinds of changes, and their colours. */
const INKS = { moved: "moved", grown: "grown", shown: "grown", shrunk: "shrunk", reshaped: "shrunk", culled: "culled", gone: "gone", appeared: "appeared", repainted: "repainted", renamed: "repainted", reordered: "repainted" };
const SHOWN_MAX = 4000;
/** The changes that may follow from changes of other boxes. */
const BOXES_MOVE = new Set(Object.keys(INKS).slice(0, 8));

/**
 * Parses the list of differences. Each of the `changes` has `change`, `old` and `item`, which are items of the models or -1.
 */
export function readChanges(text, old, model) {
    let diff;
    try {
        diff = JSON.parse(text);
    } catch (error) {
        throw new BadReport(`The list of differences is cut off: ${error.message}`);
    }
    if (diff?.schema !== "treebounds.diff/1" || !Array.isArray(diff.changes)) {
        throw new BadReport("The list of differences does not have the format treebounds.diff/1.");
    }
    const item = (of, ix) => (Number.isInteger(ix) ? of.itemOf(ix) : -1);
    const known = diff.changes.filter((change) => Object.hasOwn(INKS, change.change));
    const changes = known.map(({ change, old: from, new: to }) => ({ change, old: item(old, from), item: item(model, to) }));
    return { changes, repainted: diff.repainted };
}

/**
 * Groups the changes by cause. Each cause is a list of indices into `changes`, the original change first. Elements that
 * moved by the same offset share a cause; if the node around all of them moved too, it is the original. So do elements that
 * appeared or disappeared with a node around them. If a box changed although its own box did not, the cause is a changed
 * node around it or a change inside it.
 */
export function causes(changes, old, model) {
    const byItem = new Map(changes.map(({ item, change }, at) => [item, at, change]).filter(([, , change]) => BOXES_MOVE.has(change)));
    const appeared = new Set(changes.filter(({ old: from }) => from < 0).map(({ item }) => item));
    const gone = new Set(changes.filter(({ item }) => item < 0).map(({ old: from }) => from));
    const keys = changes.map((change, at) => {
        if (!BOXES_MOVE.has(change.change)) return `${change.change} ${at}`;
        if (change.old < 0) return `new ${outermost(model, change.item, appeared)}`;
        return change.item < 0 ? `old ${outermost(old, change.old, gone)}` : ownCause(change, at, old, model);
    });
    const isOwn = keys.map((key) => key !== null);
    const join = (at, items) => {
        const cause = items.find((item) => isOwn[byItem.get(item)]);
        if (cause !== undefined) keys[at] = keys[byItem.get(cause)];
    };
    for (const [at, { item }] of changes.entries()) {
        if (keys[at] === null) join(at, model.ancestors(item).reverse());
        if (keys[at] === null) join(at, range(item + 1, model.end[item]));
    }
    const found = new Map();
    for (const at of [...keys.keys()].sort((a, b) => isOwn[b] - isOwn[a])) {
        const key = keys[at] ?? `alone ${at}`;
        if (!found.has(key)) found.set(key, []);
        found.get(key).push(at);
    }
    return [...found.values()].map((cause) => nodeFirst(cause, changes, model)).sort((a, b) => a[0] - b[0]);
}

/** Puts the enclosing node first if all elements of the cause moved with it. */
function nodeFirst(cause, changes, model) {
    const first = cause.reduce((least, at) => (changes[at].item < changes[least].item ? at : least));
    const isIn = (at) => changes[at].change === "moved" && changes[at].item < model.end[changes[first].item];
    return cause.every(isIn) ? [first, ...cause.filter((at) => at !== first)] : cause;
}

/** Returns a key shared by all changes with the same cause; null if the element's own box is unchanged. */
function ownCause({ old: from, item }, at, old, model) {
    const [before, after] = [old.box("rect", from), model.box("rect", item)];
    const by = after.map((edge, side) => edge - before[side]);
    if (by.every((length) => length === 0)) return null;
    const rounding = 1e-3 + 1e-5 * Math.max(...after.map(Math.abs));
    const isMove = Math.abs(by[0] - by[2]) < rounding && Math.abs(by[1] - by[3]) < rounding;
    return isMove ? `moved by ${by[0].toFixed(2)}, ${by[1].toFixed(2)}` : `own ${at}`;
}

/** Returns the outermost of the consecutive ancestors that are in `among`, or the item itself. */
function outermost(model, item, among) {
    const around = model.ancestors(item).reverse();
    const end = around.findIndex((up) => !among.has(up));
    return around[(end < 0 ? around.length : end) - 1] ?? item;
}

function range(from, to) {
    return Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
}

function changeColor(change) {
    return color(INKS[change]);
}

/** Paints the differing boxes: old ones dashed, new ones solid. `side` is "old", "new" or "both". */
export function paintChanges(scene, side, marked) {
    const { context, old, model, view, ratio, width, height, changes } = scene;
    const olds = new Marks(context, old, view, ratio, width, height);
    const news = new Marks(context, model, view, ratio, width, height);
    for (const change of changes.slice(0, SHOWN_MAX)) {
        const ink = changeColor(change.change);
        const isMarked = change === marked;
        if (side !== "new") paintChange(olds, old, change.old, ink, "clip", isMarked);
        if (side !== "old") paintChange(news, model, change.item, ink, "draw", isMarked);
    }
    if (marked === undefined) return;
    const shows = side === "old" || (side === "both" && marked.item < 0) ? [olds, old, marked.old] : [news, model, marked.item];
    const [marks, of, item] = shows;
    if (item >= 0) marks.label(`${marked.change}`, changeColor(marked.change), changePlace(of, item));
}

function paintChange(marks, model, item, ink, kind, isMarked) {
    if (item < 0) return;
    const where = changePlace(model, item);
    marks.fill(clear(ink, isMarked ? 0.35 : 0.1), where);
    if (isMarked) marks.strong(kind, ink, where, 1.5);
    else marks.line(kind, ink, where);
}

function changePlace(model, item) {
    const bounds = model.box("bounds", item);
    return isEmpty(bounds) ? model.given(item) : bounds;
}
