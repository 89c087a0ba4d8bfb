// Keys of the whole page. Where text is written, and in dialogs, they are the browser's.

/** @typedef {import("./actions.js").Action} Action */

/** @param {Action[]} actions */
export function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (target.closest("input:not([type=checkbox]), textarea, select, dialog")) return;
    // These press the button or link that has the focus.
    if ((event.key === " " || event.key === "Enter") && target.closest("button, a, summary, input, [role=gridcell]")) return;
    const wanted = actions.find((each) => each.keys.includes(event.key) && each.possible());
    if (!wanted) return;
    event.preventDefault();
    wanted.run();
  });
}
