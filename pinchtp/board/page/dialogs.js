// Dialogs: load, save, set up, rules, shortcuts.
import { exchangeSides } from "../../html/board.js";
import { field, openDialog, select } from "./dialog.js";
import { button, make, setText } from "./dom.js";
import {
  atariOf,
  boardData,
  capturedOf,
  isAlike,
  LiveBoard,
  nameOf,
  signOf,
  signsOf,
  wavesOf,
} from "./live_board.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./messages.js").LessonStep} LessonStep */
/** @typedef {import("./messages.js").LessonSection} LessonSection */

// Games and positions that are pasted, dropped or opened.
const MOST = 1 << 20; // characters, the server's limit

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
  const file = make("input", {
    type: "file",
    name: "file",
    accept: ".sgf,.txt,.json,text/plain,application/json,application/x-go-sgf",
    "aria-label": load.file,
    change: async () => {
      const { text: content, wrong } = await readFile(file.files?.[0]);
      if (wrong) app.notify("warning", wrong);
      else text.value = content;
    },
  });
  openDialog({
    id: "load-dialog",
    title: load.title,
    submit: load.submit,
    body: [make("p", { class: "note" }, load.explain), text, file],
    answer: () => loadText(app, text.value),
  });
}

/**
 * Reads a file's text by its byte order mark or CA, as the engine does.
 * @param {File | undefined} file
 * @returns {Promise<{ text: string, wrong: string }>} wrong: why not, or empty
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
  const wrong = await app.server.change({ type: "load", text });
  const now = app.state.table;
  if (before && now?.serial === before.serial && now.node !== before.node)
    app.offerUndo(STRINGS.dialogs.load.added, { type: "go", node: before.node });
  return wrong;
}

/** Files dropped on the page, and text pasted outside of fields. @param {App} app */
export function takeDropsAndPastes(app) {
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", async (event) => {
    event.preventDefault();
    const files = event.dataTransfer?.files ?? [];
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

/** Loads the game in the address, and takes it out of it. @param {App} app */
export function openLinked(app) {
  const open = async () => {
    const { hash, pathname, search } = location;
    if (!hash.startsWith("#game=")) return;
    history.replaceState(null, "", pathname + search);
    const wrong = await loadText(app, hash);
    if (wrong) app.notify("warning", wrong);
  };
  addEventListener("hashchange", open);
  app.store.watch(["table"], ({ table }) => {
    if (table) open();
  });
}

/** Loads a text; opens the dialog if it needs correction. @param {App} app @param {string} text */
async function take(app, text) {
  if (app.state.table?.guest) return;
  const wrong = await loadText(app, text);
  if (wrong && !text.includes("\0")) openLoad(app, text.slice(0, MOST)); // not with a binary file
}

// The game as SGF, the board as SVG, PNG or text: saved as a file, or copied.

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
};
const PIXELS = 1600; // the longer side of a PNG

/** Whether it can be copied. @param {Kind} kind @returns {kind is Exclude<Kind, "png" | Moving>} */
const isText = (kind) => !["png", "gif", "cascade"].includes(kind);

/** @param {App} app @param {string} [game] in the library */
export function openSave(app, game) {
  const { save } = STRINGS.dialogs;
  const said = make("p", { role: "status" });
  const run =
    (/** @type {() => Promise<void>} */ action, /** @type {string} */ done) => async () => {
      try {
        await action();
        said.textContent = done;
      } catch (error) {
        said.textContent = save.failed(/** @type {Error} */ (error).message);
      }
    };
  const kinds = /** @type {Kind[]} */ ([
    "link",
    "gif",
    "cascade",
    "sgf",
    "json",
    "svg",
    "png",
    "text",
  ]);
  openDialog({
    id: "save-dialog",
    title: save.title,
    body: [
      ...kinds.map((kind) =>
        make(
          "div",
          { class: "row" },
          make("span", { class: "grow" }, save.kinds[kind]),
          kind !== "link" &&
            button(
              save.save,
              run(() => saveFile(app, kind, game), save.saved),
              { "data-save": kind, "aria-label": `${save.save}: ${save.kinds[kind]}` },
            ),
          isText(kind) &&
            button(
              save.copy,
              run(() => copy(app, kind, game), save.copied),
              {
                "data-copy": kind,
                "aria-label": `${save.copy}: ${save.kinds[kind]}`,
              },
            ),
        ),
      ),
      said,
    ],
  });
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
  if (text.startsWith("data:")) return offer(name, text);
  const content = kind === "png" ? await painted(text) : new Blob([text], { type: TYPES[kind] });
  const url = URL.createObjectURL(content);
  offer(kind === "png" ? name.replace(/\.svg$/, ".png") : name, url);
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {App} app @param {Exclude<Kind, "png">} kind @param {string} [game] in the library */
async function copy(app, kind, game) {
  const { text } = await exported(app, kind, game);
  const content = kind === "link" ? location.origin + location.pathname + text : text;
  if (navigator.clipboard) return navigator.clipboard.writeText(content);
  const give = (/** @type {ClipboardEvent} */ event) => {
    event.clipboardData?.setData("text/plain", content);
    event.preventDefault();
  };
  document.addEventListener("copy", give, { once: true });
  document.execCommand("copy"); // pages from other machines have no clipboard
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

/** @param {string} name @param {string} url */
const offer = (name, url) => make("a", { href: url, download: name }).click();

// The position editor.
const EMPTY = 0;

/** @param {App} app */
export function openSetUp(app) {
  const { hello, table } = app.state;
  const game = hello?.games.find((each) => each.name === table?.game);
  if (!table || !game) return;
  const { setUp } = STRINGS.dialogs;
  const shown = table.board;
  let cells = [...shown.cells];
  let brush = 1;
  const board = new LiveBoard(
    boardData(shown),
    {
      choose: (cell) => {
        cells[cell] = cells[cell] === brush ? EMPTY : brush;
        show();
      },
      hover: () => {},
    },
    setUp.board,
  );
  if (shown.top_owner === "white") exchangeSides(board.element); // what is set up has no swap
  const brushes = game.cells.filter((each) => each >= 0);
  const palette = make(
    "div",
    { class: "row", role: "group", "aria-label": setUp.brush },
    ...brushes.map((value) =>
      button(STRINGS.cells[value], () => choose(value), {
        "data-brush": value,
        "aria-pressed": value === brush,
      }),
    ),
  );
  const toMove = select(
    { name: "to-move" },
    [
      ["black", STRINGS.colors.black],
      ["white", STRINGS.colors.white],
    ],
    table.to_move,
  );

  /** @param {number} value */
  function choose(value) {
    brush = value;
    for (const each of palette.children) {
      each.setAttribute("aria-pressed", String(Number(each.getAttribute("data-brush")) === brush));
    }
  }

  function show() {
    board.stones.show(cells.map(signOf));
    board.points.label((cell) => STRINGS.board.cell(nameOf(shown, cell), cells[cell]));
  }

  const clear = button(
    setUp.clear,
    () => {
      cells = cells.map((each) => Math.min(each, EMPTY));
      show();
    },
    { "data-action": "clear" },
  );
  board.points.allow(new Set(cells.keys()));
  show();
  openDialog({
    id: "set-up-dialog",
    title: setUp.title,
    submit: setUp.start,
    extra: [clear],
    body: [
      make("p", { class: "note" }, setUp.explain),
      palette,
      field(setUp.toMove, toMove),
      board.element,
    ],
    answer: () =>
      app.server.change({
        type: "set-up",
        cells,
        to_move: /** @type {"black" | "white"} */ (toMove.value),
        size: [shown.width, shown.height],
        game: game.name,
      }),
  });
}

// The illustrated rules of a game, with examples to step through.

/** @param {App} app */
export function openRules(app) {
  const { hello, table } = app.state;
  if (!hello || !table) return;
  const { rules } = STRINGS.dialogs;
  const games = hello.games.filter((game) => game.lesson);
  const chosen = select(
    { "aria-label": rules.game, id: "rules-game", change: () => show() },
    games.map((game) => [game.name, game.title]),
    table.game,
  );
  const text = make("div", { id: "rules-text" });

  async function show() {
    const asked = chosen.value;
    const answer = await app.server.ask({ type: "ask-rules", game: asked });
    if (asked !== chosen.value) return; // the choice has changed
    if (answer?.type === "rules") text.replaceChildren(...answer.sections.flatMap(section));
    else
      text.replaceChildren(
        make("p", {}, answer?.type === "refused" ? answer.text : STRINGS.connection.lost),
      );
  }

  openDialog({ id: "rules-dialog", title: rules.title, body: [chosen, text] });
  show();
}

/** @param {LessonSection} section @returns {Node[]} */
function section({ heading, paragraphs, steps }) {
  const words = [make("h3", {}, heading), ...paragraphs.map((each) => make("p", {}, each))];
  return steps.length ? [...words, new Example(steps).element] : words;
}

/** A board on which an example is stepped through. */
class Example {
  #step = 0;
  /** @type {LiveBoard | null} */ #board = null;
  #caption = make("p", { "aria-live": "polite" });
  #count = make("span", { class: "note" });
  #holder = make("div", { class: "stage" });
  #back = button(STRINGS.dialogs.rules.back, () => this.#go(-1), { "data-example": "back" });
  #on = button(STRINGS.dialogs.rules.on, () => this.#go(1), {
    "data-example": "on",
    class: "main",
  });

  /** @param {LessonStep[]} steps */
  constructor(steps) {
    this.steps = steps;
    this.element = make(
      "div",
      { class: "lesson" },
      this.#holder,
      make(
        "div",
        {},
        this.#caption,
        steps.length > 1 && make("div", { class: "row" }, this.#back, this.#on, this.#count),
      ),
    );
    this.#show(false);
  }

  /** @param {number} by */
  #go(by) {
    this.#step = Math.max(0, Math.min(this.steps.length - 1, this.#step + by));
    this.#show(by > 0);
  }

  /** @param {boolean} animated */
  #show(animated) {
    const { board, caption } = this.steps[this.#step];
    const before = this.steps[Math.max(0, this.#step - 1)].board;
    if (!this.#board || !isAlike(before, board) || !animated) this.#renew(board);
    const drawn = /** @type {LiveBoard} */ (/** @type {unknown} */ (this.#board));
    drawn.marks.show({ last: [], captured: [], atari: [] });
    drawn.ground.showChain([]);
    drawn.show(signsOf(board), animated ? wavesOf(board) : [], () => {
      drawn.marks.show({ last: board.last, captured: capturedOf(board), atari: atariOf(board) });
      drawn.ground.showChain(board.chain);
    });
    drawn.points.label((point) => STRINGS.board.cell(nameOf(board, point), board.cells[point]));
    setText(this.#caption, caption);
    setText(this.#count, `${this.#step + 1}/${this.steps.length}`);
    this.#back.disabled = this.#step === 0;
    this.#on.disabled = this.#step === this.steps.length - 1;
  }

  /** @param {import("./messages.js").BoardView} board */
  #renew(board) {
    this.#board?.close();
    this.#board = new LiveBoard(
      boardData(board),
      { choose: () => this.#go(1), hover: () => {} },
      STRINGS.dialogs.rules.board,
    );
    this.#holder.replaceChildren(this.#board.element);
  }
}

// All keys, from the one list of actions.

/** @param {import("./actions.js").Action[]} actions */
export function openShortcuts(actions) {
  const { shortcuts } = STRINGS.dialogs;
  const row = (/** @type {string} */ text, /** @type {string[]} */ keys) =>
    make(
      "div",
      {},
      make("dt", {}, text),
      make("dd", {}, ...keys.map((key) => make("kbd", {}, STRINGS.keys[key] ?? key))),
    );
  openDialog({
    id: "shortcuts-dialog",
    title: shortcuts.title,
    body: [
      make(
        "dl",
        { class: "shortcuts" },
        ...actions.filter((each) => each.keys.length).map(({ text, keys }) => row(text, keys)),
      ),
      make("h3", {}, shortcuts.onBoard),
      make(
        "dl",
        { class: "shortcuts" },
        ...shortcuts.board.map(([text, ...keys]) => row(text, keys)),
      ),
    ],
  });
}
