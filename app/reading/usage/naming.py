"""Names in the strings of calls: properties that a layout draws, operators, menus, data paths, items of modules.

Blender itself only warns of most of them, on a console that nobody reads, when the panel is drawn.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from app.reading.api.values import Lit, Method, OperatorCall, PyMember, Rna, Value
from app.reading.remark import Fault, SourcePlace
from app.reading.usage.calls import Argument, Caller, CallSite
from app.reading.usage.drift import SilentDrift
from app.reading.usage.members import Members
from ingest.manifest import Property

_ANIMATING: Final = frozenset({"keyframe_insert", "keyframe_delete", "driver_add", "driver_remove"})
_MENUS: Final = {"menu": "menu", "menu_contents": "menu", "popover": "panel"}
_IDENTIFIER: Final = re.compile(r"[A-Za-z]\w*")


@dataclass(frozen=True)
class Naming:
    """Notes names that this build does not have."""

    members: Members
    caller: Caller
    drift: SilentDrift
    undeclared: Callable[[Value, str], Fault | None]
    """The fault of a property that no class of the snippet declares."""

    def read(self, function: Value, call: CallSite) -> Value | None:
        """Note the faults of the names in a call. The value that the call returns, if a name determines it."""
        match function:
            case Method(type="UILayout", name=name):
                given = self._arguments(function, call)
                self._properties(function, given)
                self._menu(name, given)
                return self._operator(given) if name.startswith("operator") else None
            case Method(type="KeyMapItems", name="new" | "new_from_item"):
                self._key(self._arguments(function, call))
                return None
            case PyMember(owner=Rna() as owner, path=(name,)) if name in _ANIMATING and call.positional:
                self._property(owner, call.positional[0])
                return None
            case PyMember(owner=Rna() as owner, path=("get",)) if call.positional:
                self.drift.item(owner, call.positional[0].value, call.positional[0].place)
                return None
            case Method(type="Nodes", name="new"):
                self._node(self._arguments(function, call))
                return None
            case PyMember():
                self._items(function, call)
                return None
            case _:
                return None

    def write(self, owner: OperatorCall, name: str, place: SourcePlace, given: Argument) -> None:
        """Note the fault of `layout.operator(...).name = value`."""
        if owner.operator in self.members.judge.api.manifest.operators and not name.startswith(("_", "bl_", "rna_")):
            self.caller.check_operator_argument(owner.operator, name, place, given)

    # --- arguments -----------------------------------------------------------------------------------------

    def _arguments(self, method: Method, call: CallSite) -> dict[str, Argument]:
        function = self.members.judge.api.rna.function(method)
        names = [parameter.name for parameter in function.arguments] if function else []
        return {**({} if call.more_positional else dict(zip(names, call.positional, strict=False))), **call.keywords}

    def _properties(self, method: Method, given: Mapping[str, Argument]) -> None:
        """`prop(data, property)` and its like: the name stands in the argument after the data."""
        function = self.members.judge.api.rna.function(method)
        for data, name in _pairs(function.arguments if function else ()):
            if data in given and name in given:
                self._property(given[data].value, given[name])

    def _property(self, owner: Value, named: Argument) -> None:
        match named.value:
            case Lit(value=str(name)) if _IDENTIFIER.fullmatch(name):
                self.members.named(owner, name, named.place)
                self.members.notes.say(self.undeclared(owner, name), named.place)
            case Lit(value=str(path)):
                self.drift.path(owner, path, named.place)
            case _:
                pass

    def _operator(self, given: Mapping[str, Argument]) -> Value | None:
        named = given.get("operator")
        match named.value if named else None:
            case Lit(value=str(name)) if named and "." in name:
                self.members.operator_named(name, named.place)
                return OperatorCall(name)
            case _:
                return None

    def _key(self, given: Mapping[str, Argument]) -> None:
        named = given.get("idname")
        match named.value if named else None:
            case Lit(value=str(name)) if named and "." in name:
                self.members.operator_named(name, named.place, harmless=True)
            case _:
                pass

    def _node(self, given: Mapping[str, Argument]) -> None:
        named = given.get("type")
        match named.value if named else None:
            case Lit(value=str(identifier)) if named:
                self.drift.node(identifier, named.place)
            case _:
                pass

    def _menu(self, function: str, given: Mapping[str, Argument]) -> None:
        named = given.get(_MENUS.get(function, ""))
        match named.value if named else None:
            case Lit(value=str(name)) if named and name not in self.members.judge.survey.classes:
                self.members.notes.say(self.members.judge.removals.entry(f"bpy.types.{name}"), named.place)
            case _:
                pass

    def _items(self, member: PyMember, call: CallSite) -> None:
        """`gpu.shader.from_builtin("2D_IMAGE")`: items that only the list of changes knows."""
        for argument in (*call.positional, *call.keywords.values()):
            match argument.value:
                case Lit(value=str(item)):
                    address = ".".join((member.home, *member.path))
                    gone = self.members.judge.removals.entry(f"{address}={item!r}", symbol=address)
                    self.members.notes.say(gone, argument.place)
                case _:
                    pass


def _pairs(parameters: tuple[Property, ...]) -> Iterator[tuple[str, str]]:
    for data, name in itertools.pairwise(parameters):
        if data.of == "AnyType" and name.type == "STRING" and "prop" in name.name:
            yield data.name, name.name
