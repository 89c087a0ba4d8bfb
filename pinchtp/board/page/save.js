// The game as SGF, the board as SVG, PNG or text: saved as a file, or copied.
import { homeAddress } from "./connection.js";
import { openDialog } from "./dialog.js";
import { button, make } from "./dom.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {"sgf" | "json" | "link" | "svg" | "text" | "png" | Moving} Kind */
/** @typedef {"gif" | "cascade"} Moving */

/** @type {{ [kind: string]: string }} */
const TYPES = {
  sgf: "application/x-go-sgf",
  json: "application/json",
  link: "text/plain",
  svg: "image/svg+xml",
  text: "text/plain",
  png: "image/png",
  gif: "image/gif",
  cascade: "image/gif",
};
const PIXELS = 1600; // the longer side of a PNG

/** @type {Kind[]} */
const KINDS = ["link", "gif", "cascade", "sgf", "json", "svg", "png", "text"];

/** Whether it can be copied. @param {Kind} kind @returns {kind is Exclude<Kind, "png" | Moving>} */
const isText = (kind) => !["png", "gif", "cascade"].includes(kind);

/**
 * Makes a button's function, which says how an action has ended.
 * @typedef {(action: () => Promise<void>, done: string) => () => Promise<void>} Reporting
 */

/** @param {App} app @param {string} [game] in the library */
export function openSave(app, game) {
  const said = make("p", { role: "status" });
  const run = reportingIn(said);
  openDialog({
    id: "save-dialog",
    title: STRINGS.dialogs.save.title,
    body: [...KINDS.map((kind) => saveRow(app, kind, game, run)), said],
  });
}

/** @param {HTMLElement} said @returns {Reporting} */
const reportingIn = (said) => (action, done) => async () => {
  said.textContent = "";
  try {
    await action();
    said.textContent = done;
  } catch (error) {
    said.textContent = STRINGS.dialogs.save.failed(/** @type {Error} */ (error).message);
  }
};

/** @param {App} app @param {Kind} kind @param {string | undefined} game @param {Reporting} run */
function saveRow(app, kind, game, run) {
  const { save } = STRINGS.dialogs;
  const name = save.kinds[kind];
  return make(
    "div",
    { class: "row" },
    make("span", { class: "grow" }, name),
    kind !== "link" &&
      button(
        save.save,
        run(() => saveFile(app, kind, game), save.saved),
        { "data-save": kind, "aria-label": `${save.save}: ${name}` },
      ),
    isText(kind) &&
      button(
        save.copy,
        run(() => copy(app, kind, game), save.copied),
        { "data-copy": kind, "aria-label": `${save.copy}: ${name}` },
      ),
  );
}

/** @param {App} app @param {Exclude<Kind, "png">} kind @param {string} [game] in the library */
async function exported(app, kind, game = "") {
  const answer = await app.server.ask({ type: "export", kind, game });
  if (answer?.type !== "exported")
    throw new Error(answer?.type === "refused" ? answer.text : STRINGS.connection.lost);
  return answer;
}

/** @param {App} app @param {Kind} kind @param {string} [game] in the library */
async function saveFile(app, kind, game) {
  const { name, text } = await exported(app, kind === "png" ? "svg" : kind, game);
  const url = URL.createObjectURL(await contentOf(kind, text));
  const download = kind === "png" ? name.replace(/\.svg$/, ".png") : name;
  make("a", { href: url, download }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {App} app @param {Exclude<Kind, "png">} kind @param {string} [game] in the library */
async function copy(app, kind, game) {
  const { text } = await exported(app, kind, game);
  const content = kind === "link" ? homeAddress() + text : text;
  if (navigator.clipboard) return navigator.clipboard.writeText(content);
  const give = (/** @type {ClipboardEvent} */ event) => {
    event.clipboardData?.setData("text/plain", content);
    event.preventDefault();
  };
  document.addEventListener("copy", give);
  const isCopied = document.execCommand("copy"); // pages from other machines have no clipboard
  document.removeEventListener("copy", give);
  if (!isCopied) throw new Error(STRINGS.dialogs.save.forbidden);
}

/** @param {Kind} kind @param {string} text of the server @returns {Promise<Blob>} */
async function contentOf(kind, text) {
  if (kind === "png") return painted(text);
  const content = isText(kind) ? text : Uint8Array.from(atob(text), (each) => each.charCodeAt(0));
  return new Blob([content], { type: TYPES[kind] });
}

/** A drawing as pixels. @param {string} svg @returns {Promise<Blob>} */
async function painted(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: TYPES.svg }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = PIXELS / Math.max(image.naturalWidth, image.naturalHeight);
    const canvas = make("canvas", {
      width: Math.round(image.naturalWidth * scale),
      height: Math.round(image.naturalHeight * scale),
    });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((made) => (made ? resolve(made) : reject(new Error("no PNG"))), TYPES.png),
    );
  } finally {
    URL.revokeObjectURL(url);
  }
}
