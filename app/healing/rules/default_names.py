"""Names that Blender gives by default to objects, modifiers, nodes ..., and that are others today."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.sight import Sight
from app.reading.api.values import Coll

_THERE: Final = re.compile(r'"([^"]+)"')


def default_names(sight: Sight) -> Iterator[TreeEdit]:
    """`modifiers["Subsurf"]`: the collection lacks the old name and has the one of today, by the finding."""
    old = sight.trouble.missing_key if sight.trouble else None
    if old is None:
        return
    found = [(text, collection) for text, collection in _keys(sight) if text.evaluated_value == old]
    failed = next((collection for text, collection in found if collection and sight.fails_at(text)), "")
    if not failed or len(found) < sum(text.evaluated_value == old for text in sight.all(cst.SimpleString)):
        # The snippet may give the name itself.
        return
    there = {name for said in sight.said for name in _THERE.findall(said.partition("there are: ")[2])}
    new = _new_name(sight, old, failed, there)
    for text, collection in found if new else ():
        if collection in {failed, None} and not sight.is_guarded(text):
            reason = f"its default name is {new!r} in Blender {sight.manifest.series}, not {old!r}"
            yield sight.replace(text, f"{text.quote}{new}{text.quote}", reason)


def _keys(sight: Sight) -> Iterator[tuple[cst.SimpleString, str | None]]:
    """Strings that name a thing, with the last word of its collection `objects["Lamp"]`; None: `modifier="Subsurf"`."""
    for subscript in sight.all(cst.Subscript):
        index = subscript.slice[0].slice
        if isinstance(index, cst.Index) and isinstance(index.value, cst.SimpleString):
            value = sight.value(subscript.value)
            yield index.value, value.name if isinstance(value, Coll) else sight.code(subscript.value).rpartition(".")[2]
    for argument in sight.all(cst.Arg):
        if argument.keyword and argument.keyword.value == "modifier" and isinstance(argument.value, cst.SimpleString):
            yield argument.value, None


def _new_name(sight: Sight, old: str, collection: str, there: set[str]) -> str:
    """The name of today, among those that are there; a node's may differ from the old one in spaces and signs only."""
    rows = sight.book.named("name", old).items()
    listed = {row.becomes for owner, row in rows if collection.endswith(owner.rpartition(".")[2])}
    like = {name for name in there if collection.endswith("nodes") and _letters(name) == _letters(old)}
    found = listed & there or like
    return found.pop() if len(found) == 1 else ""


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


RULES: Final = (
    Rule(
        "default-names",
        "default names that are others today: `modifiers['Subsurf']`, `objects['Lamp']`, `nodes['ColorRamp']`",
        default_names,
    ),
)
