"""The report of a check of add-ons: what was found in each, and how it went on each Blender."""

from __future__ import annotations

import collections
from collections.abc import Iterable
from typing import Annotated, Final, Literal, Self

from pydantic import BaseModel, Field, model_validator

from app.jobs.job import JobSummary
from app.jobs.request import Base64, BlenderName, StrictBody
from app.verdict.verdict import Finding, Severity
from harness.addons import NOT_TRIED, Registration, Use
from harness.protocol import PICTURE
from harness.reading_back import NOT_READ

MOST_BLENDERS: Final = 8
NOT_USED: Final = frozenset({"not for this scene", "only in a window", "not in the sandbox", NOT_TRIED})
Kind = Literal["extension", "add-on"]


class AddonRequest(StrictBody):
    """Check the add-ons in an archive."""

    archive: Base64 | None = None
    """A zip as add-ons are published, in base64: an add-on, or a folder with several."""
    repository: Annotated[str, Field(min_length=1, max_length=100)] | None = None
    """The name of a repository in place of an archive: its last commit, or its folder if it has none."""
    name: Annotated[str, Field(min_length=1, max_length=100)] = "addon"
    """Its name, by which an add-on at the root of the archive is called if it does not say its own."""
    at: Annotated[str, Field(max_length=500)] = ""
    """Only the add-ons at or below this path in the archive."""
    blenders: list[BlenderName] = Field(default=[], max_length=MOST_BLENDERS, examples=[["4.2", "5.0"]])
    """Blenders to check on, by version, series or label; the default Blender unless given."""

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.archive is None) == (self.repository is None):
            raise ValueError("give either `archive` or `repository`")
        return self


class Share(BaseModel):
    """So many of all."""

    done: int
    all: int

    @property
    def said(self) -> str:
        """The share in words."""
        return f"{self.done} of {self.all}"


class AddonFinding(Finding):
    """A finding on an add-on, in a file of it if `file` is not null."""

    file: str | None = None
    blenders: list[str] = Field(default_factory=list[str])
    """The versions of the Blenders on which it was found; empty if it does not depend on one."""


class WindowPicture(BaseModel):
    """A picture of Blender's window, taken from its display while it showed something of an add-on."""

    shows: str
    """A place with its panels, a menu, or an operator at work."""
    address: str
    """The path of the PNG on the service."""


class AddonOnBlender(BaseModel):
    """An add-on on one Blender."""

    blender: str
    """The version of the Blender, or its label."""
    passed: bool
    """True if it registers, unregisters and registers again, and nothing that was found here is an error."""
    said: str
    """The progress of its registration, in words."""
    operators: Share
    """Operators that were run, of those that are registered."""
    draws: Share
    """Panels, menus, headers and entries in Blender's own menus that were drawn."""
    others: Share
    """Handlers, timers and properties with callbacks that were called."""
    settings: Share
    """Values of switches and choices that were tried."""
    lines: Share
    """Lines of its Python files that ran, of those that can; 0 of 0 if it is not known. If a use ended Blender, only
    those count that ran in the next one."""
    files: Share = Share(done=0, all=0)
    """Files of a format of Blender's that operators wrote and another Blender could read, of all that they wrote."""
    not_used: list[str]
    """Registrations that were not used, and written files that were not read back, each with the reason."""
    left_behind: list[str]
    """Registrations that `unregister` leaves."""
    seconds: float
    pictures: list[WindowPicture] = []
    """Empty if this Blender has no window."""


class CheckedAddon(BaseModel):
    """One add-on of an archive."""

    place: str
    """Its folder or file in the archive; empty for the root."""
    module: str
    kind: Kind
    passed: bool
    """True if it passed on each Blender."""
    blenders: list[AddonOnBlender]
    findings: list[AddonFinding]
    """The errors first, by file and line."""

    @property
    def side_by_side(self) -> list[tuple[str, WindowPicture]]:
        """All pictures with their Blenders, those that show the same thing beside each other."""
        every = [(row.blender, picture) for row in self.blenders for picture in row.pictures]
        order = list(dict.fromkeys(picture.shows for _, picture in every))
        return sorted(every, key=lambda each: order.index(each[1].shows))


class AddonReport(BaseModel):
    """The check of an archive."""

    passed: bool
    addons: list[CheckedAddon]
    skipped: dict[str, str] = {}
    """Files that were left out, each with the reason."""


class AddonCheck(JobSummary):
    """A check of add-ons as it stands."""

    report: AddonReport | None
    """Null until it has ended."""


def share(uses: Iterable[Use]) -> Share:
    """The share of uses that took place."""
    every = list(uses)
    return Share(done=sum(use.how not in NOT_USED for use in every), all=len(every))


def on_blender(
    done: Registration, findings: Iterable[AddonFinding], pictures: Iterable[WindowPicture] = ()
) -> AddonOnBlender:
    """The add-on on one Blender; `findings` are those on it, `pictures` those of its window."""
    defaults = [use for use in done.uses if not use.setting]
    drawn = [use for use in defaults if is_drawn(use)]
    operators = [use for use in defaults if use.kind == "Operator"]
    others = [use for use in defaults if use not in drawn and use not in operators and use.kind != PICTURE]
    wrong = any(finding.severity is Severity.ERROR for finding in findings)
    return AddonOnBlender(
        blender=done.blender,
        passed=done.passed and not wrong,
        said=done.said,
        operators=share(operators),
        draws=share(drawn),
        others=share(others),
        settings=share(use for use in done.uses if use.setting),
        lines=Share(
            done=sum(file.ran for file in done.coverage.values()),
            all=sum(file.lines for file in done.coverage.values()),
        ),
        files=Share(done=sum(not file.problem for file in done.written), all=len(done.written)),
        not_used=[
            *(f"{use.what}: {use.how}" for use in defaults if use.how in NOT_USED),
            *(f"{file.ending} of {file.use}: {NOT_READ}" for file in done.written if file.problem == NOT_READ),
        ],
        left_behind=list(done.left_behind),
        seconds=round(done.seconds, 2),
        pictures=list(pictures),
    )


def is_drawn(use: Use) -> bool:
    return use.kind in ("Panel", "Menu", "Header") or use.kind.startswith("entry of ")


def merged(findings: Iterable[AddonFinding]) -> list[AddonFinding]:
    """The findings, each once with all its Blenders; errors first, then by file and line."""
    same: dict[tuple[object, ...], list[AddonFinding]] = collections.defaultdict(list)
    for one in findings:
        same[one.check, one.code, one.severity, one.message, one.file, one.line].append(one)
    order = list(Severity)
    joined = [
        each[0].model_copy(update={"blenders": list(dict.fromkeys(name for one in each for name in one.blenders))})
        for each in same.values()
    ]
    return sorted(joined, key=lambda finding: (order.index(finding.severity), finding.file or "", finding.line or 0))
