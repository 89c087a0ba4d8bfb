"""The command line of `pinchtp report`, its files, and reports side by side."""

import json
import re
import shlex
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from socket import socket

import pytest
from record_games import from_sgf
from reports import report

from pinchtp import doctor
from pinchtp.base.intervals import share_interval
from pinchtp.base.process import ExitStatus, StopRequested
from pinchtp.games import GAMES, Color
from pinchtp.report import command
from pinchtp.report.command import main
from pinchtp.report.figures import Figure, FigureUnit
from pinchtp.report.page import glance
from pinchtp.report.report import SECTIONS, GameReport
from pinchtp.report.sections.balance import draw_conclusions
from pinchtp.report.store import ReportStore


def test_json_has_all_sections(folder: Path) -> None:
    data = json.loads((folder / "report.json").read_text())
    assert list(data["sections"]) == list(SECTIONS)
    assert data["units"]["games"] == 8
    for name, section in data["sections"].items():
        keys = [figure["key"] for figure in section["figures"]]
        assert len(keys) == len(set(keys)), name
        for figure in section["figures"]:
            if figure["low"] is not None and figure["high"] is not None:
                assert figure["low"] <= figure["value"] + 1e-9, figure
                assert figure["value"] <= figure["high"] + 1e-9, figure


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_every_game_gets_all_sections(game: str, tmp_path: Path) -> None:
    """Passes, swaps, turns of several parts, a board of one size only."""
    size = () if game == "bushka" else ("--size", "4")
    units = "rates=1,random=1,games=3,other-games=1,first-moves=30,ladder=10,mirrors=10,sample=2"
    arguments = ["--game", game, *size, "--visits", "8", "--jobs", "1", "--quiet"]
    assert (
        main([*arguments, "--units", f"{units},positions=4,solved=1", "--out", str(tmp_path)]) == 0
    )
    assert list(GameReport.load(tmp_path / "report.json").sections) == list(SECTIONS)


def test_network_and_playouts_are_both_measured(folder: Path) -> None:
    sections = GameReport.load(folder / "report.json").sections
    assert sections["rates"].data["rates"]["evaluations"]["trials"] == 10
    players = {(each["by-network"], each["visits"]) for each in sections["ladder"].data["ratings"]}
    assert {(False, 0), (False, 8), (True, 8)} <= players
    page = (folder / "report.html").read_text()
    assert "Evaluations of the network, one at a time" in page
    assert "8 (network)" in page


def test_glance_begins_with_what_designers_ask(folder: Path) -> None:
    """Reports with sections stored in another order have it too."""
    assert list(SECTIONS)[:3] == ["balance", "drama", "ladder"]
    assert list(SECTIONS)[-1] == "rates"
    loaded = GameReport.load(folder / "report.json")
    turned = replace(loaded, sections=dict(reversed(loaded.sections.items())))
    assert glance(turned) == glance(loaded)
    assert glance(turned)[0].key == "first"


def test_verdicts_have_figures_and_intervals(folder: Path) -> None:
    sections = GameReport.load(folder / "report.json").sections
    for name in ("balance", "drama", "length", "mirrors"):
        assert sections[name].says, name
        for sentence in sections[name].says:
            quoted = r"\(.+ \N{EN DASH} .+, [0-9,]+ games?\)|at most .+ %"
            assert re.search(quoted, sentence), sentence
    assert re.match("At least [0-9]+ steps? above random play", sections["ladder"].says[0])
    page = (folder / "report.html").read_text()
    assert f"<small>{sections['ladder'].figures[0].at_least}</small>" in page


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        (
            80,
            "The first player (Black) has an advantage without the pie rule: 80 % of the points (",
        ),
        (20, "The second player (White) has an advantage without the pie rule: 80 % of the poi"),
        (45, "No significant advantage for either player without the pie rule: the first player ("),
    ],
)
def test_verdict_names_the_leader(points: int, sentence: str) -> None:
    name = "First player's score, without the pie rule"
    score = Figure.of("first", name, share_interval(points, 100), FigureUnit.SHARE)
    (said,) = draw_conclusions([score], Color.BLACK)
    assert said.startswith(sentence)


def test_verdict_bounds_draws() -> None:
    figures = [
        Figure.of(
            "draws", "Draws, with the pie rule", share_interval(drawn, 1000), FigureUnit.SHARE
        )
        for drawn in (0, 5)
    ]
    assert draw_conclusions(figures, Color.BLACK) == [
        "No draws in 1,000 games with the pie rule: at most 0.4 % of all games.",
        "Draws with the pie rule: 0.5 % of the games (0.2 % \N{EN DASH} 1.2 %, 1,000 games).",
    ]


def test_report_json_round_trips(folder: Path) -> None:
    loaded = GameReport.load(folder / "report.json")
    assert loaded.as_json() == (folder / "report.json").read_text()


def test_page_names_the_network_as_doctor_does(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    doctor.main([])
    networks = re.search(r"^networks +(pinch.*)$", capsys.readouterr().out, re.M)
    assert networks
    page = (folder / "report.html").read_text()
    named = re.search(r"evaluated by network (.*?) ·", page)
    assert named
    assert named[1] in networks[1].split(", ")


def test_page_shows_the_command_of_each_section(folder: Path) -> None:
    page = (folder / "report.html").read_text()
    loaded = GameReport.load(folder / "report.json")
    for section in SECTIONS.values():
        assert f'id="part-{section.name}"' in page
        command = loaded.command(section)
        assert command in page
        assert "--game pinch --size 4 --visits 30 --seed 1 --units" in command
        assert command.endswith(" --out pinch-4x4-again")  # here it would measure nothing


def test_command_quotes_network_file(folder: Path) -> None:
    loaded = GameReport.load(folder / "report.json")
    subject = replace(loaded.subject, judge="/my nets/a.network")
    command = replace(loaded, subject=subject).command(SECTIONS["length"])
    words = shlex.split(command)
    assert words[words.index("--network") + 1] == "/my nets/a.network"


def test_one_observation_is_singular(folder: Path) -> None:
    page = (folder / "report.html").read_text()
    assert " 1 observation." in page
    assert " 1 observations." not in page


def test_same_units_give_the_same_figures(folder: Path, tmp_path: Path) -> None:
    assert report(tmp_path, "--sections", "length,balance,ladder,mirrors,drama,moves") == 0
    one, two = (GameReport.load(each / "report.json").sections for each in (folder, tmp_path))
    for name in ("length", "balance", "ladder", "mirrors", "drama", "moves"):
        assert one[name] == two[name]


def test_sample_games_are_readable_sgf(folder: Path) -> None:
    records = sorted(folder.glob("game-*.sgf"))
    assert records
    for record in records:
        turns = from_sgf(record.read_bytes(), GAMES["pinch"]).history
        assert turns[-1].position.result is not None


def test_list_describes_every_section(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    shown = capsys.readouterr().out
    for section in SECTIONS.values():
        assert section.title in shown
        assert section.about in shown


def test_compare_prints_and_writes_a_page(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    options = "--game capture-go --size 4 --visits 20 --jobs 1 --quiet --units random=1,games=4"
    assert main([*options.split(), "--out", str(other)]) == 0
    files = [str(folder / "report.json"), str(other / "report.json")]
    assert main(["--compare", *files, "--out", str(tmp_path / "compared")]) == 0
    shown = capsys.readouterr().out
    assert shown.lstrip().startswith("At a glance")
    assert re.search("[0-9]+ of [0-9]+ shared metrics differ", shown)
    page = (tmp_path / "compared" / "compare.html").read_text()
    for text in ("Pinch 4x4", "First Capture Go 4x4", "Turns per game, strong play"):
        assert text in shown
        assert text in page


def test_compare_shows_charts_and_boards_side_by_side(folder: Path, tmp_path: Path) -> None:
    files = [str(folder / "report.json")] * 2
    assert main(["--compare", *files, "--out", str(tmp_path)]) == 0
    page = (tmp_path / "compare.html").read_text()
    for name in ("1. Pinch 4x4", "2. Pinch 4x4"):
        assert page.count(f"<figcaption>{name}</figcaption><svg") == page.count("<figure>") / 2
    for title in ("Who wins", "Values of first moves", "Strength by visits per move"):
        assert f"<h3>{title}</h3>" in page


def test_network_none_leaves_playouts_only(tmp_path: Path) -> None:
    units = ("--units", "rates=1,ladder=8,playout-ladder=8,evaluators=8")
    assert report(tmp_path, "--network", "none", *units) == 0
    loaded = GameReport.load(tmp_path / "report.json")
    assert loaded.units == {"rates": 1, "ladder": 8}
    assert "evaluations" not in loaded.sections["rates"].data["rates"]


@pytest.mark.slow
def test_cluster_gives_the_same_figures(folder: Path, tmp_path: Path) -> None:
    with socket() as other:
        with suppress(OSError):  # taken already
            other.bind(("127.0.0.1", 8787))  # which dask likes to have, and warns if it cannot
            other.listen()
        assert report(tmp_path, "--sections", "length,balance,ladder", "--cluster", "local:2") == 0
    one, two = (GameReport.load(each / "report.json").sections for each in (folder, tmp_path))
    for name in ("length", "balance", "ladder"):
        assert one[name] == two[name]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--game", "chess"], "chess"),
        (["--game", "bushka", "--size", "9"], "bushka|Bushka|size"),
        (["--budget", "soon"], "10m"),
        (["--minutes", "5"], "unknown option --minutes: use --budget 10m"),
        (["--time=5m"], "unknown option --time=5m: use --budget 10m"),
        (["--sections", "luck"], "unknown section 'luck'"),
        (["--units", "ladder=\u00b2"], "NAME=NUMBER"),
        (["--network", "/nowhere"], "/nowhere"),
        (["--cluster", "local:x"], "give the number of workers"),
        (["--compare", "/nowhere.json"], "/nowhere.json"),
    ],
)
def test_wrong_arguments_exit_with_2(
    arguments: list[str], expected: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(
            [*arguments, *(["--out", str(tmp_path)] if "--compare" not in arguments else [])]
        )
    except SystemExit as error:
        status = int(str(error.code))
    assert status == 2
    error = capfd.readouterr().err
    assert any(word in error for word in expected.split("|"))
    assert "Traceback" not in error
    assert [each for each in tmp_path.iterdir() if each.suffix != ".db"] == []


def test_other_subject_in_the_folder_is_an_error(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert report(folder, "--visits", "31") == 2
    assert "visits is 30, not 31" in capfd.readouterr().err


def test_too_small_budget_is_reported(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["--game", "pinch", "--size", "9", "--budget", "1s", "--out", str(tmp_path)]
    assert main([*arguments, "--sections", "ladder", "--quiet"]) == 0
    shown = capfd.readouterr().err
    assert "too small" in shown
    assert "The budget was too small for" in (tmp_path / "report.html").read_text()


def test_nothing_measured_is_a_failure(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    arguments = ["--game", "pinch", "--size", "9", "--units", "solved=0", "--out", str(tmp_path)]
    assert main([*arguments, "--sections", "solved"]) == 1
    shown = capfd.readouterr()
    assert "95 % interval" not in shown.out
    assert "pinchtp report: nothing was measured" in shown.err


def test_interrupt_is_not_a_small_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    class Cancelled(StopRequested):
        seen = property(lambda self: True, lambda self, value: None)  # type: ignore[assignment]

    monkeypatch.setattr(command, "StopRequested", Cancelled)
    arguments = ["--game", "pinch", "--size", "9", "--budget", "1s", "--out", str(tmp_path)]
    assert main([*arguments, "--sections", "ladder", "--quiet"]) == ExitStatus.INTERRUPTED
    shown = capfd.readouterr().err
    assert "The same command continues" in shown
    assert "too small" not in shown
    page = (tmp_path / "report.html").read_text()
    assert "too small" not in page
    assert "Not measured yet." in page


def test_file_in_place_of_the_folder_is_an_error(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert report(tmp_path / "file") == 1
    assert "file" in capfd.readouterr().err


def test_unwritable_page_keeps_the_store(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "report.html").mkdir()
    assert report(tmp_path, "--sections", "length") == 1
    assert "report.html" in capfd.readouterr().err
    (tmp_path / "report.html").rmdir()
    assert report(tmp_path, "--sections", "length") == 0
    with ReportStore(
        tmp_path / "report.db", GameReport.load(tmp_path / "report.json").subject
    ) as store:
        assert store.measurements().count("games") == 8
