"""A script's own words: it raises, asserts or exits because something is not there."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Final

from harness.triage.failure import RunFailure
from python.flow import blocks

# A message in these words passes on a message of Blender or Python, which may be drift.
_FOREIGN: Final = re.compile(
    r"bpy_prop|bpy_struct|has no attribute|poll\(\)|enum [\"']|unexpected keyword|' object is not|converting py args"
    r"|takes \d+ positional|could not be found",
    re.IGNORECASE,
)
# A handler of any exception may have caught one that is a fault of the script.
_ANY_EXCEPTION: Final = frozenset({"Exception", "BaseException", "AttributeError", "TypeError", "NameError"})
_EXITS: Final = frozenset({"sys.exit", "exit", "quit", "os._exit"})
_LONGEST: Final = 300

_ABSENT: Final = (
    r"(?:not (?:\w+ ){0,2}(?:found|exist|available|set|given|provided|specified|installed|enabled|loaded|present|in\b)"
    r"|n[o']t exist|missing|absent|required|is empty|is none|disabled|invalid path|isn'?t (?:there|installed|enabled))"
)
_SEEK: Final = r"(?:n[o']t find|cannot find|unable to find|failed to find|no such|missing|there (?:is|are) no|no|need)"
_WANT: Final = r"(?:please|must|first|need|require|should|has to|have to|at least|exactly|expected)"

_WINDOW_PARTS: Final = r"(?:view_?3d|3d[ -]?view(?:port)?|viewport|\w+ editor|area|region|window|gui|user interface)\b"
WINDOW: Final = re.compile(
    rf"{_WINDOW_PARTS}.{{0,40}}{_ABSENT}|{_SEEK} (?:\w+ ){{0,2}}{_WINDOW_PARTS}"
    r"|(?:background|headless).{0,40}(?:not|cannot|can't|unsupported)|not .{0,30}in (?:background|headless)",
    re.IGNORECASE,
)
_ARGUMENT: Final = r"(?:arguments?|parameters?|command[- ]line|--\w[\w-]*|environment variable|env var)\b"
ARGUMENTS: Final = re.compile(
    rf"{_ARGUMENT}.{{0,60}}(?:{_ABSENT}|{_WANT})|^usage\b"
    rf"|(?:{_SEEK}|{_WANT}|pass|provide|specify|not enough).{{0,40}}{_ARGUMENT}",
    re.IGNORECASE,
)
_ADDON: Final = r"(?:add-?ons?|plug-?ins?|extensions?)\b"
ADDON: Final = re.compile(
    rf"{_ADDON}.{{0,60}}(?:{_ABSENT}|{_WANT})|(?:install|enable|activate|{_SEEK}|{_WANT}).{{0,40}}{_ADDON}",
    re.IGNORECASE,
)
_FILE: Final = (
    r"(?:files?\b|paths?\b|folders?\b|director(?:y|ies)\b|\.blend\b|textures?\b|assets?\b|packages?\b|librar(?:y|ies)\b"
    r"|modules?\b|\.(?:obj|fbx|csv|json|png|jpe?g|hdr|exr|glb|gltf|stl|ply|txt|svg|wav|mp3|bvh|abc|usd\w?|xml)\b)"
)
FILE: Final = re.compile(
    rf"{_FILE}.{{0,80}}{_ABSENT}|(?:{_SEEK}|provide|specify|set the).{{0,40}}{_FILE}|pip install"
    r"|save (?:the |your |this )?(?:\w+ )?(?:file|scene|\.?blend)|(?:not|never|un)[ -]?saved",
    re.IGNORECASE,
)
_THING: Final = (
    r"(?:objects?|mesh(?:es)?|armatures?|rigs?|bones?|cameras?|lights?|lamps?|curves?|collections?|materials?|selection"
    r"|vertex groups?|vertices|verts?|faces?|edges?|shape ?keys?|keyframes?|modifiers?|node groups?|actions?"
    r"|empt(?:y|ies)|lattices?|metaballs?|grease pencils?|strips?|uv (?:maps?|layers?)|particle systems?|parents?"
    r"|animation|tracks?|text objects?|scenes?|character|model|target|source)\b"
)
SCENE: Final = re.compile(
    rf"{_THING}.{{0,60}}{_ABSENT}|{_SEEK} (?:[\w']+ ){{0,3}}{_THING}|{_WANT}.{{0,40}}\bselect|\bselect.{{0,40}}{_WANT}"
    rf"|\b(?:no|nothing|none|not|isn't)\b.{{0,30}}\b(?:selected|active|selection)\b"
    rf"|^select (?:an?|at|one|two|the|some)\b"
    rf"|(?:active|selected) {_THING}.{{0,30}}(?:{_WANT}|not|isn't)|(?:is not|isn't|not|must be) an? {_THING}"
    r"|(?:in|into|enter|to) (?:edit|object|pose|sculpt|\w+ paint) mode",
    re.IGNORECASE,
)


def own_words(failure: RunFailure, caught: Callable[[list[ast.stmt]], bool] | None = None) -> str | None:
    """The script's own words about the fault, in one line; None if it did not end by its own decision.

    Words about an exception that it caught may hide a fault of its own; `caught` decides by the statements that were
    tried whether to believe them.
    """
    if failure.exception == "RuntimeError" and failure.message.startswith("Error: ") and _calls_own_operator(failure):
        return _one_line(failure.message.removeprefix("Error: "))
    for statement in failure.place.statements:
        if isinstance(statement, ast.Raise | ast.Assert) or _is_exit(failure, statement):
            if _may_hide_a_fault(failure, statement, caught):
                return None
            said = "" if failure.message.lstrip("-").isdigit() else failure.message
            words = said or " ".join(_printed_before(failure, statement))
            return _one_line(words) if words and not _FOREIGN.search(words) else None
    return None


def quoted_names(words: str) -> list[str]:
    """The names that a message puts in quotes."""
    return [name for _, name in re.findall(r"""(['"`])([^'"`]{1,63})\1""", words)]


def _one_line(words: str) -> str:
    return " ".join(words.split())[:_LONGEST]


def _calls_own_operator(failure: RunFailure) -> bool:
    called = [failure.place.text(call.func).removeprefix("bpy.ops.") for call in failure.place.calls()]
    return any(
        re.search(rf"bl_idname\s*(?::\s*str\s*)?=\s*['\"]{re.escape(name)}['\"]", failure.place.snippet)
        for name in called
    )


def _is_exit(failure: RunFailure, statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=function)):
            return failure.exception == "SystemExit" and ast.unparse(function) in _EXITS
        case _:
            return False


def _may_hide_a_fault(
    failure: RunFailure, statement: ast.stmt, believed: Callable[[list[ast.stmt]], bool] | None
) -> bool:
    """True if the statement stands in a handler that may have caught a fault of the script."""
    for node in ast.walk(failure.place.tree):
        if not isinstance(node, ast.Try | ast.TryStar):
            continue
        for handler in node.handlers:
            if any(part is statement for part in ast.walk(handler)):
                caught = (
                    {part.id for part in ast.walk(handler.type) if isinstance(part, ast.Name)}
                    if handler.type
                    else _ANY_EXCEPTION
                )
                return bool(caught & _ANY_EXCEPTION) and not (believed and believed(node.body))
    return False


def _printed_before(failure: RunFailure, statement: ast.stmt) -> Iterator[str]:
    """The texts that the statements before this one, in the same block, print or report."""
    for node in ast.walk(failure.place.tree):
        for body in (block for block in blocks(node) if statement in block):
            for before in body[: body.index(statement)][-3:]:
                if isinstance(before, ast.Expr) and isinstance(before.value, ast.Call):
                    texts = (part.value for part in ast.walk(before) if isinstance(part, ast.Constant))
                    yield from (text for text in texts if isinstance(text, str))
