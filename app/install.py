"""Sets up a Blender: the `bpy` wheel where no executable is named, and the stubs that the types stage reads."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from app.checks.stubs import build_stubs, built_from
from app.settings import Settings
from harness.blenders import Blender, BlenderNotAvailable, install, newest_wheel, probe, wheel_of

STUBS_RELEASE: Final = "20260730"
"""The release of the `fake-bpy-module` packages that the blocking rules were measured with."""


def install_blender(settings: Settings, series: str | None, say: Callable[[str], None]) -> Blender:
    """Make one Blender ready: the executable that the settings name, or a wheel, the newest unless `series` is given.

    What is there already is kept. Raises BlenderNotAvailable.
    """
    if settings.blender and series is None:
        blender = probe("executable", settings.blender)
    else:
        wheel, python = wheel_of(series) if series else newest_wheel()
        blender = install(settings.home, wheel, python, say)
    install_stubs(settings, blender.series, say)
    return blender


def install_stubs(settings: Settings, series: str, say: Callable[[str], None]) -> None:
    """Download the stubs of a series and build both flavours; raises BlenderNotAvailable."""
    folder = settings.home / "stubs" / series
    if built_from(folder) == f"fake_bpy_module_{series.replace('.', '_')}-{STUBS_RELEASE}":
        return
    say(f"building the type stubs of Blender {series}")
    with tempfile.TemporaryDirectory() as temporary:
        package = f"fake-bpy-module-{series}=={STUBS_RELEASE}"
        download = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--dest",
            temporary,
            package,
        ]
        done = subprocess.run(download, capture_output=True, text=True, check=False)
        wheels = list(Path(temporary).glob("*.whl"))
        if done.returncode or not wheels:
            raise BlenderNotAvailable(f"The stubs {package} cannot be downloaded: {done.stderr.strip()[-300:]}")
        source = Path(temporary) / "stubs"
        with zipfile.ZipFile(wheels[0]) as archive:
            archive.extractall(source)
        build_stubs(source, folder)
