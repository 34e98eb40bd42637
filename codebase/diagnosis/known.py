"""Errors that are known: the diagnoses that were confirmed, kept with the index, and solved issues.

An error is known by its signature: its type, its message without what changes each time (numbers, addresses, quoted
values), and the function where it broke. A line of the file is one confirmed diagnosis.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import re
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final, Literal

from codebase.diagnosis.issues import Issue
from codebase.errors import IndexingFailed
from codebase.index.words import count_terms, words_of

FILE: Final = "diagnoses.jsonl"
RECENT: Final = "diagnosed.jsonl"
MOST_RECENT: Final = 200
"""Diagnoses that can still be confirmed."""
MOST: Final = 2000
"""Confirmed diagnoses that are read, the newest."""
CHANGING: Final = re.compile(r"0x[0-9a-fA-F]+|\d+(?:\.\d+)?")
CHARACTERS: Final = 20_000
"""The rest of a longer issue is not read."""
ALIKE: Final = 0.55
VALUE: Final = re.compile(r"'[^']{0,200}'|\"[^\"]{0,200}\"")

Fit = Literal["same place", "same error", "alike"]


@dataclasses.dataclass(frozen=True)
class Confirmed:
    """A diagnosis that somebody confirmed: the error and the lines that were at fault."""

    id: str
    type: str
    message: str
    path: str
    function: str
    """Where it broke."""
    fault: str
    """The lines at fault, as `path:line` or `path:first-last`."""
    note: str
    commit: str
    when: float


@dataclasses.dataclass(frozen=True)
class Known:
    """A known error that fits; `source` says where it is known from."""

    fit: Fit
    title: str
    fault: str
    solution: str
    source: str
    when: float


def general(message: str) -> str:
    """A message without what changes each time."""
    first = message.partition("\n")[0][:500]
    return CHANGING.sub("0", first)


def identity(name: str, message: str, path: str, function: str) -> str:
    """The id of a diagnosis: the same for the same error at the same place."""
    facts = "\0".join((name, VALUE.sub("''", general(message)), path, function))
    return f"d-{hashlib.sha256(facts.encode('utf-8', 'replace')).hexdigest()[:16]}"


def remember(folder: Path, confirmed: Confirmed) -> None:
    """Keep a confirmed diagnosis with the index. Raises IndexingFailed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / FILE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(dataclasses.asdict(confirmed)) + "\n")
    except OSError as error:
        raise IndexingFailed(f"{folder / FILE} cannot be written: {error.strerror}.") from error


def note_diagnosed(folder: Path, id_: str, name: str, message: str, path: str, function: str) -> None:
    """Keep what a diagnosis was of, so that it can be confirmed by its id; without a place to write, it cannot."""
    row = Confirmed(id_, name, message[:2000], path, function, "", "", "", time.time())
    kept = {one.id: one for one in reversed(rows_of(folder / RECENT))} | {id_: row}
    text = "".join(json.dumps(dataclasses.asdict(one)) + "\n" for one in list(kept.values())[-MOST_RECENT:])
    with contextlib.suppress(OSError):
        unfinished = folder / f".{RECENT}.part"
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(folder / RECENT)


def diagnosed(folder: Path) -> dict[str, Confirmed]:
    """The last diagnoses by their ids, without a fault yet."""
    return {one.id: one for one in rows_of(folder / RECENT)}


def confirmed_in(folder: Path) -> list[Confirmed]:
    """The confirmed diagnoses that are kept with an index, the newest first; damaged lines are passed over."""
    return rows_of(folder / FILE)


def rows_of(file: Path) -> list[Confirmed]:
    """The rows of a file, the last first."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()[-MOST:]
    except (OSError, UnicodeDecodeError):
        return []
    found: list[Confirmed] = []
    for line in reversed(lines):
        try:
            found.append(Confirmed(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return found


def fitting(kept: Iterable[Confirmed], name: str, message: str, path: str, function: str) -> list[Known]:
    """The confirmed diagnoses that fit an error which broke in a function, the best first."""
    found: list[Known] = []
    for one in kept:
        fit: Fit | None = None
        if one.type == name and VALUE.sub("''", general(one.message)) == VALUE.sub("''", general(message)):
            is_there = (one.path, one.function) == (path, function)
            fit = "same place" if is_there else "same error" if general(one.message) == general(message) else None
        if fit:
            title = f"{one.type}: {one.message}".partition("\n")[0]
            found.append(Known(fit, title, one.fault, one.note, f"confirmed as {one.id}", one.when))
    return sorted(found, key=lambda one: (one.fit != "same place", -one.when))


def alike(issues: Iterable[Issue], name: str, message: str, source: str) -> list[Known]:
    """The solved issues that tell of the same error, by its type and the words of its message, the best first."""
    asked = general(message)
    wanted = set(count_terms(words_of(asked)))
    found: list[tuple[float, Known]] = []
    for number, issue in enumerate(issues, 1):
        said = issue.said[:CHARACTERS]
        text = CHANGING.sub("0", said)
        share = len(wanted & set(count_terms(words_of(text)))) / len(wanted) if wanted else 0.0
        is_exact = bool(asked) and asked in text
        if name and name in said and (is_exact or share >= ALIKE):
            fit: Fit = "same error" if is_exact else "alike"
            title = said.strip().partition("\n")[0][:160]
            called = issue.number or issue.title.partition("\n")[0][:160] or str(number)
            found.append((share + is_exact, Known(fit, title, "", issue.solution[:2000], f"{source}: {called}", 0.0)))
    return [known for _, known in sorted(found, key=lambda pair: -pair[0])[:3]]
