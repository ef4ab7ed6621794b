// The tree of all items. Only the visible rows are in the document.
import { isEmpty } from "./boxes.js";
import { DRAW, SPREAD } from "./model.js";
import { make, noun, shortSize, shown, tag } from "./words.js";

const ROW = 26;
const SPARE = 6;
const INDENT = 13;
/** Deeper rows start with their depth as a number. */
const INDENTS_MAX = 5;
/** The tallest element that browsers lay out. */
const HEIGHT_MAX = 15e6;

export class Tree {
    /**
     * `on` has the functions select(item), hover(item) and isOff(item), which returns whether an item is hidden in
     * the drawing.
     */
    constructor(host, on) {
        this.host = host;
        this.on = on;
        this.space = make("div", { className: "rows", role: "presentation" });
        host.replaceChildren(this.space);
        this.rows = new Uint32Array(0);
        this.pool = [];
        this.selected = -1;
        this.cursor = -1;
        this.hovered = -1;
        host.addEventListener("scroll", () => {
            this.top = host.scrollTop;
            this.draw();
        });
        host.addEventListener("keydown", (event) => this.#key(event));
        host.addEventListener("click", (event) => this.#click(event));
        host.addEventListener("pointermove", (event) => this.on.hover(this.#itemOf(event)));
        host.addEventListener("pointerleave", () => this.on.hover(-1));
        this.height = this.top = 0;
        new ResizeObserver(([entry]) => {
            this.height = entry.contentRect.height;
            this.draw();
        }).observe(host);
    }

    show(model) {
        this.model = model;
        this.isOpen = new Uint8Array(model.length).fill(1);
        this.filter = null;
        if (model.length > 2000) this.#closeBelow(2);
        this.cursor = model.length > 0 ? 0 : -1;
        this.layout();
    }

    #closeBelow(depth) {
        for (let item = 0; item < this.model.length; item += 1) {
            this.isOpen[item] = this.model.depth[item] < depth ? 1 : 0;
        }
    }

    /** Shows only the items marked in `kept`: those marked in `found` and their ancestors. Null shows all. */
    only(filter) {
        this.filter = filter;
        this.layout();
        const row = this.rowOf(this.selected);
        if (row >= 0) this.#scrollTo(row);
        else this.#scrollTo(0);
    }

    /** Lists the rows. */
    layout() {
        const { model, isOpen, filter } = this;
        const rows = new Uint32Array(model.length);
        let length = 0;
        for (let item = 0; item < model.length; ) {
            const isIn = filter === null || filter.kept[item];
            if (isIn) rows[length++] = item;
            const goesIn = isIn && (filter !== null || isOpen[item]);
            item = goesIn ? item + 1 : model.end[item];
        }
        this.rows = rows.subarray(0, length);
        this.step = Math.min(ROW, HEIGHT_MAX / Math.max(1, length));
        this.space.style.height = `${length * this.step}px`;
        this.draw();
    }

    /** Returns the row of the item, or -1 if it is in a closed node. */
    rowOf(item) {
        let [low, high] = [0, this.rows.length];
        while (low < high) {
            const middle = (low + high) >> 1;
            if (this.rows[middle] < item) low = middle + 1;
            else high = middle;
        }
        return this.rows[low] === item ? low : -1;
    }

    /** Opens the ancestors of the item and scrolls to it. */
    reveal(item) {
        if (item < 0) return;
        let isNew = false;
        for (let up = this.model.parent[item]; up >= 0; up = this.model.parent[up]) {
            isNew ||= !this.isOpen[up];
            this.isOpen[up] = 1;
        }
        if (isNew && this.filter === null) this.layout();
        this.#scrollTo(this.rowOf(item));
    }

    /** Scrolls in the next frame, when the page is laid out anyway. */
    #scrollTo(row) {
        if (row < 0) return;
        const isPlanned = this.wanted !== undefined;
        this.wanted = row;
        if (!isPlanned) requestAnimationFrame(() => this.#scrollNow());
    }

    #scrollNow() {
        const top = this.wanted * this.step;
        const lowest = top + ROW - (this.height || this.host.clientHeight);
        this.wanted = undefined;
        // Scrolls a row that is out of sight to the middle.
        if (top < this.top || lowest > this.top) this.host.scrollTop = (top + lowest) / 2;
    }

    select(item, reveals) {
        this.selected = item;
        if (item >= 0) this.cursor = item;
        if (reveals) this.reveal(item);
        this.draw();
    }

    hover(item) {
        if (item === this.hovered) return;
        this.hovered = item;
        for (const row of this.pool) row.classList.toggle("hovered", row.item === item);
    }

    /** Fills the visible rows. */
    draw() {
        if (!this.model) return;
        const { host, rows, pool, space } = this;
        const most = Math.max(0, rows.length * this.step - this.height);
        const first = Math.max(0, Math.floor(Math.min(this.top, most) / this.step) - SPARE);
        const visible = Math.ceil(this.height / ROW) + 2 * SPARE;
        const count = Math.min(rows.length - first, visible);
        while (pool.length < count) {
            const row = makeRow();
            pool.push(row);
            space.append(row);
        }
        for (const [at, row] of pool.entries()) {
            row.hidden = at >= count;
            if (!row.hidden) this.#fill(row, first + at, first);
        }
        const active = pool.find((row) => !row.hidden && row.item === this.cursor);
        if (active) host.setAttribute("aria-activedescendant", active.id);
        else host.removeAttribute("aria-activedescendant");
    }

    /** Refills the rows after names have changed. */
    refresh() {
        for (const row of this.pool) row.model = null;
        this.draw();
    }

    #fill(row, at, first) {
        const { model } = this;
        const item = this.rows[at];
        row.style.transform = `translateY(${first * this.step + (at - first) * ROW}px)`;
        row.classList.toggle("selected", item === this.selected);
        row.classList.toggle("cursor", item === this.cursor);
        row.classList.toggle("hovered", item === this.hovered);
        row.classList.toggle("around", this.filter !== null && !this.filter.found[item]);
        row.setAttribute("aria-selected", item === this.selected);
        if (model.end[item] > item + 1) row.setAttribute("aria-expanded", this.#opens(item));
        else row.removeAttribute("aria-expanded");
        const isOff = this.on.isOff(item);
        if (row.item === item && row.model === model && row.isOff === isOff) return;
        row.isOff = isOff;
        row.classList.toggle("off", isOff);
        row.item = item;
        row.model = model;
        row.setAttribute("aria-level", model.depth[item] + 1);
        row.setAttribute("aria-posinset", model.place[item]);
        row.setAttribute("aria-setsize", model.siblings(item));
        row.classList.toggle("deep", model.depth[item] > INDENTS_MAX);
        row.classList.toggle("is-culled", model.isCulled(item));
        const { twisty, glyph, label, extent } = row.parts;
        const depth = Math.min(model.depth[item], INDENTS_MAX);
        row.style.paddingLeft = `${4 + depth * INDENT}px`;
        twisty.className = model.end[item] > item + 1 ? "twisty" : "twisty none";
        glyph.className = `glyph ${glyphOf(model, item)}`;
        const deep = model.depth[item] > INDENTS_MAX ? `${model.depth[item]}› ` : "";
        label.replaceChildren(`${deep}${noun(model, item)} `, make("bdi", { className: "id", textContent: tag(model, item) }), " ");
        if (model.ids[item] && model.texts.has(item)) label.append(make("bdi", { className: "faint", textContent: `“${shown(model.texts.get(item))}”` }), " ");
        extent.textContent = isOff ? "hidden" : isEmpty(model.box("bounds", item)) ? "culled" : shortSize(model.box("bounds", item));
    }

    #opens(item) {
        return this.filter !== null || this.isOpen[item] === 1;
    }

    #itemOf(event) {
        return event.target.closest?.(".row")?.item ?? -1;
    }

    #click(event) {
        const item = this.#itemOf(event);
        if (item < 0) return;
        if (event.target.classList.contains("twisty")) this.toggle(item, !this.isOpen[item]);
        else this.on.select(item);
    }

    toggle(item, isOpen) {
        if (this.filter !== null || this.model.end[item] === item + 1) return;
        this.isOpen[item] = isOpen ? 1 : 0;
        this.layout();
    }

    #key(event) {
        if (event.ctrlKey || event.metaKey || event.altKey || this.cursor < 0) return;
        const row = Math.max(0, this.rowOf(this.cursor));
        const page = Math.max(1, Math.floor(this.height / ROW) - 1);
        const moves = { ArrowDown: row + 1, ArrowUp: row - 1, PageDown: row + page, PageUp: row - page, Home: 0, End: this.rows.length - 1 };
        if (event.key in moves) this.#go(this.rows[Math.min(this.rows.length - 1, Math.max(0, moves[event.key]))]);
        else if (event.key === "ArrowRight") this.#right();
        else if (event.key === "ArrowLeft") this.#left();
        else if (event.key === "Enter" || event.key === " ") this.on.select(this.cursor);
        else if (event.key === "*") this.#openSiblings();
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    #go(item) {
        if (item === undefined) return;
        this.cursor = item;
        this.on.select(item);
    }

    #right() {
        const item = this.cursor;
        if (this.model.end[item] === item + 1) return;
        if (this.#opens(item)) this.#go(this.rows[this.rowOf(item) + 1]);
        else this.toggle(item, true);
    }

    #left() {
        const item = this.cursor;
        if (this.filter === null && this.model.kind[item] !== DRAW && this.isOpen[item] && this.model.end[item] > item + 1) {
            this.toggle(item, false);
        } else if (this.model.parent[item] >= 0) {
            this.#go(this.model.parent[item]);
        }
    }

    #openSiblings() {
        const { model, cursor } = this;
        const parent = model.parent[cursor];
        const last = parent < 0 ? model.length : model.end[parent];
        for (let item = parent + 1; item < last; item = model.end[item]) this.isOpen[item] = 1;
        this.layout();
    }
}

let rows = 0;

function makeRow() {
    const parts = {
        twisty: make("span", { className: "twisty" }),
        glyph: make("span", { className: "glyph" }),
        label: make("span", { className: "label" }),
        extent: make("span", { className: "extent" }),
    };
    rows += 1;
    const row = make("div", { className: "row", id: `row-${rows}`, role: "treeitem" }, ...Object.values(parts));
    row.parts = parts;
    return row;
}

/** Returns the line sample next to the name of an item. */
export function glyphOf(model, item) {
    if (model.isGroup(item)) return "group";
    if (model.isLayer(item)) return model.isClip(item) ? "both" : "layer";
    if (model.isClip(item)) return "clip";
    return model.kind[item] === SPREAD ? "filter" : "draw";
}
