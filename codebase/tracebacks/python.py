"""Reads the tracebacks of Python in a log: chained, in groups, cut at both ends, indented, with prefixes of loggers.

Works line by line: a frame opens a block or belongs to it, deeper lines are its source, and the name of an exception at
the margin closes it. A report of Blender from inside an operator is a traceback in the message of another error.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Final

from codebase.tracebacks.cleaning import strip_prefix, without
from codebase.tracebacks.error import Error, Frame, Relation
from codebase.tracebacks.frames import FrameMatch, frame_in

MARK: Final = "Traceback (most recent call last)"
NEWEST_FIRST: Final = ("(most recent call first)", "# Python backtrace")
EXCEPTION: Final = re.compile(r"(?P<type>[A-Za-z_][\w.]{0,200})(?:: ?(?P<message>.*))?$")
NAMED_ERROR: Final = re.compile(
    r"(?:\w{1,60}\.){0,8}\w{0,60}(?:Error|Exception|Warning|Interrupt|Exit|Iteration|Group|Expired|Failed|DoesNotExist|NotFound|Timeout)$"
)
MARGIN: Final = 2
CARETS: Final = re.compile(r"[\s~^]+$")
NUMBERED: Final = re.compile(r"(?:-+> ?|❱ ?)?(\d{1,9})(?:\.| │|\s|$)\s?(.*)$")
ARROW: Final = re.compile(r"(?:-{2,}> ?|❱ ?)(\d{1,9})\s(?:│ ?)?(.*?)[\s│]*$")
PYTEST_CODE: Final = re.compile(r">\s{1,20}(\S.*)$")
PYTEST_ERROR: Final = re.compile(r"E\s{1,20}([A-Za-z_][\w.]{0,200})(?:: (.*))?$")
MESSAGE_LINES: Final = 12
CODE_LINES: Final = 12
RELATIONS: Final[tuple[tuple[str, Relation], ...]] = (
    ("was the direct cause of the following exception", "cause"),
    ("another exception occurred:", "context"),
)


@dataclasses.dataclass
class _OpenTraceback:
    """A traceback that is being read."""

    line: int
    relation: Relation
    prefix: str = ""
    frames: list[Frame] = dataclasses.field(default_factory=list[Frame])
    newest_first: bool = False
    code_first: bool = False
    """True if source lines stand before their frame, as pytest prints them."""
    quiet: int = 0
    """Lines since its last frame that belong to nothing."""


class PythonReader:
    """Takes the lines of a log one by one; `errors` are those that are complete after `finish`."""

    def __init__(self) -> None:
        self.errors: list[Error] = []
        self._block: _OpenTraceback | None = None
        self._next: Relation = ""
        self._grouped = 0
        self._open_message = 0
        self._prefix_of_last = ""
        self._code = self._pytest = ""

    def feed(self, number: int, line: str) -> None:
        """Read a line of the log; `number` counts from 1."""
        if MARK in line or any(mark in line for mark in NEWEST_FIRST):
            self._begin(number, line)
            return
        written = frame_in(line) if ".py" in line or 'File "' in line or "Cell In" in line else None
        if written is not None and written.after_code:
            self._by_pytest(number, written)
        elif written is not None:
            self._frame(number, line, written)
        elif self._block is not None:
            self._inside(without(self._block.prefix, line))
        else:
            self._outside(line)

    def finish(self) -> list[Error]:
        """The errors of all lines so far."""
        self._close("", "")
        return self.errors

    def _begin(self, number: int, line: str) -> None:
        """Begin a traceback; one that stands behind an exception is reported from inside it."""
        before = line.partition(MARK)[0]
        match = EXCEPTION.match(strip_prefix(before.strip())) if self._block and self._block.frames else None
        relation: Relation = self._next
        if match and NAMED_ERROR.match(match["type"]) and match["message"] is not None:
            self._close(match["type"], match["message"].removesuffix("Python:").strip().removesuffix("Error:"))
            relation = "inside"
        else:
            self._close("", "")
        if "Exception Group" in before:
            self._grouped = len(self.errors) + 1
        elif self._grouped and before.strip() == "|":
            relation = "part"
        self._next = ""
        newest_first = MARK not in line
        self._block = _OpenTraceback(number, relation, self._prefix(before), newest_first=newest_first)

    @staticmethod
    def _prefix(before: str) -> str:
        """The prefix of every line of a traceback, by the text before its first line."""
        return re.sub(r"(?:\w{0,40}Error: |Python: |\+ Exception Group )+$", "", before)

    def _frame(self, number: int, line: str, written: FrameMatch) -> None:
        if self._block is None or (self._block.quiet > MESSAGE_LINES and self._block.frames):
            self._close("", "")
            self._block = _OpenTraceback(number, self._next)
            self._next = ""
        block = self._block
        block.prefix = line[: max(0, written.column - MARGIN)] if written.column else block.prefix
        block.quiet = 0
        block.frames.append(written.frame)
        self._open_message = 0

    def _inside(self, text: str) -> None:
        """Read a line of a block: source, an exception that closes it, or neither."""
        assert self._block is not None
        stripped = text.strip()
        if not stripped or self._relates(stripped) or self._pytest_line(stripped):
            return
        if self._block.code_first:
            return
        if text.startswith(" " * (MARGIN + 1)) or ARROW.match(stripped) or NUMBERED.match(stripped):
            self._source(text)
            return
        match = EXCEPTION.match(stripped)
        if match and len(text) - len(text.lstrip()) < MARGIN and self._is_exception(match):
            self._close(match["type"], match["message"] or "")
            self._open_message = MESSAGE_LINES
        else:
            self._block.quiet += 1

    def _is_exception(self, match: re.Match[str]) -> bool:
        """True if a line at the margin names the exception, and is no output of another program in between."""
        frames = self._block.frames if self._block else []
        is_named = bool(NAMED_ERROR.match(match["type"])) or match["message"] is not None
        return (
            bool(frames) and is_named and match["type"].lower() not in ("info", "warning", "debug", "note", "location")
        )

    def _source(self, text: str) -> None:
        """Keep a source line, or the carets under it, with the last frame."""
        block = self._block
        if block is None or not block.frames or len(block.frames[-1].code) >= CODE_LINES:
            return
        frame, stripped = block.frames[-1], text.strip()
        if CARETS.fullmatch(stripped):
            block.frames[-1] = add_mark(frame, text)
            return
        arrow = ARROW.match(stripped)
        numbered = NUMBERED.match(stripped)
        if arrow:
            stripped = arrow[2].strip()
            frame = dataclasses.replace(frame, line=frame.line or int(arrow[1]), code=())
        elif numbered and frame.line is None:
            stripped = numbered[2].strip()
            frame = dataclasses.replace(frame, line=int(numbered[1]))
        elif (numbered and "." not in numbered[0]) or stripped.startswith(("[Previous line", "│", "╭", "╰")):
            return
        block.frames[-1] = dataclasses.replace(frame, code=(*frame.code, stripped)) if stripped else frame

    def _outside(self, line: str) -> None:
        """Read a line outside of a block: a relation of errors, the rest of a message, or output of pytest."""
        text = strip_prefix(line).strip()
        if self._relates(text):
            return
        if not self._pytest_line(text) and self._open_message and self.errors:
            # A line with a logger's prefix is the next entry, unless the traceback has such prefixes too.
            self._continue(text if self._prefix_of_last.strip() or strip_prefix(line) == line else "")

    def _pytest_line(self, text: str) -> bool:
        """Keep a source line or an exception that pytest prints."""
        code, error = PYTEST_CODE.match(text), PYTEST_ERROR.match(text)
        if code:
            self._code = code[1]
        elif error and NAMED_ERROR.match(error[1]):
            if self._block and self._block.frames and not self._block.code_first:
                self._close(error[1], error[2] or "")
            else:
                self._pytest = text
        return bool(code or error)

    def _relates(self, text: str) -> bool:
        for words, relation in RELATIONS:
            if words in text:
                self._close("", "")
                self._next, self._open_message = relation, 0
                return True
        return False

    def _continue(self, text: str) -> None:
        """Add a line to the message of the last error, until a blank line."""
        self._open_message -= 1
        if not text or text.startswith(("location:", "Location:", "+---", "|")):
            self._open_message = 0
            return
        last = self.errors[-1]
        self.errors[-1] = dataclasses.replace(last, message=f"{last.message}\n{text}".strip())

    def _by_pytest(self, number: int, written: FrameMatch) -> None:
        """Add a frame whose source stands before it; the last frame is followed by the exception."""
        frame = dataclasses.replace(written.frame, code=(self._code,) if self._code else ())
        match = PYTEST_ERROR.match(self._pytest) if self._pytest else None
        self._code = ""
        if not (written.error or match or frame.code):
            return
        if self._block is None:
            self._block = _OpenTraceback(number, self._next)
        self._block.code_first = True
        self._block.frames.append(frame)
        if written.error:
            self._close(written.error, (match[2] or "") if match else "")
            self._pytest = ""

    def _close(self, name: str, message: str) -> None:
        block, self._block = self._block, None
        if block is None or not (block.frames or name):
            return
        frames: Sequence[Frame] = block.frames[::-1] if block.newest_first else block.frames
        self._prefix_of_last = block.prefix
        short = name.rpartition(".")[2]
        self.errors.append(Error(short, message.strip(), tuple(frames), block.line, block.relation))


def add_mark(frame: Frame, carets: str) -> Frame:
    """A frame with the part of its source above the carets."""
    if not frame.code or frame.marked or "^" not in carets:
        return frame
    # Python prints source and carets behind four spaces.
    start = len(carets) - len(carets.lstrip()) - 2 * MARGIN
    stop = len(carets.rstrip()) - 2 * MARGIN
    return dataclasses.replace(frame, marked=frame.code[-1][max(0, start) : stop].strip())
