// Panels of which one is seen, chosen by tabs: arrows go from tab to tab.
import { at, make } from "../dom.js";

/** @typedef {{ id: string, title: string, content: Node[] }} Panel */

/** @param {Panel[]} panels @returns {(id: string) => void} which opens one of them */
export function showTabs(panels) {
  const list = at("tabs"), holder = at("panels");
  const tabs = panels.map(({ id, title }) => make("button", {
    type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `panel-${id}`, click: () => open(id),
  }, title));
  const bodies = panels.map(({ id, content }) => make("div", {
    role: "tabpanel", id: `panel-${id}`, "aria-labelledby": `tab-${id}`,
  }, ...content));
  list.append(...tabs);
  holder.append(...bodies);
  list.addEventListener("keydown", (event) => {
    const steps = /** @type {{ [key: string]: number }} */ ({ ArrowLeft: -1, ArrowRight: 1 });
    const step = steps[event.key], here = tabs.indexOf(/** @type {any} */ (document.activeElement));
    if (!step || here < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (here + step + tabs.length) % tabs.length;
    open(panels[next].id);
    tabs[next].focus();
  });

  /** @param {string} wanted */
  function open(wanted) {
    for (const [number, panel] of panels.entries()) {
      const isOpen = panel.id === wanted;
      tabs[number].setAttribute("aria-selected", String(isOpen));
      tabs[number].tabIndex = isOpen ? 0 : -1;
      bodies[number].hidden = !isOpen;
    }
  }

  open(panels[0].id);
  return open;
}
