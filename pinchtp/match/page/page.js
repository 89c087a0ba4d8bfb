// The list of games, and the viewer in which they are replayed. See data.py for the form of the data.

const at = (id) => document.getElementById(id);
const COLORS = { b: "Black", w: "White" };
const LIST_STEP = 50;

const games = data.games.map(
  ([label, black, white, winner, cause, detail, failed, moves, colors, book, times, winrates,
    changes, swaps, chain], index) => ({
    index, label, winner, cause, detail, failed, colors, book, times, winrates, changes, chain,
    swaps: swaps || [],
    black: data.engines[black],
    white: data.engines[white],
    moves: moves ? moves.split("\n") : [],
  }));

function element(name, content, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = content;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

// --- what a game says about its moves, the first of which is number 1

const colorOf = (game, move) => {
  if (game.colors.length > 1) return game.colors[move - 1];
  return (game.colors === "b") === (move % 2 === 1) ? "b" : "w";
};

const playerOf = (game, color) => (color === "b" ? game.black : game.white);

const wordOf = (words, move) => (words ? words.split(" ")[move - 1] : undefined);

function blackWinrate(game, move) {
  const word = wordOf(game.winrates, move);
  if (word === undefined || word === "-") return null;
  return colorOf(game, move) === "b" ? word / 1000 : 1 - word / 1000;
}

function outcome(game) {
  if (game.winner === "v") return "Void";
  if (game.winner === "d") return "Draw";
  return `${playerOf(game, game.winner)} (${COLORS[game.winner].toLowerCase()}) won`;
}

function duration(milliseconds) {
  const seconds = milliseconds / 1000;
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

// --- the evaluation curve: Black's chances, as each side sees them

function curve(game) {
  const width = 400, height = 116, left = 46, top = 6, bottom = 98;
  const count = game.moves.length;
  const x = (move) => left + (width - left - 8) * move / Math.max(count, 1);
  const y = (share) => bottom - (bottom - top) * share;
  const image = drawing("svg", {
    class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img",
    "aria-label": "Black's chances by the engines' own evaluations",
  });
  for (const share of [0, 0.5, 1]) {
    image.append(drawing("path", { class: share === 0.5 ? "axis" : "grid", d: `M${left} ${y(share)}H${width - 8}` }));
    image.append(drawing("text", { class: "tick", x: left - 4, y: y(share) + 4, "text-anchor": "end" }, `${100 * share} %`));
  }
  const lines = { b: [], w: [] };
  for (let move = 1; move <= count; move++) {
    const share = blackWinrate(game, move);
    if (share !== null) lines[colorOf(game, move)].push(`${x(move).toFixed(1)} ${y(share).toFixed(1)}`);
  }
  if (!lines.b.length && !lines.w.length) return null;
  image.append(drawing("text", { class: "tick", x: (left + width) / 2, y: height - 4, "text-anchor": "middle" }, "Black's chances, move by move"));
  for (const [color, name] of [["b", "c0"], ["w", "c1"]]) {
    if (lines[color].length) image.append(drawing("path", { class: `line ${name}`, d: `M${lines[color].join("L")}` }));
  }
  const cursor = drawing("path", { class: "mean", id: "cursor" });
  image.append(cursor);
  image.place = (move) => cursor.setAttribute("d", `M${x(move).toFixed(1)} ${top}V${bottom}`);
  image.addEventListener("click", (event) => {
    const box = image.getBoundingClientRect();
    const along = (event.clientX - box.left) / box.width * width;
    show(state.game, Math.round((along - left) / (width - left - 8) * count));
  });
  return image;
}

function curveLegend(game) {
  const list = element("ul", "", { class: "legend" });
  for (const [color, name] of [["b", "c0"], ["w", "c1"]]) {
    const sample = drawing("svg", { viewBox: "0 0 20 10", width: 20, height: 10, "aria-hidden": "true" });
    sample.append(drawing("path", { class: `line ${name}`, d: "M0 5H20" }));
    const item = element("li", "");
    item.append(sample, `as ${playerOf(game, color)} sees it`);
    list.append(item);
  }
  return list;
}

// --- the viewer

const state = { game: null, move: 0, chart: null };

function open(game) {
  state.game = game;
  at("viewer").hidden = false;
  at("heading").textContent = `Game ${game.label}: ${game.black} (black) – ${game.white} (white)`;
  const ending = game.detail ? `${game.cause}: ${game.detail}` : game.cause;
  at("result").textContent = `${outcome(game)} (${ending})`;
  at("slider").max = game.moves.length;
  state.chart = curve(game);
  at("curve").replaceChildren(...(state.chart ? [state.chart, curveLegend(game)] : []));
  at("moves").replaceChildren(...game.moves.map((text, index) => {
    const item = element("li", ""), button = element("button", `${index + 1}. ${text}`, { type: "button" });
    if (index < game.book) button.className = "book";
    button.addEventListener("click", () => show(game, index + 1));
    item.append(button);
    return item;
  }));
  markRow();
}

function show(game, wanted) {
  if (state.game !== game) open(game);
  const count = game.moves.length;
  const move = state.move = Math.max(0, Math.min(count, wanted));
  const hasBoard = Boolean(board && game.changes !== undefined);
  at("stage").replaceChildren(...(hasBoard ? [draw(game, move)] : []));
  at("slider").value = move;
  at("slider").setAttribute("aria-valuetext", `move ${move} of ${count}`);
  at("standing").textContent = standing(game, move);
  if (state.chart) state.chart.place(move);
  const disabled = {
    first: move === 0, back: move === 0, on: move === count, last: move === count,
    previous: game.index === 0, next: game.index === games.length - 1,
  };
  for (const button of at("controls").querySelectorAll("button")) button.disabled = disabled[button.dataset.step];
  markMove(move);
  remember(game, move);
}

function standing(game, move) {
  const count = game.moves.length;
  if (move === 0) return `Start of ${count === 1 ? "1 move" : `${count} moves`}`;
  const color = colorOf(game, move), chance = blackWinrate(game, move);
  const parts = [`Move ${move} of ${count}: ${COLORS[color]} ${game.moves[move - 1]}`];
  if (move <= game.book) parts.push("opening");
  else parts.push(duration(wordOf(game.times, move)));
  if (chance !== null) {
    const own = color === "b" ? chance : 1 - chance;
    parts.push(`${playerOf(game, color)} gives itself ${(100 * own).toFixed(1)} %`);
  }
  if (game.swaps.includes(move)) parts.push("the colors are swapped");
  if (move === count) parts.push(outcome(game));
  return parts.join(" · ");
}

function markMove(move) {
  const list = at("moves");
  for (const button of list.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
  const item = list.children[move - 1];
  if (!item) { list.scrollTop = 0; return; }
  item.firstChild.setAttribute("aria-current", "step");
  // Scrolls the list, never the page.
  const top = item.offsetTop - list.offsetTop;
  if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
    list.scrollTop = top - list.clientHeight / 2;
  }
}

function step(kind) {
  const { game, move } = state;
  const neighbor = games[game.index + (kind === "next" ? 1 : -1)];
  if (kind === "first") show(game, 0);
  else if (kind === "back") show(game, move - 1);
  else if (kind === "on") show(game, move + 1);
  else if (kind === "last") show(game, game.moves.length);
  else if (neighbor) show(neighbor, neighbor.moves.length);
}

// --- where the page stands: #game=12&move=34

function remember(game, move) {
  const place = `#game=${encodeURIComponent(game.label)}&move=${move}`;
  if (location.hash !== place) history.replaceState(null, "", place);
}

function recall() {
  const place = new URLSearchParams(location.hash.slice(1));
  const game = games.find((each) => each.label === place.get("game"));
  if (!game) return false;
  const move = parseInt(place.get("move"), 10);
  show(game, Number.isNaN(move) ? game.moves.length : move);
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

function filter() {
  const engine = at("by-engine").value, [, fits] = ENDS[at("by-end").selectedIndex];
  list.found = games.filter((game) => (!engine || game.black === engine || game.white === engine) && fits(game));
  list.shown = 0;
  at("list").tBodies[0].replaceChildren();
  at("found").textContent = list.found.length === 1 ? "1 game" : `${list.found.length} games`;
  more();
}

function more() {
  const next = list.found.slice(list.shown, list.shown + LIST_STEP);
  at("list").tBodies[0].append(...next.map(row));
  list.shown += next.length;
  const left = list.found.length - list.shown;
  at("more").hidden = left === 0;
  at("more").textContent = `Show ${Math.min(left, LIST_STEP)} more of ${left}`;
  markRow();
}

function row(game) {
  const made = element("tr", "", { "data-game": game.label });
  const head = element("th", "", { scope: "row" });
  head.append(element("a", game.label, { href: `#game=${encodeURIComponent(game.label)}` }));
  const won = { b: "Black", w: "White", d: "draw", v: "void" }[game.winner];
  made.append(
    head,
    element("td", game.black, game.winner === "b" ? { class: "winner" } : {}),
    element("td", game.white, game.winner === "w" ? { class: "winner" } : {}),
    element("td", won), element("td", game.moves.length),
    element("td", game.cause, { class: game.failed || game.winner === "v" ? "wide failed" : "wide" }));
  made.addEventListener("click", (event) => {
    event.preventDefault();
    show(game, game.moves.length);
    visit();
  });
  return made;
}

function markRow() {
  for (const made of at("list").tBodies[0].rows) {
    if (state.game && made.dataset.game === state.game.label) made.setAttribute("aria-current", "true");
    else made.removeAttribute("aria-current");
  }
}

// To the board, where the keys work at once.
function visit() {
  at("viewer").focus({ preventScroll: true });
  at("games").scrollIntoView({ block: "start" });
}

// --- start

const KEYS = {
  ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", PageUp: "previous", PageDown: "next",
};

function isInSight(part) {
  const box = part.getBoundingClientRect();
  return box.bottom > 0 && box.top < innerHeight;
}

document.addEventListener("keydown", (event) => {
  const kind = KEYS[event.key];
  const busy = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey ||
    event.target.closest?.("input, select, pre, .scroll");
  if (!kind || busy || !state.game || !isInSight(at("viewer"))) return;
  event.preventDefault();
  step(kind);
});

at("controls").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) step(button.dataset.step);
});
at("slider").addEventListener("input", (event) => show(state.game, Number(event.target.value)));
at("more").addEventListener("click", more);
at("filter").addEventListener("input", filter);
at("filter").addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("hashchange", () => { if (recall()) visit(); });

at("by-engine").append(element("option", "all", { value: "" }), ...data.engines.map((name) => element("option", name, { value: name })));
at("by-end").append(...ENDS.map(([name]) => element("option", name)));
at("filter").hidden = at("list").hidden = !games.length;
filter();
if (recall()) visit();
else if (games.length) show(games[0], games[0].moves.length);
