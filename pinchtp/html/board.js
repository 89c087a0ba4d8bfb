// Drawing of boards, for replays and for the board page. Layers from bottom to top: ground (drawn
// by the server), winning chain, stones, marks. This file applies no rules.
import { drawing, ElementPool } from "./dom.js";

/**
 * @typedef {object} BoardData  Cells are numbered from the lower left corner, row by row.
 * @property {number} width
 * @property {number} height
 * @property {string | string[]} columns  names, from the left
 * @property {string | string[]} rows  names, from the bottom
 * @property {string} start  a symbol for each cell
 * @property {string} ground  the board without stones, as SVG elements
 */

/** A cell, its symbol before, and after. @typedef {[number, string, string]} Change */

/** @typedef {"black" | "white"} Color */

// The symbols of cells.
export const NO_POINT = "-";
const BANNED = "5";
/** @param {string} sign */
export const isStone = (sign) => "1" <= sign && sign <= "4";
/** @param {string} sign */
const isKing = (sign) => sign === "3" || sign === "4";
/** @param {string} sign of a stone @returns {Color} */
export const colorOf = (sign) => (sign === "1" || sign === "3" ? "black" : "white");

export const UNIT = 40; // distance of adjacent points
export const RADIUS = 18.4; // of a stone
export const BAND = 12; // width of the colored sides
const HEAD = 11; // size of an arrow head
const LIGHTING = 80; // milliseconds between the stones of a winning chain

/**
 * Returns the symbols of all cells after a move, and the changes by that move.
 * @param {BoardData} board
 * @param {string} changes  a word for each move: cells in base 36, each with its new symbol
 * @param {number} move  0 is the start
 * @returns {{ cells: string[], latest: Change[] }}
 */
export function positionAfter(board, changes, move) {
  const cells = board.start.split("");
  /** @type {Change[]} */
  let latest = [];
  changes
    .split(" ")
    .slice(0, move)
    .forEach((word) => {
      latest = [];
      for (let from = 0; from < word.length; from += 3) {
        const cell = parseInt(word.slice(from, from + 2), 36);
        latest.push([cell, cells[cell], word[from + 2]]);
        cells[cell] = word[from + 2];
      }
    });
  return { cells, latest: move ? latest : [] };
}

/** A picture of a board: its dimensions, places of cells, and drawings of positions. */
export class BoardPicture {
  /** @param {BoardData} board */
  constructor(board) {
    this.board = board;
    // Larger boards have larger letters, to stay legible on a phone.
    this.letter = Math.min(26, Math.max(16, 1.5 * Math.max(board.width, board.height)));
    this.edge = BAND + 1.6 * this.letter;
    this.width = board.width * UNIT + 2 * this.edge;
    this.height = board.height * UNIT + 2 * this.edge;
  }

  /**
   * Returns the picture of a position.
   * @param {{ cells: string[], latest?: Change[], chain?: number[], swapped?: boolean }} position
   *   latest: the changes by the last move. chain: the winning cells. swapped: whether the sides
   *   have swapped owners.
   * @param {string} label  for screen readers
   */
  draw({ cells, latest = [], chain = [], swapped = false }, label) {
    const image = this.image({ role: "img", "aria-label": label });
    if (swapped) exchangeSides(image);
    const ground = new Ground(this);
    const stones = new Stones(this);
    const marks = new Marks(this);
    ground.showChain(chain);
    stones.show(cells);
    const last = latest.filter(([, before, after]) => !isStone(before) && isStone(after));
    const captured = latest.filter(([, before]) => isStone(before));
    marks.show({
      last: last.map(([cell]) => cell),
      captured: captured.map(([cell, before, after]) => ({ cell, before, after })),
      atari: [],
    });
    image.append(ground.layer, stones.layer, marks.layer);
    return image;
  }

  /**
   * Returns an image of the board without stones.
   * @param {Object<string, string>} attributes
   */
  image(attributes) {
    const made = drawing("svg", {
      class: "board",
      viewBox: `0 0 ${this.width} ${this.height}`,
      ...attributes,
    });
    made.innerHTML = this.board.ground;
    for (const each of made.children) each.setAttribute("aria-hidden", "true");
    return made;
  }

  /** Returns the center of a cell. @param {number} cell @returns {[number, number]} */
  place(cell) {
    const { width, height } = this.board;
    return [
      this.edge + ((cell % width) + 0.5) * UNIT,
      this.edge + (height - 0.5 - Math.floor(cell / width)) * UNIT,
    ];
  }

  /** @param {number} cell */
  vertex(cell) {
    const { width, columns, rows } = this.board;
    return columns[cell % width] + rows[Math.floor(cell / width)];
  }
}

/** Exchanges the colors of the sides, as a swap does. @param {Element} image */
export function exchangeSides(image) {
  const sides = [...image.querySelectorAll(".black-side, .white-side")]; // top, bottom, left, right
  for (const name of ["class", "fill"]) {
    const values = sides.map((side) => side.getAttribute(name) ?? "");
    sides.forEach((side, at) => side.setAttribute(name, values[(at + 2) % sides.length]));
  }
}

/** Marks below the stones: the winning chain, and on an empty board arrows between the sides. */
export class Ground {
  #chain = drawing("g", { class: "chains" });
  #goals = drawing("g", { class: "goals" });

  /** @param {BoardPicture} picture */
  constructor(picture) {
    this.picture = picture;
    this.layer = drawing("g", { "aria-hidden": "true" });
    this.layer.append(this.#chain, this.#goals);
  }

  /**
   * @param {number[]} cells
   * @param {number[]} [distances] of the cells from its start; they light up in this order
   */
  showChain(cells, distances) {
    const chain = new Set(cells);
    const { width } = this.picture.board;
    this.#chain.replaceChildren(
      ...cells.map((cell, index) => {
        const [x, y] = this.picture.place(cell);
        const right = (cell + 1) % width && chain.has(cell + 1) ? `h${UNIT}` : "";
        const up = chain.has(cell + width) ? `M${x} ${y}v${-UNIT}` : "";
        const made = drawing("path", {
          class: distances ? "chain lit" : "chain",
          d: `M${x} ${y}h0${right}${up}`,
        });
        if (distances) made.style.animationDelay = `${LIGHTING * distances[index]}ms`;
        return made;
      }),
    );
  }

  /**
   * Shows labeled arrows from side to side; hides them for null.
   * @param {{ black: string, white: string, isSwapped: boolean } | null} texts
   */
  showGoals(texts) {
    this.#goals.replaceChildren();
    if (!texts) return;
    const { width, height, edge } = this.picture;
    const upright = texts.isSwapped ? "white" : "black";
    const level = texts.isSwapped ? "black" : "white";
    // Between grid lines, so that none runs through the words.
    const { width: columns, height: rows } = this.picture.board;
    const x = edge + UNIT * Math.round(0.34 * columns);
    const y = edge + UNIT * Math.ceil(0.62 * rows);
    this.#arrow(upright, [x, edge + 6], [x, height - edge - 6]);
    this.#arrow(level, [edge + 6, y], [width - edge - 6, y]);
    const size = this.#sizeOfWords(
      width - edge - x - 20,
      Math.max(texts.black.length, texts.white.length),
    );
    this.#words(
      upright,
      texts[upright],
      x + 14,
      edge + UNIT * Math.round(0.2 * rows),
      "start",
      size,
    );
    this.#words(level, texts[level], width - edge - 10, y - UNIT, "end", size);
  }

  /** @param {string} color @param {number[]} from @param {number[]} to */
  #arrow(color, [x1, y1], [x2, y2]) {
    const dx = HEAD * Math.sign(x2 - x1);
    const dy = HEAD * Math.sign(y2 - y1);
    const tips = tip([x1, y1], [dx, dy]) + tip([x2, y2], [-dx, -dy]);
    this.#goals.append(
      drawing("path", {
        class: `goal ${color}`,
        d: `M${x1} ${y1}L${x2} ${y2}${tips}`,
      }),
    );
  }

  /**
   * Returns the font size of the coordinates, or a smaller one that fits the room.
   * @param {number} room @param {number} letters
   */
  #sizeOfWords(room, letters) {
    const widthOfLetter = 0.54; // of its height
    return Math.min(this.picture.letter, room / (widthOfLetter * letters));
  }

  /**
   * @param {string} color @param {string} text @param {number} x @param {number} y
   * @param {string} anchor @param {number} size
   */
  #words(color, text, x, y, anchor, size) {
    this.#goals.append(
      drawing(
        "text",
        {
          class: `goal-words ${color}`,
          x,
          y: y + 0.36 * size,
          "text-anchor": anchor,
          "font-size": size,
        },
        text,
      ),
    );
  }
}

export class Stones {
  /** @type {string[]} */ #shown = [];
  /** @type {(Element | undefined)[]} */ #elements = [];

  /** @param {BoardPicture} picture */
  constructor(picture) {
    this.picture = picture;
    this.layer = drawing("g", { class: "stones", "aria-hidden": "true" });
  }

  /**
   * Shows the cells; redraws only those that changed.
   * @param {ArrayLike<string>} cells their symbols
   * @param {boolean} [animated] whether new and flipped stones are animated
   */
  show(cells, animated = false) {
    for (let cell = 0; cell < cells.length; cell++) {
      if (cells[cell] === this.#shown[cell]) continue;
      this.#change(cell, this.#shown[cell], cells[cell], animated);
      this.#shown[cell] = cells[cell];
    }
  }

  /**
   * @param {number} cell @param {string | undefined} before @param {string} after
   * @param {boolean} animated
   */
  #change(cell, before, after, animated) {
    this.#elements[cell]?.remove();
    this.#elements[cell] = undefined;
    if (!isStone(after) && after !== BANNED) return;
    const [x, y] = this.picture.place(cell);
    const made =
      after === BANNED
        ? drawing("path", { class: "banned", d: crossPath(x, y, 7.5) })
        : stone(x, y, after);
    made.setAttribute("data-vertex", this.picture.vertex(cell));
    if (animated)
      made.classList.add(before !== undefined && isStone(before) ? "turning" : "landing");
    this.layer.append(made);
    this.#elements[cell] = made;
  }
}

/**
 * Returns the path of the two lines at the tip of an arrow.
 * @param {number[]} place @param {number[]} back vector from the tip along the arrow
 */
function tip([x, y], [dx, dy]) {
  return `M${x + dx - dy} ${y + dy - dx}L${x} ${y}L${x + dx + dy} ${y + dy + dx}`;
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

/** Returns the path of a cross. @param {number} x @param {number} y @param {number} arm */
export const crossPath = (x, y, arm) =>
  `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`;

/** Marks above the stones. */
export class Marks {
  /** @type {ElementPool<Element>} */ #rings;
  /** @type {ElementPool<Element>} */ #spots;
  /** @type {ElementPool<Element>} */ #warnings;

  /** @param {BoardPicture} picture */
  constructor(picture) {
    this.picture = picture;
    this.layer = drawing("g", { class: "marks", "aria-hidden": "true" });
    this.#spots = new ElementPool(this.layer, () => drawing("circle"));
    this.#rings = new ElementPool(this.layer, () =>
      drawing("circle", { class: "last", r: 0.52 * RADIUS }),
    );
    this.#warnings = new ElementPool(this.layer, () => drawing("path", { class: "atari" }));
  }

  /**
   * @param {{ last: number[], captured: { cell: number, before: string, after: string }[],
   *   atari: number[] }} what  captured: flipped or removed stones
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
    const spot = this.#spots.next();
    const turned = isStone(after);
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
