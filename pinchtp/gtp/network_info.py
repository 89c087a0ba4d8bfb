"""Networks, rules and the search tree, as KataGo's clients ask."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from pinchtp._core import PASS, SWAP, Network
from pinchtp.games.notation import points_from_top
from pinchtp.games.winrate import Winrate
from pinchtp.gtp import GtpError, arguments
from pinchtp.gtp.commands import command
from pinchtp.gtp.engine import GtpEngine
from pinchtp.player.network import describe_networks

ALL = "all"  # symmetries
ILLEGAL = "NAN"  # the prior of an illegal move, as in KataGo


@command("clear_cache", effect="the search tree is dropped")
def clear_cache(engine: GtpEngine) -> None:
    """Forgets the search."""
    engine.player.forget()


@command("kata-get-rules", answer='JSON: the game and its options, `{"game": "pinch", ...}`')
def kata_get_rules(engine: GtpEngine) -> str:
    """Returns the rules."""
    session = engine.session
    return json.dumps({"game": session.game.name, **session.game.rules_of(session.start)})


@command(
    "kata-get-models",
    answer='JSON: a list of `{"name": FILE, "game": GAME}`; empty in Bushka and with playouts',
)
def kata_get_models(engine: GtpEngine) -> str:
    """Lists the networks of the game: of small boards and of larger ones, or a file's."""
    networks = describe_networks(engine.settings.network)
    game = engine.session.game.name
    return json.dumps([network for network in networks if network["game"] == game])


@command(
    "kata-raw-nn",
    arguments.word("symmetry"),
    answer="for a symmetry from 0, or for `all`: lines `symmetry`, `whiteWin`, `whiteLoss`, "
    "`policy` with a grid from the top, `policyPass` (or swap; NAN: illegal), `whiteOwnership` "
    "with a grid from -1 to 1",
    fails="`syntax error`: not a symmetry; `no network`; `the game is over`",
)
def kata_raw_nn(engine: GtpEngine, symmetry: str) -> str:
    """Evaluates the position by the network, without a search."""
    session = engine.session
    position = engine.session.position
    numbers = [str(each) for each in range(position.symmetries)]
    if symmetry not in (ALL, *numbers):
        raise GtpError("syntax error", f"give 0 to {numbers[-1]}, or {ALL}")
    if session.is_over:
        raise GtpError("the game is over")
    network = engine.player.network(position)
    if network is None:
        raise GtpError("no network", "playouts or scores evaluate this game")
    asked = numbers if symmetry == ALL else [symmetry]
    return "\n".join(line for each in asked for line in _evaluation(engine, network, int(each)))


def _evaluation(engine: GtpEngine, network: Network, symmetry: int) -> list[str]:
    position = engine.session.position
    winrate, priors, owners = position.evaluate(network, symmetry)
    chance = Winrate(winrate, engine.session.to_move)
    moves = zip(position.legal_moves(), priors, strict=True)
    shown = {move: f"{prior:.6f}" for move, prior in moves}
    width = position.width
    points = points_from_top(position.width, position.height)
    sign = -engine.session.to_move.sign  # White's
    owned = [f"{sign * (2 * each - 1):.6f}" for row in reversed(owners) for each in row]
    return [
        f"symmetry {symmetry}",
        f"whiteWin {chance.white():.6f}",
        f"whiteLoss {chance.black():.6f}",
        "policy",
        *_grid([shown.get(point, ILLEGAL) for point in points], width),
        f"policyPass {shown.get(SWAP, shown.get(PASS, ILLEGAL))}",
        "whiteOwnership",
        *_grid(owned, width),
    ]


def _grid(texts: Sequence[str], width: int) -> Iterable[str]:
    """Returns the rows of a board."""
    return (" ".join(texts[at : at + width]) for at in range(0, len(texts), width))
