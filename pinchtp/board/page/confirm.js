// Actions that are confirmed in a dialog: a losing pass, a resignation, help in a rated game.
import { openDialog } from "./dialog.js";
import { make } from "./dom.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */

/** Passes; confirms a pass that loses the game. @param {App} app */
export function pass(app) {
  if (!app.state.table?.legal.pass_loses) {
    app.play({ type: "pass" });
    return;
  }
  const { title, text } = STRINGS.dialogs.pass;
  openDialog({
    id: "pass-dialog",
    title,
    submit: STRINGS.actions.pass,
    body: [make("p", {}, text)],
    answer: () => app.server.change({ type: "pass" }),
  });
}

/** Confirms an action that makes the game unrated. @param {import("./actions.js").Action} action */
export function openUnrate({ text, run }) {
  const { unrate } = STRINGS.dialogs;
  openDialog({
    id: "unrate-dialog",
    title: unrate.title,
    submit: text,
    body: [make("p", {}, unrate.text)],
    answer: () => {
      run();
    },
  });
}

/** Confirms a resignation. @param {App} app */
export function openResign(app) {
  openDialog({
    id: "resign-dialog",
    title: STRINGS.dialogs.resign,
    submit: STRINGS.actions.resign,
    body: [],
    answer: () => app.server.change({ type: "resign" }),
  });
}
