// What can be chosen, and what the pointer promises: a ghost of the stone to come, the man that was
// taken up with the squares he can reach, and paths of compulsory captures.
import { RADIUS } from "../../../html/board.js";
import { drawing, Pool } from "../dom.js";

/** @typedef {import("../../../html/board.js").BoardPicture} BoardPicture */
/** @typedef {{ cells: number[], taken: number[] }} Path  where a man goes, and what he takes */

export class Choice {
  #ghost = drawing("circle", { r: RADIUS, class: "ghost", display: "none" });
  #origin = drawing("circle", { r: RADIUS + 2, class: "origin", display: "none" });
  /** @type {Pool<Element>} */ #targets;
  /** @type {Pool<Element>} */ #paths;
  /** @type {Pool<Element>} */ #victims;

  /** @param {BoardPicture} picture */
  constructor(picture) {
    this.picture = picture;
    this.layer = drawing("g", { class: "choice", "aria-hidden": "true" });
    this.#paths = new Pool(this.layer, () => drawing("path", { class: "path" }));
    this.#victims = new Pool(this.layer, () => drawing("path", { class: "victim" }));
    this.#targets = new Pool(this.layer, () => drawing("circle", { class: "target", r: 7 }));
    this.layer.append(this.#origin, this.#ghost);
  }

  /** A stone that is not there yet. @param {number | null} cell @param {string} color */
  showGhost(cell, color = "") {
    this.#ghost.setAttribute("class", `ghost ${color}`);
    this.#place(this.#ghost, cell);
  }

  /**
   * @param {{ origin: number | null, targets: Iterable<number>, paths: Path[] }} what
   *   targets: cells that can be chosen next, marked with a dot.
   */
  show({ origin, targets, paths }) {
    this.#place(this.#origin, origin);
    this.#targets.begin();
    for (const cell of targets) this.#place(this.#targets.next(), cell);
    this.#targets.end();
    this.#paths.begin();
    this.#victims.begin();
    for (const path of paths) this.#showPath(path);
    this.#paths.end();
    this.#victims.end();
  }

  /** @param {Path} path */
  #showPath({ cells, taken }) {
    const line = cells.map((cell) => this.picture.place(cell).join(" ")).join("L");
    this.#paths.next().setAttribute("d", `M${line}`);
    for (const cell of taken) {
      const [x, y] = this.picture.place(cell), arm = 9;
      this.#victims.next().setAttribute("d",
        `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`);
    }
  }

  /** @param {Element} circle @param {number | null} cell */
  #place(circle, cell) {
    if (cell === null) {
      circle.setAttribute("display", "none");
      return;
    }
    const [x, y] = this.picture.place(cell);
    circle.setAttribute("cx", String(x));
    circle.setAttribute("cy", String(y));
    circle.removeAttribute("display");
  }
}
