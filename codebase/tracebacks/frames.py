"""The forms of one frame: how Python, IPython, pytest, rich, Django and faulthandler write a place in a line."""

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
class Written:
    """A frame as found in a line: `column` is where it begins; `error` is the exception that pytest puts behind it."""

    frame: Frame
    column: int
    error: str = ""
    after_code: bool = False
    """Whether the source line stands before it, as pytest writes it."""


def frame_in(line: str) -> Written | None:
    """The frame that a line holds."""
    column = line.find('File "')
    if column >= 0:
        found = QUOTED.match(line, column)
        return Written(frame_of(found, "function"), column) if found and is_placed(found) else None
    text = line.strip(" │")
    if text.startswith(("File ", "Cell In")):
        found = IPYTHON.match(text)
        if found:
            cell = Frame("<ipython>", int(found["cell"] or 0), found["function"] or "")
            return Written(cell if found["cell"] else frame_of(found, "function"), line.find(text))
    found = PLAIN.match(text) if ".py" in text else None
    if found is None:
        return None
    by_pytest = found["function"] is None and found["rich"] is None
    frame = frame_of(found, "rich" if found["rich"] else "function")
    return Written(frame, line.find(text), found["error"] or "", by_pytest)


def is_placed(found: re.Match[str]) -> bool:
    """Whether it is more than the name of a file."""
    return found["line"] is not None or found["in"] is not None


def frame_of(found: re.Match[str], function: str) -> Frame:
    line = found["line"]
    return Frame(slashes(found["path"]), int(line) if line else None, found[function] or "")
