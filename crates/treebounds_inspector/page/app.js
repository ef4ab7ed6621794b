// The page as a whole: one state, and the parts that follow each change of it.
import { causes, readChanges, repainted } from "./compare.js";
import { check, copy, panelEdges, radios, save, textButton } from "./controls.js";
import { heatColor } from "./heat.js";
import { BadReport, DRAW, intersect, isEmpty, isEverything, readReport } from "./model.js";
import { forgetColors } from "./paint.js";
import { changesPanel, layersPanel, objectsPanel, pointPanel, stepWords, whyPanel } from "./panels.js";
import { pick, query, topmost } from "./query.js";
import { Source } from "./source.js";
import { Stage } from "./stage.js";
import { Tree } from "./tree.js";
import { isHeavy, lookOf, readHash, View, writeHash } from "./view.js";
import { byId, count, make, name, number, percent, shown, size, timed, whole } from "./words.js";

const THEMES = ["auto", "light", "dark"];
const THEME_NAMES = { auto: "same as the system", light: "light", dark: "dark" };
/** Playing the paint order takes about this many ticks of this many milliseconds. */
const TICKS = 240;
const TICK = 60;
const LEGEND = "Solid: draw. Dashed: clip. Dotted: layer. Crossed out: never visible.";
/** The rows of a list at first. */
const ROWS = 200;

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
            step: (item) => this.setStep(item),
            zoomTo: (item) => this.zoomTo(item),
            viewChanged: () => this.#viewChanged(),
            split: (share) => this.setSplit(share),
            moreLayers: (most) => this.#layers(most),
            object: (at) => this.setObject(at),
            moreObjects: (most) => this.#objects(most),
            change: (at) => this.setChange(at),
            moreChanges: (most) => this.#changes(most),
            hide: (item) => this.#hide(item),
            solo: (item) => this.#solo(item),
            copyLink: () => this.#copy(new URL(this.#address(), location.href).href, "The link"),
            copyBox: (item) => this.#copy(edgesText(this.model.box("bounds", item)), "The box"),
        };
        this.tree = new Tree(byId("tree"), { select: (item) => this.select(item), hover: this.on.hover });
        this.stage = new Stage(this.state, this.on);
        this.#controls();
    }

    /**
     * Shows a report (its text, or a model of it) and its drawing: `measured` and `source` are Blobs or null. `older` has the
     * `report` and `drawing` of an older one, and the `changes`. The address says how the first drawing is shown. A later one is
     * shown like the one before it, with nothing selected.
     */
    show(report, drawing, older = null) {
        try {
            timed("read", () => this.#show(report, drawing, older));
        } catch (error) {
            if (!(error instanceof BadReport)) throw error;
            this.fail(error.message);
        }
    }

    /** Replaces the report by another one on the same drawing. View and selection stay. */
    update(text) {
        const { texts } = this.model;
        Object.assign(this.model, readReport(text), { texts });
        if (this.state.selected < 0) this.#why();
        this.stage.paint();
    }

    #show(report, drawing, older) {
        const model = readReport(report);
        const hash = this.model ? lookOf(writeHash(this.state, this.model)) : location.hash;
        this.model = model;
        this.old = older ? readReport(older.report) : null;
        this.changes = older ? readChanges(older.changes, this.old, this.model) : [];
        this.causes = older ? causes(this.changes, this.old, this.model) : [];
        this.repainted = 0;
        if (older && this.changes.length === 0) {
            repainted(older.drawing.source, drawing.source).then((many) => {
                this.repainted = many;
                this.#changes();
            });
        }
        byId("failure").hidden = byId("loading").hidden = true;
        byId("app").hidden = false;
        byId("compare-mode").hidden = byId("tab-changes").hidden = older === null;
        this.stage.drawings.show(model, { new: drawing, old: older?.drawing ?? {} });
        byId("drawn-by").hidden = !(drawing.measured && drawing.source);
        this.#title();
        const found = readHash(hash, this.model, this.changes);
        if (older && !hash) Object.assign(found, { mode: "compare", tab: "changes" });
        Object.assign(this.state, { hidden: new Set(), solo: -1 });
        if (!isHeavy(model)) this.#read(model, drawing.source);
        this.state.hovered = -1;
        byId("step").max = this.model.count;
        byId("layers").replaceChildren();
        this.tree.show(this.model);
        this.stage.show(this.model, this.old, this.changes);
        this.#follow(found);
    }

    /** Reads the source document, for names of texts and reasons of layers. */
    async #read(model, file) {
        const text = await file?.text();
        if (!text || this.model !== model) return;
        this.stage.drawings.source = new Source(text);
        for (const item of model.steps) {
            const words = model.kind[item] === DRAW ? this.source.textAt(model.paths[item]) : "";
            if (words) model.texts.set(item, words);
        }
        // Findings name texts too.
        model.findings = null;
        this.tree.refresh();
        this.#details();
        this.stage.drawings.follow();
        if (this.state.mode === "exploded") this.stage.drawings.drawLayers();
        this.setQuery(this.state.query);
        this.#why();
    }

    /** Shows what a hash describes. */
    #follow(found) {
        if (!this.old && found.mode === "compare") found.mode = "boxes";
        this.state.isFit = found.view === null;
        found.view = found.view === null ? this.state.view : new View(...found.view);
        Object.assign(this.state, found);
        byId("query").value = found.query;
        this.#theme();
        this.stage.resize();
        this.setSplit(found.split);
        this.setQuery(found.query);
        this.setMode(found.mode);
        this.setStep(found.step);
        if (found.point) this.pick(...found.point, true);
        this.select(found.selected);
        this.setTab(found.tab);
        this.#details();
        this.#showToggles();
        this.stage.drawings.load();
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

    // Changes of the state.

    select(item) {
        timed("select", () => {
            this.state.selected = item;
            this.tree.select(item, true);
            this.#why();
            this.stage.paintTop();
            if (item >= 0) this.#say(`Selected ${name(this.model, item)}, ${size(this.model.box("bounds", item))}`);
            if (this.state.tab === "point") this.#point();
            if (this.state.tab === "layers") this.#layers();
        });
        this.#link();
    }

    hover(item, tile = -1) {
        if (tile !== this.state.tile) {
            this.state.tile = tile;
            if (this.state.mode === "heat") byId("here").textContent = this.#hereWords();
        }
        if (item === this.state.hovered) return;
        timed("hover", () => {
            this.state.hovered = item;
            this.tree.hover(item);
            this.stage.paintTop();
        });
    }

    /** Lists what is at a point, and selects the frontmost item there. A key only hovers it, and shows the list. */
    pick(x, y, isKey = false) {
        timed("pick", () => {
            this.state.point = [x, y];
            this.state.isCrossed = isKey;
            this.stack = pick(this.model, x, y);
        });
        const front = topmost(this.model, x, y, this.stage.allowed);
        if (isKey && this.state.tab !== "point") this.setTab("point");
        else this.#point();
        if (!isKey) {
            this.select(front);
            return;
        }
        this.#say(front < 0 ? "nothing visible here" : `${name(this.model, front)}, of ${count(this.stack.length, "element")}`);
        this.hover(front);
        this.stage.paintTop();
        this.#link();
    }

    /** What is at a point of the drawing, front to back: `ix` and `state`. */
    at(x, y) {
        return pick(this.model, x, y).map(({ item, state }) => ({ ix: this.model.ix[item], state }));
    }

    /** The position on the page of a point of the drawing. */
    place(x, y) {
        const { left, top } = this.stage.host.getBoundingClientRect();
        const [px, py] = this.state.view.toPage([x, y, x, y]);
        return [left + px, top + py];
    }

    /** The source document, once it is read. */
    get source() {
        return this.stage.drawings.source;
    }

    /** The picture of the boxes as a text. Tests compare it. */
    fingerprint() {
        return this.stage.base.toDataURL();
    }

    setStep(step) {
        const last = this.model.length - 1;
        timed("step", () => {
            this.state.step = step < 0 || step > last ? -1 : step;
            byId("step").value = this.state.step < 0 ? this.model.count : this.model.stepOf(this.state.step);
            const words = stepWords(this.model, this.state.step);
            byId("step-text").textContent = words;
            byId("step-text").title = words;
            byId("step").setAttribute("aria-valuetext", words);
            this.stage.drawings.follow();
            this.stage.paint();
        });
        this.#link();
    }

    setQuery(text) {
        timed("filter", () => {
            this.state.query = text;
            const { model } = this;
            const { holds, objects, error } = query(model, text);
            this.matching = holds === null || error ? undefined : objects;
            byId("query-error").textContent = error;
            byId("query").setAttribute("aria-invalid", error !== "");
            const found = new Uint8Array(model.length);
            const kept = new Uint8Array(model.length);
            let many = 0;
            for (let item = model.length - 1; item >= 0 && holds !== null && !error; item -= 1) {
                if (!model.isGroup(item) && holds(item)) {
                    found[item] = 1;
                    many += 1;
                }
                kept[item] |= found[item];
                if (kept[item] && model.parent[item] >= 0) kept[model.parent[item]] = 1;
            }
            const isAll = holds === null || error !== "";
            const inIds = many === 0 && objects.length > 0 ? `, ${whole(objects.length)} in Ids` : "";
            byId("found").textContent = isAll ? "" : `${whole(many)} found${inIds}`;
            this.tree.only(isAll ? null : { found, kept });
            this.#allow(isAll ? null : found, isAll ? model.count : many);
            if (this.state.tab === "objects") this.#objects();
        });
        this.#link();
    }

    /** Limits the boxes to what was found and is not hidden. */
    #allow(found, many) {
        const { model, state: { hidden, solo } } = this;
        this.found = { found, many };
        const isPart = hidden.size > 0 || solo >= 0;
        const allowed = isPart ? (found?.slice() ?? new Uint8Array(model.length).fill(1)) : found;
        for (const item of hidden) allowed.fill(0, item, model.end[item]);
        if (solo >= 0) allowed.fill(0, 0, solo).fill(0, model.end[solo]);
        this.stage.only(allowed, isPart ? allowed.reduce((sum, one) => sum + one, 0) : many);
    }

    /** Hides an item and what is in it, or shows it again. */
    #hide(item) {
        const { hidden } = this.state;
        if (!hidden.delete(item)) hidden.add(item);
        this.#part();
    }

    /** Shows an item and what is in it alone, or everything again. */
    #solo(item) {
        this.state.solo = this.state.solo === item ? -1 : item;
        this.#part();
    }

    /** Follows a change of what is hidden. */
    #part() {
        const { hidden, solo } = this.state;
        this.#allow(this.found.found, this.found.many);
        this.stage.drawings.follow();
        this.#why();
        this.#key();
        this.#say(hidden.size > 0 || solo >= 0 ? "A part of the drawing is hidden" : "Everything is shown");
    }

    #showAll() {
        this.state.hidden.clear();
        this.state.solo = -1;
        this.#part();
    }

    /** Searches for a text, and shows it in the search field. */
    find(text) {
        byId("query").value = text;
        this.setQuery(text);
    }

    setMode(mode) {
        const wasPanes = this.stage.panes;
        this.state.mode = mode;
        document.body.dataset.mode = mode;
        check("modes", "mode", mode);
        if (mode === "exploded") {
            this.#clearPoint();
            this.stage.drawings.drawLayers();
        }
        byId("split-label").hidden = mode !== "compare" || this.state.compare !== "slider";
        if (wasPanes !== this.stage.panes && this.state.isFit) this.stage.fit();
        this.stage.paint();
        this.#key();
        this.#link();
    }

    setTab(tab) {
        if (tab === "changes" && !this.old) tab = "why";
        this.state.tab = tab;
        document.body.dataset.tab = tab;
        for (const button of byId("tabs").querySelectorAll("[role=tab]")) {
            button.setAttribute("aria-selected", button.dataset.tab === tab);
            button.tabIndex = button.dataset.tab === tab ? 0 : -1;
        }
        if (tab === "layers") this.#layers();
        if (tab === "objects") this.#objects();
        else this.state.object = -1;
        if (tab === "point") this.#point();
        this.stage.paintTop();
        this.#link();
    }

    setSplit(share) {
        this.state.split = share;
        byId("split").value = 1000 * share;
        this.#changed();
    }

    /** Highlights an object of the source document. */
    setObject(at) {
        this.state.object = at;
        const { source, id, bounds } = this.model.objects[at];
        this.#objects();
        this.stage.paintTop();
        this.#link();
        this.#say(`${source} ${id ?? ""}, ${size(bounds)}`);
    }

    setChange(at) {
        this.state.change = at;
        const change = this.changes[at];
        this.#changes();
        if (change.item >= 0) this.select(change.item);
        if (this.state.mode !== "compare") this.setMode("compare");
        this.#changed();
        this.#say(`${change.change}`);
    }

    zoomTo(item) {
        const { model } = this;
        const box = model.isCulled(item) ? model.given(item) : intersect(model.box("bounds", item), model.viewport);
        if (!isEmpty(box) && !isEverything(box)) this.stage.zoomTo(box);
    }

    // Parts that follow the state.

    #why() {
        const { parts, links, most } = whyPanel(this.model, this.state, this.on, this.source);
        Object.assign(this.state, { links, most });
        byId("why").replaceChildren(...parts);
        // In the next frame, when the page is laid out anyway.
        requestAnimationFrame(() => byId("why").scrollTo(0, 0));
    }

    #point() {
        const { point, selected, mode } = this.state;
        byId("point").replaceChildren(...pointPanel(this.model, point, this.stack ?? [], selected, mode === "exploded", this.on));
    }

    #clearPoint() {
        this.state.point = null;
        this.stack = [];
        this.#point();
    }

    #layers(most) {
        timed("layers", () => byId("layers").replaceChildren(...layersPanel(this.model, this.state.selected, this.on, most)));
    }

    #objects(most = Math.max(ROWS, this.state.object + 1)) {
        byId("objects").replaceChildren(...objectsPanel(this.model, this.state.object, this.on, this.matching, most));
    }

    #changes(most = Math.max(ROWS, this.state.change + 1)) {
        byId("changes").replaceChildren(...changesPanel(this.model, this.old, this, this.repainted, this.state.change, this.on, most));
    }

    #details() {
        if (this.old) this.#changes();
        if (this.state.tab === "layers") this.#layers();
    }

    /** The line below the drawing: what the colours mean. */
    #key() {
        const { mode, compare } = this.state;
        let parts = [];
        if (mode === "boxes") parts = isHeavy(this.model) ? this.#heavyKey() : [LEGEND];
        if (mode === "heat") parts = this.#heatKey();
        if (mode === "exploded") parts = [`Drag or press the arrow keys to turn. Higher is deeper in the tree.${this.stage.leavesOut ? " Only the largest boxes are shown." : ""}`];
        if (mode === "compare" && compare === "over") parts = ["Dashed: old. Solid: new."];
        const { hidden, solo } = this.state;
        if (hidden.size > 0 || solo >= 0) parts = [solo >= 0 ? `Only ${name(this.model, solo)} is shown.` : `${whole(hidden.size)} hidden.`, textButton("Show all", () => this.#showAll())];
        byId("key").hidden = parts.length === 0;
        byId("key").replaceChildren(...parts.map((part) => (typeof part === "string" ? make("p", { textContent: part }) : part)));
    }

    /** What is said of a drawing that takes seconds to draw. */
    #heavyKey() {
        if (this.state.drawing !== "off") return [textButton("Sharpen the drawing", () => this.stage.sharpen())];
        const show = () => {
            byId("drawing-shown").value = "dim";
            byId("drawing-shown").dispatchEvent(new Event("change"));
        };
        return ["The drawing is hidden, because it has many elements.", textButton("Show it", show)];
    }

    #heatKey() {
        const { givenSum, foundSum, saved, side, most } = this.stage.heatWords(this.state.heat);
        const scale = make("div", { className: "scale" });
        const stops = Array.from({ length: 9 }, (_, at) => `rgb(${heatColor(at / 8).join(" ")})`);
        scale.style.background = `linear-gradient(90deg, ${stops.join(", ")})`;
        const times = `${whole(givenSum)} without clips, ${whole(foundSum)} within bounds: `;
        const share = givenSum > 0 ? ` (${percent(saved / givenSum)})` : "";
        return [
            make("p", {}, `Tiles of ${whole(side)} × ${whole(side)} pixels painted: ${times}`, make("b", { textContent: `${whole(saved)} saved` }), share),
            make("div", { className: "ends" }, make("span", { textContent: "once" }), scale, make("span", { textContent: `${whole(Math.max(1, most))} times` })),
            make("p", { id: "here", textContent: this.#hereWords() }),
        ];
    }

    /** How often the tile under the pointer is painted. */
    #hereWords() {
        const { tile } = this.state;
        if (!(tile >= 0)) return "Point at a tile to count.";
        const { given, found } = this.stage.heat;
        return `Here ${whole(given[tile])} without clips, ${whole(found[tile])} within bounds.`;
    }

    #viewChanged() {
        byId("zoom-text").textContent = percent(this.state.view.scale);
        this.#link();
    }

    /** Paints what has changed, and keeps the link to it. */
    #changed() {
        this.stage.paint();
        this.#link();
    }

    #say(text) {
        byId("live").textContent = text;
    }

    #copy(text, what) {
        this.#say(copy(text) ? `${what} is copied: ${text}` : `${what} cannot be copied here.`);
    }

    /** Saves what is seen as a picture. */
    #save() {
        const name = shown(String(this.model.head.source ?? "drawing")).replace(/\.svgz?$/, "");
        save(this.stage.picture(), `${name}.view.png`);
    }

    /** The cause of changes after the marked one (1) or before it (-1). */
    #nextChange(by) {
        const all = this.causes.length;
        if (all === 0) return;
        const at = this.causes.findIndex((cause) => cause.includes(this.state.change));
        this.setChange(this.causes[at < 0 ? (by > 0 ? 0 : all - 1) : (at + by + all) % all][0]);
    }

    /** The address that shows what is seen. */
    #address() {
        const hash = writeHash(this.state, this.model);
        return hash ? `#${hash}` : location.pathname + location.search;
    }

    /** Keeps the link to what is seen, soon. */
    #link() {
        clearTimeout(this.linking);
        this.linking = setTimeout(() => {
            try {
                history.replaceState(null, "", this.#address());
            } catch {
                // Some pages have no address of their own.
            }
        }, 120);
    }

    #theme() {
        const { theme } = this.state;
        if (theme === "auto") delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = theme;
        byId("theme-name").textContent = `Theme: ${THEME_NAMES[theme]}`;
        forgetColors();
    }

    nextTheme() {
        this.state.theme = THEMES[(THEMES.indexOf(this.state.theme) + 1) % THEMES.length];
        this.#theme();
        this.#say(byId("theme-name").textContent);
        this.#changed();
    }

    play() {
        const button = byId("step-play");
        if (this.playing) {
            clearInterval(this.playing);
            this.playing = 0;
        } else {
            const by = Math.max(1, Math.round(this.model.count / TICKS));
            if (this.state.step < 0) this.#goTo(0);
            this.playing = setInterval(() => {
                this.#goTo(this.state.step < 0 ? this.model.count : this.model.stepOf(this.state.step) + by);
                if (this.state.step < 0) this.play();
            }, TICK);
        }
        button.classList.toggle("playing", this.playing > 0);
        button.title = `${this.playing ? "Pause" : "Play"} (space)`;
        button.lastElementChild.textContent = this.playing ? "Pause" : "Play";
    }

    /** One step forward (1) or back (-1). */
    stepBy(by) {
        const { model, state: { step } } = this;
        if (step < 0) this.#goTo(by > 0 ? 0 : model.count - 1);
        else this.#goTo(Math.max(0, model.stepOf(step) + by));
    }

    /** The step with this number; all of them after the last. */
    #goTo(number) {
        this.setStep(this.model.steps[number] ?? -1);
    }

    // Controls.

    #controls() {
        const listen = (id, type, run) => byId(id).addEventListener(type, run);
        const ready = (run) => (event) => this.model && run(event);
        listen("query", "input", ready(() => this.setQuery(byId("query").value)));
        listen("query", "keydown", (event) => {
            if (event.key === "ArrowDown" || event.key === "Enter") byId("tree").focus();
            else if (event.key === "Escape" && this.state.query !== "") this.setQuery((byId("query").value = ""));
            else return;
            event.preventDefault();
            event.stopPropagation();
        });
        listen("step", "input", ready(() => this.#goTo(Number(byId("step").value))));
        listen("step-play", "click", ready(() => this.play()));
        listen("step-back", "click", ready(() => this.stepBy(-1)));
        listen("step-on", "click", ready(() => this.stepBy(1)));
        listen("zoom-in", "click", ready(() => this.stage.zoomBy(1.5)));
        listen("zoom-out", "click", ready(() => this.stage.zoomBy(1 / 1.5)));
        listen("zoom-fit", "click", ready(() => this.#fit()));
        listen("theme", "click", ready(() => this.nextTheme()));
        listen("help-open", "click", () => byId("help").showModal());
        listen("split", "input", () => this.setSplit(byId("split").value / 1000));
        listen("drawing-shown", "change", ready(() => {
            this.state.drawing = byId("drawing-shown").value;
            this.stage.drawings.load();
            this.#changed();
            this.#key();
        }));
        listen("drawn-by", "change", ready(() => {
            this.state.drawnBy = byId("drawn-by").value;
            this.stage.drawings.load();
            this.#changed();
        }));
        listen("box-toggles", "change", ready((event) => {
            this.state.show[event.target.dataset.show] = event.target.checked;
            this.#changed();
        }));
        listen("fit-width", "click", ready(() => this.stage.fitWidth()));
        listen("save", "click", ready(() => this.#save()));
        listen("boxes-open", "click", () => {
            const isOpen = byId("toggles").classList.toggle("open");
            byId("boxes-open").setAttribute("aria-expanded", isOpen);
        });
        panelEdges();
        radios("modes", "mode", (mode) => this.model && this.setMode(mode));
        radios("heat-toggles", "heat", (heat) => this.#set("heat-toggles", "heat", heat));
        radios("compare-toggles", "compare", (compare) => {
            this.#set("compare-toggles", "compare", compare);
            this.stage.painted = null;
            if (this.state.isFit) this.stage.fit();
            this.setMode(this.state.mode);
        });
        radios("tabs", "tab", (tab) => this.model && this.setTab(tab), "[role=tab]");
        document.addEventListener("keydown", (event) => this.#hotkey(event));
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
            forgetColors();
            if (this.model) this.stage.paint();
        });
        addEventListener("hashchange", () => this.model && this.#follow(readHash(location.hash, this.model, this.changes)));
    }

    #set(id, key, value) {
        this.state[key] = value;
        check(id, key, value);
        this.stage.paint();
        this.#key();
        this.#link();
    }

    #fit() {
        this.state.camera.zoom = 1;
        this.stage.fit();
        this.stage.paint();
    }

    /** Sets the controls from the state. */
    #showToggles() {
        for (const box of byId("box-toggles").querySelectorAll("input")) box.checked = this.state.show[box.dataset.show];
        byId("drawing-shown").value = this.state.drawing;
        byId("drawn-by").value = this.state.drawnBy;
        check("heat-toggles", "heat", this.state.heat);
        check("compare-toggles", "compare", this.state.compare);
    }

    #hotkey(event) {
        const isTyped = event.target.matches("input[type=search], input[type=text], textarea, select");
        if (!this.model || event.ctrlKey || event.metaKey || event.altKey || isTyped || byId("help").open) return;
        const isControl = event.target.matches("button, input:not([type=range]), select");
        const keys = {
            "/": () => byId("query").focus(),
            "?": () => byId("help").showModal(),
            "1": () => this.setMode("boxes"),
            "2": () => this.setMode("heat"),
            "3": () => this.setMode("exploded"),
            "4": () => this.old && this.setMode("compare"),
            ",": () => this.stepBy(-1),
            ".": () => this.stepBy(1),
            "+": () => this.stage.zoomBy(1.5),
            "=": () => this.stage.zoomBy(1.5),
            "-": () => this.stage.zoomBy(1 / 1.5),
            "0": () => this.#fit(),
            w: () => this.stage.fitWidth(),
            s: () => this.#save(),
            h: () => this.state.selected >= 0 && this.#hide(this.state.selected),
            o: () => this.state.selected >= 0 && this.#solo(this.state.selected),
            n: () => this.#nextChange(1),
            N: () => this.#nextChange(-1),
            t: () => this.nextTheme(),
            p: () => this.state.selected >= 0 && this.select(this.model.parent[this.state.selected]),
            z: () => this.state.selected >= 0 && this.zoomTo(this.state.selected),
            Escape: () => this.#nothing(),
            ...(isControl ? {} : { " ": () => this.play() }),
        };
        if (!Object.hasOwn(keys, event.key)) return;
        keys[event.key]();
        event.preventDefault();
    }

    #nothing() {
        this.#clearPoint();
        this.state.change = -1;
        this.setStep(-1);
        this.select(-1);
    }
}

/** The four edges as numbers that read back to the same box. */
function edgesText(box) {
    return isEmpty(box) ? "empty" : [...box].map((edge) => Number(edge.toPrecision(9))).join(", ");
}
