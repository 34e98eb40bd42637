"""Solved issues from an export: known errors of a diagnosis, and pages with the error and the solution to index.

An export is a JSON list of objects, or one object per line. In each object, the first text under one of `TITLES`,
`ERRORS` and `SOLUTIONS` is read; these are the names of `gh issue list --json` and of most trackers.
"""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

from codebase.errors import NotARepository

MAX_BYTES: Final = 64 << 20
TITLES: Final = ("title", "summary", "subject", "name")
ERRORS: Final = ("error", "problem", "question", "body", "description", "traceback", "log")
SOLUTIONS: Final = ("solution", "answer", "resolution", "fix", "comments", "comment")
NUMBERS: Final = ("number", "id", "key", "iid")
KEPT: Final = "solved.json"

Row = Mapping[str, Any]


@dataclasses.dataclass(frozen=True)
class Issue:
    """A solved issue. `number` is its name in the tracker, empty if the export has none."""

    number: str
    title: str
    error: str
    solution: str

    @property
    def recognition(self) -> str:
        """The error with the title, by which it is recognised."""
        return "\n".join(dict.fromkeys(filter(None, (self.error, self.title))))


def write_pages(export: Path, folder: Path) -> int:
    """Write the issues of an export as pages of a folder, which is emptied first; returns their number. Beside it, in
    `solved.json`, they are kept for diagnoses.

    Raises NotARepository if it is no export.
    """
    try:
        if export.stat().st_size > MAX_BYTES:
            raise NotARepository(f"{export} is larger than {MAX_BYTES >> 20} MB: export fewer issues.")
        issues = solved_issues(export.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise NotARepository(f"{export} is no export of issues: {error}") from error
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for place, issue in enumerate(issues, 1):
        name, page = page_of(issue)
        (folder / f"{place:05}-{name}.md").write_text(page, encoding="utf-8", errors="replace")
    kept = json.dumps([dataclasses.asdict(issue) for issue in issues])
    (folder.parent / KEPT).write_text(kept, encoding="utf-8")
    return len(issues)


def kept_issues(folder: Path) -> list[Issue]:
    """The issues that were kept with the index of a source; none if it is of another kind, or damaged."""
    try:
        return [Issue(**row) for row in json.loads((folder / KEPT).read_text(encoding="utf-8"))]
    except (OSError, ValueError, TypeError):
        return []


def solved_issues(text: str) -> list[Issue]:
    """The entries of an export that have an error, or a title, and a solution. Raises ValueError."""
    try:
        rows = rows_in(text)
    except RecursionError as error:
        raise ValueError("it nests too deep") from error
    issues = [issue for row in rows if (issue := issue_in(row))]
    if not issues:
        raise ValueError("no entry has an error and a solution; docs/asking.md names the keys")
    return issues


def rows_in(text: str) -> list[Row]:
    """The objects of an export. Raises ValueError."""
    try:
        value: Any = json.loads(text)
    except ValueError:
        value = [json.loads(line) for line in text.split("\n") if line.strip()]
    if isinstance(value, dict):
        single = cast("Row", value)
        # One object per line may be a single object, and a list may be under a key of its own.
        value = [single] if single.keys() & {*SOLUTIONS} else next(filter(is_list, single.values()), None)
    if not is_list(value):
        raise ValueError("it is not a list of objects")
    return [cast("Row", row) for row in value if isinstance(row, dict)]


def issue_in(row: Row) -> Issue | None:
    """The issue of an entry; None without a solution, or without both title and error."""
    title, error, solution = (first_text(row, names) for names in (TITLES, ERRORS, SOLUTIONS))
    if not solution or not (title or error):
        return None
    return Issue(first_text(row, NUMBERS), title, error, solution)


def is_list(value: Any) -> bool:
    return isinstance(value, list)


def page_of(issue: Issue) -> tuple[str, str]:
    """The name and the text of a page."""
    title = " ".join((issue.title or issue.error.strip().partition("\n")[0]).split())[:200]
    name = re.sub(r"[^a-z0-9]+", "-", f"{issue.number} {title}".lower()).strip("-")[:60] or "issue"
    return name, f"# {title}\n\n{issue.error.strip()}\n\n## Solution\n\n{issue.solution.strip()}\n"


def first_text(issue: Row, names: Sequence[str]) -> str:
    """The text under the first of these names that has one."""
    return next((text for name in names if (text := "\n\n".join(texts_of(issue.get(name))))), "")


def texts_of(value: Any) -> Iterator[str]:
    """The texts in a value: itself, or the bodies of comments."""
    if isinstance(value, str) and value.strip():
        yield value
    elif isinstance(value, int) and not isinstance(value, bool):
        yield str(value)
    elif is_list(value):
        for item in cast("list[Any]", value):
            yield from texts_of(cast("Row", item).get("body") if isinstance(item, dict) else item)
