"""Things with real composition: recipes of the cookbook, picked by name and given the numbers of the request.

"a spiral staircase with 20 steps, 4 m high"  ──>  cookbook/modelling/spiral_staircase.py with STEPS = 20, HEIGHT = 4.0
"""

from __future__ import annotations

import ast
import functools
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, Final

from app.drafting.composer.build import Build, Known
from app.drafting.composer.grammar import step
from app.drafting.composer.lexicon import Phrases, key_of
from app.drafting.composer.patterns import Env, Reading, slot
from app.drafting.composer.slots import Target, name, quantity, skip
from app.drafting.composer.steps.objects import Thing, write_thing
from app.drafting.composer.values import Degrees, Quantity, clean, literal, quoted, refuse
from ingest.cookbook import COOKBOOK

JOINING: Final = frozenset(
    {"with", "and", "having", "of", "its", "the", "a", "an", "at", "that", "which", "has", "is", "about", "in"}
)


@dataclass(frozen=True)
class Parameter:
    """A constant of a recipe that a request may set."""

    constant: str
    words: tuple[str, ...]
    kind: str
    low: float
    high: float

    def fitted(self, given: Quantity, said: str) -> str:
        """The value as source. Raises `NotUnderstood` where the recipe does not take it."""
        measures = given.unit.measures if given.unit else ""
        wanted = {"int": {"", "frames", "times"}, "length": {"", "length"}, "angle": {"", "angle"}, "float": {""}}[
            self.kind
        ]
        if measures not in wanted or not self.low <= given.value <= self.high:
            raise refuse(said, f"from {self.low:g} to {self.high:g} was expected")
        if self.kind == "int":
            if given.number != int(given.number):
                raise refuse(said, "a whole number was expected")
            return str(int(given.number))
        return literal(Degrees(given.value)) if self.kind == "angle" else literal(float(clean(given.value)))


@dataclass(frozen=True)
class Dish:
    """A recipe, and what may be said of it."""

    name: str
    words: tuple[str, ...]
    remarks: tuple[str, ...]
    makes: tuple[str, ...]
    renames: str
    material: str
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True)
class Wish:
    """A recipe with what the request says of it."""

    dish: Dish
    values: tuple[tuple[str, str], ...]
    called: str
    said: str


@functools.cache
def menu() -> Phrases[Dish]:
    """Every recipe that can be asked for, by what it is called."""
    table: dict[str, dict[str, Any]] = tomllib.loads(
        files("app.drafting.composer").joinpath("recipes.toml").read_text(encoding="utf-8")
    )
    found: list[tuple[str, Dish]] = []
    for path, facts in table.items():
        parameters = tuple(
            Parameter(each["set"], tuple(each["words"]), each["kind"], each["min"], each["max"])
            for each in facts["parameters"]
        )
        dish = Dish(
            path, tuple(facts["words"]), tuple(facts.get("remarks", ())), tuple(facts["makes"]), facts.get("renames", ""),
            facts.get("material", ""), parameters,
        )  # fmt: skip
        found += [(phrase, dish) for phrase in dish.words]
    return Phrases(found)


def every_dish() -> list[Dish]:
    """Every recipe once."""
    return list({dish.name: dish for dish in menu().meanings()}.values())


@slot("recipe")
def wish(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, Wish]]:
    """A recipe by name, with remarks, numbers and a name of its own, in any order."""
    start = skip(reading, at, {"a", "an", "small", "new"})
    if (reading.word(start), reading.word(start + 1)) in {("row", "of"), ("line", "of")}:
        start += 2
    early: list[tuple[str, Quantity, str]] = []
    while True:
        read = next(quantity(reading, start, {}, ""), None)
        counted = menu().first(reading.tokens, read[0]) if read is not None else None
        if (
            read is not None
            and counted is not None
            and any(reading.word(read[0]) in each.words for each in counted[1].parameters)
        ):
            # "20 dominoes": the thing itself is what is counted
            early.append((reading.word(read[0]), read[1], reading.said(start, read[0] + 1)))
            start = read[0]
            break
        if (
            read is None
            or menu().first(reading.tokens, start)
            or reading.word(read[0])
            not in {"m", "high", "tall", "wide", "long", "step", "toothed", "tooth", "pointed", "point"}
        ):
            break
        early.append((reading.word(read[0]), read[1], reading.said(start, read[0] + 1)))
        start = read[0] + 1
        start += reading.mark(start) == ","
    for end, dishes in menu().matches(reading.tokens, start):
        dish = dishes[0]
        if reading.mark(at - 1) == "(" and reading.mark(end) == ")":
            continue  # "1920 x 1080 (landscape)": what stands in brackets is no thing to be made
        if start == at and end == at + 1 and reading.tokens[at].text[:1].isupper() and reading.word(end) == "and":
            continue  # "Table and Mat as shadow catchers": names
        values: list[tuple[str, str]] = []
        for word, given, said in early:
            parameter = next(
                (each for each in dish.parameters if word in each.words or word.removesuffix("ed") in each.words), None
            )
            if parameter is None:
                break
            values.append((parameter.constant, parameter.fitted(given, said)))
        else:
            yield from more(reading, at, end, dish, values, "")


def more(
    reading: Reading, start: int, at: int, dish: Dish, values: list[tuple[str, str]], called: str
) -> Iterator[tuple[int, Wish]]:
    """What is said after the name, most of it first."""
    for place in joins(reading, at):
        for end, value in said_of(reading, place, dish):
            if isinstance(value, str):
                if not called or not value:
                    yield from more(reading, start, end, dish, values, value or called)
            elif value[0] not in dict(values):
                yield from more(reading, start, end, dish, [*values, value], called)
    yield at, Wish(dish, tuple(values), called, reading.said(start, at))


def joins(reading: Reading, at: int) -> Iterator[int]:
    """Where the next remark may begin."""
    yield at
    place = at
    while (reading.mark(place) in {",", "(", ")", ":"} or reading.word(place) in JOINING) and place - at < 5:
        place += 1
        yield place


def said_of(reading: Reading, at: int, dish: Dish) -> Iterator[tuple[int, str | tuple[str, str]]]:
    """A remark, a name or a parameter."""
    words = [key_of(remark) for remark in dish.remarks]
    rest = reading.said(at, min(len(reading.tokens), at + 24))
    spoken = key_of(rest)
    for key in sorted(words, key=len, reverse=True):
        if spoken[: len(key)] == key:
            end, left = at, len(key)
            while left:
                left -= len(key_of(reading.said(end, end + 1))) > 0
                end += 1
            yield end, ""
            break
    if dish.renames and reading.word(at) in {"called", "named"}:
        for end, text in name(reading, at + 1, {}, ""):
            yield end, text
    for parameter in dish.parameters:
        table = Phrases((phrase, parameter) for phrase in parameter.words)
        for middle, given in quantity(reading, at, {}, ""):
            for end, _ in table.matches(reading.tokens, skip(reading, middle, {"in"})):
                yield end, (parameter.constant, parameter.fitted(given, reading.said(at, end)))
            if given.measured("frames") and "frame" in parameter.words:
                yield middle, (parameter.constant, parameter.fitted(given, reading.said(at, middle)))
        for middle, _ in table.matches(reading.tokens, at):
            start = skip(reading, middle, {"of", "to", "is", "about"})
            for end, given in quantity(reading, start, {}, ""):
                yield end, (parameter.constant, parameter.fitted(given, reading.said(at, end)))


@step(
    "[<add>] {r:recipe}",
    "[animate|show] {r:recipe}",
)
def prepare(build: Build, r: Wish) -> None:
    """A recipe as it is, with the numbers of the request."""
    if r.said[:1].isupper() and not r.values and not r.called and f"{r.said}:" in build.request:
        raise refuse(r.said, "a new one, or the object of that name?")
    function = serve(build, r, with_sample=True)
    build.line(f"{function}()")
    for index, title in enumerate(r.dish.makes):
        if r.dish.material:
            continue
        called = r.called if index == 0 and r.called else title
        known = Known(build.var(called), called, "", made=True)
        known.var = f"bpy.data.objects[{quoted(called)}]"
        build.known.append(known)
        if index == 0:
            build.it = known
    build.note(f"{r.said} -> the recipe {r.dish.name}")


@step(
    "[<add>] {r:recipe} (for|on|to) {target:object}",
    "(give|let) {target:object} [have] {r:recipe}",
    "(make|let) {target:object} look like {r:recipe}",
    "[<add>] {r:recipe} (for|on|to) {target:object} , {remark:remark of r}",
    "(make|let) {target:object} (of|from|out of) {r:recipe}",
    "[<add>] {r:recipe} (for|on) {what:thing}",
)
def dress(build: Build, r: Wish, target: Target | None, what: Thing | None, remark: str | None) -> None:
    """A material of the cookbook for an object that is there, or a new one."""
    if not r.dish.material:
        raise refuse(r.said, "it is no material")
    known = build.one(target) if what is None else write_thing(build, what)
    function = serve(build, r, with_sample=False)
    build.need("use_material")
    build.line(f"{function}()")
    build.line(f"use_material({known.var}, bpy.data.materials[{r.dish.material}])")
    build.it = known
    said = f"{r.said}, {remark}" if remark else r.said
    build.note(f"{said} -> the material of the recipe {r.dish.name}")


@slot("remark")
def remark(reading: Reading, at: int, env: Env, of: str) -> Iterator[tuple[int, str]]:
    """A remark on a recipe that was named before."""
    found = env.get(of)
    if isinstance(found, Wish):
        for end, value in said_of(reading, at, found.dish):
            if value == "":
                yield end, reading.said(at, end)


def serve(build: Build, wish_: Wish, *, with_sample: bool) -> str:
    """Put the code of a recipe into the snippet; answers the function that carries it out."""
    if "_assembly" in build.memory:
        raise refuse(wish_.said, "a recipe, or built from the parts that are told?")
    if build.used & {"recipe"}:
        raise refuse(wish_.said, "one recipe in a request")
    build.used.add("recipe")
    source = (COOKBOOK / f"{wish_.dish.name}.py").read_text(encoding="utf-8")
    values = dict(wish_.values)
    if wish_.called:
        values[wish_.dish.renames] = quoted(wish_.called)
    lines = with_values(source, values).splitlines()
    tree = ast.parse("\n".join(lines))
    body = tree.body[1:]
    for statement in body:
        if isinstance(statement, ast.ImportFrom):
            build.imports(*(f"{statement.module}: {each.name}" for each in statement.names))
        elif isinstance(statement, ast.Import):
            build.imports(*(each.name for each in statement.names if each.name != "bpy"))
    code = [each for each in body if not isinstance(each, ast.Import | ast.ImportFrom)][:-1]
    function = f"make_{wish_.dish.name.partition('/')[2]}"
    for index, statement in enumerate(code):
        start = code[index - 1].end_lineno if index else statement.lineno - 1
        text = "\n".join(lines[start : statement.end_lineno]).strip("\n")
        if isinstance(statement, ast.FunctionDef) and statement.name == "main":
            text = text.replace("def main() -> None:", f'def {function}() -> None:\n    """{docstring(source)}"""')
            if not with_sample:
                text = "\n".join(line for line in text.splitlines() if "sample_sphere(" not in line)
        elif (
            not with_sample and isinstance(statement, ast.FunctionDef) and statement.name in {"sample_sphere", "placed"}
        ):
            continue
        build.function(text) if isinstance(statement, ast.FunctionDef) else build.constant(text)
    return function


def docstring(source: str) -> str:
    """The first line of a recipe's docstring."""
    return (ast.get_docstring(ast.parse(source)) or "").partition("\n")[0]


def with_values(source: str, values: dict[str, str]) -> str:
    """The source with other values of its constants, also of those that are set together."""
    tree = ast.parse(source)
    edits: list[tuple[ast.expr, str]] = []
    for statement in tree.body:
        if not isinstance(statement, ast.Assign):
            continue
        target, value = statement.targets[0], statement.value
        if isinstance(target, ast.Name) and target.id in values:
            edits.append((value, values.pop(target.id)))
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            for each, part in zip(target.elts, value.elts, strict=True):
                if isinstance(each, ast.Name) and each.id in values:
                    edits.append((part, values.pop(each.id)))
    if values:
        raise ValueError(f"the recipe has no constant {', '.join(values)}")
    lines = source.splitlines()
    for node, text in sorted(edits, key=lambda edit: (edit[0].lineno, edit[0].col_offset), reverse=True):
        line = lines[node.lineno - 1]
        lines[node.lineno - 1] = line[: node.col_offset] + text + line[node.end_col_offset :]
    return "\n".join(lines) + "\n"
