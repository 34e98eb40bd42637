"""Heals one snippet that must work on several Blenders.

    for each Blender that it fails on ── rules ──> the snippet healed for that one
    for each of the others ── repairs that help there too are taken over ──> the same, otherwise the old statements
    all of them ── merge ──> one snippet; a repair that would break another Blender has become a branch

A repair that seemed right everywhere but improved nothing is tried once more as a branch.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

from app.healing.comparison import best_attempt, rejected
from app.healing.heal import HealedSnippet, Repair, heal_by_rules
from app.healing.tried import HealingRecord
from app.reading import check_api
from app.runs.run import Attempt
from app.verdict.parse import syntax_tree
from app.verdict.verdict import Finding, Severity, Verdict
from app.versions.branches import Function, bindings_in, first_line, lines_of
from app.versions.merge import CannotMerge, Version, merge
from ingest.manifest import Manifest


@dataclass(frozen=True)
class Build:
    """One of the Blenders, and the result of the snippet there."""

    version: Version
    manifest: Manifest
    verdict: Verdict
    exception: dict[str, Any] | None


def next_repair_everywhere(
    attempts: Sequence[Attempt], tried: Sequence[HealingRecord], builds: Sequence[Build]
) -> tuple[HealedSnippet, bool] | None:
    """The next repair of the best attempt, and whether it only makes branches; None if nothing is left to try."""
    best, known = best_attempt(attempts, tried), {attempt.snippet for attempt in attempts}
    for apart in (False, True):
        before = [one for one in tried if one.get("apart")] if apart else tried
        without = rejected(attempts, before)
        healed = heal_everywhere(best.snippet, builds, apart, without, attempts[0].snippet)
        if healed and healed.snippet not in known:
            return healed, apart
    return None


def heal_everywhere(
    snippet: str, builds: Sequence[Build], apart: bool, without: Collection[str] = (), origin: str | None = None
) -> HealedSnippet | None:
    """Apply the rules on each Blender and merge the results; None if no rule applies, or nothing merges.

    With `apart`, a Blender for which no rule applies keeps the snippet as it is.
    """
    healed: dict[Version, HealedSnippet] = {}
    for build in builds:
        one = heal_by_rules(snippet, build.verdict, build.manifest, build.exception, without, origin)
        if one:
            healed[build.version] = one
    if not healed:
        return None
    texts: dict[Version, str] = {}
    for build in builds:
        text = healed[build.version].snippet if build.version in healed else snippet
        if build.version not in healed and not apart:
            for other in dict.fromkeys(one.snippet for one in healed.values()):
                text = carried_over(text, other, build)
        texts[build.version] = text
    try:
        merged = merge(texts)
    except CannotMerge:
        return None
    return HealedSnippet(merged, _repairs(healed, len(builds))) if merged != snippet else None


def carried_over(text: str, healed: str, build: Build) -> str:
    """The text with those differences from the healed one that repair something on this Blender too.

    A statement that is right here stays, even if the repaired one would be as good: a branch keeps them apart.
    """
    old, new = lines_of(text), lines_of(healed)
    failed = {one.line for one in build.verdict.findings() if one.line and one.severity is Severity.ERROR}
    found = _faults(text, build.manifest)
    faulty = {line - 1 for line in (*failed, *(one.line for one in found if one.line))}
    wrong, statements = Counter(one.message for one in found), _statements(old)
    taken: list[_Change] = []
    for changes in _together(_changes(old, new), old, new):
        touched = [one for one in statements for first, last, _ in changes if one.start < last and first < one.stop]
        if touched and all(not faulty.isdisjoint(one) for one in touched):
            attempt = sorted([*taken, *changes])
            changed = _with(old, attempt)
            left = Counter(one.message for one in _faults(changed, build.manifest))
            if syntax_tree(changed) is not None and left <= wrong:
                taken = attempt
    return _with(old, taken)


_Change = tuple[int, int, list[str]]
"""Old lines, counted from 0 and the last one excluded, and their replacement."""


def _changes(old: list[str], new: list[str]) -> list[_Change]:
    """The differences, statement by statement if they can be separated that way."""
    starts, new_starts = ({one.start for one in _statements(lines)} for lines in (old, new))
    changes: list[_Change] = []
    for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        ahead = start - first
        if kind == "equal":
            continue
        if start == end:
            cuts = [first, *(line for line in range(first + 1, last) if line in starts), last]
            changes += [(one, following, []) for one, following in pairwise(cuts)]
        elif last - first == end - start:
            both = (line for line in range(first + 1, last) if line in starts and line + ahead in new_starts)
            cuts = [first, *both, last]
            changes += [(one, following, new[one + ahead : following + ahead]) for one, following in pairwise(cuts)]
        else:
            changes.append((first, last, new[start:end]))
    return changes


def _statements(lines: Sequence[str]) -> list[range]:
    """The lines of each statement, counted from 0; for a compound statement, those before its body."""
    tree = syntax_tree("\n".join(lines))
    found: list[range] = []
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.stmt):
            start, end = first_line(node) - 1, node.end_lineno or node.lineno
            body: list[ast.stmt] = getattr(node, "body", [])
            found.append(range(start, max(start + 1, first_line(body[0]) - 1) if body else end))
    return found


def _together(changes: Sequence[_Change], old: Sequence[str], new: Sequence[str]) -> list[list[_Change]]:
    """The changes in groups that can be made separately; changes that use names only the new text binds go together."""
    own = _bound(new) - _bound(old)
    uses_own = [not own.isdisjoint(re.findall(r"\w+", "\n".join(lines))) for _, _, lines in changes]
    alone = [[change] for change, uses in zip(changes, uses_own, strict=True) if not uses]
    return [[change for change, uses in zip(changes, uses_own, strict=True) if uses], *alone]


def _bound(lines: Sequence[str]) -> set[str]:
    """The names that a text binds anywhere."""
    tree = syntax_tree("\n".join(lines))
    scopes = (
        [node.body for node in ast.walk(tree) if isinstance(node, ast.Module | Function | ast.ClassDef)] if tree else []
    )
    return {name for body in scopes for name, _ in bindings_in(body)}


def _with(lines: Sequence[str], changes: Sequence[tuple[int, int, list[str]]]) -> str:
    changed = list(lines)
    for first, last, new in reversed(changes):
        changed[first:last] = new
    return "\n".join(changed)


def _faults(text: str, manifest: Manifest) -> list[Finding]:
    return check_api(text, manifest, lambda _code: Severity.WARNING)


def _repairs(healed: dict[Version, HealedSnippet], builds: int) -> list[Repair]:
    """Each repair once; if not all Blenders needed it, with those that did."""
    found: dict[Repair, dict[str, None]] = {}
    for version, one in healed.items():
        for repair in one.repairs:
            found.setdefault(repair, {})[".".join(str(part) for part in version)] = None
    return [
        repair
        if len(versions) == builds
        else replace(repair, reason=f"for Blender {', '.join(versions)}: {repair.reason}")
        for repair, versions in found.items()
    ]
