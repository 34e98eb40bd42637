"""Solved issues that tell of the same error: an export of a tracker, as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

from codebase.diagnosis.known import CHANGING, Fit, Known, general
from codebase.words import counted, words_of

MOST: Final = 2000
CHARACTERS: Final = 20_000
"""The rest of a longer issue is not read."""
ALIKE: Final = 0.55
ERROR_KEYS: Final = ("error", "traceback", "log", "problem", "body", "title")
SOLUTION_KEYS: Final = ("solution", "fix", "answer", "resolution")
NAME_KEYS: Final = ("id", "number", "url", "title")

Issue = tuple[str, str, str]
"""Name, error, solution."""


def solved_issues(text: str) -> list[Issue]:
    """The entries of an export that have an error and a solution. Raises ValueError.

    JSON: a list of objects, an object with such a list, or one object per line. The error is in `error`, `traceback`,
    `log`, `problem`, `body` or `title`, the solution in `solution`, `fix`, `answer` or `resolution`.
    """
    try:
        rows = list(rows_in(text))
    except RecursionError as error:
        raise ValueError("it nests too deep") from error
    found = [issue for number, row in enumerate(rows[:MOST], 1) for issue in issue_in(row, number)]
    if not found:
        raise ValueError("no entry has an error and a solution")
    return found


def rows_in(text: str) -> Iterator[Any]:
    """The entries of an export. Raises ValueError."""
    try:
        facts: Any = json.loads(text)
    except json.JSONDecodeError as error:
        if not text.lstrip().startswith("{"):
            raise ValueError(f"it is not JSON: {error}") from error
        yield from (json.loads(line) for line in text.splitlines() if line.strip())
        return
    if isinstance(facts, dict):
        table = cast("dict[str, Any]", facts)
        facts = next((value for value in table.values() if is_list(value)), [table])
    yield from facts if is_list(facts) else ()


def is_list(value: Any) -> bool:
    return isinstance(value, list)


def issue_in(row: Any, number: int) -> Iterator[Issue]:
    """The issue of an entry, if it has what makes one."""
    if isinstance(row, dict):
        fields = cast("dict[str, Any]", row)
        said, solution = written(fields, ERROR_KEYS), written(fields, SOLUTION_KEYS)
        if said and solution:
            yield written(fields, NAME_KEYS).partition("\n")[0] or str(number), said, solution


def written(row: dict[str, Any], keys: Iterable[str]) -> str:
    """What stands under some keys, a line each."""
    return "\n".join(str(row[key]) for key in keys if row.get(key))


def alike(issues: Iterable[Issue], name: str, message: str, source: str) -> list[Known]:
    """The solved issues that tell of the same error, by its type and the words of its message, the best first."""
    asked = general(message)
    wanted = set(counted(words_of(asked)))
    found: list[tuple[float, Known]] = []
    for called, said, solution in issues:
        text = CHANGING.sub("0", said[:CHARACTERS])
        share = len(wanted & set(counted(words_of(text)))) / len(wanted) if wanted else 0.0
        is_exact = bool(asked) and asked in text
        if name and name in said and (is_exact or share >= ALIKE):
            fit: Fit = "same error" if is_exact else "alike"
            title = said.strip().partition("\n")[0][:160]
            found.append((share + is_exact, Known(fit, title, "", solution[:2000], f"{source}: {called}", 0.0)))
    return [known for _, known in sorted(found, key=lambda pair: -pair[0])[:3]]
