// Tells the server whether anybody looks: live analysis rests while nobody does.
import { STRINGS } from "./strings.js";

const EVERY = 60_000; // milliseconds between two touches that are told

/** @param {import("./app.js").App} app */
export function tellWhoLooks(app) {
  /** @param {boolean} visible */
  const tell = (visible) => app.send({ type: "attend", visible });
  document.addEventListener("visibilitychange", () => tell(!document.hidden));
  app.store.watch(["connection"], ({ connection }) => {
    if (connection === "open" && document.hidden) tell(false);
  });
  let told = 0;
  const touch = () => {
    if (!app.state.table?.rests && performance.now() - told < EVERY) return;
    told = performance.now();
    tell(true);
  };
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, touch);
  let notice = 0;
  app.store.watch(["table"], ({ table }) => {
    if (table?.rests && !notice) notice = app.tell("warning", STRINGS.analysis.rests);
    if (!table?.rests && notice) {
      app.forget(notice);
      notice = 0;
    }
  });
}
