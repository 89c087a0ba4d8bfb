// Helpers that create elements. Content is text, never markup.

/** Returns an element that exists. @param {string} id @returns {HTMLElement} */
export const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Creates an HTML element.
 * @param {string} name @param {string | number} content
 * @param {Object<string, string | number>} attributes
 */
export function element(name, content = "", attributes = {}) {
  return filled(document.createElement(name), content, attributes);
}

/**
 * Creates an SVG element.
 * @param {string} name @param {Object<string, string | number>} attributes
 * @param {string | number} content
 * @returns {SVGElement}
 */
export function drawing(name, attributes = {}, content = "") {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), content, attributes);
}

/**
 * @template {Element} T
 * @param {T} made @param {string | number} content
 * @param {Object<string, string | number>} attributes
 */
function filled(made, content, attributes) {
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (content !== "") made.textContent = String(content);
  return made;
}

/**
 * A pool of reusable elements of one kind.
 * @template {Element} T
 */
export class ElementPool {
  /** @type {T[]} */ #made = [];
  #used = 0;

  /** @param {Element} parent @param {() => T} create */
  constructor(parent, create) {
    this.parent = parent;
    this.create = create;
  }

  /** Starts a new drawing: all elements are free. */
  begin() {
    this.#used = 0;
  }

  /** Shows the next element. @returns {T} */
  next() {
    const found = this.#made[this.#used] ?? this.#add();
    this.#used += 1;
    found.removeAttribute("display");
    return found;
  }

  /** Hides the unused elements. */
  end() {
    for (const rest of this.#made.slice(this.#used)) rest.setAttribute("display", "none");
  }

  #add() {
    const made = this.create();
    this.#made.push(made);
    this.parent.append(made);
    return made;
  }
}
