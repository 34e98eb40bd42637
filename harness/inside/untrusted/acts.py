"""The acts of a user: a poll, a drawing, a run of an operator from `invoke` on, a call, a change of a property."""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Collection
from typing import Any

import bpy

from harness.inside.untrusted.drawing import DRAWING, is_usable, vars_of
from harness.inside.untrusted.exceptions import text_of
from harness.inside.untrusted.layout import ContextView, StandIn
from harness.inside.untrusted.situations import Situation
from harness.inside.untrusted.trial import (
    ENTRY,
    IN_A_WINDOW,
    PROBE,
    PROBE_CLASS,
    PROPERTY,
    REFUSED,
    RESULTS,
    NeedsMore,
    Trial,
    other_values,
    value_of,
)
from harness.inside.untrusted.window import Window

EDIT_MODE = re.compile(r"edit ?mode", re.IGNORECASE)

Act = Callable[[Trial, Window, Situation], str]
"""Does something with a use in a situation, and returns the result. Raises the exceptions of the add-on."""


def poll(use: Trial, window: Window, situation: Situation) -> str:
    """Note if an operator can be used here. Raises the exceptions of its `poll`."""
    if is_usable(use.thing, window.view):
        use.usable.append(situation)
    return REFUSED


def draw(use: Trial, window: Window, _situation: Situation) -> str:
    """Draw a panel, menu or header, or a function that was appended to one. Raises its exceptions."""
    if use.kind.startswith(ENTRY):
        cls, function = use.thing
        function(StandIn(cls, window.layout), window.view)
        return "drawn"
    return drawn(use, StandIn(use.thing, window.layout), window.view)


def drawn(use: Trial, stand_in: StandIn, view: ContextView) -> str:
    """Draw a panel, menu or header if its `poll` allows it. Raises its exceptions."""
    if not is_usable(use.thing, view):
        return REFUSED
    for method in (each for each in DRAWING if each in vars_of(use.thing)):
        getattr(stand_in, method)(view)
    return "drawn"


def run(use: Trial, window: Window, _situation: Situation) -> str:
    """Take an operator through a use. Raises its exceptions, and NeedsMore if it lacks what a user would give."""
    try:
        return probed(use, window)
    except Exception as error:
        if window.lacks_file or sets_before(use.thing, error):
            raise NeedsMore from error
        raise


def probed(use: Trial, window: Window) -> str:
    """Run an operator from `invoke` on; returns its result. Raises the exceptions of its methods.

    Without a window Blender calls no `invoke`. So a class of ours that is made from it runs in its place, and takes the
    real operator, with its properties, through what a user would see.
    """
    cls = use.thing
    execute: Any = getattr(cls, "execute", None)
    if execute is None and not hasattr(cls, "invoke"):
        return IN_A_WINDOW
    errors: list[BaseException] = []
    inside: list[Any] = []

    def heard(self: Any, context: Any) -> Any:
        if inside and execute:
            # Its own methods call it too.
            return execute(self, context)
        inside.append(self)
        try:
            return window.go_through(self, execute)
        except BaseException as error:
            errors.append(error)
            return {"CANCELLED"}

    fields = {"bl_idname": PROBE, "execute": heard, "__module__": cls.__module__, "__doc__": cls.__doc__}
    probe: Any = type(PROBE_CLASS, (cls,), fields)
    bpy.utils.register_class(probe)
    try:
        results = bpy.ops.blendproof.probe("EXEC_DEFAULT", **value_of(use))
        result = "FINISHED" if "FINISHED" in results else str(next(iter(results)))
    except RuntimeError as error:
        # It called `self.report({"ERROR"}, ...)`, or Blender refuses what it returned.
        result = f"reported: {' '.join(text_of(error).split())}"
    finally:
        bpy.utils.unregister_class(probe)
        # A class that is made from it takes its place in Blender, where nobody could call it any more.
        bpy.utils.unregister_class(cls)
        bpy.utils.register_class(cls)
    if errors:
        if EDIT_MODE.search(text_of(errors[0])):
            return REFUSED
        raise errors[0]
    said: str = result
    return said if said.startswith("reported") else RESULTS.get(said, "finished")


def sets_before(cls: Any, error: BaseException) -> bool:
    """True if an operator lacks a member of its own that its `invoke` or `modal` sets, which did not come so far."""
    found = re.search(r"'(\w+)' object has no attribute ['\"](\w+)['\"]", text_of(error))
    if found is None or found[1] not in (PROBE_CLASS, *(base.__name__ for base in cls.__mro__)):
        return False
    methods: list[object] = [base.__dict__.get(name) for base in cls.__mro__ for name in ("invoke", "modal")]
    codes = [method.__code__ for method in methods if isinstance(method, types.FunctionType)]
    return any(found[2] in code.co_names for code in codes)


def call(use: Trial, window: Window, _situation: Situation) -> str:
    """Call a handler or a timer as Blender does, or change the properties below one. Raises their exceptions."""
    if use.kind == "timer":
        use.thing()
    elif use.kind == PROPERTY:
        owner, name = use.thing
        return changed(owner, name, window.layout.shown)
    else:
        _, function = use.thing
        of_files = use.kind.startswith(("load", "save", "version"))
        scene, depsgraph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
        function("") if of_files else call_with(function, scene, depsgraph)
    return "called"


def call_with(function: Any, *arguments: Any) -> None:
    """Call a handler with as many of the arguments as it takes, as Blender does."""
    code = getattr(function, "__code__", None)
    takes = code.co_argcount - hasattr(function, "__self__") if code and not code.co_flags & 4 else len(arguments)
    function(*arguments[:takes])


def changed(owner: Any, name: str, shown: Collection[tuple[str, str]]) -> str:
    """Give each property below a registered one that is `shown` another value, so that Blender calls its callback.

    What no panel shows in any situation, a user cannot change there.
    """
    things = {"Scene": bpy.context.scene, "Object": bpy.context.object, "WindowManager": bpy.context.window_manager}
    thing = things.get(owner.__name__)
    if thing is None:
        return REFUSED
    known = owner.bl_rna.properties[name]
    if known.type == "POINTER":
        group = getattr(thing, name)
        inner = [each for each in (group.bl_rna.properties if group else ()) if each.is_runtime]
        pairs = [(group, each) for each in inner]
    else:
        pairs = [(thing, known)]
    pairs = [(holder, each) for holder, each in pairs if (holder.bl_rna.identifier, each.identifier) in shown]
    for holder, each in pairs:
        change(holder, each)
    return "called" if pairs else REFUSED


def change(holder: Any, known: Any) -> None:
    """Give a property another value, if it is a plain one that can be set."""
    if known.is_readonly or getattr(known, "is_array", False):
        return
    if values := other_values(known):
        setattr(holder, known.identifier, values[0])
    elif known.type in ("INT", "FLOAT"):
        value = getattr(holder, known.identifier)
        setattr(holder, known.identifier, value + known.step if value < known.hard_max else known.hard_min)
    elif known.type == "STRING" and known.subtype not in ("FILE_PATH", "DIR_PATH"):
        setattr(holder, known.identifier, "Cube")
