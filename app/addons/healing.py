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
        *("output-folders", "key-interpolation"),
        *(rule.name for rule in FAMILIES["default_names"]),
        *("not-linked", "diffuse-color", "world-color", "no-world", "material-nodes"),
        # Without layers nothing is hidden: a script that makes one scene can live with that.
        *("numbered-layers", "bone-layers", "layer-operators"),
    }
)
"""Rules about scripts that run alone: an add-on runs in a window, in a scene of its user."""
GUESSES: Final = frozenset(rule.name for rule in RULES if rule.guess)


@dataclass(frozen=True)
class RemainingFinding:
    """A finding of the API check that remains in a file of an add-on."""

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
    """Heal one file; None if no rule applies. With `guess`, one is made at the line of the trouble if no other does.

    `origin` is the text that the line numbers of the changes refer to.
    """
    exception = exception_facts(trouble) if trouble else None
    verdict = verdict_on_file(trouble.line if trouble else None, exception)
    left_out = {*without, *FOR_SCRIPTS, *(() if guess else GUESSES)}
    return heal_by_rules(text, verdict, manifest, exception, left_out, origin, package=package)


def exception_facts(trouble: Trouble) -> dict[str, str]:
    """An exception in the form of a report."""
    kind, _, message = trouble.message.partition(": ")
    return {"type": kind, "message": message}


def remaining_findings(text: str, manifest: Manifest, package: AddonPackage) -> list[RemainingFinding]:
    """The findings of the API check that would block a file, or the syntax error if it does not parse."""
    rules = load_rules()
    parsed = parse_snippet(text)
    findings = parsed or check_api(text, manifest, lambda code: rules.severity("api", code, "caller"), package.survey)
    return [remaining_of(finding) for finding in findings if finding.severity is Severity.ERROR]


def remaining_of(finding: Finding) -> RemainingFinding:
    return RemainingFinding(finding.line or 1, finding.message, finding.hint or "")
