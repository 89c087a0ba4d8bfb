// The worst moves of each person: a click asks for a better one on the board, which the engine judges.
import { button, make, setText } from "./dom.js";
import { percent } from "./overlays.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./messages.js").WorstMove} WorstMove */

/**
 * @param {import("./app.js").App} app @param {import("./actions.js").TreeNavigator} walk
 * @param {() => number} visits for the engine's judgement
 */
export function lessonsPart(app, walk, visits) {
  const { lessons } = STRINGS, list = make("ol", { class: "worst", id: "own-worst", "aria-label": lessons.title });
  const said = make("p", { id: "lesson", role: "status" });
  /** The mistake to improve. @type {WorstMove | null} */ let lesson = null;
  let start = -1, asked = -1, isAnswered = false; // start: the node before the mistake

  const begin = (/** @type {boolean} */ answer) => {
    isAnswered = answer;
    app.store.set({ variation: [] });
    if (app.state.table?.node === start) show();
    else walk.go(start);
  };
  const row = make("div", { class: "row" }, button(lessons.again, () => begin(false)), button(lessons.answer, () => begin(true)));

  function show() {
    const { tree, table, review } = app.state, here = tree?.nodes.find((each) => each.id === table?.node);
    if (!review) lesson = null;
    said.hidden = row.hidden = !lesson;
    if (!lesson || !here) return;
    const isTry = here.parent === start && here.id !== lesson.node, isAnswer = isAnswered && here.id === start;
    if (isTry && here.loss === null && asked !== here.id) {
      asked = here.id;
      app.send({ type: "judge-move", visits: visits(), engine: app.state.engine });
    }
    setText(said, isAnswer ? lessons.line(lesson) : isTry ? lessons.tried(here, lesson) : lessons.find(lesson));
    if (isAnswer) app.store.set({ variation: lesson.best });
  }

  app.store.watch(["review"], ({ review }) => {
    list.replaceChildren(...(review?.own ?? []).map((each) => make("li", {}, make("button", {
      type: "button", "data-node": each.node, click: () => {
        lesson = { ...each, best: each.best.slice(0, 6) }; // more would fill the board
        start = app.state.tree?.nodes.find(({ id }) => id === each.node)?.parent ?? -1;
        begin(false);
      },
    }, make("span", {}, lessons.task(each)), make("strong", {}, `−${percent(each.loss)}%`)))));
  });
  app.store.watch(["tree", "table", "review"], show);
  return make("div", {}, list, said, row);
}
