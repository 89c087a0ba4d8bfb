// Helpers that create elements. Content is text or elements, never markup.

export { at, drawing, ElementPool } from "../../html/dom.js";

/** @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Attribute */
/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * An element of HTML. A function listens to the event of its name; true sets an attribute without
 * a value; false, null and undefined omit it.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {{ [name: string]: Attribute }} [attributes]
 * @param {...Child} children  false, null and undefined are omitted
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else setAttribute(made, key, value);
  }
  made.append(...present(children));
  return made;
}

/**
 * Sets an attribute, or removes it if the value is false, null or undefined. ARIA
 * attributes are set to `true` and `false`.
 * @param {Element} element @param {string} key
 * @param {string | number | boolean | null | undefined} value
 */
export function setAttribute(element, key, value) {
  const text =
    typeof value === "boolean" && key.startsWith("aria-")
      ? String(value)
      : value === true
        ? ""
        : value;
  if (text === false || text === null || text === undefined) element.removeAttribute(key);
  else if (element.getAttribute(key) !== String(text)) element.setAttribute(key, String(text));
}

/** Sets the text of an element if it differs. @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function present(children) {
  return children
    .filter((each) => each !== null && each !== undefined && each !== false)
    .map((each) => (each instanceof Node ? each : String(each)));
}

/**
 * A button with a text.
 * @param {string} text @param {() => void} click
 * @param {{ [name: string]: Attribute }} [attributes]
 */
export function button(text, click, attributes = {}) {
  return make("button", { type: "button", click, ...attributes }, text);
}

/**
 * A button of an action below the board.
 * @param {string} id @param {string} text @param {() => void} run @param {string} [kind]
 */
export const choice = (id, text, run, kind) =>
  button(text, run, { "data-action": id, class: kind });
