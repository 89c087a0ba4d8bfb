// The review of a whole game, teaching while one plays, and the visitor's rating.
import { button, make, setText } from "../dom.js";
import { percent } from "../board/drawings.js";
import { STRINGS } from "../strings.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../walk.js").Walk} Walk */

const DEPTHS = [100, 500, 2000, 10_000];

/** @param {App} app @param {Walk} walk @returns {Node[]} */
export function reviewPanel(app, walk) {
  return [reviewSection(app, walk), learnSection(app)];
}

/** @param {App} app @param {Walk} walk */
function reviewSection(app, walk) {
  const { review } = STRINGS;
  const depth = make("select", { id: "review-visits", "aria-label": review.depth },
    ...DEPTHS.map((each) => make("option", { value: each }, review.visits(each))));
  depth.value = "500";
  const isRunning = () => app.state.table?.tasks.includes("review") ?? false;
  const start = button(review.start, () => app.send(isRunning() ? { type: "stop", task: "review" }
    : { type: "ask-review", visits: Number(depth.value), engine: app.state.engine }), { "data-action": "review", id: "start-review" });
  const bar = make("progress", { "aria-label": review.progress });
  const said = make("p", { class: "note", id: "review-said", role: "status" });
  const worst = make("ol", { class: "worst", "aria-label": review.worst });
  app.store.watch(["table", "review", "hello"], ({ review: found }) => {
    setText(start, isRunning() ? review.stop : review.start);
    start.disabled = !isRunning() && !app.can("review");
    bar.hidden = !found?.running;
    bar.max = found?.total || 1;
    bar.value = found?.done ?? 0;
    setText(said, found ? review.said(found) : review.intro);
  });
  app.store.watch(["review"], ({ review: found }) => {
    worst.replaceChildren(...(found?.worst ?? []).map((each) => make("li", {}, worstButton(app, walk, each))));
  });
  return make("section", {}, make("h2", {}, review.title), make("div", { class: "row" }, start, depth), bar, said, worst);
}

/** Goes to a bad move; below the pointer it shows what was better. @param {App} app @param {Walk} walk @param {import("../messages.js").WorstMove} move */
function worstButton(app, walk, move) {
  const better = () => app.store.set({ variation: move.best });
  return make("button", {
    type: "button", "data-node": move.node, click: () => walk.go(move.node),
    pointerenter: better, focus: better, pointerleave: () => app.store.set({ variation: [] }),
  }, make("span", {}, STRINGS.review.move(move)), make("strong", {}, `−${percent(move.loss)}%`));
}

/** @param {App} app */
function learnSection(app) {
  const { learn } = STRINGS;
  const teach = make("input", {
    type: "checkbox", role: "switch", id: "teach",
    change: () => app.send({ type: "set-options", teach: teach.checked }),
  });
  const rating = make("p", { id: "rating" }), adaptive = make("p", { class: "note", id: "adaptive" });
  app.store.watch(["table"], ({ table }) => {
    if (!table) return;
    teach.checked = table.teach;
    setText(rating, learn.rating(table.rating));
    setText(adaptive, learn.adaptive(table.rating));
  });
  return make("section", {}, make("h2", {}, learn.title),
    make("label", { class: "switch" }, teach, learn.teach), make("p", { class: "note" }, learn.explain), rating, adaptive);
}
