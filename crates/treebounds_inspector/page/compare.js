// Old and new: a report of what differs, made where both were read, and two pictures of it.
import { isEmpty } from "./box.js";
import { BadReport } from "./model.js";
import { clear, color } from "./colors.js";
import { Marks } from "./marks.js";

export const CHANGES = ["moved", "grown", "shrunk", "reshaped", "culled", "shown", "appeared", "gone"];
const INKS = { moved: "moved", grown: "grown", shown: "grown", shrunk: "shrunk", reshaped: "shrunk", culled: "culled", gone: "gone", appeared: "appeared" };
const SHOWN_MAX = 4000;

/** The list of differences between two models, items in the place of stream indices; -1 for none. */
export function readChanges(text, old, model) {
    let diff;
    try {
        diff = JSON.parse(text);
    } catch (error) {
        throw new BadReport(`The list of differences is not whole: ${error.message}`);
    }
    if (diff?.schema !== "treebounds.diff/1" || !Array.isArray(diff.changes)) {
        throw new BadReport("The list of differences has another form than treebounds.diff/1.");
    }
    const item = (of, ix) => (Number.isInteger(ix) ? of.itemOf(ix) : -1);
    const known = diff.changes.filter((change) => CHANGES.includes(change.change));
    return known.map(({ change, old: from, new: to }) => ({ change, old: item(old, from), item: item(model, to) }));
}

/** The colour of a change. */
export function changeColor(change) {
    return color(INKS[change]);
}

/**
 * Paints the boxes that differ. `side` is "old", "new" or "both"; old boxes are dashed, new ones solid.
 */
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
