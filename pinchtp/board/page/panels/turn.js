// What there is to do now, in words and buttons: below the board.
import { at, button, make, setText } from "../dom.js";
import { STRINGS } from "../strings.js";
import { nameOf } from "../board/position.js";

/** @typedef {import("../app.js").App} App */
/** @typedef {import("../app.js").PageState} PageState */
/** @typedef {import("../app.js").Table} Table */
/** @typedef {import("../actions.js").Action} Action */

const SHOWN = ["cancel", "pass", "undo", "hint", "resume", "pause", "think", "resign", "to-review"];
const TAUGHT = ["resign"]; // beside the teacher's own buttons
const NEWCOMER = 3; // moves in which it is told what the game is about

/** @param {App} app @param {Action[]} actions */
export function showTurn(app, actions) {
  const byId = new Map(actions.map((each) => [each.id, each]));
  app.store.watch(["table", "hint", "tapped", "hello", "connection"], (state) => {
    const { table } = state;
    if (!table) return;
    const sentence = sentenceOf(state);
    setText(at("status"), sentence);
    at("status").classList.toggle("over", table.result !== null);
    replace(at("actions"), [
      ...special(app, state, byId), ...(table.teaching ? TAUGHT : SHOWN).map((id) => byId.get(id)).filter((each) => each?.possible())
        .map((each) => each && actionButton(each)),
    ]);
  });
}

/** @param {PageState} state */
function sentenceOf({ table, hello, hint, tapped, connection }) {
  if (!table) return "";
  if (connection === "lost") return STRINGS.connection.lost;
  if (table.teaching) return table.teaching.sentence;
  if (table.result) return `${table.result.sentence}.`;
  if (tapped !== null) return STRINGS.turn.tapAgain(nameOf(table.board, tapped));
  if (hint) return hint.sentence;
  const paused = table.can.includes("resume") ? STRINGS.turn.paused : "";
  if (table.swap && table.can.includes("swap")) return [`${table.swap}.`, paused].filter(Boolean).join(" ");
  const swapped = table.move_text === "swap" ? table.announcement : "";
  return [swapped, `${table.standing}.`, table.legal.todo || advice(table, hello), paused].filter(Boolean).join(" ");
}

/** What a first-time player is to do. @param {Table} table @param {PageState["hello"]} hello */
function advice({ game, number, move_text: text, to_move: color, players, legal, board, thinking, chosen }, hello) {
  const { turn } = STRINGS;
  if (thinking) return "";
  if (players[color].engine !== null) return "";
  const isNew = number < NEWCOMER && !chosen.length && text !== "swap";
  const about = isNew ? hello?.games.find((each) => each.name === game)?.introduction ?? "" : "";
  if (legal.turns.length) {
    const isCapture = legal.turns.some((each) => each.captured.length);
    return chosen.length ? turn.whereTo : isCapture ? turn.mustCapture : `${turn.chooseMan} ${about}`;
  }
  if (!legal.points.length) return "";
  const name = STRINGS.colors[color], isUpright = board.edges?.[0] === color;
  if (!board.edges) return `${turn.placeOnly(name)} ${about}`;
  return about ? `${turn.join(name, isUpright)} ${about}` : turn.place(name, isUpright);
}

/** Buttons of the moment, before the others. @param {App} app @param {PageState} state @param {Map<string, Action>} byId */
function special(app, { table, tapped }, byId) {
  const { turn } = STRINGS;
  /** @type {HTMLElement[]} */
  const made = [];
  if (table && tapped !== null) {
    made.push(button(turn.placeAt(nameOf(table.board, tapped)), () => {
      const { tapped: at = null, table: now } = app.state;
      app.store.set({ tapped: null });
      if (at !== null && now) app.send({ type: "play", at, node: now.node });
    }, { class: "main", "data-action": "confirm" }));
  }
  if (table?.teaching) made.push(...teachingButtons(app, table.teaching));
  const swap = byId.get("swap");
  if (swap?.possible()) made.push(actionButton(swap, "main"));
  const rematch = byId.get("rematch");
  if (rematch?.possible()) made.push(actionButton(rematch, "main"));
  return made;
}

/** @param {App} app @param {import("../messages.js").Teaching} teaching */
function teachingButtons(app, { best }) {
  const { turn } = STRINGS, now = () => app.state.table?.teaching;
  /** @type {(id: string, text: string, run: () => void, kind?: string) => HTMLElement} */
  const made = (id, text, run, kind) => button(text, run, { "data-action": id, class: kind });
  return [
    made("take-back", turn.takeBack, () => app.send({ type: "answer-teaching", take_back: true }), "main"),
    made("show-reply", turn.showReply, () => app.store.set({ variation: now()?.reply ?? [] })),
    made("show-best", turn.showBest(best.text), () => app.store.set({ variation: now() ? [best] : [] })),
    made("play-on", turn.playOn, () => app.send({ type: "answer-teaching", take_back: false })),
  ];
}

/** @param {Action} action @param {string} [kind] */
export function actionButton(action, kind) {
  const keys = action.keys.map((key) => STRINGS.keys[key] ?? key).join(", ");
  return button(action.text, () => action.run(), {
    "data-action": action.id, class: kind ?? (action.id === "resign" ? "danger" : undefined),
    title: keys ? `${action.text} (${keys})` : undefined,
  });
}

/** Puts in other elements; what has the same action stays, with its focus. @param {Element} parent @param {(HTMLElement | undefined)[]} wanted */
function replace(parent, wanted) {
  const old = new Map([...parent.children].map((each) => [key(each), each]));
  const kept = wanted.filter((each) => each !== undefined).map((each) => old.get(key(each)) ?? each);
  const hadFocus = parent.contains(document.activeElement);
  for (const each of [...parent.children]) if (!kept.includes(each)) each.remove();
  kept.forEach((each, index) => { if (parent.children[index] !== each) parent.insertBefore(each, parent.children[index] ?? null); });
  if (hadFocus && !parent.contains(document.activeElement)) {
    /** @type {HTMLElement | null} */ (parent.querySelector("button"))?.focus();
  }
}

/** Buttons that are the same to people are the same. @param {Element} each */
const key = (each) => `${each.getAttribute("data-action")} ${each.textContent}`;

/** Notices above the board. @param {App} app */
export function showNotices(app) {
  app.store.watch(["notices"], ({ notices }) => {
    at("notices").replaceChildren(...notices.map(({ id, level, text }) => make(
      "div", { class: `notice ${level === "info" ? "" : "bad"}`, "data-level": level },
      make("p", {}, level === "info" ? text : `${STRINGS.levels[level] ?? ""} ${text}`),
      button("✕", () => app.forget(id), { "aria-label": STRINGS.dismiss }),
    )));
  });
}
