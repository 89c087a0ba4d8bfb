// A board as the server tells it, in the terms of our drawings.
import { isStone } from "../../../html/board.js";

/** @typedef {import("../messages.js").Board} BoardMessage */
/** @typedef {import("./cascade.js").Change} Change */

/** The sign of a cell's value. @param {number} value */
export const signOf = (value) => (value < 0 ? "-" : String(value));

/** The signs of all cells. @param {BoardMessage} board */
export function signsOf(board) {
  return board.cells.map(signOf).join("");
}

/** What a picture of the board starts from. @param {BoardMessage} board */
export function boardData(board) {
  const { width, height, columns, rows } = board;
  return { width, height, columns, rows, start: signsOf(board), sides: board.edges !== null };
}

/** Whether a drawing of one board can show the other. @param {BoardMessage} one @param {BoardMessage} other */
export function isAlike(one, other) {
  /** @type {(board: BoardMessage) => string} */
  const shape = ({ width, height, edges, rows, cells }) => JSON.stringify(
    [width, height, edges, rows, cells.map((cell) => cell < 0)]);
  return shape(one) === shape(other);
}

/** The name of a point. @param {BoardMessage} board @param {number} point */
export function nameOf(board, point) {
  return board.columns[point % board.width] + board.rows[Math.floor(point / board.width)];
}

/**
 * How the last move came about: what it placed, then what it captured, step by step.
 * @param {BoardMessage} board @returns {Change[][]}
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

/** Stones that turned or left by the last move. @param {BoardMessage} board */
export function capturedOf(board) {
  return board.captured
    .map(({ at, was }) => ({ cell: at, before: signOf(was), after: signOf(board.cells[at]) }))
    .filter(({ before, after }) => isStone(before) && before !== after);
}

/** Stones in groups with a single liberty. @param {BoardMessage} board */
export function atariOf(board) {
  return board.notes.filter((note) => note.name === "atari").flatMap((note) => note.points);
}
