"""Contents of a log: errors with their frames, failed requests, and versions."""

from __future__ import annotations

import dataclasses
import re
from typing import Final, Literal

Language = Literal["python", "javascript", "template"]
Relation = Literal["", "cause", "context", "inside", "part"]
"""Relation of an error to the error printed before it: raised from it, raised while it was handled, reported inside it,
or a part of its group."""

NO_FILE: Final = re.compile(r"<[^<>]*>|debugger eval code|native|anonymous|wasm:.*|node:.*|internal/.*|", re.IGNORECASE)
"""Names that stand in place of a path if the code is in no file."""


@dataclasses.dataclass(frozen=True, slots=True)
class Frame:
    """A place in a traceback, with the path of the machine where it happened; the path has slashes."""

    path: str
    line: int | None
    function: str = ""
    code: tuple[str, ...] = ()
    """The source lines that were printed, without spaces at the ends."""
    marked: str = ""
    """The part of the source line under the carets."""
    language: Language = "python"

    @property
    def is_in_file(self) -> bool:
        """True if the frame names a file, and not a console or the interpreter itself."""
        return not NO_FILE.fullmatch(self.path)


@dataclasses.dataclass(frozen=True, slots=True)
class Error:
    """An error in a log; frames are in the order of the calls, the place where it was raised last."""

    type: str
    """The name of the class, without its module; empty if the log was cut before it."""
    message: str
    frames: tuple[Frame, ...]
    line: int
    """The line of the log where it begins, from 1."""
    relation: Relation = ""
    language: Language = "python"

    @property
    def title(self) -> str:
        """Type and first line of the message."""
        first = self.message.partition("\n")[0]
        return f"{self.type or 'an error whose end is missing'}{': ' + first if first else ''}"


@dataclasses.dataclass(frozen=True, slots=True)
class Request:
    """A request that failed, as a log says."""

    method: str
    """Such as POST; empty if the log does not say."""
    path: str
    """The path of the address, without host and query."""
    status: int | None
    says: str
    """The line of the log."""
    line: int


@dataclasses.dataclass(frozen=True, slots=True)
class Log:
    """All that a log says."""

    errors: tuple[Error, ...]
    requests: tuple[Request, ...]
    versions: dict[str, str]
    """By program (blender, django, python), the version that the log names."""
    left_out: int
    """Characters at the beginning that were not read, because the log is too long."""

    @property
    def frames(self) -> tuple[Frame, ...]:
        """The frames of all errors."""
        return tuple(frame for error in self.errors for frame in error.frames)


def slashes(path: str) -> str:
    """A path of any machine with single slashes, without the parts of an address before it."""
    path = re.sub(r"^(?:file|https?|webpack(?:-internal)?|app|vite)://(?:[\w.\-]+(?::\d+)?(?=/))?", "", path)
    path = path.partition("?")[0].partition("#")[0]
    return re.sub(r"[\\/]+", "/", path).replace("/./", "/")
