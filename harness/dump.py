"""The manifest of a Blender as a file: dumped from inside it once, then kept under its build hash."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Generator
from pathlib import Path
from typing import Final

from harness.blenders import Blender, BlenderNotAvailable, explain
from harness.protocol import MANIFEST_SCHEMA, ManifestJob, to_json

DUMP_TIMEOUT_S: Final = 180
UNKNOWN_BUILD: Final = "unknown"
NO_HASH: Final = ("", UNKNOWN_BUILD)


def manifest_file(home: Path, blender: Blender) -> Path:
    """The path of this Blender's manifest, which may not exist yet."""
    build = blender.build_hash
    if build.lower() in NO_HASH:
        # A distribution's build does not know its hash, but a new build is a new file.
        build = f"{UNKNOWN_BUILD}-{int(blender.path.resolve().stat().st_mtime)}"
    return home / "manifests" / f"{blender.version}-{build}-schema{MANIFEST_SCHEMA}.json"


def dump_manifest(home: Path, blender: Blender) -> Path:
    """The manifest file of this Blender; dumped now, in two to four seconds, if it is not kept yet.

    The file is written in full or not at all. Raises BlenderNotAvailable if Blender does not write it, or if it cannot
    be kept.
    """
    file = manifest_file(home, blender)
    if file.exists():
        return file
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with fresh_folder() as folder:
            keep(ask_for_manifest(blender, folder), file)
    except OSError as error:
        raise BlenderNotAvailable(f"The API of Blender {blender.version} cannot be kept in {file}: {error}") from error
    return file


def ask_for_manifest(blender: Blender, folder: Path) -> Path:
    """Let this Blender write its manifest into the folder of the job. Raises BlenderNotAvailable."""
    written = folder / "manifest.json"
    job = folder / "job.json"
    job.write_text(to_json(ManifestJob(str(written))))
    command = blender.command(folder, folder)
    try:
        done = subprocess.run(
            [*command.arguments, str(job)],
            env=command.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=DUMP_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BlenderNotAvailable(f"Blender {blender.version} did not dump its API: {error}") from error
    if done.returncode or not written.exists():
        raise BlenderNotAvailable(f"Blender {blender.version} did not dump its API.{explain(done.stderr)}")
    return written


def keep(written: Path, file: Path) -> None:
    """Copy the written manifest to its place; it appears there in one rename."""
    # A unique name: two threads of one process may dump the same Blender.
    handle, name = tempfile.mkstemp(prefix=".", dir=file.parent)
    os.close(handle)
    unfinished = Path(name)
    try:
        unfinished.write_bytes(written.read_bytes())
        unfinished.chmod(0o644)
        unfinished.replace(file)
    finally:
        unfinished.unlink(missing_ok=True)


@contextlib.contextmanager
def fresh_folder() -> Generator[Path, None, None]:
    """A folder for one job, with the `home` and `tmp` folders that Blender gets."""
    with tempfile.TemporaryDirectory(prefix="blendproof-") as name:
        folder = Path(name)
        for part in ("home", "tmp"):
            (folder / part).mkdir()
        yield folder
