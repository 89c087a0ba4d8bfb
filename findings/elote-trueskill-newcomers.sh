#!/usr/bin/env bash
# elote 1.5.1 (PyPI), TrueSkillCompetitor: `rating` is mu - 3 sigma, so losing can raise it by
# reducing sigma. A player who lost all of ten games is rated above a newcomer, although
# expected_score() makes the newcomer the favorite with 80 %. OpenSkillCompetitor, with the same
# attribute, has the opposite order. A rating list with both kinds of players is not in order.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q elote==1.5.1 numpy==2.4.6
cd "$folder"
output=$(venv/bin/python -c '
from elote.competitors.openskill import OpenSkillCompetitor
from elote.competitors.trueskill import TrueSkillCompetitor

for Competitor in (TrueSkillCompetitor, OpenSkillCompetitor):
    winner, loser, newcomer = Competitor(), Competitor(), Competitor()
    for _ in range(10):
        winner.beat(loser)
    above = loser.rating > newcomer.rating
    print(Competitor.__name__, above, f"{newcomer.expected_score(loser):.2f}")')
echo "$output"
[ "$output" = 'TrueSkillCompetitor True 0.80
OpenSkillCompetitor False 0.83' ]
