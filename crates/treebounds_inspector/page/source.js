// The source document: what elements say, their attributes, and what makes them layers.

/** What makes a layer, and the value with which it does not. */
const LAYERS = [
    ["opacity", /^(1|1\.0*|100%)$/], ["mix-blend-mode", /^normal$/], ["isolation", /^auto$/], ["filter", /^none$/], ["mask", /^none$/],
];
const TEXTS = new Set(["text", "tspan", "textPath"]);
const SPACES = { "http\u003a//www.w3.org/2000/svg": "data:svg", "http\u003a//www.w3.org/1999/xhtml": "data:xhtml" };
/** What paints nothing itself, and may be needed by others. */
const KEPT = new Set(["defs", "style", "clipPath", "mask", "filter", "symbol", "marker", "pattern", "linearGradient", "radialGradient"]);
/** Longer source texts are cut. */
const SOURCE_MAX = 2000;

export class Source {
    /** Parses an SVG text. Its elements get other namespaces, so that they are data: nothing of it runs, loads or styles. */
    constructor(text) {
        const data = Object.entries(SPACES).reduce((all, [space, other]) => all.replaceAll(space, other), text);
        this.root = new DOMParser().parseFromString(data, "text/xml").documentElement;
        this.rules = [...this.root.getElementsByTagNameNS("*", "style")].flatMap((style) => rulesOf(style.textContent));
    }

    /** The element at a path such as `svg/g[3]/rect[2]`; null if there is none. */
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

    /** The SVG text without the elements at these paths, and with nothing but the one at `only`, if that is a path. */
    without(hidden, only) {
        const root = this.root.cloneNode(true);
        const found = hidden.map((path) => this.at(path, root));
        for (let element = only === null ? null : this.at(only, root); element !== null && element !== root; element = element.parentElement) {
            found.push(...[...element.parentElement.children].filter((other) => other !== element && !KEPT.has(other.localName)));
        }
        for (const element of found) element?.setAttribute("style", `${element.getAttribute("style") ?? ""};display:none!important`);
        return original(new XMLSerializer().serializeToString(root));
    }

    /** What a text says; "" for anything else. */
    textAt(path) {
        const name = /([^/[]*)(?:\[\d+\])?$/.exec(path ?? "")[1];
        return TEXTS.has(name) ? (this.at(path)?.textContent ?? "").trim().replace(/\s+/g, " ") : "";
    }

    /** The start tag of an element, with its attributes. */
    tagAt(path) {
        const element = this.at(path);
        if (element === null) return "";
        const attributes = [...element.attributes].map(({ name, value }) => `\n  ${name}="${value}"`);
        const data = `<${element.nodeName}${attributes.join("")}>`;
        const whole = original(data);
        return whole.length > SOURCE_MAX ? `${whole.slice(0, SOURCE_MAX)}…` : whole;
    }

    /** The properties that make an element a layer, such as "opacity 0.94". */
    layerBy(path) {
        const element = this.at(path);
        if (element === null) return [];
        const own = rulesOf(`*{${element.getAttribute("style") ?? ""}}`);
        const styles = [...this.rules.filter((rule) => matches(element, rule.selectorText)), ...own].map((rule) => rule.style);
        const found = LAYERS.map(([name, idle]) => {
            const value = styles.map((style) => style.getPropertyValue(name)).findLast(Boolean) ?? element.getAttribute(name) ?? "";
            return value === "" || idle.test(value.trim()) ? "" : `${name} ${value.trim()}`;
        });
        return found.filter(Boolean);
    }
}

/** The text with the namespaces of the document. */
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
