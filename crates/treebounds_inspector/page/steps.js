// The steps of the paint order: stepping and playing.
import { stepWords } from "./panels.js";
import { byId, timed } from "./words.js";

/**
 * The approximate number of ticks for playing the paint order, and the length of a tick in
 * milliseconds.
 */
const TICKS = 240;
const TICK = 60;

export class Steps {
    constructor(app) {
        this.app = app;
        this.playing = 0;
    }

    /** Shows the drawing up to this item; -1 shows all of it. */
    set(step) {
        const { app, app: { model, stage, state } } = this;
        const last = model.length - 1;
        timed("step", () => {
            state.step = step < 0 || step > last ? -1 : step;
            byId("step").value = state.step < 0 ? model.count : model.stepOf(state.step);
            const words = stepWords(model, state.step);
            byId("step-text").textContent = words;
            byId("step-text").title = words;
            byId("step").setAttribute("aria-valuetext", words);
            stage.drawings.follow();
            stage.paint();
        });
        app.link();
    }

    /** Plays the paint order, or pauses. */
    play() {
        const button = byId("step-play");
        const { model, state } = this.app;
        if (this.playing) {
            clearInterval(this.playing);
            this.playing = 0;
        } else {
            const by = Math.max(1, Math.round(model.count / TICKS));
            if (state.step < 0) this.goTo(0);
            this.playing = setInterval(() => {
                this.goTo(state.step < 0 ? model.count : model.stepOf(state.step) + by);
                if (state.step < 0) this.play();
            }, TICK);
        }
        button.classList.toggle("playing", this.playing > 0);
        button.title = `${this.playing ? "Pause" : "Play"} (space)`;
        button.lastElementChild.textContent = this.playing ? "Pause" : "Play";
    }

    /** Goes one step forward (1) or back (-1). */
    by(by) {
        const { model, state: { step } } = this.app;
        if (step < 0) this.goTo(by > 0 ? 0 : model.count - 1);
        else this.goTo(Math.max(0, model.stepOf(step) + by));
    }

    /** Goes to the step with this number; after the last one, shows all. */
    goTo(number) {
        this.set(this.app.model.steps[number] ?? -1);
    }
}
