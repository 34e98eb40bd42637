"""Heals one snippet that must work on several Blenders.

    for each Blender that it fails on ── rules ──> the snippet healed for that one
    for each of the others ── changes that help there too are taken over ──> the same, otherwise the old statements
    all of them ── merge ──> one snippet; a change that would break another Blender has become a branch

A change that seemed right everywhere but improved nothing is tried once more as a branch.
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

from app.healing.comparison import best_attempt, rules_in_vain
from app.healing.heal import HealedFault, HealedSnippet, heal_by_rules
from app.healing.tried import HealingRecord
from app.jobs.run import Attempt
from app.reading import check_api
from app.verdict.parse import syntax_tree
from app.verdict.verdict import Finding, Severity, Verdict
from app.versions.branches import lines_of
from app.versions.merge import CannotMerge, Version, merge
from ingest.manifest import Manifest
from python.flow import first_line
from python.identifiers import Definition
from python.scopes import bindings_in


@dataclass(frozen=True)
class Build:
    """One of the Blenders, and the result of the snippet there."""

    version: Version
    manifest: Manifest
    verdict: Verdict
    exception: dict[str, Any] | None


def next_healing_everywhere(
    attempts: Sequence[Attempt],
    tried: Sequence[HealingRecord],
    builds: Sequence[Build],
    left_out: Collection[str] = (),
) -> tuple[HealedSnippet, bool] | None:
    """The best attempt, healed once more without some rules, and true if that only made branches; None if nothing is
    left to try."""
    best, known = best_attempt(attempts, tried), {attempt.snippet for attempt in attempts}
    for apart in (False, True):
        before = [record for record in tried if record.get("apart")] if apart else tried
        without = {*rules_in_vain(attempts, before), *left_out}
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
        there = heal_by_rules(snippet, build.verdict, build.manifest, build.exception, without, origin)
        if there:
            healed[build.version] = there
    if not healed:
        return None
    texts: dict[Version, str] = {}
    for build in builds:
        text = healed[build.version].snippet if build.version in healed else snippet
        if build.version not in healed and not apart:
            for other in dict.fromkeys(there.snippet for there in healed.values()):
                text = carry_over(text, other, build)
        texts[build.version] = text
    try:
        merged = merge(texts)
    except CannotMerge:
        return None
    return HealedSnippet(merged, _faults_of(healed, len(builds))) if merged != snippet else None


def carry_over(text: str, healed: str, build: Build) -> str:
    """The text with those differences from the healed one that heal something on this Blender too.

    A statement that is right here stays, even if the healed one would be as good: a branch keeps them apart.
    """
    old, new = lines_of(text), lines_of(healed)
    errors = [finding for finding in build.verdict.findings() if finding.severity is Severity.ERROR]
    faults = _faults(text, build.manifest)
    faulty = {finding.line - 1 for finding in (*errors, *faults) if finding.line}
    wrong, statements = Counter(fault.message for fault in faults), _statements(old)
    taken: list[_Change] = []
    for changes in _together(_changes(old, new), old, new):
        touched = [
            lines for lines in statements for first, last, _ in changes if lines.start < last and first < lines.stop
        ]
        if touched and all(not faulty.isdisjoint(lines) for lines in touched):
            attempt = sorted([*taken, *changes])
            changed = _with(old, attempt)
            remaining = Counter(fault.message for fault in _faults(changed, build.manifest))
            if syntax_tree(changed) is not None and remaining <= wrong:
                taken = attempt
    return _with(old, taken)


_Change = tuple[int, int, list[str]]
"""Old lines, counted from 0 and the last one excluded, and their replacement."""


def _changes(old: list[str], new: list[str]) -> list[_Change]:
    """The differences, statement by statement if they can be separated that way."""
    starts, new_starts = ({statement.start for statement in _statements(lines)} for lines in (old, new))
    changes: list[_Change] = []
    for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        ahead = start - first
        if kind == "equal":
            continue
        if start == end:
            cuts = [first, *(line for line in range(first + 1, last) if line in starts), last]
            changes += [(cut, following, []) for cut, following in pairwise(cuts)]
        elif last - first == end - start:
            both = (line for line in range(first + 1, last) if line in starts and line + ahead in new_starts)
            cuts = [first, *both, last]
            changes += [(cut, following, new[cut + ahead : following + ahead]) for cut, following in pairwise(cuts)]
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
    own = _bindings(new) - _bindings(old)
    uses_own = [not own.isdisjoint(re.findall(r"\w+", "\n".join(lines))) for _, _, lines in changes]
    alone = [[change] for change, uses in zip(changes, uses_own, strict=True) if not uses]
    return [[change for change, uses in zip(changes, uses_own, strict=True) if uses], *alone]


def _bindings(lines: Sequence[str]) -> set[str]:
    """The names that a text binds anywhere."""
    tree = syntax_tree("\n".join(lines))
    scopes = [node.body for node in ast.walk(tree) if isinstance(node, ast.Module | Definition)] if tree else []
    return {name for body in scopes for name, _ in bindings_in(body)}


def _with(lines: Sequence[str], changes: Sequence[tuple[int, int, list[str]]]) -> str:
    changed = list(lines)
    for first, last, new in reversed(changes):
        changed[first:last] = new
    return "\n".join(changed)


def _faults(text: str, manifest: Manifest) -> list[Finding]:
    return check_api(text, manifest, lambda _code: Severity.WARNING)


def _faults_of(healed: dict[Version, HealedSnippet], builds: int) -> list[HealedFault]:
    """Each healed fault once; if not all Blenders had it, with those that did."""
    faults: dict[HealedFault, dict[str, None]] = {}
    for version, there in healed.items():
        for fault in there.faults:
            faults.setdefault(fault, {})[".".join(str(part) for part in version)] = None
    return [
        fault
        if len(versions) == builds
        else replace(fault, reason=f"for Blender {', '.join(versions)}: {fault.reason}")
        for fault, versions in faults.items()
    ]
