"""The rows of the index, read from the files of the artifacts; vectors that are missing are made and kept with them."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Final

import structlog

from app.artifacts.pictures import open_own
from app.artifacts.search.clip import Clip
from app.artifacts.search.index import IndexRow, VectorModels, engine_name, words_in
from app.artifacts.search.text import TextModel, words_to_embed
from app.artifacts.search.towers import ClipUnusable
from app.artifacts.store.artifact import is_imported
from app.artifacts.store.embeddings import read_small, read_vector, write_vector
from app.artifacts.store.record import PICTURE
from app.artifacts.store.store import ArtifactStore
from app.errors import ArtifactNotFound
from harness.versions import series_of
from search.encoder import Vectors

log = structlog.get_logger()

NO_MODELS: Final = VectorModels("", 0, "", 0)


@dataclass(frozen=True)
class RowReader:
    """Reads rows. An artifact that cannot be read is left out and logged."""

    store: ArtifactStore
    text: TextModel
    clip: Clip

    def rows(self, ids: Sequence[str], models: VectorModels) -> list[IndexRow]:
        """The rows of the artifacts that can be read, each with its text vector. Raises ModelUnusable."""
        rows: list[IndexRow] = []
        for artifact_id in ids:
            try:
                rows.append(self._row(artifact_id, models))
            except (ArtifactNotFound, OSError) as error:
                log.warning("artifact not indexed", artifact=artifact_id, problem=str(error))
        return self._with_texts(rows, models) if models.text_length else rows

    def with_pictures(self, rows: Sequence[IndexRow], models: VectorModels) -> list[IndexRow]:
        """The rows with their vectors by CLIP, if there is a model; the missing ones are computed as one batch."""
        if not models.picture_length:
            return list(rows)
        waiting: dict[str, Future[Vectors]] = {}
        for row in rows:
            if row.picture is None:
                try:
                    picture = open_own(io.BytesIO(self.store.content(row.id, PICTURE)))
                    waiting[row.id] = self.clip.submit(picture)
                except (ArtifactNotFound, OSError) as error:
                    log.warning("picture not embedded", artifact=row.id, problem=str(error))
        return [self._with_picture(row, waiting[row.id], models) if row.id in waiting else row for row in rows]

    def _row(self, artifact_id: str, models: VectorModels) -> IndexRow:
        artifact = self.store.read(artifact_id)
        folder = self.store.folder / artifact_id
        sightings = self.store.sightings(artifact_id)
        asked = dict.fromkeys([artifact.title, *(seen.request or seen.title for seen in sightings)])
        words = [*asked, *artifact.tags, *artifact.objects, *artifact.object_types, *words_in(artifact.symbols)]
        version, title = str(artifact.blender.get("version", "")), words_to_embed(artifact)
        picture_sha256 = artifact.sha256.get(PICTURE, "")
        return IndexRow(
            id=artifact.id,
            created_at=artifact.created_at,
            version=version,
            series=series_of(version),
            engine=engine_name(artifact.engine),
            kind=artifact.kind,
            words=" ".join(words),
            title=title,
            symbols=artifact.symbols,
            object_types=artifact.object_types,
            tags=artifact.tags,
            hashes=artifact.looks.both,
            small=read_small(folder, picture_sha256),
            picture_sha256=picture_sha256,
            offered=not is_imported(artifact_id),
            text=read_vector(folder, "text", models.text, title),
            picture=read_vector(folder, "picture", models.picture, picture_sha256),
        )

    def _with_texts(self, rows: list[IndexRow], models: VectorModels) -> list[IndexRow]:
        bare = [place for place, row in enumerate(rows) if row.text is None]
        if not bare:
            return rows
        vectors = self.text.embedder().embed([rows[place].title for place in bare])
        gone: set[int] = set()
        for place, vector in zip(bare, vectors, strict=True):
            rows[place] = dataclasses.replace(rows[place], text=vector)
            try:
                write_vector(self.store.folder / rows[place].id, "text", models.text, rows[place].title, vector)
            except FileNotFoundError:
                # The artifact was deleted meanwhile.
                gone.add(place)
        return [row for place, row in enumerate(rows) if place not in gone]

    def _with_picture(self, row: IndexRow, waiting: Future[Vectors], models: VectorModels) -> IndexRow:
        try:
            vector = waiting.result()
            write_vector(self.store.folder / row.id, "picture", models.picture, row.picture_sha256, vector)
        except (ClipUnusable, OSError) as error:
            # An artifact that was deleted meanwhile has no folder for its vector any more.
            log.warning("picture not embedded", artifact=row.id, problem=str(error))
            return row
        return dataclasses.replace(row, picture=vector)
