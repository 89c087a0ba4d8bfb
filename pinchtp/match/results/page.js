// The games of a match: the list with its filters, and the viewer. game_data() in page.py creates
// the data.
import { at, element } from "./dom.js";
import { Viewer } from "./viewer.js";

const COLORS = { b: "Black", w: "White" };
const WON = { ...COLORS, d: "draw", v: "void" };
const LIST_STEP = 25;

const data = JSON.parse(at("data").textContent);
const games = data.games.map(gameOf);
const viewer = new Viewer(data.board, {
  changed: remember,
  neighbor: (by) => games[viewer.game.index + by],
});

// --- games for the viewer and the list; moves are numbered from 1

function gameOf(stored, index) {
  const { label, cause, detail, moves, colors } = stored;
  const game = {
    ...stored,
    index,
    black: data.engines[stored.black],
    white: data.engines[stored.white],
    moves: moves ? moves.split("\n") : [],
    color: (move) =>
      colors.length > 1 ? colors[move - 1] : (colors === "b") === (move % 2 === 1) ? "b" : "w",
    player: (color) => (color === "b" ? game.black : game.white),
    says: (move) => standing(game, move),
    milliseconds: (move) => Number(stored.times.split(" ")[move - 1]),
    winrate(move) {
      const word = stored.winrates.split(" ")[move - 1];
      return !word || word === "-" ? null : word / 1000;
    },
    blackWinrate(move) {
      const winrate = game.winrate(move);
      return winrate === null || game.color(move) === "b" ? winrate : 1 - winrate;
    },
    get curves() {
      return curves(game);
    },
  };
  const ending = detail ? `${cause}: ${detail}` : cause;
  game.heading = `Game ${label}: ${game.black} (black) – ${game.white} (white)`;
  game.result = `${outcome(game)} (${ending})`;
  return game;
}

function outcome(game) {
  if (game.winner === "v") return "Void";
  if (game.winner === "d") return "Draw";
  return `${game.player(game.winner)} (${COLORS[game.winner].toLowerCase()}) won`;
}

function standing(game, move) {
  const color = game.color(move);
  const winrate = game.winrate(move);
  const parts = [`Move ${move} of ${game.moves.length}: ${COLORS[color]} ${game.moves[move - 1]}`];
  parts.push(move <= game.book ? "opening" : duration(game.milliseconds(move)));
  if (winrate !== null)
    parts.push(`${game.player(color)}'s winrate ${(100 * winrate).toFixed(1)} %`);
  if (game.swaps.includes(move)) parts.push("colors swapped");
  if (move === game.moves.length) parts.push(outcome(game));
  return parts.join(" · ");
}

function duration(milliseconds) {
  if (milliseconds < 60_000) return `${milliseconds / 1000} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function curves(game) {
  const lines = { b: [], w: [] };
  for (let move = 1; move <= game.moves.length; move++) {
    const share = game.blackWinrate(move);
    if (share !== null) lines[game.color(move)].push([move, share]);
  }
  return ["b", "w"].map((color) => ({ name: `by ${game.player(color)}`, points: lines[color] }));
}

// --- the address of the page: #game=12&move=34

function remember() {
  const place = `#game=${encodeURIComponent(viewer.game.label)}&move=${viewer.move}`;
  if (location.hash !== place) history.replaceState(null, "", place);
  markRow();
}

function recall() {
  const place = new URLSearchParams(location.hash.slice(1));
  const game = games.find((each) => each.label === place.get("game"));
  if (!game) return false;
  const move = parseInt(place.get("move"), 10);
  viewer.show(game, Number.isNaN(move) ? game.moves.length : move);
  return true;
}

// --- the list

const list = { shown: 0, found: [] };

const ENDS = [
  ["all", () => true],
  ["won by Black", (game) => game.winner === "b"],
  ["won by White", (game) => game.winner === "w"],
  ["drawn", (game) => game.winner === "d"],
  ["failed", (game) => game.failed || game.winner === "v"],
];

// Whether a game passes each element of the filter; an empty value passes all games.
const FILTERS = {
  "by-engine": (game, name) => game.black === name || game.white === name,
  "by-opponent": (game, name) => game.black === name || game.white === name,
  "by-end": (game, number) => ENDS[number][1](game),
  "by-cause": (game, cause) => game.cause === cause,
  "by-opening": (game, number) => game.opening === Number(number),
  "least-moves": (game, number) => game.moves.length >= Number(number),
  "most-moves": (game, number) => game.moves.length <= Number(number),
};

function filter() {
  const active = Object.entries(FILTERS).filter(([id]) => at(id).value !== "");
  list.found = games.filter((game) => active.every(([id, fits]) => fits(game, at(id).value)));
  list.shown = 0;
  at("list").tBodies[0].replaceChildren();
  at("show-all").hidden = list.found.length === games.length;
  more();
}

function showAll() {
  at("filter").reset();
  filter();
}

// Sets the choices of a filter, each with its label and value.
function offer(id, choices) {
  at(id).replaceChildren(
    element("option", "all", { value: "" }),
    ...choices.map(([name, value]) => element("option", name, { value })),
  );
  at(id).closest("label").hidden = choices.length < 2;
}

function offerAll() {
  const names = data.engines.map((name) => [name, name]);
  offer("by-engine", names);
  offer("by-opponent", names.length > 2 ? names : []);
  offer("by-end", ENDS.map(([name], number) => [name, number]).slice(1));
  offer(
    "by-cause",
    [...new Set(games.map((game) => game.cause))].sort().map((cause) => [cause, cause]),
  );
  at("filter").hidden = at("list").hidden = !games.length;
  offer(
    "by-opening",
    (data.openings ?? []).map((name, number) => [name, number]),
  );
}

function more() {
  const next = list.found.slice(list.shown, list.shown + LIST_STEP);
  at("list").tBodies[0].append(...next.map(row));
  list.shown += next.length;
  const count = list.found.length;
  const left = count - list.shown;
  at("found").textContent =
    (left ? `${list.shown} of ` : "") + (count === 1 ? "1 game" : `${count} games`);
  at("more").hidden = left === 0;
  at("more").textContent = `Show ${Math.min(left, LIST_STEP)} more of ${left}`;
  markRow();
}

function row(game) {
  const made = element("tr", "", { "data-game": game.label });
  const head = element("th", "", { scope: "row" });
  head.append(element("a", game.label, { href: `#game=${encodeURIComponent(game.label)}` }));
  made.append(
    head,
    element("td", game.black, game.winner === "b" ? { class: "winner" } : {}),
    element("td", game.white, game.winner === "w" ? { class: "winner" } : {}),
    element("td", WON[game.winner]),
    element("td", game.moves.length),
    element("td", game.cause, {
      class: game.failed || game.winner === "v" ? "wide failed" : "wide",
    }),
  );
  made.addEventListener("click", (event) => {
    event.preventDefault();
    viewer.show(game, game.moves.length);
    viewer.visit();
  });
  return made;
}

function markRow() {
  for (const made of at("list").tBodies[0].rows) {
    if (viewer.game && made.dataset.game === viewer.game.label)
      made.setAttribute("aria-current", "true");
    else made.removeAttribute("aria-current");
  }
}

// --- reloads during the match, which preserve the view

const KEPT = "pinchtp-page"; // key in the session storage

function reload() {
  const open = [...document.querySelectorAll("details[open] > summary")].map(
    (each) => each.textContent,
  );
  const filters = Object.keys(FILTERS).map((id) => [id, at(id).value]);
  const focus = document.activeElement.id;
  const y = window.scrollY;
  sessionStorage.setItem(KEPT, JSON.stringify({ open, filters, shown: list.shown, focus, y }));
  location.reload();
}

function restore({ open, filters, shown, focus, y }) {
  for (const [id, value] of filters) at(id).value = value;
  filter();
  while (list.shown < Math.min(shown, list.found.length)) more();
  for (const summary of document.querySelectorAll("details > summary")) {
    summary.parentElement.open = open.includes(summary.textContent);
  }
  if (focus) at(focus)?.focus({ preventScroll: true });
  window.scrollTo(0, y);
}

// Any input postpones the reload.
function reloadAfter(seconds) {
  let timer;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(reload, 1000 * seconds);
  };
  for (const event of ["keydown", "pointerdown", "wheel"]) window.addEventListener(event, wait);
  wait();
}

// --- start

at("more").addEventListener("click", more);
at("filter").addEventListener("input", filter);
at("filter").addEventListener("submit", (event) => event.preventDefault());
at("show-all").addEventListener("click", showAll);
document.addEventListener("click", (event) => {
  const number = event.target.closest("[data-opening]")?.dataset.opening;
  if (number === undefined) return;
  at("filter").reset();
  at("by-opening").value = number;
  filter();
  at("filter").scrollIntoView({ block: "start" });
});
window.addEventListener("hashchange", () => {
  if (recall()) viewer.visit();
});

const kept = JSON.parse(sessionStorage.getItem(KEPT));
sessionStorage.removeItem(KEPT);
offerAll();
filter();
if (recall()) {
  if (!kept) viewer.visit();
} else if (games.length) viewer.show(games[0], games[0].moves.length);
if (kept) restore(kept);
if (document.body.dataset.refresh) reloadAfter(Number(document.body.dataset.refresh));
