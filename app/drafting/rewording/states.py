"""The words of a request as the packaged embedding model sees them: its states, from three of its layers.

<home>/models/rewording/states.onnx tokenizer.json states.json

The files are made once, in a process of its own (`python -m app.drafting.rewording.states FOLDER`), in ten seconds.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from app.drafting.composer.tokens import Token
from ingest import torchvision_schemas
from ingest.embed import open_session
from ingest.export import PACKAGED, PACKAGED_SHA256, model_folder
from ingest.exporting import appearing, exit_of, run_export, write_int8, write_onnx

LAYERS: Final = (0, 3, 6)
"""The words themselves, what stands around them, and what it comes to."""
WIDTH: Final = 384 * len(LAYERS)
MOST_PIECES: Final = 256
STATES_FILE: Final = "states.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"
FACTS_FILE: Final = "states.json"
TIMEOUT_S: Final = 600

Array = npt.NDArray[np.float32]


class States:
    """The exported layers in memory."""

    def __init__(self, folder: Path) -> None:
        # Loaded here, because a service that refuses nothing need not wait for it.
        from tokenizers import Tokenizer

        self._session: Any = open_session(folder / STATES_FILE)
        self._tokenizer: Any = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MOST_PIECES)

    def of(self, text: str, tokens: Sequence[Token]) -> Array:
        """One row of `WIDTH` a token, the mean over the pieces that it is cut into; zeros behind the longest text."""
        pieces = self._tokenizer.encode(text)
        ids = np.array([pieces.ids], dtype=np.int64)
        every = self._session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})
        return rows_of(tokens, pieces.offsets, np.concatenate([layer[0] for layer in every], axis=-1))


def rows_of(tokens: Sequence[Token], offsets: Sequence[tuple[int, int]], states: Array) -> Array:
    """The mean of the states of each token's pieces; `offsets` say where in the text each piece stands."""
    found = np.zeros((len(tokens), states.shape[1]), dtype=np.float32)
    for place, token in enumerate(tokens):
        its = [k for k, (start, end) in enumerate(offsets) if start < end and start < token.end and end > token.start]
        if its:
            found[place] = states[its].mean(axis=0)
    return found


class Preparation:
    """Makes the files where they are missing, outdated or damaged."""

    def __init__(self, home: Path) -> None:
        self._folder: Final = home / "models" / "rewording"
        self._stopped: Final = threading.Event()

    def folder(self) -> Path:
        """The folder of the files; raises ModelUnusable."""
        if not whole(self._folder):
            failed = "The states of the embedding model cannot be exported"
            run_export(
                "app.drafting.rewording.states",
                [str(self._folder)],
                failed=failed,
                timeout_s=TIMEOUT_S,
                stopped=self._stopped,
            )
        return self._folder

    def stop(self) -> None:
        """End the making of files; `folder` then raises ModelUnusable."""
        self._stopped.set()


def whole(folder: Path) -> bool:
    """Whether the files are there as they were written, from these weights."""
    try:
        facts: dict[str, Any] = json.loads((folder / FACTS_FILE).read_text())
        return facts["weights"] == PACKAGED_SHA256 and all(
            hashlib.sha256((folder / name).read_bytes()).hexdigest() == facts["files"][name]
            for name in (STATES_FILE, TOKENIZER_FILE)
        )
    except (OSError, ValueError, KeyError, TypeError):
        return False


def export(folder: Path) -> None:
    """Write the files into `folder`, which appears whole or not at all; raises ModelUnusable."""
    source = model_folder(PACKAGED)
    with appearing(folder) as work:
        write_layers(source, work / "exact.onnx")
        write_int8(work / "exact.onnx", work / STATES_FILE)
        (work / "exact.onnx").unlink()
        shutil.copy(source / TOKENIZER_FILE, work / TOKENIZER_FILE)
        digests = {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in work.iterdir()}
        (work / FACTS_FILE).write_text(json.dumps({"weights": PACKAGED_SHA256, "files": digests}))


def write_layers(source: Path, file: Path) -> None:
    # Loaded here, because it takes seconds that nothing else need wait for.
    import torch

    torchvision_schemas.declare()
    from transformers import AutoModel

    auto: Any = AutoModel
    model = auto.from_pretrained(str(source), attn_implementation="eager").eval()

    class Layers(torch.nn.Module):
        """Tokens in, the states of `LAYERS` out."""

        def __init__(self) -> None:
            super().__init__()  # pyright: ignore[reportUnknownMemberType]
            self.model = model

        def forward(self, input_ids: Any, attention_mask: Any) -> Any:
            every = self.model(input_ids, attention_mask, output_hidden_states=True).hidden_states
            return tuple(every[layer] for layer in LAYERS)

    tokens = torch.ones(1, 8, dtype=torch.long)
    inputs = {"input_ids": tokens, "attention_mask": tokens}
    outputs = [f"layer_{layer}" for layer in LAYERS]
    free = {0: "texts", 1: "tokens"}
    write_onnx(Layers(), file, inputs, outputs, dict.fromkeys((*inputs, *outputs), free))


if __name__ == "__main__":
    exit_of(export, Path(sys.argv[1]))
