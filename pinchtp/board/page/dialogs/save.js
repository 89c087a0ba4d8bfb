// The game as SGF, the board as SVG, PNG or text: saved as a file, or copied.
import { button, make } from "../dom.js";
import { STRINGS } from "../strings.js";
import { openDialog } from "./dialog.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {"sgf" | "svg" | "text" | "png"} Kind */

const TYPES = { sgf: "application/x-go-sgf", svg: "image/svg+xml", text: "text/plain", png: "image/png" };
const PIXELS = 1600; // the longer side of a PNG

/** @param {App} app */
export function openSave(app) {
  const { save } = STRINGS.dialogs;
  const said = make("p", { role: "status" });
  const run = (/** @type {() => Promise<void>} */ action, /** @type {string} */ done) => async () => {
    try {
      await action();
      said.textContent = done;
    } catch (error) {
      said.textContent = save.failed(String(error));
    }
  };
  const kinds = /** @type {Kind[]} */ (["sgf", "svg", "png", "text"]);
  openDialog({
    id: "save-dialog", title: save.title,
    body: [
      ...kinds.map((kind) => make("div", { class: "row" },
        make("span", { class: "grow" }, save.kinds[kind]),
        button(save.save, run(() => saveFile(app, kind), save.saved), { "data-save": kind, "aria-label": `${save.save}: ${save.kinds[kind]}` }),
        kind !== "png" && button(save.copy, run(() => copy(app, kind), save.copied), { "data-copy": kind, "aria-label": `${save.copy}: ${save.kinds[kind]}` }))),
      said,
    ],
  });
}

/** @param {App} app @param {"sgf" | "svg" | "text"} kind */
async function exported(app, kind) {
  const answer = await app.server.ask({ type: "export", kind });
  if (answer?.type !== "exported") throw new Error(answer?.type === "refused" ? answer.text : STRINGS.connection.lost);
  return answer;
}

/** @param {App} app @param {Kind} kind */
async function saveFile(app, kind) {
  const { name, text } = await exported(app, kind === "png" ? "svg" : kind);
  const content = kind === "png" ? await painted(text) : new Blob([text], { type: TYPES[kind] });
  download(kind === "png" ? name.replace(/\.svg$/, ".png") : name, content);
}

/** @param {App} app @param {Exclude<Kind, "png">} kind */
async function copy(app, kind) {
  await navigator.clipboard.writeText((await exported(app, kind)).text);
}

/** A drawing as pixels. @param {string} svg @returns {Promise<Blob>} */
async function painted(svg) {
  const url = URL.createObjectURL(new Blob([svg], { type: TYPES.svg }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = PIXELS / Math.max(image.naturalWidth, image.naturalHeight);
    const canvas = make("canvas", { width: Math.round(image.naturalWidth * scale), height: Math.round(image.naturalHeight * scale) });
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob(
      (made) => (made ? resolve(made) : reject(new Error("no PNG"))), TYPES.png));
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** @param {string} name @param {Blob} content */
function download(name, content) {
  const url = URL.createObjectURL(content);
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
