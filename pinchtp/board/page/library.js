// The library: stored games with small pictures, to open, rename, save and delete.
import { BoardPicture } from "../../html/board.js";
import { errorLine, openDialog, select } from "./dialog.js";
import { button, make } from "./dom.js";
import { friendWarning } from "./invite.js";
import { LIMITS } from "./limits.js";
import { boardData, signsOf } from "./live_board.js";
import { openSave } from "./save.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./messages.js").GameSummary} GameSummary */

/** @param {App} app */
export async function openLibrary(app) {
  const answer = await app.server.ask({ type: "ask-games" });
  const games = answer?.type === "games" ? answer.games : [];
  const text = STRINGS.library;
  const entries = games.map((game) => new Entry(app, game, () => dialog.close()));
  const inView = new IntersectionObserver((changes) => {
    for (const { isIntersecting, target } of changes) {
      if (!isIntersecting) continue;
      inView.unobserve(target);
      entries.find(({ element }) => element === target)?.draw();
    }
  });
  for (const { element } of entries) inView.observe(element);
  const dialog = openDialog({
    id: "library-dialog",
    title: text.title,
    body: games.length
      ? [
          ...friendWarning(app),
          ...(isGame(app) ? [make("p", { class: "note" }, text.current)] : []),
          filters(app, entries),
          make("ul", { class: "library" }, ...entries.map(({ element }) => element)),
        ]
      : [make("p", { class: "note" }, answer ? text.empty : STRINGS.connection.lost)],
  });
}

/** Whether a game with moves is on the board. @param {App} app */
const isGame = ({ state: { table, tree } }) => !table?.puzzle && (tree?.nodes.length ?? 0) > 1;

/**
 * Selects that filter the games by game and by opponent.
 * @param {App} app @param {Entry[]} entries
 */
function filters(app, entries) {
  const text = STRINGS.library;
  const lists = [
    filter(
      "game",
      text.allGames,
      entries,
      ({ game }) => game,
      (game) => titleOf(app, game),
    ),
    filter("opponent", text.allOpponents, entries, text.opponent, (name) => name),
  ];
  const element = make("div", { class: "row filters" }, ...lists.map(({ list }) => list));
  element.addEventListener("change", () => {
    for (const { element, game } of entries) {
      element.hidden = lists.some(({ list, of }) => list.value !== "" && list.value !== of(game));
    }
  });
  return element;
}

/**
 * A select of the values that games have; hidden if all have the same value.
 * @param {"game" | "opponent"} name @param {string} all its first text @param {Entry[]} entries
 * @param {(game: GameSummary) => string} of @param {(value: string) => string} text of a value
 */
function filter(name, all, entries, of, text) {
  const values = [...new Set(entries.map(({ game }) => of(game)))];
  /** @type {[string, string][]} */
  const options = [["", all]];
  for (const value of values) options.push([value, text(value)]);
  const label = STRINGS.library.filters[name];
  const list = select({ name: `filter-${name}`, "aria-label": label }, options, "");
  list.hidden = values.length < 2;
  return { list, of };
}

/** @param {App} app @param {string} game */
const titleOf = (app, game) =>
  app.state.hello?.games.find((each) => each.name === game)?.title ?? game;

/** A game in the list. */
class Entry {
  element = make("li", {});
  #picture = make("div", { class: "picture" });
  #wrong = errorLine();

  /** @param {App} app @param {GameSummary} game @param {() => void} close */
  constructor(app, game, close) {
    this.app = app;
    this.game = game;
    this.close = close;
    this.#picture.addEventListener("click", () => this.#open());
    this.#show();
  }

  /** Draws the board, which is big, when the entry comes into view. */
  async draw() {
    const answer = await this.app.server.ask({ type: "ask-picture", game: this.game.id });
    if (answer?.type !== "game-picture") return;
    const { board } = answer;
    const cells = signsOf(board).split("");
    this.#picture.replaceChildren(
      new BoardPicture(boardData(board)).draw({ cells }, STRINGS.library.board),
    );
  }

  #open() {
    this.#ask({ type: "open-game", game: this.game.id }, this.close);
  }

  #show() {
    const { game } = this;
    const text = STRINGS.library;
    const name = text.name(game);
    this.element.replaceChildren(
      this.#picture,
      make(
        "div",
        {},
        make("strong", {}, name),
        make("span", { class: "note" }, text.about(game, titleOf(this.app, game.game))),
        make(
          "div",
          { class: "row" },
          button(text.openGame, () => this.#open(), { "aria-label": text.open(name) }),
          button(text.rename, () => this.#rename(), { "aria-label": text.renameGame(name) }),
          button(STRINGS.actions.save, () => openSave(this.app, game.id), {
            "aria-label": text.saveGame(name),
          }),
          button(text.delete, () => this.#delete(), {
            class: "danger",
            "aria-label": text.deleteGame(name),
          }),
        ),
        this.#wrong,
      ),
    );
  }

  /** Shows the entry again, whose control with the focus was replaced. */
  #showAgain() {
    this.#show();
    this.element.querySelector("button")?.focus();
  }

  #rename() {
    const { game } = this;
    const text = STRINGS.library;
    const title = make("input", {
      type: "text",
      ...LIMITS.RenameGame.title,
      "aria-label": text.gameTitle,
    });
    title.value = game.title;
    const form = make(
      "form",
      {
        class: "row",
        submit: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.#ask({ type: "rename-game", game: game.id, title: title.value.trim() }, () => {
            this.game = { ...game, title: title.value.trim() };
            this.#showAgain();
          });
        },
      },
      title,
      make("button", { type: "submit" }, STRINGS.actions.save),
      button(STRINGS.cancel, () => this.#showAgain()),
    );
    this.element.querySelector("strong")?.replaceWith(form);
    this.element.querySelector(".row:not(form)")?.remove(); // until the entry is shown again
    title.focus();
  }

  #delete() {
    const { id } = this.game;
    const text = STRINGS.library;
    this.#ask({ type: "delete-game", game: id }, () => {
      const undo = button(text.undo, () =>
        this.#ask({ type: "restore-game", game: id }, () => this.#showAgain()),
      );
      this.element.replaceChildren(
        make("span", { class: "note" }, text.deleted(text.name(this.game))),
        undo,
        this.#wrong,
      );
      undo.focus();
    });
  }

  /** @param {import("./messages.js").PageRequest} request @param {() => void} done */
  async #ask(request, done) {
    this.#wrong.textContent = await this.app.server.change(request);
    if (!this.#wrong.textContent) done();
  }
}
