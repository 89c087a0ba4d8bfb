// Storage of the page's state, which tells its listeners about changes.
const LATE = 100; // milliseconds to wait for a frame; hidden pages get none

/**
 * The page's state. Listeners run after changes of their fields, at most once per frame.
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

  /** Runs the listeners now. */
  #flush() {
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
    const flush = () => {
      cancelAnimationFrame(frame);
      clearTimeout(late);
      this.#flush();
    };
    const frame = requestAnimationFrame(flush);
    const late = setTimeout(flush, LATE);
  }
}
