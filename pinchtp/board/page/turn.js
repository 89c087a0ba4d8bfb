// The status line and the action buttons, below the board.
import { isLost } from "./connection.js";
import { at, button, choice, make, setAttribute } from "./dom.js";
import { nameOf } from "./live_board.js";
import { COLORS, playerName } from "./players.js";
import { playAt, puzzleButtons, puzzleSentence } from "./puzzles.js";
import { STRINGS } from "./strings.js";
import { PACES } from "./tree_navigator.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").PageState} PageState */
/** @typedef {import("../../html/board.js").Color} Color */
/** @typedef {import("./app.js").Table} Table */
/** @typedef {import("./actions.js").Action} Action */

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
    hasSides: board.top_owner !== null,
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
