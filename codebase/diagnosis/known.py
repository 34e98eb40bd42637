"""Known errors: the confirmed diagnoses, kept with the index, and solved issues.

An error is known by its signature: its type, its message without the parts that change each time (numbers, addresses,
quoted values), and the function where it was raised. A line of the file is one confirmed diagnosis.
"""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import re
import secrets
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
"""The number of diagnoses that can still be confirmed."""
MOST: Final = 2000
"""The number of confirmed diagnoses that are read, the newest."""
CHANGING: Final = re.compile(r"0x[0-9a-fA-F]+|\d+(?:\.\d+)?")
CHARACTERS: Final = 20_000
"""The rest of a longer issue is not read."""
ALIKE: Final = 0.55
VALUE: Final = re.compile(r"'[^']{0,200}'|\"[^\"]{0,200}\"")

Fit = Literal["same place", "same error", "alike"]


@dataclasses.dataclass(frozen=True)
class ConfirmedDiagnosis:
    """A diagnosis that somebody confirmed: the error and the lines that were at fault."""

    id: str
    type: str
    message: str
    path: str
    function: str
    """The function where it was raised."""
    fault: str
    """The lines at fault, as `path:line` or `path:first-last`."""
    note: str
    commit: str
    when: float


@dataclasses.dataclass(frozen=True)
class KnownError:
    """A known error that fits; `source` says where it is known from."""

    fit: Fit
    title: str
    fault: str
    solution: str
    source: str
    when: float


def general(message: str) -> str:
    """A message without the parts that change each time."""
    first = message.partition("\n")[0][:500]
    return CHANGING.sub("0", first)


def identity(name: str, message: str, path: str, function: str) -> str:
    """The id of a diagnosis: the same for the same error at the same place."""
    facts = "\0".join((name, VALUE.sub("''", general(message)), path, function))
    return f"d-{hashlib.sha256(facts.encode('utf-8', 'replace')).hexdigest()[:16]}"


def remember(folder: Path, confirmed: ConfirmedDiagnosis) -> None:
    """Keep a confirmed diagnosis with the index. Raises IndexingFailed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / FILE).open("a", encoding="utf-8") as file:
            file.write(json.dumps(dataclasses.asdict(confirmed)) + "\n")
    except OSError as error:
        raise IndexingFailed(f"{folder / FILE} cannot be written: {error.strerror}.") from error


def note_diagnosis(folder: Path, id_: str, name: str, message: str, path: str, function: str) -> None:
    """Keep the facts of a diagnosis, so that it can be confirmed by its id; impossible if the folder is read-only."""
    row = ConfirmedDiagnosis(id_, name, message[:2000], path, function, "", "", "", time.time())
    kept = {before.id: before for before in reversed(rows_of(folder / RECENT))}
    kept.pop(id_, None)
    newest = [*kept.values(), row][-MOST_RECENT:]
    text = "".join(json.dumps(dataclasses.asdict(diagnosis)) + "\n" for diagnosis in newest)
    with contextlib.suppress(OSError):
        unfinished = folder / f".{RECENT}.{secrets.token_hex(8)}"
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(folder / RECENT)


def recent_diagnoses(folder: Path) -> dict[str, ConfirmedDiagnosis]:
    """The last diagnoses by their ids, without a fault yet."""
    return {diagnosis.id: diagnosis for diagnosis in rows_of(folder / RECENT)}


def confirmations_in(folder: Path) -> list[ConfirmedDiagnosis]:
    """The confirmed diagnoses that are kept with an index, the newest first; damaged lines are skipped."""
    return rows_of(folder / FILE)


def rows_of(file: Path) -> list[ConfirmedDiagnosis]:
    """The rows of a file, the last first."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()[-MOST:]
    except (OSError, UnicodeDecodeError):
        return []
    rows: list[ConfirmedDiagnosis] = []
    for line in reversed(lines):
        try:
            rows.append(ConfirmedDiagnosis(**json.loads(line)))
        except (ValueError, TypeError):
            continue
    return rows


def fitting(kept: Iterable[ConfirmedDiagnosis], name: str, message: str, path: str, function: str) -> list[KnownError]:
    """The confirmed diagnoses that fit an error which was raised in a function, the best first."""
    errors: list[KnownError] = []
    for row in kept:
        fit: Fit | None = None
        if row.type == name and VALUE.sub("''", general(row.message)) == VALUE.sub("''", general(message)):
            is_there = (row.path, row.function) == (path, function)
            fit = "same place" if is_there else "same error" if general(row.message) == general(message) else None
        if fit:
            title = f"{row.type}: {row.message}".partition("\n")[0]
            errors.append(KnownError(fit, title, row.fault, row.note, f"confirmed as {row.id}", row.when))
    return sorted(errors, key=lambda error: (error.fit != "same place", -error.when))


def alike(issues: Iterable[Issue], name: str, message: str, source: str) -> list[KnownError]:
    """The solved issues of the same error, by its type and the words of its message, the best first."""
    asked = general(message)
    wanted = set(count_terms(words_of(asked)))
    errors: list[tuple[float, KnownError]] = []
    for number, issue in enumerate(issues, 1):
        text = issue.recognition[:CHARACTERS]
        without_numbers = CHANGING.sub("0", text)
        share = len(wanted & set(count_terms(words_of(without_numbers)))) / len(wanted) if wanted else 0.0
        is_exact = bool(asked) and asked in without_numbers
        if name and name in text and (is_exact or share >= ALIKE):
            fit: Fit = "same error" if is_exact else "alike"
            title = text.strip().partition("\n")[0][:160]
            called = issue.number or issue.title.partition("\n")[0][:160] or str(number)
            errors.append(
                (share + is_exact, KnownError(fit, title, "", issue.solution[:2000], f"{source}: {called}", 0.0))
            )
    return [known for _, known in sorted(errors, key=lambda pair: -pair[0])[:3]]
