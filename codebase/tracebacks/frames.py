"""The forms of one frame: a place in a line as Python, IPython, pytest, rich, Django and faulthandler write it."""

from __future__ import annotations

import dataclasses
import re
from typing import Final

from codebase.tracebacks.error import Frame, slashes

QUOTED: Final = re.compile(
    r'File "(?P<path>[^"]{1,1000})"(?:, line (?P<line>\d{1,9}))?(?P<in>,? in (?P<function>[^\s(]{1,200})[^\n]*)?\s*$'
)
IPYTHON: Final = re.compile(
    r"(?:File (?P<path>[^\s:][^:\n]{0,500}(?::[\\/][^:\n]{1,500})?):(?P<line>\d{1,9})"
    r"|Cell In ?\[\d+\], line (?P<cell>\d{1,9}))"
    r"(?:, in (?P<function>[\w.<>]{1,200})(?:\(.*)?)?$"
)
PLAIN: Final = re.compile(
    r"(?P<path>(?:[A-Za-z]:[\\/])?[^\s:\"'│(]{1,400}\.pyw?):(?P<line>\d{1,9})"
    r"(?:: in (?P<function>[\w.<>]{1,200})|: ?(?P<error>[A-Z]\w{0,100})?| in (?P<rich>[\w.<>]{1,200}))\s*$"
)


@dataclasses.dataclass(frozen=True, slots=True)
class FrameMatch:
    """A frame in a line: `column` is its beginning; `error` is the exception that pytest prints after it."""

    frame: Frame
    column: int
    error: str = ""
    after_code: bool = False
    """True if the source line stands before it, as pytest prints it."""


def frame_in(line: str) -> FrameMatch | None:
    """The frame in a line; None if there is no frame."""
    column = line.find('File "')
    if column >= 0:
        match = QUOTED.match(line, column)
        return FrameMatch(frame_of(match, "function"), column) if match and is_placed(match) else None
    text = line.strip(" │")
    if text.startswith(("File ", "Cell In")):
        match = IPYTHON.match(text)
        if match:
            cell = Frame("<ipython>", int(match["cell"] or 0), match["function"] or "")
            return FrameMatch(cell if match["cell"] else frame_of(match, "function"), line.find(text))
    match = PLAIN.match(text) if ".py" in text else None
    if match is None:
        return None
    by_pytest = match["function"] is None and match["rich"] is None
    frame = frame_of(match, "rich" if match["rich"] else "function")
    return FrameMatch(frame, line.find(text), match["error"] or "", by_pytest)


def is_placed(match: re.Match[str]) -> bool:
    """True if there is more than the name of a file."""
    return match["line"] is not None or match["in"] is not None


def frame_of(match: re.Match[str], function: str) -> Frame:
    line = match["line"]
    return Frame(slashes(match["path"]), int(line) if line else None, match[function] or "")
