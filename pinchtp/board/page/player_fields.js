// Fields of a player: human or engine, and its strength.
import { select } from "./dialog.js";
import { make, setAttribute } from "./dom.js";
import { LIMITS } from "./limits.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./messages.js").Hello} Hello */
/** @typedef {import("./messages.js").PlayerChoice} PlayerChoice */
/** @typedef {import("./messages.js").Strength} Strength */
/** @typedef {import("../../html/board.js").Color} Color */

const HUMAN = "human";
const VISITS = "visits";
const SECONDS = "seconds";
const DEFAULT = "default";

export class PlayerFields {
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
