"""Reads the stacks of JavaScript in a log: Chrome and Node, Firefox and Safari, and the header lines of consoles."""

from __future__ import annotations

import dataclasses
import re
from typing import Final

from codebase.tracebacks.cleaning import strip_prefix
from codebase.tracebacks.error import Error, Frame, slashes

HEADER: Final = re.compile(
    r"(?:Uncaught )?(?:\(in promise\) )?(?:Unhandled \w+ )?"
    r"(?P<type>(?:\w{0,60}Error|DOMException|Error|InternalError|AggregateError))(?: \[\w+\])?:? ?(?P<message>.*)$"
)
NODE_PLACE: Final = re.compile(r"(?P<path>\S.{0,400}\.[cm]?[jt]sx?):(?P<line>\d{1,9})$")
CONSOLE_PLACE: Final = re.compile(
    r"(?P<path>[^\s:()@]{1,300}\.[cm]?[jt]sx?(?:\?[^\s:]{0,200})?):(?P<line>\d{1,9})(?::\d+)?"
)
ALPINE: Final = re.compile(r"Alpine Expression Error: (?P<message>.{1,500})$")
EXPRESSION: Final = re.compile(r'Expression: "(?P<code>.{1,500})"$')
FIREFOX: Final = re.compile(
    r"(?P<function>[^\s:]{1,200}) (?P<path>https?://\S{1,400}?):(?P<line>\d{1,9})(?::\d{1,9})?$"
)
SCRIPT: Final = re.compile(
    r"\.[cm]?[jt]sx?(?:[?#]|$)|^(?:https?|file|webpack|vite)\b|[/\\]|^<|\.html?$|\.vue$|\.svelte$"
)


@dataclasses.dataclass
class _Stack:
    """A stack that is being read, its newest frame first as printed."""

    line: int
    type: str
    message: str
    place: Frame | None = None
    """The place that a console names beside the error."""
    frames: list[Frame] = dataclasses.field(default_factory=list[Frame])


class JavaScriptReader:
    """Takes the lines of a log one by one; `errors` are those that are complete after `finish`."""

    def __init__(self) -> None:
        self.errors: list[Error] = []
        self._stack: _Stack | None = None
        self._place: Frame | None = None

    def feed(self, number: int, line: str) -> None:
        """Read a line of the log; `number` counts from 1."""
        text = strip_prefix(line).strip()
        frame = frame_in(text)
        if frame is None and self._stack is not None:
            frame = frame_in_console(text)
        if frame is not None:
            if self._stack is None:
                self._stack = _Stack(number, "", "")
            self._stack.frames.append(frame)
        if frame is not None or text.startswith("at "):
            return
        place = NODE_PLACE.match(text)
        if place:
            self._place = Frame(slashes(place["path"]), int(place["line"]), language="javascript")
        elif self._place is not None and not self._place.code and text:
            self._place = dataclasses.replace(self._place, code=(text,))
        self._header(number, text)

    def finish(self) -> list[Error]:
        """The errors of all lines so far."""
        self._close()
        return self.errors

    def _header(self, number: int, text: str) -> None:
        """The line that names an error, with a place before it in some consoles."""
        alpine, expression = ALPINE.match(text), EXPRESSION.match(text)
        if alpine:
            self._open(number, "AlpineExpressionError", alpine["message"])
        elif expression and self._stack and self._stack.type == "AlpineExpressionError":
            # The expression is in a template, where its text leads to its place.
            self._stack.frames.append(Frame("", None, "", (expression["code"],), language="template"))
        elif "Error" in text or "DOMException" in text:
            place = CONSOLE_PLACE.match(text)
            header = HEADER.match(text[place.end() :].strip() if place else text)
            uncaught = "Uncaught" in text
            if header and (uncaught or place or header["message"] or text.endswith(header["type"])):
                if place:
                    self._place = Frame(slashes(place["path"]), int(place["line"]), language="javascript")
                self._open(number, header["type"], header["message"])
        elif self._stack and self._stack.frames and text:
            self._close()

    def _open(self, number: int, name: str, message: str) -> None:
        self._close()
        self._stack = _Stack(number, name, message.strip(), self._place)
        self._place = None

    def _close(self) -> None:
        """End a stack; without frames it counts only if the console named a place."""
        stack, self._stack = self._stack, None
        if stack is None:
            return
        place = stack.place
        if place and not any(same_place(frame, place) for frame in stack.frames):
            stack.frames.insert(0, place)
        elif place:
            stack.frames = [
                dataclasses.replace(frame, code=place.code) if same_place(frame, place) else frame
                for frame in stack.frames
            ]
        if stack.frames:
            frames = tuple(reversed(stack.frames))
            self.errors.append(Error(stack.type, stack.message, frames, stack.line, language="javascript"))


def same_place(frame: Frame, other: Frame) -> bool:
    """True if two frames are one place, written with more or less of its path."""
    return frame.line == other.line and frame.path.rpartition("/")[2] == other.path.rpartition("/")[2]


def frame_in(text: str) -> Frame | None:
    """The frame in a line of a stack: `at f (place)`, `at place` or `f@place`."""
    if text.startswith("at "):
        rest = text[3:].removeprefix("async ").removeprefix("new ")
        function, _, place = rest[:-1].rpartition(" (") if rest.endswith(")") else ("", "", rest)
        return frame_at(place, function)
    function, mark, place = text.partition("@")
    if mark and " " not in function.strip() and " " not in place:
        return frame_at(place, function.rpartition("*")[2].strip("</"))
    return None


def frame_in_console(text: str) -> Frame | None:
    """The frame in a line below an error in the console of Firefox: `f http://host/a.js:10`."""
    match = FIREFOX.match(text)
    if match is None:
        return None
    name = match["function"].rpartition("/")[2].rstrip("<")
    return Frame(slashes(match["path"]), int(match["line"]), name, language="javascript")


def frame_at(place: str, function: str) -> Frame | None:
    path, _, column = place.rpartition(":")
    path, _, line = path.rpartition(":")
    if not (line.isdecimal() and column.isdecimal()) or not SCRIPT.search(path) or len(line) > 9:
        return None
    name = function.partition(" [")[0]
    return Frame(slashes(path), int(line), "" if name == "<anonymous>" else name, language="javascript")
