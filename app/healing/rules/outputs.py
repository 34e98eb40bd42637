"""Files that a script writes to folders that are not there or cannot be written: they go to the work folder."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
from app.healing.sight import Sight

_REFUSED: Final = (
    re.compile(r"(?:No such file or directory|Permission denied|Read-only file system): '(?P<path>[^']+)'"),
    re.compile(r"Cannot open file '?(?P<path>[^']+?)@? for writing"),
    re.compile(
        r"(?:Cannot open|Couldn't open|could not be opened|[Cc]ould not write|Unable to save)[^'\n]*'(?P<path>[^']+)'"
    ),
    re.compile(r"could not write (?:image|file):? [^'\n]*'(?P<path>[^']+)'"),
)
_WRITES: Final = re.compile(
    r"\bopen\(.*,\s*(?:mode\s*=\s*)?['\"][rb]?[wax+]|(?:mkdir|makedirs|export|save|write|dump|touch|render)[\w.]*\(",
    re.DOTALL,
)
_TEMPORARY: Final = ("/tmp/", "/var/tmp/")


def output_folders(sight: Sight) -> Iterator[TreeEdit]:
    """`bpy.ops.wm.save_as_mainfile(filepath="/home/me/out/shed.blend")`, `open("out/shed.json", "w")`."""
    path = _refused_path(sight)
    if path is None:
        return
    if path.startswith("/") and not path.startswith(_TEMPORARY):
        yield from _into_work_folder(sight, path)
    elif folder := str(PurePosixPath(path).parent).strip("."):
        yield from _made(sight, folder, f"the folder {folder!r} is made before something is written to it")


def _refused_path(sight: Sight) -> str | None:
    """The path that could not be written, if the exception names it and its line writes."""
    said = sight.trouble.message if sight.trouble else ""
    found = next((match for form in _REFUSED if (match := form.search(said))), None)
    lines = sight.text.split("\n")
    at = lines[sight.trouble.line - 1] if sight.trouble and sight.trouble.line <= len(lines) else ""
    whole = [sight.code(line) for line in sight.all(cst.SimpleStatementLine) if sight.fails_at(line)]
    return found["path"] if found and _WRITES.search("\n".join([at, *whole])) else None


def _into_work_folder(sight: Sight, path: str) -> Iterator[TreeEdit]:
    """The string that the path begins with, relative to the work folder."""
    roots = [text for text in sight.all(cst.SimpleString) if _is_root(text, path)]
    longest = max((len(str(text.evaluated_value)) for text in roots), default=0)
    for text in roots:
        old = str(text.evaluated_value)
        if len(old) < longest:
            continue
        name = PurePosixPath(old).name
        new = f"{name}/" if old.endswith("/") else name
        reason = f"{old!r} cannot be written here: it is written to {new!r} in the work folder"
        yield sight.replace(text, f"{text.quote}{new}{text.quote}", reason)
        if not PurePosixPath(old).suffix and f"{old.rstrip('/')}/" in f"{path}/":
            yield from _made(sight, name, reason)


def _is_root(text: cst.SimpleString, path: str) -> bool:
    """True if a path is this string or begins with it; strings that do not exist in a sandbox only."""
    old = text.evaluated_value
    if not isinstance(old, str) or not old.startswith("/") or len(PurePosixPath(old).parts) < 2:
        return False
    return path.startswith(old.rstrip("/")) or old.startswith(f"{path.rstrip('/')}/")


def _made(sight: Sight, folder: str, reason: str) -> Iterator[TreeEdit]:
    source = f"os.makedirs({folder!r}, exist_ok=True)"
    if source not in sight.text:
        yield TreeEdit(reason, sight.module, opening=f"{source}\n", new_import="import os")


RULES: Final = (
    Rule(
        "output-folders", "files that are written to a folder that is not there, or cannot be written", output_folders
    ),
)
