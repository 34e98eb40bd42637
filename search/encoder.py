"""A model of texts in memory, as ONNX."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Vectors = npt.NDArray[np.float32]
"""Texts or pictures by dimensions."""


class OnnxEncoder:
    """The exported model in memory."""

    def __init__(self, model: Path, tokenizer: Path, max_tokens: int) -> None:
        # Imported here, because a service without searches need not wait for it.
        from tokenizers import Tokenizer

        self._session: Any = open_session(model)
        self._tokenizer: Any = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.enable_truncation(max_tokens)
        self._tokenizer.enable_padding()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One unit vector per text, in one batch."""
        # A file name may contain a lone surrogate, which the tokenizer refuses.
        clean = [text.encode("utf-8", "replace").decode() for text in texts]
        encodings = self._tokenizer.encode_batch(clean)
        tokens = np.array([encoding.ids for encoding in encodings], dtype=np.int64)
        mask = np.array([encoding.attention_mask for encoding in encodings], dtype=np.int64)
        vectors: Vectors = self._session.run(None, {"input_ids": tokens, "attention_mask": mask})[0]
        return vectors


def open_session(model: Path) -> Any:
    """An ONNX file in memory, computed on every core."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    # A thread that spins while it waits takes a core from a running Blender.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
