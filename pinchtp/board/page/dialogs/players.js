// Who plays, changed in the middle of a game.
import { STRINGS } from "../strings.js";
import { openDialog } from "./dialog.js";
import { playerFields } from "./players_fields.js";

/** @param {import("../app.js").App} app */
export function openPlayers(app) {
  const { hello, table } = app.state;
  if (!hello || !table) return;
  const black = playerFields(hello, "black", table.players.black);
  const white = playerFields(hello, "white", table.players.white);
  openDialog({
    id: "players-dialog", title: STRINGS.dialogs.players, submit: STRINGS.dialogs.change,
    body: [black.element, white.element],
    answer: () => app.server.change({ type: "set-players", players: { black: black.value(), white: white.value() } }),
  });
}

/** Asks before the game is given up. @param {import("../app.js").App} app */
export function openResign(app) {
  openDialog({
    id: "resign-dialog", title: STRINGS.dialogs.resign, submit: STRINGS.actions.resign, body: [],
    answer: () => app.server.change({ type: "resign" }),
  });
}
