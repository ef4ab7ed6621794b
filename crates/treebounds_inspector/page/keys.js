// Connects controls and keyboard shortcuts.
import { panelEdges, radios } from "./controls.js";
import { forgetColors } from "./paint.js";
import { readHash } from "./view.js";
import { byId } from "./words.js";

/** Connects the page's controls and the keyboard with the inspector. */
export function listen(app) {
    const on = (id, type, run) => byId(id).addEventListener(type, run);
    const ready = (run) => (event) => app.model && run(event);
    on("query", "input", ready(() => app.part.find(byId("query").value)));
    on("query", "keydown", (event) => {
        if (event.key === "ArrowDown") byId("tree").focus();
        else if (event.key === "Enter") app.part.next(event.shiftKey ? -1 : 1);
        else if (event.key === "Escape" && app.state.query !== "") app.part.find((byId("query").value = ""));
        else return;
        event.preventDefault();
        event.stopPropagation();
    });
    on("step", "input", ready(() => app.steps.goTo(Number(byId("step").value))));
    on("step-play", "click", ready(() => app.steps.play()));
    on("step-back", "click", ready(() => app.steps.by(-1)));
    on("step-on", "click", ready(() => app.steps.by(1)));
    on("zoom-in", "click", ready(() => app.stage.zoomBy(1.5)));
    on("zoom-out", "click", ready(() => app.stage.zoomBy(1 / 1.5)));
    on("zoom-fit", "click", ready(() => app.fit()));
    on("theme", "click", ready(() => app.nextTheme()));
    on("help-open", "click", () => byId("help").showModal());
    on("split", "input", () => app.setSplit(byId("split").value / 1000));
    on("drawing-shown", "change", ready(() => {
        app.state.drawing = byId("drawing-shown").value;
        app.stage.drawings.load();
        app.changed();
        app.showLegend();
    }));
    on("drawn-by", "change", ready(() => {
        app.state.drawnBy = byId("drawn-by").value;
        app.stage.drawings.load();
        app.changed();
    }));
    on("box-toggles", "change", ready((event) => {
        app.state.show[event.target.dataset.show] = event.target.checked;
        app.changed();
        app.showLegend();
    }));
    on("fit-width", "click", ready(() => app.stage.fitWidth()));
    on("save", "click", ready(() => app.save()));
    on("boxes-open", "click", () => {
        const isOpen = byId("toggles").classList.toggle("open");
        byId("boxes-open").setAttribute("aria-expanded", isOpen);
    });
    panelEdges();
    radios("modes", "mode", (mode) => app.model && app.setMode(mode));
    radios("heat-toggles", "heat", (heat) => app.set("heat-toggles", "heat", heat));
    radios("compare-toggles", "compare", (compare) => {
        app.set("compare-toggles", "compare", compare);
        app.stage.painted = null;
        if (app.state.isFit) app.stage.fit();
        app.setMode(app.state.mode);
    });
    radios("tabs", "tab", (tab) => app.model && app.details.set(tab), "[role=tab]");
    document.addEventListener("keydown", (event) => hotkey(app, event));
    for (const type of ["keydown", "keyup"]) document.addEventListener(type, (event) => event.key === "Alt" && app.stage.measure(type === "keydown"));
    addEventListener("blur", () => app.stage.measure(false));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
        forgetColors();
        if (app.model) app.stage.paint();
    });
    addEventListener("hashchange", () => app.model && app.follow(readHash(location.hash, app.model, app.changes)));
}

function hotkey(app, event) {
    const isTyped = event.target.matches("input[type=search], input[type=text], textarea, select");
    if (!app.model || event.ctrlKey || event.metaKey || event.altKey || isTyped || byId("help").open) return;
    const isControl = event.target.matches("button, input:not([type=range]), select");
    const keys = {
        "/": () => byId("query").focus(),
        "?": () => byId("help").showModal(),
        "1": () => app.setMode("boxes"),
        "2": () => app.setMode("heat"),
        "3": () => app.setMode("exploded"),
        "4": () => app.old && app.setMode("compare"),
        ",": () => app.steps.by(-1),
        ".": () => app.steps.by(1),
        "+": () => app.stage.zoomBy(1.5),
        "=": () => app.stage.zoomBy(1.5),
        "-": () => app.stage.zoomBy(1 / 1.5),
        "0": () => app.fit(),
        w: () => app.stage.fitWidth(),
        s: () => app.save(),
        h: () => app.state.selected >= 0 && app.part.hide(app.state.selected),
        o: () => app.state.selected >= 0 && app.part.solo(app.state.selected),
        n: () => app.nextChange(1),
        N: () => app.nextChange(-1),
        t: () => app.nextTheme(),
        p: () => app.state.selected >= 0 && app.select(app.model.parent[app.state.selected]),
        z: () => app.state.selected >= 0 && app.zoomTo(app.state.selected),
        Escape: () => app.clear(),
        ...(isControl ? {} : { " ": () => app.steps.play() }),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    keys[event.key]();
    event.preventDefault();
}
