"""The arguments of functions that Blender calls itself: methods of registered classes, handlers, callbacks.

The methods stand in the manifest, as functions of the class they override. The rest is written here, as Blender 4.2 and
5.0 call them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from typing import Final

from app.reading.api.schema import Api
from app.reading.api.values import OwnSelf, Plain, Rna, Value
from python.identifiers import dotted_end

CONTEXT: Final = Rna("Context")
_SCENE: Final = Rna("Scene")
_FILE: Final = Plain("str")

_OF_A_SCENE: Final = (
    *("depsgraph_update_pre", "depsgraph_update_post", "frame_change_pre", "frame_change_post", "undo_pre"),
    *("undo_post", "redo_pre", "redo_post", "render_init", "render_pre", "render_post", "render_complete"),
    *("render_cancel", "render_write"),
)
_OF_A_FILE: Final = ("load_pre", "load_post", "load_post_fail", "save_pre", "save_post", "save_post_fail")
_WITH_A_DEPSGRAPH: Final = ("depsgraph_update_post", "frame_change_post")
_HANDLERS: Final[dict[str, tuple[Value, ...]]] = {
    **dict.fromkeys(_OF_A_SCENE, (_SCENE,)),
    **dict.fromkeys(_OF_A_FILE, (_FILE,)),
    **dict.fromkeys(_WITH_A_DEPSGRAPH, (_SCENE, Rna("Depsgraph"))),
}

_HANDLER_ADDED: Final = re.compile(r"(?:^|\.)([a-z]+_[a-z_]+)\.(?:append|insert)$")
_MENU_EXTENDED: Final = re.compile(r"(?:^|\.)\w+_(MT|PT|HT)_\w+\.(?:append|prepend)$")
_POPPED_UP: Final = re.compile(r"\.(?:popup_menu|popover)$")
_MENUS: Final = {"MT": "Menu", "PT": "Panel", "HT": "Header"}

CALLBACKS: Final = frozenset({"update", "get", "set", "items", "poll", "search"})
"""The arguments of `bpy.props` functions that take a function."""


def hook_parameters(api: Api, base: str, name: str) -> Sequence[Value]:
    """The arguments of this method of a class below `base`, after `self`; empty if Blender never calls it."""
    if base == "AddonPreferences" and name == "draw":
        return (CONTEXT,)
    hook = api.rna.hook(base, name)
    return [api.rna.value_of(parameter, base) for parameter in hook.arguments] if hook else ()


def callback_parameters(kind: str, owner: Value, pointed: Value) -> Sequence[Value]:
    """The arguments of the callback of a property of `owner` that points at `pointed`."""
    match kind:
        case "update" | "items":
            return (owner, CONTEXT)
        case "search":
            return (owner, CONTEXT, Plain("str"))
        case "poll":
            return (owner, pointed)
        case _:
            return (owner,)


def added_parameters(function: ast.expr) -> Sequence[Value] | None:
    """The arguments of a function that is given to this one, such as `bpy.app.handlers.load_post.append`."""
    path = dotted_end(function)
    if added := _HANDLER_ADDED.search(path):
        return _HANDLERS.get(added[1])
    if extended := _MENU_EXTENDED.search(path):
        return (OwnSelf(_MENUS[extended[1]]), CONTEXT)
    return (OwnSelf("Menu"), CONTEXT) if _POPPED_UP.search(path) else None
