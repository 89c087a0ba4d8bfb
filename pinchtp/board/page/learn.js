// The teacher, and the rating of the visitor.
import { make, setText } from "./dom.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */

/** The teacher, the rating and the adaptive level. @param {App} app */
export function learnSection(app) {
  const { learn } = STRINGS;
  const teach = make("input", {
    type: "checkbox",
    role: "switch",
    id: "teach",
    change: () => app.send({ type: "set-options", teach: teach.checked }),
  });
  const rating = make("p", { id: "rating" });
  const adaptive = make("p", { class: "note", id: "adaptive" });
  app.store.watch(["table"], ({ table }) => {
    if (!table) return;
    teach.checked = table.teach;
    setText(rating, learn.rating(table.rating));
    setText(adaptive, learn.adaptive(table.rating));
    const { black, white } = table.players;
    adaptive.hidden = !black.level.adaptive && !white.level.adaptive;
  });
  return make(
    "section",
    { class: "host" },
    make("h2", {}, learn.title),
    make("label", { class: "switch" }, teach, learn.teach),
    make("p", { class: "note" }, learn.explain),
    rating,
    adaptive,
  );
}
