// An interactive, animated board: for the game, the position editor and the rules.
import { BAND, BoardPicture, Ground, isStone, Marks, Stones, UNIT } from "../../html/board.js";
import { BoardInput, MovePreview } from "./board_input.js";
import { setAttribute } from "./dom.js";
import { Candidates, Circles, HeatMap, HintMarks, VariationStones } from "./overlays.js";
import { setting } from "./settings.js";
import { playSound } from "./sound.js";

/** @typedef {import("./messages.js").BoardView} BoardView */
/** @typedef {import("../../html/board.js").BoardData} BoardData */
/** @typedef {import("./board_input.js").Hands} Hands */

// Conversion of the server's boards for html/board.js.

/** The sign of a cell's value. @param {number} value */
export const signOf = (value) => (value < 0 ? "-" : String(value));

/** The signs of all cells. @param {BoardView} board */
export function signsOf(board) {
  return board.cells.map(signOf).join("");
}

/** The data of an empty drawing. @param {BoardView} board */
export function boardData(board) {
  const { width, height, columns, rows, ground } = board;
  return { width, height, columns, rows, ground, start: signsOf(board) };
}

/**
 * Whether the drawing of one board can display the other.
 * @param {BoardView} one @param {BoardView} other
 */
export function sameDrawing(one, other) {
  /** @type {(board: BoardView) => string} */
  const shape = ({ width, height, top_owner: owner, rows, cells }) =>
    JSON.stringify([width, height, owner, rows, cells.map((cell) => cell < 0)]);
  return shape(one) === shape(other);
}

/** The name of a point. @param {BoardView} board @param {number} point */
export function nameOf(board, point) {
  return board.columns[point % board.width] + board.rows[Math.floor(point / board.width)];
}

/**
 * The changes of the last move in order: placed stones, then captures by step.
 * @param {BoardView} board @returns {Change[][]}
 */
export function wavesOf(board) {
  const signs = board.cells.map(signOf);
  const captured = new Map(board.captured.map((each) => [each.at, each]));
  /** @type {Change[][]} */
  const waves = [board.last.filter((at) => !captured.has(at)).map((at) => [at, "0", signs[at]])];
  for (const { at, was, step } of board.captured) {
    (waves[step] ??= []).push([at, signOf(was), signs[at]]);
  }
  return waves.filter((wave) => wave?.length);
}

/** Stones that the last move flipped or removed. @param {BoardView} board */
export function capturedOf(board) {
  return board.captured
    .map(({ at, was }) => ({ cell: at, before: signOf(was), after: signOf(board.cells[at]) }))
    .filter(({ before, after }) => isStone(before) && before !== after);
}

/** Stones in groups with a single liberty. @param {BoardView} board */
export function atariOf(board) {
  return board.notes.filter((note) => note.name === "atari").flatMap((note) => note.points);
}

// The animation of a move's captures, wave by wave.
const PAUSE = 230;
const LONGEST = 1600; // milliseconds between two waves, and for all of them
const SETTLE = 120; // milliseconds after the last wave, before the next move

/** The factor of all times; 0: no animation. */
function slowness() {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches || setting("motion") === "off")
    return 0;
  return setting("motion") === "slow" ? 2 : 1;
}

/** Milliseconds between waves. @param {Change[][]} waves */
const pauseOf = (waves) => slowness() * Math.min(PAUSE, LONGEST / waves.length);

/** Milliseconds from a move until the next one may be shown. @param {BoardView} board */
export function timeOf(board) {
  const waves = wavesOf(board);
  return waves.length ? pauseOf(waves) * waves.length + slowness() * SETTLE : 0;
}

/**
 * A change of a cell: its number, its sign before, and after.
 * @typedef {[number, string, string]} Change
 */

class Cascade {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /**
   * Plays the waves, starting before the move; stops an earlier animation.
   * @param {ArrayLike<string>} after all cells after the move
   * @param {Change[][]} waves
   * @param {(cells: string[], wave: number) => void} show called for each frame
   * @param {() => void} ended called after the last frame
   */
  start(after, waves, show, ended) {
    this.stop();
    const cells = before(after, waves);
    const pause = pauseOf(waves);
    let next = 0;
    const step = () => {
      for (const [cell, , sign] of waves[next]) cells[cell] = sign;
      show(cells, next);
      next += 1;
      if (waves.length > 1) this.#timer = setTimeout(next < waves.length ? step : ended, pause);
      else ended();
    };
    if (!waves.length || !pause) {
      show(Array.from(after), 0);
      ended();
    } else {
      step();
    }
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** The cells before the first wave. @param {ArrayLike<string>} after @param {Change[][]} waves */
function before(after, waves) {
  const cells = Array.from(after);
  for (const wave of [...waves].reverse()) for (const [cell, sign] of wave) cells[cell] = sign;
  return cells;
}

// The board, a stack of layers.
export class LiveBoard {
  #cascade = new Cascade();

  /**
   * @param {BoardData} data
   * @param {Hands} hands called when points are chosen or hovered
   * @param {string} label for screen readers
   */
  constructor(data, hands, label) {
    const picture = (this.picture = new BoardPicture(data));
    this.ground = new Ground(picture);
    this.stones = new Stones(picture);
    this.marks = new Marks(picture);
    this.heat = new HeatMap(picture);
    this.candidates = new Candidates(picture);
    this.variation = new VariationStones(picture);
    this.hint = new HintMarks(picture);
    this.noted = new Circles(picture, "noted");
    this.mistakes = new Circles(picture, "mistakes");
    this.choice = new MovePreview(picture);
    this.points = new BoardInput(picture, data.start, hands);
    const attributes = { class: "board live-board", role: "grid", "aria-label": label };
    this.element = picture.image(attributes);
    for (const part of [
      this.heat,
      this.ground,
      this.stones,
      this.marks,
      this.mistakes,
      this.choice, // its dots would hide the winrates of candidates
      this.candidates,
      this.variation,
      this.hint,
      this.noted,
      this.points,
    ])
      this.element.append(part.layer);
    this.fit();
  }

  /** Crops the frame if the settings hide the coordinates in it. */
  fit() {
    const { width, height, edge } = this.picture;
    const cut = setting("coordinates") === "off" ? edge - 2 * BAND : 0;
    setAttribute(this.element, "viewBox", `${cut} ${cut} ${width - 2 * cut} ${height - 2 * cut}`);
  }

  /**
   * Shows a position, after an animation of the last move.
   * @param {string} cells
   * @param {Change[][]} waves empty: no animation
   * @param {() => void} ended called after the animation
   */
  show(cells, waves, ended) {
    setAttribute(this.element, "data-busy", waves.length > 1);
    this.#cascade.start(
      cells,
      waves,
      (now, wave) => {
        this.stones.show(now, waves.length > 0);
        if (waves.length) playSound(wave ? "flip" : "stone");
      },
      () => {
        setAttribute(this.element, "data-busy", false);
        ended();
      },
    );
  }

  /** The distance of two points on the screen, in CSS pixels. */
  get pitch() {
    const matrix = /** @type {SVGGraphicsElement} */ (this.element).getScreenCTM();
    return UNIT * (matrix?.a ?? 1);
  }

  /** Stops the animation and removes the board. */
  close() {
    this.#cascade.stop();
    this.element.remove();
  }
}
