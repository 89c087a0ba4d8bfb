// Assembles the page: panels, keys, color themes, announcements and idle detection.
import { makeActions } from "./actions.js";
import { analysisPanel } from "./analysis.js";
import { App } from "./app.js";
import { BoardPanel } from "./board_panel.js";
import { homeAddress } from "./connection.js";
import { openResign, openUnrate, pass } from "./confirm.js";
import { consolePanel } from "./console.js";
import { at, setAttribute, setText } from "./dom.js";
import { gamePanel } from "./game.js";
import { showGraph } from "./graph.js";
import { openInvite, showUndoRequests } from "./invite.js";
import { openLibrary } from "./library.js";
import { openLinked, openLoad, takeDropsAndPastes } from "./load.js";
import { openNewGame, openPlayers } from "./new_game.js";
import { showNotices } from "./notices.js";
import { showPlayers } from "./players.js";
import { reviewPanel } from "./review.js";
import { openRules } from "./rules.js";
import { openSave } from "./save.js";
import { openSetUp } from "./set_up.js";
import { openSettings } from "./settings.js";
import { openShortcuts } from "./shortcuts.js";
import { STRINGS } from "./strings.js";
import { Tabs } from "./tabs.js";
import { TreeNavigator } from "./tree_navigator.js";
import { actionButton, ownColor, showTurn } from "./turn.js";

/** @typedef {import("./actions.js").Action} Action */

const MENU = [
  "new",
  "players",
  "puzzles",
  "rules",
  "setup",
  "invite",
  "library",
  "load",
  "save",
  "settings",
  "shortcuts",
];
const SCROLLING = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End", " "];
const UNRATING = ["undo", "hint", "think", "analyze"]; // a slip of a key would cost the rating
const EVERY = 60_000; // milliseconds between reports of input

const app = new App();
app.server.open();
const walk = new TreeNavigator(app);
const board = new BoardPanel(app);
showPlayers(app);
showNotices(app);
showUndoRequests(app);
showGraph(app, walk);
const { tabs } = STRINGS;
const panels = new Tabs([
  { id: "game", title: tabs.game, content: gamePanel(app, walk) },
  { id: "analysis", title: tabs.analysis, content: analysisPanel(app) },
  { id: "review", title: tabs.review, content: reviewPanel(app, walk) },
  { id: "console", title: tabs.console, content: consolePanel(app) },
]);
const actions = makeActions(app, {
  board,
  walk,
  open: (id) => panels.open(id),
  dialogs: {
    newGame: () => openNewGame(app),
    players: () => openPlayers(app),
    rules: () => openRules(app),
    puzzles: () => import("./puzzle_set.js").then(({ openPuzzles }) => openPuzzles(app)),
    setUp: () => openSetUp(app),
    invite: () => openInvite(app),
    library: () => openLibrary(app),
    load: () => openLoad(app),
    save: () => openSave(app),
    resign: () => openResign(app),
    pass: () => pass(app),
    shortcuts: () => openShortcuts(app, actions),
    settings: () => openSettings(() => board.fit()),
  },
});
showTurn(app, actions);
showMenu(actions);
collapseMenu();
showTitle();
announceMoves();
listenToKeys(actions);
takeDropsAndPastes(app);
openLinked(app);
reportPresence();

/** Shows the game in the heading and the window's title, and the state of the connection. */
function showTitle() {
  app.store.watch(["hello", "table"], ({ hello, table }) => {
    const game = hello?.games.find((each) => each.name === table?.game);
    if (!game || !table) return;
    const { width, height } = table.board;
    setText(at("game-title"), game.title);
    setAttribute(at("game-title"), "title", game.title); // it may be cut
    setText(at("board-size"), STRINGS.size(width, height));
    const isOwnTurn = !table.result && !table.ended && ownColor(table) === table.to_move;
    document.title = [
      ...(isOwnTurn ? [STRINGS.turn.own] : []),
      STRINGS.title(game.title, width, height),
      "pinchtp",
    ].join(" · ");
  });
  app.store.watch(["connection", "table"], ({ connection, table }) => {
    const isUnsaved = table?.saved === false && !table.guest;
    const text = STRINGS.connection[connection] || (isUnsaved ? STRINGS.connection.unsaved : "");
    setText(at("connection"), text);
    at("connection").classList.toggle("lost", text !== "" && connection !== "connecting");
  });
  app.store.watch(["connection"], ({ connection }) => {
    if (connection !== "lost" || app.server.lastMessage) return;
    app.notify("error", STRINGS.connection.never(homeAddress().replace(/\/$/, "")));
  });
}

/** The actions of the menu; a guest sees those that he may use. @param {Action[]} actions */
function showMenu(actions) {
  const all = MENU.flatMap((id) => actions.filter((each) => each.id === id));
  const buttons = all.map((each) => actionButton(each));
  at("menu").append(...buttons);
  app.store.watch(["table"], ({ table }) => {
    setAttribute(document.documentElement, "data-guest", table?.guest);
    buttons.forEach((each, number) => {
      each.hidden = !all[number].possible();
    });
  });
}

/** A button that opens the menu on small screens; a click anywhere closes it. */
function collapseMenu() {
  const toggle = at("menu-button");
  const menu = at("menu");
  toggle.append("☰");
  setAttribute(toggle, "aria-label", STRINGS.menu);
  const open = (/** @type {boolean} */ isOpen) => {
    menu.classList.toggle("open", isOpen);
    setAttribute(toggle, "aria-expanded", isOpen);
  };
  // The focus leaves an item before it is hidden: a dialog gives it back to the button.
  menu.addEventListener(
    "click",
    () => {
      if (toggle.checkVisibility()) toggle.focus();
    },
    true,
  );
  document.addEventListener("click", ({ target }) =>
    open(target === toggle && !menu.classList.contains("open")),
  );
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") open(false);
  });
}

/**
 * Keyboard shortcuts of the page, except in text fields and dialogs.
 * @param {Action[]} actions
 */
function listenToKeys(actions) {
  document.addEventListener("keydown", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return; // whose focus may be lost
    if (target.closest("input:not([type=checkbox]), textarea, select")) return;
    if (target.closest("[role=log]") && SCROLLING.includes(event.key)) return;
    // These activate the focused button or link.
    if (
      (event.key === " " || event.key === "Enter") &&
      target.closest("button, a, summary, input, [role=gridcell]")
    )
      return;
    const key = keyOf(event);
    const wanted = actions.find((each) => each.keys.includes(key) && each.possible());
    if (!wanted) return;
    event.preventDefault();
    const isStep = wanted.id === "undo" && app.state.table?.chosen.length; // of an incomplete move
    if (UNRATING.includes(wanted.id) && isRated(app.state) && !isStep) openUnrate(wanted);
    else wanted.run();
  });
}

/**
 * The key, by its place on keyboards without Latin letters; letters in lower case, as without Caps
 * Lock.
 * @param {KeyboardEvent} event
 */
function keyOf({ key, code }) {
  const isOther = /^[^\0-\x7f]$/.test(key);
  const letter = isOther && code.startsWith("Key") ? code.slice(3) : key;
  return letter.length === 1 ? letter.toLowerCase() : letter;
}

/**
 * Whether the game on the board counts for the rating.
 * @param {import("./app.js").PageState} state
 */
const isRated = ({ table }) => table !== null && !table.unrated && !table.ended;

/** Announces moves, captures and results to screen readers, each once. */
function announceMoves() {
  let said = "";
  app.store.watch(["table"], ({ table }) => {
    if (!table || table.announcement === said) return;
    said = table.announcement;
    at("announcements").textContent = said;
  });
}

/** Reports visibility and input to the server, which pauses analysis for idle pages. */
function reportPresence() {
  /** @param {boolean} visible */
  const report = (visible) => app.server.send({ type: "set-visible", visible });
  document.addEventListener("visibilitychange", () => report(!document.hidden));
  app.store.watch(["connection"], ({ connection }) => {
    if (connection === "open" && document.hidden) report(false);
  });
  let reported = 0;
  const touch = () => {
    if (!app.state.table?.analysis_paused && performance.now() - reported < EVERY) return;
    reported = performance.now();
    report(true);
  };
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, touch);
  let notice = 0;
  app.store.watch(["table"], ({ table }) => {
    if (table?.analysis_paused && !notice) notice = app.notify("warning", STRINGS.analysis.paused);
    if (!table?.analysis_paused && notice) {
      app.forget(notice);
      notice = 0;
    }
  });
}
