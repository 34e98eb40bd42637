"""The meaning of units: a vector of a short text of each, kept by the digest of that text.

The short text is signature, docstring and ancestors of the unit; bodies are never embedded. Tests, documents and
files from elsewhere are left out: words find them as well, and they would take half of the time.

index ─> contents without meaning ─> short texts ─> those whose digest is new ─> vectors, some hundred per transaction
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from codebase.index.matrices import Numbers, Vector
from codebase.index.roles import role_of
from codebase.index.store import DIGEST_BYTES, MEANT, Store, UnembeddedFile
from codebase.units.unit import CODE, Unit
from search.embed import Embedder, open_embedder
from search.encoder import Vectors
from search.exporting import ModelUnusable

KINDS: Final = (*CODE, "module")
DOCSTRING_CHARACTERS: Final = 200
"""The first sentences say what a unit is for; the rest takes longer to embed than it is worth."""
QUESTION_CHARACTERS: Final = 2000
GROUP: Final = 256
"""Texts per transaction: the most that a kill can cost."""
BLOCK: Final = 2048
"""Vectors that are compared at once, so that they stay in the processor's cache."""
META: Final = "model"


@dataclasses.dataclass(frozen=True)
class EmbeddingModel:
    """An embedding model by name or path, and the folder where exported models are kept."""

    name: str
    home: str

    def open(self) -> Embedder:
        """The model in memory. Raises ModelUnusable."""
        return opened_model(self.name, self.home)


@functools.lru_cache(maxsize=2)
def opened_model(name: str, home: str) -> Embedder:
    return open_embedder(Path(home), name)


def model_of(store: Store) -> EmbeddingModel | None:
    """The model whose vectors an index keeps."""
    kept = store.meta().get(META)
    return EmbeddingModel(**json.loads(kept)) if kept else None


def choose_model(store: Store, model: EmbeddingModel | None) -> None:
    """Keep vectors of this model from now on, or no vectors if it is None."""
    with store.transaction():
        if model != model_of(store):
            store.forget_meaning()
            store.renew()
            store.set_meta(**{META: json.dumps(dataclasses.asdict(model)) if model else ""})


def short_text(unit: Unit) -> str:
    """The text that is embedded for a unit."""
    docstring = unit.docstring[:DOCSTRING_CHARACTERS]
    return " ".join(f"{unit.ancestors} {unit.signature or unit.name} {docstring}".split())


def digest_of(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=DIGEST_BYTES).digest()


def embed_missing(store: Store, model: EmbeddingModel, most: int | None, say: Callable[[str], None]) -> int:
    """Embed units without a vector, at most about `most`; returns their number. Raises ModelUnusable."""
    waiting = sources_waiting(store)
    if not waiting and most is not None:
        return 0
    embedder = model.open()
    if store.meta().get("identity") != embedder.identity:
        with store.transaction():
            store.forget_meaning()
            store.renew()
            store.set_meta(identity=embedder.identity)
        waiting = sources_waiting(store)
    done = 0
    for group in groups(store, waiting):
        if most is not None and done >= most:
            break
        done += embed_group(store, embedder, group)
        say(f"{done} units embedded")
    return done


def sources_waiting(store: Store) -> list[UnembeddedFile]:
    return [file for file in store.waiting() if role_of(file.path, file.language, file.is_marked) == "source"]


Group = dict[str, list[tuple[int, str]]]
"""By content, the numbers of its units and their short texts."""


def groups(store: Store, waiting: Sequence[UnembeddedFile]) -> Iterator[Group]:
    """The contents in groups of about as many texts as are embedded in one transaction."""
    group: Group = {}
    count = 0
    for key in dict.fromkeys(file.key for file in waiting):
        units = store.units(key)
        group[key] = [(place, short_text(unit)) for place, unit in enumerate(units) if is_embedded(unit)]
        count += len(group[key])
        if count >= GROUP:
            yield group
            group, count = {}, 0
    if group:
        yield group


def is_embedded(unit: Unit) -> bool:
    return unit.kind in KINDS and bool(unit.signature or unit.docstring)


def embed_group(store: Store, embedder: Embedder, group: Group) -> int:
    """Embed the new texts of a group and write them down; returns their number."""
    texts = {digest_of(text): text for rows in group.values() for _, text in rows}
    missing = [digest for digest in texts if not store.has_vector(digest)]
    vectors = embedder.embed([texts[digest] for digest in missing])
    with store.transaction():
        store.put_vectors(zip(missing, pack_vectors(vectors), strict=True))
        for key, rows in group.items():
            places = np.array([(place, digest_of(text)) for place, text in rows], dtype=MEANT)
            store.put_meaning(key, places.tobytes())
        store.renew()
    return len(missing)


def pack_vectors(vectors: Vectors) -> Iterator[bytes]:
    """Each vector as its scale and one byte per dimension."""
    for vector in vectors:
        scale = np.float32(max(float(np.abs(vector).max()), 1e-9) / 127)
        yield scale.tobytes() + np.asarray(np.round(vector / scale), dtype=np.int8).tobytes()


@dataclasses.dataclass(frozen=True)
class UnitVectors:
    """The vectors of an index: row by row the number of a unit, a scale, and one byte per dimension."""

    model: EmbeddingModel
    identity: str
    units: Numbers
    scales: Vector
    values: npt.NDArray[np.int8]

    def nearness(self, question: str, units: int) -> Vector:
        """Cosine between a question and each unit, -1 to 1; 0 without a vector. Raises ModelUnusable."""
        near = np.zeros(units, dtype=np.float32)
        embedder = self.model.open()
        if embedder.identity != self.identity:
            raise ModelUnusable(f"The vectors are of another file of {self.model.name}. Run `blendproof repo index`.")
        if len(self.units):
            vector: Vector = embedder.embed([question[:QUESTION_CHARACTERS]])[0]
            for start in range(0, len(self.units), BLOCK):
                rows = slice(start, start + BLOCK)
                near[self.units[rows]] = (self.values[rows].astype(np.float32) @ vector) * self.scales[rows]
        return near


def read_meaning(store: Store, paths: Sequence[str], first_units: Sequence[int]) -> UnitVectors | None:
    """The vectors of an index, whose files begin at these units; None if it keeps none."""
    model = model_of(store)
    if model is None:
        return None
    starts = dict(zip(paths, first_units, strict=True))
    vectors = store.vectors()
    units: list[int] = []
    rows: list[bytes] = []
    for path, digests in store.unit_digests():
        for place, digest in np.frombuffer(digests, dtype=MEANT).tolist():
            if path in starts and digest in vectors:
                units.append(starts[path] + place)
                rows.append(vectors[digest])
    width = len(rows[0]) if rows else 5
    kind = np.dtype([("scale", "<f4"), ("value", "i1", (width - 4,))])
    table = np.frombuffer(b"".join(rows), dtype=kind)
    identity = store.meta().get("identity", "")
    return UnitVectors(model, identity, np.array(units, dtype=np.int32), table["scale"].copy(), table["value"].copy())
