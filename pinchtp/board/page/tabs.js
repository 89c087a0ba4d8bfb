// The panels and their tabs; arrow keys move between tabs.
import { leaveFocus } from "./board_input.js";
import { at, make } from "./dom.js";

/** @typedef {{ id: string, title: string, content: Node[] }} Panel */

/** @type {{ [key: string]: number }} */
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

export class Tabs {
  /** @param {Panel[]} panels the first one is open */
  constructor(panels) {
    this.panels = panels;
    this.tabs = panels.map((each) => this.#makeTab(each));
    this.bodies = panels.map(({ id, content }) =>
      make(
        "div",
        { role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}` },
        ...content,
      ),
    );
    const list = at("tabs");
    list.append(...this.tabs);
    at("panels").append(...this.bodies);
    list.addEventListener("mousedown", leaveFocus); // arrow keys still step through the game
    list.addEventListener("keydown", (event) => this.#press(event));
    this.open(panels[0].id);
  }

  /** Opens a panel. @param {string} id */
  open(id) {
    for (const [number, panel] of this.panels.entries()) {
      const isOpen = panel.id === id;
      this.tabs[number].setAttribute("aria-selected", String(isOpen));
      this.tabs[number].tabIndex = isOpen ? 0 : -1;
      this.bodies[number].hidden = !isOpen;
    }
  }

  /** @param {Panel} panel */
  #makeTab({ id, title }) {
    return make(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${id}`,
        "aria-controls": `panel-${id}`,
        click: () => this.open(id),
      },
      title,
    );
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const step = STEPS[event.key];
    const here = this.tabs.indexOf(/** @type {any} */ (document.activeElement));
    if (!step || here < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (here + step + this.tabs.length) % this.tabs.length;
    this.open(this.panels[next].id);
    this.tabs[next].focus();
  }
}
