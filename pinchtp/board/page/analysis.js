// Panels of engine results: live analysis, overlays, proofs, reviews, teaching and the rating.
import { DRAWINGS, placeOf } from "./app.js";
import { button, make, setAttribute, setText } from "./dom.js";
import { blackShare, percent, short } from "./overlays.js";
import { followPuzzle, puzzleList } from "./puzzles.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./messages.js").CandidateInfo} CandidateInfo */
/** @typedef {import("./actions.js").TreeNavigator} TreeNavigator */

// Live analysis: candidates, overlays, and the solver.
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
  app.store.watch(["analysis", "analyzing", "table"], ({ analysis: found, analyzing, table }) => {
    const nothing = table?.result ? analysis.over : analyzing ? analysis.begins : analysis.none;
    setText(summary, found ? analysis.summary(found.visits, found.black) : nothing);
    rows.show(found);
  });
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
  const chosen = make("select", { id: "drawn", change: () => draw(app, chosen.value) });
  app.store.watch(["hello", "engine", "drawn", "table"], ({ drawn, hello }) => {
    const overlays = (app.engine?.overlays ?? []).filter(
      (each) => !each.opening || isOpening(app.state.table),
    );
    if (!isLive(drawn) && hello && !overlays.some((each) => each.command === drawn))
      draw(app, "none");
    fill(
      chosen,
      [
        ...DRAWINGS.map((each) => /** @type {[string, string]} */ ([each, drawings[each]])),
        ...overlays.map(({ command, title }) => /** @type {[string, string]} */ ([command, title])),
      ],
      drawn,
    );
  });
  // An overlay belongs to a position, so each new position needs a new request. It is help, which
  // no
  // new game begins with.
  let asked = "";
  app.store.watch(["table", "drawn"], ({ table, drawn }) => {
    const place = placeOf(table) ?? "";
    if (place === asked) return;
    const isNewGame = place.split(",")[0] !== asked.split(",")[0];
    asked = place;
    if (isLive(drawn)) return;
    if (isNewGame) draw(app, "none");
    else app.send({ type: "ask-overlay", command: drawn, engine: app.state.engine });
  });
  return make("label", { class: "switch grow" }, STRINGS.analysis.draw, chosen);
}

/**
 * Whether the first move, which a swap may take over, is still to come.
 * @param {import("./app.js").Table | null} table
 */
const isOpening = (table) =>
  table !== null && table.number === 0 && Boolean(table.options.pie) && !table.chosen.length;

/** Whether an overlay is part of live analysis. @param {string} drawn */
const isLive = (drawn) => /** @type {readonly string[]} */ (DRAWINGS).includes(drawn);

/** @param {App} app @param {string} drawn */
function draw(app, drawn) {
  app.store.set({ drawn, overlay: null });
  app.send({ type: "ask-overlay", command: isLive(drawn) ? "" : drawn, engine: app.state.engine });
  if (!isLive(drawn)) return;
  if (drawn !== "none" || app.state.analyzing) app.analyze(true);
}

/** The meaning of the drawing. @param {App} app */
function legendText(app) {
  const { legends, otherLegend } = STRINGS.analysis;
  const text = make("p", { class: "note", id: "legend" });
  app.store.watch(["drawn"], ({ drawn }) =>
    setText(text, legends[drawn.split(" ")[0]] ?? otherLegend),
  );
  return text;
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
  app.store.watch(["overlay", "table"], ({ overlay, table }) => {
    const working = table?.tasks.includes("overlay") ? STRINGS.analysis.drawing : "";
    const chances = overlay?.text
      .match(/^black ([\d.]+) white ([\d.]+)$/)
      ?.slice(1)
      .map(Number);
    const text = chances ? STRINGS.analysis.chances(chances[0], chances[1]) : overlay?.text;
    setText(said, overlay ? [overlay.title, text].filter(Boolean).join(": ") : working);
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
      this.#body.addEventListener(kind, (event) => this.#follow(event));
    }
    for (const kind of ["pointerleave", "focusout"]) {
      this.#body.addEventListener(kind, () => app.store.set({ variation: [] }));
    }
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

  /** The variation of the row that the pointer or the focus is on. @param {Event} event */
  #follow(event) {
    const row = /** @type {Element} */ (event.target).closest("tr");
    const candidate = this.#shown[Number(row?.getAttribute("data-number"))];
    if (candidate) this.app.store.set({ variation: candidate.pv });
  }
}

/** @param {App} app */
function solverSection(app) {
  const { solver } = STRINGS;
  const seconds = make("input", {
    type: "number",
    min: 1,
    max: 3600,
    value: 30,
    id: "solve-seconds",
    "aria-label": solver.budget,
  });
  const start = button(
    solver.start,
    () => {
      const isRunning = app.state.table?.tasks.includes("solve");
      app.send(
        isRunning
          ? { type: "stop", task: "solve" }
          : { type: "solve", seconds: Number(seconds.value) || 30, engine: app.state.engine },
      );
    },
    { "data-action": "solve" },
  );
  const found = make("p", { id: "solution", role: "status" });
  const line = button(
    solver.showLine,
    () => app.store.set({ variation: app.state.solution?.line ?? [] }),
    { "data-action": "proof-line" },
  );
  app.store.watch(["table", "solution", "hello"], ({ table, solution }) => {
    const isRunning = table?.tasks.includes("solve") ?? false;
    setText(start, isRunning ? solver.stop : solver.start);
    start.disabled = !isRunning && !app.can("solve");
    setText(found, solution?.sentence ?? "");
    line.hidden = !solution?.line.length;
  });
  return make(
    "section",
    {},
    make("h2", {}, solver.title),
    make(
      "div",
      { class: "row" },
      start,
      make("label", { class: "switch" }, seconds, solver.seconds),
    ),
    found,
    line,
  );
}

// The review of a whole game; teaching and the visitor's rating, which the game panel shows.
const DEPTHS = [100, 500, 2000, 10_000];

/** @param {App} app @param {TreeNavigator} walk @returns {Node[]} */
export function reviewPanel(app, walk) {
  const { review } = STRINGS;
  const depth = make(
    "select",
    { id: "review-visits", "aria-label": review.depth },
    ...DEPTHS.map((each) => make("option", { value: each }, review.visits(each))),
  );
  depth.value = "500";
  const isRunning = () => app.state.table?.tasks.includes("review") ?? false;
  const start = button(
    review.start,
    () => {
      if (isRunning()) app.send({ type: "stop", task: "review" });
      else startReview(app);
    },
    { "data-action": "review", id: "start-review" },
  );
  const bar = make("progress", { "aria-label": review.progress });
  const said = make("p", { class: "note", id: "review-said", role: "status" });
  const worst = make("ol", { class: "worst", id: "mistakes", "aria-label": review.worst });
  const forced = make("ol", { class: "worst", id: "forced-losses", "aria-label": review.forced });
  const lost = make("div", {}, make("h3", {}, review.forced), forced);
  app.store.watch(["table", "review", "hello"], ({ review: found }) => {
    setText(start, isRunning() ? review.stop : review.start);
    start.disabled = !isRunning() && !app.can("review");
    bar.hidden = !found?.running;
    bar.max = found?.total || 1;
    if (found && found.done < found.total) bar.value = found.done;
    else bar.removeAttribute("value"); // how long proofs take is not known
    setText(said, found ? review.said(found) : review.intro);
  });
  app.store.watch(["review"], ({ review: found }) => {
    worst.replaceChildren(
      ...(found?.worst ?? []).map((each) => make("li", {}, worstButton(app, walk, each))),
    );
    const losses = found?.forced ?? [];
    forced.replaceChildren(...losses.map((each) => make("li", {}, forcedButton(app, walk, each))));
    lost.hidden = !losses.length;
  });
  const found = make(
    "div",
    { class: "found" },
    make("p", { class: "note" }, make("span", { class: "mistake-dot" }), review.legend),
    make("h3", {}, STRINGS.puzzles.title),
    puzzleList(app),
    make("h3", {}, review.worst),
    worst,
  );
  followPuzzle(app, depthChosen);
  app.store.watch(["review"], (state) => {
    found.hidden = !state.review?.worst.length;
  });
  const row = make("div", { class: "row" }, start, depth);
  return [make("section", {}, make("h2", {}, review.title), row, bar, said, found, lost)];
}

const depthChosen = () =>
  Number(/** @type {HTMLSelectElement} */ (document.getElementById("review-visits")).value);

/** Reviews the game at the chosen depth. @param {App} app */
export function startReview(app) {
  app.send({ type: "ask-review", visits: depthChosen(), engine: app.state.engine });
}

/**
 * Goes to a mistake; shows the better line on hover, at the mistake or before it.
 * @param {App} app @param {TreeNavigator} walk @param {import("./messages.js").WorstMove} move
 */
function worstButton(app, walk, move) {
  const isOwn = app.state.review?.own.some(({ node }) => node === move.node);
  // An own mistake is a puzzle, whose answer is not given away.
  const better =
    !isOwn && move.best.length ? make("span", { class: "note" }, STRINGS.review.better(move)) : "";
  return moveButton(
    app,
    walk,
    move.node,
    true,
    move.best,
    make("span", {}, STRINGS.review.move(move), better),
    make("strong", {}, `−${percent(move.loss)}%`),
  );
}

/**
 * Goes to a move that lost by force; shows the opponent's win on hover, after that move.
 * @param {App} app @param {TreeNavigator} walk @param {import("./messages.js").ForcedMove} move
 */
function forcedButton(app, walk, move) {
  const said = make("span", {}, STRINGS.review.lost(move));
  return moveButton(app, walk, move.node, false, move.line, said);
}

/**
 * Goes to a move; shows a line on hover where it begins.
 * @param {App} app @param {TreeNavigator} walk @param {number} node
 * @param {boolean} isInstead of the move
 * @param {import("./messages.js").VariationMove[]} line @param {...HTMLElement} parts
 */
function moveButton(app, walk, node, isInstead, line, ...parts) {
  const show = () => {
    const { tree, table } = app.state;
    const move = tree?.nodes.find((each) => each.id === node);
    const isHere = table?.node === node || (isInstead && table?.node === move?.parent);
    if (isHere) app.store.set({ variation: line });
  };
  return make(
    "button",
    {
      type: "button",
      "data-node": node,
      click: () => walk.go(node),
      pointerenter: show,
      focus: show,
      pointerleave: () => app.store.set({ variation: [] }),
    },
    ...parts,
  );
}

/** The teacher, the rating and the adaptive level. @param {App} app */
export function learnSection(app) {
  const { learn } = STRINGS;
  const teach = make("input", {
    type: "checkbox",
    role: "switch",
    id: "teach",
    change: () => app.send({ type: "set-options", teach: teach.checked }),
  });
  const rating = make("p", { id: "rating" });
  const adaptive = make("p", { class: "note", id: "adaptive" });
  app.store.watch(["table"], ({ table }) => {
    if (!table) return;
    teach.checked = table.teach;
    setText(rating, learn.rating(table.rating));
    setText(adaptive, learn.adaptive(table.rating));
    const { black, white } = table.players;
    adaptive.hidden = !black.level.adaptive && !white.level.adaptive;
  });
  return make(
    "section",
    { class: "host" },
    make("h2", {}, learn.title),
    make("label", { class: "switch" }, teach, learn.teach),
    make("p", { class: "note" }, learn.explain),
    rating,
    adaptive,
  );
}
