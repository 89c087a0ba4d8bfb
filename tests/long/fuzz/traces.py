"""Recordings of real clients (tests/data/sessions), byte for byte, in any game."""

from collections.abc import Iterator

from clients import engine_settings, split_answers
from fuzz.cases import case
from fuzz.pipes import Talk, command_line
from fuzz.sessions import Fault
from fuzz.source import Source
from sessions import FILES

from pinchtp.gtp.engine import GtpEngine
from pinchtp.gtp.server import Server
from pinchtp.player.settings import PLAYOUTS

BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # some programs on Windows put it first
CLOCKS = ("cputime", "gomill-cpu_time")
TRACES = {path.stem: path for path in sorted(FILES.glob("*.txt"))}


def sent(name: str) -> list[str]:
    """Returns the lines sent by a client."""
    lines = TRACES[name].read_text().splitlines()
    return [line.removeprefix("> ") for line in lines if line.startswith("> ")]


def traces(data: bytes) -> None:
    """Responses equal those of an in-process server, wherever the bytes are cut."""
    source = Source(data)
    name = source.choice(list(TRACES))
    chosen = case(source)
    values = chosen.settings | {"visits": 8, "seed": 1, "memory": 1, "network": PLAYOUTS}
    end = source.choice(["\n", "\r\n"])
    text = source.choice([b"", BYTE_ORDER_MARK]) + "".join(f"{x}{end}" for x in sent(name)).encode()
    server = Server(GtpEngine(engine_settings(**values)))
    expected = [(answer.line, str(answer)) for _, answer in server.answers(sent(name))]
    with Talk(*command_line(values)) as talk:
        for piece in cut(text, source):
            talk.send(piece)
            talk.wait(0)
        answers = [f"{answer}\n\n" for answer in split_answers(talk.finish())]
    what = f"{name} in {chosen}, {text[:20]!r}"
    if len(answers) != len(expected):
        raise Fault("wrong number of responses", f"{len(answers)}, not {len(expected)}", what)
    for (line, wanted), answer in zip(expected, answers, strict=True):
        if answer != wanted and not any(each in line for each in CLOCKS):
            raise Fault("another answer than in this process", f"{line!r}, {answer!r}", what)


def cut(text: bytes, source: Source) -> Iterator[bytes]:
    """The text in some pieces."""
    while text:
        length = 1 + (len(text) if source.is_empty else source.below(1000))
        yield text[:length]
        text = text[length:]
