// Fields for who plays a color: a human or an engine, and how strong it is.
import { make } from "../dom.js";
import { STRINGS } from "../strings.js";
import { field, select } from "./dialog.js";

/** @typedef {import("../messages.js").Hello} Hello */
/** @typedef {import("../messages.js").Player} Player */
/** @typedef {import("../messages.js").Level} Level */
/** @typedef {import("../../../html/board.js").Color} Color */

const HUMAN = "human", VISITS = "visits", SECONDS = "seconds";

/**
 * @param {Hello} hello @param {Color} color @param {Player} player
 * @returns {{ element: HTMLElement, value: () => Player }}
 */
export function playerFields(hello, color, player) {
  const { fields } = STRINGS.players;
  const who = select({ name: `${color}-player` }, [
    [HUMAN, fields.human], ...hello.engines.map(({ name }, number) => /** @type {[string, string]} */ ([String(number), name])),
  ], player.engine === null ? HUMAN : String(player.engine));
  const level = select({ name: `${color}-level` }, [
    ...hello.levels.map((each, number) => /** @type {[string, string]} */ ([String(number), levelText(each)])),
    [VISITS, fields.visits], [SECONDS, fields.seconds],
  ], levelOf(hello, player.level));
  const amount = make("input", { type: "number", name: `${color}-amount`, min: 0.01, step: "any", "aria-label": fields.amount });
  amount.value = String(player.level.visits ?? player.level.seconds ?? 1);
  const name = make("input", { type: "text", name: `${color}-name`, maxlength: 60, placeholder: fields.namePlaceholder });
  name.value = player.name;
  const levels = field(fields.level, make("span", { class: "row" }, level, amount)), names = field(fields.name, name);
  const adapt = () => {
    levels.hidden = who.value === HUMAN;
    names.hidden = who.value !== HUMAN;
    amount.hidden = level.value !== VISITS && level.value !== SECONDS;
  };
  who.addEventListener("change", adapt);
  level.addEventListener("change", adapt);
  adapt();

  /** @returns {Player} */
  function value() {
    if (who.value === HUMAN) return { engine: null, level: asStarted(), name: name.value.trim() };
    return { engine: Number(who.value), level: levelChosen(hello, level.value, Number(amount.value)), name: "" };
  }

  const element = make("fieldset", { "data-color": color },
    make("legend", {}, STRINGS.colors[color]), field(fields.who, who), levels, names);
  return { element, value };
}

/** @returns {Level} */
const asStarted = () => ({ name: "", number: null, visits: null, seconds: null, adaptive: false, rating: null });

/** @param {Level} level */
function levelText({ name, rating }) {
  return rating === null ? name : `${name} (${STRINGS.players.elo(rating)})`;
}

/** @param {Hello} hello @param {Level} level */
function levelOf(hello, level) {
  const known = hello.levels.findIndex((each) => each.name !== "" && each.name === level.name);
  if (known >= 0) return String(known);
  return level.visits !== null ? VISITS : level.seconds !== null ? SECONDS : "0";
}

/** @param {Hello} hello @param {string} chosen @param {number} amount @returns {Level} */
function levelChosen(hello, chosen, amount) {
  if (chosen === VISITS) return { ...asStarted(), visits: Math.max(1, Math.round(amount) || 1) };
  if (chosen === SECONDS) return { ...asStarted(), seconds: Math.max(0.01, amount || 1) };
  return hello.levels[Number(chosen)] ?? asStarted();
}
