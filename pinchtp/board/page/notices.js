// Notices over the page. Each has its own element, so that new ones do not take its focus.
import { at, button, make, setText } from "./dom.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").ShownNotice} ShownNotice */

const BRIEFLY = 6000; // milliseconds that an `info` is shown, unless it asks something
const AGAIN = 1000; // milliseconds between looks whether it is still in use

/** @param {App} app */
export function showNotices(app) {
  /** @type {Map<number, HTMLElement>} */
  const shown = new Map();
  const list = at("notices");
  list.replaceChildren(); // what index.html says without scripts
  app.store.watch(["notices"], ({ notices }) => {
    for (const [id, element] of shown) {
      if (notices.some((each) => each.id === id)) continue;
      element.remove();
      shown.delete(id);
    }
    for (const each of notices) {
      if (shown.has(each.id)) continue;
      const made = element(app, each);
      shown.set(each.id, made);
      list.append(made);
    }
    // A small screen shows only the last one, with the number of those behind it.
    const counts = [...list.querySelectorAll(".more")];
    const last = counts.pop();
    for (const each of counts) setText(each, "");
    if (last) setText(last, counts.length ? STRINGS.moreNotices(counts.length) : "");
  });
}

/** @param {App} app @param {ShownNotice} notice */
function element(app, { id, level, text, actions = [], dismiss }) {
  const isInfo = level === "info";
  const close = () => {
    app.forget(id);
    dismiss?.();
  };
  const made = make(
    "div",
    { class: `notice ${isInfo ? "" : "bad"}`, "data-level": level },
    make(
      "p",
      {},
      isInfo ? text : `${STRINGS.levels[level] ?? ""} ${text}`,
      " ",
      make("span", { class: "more" }),
    ),
    ...actions.map(({ text, run }) => button(text, run)),
    button("✕", close, { "aria-label": STRINGS.dismiss }),
  );
  const expire = () => {
    if (made.matches(":hover, :focus-within")) setTimeout(expire, AGAIN);
    else app.forget(id);
  };
  if (isInfo && !dismiss) setTimeout(expire, BRIEFLY);
  return made;
}
