// The status line, the action buttons, the players and their clocks.
import { PACES } from "./actions.js";
import { isLost } from "./connection.js";
import { at, button, choice, drawing, make, setAttribute, setText } from "./dom.js";
import { nameOf } from "./live_board.js";
import { playAt, puzzleButtons, puzzleSentence } from "./puzzles.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").PageState} PageState */
/** @typedef {import("../../html/board.js").Color} Color */
/** @typedef {import("./app.js").Table} Table */
/** @typedef {import("./actions.js").Action} Action */

// A strip per color: name, sides to join, turn and clock.
const COLORS = /** @type {Color[]} */ (["black", "white"]);
const SHORT = 10; // seconds left; below this, a clock is highlighted

/** @param {App} app */
export function showPlayers(app) {
  const strips = COLORS.map((color) => new Strip(app, color));
  at("players").append(...strips.map((strip) => strip.element));
  app.store.watch(["table", "hello", "puzzle"], (state) =>
    strips.forEach((strip) => strip.show(state)),
  );
  setInterval(() => strips.forEach((strip) => strip.tick()), 200);
}

class Strip {
  #who = make("span", { class: "who" });
  #between = make("span", { class: "dot" });
  #strength = make("span", { class: "strength" });
  #name = make("span", { class: "name" }, this.#who, this.#between, this.#strength);
  #clock = make("span", { class: "clock" });
  #words = make("span"); // the turn
  #dot = make("span", { class: "dot" }, " · ");
  #sides = make("span", { class: "sides" }); // to be joined
  #since = 0; // when the clock was known
  /** @type {import("./messages.js").ClockView | null} */ #clockView = null;

  /** @param {App} app @param {Color} color */
  constructor(app, color) {
    this.app = app;
    this.color = color;
    this.element = make(
      "div",
      { class: "player", "data-color": color, role: "group" },
      symbol(color),
      this.#name,
      this.#clock,
      make("span", { class: "says" }, this.#words, this.#dot, this.#sides),
    );
  }

  /** @param {PageState} state */
  show({ table, arrived, hello, puzzle }) {
    if (!table || !hello) return;
    const { color } = this;
    const player = table.players[color];
    const moves = table.to_move === color && !table.result;
    const isOther = puzzle?.given && puzzle.given.color !== color; // a color without a player
    setText(this.#who, isOther ? STRINGS.colors[color] : playerName(player, hello, color, table));
    const strength = isOther ? "" : strengthOf(player, table);
    setText(this.#between, strength && " ·\u00a0"); // a line never ends with the dot
    setText(this.#strength, strength);
    setAttribute(this.#name, "title", this.#name.textContent); // it may be cut
    const { top_owner: owner } = table.board;
    const { sides } = STRINGS.players;
    this.element.classList.toggle("joins", owner !== null);
    setText(this.#sides, owner === color ? sides.upright : sides.level);
    this.#say(this.#turn(table));
    this.element.classList.toggle("moves", moves);
    setAttribute(this.element, "aria-current", moves);
    setAttribute(this.element, "aria-label", STRINGS.colors[color]);
    this.#clockView = table.clocks?.[color] ?? null;
    this.#since = arrived;
    this.tick();
  }

  /** What the player does, or has done. @param {Table} table */
  #turn(table) {
    const { color } = this;
    const { away, toMove, thinking, won } = STRINGS.players;
    if (table.thinking?.color === color) return thinking;
    if (table.result?.winner === color) return won;
    if (table.away.includes(color)) return away;
    return table.to_move === color && !table.result ? toMove : "";
  }

  /** Says something before the sides to be joined. @param {string} words */
  #say(words) {
    const hasSides = this.element.classList.contains("joins");
    setText(this.#words, words);
    this.#words.classList.toggle("to-move", words === STRINGS.players.toMove && hasSides);
    this.#dot.hidden = !words || !hasSides;
  }

  /** Updates the clock. */
  tick() {
    const clock = this.#clockView;
    if (!clock) {
      setText(this.#clock, "");
      return;
    }
    const { lastMessage } = this.app.server;
    const isKnown = !isLost(this.app.state.connection);
    const until = isKnown ? performance.now() : lastMessage;
    const gone = clock.running ? Math.max(0, until - this.#since) / 1000 : 0;
    const left = Math.max(0, clock.left - gone);
    setText(this.#clock, timeText(left) + (clock.periods ? ` ×${clock.periods}` : ""));
    this.#clock.classList.toggle("short", left < SHORT);
    if (!clock.running || isKnown) return;
    const age = Math.round((performance.now() - lastMessage) / 1000);
    this.#say(STRINGS.players.age(age));
  }
}

/**
 * @param {import("./messages.js").PlayerChoice} player @param {import("./messages.js").Hello} hello
 * @param {Color} color @param {Table} table
 */
function playerName(player, hello, color, { seat }) {
  if (player.engine === null) {
    const { human, friend } = STRINGS.players;
    const name = STRINGS.colors[color];
    return (
      player.name ||
      (seat === "watch" ? name : seat === "" || seat === color ? human(name) : friend(name))
    );
  }
  return player.name || hello.engines[player.engine]?.name || "";
}

/**
 * The strength of an engine; empty if unknown, and for people.
 * @param {import("./messages.js").PlayerChoice} player @param {Table} table
 */
function strengthOf({ engine, level }, { ended, rating: { adaptive } }) {
  if (engine === null) return "";
  return (
    (level.adaptive ? (ended ? "" : STRINGS.players.adaptive(adaptive)) : level.name) ||
    (level.visits
      ? STRINGS.players.visits(level.visits)
      : level.seconds
        ? STRINGS.players.seconds(level.seconds)
        : "")
  );
}

/** @param {number} seconds */
function timeText(seconds) {
  if (seconds < SHORT) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** @param {Color} color */
function symbol(color) {
  const made = drawing("svg", {
    class: `symbol ${color}`,
    viewBox: "0 0 20 20",
    "aria-hidden": "true",
  });
  made.append(drawing("circle", { cx: 10, cy: 10, r: 8.6 }));
  return made;
}

// The status line and the action buttons, below the board.
const SHOWN = ["cancel", "pass", "undo", "hint", "resume", "pause", "think", "resign", "to-review"];
const TAUGHT = ["resign"]; // shown with the teacher's buttons
const TRIED = ["cancel", "pass"]; // with those of a puzzle
const NEWCOMER = 3; // moves with advice, and an introduction to the game

/** @param {App} app @param {Action[]} actions */
export function showTurn(app, actions) {
  const byId = new Map(actions.map((each) => [each.id, each]));
  addEventListener("resize", fitStatus);
  app.store.watch(
    ["table", "tree", "hint", "tapped", "hello", "connection", "puzzle", "kept"],
    (state) => {
      const { table, puzzle } = state;
      if (!table) return;
      showStatus(state);
      const isOver = table.result !== null && !puzzle;
      const others = table.teaching ? TAUGHT : puzzle ? TRIED : SHOWN;
      at("turn").classList.toggle("over", isOver);
      at("status").classList.toggle("over", isOver);
      replace(at("actions"), [
        ...special(app, state, byId),
        ...others
          .map((id) => byId.get(id))
          .map((each) => (each?.possible() ? actionButton(each) : undefined)),
      ]);
    },
  );
}

/** The sentence of the moment, after a game with its verdict. @param {PageState} state */
function showStatus(state) {
  const { table, puzzle } = state;
  const status = at("status");
  const isOver = table?.result && !puzzle;
  const text = [sentenceOf(state), isOver ? table.rating_change || unratedReason(table) : ""]
    .filter(Boolean)
    .join(" ");
  const verdict = isOver && !isLost(state.connection) ? verdictOf(table) : "";
  if (status.textContent === [verdict, text].filter(Boolean).join(" ")) return;
  status.replaceChildren(...(verdict ? [make("strong", {}, verdict), ` ${text}`] : [text]));
  fitStatus();
}

/** Marks a sentence too long for its space, which wide windows then make smaller. */
function fitStatus() {
  const status = at("status");
  status.classList.remove("long");
  const height = parseFloat(getComputedStyle(status).minHeight);
  status.classList.toggle("long", status.offsetHeight > height + 1);
}

/** Why a game against an engine does not count for the rating; or empty. @param {Table} table */
export function unratedReason({ players: { black, white }, unrated }) {
  const isAgainstEngine = (black.engine === null) !== (white.engine === null);
  return isAgainstEngine && unrated ? STRINGS.tree.unrated(unrated) : "";
}

/**
 * The color of this page: its seat in a game with a friend, or the color of the only human.
 * @param {Table} table
 */
export function ownColor({ players, seat }) {
  if (seat) return seat === "watch" ? null : seat;
  const [human, ...others] = COLORS.filter((color) => players[color].engine === null);
  return others.length ? null : (human ?? null);
}

/**
 * How the game ended for this page's player; without one its winner, if the winner has a name.
 * @param {Table} table
 */
function verdictOf(table) {
  const { verdict } = STRINGS;
  const { players, result } = table;
  if (!result || result.winner === "draw") return verdict.draw;
  const { name } = players[result.winner];
  const own = ownColor(table);
  if (!own) return name && verdict.winner(name);
  return result.winner === own ? verdict.won : verdict.lost;
}

/** @param {PageState} state */
function sentenceOf(state) {
  const { table, hello, hint, tapped, connection } = state;
  if (!table) return "";
  if (isLost(connection)) return STRINGS.connection[connection];
  if (table.teaching) return table.teaching.sentence;
  if (tapped !== null) return STRINGS.turn.tapAgain(nameOf(table.board, tapped));
  if (state.puzzle) return puzzleSentence(state);
  if (table.result) return `${table.result.sentence}.`;
  if (hint) return hint.sentence;
  const { turn } = STRINGS;
  const canResume = table.can.includes("resume");
  if (table.ended) return turn.ended(STRINGS.colors[table.to_move], canResume);
  const isPaused = table.guest && table.clocks && !table.live; // the host can resume
  const paused = canResume ? turn.paused : isPaused ? turn.pausedForGuests : "";
  if (table.can.includes("swap") && hello)
    return [swapOffer(table, hello), paused].filter(Boolean).join(" ");
  const swapped = table.move_text === "swap" ? table.announcement : "";
  return [swapped, `${table.standing}.`, table.legal.todo || advice(table, hello), paused]
    .filter(Boolean)
    .join(" ");
}

/**
 * The players and their stones after a swap.
 * @param {Table} table @param {import("./messages.js").Hello} hello
 */
function swapOffer(table, hello) {
  const { to_move: taker, players, board } = table;
  const other = otherColor(taker);
  const name = (/** @type {Color} */ color) => {
    const { name, engine } = players[color];
    const title = STRINGS.colors[color];
    if (engine === null && !name)
      return players[otherColor(color)].engine === null ? title : STRINGS.players.you;
    const text = playerName(players[color], hello, color, table);
    return `${STRINGS.players.short(text)} (${title})`;
  };
  return STRINGS.turn.swapOffer({
    stone: other,
    becomes: taker,
    point: nameOf(board, board.last[0]),
    taker: name(taker),
    other: name(other),
  });
}

/** @param {Color} color */
const otherColor = (color) => COLORS[1 - COLORS.indexOf(color)];

/**
 * The next thing to do, and advice for the first moves.
 * @param {Table} table @param {PageState["hello"]} hello
 */
function advice(
  { game, number, move_text: text, to_move: color, players, legal, board, thinking, chosen },
  hello,
) {
  const { turn } = STRINGS;
  if (thinking) return "";
  if (players[color].engine !== null) return "";
  const isEarly = number < NEWCOMER;
  const isIntroduced = isEarly && !chosen.length && text !== "swap";
  const about = isIntroduced
    ? (hello?.games.find((each) => each.name === game)?.introduction ?? "")
    : "";
  if (legal.turns.length) {
    const isCapture = legal.turns.some((each) => each.captured.length);
    return isCapture ? turn.mustCapture : isEarly ? `${turn.chooseMan} ${about}` : "";
  }
  if (!legal.points.length || !isEarly) return "";
  const name = STRINGS.colors[color];
  const isUpright = board.top_owner === color;
  if (!board.top_owner) return `${turn.placeOnly(name)} ${about}`;
  return about ? `${turn.join(name, isUpright)} ${about}` : turn.place(name, isUpright);
}

/**
 * Buttons that come first.
 * @param {App} app @param {PageState} state @param {Map<string, Action>} byId
 */
function special(app, { table, tapped }, byId) {
  const { turn } = STRINGS;
  /** @type {HTMLElement[]} */
  const made = [];
  if (table && tapped !== null) {
    made.push(
      choice(
        "confirm",
        turn.placeAt(nameOf(table.board, tapped)),
        () => {
          const { tapped: at } = app.state;
          app.store.set({ tapped: null });
          if (at !== null) playAt(app, at);
        },
        "main",
      ),
    );
  }
  if (table?.teaching) made.push(...teachingButtons(app, table.teaching));
  if (app.state.puzzle) made.push(...puzzleButtons(app));
  const swap = byId.get("swap");
  if (swap?.possible()) made.push(actionButton(swap, tapped === null ? "main" : undefined));
  const rematch = byId.get("rematch");
  const isWatched = table && COLORS.every((color) => table.players[color].engine !== null);
  if (isWatched && !table.ended) made.push(paceField(app, table));
  if (table && rematch?.possible())
    made.push(actionButton({ ...rematch, text: rematchText(table) }, "main"));
  return made;
}

/** The pace at which two engines play. @param {App} app @param {Table} table */
function paceField(app, { pace }) {
  const { watching } = STRINGS;
  const paces = [...new Set([0, ...PACES, pace])].sort((a, b) => a - b);
  const chosen = make(
    "select",
    {
      id: "watch-pace",
      "data-action": "watch-pace",
      "aria-label": watching.pace,
      change: () => app.send({ type: "set-options", pace: Number(chosen.value) }),
    },
    ...paces.map((each) =>
      make("option", { value: each }, each ? watching.seconds(each) : watching.asFast),
    ),
  );
  chosen.value = String(pace);
  return chosen;
}

/** Says which color this page's player gets. @param {Table} table */
function rematchText(table) {
  const own = ownColor(table);
  return own ? STRINGS.verdict.rematch(otherColor(own)) : STRINGS.actions.rematch;
}

/** @param {App} app @param {import("./messages.js").Teaching} teaching */
function teachingButtons(app, { best }) {
  const { turn } = STRINGS;
  return [
    choice(
      "take-back",
      turn.takeBack,
      () => app.send({ type: "answer-teaching", take_back: true }),
      "main",
    ),
    lineButton(app, "show-reply", turn.showReply, ({ reply }) => reply),
    lineButton(app, "show-best", turn.showBest(best.text), ({ best }) => [best]),
    choice("play-on", turn.playOn, () => app.send({ type: "answer-teaching", take_back: false })),
  ];
}

/**
 * A button that shows a line of the teacher, and hides it again.
 * @param {App} app @param {string} id @param {string} text
 * @param {(teaching: import("./messages.js").Teaching) => import("./app.js").VariationMove[]} of
 */
function lineButton(app, id, text, of) {
  const line = () => (app.state.table?.teaching ? of(app.state.table.teaching) : []);
  return button(text, () => app.toggleLine(line()), {
    "data-action": id,
    "aria-pressed": app.isKept(line()),
  });
}

/** @param {Action} action @param {string} [kind] */
export function actionButton(action, kind) {
  const keys = action.keys.map(STRINGS.keyName).join(", ");
  return button(action.text, () => action.run(), {
    "data-action": action.id,
    class: kind ?? (action.id === "resign" ? "danger" : undefined),
    title: keys ? `${action.text} (${keys})` : undefined,
  });
}

/**
 * Replaces children, except those with the same action, and keeps the focus.
 * @param {Element} parent @param {(HTMLElement | undefined)[]} wanted
 */
function replace(parent, wanted) {
  const old = new Map([...parent.children].map((each) => [key(each), each]));
  const kept = wanted
    .filter((each) => each !== undefined)
    .map((each) => {
      const shown = old.get(key(each)) ?? each;
      setAttribute(shown, "aria-pressed", each.getAttribute("aria-pressed"));
      return shown;
    });
  const hadFocus = parent.contains(document.activeElement);
  for (const each of [...parent.children]) if (!kept.includes(each)) each.remove();
  kept.forEach((each, index) => {
    if (parent.children[index] !== each) parent.insertBefore(each, parent.children[index] ?? null);
  });
  if (hadFocus && !parent.contains(document.activeElement)) {
    /** @type {HTMLElement | null} */ (parent.querySelector("button"))?.focus();
  }
}

/** Buttons with equal keys are interchangeable. @param {Element} each */
const key = (each) => `${each.getAttribute("data-action")} ${each.className} ${each.textContent}`;
