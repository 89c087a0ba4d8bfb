"""The compiled core: exact rules, random playouts and tree search.

Moves are small integers: a point is y * STRIDE + x with x and y counted from the lower left corner
(A1 is 0); PASS and SWAP stand behind the points. In some games a turn has several parts, each of
which is a move here. Colors are 0 (black) and 1 (white).
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
    """The instruction sets this build has code for and this machine can run, plainest first."""

def inference_instruction_sets() -> list[str]:
    """Likewise those for networks, which may be more."""

def fill_board(width: int, height: int, games: int, seed: int = 0) -> int:
    """Plays random games of a game that only fills the board; playouts are measured beside them.

    Who owns the point A1 in the end has won: returns how many games the side won that moved first.
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
    """The starting position of a game, computed with an instruction set (default: the best).

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
    """A position set up by hand; `cells` as in Position.cells(), `options` as for new_position().

    Raises ValueError for an unknown game, a size out of range, an option that the game does not
    have, or cells that make no position.
    """

class Position:
    """An immutable position, with as much of its past as the rules ask for.

    Positions of the same cells, side to move and swap compare equal and hash alike, whatever went
    before them; so a set-up position differs from one in which a swap is open or still to come.
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
        """Whether the side to move has made a part of its turn and has to go on."""
    @property
    def to_move(self) -> int:
        """The color to move; what a finished game says here means nothing."""
    @property
    def result(self) -> int | None:
        """0: black has won, 1: white has won, 2: a draw, None: the game goes on."""
    @property
    def swapped(self) -> bool:
        """Whether the colors were exchanged: white now plays the side that moved first."""
    @property
    def swap_open(self) -> bool:
        """Whether the side to move may swap instead of placing."""
    @property
    def hash128(self) -> tuple[int, int]:
        """Identity of the position among those of the same game and size."""
    @property
    def winning_chain(self) -> list[int]:
        """The winner's points that decide the game; empty while it goes on.

        The stones that connect, or those around what was captured (none if a pass ended the game).
        """
    @property
    def notes(self) -> list[tuple[str, int, list[int]]]:
        """What the game tells beyond the cells: a name, a color, and the points it is about.

        `atari`: the color's stones whose group has exactly one liberty, in board order.
        `lifted`, without points: a stone still to be put down in this turn; these are in order.
        Each only in games that have such a thing.
        """
    @property
    def board(self) -> npt.NDArray[np.int8]:
        """Shape (height, width), row 0 at the bottom.

        0 empty, 1 black, 2 white, 3 and 4 their kings, 5 empty but banned for this move, -1 no
        point of the board.
        """
    @property
    def legal_mask(self) -> npt.NDArray[np.bool_]:
        """Shape (height, width), row 0 at the bottom: points the side to move may play."""
    def cells(self) -> bytes:
        """`board` as bytes (-1 is 255), row by row from the bottom (no numpy needed)."""
    def legal_moves(self) -> list[int]:
        """All legal moves: points in board order, then SWAP or PASS. Empty after the end."""
    def is_legal(self, move: int) -> bool: ...
    def play(self, move: int) -> Position:
        """The position after a move. Raises ValueError if it is not legal."""
    @property
    def plane_names(self) -> list[str]:
        """The names of the input planes of networks."""

    @property
    def symmetries(self) -> int:
        """In how many ways a network may be shown the board: 2, 4 or 8."""

    def shown_in(self, symmetry: int = 0) -> tuple[bool, bool, bool]:
        """How a network is shown the board in one of its symmetries, by number.

        Whether it is first reflected at its diagonal, then left and right exchanged, and then top
        and bottom. Symmetry 0 turns it so that both players see it alike.
        """

    def planes(self, symmetry: int = 0) -> npt.NDArray[np.uint8]:
        """What a network sees, uint8 [planes, points]: values from 0 to 127.

        Empty planes follow those of plane_names, up to a multiple of four.
        The points of the board, turned by shown_in(symmetry), follow in rows from the bottom.
        """

    def evaluate(
        self, network: Network, symmetry: int = 0, *, instruction_set: str | None = None
    ) -> tuple[float, npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """What a network says for the player to move.

        The chance to win; float32 [legal moves], a prior for each in the order of legal_moves();
        float32 [height, width], the chance to own each point at the end. symmetry: of the board, as
        in shown_in(). instruction_set: one of inference_instruction_sets(); none: the fastest there
        is for the position's own. Raises ValueError where the network does not fit.
        """

    def evaluate_often(self, network: Network, count: int, *, instruction_set: str) -> None:
        """Asks a network so many times what it says, and forgets it: for measurements.

        instruction_set: one of inference_instruction_sets(). Raises ValueError where the network
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

        None if `should_stop()`, asked every millisecond, said so. Raises MemoryError if the
        distinct positions take more than `memory_mb`, ValueError for a depth beyond 0 to 1000.
        """
    def playouts(self, count: int, seed: int = 0) -> npt.NDArray[np.int16]:
        """Plays uniformly random games from here; shape (count, 4), one row a game.

        No row if the game is over here.
        Columns: first placement (a move; SWAP + 1 if there is none), moves made (a swap is one),
        result (0, 1, 2 as in `result`), 1 if a swap was made in it or before.
        """

class Proof(Enum):
    """What is known for certain about a move or a position, for its player."""

    UNKNOWN = 0
    WIN = 1
    LOSS = 2
    DRAW = 3

class Choice:
    """One move at the root of a search."""

    @property
    def move(self) -> int: ...
    @property
    def visits(self) -> int: ...
    @property
    def winrate(self) -> float | None:
        """In [0, 1] for the player who makes the move; 1, 0 or 0.5 once proven.

        None while nobody has evaluated it: it was not visited, and nothing is proven. A swap is
        evaluated with the position.
        """
    @property
    def proof(self) -> Proof: ...
    @property
    def distance(self) -> int:
        """Moves to the proven end, this one included; 0 while nothing is proven."""
    @property
    def amaf(self) -> float:
        """All-moves-as-first winrate: that of simulations that made the move at any time."""
    @property
    def prior(self) -> float:
        """In [0, 1]: how promising the evaluator found the move; 0 if it has no priors."""
    @property
    def policy_target_visits(self) -> int:
        """For learning: visits without forced ones, and none of a move that is proven to lose."""
    @property
    def line(self) -> list[int]:
        """The principal variation; it begins with this move."""

class Report:
    """What a search knows about its root."""

    @property
    def choices(self) -> list[Choice]:
        """Best first."""
    @property
    def winrate(self) -> float | None:
        """In [0, 1] for the side to move: the best move's, or where too little is known of that,
        the mean of all visits of the root; None before the first.
        """
    @property
    def visits(self) -> int: ...
    @property
    def nodes(self) -> int:
        """Nodes of the tree in memory, 32 bytes each, or entries of the table, 16 bytes each."""
    def calibrated(self, slope: float) -> Report:
        """The report with win rates as they come true.

        As logarithms of odds they are multiplied by `slope`, which was fitted to results of games.
        That leaves those alone that are proven: 1, 0 and 1/2.
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
        """None: as the game's random playouts were tuned."""
    @property
    def min(self) -> float: ...
    @property
    def max(self) -> float: ...
    @property
    def help(self) -> str: ...

def search_options() -> list[SearchOption]:
    """Returns the options of Search."""

class Search:
    """A search. Raises MemoryError if `memory_mb` cannot be reserved, ValueError for nonsense.

    Other threads may call report() and ownership() at any time, but advance() and run() only one
    at a time. Each raises MemoryError if the system refuses memory; the search can go on then.

    method: `tree`, Monte-Carlo tree search, or `alpha-beta`, which only some games have. The latter
        uses only `memory_mb`: its visits are positions searched, its winrates come from scores, and
        what it knows lies in a transposition table.
    network: the evaluator; None for random playouts. Raises ValueError where it does not fit.
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
        """Makes the position after a legal move the root and keeps what is known below it.

        Raises ValueError if it is not legal. Nothing has changed where it raises.
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
        """Searches until a limit is met, the root is proven or `should_stop()` says so.

        Returns whether the search is over. If it is not, only its seconds are.

        `allowed`, unless empty, are the only moves looked at and reported at the root.

        `visits` counts those kept from earlier searches, but for those of moves that were proven
        to lose by then or are not allowed now; it is exceeded only until a move has been visited
        that is not proven to lose. `should_stop` is asked every
        millisecond. Interrupts (Ctrl-C) pass through as KeyboardInterrupt. With one thread the
        same calls with the same seeds and visits give the same tree.

        Raises ValueError for a move that is not legal, or limits that make no sense, such as more
        than MAX_THREADS threads; the search can go on then.
        """
    def ownership(self, seed: int, simulations: int) -> list[float]:
        """How games from the root end, by simulations that leave the tree as it is.

        One number per point, indexed like moves (STRIDE * STRIDE of them): the mean of 1 for a
        stone of the side that moved first and -1 for the other's. A swap does not change it.
        """
    def report(self) -> Report: ...

class Solution:
    """What a solver found out about a position."""

    @property
    def value(self) -> Proof:
        """For the color to move."""
    @property
    def line(self) -> list[int]:
        """Best play, parts of turns one by one; empty if the value is unknown.

        To the end of the game as far as memory kept it; a draw may end where a position comes up
        again.
        """
    @property
    def nodes(self) -> int:
        """Positions whose moves were looked at."""

class Solver:
    """Solves positions exactly, and remembers what it proved from one to the next.

    network: guides it to what looks promising; None for what is quick to compute. Raises ValueError
    where the network does not fit the game, MemoryError if `memory_mb` cannot be reserved; it does
    not take more.
    """

    def __init__(
        self, position: Position, *, memory_mb: int = ..., network: Network | None = None
    ) -> None: ...
    @property
    def nodes(self) -> int:
        """Positions whose moves were looked at since `solve()` was called, while it works too."""
    def solve(
        self,
        position: Position,
        seconds: float = ...,
        should_stop: Callable[[], bool] | None = None,
    ) -> Solution:
        """The value of a position of the same game, size and options, with the past it has.

        It is unknown if it is not found within `seconds` (default: without limit), or before
        `should_stop()`, asked every few milliseconds, says so. Interrupts (Ctrl-C) pass through as
        KeyboardInterrupt. Raises ValueError for a position of another kind, or if the game is over.
        """
