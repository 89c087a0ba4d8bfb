// A modal dialog with a title, a body and a form. The browser's <dialog> traps the focus and
// restores it.
import { at, button, make } from "./dom.js";
import { STRINGS } from "./strings.js";

/**
 * @typedef {object} DialogParts
 * @property {string} id
 * @property {string} title
 * @property {Node[]} body
 * @property {string} [submit] the text of the submit button; none: nothing to submit
 * @property {Node[]} [extra] more buttons in the footer
 * @property {HTMLElement} [wrong] shows errors, if others than those of the answer occur
 * @property {() => Promise<string | void> | string | void} [answer] called on submit; a returned
 *   error is shown and keeps the dialog open
 */

/** An element that shows errors of a dialog. */
export const errorLine = () => make("p", { class: "wrong", role: "alert" });

/** @param {DialogParts} parts @returns {HTMLDialogElement} */
export function openDialog(parts) {
  document.getElementById(parts.id)?.remove();
  placeNotices();
  const dialog = make("dialog", { id: parts.id, "aria-labelledby": `${parts.id}-title` });
  const close = () => dialog.close();
  const body = make("div", { class: "body" }, ...parts.body);
  // Makes read-only content scrollable by keys.
  if (parts.body.length && !body.querySelector("button, input, select, textarea, [tabindex]"))
    body.tabIndex = 0;
  dialog.append(
    make(
      "header",
      {},
      make("h2", { id: `${parts.id}-title` }, parts.title),
      button("✕", close, { "aria-label": STRINGS.close }),
    ),
    form(parts, body, close),
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    placeNotices();
  });
  let isUsed = false;
  for (const kind of ["input", "click"]) body.addEventListener(kind, () => (isUsed = true));
  // A click on the backdrop, unless entries would be lost; mousedown, so that a text selection that
  // ends there does not count.
  dialog.addEventListener("mousedown", (event) => {
    if (event.target === dialog && !(isUsed && parts.submit)) close();
  });
  at("dialogs").append(dialog);
  dialog.showModal();
  placeNotices();
  firstControl(body)?.focus();
  return dialog;
}

/**
 * The body and the buttons.
 * @param {DialogParts} parts @param {HTMLElement} body @param {() => void} close
 */
function form(parts, body, close) {
  const wrong = parts.wrong ?? errorLine();
  let isPending = false; // the answer

  /** @param {Event} event */
  async function submit(event) {
    event.preventDefault();
    if (isPending) return;
    isPending = true;
    wrong.textContent = "";
    try {
      const said = await parts.answer?.();
      if (said) wrong.textContent = said;
      else close();
    } finally {
      isPending = false;
    }
  }

  const footer = make(
    "footer",
    {},
    wrong,
    ...(parts.extra ?? []),
    parts.submit && button(STRINGS.cancel, close),
    parts.submit && make("button", { type: "submit", class: "main" }, parts.submit),
  );
  return make("form", { method: "dialog", submit }, body, footer);
}

/** @type {HTMLElement | undefined} */
let notices;

/**
 * Moves the notices into the last open dialog, which makes the rest of the page inert: beside its
 * title, because a dialog may be as large as the window.
 */
function placeNotices() {
  notices ??= at("notices");
  const title = [...document.querySelectorAll("dialog[open] > header > h2")].at(-1);
  if (!title) document.body.append(notices);
  else if (notices.previousElementSibling !== title) title.after(notices);
}

/**
 * The element to focus first: a field or the content, not the close button.
 * @param {HTMLElement} body @returns {HTMLElement | null}
 */
function firstControl(body) {
  if (body.tabIndex === 0) return body;
  const input = "input:not([type=radio]:not(:checked), [readonly])";
  return body.querySelector(`${input}, select, textarea, button, [tabindex='0']`);
}

/** A labeled field. @param {string} name @param {HTMLElement} control */
export function field(name, control) {
  return make("label", { class: "field" }, make("span", {}, name), control);
}

/** @param {string} text @param {HTMLInputElement} control a checkbox or radio button */
export function switchField(text, control) {
  return make("label", { class: "switch" }, control, text);
}

/**
 * A select.
 * @param {{ [name: string]: any }} attributes
 * @param {[string, string][]} options values and their texts
 * @param {string} [chosen]
 */
export function select(attributes, options, chosen) {
  const made = make(
    "select",
    attributes,
    ...options.map(([value, text]) => make("option", { value }, text)),
  );
  if (chosen !== undefined) made.value = chosen;
  return made;
}

/** @param {string} name @param {boolean} checked @param {{ [name: string]: any }} [more] */
export function checkbox(name, checked, more = {}) {
  const made = make("input", { type: "checkbox", name, ...more });
  made.checked = checked;
  return made;
}
