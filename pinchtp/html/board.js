// A board: what is on it after so many moves, and its drawing. Knows no rules: positions were
// computed before, as the cells that each move changed (see board.py).
import { drawing } from "./dom.js";

/**
 * @typedef {object} BoardData  Cells count from the lower left corner, row by row.
 * @property {number} width
 * @property {number} height
 * @property {string | string[]} columns  names, from the left
 * @property {string | string[]} rows  names, from below
 * @property {string} start  a sign for each cell
 * @property {boolean} sides  whether the sides belong to colors
 */

/** A cell, its sign before, and after. @typedef {[number, string, string]} Change */

// The signs of cells.
export const NO_POINT = "-", BANNED = "5";
/** @type {Object<string, string>} */
const STONES = { 1: "black", 2: "white", 3: "black king", 4: "white king" };

export const UNIT = 40;
const BAND = 12, STONE = 17.8, CHAIN = "#45a557";
const DARK = "#22201e", LIGHT = "#f8f5ee";
/** @param {string} sign */
export const isStone = (sign) => sign in STONES;
/** @param {string} sign */
const isDark = (sign) => sign === "1" || sign === "3";

/**
 * The signs of all cells after a move, and what that move changed.
 * @param {BoardData} board
 * @param {string} changes  a word for each move: a cell in base 36 and its new sign, and so on
 * @param {number} move  0 is the start
 * @returns {{ cells: string[], latest: Change[] }}
 */
export function positionAfter(board, changes, move) {
  const cells = board.start.split("");
  /** @type {Change[]} */
  let latest = [];
  changes.split(" ").slice(0, move).forEach((word) => {
    latest = [];
    for (let from = 0; from < word.length; from += 3) {
      const cell = parseInt(word.slice(from, from + 2), 36);
      latest.push([cell, cells[cell], word[from + 2]]);
      cells[cell] = word[from + 2];
    }
  });
  return { cells, latest: move ? latest : [] };
}

/** Where everything lies on a board of this size, and its parts from bottom to top. */
export class BoardPicture {
  /** @param {BoardData} board */
  constructor(board) {
    this.board = board;
    // The larger the board, the larger the letters beside it, which are to be read on a phone.
    this.letter = Math.min(26, Math.max(16, 1.5 * Math.max(board.width, board.height)));
    this.edge = BAND + 1.6 * this.letter;
    this.width = board.width * UNIT + 2 * this.edge;
    this.height = board.height * UNIT + 2 * this.edge;
  }

  /**
   * The picture of a position.
   * @param {{ cells: string[], latest?: Change[], chain?: number[], swapped?: boolean }} position
   *   latest: what the last move changed. chain: the cells that won. swapped: whether the sides
   *   have changed their owners.
   * @param {string} label  for those who do not see it
   */
  draw({ cells, latest = [], chain = [], swapped = false }, label) {
    const image = drawing("svg", {
      viewBox: `0 0 ${this.width} ${this.height}`, role: "img", "aria-label": label,
    });
    this.drawGround(image, swapped);
    this.#drawChain(image, new Set(chain));
    cells.forEach((sign, cell) => this.#drawCell(image, sign, cell, chain.includes(cell)));
    this.#drawMarks(image, latest);
    return image;
  }

  /** The middle of a cell. @param {number} cell @returns {[number, number]} */
  place(cell) {
    const { width, height } = this.board;
    return [
      this.edge + (cell % width + 0.5) * UNIT,
      this.edge + (height - 0.5 - Math.floor(cell / width)) * UNIT,
    ];
  }

  /** @param {number} cell */
  vertex(cell) {
    const { width, columns, rows } = this.board;
    return columns[cell % width] + rows[Math.floor(cell / width)];
  }

  /** The board without stones. @param {Element} image @param {boolean} swapped */
  drawGround(image, swapped) {
    const { width, height, edge } = this, out = edge - BAND;
    image.append(drawing("rect", { width, height, rx: 10, fill: "#b9854a", class: "frame" }));
    image.append(drawing("rect", {
      x: out, y: out, width: width - 2 * out, height: height - 2 * out, fill: "#ecc689",
      class: "wood",
    }));
    if (this.board.sides) this.#drawSides(image, swapped);
    image.append(drawing("path", {
      d: this.#gridPath(), stroke: "#8b6532", "stroke-width": 1.4, fill: "none",
    }));
    this.#drawLetters(image);
  }

  /** @param {Element} image @param {boolean} swapped */
  #drawSides(image, swapped) {
    const { edge } = this, out = edge - BAND, right = this.width - out, bottom = this.height - out;
    /** @type {[boolean, string][]} */
    const bands = [
      [swapped, `${out},${out} ${right},${out} ${right - BAND},${edge} ${edge},${edge}`],
      [swapped, `${out},${bottom} ${right},${bottom} ${right - BAND},${bottom - BAND} ${edge},${bottom - BAND}`],
      [!swapped, `${out},${out} ${edge},${edge} ${edge},${bottom - BAND} ${out},${bottom}`],
      [!swapped, `${right},${out} ${right - BAND},${edge} ${right - BAND},${bottom - BAND} ${right},${bottom}`],
    ];
    for (const [isWhite, points] of bands) {
      image.append(drawing("polygon", {
        points, fill: isWhite ? "#fbf8f1" : "#1d1b19", class: isWhite ? "white-side" : "black-side",
      }));
    }
  }

  #gridPath() {
    const { start, width } = this.board;
    let path = "";
    for (let cell = 0; cell < start.length; cell++) {
      if (start[cell] === NO_POINT) continue;
      const [x, y] = this.place(cell), above = cell + width;
      if ((cell + 1) % width && start[cell + 1] !== NO_POINT) path += `M${x} ${y}h${UNIT}`;
      if (above < start.length && start[above] !== NO_POINT) path += `M${x} ${y}v${-UNIT}`;
    }
    return path;
  }

  /** @param {Element} image */
  #drawLetters(image) {
    const { board, letter, edge, width, height } = this, middle = (edge - BAND) / 2;
    /** @type {(x: number, y: number, content: string) => void} */
    const write = (x, y, content) => image.append(drawing("text", {
      x, y: y + 0.36 * letter, "text-anchor": "middle", "font-size": letter, "font-weight": 600,
      "font-family": "Helvetica, Arial, sans-serif", fill: "#3d2a12",
    }, content));
    for (let column = 0; column < board.width; column++) {
      const x = edge + (column + 0.5) * UNIT;
      for (const y of [middle, height - middle]) write(x, y, board.columns[column]);
    }
    for (let row = 0; row < board.height; row++) {
      const y = height - edge - (row + 0.5) * UNIT;
      for (const x of [middle, width - middle]) write(x, y, board.rows[row]);
    }
  }

  /** @param {Element} image @param {Set<number>} cells */
  #drawChain(image, cells) {
    const { width } = this.board;
    let path = "";
    for (const cell of cells) {
      const [x, y] = this.place(cell);
      if ((cell + 1) % width && cells.has(cell + 1)) path += `M${x} ${y}h${UNIT}`;
      if (cells.has(cell + width)) path += `M${x} ${y}v${-UNIT}`;
    }
    if (!path) return;
    image.append(drawing("path", {
      class: "chain", d: path, stroke: CHAIN, "stroke-width": 12, fill: "none",
    }));
  }

  /** @param {Element} image @param {string} sign @param {number} cell @param {boolean} isWinning */
  #drawCell(image, sign, cell, isWinning) {
    const [x, y] = this.place(cell);
    if (sign === BANNED) this.#drawCross(image, x, y, cell);
    if (!isStone(sign)) return;
    image.append(drawing("circle", {
      cx: x, cy: y, r: STONE, class: `stone ${STONES[sign]}`, "data-vertex": this.vertex(cell),
      fill: isDark(sign) ? DARK : LIGHT, "stroke-width": isWinning ? 3.2 : 1,
      stroke: isWinning ? CHAIN : isDark(sign) ? "#000" : "#8d877b",
    }));
    if (sign === "3" || sign === "4") {
      image.append(drawing("path", {
        class: "crown", d: `M${x - 9} ${y + 7}l-2 -13l6 5l5 -8l5 8l6 -5l-2 13z`,
        fill: "#e0b02c", stroke: "#6b4e08", "stroke-width": 1,
      }));
    }
  }

  /** @param {Element} image @param {number} x @param {number} y @param {number} cell */
  #drawCross(image, x, y, cell) {
    const reach = 9;
    image.append(drawing("path", {
      d: `M${x - reach} ${y - reach}l${2 * reach} ${2 * reach}m0 ${-2 * reach}l${-2 * reach} ${2 * reach}`,
      class: "banned", "data-vertex": this.vertex(cell), stroke: "#a03020", "stroke-width": 3,
      fill: "none",
    }));
  }

  // A ring on what the move placed, a spot of the old color on what it turned, a faint ring on what
  // it took away.
  /** @param {Element} image @param {Change[]} latest */
  #drawMarks(image, latest) {
    for (const [cell, before, after] of latest) {
      const [cx, cy] = this.place(cell);
      /** @type {(attributes: Object<string, string | number>) => void} */
      const circle = (attributes) => image.append(drawing("circle", { cx, cy, ...attributes }));
      if (!isStone(before) && isStone(after)) {
        circle({ class: "last", r: 9, fill: "none", stroke: "#e8392e", "stroke-width": 3.4 });
      } else if (isStone(before) && isStone(after)) {
        circle({ class: "turned", r: 6.4, fill: isDark(before) ? DARK : LIGHT });
      } else if (isStone(before)) {
        circle({
          class: "gone", r: STONE - 3, fill: "none", stroke: "#3d2a12", "stroke-width": 1.6,
          "stroke-dasharray": "5 4",
        });
      }
    }
  }
}
