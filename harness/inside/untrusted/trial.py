"""One registered thing, and the result of its use: an error is no fault if something else was lacking."""

from __future__ import annotations

import contextlib
import errno
import re
import sys
import traceback
import types
from collections.abc import Collection, Generator, Iterator
from dataclasses import dataclass, field
from typing import Any

import bpy

from harness.inside.untrusted.addon import DRAWN
from harness.inside.untrusted.drawing import of_other_data
from harness.inside.untrusted.exceptions import text_of
from harness.inside.untrusted.faults import facts_of
from harness.inside.untrusted.layout import ContextView
from harness.inside.untrusted.overlay import GraphicsCard
from harness.inside.untrusted.situations import Situation

REFUSED, IN_A_WINDOW, RAISED = "not for this scene", "only in a window", "raised"
NOT_ALLOWED = "not in the sandbox"
SHOWN = "shown"
DID_WELL = ("finished", "drawn", "called", SHOWN)
RANKS = (*DID_WELL, RAISED, "cancelled", "reported", NOT_ALLOWED, IN_A_WINDOW, REFUSED)
"""Results, the one that says most first."""
RESULTS = {"CANCELLED": "cancelled", "PASS_THROUGH": "cancelled"}
"""The results of operators in words; all others have finished."""
ENTRY = "entry of "
HANDLER, PROPERTY = " handler", "property"
MOST_PER_OPERATOR = 12
"""Most values of one operator's switches and choices that are tried."""
PROBE, PROBE_CLASS = "blendproof.probe", "BLENDPROOF_OT_probe"
OF_THE_SCREEN = (".poll() failed, context is incorrect", "background mode", "background-mode", "float NaN")
"""Parts of the messages of Blender that want a window: operators, the graphics card, places below the mouse."""
NO_WAY_OUT = (errno.EPERM, errno.EACCES, errno.EROFS, errno.ENETUNREACH, errno.ECONNREFUSED, errno.EAFNOSUPPORT)
NETWORK = ("requests", "urllib", "urllib3", "http", "httpx", "aiohttp", "socket", "ssl", "websockets")
"""Packages whose errors in the sandbox say that it has no network."""
OF_A_WINDOW = re.compile(r"\bcontext\.(area|space_data|region|region_data|screen|window)\b|\btools\.from_space_")
OF_ITS_SIZE = {"ui_scale", "dpi", "pixel_size", "region", "width", "height"}
"""Names of sizes that are 0 before a window was drawn."""


class TooLong(BaseException):
    """Raised in a use that does not end."""


class NeedsMore(Exception):
    """Raised if an operator wants something that only a user can give."""


class WrongName(Exception):
    """Raised if something is drawn by a name that does not exist; `facts` say which."""

    def __init__(self, facts: dict[str, Any]) -> None:
        super().__init__(facts["message"])
        self.facts = facts


@dataclass(eq=False)
class Trial:
    """The use of one thing: `setting` is a value of one of its properties, empty for its defaults."""

    kind: str
    name: str
    thing: Any
    setting: str = ""
    how: str = REFUSED
    problem: dict[str, Any] | None = None
    situation: str = ""
    elsewhere: dict[str, Any] | None = None
    """An error in another situation than that of the result; `situation` is that of the error."""
    usable: list[Situation] = field(default_factory=list[Situation])

    @property
    def what(self) -> str:
        return f"{self.kind} {self.name} {self.setting}".rstrip()

    @property
    def is_prepared(self) -> bool:
        """True if an operator has properties that its caller is to set, such as a name or a number."""
        return self.kind == "Operator" and any(
            known.is_runtime
            and (known.type in ("INT", "STRING", "COLLECTION") or (known.type == "ENUM" and not known.default))
            and known.subtype != "FILE_PATH"
            for known in properties_of(self.thing)
        )

    def note(self, how: str, problem: dict[str, Any] | None, situation: Situation) -> None:
        """Note a result, if it says more than those before; an error says less than a use that did well."""
        if problem:
            problem["message"] = problem["message"].replace(PROBE_CLASS, self.name)
        if self.problem and how in DID_WELL:
            self.how, self.problem, self.elsewhere = how, None, self.problem
        elif how == RAISED and self.how in DID_WELL:
            if self.elsewhere is None:
                self.elsewhere, self.situation = problem, situation.name
        elif not self.situation or rank(how) < rank(self.how):
            self.how, self.problem, self.situation = how, problem, situation.name


def rank(how: str) -> int:
    return RANKS.index(how.partition(":")[0])


def excuse(error: BaseException, view: ContextView, members: Collection[str]) -> str | None:
    """The result if an error is no fault: it lacked a window, data of another kind, or one of the context's `members`;
    otherwise None."""
    if isinstance(error, NeedsMore):
        return REFUSED
    if isinstance(error, OSError) and (
        error.errno in NO_WAY_OUT or type(error).__module__.partition(".")[0] in NETWORK
    ):
        return NOT_ALLOWED
    said = text_of(error)
    frames = traceback.extract_tb(error.__traceback__)
    line = (frames[-1].line or "") if frames else ""
    lacks = "None" in said and (view.__dict__["missed"] or OF_A_WINDOW.search(line + said))
    lacks = lacks or (isinstance(error, ZeroDivisionError) and OF_ITS_SIZE & names_at(error.__traceback__))
    if lacks or GraphicsCard.__name__ in said or any(each in said for each in OF_THE_SCREEN):
        return IN_A_WINDOW
    elsewhere = re.search(r"'Context' object has no attribute '(.+)'", said)
    # A layout may give its buttons members of any name.
    given = elsewhere and (elsewhere[1] in members or not elsewhere[1].isidentifier())
    return REFUSED if of_other_data(said) or given else None


def names_at(trace: types.TracebackType | None) -> set[str]:
    """The names that the function which raised uses."""
    while trace and trace.tb_next:
        trace = trace.tb_next
    code = trace.tb_frame.f_code if trace else None
    return {*code.co_names, *code.co_varnames} if code else set()


def problem_of(error: BaseException, folder: str) -> dict[str, Any]:
    """An error as facts."""
    return error.facts if isinstance(error, WrongName) else facts_of(error, folder)


def settings_of(use: Trial) -> Iterator[Trial]:
    """A use per value of an operator's switches and choices that is not its default."""
    values = [
        (known.identifier, value)
        for known in properties_of(use.thing)
        if known.is_runtime and not known.is_readonly and not known.is_hidden
        for value in other_values(known)
    ]
    for name, value in values[:MOST_PER_OPERATOR]:
        yield Trial(use.kind, use.name, use.thing, f"{name}={value!r}")


def properties_of(cls: Any) -> Any:
    """The properties of a registered operator."""
    return operator_of(cls).get_rna_type().properties


def operator_of(cls: Any) -> Any:
    """The function of a registered operator."""
    space, _, name = cls.bl_idname.replace("_OT_", ".").partition(".")
    operators: Any = getattr(bpy.ops, space.lower())
    return getattr(operators, name)


def other_values(known: Any) -> list[Any]:
    """The values of a switch or a choice without its default; empty for any other property."""
    if known.type == "BOOLEAN" and not known.is_array:
        return [not known.default]
    if known.type == "ENUM" and not known.is_enum_flag:
        return [item.identifier for item in known.enum_items if item.identifier != known.default]
    return []


def value_of(use: Trial) -> dict[str, Any]:
    """The property that a use sets, with its value."""
    name, _, value = use.setting.partition("=")
    return {name: value == "True" if value in ("True", "False") else value[1:-1]} if name else {}


def is_drawn(use: Trial) -> bool:
    return use.kind in DRAWN or use.kind.startswith(ENTRY)


@contextlib.contextmanager
def swallowed() -> Generator[list[BaseException], None, None]:
    """Hear the errors of callbacks, which Blender only prints."""
    errors: list[BaseException] = []
    before = sys.excepthook

    def heard(_kind: Any, error: BaseException, _trace: Any) -> None:
        errors.append(error)

    sys.excepthook = heard
    try:
        yield errors
    finally:
        sys.excepthook = before
