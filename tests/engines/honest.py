"""A small, correct GTP engine, whose subclasses break one thing each.

Its game: Black and White place stones in turn until more than half of the points are occupied; the
owner of the lowest stone in the first column wins. White may swap on move 2, written `pass`. It
moves immediately or, on a clock, after a small part of its time. It uses the standard library only,
so that it starts quickly.
"""

import os
import select
import time
from functools import cache
from itertools import pairwise

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
OTHER = {"b": "w", "w": "b"}
NAMES = {"b": "black", "w": "white"}
SETTINGS = {"none": 0, "absolute": 1, "canadian": 3, "byoyomi": 3}


class Refuse(Exception):
    """A failure with the text of its response."""


class Game:
    """stones: point to color, in the order of play. turn: the side to move, `b` or `w`."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.stones: dict[str, str] = {}
        self.turn = "b"
        self.swapped = False
        self.past: list[tuple[dict[str, str], str, bool]] = []

    def is_over(self) -> bool:
        return 2 * len(self.stones) > self.size**2

    def legal(self) -> list[str]:
        points = [f"{x}{y + 1}" for y in range(self.size) for x in COLUMNS[: self.size]]
        return [] if self.is_over() else [point for point in points if point not in self.stones]

    def can_swap(self) -> bool:
        return len(self.stones) == 1 and not self.swapped

    def play(self, color: str, move: str) -> None:
        before = (dict(self.stones), self.turn, self.swapped)
        if move == "PASS" and self.is_over():
            pass
        elif color != self.turn or self.is_over():
            raise Refuse("illegal move")
        elif move == "PASS" and self.can_swap():
            self.swapped = True
            self.stones = {point: OTHER[stone] for point, stone in self.stones.items()}
            self.turn = OTHER[color]
        elif move in self.legal():
            self.stones[move] = color
            self.turn = OTHER[color]
        else:
            raise Refuse("illegal move")
        self.past.append(before)

    def undo(self) -> None:
        if not self.past:
            raise Refuse("cannot undo")
        self.stones, self.turn, self.swapped = self.past.pop()

    def winner(self) -> str:
        return self.stones[min(self.stones)] if self.is_over() else ""

    def rows(self) -> list[str]:
        marks = {"b": "X", "w": "O"}
        return [
            "".join(
                marks.get(self.stones.get(f"{x}{y + 1}", ""), ".") for x in COLUMNS[: self.size]
            )
            for y in reversed(range(self.size))
        ]


class Input:
    """Standard input as lines, with lookahead."""

    def __init__(self) -> None:
        self.lines: list[bytes] = []
        self.ended = False
        self.rest = b""

    def poll(self, seconds: float | None) -> bool:
        """Waits for input; returns True if there is a line or the end of input."""
        if not self.lines and not self.ended and select.select([0], [], [], seconds)[0]:
            data = os.read(0, 65536)
            self.ended = not data
            *complete, self.rest = (self.rest + data).split(b"\n")
            self.lines += complete
        return bool(self.lines) or self.ended

    def next(self) -> bytes | None:
        while not self.lines and not self.ended:
            self.poll(None)
        return self.lines.pop(0) if self.lines else None


class Honest:
    """The engine. The method `do_NAME` runs the command NAME, with `_` for `-` and `__` for `_`."""

    name = "Honest"
    version = "1"
    hidden: tuple[str, ...] = ()  # commands not listed
    komi = 0.0

    def __init__(self) -> None:
        self.input = Input()
        self.game = Game(9)
        self.budget = 0.0  # seconds per move
        self.ending = False

    # --- lines

    def run(self) -> None:
        while not self.ending and (raw := self.input.next()) is not None:
            self.line(raw)
        self.at_end()

    def at_end(self) -> None:
        pass

    def line(self, raw: bytes) -> None:
        words = self.clean(raw).split()
        if not words:
            return
        number = words.pop(0) if words[0].isdigit() else ""
        try:
            ok = True
            text = self.execute(*words)
        except Refuse as refusal:
            ok = False
            text = str(refusal)
        except (ValueError, TypeError, KeyError, IndexError):
            ok = False
            text = "syntax error"
        if text is not None:
            self.say(self.frame(ok, number, text))

    def clean(self, raw: bytes) -> str:
        text = raw.decode("latin-1").partition("#")[0].replace("\t", " ")
        return "".join(each for each in text if each >= " ")

    def execute(self, name: str, *arguments: str) -> str | None:
        """Returns the response, or None if it was already sent."""
        if name not in self.commands():
            raise Refuse(self.unknown)
        return getattr(self, "do_" + self.method(name))(*arguments)

    unknown = "unknown command"

    def frame(self, ok: bool, number: str, text: str) -> bytes:
        return f"{'=' if ok else '?'}{number} {text}\n\n".encode("latin-1", "replace")

    def say(self, data: bytes) -> None:
        os.write(1, data)

    @staticmethod
    def method(name: str) -> str:
        return name.replace("_", "__").replace("-", "_")

    @classmethod
    @cache
    def commands(cls) -> tuple[str, ...]:
        names = [name[3:] for name in dir(cls) if name.startswith("do_")]
        names = [name.replace("__", "\0").replace("_", "-").replace("\0", "_") for name in names]
        return tuple(name for name in names if name not in cls.hidden)

    def listed(self) -> list[str]:
        return list(self.commands())

    # --- standard commands

    def do_protocol__version(self) -> str:
        return "2"

    def do_name(self) -> str:
        return self.name

    def do_version(self) -> str:
        return self.version

    def do_list__commands(self) -> str:
        return "\n".join(self.listed())

    def do_known__command(self, name: str) -> str:
        return "true" if name in self.listed() else "false"

    def do_quit(self) -> str:
        self.ending = True
        return ""

    def do_boardsize(self, size: str, height: str = "") -> str:
        if not 2 <= int(size) <= 19 or int(height or size) != int(size):
            raise Refuse("unacceptable size")
        self.game = Game(int(size))
        return ""

    def do_clear__board(self) -> str:
        self.game = Game(self.game.size)
        return ""

    def do_komi(self, komi: str) -> str:
        self.komi = float(komi)
        return ""

    def do_play(self, color: str, move: str) -> str:
        self.game.play(self.color(color), self.move(move))
        return ""

    def do_genmove(self, color: str) -> str:
        side = self.color(color)
        if self.game.is_over():
            self.game.play(side, "PASS")
            return "pass"
        if side != self.game.turn:
            raise Refuse("not your turn")
        self.think(self.budget)
        move = self.choose()
        self.game.play(side, move.upper())
        return move

    def choose(self) -> str:
        if self.game.can_swap():
            return "pass"
        legal = self.game.legal()
        return legal[len(legal) // 2]

    def do_undo(self) -> str:
        self.game.undo()
        return ""

    def do_gg_undo(self, count: str = "1") -> str:
        if int(count) > len(self.game.past):
            raise Refuse("cannot undo")
        for _ in range(int(count)):
            self.game.undo()
        return ""

    def do_reg__genmove(self, color: str) -> str:
        if self.game.is_over():
            return "pass"
        if self.color(color) != self.game.turn:
            raise Refuse("not your turn")
        return self.choose()

    def do_showboard(self) -> str:
        return "\n" + "\n".join([*self.game.rows(), f"{NAMES[self.game.turn]} to move"])

    def do_final__score(self) -> str:
        if not self.game.is_over():
            raise Refuse("cannot score")
        return f"{self.game.winner().upper()}+R"

    def do_loadsgf(self, name: str) -> str:
        raise Refuse("cannot load file")

    def color(self, text: str) -> str:
        return {"b": "b", "black": "b", "w": "w", "white": "w"}[text.lower()]

    def move(self, text: str) -> str:
        move = text.upper()
        if move != "PASS" and (move[0] not in COLUMNS or int(move[1:]) < 1):
            raise Refuse("syntax error")
        return move

    # --- time

    def think(self, seconds: float) -> None:
        """Thinks for some seconds, or until it is interrupted."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            time.sleep(min(left, 0.002))
            if self.input.poll(0.0) and b"# interrupt" in self.input.lines:
                return

    def do_time__settings(self, main: str, period: str, stones: str) -> str:
        moves = 100 if float(period) == 0 else 20 * int(stones)
        seconds = float(main) if float(period) == 0 else float(period)
        self.budget = seconds / moves if moves else 0.0
        return ""

    def do_time__left(self, color: str, seconds: str, stones: str) -> str:
        self.color(color), float(seconds), int(stones)
        return ""

    def do_kata_time__settings(self, system: str, *numbers: str) -> str:
        if SETTINGS[system] != len([float(number) for number in numbers]):
            raise Refuse("syntax error")
        return ""

    def do_kata_list__time__settings(self) -> str:
        return " ".join(SETTINGS)

    def do_cputime(self) -> str:
        return f"{time.process_time():.3f}"

    # --- GoGui

    def do_gogui_interrupt(self) -> str:
        return ""

    def do_gogui_analyze__commands(self) -> str:
        return "none/Show board/showboard"

    def do_gogui_play__sequence(self, *words: str) -> str:
        game = Game(self.game.size)
        for color, move in [*self.moves(), *zip(words[::2], words[1::2], strict=True)]:
            game.play(self.color(color), self.move(move))
        self.game = game
        return ""

    def moves(self) -> list[tuple[str, str]]:
        """Returns moves that lead to the position."""
        states = [*self.game.past, (self.game.stones, self.game.turn, self.game.swapped)]
        moves = []
        for (stones, turn, swapped), (following, _, swaps) in pairwise(states):
            new = [point for point in following if point not in stones]
            moves.append((turn, "pass" if swaps != swapped or not new else new[0]))
        return moves

    def do_gogui_rules__game__id(self) -> str:
        return "Halves"

    def do_gogui_rules__board__size(self) -> str:
        return str(self.game.size)

    def do_gogui_rules__board(self) -> str:
        return "\n" + "\n".join(self.game.rows())

    def do_gogui_rules__legal__moves(self) -> str:
        return " ".join([*self.game.legal(), *(["pass"] if self.game.can_swap() else [])])

    def do_gogui_rules__side__to__move(self) -> str:
        return NAMES[self.game.turn]

    def do_gogui_rules__final__result(self) -> str:
        return f"{NAMES[self.game.winner()]} wins" if self.game.is_over() else ""

    def do_gogui_rules__captured__count(self) -> str:
        return "0 0"

    # --- analysis

    def do_lz_analyze(self, color: str, interval: str) -> None:
        self.begin()
        while not self.stops():
            self.say(self.info())
            self.input.poll(int(interval) / 100)
        self.say(b"\n")

    def begin(self) -> None:
        self.say(b"= \n")

    def stops(self) -> bool:
        return self.input.poll(0.0)

    def info(self) -> bytes:
        best, *others = self.game.legal()
        line = f"info move {best} visits 10 winrate 5100 prior 900 order 0 pv {best} {others[0]} "
        return f"{line}info move {others[0]} visits 1 winrate 0 order 1 pv {others[0]}\n".encode()

    def do_lz_genmove__analyze(self, color: str, interval: str) -> None:
        self.begin()
        self.say(self.info())
        self.say(f"play {self.do_genmove(color)}\n\n".encode())
