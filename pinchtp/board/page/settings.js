// The settings: colors, board, stones, animation and sound. Each choice is an attribute of the
// document and a cookie, so that the server can send the page with its settings before any script
// runs.
import { field, openDialog, select } from "./dialog.js";
import { button } from "./dom.js";
import { STRINGS } from "./strings.js";

const YEAR = 365 * 24 * 3600; // seconds
/** The values of each setting, the default first. @type {{ [name: string]: string[] }} */
const SETTINGS = {
  theme: ["", "light", "dark"],
  board: ["", "paper", "green", "slate", "clear"],
  stones: ["", "flat", "glass"],
  coordinates: ["", "off"],
  motion: ["", "slow", "off"],
  sound: ["", "on"],
  notes: ["", "off"],
};

/** The value of a setting; empty: its default. @param {string} name */
export const setting = (name) => document.documentElement.dataset[name] ?? "";

/** @param {string} name @param {string} value */
export function choose(name, value) {
  if (value) document.documentElement.dataset[name] = value;
  else delete document.documentElement.dataset[name];
  document.cookie = `pinchtp_${name}=${value}; path=/; max-age=${YEAR}; samesite=lax`;
}

/** @param {() => void} changed called after a choice */
export function openSettings(changed) {
  const { title, names, values, showAgain } = STRINGS.settings;
  const fields = Object.entries(SETTINGS).map(([name, all]) => {
    const texts = values[name];
    const chosen = select(
      {
        name,
        change: () => {
          choose(name, chosen.value);
          changed();
        },
      },
      all.map((value, number) => /** @type {[string, string]} */ ([value, texts[number]])),
      setting(name),
    );
    return field(names[name], chosen);
  });
  const again = button(
    showAgain,
    () => {
      choose("seen", "");
      again.disabled = true;
    },
    { id: "notes-again" },
  );
  again.disabled = !setting("seen");
  openDialog({ id: "settings-dialog", title, body: [...fields, again] });
}
