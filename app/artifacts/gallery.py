"""The one door to the artifacts: publishes and deletes them, and finds them again.

publish ─> store/ (files, at once) ─> search/upkeep.py (the index, soon)
search  ─> search/hits.py          ─> hits, each with why
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Final

from PIL import Image

from app.artifacts.exemplars import ProvenExemplars, WithheldRequests
from app.artifacts.search.clip import Clip
from app.artifacts.search.hits import ArtifactSearch, HitPage
from app.artifacts.search.index import Filters
from app.artifacts.search.location import IndexPlace
from app.artifacts.search.text import TextModel
from app.artifacts.search.upkeep import IndexUpkeep, Sharing
from app.artifacts.store import archive
from app.artifacts.store.artifact import Artifact, Sighting
from app.artifacts.store.store import ArtifactStore, Proof
from app.prompting.exemplar import Exemplar
from harness.readers import Readers
from search.embed import Embedder

SEARCHES_AT_ONCE: Final = 2
BETWEEN: Final = "_"
"""Stands between the time and the id at which a page ends."""
IN_UTC: Final = "+00:00"


class Gallery:
    """The artifacts in `store` with their index. Calls may come from several threads; none is for the event loop.

    Readers of the index raise GalleryNotReady while there is none.
    """

    def __init__(
        self,
        store: ArtifactStore,
        index: Path | IndexPlace,
        clip: Clip,
        embedder: Callable[[], Embedder],
        withheld: WithheldRequests,
        sharing: Sharing | None = None,
    ) -> None:
        self.store: Final = store
        self.clip: Final = clip
        self.pool: Final = ThreadPoolExecutor(SEARCHES_AT_ONCE, "gallery-search")
        self._text = TextModel(embedder)
        self._upkeep = IndexUpkeep(store, index, clip, self._text, sharing)
        self._search = ArtifactSearch(store, self._upkeep, clip, self._text)
        self._exemplars = ProvenExemplars(store, self._upkeep, self._text, withheld)

    def start(self) -> None:
        """Open the index and bring it up to date, in a thread of its own."""
        self._upkeep.start()

    def share(self, writes: bool) -> None:
        """Write the index that several processes share from now on, or follow the process that does."""
        self._upkeep.share(writes)

    def hear(self, news: str) -> None:
        """Handle news from another process about its artifacts."""
        word, _, artifact_id = news.partition(" ")
        sharing = self._upkeep.sharing
        if sharing and sharing.writes and word == "artifact":
            self._upkeep.put_soon([artifact_id])
        elif sharing and sharing.writes and word == "gone":
            self._upkeep.remove_soon(artifact_id)

    def missed(self) -> None:
        """Notifications from other processes may have been missed."""
        if self._upkeep.sharing:
            self._upkeep.start()

    def close(self) -> None:
        """End work under way; artifacts that are not indexed yet are indexed at the next start."""
        self._upkeep.close()
        self.pool.shutdown(cancel_futures=True)

    def settled(self) -> None:
        """Wait until every artifact that was published so far is indexed."""
        self._upkeep.settled()

    @property
    def indexed(self) -> bool:
        """True if searches can be answered."""
        return self._upkeep.ready.is_set()

    @property
    def behind(self) -> int:
        """Artifacts that are waiting to be indexed."""
        return self._upkeep.behind

    @property
    def index_problem(self) -> str | None:
        """The reason why artifacts are not indexed; None if they are."""
        return self._upkeep.problem

    @property
    def text_problem(self) -> str | None:
        """The reason why artifacts are not found by their meaning, once it is known."""
        return self._text.problem

    # Publishing

    def publish(self, proof: Proof) -> Artifact | None:
        """Store a proof as an artifact, and index it soon; None if there was nothing to render."""
        artifact = self.store.publish(proof)
        if artifact:
            self.index_soon([artifact.id])
        return artifact

    def see(self, artifact_id: str, sighting: Sighting) -> None:
        """Note that an artifact was seen once more. Raises ArtifactNotFound."""
        self.store.see(artifact_id, sighting)
        self.index_soon([artifact_id])

    def import_archive(self, file: IO[bytes], readers: Readers | None = None) -> tuple[list[str], list[str]]:
        """Add and index the artifacts of an archive; answers the ids of the new ones and of those that were here.

        The contents are read by `readers`, or here if there are none. Raises ArchiveRefused; artifacts before the fault
        stays, and is indexed too.
        """
        new: list[str] = []
        try:
            return archive.import_archive(self.store, file, new, readers)
        finally:
            self.index_soon(new)

    def index_soon(self, ids: Sequence[str]) -> None:
        """Index these artifacts in their turn."""
        self._upkeep.put_soon(ids)

    def delete(self, artifact_id: str) -> None:
        """Remove an artifact from the files and, soon, from the index. Raises ArtifactNotFound."""
        self.store.delete(artifact_id)
        self._upkeep.remove_soon(artifact_id)

    # Finding

    def page(self, filters: Filters, limit: int, before: str | None = None) -> tuple[list[Artifact], str | None]:
        """The newest artifacts first, at most `limit`, older than `before`; and the `before` of the next page.

        `before` is an id, or a time and an id, of which there need be no artifact any more. Raises ArtifactNotFound.
        """
        time, _, last = (before or "").rpartition(BETWEEN)
        older = (f"{time}{IN_UTC}" if time else self.store.read(last).created_at, last) if before else None
        newest = self._upkeep.ask(lambda: self._upkeep.index.newest(filters))
        ids = [artifact_id for made, artifact_id in newest if older is None or (made, artifact_id) < older]
        there = self.store.read_first(ids, limit + 1)
        if len(there) <= limit:
            return there, None
        end = there[limit - 1]
        return there[:limit], f"{end.created_at.removesuffix(IN_UTC)}{BETWEEN}{end.id}"

    def ids(self, filters: Filters) -> list[str]:
        """Ids of the artifacts that pass the filters, the newest first."""
        return [artifact_id for _, artifact_id in self._upkeep.ask(lambda: self._upkeep.index.newest(filters))]

    def facets(self) -> dict[str, list[str]]:
        """The values to filter by."""
        return self._upkeep.ask(self._upkeep.index.facets)

    def search_words(self, query: str, filters: Filters, limit: int, offset: int = 0) -> HitPage:
        """Artifacts for words: by shared words, by meaning, and by the picture's contents according to CLIP."""
        return self._search.words(query, filters, limit, offset)

    def search_picture(self, picture: Image.Image, filters: Filters, limit: int, offset: int = 0) -> HitPage:
        """Artifacts that look like a picture: near-duplicates by their hashes first, then those alike for CLIP."""
        return self._search.picture(picture, filters, limit, offset)

    def similar(self, artifact_id: str, limit: int) -> HitPage:
        """Artifacts like this one, by picture and by meaning. Raises ArtifactNotFound."""
        return self._search.similar(artifact_id, limit)

    def exemplars(self, request: str, series: str | None, limit: int) -> list[Exemplar]:
        """Proven snippets for requests like this one, the nearest first; no answers to a benchmark."""
        return self._exemplars.near(request, series, limit)
