"""Windows paths in plain strings, of which Python misreads `\\U`, `\\t` and their like.

The text is changed, because a snippet with such a path may have no syntax tree.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from typing import Final

from app.healing.edits import TreeEdit
from app.healing.rule import Rule
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
RULES: Final = (WINDOWS_PATHS,)
