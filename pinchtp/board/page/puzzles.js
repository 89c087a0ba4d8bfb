// A puzzle on the board: to find a better move than a mistake of a review, or the only winning move
// of a position that comes with the board. puzzle_set.js lists them.
import { NO_LINE } from "./app.js";
import { choice, make } from "./dom.js";
import { percent } from "./overlays.js";
import { STRINGS } from "./strings.js";
import { displayedNode, nodeAt, pathTo } from "./tree.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").PageState} PageState */
/** @typedef {import("./messages.js").TreeNode} TreeNode */
/** @typedef {import("./messages.js").WorstMove} WorstMove */
/** @typedef {import("./messages.js").OpenedPuzzle} OpenedPuzzle */
/** @typedef {import("./messages.js").ListedMistake} ListedMistake */

/**
 * @typedef {object} Puzzle
 * @property {WorstMove} mistake
 * @property {number} start the node before the mistake
 * @property {number} back the node that was displayed before the puzzle
 * @property {boolean} isAnswered whether the answer is shown
 * @property {OpenedPuzzle | null} given a puzzle of the package; null for a mistake of the visitor
 */

const LONGEST = 6; // moves of an engine's line; more would fill the board
const KEPT = "lesson"; // where this window remembers the visitor's own puzzle, for a reload

/** The worst moves of each person; a click begins the puzzle. @param {App} app */
export function puzzleList(app) {
  const list = make("ol", { class: "worst", id: "own-worst", "aria-label": STRINGS.puzzles.title });
  let shown = "";
  app.store.watch(["review", "table"], ({ review, table }) => {
    const now = `${review?.own.map((each) => each.node)}; ${table?.solved}`;
    if (now !== shown) list.replaceChildren(...ownPuzzles(app));
    shown = now;
  });
  return list;
}

/** An item for each of the visitor's worst moves in the reviewed game. @param {App} app */
export function ownPuzzles(app) {
  const { review, table } = app.state;
  return (review?.own ?? []).map((each) =>
    lessonItem({ ...each, solved: table?.solved.includes(each.node) ?? false }, () =>
      begin(app, each),
    ),
  );
}

/** @param {ListedMistake} lesson @param {() => void} open */
export function lessonItem(lesson, open) {
  const { puzzles } = STRINGS;
  return make(
    "li",
    {},
    make(
      "button",
      { type: "button", click: open },
      make("span", {}, puzzles.task(lesson)),
      make("strong", {}, `${lesson.solved ? "✓ " : ""}−${percent(lesson.loss)}%`),
    ),
  );
}

/** @param {App} app @param {WorstMove} mistake */
function begin(app, mistake) {
  const { table, puzzle } = app.state;
  const next = table && lessonOf(app.state, mistake, puzzle?.back ?? table.node);
  if (!next) return;
  app.store.set({ puzzle: next, ...NO_LINE });
  app.send({ type: "go", node: next.start });
  scrollTo({ top: 0 }); // on a phone the question is above the list
}

/**
 * @param {PageState} state @param {WorstMove} mistake @param {number} back
 * @returns {Puzzle | null}
 */
function lessonOf({ tree }, mistake, back) {
  const start = tree?.nodes.find(({ id }) => id === mistake.node)?.parent ?? null;
  if (start === null) return null;
  const best = mistake.best.slice(0, LONGEST);
  return { mistake: { ...mistake, best }, start, back, isAnswered: false, given: null };
}

/**
 * Opens a stored game, and one of its worst moves as a puzzle.
 * @param {App} app @param {string} game @param {ListedMistake} lesson
 * @returns {Promise<string>} the error message, or empty
 */
export async function openLesson(app, game, { number, move }) {
  const answer = await app.ask({ type: "open-game", game });
  if (answer?.type === "refused") return answer.text;
  const own = app.state.review?.own ?? [];
  const mistake = own.find((each) => each.number === number && each.move === move);
  if (!mistake) return STRINGS.connection.lost;
  begin(app, mistake);
  return "";
}

/**
 * Puts a puzzle of the package on the board.
 * @param {App} app @param {string} id @returns {Promise<string>} the error message, or empty
 */
export async function openPuzzle(app, id) {
  const given = await app.ask({ type: "open-puzzle", puzzle: id });
  const { table } = app.state;
  if (given?.type === "refused") return given.text;
  if (given?.type !== "opened-puzzle" || !table) return STRINGS.connection.lost;
  pose(app, given, table.node);
  scrollTo({ top: 0 });
  return "";
}

/** @param {App} app @param {OpenedPuzzle} given @param {number} start its node */
function pose(app, given, start) {
  const { color, line } = given;
  const mistake = { node: -1, number: 0, color, move: "", loss: 0, best: line, mark: "" };
  const puzzle = { mistake, start, back: start, isAnswered: false, given };
  app.store.set({ puzzle, ...NO_LINE });
}

/**
 * Resumes the puzzle that was on the board when the page was loaded or lost its connection, unless
 * the visitor has continued its game.
 * @param {App} app @param {PageState} state
 */
async function poseAgain(app, state) {
  const { table, tree } = state;
  const here = displayedNode(state);
  const root = tree?.nodes.find((each) => each.parent === null);
  if (!table?.puzzle || table.guest || !root || (here !== root && here?.parent !== root.id)) return;
  const given = await app.server.ask({ type: "ask-puzzle", puzzle: table.puzzle });
  const { puzzle } = app.state;
  const isPosed = given?.type === "opened-puzzle" && app.state.table?.puzzle === given.id;
  if (isPosed && !puzzle) pose(app, given, root.id);
}

/**
 * Whether a move solves a puzzle of the package.
 * @param {Puzzle} puzzle @param {TreeNode} here
 */
const isSolution = ({ start, mistake }, here) =>
  here.parent === start && here.move === mistake.best[0].text;

/**
 * Resumes the puzzle after a reload or a reconnect, requests evaluations of tries, and ends the
 * puzzle when another position is displayed.
 */
export class PuzzleFollower {
  #displayed = -1; // the mistake of the puzzle whose start or try was displayed
  #asked = -1; // the node whose judgement was requested
  #serial = 0; // of the displayed tree
  #kept = sessionStorage.getItem(KEPT);

  /** @param {App} app @param {() => number} visits for an evaluation */
  constructor(app, visits) {
    this.app = app;
    this.visits = visits;
    app.store.watch(["connection"], ({ connection }) => {
      if (connection !== "lost") return;
      this.#kept = sessionStorage.getItem(KEPT);
      this.#asked = -1; // the request, or its answer, may be lost as well
    });
    app.store.watch(["review"], ({ review }) => {
      if (!review || review.running) return;
      this.#resumeLesson();
      this.#kept = null;
    });
    app.store.watch(["tree"], (state) => this.#resumeGiven(state));
    app.store.watch(["tree", "table", "puzzle"], (state) => {
      this.#remember(state);
      this.#follow(state);
    });
  }

  /** Resumes a puzzle from a mistake of the visitor. */
  #resumeLesson() {
    const { state, store } = this.app;
    if (!this.#kept || state.puzzle) return;
    const [number, move, path] = JSON.parse(this.#kept); // ids change when the server restarts
    const own = state.review?.own ?? [];
    const mistake = own.find((each) => each.number === number && each.move === move);
    const back = nodeAt(state.tree?.nodes ?? [], path);
    const puzzle = mistake && back && lessonOf(state, mistake, back.id);
    const here = displayedNode(state);
    if (!here || !puzzle || ![here.id, here.parent].includes(puzzle.start)) return;
    this.#displayed = puzzle.mistake.node;
    store.set({ puzzle });
  }

  /** Resumes a puzzle of the package. @param {PageState} state */
  #resumeGiven(state) {
    const { tree, table, puzzle } = state;
    if (puzzle && state.connection === "open") this.#kept = null; // it outlasted the reconnect
    if (!tree || !table || table.serial === this.#serial) return; // the tree comes after the state
    this.#serial = table.serial;
    if (!puzzle) poseAgain(this.app, state);
  }

  /** Keeps a puzzle from a mistake for a reload. @param {PageState} state */
  #remember({ puzzle, tree }) {
    if (puzzle && !puzzle.given) {
      const { number, move } = puzzle.mistake;
      const path = pathTo(tree?.nodes ?? [], puzzle.back);
      sessionStorage.setItem(KEPT, JSON.stringify([number, move, path]));
    } else if (!this.#kept) sessionStorage.removeItem(KEPT);
  }

  /** @param {PageState} state */
  #follow(state) {
    const { puzzle } = state;
    const here = displayedNode(state);
    if (!puzzle) this.#displayed = -1;
    if (!puzzle || !here) return;
    if (here.id === puzzle.start) {
      this.#displayed = puzzle.mistake.node;
      this.#asked = -1;
      if (puzzle.isAnswered) this.app.keepLine(puzzle.mistake.best, puzzle.start);
    } else if (this.#displayed !== puzzle.mistake.node)
      return; // its start is still to come
    else if (here.parent !== puzzle.start) this.app.store.set({ puzzle: null, ...NO_LINE });
    else if (this.#asked !== here.id) this.#judge(puzzle, here);
  }

  /**
   * Has a try evaluated, or a solution remembered.
   * @param {Puzzle} puzzle @param {TreeNode} here
   */
  #judge(puzzle, here) {
    const { server, state } = this.app;
    /** @type {import("./messages.js").PageRequest | null} */
    let request = null;
    if (puzzle.given) {
      if (isSolution(puzzle, here)) request = { type: "mark-solved", puzzle: puzzle.given.id };
    } else if (here.loss === null)
      request = { type: "judge-move", visits: this.visits(), engine: state.engine };
    if (request && server.send(request)) this.#asked = here.id;
  }
}

/** Whether the displayed move is a wrong try. @param {PageState} state */
export function hasFailed(state) {
  const { puzzle } = state;
  const here = displayedNode(state);
  if (!puzzle || !here || here.parent !== puzzle.start) return false;
  return puzzle.given ? !isSolution(puzzle, here) : here.mark !== "";
}

/** Whether the displayed move is better than the visitor's own mistake. @param {PageState} state */
function isFound(state) {
  const { puzzle } = state;
  const here = displayedNode(state);
  return Boolean(puzzle && !puzzle.given && here?.parent === puzzle.start && isBetter(here));
}

/** Whether a move was evaluated as good. @param {TreeNode} node */
const isBetter = ({ loss, mark }) => loss !== null && mark === "";

/** Plays on a point; after a wrong try, as the next try. @param {App} app @param {number} at */
export function playAt(app, at) {
  const { table, puzzle } = app.state;
  if (!table) return;
  const node = puzzle && hasFailed(app.state) ? puzzle.start : table.node;
  if (node !== table.node) app.send({ type: "go", node });
  app.play({ type: "play", at, node });
}

/** @param {PageState} state */
export function puzzleSentence(state) {
  const { puzzles } = STRINGS;
  const { puzzle } = state;
  const here = displayedNode(state);
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
  const { puzzles } = STRINGS;
  const { puzzle, table } = app.state;
  const isAtStart = table?.node === puzzle?.start;
  const isAnswered = isAtStart && puzzle?.isAnswered;
  const here = displayedNode(app.state);
  const isSolved = puzzle?.given && here && isSolution(puzzle, here);
  const isDone = isSolved || (puzzle?.given && isAnswered); // the next one comes
  const kind = isDone ? undefined : "main";
  const backKind = isFound(app.state) ? "main" : undefined;
  const again = choice("try-again", puzzles.again, () => show(app, false), kind);
  const answer = choice("answer", isSolved ? puzzles.how : puzzles.answer, () => show(app, true));
  const back = choice(
    "leave-puzzle",
    puzzle?.given ? puzzles.leave : puzzles.back,
    () => leave(app),
    backKind,
  );
  if (puzzle?.given) {
    const { given } = puzzle;
    const nextKind = isDone ? "main" : undefined;
    const next = choice("next-puzzle", puzzles.next, () => openNext(app, given), nextKind);
    if (isSolved) return [next, answer, back];
    return isAtStart ? [isAnswered ? again : answer, next, back] : [again, answer, next, back];
  }
  if (isAnswered) return [again, back];
  if (isAtStart) return [answer, back];
  return isFound(app.state) ? [back, answer] : [again, answer, back];
}

/** Goes to the start, with the answer or without. @param {App} app @param {boolean} isAnswered */
function show(app, isAnswered) {
  const { puzzle } = app.state;
  if (!puzzle) return;
  app.send({ type: "go", node: puzzle.start });
  app.store.set({ puzzle: { ...puzzle, isAnswered }, ...NO_LINE });
}

/** Goes back to the game, or to its review. @param {App} app */
async function leave(app) {
  const { puzzle } = app.state;
  if (!puzzle) return;
  const isLeft = await app.attempt(
    puzzle.given ? { type: "leave-puzzle" } : { type: "go", node: puzzle.back },
  );
  if (!isLeft) return;
  app.store.set({ puzzle: null, ...NO_LINE });
  if (puzzle.given) return;
  document.getElementById("tab-review")?.click();
  // After the end of the game is shown, which takes more room than the puzzle.
  requestAnimationFrame(() => {
    document.getElementById("own-worst")?.scrollIntoView({ block: "nearest" });
  });
}

/** @param {App} app @param {OpenedPuzzle} given */
async function openNext(app, given) {
  const { nextPuzzle } = await import("./puzzle_set.js");
  await nextPuzzle(app, given);
}
