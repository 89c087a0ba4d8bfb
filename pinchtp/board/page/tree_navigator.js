// Navigation of the game tree, and autoplay at a chosen pace.
import { LIMITS } from "./limits.js";
import { displayedNode } from "./tree.js";

/** @typedef {import("./app.js").App} App */

export const PACES = [0.5, 1, 2, 5]; // seconds between two moves that are replayed or watched

export class TreeNavigator {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.pace = 1; // seconds per move
  }

  /** The index of the current node in the displayed line. */
  get place() {
    const { table, tree } = this.app.state;
    return table && tree ? tree.line.indexOf(table.node) : -1;
  }

  /**
   * Moves relative to the server's node, which may be ahead of the page's, and in another line.
   * @param {"first" | "back" | "on" | "last"} kind
   */
  step(kind) {
    this.stop();
    const { min, max } = LIMITS.Step.by;
    this.app.send({ type: "step", by: { first: min, last: max, back: -1, on: 1 }[kind] });
  }

  /** Goes to an index of the line, clamped to its ends. @param {number} place */
  to(place) {
    this.stop();
    this.#to(place);
  }

  /** @param {number} place */
  #to(place) {
    const line = this.app.state.tree?.line ?? [];
    const node = line[Math.max(0, Math.min(line.length - 1, place))];
    if (node !== undefined) this.#go(node);
  }

  /** @param {number} node */
  go(node) {
    this.stop();
    this.#go(node);
  }

  /** @param {number} node */
  #go(node) {
    const { table } = this.app.state;
    if (node !== table?.node && !table?.guest) this.app.send({ type: "go", node });
  }

  /** Goes to a sibling variation. @param {number} by */
  sibling(by) {
    const { tree } = this.app.state;
    const here = displayedNode(this.app.state);
    if (!tree || !here || here.parent === null) return;
    const all = tree.nodes.filter((each) => each.parent === here.parent);
    const next = all[(all.indexOf(here) + by + all.length) % all.length];
    this.go(next.id);
  }

  /** Whether a clock is running. */
  get isTimed() {
    const { clocks } = this.app.state.table ?? {};
    return Boolean(clocks?.black.running || clocks?.white.running);
  }

  /** Whether there are moves to replay. */
  get hasMoves() {
    return (this.app.state.tree?.line.length ?? 0) > 1;
  }

  /** Starts or stops autoplay. */
  toggle() {
    if (this.app.state.autoplay) this.stop();
    else if (this.hasMoves) this.#start();
  }

  stop() {
    clearTimeout(this.#timer);
    this.app.store.set({ autoplay: 0 });
  }

  #start() {
    const { line } = this.app.state.tree ?? { line: [] };
    if (this.place >= line.length - 1) this.#to(0);
    this.app.store.set({ autoplay: this.pace });
    this.#wait();
  }

  #wait() {
    this.#timer = setTimeout(() => {
      const { line } = this.app.state.tree ?? { line: [] };
      if (this.place >= line.length - 1) this.stop();
      else {
        this.#to(this.place + 1);
        this.#wait();
      }
    }, 1000 * this.pace);
  }
}
