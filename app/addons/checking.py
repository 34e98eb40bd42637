"""Checks add-ons on one Blender or several: reads them, runs them, and says what was found.

archive ─> add-ons ─> each Blender: manifest, API check of each file ─┐
                                    register, use, unregister ────────┴─> findings, shares of what ran ─> report

What raises is an error. A finding of the API check adds to that: at a line that did not run it is a warning, and at
one that ran without an error it is only kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.addons.checked import (
    AddonFinding,
    AddonOnBlender,
    AddonReport,
    CheckedAddon,
    WindowPicture,
    merged,
    on_blender,
)
from app.addons.discovery import Contents, FoundAddon, addons_in
from app.addons.draft import PortDraft, Workshop, read
from app.addons.healing import remaining_findings
from app.addons.permissions import DOES, permissions_needed
from app.addons.port import draft_of
from app.errors import AddonsRefused
from app.verdict.verdict import Severity
from harness.addons import CUT_OFF, MANIFEST, WELL, AddonProblem, Registration, Use, use_addon
from harness.blenders import Blender
from harness.folders import passing_place
from harness.protocol import PICTURE
from harness.readers import Readers, ReadingFailed
from harness.reading_back import NOT_READ
from harness.sandbox.ladder import Sandbox
from ingest.book import whole_book
from ingest.manifest import Manifest

MOST_ADDONS: Final = 40
ALL_S: Final = 1800.0
"""Seconds on the clock after which no add-on is begun on another Blender."""
READ_S: Final = 60.0
"""The same for files that are read against the API of one Blender."""
OF_DATA: Final = frozenset(
    {
        *("IndexError", "KeyError", "ValueError", "ZeroDivisionError", "AssertionError", "StopIteration"),
        *("JSONDecodeError", "UnicodeDecodeError"),
    }
)
SAID_OF_LINE: Final = {
    True: "The line ran without an error.",
    False: "The line did not run here.",
    None: "It is not known if the line ran here.",
}
MOST_NAMED: Final = 5
CODES: Final = ("does-not-register", "does-not-unregister", "does-not-register-again")


@dataclass(frozen=True)
class Checking:
    """Tools for a check: the Blenders, the API of each, the sandbox, and the readers of texts."""

    blenders: Sequence[Blender]
    manifest_of: Callable[[Blender], Manifest]
    sandbox: Sandbox
    say: Callable[[str], None]
    readers: Readers | None = None
    keep_picture: Callable[[str, bytes], str] | None = None
    """Keeps a picture of a Blender's window, and answers its address; None keeps none."""


async def check_addons(contents: Contents, checking: Checking, at: str = "") -> AddonReport:
    """Check the add-ons among these files. Raises AddonsRefused and HarnessFault."""
    wanted = addons_in(contents, at)
    if len(wanted) > MOST_ADDONS:
        raise AddonsRefused(f"There are {len(wanted)} add-ons, and at most {MOST_ADDONS} are checked at once.")
    ends = time.monotonic() + ALL_S
    addons = [await check_addon(addon, contents, checking, ends) for addon in wanted]
    return AddonReport(passed=all(addon.passed for addon in addons), addons=addons, skipped=contents.skipped)


async def check_addon(addon: FoundAddon, contents: Contents, checking: Checking, ends: float) -> CheckedAddon:
    """Check one add-on on each Blender, as long as the clock has not come to `ends`."""
    built = addon.build(contents.files)
    name = addon.place or addon.module
    findings: list[AddonFinding] = []
    rows: list[AddonOnBlender] = []
    draft: PortDraft | None = None
    for blender in checking.blenders:
        if time.monotonic() > ends:
            rows.append(not_reached(blender))
            findings.append(finding_of("run", "not-reached", Severity.ERROR, f"Blender {blender.version} is {LATE}."))
            continue
        workshop = Workshop(
            [blender], checking.manifest_of(blender), checking.sandbox, checking.say, readers=checking.readers
        )
        if draft is None:
            checking.say(f"{name}: reading")
            draft = await draft_of(about_blender(addon, contents.files), contents, workshop)
            findings += [one async for one in declared(addon, contents.files, draft, workshop)]
        checking.say(f"{name}: using on Blender {blender.version}")
        async with passing_place() as place:
            done = await use_addon(blender, built, checking.sandbox, place, thorough=True)
        here = [*ran_into(done, addon), *[one async for one in against_api(draft, done, workshop)]]
        here = [one.model_copy(update={"blenders": [blender.name]}) for one in here]
        own = {file: facts for file, facts in done.coverage.items() if addon.path_of(file) in draft.texts}
        pictures = [
            WindowPicture(shows=shows, address=await asyncio.to_thread(checking.keep_picture, blender.name, content))
            for shows, content in done.pictures.items()
            if checking.keep_picture
        ]
        rows.append(on_blender(replace(done, coverage=own), here, pictures))
        findings += here
    whole = any(one.severity is Severity.ERROR and not one.blenders for one in findings)
    return CheckedAddon(
        place=addon.place,
        module=addon.module,
        kind="extension" if built.is_extension else "add-on",
        passed=all(row.passed for row in rows) and not whole,
        blenders=rows,
        findings=merged(findings),
    )


LATE: Final = f"not reached: a check begins nothing after {ALL_S / 60:.0f} minutes"


def not_reached(blender: Blender) -> AddonOnBlender:
    """The row of a Blender that an add-on was not tried on."""
    nothing = Registration(blender.name, 0, None, (), "", 0.0)
    return on_blender(nothing, []).model_copy(update={"said": LATE})


def about_blender(addon: FoundAddon, files: Mapping[str, bytes]) -> FoundAddon:
    """The add-on without the folders in which nothing uses Blender, such as those of bundled libraries."""
    folders = {path.rpartition("/")[0] for path in addon.paths if path.endswith(".py") and b"bpy" in files[path]}
    folders |= {addon.place, addon.place.rpartition("/")[0]}
    return replace(addon, paths=tuple(path for path in addon.paths if path.rpartition("/")[0] in folders))


def finding_of(
    check: str,
    code: str,
    severity: Severity,
    message: str,
    file: str | None = None,
    line: int | None = None,
    hint: str = "",
) -> AddonFinding:
    return AddonFinding(
        check=check, code=code, severity=severity, message=message, file=file, line=line, hint=hint or None
    )


async def declared(
    addon: FoundAddon, files: Mapping[str, bytes], draft: PortDraft, workshop: Workshop
) -> AsyncIterator[AddonFinding]:
    """Findings on the declarations of an add-on, compared with its files."""
    for path, problem in draft.problems.items():
        yield finding_of("parse", "unreadable", Severity.ERROR, problem, path)
    manifest = files.get(f"{addon.place}/{MANIFEST}".lstrip("/"))
    if manifest is None:
        return
    text = manifest.decode("utf-8", "replace")
    with contextlib.suppress(ReadingFailed):
        for need in await read(workshop, permissions_needed, text, draft.texts):
            message = f"It {DOES[need.permission]}, and its manifest does not ask for `{need.permission}`."
            yield finding_of("manifest", "permission", Severity.WARNING, message, need.path, need.line)


def ran_into(done: Registration, addon: FoundAddon) -> Iterator[AddonFinding]:
    """Findings of running the add-on."""
    for problem in done.manifest:
        yield finding_of("manifest", "invalid", Severity.ERROR, problem)
    for wheel in done.other_wheels:
        yield finding_of("manifest", "other-wheel", Severity.INFO, f"{wheel} is for another Python or machine.")
    if not done.passed:
        refused = done.problem is not None and done.problem.type == "PermissionError"
        weight_of_it = Severity.WARNING if refused else Severity.ERROR
        found = at_its_place(done.problem, addon, CODES[done.done], done.said, weight_of_it)
        yield found.model_copy(update={"hint": hint_of(done.problem)})
    for left in done.left_behind:
        yield finding_of("run", "left-behind", Severity.WARNING, f"`unregister` leaves {left}.")
    for file in (file for file in done.written if file.problem not in ("", NOT_READ)):
        message = f"A Blender without the add-on cannot read the {file.ending} that {file.use} wrote: {file.problem}."
        yield finding_of("run", "not-readable", Severity.ERROR, message)
    seen: set[str] = set()
    for use in (use for use in done.uses if use.problem):
        said = use.problem.said if use.problem else use.how
        if said in seen:
            continue
        seen.add(said)
        where = f" in {use.situation}" if use.situation else ""
        message = f"{use.what} raises{where}: {use.problem.type}: {use.problem.message}" if use.problem else use.what
        yield at_its_place(use.problem, addon, "raises", message, weight(use))


def hint_of(problem: AddonProblem | None) -> str | None:
    """The remedy, if the cause is outside of the add-on."""
    if problem and problem.type == "PermissionError":
        return "The sandbox lets an add-on start no process and reach no network; in Blender itself it may register."
    # A module that Blender once had is in the book: the API check says what became of it.
    if problem and problem.module and whole_book().find(problem.module) is None:
        return (
            f"Neither Blender nor the add-on brings `{problem.module}`. If it is another add-on, it has to be there "
            "first; if it is a package, bundle its wheel, or add it with `blendproof blenders packages add`."
        )
    return None


def weight(use: Use) -> Severity:
    """The weight of an error: a warning if its cause may lie in the scene, in the caller, or in a lack of a window."""
    problem = use.problem
    if problem is None or use.how in WELL or problem.type in (CUT_OFF, "Crashed"):
        return Severity.WARNING
    # A member of the scene's or the preferences' own lists is the user's to bring, as a file is.
    if problem.type in ("FileNotFoundError", "OSError") or "bpy_prop_collection[" in problem.message:
        return Severity.WARNING
    of_data = problem.type in OF_DATA or any(each in problem.message for each in ("NoneType", "''", 'enum ""'))
    of_data |= use.prepared and problem.type == "RuntimeError"
    return Severity.WARNING if of_data and (use.prepared or use.kind not in ("Operator", PICTURE)) else Severity.ERROR


def at_its_place(
    problem: AddonProblem | None, addon: FoundAddon, code: str, message: str, severity: Severity = Severity.ERROR
) -> AddonFinding:
    """A finding at the line of the add-on that raised."""
    frame = problem.frames[-1] if problem and problem.frames else None
    path = addon.path_of(frame.file) if frame else None
    return finding_of("run", code, severity, message, path, frame.line if frame else None)


async def against_api(draft: PortDraft, done: Registration, workshop: Workshop) -> AsyncIterator[AddonFinding]:
    """The findings of the API check, each with the weight that the lines that ran give it."""
    raised = {(frame.file, frame.line) for use in done.raising if use.problem for frame in use.problem.frames[-1:]}
    raised |= {(frame.file, frame.line) for frame in (done.problem.frames[-1:] if done.problem else ())}
    covered = {draft.addon.path_of(file): facts for file, facts in done.coverage.items()}
    at = {(draft.addon.path_of(file), line) for file, line in raised}
    loaded, ends = {draft.addon.path_of(file) for file in done.loaded}, time.monotonic() + READ_S
    late: list[str] = []
    # Short ones that were imported first: most of them are reached.
    for path, text in sorted(draft.texts.items(), key=lambda each: (each[0] not in loaded, len(each[1]))):
        if time.monotonic() > ends:
            late.append(path)
            continue
        try:
            found = await read(workshop, remaining_findings, text, workshop.manifest, draft.packages[path])
        except ReadingFailed as why:
            yield finding_of("api", "unread", Severity.WARNING, f"The API check cannot read it: {why}.", path)
            continue
        for one in found:
            ran = covered[path].reaches(one.line) if path in covered else None
            if (path, one.line) in at:
                continue
            severity = Severity.INFO if ran else Severity.WARNING
            message = f"{one.message.rstrip('.')}. {SAID_OF_LINE[ran]}"
            yield finding_of("api", "not-there", severity, message, path, one.line, one.hint)
    if late:
        message = f"No time was left to compare {len(late)} of its files with the API: {', '.join(late[:MOST_NAMED])}."
        yield finding_of("api", "unread", Severity.WARNING, message)
