// Controls: the theme, groups of radio buttons, the edges of the panels, copying and saving.
import { forgetColors } from "./paint.js";
import { byId, make } from "./words.js";

const THEMES = { auto: "same as the system", light: "light", dark: "dark" };

/** Returns the theme to switch to on a click. */
export function themeAfter(theme) {
    const all = Object.keys(THEMES);
    return all[(all.indexOf(theme) + 1) % all.length];
}

export function showTheme(theme) {
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    byId("theme-name").textContent = `Theme: ${THEMES[theme]}`;
    forgetColors();
}

export function check(id, key, value) {
    for (const button of byId(id).querySelectorAll("[role=radio]")) {
        const isOn = button.dataset[key] === value;
        button.setAttribute("aria-checked", isOn);
        button.tabIndex = isOn ? 0 : -1;
    }
}

/** Sets up a group of radio buttons with arrow keys. */
export function radios(id, key, choose, which = "[role=radio]") {
    byId(id).addEventListener("click", (event) => {
        const button = event.target.closest(which);
        if (button) choose(button.dataset[key]);
    });
    arrows(id, which, (button) => choose(button.dataset[key]));
}

function arrows(id, which, choose) {
    byId(id).addEventListener("keydown", (event) => {
        const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (by === undefined) return;
        const shownButtons = [...byId(id).querySelectorAll(which)].filter((button) => button.offsetParent !== null);
        const at = shownButtons.indexOf(document.activeElement);
        const next = shownButtons.at((at + by) % shownButtons.length);
        next.focus();
        choose(next);
        event.preventDefault();
        event.stopPropagation();
    });
}

/** Creates a button with a text. */
export function textButton(text, run, more = {}) {
    const button = make("button", { type: "button", textContent: text, ...more });
    button.addEventListener("click", run);
    return button;
}

/** The minimum width of a panel, and of the drawing. */
const LEAST_WIDTH = 200;
const KEY_WIDTH = 16;

/** Lets the edges of the panels be dragged, or moved by the arrow keys. */
export function panelEdges() {
    for (const edge of document.querySelectorAll("[role=separator]")) {
        const panel = edge.parentElement;
        const sign = edge.dataset.side === "left" ? 1 : -1;
        const set = (width) => {
            const others = [...document.querySelectorAll(".panel")].filter((other) => other !== panel);
            const most = innerWidth - LEAST_WIDTH - others.reduce((sum, other) => sum + other.offsetWidth, 0);
            const pixels = Math.round(Math.max(LEAST_WIDTH, Math.min(most, width)));
            byId("app").style.setProperty(`--${edge.dataset.side}`, `${pixels}px`);
            edge.setAttribute("aria-valuenow", pixels);
        };
        edge.addEventListener("pointerdown", (event) => {
            edge.setPointerCapture(event.pointerId);
            event.preventDefault();
        });
        edge.addEventListener("pointermove", (event) => {
            if (!edge.hasPointerCapture(event.pointerId)) return;
            const { left, right } = panel.getBoundingClientRect();
            set(sign > 0 ? event.clientX - left : right - event.clientX);
        });
        edge.addEventListener("keydown", (event) => {
            const by = { ArrowLeft: -sign, ArrowRight: sign }[event.key];
            if (by === undefined) return;
            set(panel.offsetWidth + by * KEY_WIDTH);
            event.preventDefault();
            event.stopPropagation();
        });
    }
}

/** Copies a text. Returns whether that succeeded. */
export function copy(text) {
    const area = make("textarea", { value: text, className: "spoken" });
    const focused = document.activeElement;
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    focused?.focus();
    return isCopied;
}

/** Saves a canvas as a PNG file. */
export function save(canvas, fileName) {
    canvas.toBlob((blob) => {
        const link = make("a", { href: URL.createObjectURL(blob), download: fileName });
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
}
