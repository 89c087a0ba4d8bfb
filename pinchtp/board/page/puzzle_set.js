// The list of puzzles: those of the package by grade, and the visitor's own. Loaded on demand.
import { errorLine, openDialog, select } from "./dialog.js";
import { button, make } from "./dom.js";
import { friendWarning } from "./invite.js";
import { lessonItem, openLesson, openPuzzle, ownPuzzles } from "./puzzles.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./messages.js").PuzzleInfo} PuzzleInfo */
/** @typedef {import("./messages.js").OpenedPuzzle} OpenedPuzzle */

/** The board whose puzzles are shown; empty: all. @type {string | null} */
let chosen = null;

/** @param {App} app */
export async function openPuzzles(app) {
  const { puzzles: text } = STRINGS;
  const [answer, games] = await Promise.all([listed(app), stored(app)]);
  const all = answer ?? [];
  const grades = make("div", { class: "grades" });
  const wrong = errorLine();
  if (!answer) wrong.textContent = STRINGS.connection.lost;
  /** Closes the dialog, or says why not. @param {Promise<string>} opened */
  const end = async (opened) => {
    wrong.textContent = await opened;
    if (!wrong.textContent) dialog.close();
  };
  const show = () =>
    grades.replaceChildren(
      ...gradesOf(app, shown(app, all)).map(([grade, puzzles]) =>
        row(grade, puzzles, (id) => end(openPuzzle(app, id))),
      ),
    );
  if (answer) chosen ??= boardLike(app, all);
  const own = ownPuzzles(app);
  for (const each of own) each.addEventListener("click", () => dialog.close());
  own.push(...storedMistakes(app, games, end));
  show();
  const dialog = openDialog({
    id: "puzzles-dialog",
    title: STRINGS.actions.puzzles,
    body: [
      ...friendWarning(app),
      boardSelect(app, all, show),
      make("p", { class: "note" }, text.intro),
      grades,
      wrong,
      make("h3", {}, text.own),
      own.length ? make("ol", { class: "worst" }, ...own) : make("p", { class: "note" }, text.none),
    ],
  });
}

/** The choice of a board. @param {App} app @param {PuzzleInfo[]} all @param {() => void} changed */
function boardSelect(app, all, changed) {
  const boards = [...new Set(all.map((each) => boardOf(app, each)))];
  /** @type {[string, string][]} */
  const options = [["", STRINGS.puzzles.all]];
  for (const board of boards) options.push([board, board]);
  const change = () => {
    chosen = list.value;
    changed();
  };
  const attributes = { name: "puzzle-board", "aria-label": STRINGS.puzzles.board, change };
  const list = select(attributes, options, chosen ?? "");
  return list;
}

/**
 * The visitor's mistakes in stored games.
 * @param {App} app @param {import("./messages.js").GameSummary[]} games
 * @param {(opened: Promise<string>) => void} end
 */
const storedMistakes = (app, games, end) =>
  games.flatMap((game) =>
    game.lessons.map((each) => lessonItem(each, () => end(openLesson(app, game.id, each)))),
  );

/**
 * Opens the next unsolved puzzle of the same grade; without one, of any grade.
 * @param {App} app @param {OpenedPuzzle} last
 */
export async function nextPuzzle(app, last) {
  const all = await listed(app);
  if (!all) {
    app.notify("warning", STRINGS.connection.lost);
    return;
  }
  chosen ??= boardLike(app, all);
  const open = shown(app, all).filter(({ id, solved }) => !solved && id !== last.id);
  const next = open.find((each) => gradeOf(app, each) === gradeOf(app, last)) ?? open[0];
  const wrong = next ? await openPuzzle(app, next.id) : STRINGS.puzzles.finished;
  if (wrong) app.notify("info", STRINGS.sentence(wrong));
}

/** The puzzles of the package; null without an answer. @param {App} app */
async function listed(app) {
  const answer = await app.server.ask({ type: "ask-puzzles" });
  return answer?.type === "puzzles" ? answer.puzzles : null;
}

/** The stored games. @param {App} app */
async function stored(app) {
  const answer = await app.server.ask({ type: "ask-games" });
  return answer?.type === "games" ? answer.games : [];
}

/**
 * The current board, if it has puzzles; otherwise another board of the same game, or empty.
 * @param {App} app @param {PuzzleInfo[]} all
 */
function boardLike(app, all) {
  const { game, board } = app.state.table ?? {};
  const alike = all.filter((each) => each.game === game);
  /** @type {(each: PuzzleInfo) => boolean} */
  const isSame = ({ width, height }) => width === board?.width && height === board.height;
  const like = alike.find(isSame) ?? alike[0];
  return like ? boardOf(app, like) : "";
}

/** @param {App} app @param {PuzzleInfo[]} all */
const shown = (app, all) => all.filter((each) => !chosen || boardOf(app, each) === chosen);

/** @param {App} app @param {PuzzleInfo} puzzle */
const boardOf = (app, { game, width, height }) =>
  STRINGS.title(
    app.state.hello?.games.find((each) => each.name === game)?.title ?? game,
    width,
    height,
  );

/**
 * The name of a puzzle's grade: the lowest level that finds the answer.
 * @param {App} app @param {{ level: number }} puzzle
 */
function gradeOf(app, { level }) {
  const numbers = (app.state.hello?.levels ?? []).map((each) => each.number ?? 0);
  return STRINGS.players.skill((level - 1) / Math.max(...numbers));
}

/** The puzzles of each grade, easy ones first. @param {App} app @param {PuzzleInfo[]} puzzles */
function gradesOf(app, puzzles) {
  /** @type {Map<string, PuzzleInfo[]>} */
  const grades = new Map();
  for (const each of [...puzzles].sort((one, other) => one.level - other.level)) {
    const grade = gradeOf(app, each);
    grades.set(grade, [...(grades.get(grade) ?? []), each]);
  }
  return [...grades];
}

/** @param {string} grade @param {PuzzleInfo[]} puzzles @param {(id: string) => void} open */
function row(grade, puzzles, open) {
  const { puzzles: text } = STRINGS;
  const solved = puzzles.filter((each) => each.solved);
  const next = puzzles.find((each) => !each.solved) ?? puzzles[0];
  return make(
    "div",
    { class: "row" },
    make("strong", { class: "grow" }, grade[0].toUpperCase() + grade.slice(1)),
    make("span", { class: "note" }, text.count(solved.length, puzzles.length)),
    button(solved.length ? text.on : text.start, () => open(next.id), {
      "data-grade": grade,
      "aria-label": text.solve(grade),
    }),
  );
}
