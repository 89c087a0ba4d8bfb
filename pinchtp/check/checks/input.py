"""Lines and characters that an engine has to read (GTP 2, section 3.1)."""

from __future__ import annotations

from time import sleep

from pinchtp.check.check import CheckSkipped, check
from pinchtp.check.game import TrialGame
from pinchtp.check.probe import EngineProbe, check_that

VERSION = "protocol_version"
MANY = 300  # commands in flight
LONG = 4000  # characters: gogui-play_sequence with a game of 400 moves


def _require_answer(probe: EngineProbe, data: str | bytes) -> None:
    """Checks that this data is one protocol_version."""
    version = probe.ask_or_skip(VERSION)
    reply = probe.exchange(data)[0]
    check_that(reply.ok and reply.text == version, f"{data!r} is answered by {reply}")
    reply = probe.ask(VERSION)
    check_that(reply.ok and reply.text == version, f"after {data!r} {VERSION} gets {reply}")


def _require_silence(probe: EngineProbe, data: str | bytes) -> None:
    """Checks that this data is not answered."""
    version = probe.ask_or_skip(VERSION)
    probe.write(data)
    reply = probe.ask(VERSION)
    check_that(reply.ok and reply.text == version, f"{data!r} is answered by {reply}")


@check(
    "L1", "blank lines are ignored", "An answer to a blank line puts every later one off by one."
)
def blank_lines(probe: EngineProbe) -> None:
    for line in ("\n", "   \n", "\t\n"):
        _require_silence(probe, line)


@check(
    "L2",
    "comment lines are ignored",
    "GTP files for regression tests are full of them, and GoGui's `# interrupt` is one.",
)
def comment_lines(probe: EngineProbe) -> None:
    for line in ("# a comment\n", "#\n", "  # name\n"):
        _require_silence(probe, line)


@check(
    "L3",
    "a comment after a command is ignored",
    "Test files explain a command on the same line.",
)
def comment_after_command(probe: EngineProbe) -> None:
    _require_answer(probe, "protocol_version # and why\n")
    _require_answer(probe, "protocol_version#\n")


@check(
    "L4",
    "control characters are dropped",
    "The standard requires it; terminals and bridges let some slip in.",
)
def control_characters(probe: EngineProbe) -> None:
    _require_answer(probe, "pro\x01tocol_ver\x07sion\n")


@check(
    "L5",
    "tabs count as spaces",
    "Hand-written and generated command files use them between arguments and to indent.",
)
def tabs(probe: EngineProbe) -> None:
    _require_answer(probe, "\tprotocol_version\t\n")
    probe.ask_or_skip("known_command protocol_version")
    reply = probe.ask("known_command\tprotocol_version")
    check_that(reply.ok and reply.text == "true", f"'known_command<TAB>...' is answered by {reply}")


@check(
    "L6",
    "spaces may be many, before, between and after words",
    "Scripts put arguments together with what they have, empty ones included.",
)
def spaces(probe: EngineProbe) -> None:
    _require_answer(probe, "   protocol_version   \n")
    probe.ask_or_skip("known_command protocol_version")
    reply = probe.ask("  known_command    protocol_version  ")
    check_that(reply.ok and reply.text == "true", f"with more spaces the answer is {reply}")


@check(
    "L7",
    "lines may end with CR LF",
    "Clients on Windows, and some elsewhere, always send CR LF.",
    fresh=True,
)
def crlf(probe: EngineProbe) -> None:
    _require_answer(probe, "protocol_version\r\n")
    probe.ask_or_skip("known_command protocol_version")
    reply = probe.exchange("known_command protocol_version\r\n")[0]
    check_that(reply.ok and reply.text == "true", f"with CR LF at its end the answer is {reply}")


@check(
    "L8",
    "a command may come in pieces",
    "A network bridge delivers what it has; a line is complete at its line feed, not before.",
)
def pieces(probe: EngineProbe) -> None:
    version = probe.ask_or_skip(VERSION)
    for piece in ("proto", "col_vers", "ion"):
        probe.write(piece)
        sleep(0.02)
    reply = probe.exchange("\n")[0]
    check_that(reply.ok and reply.text == version, f"in three pieces it is answered by {reply}")


@check(
    "L9",
    f"a line may be {LONG} characters long",
    """gogui-play_sequence carries a whole game in one line; a fixed buffer cuts it in two, and runs
    the rest as another command.""",
    fresh=True,
)
def long_lines(probe: EngineProbe) -> None:
    version = probe.ask_or_skip(VERSION)
    reply = probe.ask(f"known_command {'x' * LONG}")
    following = probe.ask(VERSION)
    check_that(
        following.ok and following.text == version,
        f"a line of {LONG} characters gets {reply}, the command after it {following}",
    )


@check(
    "L10",
    "bytes beyond ASCII in a comment do no harm",
    "Names of players and files come as UTF-8 or in some older encoding, and are no reason to die.",
    fresh=True,
)
def foreign_bytes(probe: EngineProbe) -> None:
    version = probe.ask_or_skip(VERSION)
    probe.write("# a comment\n")
    if probe.ask_or_skip(VERSION) != version:
        raise CheckSkipped("comments are not ignored")
    _require_silence(probe, "# Žofie ✓\n")
    _require_silence(probe, b"# \xe9\xff\xfe\n")


@check(
    "X1",
    f"{MANY} commands at once are answered in order",
    """Clients do not wait for an answer before they send the next command. An engine that throws
    away what it has not read yet, or that waits to be read before it reads, hangs them.""",
    fresh=True,
)
def many_at_once(probe: EngineProbe) -> None:
    lines = ("name", "protocol_version", "no-such-command")
    expected = [probe.ask_any(line).text for line in lines] * (MANY // 3)
    replies = probe.exchange("".join(f"{line}\n" for line in lines) * (MANY // 3), MANY)
    for number, (reply, text) in enumerate(zip(replies, expected, strict=True), start=1):
        check_that(reply.text == text, f"answer {number} of {MANY} is {reply}, not {text!r}")


@check(
    "X2",
    "commands sent during genmove are answered after it, in order",
    "The next command may be on its way while the engine thinks; it must neither be lost nor jump.",
)
def behind_a_search(probe: EngineProbe) -> None:
    game = TrialGame(probe)
    probe.ask_or_skip(f"genmove {game.color.letter}")
    game = TrialGame(probe)
    name = probe.ask_or_skip("name")
    version = probe.ask_or_skip(VERSION)
    replies = probe.exchange(f"genmove {game.color.letter}\nname\nprotocol_version\n", 3)
    check_that(replies[1].text == name, f"after the move comes {replies[1]}, not the name")
    check_that(
        replies[2].text == version, f"in the third place comes {replies[2]}, not the version"
    )
