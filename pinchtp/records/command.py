"""The command line of `pinchtp convert`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pinchtp.base.command_line import Parser, arg_type
from pinchtp.base.files import input_name, is_same_file, read_input, replace_file
from pinchtp.base.option_types import PATH, OneOf
from pinchtp.base.process import ExitStatus
from pinchtp.base.streams import STDOUT, warn, write
from pinchtp.base.text import printable
from pinchtp.games.history import NO_EXTRAS
from pinchtp.games.session import NO_LIMIT, Session
from pinchtp.records.abstract_play import join, pack, read_days, to_record
from pinchtp.records.errors import RecordError
from pinchtp.records.game import RecordFormat
from pinchtp.records.options import add_usual, read_usual
from pinchtp.records.reader import read
from pinchtp.records.sgf import to_sgf

GIF = "gif"
ENDINGS = {".sgf": RecordFormat.SGF, ".json": RecordFormat.ABSTRACT_PLAY, ".gif": GIF}
FORMATS = (RecordFormat.SGF.value, RecordFormat.ABSTRACT_PLAY.value, GIF)  # formats of the output
RANKS = {"BR", "WR"}  # SGF's properties
FILE_PROPERTIES = {"AP", "ST"}  # properties that say nothing about the game
SHOWN = 3  # numbers of games in a message
MOST_INPUT_BYTES = 1 << 28  # of the input; a list of 20,000 games has a tenth of that

DESCRIPTION = """\
Converts game records from SGF to Abstract Play's JSON and back, or one game to an animated GIF. The
input may contain several games, like the lists that Abstract Play publishes. Every move is checked
by the rules; games that cannot be converted are left out and reported on standard error."""

EPILOG = """\
examples:
  pinchtp convert game.json -o game.sgf
  pinchtp convert game.sgf > game.json
  pinchtp convert pinch.json -o all.sgf    a list becomes one file of several games
  pinchtp convert game.sgf -o game.gif     an animation of the game
  pinchtp convert moves.txt --game pinch --size 9    moves such as e5 swap c3

exit status:
  0    everything was converted
  1    a game was left out, or the file could not be written
  2    invalid command line, or the input is not a game record
  130  Ctrl-C
"""


def main(arguments: list[str]) -> int:
    """Runs the command; returns the exit status."""
    parser = make_parser()
    options = parser.parse_args(arguments)
    parser.check_output("--output", options.output)
    name = input_name(options.file)
    usual = read_usual(parser, options)
    try:
        data = read_input(options.file, MOST_INPUT_BYTES)
        games = read(data, usual)
    except OSError as error:
        parser.error(printable(f"{name}: {error.strerror}"))
    except RecordError as error:
        parser.error(printable(f"{name}: {error}"))
    target = options.to or _usual_target(games[0].format, options.output)
    if target == GIF:
        _check_picture(parser, len(games))
    texts: list[bytes] = []  # not sessions: those of 20,000 games take 2.5 GB
    # Numbers of games, by the reason why they are not converted, and by what is left out of them.
    refusals: dict[str, list[int]] = {}
    losses: dict[str, list[int]] = {}
    has_refused = False  # a game that the format of the output cannot represent
    for number, game in enumerate(games, 1):
        session: Session | None = None
        try:
            session = game.read().session()
            texts.append(_convert(session, target))
            if target == RecordFormat.ABSTRACT_PLAY and (lost := _list_lost(session)):
                losses.setdefault(", ".join(lost), []).append(number)
        except RecordError as error:
            has_refused |= session is not None
            refusals.setdefault(printable(str(error)), []).append(number)
    _warn_of(name, losses, "left out, since Abstract Play records cannot contain them: ")
    _warn_of(name, refusals)
    if has_refused and target == RecordFormat.ABSTRACT_PLAY and not options.to:
        warn(f"pinchtp convert: {name}: use --to sgf for games that have no Abstract Play record")
    is_complete = not refusals
    is_same = options.output is not None and is_same_file(options.output, Path(options.file))
    if is_same and (refusals or losses):
        warn(f"pinchtp convert: {name}: not replaced, since it is the input; give another output")
        is_complete = False
    elif texts:
        is_complete &= _output(_join(texts, target), options.output)
    return ExitStatus.SUCCESS if is_complete else ExitStatus.FAILURE


def make_parser() -> Parser:
    parser = Parser(prog="pinchtp convert", description=DESCRIPTION, epilog=EPILOG)
    add = parser.add_argument
    add("file", metavar="FILE", help="game record (-: standard input)")
    add(
        "-o",
        "--output",
        type=arg_type(PATH),
        metavar="FILE",
        help="output file (default: standard output)",
    )
    add(
        "--to",
        type=arg_type(OneOf(FORMATS)),
        metavar="|".join(FORMATS),
        help="output format (default: by the extension of -o, otherwise the other record format)",
    )
    add_usual(parser)
    return parser


def _warn_of(name: str, games: Mapping[str, Sequence[int]], start: str = "") -> None:
    """Prints each text, after a start, with the numbers of its games: the first few and a count."""
    for text, numbers in games.items():
        first = ", ".join(map(str, numbers[:SHOWN]))
        more = f" and {len(numbers) - SHOWN} more" if len(numbers) > SHOWN else ""
        noun = "game" if len(numbers) == 1 else "games"
        warn(f"pinchtp convert: {name}: {noun} {first}{more}: {start}{text}")


def _usual_target(source: str, output: Path | None) -> str:
    """Returns the output format if none is given. source: the format of the input."""
    ending = "" if output is None else output.suffix.lower()
    other = RecordFormat.ABSTRACT_PLAY if source == RecordFormat.SGF else RecordFormat.SGF
    return ENDINGS.get(ending, other)


def _check_picture(parser: Parser, games: int) -> None:
    """Exits with an error if the input has several games or Pillow is not installed."""
    if games > 1:
        parser.error(f"a GIF shows one game, but the input has {games}")
    try:
        import PIL  # noqa: F401, PLC0415
    except ImportError:
        parser.error("Pillow is not installed: pip install 'pinchtp[board]'")


def _convert(session: Session, target: str) -> bytes:
    """Returns a game in a format. Raises RecordError if the format cannot represent it."""
    if target == GIF:
        from pinchtp.render.gif import game_gif  # noqa: PLC0415  (Pillow is optional)

        try:
            return game_gif(session)
        except ValueError as error:
            raise RecordError(str(error)) from None
    if target == RecordFormat.SGF:
        return to_sgf(session).encode()
    return pack(to_record(session))


def _join(games: list[bytes], target: str) -> bytes:
    """Returns converted games as one file."""
    if target == GIF:
        return games[0]
    return (b"\n".join(games) if target == RecordFormat.SGF else join(games)) + b"\n"


def _list_lost(session: Session) -> list[str]:
    """Returns what a game has that Abstract Play's records cannot contain."""
    info = session.info
    history = session.history
    extras = [info.extras or NO_EXTRAS, *(entry.extras for entry in history)]
    properties = {
        name for each in extras for node in (each.properties, *each.nodes) for name, _ in node
    }
    kinds = {
        "comments": info.comment or any(entry.comment for entry in history),
        "variations": any(each.variations for each in extras),
        "times": info.control != NO_LIMIT or any(entry.left for entry in history),
        "winrates": any(entry.winrate is not None for entry in history),
        "ranks": RANKS & properties,
        "the date": info.date and not read_days(info.date),
        "other properties": properties - RANKS - FILE_PROPERTIES,
    }
    return [kind for kind, has_some in kinds.items() if has_some]


def _output(data: bytes, path: Path | None) -> bool:
    """Writes the result; returns whether that succeeded."""
    try:
        if path:
            replace_file(path, data)
        else:
            write(STDOUT, data)
    except BrokenPipeError:
        raise
    except OSError as error:
        warn(f"pinchtp convert: {path or 'standard output'}: {error.strerror}")
        return False
    return True
