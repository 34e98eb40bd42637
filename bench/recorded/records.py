"""The records of a model's answers: one line of JSON per answer, in `answers/`, one file per file of tasks.

An answer is found again by its task, the role that was asked and the attempt, and not by the words of the question,
so that prompts may change. The digest of the question says whether they did.

    attempt   which snippet of a model it is about, from 1: the draft, then each healing
    turn      1, or 2 for the answer after one that could not be used
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from app.jobs.run import Run
from app.jobs.talks import UNUSABLE

FOLDER: Final = Path(__file__).parent / "answers"
WRITERS: Final[frozenset[str]] = frozenset({"drafter", "healer"})
"""The roles that write a snippet."""
AGAIN: Final = UNUSABLE.partition("{")[0]
"""The beginning of a question that asks again because the answer could not be used."""


class RecordsInvalid(ValueError):
    """A file of records cannot be read; the message says where."""


class Place(NamedTuple):
    """The question about a task that an answer belongs to."""

    task: str
    role: str
    attempt: int
    turn: int

    def __str__(self) -> str:
        again = f", turn {self.turn}" if self.turn > 1 else ""
        return f"{self.task}: {self.role}, attempt {self.attempt}{again}"


@dataclass
class Course:
    """The questions about one task, in the order in which they come; answers the place of each."""

    task: str
    _written: int = 0
    _asked: Counter[tuple[str, int]] = field(default_factory=Counter[tuple[str, int]])

    def next(self, role: str, question: str) -> Place:
        """The place of a question to this role; `question` is its last message."""
        if role in WRITERS and not question.startswith(AGAIN):
            self._written += 1
        attempt = max(self._written, 1)
        self._asked[role, attempt] += 1
        return Place(self.task, role, attempt, self._asked[role, attempt])


@dataclass(frozen=True)
class Record:
    """One answer with what it answers, who gave it and when. `question` is the digest of the question."""

    task: str
    role: str
    attempt: int
    turn: int
    recorded: str
    """The day, such as 2026-11-26."""
    source: str
    """The author of the answer, in words."""
    prompt: str
    question: str
    pictures: int
    tokens_in: int
    tokens_out: int
    answer: str

    @property
    def place(self) -> Place:
        """The key of the answer."""
        return Place(self.task, self.role, self.attempt, self.turn)


def digest_of(question: str) -> str:
    """The digest of the last message of a question."""
    return hashlib.sha256(question.encode()).hexdigest()[:12]


def role_of(prompt: str) -> str:
    """The role that a prompt is for, by its identity such as `healer 1 (3fa2c1d0)`."""
    return prompt.split()[0]


def records_of(task: str, run: Run, source: str, day: str) -> list[Record]:
    """The answers that models gave in a run."""
    course, records = Course(task), list[Record]()
    for call in run.model_calls:
        asked = call.sent[-1]
        place = course.next(role_of(call.prompt), asked.content)
        records.append(
            Record(
                *place,
                recorded=day,
                source=source,
                prompt=call.prompt,
                question=digest_of(asked.content),
                pictures=len(asked.pictures),
                tokens_in=call.tokens_in,
                tokens_out=call.tokens_out,
                answer=call.answer,
            )
        )
    return records


def read_records(file: Path) -> list[Record]:
    """The records of a file; raises RecordsInvalid."""
    records: list[Record] = []
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise RecordsInvalid(f"{file}: {error}") from None
    for number, line in enumerate(lines, 1):
        try:
            facts: dict[str, Any] = json.loads(line)
            records.append(Record(**facts))
        except (ValueError, TypeError) as error:
            raise RecordsInvalid(f"{file}, line {number}: no record of an answer: {error}") from None
    places = Counter(record.place for record in records)
    if twice := [place for place, count in places.items() if count > 1]:
        raise RecordsInvalid(f"{file}: two records of one answer: {twice[0]}")
    return records


def append_records(file: Path, records: Iterable[Record]) -> None:
    """Add records at the end of a file, which is made if it is missing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("a", encoding="utf-8") as opened:
        opened.write("".join(json.dumps(asdict(record), ensure_ascii=False) + "\n" for record in records))


def tasks_in(records: Sequence[Record]) -> list[str]:
    """The tasks that have answers, in order."""
    return list(dict.fromkeys(record.task for record in records))
