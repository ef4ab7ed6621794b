// The legend below the drawing: explains lines and colours.
import { textButton } from "./controls.js";
import { heatColor } from "./heat.js";
import { isHeavy } from "./view.js";
import { byId, make, percent, whole } from "./words.js";

const LINES_MEAN = { draw: "Solid: draw.", clip: "Dashed: clip.", layer: "Dotted: layer.", culled: "Crossed out: never visible." };
const TURNS = "Drag or press the arrow keys to turn. Higher is deeper in the tree.";

/** Returns the legend of the current view: texts and elements. */
export function legend({ model, stage, part, state }) {
    const { mode, compare } = state;
    if (part.words !== "") return [part.words, textButton("Show all", () => part.showAll())];
    if (stage.drawings.failure !== "") return [stage.drawings.failure];
    if (mode === "boxes") return isHeavy(model) ? heavyLegend(stage, state) : [linesMean(state.show)];
    if (mode === "heat") return heatLegend(stage, state);
    if (mode === "exploded") return [stage.leavesOut ? `${TURNS} Only the largest boxes are shown.` : TURNS];
    return compare === "over" ? ["Dashed: old. Solid: new."] : [];
}

function linesMean(show) {
    const shown = Object.entries(LINES_MEAN).filter(([kind]) => show[kind]).map(([, words]) => words);
    return [...shown, ...(show.draw ? [] : ["Draws are hidden."])].join(" ");
}

/** Returns the legend for a drawing that takes seconds to draw. */
function heavyLegend(stage, state) {
    if (state.drawing !== "off") return [linesMean(state.show), textButton("Sharpen the drawing", () => stage.drawings.sharpen())];
    const show = () => {
        byId("drawing-shown").value = "dim";
        byId("drawing-shown").dispatchEvent(new Event("change"));
    };
    return [`${linesMean(state.show)} The drawing is hidden, because it has many elements.`, textButton("Show it", show)];
}

function heatLegend(stage, state) {
    const { givenSum, foundSum, saved, side, most } = stage.heatWords(state.heat);
    const scale = make("div", { className: "scale" });
    const stops = Array.from({ length: 9 }, (_, at) => `rgb(${heatColor(at / 8).join(" ")})`);
    scale.style.background = `linear-gradient(90deg, ${stops.join(", ")})`;
    const times = `${whole(givenSum)} without clips, ${whole(foundSum)} within bounds: `;
    const share = givenSum > 0 ? ` (${percent(saved / givenSum)})` : "";
    return [
        make("p", {}, `Tiles of ${whole(side)} × ${whole(side)} pixels painted: ${times}`, make("b", { textContent: `${whole(saved)} saved` }), share),
        make("div", { className: "ends" }, make("span", { textContent: "once" }), scale, make("span", { textContent: `${whole(Math.max(1, most))} times` })),
        make("p", { id: "here", textContent: hereWords(stage, state.tile) }),
    ];
}

/** Describes how often the tile under the pointer is painted. */
export function hereWords(stage, tile) {
    if (!(tile >= 0)) return "Point at a tile to count.";
    const { given, found } = stage.heat;
    return `Here ${whole(given[tile])} without clips, ${whole(found[tile])} within bounds.`;
}
