"""Mutation tests: reports small changes of the program that no test notices.

    python tests/long/mutants.py                        every subject, one mutant per place
    python tests/long/mutants.py session sprt           some subjects
    python tests/long/mutants.py reading --most 60      at most 60 mutants per subject, at random
    python tests/long/mutants.py stream --show          lists the mutants without testing them

cosmic-ray (`pip install -e '.[mutants]'`) makes the mutants: comparisons, and/or, off-by-one
numbers, arithmetic, loops that never run, missing decorators and the like. A forked process imports
each instead of its module and runs the subject's own tests; no file is changed. Equivalent mutants
are skipped: in types, which are never evaluated, `is` for `==`, order for `is`, caches, `frozen`
and `slots`.
SURVIVORS lists those that no test can notice, each with its reason.
"""

import argparse
import ast
import importlib.abc
import importlib.machinery
import os
import random
import resource
import select
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import spec_from_loader
from itertools import islice
from pathlib import Path
from time import monotonic
from types import ModuleType

SOURCE = Path(__file__).resolve().parents[2]
MEMORY = 4 << 30  # bytes per mutant, which may never end
TIME_FACTOR = 5  # times as long as the tests take without a mutant

# Identity instead of a comparison: the same for small numbers, and wrong for others. Order instead
# of identity: the words of enumerations have one without a meaning, and other objects have none.
LEFT_OUT = (
    "_Is_Lt",
    "_Is_LtE",
    "_Is_Gt",
    "_Is_GtE",
    "Operator_Is",
    "_Eq_Is",
    "_NotEq_IsNot",
    "_Lt_Is",
    "_Lt_IsNot",
    "_LtE_Is",
    "_LtE_IsNot",
    "_Gt_Is",
    "_Gt_IsNot",
    "_GtE_Is",
    "_GtE_IsNot",
    "_Eq_IsNot",
    "_NotEq_Is",
)
Change = tuple[str, int]  # the name of an operator, and the number of its occurrence in the module
CACHES = {"cache", "cached_property", "lru_cache"}


@dataclass(frozen=True)
class Subject:
    """Modules and their tests: files, and an expression for pytest's -k."""

    modules: tuple[str, ...]
    tests: tuple[str, ...]
    only: str = ""


# Without those that play thousands of matches.
QUICK_STATISTICS = "not error_rates and not expected_end and not superiority and not cover"

SUBJECTS = {
    "session": Subject(
        ("games.session", "games.history"),
        (
            *("games/test_session", "gtp/test_game_in_progress"),
            "games/test_capture_go",
            "games/test_bushka",
            "gtp/test_gogui",
            "games/test_setup",
        ),
        "not is_quick and not in_one_line",  # durations do not depend on mutants
    ),
    "reading": Subject(
        ("records.sgf.syntax", "records.sgf.read", "records.sgf.nodes", "records.sgf.overtime"),
        tuple(
            f"records/sgf/test_{each}"
            for each in ("read", "write", "kept", "rounds", "files", "variations")
        ),
    ),
    "writing": Subject(
        ("records.sgf.write", "records.sgf.files"),
        tuple(
            f"records/sgf/test_{each}"
            for each in ("read", "write", "rounds", "files", "variations", "kept", "viewers")
        ),
    ),
    "clock": Subject(
        ("base.clock",),
        (
            *("base/test_clock", "base/test_time_texts"),
            *("match/test_timekeeper", "player/test_settings"),
        ),
    ),
    "referee": Subject(("match.playing.referee",), ("match/test_referee", "match/test_timekeeper")),
    "rating": Subject(
        ("base.ratings", "base.intervals"),
        ("base/test_ratings", "base/test_intervals"),
        QUICK_STATISTICS,
    ),
    "sprt": Subject(("match.results.sprt",), ("match/test_sprt",), QUICK_STATISTICS),
    "plan": Subject(
        ("match.plan", "match.plan_file", "match.option_types"),
        ("match/test_plan", "match/test_schedule", "match/test_plan_file"),
    ),
    "stream": Subject(("gtp.input",), ("gtp/test_input",)),
    "notation": Subject(
        ("games.notation", "games.bushka"),
        (
            "games/test_notation",
            "games/test_bushka_notation",
            "games/test_bushka",
            "gtp/test_game_in_progress",
            "records/sgf/test_read",
            "records/sgf/test_write",
        ),
    ),
}


@dataclass(frozen=True)
class Mutant:
    """A module with one change."""

    module: str
    line: int
    before: str
    after: str
    source: str

    @property
    def place(self) -> str:
        return f"{self.module}: {self.before}"


# Lines whose mutants may live, each with the reason; by module and text, so that they are found
# wherever the line is.
ANY_SIZE = "a buffer size: any similar one will do"
A_CHOICE = "a default or a limit: any similar one will do"
NEVER_EQUAL = "doubles computed so differently are never equal"
SLOW_TEST = "test_forecast_agrees_with_simulation, which is slow, notices it"
NO_HIGHER = "no move has a higher code"
MORE_STEPS = "one step more or less changes nothing"
SURVIVORS = {
    "gtp.input: CHUNK = 1 << 16": ANY_SIZE,
    "gtp.input: LINE_COST = 64": ANY_SIZE,
    "base.ratings: return _ratio(weights, total, _tilt(weights, tilt)) <= limit": NEVER_EQUAL,
    "base.ratings: for _ in range(1000):": MORE_STEPS,
    "base.ratings: if np.abs(step).max() < 1e-10:": MORE_STEPS,
    "base.ratings: break": MORE_STEPS,
    "base.ratings: ratings += step / max(1.0, float(np.abs(step).max()))  # Newton's, at most one"
    " unit": MORE_STEPS,
    "base.ratings: return float(mean > 0.5)": "0.5 is answered before",
    "base.ratings: return np.asarray(mean > 0)": NEVER_EQUAL,
    "base.ratings: _MOST_TILT = 40.0  # odds of e**40 to 1, which are certain in double"
    " precision": A_CHOICE,
    "base.ratings: _STEPS = 50  # of bisections and iterations, more than double precision"
    " needs": MORE_STEPS,
    "base.intervals: if freedom == 1:": "it is never less",
    "base.intervals: if freedom == 2:": "1 is answered before",
    "base.intervals: inverse = np.divide(1, freedom, out=np.full_like(freedom, np.inf),"
    " where=freedom > 0)": "1 / 0 is infinite, too",
    "base.intervals: if expected <= 0:": "it is never negative",
    "base.ratings: return weights(_last(is_less, np.asarray(-100.0), np.asarray(100.0)))": A_CHOICE,
    "base.ratings: if np.abs(distribution - last).max(initial=0) < 1e-9:": MORE_STEPS,
    "base.ratings: errors = np.where(deviations > 1e-12, deviations / np.sqrt(total), np.inf)": (
        NEVER_EQUAL
    ),
    "base.ratings: information = np.diag(variance.sum(axis=1) + prior * alone * (1 -"
    " alone)) - variance": "rows and columns have the same sums",
    "match.results.sprt: _OVERSHOOT = 0.583  # mean excess of a sum beyond the bound that it"
    " crosses, in step deviations": SLOW_TEST,
    "match.results.sprt: beyond = _OVERSHOOT * math.sqrt(variance)": SLOW_TEST,
    "match.results.sprt: if pull > 0:": "both formulas agree; far from 0 one would overflow",
    "match.results.sprt: variance = float(weights @ (steps - drift) ** 2)": SLOW_TEST,
    "match.results.sprt: LEAST = 10  # minimum outcomes (pairs of games) for a verdict": A_CHOICE,
    "gtp.input: return self._interrupts > 0 or (self._answers is not None and"
    " is_broken(self._answers))": "it is never negative",
    "games.history: same_turn: bool = False": "every part of the program gives it",
    "games.session: MOST_MOVES = 10_000": ANY_SIZE,
    "games.session: if not rest or not texts:": "gtp/test_analysis notices it",
    "games.session: if at == 0:": "it is never negative",
    "games.session: if made == 0:": "it is never negative",
    "games.session: rest = _rest_of_turn(before, moves) if number == len(turns) else ()": "it is"
    " never more",
    "games.session: if not (0 <= x < position.width and 0 <= y < position.height):": "neither is"
    " negative",
    'games.session: why = f": {game.refusal}" if cell == 0 and game.refusal else " cannot be moved'
    ' to"': "the other cells are answered before",
    'games.session: known = "1 move was" if made == 1 else f"{made} moves were"': "0 is answered"
    " before",
    "games.session: cells = zip(turn.before.cells(), turn.after.cells(), strict=True)": "both have"
    " the same points; strict checks it",
    "records.sgf.read: except ValueError as error:": "only options that are"
    " numbers can be invalid, and no game has one",
    "records.sgf.read: if count > first:": "it is never less",
    "records.sgf.read: SETS_UP = BOARD | {KINGS_ARE, BANS}": "they share none",
    "records.sgf.nodes: width, height = int(match[1]), int(match[2] or match[1])": "match[0] is the"
    " same in that case",
    "match.playing.referee: self._is_swap = moves == (SWAP,)": NO_HIGHER,
    "games.notation: if move == SWAP:": NO_HIGHER,
    "games.notation: return SWAP if move == PASS and position.swap_open else move": "the only"
    " higher one is the swap",
    "games.session: if move == SWAP:": NO_HIGHER,
    "games.session: if turn.after_end or not turn.moves or turn.moves[0] in (PASS, SWAP):": "both"
    " are single",
    "games.session: if len(entries) > 1 and entries[-1].position.mid_turn:": "it is never empty",
    "records.sgf.syntax: MAX_NODES = 5 * MOST_MOVES  # of a game, with variations and setup": (
        ANY_SIZE
    ),
    "match.playing.referee: SOLVER_MB = 128": ANY_SIZE,
    "match.plan_file: for number, (one, other) in enumerate(zip(ours, theirs, strict=True),"
    " 1):": "equal lengths; strict checks it",
    "match.plan: SECONDS,": A_CHOICE,
    'match.plan: SECONDS, 600.0, "seconds for a move without a clock", group=ENGINES,'
    ' metavar="S"': A_CHOICE,
    "match.plan: if self.sprt and len(names) > 2:": "fewer are refused before",
    "match.plan: if names.count(name) > 1:": "it is among them",
    "base.clock: LAG_BUFFER = 0.1": A_CHOICE,
    "base.clock: _MOST_COUNT = 10**9": A_CHOICE,
    'base.clock: UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "": 1.0}': (
        "base/test_options notices it"
    ),
    "base.clock: _MOST_SECONDS = 1e9": A_CHOICE,
    "base.clock: overtime = self.period > 0": "it is never negative",
    "base.clock: if clock.overtime_count == 0:": "it is never negative",
    "base.clock: if left <= 0 and count == 0 and control.period:": "it is never negative",
    "base.clock: left, count = (control.period - used, count - int(lost) - 1) if more else (0.0,"
    " 1)": "less than 0 counts as 0",
    "base.clock: if clock.overtime_count == 1:": "0 is answered before",
    "base.clock: if overtime != (self.stones + self.periods > 0) or (self.stones and"
    " self.periods):": "!= is > here: neither is negative",
    "base.clock: control = cls.canadian(main, byo_time, byo_stones or 1)": "any stones suffice to"
    " check the rest",
    "base.clock: return self.left <= 0": "no clock has less",
    "games.bushka: _NO_SQUARE = -1": "a1, the code 0, is not a square either",
    "games.bushka: multi_part = True": "records/sgf/test_rounds notices it",
    "games.bushka: return [squares] if position.is_legal(squares[0]) else []": "it is the only one",
    "games.bushka: if victims is None and (position.mid_turn or len(squares) > 2):": "one alone is"
    " answered before",
    "games.bushka: if len(matches) == 1:": "it is never empty",
    "games.bushka: return matches[0]": "it is the only one",
    "games.bushka: rivals = [other for other in turns if (other.origin, other.target) =="
    " squares]": "other squares have other texts",
    "games.bushka: distance = abs(to_x - x) + abs(to_y - y)": "one of them is 0 where it matters",
    "match.option_types: _NUMBER = Float(-1e9, 1e9)": A_CHOICE,
    "match.option_types: _MOVES = Int(1, 2**63)": A_CHOICE,
    "match.option_types: _SECONDS = Float(0, 1e9)": A_CHOICE,
    "match.option_types: _COUNT = Int(0, 10**9)": A_CHOICE,
    "match.option_types: return isinstance(value, list | tuple) and len(value) == 2": "unpacking"
    " refuses others alike",
    "records.sgf.write: return [branches[0]]": "it is the only one",
    "records.sgf.write: if as_placed == as_in_go == after:": "a shortcut",
    'records.sgf.write: handicap = 0 if setup["AW"] or start.to_move == Color.BLACK else'
    ' len(setup["AB"])': "handicaps begin at 2, and no color is less than black",
    "games.bushka: if turns[0].taken:": "all turns take, or none does",
    'games.bushka: kind = "a phalanx capture" if turns[0].by_phalanx else "a capture"': "all turns"
    " are by phalanxes, or none is",
    "games.bushka: taken = frozenset(point for at, point in enemies if left[at] == 0)": "it is"
    " never negative",
    "games.bushka: if len(name) > 2 or name[0] not in LETTERS:": "none is shorter",
    "games.bushka: if (x != to_x and y != to_y) or distance < 2:": "no squares on crooked lines",
}


# --- mutants


def mutants(name: str, most: int, every: bool, rng: random.Random) -> list[Mutant]:
    """Returns a subject's mutants: one per place and kind of change, or all."""
    places = [
        (module, changes)
        for module in SUBJECTS[name].modules
        for changes in places_of(source_of(module))
    ]
    rng.shuffle(places)
    found = list[Mutant]()
    for module, changes in places:
        rng.shuffle(changes)
        made = made_of(module, changes)
        found.extend(made if every else islice(made, 1))
        if len(found) >= most:
            break
    return sorted(found[:most], key=lambda each: (each.module, each.line))


def source_of(module: str) -> str:
    return (SOURCE / "pinchtp" / (module.replace(".", "/") + ".py")).read_text("utf-8")


def places_of(text: str) -> list[list[Change]]:
    """Returns the possible changes, grouped by place and kind."""
    from cosmic_ray.ast import ast_nodes, get_ast  # noqa: PLC0415  (it may be missing)
    from cosmic_ray.plugins import get_operator, operator_names  # noqa: PLC0415

    nodes = list(ast_nodes(get_ast(text)))
    places = dict[object, list[Change]]()
    for name in sorted(operator_names()):
        operator = get_operator(name)
        if operator.arguments() or name.endswith(LEFT_OUT):
            continue
        positions = [place for node in nodes for place in operator().mutation_positions(node)]
        for occurrence, place in enumerate(positions):
            kind = name.partition("_")[0]
            places.setdefault((kind, place), []).append((name, occurrence))
    return list(places.values())


def made_of(module: str, changes: list[Change]) -> Iterator[Mutant]:
    """Yields the mutants that are not equivalent to the module."""
    from cosmic_ray.mutating import mutate_code  # noqa: PLC0415  (it may be missing)
    from cosmic_ray.plugins import get_operator  # noqa: PLC0415

    text = source_of(module)
    for name, occurrence in changes:
        changed = mutate_code(text, get_operator(name)(), occurrence)
        if changed is not None and meaning(changed) != meaning(text):
            yield mutant(module, text, changed)


def mutant(module: str, text: str, changed: str) -> Mutant:
    """Returns a mutant, described by its first line that differs or is missing."""
    old = text.split("\n")
    new = changed.split("\n")
    pairs = enumerate(zip(old, new, strict=False))
    at = next((at for at, (before, after) in pairs if before != after), len(new))
    if len(new) < len(old):  # a decorator is missing, perhaps with the empty line above it
        at = next(each for each in range(at, len(old)) if old[each])
        if old[at].lstrip().startswith("@"):
            return Mutant(module, at + 1, old[at].strip(), "nothing", changed)
    return Mutant(module, at + 1, old[at].strip(), new[at].strip(), changed)


class _Normalizer(ast.NodeTransformer):
    """Removes types, caches, frozen and slots, and replaces `is` by ==."""

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        node.decorator_list = [each for each in node.decorator_list if not _caches(each)]
        return self.generic_visit(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST | None:
        """Drops protocols, which are types."""
        is_type = any(isinstance(each, ast.Name) and each.id == "Protocol" for each in node.bases)
        return None if is_type else self.generic_visit(node)

    def visit_keyword(self, node: ast.keyword) -> ast.AST | None:
        return None if node.arg in ("frozen", "slots") else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> ast.AST | None:
        checking = isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        return None if checking else self.generic_visit(node)

    def visit_Is(self, node: ast.Is) -> ast.AST:
        return ast.Eq()

    def visit_IsNot(self, node: ast.IsNot) -> ast.AST:
        return ast.NotEq()


def _caches(decorator: ast.expr) -> bool:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(called, ast.Name) and called.id in CACHES


@lru_cache(16)
def meaning(text: str) -> str:
    try:
        return ast.dump(_Normalizer().visit(ast.parse(text)))
    except SyntaxError:
        return "invalid"


# --- whether tests notice them


class Replacing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports a mutant instead of its module."""

    def __init__(self, module: str, source: str) -> None:
        self.name = f"pinchtp.{module}"
        self.source = source
        self.path = str(SOURCE / "pinchtp" / (module.replace(".", "/") + ".py"))

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        return spec_from_loader(name, self, origin=self.path) if name == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        module.__file__ = self.path
        exec(compile(self.source, self.path, "exec"), module.__dict__)


def prepare() -> None:
    """Imports modules that no mutant replaces, once for all forked processes."""
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # threads do not survive a fork
    import hypothesis  # noqa: PLC0415  (needed for tests, not for --show)
    import jinja2  # noqa: F401, PLC0415
    import numpy  # noqa: F401, PLC0415
    import pyparsing  # noqa: F401, PLC0415
    import pytest  # noqa: F401, PLC0415
    import rich.console  # noqa: F401, PLC0415

    import pinchtp._core  # noqa: F401, PLC0415

    hypothesis.settings.register_profile("mutants", database=None, deadline=None, derandomize=True)
    hypothesis.settings.load_profile("mutants")


def passes(subject: Subject, changed: Mutant | None, seconds: float) -> bool:
    """Whether the subject's tests pass in a forked process within some seconds."""
    child = os.fork()
    if not child:
        _become(subject, changed, int(seconds))
    end = monotonic() + seconds
    descriptor = os.pidfd_open(child)
    try:
        select.select([descriptor], [], [], max(0.0, end - monotonic()))
    finally:
        os.close(descriptor)
        try:
            os.killpg(child, signal.SIGKILL)
        except ProcessLookupError:
            os.kill(child, signal.SIGKILL)
    return os.waitpid(child, 0)[1] == 0


def _become(subject: Subject, changed: Mutant | None, seconds: int) -> None:
    """Runs the forked process; does not return."""
    status = 1
    try:
        os.setsid()
        os.chdir(SOURCE)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3) if changed else range(1):
            os.dup2(nothing, stream)
        if changed:
            sys.meta_path.insert(0, Replacing(changed.module, changed.source))
        import pytest  # noqa: PLC0415

        files = [str(SOURCE / "tests" / f"{name}.py") for name in subject.tests]
        options = ["-x", "-q", "--assert=plain", "-m", "not slow and not nightly", "--durations=0"]
        plugins = ["-p", "no:xdist", "-p", "no:cacheprovider", "-p", "no:timeout"]
        only = ["-k", subject.only] if subject.only else []
        status = int(pytest.main([*options, *plugins, *only, *files]))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        os._exit(status)


def hunt(name: str, most: int, every: bool, seed: int) -> tuple[int, list[Mutant]]:
    """Returns the number of mutants tried, and those that live."""
    subject = SUBJECTS[name]
    rng = random.Random(seed)
    chosen = mutants(name, most, every, rng)
    start = monotonic()
    if not passes(subject, None, 600):
        raise SystemExit(f"the tests of {name} fail without a mutant")
    seconds = monotonic() - start
    living = []
    for mutant in chosen:
        if passes(subject, mutant, 10 + TIME_FACTOR * seconds):
            living.append(mutant)
            note = SURVIVORS.get(mutant.place, "NO TEST NOTICES IT")
            print(f"{mutant.module}:{mutant.line}: {mutant.before}\n  -> {mutant.after}\n  {note}")
            sys.stdout.flush()
    return len(chosen), living


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("subjects", nargs="*", help="among " + ", ".join(SUBJECTS))
    parser.add_argument("--most", type=int, default=10**9, help="mutants of a subject")
    parser.add_argument("--every", action="store_true", help="every mutant of each place")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="list the mutants without testing them")
    options = parser.parse_args()
    if unknown := set(options.subjects) - set(SUBJECTS):
        parser.error(f"no such subject: {', '.join(sorted(unknown))}")
    names = options.subjects or list(SUBJECTS)
    if options.show:
        for name in names:
            for each in mutants(name, options.most, options.every, random.Random(options.seed)):
                print(f"{each.module}:{each.line}: {each.before} -> {each.after}")
        return 0
    prepare()
    unknown_living = 0
    for name in names:
        tried, living = hunt(name, options.most, options.every, options.seed)
        listed = [each for each in living if each.place in SURVIVORS]
        unknown_living += len(living) - len(listed)
        killed = tried - len(living)
        print(
            f"{name}: {killed} of {tried} mutants killed ({killed / max(tried, 1):.0%}), "
            f"{len(listed)} live for a reason, {len(living) - len(listed)} without; "
            f"seed {options.seed}",
            flush=True,
        )
    return min(unknown_living, 1)


if __name__ == "__main__":
    sys.exit(main())
