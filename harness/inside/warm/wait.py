"""A warm Blender: everything is loaded before the first job, and each job begins from this same state.

keeper ── job, four descriptors ──> waiting ── fork ──> the job, which first confines itself
       <── how it ended ───────────         <── wait ──

A process that forks never runs a snippet and never opens its files; only its children do. Before the first fork
it is brought down to one thread (`quiet.py`). A Blender that cannot be forked does a single job itself.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import importlib
import json
import os
import socket
import sys
import traceback
from typing import Any, NoReturn

import bpy

from harness.inside import do
from harness.inside.scene.contents import contents
from harness.inside.scene.describe import describe
from harness.inside.warm.quiet import quiesce
from harness.inside.warm.shared import SharedFolders
from harness.protocol import (
    CONTROL_FD,
    FORKING_ENVIRONMENT,
    JOB_FDS,
    AssertJob,
    ExamineJob,
    ExportJob,
    RunJob,
    WaitJob,
    job_from_json,
)
from harness.sandbox.jail import FAILED, JailSpec, confine

# Imported so that no job has to load it; a distribution's Blender may lack it.
with contextlib.suppress(ImportError):
    importlib.import_module("numpy")

MESSAGE_LIMIT_BYTES = 1 << 17
ABOVE_OURS = 32
WARM_UP_PX = 32


def wait(job: WaitJob) -> NoReturn:
    """Warm up, report it, and do jobs until the keeper closes the line."""
    control = socket.socket(fileno=CONTROL_FD)
    bpy.ops.wm.read_factory_settings()
    if job.forks:
        warm_up()
        quiesce()
        gc.collect()
        # A collection would write to every page that the children share with this process.
        gc.freeze()
    for name in FORKING_ENVIRONMENT:
        os.environ.pop(name, None)
    shared = SharedFolders(job.shared if job.forks else [])
    control.send(b"ready")
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, MESSAGE_LIMIT_BYTES, len(JOB_FDS) + 1)
        if not message:
            os._exit(0)
        order: dict[str, Any] = json.loads(message)
        if not job.forks:
            control.close()
            take_over(descriptors)
            os.chdir(order["folder"])
            finish(order)
        control.send(json.dumps(in_a_child(order, descriptors, shared)).encode())


def warm_up() -> None:
    """Describe and render once, so that Blender loads what both need and we know its types; then reset the scene."""
    scene = bpy.context.scene
    assert scene is not None
    cube = bpy.data.objects["Cube"]
    cube.modifiers.new("Subdivision", "SUBSURF")
    describe()
    contents()
    scene.render.engine = "CYCLES"
    scene.cycles.device = "CPU"
    scene.cycles.samples = 1
    scene.cycles.use_denoising = False
    scene.render.resolution_x = scene.render.resolution_y = WARM_UP_PX
    scene.render.filepath = os.path.join(bpy.app.tempdir, "warm-up.png")
    bpy.ops.render.render(write_still=True)
    os.remove(scene.render.filepath)
    bpy.ops.wm.read_factory_settings()


def in_a_child(order: dict[str, Any], descriptors: list[int], shared: SharedFolders) -> dict[str, Any]:
    """Fork, have the child do the job, and return its ending. Its files in shared folders are removed."""
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        begin(order, descriptors)
    for descriptor in descriptors:
        os.close(descriptor)
    _, status, usage = os.wait4(pid, 0)
    return {
        "status": status,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "peak_memory_bytes": usage.ru_maxrss * 1024,
        "clean": shared.restore(),
    }


def begin(order: dict[str, Any], descriptors: list[int]) -> NoReturn:
    """As the child: confine this process, then do the job. Whatever goes wrong, the process ends here."""
    try:
        take_over(descriptors)
        if numpy := sys.modules.get("numpy"):
            # Python reseeds only its own generator at every fork.
            numpy.random.seed()
        limits = {int(limit): value for limit, value in order["limits"].items()}
        confine(JailSpec(**order["jail"]), JOB_FDS, order["folder"], limits)
    except BaseException as error:
        os.write(2, f"the sandbox could not be set up: {type(error).__name__}: {error}\n".encode())
        os._exit(FAILED)
    finish(order)


def take_over(descriptors: list[int]) -> None:
    """Put the job's descriptors at the numbers that it expects: channel, output and errors, then Blender's log."""
    # Move them out of the way first: one may have the number that another is to get.
    moved = [fcntl.fcntl(descriptor, fcntl.F_DUPFD, ABOVE_OURS) for descriptor in descriptors]
    for source, target in zip(moved, (*JOB_FDS, 2), strict=True):
        os.dup2(source, target)
    os.dup2(2, 1)
    for descriptor in (*moved, *descriptors):
        if descriptor not in (1, 2, *JOB_FDS):
            os.close(descriptor)


def finish(order: dict[str, Any]) -> NoReturn:
    """Do the job and end."""
    status = 0
    try:
        with open(order["job"], encoding="utf-8") as file:
            job = job_from_json(file.read())
        # The file names the purpose of this process.
        os.remove(order["job"])
        assert isinstance(job, RunJob | ExamineJob | AssertJob | ExportJob)
        do.do(job)
    except BaseException:
        traceback.print_exc()
        status = 1
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(status)
