// Clicks and keys on a board, and previews of moves: a ghost stone, a selected man with his
// destinations, and the paths of compulsory captures.
import { crossPath, NO_POINT, RADIUS, UNIT } from "../../html/board.js";
import { drawing, ElementPool } from "./dom.js";

/** @typedef {import("../../html/board.js").BoardPicture} BoardPicture */

// A grid of cells that take the pointer and the keyboard focus, with names for screen readers.
// One of them is in the tab order; arrow keys move the focus from it.

/** @typedef {{ choose: (cell: number, event: PointerEvent | KeyboardEvent) => void,
 *   hover: (cell: number | null) => void }} Hands
 *   hover: the pointer or the focus is on a cell, or on none. */

/** @type {{ [key: string]: [number, number] }} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

export class BoardInput {
  /** @type {(Element & SVGElement)[]} */ #cells = [];
  #current = 0;

  /** @param {BoardPicture} picture @param {string} start signs of all cells @param {Hands} hands */
  constructor(picture, start, hands) {
    this.picture = picture;
    this.hands = hands;
    this.start = start;
    this.layer = drawing("g", { class: "points", role: "rowgroup" });
    this.#draw();
    this.#focusable(this.#firstCell());
    this.layer.addEventListener("pointerover", (event) => this.#pointerOver(event));
    this.layer.addEventListener("pointerleave", () => hands.hover(null));
    this.layer.addEventListener("mousedown", (event) => leaveFocus(event));
    this.layer.addEventListener("click", (event) => this.#click(event));
    this.layer.addEventListener("keydown", (event) => this.#press(event));
    this.layer.addEventListener("focusin", (event) => this.#focused(event));
    this.layer.addEventListener("focusout", () => hands.hover(null));
  }

  /** Sets the names of the cells for screen readers. @param {(cell: number) => string} name */
  label(name) {
    this.#cells.forEach((element, cell) => {
      const text = name(cell);
      if (element.getAttribute("aria-label") !== text) element.setAttribute("aria-label", text);
    });
  }

  /** Sets the cells that can be chosen. @param {Set<number>} cells */
  allow(cells) {
    this.#cells.forEach((element, cell) => element.classList.toggle("legal", cells.has(cell)));
  }

  /** @param {number} [cell] */
  focus(cell = this.#current) {
    this.#focusable(cell);
    this.#cells[cell]?.focus({ preventScroll: true });
  }

  #draw() {
    const { width, height } = this.picture.board;
    for (let row = height - 1; row >= 0; row--) {
      const line = drawing("g", { role: "row" });
      for (let cell = row * width; cell < (row + 1) * width; cell++) {
        if (this.start[cell] !== NO_POINT) line.append(this.#drawCell(cell));
      }
      this.layer.append(line);
    }
  }

  /** @param {number} cell */
  #drawCell(cell) {
    const [x, y] = this.picture.place(cell);
    const made = /** @type {Element & SVGElement} */ (
      drawing("rect", {
        x: x - UNIT / 2,
        y: y - UNIT / 2,
        width: UNIT,
        height: UNIT,
        role: "gridcell",
        tabindex: -1,
        "data-cell": cell,
        "data-point": this.picture.vertex(cell),
      })
    );
    this.#cells[cell] = made;
    return made;
  }

  /** The center point, or the first point if there is none. */
  #firstCell() {
    const { width, height } = this.picture.board;
    const middle = Math.floor(height / 2) * width + Math.floor(width / 2);
    return middle in this.#cells ? middle : Number(Object.keys(this.#cells)[0]);
  }

  /** @param {number} cell */
  #focusable(cell) {
    this.#cells[this.#current]?.setAttribute("tabindex", "-1");
    this.#cells[cell]?.setAttribute("tabindex", "0");
    this.#current = cell;
  }

  /** @param {Event} event @returns {number | null} */
  #cellOf(event) {
    const text = /** @type {Element} */ (event.target).getAttribute?.("data-cell");
    return text === null || text === undefined ? null : Number(text);
  }

  /** @param {PointerEvent} event */
  #pointerOver(event) {
    if (event.pointerType !== "touch") this.hands.hover(this.#cellOf(event));
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const cell = this.#cellOf(event);
    if (cell === null) return;
    this.#focusable(cell);
    this.hands.choose(cell, /** @type {PointerEvent} */ (event));
  }

  /** @param {Event} event */
  #focused(event) {
    const cell = this.#cellOf(event);
    if (cell === null) return;
    this.#focusable(cell);
    if (/** @type {Element} */ (event.target).matches(":focus-visible")) this.hands.hover(cell);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const step = STEPS[event.key];
    if (step) this.#walk(...step);
    else if (event.key === "Enter" || event.key === " ") this.hands.choose(this.#current, event);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Moves the focus to the next point in a direction. @param {number} right @param {number} up */
  #walk(right, up) {
    const { width, height } = this.picture.board;
    let x = this.#current % width;
    let y = Math.floor(this.#current / width);
    do {
      x += right;
      y += up;
      if (x < 0 || y < 0 || x >= width || y >= height) return;
    } while (!(y * width + x in this.#cells));
    this.focus(y * width + x);
  }
}

/**
 * Prevents a click from focusing a point, so that the arrow keys still step through the game. They
 * move over the board only after keyboard focus.
 * @param {Event} event
 */
export function leaveFocus(event) {
  event.preventDefault();
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
}

// Previews of moves.

/** @typedef {{ cells: number[], taken: number[] }} Path  the squares of a move, and its victims */

export class MovePreview {
  #ghost = drawing("circle", { r: RADIUS, class: "ghost", display: "none" });
  #origin = drawing("circle", { r: RADIUS + 2, class: "origin", display: "none" });
  /** @type {ElementPool<Element>} */ #targets;
  /** @type {ElementPool<Element>} */ #paths;
  /** @type {ElementPool<Element>} */ #victims;

  /** @param {BoardPicture} picture */
  constructor(picture) {
    this.picture = picture;
    this.layer = drawing("g", { class: "choice", "aria-hidden": "true" });
    this.#paths = new ElementPool(this.layer, () => drawing("path", { class: "path" }));
    this.#victims = new ElementPool(this.layer, () => drawing("path", { class: "victim" }));
    this.#targets = new ElementPool(this.layer, () => drawing("circle", { class: "target", r: 7 }));
    this.layer.append(this.#origin, this.#ghost);
  }

  /** Shows a ghost stone. @param {number | null} cell @param {string} color */
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
      const [x, y] = this.picture.place(cell);
      this.#victims.next().setAttribute("d", crossPath(x, y, 9));
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
