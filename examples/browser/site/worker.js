// The worker: reads drawings and computes their boxes, away from the page.
import start, { Desk } from "./desk.js";

let desk = null;
/** The GPU's device, on its own: the desk is borrowed while WebGPU works. */
let device = null;
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
     * Computes the drawing, so many times over: by the reference, and on WebGPU where that is there and asked for.
     * Null where it was not wanted any more; `lost` where WebGPU failed, which is done without from then on.
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

    /** The report on the drawing itself, as it was computed last; `gpu`: the adapter's name, for what WebGPU found. */
    report({ gpu }) {
        return desk.report(source, gpu);
    },
};

/** The newest turn: what belongs to an older one is not wanted any more. */
let newest = 0;
/** One message after the other: the desk does one thing at a time, and some take long. */
let queue = Promise.resolve();

addEventListener("message", ({ data }) => {
    newest = Math.max(newest, data.turn);
    // As a driver does it, in the middle of anything.
    if (data.method === "lose") device?.lose();
    else queue = queue.then(() => answer(data));
});

/** After a trap, or where the stack ran out, the instance is no more to be used. */
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
