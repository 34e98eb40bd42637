"""What a request was read as: a plan, which is a list of typed steps in the order they are carried out.

Plan ── EnsureActive | AddPrimitive | AddModifier | SetMaterial | Shade | Move
                         └─ all but the first two have a target: Active | Named | Made
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from app.drafting.composer.lexicon import Modifier, Primitive

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Degrees:
    """An angle."""

    value: float


Value = bool | int | float | str | Degrees | Vector | tuple[bool, bool, bool]
"""Lengths are in metres, colours are scene-linear red, green, blue."""


@dataclass(frozen=True)
class Active:
    """The active object."""


@dataclass(frozen=True)
class Named:
    """The object that the scene has under this name."""

    name: str


@dataclass(frozen=True)
class Made:
    """The object that the step at this index of the plan makes."""

    step: int


Target = Active | Named | Made


@dataclass(frozen=True)
class EnsureActive:
    """Add a cube and make it active if there is no active object."""


@dataclass(frozen=True)
class AddPrimitive:
    """Add a new object. `called` tells a name that the user chose from the one that Blender would give.

    `rotation` is in degrees. What is None stays as Blender has it on a new object.
    """

    primitive: Primitive
    name: str
    called: bool
    settings: Mapping[str, Value]
    location: Vector | None
    rotation: Vector | None
    scale: Vector | None


@dataclass(frozen=True)
class AddModifier:
    """Give the target a modifier of this name, or set up the one it has."""

    target: Target
    modifier: Modifier
    name: str
    settings: Mapping[str, Value]


@dataclass(frozen=True)
class SetMaterial:
    """Make the target look like this; inputs that are None stay as Blender has them on a new material."""

    target: Target
    name: str
    colour: Vector | None
    inputs: Mapping[str, float]


@dataclass(frozen=True)
class Shade:
    """Shade every face of the target smooth or flat."""

    target: Target
    smooth: bool


@dataclass(frozen=True)
class Move:
    """Put the target at a place."""

    target: Target
    location: Vector


Step = EnsureActive | AddPrimitive | AddModifier | SetMaterial | Shade | Move


@dataclass(frozen=True)
class Plan:
    """The steps of a request, at least one."""

    steps: tuple[Step, ...]


def describe(plan: Plan) -> list[str]:
    """Say in one line a step what the request was read as."""
    return [_describe(step, plan) for step in plan.steps]


def _describe(step: Step, plan: Plan) -> str:
    match step:
        case EnsureActive():
            return "the active object, if missing -> a new cube, made active"
        case AddPrimitive():
            placed = {"location": step.location, "rotation in degrees": step.rotation, "scale": step.scale}
            given = {**step.settings, **{word: value for word, value in placed.items() if value is not None}}
            return f'{step.primitive.title}{_listed(given)} -> a new object "{step.name}"'
        case AddModifier():
            what = f"{step.modifier.title} modifier{_listed(step.settings)}"
            return f'{what} -> {step.modifier.key} "{step.name}" on {_target(step.target, plan)}'
        case SetMaterial():
            given = {**({} if step.colour is None else {"linear colour": step.colour}), **step.inputs}
            return f'material{_listed(given)} -> "{step.name}" on {_target(step.target, plan)}'
        case Shade():
            shading = "smooth" if step.smooth else "flat"
            return f"{shading} shading -> every face of {_target(step.target, plan)}"
        case Move():
            return f"location {_shown(step.location)} -> {_target(step.target, plan)}"


def _target(target: Target, plan: Plan) -> str:
    match target:
        case Active():
            return "the active object"
        case Named():
            return f'the object "{target.name}"'
        case Made():
            maker = plan.steps[target.step]
            return f'the new object "{maker.name}"' if isinstance(maker, AddPrimitive) else "the new object"


def _listed(values: Mapping[str, Value]) -> str:
    return f" ({', '.join(f'{name}={_shown(value)}' for name, value in values.items())})" if values else ""


def _shown(value: Value) -> str:
    if isinstance(value, Degrees):
        return f"{value.value:g} degrees"
    if isinstance(value, tuple):
        return f"({', '.join(_shown(part) for part in value)})"
    return f"{value:g}" if isinstance(value, float) else str(value)
