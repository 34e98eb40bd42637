"""The folder `embeddings/` of an artifact: its vectors, with the model that made each, and a small copy of its picture.

All can be made again. They lie with the artifact so that its index is made again in seconds and without a model. Each
ends with a hash of itself and of its source; a file that does not agree counts as missing.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import numpy as np

from app.artifacts.pictures import open_own, small_copy
from app.artifacts.store.record import PICTURE
from app.artifacts.store.record_files import EMBEDDINGS, intact, replace_file
from search.encoder import Vectors

VectorKind = Literal["text", "picture"]
SMALL: Final = "small.rgb"
DIGEST: Final = 32


def read_small(folder: Path, source: str) -> bytes:
    """The picture with this SHA-256 at 16 x 16 (red, green, blue); made if it is not there.

    Raises ArtifactDamaged, OSError.
    """
    file = folder / EMBEDDINGS / SMALL
    kept = with_hash_checked(file, source)
    if kept is not None:
        return kept
    with open_own(io.BytesIO(intact(folder, PICTURE, source))) as picture:
        small = small_copy(picture).tobytes()
    file.parent.mkdir(exist_ok=True)
    replace_file(file, with_hash(small, source))
    return small


def read_vector(folder: Path, kind: VectorKind, identity: str, source: str) -> Vectors | None:
    """The vector that this model made of `source`, the words or the hash of the picture; or None."""
    kept = with_hash_checked(folder / EMBEDDINGS / f"{kind}.npz", source) if identity else None
    if kept is None:
        return None
    try:
        with np.load(io.BytesIO(kept), allow_pickle=False) as file:
            if str(file["identity"]) != identity:
                return None
            vector: Vectors = file["vector"].astype(np.float32)
            return vector
    except (OSError, ValueError, KeyError, EOFError):
        return None


def write_vector(folder: Path, kind: VectorKind, identity: str, source: str, vector: Vectors) -> None:
    """Keep a vector with its artifact. Raises OSError."""
    out = io.BytesIO()
    np.savez(out, identity=np.array(identity), vector=vector.astype(np.float32))
    (folder / EMBEDDINGS).mkdir(exist_ok=True)
    replace_file(folder / EMBEDDINGS / f"{kind}.npz", with_hash(out.getvalue(), source))


def damaged_vectors(folder: Path) -> Iterator[Path]:
    """The files that were changed after they were written."""
    for file in sorted((folder / EMBEDDINGS).glob("*")):
        content = file.read_bytes()
        source = content[-DIGEST:]
        if len(content) < 2 * DIGEST or digest(content[: -2 * DIGEST], source) != content[-2 * DIGEST : -DIGEST]:
            yield file


def with_hash(content: bytes, source: str) -> bytes:
    of = hashlib.sha256(source.encode("utf-8", "surrogatepass")).digest()
    return content + digest(content, of) + of


def with_hash_checked(file: Path, source: str) -> bytes | None:
    """The content, if it is unchanged and was made from `source`."""
    with contextlib.suppress(OSError):
        content = file.read_bytes()
        bare = content[: -2 * DIGEST]
        return bare if with_hash(bare, source) == content else None
    return None


def digest(content: bytes, of: bytes) -> bytes:
    return hashlib.sha256(content + of).digest()
