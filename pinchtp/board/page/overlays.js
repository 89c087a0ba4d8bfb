// Engine output on the board: heat maps, candidate moves with numbers, and variations as numbered
// stones.
import { colorOf, isStone, RADIUS, UNIT } from "../../html/board.js";
import { drawing, ElementPool, setAttribute, setText } from "./dom.js";

/** @typedef {import("../../html/board.js").BoardPicture} BoardPicture */
/** @typedef {import("./app.js").PageState} PageState */

/** @typedef {{ cell: number, value: number, text: string, kind: string, fill?: string }} Heat
 *   value: intensity in 0..1. kind: the class, which sets the color. fill: overrides the color. */
/** @typedef {import("./messages.js").VariationMove} VariationMove */
/** @typedef {{ cell: number, number: number | null, was: string, sign: string }} Changed
 *   A cell that a variation changes: the number of its move, its sign before and after. */
/** @typedef {{ cell: number, first: string, second: string, weight: number, isBest: boolean }} Blob
 *   weight: opacity in 0..1. */

/** Squares below the stones, with numbers so that color is not the only cue. */
export class HeatMap {
  /** @type {ElementPool<Element>} */ #squares;

  /** @param {BoardPicture} picture */
  constructor(picture) {
    this.picture = picture;
    this.layer = drawing("g", { class: "heat", "aria-hidden": "true" });
    this.#squares = new ElementPool(this.layer, () => {
      const made = drawing("g");
      made.append(
        drawing("rect", { width: UNIT - 4, height: UNIT - 4, rx: 4 }),
        drawing("text", { "text-anchor": "middle", "font-size": 13 }),
      );
      return made;
    });
  }

  /** @param {Heat[]} points */
  show(points) {
    this.#squares.begin();
    for (const { cell, value, text, kind, fill } of points) {
      const [x, y] = this.picture.place(cell);
      const made = this.#squares.next();
      const [square, words] = made.children;
      made.setAttribute("class", kind);
      square.setAttribute("x", String(x - UNIT / 2 + 2));
      square.setAttribute("y", String(y - UNIT / 2 + 2));
      /** @type {SVGElement} */ (square).style.fill = fill ?? "";
      square.setAttribute("fill-opacity", (0.12 + 0.78 * value).toFixed(2));
      words.setAttribute("x", String(x));
      words.setAttribute("y", String(y + 4.5));
      setText(words, text);
    }
    this.#squares.end();
  }
}

/** Discs with winrate and visits on the points of candidate moves. */
export class Candidates {
  /** @type {ElementPool<Element>} */ #blobs;

  /** @param {BoardPicture} picture */
  constructor(picture) {
    this.picture = picture;
    this.layer = drawing("g", { class: "candidates", "aria-hidden": "true" });
    this.#blobs = new ElementPool(this.layer, () => {
      const made = drawing("g");
      made.append(
        drawing("circle", { r: RADIUS }),
        drawing("text", { class: "rate", "text-anchor": "middle", "font-size": 14, y: 1 }),
        drawing("text", { class: "count", "text-anchor": "middle", "font-size": 10.5, y: 12 }),
      );
      return made;
    });
  }

  /** @param {Blob[]} blobs */
  show(blobs) {
    this.#blobs.begin();
    for (const { cell, first, second, weight, isBest } of blobs) {
      const [x, y] = this.picture.place(cell);
      const made = this.#blobs.next();
      const [disc, rate, count] = made.children;
      setAttribute(made, "transform", `translate(${x} ${y})`);
      setAttribute(made, "class", isBest ? "candidate best" : "candidate");
      setAttribute(made, "data-vertex", this.picture.vertex(cell));
      setAttribute(disc, "fill-opacity", (0.66 + 0.34 * weight).toFixed(2));
      setText(rate, first);
      setText(count, second);
    }
    this.#blobs.end();
  }
}

/**
 * A variation: numbered stones, with a spot on flipped stones, and a hole where a stone is removed.
 */
export class VariationStones {
  /** @type {ElementPool<Element>} */ #stones;

  /** @param {BoardPicture} picture */
  constructor(picture) {
    this.picture = picture;
    this.layer = drawing("g", { class: "variation", "aria-hidden": "true" });
    this.#stones = new ElementPool(this.layer, () => {
      const made = drawing("g");
      made.append(
        drawing("circle", { r: RADIUS - 0.6 }),
        drawing("circle", { class: "was" }),
        drawing("text", { "text-anchor": "middle", "font-size": 17, y: 6 }),
      );
      return made;
    });
  }

  /** @param {Changed[]} cells */
  show(cells) {
    this.#stones.begin();
    for (const { cell, number, was, sign } of cells) {
      const isOnBoard = isStone(sign);
      if (!isOnBoard && !isStone(was)) continue;
      const isFlip = isOnBoard && isStone(was) && colorOf(was) !== colorOf(sign);
      const kinds = [isFlip && "flipped", number !== null && "numbered", colorOf(sign)];
      const [x, y] = this.picture.place(cell);
      const made = this.#stones.next();
      const [, spot, text] = made.children;
      setAttribute(made, "transform", `translate(${x} ${y})`);
      setAttribute(made, "class", isOnBoard ? kinds.filter(Boolean).join(" ") : "removed");
      setAttribute(made, "data-vertex", this.picture.vertex(cell));
      setAttribute(spot, "visibility", isFlip ? "inherit" : "hidden");
      setAttribute(spot, "r", String((number === null ? 0.34 : 0.6) * RADIUS));
      text.textContent = isOnBoard && number !== null ? String(number) : "";
    }
    this.#stones.end();
  }
}

/** Circles on points: rings of a note, dots of mistakes. */
export class Circles {
  /** @type {ElementPool<Element>} */ #circles;

  /** @param {BoardPicture} picture @param {string} kind */
  constructor(picture, kind) {
    this.picture = picture;
    this.layer = drawing("g", { class: kind, "aria-hidden": "true" });
    this.#circles = new ElementPool(this.layer, () => drawing("circle"));
  }

  /** @param {number[]} cells @param {(cell: number) => number} [radius] */
  show(cells, radius = () => RADIUS + 0.5) {
    this.#circles.begin();
    for (const cell of cells) {
      const [x, y] = this.picture.place(cell);
      const made = this.#circles.next();
      setAttribute(made, "cx", String(x));
      setAttribute(made, "cy", String(y));
      setAttribute(made, "r", String(radius(cell)));
      setAttribute(made, "data-vertex", this.picture.vertex(cell));
    }
    this.#circles.end();
  }
}

/**
 * The winrate losses of mistakes in the displayed line whose stones still have their color, by
 * point.
 * @param {PageState} state @returns {Map<number, number>}
 */
export function mistakesOf({ review, table, tree, hello }) {
  if (!review || !table || !tree) return new Map();
  const line = tree.line.slice(0, tree.line.indexOf(table.node) + 1);
  const places = hello?.games.find((each) => each.name === table.game)?.places;
  const bad = tree.nodes.filter((each) => each.mark && line.includes(each.id));
  return new Map(
    bad.flatMap(({ points, color, loss }) => {
      const cell = places ? points[0] : points[points.length - 1];
      const sign = String(table.board.cells[cell]);
      return isStone(sign) && colorOf(sign) === color ? [[cell, loss ?? 0]] : [];
    }),
  );
}

/** A hint: dashed rings of the stones to place, unlike any stone. */
export class HintMarks {
  /** @type {ElementPool<Element>} */ #rings;

  /** @param {BoardPicture} picture */
  constructor(picture) {
    this.picture = picture;
    this.layer = drawing("g", { class: "hint", "aria-hidden": "true" });
    this.#rings = new ElementPool(this.layer, () => drawing("circle", { r: RADIUS - 1.5 }));
  }

  /** @param {VariationMove | undefined} move */
  show(move) {
    this.#rings.begin();
    const after = new Map(move?.changes.map(([cell, value]) => [cell, String(value)]));
    for (const cell of new Set(move?.points)) {
      const [x, y] = this.picture.place(cell);
      const ring = this.#rings.next();
      const sign = after.get(cell) ?? "0";
      setAttribute(ring, "cx", String(x));
      setAttribute(ring, "cy", String(y));
      setAttribute(ring, "class", isStone(sign) ? colorOf(sign) : "origin");
      setAttribute(ring, "data-vertex", this.picture.vertex(cell));
    }
    this.#rings.end();
  }
}

/**
 * The cells that a variation changes.
 * @param {number[]} start @param {VariationMove[]} moves @returns {Changed[]}
 */
export function changedCells(start, moves) {
  const cells = [...start];
  /** @type {Map<number, { number: number, value: number }>} */
  const placed = new Map();
  moves.forEach(({ points, changes }, index) => {
    for (const [cell, value] of changes) cells[cell] = value;
    for (const cell of points) {
      if (!placed.has(cell)) placed.set(cell, { number: index + 1, value: cells[cell] });
    }
  });
  return cells.flatMap((value, cell) => {
    const stone = placed.get(cell);
    if (value === start[cell] && !stone) return [];
    const was = stone && isStone(String(value)) ? stone.value : start[cell];
    return [{ cell, number: stone?.number ?? null, was: String(was), sign: String(value) }];
  });
}

// Drawings of live analysis and overlays.
const MOST_CANDIDATES = 12;

/** @param {number} share a chance in [0, 1] */
export const percent = (share) => `${Math.round(100 * share)}`;

/**
 * Black's winrate, from the winrate of the side to move.
 * @param {{ color: string }} analysis @param {number} winrate
 */
export const blackShare = ({ color }, winrate) => (color === "black" ? winrate : 1 - winrate);

/** A count in at most four characters. @param {number} count */
export function short(count) {
  if (count < 1000) return String(count);
  if (count < 9950) return `${(count / 1000).toFixed(1)}k`; // more would be rounded to 10.0k
  return count < 999_500 ? `${Math.round(count / 1000)}k` : `${(count / 1e6).toFixed(1)}m`;
}

/** @param {PageState} state @returns {Blob[]} */
export function blobsOf({ analysis }) {
  if (!analysis) return [];
  const shown = analysis.candidates.slice(0, MOST_CANDIDATES);
  const most = Math.max(1, ...shown.map((each) => each.visits));
  // Two moves may share a point; only the better one is drawn.
  const points = new Set();
  return shown.flatMap(({ points: [cell], winrate, visits, order }) => {
    if (cell === undefined || points.has(cell)) return [];
    points.add(cell);
    return [
      {
        cell,
        first: percent(blackShare(analysis, winrate)),
        second: short(visits),
        weight: visits / most,
        isBest: order === 0,
      },
    ];
  });
}

/** @param {PageState} state @returns {Heat[]} */
export function heatOf(state) {
  if (state.drawn === "ownership") return ownershipHeat(state.analysis?.ownership ?? []);
  if (state.drawn === "priors") return priorHeat(state.analysis?.candidates ?? []);
  return overlayHeat(state);
}

/** @param {number[]} ownership @returns {Heat[]} */
function ownershipHeat(ownership) {
  return ownership
    .map((value, cell) => ({
      cell,
      value: Math.abs(value),
      kind: value > 0 ? "black" : "white",
      text: percent(Math.abs(value)),
    }))
    .filter((each) => each.value >= 0.1);
}

/** @param {import("./messages.js").CandidateInfo[]} candidates @returns {Heat[]} */
function priorHeat(candidates) {
  const most = Math.max(...candidates.map((each) => each.prior ?? 0), 1e-9);
  return candidates.flatMap(({ points: [cell], prior }) =>
    cell === undefined || !prior
      ? []
      : [
          {
            cell,
            value: prior / most,
            kind: "plain",
            text: (100 * prior).toFixed(prior < 0.1 ? 1 : 0),
          },
        ],
  );
}

/** Points of an overlay in its engine's colors. @param {PageState} state @returns {Heat[]} */
function overlayHeat({ overlay }) {
  return (overlay?.points ?? []).map(({ at, color, label }) => ({
    cell: at,
    value: color ? 0.75 : 0,
    kind: "plain",
    text: label,
    fill: color || undefined,
  }));
}
