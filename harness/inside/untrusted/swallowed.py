"""Errors that Blender swallows: errors of callbacks, which it prints before it goes on.

Blender prints them with `PyErr_Print`, which calls `sys.excepthook`; prints of the snippet itself do not. So the
hook sees exactly the errors that no code of the snippet has seen.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

from harness.inside.untrusted.hooks import PROPERTY_CALLBACKS, Hooks

MOST_ERRORS = 20
TEXT_LIMIT = 2000
DRIVER = "<bpy driver>"
RAISED_AGAIN = ("execute", "invoke", "modal")
"""Methods of an operator whose errors `bpy.ops` raises again, so that the caller sees them."""

Facts = dict[str, Any]


class SwallowedErrors:
    """The errors that Blender swallowed so far, each place once. `phase` names the work under way."""

    def __init__(self, path: str, hooks: Hooks, facts_of: Callable[[BaseException, str], Facts]) -> None:
        self.errors: list[Facts] = []
        self.phase = "run"
        self._of_driver: BaseException | None = None
        self._path = path
        self._hooks = hooks
        self._facts_of = facts_of

    def listen(self) -> None:
        """Listen from now on to each error that is printed because no code handles it."""
        sys.excepthook = self._caught
        threading.excepthook = self._caught_in_thread

    def take(self) -> list[Facts]:
        """The errors since the last call."""
        errors, self.errors = self.errors, []
        return errors

    def forget_known(self) -> None:
        """Forget the errors so far that the first process has reported: all but those that only marks can name."""
        self.errors = [facts for facts in self.errors if facts.get("refused")]

    def take_driver_error(self) -> BaseException | None:
        """The last error of a driver's expression since the last call; see `invalid_drivers.py`."""
        error, self._of_driver = self._of_driver, None
        return error

    def facts(self, error: BaseException) -> Facts:
        """An error in the form of the snippet's own exception: type, message, line, traceback."""
        facts = self._facts_of(error, self._path)
        return {**facts, "message": facts["message"][:TEXT_LIMIT], "traceback": facts["traceback"][-TEXT_LIMIT:]}

    def note(self, error: BaseException, hook: str, line: int | None = None, *, refused: bool = False) -> None:
        """Note an error of this hook, or count it again. `line` is used if the error has none of its own.

        `refused`: no code raised it, Blender does not take what the hook returned.
        """
        with contextlib.suppress(Exception):
            facts = {**self.facts(error), "hook": hook, "phase": self.phase, "times": 1, "refused": refused}
            facts["line"] = facts["line"] or line
            self.add(facts)

    def add(self, facts: Facts) -> None:
        """Add an error, or count it again."""
        for known in self.errors:
            if all(known[key] == facts[key] for key in ("hook", "line", "type")):
                known["times"] += 1
                return
        if len(self.errors) < MOST_ERRORS:
            self.errors.append(facts)

    def _caught(self, kind: type[BaseException], error: BaseException, trace: types.TracebackType | None) -> None:
        sys.__excepthook__(kind, error, trace)
        with contextlib.suppress(Exception):
            if trace is not None and trace.tb_frame.f_code.co_filename == DRIVER:
                self._of_driver = error
            elif hook := self._hook_of(trace):
                self.note(error if error.__traceback__ else error.with_traceback(trace), hook)
            elif trace is None and (line := self._refused_at(error)):
                self.note(error, self._hooks.kinds[line], line, refused=True)

    def _caught_in_thread(self, arguments: Any) -> None:
        threading.__excepthook__(arguments)
        with contextlib.suppress(Exception):
            if arguments.exc_value is not None and self._is_ours(arguments.exc_traceback):
                self.note(arguments.exc_value, "thread")

    def _hook_of(self, trace: types.TracebackType | None) -> str | None:
        """The callback that raised, in words; None if it is not the snippet's, or the caller gets the error."""
        if trace is None or not self._is_ours(trace):
            return None
        code = trace.tb_frame.f_code
        known = self._hooks.kinds.get(code.co_firstlineno) if code.co_filename == self._path else None
        base = known.partition(" ")[0] if known else base_of(trace.tb_frame.f_locals.get("self"))
        if base == "Operator" and code.co_name in RAISED_AGAIN:
            return None
        return known or f"callback {code.co_name}"

    def _refused_at(self, error: BaseException) -> int | None:
        """The first line of the callback of a property whose answer Blender refuses: then no code stands in the trace.

        It is the function that ran last; the subject of an error of another type without a trace is not known.
        """
        line = max(self._hooks.ran, key=self._hooks.ran.__getitem__, default=0)
        of_property = self._hooks.kinds.get(line, "").partition(" callback")[0] in PROPERTY_CALLBACKS
        return line if of_property and isinstance(error, (TypeError, ValueError)) else None

    def _is_ours(self, trace: types.TracebackType | None) -> bool:
        folder = os.path.dirname(self._path) + os.sep
        while trace is not None:
            if trace.tb_frame.f_code.co_filename.startswith(folder):
                return True
            trace = trace.tb_next
        return False


def base_of(value: Any) -> str:
    """The name of Blender's class that the value's class was made from, if it is an operator."""
    return "Operator" if any(cls.__name__ == "Operator" for cls in type(value).__mro__) else ""
