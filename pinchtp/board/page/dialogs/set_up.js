// Set-up: stones placed by hand, and who is to move.
import { Board } from "../board/board.js";
import { boardData, nameOf, signOf } from "../board/position.js";
import { button, make } from "../dom.js";
import { STRINGS } from "../strings.js";
import { field, openDialog, select } from "./dialog.js";

/** @typedef {import("../app.js").App} App */

const EMPTY = 0;

/** @param {App} app */
export function openSetUp(app) {
  const { hello, table } = app.state;
  const game = hello?.games.find((each) => each.name === table?.game);
  if (!table || !game) return;
  const { setUp } = STRINGS.dialogs, shown = table.board;
  let cells = [...shown.cells], brush = 1;
  const board = new Board(boardData(shown), shown.edges?.[0] === "white", {
    choose: (cell) => {
      cells[cell] = cells[cell] === brush ? EMPTY : brush;
      show();
    },
    hover: () => {},
  }, setUp.board);
  const brushes = game.cells.filter((each) => each >= 0);
  const palette = make("div", { class: "row", role: "group", "aria-label": setUp.brush }, ...brushes.map((value) => (
    button(STRINGS.cells[value], () => choose(value), { "data-brush": value, "aria-pressed": value === brush }))));
  const toMove = select({ name: "to-move" }, [["black", STRINGS.colors.black], ["white", STRINGS.colors.white]], table.to_move);

  /** @param {number} value */
  function choose(value) {
    brush = value;
    for (const each of palette.children) {
      each.setAttribute("aria-pressed", String(Number(each.getAttribute("data-brush")) === brush));
    }
  }

  function show() {
    board.stones.show(cells.map(signOf));
    board.points.label((cell) => STRINGS.board.cell(nameOf(shown, cell), cells[cell]));
  }

  const clear = button(setUp.clear, () => {
    cells = cells.map((each) => Math.min(each, EMPTY));
    show();
  }, { "data-action": "clear" });
  board.points.allow(new Set(cells.keys()));
  show();
  openDialog({
    id: "set-up-dialog", title: setUp.title, submit: setUp.start, extra: [clear],
    body: [make("p", { class: "note" }, setUp.explain), palette, field(setUp.toMove, toMove), board.element],
    answer: () => app.server.change({
      type: "set-up", cells, to_move: /** @type {"black" | "white"} */ (toMove.value),
      size: [shown.width, shown.height], game: game.name,
    }),
  });
}
