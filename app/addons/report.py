"""The report of a port: per file the changes with reasons and the remaining findings, and the registrations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from app.repositories.testing import SuiteComparison
from codebase.tree.patches import PatchHunk
from harness.addons import Registration

if TYPE_CHECKING:
    from app.addons.healing import RemainingFinding

GUESSED: Final = "Guesses, which are kept because the add-on gets further with them:"
JSON_NAMES: Final = {"remaining": "left", "left_behind": "left"}
"""Fields that have another name in JSON."""


@dataclass(frozen=True)
class ChangeReason:
    """The reason for a changed line: the rule, its reason, and the line in the file as it was."""

    rule: str
    line: int
    reason: str
    guess: bool = False


@dataclass(frozen=True)
class ReasonedHunk:
    """A hunk with the reasons for it."""

    hunk: PatchHunk
    reasons: list[ChangeReason]


@dataclass(frozen=True)
class PortedFile:
    """One file: its hunks, and the findings of the API check that remain in it."""

    path: str
    hunks: list[ReasonedHunk] = field(default_factory=list[ReasonedHunk])
    remaining: list[RemainingFinding] = field(default_factory=list["RemainingFinding"])
    taken_back: list[ChangeReason] = field(default_factory=list[ChangeReason])
    """Changes that made the registration no better, and are not in the patch."""


@dataclass(frozen=True)
class OnBlender:
    """The registration of an add-on on one Blender before and after."""

    blender: str
    before: Registration
    after: Registration

    @property
    def worse(self) -> bool:
        """True if it came further before, or raises now in a use that worked before."""
        return self.after.is_worse_than(self.before)


@dataclass(frozen=True)
class PortedAddon:
    """One add-on. `place` is its folder or file in the repository."""

    place: str
    module: str
    files: list[PortedFile]
    registrations: list[OnBlender]
    """The Blender that it is ported to comes first."""
    seconds: float
    notes: list[str] = field(default_factory=list[str])
    """Failed questions to a model, and answers that were not kept."""

    def reasons(self, guess: bool) -> list[tuple[str, ChangeReason]]:
        """Reasons of changed lines, each with its path: the guesses, or all others."""
        every = ((file.path, reason) for file in self.files for hunk in file.hunks for reason in hunk.reasons)
        return [(path, reason) for path, reason in every if reason.guess == guess]

    @property
    def passed(self) -> bool:
        """True if it registers on the Blender that it is ported to, and comes as far as before on the others."""
        return self.registrations[0].after.passed and not any(row.worse for row in self.registrations)


@dataclass(frozen=True)
class PortReport:
    """A repository with its add-ons. `patch` is empty if nothing was changed, `changed` are the new bytes of its files;
    `skipped` has the files that were left out, with the reasons."""

    repository: str
    commit: str | None
    to: str
    addons: list[PortedAddon]
    patch: str
    changed: dict[str, bytes]
    skipped: dict[str, str]
    tests: SuiteOutcome
    branch: str | None = None

    @property
    def passed(self) -> bool:
        """True if every add-on registers on the Blender that it is ported to, and no test is broken."""
        return all(addon.passed for addon in self.addons) and not (self.tests.compared and self.tests.compared.worse)


def json_names(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of a part of a report by their names in JSON; for `dataclasses.asdict`."""
    return {JSON_NAMES.get(name, name): value for name, value in fields}


def message_of(ported: PortReport) -> str:
    """The message of the commit: each change with its place and reason, and the registrations of the add-ons."""
    lines = [f"Port to Blender {ported.to}", ""]
    for addon in ported.addons:
        lines += [
            f"{addon.place or addon.module} {row.after.said} on Blender {row.blender}."
            + (f" Used once each: {row.after.used}." if row.after.uses else "")
            for row in addon.registrations
        ]
        lines += [
            f"- {path}:{reason.line}: {reason.reason} [{reason.rule}]" for path, reason in addon.reasons(guess=False)
        ]
        guesses = addon.reasons(guess=True)
        lines += ["", GUESSED] if guesses else []
        lines += [f"- {path}:{reason.line}: {reason.reason} [{reason.rule}]" for path, reason in guesses]
    if ported.tests.compared:
        before, after = ported.tests.compared.before, ported.tests.compared.after
        lines += ["", f"Tests ({ported.tests.why}) before: {before.said}", f"Tests after: {after.said}"]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class SuiteOutcome:
    """The repository's own tests, before and after; `why` is the source of their command, or the reason for no run."""

    why: str
    compared: SuiteComparison | None = None


def with_reasons(hunks: Sequence[PatchHunk], reasons: Sequence[ChangeReason]) -> list[ReasonedHunk]:
    """The hunks, each with the reasons for its lines; a reason that fits none goes to the nearest hunk."""
    reasoned = [ReasonedHunk(hunk, []) for hunk in hunks]
    for reason in sorted(reasons, key=lambda reason: reason.line):
        if reasoned:
            min(reasoned, key=lambda part: distance(part.hunk, reason.line)).reasons.append(reason)
    return reasoned


def distance(hunk: PatchHunk, line: int) -> int:
    """The distance in lines between a hunk and a line."""
    return max(hunk.first - line, line - hunk.last, 0)
