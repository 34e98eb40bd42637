"""The one door to what was proven: publishes artifacts, keeps their index, finds them again.

    publish ─> store.py (files, at once) ─> index.py (soon, by the one thread that writes)
    search  ─> words, meaning, pictures by CLIP, hashes ─> fused ─> hits, each with why

The files are what counts: an index that is missing, damaged or behind is made again from them when the service starts.
Vectors lie beside the artifact they are of, so that this takes seconds and no model.
"""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any, Final, TypeVar

import numpy as np
import structlog
from PIL import Image

from app.artifacts import exemplars
from app.artifacts.exemplars import Withheld
from app.artifacts.pictures import looks_of, open_own, small_copy
from app.artifacts.search.clip import PREPARING, Clip
from app.artifacts.search.index import (
    ArtifactIndex,
    Filters,
    IndexLost,
    Models,
    Row,
    engine_name,
    words_in,
)
from app.artifacts.search.towers import ClipUnusable
from app.artifacts.store import archive
from app.artifacts.store.artifact import Artifact, Looks, Sighting
from app.artifacts.store.record import PICTURE
from app.artifacts.store.store import EMBEDDINGS, ArtifactStore, Proof, replace_file
from app.errors import ArtifactNotFound, GalleryNotReady
from app.retrieval.exemplar import Exemplar
from harness.versions import series_of
from search.embed import Embedder
from search.encoder import Vectors
from search.exporting import ModelUnusable
from search.fuse import fuse
from search.tables import TABLE_ERRORS

log = structlog.get_logger()

DEPTH: Final = 200
"""Hits of each leg that take part in a search."""
HASH_DEPTH: Final = 256
SAME_BITS: Final = 24
"""Of the 128 bits of both hashes: pictures that differ in no more are taken for the same scene."""
ALIKE_BITS: Final = 40
LEAST_MEANING: Final = 0.25
"""Nearness below which two texts have nothing to do with each other."""
LEAST_LOOKS: Final = 0.85
"""Share of the best nearness by CLIP below which a picture is not meant: its nearnesses all lie close together."""
WEIGHTS: Final = {"written": 1.0, "meant": 1.0, "looks": 1.0, "hash": 2.0}
CHUNK: Final = 128
"""Artifacts that are indexed at a time."""
SEARCHES_AT_ONCE: Final = 2

Answer = TypeVar("Answer")


@dataclasses.dataclass(frozen=True)
class Found:
    """One artifact that was found, the score by which it was ranked, and why it was chosen, the strongest first."""

    artifact: Artifact
    score: float
    why: tuple[str, ...]


@dataclasses.dataclass(frozen=True)
class Finds:
    """One page of what was found, how many there are in all, and what could not be searched by."""

    hits: list[Found]
    total: int
    missing: list[str]


class Gallery:
    """The artifacts in `store` with their index. Calls may come from several threads; none is for the event loop."""

    def __init__(
        self,
        store: ArtifactStore,
        index_folder: Path,
        clip: Clip,
        embedder: Callable[[], Embedder],
        withheld: Withheld,
    ) -> None:
        self.store: Final = store
        self.clip: Final = clip
        self.pool: Final = ThreadPoolExecutor(SEARCHES_AT_ONCE, "gallery-search")
        self.text_problem: str | None = None
        self.index_problem: str | None = None
        self.behind = 0
        """Artifacts that are waiting to be indexed."""
        self._open_embedder = embedder
        self._withheld = withheld
        self._index = ArtifactIndex(index_folder)
        self._writer = ThreadPoolExecutor(1, "gallery-index")
        self._ready = threading.Event()
        self._closing = False

    def start(self) -> None:
        """Open the index and bring it up to date, beside whatever else goes on."""
        self._write(self._open)

    def close(self) -> None:
        """End what is under way; what was not indexed is at the next start."""
        self._closing = True
        # First, because the others may wait for it.
        self.clip.close()
        self._writer.shutdown(cancel_futures=True)
        self.pool.shutdown(cancel_futures=True)

    def settled(self) -> None:
        """Wait until everything is indexed that was published so far."""
        self._writer.submit(lambda: None).result()

    # Publishing

    def publish(self, proof: Proof) -> Artifact | None:
        """Store what was proven, and index it soon; None where there was nothing to render."""
        artifact = self.store.publish(proof)
        if artifact:
            self.index_soon([artifact.id])
        return artifact

    def see(self, artifact_id: str, sighting: Sighting) -> None:
        """Note that an artifact was seen once more. Raises ArtifactNotFound."""
        self.store.see(artifact_id, sighting)
        self.index_soon([artifact_id])

    def import_archive(self, file: IO[bytes]) -> tuple[list[str], list[str]]:
        """Add and index the artifacts of an archive; answers the ids of the new ones and of those that were here.

        Raises ArchiveRefused; what came before the fault stays, and is indexed too.
        """
        new: list[str] = []
        try:
            return archive.import_archive(self.store, file, new)
        finally:
            self.index_soon(new)

    def index_soon(self, ids: Sequence[str]) -> None:
        """Index these artifacts when their turn has come."""
        if ids:
            self.behind += len(ids)
            self._write(lambda: self._put(ids))

    def delete(self, artifact_id: str) -> None:
        """Remove an artifact from the files and, soon, from the index. Raises ArtifactNotFound."""
        self.store.delete(artifact_id)
        self._write(lambda: self._index.remove([artifact_id]) if self._ready.is_set() else None)

    # Finding

    def page(self, filters: Filters, limit: int, before: str | None = None) -> tuple[list[Artifact], str | None]:
        """The newest artifacts first, at most `limit`, older than `before`; and the `before` of the next page."""
        ids = self.ids(filters)
        if before is not None:
            if before not in ids:
                raise ArtifactNotFound(f"There is no artifact {before} among these.")
            ids = ids[ids.index(before) + 1 :]
        there = list(self._read(ids, limit + 1))
        return there[:limit], there[limit - 1].id if len(there) > limit else None

    def ids(self, filters: Filters) -> list[str]:
        """Names of the artifacts that pass the filters, the newest first."""
        return self._ask(lambda: self._index.newest(filters))

    def facets(self) -> dict[str, list[str]]:
        """What there is to filter by."""
        return self._ask(self._index.facets)

    def search_words(self, query: str, filters: Filters, limit: int, offset: int = 0) -> Finds:
        """Artifacts for words: those they share, their meaning, and by CLIP what the picture shows."""
        missing: list[str] = []
        looks = self._clip_vector(query)

        def ask() -> Finds:
            passing = self._index.passing(filters)
            written = self._index.by_words(query, filters, DEPTH)
            meant = self._by_meaning(query, filters, passing, missing)
            seen = self._by_looks(looks, filters, passing, missing)
            why = {
                "written": {one: f"shares words ({share:.2f})" for one, share in written.items()},
                "meant": {one: f"near in meaning ({near:.2f})" for one, near in meant.items()},
                "looks": {one: f"the picture shows it ({near:.2f})" for one, near in seen.items()},
            }
            return self._finds(why, limit, offset, missing)

        return self._ask(ask)

    def search_picture(self, picture: Image.Image, filters: Filters, limit: int, offset: int = 0) -> Finds:
        """Artifacts that look like a picture: near-duplicates first, by their hashes, then what CLIP finds alike."""
        looks = self._clip_vector(picture)
        hashes, small = looks_of(picture), small_copy(picture)
        missing: list[str] = []

        def ask() -> Finds:
            why = self._alike(hashes, small, looks, filters, self._index.passing(filters), missing)
            return self._finds(why, limit, offset, missing)

        return self._ask(ask)

    def similar(self, artifact_id: str, limit: int) -> Finds:
        """Artifacts like this one, by picture and by meaning. Raises ArtifactNotFound."""
        artifact = self.store.read(artifact_id)
        with open_own(self.store.file(artifact_id, PICTURE)) as picture:
            small = small_copy(picture)
        folder = self.store.folder / artifact_id
        missing: list[str] = []

        def ask() -> Finds:
            models = self._index.models
            text = read_vector(folder, "text", models.text) if models else None
            looks = read_vector(folder, "picture", models.picture) if models else None
            why = self._alike(artifact.looks, small, looks, Filters(), None, missing)
            near = self._index.by_vector("text", text, Filters(), DEPTH) if text is not None else {}
            why["meant"] = {one: f"asked alike ({share:.2f})" for one, share in near.items() if share >= LEAST_MEANING}
            for leg in why.values():
                leg.pop(artifact_id, None)
            return self._finds(why, limit, 0, missing)

        return self._ask(ask)

    def exemplars(self, request: str, series: str | None, limit: int) -> list[Exemplar]:
        """Proven snippets for requests like this one, the nearest first; nothing that a benchmark asks for.

        Empty where there is no index or no model: whoever asks can do without.
        """
        if not self._ready.is_set() or not request.strip():
            return []
        try:
            embedder = self._text()
            vector = embedder.embed([request])[0]
            if self._index.models is None or self._index.models.text != embedder.identity:
                return []
            near = self._index.by_vector("text", vector, Filters(blender=series), DEPTH)
            offered = self._index.columns_of(list(near), ["offered"])
        except (*TABLE_ERRORS, ModelUnusable) as error:
            log.warning("artifacts not offered as exemplars", problem=str(error))
            return []
        ranked = [one for one in near if near[one] >= LEAST_MEANING and offered[one]["offered"]]
        chosen: list[Exemplar] = []
        for one in ranked:
            with contextlib.suppress(ArtifactNotFound, OSError, UnicodeDecodeError):
                asked = {seen.request or seen.title for seen in self.store.sightings(one)}
                if any(self._withheld.covers(words, self._text()) for words in asked):
                    continue
                snippet = self.store.file(one, "snippet.py").read_text(encoding="utf-8")
                if not any(exemplars.nearly_same(snippet, other.snippet) for other in chosen):
                    title = self.store.read(one).title
                    chosen.append(Exemplar(one, title, round(near[one], 4), snippet))
            if len(chosen) == limit:
                break
        return chosen

    @property
    def indexed(self) -> bool:
        """Whether searches can be answered."""
        return self._ready.is_set()

    def _alike(
        self,
        hashes: Looks,
        small: Any,
        looks: Vectors | Future[Vectors] | None,
        filters: Filters,
        passing: set[str] | None,
        missing: list[str],
    ) -> dict[str, dict[str, str]]:
        """The legs of a search by picture: hashes, the nearest copy first, and CLIP."""
        found = self._index.by_hash(hashes.both, filters, HASH_DEPTH, passing)
        near = {one: copy for one, copy in found.items() if copy.bits <= ALIKE_BITS}
        copies = np.array([copy.small for copy in near.values()], dtype=np.int16).reshape(len(near), small.size)
        distance = dict(zip(near, np.abs(copies - small.ravel()).mean(axis=1).tolist(), strict=True))
        ranked = sorted(near, key=lambda one: (near[one].bits > SAME_BITS, distance[one]))
        seen = self._by_looks(looks, filters, passing, missing)
        return {
            "hash": {one: said_of_hash(near[one].bits, distance[one]) for one in ranked},
            "looks": {one: f"looks like it ({share:.2f})" for one, share in seen.items()},
        }

    def _clip_vector(self, content: Image.Image | str) -> Future[Vectors] | None:
        """The vector by CLIP, soon; None where the index has no vectors to compare it with."""
        return self.clip.submit(content) if self._index.length("picture") else None

    def _by_looks(
        self,
        vector: Vectors | Future[Vectors] | None,
        filters: Filters,
        passing: set[str] | None,
        missing: list[str],
    ) -> dict[str, float]:
        if vector is None:
            preparing = PREPARING if self.clip.preparing else None
            missing.append(preparing or self.clip.problem or "no picture has a CLIP vector yet")
            return {}
        try:
            wanted = vector.result() if isinstance(vector, Future) else vector
        except ClipUnusable as error:
            missing.append(str(error))
            return {}
        if self._index.length("picture") != len(wanted):
            missing.append(OTHER_VECTORS.format("CLIP"))
            return {}
        near = self._index.by_vector("picture", wanted, filters, DEPTH, passing)
        least = LEAST_LOOKS * max(near.values(), default=0.0)
        return {one: share for one, share in near.items() if share >= least > 0}

    def _by_meaning(
        self, query: str, filters: Filters, passing: set[str] | None, missing: list[str]
    ) -> dict[str, float]:
        try:
            embedder = self._text()
            vector = embedder.embed([query])[0]
        except ModelUnusable as error:
            missing.append(str(error))
            return {}
        if self._index.models is None or self._index.models.text != embedder.identity:
            missing.append(OTHER_VECTORS.format("text"))
            return {}
        near = self._index.by_vector("text", vector, filters, DEPTH, passing)
        return {one: share for one, share in near.items() if share >= LEAST_MEANING}

    def _finds(self, why: dict[str, dict[str, str]], limit: int, offset: int, missing: list[str]) -> Finds:
        scores = fuse({leg: list(found) for leg, found in why.items()}, WEIGHTS)
        if why.get("hash"):
            # A near-duplicate is what somebody with a picture looks for, whatever else is alike.
            first = [one for one, said in why["hash"].items() if not said.startswith(RESEMBLES)]
            scores = {one: scores[one] for one in [*first, *(one for one in scores if one not in first)]}
        shown = list(self._read(list(scores)[offset:], limit))
        hits = [
            Found(one, round(scores[one.id], 4), tuple(leg[one.id] for leg in why.values() if one.id in leg))
            for one in shown
        ]
        return Finds(hits, len(scores), list(dict.fromkeys(missing)))

    def _read(self, ids: Iterable[str], most: int) -> Iterator[Artifact]:
        """The first artifacts of these that are there and whole."""
        for one in ids:
            if most == 0:
                return
            with contextlib.suppress(ArtifactNotFound):
                yield self.store.read(one)
                most -= 1

    def _ask(self, ask: Callable[[], Answer]) -> Answer:
        """What the index answers; once more where its table was replaced meanwhile."""
        if not self._ready.wait(0 if self.index_problem else PATIENCE_S):
            problem = self.index_problem or f"{self.behind} artifacts are still to be read"
            raise GalleryNotReady(f"The index of the artifacts is being made again from their files: {problem}.")
        try:
            return ask()
        except TABLE_ERRORS as error:
            log.warning("index asked again", problem=str(error))
        try:
            return ask()
        except TABLE_ERRORS as error:
            self._ready.clear()
            # Its names may still be read where the rest is damaged, so it is made again whatever they say.
            self._write(lambda: self._rebuild(sorted(self.store.ids())))
            raise GalleryNotReady("The index of the artifacts was damaged; it is being made again.") from error

    def _text(self) -> Embedder:
        """The embedder of texts; raises ModelUnusable, at once where that is known."""
        if self.text_problem:
            raise ModelUnusable(self.text_problem)
        try:
            return self._open_embedder()
        except ModelUnusable as error:
            self.text_problem = str(error)
            raise

    # Keeping the index; all of it in the one thread that writes

    def _write(self, job: Callable[[], None]) -> None:
        def work() -> None:
            try:
                job()
                self.index_problem = None
            except Exception as error:
                # Nobody waits for it: /health says so, and the next start makes the index again.
                self.index_problem = f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
                log.exception("artifacts not indexed")

        with contextlib.suppress(RuntimeError):
            self._writer.submit(work)

    def _open(self) -> None:
        there = self.store.ids()
        try:
            self._index.open()
        except IndexLost as lost:
            if there:
                log.info("index of the artifacts is made again", reason=str(lost), artifacts=len(there))
            self._rebuild(sorted(there))
            return
        self._ready.set()
        known = self._index.ids()
        self._index.remove(known - there)
        if there and self._wanted() != self._index.models:
            self._rebuild(sorted(there))
        elif there - known:
            self.behind += len(there - known)
            self._put(sorted(there - known))
        self._index.hold()
        self._fill()

    def _rebuild(self, ids: Sequence[str]) -> None:
        """Make the index again from the files; vectors that are not beside them are added afterwards."""
        models = self._wanted() if ids else NO_MODELS
        self.behind = len(ids)

        def batches() -> Iterator[list[Row]]:
            for start in range(0, len(ids), CHUNK):
                yield self._rows(ids[start : start + CHUNK], models)
                self.behind = len(ids) - start

        self._index.make(models, batches())
        self.behind = 0
        self._ready.set()
        self._index.hold()
        self._fill()

    def _put(self, ids: Sequence[str]) -> None:
        if not self._ready.is_set():
            # An index that could not be opened before: this reads every artifact, these among them.
            self._open()
            return
        models = self._wanted()
        if models != self._index.models:
            self._rebuild(sorted(self.store.ids()))
            return
        for start in range(0, len(ids), CHUNK):
            if self._closing:
                return
            rows = self._rows(ids[start : start + CHUNK], models)
            rows = self._with_pictures(rows) if len(ids) < CHUNK else rows
            if rows:
                self._index.put(rows)
            self.behind = max(0, self.behind - CHUNK)
        self.behind = 0
        if len(ids) >= CHUNK:
            self._write(self._fill)

    def _fill(self) -> None:
        """Add picture vectors that are missing, a few at a time, so that what is published meanwhile waits little."""
        if self._closing or not self._index.length("picture"):
            return
        ids = self._index.without("picture", FILLED_AT_ONCE)
        rows = self._with_pictures(self._rows(ids, self._wanted()))
        done = [row for row in rows if row.picture is not None]
        if done:
            self._index.put(done)
            self._write(self._fill)

    def _wanted(self) -> Models:
        """The models whose vectors the index is to have."""
        text, text_length = "", 0
        with contextlib.suppress(ModelUnusable):
            embedder = self._text()
            text, text_length = embedder.identity, embedder.dimensions
        return Models(text, text_length, *self._wanted_of_clip())

    def _wanted_of_clip(self) -> tuple[str, int]:
        """Identity and length of the pictures' vectors; while CLIP is being prepared they stay what they are."""
        if not self.clip.configured or (self.clip.problem and not self.clip.identity):
            return "", 0
        try:
            if self.clip.begin(lambda: self._write(self._take_up_clip)):
                return self.clip.identity or "", self.clip.dimensions
        except ClipUnusable:
            if not self._closing:
                return "", 0
        there = self._index.models or NO_MODELS
        return there.picture, there.picture_length

    def _take_up_clip(self) -> None:
        """Have the index be made with CLIP, which was being prepared when it was wanted."""
        if self._closing or not self._ready.is_set():
            return
        if self._wanted() != self._index.models:
            self._rebuild(sorted(self.store.ids()))
        else:
            self._fill()

    def _rows(self, ids: Sequence[str], models: Models) -> list[Row]:
        """The rows of the artifacts that can be read, each with its text vector."""
        rows: list[Row] = []
        for one in ids:
            try:
                rows.append(self._row(one, models))
            except (ArtifactNotFound, OSError) as error:
                log.warning("artifact not indexed", artifact=one, problem=str(error))
        bare = [place for place, row in enumerate(rows) if row.text is None]
        if bare and models.text_length:
            vectors = self._text().embed([rows[place].title for place in bare])
            gone: set[int] = set()
            for place, vector in zip(bare, vectors, strict=True):
                rows[place] = dataclasses.replace(rows[place], text=vector)
                try:
                    write_vector(self.store.folder / rows[place].id, "text", models.text, vector)
                except FileNotFoundError:
                    # It was deleted meanwhile.
                    gone.add(place)
            rows = [row for place, row in enumerate(rows) if place not in gone]
        return rows

    def _row(self, artifact_id: str, models: Models) -> Row:
        artifact = self.store.read(artifact_id)
        folder = self.store.folder / artifact_id
        sightings = self.store.sightings(artifact_id)
        asked = dict.fromkeys([artifact.title, *(seen.request or seen.title for seen in sightings)])
        words = [*asked, *artifact.tags, *artifact.objects, *artifact.object_types, *words_in(artifact.symbols)]
        version = str(artifact.blender.get("version", ""))
        return Row(
            id=artifact.id,
            created_at=artifact.created_at,
            version=version,
            series=series_of(version),
            engine=engine_name(artifact.engine),
            kind=artifact.kind,
            words=" ".join(words),
            title=f"{artifact.title}. {', '.join(artifact.tags)}",
            symbols=artifact.symbols,
            object_types=artifact.object_types,
            tags=artifact.tags,
            hashes=artifact.looks.both,
            small=read_small(folder),
            picture_sha256=artifact.sha256.get(PICTURE, ""),
            offered=any(seen.origin != "import" for seen in sightings),
            text=read_vector(folder, "text", models.text),
            picture=read_vector(folder, "picture", models.picture),
        )

    def _with_pictures(self, rows: Sequence[Row]) -> list[Row]:
        """The rows with their vectors by CLIP, where there is a model; it takes those that wait as one batch."""
        if not self._index.length("picture"):
            return list(rows)
        waiting: dict[str, Future[Vectors]] = {}
        for row in rows:
            if row.picture is None:
                try:
                    waiting[row.id] = self.clip.submit(open_own(self.store.folder / row.id / PICTURE))
                except OSError as error:
                    log.warning("picture not embedded", artifact=row.id, problem=str(error))
        return [self._with_picture(row, waiting[row.id]) if row.id in waiting else row for row in rows]

    def _with_picture(self, row: Row, waiting: Future[Vectors]) -> Row:
        assert self._index.models is not None
        try:
            vector = waiting.result()
            write_vector(self.store.folder / row.id, "picture", self._index.models.picture, vector)
        except (ClipUnusable, OSError) as error:
            # An artifact that was deleted meanwhile has no folder for its vector any more.
            log.warning("picture not embedded", artifact=row.id, problem=str(error))
            return row
        return dataclasses.replace(row, picture=vector)


OTHER_VECTORS: Final = "the {} vectors are being made again, because the model is another"
NO_MODELS: Final = Models("", 0, "", 0)
FILLED_AT_ONCE: Final = 16
PATIENCE_S: Final = 20.0
"""How long a search waits for an index that is being made."""
RESEMBLES: Final = "resembles"


def said_of_hash(bits: int, distance: float) -> str:
    if bits <= SAME_BITS:
        return "the same picture" if bits == 0 and distance == 0 else f"nearly the same picture ({bits} of 128 bits)"
    return f"{RESEMBLES} it ({bits} of 128 bits)"


def read_small(folder: Path) -> bytes:
    """The small copy of the picture, which is made where it is not there. Raises OSError."""
    file = folder / EMBEDDINGS / "small.rgb"
    with contextlib.suppress(OSError):
        return file.read_bytes()
    with open_own(folder / PICTURE) as picture:
        small = small_copy(picture).tobytes()
    file.parent.mkdir(exist_ok=True)
    replace_file(file, small)
    return small


def read_vector(folder: Path, kind: str, identity: str) -> Vectors | None:
    """The vector of an artifact that this model made, or None."""
    if not identity:
        return None
    try:
        with np.load(folder / EMBEDDINGS / f"{kind}.npz", allow_pickle=False) as kept:
            if str(kept["identity"]) != identity:
                return None
            vector: Vectors = kept["vector"].astype(np.float32)
            return vector
    except (OSError, ValueError, KeyError, EOFError):
        return None


def write_vector(folder: Path, kind: str, identity: str, vector: Vectors) -> None:
    """Keep a vector beside its artifact. Raises OSError."""
    from io import BytesIO

    out = BytesIO()
    np.savez(out, identity=np.array(identity), vector=vector.astype(np.float32))
    (folder / EMBEDDINGS).mkdir(exist_ok=True)
    replace_file(folder / EMBEDDINGS / f"{kind}.npz", out.getvalue())
