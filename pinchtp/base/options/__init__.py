"""Options: each is declared once, as a field of a dataclass, and everything else derives from that.

To add an option, add one field where its owner declares them, and use its value:

    visits: int | None = option(
        Whole(1, 2**31), None, "simulations per move at the most", group=STRENGTH, metavar="N"
    )

From it derive the command line (`--visits`), the key of TOML files, what GTP commands list and set,
stored match plans, the Python API, help texts, and the tables of the documentation. Its owner is

- the engine: `Settings` in pinchtp/player/settings.py; then run `python tools/protocol.py`, which
  writes the option into protocol.md (a test fails until then);
- a match: `MatchPlan` in pinchtp/match/plan.py;
- one engine of a match: `EngineSpec` in pinchtp/match/engine_spec.py;
- the rules of a game: the game's entry in pinchtp/games/game.py (see `RuleOption`), from which
  engine and match take it.

A kind tells which values there are and how one is written as text; `kinds` has the usual ones, and
whoever needs another one declares it beside the option. Text stands in command lines, GTP and, if
the user likes, TOML; anywhere else values have their types, and JSON keeps them.

Validation is our own, as a kind's refusal has to say what would be right in the words that help
texts use, and as a server that a GUI starts should load no library for it (msgspec: 22 of 196 ms).
"""

from pinchtp.base.options.kinds import (
    FILE,
    NONE,
    SWITCH,
    Kind,
    Member,
    OneOf,
    Real,
    Several,
    Size,
    Switch,
    Whole,
    WordOrFile,
    plain_text,
)
from pinchtp.base.options.option import (
    Option,
    closest,
    declared_elsewhere,
    did_you_mean,
    hyphened,
    option,
    options_of,
)
from pinchtp.base.options.toml import read_toml

__all__ = [
    "FILE",
    "NONE",
    "SWITCH",
    "Kind",
    "Member",
    "OneOf",
    "Option",
    "Real",
    "Several",
    "Size",
    "Switch",
    "Whole",
    "WordOrFile",
    "closest",
    "declared_elsewhere",
    "did_you_mean",
    "hyphened",
    "option",
    "options_of",
    "plain_text",
    "read_toml",
]
