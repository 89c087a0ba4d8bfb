"""Network files: reading and writing them, and loading networks.

A file begins with three lines of ASCII: its type and the version of the format, the BLAKE2b
digest of everything after this second line, and a JSON object that describes the network. The
weights follow as bytes, in the order of core/evaluation/network/network.hpp.

    pinchtp network 1
    26 4b 0c ... (32 hexadecimal digits)
    {"game": "pinch", "planes": [...], "shape": {...}, "origin": {...}}

`planes` names the input planes. `origin` describes the training, in free text. `slope`, which is
optional, calibrates displayed winrates: it is the factor of their logits.

The networks that come with pinchtp are in pinchtp/player/networks, named after their games. A game
may have a second one, GAME-small, which plays on small boards.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pinchtp import _core
from pinchtp.base.files import read_file
from pinchtp.games import GAMES
from pinchtp.player.settings import PACKAGED, PLAYOUTS

MAGIC = "pinchtp network"
VERSION = 1
DIGEST_BYTES = 16
LONGEST_HEADER = 1 << 16  # bytes
LARGEST = 1 << 26  # bytes of a file
MOST_SLOPE = 1000
SUFFIX = ".network"
SMALL = 8  # the longest side of a small board

_PARTS = {"game": str, "planes": list, "shape": dict, "origin": dict}  # of a description


class NetworkError(ValueError):
    """A file is not a usable network; the text is for the user."""


@dataclass(frozen=True)
class NetworkFile:
    """A network with its description.

    game: the name of the game. planes: the names of the input planes. shape: the sizes of
    `_core.Network` by name, and `planes`, the number of input channels. weights: the bytes for the
    core. origin: a description of the training. slope: the factor of the logits of displayed
    winrates.
    """

    game: str
    planes: tuple[str, ...]
    shape: Mapping[str, int]
    weights: bytes
    origin: Mapping[str, Any] = field(default_factory=dict)
    slope: float = 1

    def __bytes__(self) -> bytes:
        header = {
            "game": self.game,
            "planes": self.planes,
            "shape": dict(self.shape),
            "origin": dict(self.origin),
            **({} if self.slope == 1 else {"slope": self.slope}),
        }
        body = json.dumps(header, sort_keys=True).encode("ascii") + b"\n" + self.weights
        return f"{MAGIC} {VERSION}\n{_digest(body)}\n".encode("ascii") + body

    @property
    def digest(self) -> str:
        """The BLAKE2b digest that identifies the network, in hexadecimal digits."""
        return _digest(bytes(self).split(b"\n", 2)[2])


def _digest(body: bytes) -> str:
    from hashlib import blake2b  # noqa: PLC0415  (it loads OpenSSL, with the first network)

    return blake2b(body, digest_size=DIGEST_BYTES).hexdigest()


def parse(data: bytes, name: str) -> NetworkFile:
    """Returns the network in the bytes of a file. Raises NetworkError.

    name: the name of the file, for messages.
    """
    first, _, rest = data.partition(b"\n")
    magic, _, version = first[:64].rpartition(b" ")
    if magic != MAGIC.encode() or not version.isdigit():
        raise NetworkError(f"{name} is not a pinchtp network")
    if int(version) > VERSION:
        raise NetworkError(
            f"{name} was written by a newer pinchtp: its format is {int(version)}, "
            f"but this version reads formats up to {VERSION}"
        )
    digest, _, body = rest.partition(b"\n")
    if digest.decode("latin-1") != _digest(body):
        raise NetworkError(f"{name} is damaged: its checksum is wrong")
    header, _, weights = body.partition(b"\n")
    try:
        fields = json.loads(header) if len(header) <= LONGEST_HEADER else {}
        _check_description(fields)
    except (ValueError, RecursionError) as error:
        raise NetworkError(f"{name} has an invalid network description: {error}") from None
    game, planes, shape, origin = (fields[key] for key in _PARTS)
    return NetworkFile(game, tuple(planes), shape, weights, origin, fields.get("slope", 1))


def _check_description(fields: Any) -> None:
    """Checks the third line of a file. Raises ValueError."""
    for key, kind in _PARTS.items():
        if not isinstance(fields, dict) or not isinstance(fields.get(key), kind):
            raise ValueError(f"{key!r} is missing or of another type")
    if not all(isinstance(plane, str) for plane in fields["planes"]):
        raise ValueError("'planes' are not all names")
    if not all(type(size) is int and 0 <= size <= LARGEST for size in fields["shape"].values()):
        raise ValueError(f"the sizes in 'shape' are not all integers up to {LARGEST}")
    slope = fields.get("slope", 1)
    if type(slope) not in (int, float) or not 0 < slope <= MOST_SLOPE:
        raise ValueError(f"the slope is not above 0 and up to {MOST_SLOPE}")


def read(path: Path) -> NetworkFile:
    """Returns the network in a file. Raises NetworkError."""
    try:
        return parse(read_file(path, LARGEST), str(path))
    except OSError as error:
        raise NetworkError(f"network {path} cannot be read: {error.strerror}") from None


def is_small(width: int, height: int) -> bool:
    """Returns whether a board has a network for small boards, if the game has one."""
    return max(width, height) <= SMALL


def find_packaged(game: str, size: tuple[int, int] | None = None) -> Path | None:
    """Returns the file of the network that comes with pinchtp for a game; None without one.

    size: columns and rows of the board; default: a board that is not small.
    """
    folder = Path(__file__).with_name("networks")
    for name in [f"{game}-small", game] if size and is_small(*size) else [game]:
        path = folder / f"{name}{SUFFIX}"
        if path.exists():
            return path
    return None


def all_packaged() -> list[Path]:
    """Returns the files of the networks that come with pinchtp, by game."""
    sizes = None, (SMALL, SMALL)
    paths = dict.fromkeys(find_packaged(game, size) for game in GAMES for size in sizes)
    return [path for path in paths if path is not None]


def name_of(path: Path, digest: str) -> str:
    """Returns the displayed name of a network: its file name and the first digits of its digest."""
    return f"{path.stem} {digest[:8]}"


def describe_networks(source: str | Path) -> list[dict[str, str]]:
    """Returns the `name` and `game` of each network of a source.

    source: as in the settings. Raises NetworkError for an invalid file.
    """
    if source == PLAYOUTS:
        return []
    paths = [source] if isinstance(source, Path) else all_packaged()
    return [{"name": path.name, "game": read(path).game} for path in paths]


def check_game(file: NetworkFile, game: str, name: str) -> None:
    """Raises NetworkError for a network of another game."""
    if file.game != game:
        raise NetworkError(f"{name} is a network for {file.game}, not for {game}")


def load(file: NetworkFile, position: _core.Position, name: str) -> _core.Network:
    """Returns the network of a file for the game of a position.

    name: the name of the file, for messages. Raises NetworkError if it does not fit the game.
    """
    check_game(file, position.game, name)
    if unknown := set(file.planes).difference(position.plane_names):
        raise NetworkError(
            f"{name} needs input planes that this version of pinchtp does not have: "
            f"{', '.join(sorted(unknown))}"
        )
    sizes = {key: size for key, size in file.shape.items() if key != "planes"}
    try:
        return _core.Network(planes=file.planes, weights=file.weights, **sizes)
    except (TypeError, ValueError) as error:
        raise NetworkError(
            f"{name} does not contain a valid network: {str(error).splitlines()[0]}"
        ) from None


class Networks:
    """The networks that evaluate positions, each loaded at its first use."""

    def __init__(self, source: str | Path) -> None:
        """source: as in the settings; a file as a Path.

        Raises NetworkError for a file that is not a network, and ValueError for another text.
        """
        if isinstance(source, str) and source not in (PACKAGED, PLAYOUTS):
            raise ValueError(f"{source!r}: give {PACKAGED!r}, {PLAYOUTS!r} or the Path of a file")
        self._source = source
        self._given = read(source) if isinstance(source, Path) else None
        self._loaded: dict[tuple[str, bool], tuple[_core.Network | None, float]] = {}

    @property
    def game(self) -> str | None:
        """The game of the given file; None without a file."""
        return None if self._given is None else self._given.game

    def check(self, game: str) -> None:
        """Raises NetworkError if a given file has a network of another game."""
        if self._given is not None:
            check_game(self._given, game, str(self._source))

    def of(self, position: _core.Position) -> _core.Network | None:
        """Returns the network for a position; None where playouts evaluate it.

        Raises NetworkError if a given file does not fit the game.
        """
        return self._of(position)[0]

    def slope(self, position: _core.Position) -> float:
        """Returns the calibration factor for displayed winrates of a position."""
        return self._of(position)[1]

    def _of(self, position: _core.Position) -> tuple[_core.Network | None, float]:
        key = position.game, is_small(position.width, position.height)
        if key not in self._loaded:
            self._loaded[key] = self._load(position)
        return self._loaded[key]

    def _load(self, position: _core.Position) -> tuple[_core.Network | None, float]:
        file = self._given
        name = str(self._source)
        if file is None:
            size = position.width, position.height
            path = None if self._source == PLAYOUTS else find_packaged(position.game, size)
            if path is None:
                return None, 1
            file = read(path)
            name = str(path)
        return load(file, position, name), file.slope
