// The illustrated rules of a game, with examples to step through.
import { openDialog, select } from "./dialog.js";
import { button, make, setText } from "./dom.js";
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
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./messages.js").LessonStep} LessonStep */
/** @typedef {import("./messages.js").LessonSection} LessonSection */

/** @param {App} app */
export function openRules(app) {
  const { hello, table } = app.state;
  if (!hello || !table) return;
  const { rules } = STRINGS.dialogs;
  const games = hello.games.filter((game) => game.lesson);
  const chosen = select(
    { "aria-label": rules.game, id: "rules-game", change: () => show() },
    games.map((game) => [game.name, game.title]),
    table.game,
  );
  const text = make("div", { id: "rules-text" });

  async function show() {
    const asked = chosen.value;
    const answer = await app.server.ask({ type: "ask-rules", game: asked });
    if (asked !== chosen.value) return; // the choice has changed
    if (answer?.type === "rules") text.replaceChildren(...answer.sections.flatMap(section));
    else
      text.replaceChildren(
        make("p", {}, answer?.type === "refused" ? answer.text : STRINGS.connection.lost),
      );
  }

  openDialog({ id: "rules-dialog", title: rules.title, body: [chosen, text] });
  show();
}

/** @param {LessonSection} section @returns {Node[]} */
function section({ heading, paragraphs, steps }) {
  const words = [make("h3", {}, heading), ...paragraphs.map((each) => make("p", {}, each))];
  return steps.length ? [...words, new Example(steps).element] : words;
}

/** A board on which an example is stepped through. */
class Example {
  #step = 0;
  /** @type {LiveBoard | null} */ #board = null;
  #caption = make("p", { "aria-live": "polite" });
  #count = make("span", { class: "note" });
  #holder = make("div", { class: "stage" });
  #back = button(STRINGS.dialogs.rules.back, () => this.#go(-1), { "data-example": "back" });
  #on = button(STRINGS.dialogs.rules.on, () => this.#go(1), {
    "data-example": "on",
    class: "main",
  });

  /** @param {LessonStep[]} steps */
  constructor(steps) {
    this.steps = steps;
    this.element = make(
      "div",
      { class: "lesson" },
      this.#holder,
      make(
        "div",
        {},
        this.#caption,
        steps.length > 1 && make("div", { class: "row" }, this.#back, this.#on, this.#count),
      ),
    );
    this.#show(false);
  }

  /** @param {number} by */
  #go(by) {
    this.#step = Math.max(0, Math.min(this.steps.length - 1, this.#step + by));
    this.#show(by > 0);
  }

  /** @param {boolean} animated */
  #show(animated) {
    const { board, caption } = this.steps[this.#step];
    const before = this.steps[Math.max(0, this.#step - 1)].board;
    if (!this.#board || !sameDrawing(before, board) || !animated) this.#renew(board);
    const drawn = /** @type {LiveBoard} */ (/** @type {unknown} */ (this.#board));
    drawn.marks.show({ last: [], captured: [], atari: [] });
    drawn.ground.showChain([]);
    drawn.show(signsOf(board), animated ? wavesOf(board) : [], () => {
      drawn.marks.show({ last: board.last, captured: capturedOf(board), atari: atariOf(board) });
      drawn.ground.showChain(board.chain);
    });
    drawn.points.label((point) => STRINGS.board.cell(nameOf(board, point), board.cells[point]));
    setText(this.#caption, caption);
    setText(this.#count, `${this.#step + 1}/${this.steps.length}`);
    this.#back.disabled = this.#step === 0;
    this.#on.disabled = this.#step === this.steps.length - 1;
  }

  /** @param {import("./messages.js").BoardView} board */
  #renew(board) {
    this.#board?.close();
    this.#board = new LiveBoard(
      boardData(board),
      { choose: () => this.#go(1), hover: () => {} },
      STRINGS.dialogs.rules.board,
    );
    this.#holder.replaceChildren(this.#board.element);
  }
}
