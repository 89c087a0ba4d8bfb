// The review of a game: its mistakes, and the moves that are proven to lose.
import { isBarred } from "./analysis.js";
import { button, make, setText } from "./dom.js";
import { percent } from "./overlays.js";
import { PuzzleFollower, puzzleList } from "./puzzles.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./tree_navigator.js").TreeNavigator} TreeNavigator */

const DEPTHS = [100, 500, 2000, 10_000];

/** @param {App} app @param {TreeNavigator} walk @returns {Node[]} */
export function reviewPanel(app, walk) {
  new PuzzleFollower(app, depthChosen);
  return [
    make(
      "section",
      {},
      make("h2", {}, STRINGS.review.title),
      startRow(app),
      ...progressPart(app),
      mistakePart(app, walk),
      forcedPart(app, walk),
    ),
  ];
}

/** Starts or stops a review of the chosen depth. @param {App} app */
function startRow(app) {
  const { review } = STRINGS;
  const depth = make(
    "select",
    { id: "review-visits", "aria-label": review.depth },
    ...DEPTHS.map((visits) => make("option", { value: visits }, review.visits(visits))),
  );
  depth.value = "500";
  const start = button(
    review.start,
    () => {
      if (app.isRunning("review")) app.send({ type: "stop", task: "review" });
      else startReview(app);
    },
    { "data-action": "review", id: "start-review" },
  );
  app.store.watch(["table", "hello"], () => {
    setText(start, app.isRunning("review") ? review.stop : review.start);
    start.disabled = !app.isRunning("review") && !app.can("review");
  });
  return make("div", { class: "row" }, start, depth);
}

/** How far the review is. @param {App} app */
function progressPart(app) {
  const { review } = STRINGS;
  const bar = make("progress", { "aria-label": review.progress });
  const said = make("p", { class: "note", id: "review-said", role: "status" });
  app.store.watch(["review", "table"], ({ review: found }) => {
    // A lost connection ends a review that is running.
    const latest = found?.running && !app.isRunning("review") ? null : found;
    bar.hidden = !latest?.running;
    bar.max = latest?.total || 1;
    if (latest && latest.done < latest.total) bar.value = latest.done;
    else bar.removeAttribute("value"); // how long proofs take is not known
    const nothing = isBarred(app) ? STRINGS.analysis.barred : review.intro;
    setText(said, latest ? review.said(latest) : nothing);
  });
  return [bar, said];
}

/** The mistakes, and the visitor's own as puzzles. @param {App} app @param {TreeNavigator} walk */
function mistakePart(app, walk) {
  const { review, puzzles } = STRINGS;
  const worst = make("ol", { class: "worst", id: "mistakes", "aria-label": review.worst });
  const made = make(
    "div",
    { class: "found" },
    make("p", { class: "note" }, make("span", { class: "mistake-dot" }), review.legend),
    make("h3", {}, puzzles.title),
    puzzleList(app),
    make("h3", {}, review.worst),
    worst,
  );
  app.store.watch(["review"], ({ review: latest }) => {
    const mistakes = latest?.worst ?? [];
    worst.replaceChildren(...mistakes.map((move) => make("li", {}, worstButton(app, walk, move))));
    made.hidden = !mistakes.length;
  });
  return made;
}

/** The moves that are proven to lose. @param {App} app @param {TreeNavigator} walk */
function forcedPart(app, walk) {
  const { review } = STRINGS;
  const list = make("ol", { class: "worst", id: "forced-losses", "aria-label": review.forced });
  const made = make("div", {}, make("h3", {}, review.forced), list);
  app.store.watch(["review"], ({ review: latest }) => {
    const losses = latest?.forced ?? [];
    list.replaceChildren(...losses.map((move) => make("li", {}, forcedButton(app, walk, move))));
    made.hidden = !losses.length;
  });
  return made;
}

const depthChosen = () =>
  Number(/** @type {HTMLSelectElement} */ (document.getElementById("review-visits")).value);

/** Reviews the game at the chosen depth. @param {App} app */
export function startReview(app) {
  app.send({ type: "ask-review", visits: depthChosen(), engine: app.state.engine });
}

/**
 * A button that goes to a mistake with the better line, which hovering shows at the mistake or
 * before it.
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
 * A button that goes to a move that is proven to lose, with the opponent's win, which hovering
 * shows after that move.
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
