#!/usr/bin/env bash
# elote 1.5.1 (PyPI), WholeHistoryRatingCompetitor: `w2` is the drift per day and also the variance
# of the first day's prior, 17 Elo points wide. So a hundred wins in one day give an expected score
# of 66 %, and the same hundred on a hundred days 98 %. An overnight match has only the first day.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install -q elote==1.5.1 numpy==2.4.6
cd "$folder"
output=$(venv/bin/python -c '
from datetime import datetime, timedelta
from elote.competitors.whr import WholeHistoryRatingCompetitor

for days in (1, 100):
    first, second = WholeHistoryRatingCompetitor(), WholeHistoryRatingCompetitor()
    for game in range(100):
        first.beat(second, datetime(2026, 1, 1) + timedelta(days=game % days))
    print(f"100 wins on {days} days: {first.expected_score(second):.0%}")')
echo "$output"
[ "$output" = '100 wins on 1 days: 66%
100 wins on 100 days: 98%' ]
