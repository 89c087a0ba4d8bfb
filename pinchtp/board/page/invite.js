// A game with a friend: the links of an invitation, and requests to take back.
import { field, openDialog, select } from "./dialog.js";
import { button, make } from "./dom.js";
import { STRINGS } from "./strings.js";

/** @typedef {import("./app.js").App} App */

/** @param {App} app */
export function openInvite(app) {
  const text = STRINGS.invite, links = make("div", {}), wrong = make("p", { class: "wrong", role: "alert" });
  const color = select({ name: "color" }, [["white", STRINGS.colors.white], ["black", STRINGS.colors.black]]);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

  async function create() {
    const answer = await app.server.ask({ type: "invite", color: /** @type {"black" | "white"} */ (color.value) });
    wrong.textContent = answer?.type === "refused" ? answer.text : "";
    if (answer?.type === "invitation") links.replaceChildren(link(text.play, answer.friend), link(text.watch, answer.watcher), name);
  }

  const nameField = make("input", { type: "text", maxlength: 100, change: () => app.send({ type: "set-name", name: nameField.value.trim() }) });
  const name = field(STRINGS.players.fields.namePlaceholder, nameField);
  const dialog = openDialog({
    id: "invite-dialog", title: text.title,
    body: [
      make("p", { class: "note" }, isLocal ? text.local : text.explain),
      make("div", { class: "row" }, field(text.color, color), button(text.create, create, { class: "main" })), links, wrong,
    ],
    extra: [button(text.end, () => { app.send({ type: "end-invitation" }); dialog.close(); }, { class: "danger" })],
  });
}

/** A link with a button that copies it. @param {string} label @param {string} path */
function link(label, path) {
  const address = make("input", { type: "text", readonly: true });
  address.value = location.origin + path;
  const copy = button(STRINGS.dialogs.save.copy, async () => {
    await navigator.clipboard?.writeText(address.value);
    address.select();
    copy.textContent = STRINGS.dialogs.save.copied;
  }, { "aria-label": `${STRINGS.dialogs.save.copy}: ${label}` });
  return field(label, make("div", { class: "row" }, make("span", { class: "grow" }, address), copy));
}

/** Shows requests to take back: to the player asked, with an answer, and to the one asking. @param {App} app */
export function showUndoRequests(app) {
  let asked = /** @type {string | null} */ (null), notice = 0;
  app.store.watch(["table"], ({ table }) => {
    if (!table || table.undo_asked === asked) return;
    asked = table.undo_asked;
    app.forget(notice);
    if (!asked || table.seat === "watch") return;
    const answer = (/** @type {boolean} */ grant) => app.send({ type: "answer-undo", grant });
    notice = table.seat === asked ? app.notify("info", STRINGS.invite.waiting)
      : app.notify("warning", STRINGS.invite.asked(asked), false, { text: STRINGS.invite.allow, run: () => answer(true) });
  });
}
