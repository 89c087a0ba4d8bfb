"""Comparison of reports."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest
from processes import no_reader_of_output
from rich.console import Console

from pinchtp.base.console import PlainTable
from pinchtp.base.intervals import mean_interval, share_interval
from pinchtp.base.process import ExitStatus
from pinchtp.report.command import main
from pinchtp.report.compare import Comparison, document, rows
from pinchtp.report.figures import Figure, FigureUnit
from pinchtp.report.report import GameReport, ReportError
from pinchtp.report.section import SectionResult
from pinchtp.report.subject import ReportSubject

WITH, WITHOUT = "with the pie rule", "without the pie rule"


def made_report(
    game: str = "pinch",
    figures: Mapping[str, Sequence[Figure]] = {},
    rules: Mapping[str, object] = {},
    visits: int = 400,
) -> GameReport:
    subject = ReportSubject.of(game, None if game == "bushka" else (5, 5), rules, visits=visits)
    return GameReport(subject, {key: SectionResult(each) for key, each in figures.items()}, {})


def score(key: str, rule: str, points: float, games: int = 1000) -> Figure:
    name = f"First player's score, {rule}"
    return Figure.of(key, name, share_interval(points, games), FigureUnit.SHARE, glance=True)


def test_pie_rule_is_never_mixed_in_a_row() -> None:
    """Whichever of the two is a report's own rule, and has the key without a suffix."""
    pinch = [score("first", WITH, 430), score("first-without-pie", WITHOUT, 1000)]
    bushka = [score("first", WITHOUT, 560)]
    found = rows("balance", [made_report(figures={"balance": each}) for each in (pinch, bushka)])
    assert {row.name: row.figures for row in found} == {
        f"First player's score, {WITH}": [pinch[0], None],
        f"First player's score, {WITHOUT}": [pinch[1], bushka[0]],
    }


def test_different_visits_are_never_mixed_in_a_row() -> None:
    def elo(*visits: int) -> GameReport:
        figures = [
            Figure.of(
                "top" if each == visits[-1] else f"elo-network-{each}",
                f"Elo of {each} visits per move",
                mean_interval([10.0 * each, 11.0 * each]),
                FigureUnit.ELO,
            )
            for each in visits
        ]
        return made_report(figures={"ladder": figures})

    found = rows("ladder", [elo(8, 16, 64), elo(8, 16, 32)])
    assert [(row.name, [bool(each) for each in row.figures]) for row in found] == [
        ("Elo of 8 visits per move", [True, True]),
        ("Elo of 16 visits per move", [True, True]),
        ("Elo of 32 visits per move", [False, True]),
        ("Elo of 64 visits per move", [True, False]),
    ]


def test_visits_of_strong_play_are_never_mixed_in_a_row() -> None:
    def length(visits: int) -> GameReport:
        figures = [
            Figure.of(f"{kind}-length", f"Turns per game, {kind} play", mean_interval([5.0, 6.0]))
            for kind in ("random", "strong")
        ]
        return made_report(figures={"length": figures}, visits=visits)

    found = rows("length", [length(400), length(100)])
    assert [(row.name, [bool(each) for each in row.figures]) for row in found] == [
        ("Turns per game, random play", [True, True]),
        ("Turns per game, strong play, 100 visits per move", [False, True]),
        ("Turns per game, strong play, 400 visits per move", [True, False]),
    ]


def test_figures_differ_if_intervals_are_disjoint() -> None:
    one, two, close = (score("first", WITH, points) for points in (430, 560, 450))

    def differs(*figures: Figure | None) -> bool:
        (row,) = rows(
            "balance",
            [made_report(figures={"balance": [each] if each else []}) for each in figures],
        )
        return row.differs

    assert differs(one, two)
    assert differs(one, None, close, two)
    assert not differs(one, close)
    assert not differs(one, None)


def test_exact_or_open_figures_do_not_differ() -> None:
    """A number of steps is a lower bound, and other counts without an interval grow with time."""
    rungs = [
        Figure("rungs", "Steps", value, FigureUnit.WHOLE, at_least="it ended") for value in (2, 6)
    ]
    (row,) = rows("ladder", [made_report(figures={"ladder": [each]}) for each in rungs])
    assert not row.differs
    assert not row.is_comparable


def test_verdict_of_equal_reports_gives_no_reason() -> None:
    reports = [made_report("pinch", {"balance": [score("first", WITH, 430)]}) for _ in range(2)]
    assert Comparison.of(reports).verdict == "0 of 1 shared metrics differ by more than chance."


def test_glance_names_the_differences() -> None:
    length = Figure.of(
        "strong-length", "Turns per game", mean_interval([50.0, 51.0, 52.0]), glance=True
    )
    longer = replace(length, value=90.0, low=88.0, high=92.0)
    reports = [
        made_report("pinch", {"balance": [score("first", WITH, 430)], "length": [length]}),
        made_report("pinch-remove", {"balance": [score("first", WITH, 450)], "length": [longer]}),
    ]
    comparison = Comparison.of(reports)
    assert comparison.verdict == (
        "1 of 2 shared metrics differ by more than chance: their 95 % intervals do not overlap."
    )
    (difference,) = comparison.differences
    assert difference.startswith("Turns per game: 51 (")
    assert difference.endswith("; 90 (88 \N{EN DASH} 92) in Pinch with removal 5x5")
    page = document(comparison)
    assert page.index("1 of 2 shared") < page.index(difference) < page.index("1. Balance")
    assert page.count('<tr class="differs"><th scope="row">Turns per game <em>differs</em>') == 2


def test_reports_without_common_figures_are_noted() -> None:
    reports = [
        made_report(figures={"balance": [score("first", rule, 430)]}) for rule in (WITH, WITHOUT)
    ]
    assert "No two reports" in Comparison.of(reports).verdict


def test_different_conditions_are_noted() -> None:
    reports = [made_report(), made_report("capture-go", visits=100)]
    rules, play = Comparison.of(reports).cautions
    assert rules == f"Rules: Pinch 5x5 ({WITH}); First Capture Go 5x5 ({WITHOUT})"
    strength = "400 visits per move, evaluated by network pinch"
    assert play.startswith(f"Strong play: Pinch 5x5 ({strength}")
    assert Comparison.of([made_report(), made_report()]).cautions == []


@pytest.mark.parametrize(
    ("other", "names"),
    [
        ({"visits": 100}, ["400 visits per move, evaluated", "100 visits per move, evaluated"]),
        ({"rules": {"pie": False}}, ["Pinch 5x5, pie rule", "Pinch 5x5, no pie rule"]),
        ({}, ["1. Pinch 5x5", "2. Pinch 5x5"]),
        ({"game": "bushka"}, ["Pinch 5x5", "Bushka 10x10"]),
    ],
)
def test_names_contain_the_differences(other: dict[str, object], names: list[str]) -> None:
    found = Comparison.of([made_report(), made_report(**other)]).names  # type: ignore[arg-type]
    for name, expected in zip(found, names, strict=True):
        assert expected in name
    assert "pinchtp" not in "".join(found)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("game", "chess", "unknown game 'chess'"),
        ("rules", {}, "rules: {}: give pie"),
        ("rules", {"pie": True, "crosscut": True}, "Pinch has no"),
        ("width", 99, "unacceptable size"),
    ],
)
def test_report_of_an_invalid_subject_is_rejected(
    field: str, value: object, message: str, tmp_path: Path
) -> None:
    data = json.loads(made_report().as_json())
    data["subject"][field] = value
    path = tmp_path / "report.json"
    path.write_text(json.dumps(data))
    with pytest.raises(ReportError, match=f"report.json is not a pinchtp report: .*{message}"):
        GameReport.load(path)


def test_subject_of_an_unknown_game_is_rejected() -> None:
    with pytest.raises(ValueError, match="unknown game 'chess': expected pinch"):
        ReportSubject.of("chess")


@pytest.mark.parametrize(
    ("folder", "status"),
    [("report.json", ExitStatus.FAILURE), ("compared", ExitStatus.SUCCESS)],
)
def test_comparison_that_cannot_be_written_fails(
    folder: str, status: ExitStatus, tmp_path: Path
) -> None:
    path = tmp_path / "report.json"
    path.write_text(made_report().as_json())
    assert main(["--compare", str(path), "--out", str(tmp_path / folder)]) == status


def test_comparison_is_written_without_a_reader_of_the_output(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    path.write_text(made_report().as_json())
    with no_reader_of_output():
        main(["--compare", str(path), "--out", str(tmp_path)])
    assert (tmp_path / "compare.html").exists()


def test_narrow_terminal_wraps_names() -> None:
    name = "Elo per doubling, 64 to 128 visits, network evaluation"
    table = PlainTable("", ">Pinch 13x13", wraps=True)
    table.add_texts(name, "+180")
    out = StringIO()
    Console(file=out, width=40).print(table)
    shown = out.getvalue().replace("+180", "").split()
    assert shown == ["Pinch", "13x13", *name.split()]
