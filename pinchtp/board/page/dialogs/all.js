// All dialogs, which are loaded behind the board.
export { openLoad, takeDropsAndPastes } from "./load.js";
export { openNewGame } from "./new_game.js";
export { openPlayers, openResign } from "./players.js";
export { openRules } from "./rules.js";
export { openSave } from "./save.js";
export { openSetUp } from "./set_up.js";
export { openShortcuts } from "./shortcuts.js";
