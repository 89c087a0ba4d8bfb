// The stones, in the look of our SVG pictures: each a disc with a shadow, kings with a ring, banned
// points with a cross. A cell keeps its elements for the life of the board.
import { drawing } from "../dom.js";
import { BANNED, colorOf, isKing, isStone } from "./signs.js";

export const RADIUS = 18.2;

/** Gradients that stones and wood are filled with. */
export function definitions() {
  const made = drawing("defs");
  made.append(
    gradient("linearGradient", "wood-light", { x2: 1, y2: 1 }, ["0 #f2d19b", "1 #ecc689"]),
    gradient("radialGradient", "stone-black", { cx: 0.36, cy: 0.32, r: 0.75 },
      ["0 #6b6b6b", ".45 #2b2b2b", "1 #0b0b0b"]),
    gradient("radialGradient", "stone-white", { cx: 0.36, cy: 0.32, r: 0.8 },
      ["0 #fff", ".6 #f4f2ee", "1 #bdb8ae"]),
  );
  return made;
}

/**
 * @param {string} kind @param {string} id @param {{ [name: string]: number }} attributes
 * @param {string[]} stops
 */
function gradient(kind, id, attributes, stops) {
  const made = drawing(kind, { id, ...attributes });
  for (const stop of stops) {
    const [offset, color] = stop.split(" ");
    made.append(drawing("stop", { offset, "stop-color": color }));
  }
  return made;
}

export class Stones {
  /** @type {string[]} */ #shown = [];
  /** @type {(Element | undefined)[]} */ #elements = [];

  /** @param {import("../../../html/board.js").BoardPicture} picture */
  constructor(picture) {
    this.picture = picture;
    this.layer = drawing("g", { class: "stones", "aria-hidden": "true" });
  }

  /**
   * Shows the cells; those that did not change are not touched.
   * @param {ArrayLike<string>} cells their signs
   * @param {boolean} [animated] whether stones that turn are seen turning
   */
  show(cells, animated = false) {
    for (let cell = 0; cell < cells.length; cell++) {
      if (cells[cell] === this.#shown[cell]) continue;
      this.#change(cell, this.#shown[cell], cells[cell], animated);
      this.#shown[cell] = cells[cell];
    }
  }

  /** @param {number} cell @param {string | undefined} before @param {string} after @param {boolean} animated */
  #change(cell, before, after, animated) {
    this.#elements[cell]?.remove();
    this.#elements[cell] = undefined;
    if (!isStone(after) && after !== BANNED) return;
    const [x, y] = this.picture.place(cell);
    const made = after === BANNED ? cross(x, y) : stone(x, y, after);
    made.setAttribute("data-vertex", this.picture.vertex(cell));
    if (animated) made.classList.add(before !== undefined && isStone(before) ? "turning" : "landing");
    this.layer.append(made);
    this.#elements[cell] = made;
  }
}

/** @param {number} x @param {number} y @param {string} sign */
function stone(x, y, sign) {
  const color = colorOf(sign);
  const made = drawing("g", { class: `stone ${color}${isKing(sign) ? " king" : ""}` });
  made.append(
    drawing("circle", { cx: x + 1.6, cy: y + 1.8, r: RADIUS, class: "shadow" }),
    drawing("circle", { cx: x, cy: y, r: RADIUS, class: "disc" }),
  );
  if (isKing(sign)) {
    made.append(drawing("circle", { cx: x, cy: y, r: 0.62 * RADIUS, class: "ring" }));
  }
  return made;
}

/** @param {number} x @param {number} y */
function cross(x, y) {
  const arm = 7.5;
  return drawing("path", {
    class: "banned",
    d: `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`,
  });
}
