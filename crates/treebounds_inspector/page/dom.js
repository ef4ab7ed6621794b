// The page's own few words for the DOM. No text ever becomes markup.

export const byId = (id) => document.getElementById(id);

/** An element with properties (or attributes, where there is no such property) and children. */
export function make(tag, properties = {}, ...children) {
    const element = document.createElement(tag);
    for (const [key, value] of Object.entries(properties)) {
        if (key in element) element[key] = value;
        else element.setAttribute(key, value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
}

/** Runs this and keeps how long it took: `performance.getEntriesByName("treebounds <name>")`. */
export function timed(label, run) {
    const start = performance.now();
    const result = run();
    performance.measure(`treebounds ${label}`, { start, end: performance.now() });
    return result;
}
