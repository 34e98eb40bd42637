"""The indexes that this process has read, kept until they change on disk."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import Final

from codebase.index.snapshot import Snapshot, load
from codebase.index.store import open_index

MOST: Final = 8

_kept: Final[OrderedDict[Path, tuple[str, Snapshot]]] = OrderedDict()


def load_warm(folder: Path) -> Snapshot:
    """The index in a folder; read only if it was written since. Raises RepositoryIndexUnusable."""
    with open_index(folder) as store:
        generation = store.meta().get("generation", "")
    before, snapshot = _kept.pop(folder, ("", None))
    if snapshot is None or before != generation:
        # Later writes have another generation, so this one never stands for them.
        snapshot = load(folder)
    _kept[folder] = generation, snapshot
    while len(_kept) > MOST:
        _kept.popitem(last=False)
    return snapshot
