"""Answers that are given again to exactly the same question; off unless the operator wants it.

    question, pictures, form, model ── digest ──> a kept answer, not too old ──> given again, at no cost
                                              └─> the model is asked, and its answer is kept

Services that share an object store share them. Only the digest of a question is kept.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import hashlib
import json
import time
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import structlog

from app.llm.answers import CUT
from app.llm.message import Answer, Message
from app.llm.providers import Provider

Found = TypeVar("Found")

log = structlog.get_logger()

WAIT_S: Final = 2.0
"""Longest wait for a store that is away; then the model is asked as if nothing was kept."""
DAY_S: Final = 86400.0
AWAY_S: Final = 30.0
"""Seconds for which a store that failed or took too long is left alone."""
THREADS: Final = 2
"""Threads that a store which is away may hold up; the rest of the service has its own."""
SWEPT_EVERY: Final = 500
"""Answers that are written between two looks for old ones."""


class Keeper(Protocol):
    """Keeps files by their names."""

    def get(self, name: str) -> bytes | None:
        """The content of a file; None if there is none."""
        ...

    def put(self, name: str, content: bytes) -> None:
        """Write a file, in the place of an earlier one."""
        ...


class AnswerFolder:
    """Keeps files in a folder, which is made; those that were written longer ago than `days` go."""

    def __init__(self, folder: Path, days: float) -> None:
        self._folder = folder
        self._days = days
        self._puts = 0
        (folder / "answers").mkdir(parents=True, exist_ok=True)
        self._sweep()

    def _sweep(self) -> None:
        for file in (self._folder / "answers").iterdir():
            self._goes(file)

    def _goes(self, file: Path) -> bool:
        """True if there is no such file, or it was too old and is deleted."""
        try:
            if file.stat().st_mtime >= time.time() - self._days * DAY_S:
                return False
            file.unlink()
        except FileNotFoundError:
            pass
        return True

    def get(self, name: str) -> bytes | None:
        """See `Keeper`."""
        file = self._folder / name
        with contextlib.suppress(FileNotFoundError):
            return None if self._goes(file) else file.read_bytes()
        return None

    def put(self, name: str, content: bytes) -> None:
        """See `Keeper`."""
        unfinished = self._folder / f"{name}.{time.monotonic_ns()}.part"
        unfinished.write_bytes(content)
        unfinished.replace(self._folder / name)
        self._puts += 1
        if self._puts % SWEPT_EVERY == 0:
            self._sweep()


@dataclasses.dataclass(frozen=True)
class ModelQuestion:
    """A question to a model, with all that its answer depends on."""

    messages: Sequence[Message]
    schema: dict[str, Any] | None
    room: int | None
    exactly: bool

    def digest(self, provider: Provider) -> str:
        """The digest of the question to this model, with the pictures; raises OSError if one cannot be read."""
        said = [
            [
                message.role,
                message.content,
                [hashlib.sha256(path.read_bytes()).hexdigest() for path in message.pictures],
            ]
            for message in self.messages
        ]
        model = [provider.name, provider.model, provider.urls, provider.context]
        whole = json.dumps([model, said, self.schema, self.room, self.exactly], sort_keys=True)
        return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()


class KeptAnswers:
    """The answers that are kept; each counts for `days`. A failure here costs an answer, never a run."""

    def __init__(self, keeper: Keeper, days: float) -> None:
        self._keeper = keeper
        self._days = days
        self._pool = ThreadPoolExecutor(THREADS, "answers")
        self._away_until = 0.0

    def close(self) -> None:
        """Begin nothing more, without waiting for a store that is away."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def find(self, question: ModelQuestion, provider: Provider) -> Answer | None:
        """The answer that this model gave to the same question before; None if there is none."""
        begun = time.monotonic()

        def job() -> Answer | None:
            name = f"answers/{question.digest(provider)}"
            with self._noting_failure():
                content = self._keeper.get(name)
            kept: dict[str, Any] = json.loads(content) if content else {"at": 0.0}
            if time.time() - kept.pop("at") > self._days * DAY_S:
                return None
            seconds = round(time.monotonic() - begun, 3)
            nothing: dict[str, Any] = {"tokens_in": 0, "tokens_out": 0, "cost": 0.0, "seconds": seconds}
            return Answer(**kept | nothing, provider=provider.name, model=provider.model, cached=True)

        return await self._spared("find", job)

    async def keep(self, question: ModelQuestion, provider: Provider, answer: Answer) -> None:
        """Keep an answer, unless it is empty or was cut off."""
        if not answer.text.strip() or answer.finish == CUT:
            return
        content = json.dumps({"at": time.time(), "text": answer.text, "finish": answer.finish}).encode()

        def job() -> None:
            name = f"answers/{question.digest(provider)}"
            with self._noting_failure():
                self._keeper.put(name, content)

        await self._spared("keep", job)

    @contextlib.contextmanager
    def _noting_failure(self, kind: type[Exception] = Exception) -> Generator[None, None, None]:
        """Leave the store alone for a while if this fails."""
        try:
            yield
        except kind:
            self._away_until = time.monotonic() + AWAY_S
            raise

    async def _spared(self, what: str, job: Callable[[], Found]) -> Found | None:
        """The result of a job; None if it fails or takes long, or the store just did: a run does not need it."""
        if time.monotonic() < self._away_until:
            return None
        try:
            with self._noting_failure(TimeoutError):
                # Not `wait_for`: in Python 3.11 it swallows a cancellation that comes at the same time.
                async with asyncio.timeout(WAIT_S):
                    return await asyncio.get_running_loop().run_in_executor(self._pool, job)
        except Exception as error:
            log.warning("answers not kept", doing=what, problem=f"{type(error).__name__}: {error}")
            return None
