// What the page knows, in one place. Whoever shows a part of it is told after a change, at most once
// in a frame however often it changes.

/**
 * @template {object} State
 */
export class Store {
  /** @type {{ fields: (keyof State)[], listener: (state: State) => void }[]} */ #listeners = [];
  /** @type {Set<keyof State>} */ #changed = new Set();
  #isScheduled = false;

  /** @param {State} state */
  constructor(state) {
    this.state = state;
  }

  /** @param {Partial<State>} changes */
  set(changes) {
    for (const key of /** @type {(keyof State)[]} */ (Object.keys(changes))) {
      if (Object.is(this.state[key], changes[key])) continue;
      this.state[key] = /** @type {any} */ (changes[key]);
      this.#changed.add(key);
    }
    if (this.#changed.size) this.#schedule();
  }

  /**
   * Calls the listener now, and after changes of one of the fields.
   * @param {(keyof State)[]} fields @param {(state: State) => void} listener
   */
  watch(fields, listener) {
    this.#listeners.push({ fields, listener });
    listener(this.state);
  }

  /** Tells everyone now. */
  flush() {
    this.#isScheduled = false;
    const changed = this.#changed;
    this.#changed = new Set();
    for (const { fields, listener } of this.#listeners) {
      if (fields.some((field) => changed.has(field))) listener(this.state);
    }
  }

  #schedule() {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const flush = () => { if (this.#isScheduled) this.flush(); };
    if (document.hidden) setTimeout(flush, 50); // no frames are drawn then
    else requestAnimationFrame(flush);
  }
}
