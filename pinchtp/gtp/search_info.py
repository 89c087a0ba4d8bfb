"""Search results, shown on the board."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps

from pinchtp._core import Report
from pinchtp.games import PIE, Color
from pinchtp.games.game import NO_CELL, PIECES, color_of
from pinchtp.games.notation import format_move, is_point, point_of
from pinchtp.games.session import Session
from pinchtp.games.symmetry import KEEP_SIDES, image, maps_to_itself
from pinchtp.games.winrate import Winrate
from pinchtp.gtp import GtpError, arguments
from pinchtp.gtp.commands import command
from pinchtp.gtp.engine import GtpEngine, variation
from pinchtp.player.levels import normalized_priors
from pinchtp.player.player import Limits, Player

MAP = "GoGui graphics: a color and a label per point"
KNOWN = "; of the search so far, or of a new one as long as for a move"
NO_MOVES = "; empty after the end"

# Visits of each opening of a swap map; they take some 15 ms. The standard error is about 1 %.
SWAP_MAP_VISITS = 2000
SWAP_MAP_MOST = 10_000_000


def _empty_when_over(handler: Callable[[GtpEngine], str]) -> Callable[[GtpEngine], str]:
    """Returns a handler whose response is empty after the end of the game."""

    @wraps(handler)
    def answer(engine: GtpEngine) -> str:
        return "" if engine.session.is_over else handler(engine)

    return answer


@command(
    "pinchtp-best_line",
    answer="colors and moves, such as `b D4 w E5`" + KNOWN + NO_MOVES,
    analyze=("var/Best Line/pinchtp-best_line",),
)
@_empty_when_over
def best_line(engine: GtpEngine) -> str:
    """Shows the principal variation."""
    return variation(engine.session, _report(engine))


@command(
    "pinchtp-visits",
    answer=MAP + KNOWN + NO_MOVES,
    analyze=("gfx/Visits/pinchtp-visits",),
)
@_empty_when_over
def visits(engine: GtpEngine) -> str:
    """Shows the visits of each move."""
    counts = {choice.move: choice.visits for choice in _report(engine).choices if choice.visits}
    most = max(counts.values(), default=1)
    shares = {move: (count / most) ** 0.5 for move, count in counts.items()}
    return _heat_map(shares, {move: _short(count) for move, count in counts.items()})


@command(
    "pinchtp-winrates",
    answer=MAP + ", in percent for the side to move" + KNOWN + NO_MOVES,
    analyze=("gfx/Winrates/pinchtp-winrates",),
)
@_empty_when_over
def winrates(engine: GtpEngine) -> str:
    """Shows the winrate of each move that was visited or is proven."""
    rates = {
        choice.move: choice.winrate
        for choice in _report(engine).choices
        if choice.winrate is not None
    }
    return _heat_map(rates, {move: f"{100 * rate:.0f}" for move, rate in rates.items()})


@command(
    "pinchtp-priors",
    answer=MAP + ", in tenths of a percent" + KNOWN + NO_MOVES,
    analyze=("gfx/Priors/pinchtp-priors",),
)
@_empty_when_over
def priors(engine: GtpEngine) -> str:
    """Shows the prior of each move: the network's, or its all-moves-as-first share."""
    shares = normalized_priors(_report(engine).choices)
    most = max(shares.values())
    scaled = {move: share / most for move, share in shares.items()}
    return _heat_map(scaled, {move: f"{1000 * share:.0f}" for move, share in shares.items()})


@command(
    "pinchtp-ownership",
    answer=MAP + ", in percent for Black; points can stay empty" + KNOWN + "; 0, 50 or "
    "100 after the end",
    analyze=("gfx/Ownership/pinchtp-ownership",),
)
def ownership(engine: GtpEngine) -> str:
    """Shows the chance that each point is black at the end."""
    shares = _ownership(engine)
    return _heat_map(shares, {move: f"{100 * share:.0f}" for move, share in shares.items()})


@command(
    "pinchtp-connection",
    answer="`black P white Q`, which add up to 1; empty if the search was stopped "
    "before its first visit" + KNOWN + "; 1 for the winner after the end",
    analyze=("string/Winning Chances/pinchtp-connection",),
)
def connection(engine: GtpEngine) -> str:
    """Returns the winrate of each player."""
    if engine.session.is_over:
        return _both(Winrate.of_result(engine.session.winner, engine.session.to_move))
    winrate = _report(engine).winrate
    return "" if winrate is None else _both(Winrate(winrate, engine.session.to_move))


def _both(winrate: Winrate) -> str:
    """Returns the winrates of both colors as text."""
    return f"black {winrate.black():.3f} white {winrate.white():.3f}"


@command(
    "pinchtp-swap_map",
    arguments.integer("visits").optional(),
    answer=MAP + f": Black's winrate in percent after each first stone without a swap, with "
    f"that many visits each (default: {SWAP_MAP_VISITS}); swap those in warm colors",
    fails=f"`syntax error`: visits outside 1..{SWAP_MAP_MOST}",
    analyze=("gfx/Swap Map/pinchtp-swap_map",),
    available_in=lambda game: game.swaps,
)
def swap_map(engine: GtpEngine, visits: int | None) -> str:
    """Shows which first stones of an empty board to swap."""
    visits = SWAP_MAP_VISITS if visits is None else visits
    if not 1 <= visits <= SWAP_MAP_MOST:
        raise GtpError("syntax error", f"give 1 to {SWAP_MAP_MOST} visits")
    rates = opening_winrates(engine, visits)
    return _heat_map(rates, {move: f"{100 * rate:.0f}" for move, rate in rates.items()})


def opening_winrates(engine: GtpEngine, visits: int) -> dict[int, float]:
    """Returns Black's winrate after each first stone; symmetric stones have the same winrate.

    Stones without a result after an interrupt are omitted.
    """
    now = engine.session
    options = now.options | {PIE.name: False}
    session = Session(now.game, now.start.width, now.start.height, **options)
    engine.player.forget()  # two trees would take twice the allowed memory
    player = Player(engine.settings)
    rates: dict[int, float] = {}
    symmetries = [symmetry for symmetry in KEEP_SIDES if maps_to_itself(symmetry, session.start)]
    stones = [move for move in session.position.legal_moves() if is_point(move)]
    for move in stones:
        images = {move, *(image(symmetry, session.start, move) for symmetry in symmetries)}
        if rates.keys() & images:
            continue
        session.play(Color.BLACK, move)
        winrate = _winrate_after(engine, player, session, visits)
        if winrate is not None:
            rates |= dict.fromkeys(images, winrate.black())
        session.undo()
    return {move: rates[move] for move in stones if move in rates}


def _winrate_after(
    engine: GtpEngine, player: Player, session: Session, visits: int
) -> Winrate | None:
    """Returns the winrate after a first stone, which may have ended the game.

    None if an interrupt ended the search before its first visit.
    """
    if session.is_over:
        return Winrate.of_result(session.winner, session.to_move)
    limits = Limits(visits=visits, should_stop=engine.attention.is_interrupted)
    winrate = player.search(session, limits).winrate
    return Winrate.if_known(winrate, session.to_move)


def _ownership(engine: GtpEngine) -> dict[int, float]:
    """Returns the probability that each point is black at the end, in [0, 1].

    After the end of the game it is 0, 1 or, for an empty point, 1/2.
    """
    position = engine.session.position
    cells = {point_of(at, position.width): cell for at, cell in enumerate(position.cells())}
    if engine.session.is_over:
        final = {cell: float(color_of(cell) == Color.BLACK) for cell in PIECES}
        return {at: final.get(cell, 0.5) for at, cell in cells.items() if cell != NO_CELL}
    _report(engine)
    values = engine.player.ownership(engine.session)
    return {at: (values[at] + 1) / 2 for at, cell in cells.items() if cell != NO_CELL}


def _report(engine: GtpEngine) -> Report:
    """Returns the report on the position, after a new search if it has no visits."""
    report = engine.player.search(engine.session, Limits(visits=0))
    if any(choice.visits for choice in report.choices):
        return report
    return engine.full_search()


def _heat_map(shares: Mapping[int, float], labels: Mapping[int, str]) -> str:
    """Returns GoGui graphics of shares, from cold (0) to warm (1), with labels.

    Moves that are not points are omitted.
    """
    lines = []
    for move, share in shares.items():
        if is_point(move):
            name = format_move(move)
            lines += [f"COLOR {_warmth(share)} {name}", f"LABEL {name} {labels[move]}"]
    return "\n".join(lines)


def _warmth(share: float) -> str:
    """Returns a color from blue (0) over white to red (1), light enough for a label."""
    share = min(max(share, 0.0), 1.0)
    fade = round(255 - 150 * abs(2 * share - 1))
    red, blue = (255, fade) if share > 0.5 else (fade, 255)
    return f"#{red:02x}{fade:02x}{blue:02x}"


def _short(count: int) -> str:
    """Returns a count in at most four characters: 950, 12k, 3M."""
    if count < 1000:
        return str(count)
    return f"{count // 1000}k" if count < 1_000_000 else f"{count // 1_000_000}M"
