"""Heals the files of an add-on by rules: those that hold in a window too, and with what its other files register."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from app.healing.heal import HealedSnippet, heal_by_rules
from app.healing.modules import verdict_on_file
from app.healing.package import AddonPackage
from app.healing.rules import FAMILIES, RULES
from app.healing.trouble import Trouble
from app.reading import check_api
from app.verdict.parse import parse_snippet
from app.verdict.rules import load_rules
from app.verdict.verdict import Finding, Severity
from ingest.manifest import Manifest

FOR_SCRIPTS: Final = frozenset(
    {
        *(rule.name for rule in FAMILIES["context"]),
        *(rule.name for rule in FAMILIES["repeats"]),
        *("not-linked", "diffuse-color", "world-color", "no-world", "material-nodes", "default-names"),
        # Without layers nothing is hidden: a script that makes one scene can live with that.
        *("numbered-layers", "bone-layers"),
    }
)
"""Rules about what a script finds when it runs alone: an add-on runs in a window, in a scene of its user."""
GUESSES: Final = frozenset(rule.name for rule in RULES if rule.guess)


@dataclass(frozen=True)
class Left:
    """What is left in a file of an add-on, as the API check sees it."""

    line: int
    message: str
    hint: str


def heal_file(
    text: str,
    origin: str,
    manifest: Manifest,
    package: AddonPackage,
    trouble: Trouble | None = None,
    without: Collection[str] = (),
    guess: bool = False,
) -> HealedSnippet | None:
    """What becomes of one file; None if no rule applies. Guesses are made only at the line of the trouble.

    `origin` is the text whose lines the repairs name.
    """
    told = told_of(trouble) if trouble else None
    verdict = verdict_on_file(trouble.line if trouble else None, told)
    left_out = {*without, *FOR_SCRIPTS, *(() if guess else GUESSES)}
    return heal_by_rules(text, verdict, manifest, told, left_out, origin, package=package)


def told_of(trouble: Trouble) -> dict[str, str]:
    """An exception as a report tells it."""
    kind, _, message = trouble.message.partition(": ")
    return {"type": kind, "message": message}


def findings_left(text: str, manifest: Manifest, package: AddonPackage) -> list[Left]:
    """What the API check would block in a file, or why it does not parse."""
    rules = load_rules()
    parsed = parse_snippet(text)
    found = parsed or check_api(text, manifest, lambda code: rules.severity("api", code, "caller"), package.survey)
    return [left_of(one) for one in found if one.severity is Severity.ERROR]


def left_of(finding: Finding) -> Left:
    return Left(finding.line or 1, finding.message, finding.hint or "")
