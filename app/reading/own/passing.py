"""The arguments that the functions of a snippet are given, if all their uses are known.

Every use of such a function calls it, or hands it to Blender as a hook (see `hooks.py`), or only asks for it. A
function that goes anywhere else may be given anything. Parameters depend on what other parameters hold, so that the
snippet is read until nothing changes.
"""

from __future__ import annotations

import ast
import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.reading.api.values import UNKNOWN, Lit, Plain, Value, join
from app.reading.own.hooks import CALLBACKS, added_parameters
from python.identifiers import FunctionDef, FunctionNode, last_name

_ASKING: Final = frozenset({"remove", "is_registered", "unregister", "discard", "index", "count"})
_TAKING: Final = frozenset({"draw_handler_add", "register", "partial", "subscribe_rna"})
_HARMLESS_DECORATORS: Final = frozenset({"persistent", "staticmethod", "classmethod"})


@dataclass(frozen=True)
class OwnDefinition:
    """A function at the top level, or a method of a class there. No other one of the snippet has its name."""

    node: FunctionDef
    class_name: str

    @functools.cached_property
    def is_simple(self) -> bool:
        """True if a call of the function results in what it returns."""
        if isinstance(self.node, ast.AsyncFunctionDef) or self.node.decorator_list:
            return False
        return not any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(self.node))

    @property
    def is_bound(self) -> bool:
        """True if a call through an instance or the class gives the first parameter."""
        return bool(self.class_name) and "staticmethod" not in map(last_name, self.node.decorator_list)

    @property
    def is_of_class(self) -> bool:
        return "classmethod" in map(last_name, self.node.decorator_list)


def own_definitions(tree: ast.Module) -> dict[str, OwnDefinition]:
    """The functions that can be told apart by their names, by name."""
    definitions = [OwnDefinition(node, "") for node in tree.body if isinstance(node, FunctionDef)]
    for outer in tree.body:
        if isinstance(outer, ast.ClassDef):
            definitions += [OwnDefinition(node, outer.name) for node in outer.body if isinstance(node, FunctionDef)]
    times = Counter(node.name for node in ast.walk(tree) if isinstance(node, FunctionDef | ast.ClassDef))
    by_name = {definition.node.name: definition for definition in definitions}
    return {name: own for name, own in by_name.items() if times[name] == 1 and not name.startswith("__")}


def whose_uses_are_known(tree: ast.Module, definitions: Mapping[str, OwnDefinition]) -> frozenset[str]:
    """The names of those functions that are only called, handed to Blender, or asked for."""
    nodes = list(ast.walk(tree))
    settled = {id(part) for node in nodes for part in _settled_uses(node)}
    lost = {last_name(node) for node in nodes if id(node) not in settled and _may_be_a_use(node, definitions)}
    return frozenset(name for name, own in definitions.items() if name not in lost and _is_plain(own.node))


def _is_plain(node: FunctionDef) -> bool:
    return {last_name(decorator) for decorator in node.decorator_list} <= _HARMLESS_DECORATORS


def _may_be_a_use(node: ast.AST, definitions: Mapping[str, OwnDefinition]) -> bool:
    match node:
        case ast.Name(id=name):
            return name in definitions and not definitions[name].class_name
        case ast.Attribute(attr=name):
            return name in definitions and bool(definitions[name].class_name)
        case _:
            return False


def _settled_uses(node: ast.AST) -> Iterator[ast.AST]:
    """The parts of a node in which the use of a function is known."""
    match node:
        case ast.Call(func=function, args=arguments):
            yield function
            if last_name(function) in _ASKING | _TAKING or added_parameters(function) is not None:
                yield from arguments
            yield from (keyword.value for keyword in node.keywords if keyword.arg in CALLBACKS | {"notify"})
        case ast.Compare(left=left, comparators=others):
            yield from (left, *others)
        case ast.Attribute(value=value):
            yield value
        case _:
            pass


@dataclass
class Passing:
    """The arguments that calls have passed so far in this reading, and those of the one before."""

    known: frozenset[str] = frozenset()
    """Names of the functions all of whose uses are known."""
    before: Mapping[int, Mapping[str, Value]] | None = None
    """By the identity of a function's node: the values of its parameters; None in the first reading."""
    now: dict[int, dict[str, Value]] = field(default_factory=dict[int, dict[str, Value]])
    caller_is_known: bool = False
    """True if the calls that are read now stand in a function of `known`."""

    def give(
        self, node: FunctionNode, values: Sequence[Value], keywords: Mapping[str, Value], skip: int, more: bool
    ) -> None:
        """Note one call. `skip`: the parameters that it does not give itself. `more`: it unpacks further arguments."""
        arguments = node.args
        names = [parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args)][skip:]
        given = {**dict(zip(names, values, strict=False)), **keywords}
        defaults = _defaults(arguments)
        held = self.now.setdefault(id(node), {})
        for name in (*names, *(parameter.arg for parameter in arguments.kwonlyargs)):
            value = _general(given.get(name, UNKNOWN if more else defaults.get(name, UNKNOWN)))
            # What a parameter passes on is not known yet in the first reading, and must not count as anything.
            if value != UNKNOWN or self.before is not None or not self.caller_is_known:
                held[name] = join([held[name], value]) if name in held else value

    def held(self, node: FunctionNode, name: str) -> Value:
        """The value of this parameter."""
        return (self.before or {}).get(id(node), {}).get(name, UNKNOWN)

    def go_on(self, last: bool) -> bool:
        """True if a further reading would know more; on the `last` one, what still changes is unknown."""
        passed = _known(self.now)
        changed = passed != (self.before or {})
        if last and self.before is not None:
            passed = {node: _agreed(held, self.before.get(node, {})) for node, held in passed.items()}
        self.before, self.now = passed, {}
        return changed


def _known(passed: Mapping[int, Mapping[str, Value]]) -> dict[int, dict[str, Value]]:
    known = {node: {name: value for name, value in held.items() if value != UNKNOWN} for node, held in passed.items()}
    return {node: held for node, held in known.items() if held}


def _agreed(held: Mapping[str, Value], before: Mapping[str, Value]) -> dict[str, Value]:
    return {name: value for name, value in held.items() if before.get(name) == value}


def _general(value: Value) -> Value:
    """Only the kind of a plain value matters, because it differs from call to call."""
    return Plain(value.kind) if isinstance(value, Lit) and value.value is not None else value


def _defaults(arguments: ast.arguments) -> dict[str, Value]:
    positional = [*arguments.posonlyargs, *arguments.args]
    pairs: Iterable[tuple[ast.arg, ast.expr | None]] = [
        *zip(positional[len(positional) - len(arguments.defaults) :], arguments.defaults, strict=True),
        *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True),
    ]
    return {
        name.arg: Lit(default.value, type(default.value).__name__)
        for name, default in pairs
        if isinstance(default, ast.Constant)
    }
