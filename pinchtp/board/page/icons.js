// Pictures of the games: the effect of a capture.
import { drawing } from "./dom.js";

/**
 * The stones of a picture on 3x3 points, from the upper left (X black, O white, x and o stones that
 * leave the board), and lines.
 * @type {{ [game: string]: { stones: string, paths: string[] } }}
 */
const PICTURES = {
  pinch: { stones: "..." + "XF." + ".X.", paths: [] },
  "pinch-remove": { stones: "..." + "Xo." + ".X.", paths: ["M26 26l8 8m0 -8l-8 8"] },
  "pinch-relocate": { stones: "..O" + "Xo." + ".X.", paths: ["M33 27L41 19m-7 0h7v7"] },
  "capture-go": { stones: ".X." + "XOX" + ".X.", paths: [] },
  bushka: { stones: ".X." + ".O." + ".O.", paths: ["M12 48V22m-5 6l5 -6l5 6"] },
};

/** @param {string} game its name */
export function gameIcon(game) {
  const made = drawing("svg", { viewBox: "0 0 60 60", class: "icon", "aria-hidden": "true" });
  const { stones, paths } = PICTURES[game] ?? { stones: "", paths: [] };
  made.append(
    drawing("rect", { width: 60, height: 60, rx: 7, fill: "#ecc689" }),
    drawing("path", {
      d: "M12 4v52M30 4v52M48 4v52M4 12h52M4 30h52M4 48h52",
      stroke: "#8b6532",
      fill: "none",
    }),
  );
  [...stones].forEach((kind, at) =>
    made.append(...stone(kind, 12 + 18 * (at % 3), 12 + 18 * Math.floor(at / 3))),
  );
  for (const d of paths)
    made.append(
      drawing("path", {
        d,
        fill: "none",
        stroke: "#c22718",
        "stroke-width": 3.4,
        "stroke-linecap": "round",
      }),
    );
  return made;
}

/** @param {string} kind @param {number} cx @param {number} cy */
function stone(kind, cx, cy) {
  if (kind === ".") return [];
  const isBlack = "Xx".includes(kind);
  const leaves = "xo".includes(kind);
  const disc = drawing("circle", {
    cx,
    cy,
    r: 8.3,
    fill: isBlack ? "#1d1b19" : "#fbf8f1",
    stroke: "#3d2a12",
    "stroke-dasharray": leaves ? "3 2" : "none",
    "fill-opacity": leaves ? 0.55 : 1,
  });
  if (kind !== "F") return [disc];
  return [
    disc,
    drawing("path", { d: `M${cx} ${cy - 8.3}a8.3 8.3 0 0 0 0 16.6z`, fill: "#1d1b19" }),
  ]; // it turns black
}
