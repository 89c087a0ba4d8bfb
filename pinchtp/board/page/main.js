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
import { openLoad, takeDropsAndPastes } from "./dialogs/load.js";
import { openNewGame } from "./dialogs/new_game.js";
import { openPlayers, openResign } from "./dialogs/players.js";
import { openRules } from "./dialogs/rules.js";
import { openSave } from "./dialogs/save.js";
import { openSetUp } from "./dialogs/set_up.js";
import { openShortcuts } from "./dialogs/shortcuts.js";
import { reviewPanel } from "./panels/review.js";
import { showPlayers } from "./panels/players.js";
import { showTabs } from "./panels/tabs.js";
import { STRINGS } from "./strings.js";
import { themeButton } from "./theme.js";
import { Walk } from "./walk.js";

const MENU = ["new", "players", "rules", "setup", "load", "save", "shortcuts"];

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
    newGame: () => openNewGame(app), players: () => openPlayers(app), rules: () => openRules(app),
    setUp: () => openSetUp(app), load: () => openLoad(app), save: () => openSave(app),
    resign: () => openResign(app), shortcuts: () => openShortcuts(actions),
  },
});
showTurn(app, actions);
at("menu").append(...MENU.flatMap((id) => actions.filter((each) => each.id === id)).map((each) => actionButton(each)), themeButton());
announceMoves(app);
listenToKeys(actions);
takeDropsAndPastes(app);
tellWhoLooks(app);
showTitle();
app.server.open();

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
