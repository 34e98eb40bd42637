"""The acceptance checks of a request. All must hold at its end, so each operation revises earlier ones."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError

from app.accept import (
    MOST_CHECKS,
    ChangeCheck,
    Check,
    CollectionCheck,
    CountCheck,
    DataCheck,
    ObjectCheck,
    Part,
    SceneCheck,
)
from app.drafting.commands.literals import literal

MARKED: Final = '["made by '
PLACED: Final = frozenset(
    {"location", "rotation", "scale", "dimensions", "looks_at", "moved", "turned", "scaled", "same_shape"}
)
"""The parts of acceptance checks that describe where things are."""
PLACING: Final = ("location", "rotation_", "scale", "delta_")
"""The beginnings of the paths of values that place an object."""
_SHAPING: Final = ("data.", "modifiers[", "dimensions")
_LAST_COUNTS: Final = ("parent", "smooth", "selected", "collection")
_NAMING: Final = ("name", "type", "which", "added", "frame", "tolerance", "space")
"""The parts of a check that say what it is about, not what must be true of it."""
_SMALL: Final = 0.01
"""A number below this is compared by a share of it."""


@dataclass(frozen=True)
class Where:
    """The place of a subject in acceptance checks: fields of the check, and the prefix of the paths of its values."""

    check: type[ObjectCheck] | type[DataCheck] | type[SceneCheck]
    fields: tuple[tuple[str, Any], ...] = ()
    prefix: str = ""
    mark: tuple[tuple[str, str], ...] = ()
    """The custom property that sets a thing made by this snippet apart from others like it."""

    def has(self, values: dict[str, Any], **fields: Any) -> Check | None:
        """The check that it has these values; None if no check can hold them, such as a text of 300 characters."""
        paths = dict(self.mark) | {f"{self.prefix}{path}": check_value(value) for path, value in values.items()}
        small = [abs(value) for value in paths.values() if isinstance(value, float) and 0 < abs(value) < _SMALL]
        near = {"tolerance": min(small) / 100} if small else {}
        try:
            made: Check = self.check.model_validate({**near, **dict(self.fields), **fields, "values": paths})
        except ValidationError:
            return None
        return made

    def below(self, path: str) -> Where:
        """The same for a subject below a path."""
        return dataclasses.replace(self, prefix=f"{self.prefix}{path}.")

    def means(self, check: Check) -> bool:
        """True if a check is about the same thing."""
        return self.may_mean(check) and all(getattr(check, name, None) == value for name, value in self.fields)

    def may_mean(self, check: Check) -> bool:
        """True if a check is, or may be, about the same thing: the active object may be each that has a name."""
        if not isinstance(check, self.check):
            return self.check is ObjectCheck and isinstance(check, ChangeCheck) and not self.mark and self._fits(check)
        group = dict(self.fields).get("which") or getattr(check, "which", None)
        return self._fits(check) and bool(group or _marks(check) == list(self.mark))

    def _fits(self, check: Check) -> bool:
        own, parts = dict(self.fields), ("name", "type", "which", "collection")
        both = {part: {own.get(part), getattr(check, part, None)} - {None} for part in parts}
        if "camera" in both["which"] and not any("cam" in str(name).lower() for name in both["name"]):
            # The camera is another thing than what is named otherwise.
            every = "every" in both["which"] and both["type"] <= {"CAMERA"}
            return every or (both["which"] == {"camera"} and not both["name"])
        return all(len(said) < 2 for part, said in both.items() if part != "which")


def check_value(value: Any) -> Any:
    """A value in the form of a check."""
    if isinstance(value, (tuple, list)):
        return [float(part) if isinstance(part, float) else part for part in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, set):
        return sorted(value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return float(value) if isinstance(value, float) else value


class Checks:
    """The checks so far."""

    def __init__(self) -> None:
        self._checks: Final[list[Check]] = []
        self._supposed: Final[list[Check]] = []
        """Checks that need not be made, of what is known of things made here: later ones build on them."""
        self.beyond = 0
        """The number of checks that cannot be made."""

    def finish(self) -> list[Check]:
        """The checks; if they are too many, those of one thing as one."""
        merged = list[Check]()
        for check in self._checks:
            both = ((at, _both(one, check)) for at, one in enumerate(merged) if len(self._checks) > MOST_CHECKS)
            at, one = next(((at, one) for at, one in both if one), (len(merged), check))
            merged[at : at + 1] = [one]
        self.beyond += len(merged[MOST_CHECKS:])
        return merged[:MOST_CHECKS]

    def add(self, check: Check | None) -> None:
        """Add a check for the lines just written; if a value was set before, only the last check counts."""
        if check is None:
            self.beyond += 1
        elif isinstance(check, (ObjectCheck, DataCheck, SceneCheck)):
            parts = [name for name in _LAST_COUNTS if getattr(check, name, None) is not None]
            shaped = getattr(check, "modifiers", None) or any(path.startswith(_SHAPING) for path in check.values)
            parts += ["dimensions"] if shaped else []
            where = _where(check)

            def again(old: Check) -> Check | None:
                same = not isinstance(old, ChangeCheck) and where.may_mean(old) and _frame(old) == check.frame
                return _without(old, parts, lambda path, _: path in check.values) if same else old

            self.revise(again)
        if check is not None and check not in self._checks:
            self._checks.append(check)

    def suppose(self, check: Check | None) -> None:
        """Note what is true of a thing made here, without a check of it."""
        self._supposed.extend([check] if check else [])

    def known(self, where: Where, *parts: str) -> tuple[str, Any] | None:
        """One of these parts of the checks of a thing, with its value."""
        about = [check for check in (*self._checks, *self._supposed) if where.means(check) and _frame(check) is None]
        found = [(part, getattr(check, part, None)) for check in about for part in parts]
        return next(((part, value) for part, value in found if value is not None), None)

    def placed(self, where: Where | None, *parts: str) -> bool:
        """True if a check has one of these parts that may be about this thing, or about any."""
        about = (check for check in self._checks if where is None or where.may_mean(check))
        return any(
            any(getattr(check, part, None) is not None for part in parts)
            or any(path.startswith(parts) for path in getattr(check, "values", {}))
            for check in about
        )

    def scene_value(self, path: str) -> Any:
        """The value that this request gives a setting of the scene, if it does."""
        values = [check.values.get(path) for check in self._checks if isinstance(check, SceneCheck)]
        return next((value for value in values if value is not None), None)

    def revise(self, again: Callable[[Check], Check | None]) -> bool:
        """Put another check, or none, in the place of each; true if any is another one."""
        for checks in (self._supposed, self._checks):
            revised = [(check, again(check)) for check in checks]
            checks[:] = [new for _, new in revised if new is not None]
        return any(old is not new for old, new in revised)

    def rename(self, was: Where, fields: tuple[tuple[str, Any], ...], collection: str) -> None:
        """Let the checks of an object or data block, and those that name it, know its new name."""
        old, new = dict(was.fields).get("name"), dict(fields)["name"]
        refers = {"objects": ("parent", "looks_at"), "collections": ("collection",)}.get(collection, ())

        def again(check: Check) -> Check | None:
            match check:
                case ChangeCheck():
                    # The start has no other name for it.
                    return _alone(check, old) if collection == "objects" and not was.mark else check
                case DataCheck(collection=held, name=name) if (held, name) == (collection, old):
                    return check.model_copy(update={"name": new})
                case CollectionCheck(name=name) if ("collections", name) == (collection, old):
                    return check.model_copy(update={"name": new})
                case _ if was.means(check):
                    return check.model_copy(update={"which": None, **dict(fields)})
                case ObjectCheck() if old:
                    named = {at: new for at in refers if getattr(check, at) == old}
                    check = check.model_copy(update=named) if named else check
                    return _without(check, (), lambda _, value: value == old)
                case _:
                    return check

        self.revise(again)

    def forget(self, name: str, where: Where | None, of_the_start: bool) -> None:
        """Withdraw what is said of an object that is gone, and of groups that it may have been in."""

        def again(check: Check) -> Check | None:
            match check:
                case _ if where is not None and where.means(check):
                    return None
                case ChangeCheck():
                    return check if (check.gone and check.which) or not of_the_start else _alone(check, name)
                case ObjectCheck() if check.which or (name and check.name == name):
                    return None
                case DataCheck(collection="objects") if name and check.name == name:
                    return None
                case _ if name:
                    parts = [at for at in ("parent", "looks_at") if getattr(check, at, None) == name]
                    return _without(check, parts, lambda _, value: value == name)
                case _:
                    return check

        self.revise(again)

    def forget_all(self, kind: str | None) -> None:
        """Withdraw what is said of each object of a type, or of each."""

        def meant(check: Check) -> bool:
            of_objects = isinstance(check, ObjectCheck) or (isinstance(check, ChangeCheck) and not check.gone)
            return of_objects and kind in (None, getattr(check, "type", None))

        self.revise(lambda check: None if meant(check) else check)

    def regroup(self, *groups: str) -> None:
        """Withdraw what is said of groups that others may be in now."""
        parts = ("selected",) if "selected" in groups else ()
        self.revise(
            lambda check: None if isinstance(check, ObjectCheck) and check.which in groups else _without(check, parts)
        )

    def one_more(self, kind: str) -> None:
        """Let the checks know of a further object of a type, if it is known."""

        def again(check: Check) -> Check:
            if isinstance(check, CountCheck) and check.at_most is not None and check.type in (None, kind or check.type):
                return check.model_copy(update={"at_most": check.at_most + 1})
            return check

        self.revise(again)

    def take_name(self, collection: str, name: str, stem: str | None = None) -> None:
        """Withdraw that what had this name is gone, or without a name whatever had the stem of a name, or any."""

        def again(check: Check) -> Check | None:
            gone = isinstance(check, ChangeCheck) and check.gone and collection == "objects"
            absent = isinstance(check, DataCheck) and check.absent and check.collection == collection
            had = getattr(check, "name", None) or name
            same = had == name if name else stem is None or had.partition(".")[0] == stem
            return None if (gone and (same or getattr(check, "which", None))) or (absent and same) else check

        self.revise(again)

    def drop_part(self, where: Where, family: str, name: str) -> bool:
        """Withdraw what is said of a removed modifier or constraint; true if this snippet had added it."""
        path = f"{family}[{literal(name)}]."

        def again(check: Check) -> Check | None:
            if not isinstance(check, ObjectCheck) or not where.means(check):
                return check
            parts: list[Part] = getattr(check, family) or []
            kept = [part for part in parts if part.name != name]
            if len(kept) < len(parts):
                return _something(check.model_copy(update={family: kept or None}))
            return _without(check, (), lambda at, _: at.startswith(path))

        return self.revise(again)

    def drop_places(self, where: Where | None = None, channels: Collection[str] = PLACED) -> None:
        """Withdraw what is said of the place of one thing, or of all."""
        name = dict(where.fields).get("name") if where else None

        def again(check: Check) -> Check | None:
            if _frame(check) is not None:
                return check
            if where is None or where.may_mean(check):
                rest = _without(check, channels, lambda path, _: path.startswith(PLACING))
                return _alone(check, name) if rest is not check and isinstance(check, ChangeCheck) and name else rest
            looks = name and "location" in channels and getattr(check, "looks_at", None) == name
            return _without(check, ("looks_at",)) if looks else check

        self.revise(again)


def _alone(check: ChangeCheck, name: str | None) -> Check | None:
    """A check of change, unless an object of the start that it may mean is another one now."""
    return None if check.which or check.name == name else check


def _frame(check: Check) -> float | None:
    return getattr(check, "frame", None)


def _marks(check: Check) -> list[tuple[str, Any]]:
    """The part of a check that names the mark of this snippet."""
    return [(path, value) for path, value in getattr(check, "values", {}).items() if path.startswith(MARKED)]


def _where(check: ObjectCheck | DataCheck | SceneCheck) -> Where:
    """The thing that a check is about."""
    names = ("name", "type", "which", *(("collection",) if isinstance(check, DataCheck) else ()))
    fields = [(name, getattr(check, name, None)) for name in names]
    return Where(type(check), tuple(pair for pair in fields if pair[1] is not None), mark=tuple(_marks(check)))


def _without(
    check: Check, parts: Collection[str], gone: Callable[[str, Any], bool] = lambda _path, _value: False
) -> Check | None:
    """A check without these parts and without the values that are gone; None if it says nothing then."""
    held = () if isinstance(check, DataCheck) else parts
    update: dict[str, Any] = {part: None for part in held if getattr(check, part, None) is not None}
    values: dict[str, Any] = getattr(check, "values", {})
    kept = {path: value for path, value in values.items() if path.startswith(MARKED) or not gone(path, value)}
    if not update and len(kept) == len(values):
        return check
    return _something(check.model_copy(update={**update, **({"values": kept} if values else {})}))


def _something(check: Check) -> Check | None:
    """The check, if it says more than what it is about."""
    naming = (*_NAMING, "collection") if isinstance(check, DataCheck) else _NAMING
    return check if check.beyond(*naming) else None


def _both(first: Check, other: Check) -> Check | None:
    """Two checks of one thing as one, if they can be."""
    if type(first) is not type(other) or not isinstance(first, (ObjectCheck, DataCheck, SceneCheck)):
        return None
    ours, theirs = first.wanted(), other.wanted()
    names = (ours.keys() & theirs.keys()) | {"name", "type", "which", "frame"}
    if _marks(first) != _marks(other) or any(ours.get(name) != theirs.get(name) for name in names - {"values"}):
        return None
    try:
        return type(first).model_validate({**ours, **theirs, "values": {**ours["values"], **theirs["values"]}})
    except ValidationError:
        return None
