"""Game definitions and the game session.

This module exports the definitions. `game` also has the values of cells, `notation` the text of
moves, `session` a game in progress, `history` its turns; `symmetry` transforms games, and
`handicap` places handicap stones.
"""

from pinchtp._core import MAX_SIZE, MIN_SIZE, Position
from pinchtp.games.game import (
    ALPHA_BETA,
    ATARI,
    COLOR_WORDS,
    GAMES,
    LIFTED,
    MCTS,
    PIE,
    RULE_OPTIONS,
    UCT,
    Color,
    GameType,
    Marker,
    RuleOption,
    RuleValue,
    default_rule,
    find_game,
    markers,
    sizes_of_games,
)

__all__ = [
    "ALPHA_BETA",
    "ATARI",
    "COLOR_WORDS",
    "GAMES",
    "LIFTED",
    "MAX_SIZE",
    "MCTS",
    "MIN_SIZE",
    "PIE",
    "RULE_OPTIONS",
    "UCT",
    "Color",
    "GameType",
    "Marker",
    "Position",
    "RuleOption",
    "RuleValue",
    "default_rule",
    "find_game",
    "markers",
    "sizes_of_games",
]
