// What screen readers are told of: moves, captures and results, each once.
import { at } from "./dom.js";

/** @param {import("./app.js").App} app */
export function announceMoves(app) {
  let said = "";
  app.store.watch(["table"], ({ table }) => {
    if (!table || table.announcement === said) return;
    said = table.announcement;
    at("announcements").textContent = said;
  });
}
