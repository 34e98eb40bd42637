"""The indexes that this process has read, kept as long as they are what the files hold."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import Final

from codebase.index.snapshot import Snapshot, load
from codebase.index.store import opened

MOST: Final = 8

_kept: Final[OrderedDict[Path, tuple[str, Snapshot]]] = OrderedDict()


def loaded(folder: Path) -> Snapshot:
    """The index in a folder; read only if it was written since. Raises IndexUnusable."""
    with opened(folder) as store:
        generation = store.meta().get("generation", "")
    before, snapshot = _kept.pop(folder, ("", None))
    if snapshot is None or before != generation:
        # Whatever is written from here on has another generation, so this one is never taken for it.
        snapshot = load(folder)
    _kept[folder] = generation, snapshot
    while len(_kept) > MOST:
        _kept.popitem(last=False)
    return snapshot
