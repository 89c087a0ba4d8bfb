"""Parameters, and commands of gomill."""

from __future__ import annotations

from contextlib import suppress

from pinchtp import __version__
from pinchtp.base.option_types import Bool
from pinchtp.base.options import NONE, Option
from pinchtp.gtp import GtpError, arguments
from pinchtp.gtp.commands import command
from pinchtp.gtp.engine import NO_VISITS, GtpEngine
from pinchtp.gtp.time import cputime
from pinchtp.player.settings import OPTIONS, find

LIST = "list"
GOGUI_SWITCH = {"true": "1", "false": "0"}
NEEDS_NEW_TREE = ("seed", "memory")  # an existing tree keeps the old value
KATA = {option.kata: option for option in OPTIONS.values() if option.kata}

UNLIMITED = {"maxTime": "1e20", "maxVisits": str(2**50)}  # KataGo's defaults, its lack of a limit

UNKNOWN = "`unknown parameter ...`: unknown name"
REFUSED = f"{UNKNOWN}; `NAME: ...`: invalid value, or settable only at startup"


@command(
    "pinchtp-param",
    arguments.word("name").optional(),
    arguments.rest("value").optional(),
    answer="without arguments, a line `[type] name value` per settable parameter, "
    "switches as `1` or `0`, for GoGui; `list`: all parameters with default, values and meaning; a "
    "name: its value; a name and a value: empty",
    fails=REFUSED,
    effect="with a value, sets the parameter for the following commands",
    analyze=("param/Parameters/pinchtp-param",),
)
def param(engine: GtpEngine, name: str | None, value: str | None) -> str:
    """Lists, returns or sets parameters; GoGui shows them as a dialog."""
    if name is None:
        return "\n".join(
            _gogui_line(each, _text(engine, each.name))
            for each in OPTIONS.values()
            if not each.at_start
        )
    if name == LIST and value is None:
        return "\n".join(_describe(engine, each) for each in OPTIONS.values())
    option = _find(name)
    if value is None:
        return _text(engine, name)
    return _set(engine, option, _from_gogui(option, value), name)


@command(
    "kata-list-params",
    answer=f"KataGo's names of parameters, in one line: `{' '.join(KATA)}`",
)
def kata_list_params(engine: GtpEngine) -> str:
    """Lists parameters by KataGo's names."""
    return " ".join(KATA)


@command(
    "kata-get-param",
    arguments.word("name"),
    answer=f"the value; for `none` KataGo's numbers: {', '.join(map(' '.join, UNLIMITED.items()))}",
    fails=UNKNOWN,
)
def kata_get_param(engine: GtpEngine, name: str) -> str:
    """Returns a parameter by KataGo's name."""
    text = engine.settings.text(_find_for_kata(name).name)
    return UNLIMITED.get(name, text) if text == NONE else text


@command(
    "kata-set-param",
    arguments.word("name"),
    arguments.rest("value"),
    fails=REFUSED,
    effect="as pinchtp-param; the numbers of kata-get-param and larger ones are `none`",
)
def kata_set_param(engine: GtpEngine, name: str, value: str) -> str:
    """Sets a parameter by KataGo's name."""
    option = _find_for_kata(name)
    with suppress(ValueError):
        if name in UNLIMITED and float(value) >= float(UNLIMITED[name]):
            value = NONE
    return _set(engine, option, value, name)


@command("gomill-cpu_time", answer="as cputime")
def gomill_cpu_time(engine: GtpEngine) -> str:
    """Returns the CPU time of the program."""
    return cputime(engine)


@command("gomill-describe_engine", answer="name and version, then all parameters")
def gomill_describe_engine(engine: GtpEngine) -> str:
    """Describes the engine for a match report."""
    set_up = " ".join(f"{name}={_text(engine, name)}" for name in OPTIONS)
    return f"pinchtp {__version__}\n{set_up}"


@command(
    "gomill-explain_last_move",
    answer="winrate or proven result, visits and principal variation of the last move that has "
    "them, also of a loaded game; `no visits` if its search was stopped before the first; empty "
    "without such a move, and after a pass that follows the end",
)
def gomill_explain_last_move(engine: GtpEngine) -> str:
    """Returns the evaluation of the last move that the engine chose."""
    from pinchtp.records.sgf.nodes import default_comment  # noqa: PLC0415  (start-up time)

    session = engine.session
    for turn in reversed(session.turns()):
        if turn.after_end:
            break
        if turn.winrate is not None or turn.comment == NO_VISITS:
            move = " ".join(session.texts(turn))
            return f"{move}: {turn.comment or default_comment(turn)}"
    return ""


def _text(engine: GtpEngine, name: str) -> str:
    """Returns the value of a parameter; the game and the size are the current ones."""
    session = engine.session
    start = session.start
    current = {"game": session.game.name, "size": (start.width, start.height)}
    return find(name).format(current[name]) if name in current else engine.settings.text(name)


def _find(name: str) -> Option:
    """Returns the option of that name. Raises GtpError."""
    try:
        return find(name)
    except ValueError as error:
        raise GtpError(str(error)) from None


def _find_for_kata(name: str) -> Option:
    """Returns the option that has this name in KataGo. Raises GtpError."""
    if name not in KATA:
        raise GtpError(f"unknown parameter {name!r}: expected {', '.join(KATA)}")
    return KATA[name]


def _set(engine: GtpEngine, option: Option, value: str, name: str) -> str:
    """Sets an option. name: its name in the command. Raises GtpError."""
    if option.at_start:
        raise GtpError(f"{name}: can be set only at startup, on the command line")
    before = engine.settings.text(option.name)
    try:
        engine.settings.set(option.name, value)
    except ValueError as error:
        raise GtpError(f"{name}: {error}") from None
    if option.name in NEEDS_NEW_TREE and engine.settings.text(option.name) != before:
        engine.player.forget()
    return ""


def _gogui_line(option: Option, value: str) -> str:
    if isinstance(option.type, Bool):
        return f"[bool] {option.name} {GOGUI_SWITCH[value]}"
    words = option.type.words
    return f"[{'list/' + '/'.join(words) if words else 'string'}] {option.name} {value}"


def _from_gogui(option: Option, value: str) -> str:
    """Returns the text of a value from GoGui's dialog: switches are 1 or 0, empty fields \"\"."""
    if value == '""':
        return NONE
    if isinstance(option.type, Bool):
        return {sent: word for word, sent in GOGUI_SWITCH.items()}.get(value, value)
    return value


def _describe(engine: GtpEngine, option: Option) -> str:
    default = option.format(option.default)
    value = _text(engine, option.name)
    return (
        f"{option.name} {value} (default {default}; {option.type.expected}): {option.description}"
    )
