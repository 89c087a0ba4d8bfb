#!/usr/bin/env bash
# boardgame.io 0.50.2 (npm), MCTSBot: `objectives(G, ctx, playerID)` returns the objectives of one
# player, but the score of a playout is added to all moves before it, also to those of the other
# player; a win is credited to its winner alone. In this game, "open" lets the opponent reach the
# goal, and "close" prevents it. If the goal wins the game, the bot plays "close". If the same goal
# is an objective of either player, as in games too long for playouts, it plays "open" and helps
# the opponent.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" boardgame.io@0.50.2
cd "$folder"
output=$(node -e '
const { MCTSBot } = require("boardgame.io/ai");
const { Client } = require("boardgame.io/client");
const game = {
  setup: () => ({ first: null, goal: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    open: ({ G }) => { G.first = "open"; },
    close: ({ G }) => { G.first = "close"; },
    reach: ({ G, playerID }) => { G.goal = playerID; },
    wait: () => {},
  },
};
const enumerate = (G, ctx) => {
  if (G.first === null) return [{ move: "open" }, { move: "close" }];
  return [{ move: G.first === "open" && ctx.turn === 2 ? "reach" : "wait" }];
};
const endIf = ({ G, ctx }) => {
  if (G.goal !== null) return { winner: G.goal };
  return ctx.turn > 3 ? { draw: true } : undefined;
};
const objectives = (G, ctx, playerID) => ({
  goal: { checker: () => G.goal === playerID, weight: 1 },
});
async function play(name, rules, options) {
  const moves = [];
  for (const seed of ["a", "b", "c"]) {
    const state = Client({ game: rules, debug: false }).getState();
    const limits = { iterations: 500, playoutDepth: 5, seed };
    const bot = new MCTSBot({ game: rules, enumerate, ...limits, ...options });
    moves.push((await bot.play(state, "0")).action.payload.type);
  }
  console.log(`goal as ${name}: ${moves.join(" ")}`);
}
play("end of the game", { ...game, endIf }, {})
  .then(() => play("objective", game, { objectives }));')
output="$(npm ls --depth 0 | grep -o 'boardgame.io@.*')
$output"
echo "$output"
[ "$output" = 'boardgame.io@0.50.2
goal as end of the game: close close close
goal as objective: open open open' ]
