"""What the exports of models to ONNX share: their process, a folder that appears whole, the settings of the exporter.

A model is exported once, in a process of its own, because PyTorch would stay in the service's memory.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Generator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

REFUSED: Final = 3
"""Exit status of an export where its last line says what is wrong with the model."""
POLL_S: Final = 0.1
WITHOUT_TORCH: Final = "{} is not installed, which this model needs. Run `make torch`, or install `blendproof[torch]`."
"""What is said where a model needs one of the packages that the service itself does without."""


class ModelUnusable(Exception):
    """A model cannot be used; the message says why and what to do."""


def run_export(
    module: str,
    arguments: Sequence[str],
    *,
    failed: str,
    timeout_s: float,
    stopped: threading.Event | None = None,
) -> None:
    """Run `python -m module arguments` to its end, or until `stopped` is set by another thread.

    Raises ModelUnusable: what the export itself says is wrong with the model, else `failed` and how it ended.
    """
    command = [sys.executable, "-m", module, *arguments]
    environment = {**os.environ, "PYTHONWARNINGS": "ignore", "TOKENIZERS_PARALLELISM": "false"}
    stopped = stopped or threading.Event()
    until = time.monotonic() + timeout_s
    # A pipe would fill with what the libraries log, and nobody reads it before the end.
    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        try:
            process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors
            )
        except OSError as error:
            raise ModelUnusable(f"{failed}: {error}") from error
        with process:
            try:
                while process.poll() is None and not stopped.wait(POLL_S) and time.monotonic() < until:
                    pass
                ended = process.poll()
            finally:
                process.kill()
        errors.seek(0)
        last = errors.read().strip().splitlines()[-1:] or ["it said nothing"]
    if ended is None:
        raise ModelUnusable(f"{failed}: it was stopped{'' if stopped.is_set() else f' after {timeout_s:.0f} s'}.")
    if ended:
        raise ModelUnusable(last[0] if ended == REFUSED else f"{failed}: {last[0]}")


def exit_of(export: Callable[..., None], *arguments: object) -> NoReturn:
    """End the process of an export: with `REFUSED` and one line on standard error where the model cannot be used."""
    try:
        export(*arguments)
    except ModelUnusable as error:
        print(error, file=sys.stderr)
        sys.exit(REFUSED)
    except ModuleNotFoundError as error:
        print(WITHOUT_TORCH.format(error.name), file=sys.stderr)
        sys.exit(REFUSED)
    sys.exit(0)


@contextlib.contextmanager
def appearing(folder: Path) -> Generator[Path, None, None]:
    """A folder to write into, which takes the place of `folder` at the end; nothing changes where that is not reached.

    Where another process was first, its folder stays: whoever reads a model looks whether it is whole.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as temporary:
        work = Path(temporary) / "model"
        work.mkdir()
        yield work
        shutil.rmtree(folder, ignore_errors=True)
        try:
            work.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise


def write_onnx(
    network: Any,
    file: Path,
    inputs: Mapping[str, Any],
    outputs: Sequence[str],
    free: Mapping[str, Mapping[int, str]],
) -> None:
    """Write a network that takes and gives tensors of these names; `free` names the dimensions that may differ."""
    torch: Any = importlib.import_module("torch")
    with warnings.catch_warnings():
        # The exporter of this release is announced to be replaced; the release is pinned.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            network,
            tuple(inputs.values()),
            str(file),
            input_names=list(inputs),
            output_names=list(outputs),
            dynamic_axes={name: dict(axes) for name, axes in free.items()},
            opset_version=17,
            dynamo=False,
        )


def write_int8(exact: Path, small: Path, **how: Any) -> None:
    """Write the network of a file with its weights in 8 bits; `how` is handed to ONNX Runtime."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(str(exact), str(small), weight_type=QuantType.QInt8, per_channel=True, **how)
