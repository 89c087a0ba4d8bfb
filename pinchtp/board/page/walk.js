// Ways through the game tree, and a game that plays itself at a chosen pace.

/** @typedef {import("./app.js").App} App */

export class Walk {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.pace = 1; // seconds a move
  }

  /** Where the shown node is in the line that is shown. */
  get place() {
    const { table, tree } = this.app.state;
    return table && tree ? tree.line.indexOf(table.node) : -1;
  }

  /** From where the server is, which may be ahead of what is shown. @param {"first" | "back" | "on" | "last"} kind */
  step(kind) {
    const { length } = this.app.state.tree?.line ?? [];
    this.app.send({ type: "step", by: { first: -length, last: length, back: -1, on: 1 }[kind] });
  }

  /** To a place in the line; those beyond an end stand for it. @param {number} place */
  to(place) {
    const line = this.app.state.tree?.line ?? [];
    const node = line[Math.max(0, Math.min(line.length - 1, place))];
    if (node !== undefined) this.go(node);
  }

  /** @param {number} node */
  go(node) {
    if (node !== this.app.state.table?.node) this.app.send({ type: "go", node });
  }

  /** To the next variation, or the one before. @param {number} by */
  sibling(by) {
    const { table, tree } = this.app.state;
    const here = tree?.nodes.find((each) => each.id === table?.node);
    if (!tree || !here || here.parent === null) return;
    const all = tree.nodes.filter((each) => each.parent === here.parent);
    const next = all[(all.indexOf(here) + by + all.length) % all.length];
    this.go(next.id);
  }

  /** Begins or ends the game that plays itself. */
  toggle() {
    if (this.app.state.autoplay) this.stop();
    else this.#start();
  }

  stop() {
    clearTimeout(this.#timer);
    this.app.store.set({ autoplay: 0 });
  }

  #start() {
    const { line } = this.app.state.tree ?? { line: [] };
    if (line.length < 2) return;
    if (this.place >= line.length - 1) this.to(0);
    this.app.store.set({ autoplay: this.pace });
    this.#wait();
  }

  #wait() {
    this.#timer = setTimeout(() => {
      const { line } = this.app.state.tree ?? { line: [] };
      if (this.place >= line.length - 1) this.stop();
      else {
        this.to(this.place + 1);
        this.#wait();
      }
    }, 1000 * this.pace);
  }
}
