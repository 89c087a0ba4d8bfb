"""Rates results of two players with a library: python tests/field/rating_libraries.py LIBRARY.

Reads a JSON list of [wins, draws, losses] and prints a JSON list of texts: the difference of the
two ratings, in Elo points where the library has such, or of libraries with a sequential test the
log-likelihood ratio of HYPOTHESES, or the error.
"""

import json
import math
import random
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

ELO = 400 / math.log(10)
HYPOTHESES = (0, 50)  # Elo points
DIGITS = {"mache": 2, "openskill": 1, "trueskill": 1}  # of the texts


def show(value: float, digits: int = 0) -> str:
    """Returns a rounded figure as text; one that is rounded to zero has no sign."""
    return f"{round(value, digits) + 0.0:.{digits}f}"


def play_in_order(wins: int, draws: int, losses: int) -> str:
    """Returns the results as letters, in an order that does not depend on the library."""
    games = ["w"] * wins + ["d"] * draws + ["l"] * losses
    random.Random(1).shuffle(games)
    return "".join(games)


def choix(wins: int, draws: int, losses: int) -> float:
    """Counts a draw as half a win each, by entering decided games twice."""
    games = [(0, 1)] * (2 * wins + draws) + [(1, 0)] * (2 * losses + draws)
    params = import_module("choix").opt_pairwise(2, games)
    return ELO * float(params[0] - params[1])


def whole_history_rating(wins: int, draws: int, losses: int) -> float:
    base = import_module("whr").WHR()
    return _whr(base, wins, draws, losses)


def whr(wins: int, draws: int, losses: int) -> float:
    base = import_module("whr").Base()
    return _whr(base, wins, draws, losses)


def _whr(base: Any, wins: int, draws: int, losses: int) -> float:
    for each in play_in_order(wins, draws, losses):
        base.create_game("a", "b", {"w": "B", "d": "D", "l": "W"}[each], 1, 0)
    base.iterate(200)
    first, second = (base.ratings_for_player(name)[-1][1] for name in "ab")
    return float(first - second)


def elote(wins: int, draws: int, losses: int) -> float:
    competitor = import_module("elote.competitors.bradley_terry").BradleyTerryCompetitor
    first, second = competitor(), competitor()
    for each in play_in_order(wins, draws, losses):
        {"w": first.beat, "d": first.tied, "l": first.lost_to}[each](second)
    return float(first.rating - second.rating)


def trueskill(wins: int, draws: int, losses: int) -> float:
    library = import_module("trueskill")
    first, second = library.Rating(), library.Rating()
    for each in play_in_order(wins, draws, losses):
        if each == "l":
            second, first = library.rate_1vs1(second, first)
        else:
            first, second = library.rate_1vs1(first, second, drawn=each == "d")
    return float(first.mu - second.mu)


def openskill(wins: int, draws: int, losses: int) -> float:
    model = import_module("openskill.models").PlackettLuce()
    first, second = model.rating(), model.rating()
    for each in play_in_order(wins, draws, losses):
        ranks = {"w": [1, 2], "d": [1, 1], "l": [2, 1]}[each]
        [first], [second] = model.rate([[first], [second]], ranks=ranks)
    return float(first.mu - second.mu)


def mache(wins: int, draws: int, losses: int) -> float:
    """Takes each result for that of a pair of games."""
    ratio = import_module("mache.match_estimate").log_likelihood_ratio
    return float(ratio([losses, 0, draws, 0, wins], *HYPOTHESES))


LIBRARIES: dict[str, Callable[[int, int, int], float]] = {
    "choix": choix,
    "elote": elote,
    "mache": mache,
    "openskill": openskill,
    "trueskill": trueskill,
    "whole-history-rating": whole_history_rating,
    "whr": whr,
}


def main() -> None:
    warnings.simplefilter("ignore")
    texts = []
    for result in json.load(sys.stdin):
        try:
            difference = LIBRARIES[sys.argv[1]](*result)
        except Exception as error:  # any error of a library is its answer
            texts.append(type(error).__name__)
        else:
            texts.append(show(difference, DIGITS.get(sys.argv[1], 0)))
    print(json.dumps(texts))


if __name__ == "__main__":
    main()
