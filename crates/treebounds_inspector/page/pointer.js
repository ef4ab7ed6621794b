// Mouse, touch and keyboard input on the stage.
import { topmost } from "./query.js";

/** A pointer that moves less than this counts as a click. */
const CLICK = 4;
/** The maximum zoom per step of the wheel, as a logarithm. */
const WHEEL = 0.4;
/** The crosshair's distance from the edges. */
const MARGIN = 32;
/** The distance within which a pointer grabs the line between old and new. */
const NEAR = 14;

export class Pointer {
    /** Listens on the host of a stage. */
    constructor(stage) {
        this.stage = stage;
        this.pointers = new Map();
        const listen = (type, run, options) => stage.host.addEventListener(type, run, options);
        listen("pointerdown", (event) => this.#down(event));
        listen("pointermove", (event) => this.#move(event));
        listen("pointerup", (event) => this.#up(event));
        listen("pointercancel", (event) => this.#up(event));
        listen("pointerleave", () => stage.on.hover(-1));
        listen("wheel", (event) => this.#wheel(event), { passive: false });
        listen("keydown", (event) => this.#key(event));
    }

    /** Returns the position of a pointer in its pane. */
    #at(event) {
        const { stage } = this;
        const { left, top } = stage.host.getBoundingClientRect();
        let x = event.clientX - left;
        if (stage.panes === 2 && x > stage.width / 2) x -= stage.width / 2;
        return [x, event.clientY - top];
    }

    #down(event) {
        const { stage } = this;
        if (event.button > 1 || !stage.model) return;
        stage.host.setPointerCapture(event.pointerId);
        const [x, y] = this.#at(event);
        this.pointers.set(event.pointerId, { x, y, fromX: x, fromY: y });
        this.isDragged = this.pointers.size > 1;
        this.#splits(event, true);
    }

    /** Whether the pointer drags the line between old and new. */
    #splits(event, begins) {
        const { stage } = this;
        const { state } = stage;
        if (state.mode !== "compare" || state.compare !== "slider") return false;
        const x = event.clientX - stage.host.getBoundingClientRect().left;
        if (begins) this.isSplitting = Math.abs(x - state.split * stage.width) < NEAR;
        if (this.isSplitting) stage.on.split(Math.min(1, Math.max(0, x / stage.width)));
        return this.isSplitting;
    }

    #move(event) {
        const { stage } = this;
        if (!stage.model) return;
        const [x, y] = this.#at(event);
        const held = this.pointers.get(event.pointerId);
        if (!held) {
            stage.measure(event.altKey);
            const tile = stage.state.mode === "heat" ? stage.heat.at(...stage.state.view.toDrawing(x, y)) : -1;
            stage.on.hover(stage.itemAt(x, y), tile);
            return;
        }
        if (this.isSplitting) {
            this.#splits(event, false);
            return;
        }
        if (!this.isDragged && Math.hypot(x - held.fromX, y - held.fromY) < CLICK) return;
        this.isDragged = true;
        stage.host.classList.add("grabbing");
        const by = [x - held.x, y - held.y];
        if (this.pointers.size === 2) this.#pinch(event.pointerId, x, y);
        else if (stage.state.mode === "exploded") stage.turn(by[0] / 160, -by[1] / 160);
        else stage.setView(stage.state.view.moved(...by));
        Object.assign(held, { x, y });
    }

    #pinch(id, x, y) {
        const { stage } = this;
        const moved = this.pointers.get(id);
        const other = [...this.pointers.entries()].find(([pointer]) => pointer !== id)[1];
        const before = Math.hypot(moved.x - other.x, moved.y - other.y);
        const after = Math.hypot(x - other.x, y - other.y);
        if (before > 0) stage.zoomBy(after / before, (x + other.x) / 2, (y + other.y) / 2);
    }

    #up(event) {
        const { stage } = this;
        const held = this.pointers.get(event.pointerId);
        this.pointers.delete(event.pointerId);
        stage.host.classList.remove("grabbing");
        const wasSplitting = this.isSplitting;
        this.isSplitting = false;
        if (!held || this.isDragged || wasSplitting || event.type === "pointercancel") return;
        if (stage.state.mode === "exploded") stage.on.select(stage.itemAt(held.x, held.y));
        else stage.on.pick(...stage.state.view.toDrawing(held.x, held.y));
    }

    #wheel(event) {
        const { stage } = this;
        if (!stage.model) return;
        event.preventDefault();
        const unit = event.deltaMode === 1 ? 18 : 1;
        if (stage.state.scrolls && !event.ctrlKey && !event.shiftKey && stage.state.mode !== "exploded") {
            this.#scroll(-event.deltaX * unit, -event.deltaY * unit);
            return;
        }
        if (event.shiftKey && stage.state.mode !== "exploded") {
            this.#scroll(-(event.deltaX || event.deltaY) * unit, 0);
            return;
        }
        const by = (-event.deltaY * unit) / (event.ctrlKey ? 120 : 400);
        stage.zoomBy(Math.exp(Math.min(WHEEL, Math.max(-WHEEL, by))), ...this.#at(event));
    }

    /** Scrolls, but not past the ends of the drawing. */
    #scroll(x, y) {
        const { stage } = this;
        const { view } = stage.state;
        const box = view.toPage(stage.model.viewport);
        const limit = (by, low, high, length) => Math.max(Math.min(by, Math.max(0, MARGIN - low)), Math.min(0, length - MARGIN - high));
        stage.setView(view.moved(limit(x, box[0], box[2], stage.width / stage.panes), limit(y, box[1], box[3], stage.height)));
    }

    #key(event) {
        const { stage } = this;
        const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        if (event.ctrlKey || event.metaKey || event.altKey || !stage.model) return;
        if (event.key in arrows) {
            const [x, y] = arrows[event.key];
            if (stage.state.mode === "exploded") stage.turn(x * 0.08, -y * 0.08);
            else this.#nudge(x * (event.shiftKey ? 10 : 1), y * (event.shiftKey ? 10 : 1));
        } else if (event.key === "Enter" && stage.state.point) {
            const [x, y] = stage.state.point;
            stage.on.select(topmost(stage.model, x, y, stage.allowed));
        } else {
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    #nudge(x, y) {
        const { stage } = this;
        const { point, view } = stage.state;
        const from = point ?? view.toDrawing(stage.width / 2 / stage.panes, stage.height / 2);
        const to = [from[0] + x / view.scale, from[1] + y / view.scale];
        this.#follow(to);
        stage.on.pick(...to, true);
    }

    /** Moves the view to make this point of the drawing visible. */
    #follow([x, y]) {
        const { stage } = this;
        const [left, top] = stage.state.view.toPage([x, y, x, y]);
        const by = [into(left, stage.width / stage.panes), into(top, stage.height)];
        if (by[0] !== 0 || by[1] !== 0) stage.setView(stage.state.view.moved(...by));
    }
}

/** Returns the offset that moves a position into the length, with a margin. */
function into(at, length) {
    const margin = Math.min(MARGIN, length / 4);
    return Math.min(Math.max(at, margin), length - margin) - at;
}
