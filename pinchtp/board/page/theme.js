// Light, dark, or as the system has it: a button that goes from one to the next. The choice is kept
// in a cookie, by which the server sends the page in its colors: no script has to run before it is
// painted.
import { button, setText } from "./dom.js";
import { STRINGS } from "./strings.js";

const YEAR = 365 * 24 * 3600; // seconds
const THEMES = ["", "light", "dark"]; // of the document; none: the system's

export function themeButton() {
  const made = button(text(), () => {
    const { dataset } = document.documentElement;
    dataset.theme = THEMES[(THEMES.indexOf(dataset.theme ?? "") + 1) % THEMES.length];
    setText(made, text());
    document.cookie = `pinchtp_theme=${dataset.theme}; path=/; max-age=${YEAR}; samesite=lax`;
  }, { id: "theme" });
  return made;
}

const text = () => STRINGS.themes[document.documentElement.dataset.theme ?? ""] ?? "";
