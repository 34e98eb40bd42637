"""The ways of a script to the types of a build: Scene.render leads to RenderSettings, modifiers to a BevelModifier.

Scene, Object, BlendData ── properties ──> types ── properties ──> ... ── subtypes ──> the way of their base
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ingest.chunks import in_words
from ingest.manifest import Manifest, Property, once_per_manifest
from search.stems import stems

ROOTS: Final = ("Scene", "Object", "NodeTree", "FCurve", "BlendData")
NO_WAY: Final = frozenset({
    "WindowManager", "Window", "Screen", "Area", "Space", "Region", "bpy_struct", "ID", "Context", "UILayout",
    "Library", "Preferences",
})  # fmt: skip
"""Types that a background script does not go through."""
ON_ALL: Final = frozenset({
    "bpy_struct", "ID", "Node", "NodeInternal", "Modifier", "Constraint", "ShaderNode", "GeometryNode",
    "CompositorNode", "FunctionNode", "TextureNode", "PropertyGroup",
})  # fmt: skip
"""Bases whose properties say nothing about the purpose of a class below them."""
BY_CALL: Final[dict[str, tuple[str, ...]]] = dict.fromkeys(
    ("FCurve", "Keyframe"),
    (
        "bpy_extras.anim_utils.action_get_channelbag_for_slot",
        "bpy.types.AnimData.action",
        "bpy.types.AnimData.action_slot",
        "bpy.types.Object.animation_data",
    ),
)
"""The way to a type that no property leads to: since actions have slots, a function finds the curves of an object."""


@dataclass(frozen=True)
class WayStep:
    """One property on the way to a type."""

    owner: str
    member: str

    @property
    def address(self) -> str:
        return f"bpy.types.{self.owner}.{self.member}"


@dataclass(frozen=True)
class ClassSetting:
    """A property of a class, with the words of its label and its name."""

    address: str
    prop: Property
    wordings: tuple[frozenset[str], ...]


class Ways:
    """The ways of one build. Made in about 0.1 s; looked-up ways are kept."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self._last: dict[str, WayStep | None] = dict.fromkeys(ROOTS)
        self._settings: dict[str, tuple[ClassSetting, ...]] = {}
        waiting: deque[str] = deque(ROOTS)
        while waiting:
            for type_name, step in self._from(waiting.popleft()):
                if type_name not in self._last and type_name in manifest.types:
                    self._last[type_name] = step
                    waiting.append(type_name)

    def _from(self, name: str) -> Iterator[tuple[str, WayStep | None]]:
        """The types that a type leads to, and those below it, which have the same way."""
        for declared in self.manifest.lineage(name):
            if declared.name in {"bpy_struct", "ID"}:
                continue
            for prop in declared.properties.values():
                for held in (prop.collection, prop.of):
                    if held and held not in NO_WAY and not held.startswith("Space"):
                        yield held, WayStep(declared.name, prop.name)
        for below in self.manifest.subtypes.get(name, ()):
            yield below, self._last[name]

    def to(self, name: str) -> list[WayStep]:
        """The steps to a type from one of the roots; none if there is no way."""
        steps: list[WayStep] = []
        while step := self._last.get(name):
            if step in steps:
                break
            steps.insert(0, step)
            name = step.owner
        return steps

    def settings(self, name: str) -> tuple[ClassSetting, ...]:
        """The properties of a class and of its bases with the same purpose."""
        if name not in self._settings:
            self._settings[name] = tuple(self._read(name))
        return self._settings[name]

    def _read(self, name: str) -> Iterator[ClassSetting]:
        for declared in self.manifest.lineage(name):
            if declared.name in ON_ALL and declared.name != name:
                break
            for prop in declared.properties.values():
                wordings = (frozenset(stems(said)) for said in (prop.label, in_words(prop.name)))
                told = tuple(words for words in wordings if words)
                yield ClassSetting(f"bpy.types.{declared.name}.{prop.name}", prop, told)


@once_per_manifest
def ways_of(manifest: Manifest) -> Ways:
    """The ways of a build."""
    return Ways(manifest)
