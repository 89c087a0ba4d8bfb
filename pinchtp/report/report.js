// The sample games of a report. make_replays() in samples.py creates the data.
import { at, element } from "./dom.js";
import { Viewer } from "./viewer.js";

const RESULT_MOVES = { black: "Black", white: "White" };

// Prints have all details unfolded.
for (const [event, open] of [
  ["beforeprint", true],
  ["afterprint", false],
]) {
  addEventListener(event, () => {
    for (const each of document.querySelectorAll("details")) each.open = open;
  });
}

const text = at("data")?.textContent;
if (text) openGames(JSON.parse(text));

function openGames(data) {
  const games = data.games.map(gameOf);
  const viewer = new Viewer(data.board, {
    changed: mark,
    neighbor: (by) => games[viewer.game.index + by],
  });
  games.forEach((game) => {
    const item = element("li");
    const button = element("button", game.heading, { type: "button" });
    button.addEventListener("click", () => viewer.show(game, game.moves.length));
    item.append(button);
    at("games").append(item);
  });
  if (games.length) viewer.show(games[0], games[0].moves.length);

  function mark() {
    [...at("games").children].forEach((item, index) => {
      if (index === viewer.game.index) item.firstChild.setAttribute("aria-current", "true");
      else item.firstChild.removeAttribute("aria-current");
    });
  }
}

function gameOf(game, index) {
  const points = game.chances.flatMap((chance, at) => (chance === null ? [] : [[at + 1, chance]]));
  return {
    ...game,
    index,
    book: 0,
    says: (move) => standing(game, move),
    curves: [{ name: "evaluated by the player to move", points }],
  };
}

function standing(game, move) {
  const color = game.colors[move - 1];
  const chance = game.chances[move - 1];
  const parts = [
    `Turn ${move} of ${game.moves.length}: ${RESULT_MOVES[color]} ${game.moves[move - 1]}`,
  ];
  if (chance !== null) parts.push(`Black's winrate ${(100 * chance).toFixed(0)} %`);
  if (game.swaps.includes(move)) parts.push("colors swapped");
  if (move === game.moves.length) parts.push(game.result);
  return parts.join(" · ");
}
