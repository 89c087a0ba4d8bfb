// All keys, from the one list of actions.
import { openDialog } from "./dialog.js";
import { make } from "./dom.js";
import { STRINGS } from "./strings.js";

/** @param {import("./actions.js").Action[]} actions */
export function openShortcuts(actions) {
  const { shortcuts } = STRINGS.dialogs;
  const row = (/** @type {string} */ text, /** @type {string[]} */ keys) =>
    make(
      "div",
      {},
      make("dt", {}, text),
      make("dd", {}, ...keys.map((key) => make("kbd", {}, STRINGS.keys[key] ?? key))),
    );
  openDialog({
    id: "shortcuts-dialog",
    title: shortcuts.title,
    body: [
      make(
        "dl",
        { class: "shortcuts" },
        ...actions.filter((each) => each.keys.length).map(({ text, keys }) => row(text, keys)),
      ),
      make("h3", {}, shortcuts.onBoard),
      make(
        "dl",
        { class: "shortcuts" },
        ...shortcuts.board.map(([text, ...keys]) => row(text, keys)),
      ),
    ],
  });
}
