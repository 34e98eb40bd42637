"""Uses an add-on's registrations as a user would: draws panels and menus, runs operators, calls what Blender calls.

registrations ─> report ─> each situation: draw what is shown there, poll the operators
                        ─> each operator: in situations that its `poll` allows, from `invoke` on, until it finishes
                        ─> each handler, timer and property with a callback
                        ─> each operator that finished: once per value of its switches and choices
                        ─> report of each, with its error

Each begins with the scene as it was. An error counts if it comes twice. There is no window, so a lack of one is no
fault. All reports of this process are claims.
"""

from __future__ import annotations

import contextlib
import errno
import faulthandler
import os
import re
import signal
import sys
import tempfile
import time
import traceback
import types
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import bpy

from harness.inside.channel import Channel
from harness.inside.untrusted.addon import DRAWN
from harness.inside.untrusted.coverage import Coverage
from harness.inside.untrusted.drawing import DRAWING, is_usable, of_other_data, vars_of
from harness.inside.untrusted.exceptions import text_of
from harness.inside.untrusted.faults import facts_of, own_frame
from harness.inside.untrusted.layout import ContextView, Drawing, Layout, StandIn
from harness.inside.untrusted.output import flush
from harness.inside.untrusted.overlay import GraphicsCard
from harness.inside.untrusted.renders import limit_renders
from harness.inside.untrusted.situations import (
    EDITORS,
    FEW,
    PROPERTIES,
    SITUATIONS,
    VIEW,
    Situation,
    enter,
    save_rich_scene,
    showing,
)
from harness.inside.untrusted.window import Window, without_popups
from harness.protocol import MOST_SETTINGS, MOST_USED, EventName, RenderLimits

ALL_S = 20.0
ONE_S = 3.0
"""Most seconds on the clock for all uses, and for a single one."""
STUCK_S = 10.0
"""Seconds after which the process is ended, even if Blender itself does not return."""
MOST_PER_OPERATOR = 12
"""Most values of one operator's switches and choices that are tried."""
MOST_SITUATIONS = 4
"""Most situations that one operator is run in until it finishes."""
MOST_AFTER_ERRORS = 12
"""The same if it raised in each: it may be meant for another kind of object."""
ENTRY = "entry of "
HANDLER, PROPERTY = " handler", "property"
PROBE, PROBE_CLASS = "blendproof.probe", "BLENDPROOF_OT_probe"
OF_THE_SCREEN = (".poll() failed, context is incorrect", "background mode", "background-mode", "float NaN")
"""Parts of the messages of Blender that want a window: operators, the graphics card, places below the mouse."""
NO_WAY_OUT = (errno.EPERM, errno.EACCES, errno.EROFS, errno.ENETUNREACH, errno.ECONNREFUSED, errno.EAFNOSUPPORT)
NETWORK = ("requests", "urllib", "urllib3", "http", "httpx", "aiohttp", "socket", "ssl", "websockets")
"""Packages whose errors in the sandbox say that it has no network."""
OF_A_WINDOW = re.compile(r"\bcontext\.(area|space_data|region|region_data|screen|window)\b")
OF_DATA = (LookupError, ValueError, ArithmeticError, AssertionError, AttributeError)
"""Errors that a menu may raise if it was not opened by the operator that prepares it."""
SPACES = {
    "NODE": "NODE_EDITOR", "IMAGE": "IMAGE_EDITOR", "UV": "IMAGE_EDITOR", "SEQUENCER": "SEQUENCE_EDITOR",
    "TEXT": "TEXT_EDITOR", "GRAPH": "GRAPH_EDITOR", "DOPESHEET": "DOPESHEET_EDITOR", "NLA": "NLA_EDITOR",
    "CLIP": "CLIP_EDITOR", "OUTLINER": "OUTLINER", "FILEBROWSER": "FILE_BROWSER", "CONSOLE": "CONSOLE", "INFO": "INFO",
    "PROPERTIES": PROPERTIES,
}  # fmt: skip
"""The space of a menu of Blender's, by the beginning of its name."""
SPACES_OF_NAMES = {
    "node": "NODE_EDITOR", "sequencer": "SEQUENCE_EDITOR", "uv": "IMAGE_EDITOR", "image": "IMAGE_EDITOR",
    "text": "TEXT_EDITOR", "graph": "GRAPH_EDITOR", "action": "DOPESHEET_EDITOR", "nla": "NLA_EDITOR",
}  # fmt: skip
"""The space that an operator is for, by the beginning of its own name."""
EDIT_MODE = re.compile(r"edit ?mode", re.IGNORECASE)
REFUSED, IN_A_WINDOW, RAISED, NOT_TRIED = "not for this scene", "only in a window", "raised", "not tried"
NOT_ALLOWED = "not in the sandbox"
DID_WELL = ("finished", "drawn", "called")
RANKS = (*DID_WELL, RAISED, "cancelled", "reported", NOT_ALLOWED, IN_A_WINDOW, REFUSED)
"""Results, the one that says most first."""
RESULTS = {"CANCELLED": "cancelled", "PASS_THROUGH": "cancelled"}
"""The results of operators in words; all others have finished."""
RegisteredThing = tuple[str, str, Any]
"""A registration: its kind, its name, and the class or the function with its class."""


class TooLong(BaseException):
    """Raised in a use that does not end."""


@dataclass
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
            known.is_runtime and known.type in ("INT", "STRING", "COLLECTION") and known.subtype != "FILE_PATH"
            for known in properties_of(self.thing)
        )

    def note(self, how: str, problem: dict[str, Any] | None, situation: Situation) -> None:
        """Note a result, if it says more than those before; an error says less than a use that did well."""
        if self.problem and how in DID_WELL:
            self.how, self.problem, self.elsewhere = how, None, self.problem
        elif how == RAISED and self.how in DID_WELL:
            if self.elsewhere is None:
                self.elsewhere, self.situation = problem, situation.name
        elif not self.situation or rank(how) < rank(self.how):
            self.how, self.problem, self.situation = how, problem, situation.name


Act = Callable[[Trial, Window, Situation], str]
"""Does something with a use in a situation, and returns the result. Raises the exceptions of the add-on."""


def rank(how: str) -> int:
    return RANKS.index(how.partition(":")[0])


class Using:
    """The uses of an add-on whose files are in `folder`, in these situations of a `scene`, until the time is up."""

    def __init__(
        self,
        uses: Sequence[Trial],
        folder: str,
        situations: Sequence[Situation],
        start: str,
        channel: Channel,
        coverage: Coverage | None,
    ) -> None:
        self.uses = uses
        self.began = time.monotonic()
        self._folder = folder
        self._situations = situations
        self._channel = channel
        self._coverage = coverage
        self._start = start
        spaces = {space_of(use) for use in uses if is_drawn(use)} - {PROPERTIES, None}
        self._spaces = spaces or {VIEW}
        self._members: set[str] = set()
        """The members of the context in any situation."""
        self._of_files = [use for use in uses if use.kind == "Panel" and space_of(use) == "FILE_BROWSER"]
        if situations is SITUATIONS:
            self._scene = save_rich_scene(start)
        else:
            self._scene = os.path.join(start, "start.blend")
            bpy.ops.wm.save_as_mainfile(filepath=self._scene, copy=True, check_existing=False)

    def use_all(self) -> None:
        """Use all of it; what time is left for is reported."""
        defaults = [use for use in self.uses if not use.setting]
        self.draw_and_poll([use for use in defaults if is_drawn(use) or use.kind == "Operator"])
        self.report([use for use in defaults if is_drawn(use) and use not in self._of_files])
        self.each([use for use in defaults if use.kind == "Operator"], self.operate)
        self.report(self._of_files)
        self.each([use for use in defaults if use.kind.endswith(HANDLER) or use.kind in ("timer", PROPERTY)], self.call)
        well = {use.name: use for use in defaults if use.kind == "Operator" and use.how == "finished"}
        settings = [use for use in self.uses if use.setting]
        for use in (use for use in settings if use.name in well):
            use.usable = [one for one in well[use.name].usable if one.name == well[use.name].situation]
        self.report([use for use in settings if not use.usable])
        self.each([use for use in settings if use.usable], self.operate)

    def is_over(self) -> bool:
        """True if the time for all uses is up."""
        return time.monotonic() - self.began > ALL_S

    def each(self, uses: Sequence[Trial], act: Callable[[Trial], None]) -> None:
        """Act on each use in turn, and report it."""
        for use in uses:
            if self.is_over():
                break
            self.trying(use)
            act(use)
            self.report([use])

    def trying(self, use: Trial) -> None:
        """Say which use begins, in case that Blender does not survive it or does not return."""
        self._channel.send(EventName.TRYING, number=self.uses.index(use))
        faulthandler.dump_traceback_later(STUCK_S, exit=True, file=2)

    def report(self, uses: Sequence[Trial]) -> None:
        """Report these uses."""
        faulthandler.cancel_dump_traceback_later()
        flush()
        for use in uses:
            facts = {"how": use.how, "problem": use.problem or use.elsewhere, "situation": use.situation}
            self._channel.send(EventName.USED, number=self.uses.index(use), prepared=use.is_prepared, **facts)

    def draw_and_poll(self, uses: Sequence[Trial]) -> None:
        """Draw in each situation what is shown there, and note for each operator where it can be used."""
        for situation in self._situations:
            if self.is_over() or not self.entered(situation):
                continue
            with showing(situation.editor):
                self._members |= set(dir(bpy.context))
            for use in uses:
                if self.is_over():
                    break
                editor = editor_of(use, situation)
                if editor is None:
                    continue
                self.trying(use)
                if use.kind == "Operator":
                    self.attempt(use, situation, poll, editor)
                else:
                    self.attempt(use, situation, draw, editor)

    def operate(self, use: Trial) -> None:
        """Run an operator where its `poll` allows it, until it finishes."""
        usable = sorted(use.usable, key=lambda situation: self.distance(use, situation))
        for number, situation in enumerate(usable[:MOST_AFTER_ERRORS]):
            if number >= MOST_SITUATIONS and use.how != RAISED:
                break
            if self.entered(situation):
                self.attempt(use, situation, run, situation.editor, again=True)
            if use.how == "finished":
                break

    def distance(self, use: Trial, situation: Situation) -> int:
        """The distance of a situation from those that an operator is meant for, by its panels and its name."""
        named = SPACES_OF_NAMES.get(getattr(use.thing, "bl_idname", "").partition(".")[0])
        return 2 * (situation.space not in self._spaces) + (named is not None and named != situation.space)

    def call(self, use: Trial) -> None:
        """Call a handler or a timer, or change a property that has a callback."""
        situation = min(self._situations, key=lambda each: each.space not in self._spaces)
        if self.entered(situation):
            self.attempt(use, situation, call, situation.editor)

    def browse(self, view: ContextView, situation: Situation) -> None:
        """Draw the panels of the file browser that an operator opened."""
        for use in self._of_files:
            wrong: list[dict[str, Any]] = []
            try:
                how = drawn(use, StandIn(use.thing, self.layout(wrong)), view)
                if wrong:
                    raise WrongName(wrong[0])
                use.note(how, None, situation)
            except Exception as error:
                use.note(RAISED, problem_of(error, self._folder), situation)

    def layout(self, wrong: list[dict[str, Any]]) -> Layout:
        """A layout that checks names, and adds each wrong one as facts."""

        def note(message: str, frame: types.FrameType | None) -> None:
            frames = [own_frame(entry, self._folder) for entry in traceback.extract_stack(frame, 1)] if frame else []
            wrong.append({"type": "UnknownName", "message": message, "module": None, "frames": frames})

        return Layout(Drawing(self._folder + os.sep, note))

    def entered(self, situation: Situation) -> bool:
        """Enter a situation; False if this Blender does not have it."""
        try:
            with self.apart():
                enter(situation, self._scene)
        except Exception:
            return False
        return True

    @contextlib.contextmanager
    def apart(self) -> Generator[None, None, None]:
        """Our own work, in which no line counts as run by a use."""
        if self._coverage:
            self._coverage.pause()
        try:
            yield
        finally:
            if self._coverage:
                self._coverage.begin()

    def attempt(self, use: Trial, situation: Situation, act: Act, editor: str, again: bool = False) -> None:
        """Note the result of one act in a situation; an error is tried once more, from the same scene if `again`."""
        for turn in range(2):
            wrong: list[dict[str, Any]] = []
            window = Window(self.layout(wrong), self._start, lambda view: self.browse(view, situation))
            try:
                if turn and again and not self.entered(situation):
                    return
                with (
                    limit_renders(RenderLimits()),
                    without_popups(),
                    showing(editor, region_of(use)),
                    limited(ONE_S),
                    swallowed() as errors,
                ):
                    how = act(use, window, situation)
                if errors or wrong:
                    raise errors[0] if errors else WrongName(wrong[0])
                use.note(how, None, situation)
                return
            except BaseException as error:
                if excused := excuse(error, window.view, self._members):
                    use.note(excused, None, situation)
                    return
                if use.kind == "Menu" and isinstance(error, OF_DATA):
                    use.note(REFUSED, None, situation)
                    return
                if turn:
                    use.note(RAISED, problem_of(error, self._folder), situation)


class NeedsMore(Exception):
    """Raised if an operator wants something that only a user can give."""


class WrongName(Exception):
    """Raised if something is drawn by a name that does not exist; `facts` say which."""

    def __init__(self, facts: dict[str, Any]) -> None:
        super().__init__(facts["message"])
        self.facts = facts


def use_all(
    registered: Sequence[RegisteredThing],
    folder: str,
    skip: Collection[str],
    channel: Channel,
    coverage: Coverage | None = None,
    timers: Sequence[Any] = (),
) -> None:
    """Use what is registered, and report each. `folder` holds the files of the add-on.

    With a `coverage`, all situations and settings are tried and its lines are reported, otherwise the first few.
    """
    things = [Trial(*thing) for thing in registered if thing[0] in DRAWN or thing[0].startswith(ENTRY)]
    things += [Trial(*thing) for thing in registered if thing[0] == "Operator"]
    if coverage:
        things += [Trial(*thing) for thing in registered if thing[0].endswith(HANDLER)]
        things += [Trial("timer", str(getattr(timer, "__name__", "timer")), timer) for timer in timers]
        things += [Trial(*thing) for thing in registered if thing[0] == PROPERTY]
    things = things[:MOST_USED]
    if coverage:
        settings = [each for use in things if use.kind == "Operator" for each in settings_of(use)]
        things += settings[:MOST_SETTINGS]
    things = [use for use in things if use.what not in skip]
    channel.send(EventName.USING, names=[[use.kind, use.name, use.setting] for use in things])
    with tempfile.TemporaryDirectory() as start:
        Using(things, folder, SITUATIONS if coverage else FEW, start, channel, coverage).use_all()


def is_drawn(use: Trial) -> bool:
    return use.kind in DRAWN or use.kind.startswith(ENTRY)


def space_of(use: Trial) -> str | None:
    """The type of the space that something is drawn in; None if it does not say."""
    cls = use.thing[0] if use.kind.startswith(ENTRY) else use.thing
    space: str | None = getattr(cls, "bl_space_type", None)
    return space or SPACES.get(use.kind.removeprefix(ENTRY).partition("_")[0])


def editor_of(use: Trial, situation: Situation) -> str | None:
    """The editor to show for a thing in a situation; None if it is not shown there."""
    space = space_of(use)
    if use.kind == "Operator" or space is None or space == situation.space:
        return situation.editor
    if space == PROPERTIES:
        return PROPERTIES if situation.editor == VIEW else None
    known = {each.space for each in SITUATIONS}
    return None if space in known or situation is not SITUATIONS[0] else EDITORS.get(space, space)


def region_of(use: Trial) -> str:
    """The type of the region that a thing is drawn in."""
    return str(getattr(use.thing, "bl_region_type", "WINDOW")) if is_drawn(use) else "WINDOW"


@contextlib.contextmanager
def limited(seconds: float) -> Generator[None, None, None]:
    """Raise TooLong in the block after this many seconds, as soon as Python runs."""

    def ring(_signal: int, _frame: types.FrameType | None) -> None:
        raise TooLong(f"it was still running after {seconds:g} s")

    signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


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
    if lacks or GraphicsCard.__name__ in said or any(each in said for each in OF_THE_SCREEN):
        return IN_A_WINDOW
    elsewhere = re.search(r"'Context' object has no attribute '(\w+)'", said)
    return REFUSED if of_other_data(said) or (elsewhere and elsewhere[1] in members) else None


def problem_of(error: BaseException, folder: str) -> dict[str, Any]:
    """An error as facts."""
    return error.facts if isinstance(error, WrongName) else facts_of(error, folder)


def poll(use: Trial, window: Window, situation: Situation) -> str:
    """Note if an operator can be used here. Raises the exceptions of its `poll`."""
    if is_usable(use.thing, window.view):
        use.usable.append(situation)
    return REFUSED


def draw(use: Trial, window: Window, _situation: Situation) -> str:
    """Draw a panel, menu or header, or a function that was appended to one. Raises its exceptions."""
    if use.kind.startswith(ENTRY):
        cls, function = use.thing
        function(StandIn(cls, window.layout), window.view)
        return "drawn"
    return drawn(use, StandIn(use.thing, window.layout), window.view)


def drawn(use: Trial, stand_in: StandIn, view: ContextView) -> str:
    """Draw a panel, menu or header if its `poll` allows it. Raises its exceptions."""
    if not is_usable(use.thing, view):
        return REFUSED
    for method in (each for each in DRAWING if each in vars_of(use.thing)):
        getattr(stand_in, method)(view)
    return "drawn"


def run(use: Trial, window: Window, _situation: Situation) -> str:
    """Take an operator through a use. Raises its exceptions, and NeedsMore if it lacks what a user would give."""
    try:
        return probed(use, window)
    except Exception as error:
        if window.lacks_file or sets_before(use.thing, error):
            raise NeedsMore from error
        raise


def probed(use: Trial, window: Window) -> str:
    """Run an operator from `invoke` on; returns its result. Raises the exceptions of its methods.

    Without a window Blender calls no `invoke`. So a class of ours that is made from it runs in its place, and takes the
    real operator, with its properties, through what a user would see.
    """
    cls = use.thing
    execute: Any = getattr(cls, "execute", None)
    if execute is None and not hasattr(cls, "invoke"):
        return IN_A_WINDOW
    errors: list[BaseException] = []
    inside: list[Any] = []

    def heard(self: Any, context: Any) -> Any:
        if inside:
            # Its own methods call it too.
            return execute(self, context)
        inside.append(self)
        try:
            return window.go_through(self, execute)
        except BaseException as error:
            errors.append(error)
            return {"CANCELLED"}

    fields = {"bl_idname": PROBE, "execute": heard, "__module__": cls.__module__, "__doc__": cls.__doc__}
    probe: Any = type(PROBE_CLASS, (cls,), fields)
    bpy.utils.register_class(probe)
    try:
        results = bpy.ops.blendproof.probe("EXEC_DEFAULT", **value_of(use))
        result = "FINISHED" if "FINISHED" in results else str(next(iter(results)))
    except RuntimeError as error:
        # It called `self.report({"ERROR"}, ...)`, or Blender refuses what it returned.
        result = f"reported: {' '.join(text_of(error).split())}"
    finally:
        bpy.utils.unregister_class(probe)
    if errors:
        if EDIT_MODE.search(text_of(errors[0])):
            return REFUSED
        raise errors[0]
    said: str = result
    return said if said.startswith("reported") else RESULTS.get(said, "finished")


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
    space, _, name = cls.bl_idname.replace("_OT_", ".").partition(".")
    return getattr(getattr(bpy.ops, space.lower()), name).get_rna_type().properties


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


def sets_before(cls: Any, error: BaseException) -> bool:
    """True if an operator lacks a member of its own that its `invoke` or `modal` sets, which did not come so far."""
    found = re.search(r"'(\w+)' object has no attribute ['\"](\w+)['\"]", text_of(error))
    if found is None or found[1] not in (PROBE_CLASS, *(base.__name__ for base in cls.__mro__)):
        return False
    methods = (vars(base).get(name) for base in cls.__mro__ for name in ("invoke", "modal"))
    return any(found[2] in code.co_names for method in methods if (code := getattr(method, "__code__", None)))


def call(use: Trial, _window: Window, _situation: Situation) -> str:
    """Call a handler or a timer as Blender does, or change the properties below one. Raises their exceptions."""
    if use.kind == "timer":
        use.thing()
    elif use.kind == PROPERTY:
        return changed(*use.thing)
    else:
        _, function = use.thing
        of_files = use.kind.startswith(("load", "save", "version"))
        scene, depsgraph = bpy.context.scene, bpy.context.evaluated_depsgraph_get()
        function("") if of_files else call_with(function, scene, depsgraph)
    return "called"


def call_with(function: Any, *arguments: Any) -> None:
    """Call a handler with as many of the arguments as it takes, as Blender does."""
    code = getattr(function, "__code__", None)
    takes = code.co_argcount - hasattr(function, "__self__") if code and not code.co_flags & 4 else len(arguments)
    function(*arguments[:takes])


def changed(owner: Any, name: str) -> str:
    """Give each property below a registered one another value, so that Blender calls the callbacks of updates."""
    things = {"Scene": bpy.context.scene, "Object": bpy.context.object, "WindowManager": bpy.context.window_manager}
    thing = things.get(owner.__name__)
    if thing is None:
        return REFUSED
    known = owner.bl_rna.properties[name]
    if known.type == "POINTER":
        group = getattr(thing, name)
        inner = [each for each in (group.bl_rna.properties if group else ()) if each.is_runtime]
        pairs = [(group, each) for each in inner]
    else:
        pairs = [(thing, known)]
    for holder, each in pairs:
        change(holder, each)
    return "called"


def change(holder: Any, known: Any) -> None:
    """Give a property another value, if it is a plain one that can be set."""
    if known.is_readonly or getattr(known, "is_array", False):
        return
    if values := other_values(known):
        setattr(holder, known.identifier, values[0])
    elif known.type in ("INT", "FLOAT"):
        value = getattr(holder, known.identifier)
        setattr(holder, known.identifier, value + known.step if value < known.hard_max else known.hard_min)
    elif known.type == "STRING" and known.subtype not in ("FILE_PATH", "DIR_PATH"):
        setattr(holder, known.identifier, "Cube")
