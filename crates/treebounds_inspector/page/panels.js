// The contents of the side panels.
import { isEmpty } from "./boxes.js";
import { textButton } from "./controls.js";
import { findings } from "./findings.js";
import { DRAW, SPREAD } from "./model.js";
import { layers } from "./query.js";
import { glyphOf } from "./tree.js";
import { explain } from "./why.js";
import { bytes, count, make, name, noun, number, percent, PIXEL_BYTES, place, reason, seen, shown, size, tag, whole } from "./words.js";

const ROWS_MAX = 200;
const NOTES_MAX = 200;
const STACK_MAX = 100;

/** Creates a button that selects an item. */
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

function faint(text) {
    return make("p", { className: "faint", textContent: text });
}

/** Creates a button below a truncated list; returns nothing if the list is complete. */
function moreButton(all, most, text, show) {
    if (all <= most) return [];
    return [make("p", {}, textButton(`${text} (${whole(all)} in all)`, () => show(most + ROWS_MAX)))];
}

function cells(...texts) {
    return texts.map((text) => make("td", { className: "n", textContent: text }));
}

/** Explains the selected item, or gives an overview of the drawing if nothing is selected. */
export function whyPanel(model, { selected: item, hidden, solo }, on, source) {
    const isRect = (clip) => source?.isRect(model.paths[clip]) ?? false;
    if (item < 0) return overview(model, on, isRect);
    const path = model.paths[item];
    const told = explain(model, item, (model.isLayer(item) && source?.layerBy(path)) || [], isRect);
    const parts = [
        make("h2", {}, make("span", { className: `glyph ${glyphOf(model, item)}` }), ` ${noun(model, item)} `, make("bdi", { textContent: tag(model, item) })),
        make("p", { className: "sub", textContent: about(model, item) }),
        actions(model, item, on, hidden.has(item), solo === item),
        ...told.text.map((text) => make("p", { className: "why-text" }, ...sentence(model, text, on))),
        boxTable(model, item),
    ];
    if (told.edges.length > 0) parts.push(heading("What reaches each edge"), edgeTable(model, told.edges, on));
    parts.push(heading("Clips around it, outermost first"), ...chainList(model, told, on));
    parts.push(heading("If you removed it"), ...withoutText(model, told.without, on));
    const tagText = source?.tagAt(path);
    if (tagText) parts.push(heading("Source"), make("pre", { className: "source", tabIndex: 0, ariaLabel: "Source", textContent: tagText.split("\n").map(seen).join("\n") }));
    return { parts, links: told.links, most: told.most };
}

function about(model, item) {
    const about = [...(model.isGroup(item) ? [] : [`element ${model.ix[item]}`]), `depth ${model.depth[item]}`];
    if (model.paths[item]) about.push(seen(model.paths[item].slice(0, 500)));
    else if (model.sources[item]) about.push(`<${shown(model.sources[item])}>`);
    if (model.isNode(item)) about.push(count(inside(model, item), "element inside", "elements inside"));
    return about.join(" · ");
}

function inside(model, item) {
    return model.stepOf(model.end[item]) - model.stepOf(item) - (model.isGroup(item) ? 0 : 1);
}

function actions(model, item, on, isHidden, isSolo) {
    const parent = model.parent[item];
    const button = (text, title, run, disabled = false) => textButton(text, run, { title, disabled });
    return make("div", { className: "actions" },
        button("Select parent", "Select the clip or layer around it (p)", () => on.select(parent), parent < 0),
        button("Zoom", "Zoom to it (z)", () => on.zoomTo(item)),
        button("Copy box", "Copy its bounds: left, top, width, height", () => on.copyBox(item)),
        button("Copy link", "Copy a link to what is seen", () => on.copyLink()),
        button(isHidden ? "Show" : "Hide", "Hide it in the drawing, or show it again (h)", () => on.hide(item)),
        button(isSolo ? "Show all" : "Solo", "Show only this, or everything again (o)", () => on.solo(item)),
        button("Step here", "Show the drawing up to this step of the paint order", () => on.step(item)),
    );
}

function boxTable(model, item) {
    const isFilter = model.kind[item] === SPREAD;
    const rows = isFilter ? [] : [["own", "own box", model.given(item)]];
    if (!isEmpty(model.box("own", item))) rows.push(["own", "filter region", model.box("rect", item)]);
    if (model.isGroup(item)) {
        rows.push(["clip", "active clip", model.activeClip(item)]);
    } else if (model.isNode(item)) {
        rows.push(["clip", isFilter ? "reads" : "clip", model.box("clip", item)], ["content", "contents", model.box("content", item)]);
    } else {
        rows.push(["clip", "active clip", model.activeClip(item)]);
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
    if (cutting.length === 0) return [faint("None of them cuts it.")];
    const list = cutting.slice(0, ROWS_MAX).map((each) => {
        const meter = make("i");
        meter.style.width = `${100 * each.alone}%`;
        return make("li", { className: each.who === most ? "most" : "" },
            make("span", { className: "number", textContent: each.number }),
            make("span", {}, link(model, each.who, on), " ", make("span", { className: "faint size", textContent: size(each.theirs) })),
            make("span", { className: "share", textContent: each.who === most ? `cuts most: ${percent(each.alone)}` : `cuts ${percent(each.alone)}` }),
            make("span", { className: "meter" }, meter),
        );
    });
    const rest = [];
    if (cutting.length > ROWS_MAX) rest.push(faint(`and ${whole(cutting.length - ROWS_MAX)} more`));
    if (idle > 0) rest.push(faint(`${whole(idle)} more around it ${idle === 1 ? "does" : "do"} not cut it.`));
    return [make("ol", { className: "chain" }, ...list), ...rest];
}

function withoutText(model, found, on) {
    if (found.length === 0) return [faint("No enclosing layer would shrink.")];
    const body = found.slice(-ROWS_MAX).map(({ who, from, to }) => {
        const less = 1 - (isEmpty(to) ? 0 : ((to[2] - to[0]) * (to[3] - to[1])) / ((from[2] - from[0]) * (from[3] - from[1])));
        return make("tr", {},
            make("td", { className: "wrap" }, link(model, who, on)),
            make("td", { className: "n" }, ...[`${size(from)} →`, size(to)].map((textContent) => [make("span", { className: "size", textContent }), " "])),
            ...cells(`−${percent(less)}`));
    });
    return [make("table", { className: "without" }, make("tbody", {}, ...body))];
}

function overview(model, on, isRect) {
    const { head } = model;
    const counts = { draw: 0, clip: 0, layer: 0, filter: 0 };
    let culled = 0;
    for (const item of model.steps) {
        counts[model.kind[item] === DRAW ? "draw" : model.isLayer(item) ? "layer" : noun(model, item)] += 1;
        culled += model.isCulled(item) ? 1 : 0;
    }
    if (counts.filter === 0) delete counts.filter;
    const tile = (many, text) => make("div", {}, make("b", { textContent: whole(many) }), make("span", { textContent: text }));
    const tiles = [...Object.entries(counts).map(([one, many]) => tile(many, many === 1 ? one : `${one}s`)), tile(culled, "culled")];
    const backend = head.backend?.kind === "gpu" ? `GPU, ${shown(String(head.backend.adapter))}` : "CPU";
    model.findings ??= findings(model, isRect);
    const found = model.findings.map(({ text, item, find }) => {
        const button = make("button", { type: "button", className: "link", textContent: text });
        button.addEventListener("click", () => (find ? on.find(find) : on.select(item)));
        return make("li", {}, button);
    });
    const parts = [
        make("h2", {}, make("bdi", { textContent: shown(String(head.source ?? "drawing")) })),
        make("p", { className: "sub", textContent: `${number(head.width)} × ${number(head.height)} pixels · computed on the ${backend}` }),
        make("div", { className: "tiles counts" }, ...tiles),
        heading("Findings"),
        found.length > 0 ? make("ul", { className: "notes findings" }, ...found) : make("p", { textContent: model.count > 0 ? "None. No draw is culled, but what lies behind others or outside a clip that is no rectangle may still be hidden." : "The drawing is empty." }),
        make("p", { textContent: "A draw is a shape, a text or an image. Select an element in the tree or in the drawing to see why its box is where it is." }),
        make("p", { className: "faint" }, "Press ", make("kbd", { textContent: "?" }), " for keyboard shortcuts."),
    ];
    const notes = Array.isArray(head.notes) ? head.notes.map(String) : [];
    if (notes.length > 0) {
        parts.push(heading("Notes"), make("ul", { className: "notes" }, ...notes.slice(0, NOTES_MAX).map((note) => make("li", { textContent: seen(note.slice(0, 2000)) }))));
        if (notes.length > NOTES_MAX) parts.push(faint(`and ${whole(notes.length - NOTES_MAX)} more`));
    }
    parts.push(...ignoredList(head.ignored));
    return { parts, links: null, most: undefined };
}

/** Lists the skipped and approximated parts of the document. */
function ignoredList(ignored) {
    if (!Array.isArray(ignored) || ignored.length === 0) return [];
    const items = ignored.slice(0, NOTES_MAX).map((part) => {
        const who = part?.id ? `#${shown(String(part.id))}` : seen(String(part?.path ?? "").slice(0, 200));
        return make("li", {}, make("bdi", { textContent: who }), `: ${shown(String(part?.what ?? ""))}, ${seen(String(part?.effect ?? "").slice(0, 500))}`);
    });
    return [heading("Skipped or approximated"), make("ul", { className: "notes" }, ...items)];
}

/** Objects that are not painted in place are not culled. */
const UNSEEN_PARTS = { reference: "used", definition: "not used", hidden: "hidden" };

/**
 * Lists the objects of the source document: the root, those with an id, and the other groups. `only` restricts the list.
 */
export function objectsPanel(model, marked, on, only, most = ROWS_MAX) {
    const objects = only ?? model.objects;
    if (model.objects.length === 0) return [make("p", { textContent: "The report has no objects of a source document." })];
    if (objects.length === 0) return [make("p", { textContent: "No object has an id that matches the search." })];
    const rows = objects.slice(0, most).map((object) => {
        const at = model.objects.indexOf(object);
        const button = make("button", { type: "button", className: "link" }, `${shown(object.source)} `,
            make("bdi", { textContent: object.id === null ? "" : `#${shown(object.id)}` }));
        button.addEventListener("click", () => on.object(at));
        const [state, where] = isEmpty(object.bounds)
            ? [make("span", { className: "badge culled", textContent: UNSEEN_PARTS[object.culled?.by] ?? "culled" }), reason(object.culled)]
            : [size(object.bounds), place(object.bounds)];
        return make("tr", { className: at === marked ? "selected" : "" },
            make("td", { className: "wrap" }, button, make("div", { className: "faint", textContent: seen(object.path.slice(0, 300)) })),
            make("td", { className: "n" }, state, make("div", { className: "faint", textContent: where })));
    });
    return [
        make("h2", { textContent: count(objects.length, "object") }),
        make("p", { className: "sub", textContent: only ? "With a matching id." : "The document's root, everything with an id, and groups without one. A box is the union of the boxes inside the object." }),
        make("table", {}, make("tbody", {}, ...rows)),
        ...moreButton(objects.length, most, "Show more", on.moreObjects),
    ];
}

const STATES = { visible: "box is here", clipped: "clipped here", culled: "culled" };

/** Lists the items at a point, front to back. */
export function pointPanel(model, point, stack, selected, isExploded, on) {
    if (isExploded) return [make("p", { textContent: "There are no points in the exploded view. Switch to Boxes or Overdraw to pick one." })];
    if (!point) {
        return [make("p", { textContent: "Click the drawing, or move the crosshair with the arrow keys, to list everything at that point, front to back." })];
    }
    const visible = stack.filter(({ state }) => state === "visible").length;
    const rows = stack.slice(0, STACK_MAX).map(({ item, state }) =>
        make("tr", { className: item === selected ? "selected" : "" },
            make("td", { className: "wrap" }, make("span", { className: `glyph ${glyphOf(model, item)}` }), " ", link(model, item, on)),
            make("td", { className: "n" }, make("span", { className: `badge ${state}`, textContent: STATES[state] })),
        ));
    const more = stack.length > STACK_MAX ? [faint(`and ${whole(stack.length - STACK_MAX)} more behind`)] : [];
    const words = stack.length === 0 ? "There is nothing here." : `${count(stack.length, "element")}, ${visible === 0 ? "none" : whole(visible)} with a box here. Front to back:`;
    return [
        make("h2", { textContent: `At ${number(point[0])}, ${number(point[1])}` }),
        make("p", { className: "sub", textContent: words }),
        make("table", {}, make("tbody", {}, ...rows)),
        ...more,
    ];
}

/** Returns a layer's pixels before and after, with their bytes. */
function pixelCells({ given, found }) {
    return [given, found].map((pixels) =>
        make("td", { className: "n" }, whole(pixels), make("div", { className: "faint", textContent: bytes(pixels * PIXEL_BYTES) })));
}

/** Returns where the memory of each layer starts, by its index, if the report has a plan. */
function offsets(plan) {
    return new Map(Array.isArray(plan?.layers) ? plan.layers.map((layer) => [layer?.ix, layer?.offset]) : []);
}

/** Shows the peak memory of all layers and the memory at each depth. */
function planParts(plan) {
    if (!(plan?.peak > 0) || !Array.isArray(plan.by_depth)) return [];
    const memory = (pixels) => bytes(pixels * PIXEL_BYTES);
    const rows = plan.by_depth.map((pixels, depth) => make("tr", {}, make("th", { scope: "row", textContent: whole(depth) }), ...cells(whole(pixels), memory(pixels))));
    const header = ["layers around it", "pixels", "bytes"].map((text, at) => make("th", { scope: "col", className: at > 0 ? "n" : "", textContent: text }));
    return [
        heading("Memory"),
        make("p", {}, "At most ", make("b", { textContent: memory(plan.peak) }),
            " are in use at the same time. Each layer lies behind the layers around it, and its memory is free again when it is blended. The inputs of filters count too."),
        make("table", { className: "plan" }, make("thead", {}, make("tr", {}, ...header)), make("tbody", {}, ...rows)),
    ];
}

/** Lists all layers, most wasteful first. */
export function layersPanel(model, selected, on, most = ROWS_MAX) {
    const { rows, sums } = layers(model);
    if (rows.length === 0) return [make("p", { textContent: "The drawing has no layers: nothing in it has an opacity, a blend mode, a mask or a filter." })];
    const [found, given] = [sums.found, sums.given].map((pixels) => bytes(pixels * PIXEL_BYTES));
    const saved = sums.found < sums.given
        ? `Cut to their bounds, the layers need ${found} instead of ${given} (RGBA8), ${percent(1 - sums.found / sums.given)} less.`
        : `The layers need ${given} (RGBA8). Their bounds save nothing.`;
    const starts = offsets(model.head.layer_plan);
    const start = ({ item }) => (starts.has(model.ix[item]) ? faint(`starts at ${bytes(starts.get(model.ix[item]) * PIXEL_BYTES)}`) : []);
    const body = rows.slice(0, most).map((row) =>
        make("tr", { className: row.item === selected ? "selected" : "" },
            make("td", { className: "wrap" }, link(model, row.item, on), row.note ? [" ", make("span", { className: "badge", textContent: row.note })] : [], start(row)),
            ...pixelCells(row),
        ));
    const header = make("tr", {}, make("th", { scope: "col", textContent: "layer" }),
        ...["clip", "bounds"].map((text) => make("th", { scope: "col", className: "n", textContent: text })));
    const footer = make("tr", {}, make("th", { scope: "row", textContent: "total" }),
        ...pixelCells(sums));
    return [
        make("h2", { textContent: count(rows.length, "layer") }),
        make("p", { className: "why-text", textContent: `${saved} ${sums.empty === 0 ? "None" : whole(sums.empty)} can be skipped.` }),
        make("table", {}, make("thead", {}, header), make("tbody", {}, ...body), make("tfoot", {}, footer)),
        ...moreButton(rows.length, most, "Show more", on.moreLayers),
        ...planParts(model.head.layer_plan),
    ];
}

/** Lists the differences between old and new. `repainted` is null if paint could not be compared. */
export function changesPanel(model, old, { changes, causes }, repainted, marked, on, most = ROWS_MAX) {
    const paint = repainted === null ? [faint("Paint could not be compared.")] : [];
    if (changes.length === 0) {
        return [make("h2", { textContent: "No difference" }), make("p", { textContent: "Every element of the old drawing is in the new one, with the same bounds." }), ...paint];
    }
    const counts = new Map();
    for (const { change } of changes) counts.set(change, (counts.get(change) ?? 0) + 1);
    const tiles = [...counts].map(([change, many]) =>
        make("div", {}, make("b", { textContent: whole(many) }), make("span", { className: `badge ${change}`, textContent: change })));
    const button = (at) => {
        const { item, old: from } = changes[at];
        const [of, who] = item >= 0 ? [model, item] : [old, from];
        const made = make("button", { type: "button", className: "link" }, `${noun(of, who)} `, make("bdi", { textContent: tag(of, who) }));
        made.addEventListener("click", () => on.change(at));
        return made;
    };
    const rows = causes.slice(0, most).map(([at, ...others]) => {
        const change = changes[at];
        const list = others.slice(0, ROWS_MAX).map((other) => make("li", {}, button(other), ` ${changes[other].change}`));
        if (others.length > ROWS_MAX) list.push(make("li", { textContent: `and ${whole(others.length - ROWS_MAX)} more` }));
        const more = make("details", { open: others.includes(marked) }, make("summary", { textContent: `${whole(others.length)} more with it` }), make("ul", { className: "notes" }, ...list));
        return make("tr", { className: at === marked || others.includes(marked) ? "selected" : "" },
            make("td", {}, make("span", { className: `badge ${change.change}`, textContent: change.change })),
            make("td", { className: "wrap" }, button(at), make("div", { className: "faint", textContent: difference(model, old, change) }),
                others.length > 0 ? more : []));
    });
    return [
        make("h2", { textContent: count(changes.length, "difference") }),
        make("p", { className: "sub" }, `From ${count(causes.length, "cause")}. `, make("kbd", { textContent: "n" }), " goes to the next one."),
        ...paint,
        make("div", { className: "tiles" }, ...tiles),
        make("table", {}, make("tbody", {}, ...rows)),
        ...moreButton(causes.length, most, "Show more", on.moreChanges),
    ];
}

function difference(model, old, { change, old: from, item }) {
    if (from < 0) return `${size(model.box("bounds", item))} ${place(model.box("bounds", item))}`;
    if (item < 0) return `was ${size(old.box("bounds", from))} ${place(old.box("bounds", from))}`;
    const [before, after] = [old.box("bounds", from), model.box("bounds", item)];
    if (change === "renamed") return old.ids[from] ? `was #${shown(old.ids[from])}` : "had no id";
    if (change === "repainted" || change === "reordered") return `${size(after)} ${place(after)}`;
    if (change === "shown") return `now ${size(after)} ${place(after)}`;
    if (change === "culled") return `was ${size(before)} ${place(before)}`;
    if (change === "moved") return `by ${number(after[0] - before[0])}, ${number(after[1] - before[1])}`;
    return `${size(before)} → ${size(after)}`;
}

/** Describes a step of the paint order. */
export function stepWords(model, step) {
    if (step < 0) return `all ${count(model.count, "step")}`;
    const force = model.isNode(step) && model.isClip(step) ? model.box("clip", step) : model.activeClip(step);
    const clip = `active clip ${size(force)}`;
    return `${whole(model.stepOf(step) + 1)} of ${whole(model.count)}: ${name(model, step)}, ${clip}`;
}
