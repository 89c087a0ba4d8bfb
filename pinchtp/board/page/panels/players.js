// Who plays: a strip for each color with the name, the sides to be joined, whose turn it is, and the
// clock.
import { at, drawing, make, setAttribute, setText } from "../dom.js";
import { STRINGS } from "../strings.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../app.js").PageState} PageState */
/** @typedef {import("../../../html/board.js").Color} Color */

const SHORT = 10; // seconds left that are said to be few

/** @param {App} app */
export function showPlayers(app) {
  const strips = (/** @type {Color[]} */ (["black", "white"])).map((color) => new Strip(app, color));
  at("players").append(...strips.map((strip) => strip.element));
  app.store.watch(["table", "hello"], (state) => strips.forEach((strip) => strip.show(state)));
  setInterval(() => strips.forEach((strip) => strip.tick()), 200);
}

class Strip {
  #name = make("span", { class: "name" });
  #clock = make("span", { class: "clock" });
  #says = make("span", { class: "says" });
  #since = 0;
  /** @type {import("../messages.js").Clock | null} */ #told = null;

  /** @param {App} app @param {Color} color */
  constructor(app, color) {
    this.app = app;
    this.color = color;
    this.element = make("div", { class: "player", "data-color": color, role: "group" },
      symbol(color), this.#name, this.#clock, this.#says);
  }

  /** @param {PageState} state */
  show({ table, hello }) {
    if (!table || !hello) return;
    const { color } = this, player = table.players[color];
    const moves = table.to_move === color && !table.result;
    setText(this.#name, nameOf(player, hello, color, table.rating.adaptive));
    setText(this.#says, this.#sentence(table));
    this.element.classList.toggle("moves", moves);
    this.element.classList.toggle("joins", table.board.edges !== null);
    setAttribute(this.element, "aria-current", moves);
    setAttribute(this.element, "aria-label", STRINGS.colors[color]);
    const clock = table.clocks?.[color] ?? null;
    if (clock !== this.#told) this.#since = performance.now();
    this.#told = clock;
    this.tick();
  }

  /** Whose turn it is, and what there is to join. @param {import("../app.js").Table} table */
  #sentence(table) {
    const { color } = this, { sides, toMove, thinking, won } = STRINGS.players;
    const edges = table.board.edges;
    const words = [];
    if (table.thinking?.color === color) words.push(thinking);
    else if (table.result?.winner === color) words.push(won);
    else if (table.to_move === color && !table.result) words.push(toMove);
    if (edges) words.push(edges[0] === color ? sides.upright : sides.level);
    return words.join(" · ");
  }

  /** The time left by now. */
  tick() {
    const clock = this.#told;
    if (!clock) {
      setText(this.#clock, "");
      return;
    }
    const gone = clock.running ? (performance.now() - this.#since) / 1000 : 0;
    const left = Math.max(0, clock.left - gone);
    setText(this.#clock, timeText(left) + (clock.stones ? ` ×${clock.stones}` : ""));
    this.#clock.classList.toggle("short", left < SHORT);
  }
}

/**
 * @param {import("../messages.js").Player} player @param {import("../messages.js").Hello} hello
 * @param {Color} color @param {number} adaptive the level that an opponent which adjusts plays at
 */
function nameOf(player, hello, color, adaptive) {
  if (player.engine === null) return player.name || STRINGS.players.human(STRINGS.colors[color]);
  const name = player.name || hello.engines[player.engine]?.name || "";
  const { level } = player;
  const strength = (level.adaptive ? STRINGS.players.adaptive(adaptive) : level.name) || (level.visits ? STRINGS.players.visits(level.visits)
    : level.seconds ? STRINGS.players.seconds(level.seconds) : "");
  return strength ? `${name} · ${strength}` : name;
}

/** @param {number} seconds */
function timeText(seconds) {
  if (seconds < SHORT) return seconds.toFixed(1);
  const whole = Math.ceil(seconds), two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** @param {Color} color */
function symbol(color) {
  const made = drawing("svg", { class: `symbol ${color}`, viewBox: "0 0 20 20", "aria-hidden": "true" });
  made.append(drawing("circle", { cx: 10, cy: 10, r: 8.6 }));
  return made;
}
