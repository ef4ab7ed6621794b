// The live page: computes the boxes of a dropped, pasted or chosen drawing in the browser.
import { Inspector } from "./app.js";
import { byId, count, make, whole } from "./words.js";

/** The maximum number of elements, as a power of two. */
const MOST = 20;
const FIRST = "phone.svg";
/** The resolution of the clock in milliseconds. */
const CLOCK = 0.1;

/** Thrown when a newer request replaces this one. */
class Superseded extends Error {}

/** An interface to the worker. Starts a new worker when the old one fails. */
class Helper {
    constructor() {
        this.waiting = new Map();
        this.last = 0;
    }

    async open(fonts) {
        this.fonts = fonts;
        this.worker?.terminate();
        const unanswered = [...this.waiting.values()];
        this.worker = new Worker("worker.js", { type: "module" });
        this.worker.addEventListener("message", ({ data }) => this.#hear(data));
        this.worker.addEventListener("error", (event) => this.#hear({ error: event.message || "the worker does not start" }));
        const opened = this.ask("open", { fonts });
        for (const { message } of unanswered) this.worker.postMessage(message);
        const { gpu, why } = await opened;
        this.gpu = gpu;
        this.why = why;
    }

    /**
     * Calls a method of the worker. The worker answers null if it has already received a newer
     * turn.
     */
    ask(method, args = {}, turn = 0) {
        this.last += 1;
        const message = { id: this.last, turn, method, args };
        return new Promise((resolve, reject) => {
            this.waiting.set(message.id, { resolve, reject, message });
            this.worker.postMessage(message);
        });
    }

    /** Loses WebGPU, as a driver may do, for tests. */
    lose() {
        this.worker.postMessage({ method: "lose", turn: 0 });
    }

    #hear({ id, result, error, isBroken }) {
        const asked = id === undefined ? [...this.waiting.values()] : [this.waiting.get(id)];
        if (id === undefined) this.waiting.clear();
        this.waiting.delete(id);
        for (const { resolve, reject } of asked) {
            if (error === undefined) resolve(result);
            else reject(new Error(error));
        }
        if (isBroken) this.open(this.fonts).catch(() => {}); // Whoever asks next hears of it.
    }
}

class Live {
    constructor() {
        this.inspector = new Inspector();
        this.worker = new Helper();
        this.elements = 0;
        this.turn = 0;
        this.isRunning = false;
        this.#controls();
    }

    async start() {
        const { assets, fonts } = await (await fetch("files.json")).json();
        byId("assets").append(...assets.map((name) => make("option", { textContent: name })));
        await this.worker.open(fonts);
        const wanted = new URLSearchParams(location.search).get("asset");
        await this.asset(assets.includes(wanted) ? wanted : FIRST);
    }

    /** Shows an asset and puts its name into the address. */
    async asset(name) {
        const file = async () => (await fetch(`assets/${encodeURIComponent(name)}`)).arrayBuffer();
        await this.show(name, file, `?${new URLSearchParams({ asset: name })}`);
    }

    /** Shows a file that was dropped, pasted or opened. Its address cannot be linked to. */
    async file(name, file) {
        await this.show(name, () => file.arrayBuffer(), location.pathname);
    }

    /** Reads a drawing, computes it, and shows it at this address. */
    async show(name, open, address) {
        this.#say("reading …");
        await this.#task(`${name}: `, async (ask) => {
            const bytes = await open();
            const image = await unpacked(bytes);
            const elements = await ask("read", { name, file: bytes });
            this.elements = elements;
            this.#sizes();
            // The WebAssembly result is shown while WebGPU compiles its kernels.
            await ask("compute", { times: 1, gpu: false });
            const report = await ask("report");
            // The hash of the initial address refers to the first drawing only.
            if (this.inspector.model) history.replaceState(null, "", address);
            this.inspector.show(report, { source: image });
            byId("assets").value = address.startsWith("?") ? name : "";
            performance.mark("treebounds ready");
            const { agree } = await this.#compute(ask, 1);
            if (agree) this.inspector.update(await ask("report", { gpu: this.worker.gpu }));
        });
    }

    /** Runs a task on the worker and cancels all earlier ones. */
    async #task(about, work) {
        this.turn += 1;
        const { turn } = this;
        const ask = async (method, args) => {
            const result = await this.worker.ask(method, args, turn);
            if (result?.lost !== undefined) Object.assign(this.worker, { gpu: null, why: `WebGPU was lost: ${result.lost}` });
            if (turn !== this.turn) throw new Superseded();
            return result;
        };
        this.isRunning = true;
        try {
            await work(ask);
        } catch (error) {
            if (turn === this.turn) this.#say(`${about}${error.message}`, true);
        }
        if (turn === this.turn) this.isRunning = false;
    }

    /** Sets the slider's range, from the drawing itself to the maximum number of elements. */
    #sizes() {
        const least = Math.ceil(Math.log2(Math.max(2, this.elements)));
        const slider = byId("size");
        slider.min = Math.min(least, MOST);
        slider.max = MOST;
        slider.value = slider.min;
        byId("runs").replaceChildren();
        this.runs = [];
    }

    async #race() {
        if (this.elements === 0) return;
        const { value, min } = byId("size");
        const times = value === min ? 1 : Math.max(1, Math.floor(2 ** value / this.elements));
        await this.#task("", (ask) => this.#compute(ask, times));
    }

    async #compute(ask, times) {
        this.#say(`computing ${count(times * this.elements, "element")} …`);
        const result = await ask("compute", { times, gpu: true });
        this.#tell(result);
        return result;
    }

    #tell({ elements, cpu, kernels, whole: all, agree }) {
        byId("size-text").textContent = count(elements, "element");
        const slowest = Math.max(cpu, kernels ?? 0, all ?? 0);
        byId("bars").replaceChildren(
            bar("WebAssembly", "cpu", cpu, slowest, elements),
            ...(kernels === undefined ? [] : [
                bar("WebGPU", "gpu", kernels, slowest, elements),
                bar("with upload and readback", "all", all, slowest, elements),
            ]),
        );
        if (kernels === undefined) {
            this.#say(`Without WebGPU: ${this.worker.why}. Computed in WebAssembly.`);
            return;
        }
        const verdict = agree ? "equal, bit for bit" : "NOT EQUAL: please report this";
        // A browser's clock may not be finer than this.
        const faster = Math.max(CLOCK, cpu) / Math.max(CLOCK, kernels);
        const race = faster >= 1 ? `WebGPU is ${times(faster)} as fast` : `WebAssembly is ${times(1 / faster)} as fast`;
        this.#say(`${verdict} · ${race} · ${this.worker.gpu}`, !agree);
        this.runs.push({ elements, cpu, kernels });
        byId("runs").replaceChildren(...chart(this.runs));
    }

    #say(text, isBad = false) {
        byId("status").textContent = text;
        byId("status").classList.toggle("bad", isBad);
    }

    #controls() {
        const chooser = make("input", { type: "file", id: "file", accept: ".svg,.svgz,image/svg+xml", className: "spoken" });
        byId("extra").append(
            make("label", {}, "drawing ", make("select", { id: "assets" })),
            make("label", { className: "button" }, "Open …", chooser),
            make("span", { className: "faint" }, "or drop or paste an SVG"),
        );
        const slider = make("input", { type: "range", id: "size", min: 0, max: MOST, step: 1, ariaLabel: "Elements, in powers of two" });
        const again = make("button", { type: "button", id: "race-again", textContent: "Run again" });
        document.querySelector(".bar").after(
            make("section", { id: "race", className: "race", ariaLabel: "WebAssembly and WebGPU" },
                make("div", { className: "size" }, make("label", {}, "The drawing again and again:", slider), make("output", { id: "size-text" }), again),
                make("div", { id: "bars", className: "bars" }),
                make("div", { id: "runs", className: "runs" }),
                make("p", { id: "status", role: "status" }),
            ));
        slider.addEventListener("input", () => (byId("size-text").textContent = `about ${whole(2 ** slider.value)} elements`));
        slider.addEventListener("change", () => this.#race());
        again.addEventListener("click", () => this.#race());
        chooser.addEventListener("change", () => chooser.files[0] && this.file(chooser.files[0].name, chooser.files[0]));
        byId("assets").addEventListener("change", () => this.asset(byId("assets").value));
        addEventListener("dragover", (event) => event.preventDefault());
        addEventListener("drop", (event) => {
            event.preventDefault();
            const file = event.dataTransfer.files[0];
            if (file) this.file(file.name, file);
        });
        addEventListener("paste", (event) => {
            const text = event.clipboardData.getData("text");
            const [file] = event.clipboardData.files;
            if (file) this.file(file.name, file);
            else if (text.includes("<svg")) this.file("pasted.svg", new Blob([text]));
        });
    }
}

function times(factor) {
    return `${factor >= 10 ? Math.round(factor) : factor.toFixed(1)} times`;
}

/** Returns the file in a form that the browser can show; unpacks .svgz files. */
async function unpacked(bytes) {
    const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
    const isPacked = first === 0x1f && second === 0x8b;
    const file = new Blob([bytes.slice(0)]);
    const text = isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
    const whole = await new Response(text).blob().catch(() => null);
    return whole && new Blob([whole], { type: "image/svg+xml" });
}

function bar(name, kind, milliseconds, slowest, elements) {
    const line = make("i", { className: kind });
    line.style.width = `${Math.max(0.5, (100 * milliseconds) / slowest)}%`;
    const rate = elements / Math.max(CLOCK, milliseconds) / 1000;
    const speed = `${rate >= 10 ? Math.round(rate) : rate.toPrecision(2)} M elements/s`;
    return make("div", { className: "bar-row" }, make("span", { textContent: name }), make("span", { className: "track" }, line),
        make("span", { className: "n", textContent: duration(milliseconds) }),
        make("span", { className: "n faint", textContent: speed }));
}

function duration(milliseconds) {
    if (milliseconds < CLOCK) return `< ${CLOCK} ms`;
    return `${milliseconds >= 10 ? milliseconds.toFixed(0) : milliseconds.toFixed(1)} ms`;
}

const SVG = "http://www.w3.org/2000/svg";

/** Draws both times over the number of elements, on logarithmic scales. */
function chart(runs) {
    if (new Set(runs.map(({ elements }) => elements)).size < 2) return [];
    const sorted = [...runs].sort((a, b) => a.elements - b.elements);
    const logs = sorted.flatMap(({ cpu, kernels }) => [cpu, kernels]).map((time) => Math.log10(Math.max(0.001, time)));
    const [low, high] = [Math.min(...logs), Math.max(...logs)];
    const [from, to] = [Math.log2(sorted[0].elements), Math.log2(sorted.at(-1).elements)];
    const x = (elements) => 4 + (152 * (Math.log2(elements) - from)) / (to - from);
    const y = (time) => 52 - (48 * (Math.log10(Math.max(0.001, time)) - low)) / Math.max(0.1, high - low);
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 160 56");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", "Time over the number of elements: WebAssembly and WebGPU");
    for (const kind of ["cpu", "kernels"]) {
        const line = document.createElementNS(SVG, "polyline");
        line.setAttribute("class", kind);
        line.setAttribute("points", sorted.map((run) => `${x(run.elements).toFixed(1)},${y(run[kind]).toFixed(1)}`).join(" "));
        svg.append(line);
    }
    return [svg];
}

const live = new Live();
globalThis.live = live;
globalThis.inspector = live.inspector;
live.start().catch((error) => live.inspector.fail(`The page does not start: ${error.message}`));
