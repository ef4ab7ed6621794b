// The page as a whole: a single state, and the parts that follow its changes.
import { intersect, isEmpty, isEverything } from "./boxes.js";
import { causes, readChanges } from "./compare.js";
import { check, copy, save, showTheme, themeAfter } from "./controls.js";
import { Details } from "./details.js";
import { listen } from "./keys.js";
import { hereWords, legend } from "./legend.js";
import { BadReport } from "./model.js";
import { Part } from "./part.js";
import { pick, topmost } from "./query.js";
import { readReport } from "./read.js";
import { nameItems, Source } from "./source.js";
import { Stage } from "./stage.js";
import { Steps } from "./steps.js";
import { Tree } from "./tree.js";
import { isHeavy, lookOf, readHash, View, writeHash } from "./view.js";
import { boxText, byId, count, make, name, number, percent, shown, size, timed } from "./words.js";

/** How long a short message stays visible, in milliseconds. */
const TOAST = 2500;

export class Inspector {
    constructor() {
        this.state = {
            selected: -1, hovered: -1, object: -1, step: -1, mode: "boxes", tab: "why", query: "", point: null, drawing: "dim", drawnBy: "measured",
            heat: "found", compare: "side", split: 0.5, change: -1, theme: "auto", show: {}, view: new View(), isFit: true,
            hidden: new Set(), solo: -1,
            camera: { turn: 0, tilt: 0, zoom: 1 },
            links: null, most: undefined,
        };
        this.on = {
            select: (item) => this.select(item),
            hover: (item, tile) => this.hover(item, tile),
            pick: (x, y, isKey) => this.pick(x, y, isKey),
            find: (text) => this.find(text),
            step: (item) => this.steps.set(item),
            zoomTo: (item) => this.zoomTo(item),
            viewChanged: () => this.#viewChanged(),
            split: (share) => this.setSplit(share),
            drawn: () => this.showLegend(),
            moreLayers: (most) => this.details.layers(most),
            object: (at) => this.setObject(at),
            moreObjects: (most) => this.details.objects(most),
            change: (at) => this.setChange(at),
            moreChanges: (most) => this.details.changes(most),
            hide: (item) => this.part.hide(item),
            solo: (item) => this.part.solo(item),
            copyLink: () => this.#copy(new URL(this.#address(), location.href).href, "The link"),
            copyBox: (item) => this.#copy(boxText(this.model.box("bounds", item)), "The box"),
        };
        byId("stuck").remove();
        this.part = new Part(this);
        this.tree = new Tree(byId("tree"), { select: this.on.select, hover: this.on.hover, isOff: (item) => this.part.isOff(item) });
        this.stage = new Stage(this.state, this.on);
        this.steps = new Steps(this);
        this.details = new Details(this);
        listen(this);
    }

    /**
     * Shows a report (its text or model) and its drawing: `measured` and `source` are Blobs, packed drawings or null.
     * `older` contains the `report` and `drawing` of an older drawing, and the `changes`. The address decides how the first
     * drawing is shown. Later drawings are shown in the same way, with nothing selected.
     */
    show(report, drawing, older = null) {
        try {
            timed("read", () => this.#show(report, drawing, older));
        } catch (error) {
            if (!(error instanceof BadReport)) throw error;
            this.fail(error.message);
        }
    }

    /** Replaces the report by another one on the same drawing. Keeps view and selection. */
    update(text) {
        const { texts, shapes } = this.model;
        Object.assign(this.model, readReport(text), { texts, shapes });
        if (this.state.selected < 0) this.details.why();
        this.stage.paint();
    }

    #show(report, drawing, older) {
        const model = readReport(report);
        const hash = this.model ? lookOf(writeHash(this.state, this.model)) : location.hash;
        this.model = model;
        this.old = older ? readReport(older.report) : null;
        Object.assign(this, older ? readChanges(older.changes, this.old, this.model) : { changes: [], repainted: 0 });
        this.causes = older ? causes(this.changes, this.old, this.model) : [];
        byId("failure").hidden = byId("loading").hidden = true;
        byId("app").hidden = false;
        byId("compare-mode").hidden = byId("tab-changes").hidden = older === null;
        this.stage.drawings.show(model, this.old, { new: drawing, old: older?.drawing ?? {} });
        byId("drawn-by").hidden = !(drawing.measured && drawing.source);
        this.#title();
        const found = readHash(hash, this.model, this.changes);
        // After a reload, select the same element, even if its index has changed.
        const path = history.state?.path;
        if (path !== undefined && model.paths[found.selected] !== path) found.selected = model.paths.indexOf(path);
        if (older && !hash) Object.assign(found, { mode: "compare", tab: "changes" });
        Object.assign(this.state, { hidden: new Set(), solo: -1 });
        if (!isHeavy(model)) this.#read(model, drawing.source);
        this.state.hovered = -1;
        byId("step").max = this.model.count;
        byId("layers").replaceChildren();
        this.tree.show(this.model);
        this.stage.show(this.model, this.old, this.changes);
        this.follow(found);
    }

    /** Reads the source document, for names of texts and reasons of layers. */
    async #read(model, file) {
        // If the drawing cannot be unpacked, it shows the error itself.
        const text = await file?.text().catch(() => "");
        if (!text || this.model !== model) return;
        this.stage.drawings.source = new Source(text);
        nameItems(model, this.source);
        // Findings contain the names of texts too.
        model.findings = null;
        this.tree.refresh();
        this.details.lists();
        this.stage.drawings.follow();
        if (this.state.mode === "exploded") this.stage.drawings.drawLayers();
        this.part.find(this.state.query);
        this.details.why();
    }

    /** Restores the state described by a hash. */
    follow(found) {
        if (!this.old && found.mode === "compare") found.mode = "boxes";
        this.state.isFit = found.view === null;
        found.view = found.view === null ? this.state.view : new View(...found.view);
        Object.assign(this.state, found);
        byId("query").value = found.query;
        showTheme(this.state.theme);
        this.stage.resize();
        this.setSplit(found.split);
        this.part.find(found.query);
        this.setMode(found.mode);
        this.steps.set(found.step);
        if (found.point) this.pick(...found.point, true);
        this.select(found.selected);
        this.details.set(found.tab);
        this.details.lists();
        this.showToggles();
        this.stage.drawings.load();
        // The legend has changed the height of the stage, which moves the view. A view from a link must be restored.
        this.stage.resize();
        if (!this.state.isFit) this.stage.setView(found.view);
    }

    fail(message) {
        byId("app").hidden = byId("loading").hidden = true;
        byId("failure").hidden = false;
        byId("failure-text").textContent = message;
        document.title = "Invalid report · treebounds inspector";
    }

    #title() {
        const { head } = this.model;
        const both = this.old ? `${shown(String(this.old.head.source ?? "old"))} → ` : "";
        const source = `${both}${shown(String(head.source ?? "drawing"))}`;
        document.title = `${source} · treebounds`;
        byId("title").textContent = source;
        byId("summary").textContent = `${count(this.model.count, "element")}, ${number(head.width)} × ${number(head.height)}`;
    }

    // State changes.

    select(item) {
        timed("select", () => {
            this.state.selected = item;
            this.tree.select(item, true);
            this.details.why();
            this.stage.paintTop();
            if (item >= 0) this.say(`Selected ${name(this.model, item)}, ${size(this.model.box("bounds", item))}`);
            if (this.state.tab === "point") this.details.point();
            if (this.state.tab === "layers") this.details.layers();
        });
        this.link();
    }

    hover(item, tile = -1) {
        if (tile !== this.state.tile) {
            this.state.tile = tile;
            if (byId("here")) byId("here").textContent = hereWords(this.stage, tile);
        }
        if (item === this.state.hovered) return;
        timed("hover", () => {
            this.state.hovered = item;
            this.tree.hover(item);
            this.stage.paintTop();
        });
    }

    /** Lists the items at a point and selects the frontmost one. A key only hovers it and shows the list. */
    pick(x, y, isKey = false) {
        timed("pick", () => {
            this.state.point = [x, y];
            this.state.isCrossed = isKey;
            this.stack = pick(this.model, x, y);
        });
        const front = topmost(this.model, x, y, this.stage.allowed);
        if (isKey && this.state.tab !== "point") this.details.set("point");
        else this.details.point();
        if (!isKey) {
            this.select(front);
            return;
        }
        this.say(front < 0 ? "nothing visible here" : `${name(this.model, front)}, of ${count(this.stack.length, "element")}`);
        this.hover(front);
        this.stage.paintTop();
        this.link();
    }

    /** Returns the items at a point of the drawing, front to back: `ix` and `state`. */
    at(x, y) {
        return pick(this.model, x, y).map(({ item, state }) => ({ ix: this.model.ix[item], state }));
    }

    /** Returns the position on the page of a point of the drawing. */
    place(x, y) {
        const { left, top } = this.stage.host.getBoundingClientRect();
        const [px, py] = this.state.view.toPage([x, y, x, y]);
        return [left + px, top + py];
    }

    /** The source document, or null until it is read. */
    get source() {
        return this.stage.drawings.source;
    }

    /** Returns the picture of the boxes as text, for tests. */
    fingerprint() {
        return this.stage.base.toDataURL();
    }

    /** Searches for a text and shows it in the search field. */
    find(text) {
        byId("query").value = text;
        this.part.find(text);
    }

    setMode(mode) {
        const wasPanes = this.stage.panes;
        this.state.mode = mode;
        document.body.dataset.mode = mode;
        check("modes", "mode", mode);
        if (mode === "exploded") {
            this.clearPoint();
            this.stage.drawings.drawLayers();
        }
        byId("split-label").hidden = mode !== "compare" || this.state.compare !== "slider";
        if (wasPanes !== this.stage.panes && this.state.isFit) this.stage.fit();
        this.stage.paint();
        this.showLegend();
        this.link();
    }

    setSplit(share) {
        this.state.split = share;
        byId("split").value = 1000 * share;
        this.changed();
    }

    /** Highlights an object of the source document. */
    setObject(at) {
        this.state.object = at;
        const { source, id, bounds } = this.model.objects[at];
        this.details.objects();
        this.stage.paintTop();
        this.link();
        this.say(`${source} ${id ?? ""}, ${size(bounds)}`);
    }

    setChange(at) {
        this.state.change = at;
        const change = this.changes[at];
        this.details.changes();
        if (change.item >= 0) this.select(change.item);
        if (this.state.mode !== "compare") this.setMode("compare");
        this.changed();
        this.say(`${change.change}`);
    }

    zoomTo(item) {
        const { model } = this;
        const box = model.isCulled(item) ? model.given(item) : intersect(model.box("bounds", item), model.viewport);
        if (!isEmpty(box) && !isEverything(box)) this.stage.zoomTo(box);
    }

    /** The line below the drawing. */
    showLegend() {
        const parts = legend(this);
        byId("key").hidden = parts.length === 0;
        byId("key").replaceChildren(...parts.map((part) => (typeof part === "string" ? make("p", { textContent: part }) : part)));
    }

    #viewChanged() {
        byId("zoom-text").textContent = percent(this.state.view.scale);
        this.link();
    }

    /** Paints the new state and updates the link. */
    changed() {
        this.stage.paint();
        this.link();
    }

    say(text) {
        byId("live").textContent = text;
    }

    #copy(text, what) {
        const said = copy(text) ? `${what} is copied: ${text}` : `${what} cannot be copied here.`;
        this.say(said);
        byId("toast").textContent = said;
        byId("toast").hidden = false;
        clearTimeout(this.toasting);
        this.toasting = setTimeout(() => (byId("toast").hidden = true), TOAST);
    }

    /** Shows why the page is out of date; "" if it is up to date. */
    stale(why) {
        byId("stale").textContent = why;
        byId("stale").hidden = why === "";
    }

    /** Saves the current view as a picture. */
    save() {
        const name = shown(String(this.model.head.source ?? "drawing")).replace(/\.svgz?$/, "");
        save(this.stage.picture(), `${name}.view.png`);
    }

    /** Marks the next (1) or previous (-1) cause of changes. */
    nextChange(by) {
        const all = this.causes.length;
        if (all === 0) return;
        const at = this.causes.findIndex((cause) => cause.includes(this.state.change));
        this.setChange(this.causes[at < 0 ? (by > 0 ? 0 : all - 1) : (at + by + all) % all][0]);
    }

    /** Returns the address that restores the current state. */
    #address() {
        const hash = writeHash(this.state, this.model);
        return hash ? `#${hash}` : location.pathname + location.search;
    }

    /** Updates the link soon. */
    link() {
        clearTimeout(this.linking);
        this.linking = setTimeout(() => this.keep({ version: history.state?.version }), 120);
    }

    /** Updates the link now, with a state for reloads. */
    keep(state) {
        clearTimeout(this.linking);
        try {
            history.replaceState(state, "", this.model ? this.#address() : "");
        } catch {
            // Some pages have no address of their own.
        }
    }

    nextTheme() {
        this.state.theme = themeAfter(this.state.theme);
        showTheme(this.state.theme);
        this.say(byId("theme-name").textContent);
        this.changed();
    }

    clearPoint() {
        this.state.point = null;
        this.stack = [];
        this.details.point();
    }

    set(id, key, value) {
        this.state[key] = value;
        check(id, key, value);
        this.stage.paint();
        this.showLegend();
        this.link();
    }

    fit() {
        this.state.camera.zoom = 1;
        this.stage.fit();
        this.stage.paint();
    }

    /** Sets the controls from the state. */
    showToggles() {
        for (const box of byId("box-toggles").querySelectorAll("input")) box.checked = this.state.show[box.dataset.show];
        byId("drawing-shown").value = this.state.drawing;
        byId("drawn-by").value = this.state.drawnBy;
        check("heat-toggles", "heat", this.state.heat);
        check("compare-toggles", "compare", this.state.compare);
    }

    clear() {
        this.clearPoint();
        this.state.change = -1;
        this.steps.set(-1);
        if (this.state.query !== "") this.find("");
        this.select(-1);
    }
}
