// Everything that can be done by a button or a key, once: its name, its keys, when it makes sense.
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */

/**
 * @typedef {object} Action
 * @property {string} id
 * @property {string} text
 * @property {string[]} keys as KeyboardEvent.key; none: by button only
 * @property {() => boolean} possible
 * @property {() => void} run
 */

/**
 * @param {App} app
 * @param {{ board: import("./board/view.js").BoardView, walk: import("./walk.js").Walk,
 *   open: (panel: string) => void, dialogs: { [name: string]: () => void } }} parts
 * @returns {Action[]}
 */
export function makeActions(app, { board, walk, open, dialogs }) {
  const texts = /** @type {{ [id: string]: string }} */ (STRINGS.actions);
  const always = () => true;
  /** @type {(id: string, keys: string[], possible: () => boolean, run: () => void) => Action} */
  const action = (id, keys, possible, run) => ({ id, text: texts[id], keys, possible, run });
  /** @type {(id: string, keys: string[], request: any) => Action} */
  const request = (id, keys, message) => action(id, keys, () => app.can(id), () => { app.send(message); });
  return [
    action("new", ["n"], always, dialogs.newGame),
    request("undo", ["u"], { type: "undo" }),
    action("hint", ["h"], () => app.can("hint"), () => app.send({ type: "ask-hint", engine: app.state.engine })),
    request("swap", ["s"], { type: "swap" }),
    request("pass", [], { type: "pass" }),
    action("resign", ["r"], () => app.can("resign"), dialogs.resign),
    action("rematch", ["m"], () => app.can("rematch"), () => app.send({ type: "rematch", exchange: true })),
    action("think", ["t"], () => app.can("think"), () => app.send({ type: "think", engine: app.state.engine })),
    request("pause", ["."], { type: "pause" }),
    request("resume", ["."], { type: "resume" }),
    action("cancel", ["Escape"], () => (app.state.table?.chosen.length ?? 0) > 0, () => app.send({ type: "cancel" })),
    action("players", ["p"], always, dialogs.players),
    action("back", ["ArrowLeft"], always, () => walk.step("back")),
    action("on", ["ArrowRight"], always, () => walk.step("on")),
    action("first", ["Home"], always, () => walk.step("first")),
    action("last", ["End"], always, () => walk.step("last")),
    action("previous", ["ArrowUp"], always, () => walk.sibling(-1)),
    action("next", ["ArrowDown"], always, () => walk.sibling(1)),
    action("autoplay", [" "], always, () => walk.toggle()),
    action("captures", ["c"], always, () => board.repeat()),
    action("board", ["b"], always, () => board.focus()),
    action("analyze", ["a"], () => app.can("analyze") || app.state.analyzing, () => app.analyze(!app.state.analyzing)),
    action("draw", ["o"], always, () => { open("analysis"); document.getElementById("drawn")?.focus(); }),
    action("to-review", [], () => app.state.table?.result !== null && app.can("review"), () => { open("review"); document.getElementById("start-review")?.focus(); }),
    action("setup", ["e"], always, dialogs.setUp),
    action("load", ["l"], always, dialogs.load),
    action("save", ["d"], always, dialogs.save),
    action("rules", ["i"], always, dialogs.rules),
    action("console", ["g"], always, () => { open("console"); document.getElementById("gtp")?.focus(); }),
    action("shortcuts", ["?"], always, dialogs.shortcuts),
  ];
}
