// Notes that explain a rule where it first comes up on the board, each once per visitor.
import { colorOf, isStone } from "../../html/board.js";
import { at, button, make } from "./dom.js";
import { setting, choose } from "./settings.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").Table} Table */
/** @typedef {import("../../html/board.js").Color} Color */
/** @typedef {import("./live_board.js").LiveBoard} LiveBoard */
/** @typedef {(table: Table) => number[]} Find  the points that show a rule, if it has come up */

const COLORS = /** @type {Color[]} */ (["black", "white"]);
const LONG = 3; // stones of a chain worth a note

/** @type {Find} */
const captured = ({ board }) => board.captured.map((each) => each.at);
/** @type {(...values: number[]) => Find} */
const holding =
  (...values) =>
  ({ board }) =>
    [...board.cells.keys()].filter((cell) => values.includes(board.cells[cell]));

/** The notes of page/rules/. @type {{ [rule: string]: Find }} */
const FIND = {
  threat: ({ board, to_move: color, result }) => (result ? [] : winningPoints(board, other(color))),
  flip: ({ board }) => board.captured.filter(({ step }) => step === 1).map((each) => each.at),
  cascade: ({ board }) => board.captured.filter(({ step }) => step > 1).map((each) => each.at),
  safe: ({ board }) => board.last.filter((cell) => isBetween(board, cell)),
  removal: captured,
  ban: holding(5),
  relocation: captured,
  atari: ({ board }) => board.notes.find((each) => each.name === "atari")?.points ?? [],
  capture: captured,
  approach: captured,
  king: holding(3, 4),
  swap: (table) => (table.move_text === "swap" ? holding(1, 2)(table) : []),
  edge: ({ board, to_move: color }) =>
    chainsOf(board, other(color)).find(({ cells, sides }) => sides && cells.length >= LONG)
      ?.cells ?? [],
};

export class RuleNotes {
  element = make("div", { class: "rule-note", role: "status" });
  /** @type {Table | null} */ #shown = null;

  /** @type {LiveBoard | undefined} */ #board;

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    this.hide();
    window.addEventListener("resize", () => this.#place());
  }

  /**
   * Explains a rule that has come up for the first time.
   * @param {LiveBoard} board @param {Table} table
   */
  offer(board, table) {
    const isPlayed = COLORS.some((color) => table.players[color].engine === null);
    if (this.#shown || !isPlayed || isWon(table) || setting("notes") === "off") return;
    if (this.app.state.puzzle) return; // it would cover a position to be looked at
    const known = knownRules();
    const notes = this.app.state.hello?.games.find((each) => each.name === table.game)?.notes ?? {};
    const rule = Object.keys(notes).find(
      (each) => !known.includes(each) && FIND[each](table).length,
    );
    if (!rule) return;
    choose("seen", [...known, rule].join("."));
    this.#show(
      board,
      table,
      FIND[rule](table),
      notes[rule].replace("{mover}", STRINGS.colors[other(table.to_move)]),
    );
  }

  /**
   * Hides the note of another game, of a move taken back, of a won game, or before the visitor's
   * second move after it.
   * @param {Table} table
   */
  update(table) {
    const { serial, number } = table;
    const then = this.#shown;
    if (
      then &&
      (serial !== then.serial || number < then.number || number > then.number + 1 || isWon(table))
    )
      this.hide();
  }

  hide() {
    this.element.hidden = true;
    this.#shown = null;
    this.#board?.noted.show([]);
  }

  /** @param {LiveBoard} board @param {Table} table @param {number[]} points @param {string} text */
  #show(board, table, points, text) {
    const { understood, none } = STRINGS.notes;
    this.#shown = table;
    this.#board = board;
    board.noted.show(points);
    this.element.replaceChildren(
      make("p", {}, text),
      make(
        "div",
        { class: "row" },
        button(
          understood,
          () => {
            this.hide();
            this.offer(board, table);
          },
          { class: "main" },
        ),
        button(none, () => {
          this.#turnOff();
        }),
      ),
    );
    this.element.hidden = false;
    this.#place();
  }

  /** Shows no more notes, unless that was a slip. */
  #turnOff() {
    choose("notes", "off");
    this.hide();
    const id = this.app.notify("info", STRINGS.notes.off, false, {
      text: STRINGS.actions.undo,
      run: () => {
        this.app.forget(id);
        choose("notes", "");
      },
    });
  }

  /**
   * Puts the note below the points and their neighbors, or above them if they are in the lower
   * half.
   */
  #place() {
    if (!this.#shown || !this.#board) return;
    const { style } = this.element;
    const note = this.element.getBoundingClientRect();
    const gap = 1.1 * this.#board.pitch;
    const area = at("board").getBoundingClientRect();
    const box = this.#board.noted.layer.getBoundingClientRect();
    const isLow = box.top + box.bottom > area.top + area.bottom;
    const left = (box.left + box.right - note.width) / 2 - area.left;
    const top = (isLow ? box.top - note.height - gap : box.bottom + gap) - area.top;
    style.left = `${Math.max(0, Math.min(left, area.width - note.width))}px`;
    style.top = `${Math.max(0, Math.min(top, area.height - note.height))}px`;
  }
}

/** Whether a chain won, which no note may cover. @param {Table} table */
const isWon = ({ board, result }) => result && board.edges;

const knownRules = () => setting("seen").split(".").filter(Boolean);

/** @param {Color} color @returns {Color} */
const other = (color) => COLORS[1 - COLORS.indexOf(color)];

/**
 * @param {Table["board"]} board @param {number} cell
 * @returns {[number[], number[]]} its neighbors in its row, and in its column
 */
function neighbors({ width, cells }, cell) {
  const row = [cell - 1, cell + 1].filter(
    (each) => Math.floor(each / width) === Math.floor(cell / width),
  );
  return [row, [cell - width, cell + width].filter((each) => each in cells)];
}

/**
 * Whether a stone has enemies in its row and in its column.
 * @param {Table["board"]} board @param {number} cell
 */
function isBetween(board, cell) {
  const value = board.cells[cell];
  return neighbors(board, cell).every((line) =>
    line.some((each) => board.cells[each] === 3 - value),
  );
}

/**
 * The own sides that a cell touches, as bits 1 and 2.
 * @param {Table["board"]} board @param {Color} color @param {number} cell
 */
function sidesOf({ width, height, edges }, color, cell) {
  const isUpright = edges?.[0] === color;
  const place = isUpright ? Math.floor(cell / width) : cell % width;
  return (place === 0 ? 1 : 0) | (place === (isUpright ? height : width) - 1 ? 2 : 0);
}

/**
 * The chains of a color, and the own sides that they touch.
 * @param {Table["board"]} board @param {Color} color
 */
function chainsOf(board, color) {
  const isOwn = (/** @type {number} */ cell) =>
    isStone(String(board.cells[cell])) && colorOf(String(board.cells[cell])) === color;
  const waiting = new Set(board.edges ? [...board.cells.keys()].filter(isOwn) : []);
  const chains = [];
  for (const first of waiting) {
    const cells = [first];
    for (const cell of cells) {
      // grows while it is read
      waiting.delete(cell);
      for (const next of neighbors(board, cell).flat()) if (waiting.delete(next)) cells.push(next);
    }
    chains.push({
      cells,
      sides: cells.reduce((sides, cell) => sides | sidesOf(board, color, cell), 0),
    });
  }
  return chains;
}

/**
 * The empty points where one stone joins both sides of a color.
 * @param {Table["board"]} board @param {Color} color
 */
function winningPoints(board, color) {
  const chains = chainsOf(board, color);
  const reached = (/** @type {number} */ cell) => {
    const near = neighbors(board, cell).flat();
    return chains.reduce(
      (sides, chain) =>
        chain.cells.some((each) => near.includes(each)) ? sides | chain.sides : sides,
      sidesOf(board, color, cell),
    );
  };
  return board.edges
    ? [...board.cells.keys()].filter((cell) => board.cells[cell] === 0 && reached(cell) === 3)
    : [];
}
