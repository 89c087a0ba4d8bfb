"""The compiled core: exact rules, random playouts and tree search.

Moves are small integers: a point is y * STRIDE + x with x and y counted from the lower left corner
(A1 is 0); PASS and SWAP follow the points. Each step of a multi-step move is a move here. Colors
are 0 (black) and 1 (white).
"""

from collections.abc import Callable, Mapping, Sequence
from enum import Enum

import numpy as np
import numpy.typing as npt

MIN_SIZE: int
MAX_SIZE: int
STRIDE: int
MAX_THREADS: int  # of a search
PASS: int
SWAP: int

def instruction_sets() -> list[str]:
    """Returns the instruction sets that this build and this machine support, plainest first."""

def inference_instruction_sets() -> list[str]:
    """Returns the instruction sets for network inference, slowest first.

    There may be more of them than of instruction_sets().
    """

def fill_board(width: int, height: int, games: int, seed: int = 0) -> int:
    """Plays random games that only fill the board, a baseline for the speed of playouts.

    The owner of A1 at the end wins. Returns the number of wins of the first player.
    Raises ValueError for a size out of range.
    """

def new_position(
    game: str,
    width: int,
    height: int,
    *,
    instruction_set: str | None = None,
    **options: int,
) -> Position:
    """Returns the starting position of a game.

    instruction_set: computes the position and those after it; default: the best.
    options: the values of the game's rule options, such as pie=True; those not given are 0.

    Raises ValueError for an unknown game or instruction set, a size out of range, or an option that
    the game does not have.
    """

def set_up(
    game: str,
    width: int,
    height: int,
    cells: bytes,
    to_move: int,
    *,
    swapped: bool = False,
    options: Mapping[str, int] = ...,
) -> Position:
    """Returns a set-up position; `cells` as in Position.cells(), `options` as for new_position().

    Raises ValueError for an unknown game, a size out of range, an option that the game does not
    have, or cells that are not a valid position.
    """

class Position:
    """An immutable position, with as much of its history as the rules need.

    Positions of the same cells, side to move and swap compare equal and hash alike, regardless of
    history; so a set-up position differs from one in which a swap is open or still to come.
    """

    @property
    def game(self) -> str: ...
    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...
    @property
    def options(self) -> dict[str, int]:
        """The values of the game's rule options, by name; 0 and 1 for those that are off and on."""
    @property
    def mid_turn(self) -> bool:
        """Whether the side to move is in the middle of a multi-step move."""
    @property
    def to_move(self) -> int:
        """The color to move; meaningless once the game is over."""
    @property
    def result(self) -> int | None:
        """0: black has won, 1: white has won, 2: a draw, None: not over."""
    @property
    def swapped(self) -> bool:
        """Whether the colors were reversed: white now plays the side that moved first."""
    @property
    def swap_open(self) -> bool:
        """Whether the side to move may swap instead of placing."""
    @property
    def hash128(self) -> tuple[int, int]:
        """Identity of the position among those of the same game and size."""
    @property
    def winning_chain(self) -> list[int]:
        """The winner's points that decide the game; empty until it is over.

        The stones that connect, or those around what was captured (none if a pass ended the game).
        """
    @property
    def notes(self) -> list[tuple[str, int, list[int]]]:
        """Properties that the cells do not show: a name, a color, and the points.

        `atari`: the color's stones whose group has exactly one liberty, in board order.
        `lifted`, without points: one for each stone still to be put down in this turn, in order.
        Each occurs only in games that have it.
        """
    @property
    def board(self) -> npt.NDArray[np.int8]:
        """Shape (height, width), row 0 at the bottom.

        0 empty, 1 black, 2 white, 3 and 4 their kings, 5 empty but banned for this move, -1 no
        point of the board.
        """
    def cells(self) -> bytes:
        """`board` as bytes (-1 is 255), row by row from the bottom (no numpy needed)."""
    def legal_moves(self) -> list[int]:
        """Returns the legal moves: points in board order, then SWAP or PASS. Empty at the end."""
    def is_legal(self, move: int) -> bool: ...
    def play(self, move: int) -> Position:
        """Returns the position after a move. Raises ValueError if it is not legal."""
    @property
    def plane_names(self) -> list[str]:
        """The names of the input planes of networks."""

    @property
    def symmetries(self) -> int:
        """The number of board symmetries for network input: 2, 4 or 8."""

    def shown_in(self, symmetry: int = 0) -> tuple[bool, bool, bool]:
        """Returns how a symmetry, given by number, transforms the board for network input.

        Three flags, applied in order: reflect at the diagonal, swap left and right, swap top and
        bottom. Symmetry 0 orients the board alike for both players.
        """

    def planes(self, symmetry: int = 0) -> npt.NDArray[np.uint8]:
        """Returns the input features: shape (planes, points), values from 0 to 127.

        The planes are those of plane_names, padded with empty ones to a multiple of four. Points
        are in rows from the bottom of the board as transformed by shown_in(symmetry).
        """

    def evaluate(
        self, network: Network, symmetry: int = 0, *, instruction_set: str | None = None
    ) -> tuple[float, list[float], list[list[float]]]:
        """Returns a network's evaluation for the player to move.

        The winrate; a prior for each move of legal_moves(), in its order; by row and column, the
        probability of owning each point at the end. symmetry: as in shown_in(). instruction_set:
        one of inference_instruction_sets(); default: the fastest for the position's own. Raises
        ValueError if the network does not fit.
        """

    def evaluate_often(self, network: Network, count: int, *, instruction_set: str) -> None:
        """Evaluates the position `count` times and discards the results, for benchmarks.

        instruction_set: one of inference_instruction_sets(). Raises ValueError if the network
        does not fit.
        """

    def perft(
        self,
        depth: int,
        distinct: bool = False,
        *,
        memory_mb: int = ...,
        should_stop: Callable[[], bool] | None = None,
    ) -> int | None:
        """Counts sequences of `depth` turns, or distinct positions after 1 to `depth` turns.

        Returns None if stopped by `should_stop()`, polled every millisecond. Raises MemoryError if
        the distinct positions take more than `memory_mb`, ValueError for a depth beyond 0 to 1000.
        """
    def playouts(self, count: int, seed: int = 0) -> npt.NDArray[np.int16]:
        """Plays uniformly random games from here; shape (count, 4), one row per game.

        There are no rows if the game is over here.
        Columns: first placement (a move; SWAP + 1 if there is none), moves made (a swap is one),
        result (0, 1, 2 as in `result`), 1 if a swap was made in the playout or before.
        """

class PositionBatch:
    """Games of one kind and size side by side, all from one position.

    Moves are actions: a point is y * width + x; a pass and a swap follow the points. Raises
    ValueError for a count of 0.
    """

    def __init__(self, start: Position, count: int) -> None: ...
    def __len__(self) -> int: ...
    @property
    def actions(self) -> int:
        """The number of actions: points + 2."""
    def position(self, game: int) -> Position:
        """Returns a game's position. Raises IndexError."""
    def set(self, game: int, position: Position) -> None:
        """Replaces a position. Raises IndexError, and ValueError for another game or size."""
    def play(self, actions: npt.NDArray[np.int64]) -> None:
        """Makes a move in each game, except where the action is -1.

        Raises ValueError for one that is not legal; then nothing has changed.
        """
    def legal_actions(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
        """Returns the legal actions of all games, one after the other, and where each game's begin.

        Shapes (actions,) and (games + 1,): the last entry of the second is the end.
        """
    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Shape (games, actions)."""
    def cells(self) -> npt.NDArray[np.int8]:
        """Shape (games, height, width), row 0 at the bottom; values as in Position.board."""
    def to_move(self) -> npt.NDArray[np.int8]:
        """Shape (games,): the color to move; meaningless once a game is over."""
    def results(self) -> npt.NDArray[np.int8]:
        """Shape (games,): 0 black has won, 1 white has won, 2 a draw, 3 not over."""

class Proof(Enum):
    """A proven result of a move or a position, from its player's perspective."""

    UNKNOWN = 0
    WIN = 1
    LOSS = 2
    DRAW = 3

class Choice:
    """A move at the root of a search."""

    @property
    def move(self) -> int: ...
    @property
    def visits(self) -> int: ...
    @property
    def winrate(self) -> float | None:
        """The winrate in [0, 1] of the player of the move; 1, 0 or 0.5 once proven.

        None if it is neither visited nor proven. A swap is evaluated with the position.
        """
    @property
    def proof(self) -> Proof: ...
    @property
    def distance(self) -> int:
        """Moves to the proven end, this one included; 0 while nothing is proven."""
    @property
    def amaf(self) -> float:
        """The all-moves-as-first winrate: over simulations with the move at any time."""
    @property
    def prior(self) -> float:
        """The evaluator's prior in [0, 1]; 0 if it has no priors."""
    @property
    def line(self) -> list[int]:
        """The principal variation; it begins with this move."""
    @property
    def line_visits(self) -> list[int]:
        """The visits of each move of the line; empty if the search has no tree (alpha-beta)."""

class Report:
    """Search results at the root."""

    @property
    def choices(self) -> list[Choice]:
        """Best first."""
    @property
    def winrate(self) -> float | None:
        """The winrate in [0, 1] of the side to move, or None before the first visit.

        That of the best move, or the mean of all visits if that has too few.
        """
    @property
    def visits(self) -> int: ...
    @property
    def nodes(self) -> int:
        """Moves of the tree's positions in memory, or entries of the table, 16 bytes each.

        A move takes 33 bytes with playouts, and 5 to 7 on average with a network.
        """
    def calibrated(self, slope: float) -> Report:
        """Returns the report with calibrated winrates.

        Their log odds are multiplied by `slope`, which was fitted to game results. This leaves
        proven values (1, 0 and 1/2) unchanged. The prior of a swap stays its winrate.
        """

class Network:
    """The weights of a network, ready for inference. Raises ValueError for an invalid one.

    planes: the names of its input planes, in its order; games may have more.
    """

    def __init__(
        self,
        *,
        planes: Sequence[str],
        channels: int,
        blocks: int,
        head: int,
        hidden: int,
        weights: bytes,
    ) -> None: ...

class SearchOption:
    """A number, or a switch (0 or 1), that tunes Monte-Carlo tree search."""

    @property
    def name(self) -> str: ...
    @property
    def default(self) -> float | None:
        """The default, or None: the value tuned for the game's playouts."""
    @property
    def min(self) -> float: ...
    @property
    def max(self) -> float: ...
    @property
    def help(self) -> str: ...

def search_options() -> list[SearchOption]:
    """Returns the options of Search."""

class Search:
    """A search. Raises MemoryError if `memory_mb` cannot be reserved, ValueError if invalid.

    Other threads may call report() and ownership() at any time, but advance() and run() only one
    at a time. Each raises MemoryError if memory runs out; the search stays usable.

    method: `tree`, Monte-Carlo tree search, or `alpha-beta`, which only some games have. The latter
        uses only `memory_mb`: its visits are positions searched, its winrates come from scores, and
        its results are stored in a transposition table.
    network: the evaluator; None for random playouts. Raises ValueError if it does not fit.
    options: those of search_options() by name; None for the default. Raises ValueError for an
        unknown name or a value out of range.
    """

    def __init__(
        self,
        position: Position,
        *,
        method: str = ...,
        memory_mb: int = ...,
        network: Network | None = None,
        **options: float | None,
    ) -> None: ...
    def advance(self, move: int) -> None:
        """Makes the position after a legal move the root and keeps its subtree.

        Raises ValueError if it is not legal. Nothing changes if it raises.
        """
    def run(
        self,
        seconds: float,
        visits: int,
        threads: int,
        seed: int,
        should_stop: Callable[[], bool] | None = None,
        allowed: Sequence[int] = (),
    ) -> bool:
        """Searches until a limit is met, the root is proven or `should_stop()` is true.

        Returns whether the search is over; False if only the seconds have run out.

        visits: of the root. Those kept from earlier searches count, except those of moves that
            were already proven to lose, or not allowed, when this root was first searched for
            these moves. The limit is exceeded only while every visited move is proven to lose.
            Alpha-beta search keeps visits from one step of a turn to the next only.
        should_stop: polled every millisecond.
        allowed: the only moves to search and report at the root; default: all.

        Interrupts (Ctrl-C) pass through as KeyboardInterrupt. With one thread the same calls with
        the same seeds and visits give the same tree.

        Raises ValueError for a move that is not legal, or invalid limits, such as more than
        MAX_THREADS threads; the search stays usable.
        """
    def ownership(self, seed: int, simulations: int) -> list[float]:
        """Returns the expected ownership by simulations that do not change the tree.

        One number per point, indexed like moves (STRIDE * STRIDE of them): the mean of 1 for a
        black stone and -1 for a white one, after a swap if that is the better choice.
        """
    def report(self) -> Report: ...

class Solution:
    """A solver result."""

    @property
    def value(self) -> Proof:
        """The value for the color to move."""
    @property
    def line(self) -> list[int]:
        """Best play, step by step; empty if the value is unknown.

        It reaches the end of the game unless memory has lost the rest; for a draw, it may end at a
        repetition.
        """
    @property
    def nodes(self) -> int:
        """Positions expanded."""
    @property
    def proof_numbers(self) -> tuple[int, int]:
        """The remaining effort to prove a win of the color to move, and to disprove it.

        0 if proven, 2**32 - 1 if ruled out. If only a win is ruled out, the second is for a win of
        the other color, so both are 2**32 - 1 for a draw.
        """

class Solver:
    """An exact solver that keeps its proofs from one position to the next.

    network: guides the search; None for heuristics that are quick to compute. threads: they share
    the memory; with more than one nodes and line vary from run to run, values do not. Raises
    ValueError if the network does not fit the game or for `threads` out of range, MemoryError if
    `memory_mb` cannot be reserved; it takes a few MB more per thread at most.
    """

    def __init__(
        self,
        position: Position,
        *,
        memory_mb: int = ...,
        network: Network | None = None,
        threads: int = 1,
    ) -> None: ...
    def attach(self, memory: memoryview) -> None:
        """Keeps the solver's table in a writable buffer of bytes instead of private memory.

        Uses the proofs that another solver of the same game, size and options stored there; zeroed
        memory is empty, and damaged entries are ignored. The solver keeps the buffer alive. If it
        maps a file, truncating the file would kill the process. Not while solve() runs.
        Raises ValueError for less than 128 bytes or memory not aligned to 64.
        """
    @property
    def nodes(self) -> int:
        """Positions expanded since `solve()` was called; may be read while it runs."""
    @property
    def proof_numbers(self) -> tuple[int, int]:
        """The proof and disproof numbers of solve(); may be read while it runs.

        The goal is to prove that the color to move can force a win, and if it cannot, that the
        other color can.
        """
    def solve(
        self,
        position: Position,
        seconds: float = ...,
        should_stop: Callable[[], bool] | None = None,
        *,
        nodes: int | None = None,
        turns: int | None = None,
    ) -> Solution:
        """Solves a position of the same game, size and options, including its history.

        The value is unknown if not found within `seconds` or `nodes` expanded positions (default:
        no limits), or before `should_stop()`, polled every few milliseconds, is true. With one
        thread a limit of nodes gives the same result every time; the line is not counted in it.
        turns: of the line at most (default: to the end of the game); a short line saves time.
        Interrupts (Ctrl-C) pass through as KeyboardInterrupt. Raises ValueError for a position of
        another kind, or if the game is over.
        """
