// Live analysis: candidates, and the choice of an overlay.
import { DRAWINGS, placeOf } from "./app.js";
import { make, setAttribute, setText } from "./dom.js";
import { blackShare, percent, short } from "./overlays.js";
import { solverSection } from "./solver.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./messages.js").CandidateInfo} CandidateInfo */

const MOST_ROWS = 12;

/** @param {App} app @returns {Node[]} */
export function analysisPanel(app) {
  return [analysisSection(app), solverSection(app)];
}

/** @param {App} app */
function analysisSection(app) {
  const { analysis } = STRINGS;
  const live = make("input", {
    type: "checkbox",
    role: "switch",
    id: "live",
    change: () => app.analyze(live.checked),
  });
  const summary = make("p", { class: "note", id: "analysis-summary" });
  const rows = new Rows(app);
  app.store.watch(["table", "analyzing"], ({ table, analyzing }) => {
    live.checked = analyzing;
    live.disabled = !table || !(analyzing || app.can("analyze"));
  });
  app.store.watch(
    ["analysis", "analyzing", "table", "kept"],
    ({ analysis: latest, analyzing, table }) => {
      const nothing = table?.result ? analysis.over : analyzing ? analysis.begins : analysis.none;
      const text = latest ? analysis.summary(latest.visits, latest.black) : nothing;
      setText(summary, isBarred(app) ? analysis.barred : text);
      rows.show(latest);
    },
  );
  return make(
    "section",
    {},
    make(
      "div",
      { class: "row" },
      make("label", { class: "switch" }, live, analysis.live),
      enginesField(app),
      drawnField(app),
    ),
    legendText(app),
    overlayText(app),
    summary,
    rows.element,
  );
}

/** Whether there is no analysis before the end of a game with a friend. @param {App} app */
export const isBarred = (app) => app.state.table !== null && !app.can("analyze");

/** Which engine, if there are several. @param {App} app */
function enginesField(app) {
  const chosen = make("select", {
    id: "engine",
    "aria-label": STRINGS.analysis.engine,
    change: () => {
      app.store.set({ engine: Number(chosen.value) });
      if (app.state.analyzing) app.analyze(true);
    },
  });
  app.store.watch(["hello", "engine"], ({ hello, engine }) => {
    const engines = hello?.engines ?? [];
    fill(
      chosen,
      engines.map((each, number) => [String(number), each.name]),
      String(engine),
    );
    chosen.hidden = engines.length < 2;
  });
  return chosen;
}

/** The choice of an overlay. @param {App} app */
function drawnField(app) {
  const { drawings } = STRINGS.analysis;
  const chosen = make("select", { id: "drawn", change: () => draw(app, chosen.value, app) });
  app.store.watch(["hello", "engine", "drawn", "table"], ({ drawn, hello, table }) => {
    chosen.disabled = !table || isBarred(app);
    const overlays = (app.engine?.overlays ?? []).filter(
      (each) => !each.opening || app.can("opening"),
    );
    if (!isLive(drawn) && hello && !overlays.some((each) => each.command === drawn))
      draw(app, "none");
    fill(
      chosen,
      [
        ...DRAWINGS.map((each) => /** @type {[string, string]} */ ([each, drawings[each]])),
        ...overlays.map((each) => /** @type {[string, string]} */ ([each.command, titleOf(each)])),
      ],
      drawn,
    );
  });
  // An overlay belongs to a position, so each new position needs a new request. Overlays are help,
  // so a new game starts without one, and a game with a friend has none.
  let asked = "";
  app.store.watch(["table", "drawn"], ({ table, drawn }) => {
    const place = placeOf(table) ?? "";
    if (place === asked) return;
    const isNewGame = place.split(",")[0] !== asked.split(",")[0];
    asked = place;
    if (isLive(drawn)) return;
    if (isNewGame || !app.can("analyze")) draw(app, "none");
    else app.server.send({ type: "ask-overlay", command: drawn, engine: app.state.engine });
  });
  return make("label", { class: "switch grow" }, STRINGS.analysis.draw, chosen);
}

/** Whether an overlay is part of live analysis. @param {string} drawn */
const isLive = (drawn) => /** @type {readonly string[]} */ (DRAWINGS).includes(drawn);

/**
 * Draws an overlay, or none.
 * @param {App} app @param {string} drawn
 * @param {{ send: App["send"] }} sender the app for a choice of the visitor: it reports a lost one
 */
function draw(app, drawn, sender = app.server) {
  app.store.set({ drawn, overlay: null });
  const command = isLive(drawn) ? "" : drawn;
  sender.send({ type: "ask-overlay", command, engine: app.state.engine });
  if (!isLive(drawn)) return;
  if (drawn !== "none" || app.state.analyzing) app.analyze(true);
}

/** The meaning of the drawing. @param {App} app */
function legendText(app) {
  const { legends, otherLegend, more } = STRINGS.analysis;
  const text = make("p", { class: "note", id: "legend" });
  app.store.watch(["drawn", "hello", "engine"], ({ drawn }) => {
    const isKnown = app.engine?.commands.length !== 0; // it has started
    setText(text, `${legends[drawn.split(" ")[0]] ?? otherLegend}${isKnown ? "" : ` ${more}`}`);
  });
  return text;
}

/**
 * The title of an overlay; ours in words of this page.
 * @param {{ command: string, title: string }} overlay
 */
function titleOf({ command, title }) {
  const titles = /** @type {{ [command: string]: string }} */ (STRINGS.analysis.drawings);
  return titles[command] ?? title;
}

/** The text of an overlay, or its progress; chances of both sides as a bar. @param {App} app */
function overlayText(app) {
  const said = make("p", { class: "note", id: "overlay-text" });
  const bar = make(
    "div",
    { class: "chances", id: "chances", role: "img" },
    make("span"),
    make("span"),
  );
  app.store.watch(["overlay", "table"], ({ overlay }) => {
    const working = app.isRunning("overlay") ? STRINGS.analysis.drawing : "";
    const chances = overlay?.text
      .match(/^black ([\d.]+) white ([\d.]+)$/)
      ?.slice(1)
      .map(Number);
    const text = chances ? STRINGS.analysis.chances(chances[0], chances[1]) : overlay?.text;
    setText(said, overlay ? [titleOf(overlay), text].filter(Boolean).join(": ") : working);
    said.hidden = !said.textContent;
    bar.hidden = !chances;
    if (!chances) return;
    setAttribute(bar, "aria-label", said.textContent);
    chances.forEach((share, side) => {
      /** @type {HTMLElement} */ (bar.children[side]).style.flexGrow = String(share);
    });
  });
  return make("div", {}, said, bar);
}

/**
 * Updates the options of a select if they changed.
 * @param {HTMLSelectElement} chosen @param {[string, string][]} options @param {string} value
 */
function fill(chosen, options, value) {
  const key = JSON.stringify(options);
  if (chosen.dataset.options !== key) {
    chosen.dataset.options = key;
    chosen.replaceChildren(...options.map(([each, text]) => make("option", { value: each }, text)));
  }
  if (chosen.value !== value) chosen.value = value;
}

/** The table of candidates: its rows are created once and updated ten times per second. */
class Rows {
  #body = make("tbody");
  /** @type {{ row: HTMLTableRowElement, cells: HTMLTableCellElement[] }[]} */ #rows = [];
  /** @type {CandidateInfo[]} */ #shown = [];
  #pointed = -1; // the number of the row with the pointer or the focus
  /** @type {CandidateInfo | undefined} */ #kept; // the candidate whose line was chosen

  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const { columns } = STRINGS.analysis;
    this.element = make(
      "table",
      { class: "numbers", id: "candidates" },
      make(
        "thead",
        {},
        make("tr", {}, ...columns.map((each) => make("th", { scope: "col" }, each))),
      ),
      this.#body,
    );
    for (const kind of ["pointerover", "focusin"]) {
      this.#body.addEventListener(kind, (event) => this.#point(this.#numberOf(event)));
    }
    for (const kind of ["pointerleave", "focusout"]) {
      this.#body.addEventListener(kind, () => this.#point(-1));
    }
    this.#body.addEventListener("click", (event) => this.#toggle(this.#numberOf(event)));
    this.#body.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      this.#toggle(this.#numberOf(event));
    });
  }

  /** @param {import("./messages.js").AnalysisUpdate | null} analysis */
  show(analysis) {
    const candidates = (this.#shown = analysis?.candidates.slice(0, MOST_ROWS) ?? []);
    this.element.hidden = candidates.length === 0;
    candidates.forEach((each, number) => {
      const { row, cells } = this.#row(number);
      row.hidden = false;
      const line = each.pv
        .slice(0, 8)
        .map((move) => move.text)
        .join(" ");
      const texts = [
        each.move,
        percent(analysis ? blackShare(analysis, each.winrate) : 0) + "%",
        short(each.visits),
        line,
      ];
      texts.forEach((text, column) => setText(cells[column], text));
      row.dataset.move = each.move;
    });
    for (const { row } of this.#rows.slice(candidates.length)) row.hidden = true;
    this.#followMoves();
  }

  /** Draws the current lines of the chosen candidate and of the one that is pointed at. */
  #followMoves() {
    const before = this.#kept;
    const isKept = before && this.app.isKept(before.pv);
    this.#kept = isKept ? this.#shown.find(({ move }) => move === before.move) : undefined;
    if (isKept && this.#kept !== before) this.app.keepLine(this.#kept?.pv ?? []);
    if (this.#shown[this.#pointed]) this.app.preview(this.#shown[this.#pointed].pv);
    for (const { row } of this.#rows)
      setAttribute(row, "aria-current", this.#kept && row.dataset.move === this.#kept.move);
  }

  /** @param {number} number */
  #row(number) {
    const known = this.#rows[number];
    if (known) return known;
    const cells = STRINGS.analysis.columns.map((_, column) =>
      make("td", column === 3 ? { class: "line" } : {}),
    );
    const made = { row: make("tr", { tabindex: 0, "data-number": number }, ...cells), cells };
    this.#rows.push(made);
    this.#body.append(made.row);
    return made;
  }

  /** @param {Event} event */
  #numberOf({ target }) {
    const row = /** @type {Element} */ (target).closest("tr");
    return Number(row?.getAttribute("data-number") ?? -1);
  }

  /** Draws the line of a row; -1: of none. @param {number} number */
  #point(number) {
    this.#pointed = number;
    this.app.preview(this.#shown[number]?.pv);
  }

  /** Draws the line of a row until another choice, or hides it. @param {number} number */
  #toggle(number) {
    const candidate = this.#shown[number];
    if (!candidate) return;
    this.#kept = candidate;
    this.#pointed = -1;
    this.app.toggleLine(candidate.pv);
  }
}
