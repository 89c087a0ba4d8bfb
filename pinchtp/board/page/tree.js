// The game tree: its layout and drawing. The column is the depth; each variation gets a lane that
// is free from its parent to its end.
import { drawing, make, setAttribute } from "./dom.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./messages.js").TreeView} TreeView */
/** @typedef {import("./messages.js").TreeNode} TreeNode */
/** @typedef {import("./app.js").PageState} PageState */
/** @typedef {{ id: number, column: number, lane: number, parent: Placed | null }} Placed */

/**
 * The displayed node; undefined before the tree has it.
 * @param {{ tree: PageState["tree"], table: PageState["table"] }} state
 */
export function displayedNode({ tree, table }) {
  return tree?.nodes.find((each) => each.id === table?.node);
}

/**
 * The moves from the start to a node, which identify it even if ids have changed.
 * @param {TreeNode[]} nodes @param {number} id
 */
export function pathTo(nodes, id) {
  const known = new Map(nodes.map((node) => [node.id, node]));
  const moves = [];
  for (let node = known.get(id); node && node.parent !== null; node = known.get(node.parent))
    moves.unshift(node.move);
  return moves;
}

/** The node that moves lead to, or undefined. @param {TreeNode[]} nodes @param {string[]} moves */
export function nodeAt(nodes, moves) {
  let here = nodes.find(({ parent }) => parent === null);
  for (const move of moves)
    here = nodes.find((node) => node.parent === here?.id && node.move === move);
  return here;
}

/**
 * @param {TreeNode[]} nodes parents before children; the first child continues the line
 * @returns {Map<number, Placed>}
 */
function layOut(nodes) {
  const children = childrenOf(nodes);
  /** @type {Map<number, Placed>} */
  const placed = new Map();
  /** @type {number[]} */
  const starts = []; // the first occupied column of each lane
  const root = nodes[0];
  if (!root) return placed;
  /** @type {{ id: number, parent: Placed | null }[]} */
  const open = [{ id: root.id, parent: null }];
  // Variations that branch off late are laid out first, so that lines do not cross.
  for (let next = open.pop(); next; next = open.pop()) {
    const line = lineFrom(next.id, children);
    const column = next.parent ? next.parent.column + 1 : 0;
    const lane = freeLane(starts, next.parent, column, line.length);
    let parent = next.parent;
    for (const [step, id] of line.entries()) {
      /** @type {Placed} */
      const here = { id, column: column + step, lane, parent };
      placed.set(id, here);
      parent = here;
      for (const other of (children.get(id) ?? []).slice(1).reverse())
        open.push({ id: other, parent: here });
    }
  }
  return placed;
}

/** @param {TreeNode[]} nodes */
function childrenOf(nodes) {
  /** @type {Map<number, number[]>} */
  const children = new Map();
  for (const { id, parent } of nodes) {
    if (parent === null) continue;
    const siblings = children.get(parent);
    if (siblings) siblings.push(id);
    else children.set(parent, [id]);
  }
  return children;
}

/**
 * A node, its first child, and so on.
 * @param {number} id @param {Map<number, number[]>} children
 */
function lineFrom(id, children) {
  const line = [id];
  for (let next = children.get(id)?.[0]; next !== undefined; next = children.get(next)?.[0])
    line.push(next);
  return line;
}

/**
 * The first free lane below the parent's. Lines are laid out from the right, so a lane is free if
 * its first occupied column is beyond the line.
 * @param {number[]} starts the first occupied column of each lane
 * @param {Placed | null} parent @param {number} column @param {number} length
 */
function freeLane(starts, parent, column, length) {
  let lane = parent ? parent.lane + 1 : 0;
  while ((starts[lane] ?? Infinity) <= column + length) lane += 1;
  for (let above = 0; above <= lane; above++) starts[above] ??= Infinity;
  starts[lane] = parent ? parent.column : 0;
  return lane;
}

// The drawing of the tree: moves from left to right, variations below; a click goes to a node.
const STEP = 34;
const LANE = 34;
const MARGIN = 22;
const RADIUS = 12;

export class TreePanel {
  #image = drawing("svg", { role: "img" });
  /** @type {Map<number, Element>} */ #nodes = new Map();
  /** @type {Map<number, Placed>} */ #placed = new Map();
  #here = drawing("circle", { class: "here", r: RADIUS + 3 });
  #current = -1; // the marked node

  /** @param {(node: number) => void} go */
  constructor(go) {
    this.element = make("div", {
      class: "tree",
      tabindex: 0,
      role: "region",
      "aria-label": STRINGS.tree.label,
    });
    this.element.append(this.#image);
    new ResizeObserver(() => this.mark(this.#current)).observe(this.element);
    this.#image.addEventListener("click", (event) => {
      const node = /** @type {Element} */ (event.target).closest("[data-node]");
      if (node) go(Number(node.getAttribute("data-node")));
    });
  }

  /** @param {TreeView} tree */
  show(tree) {
    const placed = (this.#placed = layOut(tree.nodes));
    const places = [...placed.values()];
    const width = 2 * MARGIN + STEP * Math.max(0, ...places.map((each) => each.column));
    const height = 2 * MARGIN + LANE * Math.max(0, ...places.map((each) => each.lane));
    for (const [key, value] of Object.entries({
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
    })) {
      setAttribute(this.#image, key, value);
    }
    setAttribute(this.#image, "aria-label", STRINGS.tree.describe(tree.nodes.length - 1));
    this.#nodes = new Map(tree.nodes.map((node) => [node.id, draw(node, placed.get(node.id))]));
    this.#image.replaceChildren(edges(places), ...this.#nodes.values());
  }

  /** Marks the current node, and scrolls to it. @param {number} node */
  mark(node) {
    this.#current = node;
    const element = this.#nodes.get(node);
    const place = this.#placed.get(node);
    if (!element || !place) return;
    element.prepend(this.#here);
    const [x, y] = spot(place);
    const { element: box } = this;
    if (x < box.scrollLeft + STEP || x > box.scrollLeft + box.clientWidth - STEP)
      box.scrollLeft = x - box.clientWidth / 2;
    if (y < box.scrollTop + MARGIN || y > box.scrollTop + box.clientHeight - MARGIN)
      box.scrollTop = y - box.clientHeight / 2;
  }
}

/** @param {Placed} place @returns {[number, number]} */
const spot = ({ column, lane }) => [MARGIN + STEP * column, MARGIN + LANE * lane];

/** All edges as one path. @param {Placed[]} places */
function edges(places) {
  let path = "";
  for (const each of places) {
    if (!each.parent) continue;
    const [x1, y1] = spot(each.parent);
    const [x2, y2] = spot(each);
    path +=
      y1 === y2
        ? `M${x1} ${y1}H${x2}`
        : `M${x1} ${y1}V${y2 - STEP / 2}L${Math.min(x1 + STEP / 2, x2)} ${y2}H${x2}`;
  }
  return drawing("path", { class: "edge", d: path });
}

/** @param {TreeNode} node @param {Placed | undefined} place */
function draw(node, place) {
  const [x, y] = place ? spot(place) : [0, 0];
  const number = place?.column ?? 0;
  const made = drawing("g", {
    class: `node ${node.color ?? "root"}`,
    "data-node": node.id,
    transform: `translate(${x} ${y})`,
  });
  made.append(
    drawing("circle", { r: RADIUS }),
    drawing("text", { y: 3.5 }, number || "·"),
    drawing("title", {}, STRINGS.tree.node(number, node)),
  );
  if (node.comment)
    made.append(drawing("circle", { class: "said", r: 4, cx: RADIUS - 2, cy: -RADIUS + 2 }));
  if (node.mark)
    made.append(drawing("path", { class: "bad", d: `M${-RADIUS} ${-RADIUS + 5}l4 -7l4 7z` }));
  return made;
}
