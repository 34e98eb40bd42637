"""Files on an object store that several services share: S3 or what speaks like it, or a folder that all can reach."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator, Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from app.errors import SettingsInvalid, StorageFailed

PATIENCE: Final = timedelta(seconds=30)
"""The time that a call waits for a store that is away."""
ANSWER_S: Final = 20
CONNECT_S: Final = 3
MOST_TRIES: Final = 100
HINT: Final = "The operator can look after BLENDPROOF_ARTIFACTS and its credentials; nothing was half published."


class Shelf:
    """Files by their names, such as `artifacts/a-0123456789abcdef/picture.png`. Calls may come from several threads.

    Each file is there in full or not at all. Raises StorageFailed.
    """

    def __init__(self, address: str) -> None:
        self.address: Final = address.rstrip("/")
        try:
            from obstore import store
        except ImportError:
            raise SettingsInvalid(
                "BLENDPROOF_ARTIFACTS: obstore is not installed.", "Install `blendproof[cluster]`."
            ) from None
        if self.address.startswith("file://"):
            with away():
                Path(self.address.removeprefix("file://")).mkdir(parents=True, exist_ok=True)
                self._store: Any = store.from_url(self.address)
            return
        pauses = {"init_backoff": timedelta(seconds=0.1), "max_backoff": timedelta(seconds=2), "base": 2}
        again: Any = {"max_retries": MOST_TRIES, "retry_timeout": PATIENCE, "backoff": pauses}
        # These options take precedence over the environment.
        plain = os.environ.get("AWS_ALLOW_HTTP", "").lower() in ("1", "true", "yes")
        options: Any = {"timeout": f"{ANSWER_S}s", "connect_timeout": f"{CONNECT_S}s", "allow_http": plain}
        with away():
            self._store = store.from_url(self.address, retry_config=again, client_options=options)

    @property
    def tables(self) -> str:
        """The address of LanceDB's index of the artifacts."""
        return f"{self.address.removeprefix('file://')}/gallery"

    def check(self) -> None:
        """Raise StorageFailed if nothing can be written."""
        self.put("blendproof", b"Blendproof keeps its artifacts here.\n")

    def put(self, name: str, content: bytes) -> None:
        """Write a file, in the place of an earlier one."""
        with away():
            self._store.put(name, content)

    def add(self, name: str, content: bytes) -> bool:
        """Write a file unless there is one; answers whether it was written."""
        from obstore.exceptions import AlreadyExistsError

        with away():
            try:
                self._store.put(name, content, mode="create")
            except (AlreadyExistsError, FileExistsError):
                # An earlier try may have written the file, and its answer come too late.
                return bytes(self._store.get(name).bytes()) == content
        return True

    def get(self, name: str) -> bytes | None:
        """The content of a file; None if there is none."""
        with away(), contextlib.suppress(FileNotFoundError):
            return bytes(self._store.get(name).bytes())
        return None

    def names(self, below: str) -> list[str]:
        """The names that begin with `below/`, without that prefix, in the order of writing."""
        with away():
            found = [file for batch in self._store.list(below) for file in batch]
        found.sort(key=lambda file: (file["last_modified"], file["path"]))
        return [file["path"].removeprefix(f"{below}/") for file in found]

    def delete(self, names: Iterable[str]) -> None:
        """Remove files; missing ones are ignored."""
        for name in names:
            with away(), contextlib.suppress(FileNotFoundError):
                self._store.delete(name)


@contextlib.contextmanager
def away() -> Generator[None, None, None]:
    """Turn errors of the object store into StorageFailed."""
    from obstore.exceptions import BaseError

    try:
        yield
    except (BaseError, OSError) as error:
        said = " ".join(str(error).split("Debug source:")[0].split())[:300]
        raise StorageFailed(f"The object store failed: {said}", HINT) from error
