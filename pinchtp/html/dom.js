// Elements made in short. The content is always text, never markup.

/** @param {string} id @returns {HTMLElement} which has to be there */
export const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * An element of HTML.
 * @param {string} name @param {string | number} content @param {Object<string, string | number>} attributes
 */
export function element(name, content = "", attributes = {}) {
  return filled(document.createElement(name), content, attributes);
}

/**
 * An element of SVG.
 * @param {string} name @param {Object<string, string | number>} attributes @param {string | number} content
 * @returns {SVGElement}
 */
export function drawing(name, attributes = {}, content = "") {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), content, attributes);
}

/**
 * @template {Element} T
 * @param {T} made @param {string | number} content @param {Object<string, string | number>} attributes
 */
function filled(made, content, attributes) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (content !== "") made.textContent = String(content);
  return made;
}
