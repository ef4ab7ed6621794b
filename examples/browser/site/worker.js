// The worker: reads drawings and computes their boxes off the main thread.
import start, { Desk } from "./desk.js";

let desk = null;
/** The GPU's device, stored separately because the desk is borrowed while WebGPU works. */
let device = null;
let source = "";

const METHODS = {
    /**
     * Loads the WebAssembly and the fonts, and opens WebGPU. Returns the adapter's name, or the reason why there is
     * none.
     */
    async open({ fonts }) {
        await start({ module_or_path: fetch("desk_bg.wasm") });
        desk = new Desk();
        const files = await Promise.all(fonts.map(async (font) => (await fetch(font)).arrayBuffer()));
        for (const file of files) desk.addFont(new Uint8Array(file));
        if (!("gpu" in navigator)) return { gpu: null, why: "this browser has no WebGPU" };
        try {
            const gpu = await desk.openGpu();
            device = desk.device();
            return { gpu, why: "" };
        } catch (error) {
            // The rest of the message is for native programs.
            return { gpu: null, why: error.message.split(";")[0] };
        }
    },

    read({ name, file }) {
        const elements = desk.read(new Uint8Array(file));
        source = name;
        return elements;
    },

    /**
     * Computes the drawing, repeated `times` times: with the reference, and on WebGPU if available and requested.
     * Returns null if the request was superseded. `lost` means that WebGPU failed and is not used from then on.
     */
    async compute({ times, gpu }, isWanted) {
        const elements = desk.repeat(times);
        const cpu = desk.onCpu();
        if (!gpu || !desk.hasGpu()) return { elements, cpu };
        try {
            const found = await desk.onGpu(isWanted);
            if (found === undefined) return null;
            const [kernels, whole] = found;
            return { elements, cpu, kernels, whole, agree: desk.agree() };
        } catch (error) {
            if (breaks(error)) throw error;
            desk.dropGpu();
            return { elements, cpu, lost: error.message };
        }
    },

    /** Returns the report on the drawing itself, as last computed. `gpu` is the adapter's name for WebGPU results. */
    report({ gpu }) {
        return desk.report(source, gpu);
    },
};

/** The newest turn. Requests of older turns are superseded. */
let newest = 0;
/** Messages are processed one by one, because the desk supports no concurrent calls and some take long. */
let queue = Promise.resolve();

addEventListener("message", ({ data }) => {
    newest = Math.max(newest, data.turn);
    // Loses the device immediately, even during a computation, as a driver may do.
    if (data.method === "lose") device?.lose();
    else queue = queue.then(() => answer(data));
});

/** Whether the instance is unusable, after a trap or a stack overflow. */
function breaks(error) {
    return error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
}

async function answer({ id, turn, method, args }) {
    const isWanted = () => method === "open" || turn === newest;
    try {
        postMessage({ id, result: isWanted() ? await METHODS[method](args, isWanted) : null });
    } catch (error) {
        const message = error instanceof RangeError ? "it nests deeper than this browser's stack reaches" : error.message;
        postMessage({ id, error: message, isBroken: breaks(error) });
    }
}
