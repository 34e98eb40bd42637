"""A missing file or module that the snippet needs."""

from __future__ import annotations

import ast
import re
import sys
from typing import Final

from harness.triage.editors import BLENDER_MODULES, PYTHON_PACKAGES, REMOVED_MODULES
from harness.triage.failure import RunFailure
from harness.triage.said import FILE, own_words
from harness.triage.statement import FailurePlace, quoted

_QUOTED: Final = r"""['"](?P<name>.*?)['"]"""

# Blender's and Python's messages for a missing file.
_UNREADABLE: Final = (
    rf"Cannot read (?:file )?{_QUOTED}: No such file",
    rf"Cannot open file {_QUOTED}",
    rf"Couldn't open file {_QUOTED}",
    rf"[Ff]ile {_QUOTED} could not be opened",
    rf"[Ff]ile {_QUOTED} (?:was )?not found",
    rf"Failed to read blend file {_QUOTED}",
    rf"{_QUOTED}: (?:nothing indicated|not a library|cannot use current file as library)",
    rf"No such file or directory: {_QUOTED}",
    r"load: (?P<name>.*) failed to open blend file",
    r"unable to open stage to read (?P<name>\S+)",
)

# Calls that make files and folders; for `open`, the mode decides.
_WRITES: Final = re.compile(
    r"(?:^|\.)(?:mkdir|makedirs|write_\w+|touch|save\w*|dump|imsave|render|rename|replace|symlink|copy\w*"
    r"|export\w*|\w+_export)$|^bpy\.ops\.(?:export_\w+|wm\.save\w*)\."
)


def missing_file(failure: RunFailure) -> str | None:
    """The file or module that was missing."""
    if failure.exception in {"ModuleNotFoundError", "ImportError"}:
        return _module(failure)
    if failure.exception in {"FileNotFoundError", "OSError", "RuntimeError", "NotADirectoryError"}:
        return _unreadable_file(failure) or _empty_import(failure) or _unsaved(failure) or _own_words(failure)
    return _own_words(failure)


def _module(failure: RunFailure) -> str | None:
    if "attempted relative import" in failure.message:
        return "the other modules of the package that this file belongs to"
    found = re.search(r"No module named '([\w.]+)'", failure.message)
    if found is None:
        return None
    top = found[1].partition(".")[0]
    if top in sys.stdlib_module_names or top in REMOVED_MODULES or BLENDER_MODULES.fullmatch(top):
        return None
    return f'Python package "{top}"' if top in PYTHON_PACKAGES else f'module "{found[1]}"'


def _unreadable_file(failure: RunFailure) -> str | None:
    if any(_is_writing(call, failure.place) for call in failure.place.calls()):
        return None
    for pattern in _UNREADABLE:
        found = re.search(pattern, failure.message)
        if found:
            # In /a/b.blend/Object/Cube, the part after the library's name is a place inside it.
            name = re.sub(r"(\.blend)[/\\].*", r"\1", found["name"])
            return f'file "{name}"' if name else "a file: the path is empty"
    if failure.exception == "FileNotFoundError":
        return failure.message or "a file"
    return None


def _is_writing(call: ast.Call, place: FailurePlace) -> bool:
    name = place.text(call.func)
    if name.rpartition(".")[2] == "open" and not name.startswith("bpy."):
        position = 1 if name in {"open", "io.open", "codecs.open", "gzip.open"} else 0
        return bool(set(_mode(call, position)) & set("wax+"))
    return _WRITES.search(name) is not None


def _mode(call: ast.Call, position: int) -> str:
    given = [keyword.value for keyword in call.keywords if keyword.arg == "mode"] + call.args[position:]
    mode = given[0] if given else None
    return mode.value if isinstance(mode, ast.Constant) and isinstance(mode.value, str) else "r"


def _empty_import(failure: RunFailure) -> str | None:
    """The message of importers that ask for a file but do not name the one they got."""
    if "Please select a file" not in failure.message:
        return None
    for call in failure.place.calls():
        for keyword in call.keywords:
            if keyword.arg == "filepath":
                return f"file {quoted(failure.place.text(keyword.value))}"
    return "a file to import"


def _unsaved(failure: RunFailure) -> str | None:
    if "Unable to save an unsaved file" in failure.message:
        return "a .blend file that was saved: this scene has no path (bpy.data.filepath is empty)"
    empty = re.search(r'not supported in file "\."', failure.message)
    return "a file: the path is empty" if empty else None


def _own_words(failure: RunFailure) -> str | None:
    words = own_words(failure)
    return f'a file: it says "{words}"' if words and FILE.search(words) else None
