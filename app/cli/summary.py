"""Writes the verdicts on files as one table in Markdown, for the summary of a CI job.

Names and messages come from strangers, so that none of their characters means anything to Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from app.cli.formats import JudgedFile, evidence_folder
from app.jobs.run import JobStatus
from app.observing.foreign import visible
from app.verdict.verdict import Severity

PUNCTUATION: Final = re.compile(r"([!-/:-@\[-`{-~])")
LONGEST: Final = 200
"""Most characters of a cell."""


def as_markdown(all_judged: Sequence[JudgedFile], folder: Path) -> str:
    """One row per file and Blender: whether it is proven, the first error, and its picture within `folder`."""
    proven = sum(one.run.status is JobStatus.PROVEN for one in all_judged)
    lines = [
        f"**{proven} of {len(all_judged)} scripts are proven.**",
        "",
        "| script | Blender | verdict | first error | picture |",
        "| --- | --- | --- | --- | --- |",
    ]
    rows = (row for judged in all_judged for row in rows_of(judged, folder))
    lines += ["| " + " | ".join(map(cell, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def rows_of(judged: JudgedFile, folder: Path) -> Iterator[tuple[str, ...]]:
    """The row of a file, or its rows on several Blenders; the error and the picture are those of the first."""
    errors = [one for one in judged.findings() if one.severity is Severity.ERROR]
    error = next((f"line {one.line}: {one.message}" if one.line else one.message for one in errors), "")
    picture = evidence_folder(judged, folder) / "picture.png"
    shown = picture.relative_to(folder).as_posix() if picture.exists() else ""
    if not judged.run.matrix:
        yield judged.name, judged.run.blender, judged.run.status.replace("_", " "), error, shown
    for place, row in enumerate(judged.run.matrix):
        said = "proven" if row.proven else row.problem or "not proven"
        yield judged.name, row.blender, said, "" if place else error, "" if place else shown


def cell(text: str) -> str:
    """The text in one line, with a backslash before all that Markdown might read."""
    line = " ".join(visible(text).split())
    short = line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
    return PUNCTUATION.sub(r"\\\1", short)
