#!/usr/bin/env bash
# tournament-organizer 4.1.1 (npm), format "double-round-robin": tiebreaks look up one match for
# each opponent, and find the first. In this tournament everyone wins one of two matches against
# everyone else, so that all four tie with 3 points, and Sonneborn-Berger, the sum of the points of
# the beaten opponents, should be 9 for each. The library computes 9, 6, 3 and 0: whoever wins the
# first matches and loses the second leads the standings, and whoever does the reverse is last.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" tournament-organizer@4.1.1
cd "$folder"
output=$(node --input-type=module -e '
import Manager from "tournament-organizer";

const tournament = new Manager().createTournament("four engines", {
  scoring: { win: 1, draw: 0.5, loss: 0, tiebreaks: ["sonneborn berger"] },
  stageOne: { format: "double-round-robin" },
});
for (const name of "abcd") tournament.createPlayer(name, name);
tournament.startTournament();
for (let round = 1; round <= 6; round++) {
  for (const match of tournament.getMatches().filter((each) => each.isActive())) {
    const ahead = match.getPlayer1().id < match.getPlayer2().id;
    const wins = ahead === round <= 3;  // of the earlier letter, in the first three rounds
    tournament.enterResult(match.getId(), Number(wins), Number(!wins));
  }
  if (round < 6) tournament.nextRound();
}
for (const { player, matchPoints, tiebreaks } of tournament.getStandings()) {
  console.log(player.getId(), matchPoints, "points, tiebreak", tiebreaks.sonnebornBerger);
}')
output="$(npm ls --depth 0 | grep -o 'tournament-organizer@.*')
$output"
echo "$output"
[ "$output" = 'tournament-organizer@4.1.1
a 3 points, tiebreak 9
b 3 points, tiebreak 6
c 3 points, tiebreak 3
d 3 points, tiebreak 0' ]
