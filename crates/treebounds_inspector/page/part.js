// The visible part of a drawing: the search results without hidden elements.
import { query } from "./query.js";
import { byId, name, timed, whole } from "./words.js";

export class Part {
    constructor(app) {
        this.app = app;
        /** The objects with matching ids; undefined for all. */
        this.objects = undefined;
    }

    /** Finds elements by a search text. */
    find(text) {
        const { app, app: { model, state } } = this;
        timed("filter", () => {
            state.query = text;
            const { holds, objects, error } = query(model, text);
            const isAll = holds === null || error !== "";
            this.objects = isAll ? undefined : objects;
            byId("query-error").textContent = error;
            byId("query").setAttribute("aria-invalid", error !== "");
            const { found, kept, many } = isAll ? { found: null, many: model.count } : matching(model, holds);
            const inIds = many === 0 && objects.length > 0 ? `, ${whole(objects.length)} in Ids` : "";
            byId("found").textContent = isAll ? "" : `${whole(many)} found${inIds}`;
            app.tree.only(isAll ? null : { found, kept });
            this.#allow(found, many);
            app.details.foundOthers();
        });
        app.link();
    }

    /** Restricts the boxes to found items that are not hidden. */
    #allow(found, many) {
        const { model, stage, state: { hidden, solo } } = this.app;
        this.found = { found, many };
        const isPart = hidden.size > 0 || solo >= 0;
        const allowed = isPart ? (found?.slice() ?? new Uint8Array(model.length).fill(1)) : found;
        for (const item of hidden) allowed.fill(0, item, model.end[item]);
        if (solo >= 0) allowed.fill(0, 0, solo).fill(0, model.end[solo]);
        stage.only(allowed, isPart ? allowed.reduce((sum, one) => sum + one, 0) : many);
    }

    /** Whether an item is hidden, inside a hidden item, or outside the item shown alone. */
    isOff(item) {
        const { model, state: { hidden, solo } } = this.app;
        if (solo >= 0 && (item < solo || item >= model.end[solo]) && !(item < solo && solo < model.end[item])) return true;
        for (let up = hidden.size > 0 ? item : -1; up >= 0; up = model.parent[up]) if (hidden.has(up)) return true;
        return false;
    }

    /** Selects the next (1) or previous (-1) found item. */
    next(by) {
        const { app: { model, state, on }, found: { found } = {} } = this;
        if (!found) return;
        const all = model.length;
        for (let step = 1, at = state.selected < 0 && by < 0 ? 0 : state.selected; step <= all; step += 1) {
            at = (at + by + all) % all;
            if (found[at]) return on.select(at);
        }
    }

    /** Hides an item and its contents, or shows them again. */
    hide(item) {
        const { hidden } = this.app.state;
        if (!hidden.delete(item)) hidden.add(item);
        this.#follow();
    }

    /** Shows an item and its contents alone, or everything again. */
    solo(item) {
        const { state } = this.app;
        state.solo = state.solo === item ? -1 : item;
        this.#follow();
    }

    showAll() {
        const { state } = this.app;
        state.hidden.clear();
        state.solo = -1;
        this.#follow();
    }

    /** Describes the hidden items; "" if there are none. */
    get words() {
        const { model, state: { hidden, solo } } = this.app;
        if (solo >= 0) return `Only ${name(model, solo)} is shown.`;
        return hidden.size > 0 ? `${whole(hidden.size)} hidden.` : "";
    }

    /** Updates the page after hiding or showing. */
    #follow() {
        const { app } = this;
        this.#allow(this.found.found, this.found.many);
        app.stage.drawings.follow();
        app.tree.draw();
        app.details.why();
        app.showLegend();
        app.say(this.words === "" ? "Everything is shown" : "A part of the drawing is hidden");
    }
}

/** Returns one byte per item for matches, one for matches and their ancestors, and the number of matches. */
function matching(model, holds) {
    const [found, kept] = [new Uint8Array(model.length), new Uint8Array(model.length)];
    let many = 0;
    for (let item = model.length - 1; item >= 0; item -= 1) {
        if (!model.isGroup(item) && holds(item)) {
            found[item] = 1;
            many += 1;
        }
        kept[item] |= found[item];
        if (kept[item] && model.parent[item] >= 0) kept[model.parent[item]] = 1;
    }
    return { found, kept, many };
}
