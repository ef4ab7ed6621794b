// Starts the page that has its report and drawing as data in the same file.
import { Inspector } from "./app.js";
import { byId } from "./words.js";

/** A drawing from the page, in base64, and gzipped if its file is. */
async function drawingIn(id) {
    const data = byId(id)?.textContent ?? "";
    if (data === "") return null;
    const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
    const file = new Blob([bytes]);
    const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
    const text = isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
    const unpacked = await new Response(text).blob().catch(() => null);
    return unpacked && new Blob([unpacked], { type: "image/svg+xml" });
}

const older = byId("report-old");
const inspector = new Inspector();
// For scripts and the console.
globalThis.inspector = inspector;
inspector.show(
    byId("report").textContent,
    await drawingIn("svg"),
    older && { text: older.textContent, drawing: await drawingIn("svg-old"), changes: byId("changes-data").textContent },
);
performance.mark("treebounds ready");
