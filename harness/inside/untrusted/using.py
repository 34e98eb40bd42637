"""Uses an add-on's registrations as a user would at first: draws panels and menus, runs operators with their defaults.

        registrations ─> report ─> each: the start scene, `poll`, then drawn or executed ─> report, with its error

An operator that refuses object mode, or says that it is the wrong one, is tried in edit mode. There is no window, so
a lack of one is no fault. All reports of this process are claims.
"""

from __future__ import annotations

import contextlib
import faulthandler
import functools
import os
import re
import signal
import tempfile
import time
import traceback
import types
from collections.abc import Collection, Generator, Sequence
from typing import Any

import bpy

from harness.inside.channel import Channel
from harness.inside.untrusted.addon import DRAWN
from harness.inside.untrusted.drawing import DRAWING, is_usable, of_other_data, vars_of
from harness.inside.untrusted.exceptions import text_of
from harness.inside.untrusted.faults import facts_of, own_frame
from harness.inside.untrusted.layout import ContextView, Drawing, Layout, StandIn
from harness.inside.untrusted.output import flush
from harness.inside.untrusted.overlay import GraphicsCard
from harness.inside.untrusted.renders import limit_renders
from harness.protocol import MOST_USED, EventName, RenderLimits

ALL_S = 20.0
ONE_S = 3.0
"""Most seconds on the clock for all uses, and for a single one."""
STUCK_S = 10.0
"""Seconds after which the process is ended, even if Blender itself does not return."""
ENTRY = "entry of "
WRONG_CONTEXT = ".poll() failed, context is incorrect"
"""The message of a Blender operator that needs a window, if an operator of the add-on calls it."""
OF_A_WINDOW = re.compile(r"\bcontext\.(area|space_data|region|region_data|screen|window)\b")
EDIT_MODE = re.compile(r"edit ?mode", re.IGNORECASE)
REFUSED, IN_A_WINDOW, RAISED = "not for this scene", "only in a window", "raised"
RegisteredThing = tuple[str, str, Any]
"""A registration: its kind, its name, and the class or the function with its class."""
Use = tuple[str, dict[str, Any] | None]
"""The result in words, and the error."""


class TooLong(BaseException):
    """Raised in a use that does not end."""


def use_all(registered: Sequence[RegisteredThing], folder: str, skip: Collection[str], channel: Channel) -> None:
    """Use what can be drawn, then the operators, and report each. `folder` holds the files of the add-on."""
    things = [thing for thing in registered if thing[0] in DRAWN or thing[0].startswith(ENTRY)]
    things += [thing for thing in registered if thing[0] == "Operator"]
    things = [thing for thing in things if f"{thing[0]} {thing[1]}" not in skip][:MOST_USED]
    channel.send(EventName.USING, names=[[kind, name] for kind, name, _ in things])
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as start:
        scene = os.path.join(start, "start.blend")
        bpy.ops.wm.save_as_mainfile(filepath=scene, copy=True, check_existing=False)
        for kind, name, thing in things:
            if time.monotonic() - began > ALL_S:
                break
            # In case Blender itself does not return.
            faulthandler.dump_traceback_later(STUCK_S, exit=True, file=2)
            with limit_renders(RenderLimits()):
                how, problem = used(kind, thing, scene, folder)
            faulthandler.cancel_dump_traceback_later()
            flush()
            channel.send(EventName.USED, kind=kind, name=name, how=how, problem=problem)


def used(kind: str, thing: Any, scene: str, folder: str) -> Use:
    """Use one of them; returns the result."""
    view = ContextView()
    try:
        with limited(ONE_S):
            if kind == "Operator":
                bpy.ops.wm.open_mainfile(filepath=scene, load_ui=False)
                return executed(thing, view)
            return drawn(kind, thing, view, folder)
    except BaseException as error:
        return excuse(error, view) or (RAISED, facts_of(error, folder))


@contextlib.contextmanager
def limited(seconds: float) -> Generator[None, None, None]:
    """Raise TooLong in the block after this many seconds, as soon as Python runs."""

    def ring(_signal: int, _frame: types.FrameType | None) -> None:
        raise TooLong(f"it was still running after {seconds:g} s")

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def excuse(error: BaseException, view: ContextView) -> Use | None:
    """The result if an error is no fault: it lacked a window, or data of another kind; otherwise None."""
    said = text_of(error)
    frames = traceback.extract_tb(error.__traceback__)
    line = (frames[-1].line or "") if frames else ""
    lacks = "None" in said and (view.__dict__["missed"] or OF_A_WINDOW.search(line + said))
    if lacks or GraphicsCard.__name__ in said or WRONG_CONTEXT in said:
        return IN_A_WINDOW, None
    return (REFUSED, None) if of_other_data(said) else None


def drawn(kind: str, thing: Any, view: ContextView, folder: str) -> Use:
    """Draw a panel, menu or header, or a function that was appended to one, with a layout that checks names."""
    wrong: list[dict[str, Any]] = []

    def note(message: str, frame: types.FrameType | None) -> None:
        frames = [own_frame(entry, folder) for entry in traceback.extract_stack(frame, 1)] if frame else []
        wrong.append({"type": "UnknownName", "message": message, "module": None, "frames": frames})

    layout = Layout(Drawing(folder + os.sep, note))
    if kind.startswith(ENTRY):
        cls, function = thing
        function(StandIn(cls, layout), view)
    elif not is_usable(thing, view):
        return REFUSED, None
    else:
        stand_in = StandIn(thing, layout)
        for method in (each for each in DRAWING if each in vars_of(thing)):
            getattr(stand_in, method)(view)
    return (RAISED, wrong[0]) if wrong else ("drawn", None)


def executed(cls: Any, view: ContextView) -> Use:
    """Execute an operator in object mode, or in edit mode if it refuses that. Raises its exceptions."""
    if "execute" not in vars_of(cls):
        return IN_A_WINDOW, None
    if is_usable(cls, view):
        try:
            return called(cls, view)
        except Exception as error:
            if not EDIT_MODE.search(text_of(error)):
                raise
    with contextlib.suppress(RuntimeError):
        bpy.ops.object.mode_set(mode="EDIT")
    return called(cls, view) if is_usable(cls, view) else (REFUSED, None)


def called(cls: Any, view: ContextView) -> Use:
    """Call an operator with its defaults. Raises the exceptions of its `execute`."""
    space, _, name = cls.bl_rna.identifier.partition("_OT_")
    with hearing(cls, view) as errors:
        try:
            (result,) = getattr(getattr(bpy.ops, space.lower()), name)("EXEC_DEFAULT")
        except RuntimeError as error:
            # It called `self.report({"ERROR"}, ...)`, or Blender refuses what it returned.
            return f"reported: {' '.join(text_of(error).split())}", None
    if errors:
        raise errors[0]
    return result.lower(), None


@contextlib.contextmanager
def hearing(cls: Any, view: ContextView) -> Generator[list[BaseException], None, None]:
    """Hear exceptions of `execute`, of which Blender gives the text alone; `view` notes what the context lacks."""
    errors: list[BaseException] = []
    own, execute = cls.__dict__.get("execute"), cls.execute

    @functools.wraps(execute)
    def heard(self: Any, _context: Any) -> Any:
        try:
            return execute(self, view)
        except BaseException as error:
            errors.append(error)
            return {"CANCELLED"}

    cls.execute = heard
    try:
        yield errors
    finally:
        if own is None:
            del cls.execute
        else:
            cls.execute = own
