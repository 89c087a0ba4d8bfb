// The replay of games, in the elements of viewer.html.
import { at, element } from "./dom.js";
import { BoardPicture, positionAfter } from "./board.js";
import { Curve } from "./curve.js";

/**
 * @typedef {object} ViewedGame
 * @property {string} heading
 * @property {string} result
 * @property {string[]} moves  their texts
 * @property {number} book  the number of opening moves
 * @property {string | null} changes  the changes of the board by each move; null if unknown
 * @property {number[]} swaps  moves that swap the owners of the sides
 * @property {number[]} chain  the winning cells
 * @property {(move: number) => string} says  the text of a move, counted from 1
 * @property {{ name: string, points: [number, number][] }[]} curves  Black's winrate by evaluator
 */

const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "on",
  Home: "first",
  End: "last",
  PageUp: "previous",
  PageDown: "next",
};

/** Shows one game at a time. game, move: the displayed ones; move 0 is the start. */
export class Viewer {
  #picture;
  #changed;
  #curve = null;
  game = null;
  move = 0;

  /**
   * @param {import("./board.js").BoardData | undefined} board  without it, only moves are shown
   * @param {{ changed: () => void, neighbor: (by: number) => ViewedGame | undefined }} owner
   *   changed: called after each displayed move. neighbor: returns the game before or after the
   *   displayed one.
   */
  constructor(board, owner) {
    this.#picture = board && new BoardPicture(board);
    this.#changed = owner.changed;
    this.neighbor = owner.neighbor;
    at("controls").addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button) this.step(button.dataset.step);
    });
    at("slider").addEventListener("input", (event) =>
      this.show(this.game, Number(event.target.value)),
    );
    document.addEventListener("keydown", (event) => this.#press(event));
  }

  /** @param {ViewedGame} game @param {number} wanted  a move, clamped to the ends */
  show(game, wanted) {
    if (this.game !== game) this.#open(game);
    const count = game.moves.length;
    const move = (this.move = Math.max(0, Math.min(count, wanted)));
    at("stage").replaceChildren(...this.#draw(game, move));
    at("slider").value = move;
    at("slider").setAttribute("aria-valuetext", `move ${move} of ${count}`);
    at("standing").textContent = move
      ? game.says(move)
      : `Start of ${count === 1 ? "1 move" : `${count} moves`}`;
    this.#curve?.place(move);
    this.#disable(move, count);
    markMove(move);
    this.#changed();
  }

  /** @param {"first" | "back" | "on" | "last" | "next" | "previous"} kind */
  step(kind) {
    const { game, move } = this;
    const place = { first: 0, back: move - 1, on: move + 1, last: game.moves.length }[kind];
    const neighbor = this.neighbor(kind === "next" ? 1 : -1);
    if (place !== undefined) this.show(game, place);
    else if (neighbor) this.show(neighbor, neighbor.moves.length);
  }

  /** Scrolls to the board and focuses it for the keys. */
  visit() {
    at("viewer").focus({ preventScroll: true });
    at("viewer").closest("section").scrollIntoView({ block: "start" });
  }

  #open(game) {
    this.game = game;
    at("viewer").hidden = false;
    at("heading").textContent = game.heading;
    at("result").textContent = game.result;
    at("slider").max = game.moves.length;
    const isKnown = game.curves.some((line) => line.points.length);
    this.#curve = isKnown
      ? new Curve(game.curves, game.moves.length, (move) => this.show(game, move))
      : null;
    at("curve").replaceChildren(...(this.#curve ? [this.#curve.image, this.#curve.legend] : []));
    at("moves").replaceChildren(
      ...game.moves.map((text, index) => this.#moveItem(game, text, index + 1)),
    );
  }

  #moveItem(game, text, move) {
    const item = element("li");
    const button = element("button", `${move}. ${text}`, { type: "button" });
    if (move <= game.book) button.className = "book";
    button.addEventListener("click", () => this.show(game, move));
    item.append(button);
    return item;
  }

  #draw(game, move) {
    if (!this.#picture || game.changes === null) return [];
    const position = {
      ...positionAfter(this.#picture.board, game.changes, move),
      chain: move === game.moves.length ? game.chain : [],
      swapped: game.swaps.filter((at) => at <= move).length % 2 === 1,
    };
    return [this.#picture.draw(position, `The board after move ${move}`)];
  }

  #disable(move, count) {
    const disabled = {
      first: move === 0,
      back: move === 0,
      on: move === count,
      last: move === count,
      previous: !this.neighbor(-1),
      next: !this.neighbor(1),
    };
    for (const button of at("controls").querySelectorAll("button")) {
      button.disabled = disabled[button.dataset.step];
    }
  }

  #press(event) {
    const kind = KEYS[event.key];
    const isBusy =
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.target.closest?.("input, select, pre, .scroll");
    if (!kind || isBusy || !this.game || !isInSight(at("viewer"))) return;
    event.preventDefault();
    this.step(kind);
  }
}

function markMove(move) {
  const list = at("moves");
  for (const button of list.querySelectorAll("[aria-current]"))
    button.removeAttribute("aria-current");
  const item = list.children[move - 1];
  if (!item) {
    list.scrollTop = 0;
    return;
  }
  item.firstChild.setAttribute("aria-current", "step");
  // Scrolls the list, never the page.
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}

function isInSight(part) {
  const box = part.getBoundingClientRect();
  return box.bottom > 0 && box.top < innerHeight;
}
