// A puzzle on the board: a better move than a reviewed mistake, or the only winning one of a
// position that comes with the board. puzzle_set.js lists them.
import { button, make } from "./dom.js";
import { percent } from "./overlays.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").PageState} PageState */
/** @typedef {import("./messages.js").WorstMove} WorstMove */
/** @typedef {import("./messages.js").OpenedPuzzle} OpenedPuzzle */

/**
 * @typedef {object} Puzzle
 * @property {WorstMove} mistake
 * @property {number} start the node before the mistake
 * @property {number} back the node that was displayed before the puzzle
 * @property {boolean} isAnswered whether the answer is shown
 * @property {OpenedPuzzle | null} given the puzzle of the package, whose only mistakes are the visitor's
 */

const LONGEST = 6; // moves of an answer; more would fill the board

/** The worst moves of each person; a click begins the puzzle. @param {App} app */
export function puzzleList(app) {
  const list = make("ol", { class: "worst", id: "own-worst", "aria-label": STRINGS.puzzles.title });
  app.store.watch(["review"], () => list.replaceChildren(...ownPuzzles(app)));
  return list;
}

/** An item for each of the visitor's worst moves in the reviewed game. @param {App} app */
export function ownPuzzles(app) {
  return (app.state.review?.own ?? []).map((each) => make("li", {}, make("button", {
    type: "button", "data-node": each.node, click: () => begin(app, each),
  }, make("span", {}, STRINGS.puzzles.task(each)), make("strong", {}, `−${percent(each.loss)}%`))));
}

/** @param {App} app @param {WorstMove} mistake */
function begin(app, mistake) {
  const { tree, table, puzzle } = app.state;
  const start = tree?.nodes.find(({ id }) => id === mistake.node)?.parent;
  if (!table || start === null || start === undefined) return;
  const back = puzzle?.back ?? table.node, best = mistake.best.slice(0, LONGEST);
  const next = { mistake: { ...mistake, best }, start, back, isAnswered: false, given: null };
  app.store.set({ puzzle: next, variation: [] });
  app.send({ type: "go", node: start });
  scrollTo({ top: 0 }); // on a phone the question is above the list
}

/**
 * Puts a puzzle of the package on the board.
 * @param {App} app @param {string} id @returns {Promise<string>} why not, or empty
 */
export async function openPuzzle(app, id) {
  const given = await app.server.ask({ type: "open-puzzle", puzzle: id }), { table } = app.state;
  if (given?.type === "refused") return given.text;
  if (given?.type !== "opened-puzzle" || !table) return STRINGS.connection.lost;
  pose(app, given, table.node);
  scrollTo({ top: 0 });
  return "";
}

/** @param {App} app @param {OpenedPuzzle} given @param {number} start its node */
function pose(app, given, start) {
  const { color, line } = given, best = line.slice(0, LONGEST);
  const mistake = { node: -1, number: 0, color, move: "", loss: 0, best, mark: "" };
  const puzzle = { mistake, start, back: start, isAnswered: false, given };
  app.store.set({ puzzle, variation: [] });
}

/**
 * Poses the puzzle that was on the board when the page was loaded, unless the visitor played on.
 * @param {App} app @param {PageState} state
 */
async function poseAgain(app, { table, tree }) {
  const here = tree?.nodes.find((each) => each.id === table?.node);
  const root = tree?.nodes.find((each) => each.parent === null);
  if (!table?.puzzle || !root || (here !== root && here?.parent !== root.id)) return;
  const given = await app.server.ask({ type: "ask-puzzle", puzzle: table.puzzle });
  const isPosed = given?.type === "opened-puzzle" && app.state.table?.puzzle === given.id;
  if (isPosed) pose(app, given, root.id);
}

/**
 * Whether a move solves a puzzle of the package.
 * @param {Puzzle} puzzle @param {import("./messages.js").TreeNode} here
 */
const isSolution = ({ start, mistake }, here) =>
  here.parent === start && here.move === mistake.best[0].text;

/**
 * Has moves judged, and ends the puzzle with another position.
 * @param {App} app @param {() => number} visits for a judgement
 */
export function followPuzzle(app, visits) {
  let displayed = -1; // the mistake of the puzzle whose start was displayed
  let asked = -1; // the node whose judgement was requested
  let isLoaded = false; // whether the first position is known
  app.store.watch(["tree", "table", "puzzle"], (state) => {
    const { tree, table, puzzle } = state;
    if (!isLoaded && tree && table) {
      isLoaded = true;
      poseAgain(app, state);
    }
    const here = tree?.nodes.find((each) => each.id === table?.node);
    if (!puzzle) displayed = -1;
    if (!puzzle || !here) return;
    if (here.id === puzzle.start) {
      displayed = puzzle.mistake.node;
      asked = -1;
      if (puzzle.isAnswered) app.store.set({ variation: puzzle.mistake.best });
    } else if (displayed !== puzzle.mistake.node) return; // its start is still to come
    else if (here.parent !== puzzle.start) app.store.set({ puzzle: null, variation: [] });
    else if (puzzle.given) {
      const isNew = asked !== here.id;
      if (isNew && isSolution(puzzle, here)) app.send({ type: "mark-solved", puzzle: puzzle.given.id });
      asked = here.id;
    }
    else if (here.loss === null && asked !== here.id) {
      asked = here.id;
      app.send({ type: "judge-move", visits: visits(), engine: app.state.engine });
    }
  });
}

/** @param {PageState} state */
export function puzzleSentence({ tree, table, puzzle }) {
  const { puzzles } = STRINGS, here = tree?.nodes.find((each) => each.id === table?.node);
  if (!puzzle || !here) return "";
  if (puzzle.given) {
    if (here.parent === puzzle.start) return puzzles.judged(here.move, isSolution(puzzle, here));
    return puzzle.isAnswered ? puzzles.proof(puzzle.given) : puzzles.pose(puzzle.given);
  }
  if (here.parent === puzzle.start) return puzzles.tried(here, puzzle.mistake);
  return puzzle.isAnswered ? puzzles.line(puzzle.mistake) : puzzles.find(puzzle.mistake);
}

/** @param {App} app */
export function puzzleButtons(app) {
  const { puzzles } = STRINGS, { puzzle, table } = app.state;
  const isAtStart = table?.node === puzzle?.start, isAnswered = isAtStart && puzzle?.isAnswered;
  /** @type {(id: string, text: string, run: () => void, kind?: string) => HTMLElement} */
  const made = (id, text, run, kind) => button(text, run, { "data-action": id, class: kind });
  const again = made("try-again", puzzles.again, () => show(app, false), "main");
  const answer = made("answer", puzzles.answer, () => show(app, true));
  const back = made("leave-puzzle", puzzle?.given ? puzzles.leave : puzzles.back, () => leave(app));
  if (puzzle?.given) {
    const { given } = puzzle, here = app.state.tree?.nodes.find((each) => each.id === table?.node);
    const isSolved = here && isSolution(puzzle, here);
    const next = made("next-puzzle", puzzles.next, () => openNext(app, given), isSolved ? "main" : undefined);
    if (isSolved) return [next, answer, back];
    return isAtStart ? [isAnswered ? again : answer, next, back] : [again, answer, next, back];
  }
  if (isAnswered) return [again, back];
  return isAtStart ? [answer, back] : [again, answer, back];
}

/** Goes to the start, with the answer or without. @param {App} app @param {boolean} isAnswered */
function show(app, isAnswered) {
  const { puzzle } = app.state;
  if (!puzzle) return;
  app.send({ type: "go", node: puzzle.start });
  app.store.set({ puzzle: { ...puzzle, isAnswered }, variation: [] });
}

/** Goes back to the review. @param {App} app */
function leave(app) {
  const { puzzle } = app.state;
  if (puzzle) app.send({ type: "go", node: puzzle.back });
  app.store.set({ puzzle: null, variation: [] });
  if (puzzle?.given) return;
  document.getElementById("tab-review")?.click();
  document.getElementById("own-worst")?.scrollIntoView({ block: "nearest" });
}

/** @param {App} app @param {OpenedPuzzle} given */
async function openNext(app, given) {
  const { nextPuzzle } = await import("./puzzle_set.js");
  await nextPuzzle(app, given);
}
