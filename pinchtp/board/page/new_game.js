// Dialogs for a new game, the players, and resigning.
import { checkbox, field, openDialog, select, switchField } from "./dialog.js";
import { make, setAttribute, setText } from "./dom.js";
import { gameIcon } from "./icons.js";
import { friendWarning, nameField } from "./invite.js";
import { LIMITS } from "./limits.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./messages.js").Hello} Hello */
/** @typedef {import("./messages.js").PlayerChoice} PlayerChoice */
/** @typedef {import("./messages.js").Strength} Strength */
/** @typedef {import("../../html/board.js").Color} Color */
/** @typedef {import("./app.js").App} App */
/** @typedef {import("./messages.js").GameInfo} GameInfo */
/** @typedef {import("./messages.js").TimeSetting} TimeSetting */

// Fields of a player: human or engine, and its strength.
const HUMAN = "human";
const VISITS = "visits";
const SECONDS = "seconds";
const DEFAULT = "default";

class PlayerFields {
  /** @param {Hello} hello @param {Color} color @param {PlayerChoice} player */
  constructor(hello, color, player) {
    this.hello = hello;
    const { fields } = STRINGS.players;
    const title = STRINGS.colors[color];
    this.who = whoField(
      hello,
      { name: `${color}-player`, "aria-label": fields.who(title) },
      player,
    );
    this.level = levelField(
      hello,
      { name: `${color}-level`, "aria-label": fields.level(title) },
      player,
    );
    this.amount = make("input", {
      type: "number",
      name: `${color}-amount`,
      step: "any",
      "aria-label": fields.amount(title),
    });
    this.amount.value = String(player.level.visits ?? player.level.seconds ?? 1);
    this.name = make("input", {
      type: "text",
      name: `${color}-name`,
      ...LIMITS.PlayerChoice.name,
      placeholder: fields.name(title),
      "aria-label": fields.name(title),
    });
    this.name.value = player.name;
    this.element = make(
      "fieldset",
      { "data-color": color, change: () => this.#adapt() },
      make("legend", {}, title),
      this.who,
      this.level,
      this.amount,
      this.name,
    );
    this.#adapt();
  }

  /** Hides the fields that do not apply. */
  #adapt() {
    const { who, level, amount, name } = this;
    const { visits, seconds } = LIMITS.Strength;
    const range = level.value === VISITS ? visits : level.value === SECONDS ? seconds : null;
    hide(level, who.value === HUMAN);
    hide(name, who.value !== HUMAN);
    hide(amount, level.hidden || !range);
    setAttribute(amount, "min", range?.min);
    setAttribute(amount, "max", range?.max);
  }

  /** @returns {PlayerChoice} */
  value() {
    const { who, level, amount, name, hello } = this;
    if (who.value === HUMAN) return { engine: null, level: asStarted(), name: name.value.trim() };
    return {
      engine: Number(who.value),
      level: levelChosen(hello, level.value, Number(amount.value)),
      name: "",
    };
  }
}

/**
 * @param {Hello} hello @param {{ [name: string]: string }} attributes
 * @param {PlayerChoice} player
 */
function whoField(hello, attributes, player) {
  /** @type {[string, string][]} */
  const options = [[HUMAN, STRINGS.players.fields.human]];
  hello.engines.forEach(({ name }, number) => options.push([String(number), name]));
  return select(attributes, options, player.engine === null ? HUMAN : String(player.engine));
}

/**
 * @param {Hello} hello @param {{ [name: string]: string }} attributes
 * @param {PlayerChoice} player
 */
function levelField(hello, attributes, player) {
  const { fields } = STRINGS.players;
  const { levels } = hello;
  const numbered = levels.filter((each) => each.number !== null).length;
  /** @type {[string, string][]} */
  const options = levels.map((each, number) => [String(number), levelText(each, numbered)]);
  options.push([VISITS, fields.visits], [SECONDS, fields.seconds], [DEFAULT, fields.own]);
  return select(attributes, options, levelOf(hello, player));
}

/**
 * Hides a field or shows it. A hidden field is disabled: if it were invalid, it would silently
 * prevent the submission.
 * @param {HTMLInputElement | HTMLSelectElement} field @param {boolean} isHidden
 */
function hide(field, isHidden) {
  field.hidden = field.disabled = isHidden;
}

/** @returns {Strength} */
const asStarted = () => ({
  name: "",
  number: null,
  visits: null,
  seconds: null,
  random: 0,
  adaptive: false,
  rating: null,
});

/** @param {Strength} level @param {number} count of numbered levels */
function levelText({ name, number, rating }, count) {
  const { skill, elo } = STRINGS.players;
  const words = [name];
  if (number !== null) words.push(skill((number - 1) / count));
  if (rating !== null) words.push(elo(rating));
  return words.join(", ");
}

/** The level that is chosen first. @param {Hello} hello @param {PlayerChoice} player */
function levelOf(hello, { engine, level }) {
  if (engine === null) return "0";
  const known = hello.levels.findIndex((each) => each.name !== "" && each.name === level.name);
  if (known >= 0) return String(known);
  return level.visits !== null ? VISITS : level.seconds !== null ? SECONDS : DEFAULT;
}

/** @param {Hello} hello @param {string} chosen @param {number} amount @returns {Strength} */
function levelChosen(hello, chosen, amount) {
  if (chosen === VISITS) return { ...asStarted(), visits: Math.max(1, Math.round(amount) || 1) };
  if (chosen === SECONDS) return { ...asStarted(), seconds: Math.max(0.01, amount || 1) };
  return hello.levels[Number(chosen)] ?? asStarted();
}

// The new-game dialog: game, board, rules, players and clocks.
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
    for (const { input } of numbers) input.disabled = custom.hidden; // see hide()
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

/** Passes; confirms a pass that loses the game. @param {App} app */
export function pass(app) {
  if (!app.state.table?.legal.pass_loses) {
    app.play({ type: "pass" });
    return;
  }
  const { title, text } = STRINGS.dialogs.pass;
  openDialog({
    id: "pass-dialog",
    title,
    submit: STRINGS.actions.pass,
    body: [make("p", {}, text)],
    answer: () => app.server.change({ type: "pass" }),
  });
}

/** Confirms an action that makes the game unrated. @param {import("./actions.js").Action} action */
export function openUnrate({ text, run }) {
  const { unrate } = STRINGS.dialogs;
  openDialog({
    id: "unrate-dialog",
    title: unrate.title,
    submit: text,
    body: [make("p", {}, unrate.text)],
    answer: () => {
      run();
    },
  });
}

/** Confirms a resignation. @param {App} app */
export function openResign(app) {
  openDialog({
    id: "resign-dialog",
    title: STRINGS.dialogs.resign,
    submit: STRINGS.actions.resign,
    body: [],
    answer: () => app.server.change({ type: "resign" }),
  });
}
