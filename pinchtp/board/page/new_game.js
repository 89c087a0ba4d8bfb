// Dialogs for a new game and the players.
import { checkbox, field, openDialog, select, switchField } from "./dialog.js";
import { make, setAttribute, setText } from "./dom.js";
import { gameIcon } from "./icons.js";
import { friendWarning, nameField } from "./invite.js";
import { LIMITS } from "./limits.js";
import { PlayerFields } from "./player_fields.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */
/** @typedef {import("./messages.js").GameInfo} GameInfo */
/** @typedef {import("./messages.js").TimeSetting} TimeSetting */

const SIZES = [5, 7, 9, 11, 13, 17, 19];
const CUSTOM = "custom";
const NONE = "none";
/** @type {{ [name: string]: TimeSetting }} */
const TIMES = {
  "60+1": { main: 60, increment: 1, period: 0, periods: 0 },
  "300+3": { main: 300, increment: 3, period: 0, periods: 0 },
  "600+5": { main: 600, increment: 5, period: 0, periods: 0 },
  "600+3x30": { main: 600, increment: 0, period: 30, periods: 3 },
};

/** @param {App} app */
export function openNewGame(app) {
  const { hello, table } = app.state;
  if (!hello || !table) return;
  const { newGame } = STRINGS.dialogs;
  const board = make("div");
  const summary = make("p", { class: "note", id: "game-summary", "aria-live": "polite" });
  /** @type {GameFields} */
  let fields;
  const isOwn = !table.loaded && !table.puzzle; // size and rules are the visitor's choice
  const choose = (/** @type {GameInfo} */ game) => {
    fields = new GameFields(game, isOwn && game.name === table.game ? table : null);
    board.replaceChildren(...fields.elements);
    setText(summary, game.summary);
  };
  const cards = make(
    "div",
    { class: "cards", role: "radiogroup", "aria-label": newGame.game },
    ...hello.games.map((game) => card(game, game.name === table.game, choose)),
  );
  const current = hello.games.find((each) => each.name === table.game) ?? hello.games[0];
  choose(current);
  const black = new PlayerFields(hello, "black", table.proposed.black);
  const white = new PlayerFields(hello, "white", table.proposed.white);
  const time = timeFields(table.time);
  openDialog({
    id: "new-game-dialog",
    title: newGame.title,
    submit: newGame.start,
    body: [
      ...friendWarning(app),
      cards,
      summary,
      board,
      make("div", { class: "pair" }, black.element, white.element),
      ...time.elements,
    ],
    answer: () =>
      app.server.change({
        type: "new-game",
        ...fields.value(),
        players: { black: black.value(), white: white.value() },
        time: time.value(),
      }),
  });
}

/** @param {GameInfo} game @param {boolean} checked @param {(game: GameInfo) => void} choose */
function card(game, checked, choose) {
  const radio = make("input", {
    type: "radio",
    name: "game",
    value: game.name,
    change: () => choose(game),
  });
  radio.checked = checked;
  return make(
    "label",
    { class: "card" },
    radio,
    gameIcon(game.name),
    make("strong", {}, game.title),
  );
}

/** Fields that depend on the game: size, options, handicap. */
class GameFields {
  /**
   * @param {GameInfo} game
   * @param {import("./app.js").Table | null} table the current game, if it has the initial values
   */
  constructor(game, table) {
    this.game = game;
    const [width, height] = table ? [table.board.width, table.board.height] : game.size;
    this.columns = sizeField("columns", width, game);
    this.rows = sizeField("rows", height, game);
    this.switches = game.options.map((option) => ({
      option,
      control: optionField(option, table?.options[option.name]),
    }));
    this.handicap = select(
      { name: "handicap" },
      [...Array(game.handicap + 1).keys()]
        .filter((stones) => stones !== 1)
        .map((stones) => [String(stones), STRINGS.dialogs.newGame.stones(stones)]),
      String(table?.handicap ?? 0),
    );
  }

  get elements() {
    const { newGame } = STRINGS.dialogs;
    const { game } = this;
    const isFixed = game.smallest === game.largest;
    return [
      isFixed
        ? make("p", {}, newGame.fixed(...game.size))
        : field(
            newGame.size,
            make(
              "span",
              { class: "row" },
              presets(game, this),
              make("span", { class: "row" }, this.columns, "×", this.rows),
            ),
          ),
      ...this.switches.map(({ option, control }) =>
        option.switch
          ? switchField(STRINGS.options(option), control)
          : field(STRINGS.options(option), control),
      ),
      ...(game.handicap ? [field(newGame.handicap, this.handicap)] : []),
    ];
  }

  value() {
    /** @type {[number, number]} */
    const size = [Number(this.columns.value), Number(this.rows.value)];
    const options = Object.fromEntries(
      this.switches.map(({ option, control }) => [
        option.name,
        option.switch ? control.checked : Number(control.value),
      ]),
    );
    return { game: this.game.name, size, options, handicap: Number(this.handicap.value) || 0 };
  }
}

/** @param {string} name @param {number} value @param {GameInfo} game */
function sizeField(name, value, { smallest, largest }) {
  const made = make("input", {
    type: "number",
    name,
    min: smallest,
    max: largest,
    required: true,
    "aria-label": STRINGS.dialogs.newGame[/** @type {"columns" | "rows"} */ (name)],
  });
  made.value = String(value);
  return made;
}

/**
 * Buttons for common sizes; the button of the chosen size is pressed.
 * @param {GameInfo} game @param {GameFields} fields
 */
function presets({ smallest, largest }, { columns, rows }) {
  const sizes = SIZES.filter((each) => each >= smallest && each <= largest);
  const buttons = sizes.map((size) =>
    make(
      "button",
      {
        type: "button",
        "data-size": size,
        click: () => {
          columns.value = rows.value = String(size);
          mark();
        },
      },
      String(size),
    ),
  );
  const mark = () =>
    buttons.forEach((each) => {
      const { size } = each.dataset;
      setAttribute(each, "aria-pressed", columns.value === size && rows.value === size);
    });
  for (const each of [columns, rows]) each.addEventListener("input", mark);
  mark();
  return make("span", { class: "row sizes" }, ...buttons);
}

/**
 * @param {import("./messages.js").OptionInfo} option @param {boolean | number | undefined} value
 */
function optionField(option, value) {
  const now = value ?? option.default;
  if (option.switch) return checkbox(option.name, Boolean(now));
  const made = make("input", {
    type: "number",
    name: option.name,
    min: option.least,
    max: option.most,
    required: true,
  });
  made.value = String(Number(now));
  return made;
}

/** @param {TimeSetting | null} now */
function timeFields(now) {
  const { newGame } = STRINGS.dialogs;
  const preset = Object.entries(TIMES).find(
    ([, each]) => JSON.stringify(each) === JSON.stringify(now),
  )?.[0];
  const chosen = select(
    { name: "time" },
    [
      [NONE, newGame.noClock],
      ...Object.entries(TIMES).map(
        ([name, each]) => /** @type {[string, string]} */ ([name, newGame.time(each)]),
      ),
      [CUSTOM, newGame.custom],
    ],
    preset ?? (now ? CUSTOM : NONE),
  );
  const numbers = /** @type {const} */ (["main", "increment", "period", "periods"]).map((name) => {
    const input = make("input", {
      type: "number",
      name,
      step: name === "periods" ? 1 : "any",
      ...LIMITS.TimeSetting[name],
    });
    input.value = String(now?.[name] ?? (name === "main" ? 300 : 0));
    return { name, input, element: field(newGame[name], input) };
  });
  const custom = make("div", {}, ...numbers.map((each) => each.element));
  const adapt = () => {
    custom.hidden = chosen.value !== CUSTOM;
    // See hide() in player_fields.js.
    for (const { input } of numbers) input.disabled = custom.hidden;
  };
  chosen.addEventListener("change", adapt);
  adapt();

  /** @returns {TimeSetting | null} */
  function value() {
    if (chosen.value !== CUSTOM) return TIMES[chosen.value] ?? null;
    const [main, increment, period, periods] = numbers.map((each) =>
      Math.max(0, Number(each.input.value) || 0),
    );
    return { main, increment, period, periods: Math.round(periods) };
  }

  return { elements: [field(newGame.clock, chosen), custom], value };
}

/** Changes the players during a game, or a guest's own name. @param {App} app */
export function openPlayers(app) {
  const { hello, table } = app.state;
  if (!hello || !table) return;
  const id = "players-dialog";
  const title = STRINGS.dialogs.players;
  if (table.guest) {
    openDialog({ id, title, body: [nameField(app)] });
    return;
  }
  const black = new PlayerFields(hello, "black", table.players.black);
  const white = new PlayerFields(hello, "white", table.players.white);
  openDialog({
    id,
    title,
    submit: STRINGS.dialogs.change,
    body: [make("div", { class: "pair" }, black.element, white.element)],
    answer: () =>
      app.server.change({
        type: "set-players",
        players: { black: black.value(), white: white.value() },
      }),
  });
}
