// What is said about the position by marks: the latest move, what it captured, the winning chain,
// who joins which sides, and groups with a single liberty.
import { UNIT } from "../../../html/board.js";
import { drawing, Pool } from "../dom.js";
import { colorOf, isStone } from "./signs.js";
import { RADIUS } from "./stones.js";

/** @typedef {import("../../../html/board.js").BoardPicture} BoardPicture */

/** Marks below the stones: the winning chain, and on an empty board the sides to be joined. */
export class Ground {
  #chain = drawing("path", { class: "chain" });
  #goals = drawing("g", { class: "goals" });

  /** @param {BoardPicture} picture */
  constructor(picture) {
    this.picture = picture;
    this.layer = drawing("g", { "aria-hidden": "true" });
    this.layer.append(this.#chain, this.#goals);
  }

  /** @param {number[]} cells */
  showChain(cells) {
    const chain = new Set(cells), { width } = this.picture.board;
    let path = "";
    for (const cell of cells) {
      const [x, y] = this.picture.place(cell);
      path += `M${x} ${y}h0`;
      if ((cell + 1) % width && chain.has(cell + 1)) path += `h${UNIT}`;
      if (chain.has(cell + width)) path += `M${x} ${y}v${-UNIT}`;
    }
    this.#chain.setAttribute("d", path);
  }

  /**
   * Arrows from side to side with what they mean; none without texts.
   * @param {{ black: string, white: string, isSwapped: boolean } | null} texts
   */
  showGoals(texts) {
    this.#goals.replaceChildren();
    if (!texts) return;
    const { width, height, edge } = this.picture;
    const upright = texts.isSwapped ? "white" : "black", level = texts.isSwapped ? "black" : "white";
    const x = edge + 0.34 * (width - 2 * edge), y = edge + 0.62 * (height - 2 * edge);
    this.#arrow(upright, [x, edge + 6], [x, height - edge - 6]);
    this.#arrow(level, [edge + 6, y], [width - edge - 6, y]);
    const size = this.#sizeOfWords(width - edge - x - 20, Math.max(texts.black.length, texts.white.length));
    this.#words(upright, texts[upright], x + 14, edge + 0.2 * (height - 2 * edge), "start", size);
    this.#words(level, texts[level], width - edge - 10, y - 18, "end", size);
  }

  /** @param {string} color @param {number[]} from @param {number[]} to */
  #arrow(color, [x1, y1], [x2, y2]) {
    const isUpright = x1 === x2, head = 11;
    const tips = isUpright
      ? `M${x1 - head} ${y1 + head}L${x1} ${y1}L${x1 + head} ${y1 + head}M${x2 - head} ${y2 - head}L${x2} ${y2}L${x2 + head} ${y2 - head}`
      : `M${x1 + head} ${y1 - head}L${x1} ${y1}L${x1 + head} ${y1 + head}M${x2 - head} ${y2 - head}L${x2} ${y2}L${x2 - head} ${y2 + head}`;
    this.#goals.append(drawing("path", {
      class: `goal ${color}`, d: `M${x1} ${y1}L${x2} ${y2}${tips}`,
    }));
  }

  /** As large as the letters beside the board, where there is room for it. @param {number} room @param {number} letters */
  #sizeOfWords(room, letters) {
    const widthOfLetter = 0.54; // of its height
    return Math.min(this.picture.letter, room / (widthOfLetter * letters));
  }

  /** @param {string} color @param {string} text @param {number} x @param {number} y @param {string} anchor @param {number} size */
  #words(color, text, x, y, anchor, size) {
    this.#goals.append(drawing("text", {
      class: `goal-words ${color}`, x, y, "text-anchor": anchor, "font-size": size,
    }, text));
  }
}

/** Marks above the stones. */
export class Marks {
  /** @type {Pool<Element>} */ #rings;
  /** @type {Pool<Element>} */ #spots;
  /** @type {Pool<Element>} */ #warnings;

  /** @param {BoardPicture} picture */
  constructor(picture) {
    this.picture = picture;
    this.layer = drawing("g", { class: "marks", "aria-hidden": "true" });
    this.#spots = new Pool(this.layer, () => drawing("circle"));
    this.#rings = new Pool(this.layer, () => drawing("circle", { class: "last", r: 0.52 * RADIUS }));
    this.#warnings = new Pool(this.layer, () => drawing("path", { class: "atari" }));
  }

  /**
   * @param {{ last: number[], captured: { cell: number, before: string, after: string }[],
   *   atari: number[] }} what  captured: stones that turned or left
   */
  show({ last, captured, atari }) {
    for (const pool of [this.#rings, this.#spots, this.#warnings]) pool.begin();
    for (const cell of last) this.#place(this.#rings.next(), cell);
    for (const { cell, before, after } of captured) this.#showCaptured(cell, before, after);
    for (const cell of atari) this.#showAtari(cell);
    for (const pool of [this.#rings, this.#spots, this.#warnings]) pool.end();
  }

  /** @param {number} cell @param {string} before @param {string} after */
  #showCaptured(cell, before, after) {
    const spot = this.#spots.next(), turned = isStone(after);
    this.#place(spot, cell);
    spot.setAttribute("class", `${turned ? "turned" : "gone"} ${colorOf(before)}`);
    spot.setAttribute("r", String((turned ? 0.34 : 0.5) * RADIUS));
  }

  /** @param {number} cell */
  #showAtari(cell) {
    const [x, y] = this.picture.place(cell);
    this.#warnings.next().setAttribute("d", `M${x} ${y - 8}l8 14h-16z`);
  }

  /** @param {Element} circle @param {number} cell */
  #place(circle, cell) {
    const [x, y] = this.picture.place(cell);
    circle.setAttribute("cx", String(x));
    circle.setAttribute("cy", String(y));
  }
}
