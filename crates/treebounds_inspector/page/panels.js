// The panels at the side, in words.
import { isEmpty } from "./box.js";
import { glyphOf } from "./tree.js";
import { PIXEL_BYTES, layers } from "./layers.js";
import { make } from "./dom.js";
import { explain } from "./why.js";
import { bytes, count, name, noun, number, percent, place, reason, seen, shown, size, tag, whole } from "./words.js";

const ROWS_MAX = 200;
const NOTES_MAX = 200;
const STACK_MAX = 100;

/** A link to an item. */
function link(model, item, on) {
    if (item < 0) return "the canvas";
    const button = make("button", { type: "button", className: "link" }, `${noun(model, item)} `, make("bdi", { textContent: tag(model, item) }));
    button.addEventListener("click", () => on.select(item));
    button.addEventListener("pointerenter", () => on.hover(item));
    button.addEventListener("pointerleave", () => on.hover(-1));
    return button;
}

function sentence(model, parts, on) {
    return parts.map((part) => (typeof part === "object" ? link(model, part.item, on) : part));
}

function heading(text) {
    return make("h3", { textContent: text });
}

function cells(...texts) {
    return texts.map((text) => make("td", { className: "n", textContent: text }));
}

/** Why the selected item is where it is; what the drawing has, where nothing is selected. */
export function whyPanel(model, item, on) {
    if (item < 0) return overview(model);
    const told = explain(model, item);
    const parts = [
        make("h2", {}, make("span", { className: `glyph ${glyphOf(model, item)}` }), ` ${noun(model, item)} `, make("bdi", { textContent: tag(model, item) })),
        make("p", { className: "sub", textContent: about(model, item) }),
        actions(model, item, on),
        ...told.text.map((text) => make("p", { className: "why-text" }, ...sentence(model, text, on))),
        boxTable(model, item),
    ];
    if (told.edges.length > 0) parts.push(heading("What reaches each edge"), edgeTable(model, told.edges, on));
    parts.push(heading("What cuts it, from the outside in"), ...chainList(model, told, on));
    parts.push(heading("Without it"), ...withoutText(model, told.without, on));
    return { parts, links: told.links, most: told.most };
}

function about(model, item) {
    const about = [`element ${model.ix[item]}`, `depth ${model.depth[item]}`];
    if (model.sources[item]) about.push(`<${shown(model.sources[item])}>`);
    if (model.paths[item]) about.push(seen(model.paths[item].slice(0, 500)));
    if (model.isNode(item)) about.push(count(inside(model, item), "element inside", "elements inside"));
    return about.join(" · ");
}

function inside(model, item) {
    return model.end[item] - item - 1;
}

function actions(model, item, on) {
    const parent = model.parent[item];
    const button = (text, title, run, isOff = false) => {
        const made = make("button", { type: "button", textContent: text, title, disabled: isOff });
        made.addEventListener("click", run);
        return made;
    };
    return make("div", { className: "actions" },
        button("Around it", "Select what is around it (p)", () => on.select(parent), parent < 0),
        button("Zoom to it", "Show it large (z)", () => on.zoomTo(item)),
        button("Step here", "Show the paint order up to it", () => on.step(item)),
    );
}

function boxTable(model, item) {
    const rows = [["own", "own box", model.given(item)]];
    if (model.isNode(item)) {
        rows.push(["clip", "clip", model.box("clip", item)], ["content", "content", model.box("content", item)]);
    } else {
        rows.push(["clip", "clip in force", model.inForce(item)]);
    }
    rows.push(["bounds", "bounds", model.box("bounds", item)]);
    const body = rows.map(([swatch, text, box]) =>
        make("tr", {},
            make("th", { scope: "row" }, make("span", { className: `swatch ${swatch}` }), ` ${text}`),
            make("td", { className: "n" }, size(box), place(box) ? [" ", make("span", { className: "place", textContent: place(box) })] : []),
        ));
    return make("table", { className: "boxes" }, make("tbody", {}, ...body));
}

function edgeTable(model, edges, on) {
    const body = edges.map(({ side, at, text }) =>
        make("tr", {}, make("th", { scope: "row", textContent: side }), make("td", { className: "n", textContent: at }),
            make("td", { className: "wrap" }, ...sentence(model, text, on))));
    return make("table", {}, make("tbody", {}, ...body));
}

function chainList(model, { links, most }, on) {
    const cutting = links.filter((each) => each.alone > 0);
    const idle = links.length - cutting.length;
    if (cutting.length === 0) {
        return [make("p", { className: "faint", textContent: `${count(idle, "box", "boxes")} around it, and none cuts it.` })];
    }
    const list = cutting.slice(0, ROWS_MAX).map((each, at) => {
        const meter = make("i");
        meter.style.width = `${100 * each.alone}%`;
        return make("li", { className: each.who === most ? "most" : "" },
            make("span", { className: "number", textContent: at + 1 }),
            make("span", {}, link(model, each.who, on), make("span", { className: "faint", textContent: `  ${size(each.theirs)}` })),
            make("span", { className: "share", textContent: each.who === most ? `cuts most: ${percent(each.alone)}` : `cuts ${percent(each.alone)}` }),
            make("span", { className: "meter" }, meter),
        );
    });
    const rest = [];
    if (cutting.length > ROWS_MAX) rest.push(make("p", { className: "faint", textContent: `and ${whole(cutting.length - ROWS_MAX)} more` }));
    if (idle > 0) rest.push(make("p", { className: "faint", textContent: `${count(idle, "other box", "other boxes")} around it cut${idle === 1 ? "s" : ""} nothing.` }));
    return [make("ol", { className: "chain" }, ...list), ...rest];
}

function withoutText(model, found, on) {
    if (found.length === 0) return [make("p", { className: "faint", textContent: "No layer around it would be smaller." })];
    const body = found.slice(-ROWS_MAX).map(({ who, from, to }) => {
        const less = 1 - (isEmpty(to) ? 0 : ((to[2] - to[0]) * (to[3] - to[1])) / ((from[2] - from[0]) * (from[3] - from[1])));
        return make("tr", {},
            make("td", { className: "wrap" }, link(model, who, on)),
            ...cells(`${size(from)} → ${size(to)}`, `−${percent(less)}`));
    });
    return [make("table", {}, make("tbody", {}, ...body))];
}

function overview(model) {
    const { head } = model;
    let [draws, clips, blends, culledItems] = [0, 0, 0, 0];
    for (let item = 0; item < model.length; item += 1) {
        draws += model.isNode(item) ? 0 : 1;
        clips += model.isClip(item) ? 1 : 0;
        blends += model.isLayer(item) ? 1 : 0;
        culledItems += model.isCulled(item) ? 1 : 0;
    }
    const tile = (value, text) => make("div", {}, make("b", { textContent: whole(value) }), make("span", { textContent: text }));
    const backend = head.backend?.kind === "gpu" ? `GPU, ${shown(String(head.backend.adapter))}` : "CPU";
    const parts = [
        make("h2", {}, make("bdi", { textContent: shown(String(head.source ?? "drawing")) })),
        make("p", { className: "sub", textContent: `${number(head.width)} × ${number(head.height)} pixels · computed on the ${backend}` }),
        make("div", { className: "tiles" }, tile(draws, "draws"), tile(clips, "clips"), tile(blends, "layers"), tile(culledItems, "culled")),
        make("p", { textContent: "Select an element, in the tree or in the drawing, to see why its box is where it is." }),
        make("p", { className: "faint" }, make("kbd", { textContent: "?" }), " tells the keys."),
    ];
    const notes = Array.isArray(head.notes) ? head.notes.map(String) : [];
    if (notes.length > 0) {
        parts.push(heading("Notes"), make("ul", { className: "notes" }, ...notes.slice(0, NOTES_MAX).map((note) => make("li", { textContent: seen(note.slice(0, 2000)) }))));
        if (notes.length > NOTES_MAX) parts.push(make("p", { className: "faint", textContent: `and ${whole(notes.length - NOTES_MAX)} more` }));
    }
    parts.push(...ignoredList(head.ignored));
    return { parts, links: null, most: undefined };
}

/** What of the source was left out, or read in another way. */
function ignoredList(ignored) {
    if (!Array.isArray(ignored) || ignored.length === 0) return [];
    const items = ignored.slice(0, NOTES_MAX).map((part) => {
        const who = part?.id ? `#${shown(String(part.id))}` : seen(String(part?.path ?? "").slice(0, 200));
        return make("li", {}, make("bdi", { textContent: who }), `: ${shown(String(part?.what ?? ""))}, ${seen(String(part?.effect ?? "").slice(0, 500))}`);
    });
    return [heading("Left out, or read in another way"), make("ul", { className: "notes" }, ...items)];
}

/** Every object of the source document that has an id, groups and definitions too, and every group without an id. */
export function objectsPanel(model, marked, on, most = ROWS_MAX) {
    const { objects } = model;
    if (objects.length === 0) return [make("p", { textContent: "The report names no objects of a source document." })];
    const rows = objects.slice(0, most).map((object, at) => {
        const button = make("button", { type: "button", className: "link" }, `${shown(object.source)} `,
            make("bdi", { textContent: object.id === null ? "" : `#${shown(object.id)}` }));
        button.addEventListener("click", () => on.object(at));
        const state = isEmpty(object.bounds) ? make("span", { className: "badge culled", textContent: reason(object.culled) }) : size(object.bounds);
        return make("tr", { className: at === marked ? "selected" : "" },
            make("td", { className: "wrap" }, button, make("div", { className: "faint", textContent: seen(object.path.slice(0, 300)) })),
            make("td", { className: "n" }, state, make("div", { className: "faint", textContent: place(object.bounds) })));
    });
    const parts = [
        make("h2", { textContent: count(objects.length, "object") }),
        make("p", { className: "sub", textContent: "Of the source document: its root, what has an id, then groups without one. A box is the union of what is painted in the object." }),
        make("table", {}, make("tbody", {}, ...rows)),
    ];
    if (objects.length > most) {
        const more = make("button", { type: "button", textContent: `Show more of ${whole(objects.length)}` });
        more.addEventListener("click", () => on.moreObjects(most + ROWS_MAX));
        parts.push(make("p", {}, more));
    }
    return parts;
}

const STATES = { visible: "visible", clipped: "clipped here", culled: "culled" };

/** The stack of items at a point, front to back. */
export function pointPanel(model, point, stack, selected, on) {
    if (!point) {
        return [make("p", { textContent: "Click the drawing, or move the crosshair with the arrow keys, to see everything that is at a point, front to back." })];
    }
    const visible = stack.filter(({ state }) => state === "visible").length;
    const rows = stack.slice(0, STACK_MAX).map(({ item, state }) =>
        make("tr", { className: item === selected ? "selected" : "" },
            make("td", { className: "wrap" }, make("span", { className: `glyph ${glyphOf(model, item)}` }), " ", link(model, item, on)),
            make("td", { className: "n" }, make("span", { className: `badge ${state}`, textContent: STATES[state] })),
        ));
    const more = stack.length > STACK_MAX ? [make("p", { className: "faint", textContent: `and ${whole(stack.length - STACK_MAX)} more behind` })] : [];
    const words = stack.length === 0 ? "Nothing is here." : `${count(stack.length, "element")}, ${whole(visible)} of them visible. Front to back:`;
    return [
        make("h2", { textContent: `At ${number(point[0])}, ${number(point[1])}` }),
        make("p", { className: "sub", textContent: words }),
        make("table", {}, make("tbody", {}, ...rows)),
        ...more,
    ];
}

/** Pixels as given and as computed, and the bytes that they take. */
function pixelCells({ given, found }) {
    return [given, found].map((pixels) =>
        make("td", { className: "n" }, whole(pixels), make("div", { className: "faint", textContent: bytes(pixels * PIXEL_BYTES) })));
}

/** All layers, most pixels wasted first. */
export function layersPanel(model, selected, on, most = ROWS_MAX) {
    const { rows, sums } = layers(model);
    if (rows.length === 0) return [make("p", { textContent: "The drawing has no layer: nothing with an opacity, a blend mode, a mask or a filter." })];
    const saved = sums.given === 0 ? 0 : 1 - sums.found / sums.given;
    const body = rows.slice(0, most).map((row) =>
        make("tr", { className: row.item === selected ? "selected" : "" },
            make("td", { className: "wrap" }, link(model, row.item, on), row.note ? [" ", make("span", { className: "badge", textContent: row.note })] : []),
            ...pixelCells(row),
        ));
    const header = make("tr", {}, make("th", { scope: "col", textContent: "layer" }),
        ...["as given", "as computed"].map((text) => make("th", { scope: "col", className: "n", textContent: text })));
    const footer = make("tr", {}, make("th", { scope: "row", textContent: "all" }),
        ...pixelCells(sums));
    const parts = [
        make("h2", { textContent: count(rows.length, "layer") }),
        make("p", { className: "why-text", textContent: `In pixels, and in bytes as RGBA8: they take ${bytes(sums.found * PIXEL_BYTES)} instead of ${bytes(sums.given * PIXEL_BYTES)}: ${percent(saved)} less. ${whole(sums.empty)} of them can be left out.` }),
        make("table", {}, make("thead", {}, header), make("tbody", {}, ...body), make("tfoot", {}, footer)),
    ];
    if (rows.length > most) {
        const more = make("button", { type: "button", textContent: `Show ${whole(Math.min(ROWS_MAX, rows.length - most))} more of ${whole(rows.length)}` });
        more.addEventListener("click", () => on.moreLayers(most + ROWS_MAX));
        parts.push(make("p", {}, more));
    }
    return parts;
}

/** What differs between old and new. */
export function changesPanel(model, old, changes, marked, on, most = ROWS_MAX) {
    if (changes.length === 0) {
        return [make("h2", { textContent: "Nothing differs" }), make("p", { textContent: "Every element of the old drawing is in the new one, with the same bounds." })];
    }
    const counts = new Map();
    for (const { change } of changes) counts.set(change, (counts.get(change) ?? 0) + 1);
    const tiles = [...counts].map(([change, many]) =>
        make("div", {}, make("b", { textContent: whole(many) }), make("span", { className: `badge ${change}`, textContent: change })));
    const rows = changes.slice(0, most).map((change, at) => {
        const [of, item] = change.item >= 0 ? [model, change.item] : [old, change.old];
        const button = make("button", { type: "button", className: "link" }, `${noun(of, item)} `, make("bdi", { textContent: tag(of, item) }));
        button.addEventListener("click", () => on.change(at));
        return make("tr", { className: at === marked ? "selected" : "" },
            make("td", {}, make("span", { className: `badge ${change.change}`, textContent: change.change })),
            make("td", { className: "wrap" }, button, make("div", { className: "faint", textContent: difference(model, old, change) })));
    });
    const parts = [
        make("h2", { textContent: count(changes.length, "difference") }),
        make("div", { className: "tiles" }, ...tiles),
        make("table", {}, make("tbody", {}, ...rows)),
    ];
    if (changes.length > most) {
        const more = make("button", { type: "button", textContent: `Show more of ${whole(changes.length)}` });
        more.addEventListener("click", () => on.moreChanges(most + ROWS_MAX));
        parts.push(make("p", {}, more));
    }
    return parts;
}

function difference(model, old, { change, old: from, item }) {
    if (from < 0) return `${size(model.box("bounds", item))} ${place(model.box("bounds", item))}`;
    if (item < 0) return `was ${size(old.box("bounds", from))} ${place(old.box("bounds", from))}`;
    const [before, after] = [old.box("bounds", from), model.box("bounds", item)];
    if (change === "moved") return `by ${number(after[0] - before[0])}, ${number(after[1] - before[1])}`;
    return `${size(before)} → ${size(after)}`;
}

/** What the step is, for the line below the drawing. */
export function stepWords(model, step) {
    if (step < 0) return `all ${count(model.length, "step")}`;
    const force = model.isNode(step) && model.isClip(step) ? model.box("clip", step) : model.inForce(step);
    const clip = isEmpty(force) ? "an empty clip" : `clip ${size(force)}`;
    return `${whole(step + 1)} of ${whole(model.length)}: ${name(model, step)}, ${clip} in force`;
}
