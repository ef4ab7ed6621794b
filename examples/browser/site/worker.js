// The worker: reads drawings and computes their boxes, away from the page.
import start, { Desk } from "./desk.js";

let desk = null;
let source = "";

const METHODS = {
    /** Loads the WebAssembly and the fonts, and opens WebGPU; the adapter's name, or why there is none. */
    async open({ fonts }) {
        await start({ module_or_path: fetch("desk_bg.wasm") });
        desk = new Desk();
        const files = await Promise.all(fonts.map(async (font) => (await fetch(font)).arrayBuffer()));
        for (const file of files) desk.addFont(new Uint8Array(file));
        if (!("gpu" in navigator)) return { gpu: null, why: "this browser has no WebGPU" };
        try {
            return { gpu: await desk.openGpu(), why: "" };
        } catch (error) {
            // What comes after the first clause is for machines without a driver.
            return { gpu: null, why: error.message.split(";")[0] };
        }
    },

    read({ name, file }) {
        source = name;
        return desk.read(new Uint8Array(file));
    },

    /** Computes the drawing, so many times over: by the reference, and on WebGPU where that is there and asked for. */
    async compute({ times, gpu }) {
        const elements = desk.repeat(times);
        const cpu = desk.onCpu();
        if (!gpu || !desk.hasGpu()) return { elements, cpu };
        try {
            const [kernels, whole] = await desk.onGpu();
            return { elements, cpu, kernels, whole, agree: desk.agree() };
        } catch (error) {
            return { elements, cpu, error: error.message };
        }
    },

    report() {
        return desk.report(source, undefined);
    },

    lose() {
        desk.loseGpu();
    },

    drop() {
        desk.dropGpu();
    },
};

addEventListener("message", async ({ data: { id, method, args } }) => {
    try {
        postMessage({ id, result: await METHODS[method](args) });
    } catch (error) {
        // After a trap the instance is no more to be used.
        postMessage({ id, error: error.message, isBroken: error instanceof WebAssembly.RuntimeError });
    }
});
