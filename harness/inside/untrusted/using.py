"""Uses an add-on's registrations as a user would: draws panels and menus, runs operators, calls what Blender calls.

registrations ─> report ─> each situation: draw what is shown there, poll the operators
                        ─> each operator: in situations that its `poll` allows, from `invoke` on, until it finishes
                        ─> each handler, timer and property with a callback
                        ─> each operator that finished: once per value of its switches and choices
                        ─> report of each, with its error

Each begins with the scene as it was. An error counts if it comes twice. Without a window, a lack of one is no fault;
with one, all is shown in it at the end. All reports of this process are claims.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import shutil
import signal
import tempfile
import time
import traceback
import types
from collections.abc import Callable, Collection, Generator, Sequence
from functools import partial
from typing import Any

import bpy

from harness.inside.channel import Channel
from harness.inside.untrusted.acts import Act, call, draw, drawn, poll, run
from harness.inside.untrusted.addon import DRAWN
from harness.inside.untrusted.coverage import Coverage
from harness.inside.untrusted.faults import own_frame
from harness.inside.untrusted.in_window import pictures_of, situation_of, steps_of
from harness.inside.untrusted.layout import ContextView, Drawing, Layout, StandIn
from harness.inside.untrusted.output import flush
from harness.inside.untrusted.overlay import DrawCallbacks
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
from harness.inside.untrusted.trial import (
    ENTRY,
    HANDLER,
    PROPERTY,
    RAISED,
    REFUSED,
    SHOWN,
    TooLong,
    Trial,
    WrongName,
    excuse,
    is_drawn,
    problem_of,
    properties_of,
    settings_of,
    swallowed,
)
from harness.inside.untrusted.window import Window, without_popups, writes
from harness.inside.untrusted.written import WrittenFiles
from harness.protocol import MOST_SETTINGS, MOST_USED, WRITTEN, EventName, RenderLimits

ALL_S = 20.0
SHOWN_S = 60.0
"""Most seconds of computing for all uses, and for all that is shown: drawing takes seconds without a card."""
LATE = 2.0
"""So many times as long they may take on the clock: how busy a machine is says nothing about an add-on."""
ONE_S = 3.0
"""Most seconds on the clock for a single use."""
SHOWN_STUCK_S = 60.0
"""The same until the process is ended, if something is shown."""
STUCK_S = 10.0
"""Seconds after which the process is ended, even if Blender itself does not return."""
MOST_SITUATIONS = 4
"""Most situations that one operator is run in until it finishes."""
MOST_AFTER_ERRORS = 12
"""The same if it raised in each: it may be meant for another kind of object."""
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
RegisteredThing = tuple[str, str, Any]
"""A registration: its kind, its name, and the class or the function with its class."""


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
        kept: str = "",
    ) -> None:
        self.uses = uses
        self._numbers = {use: number for number, use in enumerate(uses)}
        self.allow(ALL_S)
        self.folder = folder
        self._situations = situations
        self._channel = channel
        self._coverage = coverage
        self._start = start
        spaces = {space_of(use) for use in uses if is_drawn(use)} - {PROPERTIES, None}
        self._spaces = spaces or {VIEW}
        self.shown: set[tuple[str, str]] = set()
        """The properties that were drawn in any situation."""
        self.members: set[str] = set()
        """The members of the context in any situation."""
        self._written = WrittenFiles(start, kept, uses) if kept else None
        self._of_files = [use for use in uses if use.kind == "Panel" and space_of(use) == "FILE_BROWSER"]
        if situations is SITUATIONS:
            self._scene = save_rich_scene(start)
        else:
            self._scene = os.path.join(start, "start.blend")
            bpy.ops.wm.save_as_mainfile(filepath=self._scene, copy=True, check_existing=False)
        self._copy = shutil.copy2(self._scene, os.path.join(start, "scene"))

    def use_all(self) -> None:
        """Use all of it; what time is left for is reported."""
        defaults = [use for use in self.uses if not use.setting]
        drawn_now = [use for use in defaults if is_drawn(use) and use not in self._of_files]
        self.draw_and_poll([*drawn_now, *(use for use in defaults if use.kind == "Operator")], self._situations)
        self.report(drawn_now)
        operators = [use for use in defaults if use.kind == "Operator"]
        # An importer reads what the add-on's own exporter wrote.
        self.each(sorted(operators, key=lambda use: not writes(use.name, properties_of(use.thing))), self.operate)
        # Those that no operator showed may be for a file browser that is an editor.
        self.draw_and_poll([use for use in self._of_files if not use.situation], self._situations[:1])
        self.report(self._of_files)
        self.each([use for use in defaults if use.kind.endswith(HANDLER) or use.kind in ("timer", PROPERTY)], self.call)
        well = {use.name: use for use in defaults if use.kind == "Operator" and use.how == "finished"}
        settings = [use for use in self.uses if use.setting]
        for use in (use for use in settings if use.name in well):
            use.usable = [one for one in well[use.name].usable if one.name == well[use.name].situation]
        self.report([use for use in settings if not use.usable])
        self.each([use for use in settings if use.usable], self.operate)

    def allow(self, seconds: float) -> None:
        """Begin a time of so many seconds of computing."""
        self._ends = time.process_time() + seconds, time.monotonic() + LATE * seconds

    def is_over(self) -> bool:
        """True if the time is up."""
        return time.process_time() > self._ends[0] or time.monotonic() > self._ends[1]

    def each(self, uses: Sequence[Trial], act: Callable[[Trial], None]) -> None:
        """Act on each use in turn, and report it."""
        for use in uses:
            if self.is_over():
                break
            self.trying(use)
            act(use)
            self.report([use])

    def trying(self, use: Trial, seconds: float = STUCK_S) -> None:
        """Say which use begins, in case that Blender does not survive it or does not return."""
        self._channel.send(EventName.TRYING, number=self._numbers[use])
        faulthandler.dump_traceback_later(seconds, exit=True, file=2)

    def show(self, pictures: Sequence[Trial]) -> Generator[None, None, None]:
        """Show each in Blender's own window, which is drawn at each step, until the time is up."""
        self.allow(SHOWN_S)
        for use in pictures:
            situation = situation_of(use, self.uses)
            for turn in range(2):
                if situation is None or self.is_over() or not self.entered(situation):
                    break
                self.trying(use, SHOWN_STUCK_S)
                with swallowed() as errors:
                    try:
                        yield from steps_of(use, situation, partial(self.take_picture, use))
                    except Exception as error:
                        errors.append(error)
                if not errors:
                    use.note(SHOWN, None, situation)
                    break
                if excused := excuse(errors[0], ContextView(), self.members):
                    use.note(excused, None, situation)
                    break
                if turn:
                    use.note(RAISED, problem_of(errors[0], self.folder), situation)
            self.report([use])

    def take_picture(self, use: Trial) -> None:
        """Wait until a picture of the window was taken."""
        self._channel.send_saved(str(self._numbers[use]))

    def report(self, uses: Sequence[Trial]) -> None:
        """Report these uses."""
        faulthandler.cancel_dump_traceback_later()
        flush()
        for use in uses:
            facts = {"how": use.how, "problem": use.problem or use.elsewhere, "situation": use.situation}
            self._channel.send(EventName.USED, number=self._numbers[use], prepared=use.is_prepared, **facts)

    def draw_and_poll(self, uses: Sequence[Trial], situations: Sequence[Situation]) -> None:
        """Draw in each situation what is shown there, and note for each operator where it can be used."""
        for situation in situations if uses else ():
            if self.is_over() or not self.entered(situation):
                continue
            # The tabs of the Properties editor have members of their own.
            for shown in (*([] if self.members else [PROPERTIES]), situation.editor):
                with showing(shown):
                    self.members |= set(dir(bpy.context))
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
                use.note(RAISED, problem_of(error, self.folder), situation)

    def layout(self, wrong: list[dict[str, Any]]) -> Layout:
        """A layout that checks names, and adds each wrong one as facts."""

        def note(message: str, frame: types.FrameType | None) -> None:
            frames = [own_frame(entry, self.folder) for entry in traceback.extract_stack(frame, 1)] if frame else []
            wrong.append({"type": "UnknownName", "message": message, "module": None, "frames": frames})

        return Layout(Drawing(self.folder + os.sep, note, self.shown))

    def entered(self, situation: Situation) -> bool:
        """Enter a situation; False if this Blender does not have it."""
        try:
            with self.apart():
                if os.path.getmtime(self._scene) != os.path.getmtime(self._copy):
                    # An operator saved there.
                    shutil.copy2(self._copy, self._scene)
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
                if self._written:
                    self._written.begin()
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
                if self._written and how == "finished" and not use.setting:
                    self._written.keep(self._numbers[use], window.samples)
                return
            except BaseException as error:
                if excused := excuse(error, window.view, self.members):
                    use.note(excused, None, situation)
                    return
                if use.kind == "Menu" and isinstance(error, OF_DATA):
                    use.note(REFUSED, None, situation)
                    return
                if turn:
                    use.note(RAISED, problem_of(error, self.folder), situation)


def use_all(
    registered: Sequence[RegisteredThing],
    folder: str,
    skip: Collection[str],
    channel: Channel,
    coverage: Coverage | None = None,
    timers: Sequence[Any] = (),
    callbacks: DrawCallbacks | None = None,
) -> Generator[None, None, None]:
    """Use what is registered, and report each. `folder` holds the files of the add-on.

    With a `coverage`, all situations and settings are tried and its lines are reported, otherwise the first few. With
    `callbacks`, there is a window, which is drawn at each step.
    """
    things = [Trial(*thing) for thing in registered if thing[0] in DRAWN or thing[0].startswith(ENTRY)]
    things += [Trial(*thing) for thing in registered if thing[0] == "Operator"]
    if coverage:
        things += [Trial(*thing) for thing in registered if thing[0].endswith(HANDLER)]
        things += [Trial("timer", str(getattr(timer, "__name__", "timer")), timer) for timer in dict.fromkeys(timers)]
        things += [Trial(*thing) for thing in registered if thing[0] == PROPERTY]
    things = things[:MOST_USED]
    if coverage:
        settings = [each for use in things if use.kind == "Operator" for each in settings_of(use)]
        things += settings[:MOST_SETTINGS]
    pictures = pictures_of(things, callbacks) if callbacks else []
    things = [use for use in (*things, *pictures) if use.what not in skip]
    channel.send(EventName.USING, names=[[use.kind, use.name, use.setting] for use in things])
    with tempfile.TemporaryDirectory() as start:
        kept = os.path.join(os.path.dirname(folder), WRITTEN) if coverage else ""
        using = Using(things, folder, SITUATIONS if coverage else FEW, start, channel, coverage, kept)
        using.use_all()
        yield from using.show([use for use in pictures if use in things])


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
