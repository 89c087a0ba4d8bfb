// The captures of a move, shown one wave after another.

const PAUSE = 190; // milliseconds between two waves
const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** A change of a cell: its number, its sign before, and after. @typedef {[number, string, string]} Change */

export class Cascade {
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;

  /**
   * Shows the waves from the cells before the move on; ends an earlier one.
   * @param {ArrayLike<string>} after all cells behind the move
   * @param {Change[][]} waves
   * @param {(cells: string[]) => void} show called for each picture
   * @param {() => void} ended called when the last is shown
   */
  start(after, waves, show, ended) {
    this.stop();
    const cells = before(after, waves);
    let next = 0;
    const step = () => {
      for (const [cell, , sign] of waves[next]) cells[cell] = sign;
      show(cells);
      next += 1;
      this.#timer = next < waves.length ? setTimeout(step, PAUSE) : undefined;
      if (this.#timer === undefined) ended();
    };
    if (!waves.length || isCalm()) {
      show(Array.from(after));
      ended();
    } else {
      step();
    }
  }

  stop() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** The cells before the first wave. @param {ArrayLike<string>} after @param {Change[][]} waves */
function before(after, waves) {
  const cells = Array.from(after);
  for (const wave of [...waves].reverse()) for (const [cell, sign] of wave) cells[cell] = sign;
  return cells;
}
