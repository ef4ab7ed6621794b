// What is at a point. A scan over all items takes less than a millisecond for 100,000 of them, so there is no index.
import { isEmpty, isEverything } from "./box.js";
import { DRAW } from "./model.js";

/**
 * The items at this point, front to back: those whose rect contains it, and of those that reach everywhere those whose
 * bounds do. `state` is "visible", "clipped" (cut away here) or "culled" (cut away everywhere).
 */
export function pick(model, x, y, last = model.length - 1) {
    const { rect, bounds } = model;
    const found = [];
    for (let item = last, base = 4 * last; item >= 0; item -= 1, base -= 4) {
        const isInRect = rect[base] <= x && x < rect[base + 2] && rect[base + 1] <= y && y < rect[base + 3];
        if (!isInRect) continue;
        const isInBounds = bounds[base] <= x && x < bounds[base + 2] && bounds[base + 1] <= y && y < bounds[base + 3];
        if (!isInBounds && isEverything(model.box("rect", item))) continue;
        const isCulled = !isInBounds && isEmpty(model.box("bounds", item));
        found.push({ item, state: isInBounds ? "visible" : isCulled ? "culled" : "clipped" });
    }
    return found;
}

/** The frontmost draw that can be seen here, or else the innermost node; -1 where there is nothing. */
export function topmost(model, x, y, allowed, last = model.length - 1) {
    const { bounds, kind } = model;
    let node = -1;
    for (let item = last; item >= 0; item -= 1) {
        const base = 4 * item;
        const isHere = bounds[base] <= x && x < bounds[base + 2] && bounds[base + 1] <= y && y < bounds[base + 3];
        if (!isHere || (allowed && !allowed[item])) continue;
        if (kind[item] === DRAW) return item;
        if (node < 0) node = item;
    }
    return node;
}
