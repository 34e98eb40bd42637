"""Paths in plain strings that Python misreads, and files that a script writes where it may not.

For paths the text is changed, because a snippet with such a path may have no syntax tree.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.rule import Rule, rule
from app.healing.sight import Sight
from app.verdict.parse import parse_snippet, syntax_tree

_LITERAL: Final = re.compile(r"""([fFuU]?)('''|\"""|'|")(.*)\2""", re.DOTALL)
_FROM_DRIVE: Final = re.compile(r"[C-W]:(?:(?:\\[\w .{}-]{2,}){2,}|\\[\w .{}-]+\.\w{2,5})\\?")
"""A path of two folders or with the ending of a file: `"N:\\tsome text"` is a label and a tab."""
_DOUBLED: Final = re.compile(r"\\[\\'\"\n]")


def heal_paths(text: str) -> tuple[str, list[tuple[int, str]]]:
    """The text with an `r` before each path that Python would misread; and the line of each, with the reason."""
    if "\\" not in text:
        return text, []
    lines, found = text.splitlines(keepends=True), list(_misread(text))
    for line, column, prefix in reversed(found):
        old = lines[line - 1]
        kept = prefix if prefix in "fF" else ""
        lines[line - 1] = f"{old[:column]}r{kept}{old[column + len(prefix) :]}"
    reason = "Python reads a backslash in a plain string as an escape: `r` before the string keeps the path as written"
    return "".join(lines), [(line, reason) for line, _, _ in found]


def _misread(text: str) -> Iterator[tuple[int, int, str]]:
    """Line, column and prefix of each string that holds a path with single backslashes."""
    if len(text.splitlines()) != text.count("\n") + (not text.endswith("\n")):
        return  # characters that end a line for one of them only
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return
    for token in tokens:
        literal = _LITERAL.fullmatch(token.string) if token.type == tokenize.STRING else None
        if literal is None or "\\" not in literal[3] or _DOUBLED.search(literal[3]) or literal[3].endswith("\\"):
            continue
        if _is_broken(token.string) or (_FROM_DRIVE.fullmatch(literal[3]) and _is_changed(literal)):
            yield token.start[0], token.start[1], literal[1]


def _is_broken(literal: str) -> bool:
    """True if Python refuses the string because of an escape."""
    return any("unicodeescape" in finding.message for finding in parse_snippet(literal))


def _is_changed(literal: re.Match[str]) -> bool:
    """True if an escape changes the path, as in `C:\\temp`."""
    if literal[1] in {"f", "F"}:
        return re.search(r"\\[abfnrtvx0-7]", literal[3]) is not None
    tree = syntax_tree(literal[0])
    statement = tree.body[0] if tree else None
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and value.value != literal[3]


def _no_change(_sight: Sight) -> Iterator[TreeEdit]:
    yield from ()


WINDOWS_PATHS: Final = Rule(
    "windows-paths", "`'C:\\Users'` and `'C:\\temp'`: paths in plain strings", _no_change, silent=True
)
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


@rule("files that are written to a folder that is not there, or cannot be written")
def output_folders(sight: Sight) -> Iterator[TreeEdit]:
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
        yield sight.respell(text, new, reason)
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
