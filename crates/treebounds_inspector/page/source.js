// The source document: the words of texts, attributes, and the properties that create layers.
import { DRAW } from "./model.js";

/** The properties that create layers, with the values that do not. */
const LAYERS = [
    ["opacity", /^(1|1\.0*|100%)$/], ["mix-blend-mode", /^normal$/], ["isolation", /^auto$/], ["filter", /^none$/], ["mask", /^none$/],
];
const TEXTS = new Set(["text", "tspan", "textPath"]);
const SPACES = { "http\u003a//www.w3.org/2000/svg": "data:svg", "http\u003a//www.w3.org/1999/xhtml": "data:xhtml" };
/** Elements that paint nothing themselves but may be needed by others. */
const KEPT = new Set(["defs", "style", "clipPath", "mask", "filter", "symbol", "marker", "pattern", "linearGradient", "radialGradient"]);
const SHAPES = new Set(["rect", "circle", "ellipse", "path", "line", "polyline", "polygon", "image", "text"]);
const GROUPS = new Set(["g", "a", "svg", "symbol", "switch"]);
const USES_MAX = 64;
/** Transforms that may rotate a rectangle. */
const TURNING = /rotate|skew|matrix|3d|perspective/i;
/** The maximum length of a source text. Longer ones are truncated. */
const SOURCE_MAX = 2000;

export class Source {
    /**
     * Parses an SVG text. Its elements get other namespaces, so that they are only data: nothing runs, loads or applies
     * styles.
     */
    constructor(text) {
        const data = Object.entries(SPACES).reduce((all, [space, other]) => all.replaceAll(space, other), text);
        this.root = new DOMParser().parseFromString(data, "text/xml").documentElement;
        this.rules = [...this.root.getElementsByTagNameNS("*", "style")].flatMap((style) => rulesOf(style.textContent));
    }

    /** Returns the element at a path such as `svg/g[3]/rect[2]`; null if there is none. */
    at(path, root = this.root) {
        let [, ...steps] = (path ?? "").split("/");
        let element = path ? root : null;
        for (const step of steps) {
            const [, name, place] = /^(.*)\[(\d+)\]$/.exec(step) ?? [];
            let left = Number(place);
            element = [...(element?.children ?? [])].find((child) => child.localName === name && (left -= 1) === 0) ?? null;
        }
        return element;
    }

    /**
     * Returns the SVG text without the elements at these paths. If `only` is a path, keeps nothing but the element there.
     */
    without(hidden, only) {
        const root = this.root.cloneNode(true);
        const found = hidden.map((path) => this.at(path, root));
        for (let element = only === null ? null : this.at(only, root); element !== null && element !== root; element = element.parentElement) {
            found.push(...[...element.parentElement.children].filter((other) => other !== element && !KEPT.has(other.localName)));
        }
        for (const element of found) element?.setAttribute("style", `${element.getAttribute("style") ?? ""};display:none!important`);
        return original(new XMLSerializer().serializeToString(root));
    }

    /** Returns the words of a text, and of each piece that is not in an element of its own; null for other elements. */
    textAt(path) {
        const name = /([^/[]*)(?:\[\d+\])?$/.exec(path ?? "")[1];
        const element = TEXTS.has(name) ? this.at(path) : null;
        if (element === null) return null;
        const words = (node) => node.textContent.trim().replace(/\s+/g, " ");
        const pieces = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map(words);
        return { all: words(element), pieces: pieces.filter(Boolean) };
    }

    /** Returns the start tag of an element, with its attributes. */
    tagAt(path) {
        const element = this.at(path);
        if (element === null) return "";
        const attributes = [...element.attributes].map(({ name, value }) => `\n  ${name}="${value}"`);
        const data = `<${element.nodeName}${attributes.join("")}>`;
        const whole = original(data);
        return whole.length > SOURCE_MAX ? `${whole.slice(0, SOURCE_MAX)}…` : whole;
    }

    /** Returns the properties that make an element a layer, such as "opacity 0.94". */
    layerBy(path) {
        const element = this.at(path);
        if (element === null) return [];
        const found = LAYERS.map(([name, idle]) => {
            const value = this.#value(element, name);
            return value === "" || idle.test(value) ? "" : `${name} ${value}`;
        });
        return found.filter(Boolean);
    }

    /** Returns the value of a property set on the element itself. */
    #value(element, name) {
        const own = rulesOf(`*{${element.getAttribute("style") ?? ""}}`);
        const rules = [...this.rules.filter((rule) => matches(element, rule.selectorText)), ...own];
        const value = rules.map((rule) => rule.style.getPropertyValue(name)).findLast(Boolean) ?? element.getAttribute(name) ?? "";
        return value.trim();
    }

    #byId(id) {
        return this.root.ownerDocument.getElementById(id);
    }

    /** Whether the element's clip is certainly a rectangle: a clip path of one plain rect, or a viewport. */
    isRect(path) {
        const element = this.at(path);
        if (element === null || this.#value(element, "mask") !== "") return false;
        const clip = this.#value(element, "clip-path");
        const target = clip === "" ? element : this.#byId(/^url\(["']?#(.+?)["']?\)$/.exec(clip)?.[1]);
        const shape = clip === "" ? element : target?.children.length === 1 ? target.firstElementChild : null;
        if (shape === null || shape.localName !== (clip === "" ? "svg" : "rect")) return false;
        const isPlain = ["rx", "ry", "clip-path"].every((name) => clip === "" || /^(0\w*|none|)$/.test(this.#value(shape, name)));
        const around = [shape, target];
        for (let up = element; up !== null; up = up.parentElement) around.push(up);
        const isStraight = (one) => !TURNING.test(`${this.#value(one, "transform")} ${one.getAttribute("style") ?? ""}`);
        return isPlain && (clip === "" || this.#value(target, "clip-path") === "") && around.every(isStraight);
    }

    /** Returns the shapes painted by the use element at a path, in order. */
    shapesAt(path) {
        const use = this.at(path);
        return use?.localName === "use" ? this.#shapesIn(use, USES_MAX) : [];
    }

    #shapesIn(element, depth) {
        if (depth === 0) return [];
        if (element.localName === "use") {
            const href = element.getAttribute("href") ?? element.getAttribute("xlink:href") ?? "";
            const target = this.#byId(href.slice(1));
            return target === null ? [] : this.#shapesIn(target, depth - 1);
        }
        if (SHAPES.has(element.localName)) return [{ name: element.localName, id: element.getAttribute("id") }];
        return GROUPS.has(element.localName) ? [...element.children].flatMap((child) => this.#shapesIn(child, depth - 1)) : [];
    }
}

/** Names the parts of texts by their words, and the contents of uses by the referenced shapes. */
export function nameItems(model, source) {
    const byPath = new Map();
    for (let item = 0; item < model.length; item += 1) {
        const path = model.paths[item];
        if (model.isGroup(item) && model.sources[item] === "text") model.texts.set(item, source.textAt(path)?.all ?? "");
        if (model.kind[item] !== DRAW || path === null) continue;
        if (byPath.has(path)) byPath.get(path).push(item);
        else byPath.set(path, [item]);
    }
    for (const [path, items] of byPath) {
        const [text, shapes] = [source.textAt(path), source.shapesAt(path)];
        for (const [at, item] of items.entries()) {
            const words = text?.pieces.length === items.length ? text.pieces[at] : text?.all;
            if (words) model.texts.set(item, words);
            if (shapes.length === items.length) model.shapes.set(item, shapes[at]);
        }
    }
}

/** Returns the text with the namespaces of the document. */
function original(data) {
    return Object.entries(SPACES).reduce((all, [space, other]) => all.replaceAll(other, space), data);
}

function rulesOf(css) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    return [...sheet.cssRules].filter((rule) => rule.selectorText);
}

function matches(element, selector) {
    try {
        return element.matches(selector);
    } catch {
        return false;
    }
}
