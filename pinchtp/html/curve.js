// A chart of the winrates of a game as evaluated by each engine, with a cursor at the current move.
import { drawing, element } from "./dom.js";

const WIDTH = 400;
const HEIGHT = 116;
const LEFT = 46;
const RIGHT = 384;
const TOP = 6;
const BOTTOM = 98;

export class Curve {
  #count;
  #cursor;

  /**
   * @param {{ name: string, points: [number, number][] }[]} lines  points: move, Black's winrate
   * @param {number} count  number of moves of the game
   * @param {(move: number) => void} go  called when a move is clicked
   */
  constructor(lines, count, go) {
    this.#count = Math.max(count, 1);
    this.#cursor = drawing("path", { class: "mean", id: "cursor" });
    this.image = this.#draw(lines);
    this.image.append(this.#cursor);
    this.image.addEventListener("click", (event) => {
      const box = this.image.getBoundingClientRect();
      const along = ((event.clientX - box.left) / box.width) * WIDTH;
      go(Math.round(((along - LEFT) / (RIGHT - LEFT)) * count));
    });
    this.legend = legend(lines.map((line) => line.name));
  }

  place(move) {
    this.#cursor.setAttribute("d", `M${this.#x(move).toFixed(1)} ${TOP}V${BOTTOM}`);
  }

  #x(move) {
    return LEFT + ((RIGHT - LEFT) * move) / this.#count;
  }

  #draw(lines) {
    const y = (share) => BOTTOM - (BOTTOM - TOP) * share;
    const image = drawing("svg", {
      class: "chart",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": "Black's winrate by move, as evaluated by the engines",
    });
    const write = (x, down, anchor, content) =>
      image.append(drawing("text", { class: "tick", x, y: down, "text-anchor": anchor }, content));
    for (const share of [0, 0.5, 1]) {
      const kind = share === 0.5 ? "axis" : "grid";
      image.append(drawing("path", { class: kind, d: `M${LEFT} ${y(share)}H${RIGHT}` }));
      write(LEFT - 4, y(share) + 4, "end", `${100 * share} %`);
    }
    write((LEFT + RIGHT) / 2, HEIGHT - 4, "middle", "Black's winrate by move");
    lines.forEach(({ points }, number) => {
      const path = points.map(
        ([move, share]) => `${this.#x(move).toFixed(1)} ${y(share).toFixed(1)}`,
      );
      if (path.length)
        image.append(drawing("path", { class: `line c${number}`, d: `M${path.join("L")}` }));
    });
    return image;
  }
}

function legend(names) {
  const list = element("ul", "", { class: "legend" });
  names.forEach((name, number) => {
    const sample = drawing("svg", {
      viewBox: "0 0 20 10",
      width: 20,
      height: 10,
      "aria-hidden": "true",
    });
    sample.append(drawing("path", { class: `line c${number}`, d: "M0 5H20" }));
    const item = element("li");
    item.append(sample, name);
    list.append(item);
  });
  return list;
}
