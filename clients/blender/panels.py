"""The panels in the sidebar of the Text Editor and of the 3D View. They only draw what `state` holds."""

from __future__ import annotations

import textwrap
from typing import Any, Final

import bpy

from . import scene, texts
from .state import jobs, picture, shown

ICONS: Final = {"proven": "CHECKMARK", "queued": "TIME", "running": "TIME", "error": "CANCEL", "warning": "ERROR"}
FINDINGS_LISTED: Final = 30
PICTURE_SCALE: Final = 9.0
CHARACTER_PX: Final = 6.5


def wrapped(layout: Any, context: Any, text: str, icon: str = "NONE") -> None:
    """A label over as many lines as the width of the sidebar needs."""
    width = context.region.width / context.preferences.system.ui_scale / CHARACTER_PX
    column = layout.column(align=True)
    column.scale_y = 0.75
    for place, line in enumerate(textwrap.wrap(text, max(int(width) - 8, 12)) or [""]):
        column.label(text=line, icon=icon if place == 0 else "BLANK1" if icon != "NONE" else "NONE")


class AskPanel(bpy.types.Panel):
    """The requests, their progress, and what went wrong."""

    bl_label = "Blendproof"

    def draw(self, context: Any) -> None:
        """Draw it."""
        layout, manager = self.layout, context.window_manager
        layout.prop(manager, "blendproof_request", text="", icon="GREASEPENCIL")
        text = texts.open_text(context)
        if jobs.current is None:
            layout.operator("blendproof.ask", icon="PLAY")
            layout.label(text=text.name if text else "No text is open", icon="TEXT")
            row = layout.row(align=True)
            row.operator("blendproof.prove").heal = False
            row.operator("blendproof.prove", text="Heal").heal = True
        else:
            row = layout.row()
            row.label(text=jobs.current.said or "waiting", icon="TIME")
            row.operator("blendproof.stop", text="", icon="X")
        layout.prop(manager, "blendproof_on_scene")
        if manager.blendproof_on_scene:
            draw_scene(layout, context)
        if shown.problem:
            wrapped(layout, context, shown.problem.message, "ERROR")
            wrapped(layout, context, shown.problem.hint)
        if shown.note:
            wrapped(layout, context, shown.note, "INFO")


def draw_scene(layout: Any, context: Any) -> None:
    """Draw the parts of the scene that would not travel with it."""
    if libraries := scene.unpacked_libraries():
        wrapped(layout, context, f"Linked, and must be packed: {', '.join(libraries)}", "ERROR")
        layout.operator("file.make_paths_relative")
        layout.operator("file.pack_libraries")
    if images := scene.unpacked_images():
        wrapped(layout, context, f"Not packed, and will be missing: {', '.join(images)}", "INFO")


class ResultPanel(bpy.types.Panel):
    """The shown run: how it ended, its picture, its findings."""

    bl_label = "Result"

    @classmethod
    def poll(cls, _context: Any) -> bool:
        """Only if there is one."""
        return shown.run is not None

    def draw(self, context: Any) -> None:
        """Draw it."""
        layout, run = self.layout, shown.run
        if run is None:
            return
        proven = run["status"] == "proven"
        said = f"Proven on Blender {run['blender']}" if proven else run["status"].replace("_", " ").capitalize()
        what = shown.text if run["kind"] == "validate" and shown.text else run["title"]
        wrapped(layout, context, f"{said}: {what}", ICONS["proven"] if proven else "CANCEL")
        if proven and not same_series(run["blender"]):
            wrapped(layout, context, f"This is Blender {bpy.app.version_string}: set the Blender to prove on.", "INFO")
        if picture.there:
            layout.template_icon(icon_value=picture.icon, scale=PICTURE_SCALE)
        if run["snippet"] is not None:
            layout.operator("blendproof.open_snippet", icon="TEXT")
        if shown.replaceable():
            layout.operator("blendproof.replace", text=f"Replace {shown.asked}...", icon="FILE_REFRESH")
        if run["artifact"]:
            layout.operator("blendproof.append", icon="APPEND_BLEND")
        draw_findings(layout)


def draw_findings(layout: Any) -> None:
    """The findings; a click jumps to the line, and the tooltip has the whole of it."""
    column = layout.column(align=True)
    for place, finding in enumerate(shown.findings[:FINDINGS_LISTED]):
        line, row = finding["line"], column.row()
        row.alignment = "LEFT"
        said = finding["message"] if line is None else f"{line}: {finding['message']}"
        row.operator("blendproof.jump", text=said, icon=ICONS[finding["severity"]], emboss=False).finding = place
    if len(shown.findings) > FINDINGS_LISTED:
        column.label(text=f"and {len(shown.findings) - FINDINGS_LISTED} more")


def same_series(version: str) -> bool:
    """True if a version is of the series of this Blender."""
    return version.split(".")[:2] == [str(part) for part in bpy.app.version[:2]]


class HistoryPanel(bpy.types.Panel):
    """The newest runs of the service."""

    bl_label = "History"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, _context: Any) -> None:
        """Draw it."""
        layout = self.layout
        layout.operator("blendproof.history", icon="FILE_REFRESH")
        column = layout.column(align=True)
        for run in shown.history:
            icon = ICONS.get(run["status"], "CANCEL")
            row = column.row()
            row.alignment = "LEFT"
            row.operator("blendproof.show_run", text=run["title"], icon=icon, emboss=False).run = run["id"]


def panel(kind: Any, space: str, name: str, parent: str = "") -> Any:
    """The panel of this kind in the sidebar of a space; Blender wants a class for each."""
    fixed = {"bl_space_type": space, "bl_region_type": "UI", "bl_category": "Blendproof", "bl_idname": name}
    return type(name, (kind,), {**fixed, **({"bl_parent_id": parent} if parent else {})})


def panels(space: str, prefix: str) -> tuple[Any, ...]:
    """All panels of a space, the first above the others."""
    top = f"{prefix}_PT_blendproof"
    return (
        panel(AskPanel, space, top),
        panel(ResultPanel, space, f"{prefix}_PT_blendproof_result", top),
        panel(HistoryPanel, space, f"{prefix}_PT_blendproof_history", top),
    )


CLASSES: Final = (*panels("TEXT_EDITOR", "TEXT"), *panels("VIEW_3D", "VIEW3D"))
