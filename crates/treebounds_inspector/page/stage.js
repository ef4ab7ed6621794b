// The stage: the drawing with the boxes over it.
import { paintChanges } from "./compare.js";
import { Drawings, luminance, picture } from "./drawings.js";
import { Exploded, nearer, turned } from "./explode.js";
import { Heat, paintBins, paintHeat } from "./heat.js";
import { Marks } from "./marks.js";
import { color, forgetColors, Painter } from "./paint.js";
import { Pointer } from "./pointer.js";
import { topmost } from "./query.js";
import { View } from "./view.js";
import { byId, make, timed } from "./words.js";

/** Milliseconds of painting per slice. */
const SLICE = 8;
/** The space above a drawing that is fitted to the width. */
const ABOVE = 32;
/** The camera is at rest when it has not moved for this many milliseconds. */
const CAMERA_REST = 150;
const HEAT_SIDE = 16;
const BIN_SIDE = 256;

export class Stage {
    /** `on` has the functions select(item), hover(item), pick(x, y, isKey), viewChanged(), split(share), drawn(). */
    constructor(state, on) {
        this.state = state;
        this.on = on;
        this.host = byId("stage");
        this.base = byId("base");
        this.top = byId("top");
        this.images = { new: byId("drawing"), old: byId("drawing-old") };
        this.drawings = new Drawings(state, this.images, () => {
            this.paint();
            on.drawn();
        });
        this.painter = new Painter();
        this.exploded = new Exploded();
        this.running = this.resting = 0;
        this.width = this.height = 0;
        new ResizeObserver(() => this.resize()).observe(this.host);
        new Pointer(this);
    }

    show(model, old, changes) {
        Object.assign(this, { model, old, changes: changes ?? [], allowed: null, count: model.length });
        this.heat = this.bins = this.listed = null;
        if (this.width > 0 && this.state.isFit) this.fit();
    }

    /** Restricts the boxes to these items: one byte per item, null for all. */
    only(allowed, count) {
        this.allowed = allowed;
        this.count = count;
        this.listed = null;
        this.paint();
    }

    /** The number of panes side by side. */
    get panes() {
        return this.state.mode === "compare" && this.state.compare === "side" ? 2 : 1;
    }

    /** Shows the full width from the top. From then on, the wheel scrolls; with the control key it zooms. */
    fitWidth() {
        const [x0, y0, x1] = this.model.viewport;
        const width = this.width / this.panes;
        const view = View.fit([x0, y0, x1, y0 + 1e-3 * (x1 - x0)], width, this.height);
        this.setView(view.moved(0, Math.min(ABOVE, this.height / 16) - view.toPage(this.model.viewport)[1]));
        this.state.scrolls = true;
    }

    fit() {
        this.state.isFit = true;
        this.state.scrolls = false;
        this.state.view = View.fit(this.model.viewport, this.width / this.panes, this.height);
        this.on.viewChanged();
    }

    resize() {
        const { width, height } = this.host.getBoundingClientRect();
        if (width === 0 || height === 0) return;
        const wasShown = this.width > 0;
        const by = [(width - this.width) / 2, (height - this.height) / 2];
        [this.width, this.height] = [width, height];
        this.ratio = window.devicePixelRatio || 1;
        for (const canvas of [this.base, this.top]) {
            canvas.width = Math.round(width * this.ratio);
            canvas.height = Math.round(height * this.ratio);
        }
        if (!this.model) return;
        if (this.state.isFit) this.fit();
        else if (wasShown) {
            this.state.view = this.state.view.moved(...by);
            this.on.viewChanged();
        }
        this.paint();
    }

    setView(view) {
        this.state.isFit = false;
        this.state.view = view;
        this.on.viewChanged();
        this.paint();
    }

    zoomBy(factor, x = this.width / 2 / this.panes, y = this.height / 2) {
        if (this.state.mode === "exploded") {
            this.setCamera(nearer(this.state.camera, factor));
            return;
        }
        this.setView(this.state.view.zoomed(factor, x, y));
    }

    /**
     * Fits the box to the stage, with a margin. The scale for a box inside the canvas is at least the one that fits the
     * canvas.
     */
    zoomTo(box) {
        if (this.state.mode === "exploded") return;
        const grown = 0.25 * Math.max(box[2] - box[0], box[3] - box[1], 1);
        const [width, height] = [this.width / this.panes, this.height];
        const view = View.fit([box[0] - grown, box[1] - grown, box[2] + grown, box[3] + grown], width, height);
        const least = View.fit(this.model.viewport, width, height);
        const [x0, y0, x1, y1] = this.model.viewport;
        const isInside = x0 <= box[0] && y0 <= box[1] && box[2] <= x1 && box[3] <= y1;
        this.setView(isInside && view.scale < least.scale ? least : view);
    }

    turn(x, y) {
        this.setCamera(turned(this.state.camera, x, y));
    }

    /** Moves the camera. Until it is at rest, fewer boxes are drawn. */
    setCamera(camera) {
        this.state.camera = camera;
        this.on.viewChanged();
        clearTimeout(this.resting);
        this.resting = setTimeout(() => {
            this.resting = 0;
            this.paint();
        }, CAMERA_REST);
        this.paint();
    }

    /** Shows or hides the distances from the selection to the hovered item. */
    measure(isOn) {
        if (this.measures === isOn) return;
        this.measures = isOn;
        this.paintTop();
    }

    /** Returns the frontmost item at a position in a pane, or -1. */
    itemAt(x, y) {
        const last = this.state.step < 0 ? this.model.length - 1 : this.state.step;
        if (this.state.mode === "exploded") {
            return this.exploded.pick(this.#scene3d(), this.#list3d(), x, y);
        }
        return topmost(this.model, ...this.state.view.toDrawing(x, y), this.allowed, last);
    }

    // Painting.

    paint() {
        if (!this.model || this.width === 0) return;
        this.#ground();
        this.drawings.place(this);
        cancelAnimationFrame(this.running);
        this.running = 0;
        const { mode } = this.state;
        if (mode === "boxes") this.#paintBoxes();
        else timed(mode, () => this.#paintAtOnce(mode));
        this.paintTop();
    }

    #paintAtOnce(mode) {
        const context = clearedContext(this.base);
        if (mode === "heat") {
            this.heat ??= new Heat(this.model, HEAT_SIDE);
            paintHeat(context, this.heat, { ...this.#flat(), which: this.state.heat });
        }
        if (mode === "exploded") this.#paintExploded(context);
        if (mode === "compare") this.#paintCompare(context);
    }

    #paintBoxes() {
        const { state, model, ratio } = this;
        const last = state.step < 0 ? model.length - 1 : state.step;
        const scene = { model, view: state.view, ratio, show: state.show, allowed: this.allowed, count: this.count, last };
        this.#old(state.view);
        this.painter.start({ ...scene, width: this.base.width, height: this.base.height });
        this.started = performance.now();
        this.#slice();
    }

    #slice() {
        if (!this.painter.slice(SLICE)) {
            this.running = requestAnimationFrame(() => this.#slice());
            return;
        }
        this.running = 0;
        const context = clearedContext(this.base);
        if (this.state.show.bins) paintBins(context, (this.bins ??= new Heat(this.model, BIN_SIDE)), this.#flat());
        context.drawImage(this.painter.canvas, 0, 0);
        this.painted = this.state.view;
        performance.measure("treebounds boxes", { start: this.started, end: performance.now() });
    }

    /** Shows the boxes of the previous view, moved, until the new ones are painted. */
    #old(view) {
        const { painted, base, ratio } = this;
        if (!painted || painted.same(view)) return;
        const by = view.scale / painted.scale;
        const [x, y] = [(view.x - painted.x * by) * ratio, (view.y - painted.y * by) * ratio];
        const copy = this.painter.canvas;
        const context = base.getContext("2d");
        if (copy.width === 0 || this.painter.job !== null) return;
        context.clearRect(0, 0, base.width, base.height);
        context.drawImage(copy, x, y, copy.width * by, copy.height * by);
    }

    /** Dims a drawing towards its own luminance: a dark one to black, under bright boxes; a light one to white. */
    #ground() {
        const { state, images } = this;
        const isUnder = state.drawing !== "off" && (state.mode === "boxes" || state.mode === "compare");
        const ground = isUnder && images.new.src ? luminance(images.new) : "";
        if (ground === (this.host.dataset.ground ?? "")) return;
        this.host.dataset.ground = ground;
        forgetColors();
    }

    /** Describes the numbers behind the heat map. */
    heatWords(which) {
        this.heat ??= new Heat(this.model, HEAT_SIDE);
        const { givenSum, foundSum, side } = this.heat;
        return { givenSum, foundSum, saved: givenSum - foundSum, side, most: this.heat.most(which) };
    }

    #flat() {
        const { model, ratio, state: { view } } = this;
        return { model, ratio, view };
    }

    #scene3d() {
        const { model, width, height, ratio, images } = this;
        const isShown = this.state.drawing !== "off";
        const pictures = isShown ? this.drawings.layers : null;
        const image = isShown ? (pictures?.get(-1) ?? picture(images.new)) : null;
        return { pictures, model, width, height, ratio, camera: this.state.camera, image, isMoving: this.resting !== 0 };
    }

    #list3d() {
        const last = this.state.step < 0 ? this.model.length - 1 : this.state.step;
        if (this.listed?.last !== last) this.listed = { ...this.exploded.items(this.model, this.allowed, last), last };
        return this.listed;
    }

    #paintExploded(context) {
        this.exploded.paint(context, this.#scene3d(), this.#list3d());
    }

    /** Whether the exploded view omits some boxes. */
    get leavesOut() {
        return this.#list3d().isCut;
    }

    #paintCompare(context) {
        const { state, model, old, ratio, width, height, changes } = this;
        const scene = { context, old, model, view: state.view, ratio, width, height, changes };
        const marked = changes[state.change];
        const panes = {
            side: [["old", 0, width / 2, 0], ["new", width / 2, width, width / 2]],
            over: [["both", 0, width, 0]],
            slider: [["old", 0, width * state.split, 0], ["new", width * state.split, width, 0]],
        }[state.compare];
        for (const [side, from, to, by] of panes) {
            context.save();
            context.beginPath();
            context.rect(from * ratio, 0, (to - from) * ratio, height * ratio);
            context.clip();
            paintChanges({ ...scene, view: state.view.moved(by, 0) }, side, marked);
            context.restore();
        }
        for (const [side, from] of panes) {
            if (side === "both") continue;
            context.fillStyle = color("ink");
            if (from > 0) context.fillRect(Math.round(from * ratio), 0, Math.max(2, 2 * ratio), height * ratio);
            new Marks(context, model, new View(1, 0, 0), ratio, width, height).label(side, color("ink"), [from + 8, 2, from + 40, 20], true);
        }
    }

    /** Paints the marks, or a view that contains its own marks. */
    paintTop() {
        if (!this.model || this.width === 0) return;
        const { state, model, ratio, width, height, top } = this;
        const context = clearedContext(top);
        if (state.mode === "exploded") {
            const marked = [state.selected, state.step, state.hovered];
            this.exploded.mark(context, this.#scene3d(), this.#list3d(), marked);
        }
        if (state.mode === "exploded" || state.mode === "compare") return;
        const marks = new Marks(context, model, state.view, ratio, width, height);
        if (state.point && state.isCrossed && state.tab === "point") marks.crosshair(state.point);
        if (state.step >= 0) marks.step(state.step);
        if (state.selected >= 0 && state.links) marks.selection(state.selected, state.links, state.most);
        if (state.object >= 0) marks.object(model.objects[state.object]);
        if (state.hovered >= 0 && state.hovered !== state.selected) marks.hover(state.hovered);
        const to = state.hovered === state.selected ? model.parent[state.selected] : state.hovered;
        if (this.measures && state.selected >= 0 && to >= 0) marks.distance(state.selected, to);
        this.labels = marks.labels;
    }

    /** Returns the current view as a canvas. */
    picture() {
        const { host, ratio, base, top, images, state } = this;
        const canvas = make("canvas", { width: base.width, height: base.height });
        const context = canvas.getContext("2d");
        context.fillStyle = getComputedStyle(host).backgroundColor;
        context.fillRect(0, 0, canvas.width, canvas.height);
        const { left, top: above } = host.getBoundingClientRect();
        for (const image of [images.old, images.new]) {
            if (image.hidden || !image.src || !image.complete) continue;
            const box = image.getBoundingClientRect();
            const place = [box.left - left, box.top - above, box.width, box.height].map((length) => length * ratio);
            context.save();
            context.beginPath();
            if (state.mode === "compare" && state.compare !== "over") {
                const split = (state.compare === "side" ? 0.5 : state.split) * canvas.width;
                context.rect(image === images.old ? 0 : split, 0, image === images.old ? split : canvas.width, canvas.height);
                context.clip();
            }
            context.fillStyle = "white";
            context.fillRect(...place);
            context.globalAlpha = Number(image.style.opacity);
            context.drawImage(image, ...place);
            context.restore();
        }
        context.drawImage(base, 0, 0);
        context.drawImage(top, 0, 0);
        return canvas;
    }
}

/** Clears a canvas and returns its context. */
function clearedContext(canvas) {
    const context = canvas.getContext("2d");
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    return context;
}
