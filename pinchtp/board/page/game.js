// The winrate graph, the game tree, and their navigation.
import { PACES } from "./actions.js";
import { at, button, drawing, make, ElementPool, setAttribute, setText } from "./dom.js";
import { LIMITS } from "./limits.js";
import { STRINGS } from "./strings.js";
import { displayedNode, TreePanel } from "./tree.js";
import { learnSection } from "./learn.js";
import { unratedReason } from "./turn.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").PageState} PageState */
/** @typedef {import("./actions.js").TreeNavigator} TreeNavigator */

// Black's winrate over the game, with mistakes marked. A click goes to a move.

const WIDTH = 400;
const HEIGHT = 110;
const LEFT = 34;
const RIGHT = 392;
const TOP = 6;
const BOTTOM = 92;

/** @typedef {{ move: number, winrate: number | null, mark: string }} GraphPoint
 *   winrate: Black's, from 0 to 1. mark: the description of a mistake, or empty. */

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

// The game panel: tree, current move and comment; above the tabs the winrate graph.

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

/**
 * Whether a node is in the main line, which follows the first move of each position.
 * @param {import("./messages.js").TreeNode[]} nodes @param {number} id
 */
function isMain(nodes, id) {
  /** @type {Map<number | null, number>} */
  const main = new Map();
  for (const each of nodes) if (!main.has(each.parent)) main.set(each.parent, each.id);
  let here = main.get(null);
  while (here !== undefined && here !== id) here = main.get(here);
  return here === id;
}

/**
 * The moves of the displayed line as text, each a button.
 * @param {App} app @param {TreeNavigator} walk
 */
function moveList(app, walk) {
  const list = make("ol", { id: "move-list", "aria-label": STRINGS.tree.list });
  const add = () => {
    const move = button("", () => walk.go(Number(move.dataset.node)));
    list.append(make("li", {}, move));
    return move;
  };
  app.store.watch(["tree"], ({ tree }) => {
    const nodes = new Map(tree?.nodes.map((each) => [each.id, each]));
    const known = list.querySelectorAll("button"); // kept, since one may have the focus
    let count = 0;
    for (const [number, id] of (tree?.line ?? []).entries()) {
      const node = nodes.get(id);
      if (!node?.move) continue;
      const move = known[count] ?? add();
      setAttribute(/** @type {Element} */ (move.parentElement), "class", node.color);
      setAttribute(move, "data-node", id);
      setAttribute(move, "title", STRINGS.tree.node(number, node));
      setText(move, STRINGS.tree.item(number, node));
      count += 1;
    }
    for (const rest of [...known].slice(count)) rest.parentElement?.remove();
    list.hidden = count === 0;
  });
  const reveal = () => {
    /** @type {HTMLElement | null} */
    const here = list.querySelector("[aria-current]");
    list.scrollTop = here ? here.offsetTop - list.clientHeight / 2 : 0;
  };
  new ResizeObserver(reveal).observe(list); // also when its tab is opened
  app.store.watch(["tree", "table"], ({ table }) => {
    let hasMoved = false;
    for (const each of list.querySelectorAll("button")) {
      each.disabled = !app.can("go");
      const isHere = each.dataset.node === String(table?.node);
      if (isHere === each.hasAttribute("aria-current")) continue;
      setAttribute(each, "aria-current", isHere ? "step" : null);
      hasMoved = true;
    }
    if (hasMoved) reveal();
  });
  return list;
}

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
class CommentField {
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

/** @param {App} app @param {TreeNavigator} walk @returns {Node[]} */
export function gamePanel(app, walk) {
  const tree = new TreePanel((node) => walk.go(node));
  const said = make("p", { class: "note", id: "move-text" });
  const unrated = make("p", { class: "note", id: "unrated" });
  const comment = new CommentField(app);
  const node = () => app.state.table?.node ?? 0;
  const promote = button(STRINGS.tree.promote, () => app.send({ type: "promote", node: node() }));
  const remove = button(STRINGS.tree.remove, () => app.deleteBranch(node()), { class: "danger" });
  app.store.watch(["tree"], (state) => {
    if (!state.tree) return;
    const isLine = state.tree.nodes.length === state.tree.line.length;
    tree.element.hidden = isLine; // the list has all moves
    if (!isLine) tree.show(state.tree);
  });
  app.store.watch(["tree", "table"], (state) => {
    const node = displayedNode(state);
    if (!node || !state.table) return;
    tree.mark(node.id);
    setText(said, STRINGS.tree.node(state.table.number, node));
    setText(unrated, unratedReason(state.table));
    remove.hidden = node.parent === null || !app.can("go");
    promote.hidden = state.tree === null || isMain(state.tree.nodes, node.id);
  });
  return [
    make(
      "section",
      {},
      make("h2", {}, STRINGS.tree.title),
      moveList(app, walk),
      tree.element,
      said,
      unrated,
      make("label", {}, STRINGS.tree.comment, comment.element),
      make("div", { class: "row host" }, promote, remove),
    ),
    learnSection(app),
  ];
}
