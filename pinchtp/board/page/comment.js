// The comment of the displayed move.
import { make } from "./dom.js";
import { LIMITS } from "./limits.js";
import { STRINGS } from "./strings.js";
import { displayedNode } from "./tree.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").PageState} PageState */

/**
 * A text that identifies a node: after a reconnect its id may be another node's.
 * @param {PageState} state @param {number} id
 */
function keyOf({ tree, table }, id) {
  const node = tree?.nodes.find((each) => each.id === id);
  return node ? [table?.serial, id, node.parent, node.move].join() : "";
}

const PAUSE = 1000; // milliseconds without input after which a comment is saved

/**
 * The comment of the displayed move. Text being written stays when the displayed move changes, and
 * text that was not saved also after a reconnect.
 */
export class CommentField {
  #node = -1; // whose comment is shown
  #key = ""; // of that node
  #shown = ""; // its comment
  #isLate = false; // whether the text waits for a connection
  #isInUse = false; // whether it has the focus and was edited
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.element = make("textarea", {
      rows: 2,
      id: "comment",
      ...LIMITS.Comment.text,
      placeholder: " ",
      input: () => {
        this.#isInUse = true;
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#save(), PAUSE);
      },
      blur: () => {
        this.#isInUse = false;
        this.#save();
        this.#show(app.state);
      },
    });
    // The page may be closed without a blur; which event comes depends on the browser.
    addEventListener("pagehide", () => this.#save());
    document.addEventListener("visibilitychange", () => this.#save());
    app.store.watch(["connection"], ({ connection }) => {
      if (connection === "lost") this.#isLate = true;
    });
    app.store.watch(["tree"], (state) => {
      if (!this.#isLate || !state.tree || state.connection !== "open") return;
      this.#isLate = false;
      if (this.#isUnsaved && keyOf(state, this.#node) === this.#key) this.#save();
    });
    app.store.watch(["tree", "table"], (state) => this.#show(state));
  }

  get #isUnsaved() {
    return this.element.value !== this.#shown;
  }

  async #save() {
    clearTimeout(this.#timer);
    if (!this.#isUnsaved || this.#isLate) return;
    const text = this.element.value;
    const wrong = await this.app.change({ type: "comment", node: this.#node, text });
    if (wrong && this.app.state.connection !== "open") return;
    if (wrong) this.app.notify("warning", STRINGS.sentence(wrong));
    this.#shown = wrong ? this.element.value : text;
    if (!wrong) this.#show(this.app.state);
  }

  /** @param {PageState} state */
  #show(state) {
    const node = displayedNode(state);
    if (!node || !state.table) return;
    this.element.readOnly = state.table.guest;
    if ((this.#isUnsaved || this.#isInUse) && keyOf(state, this.#node) === this.#key) return;
    this.element.value = node.comment;
    this.#shown = this.element.value; // with the line ends of the field
    this.#node = node.id;
    this.#key = keyOf(state, node.id);
  }
}
