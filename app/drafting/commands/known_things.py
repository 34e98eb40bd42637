"""The things that a request has named so far, and what became of them: made, renamed, chosen or deleted.

Later operations and checks ask here which thing a name means now, and whether the start has it by that name.
"""

from __future__ import annotations

import dataclasses
from typing import Any, Final

from app.accept import ObjectCheck
from app.drafting.commands.names import OBJECT_TYPES, Names
from app.drafting.commands.script import Script
from app.drafting.commands.subject import Subject
from app.drafting.commands.words import WORDS
from app.drafting.draft import NotUnderstood

_GROUPS: Final = ("every", "active", "selected", "camera")
AGAIN: Final = "An earlier command uses it, and a second run would not find it: delete it in another request."


class KnownThings:
    """The memory of one request."""

    def __init__(self, script: Script) -> None:
        self._script: Final = script
        self._names: Final[Names] = script.names
        self._objects: Final[dict[str, Subject]] = {}
        """Objects by their names, also by earlier ones."""
        self._kinds: Final[dict[str, Subject | None]] = {}
        """The object that was made here of each kind; None if a kind may refer to several things."""
        self._collected: Final[dict[str, Subject]] = {}
        self._gone: Final[set[str]] = set()
        """The names of deleted objects."""
        self._since: Final[set[str]] = set()
        """The names and groups that do not mean what they meant at the start."""
        self._active: Subject | None = None
        self._selected: list[Subject] = []
        """The selected objects, if this request selected them."""
        self._counts: Final[dict[str, int]] = {}
        self.last_thing: Subject | None = None
        """The thing that was named or made last."""
        self.deleted = False
        """True if something was deleted, so that "it" refers to nothing."""
        self.parented = False
        """True if things may move with others, because some were given parents."""
        self.trees: Subject | None = None
        """The last thing that nodes were added to."""
        self.part: Subject | None = None
        """The modifier, constraint or node that was added last."""

    def _made(self, words: str) -> Subject | None:
        """The object of this kind that was made here, if any; raises NotUnderstood if it may be another one."""
        kind = next((kind for kind in (words, _kind(words)) if kind in self._kinds), None)
        if kind is None or self._kinds[kind]:
            return self._kinds[kind] if kind else None
        reason = f'"{words}" may be the one made here or another one: write the name of the one you mean.'
        raise NotUnderstood([words], reason)

    def known(self, name: str) -> Subject | None:
        """The object that an earlier command named so, or made or renamed: it has a variable."""
        return self._objects.get(name)

    def _default_name(self, words: str) -> str:
        """The name that Blender gives to the first object of a kind; raises NotUnderstood for other words."""
        if words.endswith("s") and words in OBJECT_TYPES:
            raise NotUnderstood([words], f'Write "every {words.removesuffix("s")}", or the names of the objects.')
        if self._names.kind(words) is None:
            reason = f'"{words}" is not a kind of object: write a name exactly, with its capital or in quotes.'
            raise NotUnderstood([words], reason)
        named = WORDS["default_names"].get(words)
        return named or " ".join(word.capitalize() for word in words.split())

    def check_free(self, name: str, *, renamed: bool = False) -> None:
        """Raise NotUnderstood if a second run would take an object of this name for another one of this request."""
        if name in self._objects or (renamed and name in self._gone):
            reason = f'"{name}" is or was another object of this request: give this one another name.'
            raise NotUnderstood([name], reason)

    def know(self, where: str, name: str, subject: Subject) -> None:
        """Record a data block that was just made."""
        self._collected[f"{where} {name}"] = subject

    def other_camera(self, camera: Subject) -> None:
        """Record that another camera is that of the scene."""
        self._collected["camera"] = camera
        self._since.add("camera")
        self._script.checks.regroup("camera")

    def is_named(self, group: str) -> bool:
        """True if an earlier command uses the active object or the camera, or chose it."""
        return bool(self._active or self._selected if group == "active" else self._collected.get("camera"))

    # What becomes of objects: whatever depends on their names, or on who is in a group, asks here

    def start_of(self, subject: Subject) -> dict[str, Any]:
        """The parts of a check of change that name an object of the start; empty if its names tell it no more."""
        named = {name: value for name, value in subject.where.fields if name in {"name", "type", "which"}}
        other = subject.made or subject.where.check is not ObjectCheck or self._since & {*map(str, named.values())}
        return {} if other else named

    def is_of_the_start(self, named: str | None) -> bool:
        """True if a name or group means what it meant at the start."""
        return named not in self._since

    def made(self, subject: Subject, kind: str = "") -> None:
        """Record an object that was just made; one that an operator made is active, and its kind may refer to it."""
        fields = dict(subject.where.fields)
        stem = self._default_name(_kind(kind)) if fields.get("type") in {"MESH", "LIGHT", "CAMERA"} else None
        self.one_more(fields.get("type", ""), subject.name, stem)
        self.last_thing = subject
        if subject.name:
            self._objects[subject.name] = subject
        if not kind:
            return
        self.choose([subject])
        self._kinds[_kind(kind)] = None if subject.name or _kind(kind) in self._kinds else subject
        generic = (word for word, of in OBJECT_TYPES.items() if of == fields["type"] and _kind(word) != _kind(kind))
        self._kinds.update(dict.fromkeys(generic))

    def one_more(self, kind: str, name: str, stem: str | None) -> None:
        """Record a further object of a type, with this name or one that Blender makes of `stem`."""
        self._selected = []
        self._gone.discard(name)
        self._script.checks.regroup("every")
        self._script.checks.take_name("objects", name, stem)
        self._script.checks.one_more(kind)

    def choose(self, subjects: list[Subject]) -> None:
        """Record that these objects are selected, and the last of them is active."""
        self._since.update(("active", "selected"))
        self._script.checks.regroup("active", "selected")
        self._selected = subjects
        self._active = None if subjects[-1].items else subjects[-1]

    def rename(self, subject: Subject, name: str) -> None:
        """Record the new name of an object or data block; those who know it by an earlier name still do."""
        was, named = subject.where, dict(subject.where.fields)
        fields = tuple({**{part: value for part, value in named.items() if part != "which"}, "name": name}.items())
        collection = named.get("collection", "objects")
        self._script.checks.rename(was, fields, collection)

        def again(earlier: Subject) -> Subject:
            if (earlier.where.check, earlier.where.fields, earlier.where.mark) != (was.check, was.fields, was.mark):
                return earlier
            where = dataclasses.replace(earlier.where, fields=fields)
            return dataclasses.replace(earlier, where=where, name=earlier.name if where.prefix else name)

        for known in (self._objects, self._kinds, self._collected):
            known.update({key: again(one) for key, one in known.items() if one})
        self.part, self.trees, self._active, self.last_thing = (
            again(one) if one else None for one in (self.part, self.trees, self._active, subject)
        )
        self._selected = [again(one) for one in self._selected]
        if collection == "objects":
            self._script.checks.take_name("objects", name)
            self._since.update((name, *(() if subject.made else _GROUPS)))
            self._objects[name] = again(subject)
        else:
            self.know(collection, name, again(subject))

    def removed(self, name: str, gone: Subject | None = None) -> None:
        """Record that an object is gone, whose name may not be known."""
        of_the_start = gone is None or not gone.made
        self._script.checks.forget(name, gone.where if gone else None, of_the_start)
        self._since.update(_GROUPS if of_the_start else ())
        self._selected = []
        self._gone.add(name)
        for known in (self._objects, self._kinds):
            for key in [key for key, one in known.items() if one and one == gone]:
                del known[key]
        self._active = None if self._active == gone else self._active
        self.last_thing = None if self.last_thing == gone else self.last_thing

    def removed_all(self, group: Subject, but: Subject | None = None) -> None:
        """Record that all objects, or all of a type, are gone, but one; raises NotUnderstood if one was used before."""
        kind = dict(group.where.fields).get("type")
        known = [*self._objects.values(), *(one for one in (self._active, self._collected.get("camera")) if one)]
        for one in known:
            of_it = kind is None or (group.data and one.data and self._names.manifest.is_a(one.data, group.data))
            if of_it and one != but and ("which", "every") in group.where.fields:
                if not one.made:
                    raise NotUnderstood([one.name or "it"], AGAIN)
                self.removed(one.name, one)
        self._kinds.clear()
        self._script.checks.forget_all(kind)
        self.removed("")


def _kind(words: str) -> str:
    """A kind of object by the name that Blender has for it."""
    return str(WORDS["kinds"].get(words, words))
