// Games and positions from elsewhere: pasted, dropped or from a file.
import { make } from "../dom.js";
import { STRINGS } from "../strings.js";
import { openDialog } from "./dialog.js";

/** @typedef {import("../app.js").App} App */

const MOST = 1 << 20; // characters, as the server takes them

/** @param {App} app @param {string} [given] */
export function openLoad(app, given = "") {
  const { load } = STRINGS.dialogs;
  const text = make("textarea", { name: "text", rows: 12, spellcheck: "false", "aria-label": load.text, placeholder: load.placeholder });
  text.value = given;
  const file = make("input", {
    type: "file", name: "file", accept: ".sgf,.txt,text/plain,application/x-go-sgf", "aria-label": load.file,
    change: async () => { if (file.files?.[0]) text.value = await file.files[0].text(); },
  });
  openDialog({
    id: "load-dialog", title: load.title, submit: load.submit,
    body: [make("p", { class: "note" }, load.explain), text, file],
    answer: () => loadText(app, text.value),
  });
}

/** @param {App} app @param {string} text @returns {Promise<string>} why it was refused */
async function loadText(app, text) {
  if (!text.trim()) return STRINGS.dialogs.load.empty;
  if (text.length > MOST) return STRINGS.dialogs.load.long;
  return app.server.change({ type: "load", text });
}

/** Files dropped on the page, and text pasted outside of fields. @param {App} app */
export function takeDropsAndPastes(app) {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    const text = file ? await file.text() : event.dataTransfer?.getData("text/plain");
    if (text) await take(app, text);
  });
  document.addEventListener("paste", async (event) => {
    if (/** @type {Element} */ (event.target).closest("input, textarea, dialog")) return;
    const text = event.clipboardData?.getData("text/plain");
    if (text) await take(app, text);
  });
}

/** What cannot be loaded is shown where it can be corrected. @param {App} app @param {string} text */
async function take(app, text) {
  const wrong = await loadText(app, text);
  if (wrong) openLoad(app, text.slice(0, MOST));
}
