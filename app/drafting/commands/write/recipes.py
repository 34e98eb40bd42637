"""Recipes of the cookbook; their parameters are the constants at the top of their files."""

from __future__ import annotations

import ast
import functools
import glob
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from app.accept import CountCheck, ObjectCheck
from app.drafting.commands import operations as op
from app.drafting.commands.literals import literal
from app.drafting.commands.read import LONGEST_NAME
from app.drafting.commands.values import in_units
from app.drafting.commands.words import color_of, plain
from app.drafting.commands.write.writing import Context, writes
from app.drafting.draft import NotUnderstood
from python.parsing import parse_python

COOKBOOK: Final = Path(__file__).parents[4] / "cookbook"
MAKES_OBJECTS: Final = re.compile(r"objects\.new\(|_add\(")
_AREAS: Final = ("modelling", "materials", "animation", "rendering", "physics", "scripting", "data", "advanced")


@dataclass(frozen=True)
class Constant:
    """A constant of a recipe: the position of its value in the source, and the value."""

    name: str
    begin: tuple[int, int]
    end: tuple[int, int]
    value: Any


@dataclass(frozen=True)
class RecipeFile:
    """One recipe: its source and its constants by their names."""

    name: str
    source: str
    constants: tuple[Constant, ...]


@functools.cache
def recipes() -> dict[str, RecipeFile]:
    """All recipes by their names, such as "spiral staircase"."""
    found: dict[str, RecipeFile] = {}
    for area in _AREAS:
        for file in sorted((COOKBOOK / area).glob("*.py")):
            if not file.name.startswith("_"):
                name = plain(file.name.removesuffix(".py"))
                source = file.read_text(encoding="utf-8")
                found[name] = RecipeFile(name, source, tuple(_constants(source)))
    return found


def _constants(source: str) -> list[Constant]:
    """The constants of a module: "NAME = value" and "A, B = 1, 2"."""
    found: list[Constant] = []
    for statement in parse_python(source).body:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target = statement.targets[0]
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        values = (
            statement.value.elts
            if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple)
            else [statement.value]
        )
        for name, value in zip(names, values, strict=False):
            if isinstance(name, ast.Name) and name.id.isupper():
                try:
                    plain_value = ast.literal_eval(value)
                except ValueError:
                    continue
                begin, end = (value.lineno, value.col_offset), (value.end_lineno or 0, value.end_col_offset or 0)
                found.append(Constant(name.id, begin, end, plain_value))
    return found


def recipe_by_name(words: str) -> RecipeFile | None:
    """The recipe of this name."""
    return recipes().get(plain(words))


@writes("recipe")
def write_recipe(context: Context, run: op.RecipeRun) -> None:
    """Run a recipe; raises NotUnderstood with the names of all recipes."""
    recipe = recipe_by_name(run.name)
    if recipe is None:
        raise NotUnderstood([run.name], f'There is no recipe "{run.name}". There are: {", ".join(sorted(recipes()))}.')
    add_recipe(context, recipe, run.settings)


def add_recipe(context: Context, recipe: RecipeFile, settings: tuple[op.NamedValue, ...]) -> None:
    """Make the source of a recipe with these constants the whole snippet."""
    lines = recipe.source.split("\n")
    chosen: list[tuple[Constant, Any]] = []
    for written in settings:
        setting = _split(recipe, written)
        constant = next((known for known in recipe.constants if plain(known.name) == plain(setting.name)), None)
        if constant is None:
            known = ", ".join(plain(known.name) for known in recipe.constants)
            raise NotUnderstood([setting.name], f'The recipe {recipe.name} has no "{setting.name}". It has: {known}.')
        chosen.append((constant, _value(constant, setting)))
    for constant, value in sorted(chosen, key=lambda pair: pair[0].begin, reverse=True):
        row, begin, end = constant.begin[0] - 1, constant.begin[1], constant.end[1]
        if constant.end[0] != constant.begin[0]:
            raise NotUnderstood([constant.name], f"{plain(constant.name)} cannot be set by a request.")
        lines[row] = f"{lines[row][:begin]}{literal(value)}{lines[row][end:]}"
    context.script.take_recipe("\n".join(lines))
    name = next((value for constant, value in chosen if constant.name == "NAME"), None)
    name = name or next((constant.value for constant in recipe.constants if constant.name == "NAME"), None)
    if isinstance(name, str):
        context.script.expect(CountCheck(name=f"{glob.escape(name[:LONGEST_NAME])}*", at_least=1))
    elif MAKES_OBJECTS.search(recipe.source):
        context.script.expect(ObjectCheck(which="every", added=True))


def _split(recipe: RecipeFile, setting: op.NamedValue) -> op.NamedValue:
    """A setting whose name and value are still one phrase: "colour red"."""
    words = setting.name.split()
    if len(words) > 1 and setting.value == op.Word(text="on"):
        for length in range(len(words) - 1, 0, -1):
            name = plain(" ".join(words[:length]))
            if any(plain(constant.name) == name for constant in recipe.constants):
                return op.NamedValue(name=name, value=op.Word(text=" ".join(words[length:])))
    return setting


def _value(constant: Constant, setting: op.NamedValue) -> Any:
    """The given value, in the type of the constant."""
    value, default = setting.value, constant.value
    name = plain(constant.name)
    if isinstance(value, op.Word):
        color = color_of(value.text)
        if isinstance(default, tuple) and color is not None:
            size = len(default)  # pyright: ignore[reportUnknownArgumentType]
            return (*color, 1.0)[:size]
        if isinstance(default, str):
            return value.text
    elif isinstance(value, op.Number):
        if not isinstance(default, (int, float)):
            raise NotUnderstood(
                [setting.name], f"{name} does not take a number: it is {constant.value!r} in the recipe."
            )
        number = in_units(value)
        if isinstance(default, int):
            if number != int(number):
                raise NotUnderstood([setting.name], f"{name} takes a whole number.")
            return int(number)
        return number
    elif isinstance(default, tuple) and len(value.parts) == len(default):  # pyright: ignore[reportUnknownArgumentType]
        return tuple(in_units(part) for part in value.parts)
    raise NotUnderstood([setting.name], f"{name} takes another kind of value: it is {constant.value!r} in the recipe.")
