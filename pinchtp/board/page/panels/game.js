// The game: its tree, the move that is shown, and its comment; above the tabs the win-rate graph.
import { at, button, make, setText } from "../dom.js";
import { STRINGS } from "../strings.js";
import { Graph, stepButtons } from "./graph.js";
import { TreeView } from "./tree.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../app.js").PageState} PageState */
/** @typedef {import("../walk.js").Walk} Walk */

const PACES = [0.5, 1, 2, 5];

/** @param {App} app @param {Walk} walk */
export function showGraph(app, walk) {
  const graph = new Graph((place) => walk.to(place));
  at("graph").append(graph.element, controls(app, walk));
  app.store.watch(["tree", "table", "analysis"], ({ tree, table, analysis }) => {
    if (!tree || !table) return;
    const nodes = new Map(tree.nodes.map((each) => [each.id, each]));
    const points = tree.line.map((id, move) => {
      const node = nodes.get(id);
      const winrate = id === analysis?.node && analysis.visits ? analysis.black : node?.black ?? null;
      const isBad = node && node.mark !== "" && node.mark !== "inaccuracy";
      return { move, winrate, mark: isBad ? STRINGS.tree.node(move, node) : "" };
    });
    graph.show(points, tree.line.length - 1, tree.line.indexOf(table.node));
  });
}

/** Steps, and a game that plays itself. @param {App} app @param {Walk} walk */
function controls(app, walk) {
  const { autoplay } = STRINGS;
  const play = button(autoplay.start, () => walk.toggle(), { "data-action": "autoplay" });
  const pace = make("select", { "aria-label": autoplay.pace, id: "pace", change: () => { walk.pace = Number(pace.value); } },
    ...PACES.map((each) => make("option", { value: each }, autoplay.seconds(each))));
  pace.value = String(walk.pace);
  app.store.watch(["autoplay"], (state) => {
    setText(play, state.autoplay ? autoplay.stop : autoplay.start);
    play.setAttribute("aria-pressed", String(state.autoplay > 0));
  });
  const row = stepButtons((kind) => walk.step(/** @type {any} */ (kind)));
  row.append(play, pace);
  return row;
}

/**
 * Whether a node is in the main line, which follows the first move of each position.
 * @param {import("../messages.js").Node[]} nodes @param {number} id
 */
function isMain(nodes, id) {
  /** @type {Map<number | null, number>} */
  const main = new Map();
  for (const each of nodes) if (!main.has(each.parent)) main.set(each.parent, each.id);
  let here = main.get(null);
  while (here !== undefined && here !== id) here = main.get(here);
  return here === id;
}

/** @param {App} app @param {Walk} walk @returns {Node[]} */
export function gamePanel(app, walk) {
  const tree = new TreeView((node) => walk.go(node));
  const said = make("p", { class: "note", id: "move-text" });
  const comment = make("textarea", { rows: 3, id: "comment", maxlength: 100000, change: () => save() });
  const promote = button(STRINGS.tree.promote, () => ask("promote"));
  const remove = button(STRINGS.tree.remove, () => ask("delete"), { class: "danger" });
  let commented = -1; // the node whose comment is shown

  function save() {
    app.send({ type: "comment", node: commented, text: comment.value });
  }

  /** @param {"promote" | "delete"} type */
  function ask(type) {
    const { table } = app.state;
    if (table) app.send({ type, node: table.node });
  }

  app.store.watch(["tree"], (state) => { if (state.tree) tree.show(state.tree); });
  app.store.watch(["tree", "table"], (state) => {
    const node = state.tree?.nodes.find((each) => each.id === state.table?.node);
    if (!node || !state.table) return;
    tree.mark(node.id);
    setText(said, STRINGS.tree.node(state.table.number, node));
    const isWritten = document.activeElement === comment && commented === node.id;
    if (!isWritten && comment.value !== node.comment) comment.value = node.comment;
    commented = node.id;
    remove.disabled = node.parent === null;
    promote.disabled = state.tree === null || isMain(state.tree.nodes, node.id);
  });
  return [make("section", {},
    make("h2", {}, STRINGS.tree.title), tree.element, said,
    make("label", {}, STRINGS.tree.comment, comment),
    make("div", { class: "row" }, promote, remove))];
}
