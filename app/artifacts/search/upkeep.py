"""Keeps the index of the artifacts: the one thread that writes opens it, brings it up to date and makes it again.

The files are what counts: an index that is missing, damaged or behind is made again from them.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import structlog

from app.artifacts.search.clip import Clip
from app.artifacts.search.index import ArtifactIndex, IndexLost, IndexRow, VectorModels
from app.artifacts.search.location import IndexPlace
from app.artifacts.search.rows import NO_MODELS, RowReader
from app.artifacts.search.text import TextModel
from app.artifacts.search.towers import ClipUnusable
from app.artifacts.store.store import ArtifactStore
from app.errors import GalleryNotReady
from search.exporting import ModelUnusable
from search.tables import TABLE_ERRORS

log = structlog.get_logger()

CHUNK: Final = 128
"""Artifacts that are indexed at a time."""
FILLED_AT_ONCE: Final = 16
FOLLOWED_AT_MOST: Final = 5_000
"""Most artifacts whose vectors a process that does not write holds in memory: it reads all of them after each write."""
PATIENCE_S: Final = 20.0
"""Seconds that a search waits for an index that is being made."""

Answer = TypeVar("Answer")


@dataclass
class Sharing:
    """An index shared by several processes: one of them writes, and the others send it the ids to write."""

    announce: Callable[[str], None]
    """Tells every process: `artifact` or `gone`, and an id."""
    writes: bool = False


class IndexUpkeep:
    """The index in a place, kept in step with `store`. Readers ask through `ask`."""

    def __init__(
        self,
        store: ArtifactStore,
        place: Path | IndexPlace,
        clip: Clip,
        text: TextModel,
        sharing: Sharing | None = None,
    ) -> None:
        self.index: Final = ArtifactIndex(place)
        self.sharing: Final = sharing
        self.ready: Final = threading.Event()
        """Set while searches can be answered."""
        self.problem: str | None = None
        self.behind = 0
        """Artifacts that are waiting to be indexed."""
        self._store = store
        self._clip = clip
        self._text = text
        self._rows = RowReader(store, text, clip)
        self._unwritten: Final[set[str]] = set()
        """Artifacts whose turn failed; the next job tries them again."""
        self._writer = ThreadPoolExecutor(1, "gallery-index")
        self._closing = False

    def start(self) -> None:
        """Open the index and bring it up to date, in its own thread."""
        self._write(self._open if self._writes else self._follow)

    @property
    def _writes(self) -> bool:
        """True if this process writes the index."""
        return self.sharing is None or self.sharing.writes

    def share(self, writes: bool) -> None:
        """Write the index from now on, or follow the process that does."""
        assert self.sharing is not None
        taken, self.sharing.writes = writes and not self.sharing.writes, writes
        if taken or (writes and not self.ready.is_set()):
            self._write(self._open)
        elif not writes:
            self._write(self._follow)

    def close(self) -> None:
        """End work under way, CLIP included; artifacts that are not indexed yet are indexed at the next start."""
        self._closing = True
        # CLIP first, because the writer may wait for it.
        self._clip.close()
        self._writer.shutdown(cancel_futures=True)

    def settled(self) -> None:
        """Wait until every artifact that was sent so far is indexed."""
        self._writer.submit(lambda: None).result()

    def put_soon(self, ids: Sequence[str]) -> None:
        """Index these artifacts in their turn."""
        if self.sharing and not self.sharing.writes:
            for artifact_id in ids:
                self.sharing.announce(f"artifact {artifact_id}")
        elif ids:
            self.behind += len(ids)
            self._write(lambda: self._put(ids))

    def remove_soon(self, artifact_id: str) -> None:
        """Forget an artifact in its turn."""
        if self.sharing and not self.sharing.writes:
            self.sharing.announce(f"gone {artifact_id}")
            return
        self._write(lambda: self.index.remove([artifact_id]) if self.ready.is_set() else None)

    def ask(self, question: Callable[[], Answer]) -> Answer:
        """The index's answer; asked once more if its table was replaced meanwhile. Raises GalleryNotReady."""
        if not self.ready.wait(0 if self.problem else PATIENCE_S):
            problem = self.problem or f"{self.behind} artifacts are still to be read"
            raise GalleryNotReady(f"The index of the artifacts is being made again from their files: {problem}.")
        try:
            return question()
        except TABLE_ERRORS as error:
            log.warning("index asked again", problem=str(error))
        try:
            return question()
        except TABLE_ERRORS as error:
            self.ready.clear()
            # The names in it may still be readable although the rest is damaged, so it is made again in any case.
            self._write((lambda: self._rebuild(sorted(self._store.ids()))) if self._writes else self._follow)
            raise GalleryNotReady("The index of the artifacts was damaged; it is being made again.") from error

    # Everything below is done by the one thread that writes

    def _write(self, job: Callable[[], None]) -> None:
        def work() -> None:
            try:
                job()
                if self._unwritten:
                    self._put([])
                self.problem = None
            except Exception as error:
                # No caller waits for this: /health says so, and the next start makes the index again.
                self.problem = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
                log.exception("artifacts not indexed")

        with contextlib.suppress(RuntimeError):
            self._writer.submit(work)

    def _follow(self) -> None:
        """Read the writes of the process that writes."""
        # This call begins CLIP too, if that is configured.
        self._wanted()
        try:
            self.index.refresh(FOLLOWED_AT_MOST)
        except IndexLost as lost:
            # The process that writes makes the index, or makes it again.
            log.info("index of the artifacts is not there yet", reason=str(lost))
            self.ready.clear()
        else:
            self.ready.set()

    def _open(self) -> None:
        there = self._store.ids()
        try:
            self.index.open()
        except IndexLost as lost:
            if there:
                log.info("index of the artifacts is made again", reason=str(lost), artifacts=len(there))
            self._rebuild(sorted(there))
            return
        self.ready.set()
        known = self.index.ids()
        self.index.remove(known - there)
        if there and self._wanted() != self.index.models:
            self._rebuild(sorted(there))
        elif there - known:
            self.behind += len(there - known)
            self._put(sorted(there - known))
        self.index.hold()
        self._fill()

    def _rebuild(self, ids: Sequence[str]) -> None:
        """Make the index again from the files; vectors that are missing there are added afterwards."""
        models = self._wanted() if ids else NO_MODELS
        self.behind = len(ids)

        def batches() -> Iterator[list[IndexRow]]:
            for start in range(0, len(ids), CHUNK):
                yield self._rows.rows(ids[start : start + CHUNK], models)
                self.behind = len(ids) - start

        self.index.make(models, batches())
        self.behind = 0
        self.ready.set()
        self.index.hold()
        self._fill()

    def _put(self, ids: Sequence[str]) -> None:
        self._unwritten.update(ids)
        self._put_all(sorted(self._unwritten))
        self._unwritten.clear()

    def _put_all(self, ids: Sequence[str]) -> None:
        if not self.ready.is_set():
            # An index that could not be opened before: opening reads every artifact, these among them.
            self._open()
            return
        models = self._wanted()
        if models != self.index.models:
            self._rebuild(sorted(self._store.ids()))
            return
        for start in range(0, len(ids), CHUNK):
            if self._closing:
                return
            rows = self._rows.rows(ids[start : start + CHUNK], models)
            rows = self._rows.with_pictures(rows, models) if len(ids) < CHUNK else rows
            if rows:
                self.index.put(rows)
            self.behind = max(0, self.behind - CHUNK)
        self.behind = 0
        if len(ids) >= CHUNK:
            self._write(self._fill)

    def _fill(self) -> None:
        """Add picture vectors that are missing, a few at a time, so that new artifacts wait little."""
        models = self.index.models
        if self._closing or models is None or not models.picture_length:
            return
        ids = self.index.without("picture", FILLED_AT_ONCE)
        rows = self._rows.with_pictures(self._rows.rows(ids, self._wanted()), models)
        done = [row for row in rows if row.picture is not None]
        if done:
            self.index.put(done)
            self._write(self._fill)

    def _wanted(self) -> VectorModels:
        """The models whose vectors the index is to have."""
        text, text_length = "", 0
        with contextlib.suppress(ModelUnusable):
            embedder = self._text.embedder()
            text, text_length = embedder.identity, embedder.dimensions
        return VectorModels(text, text_length, *self._wanted_of_clip())

    def _wanted_of_clip(self) -> tuple[str, int]:
        """Identity and length of the pictures' vectors; while CLIP is being prepared they stay as they are."""
        if not self._clip.configured or (self._clip.problem and not self._clip.identity):
            return "", 0
        try:
            if self._clip.begin(lambda: self._write(self._take_up_clip)):
                return self._clip.identity or "", self._clip.dimensions
        except ClipUnusable:
            if not self._closing:
                return "", 0
        there = self.index.models or NO_MODELS
        return there.picture, there.picture_length

    def _take_up_clip(self) -> None:
        """Have the index made with CLIP, which is ready now."""
        if self._closing or not self.ready.is_set() or not self._writes:
            return
        if self._wanted() != self.index.models:
            self._rebuild(sorted(self._store.ids()))
        else:
            self._fill()
