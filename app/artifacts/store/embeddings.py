"""The folder `embeddings/` of an artifact: its vectors, with the model that made each, and a small copy of its picture.

All can be made again. They lie with the artifact so that its index is made again in seconds and without a model.
"""

from __future__ import annotations

import contextlib
import io
from pathlib import Path
from typing import Final, Literal

import numpy as np

from app.artifacts.pictures import open_own, small_copy
from app.artifacts.store.record import PICTURE
from app.artifacts.store.store import EMBEDDINGS, replace_file
from search.encoder import Vectors

VectorKind = Literal["text", "picture"]
SMALL: Final = "small.rgb"


def read_small(folder: Path) -> bytes:
    """The picture at 16 x 16 (red, green, blue); made if it is not there. Raises OSError."""
    file = folder / EMBEDDINGS / SMALL
    with contextlib.suppress(OSError):
        return file.read_bytes()
    with open_own(folder / PICTURE) as picture:
        small = small_copy(picture).tobytes()
    file.parent.mkdir(exist_ok=True)
    replace_file(file, small)
    return small


def read_vector(folder: Path, kind: VectorKind, identity: str) -> Vectors | None:
    """The vector that this model made, or None."""
    if not identity:
        return None
    try:
        with np.load(folder / EMBEDDINGS / f"{kind}.npz", allow_pickle=False) as file:
            if str(file["identity"]) != identity:
                return None
            vector: Vectors = file["vector"].astype(np.float32)
            return vector
    except (OSError, ValueError, KeyError, EOFError):
        return None


def write_vector(folder: Path, kind: VectorKind, identity: str, vector: Vectors) -> None:
    """Keep a vector with its artifact. Raises OSError."""
    out = io.BytesIO()
    np.savez(out, identity=np.array(identity), vector=vector.astype(np.float32))
    (folder / EMBEDDINGS).mkdir(exist_ok=True)
    replace_file(folder / EMBEDDINGS / f"{kind}.npz", out.getvalue())
