"""Last resorts: the one name that is clearly nearest to a name that the target does not know.

A guess is made only at the line that failed, so that the next execution shows if the line runs with it. A finding
about code that never ran stays one.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import rule
from app.healing.sight import Sight
from app.reading.api.values import Rna

_NEAR: Final = 0.75
_LEAD: Final = 0.06
"""The difference of nearness by which a name must be ahead of the next one."""
_LONG: Final = 6
"""From this length on a name may have two wrong letters."""
_NAMED: Final = re.compile(r"`([^`]+)`")
_ITEMS: Final = re.compile(r"enum \"([^\"]*)\" not found in \(([^)]*)\)")
_KINDS: Final = {
    "attribute": ("unknown-attribute", "unknown-operator", "unknown-type", "unknown-name"),
    "argument": ("unknown-argument",),
    "string": ("unknown-enum-item", "unknown-identifier", "unknown-node-type", "unknown-socket", "never-true"),
}


def clearly_nearest(name: str, candidates: Iterable[str], short: bool = False) -> str | None:
    """The candidate that the name misspells or, if it may be `short`, abbreviates; None unless it is clear."""
    ranked = sorted(
        ((difflib.SequenceMatcher(None, name.lower(), known.lower()).ratio(), known) for known in set(candidates)),
        reverse=True,
    )
    if not ranked or ranked[0][0] < _NEAR or ranked[0][1] == name:
        return None
    best = ranked[0][1]
    if not _is_slip(name.lower(), best.lower()) and not (short and best.lower().startswith(name.lower())):
        return None
    return best if len(ranked) == 1 or ranked[0][0] - ranked[1][0] >= _LEAD else None


def _is_slip(name: str, meant: str) -> bool:
    """True if at most two letters (in short names one) were added, left out, or replaced by another."""
    most = 1 if min(len(name), len(meant)) < _LONG else 2
    blocks = difflib.SequenceMatcher(None, name, meant, autojunk=False).get_opcodes()
    return sum(max(b - a, d - c) for kind, a, b, c, d in blocks if kind != "equal") <= most


def _guess_reason(old: str, new: str, sight: Sight) -> str:
    return f"a guess: {old!r} is not known to Blender {sight.manifest.series}, and {new!r} is clearly nearest"


def _candidates(sight: Sight, *kinds: str) -> Iterator[tuple[cst.CSTNode, list[str]]]:
    """The places of findings of the API check, each with the names that it offers."""
    for fault, node in sight.faults:
        code = fault.code.removeprefix("likely-")
        if code not in kinds or not fault.hint or not fault.hint.startswith("Did you mean"):
            continue
        if sight.fails_at(node):
            yield node, _NAMED.findall(fault.hint)


@rule("a name that is not known: the attribute, type or operator that is clearly nearest", guess=True)
def nearest_attribute(sight: Sight) -> Iterator[TreeEdit]:
    for node, names in _candidates(sight, *_KINDS["attribute"]):
        if not isinstance(node, cst.Name):
            continue
        parent = sight.parent(node)
        if not isinstance(parent, cst.Attribute) or parent.attr is not node:
            continue
        new = clearly_nearest(node.value, [name.rpartition(".")[2] for name in names])
        if new:
            yield sight.replace(node, new, _guess_reason(node.value, new, sight))
    missing = sight.trouble.missing_member if sight.trouble else None
    if missing and missing[0] in sight.manifest.types:
        for attribute in sight.attributes(missing[1]):
            new = clearly_nearest(missing[1], sight.api.names_on(Rna(missing[0])))
            if new and sight.fails_at(attribute) and sight.lacks(attribute):
                yield sight.replace(attribute.attr, new, _guess_reason(missing[1], new, sight))


@rule("an argument that is not known: the one that is clearly nearest", guess=True)
def nearest_argument(sight: Sight) -> Iterator[TreeEdit]:
    for node, names in _candidates(sight, *_KINDS["argument"]):
        if isinstance(node, cst.Arg) and node.keyword:
            new = clearly_nearest(node.keyword.value, names)
            if new:
                reason = _guess_reason(node.keyword.value, new, sight)
                yield sight.argument(node, f"{new}={sight.code(node.value)}", reason)


@rule("an item, identifier, node type or socket that is not known: the one that is clearly nearest", guess=True)
def nearest_item(sight: Sight) -> Iterator[TreeEdit]:
    for node, names in _candidates(sight, *_KINDS["string"]):
        if not isinstance(node, cst.SimpleString) or not isinstance(node.evaluated_value, str):
            continue
        new = clearly_nearest(node.evaluated_value, names, short=True)
        if new:
            yield sight.respell(node, new, _guess_reason(node.evaluated_value, new, sight))
    found = _ITEMS.search(sight.trouble.message) if sight.trouble else None
    for text in sight.all(cst.SimpleString) if found else ():
        if found and text.evaluated_value == found[1] and sight.fails_at(text):
            new = clearly_nearest(found[1], re.findall(r"'([^']*)'", found[2]), short=True)
            if new:
                yield sight.respell(text, new, _guess_reason(found[1], new, sight))
