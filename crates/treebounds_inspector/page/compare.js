// Comparing an old and a new drawing.
import { Marks } from "./marks.js";
import { BadReport, isEmpty } from "./model.js";
import { clear, color } from "./paint.js";
import { Source } from "./source.js";

/** The kinds of changes, and their colours. */
const INKS = { moved: "moved", grown: "grown", shown: "grown", shrunk: "shrunk", reshaped: "shrunk", culled: "culled", gone: "gone", appeared: "appeared" };
const SHOWN_MAX = 4000;

/** Reads the list of differences. Each has `change`, `old` and `item`, which are items of the models, or -1. */
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
    return known.map(({ change, old: from, new: to }) => ({ change, old: item(old, from), item: item(model, to) }));
}

function changeColor(change) {
    return color(INKS[change]);
}

/** Paints the boxes that differ: the old ones dashed, the new ones solid. `side` is "old", "new" or "both". */
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

/** The number of elements that differ between two SVG texts: those at the same place with other attributes or another text. */
export async function repainted(old, drawing) {
    if (!old || !drawing) return 0;
    const [before, after] = await Promise.all([old.text(), drawing.text()]);
    return differing(new Source(before).root, new Source(after).root);
}

function differing(old, now) {
    const attributes = (element) => [...element.attributes].map(({ name: key, value }) => `${key}=${value}`).sort().join("\n");
    const texts = (element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data.trim()).join("\n");
    const isOther = old.nodeName !== now.nodeName || attributes(old) !== attributes(now) || texts(old) !== texts(now);
    let many = isOther ? 1 : 0;
    for (const [at, child] of [...now.children].entries()) many += old.children[at] ? differing(old.children[at], child) : 1;
    return many;
}
