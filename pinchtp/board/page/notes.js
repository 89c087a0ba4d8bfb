// Notes that explain a rule when it first applies on the board, each once per visitor.
import { button, make } from "./dom.js";
import { setting, choose } from "./settings.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").Table} Table */
/** @typedef {import("./live_board.js").LiveBoard} LiveBoard */
/** @typedef {import("./messages.js").RuleNote} RuleNote */

export class RuleNotes {
  element = make("div", { class: "rule-note", role: "status" });
  /** @type {{ table: Table, board: LiveBoard } | null} */ #shown = null;

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.app = app;
    this.hide();
  }

  /**
   * Explains a rule that applies for the first time.
   * @param {LiveBoard} board @param {Table} table
   */
  offer(board, table) {
    if (this.#shown || setting("notes") === "off") return;
    if (this.app.state.puzzle) return; // a note would cover the position
    const known = setting("seen").split(".").filter(Boolean);
    const note = table.rule_notes.find(({ rule }) => !known.includes(rule));
    if (!note) return;
    choose("seen", [...known, note.rule].join("."));
    this.#show(board, table, note);
  }

  /**
   * Hides a note of another game or of a move taken back. Also hides it at the end of the game and
   * at the second move after its own.
   * @param {Table} table
   */
  update({ serial, number, result }) {
    if (!this.#shown) return;
    const then = this.#shown.table;
    const gone = number - then.number;
    if (serial !== then.serial || gone < 0 || gone > 1 || (gone && result)) this.hide();
  }

  hide() {
    this.element.hidden = true;
    this.#shown?.board.noted.show([]);
    this.#shown = null;
  }

  /** @param {LiveBoard} board @param {Table} table @param {RuleNote} note */
  #show(board, table, { points, text }) {
    const { understood, none } = STRINGS.notes;
    const goOn = () => {
      this.hide();
      this.offer(board, this.app.state.table ?? table);
    };
    this.#shown = { table, board };
    board.noted.show(points);
    this.element.replaceChildren(
      make("p", {}, text),
      make(
        "div",
        { class: "row" },
        button(understood, goOn, { class: "main" }),
        button(none, () => {
          this.#turnOff();
        }),
      ),
    );
    this.element.hidden = false;
    // On a small phone held sideways it may end below the screen, once the buttons are shown.
    requestAnimationFrame(() => this.element.scrollIntoView({ block: "nearest" }));
  }

  /** Shows no more notes, unless that was a slip. */
  #turnOff() {
    choose("notes", "off");
    this.hide();
    const run = () => {
      this.app.forget(id);
      choose("notes", "");
    };
    const actions = [{ text: STRINGS.actions.undo, run }];
    const id = this.app.notify("info", STRINGS.notes.off, { actions });
  }
}
