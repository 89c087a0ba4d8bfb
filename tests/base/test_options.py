"""Options: one declaration each, from which everything else derives."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from pinchtp.base.command_line import Parser, arg_type, collect_options, format_option
from pinchtp.base.option_types import (
    BOOL,
    PATH,
    Duration,
    Float,
    Int,
    ListOf,
    Megabytes,
    OneOf,
    OptionType,
    Seconds,
    Size,
)
from pinchtp.base.options import Option, did_you_mean, option, options_of

OTHERS = (
    Option("cut", BOOL, False, "a rule", "play"),
    Option("goal", Int(1, 5), 1, "", ""),
)


@dataclass
class Owner:
    level: str = option(OneOf(("low", "high")), "low", "how well", group="play", metavar="WORD")
    network: Path | None = option(
        PATH, None, "100 % of it", none_means="0 %", group="play", metavar="FILE"
    )
    depth_limit: int = option(Int(1, 9), 3, "how deep", group="limits", metavar="N")
    names: list[int] = option(ListOf(Int(0, 9), "digits"), [], "", group="")  # type: ignore


OPTIONS = options_of(Owner, OTHERS)


def test_options_by_group_in_the_order_of_their_fields() -> None:
    assert list(OPTIONS) == ["level", "network", "cut", "depth-limit", "names", "goal"]
    assert (OPTIONS["depth-limit"].attribute, OPTIONS["depth-limit"].default) == ("depth_limit", 3)
    assert OPTIONS["network"].is_optional


def test_mutable_default_is_copied() -> None:
    assert Owner().names is not Owner().names


def test_command_line_sets_options(capsys: pytest.CaptureFixture[str]) -> None:
    parser = Parser(elsewhere={"ply": "--depth-limit N"}, prog="it")
    parser.add_options(OPTIONS.values())
    found = collect_options(
        parser.parse_args(["--depth-limit", "5", "--no-cut", "--network=a.b"]), OPTIONS.values()
    )
    assert found == {"depth-limit": 5, "cut": False, "network": Path("a.b")}
    for arguments, message in (
        (["--dept-limit", "5"], "it: unknown option --dept-limit: did you mean --depth-limit?"),
        (["--zzz"], "it: unknown option --zzz: see it --help"),
        (["--depth-limit", "0"], "argument --depth-limit: '0': give an integer from 1 to 9"),
        (["-x"], "it: unknown option -x: see it --help"),
        (["--deaths"], "it: unknown option --deaths: see it --help"),
        (["-ply=5"], "it: unknown option -ply=5: use --depth-limit N"),
        (["ply=5", "x"], "it: unknown option ply=5: use --depth-limit N"),
        (["x"], "it: unexpected argument 'x': see it --help"),
        ([""], "it: unexpected argument '': see it --help"),
        (["--cut=a b"], "it: --cut/--no-cut takes no value: found 'a b'"),
    ):
        with pytest.raises(SystemExit):
            parser.parse_args(arguments)
        assert message in capsys.readouterr().err
    text = parser.format_help()
    assert "100 % of it (default: 0 %)" in text
    assert text.index("play:") < text.index("  --network FILE  ") < text.index("limits:")


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [("cut", True, "--cut"), ("cut", False, "--no-cut"), ("names", (1, 2), "--names=1,2")],
)
def test_formatted_option_is_parsed_again(name: str, value: object, text: str) -> None:
    assert format_option(OPTIONS[name], value) == text
    parser = Parser(prog="x")
    parser.add_options(OPTIONS.values())
    parsed = collect_options(parser.parse_args([text]), OPTIONS.values())
    assert parsed[name] == value


TYPES: list[tuple[OptionType[object], str, object, object]] = [
    (BOOL, "true", True, True),
    (Int(0, 99), "7", 7, 7),
    (Float(0, 1), "0.25", 0.25, 0.25),
    (Float(0, 1), "1.0", 1, 1.0),
    (Megabytes(1, 9999), "512", 512, 512),
    (Seconds(0, 99), "1.5", 1.5, 1.5),
    (Duration(), "2h", 7200, 7200.0),
    (Size(2, 25), "13x9", [13, 9], (13, 9)),
    (Size(2, 25), "9", 9, (9, 9)),
    (ListOf(Int(0, 9), ""), "1,2", [1, 2], (1, 2)),
    (ListOf(Float(-9, 9), ""), "-1.0,0.5", [-1.0, 0.5], (-1.0, 0.5)),
    (PATH, "a b", Path("a b"), Path("a b")),
]


@pytest.mark.parametrize(("type_", "text", "typed", "value"), TYPES)
def test_texts_and_values_are_equivalent(
    type_: OptionType[object], text: str, typed: object, value: object
) -> None:
    assert type_.read(text) == type_.read(typed) == value
    assert type(type_.read(typed)) is type(value)
    assert type_.format(value) == text
    assert type_.read(type_.read(typed)) == value


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        *(
            (Int(0, 99), text)
            for text in ("", " 7", "7 ", "1_0", "\u0667", "7.0", "0x7", "9" * 5000)
        ),
        *((Float(0, 99), text) for text in ("", " 7", "1_0", "\u0667", "nan", "inf", "1e999")),
        *((Size(2, 25), text) for text in ("9x", "x9", "9 x9", "9x9x9", "\u0669", "1_0x9")),
        *((BOOL, value) for value in (1, 0, "True", "yes", None, [])),
        *((Int(0, 99), value) for value in (True, 7.0, None, [7], {})),
        *(
            (Megabytes(1, 9999), value)
            for value in ("8X", "G", "8 G", "-1G", "10G", "0.5M", "1e3", "8GG", "", "1.5", 1.5)
        ),
        *(
            (Seconds(0, 99), text)
            for text in ("", "s", "5mm", "5sm", "5hs", "5d", "5 s", "2m", "nan")
        ),
        *((Duration(), text) for text in ("", "0", "-5", "10x", "m", "nan", "inf", "1e3", " 5")),
        *((Float(0, 99), value) for value in (True, float("nan"), None, [7])),
        *((Size(2, 25), value) for value in (True, [9], [9, 9, 9], [9, 9.0], 9.0, None, {})),
        *((PATH, value) for value in ("", 3, None)),
        *((OneOf(("a", "b")), value) for value in ("c", "", 3, None)),
    ],
)
def test_invalid_value_is_refused(type_: OptionType[object], value: object) -> None:
    with pytest.raises(ValueError, match=r": give .") as error:
        type_.read(value)
    assert type_.expected in str(error.value)


@pytest.mark.parametrize(
    ("text", "value"),
    [("512M", 512), ("8G", 8192), ("8gb", 8192), ("8GiB", 8192), ("1.5G", 1536), ("1T", 1 << 20)],
)
def test_megabytes_may_have_units(text: str, value: int) -> None:
    assert Megabytes(1, 1 << 20).read(text) == value


@pytest.mark.parametrize(("text", "seconds"), [("5", 5), ("5s", 5), ("500ms", 0.5), ("2m", 120)])
def test_seconds_may_have_units(text: str, seconds: float) -> None:
    assert Seconds(0, 999).read(text) == seconds


@pytest.mark.parametrize(
    ("text", "seconds"), [("90", 90), ("90s", 90), ("10m", 600), ("1d2h30m", 95400), ("0.5m", 30)]
)
def test_duration_is_a_sum_of_times(text: str, seconds: float) -> None:
    assert Duration().read(text) == seconds


@pytest.mark.parametrize("seconds", [0.001, 1234567.0, 60000060.0, 1e8])
def test_text_of_duration_is_exact(seconds: float) -> None:
    assert Duration().read(Duration().format(seconds)) == seconds


def test_help_begins_with_examples_and_common_options() -> None:
    epilog = "other:\n  x\n\nexamples:\n  it --level low\n\nexit status:\n  0\n"
    parser = Parser(("depth-limit", "level"), prog="it", description="It is.", epilog=epilog)
    parser.add_options(OPTIONS.values())
    text = parser.format_help()
    order = [
        "It is.",
        "examples:",
        "common options:",
        "  --depth-limit N",
        "  --level WORD",
        "  -h, --help",
        "play:",
        "  --network FILE",
        "other:",
        "exit status:",
    ]
    assert [text.count(each) for each in order] == [1] * len(order)
    assert sorted(order, key=text.index) == order
    assert "limits:" not in text  # a group without other options


def test_list_may_begin_below_zero_and_have_blanks() -> None:
    parser = Parser(prog="it")
    parser.add_argument("--range", type=arg_type(ListOf(Float(-9, 9), "")))
    for text in ("-5,0", "-5, 0", "-5 ,0", "-5.0,.0"):
        assert parser.parse_args(["--range", text]).range == (-5, 0)
    assert parser.parse_args(["--range", "-.5,1"]).range == (-0.5, 1)


def test_unknown_name_gets_a_suggestion() -> None:
    assert did_you_mean("leval", OPTIONS) == "did you mean 'level'?"
    assert did_you_mean("q", ["a", "b"]) == "expected a, b"
