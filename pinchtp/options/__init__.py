"""The options of programs and matches: each is declared once, as a field of a dataclass.

To add an option, add one field where its owner declares them, and use its value:

    visits: int | None = option(
        Whole(1, 2**31), None, "simulations per move at the most", group=STRENGTH, metavar="N"
    )

From that line derive the command line (`--visits`), the key of TOML files, what GTP commands list
and set, stored match plans, the Python API, help texts, and the tables of the documentation.

- options of the engine: `Settings` in `pinchtp/settings.py`. Then run `python tools/protocol.py`,
  which writes them into protocol.md.
- options of a match: `MatchPlan` in `pinchtp/match/plan/plan.py`.

A kind tells which values there are and how one is written as text (see `kinds`); declare a new one
where it is used. Validation is our own: its refusals say what would be right, in the words that
help texts use, and a server that a GUI starts loads no library for it.
"""

from pinchtp.options.kinds import (
    FILE,
    NONE,
    SWITCH,
    Choice,
    Kind,
    Member,
    Real,
    Several,
    Size,
    Switch,
    Whole,
    plain_text,
)
from pinchtp.options.option import (
    Option,
    closest,
    declared_elsewhere,
    did_you_mean,
    hyphened,
    option,
    options_of,
)
from pinchtp.options.toml import read_toml

__all__ = [
    "FILE",
    "NONE",
    "SWITCH",
    "Choice",
    "Kind",
    "Member",
    "Option",
    "Real",
    "Several",
    "Size",
    "Switch",
    "Whole",
    "closest",
    "declared_elsewhere",
    "did_you_mean",
    "hyphened",
    "option",
    "options_of",
    "plain_text",
    "read_toml",
]
