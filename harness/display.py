"""A display of an execution's own: a virtual screen in memory, in a jail of its own, from which pictures are taken.

    Xvfb, in its jail ──socket──> Blender with a window, in another jail
         └─ screen in a file ──> picture, taken here: the process that is shown has no part in it

Only in namespaces: elsewhere a job could look for the sockets of other displays.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import io
import os
import shutil
import stat
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Final

from harness.launcher import Command, HarnessFault, ProcessEnd, ProcessLimits, run_program
from harness.protocol import BACKGROUND
from harness.sandbox.ladder import Rung, Sandbox

PROGRAM: Final = "Xvfb"
PACKAGE: Final = "xvfb"
"""The Debian package of the program."""
NUMBER: Final = ":1"
SHADERS: Final = "shaders"
"""The folder of a process in which its OpenGL library keeps compiled shaders."""
SCREEN: Final = "Xvfb_screen0"
"""The file that the program keeps the memory of its screen in."""
WIDTH: Final = 1024
HEIGHT: Final = 720
"""Size of the screen in pixels: each redraw without a graphics card takes time in proportion."""
BYTES: Final = 4 * WIDTH * HEIGHT
LIMITS: Final = ProcessLimits(wall_s=900.0, memory_bytes=1 << 30, disk_bytes=64 << 20, files=200)
START_S: Final = 20.0
POLL_S: Final = 0.02


@dataclasses.dataclass(frozen=True)
class Display:
    """A running display. `sockets` is the folder of its socket, `screen` the file with the memory of its screen, and
    `shaders` a folder with those that were compiled before."""

    sockets: Path
    screen: Path
    shaders: Path | None = None

    def environment(self, shaders: Path) -> dict[str, str]:
        """The variables by which a program finds it, and draws without a graphics card; it keeps its `shaders`."""
        # By itself the library looks for the home of the user in a list of users, which the sandbox does not have.
        kept = {"MESA_SHADER_CACHE_DIR": str(shaders), "MESA_DISK_CACHE_SINGLE_FILE": "1"}
        return {"DISPLAY": NUMBER, "LIBGL_ALWAYS_SOFTWARE": "1", **kept}

    def arguments(self) -> list[str]:
        """The arguments by which a `blender` executable fills it with its window, and takes simulated events."""
        size = ["0", "0", str(WIDTH), str(HEIGHT)]
        return ["--enable-event-simulate", "--window-border", "--window-geometry", *size]

    def shows(self, command: Command, shaders: Path) -> Command:
        """The same command of a `blender` executable, with a window in place of none."""
        place = command.arguments.index(BACKGROUND)
        arguments = [*command.arguments[:place], *self.arguments(), *command.arguments[place + 1 :]]
        return dataclasses.replace(
            command, arguments=arguments, environment={**command.environment, **self.environment(shaders)}
        )

    def is_on(self) -> bool:
        """True if its screen has its size."""
        with contextlib.suppress(OSError):
            return self.screen.stat().st_size > BYTES
        return False

    def pixels(self) -> bytes:
        """Its present picture, four bytes a pixel: blue, green, red, none. Raises HarnessFault."""
        try:
            # The display's own program may be broken into, so this is read as a stranger's file.
            file = os.open(self.screen, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            try:
                status = os.fstat(file)
                if not stat.S_ISREG(status.st_mode) or status.st_size < BYTES:
                    raise HarnessFault("the screen of the display is no file of its size")
                # The program writes a header and a table of colours first.
                return os.pread(file, BYTES, status.st_size - BYTES)
            finally:
                os.close(file)
        except OSError as error:
            raise HarnessFault(f"the screen of the display cannot be read: {error}") from error

    def picture(self) -> bytes:
        """Its present picture as PNG. Raises HarnessFault."""
        return png(self.pixels())


def png(pixels: bytes) -> bytes:
    """The PNG of the pixels of a display."""
    # Imported here: commands that take no picture go without it.
    from PIL import Image

    out = io.BytesIO()
    Image.frombuffer("RGB", (WIDTH, HEIGHT), pixels, "raw", "BGRX", 0, 1).save(out, "PNG")
    return out.getvalue()


def why_no_display(sandbox: Sandbox) -> str | None:
    """The reason why no window can be had on this machine, with its remedy; None if one can."""
    if shutil.which(PROGRAM) is None:
        return f"`{PROGRAM}` is not installed; on Debian: sudo apt-get install {PACKAGE}"
    if sandbox.rung is not Rung.NAMESPACES:
        return "a display of a job's own needs the sandbox's rung `namespaces`"
    return None


@contextlib.asynccontextmanager
async def open_display(sandbox: Sandbox, folder: Path, shaders: Path | None = None) -> AsyncGenerator[Display, None]:
    """A display while the context lasts. `folder` is empty or missing. Raises HarnessFault."""
    program = shutil.which(PROGRAM)
    if program is None:
        raise HarnessFault(str(why_no_display(sandbox)))
    sockets, place = folder / "sockets", folder / "screen"
    for each in (sockets, place):
        each.mkdir(parents=True)
    display = Display(sockets, place / SCREEN, shaders)
    jail = sandbox.of_a_display(str(place), str(sockets))
    arguments = [program, NUMBER, *display_arguments(jail.seen(str(place)))]
    environment = {"PATH": "/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8"}
    command = Command(arguments, environment, Path(jail.seen(str(place))), jail)
    running = asyncio.create_task(run_program(command, LIMITS, [place]))
    try:
        await _ready(display, running)
        yield display
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running


def display_arguments(folder: str) -> list[str]:
    """The arguments of a display with one screen, whose memory is a file in this folder."""
    size = f"{WIDTH}x{HEIGHT}x24"
    return ["-screen", "0", size, "-fbdir", folder, "-nolisten", "tcp", "-nolisten", "local", "-ac", "-noreset"]


async def _ready(display: Display, running: asyncio.Task[ProcessEnd]) -> None:
    """Wait until programs can connect."""
    deadline = asyncio.get_running_loop().time() + START_S
    while not ((display.sockets / f"X{NUMBER[1:]}").exists() and display.is_on()):
        if running.done() or asyncio.get_running_loop().time() > deadline:
            said = " ".join(running.result().log.split())[-300:] if running.done() else "it does not answer"
            raise HarnessFault(f"no display could be opened: {said}")
        await asyncio.sleep(POLL_S)
