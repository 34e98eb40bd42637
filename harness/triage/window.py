"""A window, editor or region that the snippet needs: in background mode there is none."""

from __future__ import annotations

import ast
import re
import signal
from typing import Final

from harness.triage.editors import CONTEXT_IN_WINDOW, EDITOR_OF_MODULE, EDITORS_OF_OPERATORS
from harness.triage.failure import RunFailure
from harness.triage.said import WINDOW, own_words

# The rest of the sentence differs: before Blender 5.2 they are "not available in background mode".
_NO_GPU: Final = "GPU functions for drawing"
_NO_OPENGL: Final = "Cannot use OpenGL render in background mode"
# Tools have their keys only after a window's toolbar was built.
_NO_TOOLBAR: Final = 'WorkSpaceTool.setup(): error with keyword argument "keymap"'

# The messages of poll functions, in any module.
_EDITOR_IN_MESSAGE: Final = (
    (r"expected an? (active )?view3d", "a 3D viewport"),
    (r"expected an active (?P<editor>\w+)", "an active {editor}"),
    (r"expected an? animation area", "a timeline"),
    (r"active region not set", "a region"),
)

# In background mode these do not raise: they kill Blender.
_CRASHES_WITHOUT_WINDOW: Final = (
    r"\.(?:popup_menu|popover|popup_menu_pie|invoke_\w+|modal_handler_add)\(|bpy\.ops\.wm\.(?:call_\w+|search_menu)\("
    r"|\b(?:blf\.draw|gpu\.texture\.from_image|GPUVertFormat|GPUBatch|GPUOffScreen|bgl\.gl\w+)\("
)

_PLACES: Final = r"\.windows|\.areas|\.regions|\.spaces"

# The signal as `subprocess` reports it, and as a shell does.
_CRASHED: Final = frozenset({-signal.SIGSEGV, 128 + signal.SIGSEGV})


def missing_window(failure: RunFailure) -> str | None:
    """The window or the part of one that the run lacked."""
    if _NO_GPU in failure.message:
        return "a window to draw in (gpu)"
    if _NO_OPENGL in failure.message:
        return "a 3D viewport (bpy.ops.render.opengl)"
    if _NO_TOOLBAR in failure.message:
        return "a window with a toolbar"
    return (
        _editor(failure)
        or _context_member(failure)
        or _crash(failure)
        or _old_drawing(failure)
        or _absent_area(failure)
        or _own_words(failure)
    )


def _editor(failure: RunFailure) -> str | None:
    poll = re.search(r"bpy\.ops\.(\w+)\.(\w+)\.poll\(\)(.*)", failure.message)
    if poll is None:
        return None
    module, operator, said = poll.groups()
    editor = EDITOR_OF_MODULE.get(module)
    for pattern, name in EDITORS_OF_OPERATORS:
        if re.fullmatch(pattern, f"{module}.{operator}"):
            editor = name
    for pattern, name in _EDITOR_IN_MESSAGE:
        found = re.search(pattern, said, re.IGNORECASE)
        if found:
            editor = name.format(**found.groupdict())
    return f"{editor} (bpy.ops.{module}.{operator})" if editor else None


def _context_member(failure: RunFailure) -> str | None:
    """A member of the context that exists, or is set, only with a window."""
    named = (
        re.search(r"'Context' object has no attribute '(\w+)'", failure.message),
        *(re.fullmatch(r"bpy\.context\.(\w+)", text) for text in failure.none_texts()),
    )
    for member in named:
        if member and member[1] in CONTEXT_IN_WINDOW:
            return CONTEXT_IN_WINDOW[member[1]]
    return None


def _old_drawing(failure: RunFailure) -> str | None:
    """Calls of `bgl`, whose functions are None without a window; since 5.0 no Blender has it, with a window or not."""
    empty = failure.message == "'NoneType' object is not callable"
    return "a window to draw in (bgl)" if empty and any("bgl." in text for text in failure.place.texts) else None


def _absent_area(failure: RunFailure) -> str | None:
    """A window, area or region that the snippet takes the first of, or that a loop never found."""
    first = re.compile(rf"(?:{_PLACES})\[|\bin [\w.\[\]]*(?:{_PLACES})\b")
    if failure.exception in {"IndexError", "StopIteration"} and any(map(first.search, failure.place.texts)):
        return "a window with an editor in it"
    for name in failure.never_assigned():
        sought = failure.place.sought_in_loop(name)
        if sought and re.search(rf"(?:{_PLACES})$", sought[0]):
            return f"a window with an editor in it for which {sought[1]}"
    return None


def _own_words(failure: RunFailure) -> str | None:
    words = own_words(failure)
    return f'a window: it says "{words}"' if words and WINDOW.search(words) else None


def _crash(failure: RunFailure) -> str | None:
    if failure.exit_code not in _CRASHED:
        return None
    called = "\n".join(f"{ast.unparse(call.func)}(" for call in failure.place.calls())
    culprit = re.search(_CRASHES_WITHOUT_WINDOW, called)
    return f"a window ({culprit[0].strip('.(')})" if culprit else None
