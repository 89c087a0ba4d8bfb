// The players: a strip per color with its name, sides to join, turn and clock.
import { isLost } from "./connection.js";
import { at, drawing, make, setAttribute, setText } from "./dom.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./app.js").PageState} PageState */
/** @typedef {import("../../html/board.js").Color} Color */
/** @typedef {import("./app.js").Table} Table */

export const COLORS = /** @type {Color[]} */ (["black", "white"]);
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
export function playerName(player, hello, color, { seat }) {
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
