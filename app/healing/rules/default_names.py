"""Names that Blender gives by default to objects, modifiers, nodes ..., and that are others today."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight, key_of
from app.reading.api.values import Coll

_THERE: Final = re.compile(r'"([^"]+)"')


@rule("default names that are others today: `modifiers['Subsurf']`, `objects['Lamp']`, `nodes['ColorRamp']`")
def default_names(sight: Sight) -> Iterator[TreeEdit]:
    old = sight.trouble.missing_key if sight.trouble else None
    if old is None:
        return
    found = [(text, collection) for text, collection in _keys(sight) if text.evaluated_value == old]
    failed = next((collection for text, collection in found if collection and sight.fails_at(text)), "")
    if not failed or _gives_itself(sight, old, len(found)):
        return
    there = {name for said in sight.said for name in _THERE.findall(said.partition("there are: ")[2])}
    new = _new_name(sight, old, failed, there)
    for text, collection in found if new else ():
        if collection in {failed, None} and not sight.is_guarded(text):
            reason = f"its default name is {new!r} in Blender {sight.manifest.series}, not {old!r}"
            yield sight.respell(text, new, reason)


@rule(
    'default names of before 2.80 that are looked for: `objects.get("Lamp")`, `"Lamp" in objects`',
    silent=True,
    before=(2, 80),
)
def names_asked_for(sight: Sight) -> Iterator[TreeEdit]:
    asked = [(text, collection) for text, collection in _asked(sight) if isinstance(text.evaluated_value, str)]
    for text, collection in asked:
        old = str(text.evaluated_value)
        new = _listed(sight, old, collection)
        places = sum(other.evaluated_value == old for other, _ in asked)
        if len(new) == 1 and not sight.is_guarded(text) and not _gives_itself(sight, old, places):
            reason = f"the default name {old!r} is {min(new)!r} in Blender {sight.manifest.series}"
            yield sight.respell(text, min(new), reason)


def _gives_itself(sight: Sight, name: str, asked: int) -> bool:
    """True if the snippet may give a name itself: it has it at more places than it asks for it."""
    return asked < sum(text.evaluated_value == name for text in sight.all(cst.SimpleString))


def _keys(sight: Sight) -> Iterator[tuple[cst.SimpleString, str | None]]:
    """Strings that name a thing, with the last word of its collection; with None for `modifier="Subsurf"`."""
    for subscript in sight.all(cst.Subscript):
        if isinstance(key := key_of(subscript), cst.SimpleString):
            yield key, _last_word(sight, subscript.value)
    for argument in sight.all(cst.Arg):
        if argument.keyword and argument.keyword.value == "modifier" and isinstance(argument.value, cst.SimpleString):
            yield argument.value, None


def _asked(sight: Sight) -> Iterator[tuple[cst.SimpleString, str]]:
    """Strings that are looked for without a fault if they are not there, with the last word of the collection."""
    for call, owner in sight.methods("get", "find"):
        if call.args and isinstance(key := call.args[0].value, cst.SimpleString):
            yield key, _last_word(sight, owner)
    for test in sight.all(cst.Comparison):
        of = test.comparisons[0]
        if isinstance(test.left, cst.SimpleString) and isinstance(of.operator, cst.In | cst.NotIn):
            yield test.left, _last_word(sight, of.comparator)


def _last_word(sight: Sight, collection: cst.BaseExpression) -> str:
    """The name of the property that a collection is, or the last word of its source."""
    value = sight.value(collection)
    return value.name if isinstance(value, Coll) else sight.code(collection).rpartition(".")[2]


def _new_name(sight: Sight, old: str, collection: str, there: set[str]) -> str:
    """The name of today, among those that are there; a node's may differ from the old one in spaces and signs only."""
    like = {name for name in there if collection.endswith("nodes") and _letters(name) == _letters(old)}
    found = _listed(sight, old, collection) & there or like
    return found.pop() if len(found) == 1 else ""


def _listed(sight: Sight, old: str, collection: str) -> set[str]:
    rows = sight.book.named("name", old).items()
    return {row.becomes for owner, row in rows if collection.endswith(owner.rpartition(".")[2])}


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())
