// Actions of buttons and keys, each defined once: name, keys, and when it is possible.
import { startReview } from "./review.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./tree_navigator.js").TreeNavigator} TreeNavigator */

/**
 * @typedef {object} Action
 * @property {string} id
 * @property {string} text
 * @property {string[]} keys as KeyboardEvent.key; none: by button only
 * @property {() => boolean} possible
 * @property {() => void} run
 */

/** @type {() => boolean} */
const always = () => true;

/** @type {(id: string, keys: string[], possible: () => boolean, run: () => void) => Action} */
function action(id, keys, possible, run) {
  const texts = /** @type {{ [id: string]: string }} */ (STRINGS.actions);
  return { id, text: texts[id], keys, possible, run };
}

/**
 * An action that the server allows by its id.
 * @param {App} app @param {string} id @param {string[]} keys @param {() => void} run
 */
const request = (app, id, keys, run) => action(id, keys, () => app.can(id), run);

/**
 * @param {App} app
 * @param {{ board: import("./board_panel.js").BoardPanel, walk: TreeNavigator,
 *   open: (panel: string) => void, dialogs: { [name: string]: () => void } }} parts
 * @returns {Action[]}
 */
export function makeActions(app, { board, walk, open, dialogs }) {
  const all = [
    action("new", ["n"], always, dialogs.newGame),
    ...gameActions(app, dialogs),
    ...treeActions(app, walk),
    action("captures", ["c"], always, () => board.repeat()),
    action("board", ["b"], always, () => board.focus()),
    ...engineActions(app, open),
    ...menuActions(open, dialogs),
  ];
  const isMine = (/** @type {string} */ id) => isAllowed(id, app.state.table);
  return all.map((each) => ({ ...each, possible: () => isMine(each.id) && each.possible() }));
}

const WATCHER_ACTIONS = ["captures", "board", "save", "rules", "settings", "shortcuts"];
const PLAYER_ACTIONS = [
  "swap",
  "pass",
  "undo",
  "resign",
  "rematch",
  "cancel",
  "players",
  ...WATCHER_ACTIONS,
];

/**
 * Whether an action is for the visitor: the host, a friend, or a watcher.
 * @param {string} id @param {import("./app.js").Table | null} table
 */
export function isAllowed(id, table) {
  if (!table?.guest) return true;
  return (table.seat === "watch" ? WATCHER_ACTIONS : PLAYER_ACTIONS).includes(id);
}

/**
 * Moves and the course of the game.
 * @param {App} app @param {{ [name: string]: () => void }} dialogs
 */
function gameActions(app, dialogs) {
  return [
    request(app, "undo", ["u"], () => app.send({ type: "undo" })),
    request(app, "hint", ["h"], () => app.send({ type: "ask-hint", engine: app.state.engine })),
    request(app, "swap", ["s"], () => app.play({ type: "swap" })),
    request(app, "pass", [], dialogs.pass),
    request(app, "resign", ["r"], dialogs.resign),
    request(app, "rematch", ["m"], () => app.send({ type: "rematch" })),
    request(app, "think", ["t"], () => app.send({ type: "think", engine: app.state.engine })),
    request(app, "pause", ["."], () => app.send({ type: "pause" })),
    request(app, "resume", ["."], () => app.send({ type: "resume" })),
    action(
      "cancel",
      ["Escape"],
      () => (app.state.table?.chosen.length ?? 0) > 0,
      () => app.send({ type: "cancel" }),
    ),
    action("players", ["p"], () => !app.state.table?.puzzle, dialogs.players),
  ];
}

/** Navigation of the game tree. @param {App} app @param {TreeNavigator} walk */
function treeActions(app, walk) {
  const canGo = () => app.can("go");
  return [
    action("back", ["ArrowLeft"], canGo, () => walk.step("back")),
    action("on", ["ArrowRight"], canGo, () => walk.step("on")),
    action("first", ["Home"], canGo, () => walk.step("first")),
    action("last", ["End"], canGo, () => walk.step("last")),
    action("previous", ["ArrowUp"], canGo, () => walk.sibling(-1)),
    action("next", ["ArrowDown"], canGo, () => walk.sibling(1)),
    // In a timed game a slip would go to the start, and pause the game.
    action(
      "autoplay",
      [" "],
      () => canGo() && !walk.isTimed,
      () => walk.toggle(),
    ),
  ];
}

/**
 * Analyses and reviews.
 * @param {App} app @param {(panel: string) => void} open
 */
function engineActions(app, open) {
  return [
    action(
      "analyze",
      ["a"],
      () => app.can("analyze") || app.state.analyzing,
      () => app.analyze(!app.state.analyzing),
    ),
    action("draw", ["o"], always, () => {
      open("analysis");
      document.getElementById("drawn")?.focus();
    }),
    action(
      "to-review",
      [],
      () => {
        const { table, puzzle } = app.state;
        return table?.result !== null && !puzzle && app.can("review");
      },
      () => {
        open("review");
        document.getElementById("start-review")?.scrollIntoView();
        startReview(app);
      },
    ),
  ];
}

/**
 * Dialogs and the console.
 * @param {(panel: string) => void} open @param {{ [name: string]: () => void }} dialogs
 */
function menuActions(open, dialogs) {
  return [
    action("setup", ["e"], always, dialogs.setUp),
    action("invite", ["v"], always, dialogs.invite),
    action("library", ["y"], always, dialogs.library),
    action("load", ["l"], always, dialogs.load),
    action("save", ["d"], always, dialogs.save),
    action("puzzles", ["q"], always, dialogs.puzzles),
    action("rules", ["i"], always, dialogs.rules),
    action("console", ["g"], always, () => {
      open("console");
      document.getElementById("gtp")?.focus();
    }),
    action("settings", [","], always, dialogs.settings),
    action("shortcuts", ["?"], always, dialogs.shortcuts),
  ];
}
