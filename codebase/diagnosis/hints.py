"""Names in the message of an error: the missing attribute, key or name, its owner, the function that was called; and
the usual meaning of such an error."""

from __future__ import annotations

import dataclasses
import functools
import re
import tomllib
from pathlib import Path
from typing import Final

from codebase.tracebacks.error import Error, Request

MEANINGS: Final = Path(__file__).with_name("meanings.toml")
MESSAGE: Final = 2000
ATTRIBUTE: Final = re.compile(
    r"(?:type object )?'(?P<owner>[\w.]+)'(?: object)? has no attribute '(?P<name>\w+)'"
    r"|module '(?P<module>[\w.]+)' has no attribute '(?P<member>\w+)'"
    r"|(?P<struct>\w+): attribute \"(?P<field>\w+)\" not found"
    r"|bpy_struct: item\.attr = val: (?P<read>\w+)"
)
CALL: Final = re.compile(r"\b(?P<name>[A-Za-z_][\w.]{0,100})\(\) (?:takes|got|missing|argument|keyword|required)")
IMPORT: Final = re.compile(
    r"cannot import name '(?P<name>\w+)' from (?:partially initialized module )?'(?P<module>[\w.]+)'"
)
MODULE: Final = re.compile(r"No module named '(?P<module>[\w.]+)'")
JS_OF: Final = re.compile(
    r"\(reading '(?P<name>\w+)'\)|\b(?P<called>[\w.$]{1,100}) is (?:not a function|undefined|not defined|null)"
)
ARGUMENT: Final = re.compile(r"argument:? '(?P<name>\w+)'")
QUOTED: Final = re.compile(r"['\"`]([A-Za-z_][\w.\-/]{1,100})['\"`]")
KEY: Final = re.compile(r"key \"([^\"]{1,200})\" not found")
CLASS: Final = re.compile(r"\b[A-Z]\w*[a-z]\w{1,60}\b")
SUGGESTED: Final = re.compile(r"Did you mean: '(?:\w+\.)?(\w+)'")
OPERATOR: Final = re.compile(r"bpy\.ops\.(?P<name>\w+\.\w+)")


@dataclasses.dataclass(frozen=True)
class Hint:
    """The names in a message; empty if it has none of the kind."""

    names: tuple[str, ...]
    """Everything in quotes that can be a name."""
    owner: str = ""
    """The class or module that lacks something."""
    missing: str = ""
    """The attribute, key, argument or name that is missing."""
    called: str = ""
    """The function whose call was refused."""
    operator: str = ""
    """An operator of Blender, such as `object.mode_set`."""
    suggested: str = ""
    """The name that Python itself suggests."""
    words: tuple[str, ...] = ()
    """Words that are written like classes."""
    is_none: bool = False
    """True if a value is None that should be something else."""


def hint_of(error: Error) -> Hint:
    """The names in the message of an error."""
    message = error.message[:MESSAGE]
    names = tuple(dict.fromkeys(QUOTED.findall(message)))[:12]
    call, operator = CALL.search(message), OPERATOR.search(message)
    owner, missing = owner_and_name(message)
    key = KEY.search(message)
    if not missing and error.type == "KeyError":
        missing = key[1] if key else message.strip("'\"")
    suggested = SUGGESTED.search(message)
    argument = ARGUMENT.search(message)
    return Hint(
        names,
        owner.rpartition(".")[2],
        missing or (argument["name"] if argument else ""),
        call["name"].rpartition(".")[2] if call else "",
        operator["name"] if operator else "",
        suggested[1] if suggested else "",
        tuple(dict.fromkeys(word for word in CLASS.findall(message) if word != owner))[:6],
        "NoneType" in message or "null" in message or "undefined" in message,
    )


def owner_and_name(message: str) -> tuple[str, str]:
    """The owner that lacks something, and the missing name."""
    match = ATTRIBUTE.search(message)
    if match:
        owner = match["owner"] or match["module"] or match["struct"] or ""
        return owner, match["name"] or match["member"] or match["field"] or match["read"] or ""
    match = IMPORT.search(message)
    if match:
        return match["module"], match["name"]
    match = MODULE.search(message)
    if match:
        return match["module"], ""
    match = JS_OF.search(message)
    if match:
        return "", (match["name"] or match["called"] or "").rpartition(".")[2]
    if message.startswith(("name '", "local variable '", "cannot access local variable '", "free variable '")):
        return "", QUOTED.findall(message)[0] if QUOTED.search(message) else ""
    return "", ""


@dataclasses.dataclass(frozen=True)
class UsualMeaning:
    """The usual meaning of an error: an entry of `meanings.toml`."""

    type: str
    says: str
    message: str = ""
    status: int = 0

    @functools.cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(self.message)


@functools.cache
def meanings() -> tuple[UsualMeaning, ...]:
    """The entries of `meanings.toml`, the particular ones first."""
    rows = tomllib.loads(MEANINGS.read_text(encoding="utf-8"))["meaning"]
    return tuple(sorted((UsualMeaning(**row) for row in rows), key=lambda meaning: not meaning.message))


def meaning_of(error: Error) -> str:
    """The usual meaning of an error; empty if the table has none."""
    message = error.message[:MESSAGE]
    fitting = (meaning for meaning in meanings() if meaning.type == error.type and meaning.pattern.search(message))
    return next((meaning.says for meaning in fitting), "")


def meaning_of_request(request: Request) -> str:
    """The usual meaning of a failed request; empty if the table has none."""
    fitting = (
        meaning for meaning in meanings() if meaning.status == request.status and meaning.pattern.search(request.says)
    )
    return next((meaning.says for meaning in fitting), "")
