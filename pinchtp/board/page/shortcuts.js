// All keys, from the one list of actions.
import { isAllowed } from "./actions.js";
import { openDialog } from "./dialog.js";
import { make } from "./dom.js";
import { STRINGS } from "./strings.js";

/**
 * The keys of the host, or of a guest.
 * @param {import("./app.js").App} app @param {import("./actions.js").Action[]} actions
 */
export function openShortcuts(app, actions) {
  const shown = actions.filter(({ id, keys }) => keys.length && isAllowed(id, app.state.table));
  const { shortcuts } = STRINGS.dialogs;
  const row = (/** @type {string} */ text, /** @type {string[]} */ keys) =>
    make(
      "div",
      {},
      make("dt", {}, text),
      make("dd", {}, ...keys.map((key) => make("kbd", {}, STRINGS.keyName(key)))),
    );
  openDialog({
    id: "shortcuts-dialog",
    title: shortcuts.title,
    body: [
      make("dl", { class: "shortcuts" }, ...shown.map(({ text, keys }) => row(text, keys))),
      make("h3", {}, shortcuts.onBoard),
      make(
        "dl",
        { class: "shortcuts" },
        ...shortcuts.board.map(([text, ...keys]) => row(text, keys)),
      ),
    ],
  });
}
