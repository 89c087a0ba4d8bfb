"""Compares network inference with onnxruntime: the same network, batch size one, one thread.

The network is converted to two ONNX graphs: in floats, and quantized by onnxruntime to 8-bit
integers; the value of the float graph is compared with ours. Our rate includes computing the input
planes, theirs does not. Example:

    pip install onnx onnxruntime
    python tools/lab/onnx_peer.py --sizes 9,13 --seconds 2
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
import onnx
import onnxruntime as ort
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime import quantization

from pinchtp import _core
from pinchtp.games import GAMES
from pinchtp.player import network

ONE = 127.0
ROUNDS = 7
CALIBRATED = 16  # positions

Floats = NDArray[np.float32]


class Weights:
    """Reads the tensors of a file in order (core/evaluation/network/network.hpp)."""

    def __init__(self, data: bytes) -> None:
        self.left = data

    def floats(self, *shape: int) -> Floats:
        return self._take("<f4", 4, shape).astype(np.float32)

    def convolution(self, taps: int, inputs: int, outputs: int) -> tuple[Floats, Floats]:
        """Kernel [output, input, y, x] in floats, and bias."""
        packed = self._take("i1", 1, (outputs // 4, taps, inputs // 4, 4, 4))
        kernel = packed.transpose(0, 3, 2, 4, 1).reshape(outputs, inputs, taps)
        scale, bias = self.floats(outputs), self.floats(outputs)
        side = 3 if taps == 9 else 1
        scaled = (kernel * scale[:, None, None]).astype(np.float32)
        return scaled.reshape(outputs, inputs, side, side), bias

    def _take(self, kind: str, size: int, shape: Sequence[int]) -> NDArray[Any]:
        count = int(np.prod(shape)) * size
        taken, self.left = self.left[:count], self.left[count:]
        return np.frombuffer(taken, kind).reshape(shape)


class Graph:
    """A builder of an ONNX graph."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, value: NDArray[Any]) -> str:
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(value, name))
        return name

    def add(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        output = output or f"n{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [output], **attributes))
        return output

    def clipped(self, value: str) -> str:
        low, high = (self.constant(np.array(bound, np.float32)) for bound in (0, ONE))
        return self.add("Clip", value, low, high)

    def convolution(self, value: str, kernel: Floats, bias: Floats) -> str:
        pads = [1] * 4 if kernel.shape[-1] == 3 else [0] * 4
        return self.add("Conv", value, self.constant(kernel), self.constant(bias), pads=pads)

    def dense(self, value: str, weights: Floats) -> str:
        return self.add("MatMul", value, self.constant(weights))

    def flat(self, value: str) -> str:
        return self.add("Flatten", value)

    def as_board(self, value: str) -> str:
        """[1, channels] as [1, channels, 1, 1]."""
        return self.add("Unsqueeze", value, self.constant(np.array([2, 3])))


def onnx_model(file: network.NetworkFile, width: int, height: int) -> onnx.ModelProto:
    """Returns the network for one board size; input planes hold 0 to 127."""
    weights = Weights(file.weights)
    graph = Graph()
    shape = file.shape
    channels, head, hidden = shape["channels"], shape["head"], shape["hidden"]
    trunk = graph.clipped(
        graph.convolution("planes", *weights.convolution(9, shape["planes"], channels))
    )
    for _ in range(shape["blocks"]):
        inner = graph.clipped(graph.convolution(trunk, *weights.convolution(9, channels, channels)))
        pools = [graph.add("GlobalAveragePool", inner), graph.add("GlobalMaxPool", inner)]
        pooled = graph.add("Concat", *map(graph.flat, pools), axis=1)
        bias = graph.as_board(graph.dense(pooled, weights.floats(2 * channels, channels)))
        outer = graph.convolution(inner, *weights.convolution(9, channels, channels))
        skip = graph.add("Mul", trunk, graph.constant(weights.floats(1)))
        trunk = graph.clipped(graph.add("Add", graph.add("Add", outer, bias), skip))
    means = graph.flat(graph.add("GlobalAveragePool", trunk))
    by_size = np.array(0.125 * ((width + height) * 0.5 - 9), np.float32)
    sized = graph.add("Mul", means, graph.constant(by_size))
    maxima = graph.flat(graph.add("GlobalMaxPool", trunk))
    pooled = graph.add("Concat", means, sized, maxima, axis=1)
    kernel, bias_of_points = weights.convolution(1, channels, head)
    bias = graph.as_board(graph.dense(pooled, weights.floats(3 * channels, head)))
    points = graph.add("Add", graph.convolution(trunk, kernel, bias_of_points), bias)
    kernel, bias_of_points = weights.convolution(1, head, 4)
    points = graph.convolution(graph.clipped(points), kernel[:2], bias_of_points[:2])
    graph.add("Identity", points, output="points")
    inner_sum = graph.dense(pooled, weights.floats(3 * channels, hidden))
    biased = graph.add("Add", inner_sum, graph.constant(weights.floats(hidden)))
    board = graph.dense(graph.add("Relu", biased), weights.floats(hidden, 3))
    graph.add("Add", board, graph.constant(weights.floats(3)), output="board")
    described = helper.make_graph(
        graph.nodes,
        "network",
        [
            helper.make_tensor_value_info(
                "planes", TensorProto.FLOAT, [1, shape["planes"], height, width]
            )
        ],
        [
            helper.make_tensor_value_info("points", TensorProto.FLOAT, [1, 2, height, width]),
            helper.make_tensor_value_info("board", TensorProto.FLOAT, [1, 3]),
        ],
        graph.constants,
    )
    return helper.make_model(described, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


class Positions(quantization.CalibrationDataReader):  # type: ignore[misc]
    """Planes of random positions, for quantization."""

    def __init__(self, planes: Sequence[Floats]) -> None:
        self.left = list(planes)

    def get_next(self) -> dict[str, Floats] | None:
        return {"planes": self.left.pop()} if self.left else None


def planes_of(position: _core.Position) -> Floats:
    return position.planes().reshape(1, -1, position.height, position.width).astype(np.float32)


def random_positions(size: int, count: int) -> list[_core.Position]:
    rng = np.random.default_rng(1)
    found: list[_core.Position] = []
    while len(found) < count:
        position = GAMES["pinch"].start(size, size)
        for _ in range(rng.integers(4, size * size // 2)):
            if position.result is None:
                position = position.play(int(rng.choice(position.legal_moves())))
        if position.result is None:
            found.append(position)
    return found


def session_of(path: Path) -> ort.InferenceSession:
    options = ort.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def rate(evaluate: Callable[[int], object], seconds: float) -> float:
    """Returns the evaluations per second; evaluate(n) makes n of them."""
    began = perf_counter()
    evaluate(50)
    count = max(50, int(50 * seconds / (perf_counter() - began)))
    began = perf_counter()
    evaluate(count)
    return count / (perf_counter() - began)


def compare(file: network.NetworkFile, name: str, size: int, seconds: float) -> None:
    """Prints the rates on one board size."""
    positions = random_positions(size, CALIBRATED)
    position = positions[0]
    loaded = network.load(file, position, name)
    with tempfile.TemporaryDirectory() as folder:
        floats, integers = Path(folder) / "fp32.onnx", Path(folder) / "int8.onnx"
        onnx.save(onnx_model(file, size, size), str(floats))
        quantization.quantize_static(
            str(floats),
            str(integers),
            Positions([planes_of(each) for each in positions]),
            quant_format=quantization.QuantFormat.QOperator,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
            per_channel=True,
        )
        peers = {path.stem: session_of(path) for path in (floats, integers)}
    given = {"planes": planes_of(position)}
    log_odds = float(peers["fp32"].run(["board"], given)[0][0, 0])
    print(f"{size}x{size}: winrate {position.evaluate(loaded)[0]:.4f}, ", end="")
    print(f"by onnxruntime in floats {1 / (1 + np.exp(-log_odds)):.4f}")

    def by_peer(session: ort.InferenceSession) -> Callable[[int], object]:
        return lambda count: [session.run(None, given) for _ in range(count)]

    def by_us(instruction_set: str) -> Callable[[int], object]:
        return lambda count: position.evaluate_often(loaded, count, instruction_set=instruction_set)

    runs = {f"onnxruntime {kind}": by_peer(session) for kind, session in peers.items()}
    runs |= {f"pinchtp {each}": by_us(each) for each in _core.inference_instruction_sets()}
    rates: dict[str, list[float]] = {kind: [] for kind in runs}
    for _ in range(ROUNDS):
        for kind, evaluate in runs.items():
            rates[kind].append(rate(evaluate, seconds / ROUNDS))
    best = max(median(rates[kind]) for kind in runs if kind.startswith("onnx"))
    for kind, measured in rates.items():
        print(f"  {kind:24}{median(measured):>10,.0f} per second {median(measured) / best:>7.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--network", type=Path, default=network.find_packaged("pinch"))
    parser.add_argument("--sizes", default="9,13", help="board sizes, separated by commas")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds per rate")
    options = parser.parse_args()
    file = network.read(options.network)
    for size in options.sizes.split(","):
        compare(file, str(options.network), int(size), options.seconds)


if __name__ == "__main__":
    main()
