"""Drivers that Blender cannot evaluate: most of them leave no trace but a flag."""

from __future__ import annotations

import ast
from typing import Any

import bpy

from harness.inside.scene.drivers import all_drivers, place_of
from harness.inside.untrusted.swallowed import SwallowedErrors

MOST_LISTED = 20
Facts = dict[str, Any]


def fault(owner: Any, curve: Any) -> str | None:
    """The fault of the driver as it is written, or None."""
    driver = curve.driver
    if not resolves(owner, curve.data_path):
        return f"{owner.bl_rna.identifier} has no property `{curve.data_path}`"
    if driver.type == "SCRIPTED" and not driver.expression.strip():
        return "its expression is empty"
    if driver.type == "SCRIPTED":
        return syntax_fault(driver.expression)
    return None


def resolves(owner: Any, path: str) -> bool:
    try:
        owner.path_resolve(path)
    except (ValueError, TypeError):
        return False
    return True


def syntax_fault(expression: str) -> str | None:
    try:
        ast.parse(expression.strip(), mode="eval")
    except SyntaxError as error:
        return f"its expression `{expression}` is no Python: {error.msg}"
    except (ValueError, RecursionError, MemoryError):
        return None
    return None


def target_fault(driver: Any) -> str | None:
    """The fault of the variables that a driver reads, or None."""
    for variable in driver.variables:
        for target in variable.targets:
            wrong = None
            if variable.type == "CONTEXT_PROP":
                continue
            if target.id is None:
                wrong = "has no target"
            elif variable.type == "SINGLE_PROP" and not resolves(target.id, target.data_path):
                wrong = f'reads `{target.data_path}`, which {target.id.bl_rna.identifier} "{target.id.name}" lacks'
            elif target.bone_target and target.bone_target not in bones_of(target.id):
                wrong = f'reads the bone "{target.bone_target}", which "{target.id.name}" lacks'
            if wrong:
                return f'its variable "{variable.name}" {wrong}'
    return None


def bones_of(owner: Any) -> Any:
    pose = getattr(owner, "pose", None)
    return pose.bones if pose else ()


def invalid_drivers(before: dict[str, str], swallowed: SwallowedErrors) -> list[Facts]:
    """Evaluate the drivers; answer those that are invalid and were not there before, each with its fault as `wrong`.

    `trusted` is true if it works once Blender is allowed to run Python from files by itself. `line` is the snippet's
    own if a function of it raised; `curve` is the driver's.
    """
    made = [
        (owner, curve)
        for owner, curve in all_drivers()
        if before.get(place_of(owner, curve)) != curve.driver.expression
    ]
    if not made:
        return []
    bpy.context.view_layer.update()
    found: list[Facts] = []
    for owner, curve in made:
        driver = curve.driver
        told: Facts = {"place": place_of(owner, curve), "trusted": False, "line": None, "curve": curve}
        wrong = fault(owner, curve)
        if wrong or not driver.is_valid:
            wrong = wrong or target_fault(driver)
            found.append({**told, "wrong": wrong} if wrong else {**told, **evaluated_alone(driver, swallowed)})
    return found[:MOST_LISTED]


def evaluated_alone(driver: Any, swallowed: SwallowedErrors) -> Facts:
    """The fault of a driver when Python may run by itself, with `trusted` as true if there is none."""
    bpy.context.preferences.filepaths.use_scripts_auto_execute = True
    swallowed.take_driver_error()
    # Set anew, it is compiled anew, and no longer marked as invalid.
    driver.expression = driver.expression
    bpy.context.view_layer.update()
    if driver.is_valid:
        return {"wrong": "it needs Python scripts to run by themselves", "trusted": True}
    error = swallowed.take_driver_error()
    if error is None:
        return {"wrong": "Blender cannot evaluate it"}
    facts = swallowed.facts(error)
    return {"wrong": f"{facts['type']}: {facts['message']}", "line": facts["line"]}
