// Explains a box. A text is a list of strings and items; the page shows an item as a link.
import { area, intersect, isEmpty, isEverything, NOTHING, union } from "./boxes.js";
import { DRAW, SPREAD } from "./model.js";
import { count, number, percent, reason, size, whole } from "./words.js";

const ref = (item) => ({ item });

/**
 * Returns the enclosing clips, from the canvas inwards. Each link has the item `who` (-1 for the canvas), its box `theirs`,
 * and `alone`, the share of the item's own box that it would clip on its own. Links that clip something have a `number`.
 */
function chain(model, item) {
    const rect = model.box("rect", item);
    const first = isEverything(rect) ? model.viewport : rect;
    const whole = area(first);
    let number = 0;
    return [-1, ...model.ancestors(item)].map((who) => {
        const theirs = who < 0 ? model.viewport : model.box("rect", who);
        const alone = whole === 0 ? 0 : 1 - area(intersect(first, theirs)) / whole;
        return { who, theirs, alone, number: alone > 0 ? (number += 1) : 0 };
    });
}

/** Returns the clip that hides most of the own box, or undefined if none hides any. */
function cutsMost(links) {
    const most = links.reduce((best, link) => (link.alone > (best?.alone ?? 0) ? link : best), undefined);
    return most?.who;
}

/** Describes why an item is culled, according to the report. */
function culledText(model, item) {
    const why = model.reasons[item];
    const by = why?.ix == null ? -1 : model.itemOf(why.ix);
    if (why?.by === "canvas") return ["Culled: it lies outside the canvas."];
    if (by === item) return [`Culled: it lets nothing through (${reason(why)}).`];
    if (by >= 0 && isEmpty(model.box("clip", by))) {
        return ["Culled: it is inside ", ref(by), `, which lets nothing through (${reason(model.reasons[by] ?? why)}).`];
    }
    if (by >= 0) return ["Culled: it lies outside ", ref(by), "."];
    return ["Culled: ", model.isNode(item) ? insideText(model, item) : "its own box is empty."];
}

function insideText(model, item) {
    let draws = 0;
    for (let at = item + 1; at < model.end[item]; at += 1) draws += model.kind[at] === DRAW ? 1 : 0;
    if (draws === 0) return "there is nothing inside it.";
    return draws === 1 ? "the draw inside it is not visible." : `none of the ${count(draws, "draw")} inside it is visible.`;
}

/**
 * Returns, for each edge of the node's content box (left, top, right, bottom), the draw that reaches it, the number of
 * `others` that reach it too, and `cut`, the item that clips the draw at this edge, or null.
 */
function edges(model, item) {
    const content = model.box("content", item);
    if (isEmpty(content)) return [];
    const found = [0, 1, 2, 3].map((side) => ({ side, at: content[side], who: -1, others: 0, cut: null }));
    for (let inside = item + 1; inside < model.end[item]; inside += 1) {
        if (model.kind[inside] !== DRAW && !model.nonLocal[inside]) continue;
        const base = 4 * inside;
        if (!(model.bounds[base] < model.bounds[base + 2])) continue;
        for (const edge of found) {
            if (model.bounds[base + edge.side] !== edge.at) continue;
            if (edge.who < 0) edge.who = inside;
            else edge.others += 1;
        }
    }
    for (const edge of found) edge.cut = edge.who < 0 ? null : cutter(model, edge);
    return found;
}

/** Returns the outermost item that cuts `who` at this edge: -1 for the canvas, null if nothing cuts it. */
function cutter(model, { who, side, at }) {
    if (model.box("rect", who)[side] === at) return null;
    if (model.viewport[side] === at) return -1;
    return model.ancestors(who).find((up) => model.box("rect", up)[side] === at) ?? null;
}

/** Returns the enclosing layers that would shrink without the item, innermost first. */
function without(model, item) {
    const found = [];
    let rest = NOTHING;
    let [from, to] = [item, model.end[item]];
    for (let up = model.parent[item]; up >= 0; up = model.parent[up]) {
        rest = union(rest, contents(model, up + 1, from));
        rest = union(rest, contents(model, to, model.end[up]));
        [from, to] = [up, model.end[up]];
        if (model.nonLocal[up]) break;
        const content = model.box("content", up);
        const less = isEmpty(rest) ? NOTHING : rest;
        if (model.isLayer(up) && area(less) < area(content)) found.push({ who: up, from: content, to: less });
    }
    return found;
}

function contents(model, from, to) {
    let [x0, y0, x1, y1] = NOTHING;
    for (let at = from; at < to; at += 1) {
        if (model.kind[at] !== DRAW && !model.nonLocal[at]) continue;
        const base = 4 * at;
        x0 = Math.min(x0, model.bounds[base]);
        y0 = Math.min(y0, model.bounds[base + 1]);
        x1 = Math.max(x1, model.bounds[base + 2]);
        y1 = Math.max(y1, model.bounds[base + 3]);
    }
    return [x0, y0, x1, y1];
}

const SIDES = ["left", "top", "right", "bottom"];

/**
 * Returns the full explanation of an item. `layerBy` contains the properties that make it a layer; `isRect` returns whether
 * a clip is a rectangle.
 */
export function explain(model, item, layerBy, isRect) {
    const links = chain(model, item);
    const text = [];
    const rect = model.box("rect", item);
    if (model.filtered[item] || model.kind[item] === SPREAD) {
        return { links: [], most: undefined, text: filterText(model, item), edges: [], without: [] };
    }
    if (layerBy.length > 0) text.push([`It is a layer because of ${layerBy.join(", ")}.`]);
    if (model.nonLocal[item]) {
        text.push(["It can change pixels outside its contents, so its bounds are the active clip."]);
    }
    if (model.isCulled(item)) {
        text.push(culledText(model, item));
    } else if (model.isGroup(item)) {
        text.push(groupText(model, item), cutText(model, item, links));
    } else if (model.kind[item] === DRAW) {
        text.push(cutText(model, item, links), ...unknownText(model, item, isRect));
    } else {
        text.push(nodeText(model, item));
    }
    const reached = model.isNode(item) && !model.isCulled(item) ? edges(model, item) : [];
    return { links, most: cutsMost(links), text, edges: reached.map((edge) => edgeText(model, edge)), without: without(model, item) };
}

/** Describes the effect on boxes of the item's own filter and the enclosing filters. */
function filterText(model, item) {
    const text = [];
    const filters = [item, ...model.ancestors(item)].filter((who) => model.kind[who] === SPREAD);
    for (const who of filters) {
        const around = model.parent[who];
        const outside = around < 0 ? "the canvas" : ref(around);
        const needs = isEmpty(model.box("clip", who)) ? "nothing" : size(model.box("clip", who));
        const name = who === item ? "It is a filter that" : ["The ", ref(who)];
        text.push([name, ` ${reach(model.box("rect", who))}. `, "To paint what ", outside, ` shows, it reads ${needs}.`].flat());
    }
    if (model.isCulled(item)) {
        text.push([`Culled${model.reasons[item] ? `: ${reason(model.reasons[item])}` : ""}.`]);
        return text;
    }
    const lands = size(model.box("bounds", item));
    if (!model.filtered[item]) {
        text.push([`Its result covers ${lands}.`]);
        return text;
    }
    const [rect, needed] = [model.box("rect", item), model.needed.get(item)];
    if (model.kind[item] === DRAW && area(needed) < area(rect)) {
        text.push([`${percent(area(needed) / area(rect))} of its own box is read: ${size(needed)} of ${size(rect)}.`]);
    }
    text.push([`It lands in ${lands}.`]);
    return text;
}

/** Describes a filter's footprint in words. */
function reach([x0, y0, x1, y1]) {
    if (Math.max(-x0, -y0, x1, y1) >= 2 ** 22) return "reads all of its region";
    if (x0 === x1 && y0 === y1) return `moves pixels by ${number(x0)}, ${number(y0)}`;
    if (x0 === -x1 && y0 === -y1) return x1 === y1 ? `reaches ${number(x1)} px` : `reaches ${number(x1)} px sideways and ${number(y1)} px up and down`;
    const sides = [["left", -x0], ["up", -y0], ["right", x1], ["down", y1]].filter(([, by]) => by !== 0);
    return `reaches ${sides.map(([side, by]) => `${number(by)} px ${side}`).join(", ")}`;
}

function cutText(model, item, links) {
    const most = cutsMost(links);
    const rect = model.box("rect", item);
    if (most === undefined) return ["No clip cuts its box."];
    const kept = percent(area(model.box("bounds", item)) / area(rect));
    const cutters = links.filter((link) => link.alone > 0).length;
    const share = links.find((link) => link.who === most).alone;
    const who = most < 0 ? "the canvas" : ref(most);
    if (cutters === 1) return [`${kept} of its own box is left; `, who, " cuts the rest."];
    return [`${kept} of its own box is left. ${count(cutters, "clip")} around it cut it; `, who, ` cuts the most, ${percent(share)}.`];
}

/**
 * Describes what boxes do not show: non-rectangular clips and later paint. `isRect` returns whether a clip is a rectangle.
 */
function unknownText(model, item, isRect) {
    const text = [];
    const odd = model.ancestors(item).filter((who) => model.isClip(who) && !isRect(who));
    const clips = odd.length === 1 ? [ref(odd[0]), " may not be a rectangle"] : [`${count(odd.length, "clip")} around it may not be rectangles`];
    if (odd.length > 0) text.push([...clips, ": what is in the box may be cut further, or not be seen at all."]);
    const { bounds } = model;
    const [x0, y0, x1, y1] = model.box("bounds", item);
    let [over, cover] = [0, -1];
    for (let later = model.end[item], base = 4 * later; later < model.length; later += 1, base += 4) {
        if (model.kind[later] !== DRAW) continue;
        if (!(bounds[base] < x1 && x0 < bounds[base + 2] && bounds[base + 1] < y1 && y0 < bounds[base + 3])) continue;
        over += 1;
        const isCover = bounds[base] <= x0 && bounds[base + 1] <= y0 && x1 <= bounds[base + 2] && y1 <= bounds[base + 3];
        if (cover < 0 && isCover) cover = later;
    }
    if (cover >= 0) text.push([ref(cover), " is painted over all of its box, and hides it if it is opaque."]);
    else if (over > 0) text.push([`${count(over, "draw is", "draws are")} painted over parts of its box, and may hide them.`]);
    return text;
}

/** Explains a group. A group has no box of its own; its contents define its place. */
function groupText(model, item) {
    let [draws, culled] = [0, 0];
    for (let at = item + 1; at < model.end[item]; at += 1) {
        if (model.kind[at] !== DRAW) continue;
        draws += 1;
        culled += model.isCulled(at) ? 1 : 0;
    }
    return [`A group neither clips nor blends: its box is the union of the boxes in it. ${culled === 0 ? "None" : whole(culled)} of its ${count(draws, "draw")} ${culled > 1 ? "are" : "is"} culled.`];
}

function nodeText(model, item) {
    const [rect, clip, content] = ["rect", "clip", "content"].map((box) => model.box(box, item));
    const [all, some] = [area(clip), area(content)];
    const fills = some === all;
    const contents = fills ? "its contents fill all of that." : `its contents cover ${size(content)} (${percent(some / all)}), so that is all it needs.`;
    if (!isEverything(rect)) return [`Its own box is ${size(rect)}. The clips around it leave ${size(clip)} of it; ${contents}`];
    return [`A layer has no size of its own. The clips around it allow up to ${size(clip)}; ${contents}`];
}

function edgeText(model, { side, at, who, others, cut }) {
    const text = [];
    if (who < 0) return { side: SIDES[side], at: number(at), text: ["no draw"] };
    text.push(ref(who));
    if (others > 0) text.push(` and ${count(others, "other")}`);
    if (cut !== null) text.push(", clipped by ", cut < 0 ? "the canvas" : ref(cut));
    return { side: SIDES[side], at: number(at), text };
}
