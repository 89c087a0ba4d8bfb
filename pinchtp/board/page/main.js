// Puts the parts of the page together.
import { actionButton, showNotices, showTurn } from "./panels/turn.js";
import { makeActions } from "./actions.js";
import { announceMoves } from "./announce.js";
import { tellWhoLooks } from "./attention.js";
import { analysisPanel } from "./panels/analysis.js";
import { App } from "./app.js";
import { at, setText } from "./dom.js";
import { BoardView } from "./board/view.js";
import { consolePanel } from "./panels/console.js";
import { gamePanel, showGraph } from "./panels/game.js";
import { listenToKeys } from "./keys.js";
import { reviewPanel } from "./panels/review.js";
import { showPlayers } from "./panels/players.js";
import { showTabs } from "./panels/tabs.js";
import { STRINGS } from "./strings.js";
import { themeButton } from "./theme.js";
import { Walk } from "./walk.js";

const BEHIND = 100; // milliseconds after which the dialogs are loaded, when the board can be used
const MENU = ["new", "players", "rules", "setup", "load", "save", "shortcuts"];

/** @typedef {typeof import("./dialogs/all.js")} Dialogs */
/** @type {Dialogs | null} */
let dialogs = null;

const app = new App();
const walk = new Walk(app);
const board = new BoardView(app);
showPlayers(app);
showNotices(app);
showGraph(app, walk);
const { tabs } = STRINGS;
const open = showTabs([
  { id: "game", title: tabs.game, content: gamePanel(app, walk) },
  { id: "analysis", title: tabs.analysis, content: analysisPanel(app) },
  { id: "review", title: tabs.review, content: reviewPanel(app, walk) },
  { id: "console", title: tabs.console, content: consolePanel(app) },
]);
const actions = makeActions(app, {
  board, walk, open,
  dialogs: {
    newGame: dialog((all) => all.openNewGame(app)), players: dialog((all) => all.openPlayers(app)),
    rules: dialog((all) => all.openRules(app)), setUp: dialog((all) => all.openSetUp(app)),
    load: dialog((all) => all.openLoad(app)), save: dialog((all) => all.openSave(app)),
    resign: dialog((all) => all.openResign(app)),
    shortcuts: dialog((all) => all.openShortcuts(actions)),
  },
});
showTurn(app, actions);
at("menu").append(...MENU.flatMap((id) => actions.filter((each) => each.id === id)).map((each) => actionButton(each)), themeButton());
announceMoves(app);
listenToKeys(actions);
tellWhoLooks(app);
showTitle();
app.server.open();
setTimeout(dialog((all) => all.takeDropsAndPastes(app)), BEHIND);

/** Does something with the dialogs: at once if they are here. @param {(all: Dialogs) => void} use */
function dialog(use) {
  return () => {
    if (dialogs) use(dialogs);
    else import("./dialogs/all.js").then((all) => use(dialogs = all), () => app.tell("error", STRINGS.connection.lost));
  };
}

/** The game in the heading and the window's title, and whether the server is there. */
function showTitle() {
  app.store.watch(["hello", "table"], ({ hello, table }) => {
    const game = hello?.games.find((each) => each.name === table?.game);
    if (!game || !table) return;
    const title = STRINGS.title(game.title, table.board.width, table.board.height);
    setText(at("game-title"), title);
    document.title = `${title} · pinchtp`;
  });
  app.store.watch(["connection"], ({ connection }) => {
    setText(at("connection"), STRINGS.connection[connection]);
    at("connection").classList.toggle("lost", connection === "lost");
  });
}
