"""The buttons. Each starts work in a thread and returns at once; none executes what came from the service."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import bpy

from . import asking, scene, texts
from .client import ExtensionProblem
from .state import jobs, shown

DIFF_LINES: Final = 40
Answer = set[str]


class Button(bpy.types.Operator):
    """The common part of the buttons: a problem is shown in the panel and where Blender shows errors."""

    def execute(self, context: Any) -> Answer:
        """Do it."""
        try:
            self.do(context)
        except ExtensionProblem as problem:
            shown.problem = problem
            self.report({"ERROR"}, f"{problem.message} {problem.hint}".strip())
            return {"CANCELLED"}
        return {"FINISHED"}

    def do(self, context: Any) -> None:
        """Do the work of this button. Raises ExtensionProblem."""
        raise NotImplementedError


class Ask(Button):
    bl_idname = "blendproof.ask"
    bl_label = "Ask"
    bl_description = "Ask for a snippet; it lands in a text of its own and is not executed"

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Only if there is a request, and nothing is under way."""
        return bool(context.window_manager.blendproof_request.strip()) and jobs.current is None

    def do(self, context: Any) -> None:
        """Send the request."""
        manager = context.window_manager
        body = {"request": manager.blendproof_request.strip()}
        asking.ask_for_run("/generate", body, on_scene=manager.blendproof_on_scene, done=asking.land_asked)


class Prove(Button):
    bl_idname = "blendproof.prove"
    bl_label = "Prove"
    bl_description = "Have the service run and judge the open text"

    __annotations__ = {"heal": bpy.props.BoolProperty(name="Heal", options={"SKIP_SAVE"})}

    @classmethod
    def description(cls, _context: Any, properties: Any) -> str:
        """The words on the button, with or without healing."""
        healed = "Have the service judge and heal the open text; the result lands in a text of its own"
        return healed if properties.heal else cls.bl_description

    @classmethod
    def poll(cls, context: Any) -> bool:
        """Only if there is a text, and nothing is under way."""
        return texts.open_text(context) is not None and jobs.current is None

    def do(self, context: Any) -> None:
        """Send the text."""
        text = texts.open_text(context)
        sent, content = text.name, text.as_string()
        if not content.strip():
            raise ExtensionProblem(f"The text {sent} is empty.", "Write or open a script first.")
        asking.ask_for_run(
            "/validate",
            {"snippet": content, "heal": self.heal},
            on_scene=context.window_manager.blendproof_on_scene,
            done=lambda run: asking.land_judged(run, sent, content),
        )


class Stop(bpy.types.Operator):
    bl_idname = "blendproof.stop"
    bl_label = "Stop"
    bl_description = "Cancel what is under way"

    def execute(self, _context: Any) -> Answer:
        """Ask the job to stop."""
        if jobs.current:
            jobs.current.stopped.set()
        return {"FINISHED"}


class History(Button):
    bl_idname = "blendproof.history"
    bl_label = "Refresh"
    bl_description = "List the newest runs of the service"

    def do(self, context: Any) -> None:
        """Ask for them."""
        asking.list_runs()


class ShowRun(Button):
    bl_idname = "blendproof.show_run"
    bl_label = "Show"
    bl_description = "Show this run"

    __annotations__ = {"run": bpy.props.StringProperty(name="Run")}

    def do(self, context: Any) -> None:
        """Ask for it."""
        asking.show_run(self.run)


def go_to(button: Any, line: int) -> None:
    """Show a line of the judged snippet, in a text that is made if there is none. Raises ExtensionProblem."""
    text = shown.judged_text()
    if text is None and shown.run is not None:
        asking.land_asked(shown.run)
        text = shown.judged_text()
    if text is None:
        raise ExtensionProblem("This run has no snippet.")
    if not texts.show(text, line):
        button.report({"INFO"}, f"Line {line} of {text.name}: open a Text Editor to see it")


class OpenSnippet(Button):
    bl_idname = "blendproof.open_snippet"
    bl_label = "Open Snippet"
    bl_description = "Show the snippet in the Text Editor, in a text of its own; it is not executed"

    def do(self, context: Any) -> None:
        """Make the text if there is none, and show it."""
        go_to(self, 1)


class Jump(Button):
    bl_idname = "blendproof.jump"
    bl_label = "Go to Finding"

    __annotations__ = {"finding": bpy.props.IntProperty(name="Finding")}

    @classmethod
    def description(cls, _context: Any, properties: Any) -> str:
        """The whole finding, with what to do about it."""
        found = shown.findings[properties.finding : properties.finding + 1]
        return "\n".join(str(one[key]) for one in found for key in ("message", "hint") if one[key])

    def do(self, context: Any) -> None:
        """Show its line, if it has one."""
        for found in shown.findings[self.finding : self.finding + 1]:
            go_to(self, found["line"] or 1)


class Replace(bpy.types.Operator):
    bl_idname = "blendproof.replace"
    bl_label = "Replace Text"
    bl_description = "Replace the text that was sent by the repaired one, after a look at the differences"
    bl_options = {"UNDO"}

    @classmethod
    def poll(cls, _context: Any) -> bool:
        """Only if the text is there and differs."""
        return shown.replaceable() is not None

    def invoke(self, context: Any, _event: Any) -> Answer:
        """Show the differences first."""
        found: Answer = context.window_manager.invoke_props_dialog(self, width=700)
        return found

    def draw(self, _context: Any) -> None:
        """Draw the differences."""
        text, run = shown.replaceable(), shown.run
        if text is None or run is None:
            return
        lines = texts.diff(text.as_string(), run["snippet"])
        column = self.layout.column(align=True)
        column.label(text=f"{text.name}: what is removed (-) and added (+)")
        for line in lines[:DIFF_LINES]:
            column.label(text=line.replace("\t", "    ") or " ")
        if len(lines) > DIFF_LINES:
            column.label(text=f"and {len(lines) - DIFF_LINES} more lines; compare with {shown.text}", icon="INFO")

    def execute(self, _context: Any) -> Answer:
        """Replace it."""
        text, run = shown.replaceable(), shown.run
        if text is None or run is None:
            return {"CANCELLED"}
        text.from_string(run["snippet"])
        shown.text, shown.asked = text.name, ""
        return {"FINISHED"}


class Append(Button):
    bl_idname = "blendproof.append"
    bl_label = "Append Objects"
    bl_description = "Append the objects that the proven snippet made or changed to the active collection"

    @classmethod
    def poll(cls, _context: Any) -> bool:
        """Only for what is proven, and if nothing is under way."""
        return shown.run is not None and shown.run["artifact"] is not None and jobs.current is None

    def invoke(self, context: Any, event: Any) -> Answer:
        """Ask first if Blender would run what the scene brings."""
        if not scene.may_run_scripts():
            return self.execute(context)
        found: Answer = context.window_manager.invoke_props_dialog(self, width=420)
        return found

    def draw(self, _context: Any) -> None:
        """Say what the question is."""
        self.layout.label(text="Auto Run Python Scripts is on: drivers of these objects may run Python.", icon="ERROR")

    def do(self, context: Any) -> None:
        """Fetch and append them."""
        run = shown.run
        if run is None or run["artifact"] is None:
            raise ExtensionProblem("There is nothing proven to append.")
        asking.append_objects(run["artifact"]["id"], context.collection or context.scene.collection)


CLASSES: Final[tuple[Callable[..., Any], ...]] = (
    Ask,
    Prove,
    Stop,
    History,
    ShowRun,
    OpenSnippet,
    Jump,
    Replace,
    Append,
)
