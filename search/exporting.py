"""The common part of exports to ONNX: their process, a folder that appears complete, the settings of the exporter.

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

PACKAGED: Final = "all-MiniLM-L6-v2"
"""The embedding model whose weights come in a package."""
REFUSED: Final = 3
"""Exit status of an export whose last line names the fault of the model."""
POLL_S: Final = 0.1
WITHOUT_TORCH: Final = "{} is not installed, which this model needs. Run `make torch`, or install `blendproof[torch]`."
"""The message if a model needs one of the packages that the service itself does not."""
MODEL_FILES: Final = ("config.json", "modules.json")
"""Files that name the network of a folder; there is one of them, or both."""


class ModelUnusable(Exception):
    """A model cannot be used. The message says why and what to do."""


def no_model_at(name: str) -> str | None:
    """The reason why a path has no model, without loading PyTorch; None if it may have one, or for a hub name."""
    path = Path(name).expanduser()
    if not path.is_absolute() and not path.exists():
        return None
    if not path.is_dir():
        return f"there is no folder {path}"
    if any((path / file).is_file() for file in MODEL_FILES):
        return None
    return f"{path} has neither {' nor '.join(MODEL_FILES)}"


def run_export(
    module: str,
    arguments: Sequence[str],
    *,
    failed: str,
    timeout_s: float,
    stopped: threading.Event | None = None,
) -> None:
    """Run `python -m module arguments` to its end, or until another thread sets `stopped`.

    Raises ModelUnusable with the export's own message about the model, otherwise with `failed` and its ending.
    """
    command = [sys.executable, "-m", module, *arguments]
    environment = {**os.environ, "PYTHONWARNINGS": "ignore", "TOKENIZERS_PARALLELISM": "false"}
    stopped = stopped or threading.Event()
    until = time.monotonic() + timeout_s
    # A pipe would fill up with the libraries' logs, because it is only read at the end.
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
    """Export, then end the process: with `REFUSED` and one line on standard error if the model cannot be used."""
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
    """A folder to write into, which replaces `folder` at the end; if the end is not reached, nothing changes.

    If another process was first, its folder stays: readers of a model check that it is complete.
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
    """Write a network with inputs and outputs of these names; `free` names the dimensions that may vary."""
    torch: Any = importlib.import_module("torch")
    with warnings.catch_warnings():
        # This release warns that its exporter will be replaced; the release is pinned.
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
    """Write the network of a file with its weights in 8 bits; `how` is passed to ONNX Runtime."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    quantize_dynamic(str(exact), str(small), weight_type=QuantType.QInt8, per_channel=True, **how)
