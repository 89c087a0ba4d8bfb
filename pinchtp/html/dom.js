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

/**
 * Makes a drawing that is reused: elements of one kind, as many as were ever wanted at once.
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

  /** Begins a new picture: all elements are free again. */
  begin() {
    this.#used = 0;
  }

  /** The next element, which is shown. @returns {T} */
  next() {
    const found = this.#made[this.#used] ?? this.#add();
    this.#used += 1;
    found.removeAttribute("display");
    return found;
  }

  /** Hides what the new picture does not use. */
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
