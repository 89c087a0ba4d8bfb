// Sounds of stones and of a win, synthesized; off until chosen in the settings.
import { setting } from "./settings.js";

/**
 * Tones of each sound: frequency (Hz), start (s), duration (s), volume.
 * @type {{ [kind: string]: number[][] }}
 */
const TONES = {
  stone: [
    [190, 0, 0.09, 0.5],
    [1250, 0, 0.025, 0.22],
  ],
  flip: [
    [430, 0, 0.06, 0.22],
    [1700, 0, 0.02, 0.12],
  ],
  win: [
    [523, 0, 0.3, 0.2],
    [659, 0.12, 0.3, 0.2],
    [784, 0.24, 0.6, 0.2],
  ],
};
/** @type {AudioContext | undefined} */
let audio;

// Browsers start sound during a click or a key only, not for a message of the server.
for (const kind of ["pointerup", "keydown"]) {
  addEventListener(kind, () => {
    if (setting("sound") === "on") context().resume();
  });
}

const context = () => (audio ??= new AudioContext());

/** @param {"stone" | "flip" | "win"} kind */
export function playSound(kind) {
  if (setting("sound") !== "on") return;
  for (const tone of TONES[kind]) playTone(context(), tone);
}

/** @param {AudioContext} context @param {number[]} tone */
function playTone(context, [frequency, start, duration, volume]) {
  const source = context.createOscillator();
  const gain = context.createGain();
  const from = context.currentTime + start;
  source.type = "triangle";
  source.frequency.value = frequency;
  gain.gain.setValueAtTime(volume, from);
  gain.gain.exponentialRampToValueAtTime(0.001, from + duration);
  source.connect(gain).connect(context.destination);
  source.start(from);
  source.stop(from + duration);
}
