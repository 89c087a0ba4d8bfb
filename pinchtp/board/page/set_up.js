// The position editor.
import { exchangeSides } from "../../html/board.js";
import { field, openDialog, select } from "./dialog.js";
import { button, make } from "./dom.js";
import { friendWarning } from "./invite.js";
import { boardData, LiveBoard, nameOf, signOf } from "./live_board.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./messages.js").BoardView} BoardView */

const EMPTY = 0;

/** @param {App} app */
export function openSetUp(app) {
  const { hello, table } = app.state;
  const game = hello?.games.find((each) => each.name === table?.game);
  if (!table || !game) return;
  const { setUp } = STRINGS.dialogs;
  const { width, height } = table.board;
  const cells = table.before.length ? table.before : table.board.cells;
  const editor = new PositionEditor({ ...table.board, cells }, game.cells);
  const toMove = select(
    { name: "to-move" },
    [
      ["black", STRINGS.colors.black],
      ["white", STRINGS.colors.white],
    ],
    table.to_move,
  );
  openDialog({
    id: "set-up-dialog",
    title: setUp.title,
    submit: setUp.start,
    extra: [button(setUp.clear, () => editor.clear(), { "data-action": "clear" })],
    body: [
      ...friendWarning(app),
      make("p", { class: "note" }, setUp.explain),
      editor.palette,
      field(setUp.toMove, toMove),
      editor.element,
    ],
    answer: () =>
      app.server.change({
        type: "set-up",
        cells: editor.cells,
        to_move: /** @type {"black" | "white"} */ (toMove.value),
        size: [width, height],
        game: game.name,
      }),
  });
}

/** A board to edit: a click places the piece selected in the palette. */
class PositionEditor {
  #brush = 1;

  /** @param {BoardView} start @param {number[]} brushes pieces that can be placed */
  constructor(start, brushes) {
    const { setUp } = STRINGS.dialogs;
    this.start = start;
    // without bans, which end with a turn
    this.cells = start.cells.map((each) => (each < 0 || brushes.includes(each) ? each : EMPTY));
    this.palette = make(
      "div",
      { class: "row", role: "group", "aria-label": setUp.brush },
      ...brushes.map((value) =>
        button(STRINGS.cells[value], () => this.#choose(value), { "data-brush": value }),
      ),
    );
    this.board = new LiveBoard(
      boardData(start),
      { choose: (cell) => this.#place(cell), hover: () => {} },
      setUp.board,
    );
    this.element = this.board.element;
    if (start.top_owner === "white") exchangeSides(this.element); // set-up positions have no swap
    this.board.points.allow(new Set(this.cells.keys()));
    this.#choose(this.#brush);
    this.#show();
  }

  clear() {
    this.cells = this.cells.map((each) => Math.min(each, EMPTY));
    this.#show();
  }

  /** @param {number} value */
  #choose(value) {
    this.#brush = value;
    for (const each of this.palette.children)
      each.setAttribute("aria-pressed", String(each.getAttribute("data-brush") === String(value)));
  }

  /** @param {number} cell */
  #place(cell) {
    this.cells[cell] = this.cells[cell] === this.#brush ? EMPTY : this.#brush;
    this.#show();
  }

  #show() {
    this.board.stones.show(this.cells.map(signOf));
    this.board.points.label((cell) =>
      STRINGS.board.cell(nameOf(this.start, cell), this.cells[cell]),
    );
  }
}
