// The board: its layers from bottom to top, each of which draws one thing.
import { BoardPicture, Ground, Marks, Stones, UNIT } from "../../../html/board.js";
import { setAttribute } from "../dom.js";
import { Cascade } from "./cascade.js";
import { Choice } from "./choice.js";
import { Candidates, HeatMap, Variation } from "./overlays.js";
import { Points } from "./points.js";

/** @typedef {import("../../../html/board.js").BoardData} BoardData */
/** @typedef {import("./points.js").Hands} Hands */

export class Board {
  #cascade = new Cascade();

  /**
   * @param {BoardData} data @param {boolean} isSwapped whether the sides have changed their owners
   * @param {Hands} hands what happens when points are chosen
   * @param {string} label for screen readers
   */
  constructor(data, isSwapped, hands, label) {
    const picture = this.picture = new BoardPicture(data);
    this.ground = new Ground(picture);
    this.stones = new Stones(picture);
    this.marks = new Marks(picture);
    this.heat = new HeatMap(picture);
    this.candidates = new Candidates(picture);
    this.variation = new Variation(picture);
    this.choice = new Choice(picture);
    this.points = new Points(picture, data.start, hands);
    const attributes = { class: "board live-board", role: "grid", "aria-label": label };
    this.element = picture.image(attributes, isSwapped);
    for (const part of [
      this.heat, this.ground, this.stones, this.marks, this.candidates, this.variation,
      this.choice, this.points,
    ]) this.element.append(part.layer);
  }

  /**
   * Shows a position at once, or wave by wave how the last move came about.
   * @param {string} cells
   * @param {import("./cascade.js").Change[][]} waves empty: at once
   * @param {() => void} ended called when all of it is on the board
   */
  show(cells, waves, ended) {
    setAttribute(this.element, "data-busy", waves.length > 1);
    this.#cascade.start(cells, waves, (now) => this.stones.show(now, waves.length > 0), () => {
      setAttribute(this.element, "data-busy", false);
      ended();
    });
  }

  /** The distance of two points on the screen, in CSS pixels. */
  get pitch() {
    const matrix = /** @type {SVGGraphicsElement} */ (this.element).getScreenCTM();
    return UNIT * (matrix?.a ?? 1);
  }

  /** Ends what is still moving. */
  close() {
    this.#cascade.stop();
    this.element.remove();
  }
}
