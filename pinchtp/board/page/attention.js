// Tells the server whether anybody looks: live analysis rests while nobody does.
import { STRINGS } from "./strings.js";

/** @param {import("./app.js").App} app */
export function tellWhoLooks(app) {
  /** @param {boolean} visible */
  const tell = (visible) => app.send({ type: "attend", visible });
  document.addEventListener("visibilitychange", () => tell(!document.hidden));
  app.store.watch(["connection"], ({ connection }) => {
    if (connection === "open" && document.hidden) tell(false);
  });
  for (const kind of ["pointerdown", "keydown"]) {
    document.addEventListener(kind, () => { if (app.state.table?.rests) tell(true); });
  }
  let notice = 0;
  app.store.watch(["table"], ({ table }) => {
    if (table?.rests && !notice) notice = app.tell("warning", STRINGS.analysis.rests);
    if (!table?.rests && notice) {
      app.forget(notice);
      notice = 0;
    }
  });
}
