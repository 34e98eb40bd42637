"""The texts of Blender's Text Editor: the open one, a new one for a result, the place of a finding, a diff."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Iterator
from typing import Any, Final

import bpy

LONGEST_NAME: Final = 40


def editors() -> Iterator[Any]:
    """The spaces of all open Text Editors."""
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "TEXT_EDITOR":
                yield area.spaces.active


def open_text(context: Any) -> Any:
    """The text in this Text Editor, otherwise in any that is open; None if there is none."""
    own = context.space_data
    if own is not None and own.type == "TEXT_EDITOR":
        return own.text
    return next((space.text for space in editors() if space.text), None)


def new_text(name: str, content: str) -> Any:
    """A text of its own, shown in the Text Editors that show none."""
    text = bpy.data.texts.new(free_name(name))
    text.from_string(content)
    text.cursor_set(0)
    for space in editors():
        if space.text is None:
            space.text = text
    return text


def free_name(name: str) -> str:
    """The name, with a number before its ending if there is such a text."""
    stem = name.removesuffix(".py")
    numbered = (f"{stem}-{number}.py" for number in itertools.count(2))
    return next(one for one in itertools.chain([f"{stem}.py"], numbered) if one not in bpy.data.texts)


def name_for(title: str) -> str:
    """The name of a text for a request in words."""
    words = re.sub(r"\W+", "-", title.lower()).strip("-")
    return f"{words[:LONGEST_NAME].rstrip('-') or 'snippet'}.py"


def healed_name(name: str) -> str:
    """The name of a text for the healed version of another one."""
    return f"{name.removesuffix('.py')}-healed.py"


def show(text: Any, line: int = 1) -> bool:
    """Show the line of a text, selected, in every open Text Editor; false if there is none."""
    line = min(max(line, 1), len(text.lines))
    text.select_set(line - 1, 0, line - 1, -1)
    shown = False
    for space in editors():
        space.text = text
        space.top = max(line - 1 - space.visible_lines // 2, 0)
        shown = True
    return shown


def diff(old: str, new: str) -> list[str]:
    """The lines of the unified diff of two texts, without its head; empty if they are the same."""
    return list(difflib.unified_diff(old.splitlines(), new.splitlines(), n=2, lineterm=""))[2:]
