"""Queries: their fields, checks and positions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct, field

from pinchtp.engine.restriction import RestrictionError, read_steps, restrict
from pinchtp.games import GAMES, MAX_SIZE, Color, GameType, find_game
from pinchtp.games.game import place_stones
from pinchtp.games.session import IncompleteTurn, Session

Visits = Annotated[int, Meta(ge=1, le=2**31)]
Seconds = Annotated[float, Meta(gt=0, le=1e9)]
Side = Annotated[int, Meta(ge=1, le=MAX_SIZE)]
PERSPECTIVES = {  # None: the side to move; KataGo ignores the case, and takes the letters too
    "BLACK": Color.BLACK,
    "B": Color.BLACK,
    "WHITE": Color.WHITE,
    "W": Color.WHITE,
    "SIDETOMOVE": None,
}

# Settings of KataGo that have no counterpart here; clients send some of them with every query.
IGNORED_SETTINGS = (
    "antiMirror",
    "humanSLProfile",
    "ignorePreRootHistory",
    "playoutDoublingAdvantage",
    "rootFpuReductionMax",
    "rootNumSymmetriesToSample",
    "rootPolicyTemperature",
    "wideRootNoise",
)
SETTINGS = ("maxVisits", "maxTime", "reportAnalysisWinratesAs")


# Options of Go's rules in KataGo.
GO_RULES = (
    *("friendlyPassOk", "hasButton", "ko", "koRule", "komi", "multiStoneSuicideLegal", "scoring"),
    *("scoringRule", "suicide", "tax", "taxRule", "whiteBonusPerHandicapStone"),
    "whiteHandicapBonus",
)


class QueryError(ValueError):
    """An invalid query. field: the name of the invalid field."""

    def __init__(self, text: str, field: str) -> None:
        super().__init__(text)
        self.field = field


class Restriction(Struct, rename="camel"):
    """Moves of a player to avoid, or the only moves to consider, up to a depth in moves."""

    player: str
    moves: list[str]
    until_depth: int


class Query(Struct, rename="camel"):
    """The fields of a query, most with KataGo's names.

    game, rules: our fields; rules that are not an object are those of Go, and ignored. moves:
    players and moves; a multi-step move is one entry, or one entry per step. analyze_turns: turns,
    counted in entries of `moves`. komi and the last fields are accepted without effect, because
    clients send them.
    """

    id: str
    moves: list[tuple[str, str]] = []
    game: str = ""
    rules: str | dict[str, Any] = ""
    initial_stones: list[tuple[str, str]] = []
    initial_player: str = ""
    board_x_size: Side | None = None
    board_y_size: Side | None = None
    analyze_turns: list[int] | None = None
    max_visits: Visits | None = None
    max_time: Seconds | None = None
    priority: int = 0
    priorities: list[int] | None = None
    include_ownership: bool = False
    include_policy: bool = False
    include_pv_visits: bool = field(default=False, name="includePVVisits")
    avoid_moves: list[Restriction] = []
    allow_moves: list[Restriction] = []
    report_during_search_every: Seconds | None = None
    first_report_during_search_after: Seconds | None = None
    override_settings: dict[str, Any] = {}
    komi: float = 0
    white_handicap_bonus: str | int = 0
    analysis_pv_len: Visits | None = field(default=None, name="analysisPVLen")
    include_moves_ownership: bool = False
    include_ownership_stdev: bool = False
    include_moves_ownership_stdev: bool = False
    include_no_result_value: bool = False
    root_fpu_reduction_max: float = 0
    root_policy_temperature: float = 1

    @property
    def perspective(self) -> Color | None:
        """The color whose winrates are reported; None: the side to move."""
        return PERSPECTIVES[_perspective_name(self)]


NAMES = frozenset(each.encode_name for each in msgspec.structs.fields(Query))


def read_query(raw: dict[str, Any], game: str) -> Query:
    """Returns a checked query, with its settings applied. Raises QueryError.

    game: for queries that do not name one.
    """
    known = {name: value for name, value in raw.items() if name in NAMES}
    try:
        query = msgspec.convert(known, Query)
    except msgspec.ValidationError as error:
        text, _, path = str(error).partition(" - at `$.")
        name = re.match(r"\w+", path)
        raise QueryError(text, name[0] if name else "id") from None
    query.game = query.game or game
    try:
        find_game(query.game)
    except ValueError as error:
        raise QueryError(str(error), "game") from None
    _apply_settings(query)
    if query.analyze_turns is None:
        query.analyze_turns = [len(query.moves)]
    if not query.analyze_turns:
        raise QueryError("give at least one turn, or leave it out", "analyzeTurns")
    for turn in query.analyze_turns:
        if not 0 <= turn <= len(query.moves):
            text = f"turn {turn}: the query has {len(query.moves)} moves"
            raise QueryError(text, "analyzeTurns")
    if query.priorities is not None and len(query.priorities) != len(query.analyze_turns):
        raise QueryError("give one priority for each of analyzeTurns", "priorities")
    _check_restrictions(query)
    asked = set(query.analyze_turns)
    for turn, session in enumerate(sessions(query)):  # checks the moves
        if turn in asked and not session.is_over:
            read_allowed_moves(query, session)
    return query


def unused_restrictions(query: Query) -> Iterator[str]:
    """Yields the fields of restrictions without effect, because their player is never to move."""
    players = {
        "avoidMoves": [each.player for each in query.avoid_moves],
        "allowMoves": [each.player for each in query.allow_moves],
    }
    if not any(players.values()):
        return
    turns = query.analyze_turns or ()
    to_move = {session.to_move for turn, session in enumerate(sessions(query)) if turn in turns}
    for name, words in players.items():
        if words and not to_move & {_color(word, name) for word in words}:
            yield name


def unknown_settings(query: Query) -> Iterator[str]:
    """Yields a warning for each setting that is ignored because it is unknown."""
    for name in query.override_settings:
        if name not in (*SETTINGS, *IGNORED_SETTINGS):
            yield f"unknown setting {name!r}: expected {', '.join(SETTINGS)}"


def _check_restrictions(query: Query) -> None:
    """Raises QueryError for a restriction that is invalid in every position."""
    for restrictions, name in (
        (query.avoid_moves, "avoidMoves"),
        (query.allow_moves, "allowMoves"),
    ):
        for restriction in restrictions:
            _color(restriction.player, name)
            if restriction.until_depth != 1:
                raise QueryError("only untilDepth 1, the next move, can be restricted", name)
            if not restriction.moves:
                raise QueryError("give at least one move", name)


def _apply_settings(query: Query) -> None:
    """Checks the settings, and copies those that have a field into it. Raises QueryError."""
    settings = query.override_settings
    try:
        if "maxVisits" in settings:
            query.max_visits = msgspec.convert(settings["maxVisits"], Visits)
        if "maxTime" in settings:
            query.max_time = msgspec.convert(settings["maxTime"], Seconds)
    except msgspec.ValidationError as error:
        raise QueryError(f"maxVisits, maxTime: {error}", "overrideSettings") from None
    if _perspective_name(query) not in PERSPECTIVES:
        text = "reportAnalysisWinratesAs: give one of BLACK, WHITE, SIDETOMOVE"
        raise QueryError(text, "overrideSettings")


def _perspective_name(query: Query) -> str:
    return str(query.override_settings.get("reportAnalysisWinratesAs", "BLACK")).upper()


def sessions(query: Query) -> Iterator[Session]:
    """Yields the game before the first move and after each; always the same session.

    Raises QueryError.
    """
    session = _start(query)
    yield session
    for number, (player, move) in enumerate(query.moves, 1):
        color = _color(player, "moves")
        try:
            moves = session.parse(move)
            try:
                session.play(color, *moves)
            except IncompleteTurn:  # some of its steps
                for step in moves:
                    session.play(color, step)
        except ValueError as error:
            raise QueryError(f"Illegal move {number}: {player} {move}: {error}", "moves") from None
        yield session


class QueryGame:
    """The game of a query, played once for all of its turns."""

    def __init__(self, query: Query) -> None:
        self._query = query

    def at(self, turn: int) -> Session:
        """Returns the game after that many moves."""
        game, lengths = self._played
        return Session.at(game.game, game.start, game.history[: lengths[turn]])

    @cached_property
    def _played(self) -> tuple[Session, list[int]]:
        """The game, and the length of its history after each move."""
        lengths = []
        for session in sessions(self._query):
            lengths.append(len(session.history))
        return session, lengths


def read_allowed_moves(query: Query, session: Session) -> list[int]:
    """Returns the moves to consider in a position; empty: all. Raises QueryError."""
    if not (query.avoid_moves or query.allow_moves):
        return []
    allowed = _read_steps(session, query.allow_moves, "allowMoves")
    avoided = _read_steps(session, query.avoid_moves, "avoidMoves")
    try:
        return restrict(session, allowed, avoided or ())
    except RestrictionError as error:
        raise QueryError(str(error), "avoidMoves" if allowed is None else "allowMoves") from None


def _read_steps(
    session: Session, restrictions: Iterable[Restriction], name: str
) -> set[int] | None:
    """Returns the moves in the restrictions of the side to move; None without restriction.

    name: the field of the query. Raises QueryError.
    """
    texts = [
        text
        for restriction in restrictions
        if _color(restriction.player, name) == session.to_move
        for text in restriction.moves
    ]
    try:
        return read_steps(session, texts) if texts else None
    except ValueError as error:
        raise QueryError(str(error), name) from None


def _start(query: Query) -> Session:
    """Returns the game before the moves. Raises QueryError."""
    game = GAMES[query.game]
    width = query.board_x_size or game.size[0]
    height = query.board_y_size or game.size[1]
    rules = query.rules if isinstance(query.rules, dict) else {}
    try:
        options = game.rules({name: rules[name] for name in rules if name not in GO_RULES})
    except ValueError as error:
        raise QueryError(str(error), "rules") from None
    try:
        session = Session(game, width, height, **options)
    except ValueError as error:
        raise QueryError(str(error), "boardXSize") from None
    if query.initial_stones or query.initial_player:
        _set_up(session, query, game)
    return session


def _set_up(session: Session, query: Query, game: GameType) -> None:
    first = query.initial_player
    to_move = _color(first, "initialPlayer") if first else game.first
    if not query.initial_stones and to_move == session.to_move:
        return
    stones = [(_color(player, "initialStones"), text) for player, text in query.initial_stones]
    try:
        cells = place_stones(session.start, stones) if stones else session.start.cells()
        session.set_up(session.position_of(cells, to_move))
    except ValueError as error:
        raise QueryError(str(error), "initialStones") from None


def _color(word: str, name: str) -> Color:
    try:
        return Color.read(word)
    except ValueError as error:
        raise QueryError(str(error), name) from None
