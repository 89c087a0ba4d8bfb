// Light, dark, or as the system has it: a button that goes from one to the next. The choice is kept
// for pages/theme.js.
import { button, setText } from "./dom.js";
import { STRINGS } from "./strings.js";

const THEMES = ["", "light", "dark"]; // of the document; none: the system's

export function themeButton() {
  const made = button(text(), () => {
    const { dataset } = document.documentElement;
    dataset.theme = THEMES[(THEMES.indexOf(dataset.theme ?? "") + 1) % THEMES.length];
    setText(made, text());
    try {
      localStorage.setItem("pinchtp-theme", dataset.theme);
    } catch {
      // Nothing is kept here: the choice holds until the page is left.
    }
  }, { id: "theme" });
  return made;
}

const text = () => STRINGS.themes[document.documentElement.dataset.theme ?? ""] ?? "";
