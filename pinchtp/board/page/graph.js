// The graph of the winrates above the tabs, and the buttons that step through the game.
import { at, button, drawing, make, ElementPool, setAttribute, setText } from "./dom.js";
import { STRINGS } from "./strings.js";
import { PACES } from "./tree_navigator.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./tree_navigator.js").TreeNavigator} TreeNavigator */

const WIDTH = 400;
const HEIGHT = 110;
const LEFT = 34;
const RIGHT = 392;
const TOP = 6;
const BOTTOM = 92;

/** @typedef {{ move: number, winrate: number | null, mark: string }} GraphPoint
 *   winrate: Black's, from 0 to 1. mark: the description of a mistake, or empty. */

/** Black's winrate over the game, with mistakes marked. A click goes to a move. */
class Graph {
  #area = drawing("path", { class: "graph-area" });
  #line = drawing("path", { class: "graph-line" });
  #cursor = drawing("path", { class: "graph-cursor" });
  #title = drawing("title");
  /** @type {ElementPool<Element>} */ #dots;
  /** @type {ElementPool<Element>} */ #mistakes;
  #count = 1;

  /** @param {(move: number) => void} go */
  constructor(go) {
    this.element = drawing("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      id: "winrate-graph",
    });
    this.element.append(this.#title, this.#area, ...frame(), this.#line, this.#cursor);
    this.#dots = new ElementPool(this.element, () =>
      drawing("circle", { class: "graph-dot", r: 2.4 }),
    );
    this.#mistakes = new ElementPool(this.element, () => mistake());
    this.element.addEventListener("click", (event) => {
      const box = this.element.getBoundingClientRect();
      // The drawing keeps its aspect ratio, centered in the element.
      const scale = Math.min(box.width / WIDTH, box.height / HEIGHT);
      const along = (event.clientX - box.left - (box.width - WIDTH * scale) / 2) / scale;
      go(
        Math.max(
          0,
          Math.min(this.#count, Math.round(((along - LEFT) / (RIGHT - LEFT)) * this.#count)),
        ),
      );
    });
  }

  /** @param {GraphPoint[]} points one for each move known @param {number} count moves of the line
   *   @param {number} current the displayed move */
  show(points, count, current) {
    this.#count = Math.max(count, 1);
    const known = points.filter((each) => each.winrate !== null);
    const line = known.map((each) => `${this.#x(each.move)} ${y(each.winrate ?? 0)}`).join("L");
    const ends = known.length > 1 ? [known[0], known[known.length - 1]] : [];
    const [first, last] = ends.map((each) => `${this.#x(each.move)} ${BOTTOM}`);
    setAttribute(this.#line, "d", first ? `M${line}` : "");
    setAttribute(this.#area, "d", first ? `M${first}L${line}L${last}z` : "");
    setAttribute(this.#cursor, "d", `M${this.#x(current)} ${TOP}V${BOTTOM}`);
    this.#showMarks(known);
    this.#describe(known, current);
  }

  /** @param {GraphPoint[]} known */
  #showMarks(known) {
    this.#dots.begin();
    this.#mistakes.begin();
    for (const { move, winrate, mark } of known) {
      const place = `translate(${this.#x(move)} ${y(winrate ?? 0)})`;
      if (mark) {
        const made = this.#mistakes.next();
        setAttribute(made, "transform", place);
        setAttribute(made, "data-move", move);
        made.children[1].textContent = mark;
      } else if (known.length < 60) {
        setAttribute(this.#dots.next(), "transform", place);
      }
    }
    this.#dots.end();
    this.#mistakes.end();
  }

  /** @param {GraphPoint[]} known @param {number} current */
  #describe(known, current) {
    const here = known.find((each) => each.move === current);
    const text = STRINGS.graph.describe(known.length, here?.winrate ?? null);
    if (this.#title.textContent !== text) this.#title.textContent = text;
    setAttribute(this.element, "aria-label", text);
  }

  /** @param {number} move */
  #x(move) {
    return Number((LEFT + ((RIGHT - LEFT) * move) / this.#count).toFixed(1));
  }
}

/** @param {number} share */
function y(share) {
  return Number((BOTTOM - (BOTTOM - TOP) * share).toFixed(1));
}

function frame() {
  /** @type {Element[]} */
  const parts = [];
  for (const share of [0, 0.5, 1]) {
    parts.push(
      drawing("path", {
        class: share === 0.5 ? "axis" : "grid",
        d: `M${LEFT} ${y(share)}H${RIGHT}`,
      }),
      drawing(
        "text",
        { class: "graph-text", x: LEFT - 4, y: y(share) + 4, "text-anchor": "end" },
        `${100 * share}%`,
      ),
    );
  }
  parts.push(
    drawing(
      "text",
      {
        class: "graph-text",
        x: (LEFT + RIGHT) / 2,
        y: HEIGHT - 4,
        "text-anchor": "middle",
      },
      STRINGS.graph.caption,
    ),
  );
  return parts;
}

/** A diamond, so that mistakes also differ from other dots in shape. */
function mistake() {
  const made = drawing("g", { class: "mistake" });
  made.append(
    drawing("path", { class: "graph-mistake", d: "M0 -6L6 0L0 6L-6 0z" }),
    drawing("title"),
  );
  return made;
}

/** Buttons that step through the game. @param {(kind: string) => void} step */
function stepButtons(step) {
  const shapes = {
    first: "M4 3v10M13 3L6 8l7 5z",
    back: "M12 3L5 8l7 5z",
    on: "M4 3l7 5l-7 5z",
    last: "M12 3v10M3 3l7 5l-7 5z",
  };
  const row = make("div", {
    class: "steps host",
    role: "group",
    "aria-label": STRINGS.steps.label,
  });
  for (const [kind, d] of Object.entries(shapes)) {
    const icon = drawing("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" });
    icon.append(drawing("path", { d }));
    const name = STRINGS.steps[/** @type {keyof typeof shapes} */ (kind)];
    const made = make("button", {
      type: "button",
      "data-step": kind,
      "aria-label": name,
      title: name,
      click: () => step(kind),
    });
    made.append(icon);
    row.append(made);
  }
  return row;
}

/** @param {App} app @param {TreeNavigator} walk */
export function showGraph(app, walk) {
  const graph = new Graph((place) => walk.to(place));
  at("graph").append(graph.element, controls(app, walk));
  app.store.watch(["tree", "table", "analysis", "puzzle"], ({ tree, table, analysis, puzzle }) => {
    if (!tree?.line.includes(table?.node ?? -1) || !table) return; // the tree comes after the state
    const nodes = new Map(tree.nodes.map((each) => [each.id, each]));
    const points = tree.line.map((id, move) => {
      const node = nodes.get(id);
      const winrate =
        id === analysis?.node && analysis.visits ? analysis.black : (node?.black ?? null);
      const isBad = node && node.mark !== "" && node.mark !== "inaccuracy";
      return { move, winrate, mark: isBad ? STRINGS.tree.node(move, node) : "" };
    });
    // It would be help in a rated game and in a puzzle.
    const isHelp = (!table.unrated && !table.ended) || Boolean(puzzle?.given);
    const isEmpty = points.every(({ winrate }) => winrate === null);
    graph.element.toggleAttribute("hidden", isHelp || isEmpty);
    graph.show(points, tree.line.length - 1, tree.line.indexOf(table.node));
  });
}

/** Step buttons and autoplay. @param {App} app @param {TreeNavigator} walk */
function controls(app, walk) {
  const { autoplay } = STRINGS;
  const play = button(autoplay.start, () => walk.toggle(), { "data-action": "autoplay" });
  const pace = make(
    "select",
    {
      "aria-label": autoplay.pace,
      id: "pace",
      change: () => {
        walk.pace = Number(pace.value);
      },
    },
    ...PACES.map((each) => make("option", { value: each }, autoplay.seconds(each))),
  );
  pace.value = String(walk.pace);
  app.store.watch(["autoplay", "tree"], (state) => {
    play.disabled = !walk.hasMoves;
    setText(play, state.autoplay ? autoplay.stop : autoplay.start);
    play.setAttribute("aria-pressed", String(state.autoplay > 0));
  });
  const row = stepButtons((kind) => walk.step(/** @type {any} */ (kind)));
  row.append(play, pace);
  app.store.watch(["table"], () => {
    row.hidden = !app.can("go");
  });
  return row;
}
