"""Proof files of `pinchtp solve --proof`, and their checker."""

import errno
import json
import random
import sys
from pathlib import Path

import check_proof
import pytest
from proofs import prove

from pinchtp.solving.command import main

SEED = 4


def checked(text: str) -> dict[str, str]:
    """Returns the winners that a proof proves."""
    check_proof.check(text)
    winners: dict[str, str] = json.loads(text.splitlines()[0])["winners"]
    return winners


@pytest.mark.parametrize(
    ("options", "winners"),
    [
        ("--size 3 --no-pie", {"": "black"}),
        ("--size 4x3 --no-pie --moves a1", {"A1": "black"}),
        ("--size 3x4 --no-pie --moves a1", {"A1": "white"}),
        ("--size 3x4 --no-pie --threads 2 --moves a1", {"A1": "white"}),
        ("--size 3", {"": "white"}),
        ("--size 3 --moves b2", {"B2": "white"}),
        ("--size 3 --moves b2|swap", {"B2 swap": "white"}),
        ("--size 2 --no-pie --each", dict.fromkeys(["A1", "B1", "A2", "B2"], "black")),
        ("--size 3 --no-pie --moves b1|a1|b2|a2 --each", {"B1 A1 B2 A2 B3": "black"}),
        ("--size 2 --moves a1 --each", {"A1 swap": "white", "A1 B2": "black"}),
        ("--game pinch-remove --size 3 --no-pie", {"": "black"}),
        ("--game pinch-remove --size 3x4", {"": "white"}),
        ("--game pinch-relocate --size 3x4 --no-pie", {"": "white"}),
        ("--game capture-go --size 3", {"": "black"}),
        ("--game capture-go --size 4 --crosscut", {"": "black"}),
        ("--game capture-go --size 2x3 --each", {"A1": "white", "pass": "white"}),
    ],
    ids=str,
)
def test_reference_accepts_proof(options: str, winners: dict[str, str], tmp_path: Path) -> None:
    assert checked(prove(options, tmp_path / "proof.txt")).items() >= winners.items()


def test_reference_accepts_proof_from_store(tmp_path: Path) -> None:
    """The zones come from the table then."""
    options = f"--size 4x3 --no-pie --each --store {tmp_path / 'store'}"
    first = prove(options, tmp_path / "first.txt")
    again = prove(options, tmp_path / "again.txt")
    assert len(checked(first)) == 12
    assert checked(again) == checked(first)


@pytest.mark.parametrize(
    "options",
    ["--size 3x4", "--game pinch-remove --size 3", "--game capture-go --size 4x3"],
)
def test_damaged_line_is_found(options: str, tmp_path: Path) -> None:
    head, *lines = prove(options, tmp_path / "proof.txt").splitlines(keepends=True)
    draw = random.Random(SEED)
    for at in draw.sample(range(len(lines)), 4):
        others = [head, *lines[:at], *lines[at + 1 :]]
        with pytest.raises(check_proof.InvalidProof, match="no move for"):
            check_proof.check("".join(others))
        wrong = f"{lines[at].split(': ')[0]}: Z9\n"
        with pytest.raises(
            check_proof.InvalidProof, match=f"^line {len(others) + 1}: illegal move"
        ):
            check_proof.check("".join([*others, wrong]))


def test_other_winner_is_refused(tmp_path: Path) -> None:
    text = prove("--game pinch-remove --size 3 --no-pie", tmp_path / "proof.txt")
    with pytest.raises(check_proof.InvalidProof, match="no move for"):
        check_proof.check(text.replace('"black"', '"white"'))
    with pytest.raises(check_proof.InvalidProof, match="'draw' cannot win"):
        check_proof.check(text.replace('"black"', '"draw"'))


def test_move_that_loses_is_refused() -> None:
    head = (
        '{"game": "pinch", "size": [2, 2], "rules": {"pie": false}, "winners": {"A1": "white"}, '
        '"lines": "moves"}'
    )
    lines = [".O/X. b: A1", "../X. w: A2", "O./X. w: B1"]
    with pytest.raises(check_proof.InvalidProof, match=r"^white does not win: "):
        check_proof.check("\n".join([head, *lines]))


class Circle:
    """A position that every move leads back to."""

    width = height = 1
    to_move = "black"
    winner = None
    swap_open = False

    def stones(self) -> dict[tuple[int, int], str]:
        return {}

    def play(self, move: tuple[int, int]) -> "Circle":
        return self


def test_play_in_circles_is_refused() -> None:
    with pytest.raises(check_proof.InvalidProof, match=r"^position repeated: \. b"):
        check_proof.follow(Circle(), "black", {". b": (2, "A1")}, set())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "[]",
        "[" * 100_000,
        '{"size": [3, 3]}\nx',
        '{"game": "pinch", "size": [3, 3], "rules": {}, "winners": {}}',
        '{"game": "pinch", "size": [3, 3], "rules": {}, "winners": {"D1": "black"}}',
        '{"game": "pinch", "size": [99, 3], "rules": {}, "winners": {"": "black"}}',
        '{"game": "chess", "size": [3, 3], "rules": {}, "winners": {"": "black"}}',
        '{"game": "pinch", "size": [3, 3, true], "rules": {}, "winners": {"": "black"}}',
        '{"game": "pinch", "size": [3, 3], "rules": {"pie": 1}, "winners": {"": "black"}}',
    ],
    ids=lambda text: text[:70],
)
def test_invalid_head_is_refused(text: str) -> None:
    with pytest.raises(check_proof.InvalidProof, match=r"^line 1: not a proof"):
        check_proof.check(text)


@pytest.mark.parametrize("rule", ['"result": "white"', '"moves_played": true'])
def test_rules_cannot_set_up_a_position(rule: str) -> None:
    head = f'{{"game": "capture-go", "size": [3, 3], "rules": {{{rule}}}, "winners": '
    with pytest.raises(check_proof.InvalidProof, match=r"^line 1: not a proof: rules: give pie"):
        check_proof.check(head + '{"": "white"}, "lines": "moves"}')


@pytest.mark.parametrize("point", ["A0", "A-2", "D1"])
@pytest.mark.parametrize("lines", ["moves", "zones"])
def test_point_off_the_board_is_refused(point: str, lines: str) -> None:
    head = {"game": "pinch", "size": [3, 3], "rules": {"pie": False}, "lines": lines}
    with pytest.raises(check_proof.InvalidProof, match=f"{point} is off the board"):
        check_proof.check(json.dumps(head | {"winners": {point: "black"}}))


def test_line_without_move_is_refused(tmp_path: Path) -> None:
    text = prove("--game pinch-remove --size 2", tmp_path / "proof.txt")
    with pytest.raises(check_proof.InvalidProof, match=r"^line 3: not a proof"):
        check_proof.check("\n".join([*text.splitlines()[:2], ".../..."]))


def test_proof_that_cannot_be_written_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pinchtp.solving.command.replace_file", fail)
    file = tmp_path / "proof.txt"
    assert main(["--size", "2", "--no-pie", "--memory", "16", "--proof", str(file)]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("win ")
    assert err == f"pinchtp solve: --proof: {file}: No space left on device\n"


def test_proof_never_replaces_the_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, link = tmp_path / "store", tmp_path / "link"
    assert main(["--size", "3", "--memory", "1", "--store", str(store)]) == 0
    link.symlink_to(store)
    before = store.read_bytes()
    for name in (store, link):
        with pytest.raises(SystemExit) as ended:
            main(["--size", "3", "--memory", "1", "--store", str(store), "--proof", str(name)])
        assert ended.value.code == 2
        assert f"--proof: {name} is the file of --store" in capsys.readouterr().err
    assert store.read_bytes() == before


def test_unknown_value_has_no_proof(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "proof.txt"
    assert main(["--size", "9", "--seconds", "0", "--proof", str(file)]) == 1
    assert (
        capsys.readouterr().err
        == "pinchtp solve: --proof: no proof written, because no winner was proven\n"
    )
    assert not file.exists()


def test_checker_needs_files(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, status in (([], 2), (["--help"], 0)):
        monkeypatch.setattr(sys, "argv", ["check_proof.py", *arguments])
        with pytest.raises(SystemExit) as ended:
            check_proof.main()
        assert ended.value.code == status
    assert "usage: check_proof.py [-h] FILE" in capsys.readouterr().out
