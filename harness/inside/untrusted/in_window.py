"""Shows an add-on in Blender's own window: its panels, what it draws over the view, its menus, its operators at work.

panels of a tab, a menu ────────────────> arrange ─> Blender draws ─> a picture is taken of the display
an operator with a dialog or a `modal` ─> invoke ──> Blender draws ─> the same ─> events, until it ends

What raises meanwhile is reported as that of any other use.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import bpy

from harness.inside.untrusted.addon import registered_classes
from harness.inside.untrusted.overlay import DrawCallbacks
from harness.inside.untrusted.situations import PROPERTIES, SITUATIONS, VIEW, Situation, showing
from harness.inside.untrusted.trial import RAISED, Trial, operator_of, properties_of
from harness.inside.untrusted.window import EVENTS
from harness.protocol import PICTURE

REGIONS: Final = {"UI": "sidebar", "TOOLS": "toolbar", "HEADER": "header", "TOOL_PROPS": "sidebar", "WINDOW": ""}
SHOWN_BY: Final = {"UI": "show_region_ui", "TOOLS": "show_region_toolbar", "TOOL_PROPS": "show_region_tool_props"}
MOST_OF_A_KIND: Final = 8
FROM_EDGE: Final = 10
"""Pixels between the edge of a sidebar and the middle of its tabs."""
ARRANGED: Final = 3
SETTLED: Final = 4
"""Steps in which a region is arranged, and those until it shows that."""
Steps = Generator[None, None, None]
"""Blender draws its window at each step."""


@dataclass(frozen=True)
class PanelsShown:
    """Panels that are shown together: the type of their space and region, and their tab or context."""

    space: str
    region: str
    tab: str
    panels: tuple[Any, ...] = ()

    @property
    def name(self) -> str:
        """Their place in words."""
        space = self.space.replace("_", " ").lower().replace("3d", "3D")
        tab = f"tab {self.tab}" if self.tab and self.space != PROPERTIES else self.tab
        return ", ".join(each for each in (f"{space} {REGIONS[self.region]}".strip(), tab) if each)


def pictures_of(things: Sequence[Trial], callbacks: DrawCallbacks) -> list[Trial]:
    """The uses that show the things that an add-on registered."""
    groups: dict[tuple[str, str, str], list[Any]] = {}
    for cls in (each.thing for each in things if each.kind == "Panel"):
        if cls.bl_region_type in REGIONS and not getattr(cls, "bl_parent_id", ""):
            tab = getattr(cls, "bl_context" if cls.bl_space_type == PROPERTIES else "bl_category", "")
            groups.setdefault((cls.bl_space_type, cls.bl_region_type, tab), []).append(cls)
    panels = [PanelsShown(*key, tuple(panels)) for key, panels in groups.items()]
    if callbacks.added and not any(each.space == VIEW for each in panels):
        panels.append(PanelsShown(VIEW, "WINDOW", ""))
    found = [Trial(PICTURE, each.name, each) for each in panels[:MOST_OF_A_KIND]]
    menus = [each for each in things if each.kind == "Menu"][:MOST_OF_A_KIND]
    acting = [each for each in things if each.kind == "Operator" and is_seen(each.thing)][:MOST_OF_A_KIND]
    return found + [Trial(PICTURE, f"{each.kind} {each.name}", each) for each in (*menus, *acting)]


def is_seen(cls: Any) -> bool:
    """True if an operator has a dialog of its own or goes on in the window; a file browser would be another window."""
    return (hasattr(cls, "draw") or hasattr(cls, "modal")) and "filepath" not in properties_of(cls)


def steps_of(use: Trial, situation: Situation, take: Callable[[], None]) -> Steps:
    """Show it; `take` has a picture taken. Raises the exceptions of the add-on."""
    if isinstance(use.thing, PanelsShown):
        return panels_shown(use.thing, situation, take)
    return acted(use.thing, situation, take)


def situation_of(use: Trial, used: Sequence[Trial]) -> Situation | None:
    """The first situation in which what is shown was used before; None if it was in none."""
    shown = use.thing
    if isinstance(shown, Trial):
        names = [each.name for each in shown.usable] or [shown.situation]
    elif not shown.panels:
        return SITUATIONS[0]
    else:
        names = [each.situation for each in used if each.thing in shown.panels and each.how != RAISED]
    return next((each for each in SITUATIONS if each.name in names), None)


def panels_shown(shown: PanelsShown, situation: Situation, take: Callable[[], None]) -> Steps:
    """Show panels alone in their region."""
    editor = PROPERTIES if shown.space == PROPERTIES else situation.editor
    with put_away(shown):
        # Some of it can be set only after it was drawn, and a region that opens fades in.
        for step in range(ARRANGED + SETTLED):
            with showing(editor):
                if step < ARRANGED:
                    arrange(bpy.context.area, shown)
            yield
        take()


def arrange(area: Any, shown: PanelsShown) -> None:
    """Open the region of panels, at their tab or context."""
    space = area.spaces.active
    if shown.region in SHOWN_BY and hasattr(space, SHOWN_BY[shown.region]):
        setattr(space, SHOWN_BY[shown.region], True)
    with contextlib.suppress(Exception):
        if shown.space == PROPERTIES:
            space.context = shown.tab.upper()
        else:
            region = next(each for each in area.regions if each.type == shown.region)
            if hasattr(region, "active_panel_category"):
                region.active_panel_category = shown.tab
            else:
                # To the last tab: some of Blender's own are no classes, and come first.
                place = region.x + region.width - FROM_EDGE, region.y + region.height - 4 * FROM_EDGE
                press(bpy.context.window, "MOUSEMOVE", "NOTHING", place)
                press(bpy.context.window, "WHEELDOWNMOUSE", "PRESS", place)
    area.tag_redraw()


@contextlib.contextmanager
def put_away(shown: PanelsShown) -> Generator[None, None, None]:
    """Unregister the panels of others in a region: what is shown would be below them, or behind their tabs."""
    packages = {package_of(cls) for cls in shown.panels}

    def is_beside(cls: Any) -> bool:
        place = getattr(cls, "bl_space_type", ""), getattr(cls, "bl_region_type", "")
        is_part = bool(getattr(cls, "bl_parent_id", "")) and package_of(cls) in packages
        own = cls in shown.panels or is_part
        return place == (shown.space, shown.region) and not own

    removed = [cls for kind, cls in registered_classes() if kind == "Panel" and is_beside(cls)] if shown.panels else []
    for cls in removed:
        bpy.utils.unregister_class(cls)
    try:
        yield
    finally:
        for cls in parents_first(removed):
            bpy.utils.register_class(cls)


def parents_first(panels: Sequence[Any]) -> list[Any]:
    """The panels in an order in which Blender registers them."""
    by_name = {getattr(cls, "bl_idname", "") or cls.__name__: cls for cls in panels}

    def depth(cls: Any) -> int:
        parent = by_name.get(getattr(cls, "bl_parent_id", ""))
        return 1 + depth(parent) if parent else 0

    ordered = list(reversed(panels))
    ordered.sort(key=depth)
    return ordered


def acted(use: Trial, situation: Situation, take: Callable[[], None]) -> Steps:
    """Open a menu, or invoke an operator and take it to its end by events."""
    window = bpy.context.window_manager.windows[0]
    with heard(use.thing) as ended:
        with showing(situation.editor):
            area = bpy.context.area
            place = area.x + area.width // 2, area.y + area.height // 2
            press(window, "MOUSEMOVE", "NOTHING", place)
            if use.kind == "Menu":
                bpy.ops.wm.call_menu("INVOKE_DEFAULT", name=menu_name(use.thing))
            else:
                operator_of(use.thing)("INVOKE_DEFAULT")
        for _ in range(3):
            yield
        take()
        for kind, value in EVENTS if use.kind == "Operator" else EVENTS[-2:]:
            if ended:
                break
            press(window, kind, value, place)
            yield


def menu_name(cls: Any) -> str:
    """The name by which Blender knows a menu."""
    return str(getattr(cls, "bl_idname", "") or cls.__name__)


@contextlib.contextmanager
def heard(cls: Any) -> Generator[list[Any], None, None]:
    """Hear the end of a modal operator of this class."""
    ended: list[Any] = []
    own: Any = cls.__dict__
    modal: Callable[..., set[str]] | None = own.get("modal")
    if modal is None:
        yield ended
        return

    def modal_heard(self: Any, context: Any, event: Any) -> Any:
        answer = modal(self, context, event)
        if answer & {"FINISHED", "CANCELLED"}:
            ended.append(answer)
        return answer

    cls.modal = modal_heard
    try:
        yield ended
    finally:
        cls.modal = modal


def package_of(cls: Any) -> str:
    return str(cls.__module__.partition(".")[0])


def press(window: Any, kind: str, value: str, place: tuple[int, int]) -> None:
    """Have Blender take an event of the mouse or a key, unless it does not simulate this kind."""
    with contextlib.suppress(Exception):
        window.event_simulate(type=kind, value=value, x=place[0], y=place[1])
