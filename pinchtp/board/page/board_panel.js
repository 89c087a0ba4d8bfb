// The main board: displays the state and turns clicks into requests.
import { colorOf, isStone } from "../../html/board.js";
import { at, setAttribute } from "./dom.js";
import {
  atariOf,
  boardData,
  capturedOf,
  LiveBoard,
  nameOf,
  sameDrawing,
  signsOf,
  wavesOf,
} from "./live_board.js";
import { RuleNotes } from "./notes.js";
import { blobsOf, changedCells, heatOf, mistakesOf } from "./overlays.js";
import { hasFailed, playAt } from "./puzzles.js";
import { playSound } from "./sound.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").PageState} PageState */
/** @typedef {import("./app.js").Table} Table */

// Pixels between two points; below this distance, a touch needs a second tap to confirm.
const NARROW = 30;

export class BoardPanel {
  /** @type {LiveBoard | null} */ #board = null;
  /** @type {Table | null} */ #shown = null;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.notes = new RuleNotes(app);
    const { store } = app;
    store.watch(["table"], ({ table }) => {
      if (table) this.#show(table);
    });
    store.watch(
      ["table", "analysis", "overlay", "drawn", "variation", "hint", "review", "tree"],
      (state) => this.#draw(state),
    );
    store.watch(
      ["table", "pointed", "tapped", "pending", "connection", "variation", "puzzle"],
      (state) => this.#offer(state),
    );
  }

  /** Replays the captures of the last move. */
  repeat() {
    if (this.#shown) this.#place(this.#shown, wavesOf(this.#shown.board));
  }

  focus() {
    this.#board?.points.focus();
  }

  /** Fits the board to the settings. */
  fit() {
    this.#board?.fit();
  }

  /** @param {Table} table */
  #show(table) {
    const before = this.#shown;
    if (!this.#board || !before || !sameDrawing(before.board, table.board)) this.#renew(table);
    this.#shown = table;
    this.notes.update(table);
    if (
      !before ||
      before.node !== table.node ||
      before.board.cells.join() !== table.board.cells.join()
    ) {
      const isNext = before !== null && table.number === before.number + 1;
      this.#place(
        table,
        isNext ? wavesOf(table.board) : [],
        isNext || table.board.lifted.length > 0,
      );
    }
    this.#label(table);
  }

  /** @param {Table} table */
  #renew(table) {
    const hadFocus = this.#board?.element.contains(document.activeElement);
    this.#board?.close();
    this.#board = new LiveBoard(
      boardData(table.board),
      {
        choose: (cell, event) => this.#choose(cell, event),
        hover: (cell) => this.#hover(cell),
      },
      STRINGS.board.label,
    );
    at("board").replaceChildren(this.#board.element, this.notes.element);
    if (hadFocus) this.focus();
  }

  /** Shows a ghost stone, or the variation of a candidate. @param {number | null} cell */
  #hover(cell) {
    const { analysis } = this.app.state;
    const candidate = analysis?.candidates.find((each) => each.points[0] === cell);
    this.app.store.set({ pointed: cell });
    if (analysis) this.app.preview(candidate?.pv);
  }

  /**
   * @param {Table} table @param {import("./live_board.js").Change[][]} waves
   * @param {boolean} [isNew] whether a rule may apply for the first time
   */
  #place(table, waves, isNew) {
    const { board } = table;
    const drawn = this.#board;
    if (!drawn) return;
    drawn.marks.show({ last: [], captured: [], atari: [] });
    drawn.ground.showChain([]);
    drawn.ground.showGoals(goalsOf(table));
    drawn.show(signsOf(board), waves, () => {
      drawn.marks.show({ last: board.last, captured: capturedOf(board), atari: atariOf(board) });
      drawn.ground.showChain(board.chain, waves.length ? board.distances : undefined);
      if (waves.length && board.chain.length) playSound("win");
      if (isNew) this.notes.offer(drawn, table);
    });
  }

  /** @param {Table} table */
  #label({ board }) {
    const { cell, last } = STRINGS.board;
    this.#board?.points.label((point) => {
      const name = cell(nameOf(board, point), board.cells[point]);
      return board.last.includes(point) ? `${name}, ${last}` : name;
    });
  }

  /** @param {PageState} state */
  #draw(state) {
    const board = this.#board;
    if (!board || !state.table) return;
    const isLine = state.variation.length > 0;
    board.variation.show(changedCells(state.table.board.cells, state.variation));
    board.candidates.show(isLine ? [] : blobsOf(state));
    board.hint.show(isLine ? undefined : state.hint?.move);
    const mistakes = mistakesOf(state);
    board.mistakes.show(
      isLine ? [] : [...mistakes.keys()],
      (cell) => 4 + 18 * Math.min(mistakes.get(cell) ?? 0, 0.5),
    );
    board.heat.show(heatOf(state));
    setAttribute(board.element, "data-drawn", state.drawn);
  }

  /** Shows the legal points and previews. @param {PageState} state */
  #offer({ table, pointed, tapped, pending, connection, variation, puzzle }) {
    const board = this.#board;
    if (!board || !table) return;
    const isOpen = connection === "open" && !questionOf(table, puzzle);
    const points = new Set(isOpen ? table.legal.points : []);
    board.points.allow(points);
    const here = pending ?? tapped ?? pointed;
    const isMoved = table.legal.turns.length > 0;
    const isLegal = here !== null && (points.has(here) || here === pending);
    const color = table.board.lifted[0] ?? table.to_move;
    board.choice.showGhost(isLegal && !isMoved && !variation.length ? here : null, color);
    board.choice.show(
      isMoved
        ? movesOffered(table, isLegal ? here : null)
        : {
            origin: null,
            targets: table.board.lifted.length ? points : [],
            paths: [],
          },
    );
  }

  /** @param {number} cell @param {PointerEvent | KeyboardEvent} event */
  #choose(cell, event) {
    const { table, tapped, puzzle } = this.app.state;
    const board = this.#board;
    if (!table || !board || this.app.isMoving || this.app.skip()) return;
    const isFree = !table.legal.turns.length && table.board.cells[cell] === 0;
    const isNextTry = isFree && hasFailed(this.app.state);
    if (!isNextTry && (questionOf(table, puzzle) || !table.legal.points.includes(cell))) {
      if (!isRepeated(event)) this.#explain(table, cell);
      return;
    }
    const isFinger = "pointerType" in event && event.pointerType === "touch";
    if (isFinger && board.pitch < NARROW && tapped !== cell) {
      this.app.store.set({ tapped: cell });
      return;
    }
    this.app.store.set({ tapped: null });
    playAt(this.app, cell);
  }

  /**
   * Deselects the selected man and selects another one.
   * @param {Table} table @param {number} cell
   */
  #select(table, cell) {
    this.app.send({ type: "cancel" });
    this.app.play({ type: "play", at: cell, node: table.node });
  }

  /** Explains why a point cannot be chosen. @param {Table} table @param {number} cell */
  #explain(table, cell) {
    const { refused } = STRINGS.board;
    const name = nameOf(table.board, cell);
    const say = (/** @type {string} */ text) => this.app.notify("info", text, { passing: true });
    this.app.store.set({ tapped: null });
    const question = questionOf(table, this.app.state.puzzle);
    if (question) say(question);
    else if (table.result) return;
    else if (table.chosen.includes(cell)) this.app.send({ type: "cancel" });
    else if (table.legal.turns.length && table.chosen.length && isOwn(table, cell))
      this.#select(table, cell);
    else if (!table.legal.points.length) say(refused.notYours);
    else if (table.legal.refusals[cell]) say(`${name}: ${table.legal.refusals[cell]}`);
    else if (table.legal.turns.length) say(refused.cannotMove(name));
    else say(refused.taken(name));
  }
}

/**
 * The question below the board that must be answered before the next move, or empty.
 * @param {Table} table @param {PageState["puzzle"]} puzzle
 */
function questionOf({ teaching, node }, puzzle) {
  const { refused } = STRINGS.board;
  if (teaching) return refused.teaching;
  return puzzle && node !== puzzle.start ? refused.tried : "";
}

/** Whether a man of the side to move is on a cell. @param {Table} table @param {number} cell */
function isOwn({ board, to_move: color }, cell) {
  const sign = String(board.cells[cell]);
  return isStone(sign) && colorOf(sign) === color;
}

/**
 * The second click of a double click, or a key held down.
 * @param {PointerEvent | KeyboardEvent} event
 */
function isRepeated(event) {
  return "repeat" in event ? event.repeat : event.detail > 1;
}

/**
 * Paths of legal moves: of the man under the pointer or the selected man; all paths if captures are
 * compulsory.
 * @param {Table} table @param {number | null} here
 */
function movesOffered({ legal, chosen }, here) {
  const origin = chosen.length ? chosen[0] : null;
  const isCapture = legal.turns.some((turn) => turn.captured.length > 0);
  if (origin !== null)
    return { origin, targets: new Set(legal.points), paths: continuations(legal, origin, here) };
  const shown = legal.turns.filter(({ parts }) => (here === null ? isCapture : parts[0] === here));
  return {
    origin: here,
    targets: here === null ? new Set(legal.points) : new Set(shown.map(({ parts }) => parts[1])),
    paths: shown.map(({ parts, captured }) => ({ cells: parts.slice(0, 2), taken: captured })),
  };
}

/**
 * Paths that continue an incomplete move, with the victims of those under the pointer.
 * @param {Table["legal"]} legal @param {number} origin @param {number | null} here
 */
function continuations(legal, origin, here) {
  return legal.turns.map(({ parts, captured }) => ({
    cells: [origin, ...parts.filter((each) => each !== origin).slice(0, 1)],
    taken: here === null || parts.includes(here) ? captured : [],
  }));
}

/** The labels of the sides, for an empty board. @param {Table} table */
function goalsOf({ board, number, result }) {
  const { top_owner: owner } = board;
  const isEmpty = !board.cells.some((cell) => cell > 0 && cell < 5);
  const isLarge = Math.min(board.width, board.height) >= 4;
  if (!owner || !isEmpty || number > 0 || result || !isLarge) return null;
  const { goal } = STRINGS.board;
  return { black: goal.black, white: goal.white, isSwapped: owner === "white" };
}
