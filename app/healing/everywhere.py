"""Repairs one snippet that is to hold on several Blenders.

    for each Blender that it fails on ── rules ──> the snippet repaired for that one
    for each of the others ── what of those repairs holds there too ──> the same, else the old statements
    all of them ── merge ──> one snippet; a repair that would break another Blender has become a branch

Where a repair that seemed to hold everywhere made nothing better, it is tried once more as a branch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any

from app.checks.api import check_api
from app.checks.parse import syntax_tree
from app.checks.verdict import Severity, Verdict
from app.healing.course import Tried, best_attempt, rejected
from app.healing.heal import Healed, Repair, heal_by_rules
from app.portable.branches import lines_of
from app.portable.merge import CannotMerge, Version, merge
from app.run import Attempt
from ingest.manifest import Manifest


@dataclass(frozen=True)
class Build:
    """One of the Blenders, and what the snippet is worth there."""

    version: Version
    manifest: Manifest
    verdict: Verdict
    exception: dict[str, Any] | None


def next_repair_everywhere(
    attempts: Sequence[Attempt], tried: Sequence[Tried], builds: Sequence[Build]
) -> tuple[Healed, bool] | None:
    """What to try next on the best attempt, and whether as branches only; None where nothing is left to try."""
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
) -> Healed | None:
    """Apply the rules on each Blender and merge what comes of it; None where no rule applies, or nothing merges.

    With `apart` a Blender that no rule applies for keeps the snippet as it is.
    """
    healed: dict[Version, Healed] = {}
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
                text = carried_over(text, other, build.manifest)
        texts[build.version] = text
    try:
        merged = merge(texts)
    except CannotMerge:
        return None
    return Healed(merged, _repairs(healed, len(builds))) if merged != snippet else None


def carried_over(text: str, repaired: str, manifest: Manifest) -> str:
    """The text with those differences to the repaired one that are as good by the API of this Blender."""
    old, new = lines_of(text), lines_of(repaired)
    wrong = _faults(text, manifest)
    taken: list[tuple[int, int, list[str]]] = []
    for kind, first, last, start, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            attempt = [*taken, (first, last, new[start:end])]
            changed = _with(old, attempt)
            if syntax_tree(changed) is not None and _faults(changed, manifest) <= wrong:
                taken = attempt
    return _with(old, taken)


def _with(lines: Sequence[str], changes: Sequence[tuple[int, int, list[str]]]) -> str:
    changed = list(lines)
    for first, last, new in reversed(changes):
        changed[first:last] = new
    return "\n".join(changed)


def _faults(text: str, manifest: Manifest) -> Counter[str]:
    return Counter(finding.message for finding in check_api(text, manifest, lambda _code: Severity.WARNING))


def _repairs(healed: dict[Version, Healed], builds: int) -> list[Repair]:
    """Each repair once; where not all Blenders asked for it, with those that did."""
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
