// The position editor.
import { exchangeSides } from "../../html/board.js";
import { field, openDialog, select } from "./dialog.js";
import { button, make } from "./dom.js";
import { boardData, LiveBoard, nameOf, signOf } from "./live_board.js";
import { friendWarning } from "./invite.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */

const EMPTY = 0;

/** @param {App} app */
export function openSetUp(app) {
  const { hello, table } = app.state;
  const game = hello?.games.find((each) => each.name === table?.game);
  if (!table || !game) return;
  const { setUp } = STRINGS.dialogs;
  const shown = table.board;
  let cells = [...shown.cells];
  let brush = 1;
  const board = new LiveBoard(
    boardData(shown),
    {
      choose: (cell) => {
        cells[cell] = cells[cell] === brush ? EMPTY : brush;
        show();
      },
      hover: () => {},
    },
    setUp.board,
  );
  if (shown.top_owner === "white") exchangeSides(board.element); // set-up positions have no swap
  const brushes = game.cells.filter((each) => each >= 0);
  const palette = make(
    "div",
    { class: "row", role: "group", "aria-label": setUp.brush },
    ...brushes.map((value) =>
      button(STRINGS.cells[value], () => choose(value), {
        "data-brush": value,
        "aria-pressed": value === brush,
      }),
    ),
  );
  const toMove = select(
    { name: "to-move" },
    [
      ["black", STRINGS.colors.black],
      ["white", STRINGS.colors.white],
    ],
    table.to_move,
  );

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

  const clear = button(
    setUp.clear,
    () => {
      cells = cells.map((each) => Math.min(each, EMPTY));
      show();
    },
    { "data-action": "clear" },
  );
  board.points.allow(new Set(cells.keys()));
  show();
  openDialog({
    id: "set-up-dialog",
    title: setUp.title,
    submit: setUp.start,
    extra: [clear],
    body: [
      ...friendWarning(app),
      make("p", { class: "note" }, setUp.explain),
      palette,
      field(setUp.toMove, toMove),
      board.element,
    ],
    answer: () =>
      app.server.change({
        type: "set-up",
        cells,
        to_move: /** @type {"black" | "white"} */ (toMove.value),
        size: [shown.width, shown.height],
        game: game.name,
      }),
  });
}
