"""A match that goes on with another plan than the one with which it was begun."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pinchtp.match.game.engine_spec import ENGINE_OPTIONS, EngineSpec
from pinchtp.match.game.task import Opening
from pinchtp.match.plan.plan import OPTIONS, MatchPlan, Stage


def continued(plan: MatchPlan, before: MatchPlan) -> MatchPlan:
    """A plan for the match that another one began, with whose numbers its games go on."""
    stage = Stage(len(before.engines), before.games)
    added = len(plan.engines) > len(before.engines)
    return replace(plan, stages=(*before.stages, stage) if added else before.stages)


def differences(plan: MatchPlan, before: MatchPlan) -> list[str]:
    """What keeps a plan from going on with the match of another, as phrases with both values.

    More engines may follow those of the other.
    """
    found = list(_engine_differences(plan.engines, before.engines))
    found += _opening_differences(plan.openings, before.openings)
    for name, each in OPTIONS.items():
        ours, theirs = each.value(plan), each.value(before)
        if each.fixed and ours != theirs:
            found.append(f"{name} is {each.format(ours)}, not {each.format(theirs)}")
    return found


def _opening_differences(ours: Sequence[Opening], theirs: Sequence[Opening]) -> Iterator[str]:
    """Their names do not matter, which tell where they came from."""
    if len(ours) != len(theirs):
        yield f"other openings ({len(ours)}, not {len(theirs)})"
        return
    for number, (one, other) in enumerate(zip(ours, theirs, strict=True), 1):
        if one.moves != other.moves:
            yield f"opening {number} is {' '.join(one.moves)}, not {' '.join(other.moves)}"
            return


def _engine_differences(ours: Sequence[EngineSpec], theirs: Sequence[EngineSpec]) -> Iterator[str]:
    names = [engine.name for engine in ours], [engine.name for engine in theirs]
    if names[0][: len(names[1])] != names[1]:
        yield f"the engines are {', '.join(names[0])}, not {', '.join(names[1])}"
        return
    for one, other in zip(ours, theirs, strict=False):
        for name, each in ENGINE_OPTIONS.items():
            a, b = each.value(one), each.value(other)
            if a != b:
                yield f"{one.name}'s {name} is {each.format(a)!r}, not {each.format(b)!r}"
