"""The conformance checker: it finds each defect where it is, and nothing else anywhere."""

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep

import pytest
from clients import FOLDER, GNUGO, PATIENCE, PROGRAM, needs_gnugo
from engines import FAILS, FAULTY
from processes import running, wait_for, wait_until_gone

import pinchtp.check.checks  # noqa: F401  (fills the registry)
from pinchtp.check.check import CHECKS, GROUPS, Check, in_order
from pinchtp.check.command import main
from pinchtp.check.results import CheckResult, Status
from pinchtp.check.runner import Checker
from pinchtp.games import GAMES

START = FOLDER / "engines" / "start.py"

TIMEOUT = 1.5  # seconds; the engines respond immediately or never
AT_ONCE = 8  # checkers, most of whose time is waiting

# The defects that are looked for in every run of the tests; the others are as many again.
COMMON = """
    Correct NoBlankLine NoSpace TwoBlankLines BlankLineInBoard ChatterInSearch CarriageReturns
    WrongId AnswersBlankLines AnswersComments DiesOnCarriageReturn ForgetsWhatIsInFlight
    OtherUnknown OtherIllegal RefusedPlayChanges
    ListsWhatIsNot LongVersion HangsAtGenmove
    SilentAfterTheEnd SwapMovesStone SaysSwap PlaysOutOfTurn TooLate IgnoresInterrupt
    AnalysisDoesNotStop QuitsWithoutAnswer StaysAtEndOfInput LeavesChild
"""


def command(defect: str) -> tuple[str, ...]:
    """The command line of an engine with a defect."""
    return (sys.executable, "-S", "-E", str(START), defect)


def outcomes(
    command: tuple[str, ...], timeout: float = TIMEOUT, checks: Sequence[Check] | None = None
) -> list[CheckResult]:
    """Checks, all if none are named, run on an engine."""
    with Checker(command, timeout) as runner:
        return runner.run(in_order() if checks is None else checks, lambda _: None)


def failed(found: list[CheckResult]) -> set[str]:
    return {each.check.id for each in found if each.status is Status.FAILED}


def reasons(found: list[CheckResult]) -> dict[str, str]:
    return {each.check.id: each.reason for each in found if each.status is Status.FAILED}


def told_by(defect: str) -> list[Check]:
    """The groups of checks that a defect fails; all of them for an engine without one."""
    groups = {id[0] for id in FAILS[defect]} or set(GROUPS)
    return [each for each in in_order() if each.id[0] in groups]


@pytest.fixture(scope="module")
def runs(request: pytest.FixtureRequest) -> Iterator[dict[str, Future[list[CheckResult]]]]:
    """Yields the outcomes of every faulty engine the selected tests need, several run at a time."""
    items = [item for item in request.session.items if item.path == request.path]
    calls = [getattr(item, "callspec", None) for item in items]
    defects = {call.params["defect"] for call in calls if call and "defect" in call.params}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield {
            defect: pool.submit(outcomes, command(defect), checks=told_by(defect))
            for defect in sorted(defects)
        }


# --- what it finds


@pytest.mark.parametrize(
    "defect",
    [
        pytest.param(name, marks=() if name in COMMON.split() else pytest.mark.slow)
        for name in sorted(FAULTY)
    ],
)
def test_defect_fails_exactly_its_checks(
    runs: dict[str, Future[list[CheckResult]]], defect: str
) -> None:
    found = runs[defect].result()
    if failed(found) != FAILS[defect]:  # others may have had the processor
        found = outcomes(command(defect), 2 * TIMEOUT, told_by(defect))
    assert failed(found) == FAILS[defect], reasons(found)


@pytest.mark.nightly
@pytest.mark.parametrize("engine", sorted(FAULTY))
def test_each_defect_fails_no_check_of_other_groups(engine: str) -> None:
    found = outcomes(command(engine))
    assert len(found) == len(CHECKS)
    assert failed(found) == FAILS[engine], reasons(found)


def test_correct_engine_passes_all_checks(runs: dict[str, Future[list[CheckResult]]]) -> None:
    run = runs.get("Correct") or ThreadPoolExecutor(1).submit(outcomes, command("Correct"))
    found = run.result()
    skipped = {each.check.id for each in found if each.status is not Status.PASSED}
    assert skipped == {"Q9"}  # our rules do not know its game


def test_every_check_is_failed_by_some_engine() -> None:
    assert set().union(*FAILS.values()) == set(CHECKS)
    assert set(FAULTY) >= set(COMMON.split())


@pytest.mark.parametrize(
    ("part", "game"),
    [
        *(("--only", game) for game in GAMES),
        # The other groups hardly depend on the game.
        *(
            pytest.param(
                *("--skip", game),
                marks=pytest.mark.slow if game == "pinch" else pytest.mark.nightly,
            )
            for game in GAMES
        ),
    ],
)
def test_pinchtp_passes(part: str, game: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Groups whose errors and rules differ by game come first."""
    status = main(["--json", part, "E,Q", *PROGRAM, "--game", game, "--seed", "1"])
    result = json.loads(capsys.readouterr().out)
    reasons = {each["id"]: each["reason"] for each in result["checks"]}
    if late := [id for id in _ids(result, "failed") if "within" in reasons[id]]:
        # Another program may have had the processor. Alone, they have to pass.
        status = main(["--json", "--only", ",".join(late), *PROGRAM, "--game", game, "--seed", "1"])
        assert json.loads(capsys.readouterr().out)["passed"] == len(late)
    assert {id: reasons[id] for id in _ids(result, "failed") if id not in late} == {}
    assert status == 0
    assert (result["name"], result["game"]) == ("pinchtp", game)
    swaps = set() if GAMES[game].rules().get("pie") else {"G13", "G14"}
    assert {id: reasons[id] for id in _ids(result, "skipped") if id not in swaps} == {}


def test_swap_is_recognized_where_passes_are_legal(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--game", "capture-go", "--pie", "--seed", "1"]
    main(["--json", "--only", "G13,G14", *PROGRAM, *options])
    assert json.loads(capsys.readouterr().out)["passed"] == 2


def test_unknown_swap_spelling_fails_g14() -> None:
    with Checker((*PROGRAM, "--swap-as", "swap", "--seed", "1"), TIMEOUT) as runner:
        assert failed(runner.run([CHECKS["G14"]], lambda _: None)) == {"G14"}


@pytest.mark.parametrize(
    ("query", "falsify", "expected"),
    [
        ("gogui-rules_side_to_move", "'white' if text == 'black' else 'black'", {"Q5", "Q9"}),
        ("gogui-rules_side_to_move", "'black'", {"Q5", "Q9"}),
        ("gogui-rules_legal_moves", "text.rpartition(' ')[0]", {"Q9"}),
        ("all_legal", "text.rpartition(' ')[0]", {"Q9"}),
        ("winner", "text.replace('black', 'w').replace('white', 'black')", {"Q9"}),
        ("final_score", "text.replace('B', 'w').replace('W', 'B')", {"Q9"}),
    ],
)
def test_false_report_fails_only_its_checks(query: str, falsify: str, expected: set[str]) -> None:
    """Not the checks that would play for the reported side, for example."""
    code = f"""
from dataclasses import replace
from pinchtp.__main__ import main
from pinchtp.gtp.commands import COMMANDS
import pinchtp.gtp.server  # registers the commands
true = COMMANDS[{query!r}]
def handler(*arguments):
    text = true.handler(*arguments) or ""
    return {falsify}
COMMANDS[{query!r}] = replace(true, handler=handler)
main()
"""
    checks = [CHECKS[id] for id in ("G5", "Q4", "Q5", "Q7", "Q9")]
    engine = (sys.executable, "-P", "-c", code, "--seed", "1")
    found = outcomes(engine, timeout=10, checks=checks)
    assert failed(found) == expected, reasons(found)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_engine_without_lists_follows_our_rules(game: str) -> None:
    """A name alone is enough: its moves are found and legal, and it finishes games."""
    with Checker((*PROGRAM, "--game", game, "--seed", "1"), TIMEOUT, GAMES[game]) as runner:
        listed = {"all_legal", "winner", "showboard", "pinchtp-printboard"}
        runner.facts.listed = [
            name
            for name in runner.facts.listed or ()
            if name not in listed and not name.startswith("gogui-rules")
        ]
        runner.facts.observers = ["pinchtp-history"]
        found = runner.run([each for each in in_order() if each.id[0] in "EAG"], lambda _: None)
    assert failed(found) == set(), reasons(found)
    passed = {each.check.id for each in found if each.status is Status.PASSED}
    assert passed >= {"E4", "G3", "G5", "G6", "G7", "G8", "G10", "G11", "G12"}


def _ids(result: dict[str, list[dict[str, str]]], status: str) -> list[str]:
    return [each["id"] for each in result["checks"] if each["status"] == status]


@pytest.mark.slow
@needs_gnugo
def test_gnugo_fails_known_checks() -> None:
    """GNU Go 3.8 reads lines into a buffer of 1000 characters, has its own texts of errors, and
    `set_search_limit` without arguments ends it with a segmentation fault.
    """
    found = outcomes((GNUGO, "--mode", "gtp"), timeout=10)
    assert failed(found) == {"L9", "E3", "E7", "C4"}, reasons(found)
    skipped = {each.check.id[0] for each in found if each.status is Status.SKIPPED}
    assert skipped == set("EACGQTS")  # absent from Go, and not listed
    assert {each.check.id: each.reason for each in found}["G12"] == "W+24.0"


# --- output


def test_table_lists_results_by_check(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--only", "F,E4", *command("NoSpace")])
    out = capsys.readouterr().out
    assert status == 1
    assert out.startswith("Honest 1, on boards of 5 and 13\n")
    failed = re.search(r"^ F2   FAILED  one space follows", out, re.MULTILINE)
    passed = re.search(r"^ F1   pass    a response starts with", out, re.MULTILINE)
    assert failed
    assert passed
    assert failed.start() < passed.start()
    assert "the response to 'name' is '=Honest\\n\\n'" in out
    assert "Why it matters: HexGui looks for the literal prefix" in out
    assert re.search(r"\n6 checks in [0-9.]+ s: 5 passed, 1 failed \(F2\), 0 skipped\n$", out), out


def test_skipped_checks_are_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--only", "F1,S4,S5", *command("LimitsAnalysis")]
    assert main(arguments) == 0
    assert capsys.readouterr().out.count("S5") == 1
    main(["--verbose", *arguments])
    assert re.search(r"^ S5   skipped .*\n +\S", capsys.readouterr().out, re.MULTILINE)


def test_verbose_shows_the_exchange(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--verbose", "--only", "F5", *command("CarriageReturns")])
    out = capsys.readouterr().out
    assert "| > name\n" in out
    assert "| < = Honest\\r\n" in out


def test_json_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["--json", "--skip", "F,I,L,X,E,A,G,Q,T,S,P", *command("LongVersion")])
    result = json.loads(capsys.readouterr().out)
    assert status == 1
    assert result["command"] == list(command("LongVersion"))
    assert (result["name"], result["failed"], result["skipped"]) == ("Honest", 1, 0)
    assert result["game"] is None
    (bad,) = (each for each in result["checks"] if each["status"] == "failed")
    assert (bad["id"], bad["group"]) == ("R3", "introduction")
    assert "it has 42 characters" in bad["reason"]
    assert bad["transcript"][0] == "> version"


def test_list_names_every_check(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    text = capsys.readouterr().out
    assert all(each.title.split()[0] in text for each in CHECKS.values())
    assert main(["--list", "--json", "--only", "F"]) == 0
    ids = [each["id"] for each in json.loads(capsys.readouterr().out)]
    assert ids == ["F1", "F2", "F3", "F4", "F5"]


def test_every_check_has_title_and_reason() -> None:
    assert [each.id for each in in_order()][:5] == ["F1", "F2", "F3", "F4", "F5"]
    assert len({each.title for each in CHECKS.values()}) == len(CHECKS)
    for group in GROUPS:
        numbers = [int(id[1:]) for id in CHECKS if id[0] == group]
        assert sorted(numbers) == list(range(1, len(numbers) + 1))
    for each in CHECKS.values():
        assert each.why.endswith((".", "!"))
        assert not each.title.endswith(".")


# --- what it refuses


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ([], "no engine: give"),
        (["--"], "no engine: give"),
        (["--only", "F9", "cat"], "unknown check or group F9"),
        (["--only", "", "cat"], "no checks given"),
        (["--only", "F1,F2", "--skip", "F", "cat"], "--skip leaves no check to run"),
        (["--skip", "x y", "cat"], "unknown check or group Y"),
        (["--timeout", "0", "cat"], "give a number of seconds above 0"),
        (["--timeout", "nan", "cat"], "give a number of seconds above 0"),
        (["--colour", "cat"], "--colour"),
        (["gnugo --mode gtp", "--verbose"], "--verbose: put options of pinchtp check before"),
        (["--game", "chess", "cat"], "--game: 'chess': give one of pinch"),
    ],
    ids=str,
)
def test_wrong_use(arguments: list[str], hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert hint in capsys.readouterr().err


def test_engine_of_another_game_is_not_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--game", "bushka", *PROGRAM]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "the engine plays Pinch, not Bushka: set the game on its command line" in shown.err


@pytest.mark.parametrize(
    ("engine", "reason"),
    [
        ("/no/such/engine", "No such file"),
        ("'open quote", "No closing quotation"),
        (f"{sys.executable} -c 'import sys; sys.exit(\"no net\")'", "exit status 1: no net"),
        (f"{sys.executable} -c 'import sys; sys.exit(\"\x1b[31mred\")'", r": \x1b[31mred"),
        (f"{sys.executable} -c 'import time; time.sleep(1000)'", "sent nothing within 1.8 s"),
    ],
)
def test_unstartable_engine_is_reported(
    engine: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--timeout", "0.3", engine]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("pinchtp check: the engine cannot be started: ")
    assert reason in said.err


@pytest.mark.parametrize(
    ("engine", "reason"),
    [
        ("cat", "cat: echoes its input instead of responding; give the command of a GTP engine"),
        (
            "sh -c 'while read -r line; do echo \"unknown: $line\"; done'",
            "did not respond within 2 s, but sent 'unknown: name\\n'; give the command of a GTP "
            "engine",
        ),
    ],
)
def test_check_without_answers_ends_at_once(
    engine: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    began = monotonic()
    assert main(["--timeout", "2" if engine != "cat" else "60", engine]) == 2
    assert monotonic() - began < PATIENCE
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("pinchtp check: ")
    assert said.err.endswith(f"{reason}\n")
    assert said.err.count("\n") == 1


def test_echo_does_not_end_run() -> None:
    """Such as a terminal that echoes; the responses come half a second later."""
    code = "import sys, time\nfor line in sys.stdin: print(line, end='', flush=True); "
    code += "time.sleep(0.5); print('= x\\n', flush=True)"
    with Checker((sys.executable, "-c", code), PATIENCE) as runner:
        assert runner.facts.name == "x"


def test_check_unanswered_start_fails_f1(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--timeout", "0.3", *command("NoBlankLine")]) == 1
    out = " ".join(capsys.readouterr().out.split())  # reasons are wrapped to the terminal's width
    assert "did not respond within 0.3 s, but sent '= 2\\n'" in out
    assert f"0 passed, 1 failed (F1), {len(CHECKS) - 1} skipped" in out


def test_analysis_in_the_format_of_katago_passes() -> None:
    (found,) = outcomes(command("AnalyzesLikeKataGo"), checks=[CHECKS["S4"]])
    assert found.status is Status.PASSED, found.reason


def test_analysis_that_ends_by_itself_is_not_stopped() -> None:
    """A check has the same outcome alone and after others."""
    together = outcomes(command("LimitsAnalysis"), checks=[CHECKS["S4"], CHECKS["S5"]])
    alone = outcomes(command("LimitsAnalysis"), checks=[CHECKS["S5"]])
    assert together[0].status is Status.PASSED
    for found in (together[1], alone[0]):
        assert found.status is Status.SKIPPED
        assert found.reason == "'lz-analyze b 5' ended before it was stopped"


def test_checks_of_scores_agree() -> None:
    """E8 and G12 ask for the score of the same position."""
    checks = [CHECKS["E8"], CHECKS["G12"]]
    found = outcomes(command("ScoresUnfinished"), checks=checks)
    assert [each.reason for each in found] == ["unfinished games have a score, too", "B+1"]
    assert [each.status for each in found] == [Status.SKIPPED, Status.PASSED]


def test_exception_in_a_check_fails_it(capsys: pytest.CaptureFixture[str]) -> None:
    def broken(_: object) -> None:
        raise KeyError("D4")

    with Checker(command("Correct"), TIMEOUT) as runner:
        (outcome,) = runner.run([Check("F1", "", "", broken, fresh=False)], lambda _: None)
    assert (outcome.status, outcome.reason) == (Status.FAILED, "unexpected: KeyError: 'D4'")
    assert "Traceback" in capsys.readouterr().err


# --- what remains


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_engines_end_with_checker(tmp_path: Path, ending: signal.Signals) -> None:
    token = str(tmp_path)
    arguments = ["--only", "G6", *command("HangsAtGenmove"), token]
    code = f"from pinchtp.check.command import main; main({arguments!r})"
    checker = subprocess.Popen(
        [sys.executable, "-P", "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    with checker:
        wait_for(lambda: len(running(token)) >= 2)
        sleep(0.2)
        checker.send_signal(ending)
    wait_until_gone(token)
