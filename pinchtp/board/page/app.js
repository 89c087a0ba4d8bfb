// The page's state and its connection.
import { Connection } from "./connection.js";
import { timeOf } from "./live_board.js";
import { Store } from "./store.js";
import { STRINGS } from "./strings.js";

/** @import * as m from "./messages.js" */
/** @typedef {m.ServerMessage} ServerMessage */
/** @typedef {m.State} Table */
/** @typedef {m.VariationMove} VariationMove */
/** @typedef {Extract<m.PageRequest, { type: "play" | "swap" | "pass" }>} Move */
/** @typedef {{ moves: VariationMove[], node: number }} Line  node: of its first position */
/** @typedef {{ message: ServerMessage, time: number }} Arrival  time: by performance.now() */
/** @typedef {{ request: Move, table: Table, isLost: boolean }} SentMove */

/** @typedef {{ text: string, run: () => void }} NoticeAction */
/**
 * passing: whether it expires with the position. serial: of the game with which it expires, or 0.
 * actions: its buttons. dismiss: called when a question is closed without an answer.
 * @typedef {object} NoticeOptions
 * @property {boolean} [passing]
 * @property {number} [serial]
 * @property {NoticeAction[]} [actions]
 * @property {() => void} [dismiss]
 *
 * @typedef {{ id: number, level: string, text: string } & NoticeOptions} ShownNotice
 */

/**
 * @typedef {object} PageState
 * @property {import("./connection.js").Link} connection
 * @property {m.Hello | null} hello
 * @property {Table | null} table
 * @property {number} arrived when the table arrived, by performance.now()
 * @property {m.TreeView | null} tree
 * @property {m.AnalysisUpdate | null} analysis of the current node
 * @property {m.Overlay | null} overlay of that node
 * @property {m.Hint | null} hint of that node
 * @property {m.SolverResult | null} solution of that node
 * @property {m.Review | null} review
 * @property {ShownNotice[]} notices
 * @property {m.ConsoleLine[]} lines the latest of the console
 * @property {VariationMove[]} variation drawn on the board as numbered stones
 * @property {Line | null} kept the line that is drawn while no other one is pointed at
 * @property {number | null} pointed the point below the pointer or the focus
 * @property {number | null} pending a point that was sent, and not yet answered
 * @property {number | null} tapped a point that was tapped once and waits for a second tap
 * @property {boolean} analyzing whether live analysis is on
 * @property {string} drawn the chosen overlay: one of DRAWINGS, or an engine's command
 * @property {import("./puzzles.js").Puzzle | null} puzzle
 * @property {number} engine the number of the engine that analyses
 * @property {number} autoplay seconds between two moves; 0: not now
 */

/** Overlays that are part of live analysis. */
export const DRAWINGS = /** @type {const} */ (["none", "ownership", "priors"]);

/** @type {{ variation: VariationMove[], kept: null }} */
export const NO_LINE = { variation: [], kept: null };

const MOST_LINES = 2000;
const MOST_NOTICES = 4;

// Requests disabled in a puzzle, and requests that may only be its answer, not a later move.
const PLAY_REQUESTS = ["undo", "hint", "resume", "pause", "think", "resign", "rematch"];
const TRY_REQUESTS = ["swap", "pass"];

// Messages that do not belong to a position, so they do not wait for the board.
const IMMEDIATE = ["console", "notice", "game-stored", "refused", "accepted", "hello"];

export class App {
  #lastNotice = 0;
  /** The last move sent, until the server responds. @type {SentMove | null} */ #move = null;
  /**
   * The next state and later messages, while the board animates a move; null: it does not.
   * @type {Arrival[] | null}
   */
  #held = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
  #switches = 0; // requests to start or end live analysis without an answer

  constructor() {
    this.store = new Store(start());
    this.server = new Connection(
      (message) => this.#receive({ message, time: performance.now() }),
      (connection, reason) => {
        this.store.set({ connection });
        const { reload } = STRINGS.connection;
        if (reason)
          this.notify("error", reason, {
            actions: [{ text: reload, run: () => location.reload() }],
          });
      },
    );
  }

  get state() {
    return this.store.state;
  }

  /**
   * Sends a request of the visitor, and skips animations; a notice says if there is no connection.
   * @param {m.PageRequest} request @returns {number} its id, or 0
   */
  send(request) {
    this.skip();
    const id = this.server.send(request);
    if (!id) this.#reportLost();
    return id;
  }

  /**
   * Sends a request like `send` and waits for its response, which comes after the new state.
   * @param {m.PageRequest} request @returns {Promise<ServerMessage | null>}
   */
  async ask(request) {
    this.skip();
    const answer = await this.server.ask(request);
    this.skip();
    return answer;
  }

  /**
   * Sends a request like `ask` that returns no data.
   * @param {m.PageRequest} request @returns {Promise<string>} the reason of a rejection, or empty
   */
  async change(request) {
    this.skip();
    const wrong = await this.server.change(request);
    this.skip();
    return wrong;
  }

  /**
   * Sends a request like `change`; a notice says why it failed.
   * @param {m.PageRequest} request @returns {Promise<boolean>} whether it succeeded
   */
  async attempt(request) {
    const answer = await this.ask(request); // #refused() shows the reason of a rejection
    if (!answer) this.#reportLost();
    return answer !== null && answer.type !== "refused";
  }

  #reportLost() {
    this.notify("info", STRINGS.connection[this.state.connection] || STRINGS.connection.lost);
  }

  /** Whether a move in the displayed state is not answered yet: another one would be ambiguous. */
  get isMoving() {
    return this.#move !== null && this.#move.table === this.state.table;
  }

  /**
   * Plays a move. If the connection is lost before the response, the move is played again after
   * reconnecting, unless the position has changed.
   * @param {Move} request
   */
  async play(request) {
    this.skip();
    const { table, connection } = this.state;
    if (!table || connection !== "open" || this.isMoving) return;
    /** @type {SentMove} */
    const move = { request, table, isLost: false };
    this.#move = move;
    this.store.set({ pending: request.type === "play" ? (request.at ?? null) : null });
    move.isLost = !(await this.server.ask(request));
    if (this.#move !== move || move.isLost) return;
    this.#move = null;
    this.store.set({ pending: null });
  }

  /**
   * Shows a notice: an `info` for some seconds; a question and others until they are dismissed or
   * too many.
   * @param {"info" | "warning" | "error"} level @param {string} text
   * @param {NoticeOptions} [options]
   * @returns {number} its id, for `forget`
   */
  notify(level, text, options = {}) {
    const id = (this.#lastNotice += 1);
    // An explanation of a click replaces the previous one.
    const others = this.state.notices.filter(
      (each) => each.text !== text && (each.level !== "info" || each.actions),
    );
    const notices = [...others, { id, level, text, ...options }].slice(-MOST_NOTICES);
    this.store.set({ notices });
    return id;
  }

  /** Deletes the current move and what follows it. @param {number} node */
  async deleteBranch(node) {
    if (await this.attempt({ type: "delete", node }))
      this.offerUndo(STRINGS.tree.removed, { type: "undelete" });
  }

  /**
   * Shows a notice about an action, with a button that undoes it.
   * @param {string} text @param {m.PageRequest} request @param {string} [undo]  the button's text
   */
  offerUndo(text, request, undo = STRINGS.library.undo) {
    let isPending = false;
    const run = async () => {
      if (isPending) return;
      isPending = true;
      if (await this.attempt(request)) this.forget(id);
      isPending = false;
    };
    const id = this.notify("info", text, { actions: [{ text: undo, run }] });
  }

  /** @param {number} id */
  forget(id) {
    this.store.set({ notices: this.state.notices.filter((each) => each.id !== id) });
  }

  /** Whether a request makes sense now. @param {string} request */
  can(request) {
    const { puzzle, table } = this.state;
    if (puzzle && PLAY_REQUESTS.includes(request)) return false;
    if (puzzle && puzzle.start !== table?.node && TRY_REQUESTS.includes(request)) return false;
    return table?.can.includes(request) ?? false;
  }

  /** Draws a line while it is pointed at; none: the kept line. @param {VariationMove[]} [moves] */
  preview(moves = []) {
    const { kept, table } = this.state;
    this.store.set({ variation: moves.length ? moves : movesAt(kept, table) });
  }

  /**
   * Draws a line at its position until another choice.
   * @param {VariationMove[]} moves empty: keeps no line @param {number} [node]
   */
  keepLine(moves, node = this.state.table?.node ?? -1) {
    this.store.set({ kept: moves.length ? { moves, node } : null });
    this.preview();
  }

  /** Whether a line is drawn until another choice. @param {VariationMove[]} moves */
  isKept(moves) {
    const { kept } = this.state;
    return kept !== null && textOf(kept.moves) === textOf(moves);
  }

  /** Keeps a line, or hides it. @param {VariationMove[]} moves */
  toggleLine(moves) {
    this.keepLine(this.isKept(moves) ? [] : moves);
  }

  /** Starts or ends live analysis. @param {boolean} on */
  async analyze(on) {
    const { engine, drawn } = this.state;
    this.store.set({ analyzing: on, ...(!on && { analysis: null }) });
    if (!on) this.preview();
    this.#switches += 1;
    await this.attempt({ type: "analyze", on, engine, ownership: drawn === "ownership" });
    this.#switches -= 1;
    this.store.set({ analyzing: this.#isAnalyzing(this.state.table) });
  }

  /**
   * Whether live analysis is on; until the server has answered, whether it was requested.
   * @param {Table | null} table
   */
  #isAnalyzing(table) {
    return this.#switches ? this.state.analyzing : (table?.tasks.includes("analyze") ?? false);
  }

  /** Whether the engines work on a task. @param {string} task */
  isRunning(task) {
    return this.state.table?.tasks.includes(task) ?? false;
  }

  /** The engine that analyses and answers the console. */
  get engine() {
    return this.state.hello?.engines[this.state.engine];
  }

  /** @param {Arrival} arrival */
  #receive(arrival) {
    const { type } = arrival.message;
    // Messages before the next state belong to the displayed position.
    const isLater = type === "state" || this.#held?.length;
    if (this.#held && isLater && !IMMEDIATE.includes(type)) this.#held.push(arrival);
    else this.#handle(arrival);
  }

  /**
   * Holds messages until the board has animated a move.
   * @param {number} time milliseconds
   */
  #hold(time) {
    this.#held ??= [];
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      if (document.querySelector("#board [data-busy]"))
        this.#hold(50); // the animation is late
      else this.#release();
    }, time);
  }

  /** Handles the held messages, up to the next move that is animated. */
  #release() {
    const waiting = this.#held ?? [];
    this.#held = null;
    for (let next = waiting.shift(); next; next = waiting.shift()) this.#receive(next);
  }

  /** Handles all held messages immediately; returns whether there were any. */
  skip() {
    clearTimeout(this.#timer);
    const wasWaiting = Boolean(this.#held?.length);
    while (this.#held) this.#release();
    return wasWaiting;
  }

  /** @param {Arrival} arrival */
  #handle({ message, time }) {
    const { node } = this.state.table ?? {};
    if (message.type === "state") this.#receiveState(message, time);
    else if (message.type === "hello") this.store.set({ hello: message });
    else if (message.type === "tree")
      this.store.set({ tree: withChanges(this.state.tree, message) });
    else if (message.type === "review") this.store.set({ review: message });
    else if (message.type === "notice")
      this.notify(message.level, message.text, { serial: message.serial });
    else if (message.type === "game-stored") this.#offerStored(message.game);
    else if (message.type === "refused") this.#refused(message);
    else if (message.type === "console") this.#receiveLines(message.lines);
    else if ("node" in message && message.node === node) this.#receiveFinding(message);
  }

  /** Offers to open the game again that another one replaced. @param {string} game */
  #offerStored(game) {
    const { stored, reopen } = STRINGS.library;
    this.offerUndo(stored, { type: "open-game", game }, reopen);
  }

  /** @param {Table} table @param {number} arrived */
  #receiveState(table, arrived) {
    const before = this.state.table;
    const isSameGame = table.serial === before?.serial;
    const { kept } = this.state;
    // A line is kept until its position is left; it may not be displayed yet.
    const line = isSameGame && kept?.node !== before.node ? kept : null;
    const changes =
      placeOf(table) === placeOf(before)
        ? {}
        : {
            analysis: null,
            overlay: null,
            hint: null,
            solution: null,
            variation: movesAt(line, table),
            kept: line,
            tapped: null,
            pending: null,
            notices: this.state.notices.filter(
              ({ passing, serial }) => !passing && (!serial || serial === table.serial),
            ),
          };
    const analyzing = this.#isAnalyzing(table);
    const isNext = isSameGame && table.number === before.number + 1;
    this.store.set({
      table,
      arrived,
      analyzing,
      ...(!analyzing && { analysis: null }),
      ...(!isSameGame && { review: null, puzzle: null }),
      ...changes,
    });
    const busy = isNext && !table.chosen.length ? timeOf(table.board) : 0;
    if (busy) this.#hold(busy);
    if (this.#move?.isLost) this.#playAgain(this.#move);
  }

  /** @param {SentMove} move */
  #playAgain({ request, table }) {
    this.#move = null;
    this.store.set({ pending: null });
    if (placeOf(this.state.table) === placeOf(table)) this.play(request);
  }

  /** @param {m.AnalysisUpdate | m.Hint | m.Overlay | m.SolverResult} message */
  #receiveFinding(message) {
    if (message.type === "analysis")
      this.store.set({ analysis: this.state.analyzing ? message : null });
    else if (message.type === "hint") this.store.set({ hint: message });
    else if (message.type === "overlay")
      this.store.set({ overlay: this.state.drawn === message.command ? message : null });
    else this.store.set({ solution: message });
  }

  /** Open dialogs show the reason themselves. @param {m.RequestRefused} message */
  #refused(message) {
    if (!document.querySelector("dialog[open]"))
      this.notify("warning", STRINGS.sentence(message.text), { passing: true });
  }

  /** @param {m.ConsoleLine[]} lines */
  #receiveLines(lines) {
    this.store.set({ lines: [...this.state.lines, ...lines].slice(-MOST_LINES) });
  }
}

/**
 * The tree after the changes of a message.
 * @param {m.TreeView | null} tree @param {m.TreeView} message
 */
function withChanges(tree, message) {
  if (message.whole || !tree) return message;
  const nodes = new Map(tree.nodes.map((each) => [each.id, each]));
  for (const each of message.nodes) nodes.set(each.id, each);
  const line = [...tree.line.slice(0, message.kept), ...message.line];
  return { ...message, nodes: [...nodes.values()], line };
}

/**
 * The moves of a line whose position is displayed; otherwise none.
 * @param {Line | null} line @param {Table | null} table
 */
const movesAt = (line, table) =>
  line && line.node === table?.node && !table.chosen.length ? line.moves : [];

/** @param {VariationMove[]} moves */
const textOf = (moves) => moves.map((each) => each.text).join(" ");

/**
 * The key of the position of findings: the game, the node, and the steps of an incomplete move.
 * @param {Table | null} table
 */
export const placeOf = (table) => table && [table.serial, table.node, ...table.chosen].join();

/** @returns {PageState} */
function start() {
  return {
    connection: "connecting",
    hello: null,
    table: null,
    arrived: 0,
    tree: null,
    analysis: null,
    overlay: null,
    hint: null,
    solution: null,
    review: null,
    notices: [],
    lines: [],
    variation: [],
    kept: null,
    pointed: null,
    tapped: null,
    pending: null,
    drawn: "none",
    engine: 0,
    autoplay: 0,
    analyzing: false,
    puzzle: null,
  };
}
