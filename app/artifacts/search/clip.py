"""Turns pictures and words into vectors of one space, by CLIP.

On their first use weights are exported, in a separate process that takes half a minute (see `clip_export.py`); from
then on the model loads in a second, and computes without PyTorch (see `towers.py`). Nothing is loaded before the first
call. One thread does the work, so that callers queue for the cores and none of them blocks the event loop.
"""

from __future__ import annotations

import contextlib
import hashlib
import queue
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import structlog
from PIL import Image

from app.artifacts.search.towers import HUB, ClipUnusable, Towers, read_facts, sha256_of
from search.embed import exported_folder
from search.encoder import Vectors
from search.exporting import ModelUnusable, appearing, run_export

log = structlog.get_logger()

EXPORT_TIMEOUT_S: Final = 3600
"""Weights may have to be fetched first."""

Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Task:
    """One thing to embed, with the future of its vector."""

    content: Image.Image | str
    done: Future[Vectors]


class Clip:
    """The model named by the settings, if any.

    `problem` says why it cannot be used, once that is known; there is no second try, because a try takes long.
    """

    def __init__(self, model: str, weights: str | None, home: Path) -> None:
        self.model: Final = model
        self.weights: Final = weights
        self.problem: str | None = None if weights else NO_WEIGHTS
        self.preparing = False
        """True while the one export of the model is running."""
        self.identity: str | None = None
        """The model and its exact weights: vectors of others cannot be compared. None until it is loaded."""
        self.dimensions = 0
        self._home: Final = home
        self._waiting: queue.SimpleQueue[Task] = queue.SimpleQueue()
        self._pool: Final = ThreadPoolExecutor(1, "clip")
        self._towers: Towers | None = None
        self._takes_long: Future[None] = Future()
        self._lock: Final = threading.Lock()
        self._stopped: Final = threading.Event()

    @property
    def configured(self) -> bool:
        """True if there are weights to load."""
        return self.weights is not None

    def load(self) -> None:
        """Load the model if it is not loaded, and prepare it if it never was. Raises ClipUnusable."""
        self._soon(self._model).result()

    def begin(self, then: Callable[[], None]) -> bool:
        """Start to load the model. True once it is loaded, which takes a second. Raises ClipUnusable.

        False if it must be prepared first: then the caller need not wait, and `then` is called at the end of that.
        """
        loading = self._soon(self._model)
        if self._towers is None:
            either: tuple[Future[Any], Future[Any]] = (loading, self._takes_long)
            wait(either, return_when=FIRST_COMPLETED)
        if self.preparing:
            loading.add_done_callback(lambda _: then())
            return False
        loading.result()
        return True

    def submit(self, content: Image.Image | str) -> Future[Vectors]:
        """The future unit vector of a picture or of words. Its result raises ClipUnusable."""
        task = Task(content, Future())
        with self._lock:
            if self.preparing:
                task.done.set_exception(ClipUnusable(PREPARING))
                return task.done
            self._waiting.put(task)
        try:
            self._soon(self._work)
        except ClipUnusable as error:
            task.done.set_exception(error)
        return task.done

    def embed(self, contents: Sequence[Image.Image | str]) -> Vectors:
        """One unit vector per item, in order. Raises ClipUnusable."""
        return self._soon(lambda: np.stack([self._vector(content) for content in contents])).result()

    def close(self) -> None:
        """End the thread. Waiting tasks fail, and a running preparation is stopped."""
        self._stopped.set()
        self._pool.shutdown()

    def _soon(self, work: Callable[[], Answer]) -> Future[Answer]:
        try:
            return self._pool.submit(work)
        except RuntimeError as error:
            raise ClipUnusable(STOPPED) from error

    # In the one thread

    def _work(self) -> None:
        """Do one waiting task, if any is left: a preparation, which takes long, fails all that wait."""
        with contextlib.suppress(ClipUnusable):
            self._model()
        with contextlib.suppress(queue.Empty):
            task = self._waiting.get_nowait()
            if task.done.set_running_or_notify_cancel():
                try:
                    task.done.set_result(self._vector(task.content))
                except Exception as error:
                    task.done.set_exception(error)

    def _vector(self, content: Image.Image | str) -> Vectors:
        towers = self._model()
        try:
            return towers.vector(content)
        except Exception as error:
            # The runtime's errors have no other base class.
            raise ClipUnusable(f"The CLIP model {self.model} failed: {error}") from error

    def _model(self) -> Towers:
        if self._stopped.is_set():
            raise ClipUnusable(STOPPED)
        if self._towers is None:
            if self.problem:
                raise ClipUnusable(self.problem)
            try:
                self._towers = self._load()
            except ClipUnusable as error:
                self.problem = str(error)
                raise
        return self._towers

    def _load(self) -> Towers:
        if self.weights is None:
            raise ClipUnusable(NO_WEIGHTS)
        if looks_like_path(self.weights) and not Path(self.weights).exists():
            raise ClipUnusable(f"There is no file {self.weights}. Check BLENDPROOF_CLIP_WEIGHTS.")
        identity = f"{self.model}@{weights_name(self.weights)}"
        folder = exported_folder(self._home, f"clip {identity}")
        facts = read_facts(folder, identity)
        if facts is None:
            self._prepare(self.weights, identity, folder)
            facts = read_facts(folder, identity)
        if facts is None:
            raise ClipUnusable(f"The CLIP model {self.model} was not written to {folder}.")
        try:
            towers = Towers(folder, facts)
        except Exception as error:
            raise ClipUnusable(f"The CLIP model in {folder} cannot be loaded: {error}. Remove the folder.") from error
        log.info("CLIP loaded", model=identity, precision=facts.precision, nearness=facts.nearness)
        self.identity, self.dimensions = identity, facts.dimensions
        return towers

    def _prepare(self, weights: str, identity: str, folder: Path) -> None:
        """Export the model into a folder, which appears complete or not at all. Tasks that wait fail at once."""
        with self._lock:
            self.preparing = True
            with contextlib.suppress(queue.Empty):
                while True:
                    self._waiting.get_nowait().done.set_exception(ClipUnusable(PREPARING))
        self._takes_long.set_result(None)
        log.info("preparing CLIP", model=self.model, weights=weights)
        try:
            with appearing(folder) as work:
                self._run_export([self.model, weights, identity, str(work)])
        except OSError as error:
            raise ClipUnusable(f"The CLIP model {self.model} cannot be prepared: {error}") from error
        finally:
            self.preparing = False
            self._takes_long = Future()

    def _run_export(self, arguments: list[str]) -> None:
        failed = f"The CLIP model {self.model} cannot be prepared"
        try:
            run_export(
                "app.artifacts.search.clip_export",
                arguments,
                failed=failed,
                timeout_s=EXPORT_TIMEOUT_S,
                stopped=self._stopped,
            )
        except ModelUnusable as error:
            raise ClipUnusable(STOPPED if self._stopped.is_set() else str(error)) from error


NO_WEIGHTS: Final = (
    "Without CLIP weights (BLENDPROOF_CLIP_WEIGHTS), pictures are found only by their hashes, and words only in texts"
)
PREPARING: Final = "CLIP is being prepared for its first use; until then searches go on without it"
STOPPED: Final = "The service stops."


def looks_like_path(weights: str) -> bool:
    """True if the weights are a file or a folder, even a missing one, and not a name on the hub."""
    if weights.startswith(HUB):
        return False
    return "/" in weights or Path(weights).suffix in (".pt", ".pth", ".bin", ".safetensors")


def weights_name(weights: str) -> str:
    """The hash of a file of weights or of a folder with some, or their name on the hub."""
    path = Path(weights)
    if path.is_file():
        return sha256_of(path)[:12]
    if not path.is_dir():
        return weights
    files = sorted(file for file in path.iterdir() if file.is_file())
    named = "".join(f"{file.name} {sha256_of(file)}\n" for file in files)
    return hashlib.sha256(named.encode()).hexdigest()[:12]
