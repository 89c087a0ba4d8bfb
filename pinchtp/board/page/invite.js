// A game with a friend: the links of an invitation, and requests to take back.
import { errorLine, field, openDialog, select } from "./dialog.js";
import { button, make } from "./dom.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */

const LISTEN = "pinchtp board --listen 0.0.0.0";

/** @param {App} app */
export function openInvite(app) {
  const text = STRINGS.invite;
  const links = make("div", { class: "pair" });
  const wrong = errorLine();
  const players = app.state.table?.players;
  const engines = Object.entries(players ?? {}).filter(([, { engine }]) => engine !== null);
  const seat = app.state.table?.seat; // of the host, while an invitation runs
  const color = select(
    { name: "color" },
    [
      ["white", STRINGS.colors.white],
      ["black", STRINGS.colors.black],
    ],
    seat ? (seat === "white" ? "black" : "white") : (engines[0]?.[0] ?? "white"),
  );

  async function create() {
    const answer = await app.server.ask({
      type: "invite",
      color: /** @type {"black" | "white"} */ (color.value),
    });
    wrong.textContent = answer?.type === "refused" ? answer.text : "";
    if (answer?.type === "invitation") {
      links.replaceChildren(link(text.play, answer.friend), link(text.watch, answer.watcher));
      links.after(name);
      end.hidden = false;
    }
  }

  const name = nameField(app);
  const end = button(
    text.end,
    async () => {
      wrong.textContent = await app.change({ type: "end-invitation" });
      if (!wrong.textContent) dialog.close();
    },
    { class: "danger", hidden: true },
  );
  const command = app.state.hello?.served
    ? []
    : [make("div", { class: "row" }, ...copyable(text.command, LISTEN))];
  const dialog = openDialog({
    id: "invite-dialog",
    title: text.title,
    body: [
      make("p", { class: "note" }, app.state.hello?.served ? text.explain : text.local),
      ...(engines.length ? [make("p", { class: "note" }, text.engine)] : []),
      ...command,
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
  if (seat) create();
}

/** Whether another game would end one with a friend. @param {App} app */
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
    maxlength: 100,
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
 * Shows requests to take back: with two answers to the other player, and without to the asking one.
 * @param {App} app
 */
export function showUndoRequests(app) {
  const { allow, asked, decline, waiting } = STRINGS.invite;
  /** @param {boolean} grant */
  const answer = (grant) => app.send({ type: "answer-undo", grant });
  const actions = [
    { text: allow, run: () => answer(true) },
    { text: decline, run: () => answer(false) },
  ];
  let asking = /** @type {string | null} */ (null);
  let notice = 0;
  app.store.watch(["table"], ({ table }) => {
    if (!table || table.undo_asked === asking) return;
    asking = table.undo_asked;
    app.forget(notice);
    if (!asking || table.seat === "watch") return;
    notice =
      table.seat === asking
        ? app.notify("info", waiting)
        : app.notify("warning", asked(asking), { actions, dismiss: () => answer(false) });
  });
}
