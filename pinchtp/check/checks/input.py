"""Lines and characters that an engine must accept (GTP 2, section 3.1)."""

from __future__ import annotations

from time import sleep

from pinchtp.check.check import CheckSkipped, check
from pinchtp.check.game import TrialGame
from pinchtp.check.probe import EngineProbe, check_that

VERSION = "protocol_version"
MANY = 300  # commands in flight
LONG = 4000  # characters: gogui-play_sequence with a game of 400 moves


def _require_response(probe: EngineProbe, data: str | bytes) -> None:
    """Checks that the engine reads this data as one protocol_version."""
    version = probe.ask_or_skip(VERSION)
    reply = probe.exchange(data)[0]
    check_that(reply.ok and reply.text == version, f"the response to {data!r} is {reply}")
    reply = probe.ask(VERSION)
    check_that(
        reply.ok and reply.text == version, f"after {data!r} the response to {VERSION} is {reply}"
    )


def _require_silence(probe: EngineProbe, data: str | bytes) -> None:
    """Checks that there is no response to this data."""
    version = probe.ask_or_skip(VERSION)
    probe.write(data)
    reply = probe.ask(VERSION)
    check_that(reply.ok and reply.text == version, f"the response to {data!r} is {reply}")


@check(
    "L1", "blank lines are ignored", "A response to a blank line makes every later one off by one."
)
def blank_lines(probe: EngineProbe) -> None:
    for line in ("\n", "   \n", "\t\n"):
        _require_silence(probe, line)


@check(
    "L2",
    "comment lines are ignored",
    "GTP files for regression tests contain many, and GoGui's `# interrupt` is one.",
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
    _require_response(probe, "protocol_version # and why\n")
    _require_response(probe, "protocol_version#\n")


@check(
    "L4",
    "control characters are dropped",
    "The standard requires it; terminals and bridges may insert some.",
)
def control_characters(probe: EngineProbe) -> None:
    _require_response(probe, "pro\x01tocol_ver\x07sion\n")


@check(
    "L5",
    "tabs count as spaces",
    "Command files use them between arguments and for indentation.",
)
def tabs(probe: EngineProbe) -> None:
    _require_response(probe, "\tprotocol_version\t\n")
    probe.ask_or_skip("known_command protocol_version")
    reply = probe.ask("known_command\tprotocol_version")
    check_that(
        reply.ok and reply.text == "true", f"the response to 'known_command<TAB>...' is {reply}"
    )


@check(
    "L6",
    "extra spaces are allowed before, between and after words",
    "Scripts join arguments that may be empty.",
)
def spaces(probe: EngineProbe) -> None:
    _require_response(probe, "   protocol_version   \n")
    probe.ask_or_skip("known_command protocol_version")
    reply = probe.ask("  known_command    protocol_version  ")
    check_that(reply.ok and reply.text == "true", f"with extra spaces the response is {reply}")


@check(
    "L7",
    "lines may end with CR LF",
    "Clients on Windows, and some elsewhere, always send CR LF.",
    fresh=True,
)
def crlf(probe: EngineProbe) -> None:
    _require_response(probe, "protocol_version\r\n")
    probe.ask_or_skip("known_command protocol_version")
    reply = probe.exchange("known_command protocol_version\r\n")[0]
    check_that(reply.ok and reply.text == "true", f"with CR LF the response is {reply}")


@check(
    "L8",
    "a command may arrive in pieces",
    "A network bridge forwards partial lines; a line is complete only at its newline.",
)
def pieces(probe: EngineProbe) -> None:
    version = probe.ask_or_skip(VERSION)
    for piece in ("proto", "col_vers", "ion"):
        probe.write(piece)
        sleep(0.02)
    reply = probe.exchange("\n")[0]
    check_that(reply.ok and reply.text == version, f"after three pieces the response is {reply}")


@check(
    "L9",
    f"a line may be {LONG} characters long",
    """gogui-play_sequence sends a whole game in one line; a fixed-size buffer splits it, and the
    rest is executed as another command.""",
    fresh=True,
)
def long_lines(probe: EngineProbe) -> None:
    version = probe.ask_or_skip(VERSION)
    reply = probe.ask(f"known_command {'x' * LONG}")
    following = probe.ask(VERSION)
    check_that(
        following.ok and following.text == version,
        f"the response to a line of {LONG} characters is {reply}, to the next command {following}",
    )
    if probe.ask(f"known_command  {VERSION}").text == "true":  # spaces are no problem by themselves
        reply = probe.ask(f"known_command {' ' * LONG}{VERSION}")
        check_that(
            reply.ok and reply.text == "true",
            f"the end of a line of {LONG} characters is lost: 'known_command', spaces and "
            f"{VERSION!r} return {reply}",
        )


@check(
    "L10",
    "non-ASCII bytes in a comment are ignored",
    "Names of players and files may be in UTF-8 or older encodings, and must not crash engines.",
    fresh=True,
)
def non_ascii_bytes(probe: EngineProbe) -> None:
    version = probe.ask_or_skip(VERSION)
    probe.write("# a comment\n")
    if probe.ask_or_skip(VERSION) != version:
        raise CheckSkipped("comments are not ignored")
    _require_silence(probe, "# Žofie ✓\n")
    _require_silence(probe, b"# \xe9\xff\xfe\n")


@check(
    "X1",
    f"{MANY} commands sent together get their responses in order",
    """Clients send the next command before they get a response. They hang if the engine discards
    pending input, or blocks on its output before it reads more.""",
    fresh=True,
)
def many_at_once(probe: EngineProbe) -> None:
    lines = ("name", "protocol_version", "no-such-command")
    expected = [probe.ask_any(line).text for line in lines] * (MANY // 3)
    replies = probe.exchange("".join(f"{line}\n" for line in lines) * (MANY // 3), MANY)
    for number, (reply, text) in enumerate(zip(replies, expected, strict=True), start=1):
        check_that(reply.text == text, f"response {number} of {MANY} is {reply}, not {text!r}")


@check(
    "X2",
    "responses to commands sent during genmove follow it in order",
    "The next command may arrive during a search; it must be neither lost nor reordered.",
)
def queues_during_search(probe: EngineProbe) -> None:
    game = TrialGame(probe)
    probe.ask_or_skip(f"genmove {game.color.letter}")
    game = TrialGame(probe)
    name = probe.ask_or_skip("name")
    version = probe.ask_or_skip(VERSION)
    replies = probe.exchange(f"genmove {game.color.letter}\nname\nprotocol_version\n", 3)
    check_that(
        replies[1].text == name, f"the response after the move is {replies[1]}, not the name"
    )
    check_that(replies[2].text == version, f"the third response is {replies[2]}, not the version")
