"""Solved issues from an export: each is written down as a page with the error and the solution, and indexed as one.

An export is a JSON list of objects, or one object per line. Of each object, the first text under one of `TITLES`,
`ERRORS` and `SOLUTIONS` is read; that is how `gh issue list --json` and most trackers name them.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, cast

from codebase.errors import NotARepository

MAX_BYTES: Final = 64 << 20
TITLES: Final = ("title", "summary", "subject", "name")
ERRORS: Final = ("error", "problem", "question", "body", "description", "traceback")
SOLUTIONS: Final = ("solution", "answer", "resolution", "fix", "comments", "comment")
NUMBERS: Final = ("number", "id", "key", "iid")

Issue = Mapping[str, Any]


def write_pages(export: Path, folder: Path) -> int:
    """Write the issues of an export as pages of a folder, which is emptied first; how many there are.

    Raises NotARepository if it is no export.
    """
    try:
        if export.stat().st_size > MAX_BYTES:
            raise NotARepository(f"{export} is larger than {MAX_BYTES >> 20} MB: export fewer issues.")
        issues = read_issues(export.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:
        raise NotARepository(f"{export} is no export of issues: {error}") from error
    pages = [made for issue in issues if (made := page_of(issue))]
    if not pages:
        raise NotARepository(f"{export} has no issues with error and solution; docs/repositories.md names the keys.")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for place, (name, page) in enumerate(pages, 1):
        (folder / f"{place:05}-{name}.md").write_text(page, encoding="utf-8", errors="replace")
    return len(pages)


def read_issues(text: str) -> list[Issue]:
    """The objects of an export. Raises ValueError."""
    try:
        found: Any = json.loads(text)
    except ValueError:
        found = [json.loads(line) for line in text.splitlines() if line.strip()]
    if isinstance(found, dict):
        known = cast("Issue", found)
        # One object per line may be one object, and a list may stand under a name of its own.
        found = [known] if known.keys() & {*SOLUTIONS} else next(filter(is_list, known.values()), None)
    if not is_list(found):
        raise ValueError("it is not a list of objects")
    return [cast("Issue", one) for one in found if isinstance(one, dict)]


def is_list(value: Any) -> bool:
    return isinstance(value, list)


def page_of(issue: Issue) -> tuple[str, str] | None:
    """The name and the text of a page; None without a solution."""
    title, error, solution = (first_text(issue, names) for names in (TITLES, ERRORS, SOLUTIONS))
    if not solution or not (title or error):
        return None
    title = " ".join((title or error.strip().partition("\n")[0]).split())[:200]
    number = first_text(issue, NUMBERS)
    name = re.sub(r"[^a-z0-9]+", "-", f"{number} {title}".lower()).strip("-")[:60] or "issue"
    return name, f"# {title}\n\n{error.strip()}\n\n## Solution\n\n{solution.strip()}\n"


def first_text(issue: Issue, names: Sequence[str]) -> str:
    """The text under the first of these names that has one."""
    return next((text for name in names if (text := "\n\n".join(texts_of(issue.get(name))))), "")


def texts_of(value: Any) -> Iterator[str]:
    """The texts in a value: itself, or the bodies of comments."""
    if isinstance(value, str) and value.strip():
        yield value
    elif isinstance(value, int) and not isinstance(value, bool):
        yield str(value)
    elif is_list(value):
        for one in cast("list[Any]", value):
            yield from texts_of(cast("Issue", one).get("body") if isinstance(one, dict) else one)
