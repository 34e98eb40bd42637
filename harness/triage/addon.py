"""An add-on that the snippet uses and this Blender does not have."""

from __future__ import annotations

import ast
import re
from typing import Final

from harness.triage.editors import ADDON_MODULES, ADDON_OPERATORS, BLENDER_MODULES, OPERATOR_MODULES
from harness.triage.failure import RunFailure
from harness.triage.said import ADDON, own_words

_NO_OPERATOR: Final = re.compile(r'Calling operator "bpy\.ops\.((\w+)\.(\w+))" error, could not be found')
_NOT_LOADED: Final = re.compile(r'Add-on not loaded: "([\w.]+)"')


def missing_addon(failure: RunFailure) -> str | None:
    """The add-on that was missing."""
    operator = _NO_OPERATOR.search(failure.message)
    if operator:
        return _addon_of(failure, operator[1], operator[2])
    loaded = _NOT_LOADED.search(failure.message)
    if loaded:
        return f'add-on "{loaded[1]}"'
    if failure.exception == "KeyError":
        return _enabled(failure)
    if failure.exception == "AttributeError":
        return _enabled_in_vain(failure)
    if failure.exception in {"ModuleNotFoundError", "ImportError"}:
        return _module(failure)
    words = own_words(failure, caught=uses_addon)
    return f'an add-on: it says "{words}"' if words and ADDON.search(words) else None


def uses_addon(tried: list[ast.stmt]) -> bool:
    """True if statements that were tried call an operator, import a module or enable an add-on."""
    nodes = [node for statement in tried for node in ast.walk(statement)]
    imports = any(isinstance(node, ast.Import | ast.ImportFrom) for node in nodes)
    called = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
    return imports or any(name.startswith(("bpy.ops.", "addon_utils.")) for name in called)


def _addon_of(failure: RunFailure, name: str, module: str) -> str | None:
    """The add-on that an operator belongs to, unless the snippet defines operators of this module itself."""
    if re.search(rf"['\"]{module}\.\w+['\"]", failure.place.snippet):
        return None
    for pattern, addon in ADDON_OPERATORS:
        if re.fullmatch(pattern, name):
            return f"the add-on {addon}, to which `bpy.ops.{name}` belongs"
    return None if module in OPERATOR_MODULES else f"the add-on that defines `bpy.ops.{name}`"


def _enabled(failure: RunFailure) -> str | None:
    found = re.search(r'key "(.+)" not found', failure.message)
    if found and any(re.search(r"preferences\.addons\[.+\]$", text) for text in failure.place.texts):
        return f'add-on "{found[1]}"'
    return None


def _enabled_in_vain(failure: RunFailure) -> str | None:
    """An add-on that the snippet enables before the line, and that is not there: Blender says so, or the missing thing
    bears its name.
    """
    missing = re.search(r"object has no attribute '(\w+)'", failure.message)
    attribute = _letters(missing[1]) if missing else ""
    enabled = r"(?:addon_utils\.enable|addon_enable)\(\s*(?:module\s*=\s*)?['\"]([\w.-]+)['\"]"
    for name in re.findall(enabled, failure.place.before()):
        of_others = not BLENDER_MODULES.fullmatch(name) and _letters(name) in attribute
        if of_others or f"No module named '{name}'" in failure.stderr:
            return f'add-on "{name}"'
    return None


def _letters(name: str) -> str:
    return re.sub(r"\W|_", "", name).lower()


def _module(failure: RunFailure) -> str | None:
    found = re.search(r"No module named '([\w.]+)'", failure.message)
    if found is None:
        return None
    name = found[1]
    extension = re.fullmatch(r"bl_ext\.\w+\.(\w+).*", name)
    if extension:
        return f'add-on "{extension[1]}"'
    top = name.partition(".")[0]
    used = re.search(rf"bpy\.ops\.{re.escape(top)}\.", failure.place.snippet)
    of_others = ADDON_MODULES.fullmatch(top) and not BLENDER_MODULES.fullmatch(top)
    return f'add-on "{top}"' if used or of_others else None
