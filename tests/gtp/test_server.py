"""The server: framing, what is refused in which words, and that a refusal changes nothing."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from clients import GAMES_BEFORE, after, ask, observed, refuse, say, server

from pinchtp import __version__, games
from pinchtp.gtp.arguments import Argument
from pinchtp.gtp.commands import COMMANDS, Command

ALL_COMMANDS = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())

# --- framing


def test_empty_response_has_a_space() -> None:
    assert str(server().answer("clear_board")) == "= \n\n"


@pytest.mark.parametrize("number", [0, 1, 42, 2**31 - 1])
def test_ids_are_echoed(number: int) -> None:
    engine = server()
    assert ask(engine, f"{number} komi 0") == f"={number} "
    assert ask(engine, f"{number} play b c3") == f"={number} "
    assert ask(engine, f"{number} play b c3") == f"?{number} illegal move"
    assert ask(engine, f"{number} frobnicate") == f"?{number} unknown command"
    assert ask(engine, f"{number} play") == f"?{number} syntax error"
    assert ask(engine, f"{number}") == f"?{number} syntax error"
    assert ask(engine, f"{number} quit") == f"={number} "


@pytest.mark.parametrize("line", ["", "\n", "\r\n", " \t ", "# name", "  # 7 quit", "\x00\x1b\r"])
def test_lines_without_a_command_get_no_answer(line: str) -> None:
    assert server().answer(line) is None


@pytest.mark.parametrize(
    "line",
    [
        "play b c3",
        "play B C3",
        "play black c3",
        "play BLACK C3",
        "  play   b   c3  ",
        "play\tb\tc3",
        "play b c3\r",
        "play b c3 # there",
        "pl\x07ay b c\x7f3",
        "play b c03",
    ],
)
def test_spellings_of_one_command(line: str) -> None:
    engine = server()
    assert ask(engine, line) == "= "
    assert ask(engine, "showboard") == ask(after("b c3"), "showboard")


def sample(argument: Argument) -> str:
    """Something that the argument's grammar takes."""
    for text in ["c3", "b", "1", "b c3", "interval 5", argument.name]:
        if argument.grammar().matches(text):
            return text
    raise NotImplementedError(f"no example of {argument.name}")


# --- what every controller asks first


def test_list_commands_and_known_command_agree() -> None:
    engine = server()
    everything = set()
    for game in games.GAMES.values():
        say(engine, f"pinchtp-game {game.name}")
        listed = say(engine, "list_commands").split("\n")
        known = [name for name in COMMANDS if say(engine, f"known_command {name}") == "true"]
        assert listed == known
        assert ("fixed_handicap" in listed) == game.handicap
        offered = say(engine, "gogui-analyze_commands")
        assert ("pinchtp-swap_map" in offered) == ("pinchtp-swap_map" in listed) == game.swaps
        everything |= set(listed)
    assert everything == COMMANDS.keys()
    assert ask(engine, "known_command frobnicate") == "= false"


def test_version_has_at_most_40_characters() -> None:
    """gogui-twogtp keeps 40 characters."""
    assert ask(server(), "version") == f"= {__version__}"
    assert len(__version__) <= 40


@pytest.mark.parametrize("komi", ["0", "0.0", "6.5", "-3.5", "1e3", "+7", "1000000000000"])
def test_any_komi_is_accepted(komi: str) -> None:
    """An error voids the game in gomill and stops Sabaki."""
    assert ask(server(), f"komi {komi}") == "= "


# --- refusals


REFUSALS = [
    ("start", "frobnicate", "unknown command"),
    ("start", "NAME", "unknown command"),
    ("start", "help frobnicate", "unknown command"),
    ("start", "boardsize 1", "unacceptable size"),
    ("start", "boardsize 26", "unacceptable size"),
    ("start", "boardsize 5 26", "unacceptable size"),
    ("start", "play b i5", "syntax error"),
    ("start", "play b c3,d4", "syntax error"),
    ("start", "play w c3", "illegal move"),
    ("start", "play b f1", "illegal move"),
    ("start", "play b pass", "illegal move"),
    ("start", "play b swap", "illegal move"),
    ("start", "undo", "cannot undo"),
    ("start", "final_score", "cannot score"),
    ("start", "swap", "cannot swap: a swap is possible only as the second move"),
    ("start", "genmove w", "it is black's turn"),
    ("start", "time_settings -1 0 0", "syntax error"),
    ("start", "time_settings 1e999 0 0", "syntax error"),
    ("start", "time_settings 60 10 2.5", "syntax error"),
    ("start", "time_left b 1e999 0", "syntax error"),
    ("start", "time_left b 10 -1", "syntax error"),
    ("start", "pinchtp-perft -1", "syntax error"),
    ("start", "pinchtp-solve -1", "syntax error"),
    ("start", "pinchtp-solve 1e7", "syntax error"),
    ("start", "play blac\N{KELVIN SIGN} c3", "syntax error"),
    ("start", "play b c\N{ARABIC-INDIC DIGIT THREE}", "syntax error"),
    ("start", "play b\N{NO-BREAK SPACE}c3", "syntax error"),
    ("start", "boardsize \N{ARABIC-INDIC DIGIT FIVE}", "syntax error"),
    (
        "start",
        "gogui-play_sequence b a1\N{IDEOGRAPHIC SPACE}w\N{EM SPACE}a2",
        "syntax error",
    ),
    ("start", "set_position b a1\N{NO-BREAK SPACE}w b1", "syntax error"),
    ("start", "kata-time_settings canadian 1 1 1e999", "syntax error"),
    (
        "start",
        "kata-time_settings canadian 60 1 0",
        "cannot set time: STONES must be at least 1; usage: kata-time_settings canadian MAIN TIME "
        "STONES",
    ),
    (
        "start",
        "kata-time_settings byoyomi 60 -30 0",
        "cannot set time: period must be a finite number, 0 or more, not -30.0; usage: "
        "kata-time_settings byoyomi MAIN TIME PERIODS",
    ),
    ("start", "lz-analyze minmoves 1e999", "syntax error"),
    ("start", "lz-analyze b 5 maxmoves 0", "syntax error"),
    ("start", "lz-analyze b 5 minmoves -1", "syntax error"),
    ("start", "komi 1e999", "syntax error"),
    ("one stone", "play w \N{LATIN SMALL LETTER LONG S}wap", "syntax error"),
    ("one stone", "play w pa\N{LATIN SMALL LETTER LONG S}s", "syntax error"),
    ("one stone", "play b d4", "illegal move"),  # out of turn
    ("one stone", "play b pass", "illegal move"),
    ("one stone", "play w c3", "illegal move"),  # occupied
    ("one stone", "gg-undo 2", "cannot undo"),
    ("swapped", "play w d4", "illegal move"),
    ("swapped", "gg-undo 3", "cannot undo"),
    ("middle", "play b e5", "illegal move"),
    ("middle", "play w swap", "illegal move"),
    ("middle", "swap", "cannot swap: a swap is possible only as the second move"),
    ("resigned", "play w d4", "illegal move"),
    ("resigned", "play w resign", "illegal move"),
    ("resigned", "swap", "cannot swap: the game is over"),
    ("resigned", "gg-undo 3", "cannot undo"),
    ("won", "play b b1", "illegal move"),
    ("won", "play w resign", "illegal move"),
    ("won", "gg-undo 10", "cannot undo"),
]


@pytest.mark.parametrize(("game", "line", "text"), REFUSALS)
def test_rejected_command_changes_nothing(game: str, line: str, text: str) -> None:
    refuse(after(GAMES_BEFORE[game]), line, text)


@pytest.mark.parametrize("moves", GAMES_BEFORE.values(), ids=GAMES_BEFORE)
def test_vertex_beyond_every_board_is_illegal(moves: str) -> None:
    """The codes of the last ones would be a pass or a swap."""
    engine = after(moves)
    for vertex in ("a26", "a32", "c33", "z99", "a33", "b33"):
        for color in "bw":
            refuse(engine, f"play {color} {vertex}", "illegal move")


def malformed(command: Command) -> Iterator[str]:
    """Lines with too few, too many, and with the wrong arguments."""
    samples = [sample(argument) for argument in command.arguments]
    for at, argument in enumerate(command.arguments):
        if not (argument.is_optional or argument.grammar().matches("")):
            yield " ".join([command.name, *samples[:at]])
    if any(argument.grammar().matches("any text") for argument in command.arguments):
        return  # a file's name, say, which may contain blanks and so all the rest
    yield " ".join([command.name, *samples, "surplus"])
    for at, argument in enumerate(command.arguments):
        if not argument.grammar().matches("no-such-thing"):
            yield " ".join([command.name, *samples[:at], "no-such-thing", *samples[at + 1 :]])


@ALL_COMMANDS
def test_wrong_arguments_are_a_syntax_error(command: Command) -> None:
    engine = after(GAMES_BEFORE["middle"])
    if not command.available_in(engine.engine.session.game):
        engine = server(game="capture-go")
        assert command.available_in(engine.engine.session.game)
    before = observed(engine)
    for line in malformed(command):
        answer = engine.answer(f"9 {line}")
        assert (line, str(answer)) == (line, "?9 syntax error\n\n")
        assert answer is not None
        assert not answer.ends
        assert observed(engine) == before


def test_error_response_names_the_reason() -> None:
    answer = server().answer("3 play w c3 # too early")
    assert answer is not None
    assert answer.reason == "3 play w c3: illegal move (it is black's turn)"


# --- internal errors


def broken(name: str, error: BaseException) -> Command:
    def handler(*arguments: object) -> str:
        raise error

    return replace(COMMANDS[name], handler=handler)


def test_memory_that_the_system_refuses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not an internal error, so no traceback; the state is unchanged."""
    engine = after(GAMES_BEFORE["middle"])
    before = observed(engine)
    monkeypatch.setitem(COMMANDS, "komi", broken("komi", MemoryError()))
    assert ask(engine, "5 komi 7") == "?5 out of memory"
    assert capsys.readouterr().err == ""
    assert observed(engine) == before


def test_internal_error_is_reported_and_changes_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = after(GAMES_BEFORE["middle"])
    before = observed(engine)
    monkeypatch.setitem(COMMANDS, "komi", broken("komi", ZeroDivisionError("a secret")))
    assert ask(engine, "5 komi 7") == "?5 internal error: ZeroDivisionError"
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("Traceback (most recent call last):\n")
    assert printed.err.endswith("ZeroDivisionError: a secret\n")
    assert observed(engine) == before
    assert ask(engine, "6 play w e5") == "=6 "


def test_ctrl_c_is_not_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "komi", broken("komi", KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        server().answer("komi 7")


# --- streams of lines


def test_answers_carry_the_numbers_of_their_lines() -> None:
    lines = ["# a script", "name", "", "frobnicate", "  ", "komi 0"]
    answers = [(number, answer.ok) for number, answer in server().answers(lines)]
    assert answers == [(2, True), (4, False), (6, True)]


def test_quit_ends_the_session() -> None:
    lines = iter(["1 quit now", "2 quit", "3 name"])
    assert [str(answer) for _, answer in server().answers(lines)] == [
        "?1 syntax error\n\n",
        "=2 \n\n",
    ]
    assert list(lines) == ["3 name"]  # not even read: it may be meant for the next program
