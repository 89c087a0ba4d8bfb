// Games and positions that are pasted, dropped or opened.
import { errorLine, openDialog } from "./dialog.js";
import { make } from "./dom.js";
import { friendWarning, isWithFriend } from "./invite.js";
import { LIMITS } from "./limits.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */

const { maxlength: MOST } = LIMITS.Load.text;

/** @param {App} app @param {string} [given] */
export function openLoad(app, given = "") {
  const { load } = STRINGS.dialogs;
  const text = make("textarea", {
    name: "text",
    rows: 12,
    spellcheck: "false",
    "aria-label": load.text,
    placeholder: load.placeholder,
  });
  text.value = given;
  const wrong = errorLine();
  const file = make("input", {
    type: "file",
    name: "file",
    accept: ".sgf,.txt,.json,text/plain,application/json,application/x-go-sgf",
    "aria-label": load.file,
    change: async () => {
      const read = await readFile(file.files?.[0]);
      wrong.textContent = read.wrong;
      if (!read.wrong) text.value = read.text;
    },
  });
  const { matches: hasMouse } = matchMedia("(hover: hover)");
  const explained = hasMouse ? `${load.explain} ${load.drop}` : load.explain;
  openDialog({
    id: "load-dialog",
    title: load.title,
    submit: load.submit,
    body: [...friendWarning(app), make("p", { class: "note" }, explained), text, file],
    wrong,
    answer: () => loadText(app, text.value),
  });
}

/**
 * Reads the text of a file, with the charset of its byte order mark or CA, as the server does.
 * @param {File | undefined} file
 * @returns {Promise<{ text: string, wrong: string }>} wrong: the error message, or empty
 */
async function readFile(file) {
  const { load } = STRINGS.dialogs;
  const refuse = (/** @type {string} */ wrong) => ({ text: "", wrong });
  if (!file || file.size > MOST) return refuse(file ? load.long : load.empty);
  const bytes = await file.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => null,
  );
  if (!bytes) return refuse(load.unreadable);
  return bytes.length ? { text: decode(bytes), wrong: "" } : refuse(load.emptyFile);
}

/** Names of Windows that browsers do not know. @type {{ [name: string]: string }} */
const CODE_PAGES = { cp932: "shift_jis", cp936: "gbk", cp949: "euc-kr", cp950: "big5" };

/** @param {Uint8Array} bytes */
function decode(bytes) {
  const latin = new TextDecoder("latin1").decode(bytes);
  const mark = latin.slice(0, 2);
  const named =
    mark === "\xff\xfe"
      ? "utf-16le"
      : mark === "\xfe\xff"
        ? "utf-16be"
        : latin.startsWith("\xef\xbb\xbf")
          ? "utf-8"
          : (/CA\s*\[\s*([-\w]{1,20})\s*\]/.exec(latin)?.[1] ?? "utf-8");
  for (const charset of [named, "utf-8"]) {
    try {
      const known = CODE_PAGES[charset.toLowerCase()] ?? charset;
      return new TextDecoder(known, { fatal: true }).decode(bytes);
    } catch {} // unknown, or not in this charset
  }
  return latin;
}

/**
 * @param {App} app @param {string} text
 * @returns {Promise<string>} the reason of a rejection, or empty
 */
async function loadText(app, text) {
  if (!text.trim()) return STRINGS.dialogs.load.empty;
  if (text.length > MOST) return STRINGS.dialogs.load.long;
  const before = app.state.table;
  const wrong = await app.change({ type: "load", text });
  const now = app.state.table;
  if (!wrong && before && now?.serial === before.serial && now.node !== before.node)
    app.offerUndo(STRINGS.dialogs.load.added, { type: "go", node: before.node });
  return wrong;
}

/** Files dropped on the page, and text pasted outside of fields. @param {App} app */
export function takeDropsAndPastes(app) {
  document.addEventListener("dragover", (event) => {
    if (!isForField(event)) event.preventDefault();
  });
  document.addEventListener("drop", async (event) => {
    if (isForField(event)) return;
    event.preventDefault();
    const files = event.dataTransfer?.files ?? [];
    if (!files.length && /** @type {Element} */ (event.target).closest("dialog")) return;
    const { load } = STRINGS.dialogs;
    if (files.length > 1) return app.notify("warning", load.several);
    const given = event.dataTransfer?.getData("text/plain") ?? "";
    const { text, wrong } = files.length ? await readFile(files[0]) : { text: given, wrong: "" };
    if (wrong) app.notify("warning", wrong);
    else if (text) await take(app, text);
  });
  document.addEventListener("paste", async (event) => {
    if (/** @type {Element} */ (event.target).closest("input, textarea, dialog")) return;
    const text = event.clipboardData?.getData("text/plain");
    if (text) await take(app, text);
  });
}

/** Whether the browser puts what is dragged into a field. @param {DragEvent} event */
function isForField({ target, dataTransfer }) {
  const isFile = dataTransfer?.types.includes("Files");
  const fields = isFile ? "input[type=file]" : "input, textarea";
  return /** @type {Element} */ (target).closest(fields) !== null;
}

/** Loads the game in the address, and takes it out of it. @param {App} app */
export function openLinked(app) {
  const open = async () => {
    const { hash, pathname, search } = location;
    if (!hash.startsWith("#game=")) return;
    history.replaceState(null, "", pathname + search);
    if (isWithFriend(app)) return openLoad(app, hash);
    const wrong = await loadText(app, hash);
    if (wrong) app.notify("warning", STRINGS.sentence(wrong));
  };
  addEventListener("hashchange", open);
  app.store.watch(["table"], ({ table }) => {
    if (table) open();
  });
}

/**
 * Loads a text, and closes dialogs above the board; opens the dialog for it if the text needs
 * correction, or replaces a game with a friend.
 * @param {App} app @param {string} text
 */
async function take(app, text) {
  if (app.state.table?.guest) return;
  const isBinary = text.includes("\0");
  const wrong = isWithFriend(app) && !isBinary ? true : await loadText(app, text);
  if (wrong && !isBinary) openLoad(app, text.slice(0, MOST));
  if (!wrong) for (const each of document.querySelectorAll("dialog")) each.close();
}
