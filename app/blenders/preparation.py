"""The Blenders of the service: lists, prepares, removes and tries them.

A prepared Blender has its stubs (`stubs/<series>`) and its manifest under the home folder.
"""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from app.blenders.stubs.builder import build_stubs, release_of
from app.settings import Settings
from harness.blenders import Blender, BlenderNotAvailable, add, find_blenders, forget, probe
from harness.dump import dump_manifest, manifest_file
from harness.engine import EngineFacts
from harness.engines.local import LocalEngine
from harness.order import Order
from harness.pool.pool import Pool
from harness.protocol import Outcome, RenderSettings
from harness.sandbox.ladder import Sandbox
from harness.wheels import install, remove

STUBS_RELEASE: Final = "20260730"
"""The release of the `fake-bpy-module` packages with which the blocking rules were measured."""

NONE_PUBLISHED: Final = "No matching distribution found"
NO_CONNECTION: Final = ("connection broken by", "Could not fetch URL")
"""pip's output before that message if it had no connection."""

Say = Callable[[str], None]


def blenders_of(settings: Settings) -> list[Blender]:
    """The Blenders that these settings reach, the default first. Raises BlenderNotAvailable."""
    return find_blenders(settings.home, settings.blender, search=settings.find_blenders)


# --- prepare a Blender ------------------------------------------------------------------------------------------


def install_blender(settings: Settings, wanted: str | None, say: Say) -> Blender:
    """Prepare one Blender: the executable that the settings name, or the wheel of a series or version.

    Existing parts are kept. Raises BlenderNotAvailable.
    """
    if settings.blender and wanted is None:
        blender = probe("executable", settings.blender)
    else:
        blender = install(settings.home, wanted, say)
    make_ready(settings, blender, say)
    return blender


def add_blender(settings: Settings, path: Path, label: str | None, say: Say) -> Blender:
    """Register an executable and prepare it. Raises BlenderNotAvailable."""
    blender = add(settings.home, path, label)
    make_ready(settings, blender, say)
    return blender


def make_ready(settings: Settings, blender: Blender, say: Say) -> None:
    """Build the stubs of a Blender and dump its manifest, if they do not exist yet. Raises BlenderNotAvailable."""
    if not manifest_file(settings.home, blender).exists():
        say(f"reading the API of Blender {blender.version} from the build")
        dump_manifest(settings.home, blender)
    # Last, because it needs a network.
    install_stubs(settings, blender.series, say)


def install_stubs(settings: Settings, series: str, say: Say) -> None:
    """Download the stubs of a series and build both flavours, if they are published.

    If not, snippets for that series are not type-checked: stubs of another series would flag correct code and pass
    wrong code, and the API check reads the manifest of the exact build. Raises BlenderNotAvailable.
    """
    folder = settings.home / "stubs" / series
    release = f"fake_bpy_module_{series.replace('.', '_')}-"
    built = release_of(folder) or ""
    if built == f"{release}{STUBS_RELEASE}":
        return
    with tempfile.TemporaryDirectory() as temporary:
        try:
            wheel = download_stubs(f"fake-bpy-module-{series}=={STUBS_RELEASE}", Path(temporary))
        except BlenderNotAvailable:
            if built.startswith(release):
                return
            raise
        if wheel is None and built.startswith(release):
            return
        wheel = wheel or download_stubs(f"fake-bpy-module-{series}", Path(temporary))
        if wheel is None:
            say(f"no type stubs of Blender {series} are published; its snippets are not type-checked")
            return
        say(f"building the type stubs of Blender {series}")
        source = Path(temporary) / "stubs"
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(source)
        build_stubs(source, folder)


def download_stubs(requirement: str, folder: Path) -> Path | None:
    """Download one package; None if it is not published. Raises BlenderNotAvailable if that cannot be determined."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", str(folder), requirement]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stderr.strip().splitlines()
    unasked = next((line for line in lines if any(said in line for said in NO_CONNECTION)), None)
    if done.returncode and (unasked or NONE_PUBLISHED not in done.stderr):
        said = unasked or done.stderr.strip()[-300:]
        raise BlenderNotAvailable(f"The stubs {requirement} cannot be downloaded: {said} Try again with a network.")
    return next(folder.glob("*.whl"), None)


# --- remove a Blender -------------------------------------------------------------------------------------------


def remove_blender(settings: Settings, blender: Blender) -> None:
    """Remove a wheel, or an executable from the register, with its manifest, and with stubs that no other needs.

    An executable itself is never removed. Raises BlenderNotAvailable for one that was not set up here, and while a
    service uses the wheel.
    """
    if blender.source == "named":
        raise BlenderNotAvailable(f"{blender.path} is named by BLENDPROOF_BLENDER; unset that instead.")
    if blender.source == "found":
        raise BlenderNotAvailable(
            f"{blender.path} was found on this machine, but Blendproof did not install it; set"
            " BLENDPROOF_FIND_BLENDERS=false to use only Blenders that were set up here."
        )
    manifest = manifest_file(settings.home, blender)
    if blender.source == "wheel":
        remove(blender)
    else:
        forget(settings.home, blender)
    manifest.unlink(missing_ok=True)
    if all(other.series != blender.series for other in blenders_of(settings)):
        shutil.rmtree(settings.home / "stubs" / blender.series, ignore_errors=True)
        shutil.rmtree(settings.mypy_cache(blender.series), ignore_errors=True)


# --- try a Blender ----------------------------------------------------------------------------------------------

TRIAL: Final = """\
import bpy

mesh = bpy.data.meshes.get("Trial") or bpy.data.meshes.new("Trial")
if not mesh.vertices:
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
tetrahedron = bpy.data.objects.get("Trial") or bpy.data.objects.new("Trial", mesh)
if tetrahedron.name not in bpy.context.scene.objects:
    bpy.context.scene.collection.objects.link(tetrahedron)
"""
TRIAL_PICTURE: Final = RenderSettings(size_px=64, samples=2)
POLL_S: Final = 0.02


@dataclass(frozen=True)
class BlenderTrial:
    """The result of a small job: `problem` is empty if it was executed, examined and rendered."""

    blender: Blender
    rung: str
    start: str
    seconds: float
    problem: str


async def try_blender(blender: Blender, sandbox: Sandbox, *, warm: bool) -> BlenderTrial:
    """Have a Blender run a small job as the service would; with `warm`, in a warm one if it can be kept warm."""
    async with contextlib.AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        pool = Pool(folder / "warm", sandbox, 1) if warm and sandbox.keeps_forks_apart else None
        engine = LocalEngine(sandbox, pool, folder / "executions")
        stack.push_async_callback(engine.close)
        engine.keep_warm(blender)
        while not engine.is_quiet():  # noqa: ASYNC110 - the pool gives no signal when it is warm
            await asyncio.sleep(POLL_S)
        began = time.monotonic()
        report = (await engine.execute(Order(TRIAL, render=TRIAL_PICTURE), blender)).report
        seconds = time.monotonic() - began
        start = start_of(engine.facts())
    return BlenderTrial(blender, report["isolation"]["rung"], start, seconds, problem_of(report))


def start_of(facts: EngineFacts) -> str:
    """The way in which an engine starts its only Blender: cold, or warm with or without forks."""
    if not facts.workers:
        return "cold"
    return "warm, forks" if facts.workers[0]["forks"] else "warm, once"


def problem_of(report: dict[str, Any]) -> str:
    """The step at which a job failed, and why; empty if it passed."""
    if report["outcome"] != Outcome.PASSED:
        return f"{report['outcome']}: {report['reason']}"
    render = report["evidence"]["render"]
    return "" if render and render["pictures"] else "it ran, but rendered no picture"
