// The layers by pixels: as given, and as computed.
import { intersect, isEmpty, pixels } from "./box.js";
import { culled } from "./why.js";

/** Bytes of a pixel of RGBA8. */
export const PIXEL_BYTES = 4;

/**
 * A row a layer, most pixels wasted first, and their sums. As given, a layer is its own extent on the canvas; as computed,
 * what can be seen in it.
 */
export function layers(model) {
    const rows = [];
    const sums = { given: 0, found: 0, empty: 0 };
    for (let item = 0; item < model.length; item += 1) {
        if (!model.isLayer(item)) continue;
        const given = pixels(intersect(model.box("rect", item), model.viewport));
        const found = pixels(intersect(model.box("bounds", item), model.viewport));
        rows.push({ item, given, found, note: note(model, item, given, found) });
        sums.given += given;
        sums.found += found;
        sums.empty += found === 0 ? 1 : 0;
    }
    rows.sort((a, b) => b.given - b.found - (a.given - a.found) || b.given - a.given || a.item - b.item);
    return { rows, sums };
}

/** What is special about a layer. */
function note(model, item, given, found) {
    if (!isEmpty(model.box("bounds", item))) return found < given ? "" : "as large as given";
    const rule = culled(model, item)?.rule;
    return rule === "empty" ? "empty" : "changes nothing";
}
