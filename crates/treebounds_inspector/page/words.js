// Creates page elements, and formats names and numbers for display. Text never becomes markup.
import { isEmpty, isEverything } from "./boxes.js";
import { CLIP, DRAW, GROUP, LAYER, SPREAD } from "./model.js";

export const byId = (id) => document.getElementById(id);

/** Creates an element with children. A property that the element does not have becomes an attribute. */
export function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(properties)) {
        if (key in element) element[key] = value;
        else element.setAttribute(key, value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
}

/** Calls `run` and records its duration as a performance measure named `treebounds <label>`. */
export function timed(label, run) {
    const start = performance.now();
    const result = run();
    performance.measure(`treebounds ${label}`, { start, end: performance.now() });
    return result;
}

const NOUNS = { [DRAW]: "draw", [CLIP]: "clip", [LAYER]: "layer", [CLIP | LAYER]: "clipping layer", [SPREAD]: "filter", [GROUP]: "group" };
const LONGEST = 48;

/** Characters that are invisible, or that change the direction of the text around them. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu;

/** Returns the text with invisible characters replaced by their numbers. */
export function seen(text) {
    return text.replace(UNSEEN, (c) => `⟨${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/** Returns the shortened text with invisible characters replaced. */
export function shown(text) {
    const start = text.slice(0, 4 * LONGEST);
    const points = Array.from(seen(start));
    const isWhole = points.length <= LONGEST && start.length === text.length;
    return isWhole ? points.join("") : `${points.slice(0, LONGEST - 1).join("")}…`;
}

/**
 * Returns the kind of an item; for a draw, the name of its element in the source document, such as "rect". Content of a use
 * is named after the shape.
 */
export function noun(model, item) {
    const kind = model.kind[item];
    if (model.isGroup(item) && model.sources[item] === "text") return "text";
    if (kind !== DRAW) return NOUNS[kind];
    if (model.shapes.has(item)) return shown(model.shapes.get(item).name);
    const [, element] = /([^/[\]]+)(?:\[\d+\])?$/.exec(model.paths[item] ?? "") ?? [];
    return shown(element ?? model.sources[item]) || NOUNS[DRAW];
}

/** Returns the id of the item; for a text without an id its words; otherwise its index in the stream, or a group's place. */
export function tag(model, item) {
    const id = model.shapes.get(item)?.id ?? model.ids[item];
    if (id) return `#${shown(id)}`;
    const text = model.texts.get(item);
    if (text) return `“${shown(text)}”`;
    return model.isGroup(item) ? shown(model.paths[item].replace(/^.*\//, "")) : `${model.ix[item]}`;
}

export function name(model, item) {
    return item < 0 ? "the canvas" : `${noun(model, item)} ${tag(model, item)}`;
}

const REASONS = {
    canvas: "outside the canvas",
    clip: "clipped away",
    mask: "masked away",
    opacity: "opacity 0",
    region: "outside a filter's region",
    empty: "nothing visible inside",
    definition: "nothing refers to it",
    reference: "by what refers to it",
    hidden: "hidden",
};

/** Describes the report's reason for culling. */
export function reason(culled) {
    const by = String(culled?.by ?? "");
    const words = Object.hasOwn(REASONS, by) ? REASONS[by] : "culled";
    const who = culled?.path ?? culled?.node;
    return who && (by === "clip" || by === "mask" || by === "opacity") ? `${words}: #${shown(String(who))}` : words;
}

const NUMBER = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export function number(x) {
    if (Math.abs(x) >= 1e9) return x.toExponential(2);
    return NUMBER.format(x).replace(/^-(?=0$)/, "").replace("-", "−");
}

export function count(x, one, many = `${one}s`) {
    return `${WHOLE.format(x)} ${x === 1 ? one : many}`;
}

export function whole(x) {
    return WHOLE.format(x);
}

/** Formats a share as "0.4%" or "12%". It is "100%" only for exactly 1. */
export function percent(share) {
    if (share > 0 && share < 0.01) return `${Math.max(0.1, Math.round(share * 1000) / 10)}%`;
    if (share > 0.99 && share < 1) return "99%";
    return `${Math.round(share * 100)}%`;
}

export function size(box, write = number) {
    if (isEmpty(box)) return "empty";
    if (isEverything(box)) return "unlimited";
    return `${write(box[2] - box[0])} × ${write(box[3] - box[1])}`;
}

/** Formats a size with few digits, for narrow places. */
export function shortSize(box) {
    return size(box, (x) => (x < 100 ? number(Number(x.toPrecision(3))) : x < 1e9 ? whole(x) : number(x)));
}

export function place(box) {
    if (isEmpty(box) || isEverything(box)) return "";
    return `at ${number(box[0])}, ${number(box[1])}`;
}

/** Bytes of one RGBA8 pixel. */
export const PIXEL_BYTES = 4;

/** Formats a number of bytes, such as "3.1 MB". */
export function bytes(n) {
    const units = ["B", "KB", "MB", "GB", "TB"];
    let at = 0;
    while (n >= 1000 && at + 1 < units.length) {
        n /= 1000;
        at += 1;
    }
    return `${at === 0 || n >= 100 ? Math.round(n) : n.toFixed(1)} ${units[at]}`;
}

/** Formats left, top, width and height. */
export function boxText(box) {
    return isEmpty(box) ? "empty" : [box[0], box[1], box[2] - box[0], box[3] - box[1]].map((length) => Number(length.toPrecision(9)) + 0).join(", ");
}
