"""Rule options: declared with their game, and available everywhere."""

from dataclasses import replace

import pytest

from pinchtp import _core
from pinchtp.base.option_types import Int
from pinchtp.games import GAMES, PIE, RULE_OPTIONS, GameType, RuleOption, default_rule

ALL_GAMES = pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.name)
TARGET = RuleOption("target", Int(1, 5), 1, "how many stones have to be captured")


def values(option: RuleOption) -> list[int]:
    return [False, True] if option.is_switch else list(range(1, 6))


@ALL_GAMES
def test_core_options_equal_registry(game: GameType) -> None:
    assert game.start(*game.size).options.keys() == {option.name for option in game.options}


@pytest.mark.parametrize("option", [*RULE_OPTIONS.values(), TARGET], ids=lambda each: each.name)
def test_values_round_trip(option: RuleOption) -> None:
    for default in values(option):
        for value in values(option):
            with_default = replace(option, default=default)
            assert with_default.read(option.type.format(value)) == value
    games = [each for game in GAMES.values() for each in game.options if each.name == option.name]
    for declared in games or [option]:
        for value in values(declared):
            assert declared.from_sgf(["swapped", declared.to_sgf(value)]) == value
        assert declared.from_sgf([]) == declared.default


@pytest.mark.parametrize(
    ("option", "text", "expected"),
    [
        (PIE, "yes", "one of true, false"),
        (PIE, "1", "one of true, false"),
        (TARGET, "true", "an integer from 1 to 5"),
        (TARGET, "6", "an integer from 1 to 5"),
        (TARGET, "", "an integer from 1 to 5"),
    ],
)
def test_invalid_values_are_rejected(option: RuleOption, text: str, expected: str) -> None:
    with pytest.raises(ValueError, match=f"^{option.name}: .*: give {expected}$"):
        option.parse_value(text)


@pytest.mark.parametrize("value", [1, 0, None])
def test_switch_rejects_numbers(value: object) -> None:
    with pytest.raises(ValueError, match="give one of true, false"):
        PIE.read(value)


def test_shared_options_are_equal() -> None:
    for game in GAMES.values():
        for option in game.options:
            shared = RULE_OPTIONS[option.name]
            assert replace(option, default=shared.default) == shared


@ALL_GAMES
def test_foreign_option_may_only_be_off(game: GameType) -> None:
    own = game.rules()
    for option in RULE_OPTIONS.values():
        if option.name in own or not option.is_switch:
            continue
        assert game.rules({option.name: False}) == own
        with pytest.raises(ValueError, match=f"^{game.title} has no {option.title or option.name}"):
            game.rules({option.name: True})
    with pytest.raises(ValueError, match=f"^{game.title} has no option 'komi'$"):
        game.rules({"komi": False})


def test_core_rejects_foreign_option() -> None:
    with pytest.raises(ValueError, match=r"^bushka has no option 'pie'$"):
        _core.new_position("bushka", 10, 10, pie=True)
    with pytest.raises(ValueError, match=r"^pinch has no option 'crosscut'$"):
        _core.set_up("pinch", 3, 3, bytes(9), 0, options={"crosscut": 1})


def test_set_up_position_has_no_opening_options() -> None:
    game = GAMES["capture-go"]
    options = {"pie": True, "crosscut": True}
    position = game.set_up(5, 5, bytes(25), game.first, options=options)
    assert game.rules_of(position).items() >= {"pie": False, "crosscut": False}.items()
    assert game.rules_of(game.start(5, 5, **options)).items() >= options.items()


def test_rule_has_a_default_if_its_games_share_it() -> None:
    assert default_rule("crosscut") is False
    assert default_rule("pie") is None
