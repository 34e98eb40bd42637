"""Hooks: an object that leads points of a curve, or vertices of a mesh."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.drafting.composer.build import Build, Known, Many
from app.drafting.composer.grammar import step
from app.drafting.composer.patterns import Env, Reading, compile_pattern, slot
from app.drafting.composer.slots import Target
from app.drafting.composer.values import refuse

ENDS: Final = {"first": (0,), "start": (0,), "last": (-1,), "end": (-1,), "ends": (0, -1), "middle": (None,)}
"""Points by a word, as numbers; None is the one in the middle."""
POINTS: Final = compile_pattern(
    "([the|its] {which=first|last|middle} [control] [point|vertex|one]|[the|its] {which=start|end|middle}|[the|its] {which=both ends|two ends|ends}|[the|its] vertex [index] {n:int})"
)


@slot("hooked")
def hooked(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, tuple[int | None, ...]]]:
    """ "the last control point", "both ends", "vertex 3"."""
    for end, found in POINTS(reading, at, {}):
        yield end, ENDS.get(found.get("which", "").split(" ")[-1], (found.get("n"),))


@step(
    "[<add>] [a] hook [modifier] (on|to|at|for) {points:hooked} (of|on) [the] [curve] {target:object of one} ~( (to|with|and|using) [the] [empty] {goal:object of one} ; [to|with|and|using] [a] new empty [<called>] {new:name} [(at|in) (that|this|its) (spot|point|place|position|location)] )",
    "hook {points:hooked} [(of|on) [the] [curve] {target:object of one}] (to|onto) ([the] [existing] [empty|empties|object|objects] {goal:object}|[a] new empty [<called>] {new:name} [(at|in) (that|this|its) (spot|point|place|position|location)])",
    "{more:hooked} to ([the] [existing] [empty|object] {goal:object of one}|[a] new empty [<called>] {new:name} [at (that|this|its) (spot|point|place|position|location)])",
)
def hook(
    build: Build, points: tuple[int | None, ...] | None, more: tuple[int | None, ...] | None, target: Target | None, goal: Target | None, new: str | None,
) -> None:  # fmt: skip
    """Points of a curve or a mesh follow objects; a new empty stands where its point is."""
    last: Known | None = build.memory.get("_hooked")
    if (goal is None) == (new is None) or (more and last is None):
        raise refuse("hook", "of which object, to which one?")
    known = last if more and last is not None else build.one(target)
    build.memory["_hooked"] = known
    places = points or more or ()
    build.comment(f"hooks of {target.said if target else 'it'}")
    build.need("hook")
    owners = goals(build, known, goal, new, places)
    if len(owners) not in {1, len(places)}:
        raise refuse("hook", "which point to which object?")
    for number, owner in enumerate(owners):
        led = places if len(owners) == 1 else places[number : number + 1]
        numbers = ", ".join(MIDDLE.format(known.var) if each is None else str(each) for each in led)
        build.line(f"hook({known.var}, {owner.var}, [{numbers}])")
    build.it = known
    build.note(f"hooked to {goal.said if goal else new}")


MIDDLE: Final = "len(control_points({0})) // 2"


def goals(
    build: Build, known: Known, goal: Target | None, new: str | None, places: tuple[int | None, ...]
) -> list[Known]:
    """The objects that lead; a new one is put where the point is."""
    if goal is not None:
        found = build.objects(goal)
        return found.members if isinstance(found, Many) else [found]
    if len(places) != 1 or new is None:
        raise refuse(new or "", "at which point?")
    empty = build.new_object("empty", new, called=True, type_="EMPTY")
    place = MIDDLE.format(known.var) if places[0] is None else places[0]
    build.line(f"{empty.var}.location = control_points({known.var})[{place}]")
    return [empty]
