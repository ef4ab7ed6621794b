// The side panels.
import { changesPanel, layersPanel, objectsPanel, pointPanel, whyPanel } from "./panels.js";
import { byId, timed } from "./words.js";

/** The initial number of rows in a list. */
const ROWS = 200;

export class Details {
    constructor(app) {
        this.app = app;
    }

    /** Shows a panel. */
    set(tab) {
        const { app, app: { state } } = this;
        if (tab === "changes" && !app.old) tab = "why";
        state.tab = tab;
        document.body.dataset.tab = tab;
        for (const button of byId("tabs").querySelectorAll("[role=tab]")) {
            button.setAttribute("aria-selected", button.dataset.tab === tab);
            button.tabIndex = button.dataset.tab === tab ? 0 : -1;
        }
        if (tab === "layers") this.layers();
        if (tab === "objects") this.objects();
        else state.object = -1;
        if (tab === "point") this.point();
        app.stage.paintTop();
        app.link();
    }

    why() {
        const { model, state, on, source } = this.app;
        const { parts, links, most } = whyPanel(model, state, on, source);
        Object.assign(state, { links, most });
        byId("why").replaceChildren(...parts);
        // Waits for the next frame, when the page is laid out anyway.
        requestAnimationFrame(() => byId("why").scrollTo(0, 0));
    }

    point() {
        const { model, stack, on, state: { point, selected, mode } } = this.app;
        byId("point").replaceChildren(...pointPanel(model, point, stack ?? [], selected, mode === "exploded", on));
    }

    layers(most) {
        const { model, on, state } = this.app;
        timed("layers", () => byId("layers").replaceChildren(...layersPanel(model, state.selected, on, most)));
    }

    objects(most) {
        const { model, on, part, state: { object } } = this.app;
        byId("objects").replaceChildren(...objectsPanel(model, object, on, part.objects, most ?? Math.max(ROWS, object + 1)));
    }

    changes(most) {
        const { app, app: { model, old, on, repainted, state: { change } } } = this;
        byId("changes").replaceChildren(...changesPanel(model, old, app, repainted, change, on, most ?? Math.max(ROWS, change + 1)));
    }

    /** Updates the lists that do not depend on the state. */
    lists() {
        if (this.app.old) this.changes();
        if (this.app.state.tab === "layers") this.layers();
    }

    /** Updates the lists after a search. */
    foundOthers() {
        if (this.app.state.tab === "objects") this.objects();
    }
}
