// The review of a game: its mistakes, and the moves that are proven to lose.
import { button, make, setText } from "./dom.js";
import { percent } from "./overlays.js";
import { PuzzleFollower, puzzleList } from "./puzzles.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./actions.js").TreeNavigator} TreeNavigator */

const DEPTHS = [100, 500, 2000, 10_000];

/** @param {App} app @param {TreeNavigator} walk @returns {Node[]} */
export function reviewPanel(app, walk) {
  const { review } = STRINGS;
  const depth = make(
    "select",
    { id: "review-visits", "aria-label": review.depth },
    ...DEPTHS.map((visits) => make("option", { value: visits }, review.visits(visits))),
  );
  depth.value = "500";
  const isRunning = () => app.state.table?.tasks.includes("review") ?? false;
  const start = button(
    review.start,
    () => {
      if (isRunning()) app.send({ type: "stop", task: "review" });
      else startReview(app);
    },
    { "data-action": "review", id: "start-review" },
  );
  const bar = make("progress", { "aria-label": review.progress });
  const progress = make("p", { class: "note", id: "review-said", role: "status" });
  const worst = make("ol", { class: "worst", id: "mistakes", "aria-label": review.worst });
  const forced = make("ol", { class: "worst", id: "forced-losses", "aria-label": review.forced });
  const lost = make("div", {}, make("h3", {}, review.forced), forced);
  const mistakeSection = make(
    "div",
    { class: "found" },
    make("p", { class: "note" }, make("span", { class: "mistake-dot" }), review.legend),
    make("h3", {}, STRINGS.puzzles.title),
    puzzleList(app),
    make("h3", {}, review.worst),
    worst,
  );
  app.store.watch(["table", "review", "hello"], ({ review: latest }) => {
    setText(start, isRunning() ? review.stop : review.start);
    start.disabled = !isRunning() && !app.can("review");
    bar.hidden = !latest?.running;
    bar.max = latest?.total || 1;
    if (latest && latest.done < latest.total) bar.value = latest.done;
    else bar.removeAttribute("value"); // how long proofs take is not known
    setText(progress, latest ? review.said(latest) : review.intro);
  });
  app.store.watch(["review"], ({ review: latest }) => {
    const mistakes = latest?.worst ?? [];
    worst.replaceChildren(...mistakes.map((move) => make("li", {}, worstButton(app, walk, move))));
    const losses = latest?.forced ?? [];
    forced.replaceChildren(...losses.map((move) => make("li", {}, forcedButton(app, walk, move))));
    lost.hidden = !losses.length;
    mistakeSection.hidden = !mistakes.length;
  });
  new PuzzleFollower(app, depthChosen);
  const row = make("div", { class: "row" }, start, depth);
  return [
    make("section", {}, make("h2", {}, review.title), row, bar, progress, mistakeSection, lost),
  ];
}

const depthChosen = () =>
  Number(/** @type {HTMLSelectElement} */ (document.getElementById("review-visits")).value);

/** Reviews the game at the chosen depth. @param {App} app */
export function startReview(app) {
  app.send({ type: "ask-review", visits: depthChosen(), engine: app.state.engine });
}

/**
 * A button that goes to a mistake with the better line, which hovering shows at the mistake or before
 * it.
 * @param {App} app @param {TreeNavigator} walk @param {import("./messages.js").WorstMove} move
 */
function worstButton(app, walk, move) {
  const isOwn = app.state.review?.own.some(({ node }) => node === move.node);
  const line = isOwn ? [] : move.best; // a mistake of the visitor is a puzzle: no answer is shown
  const better = line.length ? make("span", { class: "note" }, STRINGS.review.better(move)) : "";
  return moveButton(
    app,
    walk,
    move.node,
    true,
    line,
    make("span", {}, STRINGS.review.move(move), better),
    make("strong", {}, `−${percent(move.loss)}%`),
  );
}

/**
 * A button that goes to a move that is proven to lose, with the opponent's win, which hovering shows
 * after that move.
 * @param {App} app @param {TreeNavigator} walk @param {import("./messages.js").ForcedMove} move
 */
function forcedButton(app, walk, move) {
  const sentence = make("span", {}, STRINGS.review.lost(move));
  return moveButton(app, walk, move.node, false, move.line, sentence);
}

/**
 * A button that goes to a move and keeps a line there, which hovering shows at its first position.
 * @param {App} app @param {TreeNavigator} walk @param {number} node
 * @param {boolean} isInstead of the move
 * @param {import("./messages.js").VariationMove[]} line @param {...HTMLElement} parts
 */
function moveButton(app, walk, node, isInstead, line, ...parts) {
  const show = () => {
    const { tree, table } = app.state;
    const move = tree?.nodes.find((each) => each.id === node);
    const isHere = table?.node === node || (isInstead && table?.node === move?.parent);
    if (isHere) app.preview(line);
  };
  return make(
    "button",
    {
      type: "button",
      "data-node": node,
      click: () => {
        app.keepLine(line, node);
        walk.go(node);
      },
      pointerenter: show,
      focus: show,
      pointerleave: () => app.preview(),
      blur: () => app.preview(),
    },
    ...parts,
  );
}
