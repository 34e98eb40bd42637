"""Stands in for what a window gives an operator: dialogs, the file browser, pop-ups, events of mouse and keys.

invoke ─┬─> dialog, confirmation, pop-up ─> draw, execute
        ├─> file browser ─> a path: a file of its format to read, or one to write ─> execute
        └─> modal ─> mouse, timer, click, return, escape, one event each, until it ends
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import types
from collections.abc import Callable, Generator
from typing import Any, Final, cast

import bpy

from harness.inside.untrusted.layout import ContextView, Layout, StandIn

EVENTS: Final = (
    ("MOUSEMOVE", "NOTHING"), ("TIMER", "NOTHING"), ("LEFTMOUSE", "PRESS"), ("MOUSEMOVE", "NOTHING"),
    ("LEFTMOUSE", "RELEASE"), ("RET", "PRESS"), ("ESC", "PRESS"), ("RIGHTMOUSE", "PRESS"),
)  # fmt: skip
"""The events that a modal operator gets, in order."""
WRITERS: Final[dict[str, Callable[[str], Any]]] = {
    ".obj": lambda path: bpy.ops.wm.obj_export(filepath=path),
    ".stl": lambda path: bpy.ops.wm.stl_export(filepath=path),
    ".ply": lambda path: bpy.ops.wm.ply_export(filepath=path),
    ".blend": lambda path: bpy.ops.wm.save_as_mainfile(filepath=path, copy=True, check_existing=False),
    ".png": lambda path: bpy.data.images.new("sample", 8, 8).save(filepath=path),
}
TEXTS: Final = {
    ".txt": "one line\n",
    ".csv": "x,y,z\n0,0,0\n1,0,0\n0,1,0\n",
    ".xyz": "0 0 0\n1 0 0\n0 1 0\n",
    ".json": "{}\n",
    ".svg": '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><path d="M0 0 L10 0 L10 10 Z"/></svg>\n',
    ".py": "import bpy\n",
}
Answer = set[str]


POPUPS: Final = frozenset(
    ("wm", name) for name in ("call_menu", "call_menu_pie", "call_panel", "call_asset_shelf_popover", "redraw_timer")
) | {("screen", "userpref_show"), ("screen", "area_dupli"), ("screen", "screen_full_area"), ("wm", "window_new")}
"""Operators of Blender's that put something on the screen: without one, some end Blender."""


def is_for_a_user(idname: str, arguments: tuple[Any, ...]) -> bool:
    """True if a call of an operator only asks a user: without a window Blender would skip that and execute it."""
    space, _, name = idname.partition(".")
    cls: Any = getattr(bpy.types, f"{space.upper()}_OT_{name}", None)
    invoked = any(isinstance(each, str) and each.startswith("INVOKE") for each in arguments)
    return (space, name) in POPUPS or (invoked and hasattr(cls, "invoke"))


@contextlib.contextmanager
def without_popups() -> Generator[None, None, None]:
    """Have the operators that only put something on the screen do nothing."""
    operators: Any = sys.modules["bpy.ops"]
    # As in `renders`: the function that calls operators; or, since 5.2, the function that makes them.
    name = "_op_call" if "_op_call" in vars(operators) else "_op_create_function"
    own = getattr(operators, name)

    def call(idname: str, *arguments: Any) -> Any:
        return {"FINISHED"} if is_for_a_user(idname, arguments) else own(idname, *arguments)

    def nothing(*_: Any, **__: Any) -> Answer:
        return {"FINISHED"}

    def create(module: str, operator: str) -> Any:
        return nothing if (module, operator) in POPUPS else own(module, operator)

    setattr(operators, name, call if name == "_op_call" else create)
    try:
        yield
    finally:
        setattr(operators, name, own)


class AppView:
    """Stands in for `bpy.app`, of a Blender with a window: without one, many add-ons register nothing."""

    background = False

    def __getattr__(self, name: str) -> Any:
        return getattr(APP, name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(APP, name, value)

    def __dir__(self) -> list[str]:
        return dir(APP)


APP: Final = bpy.app


@contextlib.contextmanager
def as_in_a_window() -> Generator[None, None, None]:
    """Have this Blender say that it has a window."""
    blender: Any = bpy
    blender.app = AppView()
    try:
        yield
    finally:
        blender.app = APP


class InputEvent(types.SimpleNamespace):
    """An event of a mouse or a key in the middle of an editor."""

    def __init__(self, type: str, value: str) -> None:
        places = {f"mouse_{of}{axis}": 100 for of in ("", "region_", "prev_", "prev_press_") for axis in "xy"}
        keys = dict.fromkeys(
            ("shift", "ctrl", "alt", "oskey", "hyper", "is_repeat", "is_tablet", "is_consecutive"), False
        )
        text = {"ascii": "", "unicode": "", "type_prev": "NONE", "value_prev": "NOTHING", "direction": "ANY"}
        super().__init__(
            type=type,
            value=value,
            pressure=1.0,
            tilt=(0.0, 0.0),
            xr=None,
            is_mouse_absolute=False,
            **places,
            **keys,
            **text,
        )


class Window:
    """Takes part of a use of one operator. `then` is its next step: "execute", "modal", or None.

    `layout` checks the names that are drawn; files are written to and read from `folder`.
    """

    def __init__(self, layout: Layout, folder: str, browse: Callable[[Any], None] = lambda _: None) -> None:
        self.view: Any = WindowContext(self)
        self.then: str | None = None
        self.samples: set[str] = set()
        """The paths of the files that it was given to read."""
        self.lacks_file = False
        """True if it was given a file of a format that nobody here can write."""
        self.layout = layout
        self._folder = folder
        self.browse = browse
        """Draws the panels of the file browser for the context of an operator that opened it."""

    def go_through(self, operator: Any, execute: Any) -> Answer:
        """Take an operator from `invoke` to its end, as a user would. `execute` is its own, or None."""
        cls = cast("Any", type(operator))
        answer: Answer
        invoke = getattr(cls, "invoke", None)
        if invoke is None:
            self.give_file(operator)
            answer = execute(operator, self.view)
            return answer
        answer = invoke(operator, self.view, InputEvent("LEFTMOUSE", "PRESS"))
        if self.then == "execute" and "RUNNING_MODAL" in answer and execute:
            answer = execute(operator, self.view)
        if self.then == "modal" and "RUNNING_MODAL" in answer:
            for kind, value in EVENTS:
                answer = operator.modal(self.view, InputEvent(kind, value))
                if answer & {"FINISHED", "CANCELLED"}:
                    break
            else:
                return {"FINISHED"}
        return answer

    def draws(self, operator: Any) -> None:
        """Draw the operator's own dialog."""
        draw: Any = getattr(cast("Any", type(operator)), "draw", None)
        if draw:
            draw(OperatorInDialog(operator, self.layout), self.view)

    def draws_popup(self, draw: Any) -> None:
        """Draw a pop-up of a function's own."""
        draw(types.SimpleNamespace(layout=self.layout), self.view)

    def give_file(self, operator: Any) -> None:
        """Choose a file for an operator that wants one and has none."""
        known = operator.properties.bl_rna.properties
        if "filepath" not in known or operator.filepath:
            return
        ending = ending_of(operator, getattr(operator, "filter_glob", "") or "")
        path = os.path.join(self._folder, f"file{ending}")
        if not writes(operator.bl_idname, known):
            path = own_file(self._folder, ending) or path
            self.lacks_file = not written(path, ending)
            self.samples.add(path)
        operator.filepath = path
        for name, value in (("filename", os.path.basename(path)), ("directory", self._folder + os.sep)):
            if name in known:
                setattr(operator, name, value)
        if "files" in known and hasattr(operator.files, "add") and not operator.files:
            operator.files.add().name = os.path.basename(path)


def writes(idname: str, known: Any) -> bool:
    """True if an operator with these properties writes the file whose path it is given."""
    return "check_existing" in known or "export" in idname.lower()


def ending_of(operator: Any, pattern: str) -> str:
    """The ending of the files that an operator reads or writes, such as `.obj`; empty if it does not say.

    `pattern` is that by which its file browser shows files.
    """
    own = getattr(operator, "filename_ext", "")
    if isinstance(own, str) and own.strip("."):
        return own if own.startswith(".") else f".{own}"
    found = re.search(r"\*(\.\w+)", pattern)
    return found[1] if found else ""


def own_file(folder: str, ending: str) -> str | None:
    """A file of a format that the add-on wrote itself, if there is one; scenes in the folder may be ours."""
    names = [name for name in sorted(os.listdir(folder)) if name.endswith(ending)] if ending.strip(".") else []
    return os.path.join(folder, names[0]) if names and ending != ".blend" else None


def written(path: str, ending: str) -> bool:
    """Write a small file of a format; False if the format is not known here, or this Blender cannot write it.

    A file that is there already stays.
    """
    if os.path.exists(path):
        return True
    if text := TEXTS.get(ending.lower()):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    elif write := WRITERS.get(ending.lower()):
        with contextlib.suppress(Exception):
            write(path)
    return os.path.exists(path)


class OperatorInDialog(StandIn):
    """An operator whose dialog is drawn: its own properties, and a layout."""

    def __init__(self, operator: Any, layout: Layout) -> None:
        cls = cast("Any", type(operator))
        super().__init__(cls, layout)
        self.__dict__["_real"] = operator

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_real"], name)


class WindowContext(ContextView):
    """The context with a window manager that answers in place of a user."""

    def __init__(self, window: Window) -> None:
        super().__init__()
        self.__dict__["window_manager"] = WindowManager(window)


class FileBrowserContext(WindowContext):
    """The context of a file browser that an operator opened."""

    def __init__(self, window: Window, operator: Any) -> None:
        super().__init__(window)
        shown = OperatorInDialog(operator, window.layout)
        # The class that the probe was made from.
        own: Any = type(operator).__mro__[1]
        shown.__dict__.update(bl_idname=own.bl_rna.identifier)
        params = types.SimpleNamespace(filename="", directory=b"", use_filter=False)
        space = types.SimpleNamespace(
            type="FILE_BROWSER", active_operator=shown, operator=shown, params=params, browse_mode="FILES"
        )
        self.__dict__.update(space_data=space, active_operator=shown)


class WindowManager(StandIn):
    """Stands in for Blender's: what opens something on the screen is noted, all else is Blender's own."""

    def __init__(self, window: Window) -> None:
        self.__dict__.update(_window=window, _real=bpy.context.window_manager)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["_real"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__dict__["_real"], name, value)

    def _shown(self, operator: Any, *_: Any, **__: Any) -> Answer:
        self._window.then = "execute"
        self._window.draws(operator)
        return {"RUNNING_MODAL"}

    invoke_props_dialog = invoke_props_popup = invoke_popup = _shown

    def _answered(self, operator: Any, *_: Any, **__: Any) -> Answer:
        self._window.then = "execute"
        return {"RUNNING_MODAL"}

    invoke_confirm = invoke_search_popup = _answered

    def fileselect_add(self, operator: Any) -> None:
        self._window.then = "execute"
        self._window.give_file(operator)
        self._window.browse(FileBrowserContext(self._window, operator))

    def modal_handler_add(self, _operator: Any) -> bool:
        self._window.then = "modal"
        return True

    def _popped_up(self, draw: Any, *_: Any, **__: Any) -> None:
        self._window.draws_popup(draw)

    popup_menu = popover = popup_menu_pie = _popped_up

    def event_timer_add(self, time_step: float, **_: Any) -> Any:
        return types.SimpleNamespace(time_step=time_step, time_delta=time_step, time_duration=time_step)

    def event_timer_remove(self, _timer: Any) -> None:
        return None
