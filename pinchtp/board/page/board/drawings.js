// What live analysis and overlays put on the board.

/** @typedef {import("./overlays.js").Heat} Heat */
/** @typedef {import("./overlays.js").Blob} Blob */
/** @typedef {import("../app.js").PageState} PageState */

const MOST_CANDIDATES = 12;

/** @param {number} share a chance in [0, 1] */
export const percent = (share) => `${Math.round(100 * share)}`;

/** A count in at most four signs. @param {number} count */
export function short(count) {
  if (count < 1000) return String(count);
  if (count < 10_000) return `${(count / 1000).toFixed(1)}k`;
  return count < 1e6 ? `${Math.round(count / 1000)}k` : `${(count / 1e6).toFixed(1)}m`;
}

/** @param {PageState} state @returns {Blob[]} */
export function blobsOf({ analysis }) {
  if (!analysis) return [];
  const shown = analysis.candidates.slice(0, MOST_CANDIDATES);
  const most = Math.max(1, ...shown.map((each) => each.visits));
  // Two turns may be made on one point; the better stands there.
  const points = new Set();
  return shown.flatMap(({ points: [cell], winrate, visits, order }) => {
    if (cell === undefined || points.has(cell)) return [];
    points.add(cell);
    return [{
      cell, first: percent(winrate), second: short(visits), weight: visits / most, isBest: order === 0,
    }];
  });
}

/** @param {PageState} state @returns {Heat[]} */
export function heatOf(state) {
  if (state.drawn === "ownership") return ownershipHeat(state.analysis?.ownership ?? []);
  if (state.drawn === "priors") return priorHeat(state.analysis?.candidates ?? []);
  return overlayHeat(state);
}

/** @param {number[]} ownership @returns {Heat[]} */
function ownershipHeat(ownership) {
  return ownership.map((value, cell) => ({
    cell, value: Math.abs(value), kind: value > 0 ? "black" : "white", text: percent(Math.abs(value)),
  })).filter((each) => each.value >= 0.1);
}

/** @param {import("../messages.js").Candidate[]} candidates @returns {Heat[]} */
function priorHeat(candidates) {
  const most = Math.max(...candidates.map((each) => each.prior ?? 0), 1e-9);
  return candidates.flatMap(({ points: [cell], prior }) => (cell === undefined || !prior ? [] : [{
    cell, value: prior / most, kind: "plain", text: (100 * prior).toFixed(prior < 0.1 ? 1 : 0),
  }]));
}

/** Points of an overlay in its engine's colors. @param {PageState} state @returns {Heat[]} */
function overlayHeat({ overlay }) {
  return (overlay?.points ?? []).map(({ at, color, label }) => ({
    cell: at, value: color ? 0.75 : 0, kind: "plain", text: label, fill: color || undefined,
  }));
}
