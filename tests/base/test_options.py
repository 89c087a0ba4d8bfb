"""Options: one declaration each, from which everything else derives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from pinchtp.base.options import (
    FILE,
    SWITCH,
    Kind,
    OneOf,
    Option,
    Real,
    Several,
    Size,
    Whole,
    declared_elsewhere,
    did_you_mean,
    option,
    options_of,
)
from pinchtp.base.options.command_line import Parser, given

ELSEWHERE = (
    Option("cut", SWITCH, False, "a rule", "rules"),
    Option("goal", Whole(1, 5), 1, "", ""),
)


@dataclass
class Owner:
    level: str = option(OneOf(("low", "high")), "low", "how well", group="play", metavar="WORD")
    network: Path | None = option(
        FILE, None, "100 % of it", unset="0 %", group="play", metavar="FILE"
    )
    rules: Mapping[str, object] = declared_elsewhere(ELSEWHERE)
    depth_limit: int = option(Whole(1, 9), 3, "how deep", group="limits", metavar="N")
    names: list[int] = option(Several(Whole(0, 9), "digits"), [], "", group="")  # type: ignore


OPTIONS = options_of(Owner)


def test_options_in_the_order_of_their_fields() -> None:
    assert list(OPTIONS) == ["level", "network", "cut", "goal", "depth-limit", "names"]
    assert (OPTIONS["depth-limit"].attribute, OPTIONS["depth-limit"].default) == ("depth_limit", 3)
    assert OPTIONS["network"].is_optional


def test_values_of_options() -> None:
    owner = Owner()
    assert owner.names is not Owner().names
    for name, value in (("network", Path("x")), ("depth-limit", 4), ("cut", True), ("goal", 2)):
        OPTIONS[name].put(vars(owner), value)
        assert OPTIONS[name].value(owner) == value
    assert owner == Owner(network=Path("x"), rules={"cut": True, "goal": 2}, depth_limit=4)
    OPTIONS["cut"].put(vars(owner), False)
    assert owner.rules == {"goal": 2}  # what is as usual is not kept
    assert (OPTIONS["cut"].value(owner), Owner().rules) == (False, {})


def test_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    parser = Parser(prog="it")
    parser.add_options(OPTIONS.values())
    found = given(
        parser.parse_args(["--depth-limit", "5", "--no-cut", "--network=a.b"]), OPTIONS.values()
    )
    assert found == {"depth-limit": 5, "cut": False, "network": Path("a.b")}
    for arguments, message in (
        (["--dept-limit", "5"], "it: there is no option --dept-limit: did you mean --depth-limit?"),
        (["--zzz"], "it: there is no option --zzz: see it --help"),
        (["--depth-limit", "0"], "argument --depth-limit: '0': give a whole number from 1 to 9"),
        (["-x"], "it: there is no option -x: see it --help"),
    ):
        with pytest.raises(SystemExit):
            parser.parse_args(arguments)
        assert message in capsys.readouterr().err
    text = parser.format_help()
    assert "100 % of it (default: 0 %)" in text
    assert text.index("play:") < text.index("  --network FILE  ") < text.index("limits:")


KINDS: list[tuple[Kind[object], str, object, object]] = [
    (SWITCH, "true", True, True),
    (Whole(0, 99), "7", 7, 7),
    (Real(0, 1), "0.25", 0.25, 0.25),
    (Real(0, 1), "1.0", 1, 1.0),
    (Size(2, 25), "13x9", [13, 9], (13, 9)),
    (Size(2, 25), "9", 9, (9, 9)),
    (Several(Whole(0, 9), ""), "1,2", [1, 2], (1, 2)),
    (FILE, "a b", Path("a b"), Path("a b")),
]


@pytest.mark.parametrize(("kind", "text", "typed", "value"), KINDS)
def test_texts_and_typed_values_mean_the_same(
    kind: Kind[object], text: str, typed: object, value: object
) -> None:
    assert kind.read(text) == kind.read(typed) == value
    assert type(kind.read(typed)) is type(value)
    assert kind.format(value) == text
    assert kind.read(kind.read(typed)) == value


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        *(
            (Whole(0, 99), text)
            for text in ("", " 7", "7 ", "1_0", "\u0667", "7.0", "0x7", "9" * 5000)
        ),
        *((Real(0, 99), text) for text in ("", " 7", "1_0", "\u0667", "nan", "inf", "1e999")),
        *((Size(2, 25), text) for text in ("9x", "x9", "9 x9", "9x9x9", "\u0669", "1_0x9")),
        *((SWITCH, value) for value in (1, 0, "True", "yes", None, [])),
        *((Whole(0, 99), value) for value in (True, 7.0, None, [7], {})),
        *((Real(0, 99), value) for value in (True, float("nan"), None, [7])),
        *((Size(2, 25), value) for value in (True, [9], [9, 9, 9], [9, 9.0], 9.0, None, {})),
        *((FILE, value) for value in ("", 3, None)),
        *((OneOf(("a", "b")), value) for value in ("c", "", 3, None)),
    ],
)
def test_what_is_no_value(kind: Kind[object], value: object) -> None:
    with pytest.raises(ValueError, match=r": give .") as error:
        kind.read(value)
    assert kind.expected in str(error.value)


def test_hints() -> None:
    assert did_you_mean("leval", OPTIONS) == "did you mean 'level'?"
    assert did_you_mean("q", ["a", "b"]) == "there are a, b"
