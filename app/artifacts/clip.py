"""Turns pictures and words into vectors of one space, by CLIP through open_clip.

Nothing is loaded before the first call. One thread works, and takes everything that waits as one batch, so that many
callers cost little more than one; none of them blocks the event loop. The model is loaded in that thread too: PyTorch
keeps a team of threads for each thread that computes, and with two teams on as many cores each picture takes half as
long again.
"""

from __future__ import annotations

import contextlib
import hashlib
import queue
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import structlog
from PIL import Image

from ingest.embed import Vectors

log = structlog.get_logger()

BATCH: Final = 16
"""Pictures or texts at a time; more of them are not faster on a CPU."""


class ClipUnusable(Exception):
    """There are no weights, or they cannot be used; the message says why and what to do."""


@dataclass(frozen=True)
class Task:
    """One thing to embed, and where its vector is waited for."""

    content: Image.Image | str
    done: Future[Vectors]


@dataclass(frozen=True)
class Loaded:
    """The model in memory."""

    model: Any
    prepare: Any
    tokenize: Any
    type: Any
    """The type of number that it computes with."""


class Clip:
    """The model named by the settings, or none. `problem` says why it cannot be used, once that is known."""

    def __init__(self, model: str, weights: str | None) -> None:
        self.model: Final = model
        self.weights: Final = weights
        self.problem: str | None = None if weights else NO_WEIGHTS
        self.identity: str | None = None
        """Names the model and its very weights: vectors of one fit no other. None until it is loaded."""
        self.dimensions = 0
        self._waiting: queue.SimpleQueue[Task] = queue.SimpleQueue()
        self._pool: Final = ThreadPoolExecutor(1, "clip")
        self._loaded: Loaded | None = None

    @property
    def configured(self) -> bool:
        """Whether there are weights to load."""
        return self.weights is not None

    def load(self) -> None:
        """Load the model where it is not loaded, which takes seconds. Raises ClipUnusable."""
        self._pool.submit(self._model).result()

    def submit(self, content: Image.Image | str) -> Future[Vectors]:
        """The vector of a picture or of words, of length 1, soon. Its result raises ClipUnusable."""
        task = Task(content, Future())
        self._waiting.put(task)
        self._pool.submit(self._work)
        return task.done

    def embed(self, contents: Sequence[Image.Image | str]) -> Vectors:
        """One unit vector for each, in order, all pictures or all words. Raises ClipUnusable."""
        return self._pool.submit(self._embed, contents).result()

    def close(self) -> None:
        """End the thread when it has done what waits."""
        self._pool.shutdown()

    # In the one thread

    def _work(self) -> None:
        """Answer what waits as one batch; the calls for the others of it then find nothing."""
        tasks: list[Task] = []
        with contextlib.suppress(queue.Empty):
            while len(tasks) < BATCH:
                tasks.append(self._waiting.get_nowait())
        self._answer([task for task in tasks if isinstance(task.content, str)])
        self._answer([task for task in tasks if not isinstance(task.content, str)])

    def _answer(self, tasks: list[Task]) -> None:
        wanted = [task for task in tasks if task.done.set_running_or_notify_cancel()]
        if not wanted:
            return
        try:
            vectors = self._embed([task.content for task in wanted])
        except Exception as error:
            for task in wanted:
                task.done.set_exception(error)
            return
        for task, vector in zip(wanted, vectors, strict=True):
            task.done.set_result(vector)

    def _embed(self, contents: Sequence[Image.Image | str]) -> Vectors:
        loaded = self._model()
        import torch

        try:
            with torch.inference_mode():
                if isinstance(contents[0], str):
                    vectors = encode_words(loaded.model, loaded.tokenize(list(contents)))
                else:
                    pictures = torch.stack([loaded.prepare(one) for one in contents])
                    vectors = loaded.model.encode_image(pictures.to(loaded.type))
                vectors = torch.nn.functional.normalize(vectors.float(), dim=-1)
        except (RuntimeError, ValueError, TypeError) as error:
            raise ClipUnusable(f"The CLIP model {self.model} failed: {error}") from error
        return np.asarray(vectors.numpy(), dtype=np.float32)

    def _model(self) -> Loaded:
        if self._loaded is None:
            try:
                self._loaded = self._load()
            except ClipUnusable as error:
                self.problem = str(error)
                raise
            self.problem = None
        return self._loaded

    def _load(self) -> Loaded:
        if self.weights is None:
            raise ClipUnusable(NO_WEIGHTS)
        from ingest import torchvision_schemas

        torchvision_schemas.declare()
        import open_clip
        import torch

        # Half the time on processors that have it, and the same neighbours; elsewhere it would be slower.
        processor = torch.cpu.get_capabilities()
        half = bool(processor.get("avx512_bf16") or processor.get("amx_bf16"))
        log.info("loading CLIP", model=self.model, weights=self.weights)
        if looks_like_path(self.weights) and not Path(self.weights).is_file():
            raise ClipUnusable(f"There is no file {self.weights}. {CHECK}")
        # A repository of the hub says itself which model its weights are for.
        hub = self.weights.startswith(HUB)
        name = self.weights if hub else self.model
        try:
            model, _, prepare = open_clip.create_model_and_transforms(
                name, pretrained=None if hub else self.weights, device="cpu", precision="bf16" if half else "fp32"
            )
            tokenize = open_clip.get_tokenizer(name)
        except Exception as error:
            # The library, PyTorch and the hub raise a dozen kinds, and each means the same to the operator.
            said = " ".join(str(error).split())[:300] or type(error).__name__
            raise ClipUnusable(
                f"CLIP {name} with the weights {self.weights} cannot be loaded: {said.rstrip('.')}. {CHECK}"
            ) from error
        with torch.inference_mode():
            self.dimensions = model.eval().encode_text(tokenize(["a cube"])).shape[-1]
        self.identity = f"{self.model}@{weights_name(self.weights)}"
        return Loaded(model, prepare, tokenize, torch.bfloat16 if half else torch.float32)


def encode_words(model: Any, tokens: Any) -> Any:
    """The direction of what `model.encode_text(tokens)` answers, without computing what stands behind the longest text.

    In CLIP's own text model no word sees what stands after it, and the answer is read where the text ends: there the
    token of the highest number stands. Other models get the tokens as they are.
    """
    import open_clip
    import torch

    if type(model) is not open_clip.CLIP or model.text_pool_type != "argmax" or model.attn_mask is None:
        return model.encode_text(tokens)
    used = int(tokens.argmax(dim=-1).max()) + 1
    shorter = {
        "positional_embedding": model.positional_embedding[:used],
        "attn_mask": model.attn_mask[:used, :used],
    }
    return torch.func.functional_call(model, shorter, kwargs={"text": tokens[:, :used]}, args=())[1]


HUB: Final = "hf-hub:"
CHECK: Final = "Check BLENDPROOF_CLIP_MODEL and BLENDPROOF_CLIP_WEIGHTS."
NO_WEIGHTS: Final = (
    "Without CLIP weights (BLENDPROOF_CLIP_WEIGHTS) pictures are found by their hashes alone, and words by text alone"
)


def looks_like_path(weights: str) -> bool:
    """Whether the weights are a file, which may be missing, and not a name that the hub knows."""
    if weights.startswith(HUB):
        return False
    return "/" in weights or Path(weights).suffix in (".pt", ".pth", ".bin", ".safetensors")


def weights_name(weights: str) -> str:
    """The hash of a file of weights, or the name that the hub knows them by."""
    if not Path(weights).is_file():
        return weights
    with Path(weights).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12]
