"""Settings that have no effect without another one: read from `needs.toml`, and checked in a snippet.

    bevel.width_pct = 10          has no effect while `offset_type` is 'OFFSET'

There is no remark if the snippet may have set the other one elsewhere: if it writes that name to something that may be
of the type, has the name in a string or as a keyword, sets a computed name, or passes the owner to unknown code.
"""

from __future__ import annotations

import ast
import functools
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict

from app.reading.api.schema import Api
from app.reading.api.values import Lit, Rna, Unknown, Value, options
from app.reading.remark import Fault, Remark, SourcePlace
from app.reading.survey import Survey
from app.reading.usage.members import is_sure
from python.identifiers import root_name

NEEDS: Final = Path(__file__).with_name("needs.toml")
CODE: Final = "no-effect-without"
_HARMLESS: Final = frozenset({"print", "len", "repr", "str", "type", "id", "isinstance"})

Settings = Mapping[str, bool | str]


class _NeedsFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    on_new_ones: list[str]
    needs: dict[str, dict[str, Settings]]


@functools.cache
def needs() -> Mapping[str, Settings]:
    """Per setting, such as "BevelModifier.width_pct": the settings of the same type that it needs, and their values."""
    return {setting: needed for part in _file().needs.values() for setting, needed in part.items()}


def required_settings(setting: str) -> Settings:
    """The needed settings without which there is no effect at all, and which are not on by default."""
    needed, type_name = needs().get(setting, {}), setting.partition(".")[0]
    # If one switch is on, another one that is off only separates two effects.
    matter = {name: value for name, value in needed.items() if value is not False} or needed
    return {name: value for name, value in matter.items() if f"{type_name}.{name}" not in _file().on_new_ones}


@functools.cache
def _file() -> _NeedsFile:
    return _NeedsFile.model_validate(tomllib.loads(NEEDS.read_text(encoding="utf-8")))


@dataclass(frozen=True)
class _UnmetNeed:
    """A setting that was written, with one that it needs."""

    setting: str
    type: str
    """The type that declares the needed setting."""
    needed: str
    default: bool | str
    value: bool | str
    root: str
    place: SourcePlace


class Requirements:
    """The settings that one snippet writes, and those that it needs to write as well."""

    def __init__(self, api: Api, survey: Survey) -> None:
        self._api, self._survey = api, survey
        self._wanted: dict[_UnmetNeed, None] = {}
        self._written: dict[str, set[Value]] = {}
        self._handed_out: set[str] = set()

    def start_over(self) -> None:
        """Forget the reading before."""
        self._wanted, self._written, self._handed_out = {}, {}, set()

    def write(self, target: ast.Attribute, owner: Value, value: Value, place: SourcePlace, listens: bool) -> None:
        """Note `owner.name = value`."""
        self._written.setdefault(target.attr, set()).update(options(owner))
        if listens and isinstance(owner, Rna) and is_sure(owner):
            for unmet in self._needs_of(owner.type, target, value, place):
                self._wanted[unmet] = None

    def hand_out(self, node: ast.Call) -> None:
        """Note the arguments of an unknown call, which may set anything."""
        if isinstance(node.func, ast.Name) and node.func.id in _HARMLESS:
            return
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        self._handed_out |= {root for argument in given if (root := root_name(argument))}

    def remarks(self) -> Iterator[Remark]:
        """One remark per setting without effect. Call this after the whole snippet is read."""
        for unmet in self._wanted:
            if not self._may_be_met(unmet):
                while_so = f"while `{unmet.needed}` is {unmet.default!r}, its default"
                message = f"`{unmet.setting}` has no effect {while_so}, and the snippet does not change that"
                hint = f"Set `{unmet.needed} = {unmet.value!r}` too."
                yield Remark(Fault(CODE, message, hint, f"bpy.types.{unmet.type}.{unmet.needed}"), unmet.place)

    def _needs_of(
        self, type_name: str, target: ast.Attribute, value: Value, place: SourcePlace
    ) -> Iterator[_UnmetNeed]:
        setting_written = self._api.rna.property(type_name, target.attr)
        if setting_written is None or (isinstance(value, Lit) and value.value in (None, "", setting_written.default)):
            return
        for declared in self._api.manifest.lineage(type_name):
            setting = f"{declared.name}.{target.attr}"
            for name, wanted in required_settings(setting).items():
                needed = self._api.rna.property(type_name, name)
                if needed is not None and needed.default != wanted:
                    yield _UnmetNeed(setting, declared.name, name, needed.default, wanted, root_name(target), place)

    def _may_be_met(self, unmet: _UnmetNeed) -> bool:
        names = {unmet.needed, "*"}
        if names & (self._survey.mentioned | self._survey.asked_for) or "*" in self._survey.written:
            return True
        return unmet.root in self._handed_out or any(
            self._may_be(owner, unmet.type) for owner in self._written.get(unmet.needed, ())
        )

    def _may_be(self, owner: Value, type_name: str) -> bool:
        """True if the owner that was written to may be of that type."""
        manifest = self._api.manifest
        match owner:
            case Rna(type=other):
                return manifest.is_a(other, type_name) or manifest.is_a(type_name, other)
            case Unknown():
                return True
            case _:
                return False
