"""What porting an add-on came to: per file what was changed and why, what is left, and how it registers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from app.repositories.testing import Compared
from codebase.tree.patches import Hunk
from harness.addons import Registration

if TYPE_CHECKING:
    from app.addons.healing import Left

GUESSED: Final = "Guesses, which are kept because the add-on gets further with them:"
JSON_NAMES: Final = {"left_behind": "left"}
"""Fields that have another name in JSON."""


@dataclass(frozen=True)
class Reason:
    """Why a line was changed: the rule, its reason, and the line in the file as it was."""

    rule: str
    line: int
    reason: str
    guess: bool = False


@dataclass(frozen=True)
class ReasonedHunk:
    """A hunk with the reasons for it."""

    hunk: Hunk
    reasons: list[Reason]


@dataclass(frozen=True)
class PortedFile:
    """One file: its hunks, and what is left in it as the API check sees it."""

    path: str
    hunks: list[ReasonedHunk] = field(default_factory=list[ReasonedHunk])
    left: list[Left] = field(default_factory=list["Left"])
    taken_back: list[Reason] = field(default_factory=list[Reason])
    """Repairs that made the registration no better, and are not in the patch."""


@dataclass(frozen=True)
class OnBlender:
    """How an add-on registers on one Blender before and after."""

    blender: str
    before: Registration
    after: Registration

    @property
    def worse(self) -> bool:
        """Whether it came further before, or what did well then raises now."""
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
    """What came of asking a model, beside the repairs that were kept."""

    def reasons(self, guess: bool) -> list[tuple[str, Reason]]:
        """Why lines were changed, each with its path: the guesses, or all others."""
        every = ((file.path, reason) for file in self.files for hunk in file.hunks for reason in hunk.reasons)
        return [(path, reason) for path, reason in every if reason.guess == guess]

    @property
    def passed(self) -> bool:
        """Whether it registers on the Blender that it is ported to, and comes as far as before on the others."""
        return self.registrations[0].after.passed and not any(one.worse for one in self.registrations)


@dataclass(frozen=True)
class Ported:
    """A repository with its add-ons. `patch` is empty if nothing was changed, `changed` are the new bytes of its files;
    `skipped` says why files were left out."""

    repository: str
    commit: str | None
    to: str
    addons: list[PortedAddon]
    patch: str
    changed: dict[str, bytes]
    skipped: dict[str, str]
    tests: Tested
    branch: str | None = None

    @property
    def passed(self) -> bool:
        """Whether every add-on registers on the Blender that it is ported to, and no test is broken."""
        return all(one.passed for one in self.addons) and not (self.tests.compared and self.tests.compared.worse)


def json_names(fields: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of a part of a report by their names in JSON; for `dataclasses.asdict`."""
    return {JSON_NAMES.get(name, name): value for name, value in fields}


def message_of(ported: Ported) -> str:
    """What the commit says: each change with its place and reason, and how the add-ons register."""
    lines = [f"Port to Blender {ported.to}", ""]
    for addon in ported.addons:
        lines += [
            f"{addon.place or addon.module} {row.after.said} on Blender {row.blender}."
            + (f" Used once each: {row.after.used}." if row.after.uses else "")
            for row in addon.registrations
        ]
        lines += [f"- {path}:{one.line}: {one.reason} [{one.rule}]" for path, one in addon.reasons(guess=False)]
        guesses = addon.reasons(guess=True)
        lines += ["", GUESSED] if guesses else []
        lines += [f"- {path}:{one.line}: {one.reason} [{one.rule}]" for path, one in guesses]
    if ported.tests.compared:
        before, after = ported.tests.compared.before, ported.tests.compared.after
        lines += ["", f"Tests ({ported.tests.why}) before: {before.said}", f"Tests after: {after.said}"]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Tested:
    """The repository's own tests, before and after; `why` says how they were run, or why they were not."""

    why: str
    compared: Compared | None = None


def with_reasons(hunks: Sequence[Hunk], reasons: Sequence[Reason]) -> list[ReasonedHunk]:
    """The hunks, each with the reasons for its lines; a reason that fits none goes to the nearest."""
    found = [ReasonedHunk(hunk, []) for hunk in hunks]
    for reason in sorted(reasons, key=lambda one: one.line):
        if found:
            min(found, key=lambda one: distance(one.hunk, reason.line)).reasons.append(reason)
    return found


def distance(hunk: Hunk, line: int) -> int:
    """How many lines a line is away from a hunk."""
    return max(hunk.first - line, line - hunk.last, 0)
