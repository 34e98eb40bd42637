"""Resolves acceptance checks against the API of a build and the start scene, before any of them is frozen.

    check ── its thing ── type ── path ── property ── item
                                    └── a name that nothing of this type has: the check is broken, and this says why

A name is wrong only if no type that may stand at this place has it: a lamp of another type, or a node that the
snippet makes, is the concern of the check itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from app.accept import Check
from app.drafting.commands.names import DATA_OF_TYPES
from app.reading.nearest import nearest
from harness.inside.scene.value_paths import LINKED_FROM, PART_NAMES, STEP
from harness.protocol import RENAMED_SOCKETS
from ingest.manifest import Manifest, Property, PythonMember, RnaFunction

ANY_ROTATION: Final = "rotation"
MOST_SAID: Final = 12
REGISTERS: Final = re.compile(r"add-?on|regist|propert|panel|operator|class\b", re.IGNORECASE)


class Unresolved(Exception):
    """A name of a check leads nowhere; the message says which, and what is there."""


@dataclass(frozen=True)
class CheckResolver:
    """The build, the words of the request and the objects of the start scene that checks are resolved against."""

    manifest: Manifest
    words: str
    objects: Mapping[str, str] | None = None
    """The type of each object of the start scene, by name; None if it is not known."""
    _below: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])

    def why_broken(self, check: Check) -> str:
        """The reason why a check can never be made; empty if nothing is known against it."""
        try:
            self._resolve(check.wanted())
        except Unresolved as reason:
            return str(reason)
        return ""

    def _resolve(self, check: dict[str, Any]) -> None:
        kind, owner = check["check"], "Object"
        if kind == "change":
            self._at_the_start(name for name in (check.get("name"), *check.get("apart_from", ())) if name)
        elif kind in ("scene", "material"):
            owner = kind.capitalize()
        elif kind == "data" or check.get("of"):
            held = self.manifest.find("BlendData", check.get("of") or check["collection"])
            if held is None:
                raise Unresolved(f"bpy.data has no {check.get('of') or check['collection']} on this build")
            owner = cast("Property", held[1]).of
        if kind != "registered":
            self._values({owner}, check.get("values", {}), check.get("type"))
        self._animation(owner, check)
        self._values({owner}, dict.fromkeys(check.get("as_before", ())), check.get("type"))
        for family in ("modifiers", "constraints"):
            self._parts(family, check.get(family, ()))
        for bone in check.get("bones", ()):
            self._values({"PoseBone"}, bone.get("values", {}))
            self._parts("constraints", bone.get("constraints") or ())
        nodes = [{"type": "ShaderNodeBsdfPrincipled", "inputs": check["inputs"]}] if kind == "material" else []
        for node in [*nodes, *check.get("nodes", ())]:
            self._node({"type": node} if isinstance(node, str) else node)

    def _at_the_start(self, names: Iterable[str]) -> None:
        if self.objects is None:
            return
        for name in names:
            if name not in self.objects and "[" not in name:
                raise Unresolved(f'the scene before has no object "{name}"{self._said(name, self.objects)}')

    def _values(self, owners: set[str], values: Mapping[str, Any], types: Any = None) -> None:
        for path, wanted in values.items():
            last = self._walk(owners, path, types)
            if any(prop.type != "ENUM" or prop.open or not prop.items for prop in last):
                continue
            items = [item for prop in last for item in prop.items]
            known = {word.casefold() for item in items for word in (item.identifier, item.name)}
            listed = cast("list[Any]", wanted) if isinstance(wanted, list) else [wanted]  # type: ignore[redundant-cast]
            for said in listed:
                if last and isinstance(said, str) and said.casefold() not in known:
                    instead = self._said(said, [item.identifier for item in items])
                    raise Unresolved(f'{path} has no item "{said}"{instead}')

    def _animation(self, owner: str, check: Mapping[str, Any]) -> None:
        for wanted in (*check.get("keyframes", ()), *check.get("drivers", ())):
            head, _, last = wanted["path"].rpartition(".")
            path = wanted["path"] if last != ANY_ROTATION else f"{head}.rotation_euler".lstrip(".")
            self._walk({owner}, path, check.get("type"))

    def _parts(self, family: str, parts: Iterable[Mapping[str, Any]]) -> None:
        known = self.manifest.identifiers.get(family, {})
        for part in parts:
            if known and part["type"] not in known:
                raise Unresolved(f"no {family[:-1]} is of type {part['type']}{self._said(part['type'], known)}")
            self._values({known[part["type"]].type} if known else set(), part.get("values", {}))

    def _node(self, node: Mapping[str, Any]) -> None:
        said = (node.get("type") or "").casefold()
        if not said:
            return
        nodes = self.manifest.nodes
        fitting = [one for one in nodes.values() if said in (one.identifier.casefold(), one.label.casefold())]
        # The old short form, such as TEX_NOISE, is not in a manifest.
        if not fitting and not re.fullmatch(r"[A-Z0-9_]+", node["type"]):
            instead = self._said(node["type"], [*nodes, *(one.label for one in nodes.values())])
            raise Unresolved(f"no node is of type {node['type']}{instead}")
        if not fitting:
            return
        self._values({one.identifier for one in fitting}, node.get("values", {}))
        if any(one.varies for one in fitting):
            return
        names = [word for one in fitting for socket in one.inputs for word in (socket.name, socket.identifier)]
        for name in (*node.get("inputs", {}), *node.get("links", {})):
            if not name.isdecimal() and not self._old_or_new(name) & set(names):
                raise Unresolved(f'a {fitting[0].label} node has no input "{name}"{self._said(name, names)}')

    def _old_or_new(self, name: str) -> set[str]:
        """A name of a socket, and its name on other Blenders."""
        return {name, *(other for pair in RENAMED_SOCKETS if name in pair for other in pair)}

    def _walk(self, owners: set[str], path: str, types: Any = None) -> list[Property]:
        """The properties that a path may end at; empty if it is not known. Raises Unresolved."""
        here, props, done = owners, list[Property](), ""
        for place, step in enumerate(STEP.findall(path.removesuffix(LINKED_FROM))):
            if step.startswith("["):
                if props and props[0].type != "COLLECTION":
                    return []  # an element of a vector, or a custom property
                if not props:
                    return []
                here, props = {prop.of for prop in props}, []
                done += step
                continue
            if props and props[0].type not in ("POINTER", "COLLECTION"):
                if step in PART_NAMES:
                    return []
                raise Unresolved(f"{done} is a value and has no {step}")
            here = {
                prop.of if prop.type == "POINTER" else prop.collection or "bpy_prop_collection" for prop in props
            } or here
            if done == "data" and owners == {"Object"}:
                said = [types] if isinstance(types, str) else types or ()
                here = {DATA_OF_TYPES.get(name, "ID") for name in said} or here
            if not here <= set(self.manifest.types):
                return []
            props, known = self._members(here, step)
            if not known:
                if place == 0 and (step in self.words or REGISTERS.search(self.words)):
                    return []
                raise Unresolved(f"{' or '.join(sorted(here))} has no {step}{self._said(step, self._names(here))}")
            if not props:
                return []
            done = f"{done}.{step}".lstrip(".")
        return props

    def _members(self, types: set[str], name: str) -> tuple[list[Property], bool]:
        """The properties of this name that these types or those below have, and true if anything is called so."""
        found = [
            declared[1]
            for one in types
            for below in (one, *self._all_below(one))
            if (declared := self.manifest.find(below, name))
        ]
        if any(isinstance(member, PythonMember) and member.kind != "function" for member in found):
            return [], True
        props = [member for member in found if not isinstance(member, RnaFunction | PythonMember)]
        return props, bool(props)

    def _names(self, types: set[str]) -> Iterator[str]:
        for one in types:
            for below in (one, *self._all_below(one)):
                yield from self.manifest.types[below].properties
            for base in self.manifest.lineage(one):
                yield from base.properties

    def _all_below(self, name: str) -> frozenset[str]:
        if name not in self._below:
            direct = self.manifest.subtypes.get(name, ())
            self._below[name] = frozenset(direct).union(*(self._all_below(one) for one in direct))
        return self._below[name]

    @staticmethod
    def _said(name: str, known: Iterable[str]) -> str:
        """The names that are there instead: the names that are near, or all of a few."""
        names = sorted(set(known))
        near = nearest(name, names)
        said = near or (names if len(names) <= MOST_SAID else [])
        return f"; {'near it' if near else 'there'}: {', '.join(said)}" if said else ""
