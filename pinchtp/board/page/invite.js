// A game with a friend: the links of an invitation, and requests to take back.
import { errorLine, field, openDialog, select } from "./dialog.js";
import { button, make } from "./dom.js";
import { LIMITS } from "./limits.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */

const LISTEN = "pinchtp board --listen 0.0.0.0";

/** @param {App} app */
export function openInvite(app) {
  const text = STRINGS.invite;
  const links = make("div");
  const wrong = errorLine();
  const color = colorField(app);
  const end = button(
    text.end,
    async () => {
      wrong.textContent = await app.change({ type: "end-invitation" });
      if (!wrong.textContent) dialog.close();
    },
    { class: "danger", hidden: true },
  );

  async function create() {
    const answer = await app.ask({
      type: "invite",
      color: /** @type {"black" | "white"} */ (color.value),
    });
    wrong.textContent = answer?.type === "refused" ? answer.text : "";
    if (!answer) wrong.textContent = STRINGS.connection.lost;
    if (answer?.type !== "invitation") return;
    showLinks(links, answer, app);
    end.hidden = false;
  }

  const dialog = openDialog({
    id: "invite-dialog",
    title: text.title,
    body: [
      ...(engineColor(app) ? [make("p", { class: "note" }, text.engine)] : []),
      ...servingHint(app),
      make(
        "div",
        { class: "row" },
        field(text.color, color),
        button(text.create, create, { class: "main" }),
      ),
      links,
      wrong,
    ],
    extra: [end],
  });
  if (app.state.table?.seat) create();
}

/** The color of an engine in the game on the board. @param {App} app */
const engineColor = ({ state: { table } }) =>
  Object.entries(table?.players ?? {}).find(([, { engine }]) => engine !== null)?.[0];

/** The friend's color: that of a running invitation, or of the engine. @param {App} app */
function colorField(app) {
  const seat = app.state.table?.seat; // of the host, while an invitation runs
  return select(
    { name: "color" },
    [
      ["white", STRINGS.colors.white],
      ["black", STRINGS.colors.black],
    ],
    seat ? (seat === "white" ? "black" : "white") : (engineColor(app) ?? "white"),
  );
}

/** Where the links work, and how to make them work elsewhere. @param {App} app @returns {Node[]} */
function servingHint(app) {
  const { explain, local, command } = STRINGS.invite;
  if (app.state.hello?.served) return [make("p", { class: "note" }, explain)];
  return [
    make("p", { class: "note" }, local),
    make("div", { class: "row" }, ...copyable(command, LISTEN)),
  ];
}

/**
 * Shows the links of an invitation, and the name that the friend will see.
 * @param {HTMLElement} holder
 * @param {import("./messages.js").Invitation} invitation @param {App} app
 */
function showLinks(holder, { friend, watcher }, app) {
  const { play, watch } = STRINGS.invite;
  holder.replaceChildren(
    make("div", { class: "links" }, link(play, friend), link(watch, watcher)),
    nameField(app),
  );
}

/** Whether another game would replace one with a friend. @param {App} app */
export const isWithFriend = ({ state: { table, tree } }) =>
  Boolean(table?.seat && !table.guest && !table.ended && tree && tree.nodes.length > 1);

/** A warning for dialogs that start another game; none without a friend. @param {App} app */
export const friendWarning = (app) =>
  isWithFriend(app) ? [make("p", { class: "wrong" }, STRINGS.invite.replaces)] : [];

/** The name of this page's player. @param {App} app */
export function nameField(app) {
  const { seat, players } = /** @type {any} */ (app.state.table);
  const name = make("input", {
    type: "text",
    ...LIMITS.SetName.name,
    change: () => app.send({ type: "set-name", name: name.value.trim() }),
  });
  name.value = players[seat]?.name ?? "";
  return field(STRINGS.players.fields.ownName, name);
}

/**
 * A link with its QR code.
 * @param {string} label @param {import("./messages.js").InvitationLink} link
 */
function link(label, { address, code }) {
  return make(
    "fieldset",
    {},
    make("legend", {}, label),
    code && make("img", { src: code, alt: STRINGS.invite.code(label), class: "code" }),
    ...copyable(label, new URL(address, location.href).href),
  );
}

/** A text with a button that copies it. @param {string} label @param {string} value */
function copyable(label, value) {
  const input = make("input", { type: "text", readonly: true, "aria-label": label, value });
  const copy = button(
    STRINGS.dialogs.save.copy,
    () => {
      input.select(); // navigator.clipboard is missing on pages from other machines
      if (document.execCommand("copy")) copy.textContent = STRINGS.dialogs.save.copied;
    },
    { "aria-label": `${STRINGS.dialogs.save.copy}: ${label}` },
  );
  return [input, copy];
}

/**
 * Shows requests to take back: with two answers to the other player, and to the asking one with a
 * way to withdraw. The server says how a request ended, except by a move.
 * @param {App} app
 */
export function showUndoRequests(app) {
  const { allow, asked, decline, waiting, withdraw } = STRINGS.invite;
  /** @param {boolean} grant */
  const answer = (grant) => app.send({ type: "answer-undo", grant });
  const answers = [
    { text: allow, run: () => answer(true) },
    { text: decline, run: () => answer(false) },
  ];
  const end = () => app.send({ type: "withdraw-undo" });
  /** @type {import("./app.js").Table["undo_asked"]} */
  let shown = null;
  let notice = 0;
  app.store.watch(["table"], ({ table }) => {
    if (!table || table.undo_asked === shown) return;
    shown = table.undo_asked;
    app.forget(notice);
    if (!shown || table.seat === "watch") return;
    notice =
      shown === table.seat
        ? app.notify("info", waiting, { actions: [{ text: withdraw, run: end }], dismiss: end })
        : app.notify("info", asked, { actions: answers, dismiss: () => answer(false) });
  });
}
