"""The judge of syntax: does the snippet parse as the Python that Blender runs?

It also compiles, so that `return` outside a function is reported here and not only by Blender. It executes
nothing of the snippet.
"""

from __future__ import annotations

import ast
import re
from typing import Final

from app.verdict.verdict import Finding, Severity
from python.parsing import parse_python, quietly

PYTHON: Final = (3, 11)
"""The Python of Blender 4.2 to 5.0: newer syntax fails there. Syntax that an older Blender's Python lacks fails at run
time; newer Blenders accept all of it."""

# Python reports nesting beyond its own stacks in several ways, some of them plain syntax errors.
_TOO_DEEP: Final = ("too many nested", "too many levels of indentation", "too many statically nested")

_SYNTAX_HINT: Final = (
    "Correct the line, or the bracket, quote or indentation just before it. Scripts are read as "
    f"Python {PYTHON[0]}.{PYTHON[1]}, even for a Blender with a newer one."
)
_ESCAPE_HINT: Final = (
    r"A backslash begins an escape, such as \U or \N, also in the path of a file. Put r before the string, "
    r'as in r"C:\Users\me", or write / instead: "C:/Users/me".'
)


def parse_snippet(snippet: str) -> list[Finding]:
    """The findings of the parse check: none if the snippet compiles, otherwise exactly one error.

    Codes: `syntax-error`, `too-deep`, `null-byte`, `bad-character`. Never raises and never warns.
    """
    read = read_snippet(snippet)
    return [read] if isinstance(read, Finding) else []


def syntax_tree(snippet: str) -> ast.Module | None:
    """The syntax tree of a snippet that passes `parse_snippet`, or None for one that does not."""
    read = read_snippet(snippet)
    return None if isinstance(read, Finding) else read


def python_lines(text: str) -> list[str]:
    """The lines of a text as Python counts them: unlike in `splitlines`, a form feed or U+2028 does not end one."""
    lines = re.split(r"\r\n|\r|\n", text)
    return lines if lines[-1] else lines[:-1]


def character_column(snippet_lines: list[str], line: int, byte_offset: int) -> int:
    """The 1-based column in characters of a place that `ast` reports as a 0-based offset in UTF-8 bytes."""
    before = snippet_lines[line - 1].encode(errors="replace")[:byte_offset]
    return len(before.decode(errors="replace")) + 1


def read_snippet(snippet: str) -> ast.Module | Finding:
    """The syntax tree of a snippet, or the finding of the parse check. Never raises and never warns."""
    if "\0" in snippet:
        return _null_byte(snippet)
    tree = None
    try:
        tree = parse_python(snippet, "<snippet>", feature_version=PYTHON)
        with quietly():
            compile(tree, "<snippet>", "exec", dont_inherit=True)
    except SyntaxError as error:
        return _syntax_error(error, python_lines(snippet) if tree else None)
    except (RecursionError, MemoryError):
        return _too_deep(None, None)
    except ValueError as error:
        return _error(
            "bad-character",
            f"The snippet cannot be written as UTF-8: {error}",
            "Remove the half of a surrogate pair, usually left behind by a broken copy of an emoji.",
        )
    return tree


def _syntax_error(error: SyntaxError, compiled: list[str] | None) -> Finding:
    message = error.msg or "invalid syntax"
    column = error.offset if error.offset and error.offset > 0 else None
    if column and compiled and error.lineno:
        # Unlike the parser, the compiler counts bytes.
        column = character_column(compiled, error.lineno, column - 1)
    if message.startswith(_TOO_DEEP):
        return _too_deep(error.lineno, column)
    hint = _ESCAPE_HINT if "'unicodeescape'" in message else _SYNTAX_HINT
    return _error("syntax-error", f"This is not Python {PYTHON[0]}.{PYTHON[1]}: {message}", hint, error.lineno, column)


def _too_deep(line: int | None, column: int | None) -> Finding:
    return _error(
        "too-deep",
        "The snippet nests expressions or blocks deeper than Python can compile.",
        "Build the value step by step, in a loop or from a list, instead of in one nested expression.",
        line,
        column,
    )


def _null_byte(snippet: str) -> Finding:
    before = snippet[: snippet.index("\0")]
    return _error(
        "null-byte",
        "The snippet contains a NUL byte, which Python refuses to read.",
        "Send the source as UTF-8 text; a NUL usually means UTF-16 or a binary file.",
        before.count("\n") + 1,
        len(before) - (before.rfind("\n") + 1) + 1,
    )


def _error(code: str, message: str, hint: str, line: int | None = None, column: int | None = None) -> Finding:
    return Finding(
        check="parse",
        code=code,
        severity=Severity.ERROR,
        message=message,
        line=line,
        column=column,
        hint=hint,
    )
