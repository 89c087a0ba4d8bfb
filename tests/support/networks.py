"""Random networks for tests, and their output computed slowly from the format."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pinchtp import _core
from pinchtp.games import GAMES
from pinchtp.player.network import NetworkFile

ONE = 127
PLANES = tuple(GAMES["pinch"].start(9, 9).plane_names)
SHAPE = {"planes": len(PLANES), "channels": 8, "blocks": 2, "head": 4, "hidden": 6}


def random_weights(shape: dict[str, int], seed: int, zeros: float = 0.0) -> bytes:
    """Returns weights in the order of the format, scaled so that activations stay in range.

    zeros: the share of blocks of four by four convolution weights that are zero.
    """
    rng = np.random.default_rng(seed)

    def floats(count: int, size: float) -> bytes:
        return (size * rng.normal(size=count)).astype("<f4").tobytes()

    def convolution(taps: int, inputs: int, outputs: int) -> bytes:
        integers = rng.integers(-127, 128, taps * inputs * outputs, np.int8)
        if zeros:
            integers.reshape(-1, 16)[rng.random(len(integers) // 16) < zeros] = 0
        scale = np.full(outputs, 1 / (30 * np.sqrt(taps * inputs)), "<f4")
        return integers.tobytes() + scale.tobytes() + floats(outputs, 20)

    c, head, hidden = shape["channels"], shape["head"], shape["hidden"]
    parts = [convolution(9, shape["planes"], c)]
    for _ in range(shape["blocks"]):
        parts += [convolution(9, c, c), floats(2 * c * c, 0.02), convolution(9, c, c)]
        parts += [np.array([0.9], "<f4").tobytes()]
    parts += [convolution(1, c, head), floats(3 * c * head, 0.02), convolution(1, head, 4)]
    parts += [floats(3 * c * hidden, 0.01), floats(hidden, 1)]
    parts += [floats(hidden * 3, 0.1), floats(3, 1)]
    return b"".join(parts)


def of_weights(
    shape: dict[str, int], weights: bytes, planes: Sequence[str] = PLANES
) -> _core.Network:
    """Returns the network with these weights. planes: names of the input planes."""
    sizes = {name: size for name, size in shape.items() if name != "planes"}
    return _core.Network(planes=planes, **sizes, weights=weights)


def network(shape: dict[str, int] = SHAPE, seed: int = 1) -> _core.Network:
    return of_weights(shape, random_weights(shape, seed))


def file(game: str = "pinch", seed: int = 1) -> NetworkFile:
    """Returns a random network of a game as a file."""
    planes = tuple(GAMES[game].start(*GAMES[game].size).plane_names)
    shape = SHAPE | {"planes": len(planes)}
    return NetworkFile(game, planes, shape, random_weights(shape, seed), {"games": 12})


@dataclass
class Reader:
    """A reader of tensors from a network's weights."""

    weights: bytes

    def take(self, dtype: str, *shape: int) -> np.ndarray:
        size = int(np.prod(shape)) * np.dtype(dtype).itemsize
        taken, self.weights = self.weights[:size], self.weights[size:]
        return np.frombuffer(taken, dtype).reshape(shape).astype(np.float64)

    def convolution(self, taps: int, inputs: int, outputs: int) -> tuple[np.ndarray, ...]:
        """Returns weights [tap, input, output], scale and bias."""
        quads = self.take("i1", outputs // 4, taps, inputs // 4, 4, 4)
        weights = quads.transpose(1, 2, 4, 0, 3).reshape(taps, inputs, outputs)
        return weights, self.take("<f4", outputs), self.take("<f4", outputs)


def sums(weights: np.ndarray, board: np.ndarray) -> np.ndarray:
    """Returns a convolution of a board [height, width, channels] with zero padding."""
    if len(weights) == 1:
        return board @ weights[0]
    height, width, _ = board.shape
    padded = np.pad(board, ((1, 1), (1, 1), (0, 0)))
    return sum(
        padded[dy : dy + height, dx : dx + width] @ weights[3 * dy + dx]
        for dy in range(3)
        for dx in range(3)
    )


def rectified(values: np.ndarray) -> np.ndarray:
    return np.floor(np.clip(values, 0, ONE) + 0.5)


def slow_prediction(
    shape: dict[str, int], weights: bytes, planes: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns policy and ownership [height, width] and the outputs for the whole board, as logits.

    planes: [height, width, planes], from 0 to 127.
    """
    reader = Reader(weights)
    c = shape["channels"]
    height, width, _ = planes.shape

    def pooled(board: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return board.mean((0, 1)), board.max((0, 1))

    stem, scale, bias = reader.convolution(9, shape["planes"], c)
    trunk = rectified(sums(stem, planes.astype(np.float64)) * scale + bias)
    for _ in range(shape["blocks"]):
        first, scale, bias = reader.convolution(9, c, c)
        inner = rectified(sums(first, trunk) * scale + bias)
        pool = reader.take("<f4", 2 * c, c)
        second, scale, bias = reader.convolution(9, c, c)
        skip = reader.take("<f4", 1)
        bias = bias + np.concatenate(pooled(inner)) @ pool
        trunk = rectified(sums(second, inner) * scale + bias + trunk * skip)
    means, maxima = pooled(trunk)
    size = 0.125 * ((width + height) * 0.5 - 9)
    all_pooled = np.concatenate([means, means * size, maxima])
    points, scale, bias = reader.convolution(1, c, shape["head"])
    bias = bias + all_pooled @ reader.take("<f4", 3 * c, shape["head"])
    head = rectified(sums(points, trunk) * scale + bias)
    out, scale, bias = reader.convolution(1, shape["head"], 4)
    by_point = sums(out, head) * scale + bias
    hidden = all_pooled @ reader.take("<f4", 3 * c, shape["hidden"])
    hidden = np.maximum(hidden + reader.take("<f4", shape["hidden"]), 0)
    by_board = hidden @ reader.take("<f4", shape["hidden"], 3) + reader.take("<f4", 3)
    assert reader.weights == b""
    return by_point[..., 0], by_point[..., 1], by_board


def shown(board: np.ndarray, symmetry: tuple[bool, bool, bool]) -> np.ndarray:
    """Returns a board [y, x, ...] in the orientation of position.shown_in()."""
    transposed, mirrored, flipped = symmetry
    board = board.swapaxes(0, 1) if transposed else board
    board = board[:, ::-1] if mirrored else board
    return board[::-1] if flipped else board


def shown_planes(position: _core.Position, image: int = 0) -> np.ndarray:
    """Returns the input planes [height, width, planes] of a position in a symmetry."""
    flat = position.planes(image)
    rows = position.width if position.shown_in(image)[0] else position.height
    return flat.reshape(len(flat), rows, -1).transpose(1, 2, 0)
