// The game panel: tree, move list and comment.
import { CommentField } from "./comment.js";
import { button, make, setAttribute, setText } from "./dom.js";
import { learnSection } from "./learn.js";
import { STRINGS } from "./strings.js";
import { displayedNode, TreePanel } from "./tree.js";
import { unratedReason } from "./turn.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./tree_navigator.js").TreeNavigator} TreeNavigator */

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
