"""`bpy.utils.register_module`, which registered every class of a module or of a whole add-on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.package import AddonPackage, DefinedClass, facts_of
from app.healing.rule import Rule
from app.healing.rules.classes import MIXED_IN, REGISTERED, registered_classes
from app.healing.sight import Sight

_OF_MODULES: Final = frozenset({"bpy.utils.register_module", "bpy.utils.unregister_module"})
_LISTED: Final = "addon_classes"
_ALL: Final = "the classes are registered one by one since 2.80, those of the other modules too"


def register_module(sight: Sight) -> Iterator[TreeEdit]:
    """In the `__init__` of an add-on it registered the classes of all modules below that."""
    others = _classes_below(sight)
    spread = sight.package is not None and bool(others.keys() - {sight.package.module})
    done = False
    for call in sight.all(cst.Call):
        source, statement = sight.code(call.func), sight.alone(call)
        if source not in _OF_MODULES or statement is None or sight.is_guarded(call):
            continue
        new = _for_all(sight, call) if spread else _one_by_one(sight, call)
        if new:
            done = True
            yield sight.instead(statement, *new, reason=f"`{source}` is gone since 2.80")
    if done and spread and sight.package:
        yield TreeEdit(_ALL, sight.module, closing=f"\n{_lister(sight.package, others)}")


def _one_by_one(sight: Sight, call: cst.Call) -> list[str]:
    """A call for each class of this file, backwards to unregister them."""
    names = [defined.name.value for defined in registered_classes(sight) if sight.function(defined) is None]
    at_import = _at_import(sight)
    return _calls(sight, call, [name for name in names if name not in at_import])


def _at_import(sight: Sight) -> set[str]:
    """The classes that the file registers itself, outside any function."""
    calls = [call for call in sight.all(cst.Call) if sight.code(call.func).rpartition(".")[2] == "register_class"]
    return {sight.code(given.value) for call in calls if sight.function(call) is None for given in call.args}


def _for_all(sight: Sight, call: cst.Call) -> list[str]:
    """A loop over the classes of the add-on: those that a module registers itself are as it left them, as before."""
    if len(call.args) != 1 or sight.code(call.args[0].value) not in {"__name__", "__package__"}:
        return []
    last = _is_last(sight, call)
    listed, condition = (f"reversed({_LISTED}())", "") if last else (f"{_LISTED}()", "not ")
    done = f"{sight.code(call.func).replace('module', 'class')}(cls)"
    loop = f"for cls in {listed}:\n    if {condition}cls.is_registered:\n        {done}"
    around = _calls(sight, call, [])
    return [loop, *around] if last else [*around, loop]


def _calls(sight: Sight, call: cst.Call, names: list[str]) -> list[str]:
    """A call for each of the names, and for each class that a function of this file defines."""
    function = sight.code(call.func).replace("module", "class")
    inner = [defined for defined in registered_classes(sight) if sight.function(defined) is not None]
    if _is_last(sight, call):
        return [
            *(f"{function}({_look_up(sight, defined)})" for defined in inner[::-1]),
            *(f"{function}({n})" for n in names[::-1]),
        ]
    here = [defined.name.value for defined in inner if sight.function(defined) is sight.function(call)]
    return [f"{function}({name})" for name in [*names, *here]]


def _is_last(sight: Sight, call: cst.Call) -> bool:
    """True if it unregisters."""
    return "unregister" in sight.code(call.func)


def _look_up(sight: Sight, defined: cst.ClassDef) -> str:
    """The source that finds a class that a function defined and registered."""
    bases = [sight.code(base.value).rpartition(".")[2] for base in defined.bases]
    kind = next(base for base in bases if base in REGISTERED)
    return f'bpy.types.{kind}.bl_rna_get_subclass_py("{defined.name.value}")'


def _classes_below(sight: Sight) -> dict[str, list[str]]:
    """The classes of the modules of an add-on that Blender registers, if this is the file that imports them."""
    package = sight.package
    if package is None or not package.is_folder:
        return {}
    every = [defined for classes in package.classes.values() for defined in classes]
    own = {defined.name for defined in every}
    known: set[str] = set()
    for _ in every:
        more = {
            defined.name for defined in every if any(_is_registered(base, own, known) for base in defined.bases)
        } - known
        if not more:
            break
        known |= more
    start = f"{package.module}." if package.module else ""
    found = {
        module: [defined.name for defined in classes if any(_is_registered(base, own, known) for base in defined.bases)]
        for module, classes in package.classes.items()
        if module.startswith(start) or module == package.module
    }
    return {module: names for module, names in found.items() if names}


def _is_registered(base: str, own: set[str], known: set[str]) -> bool:
    """True if a base is one of Blender's that classes are registered for, or one of the add-on's that is `known`."""
    name = base.rpartition(".")[2]
    if "types." not in base and name in own:
        return name in known
    return name in REGISTERED - MIXED_IN


def _lister(package: AddonPackage, classes: Mapping[str, list[str]]) -> str:
    """A function that returns the classes in the order of their registration."""
    start = len(package.module) + 1 if package.module else 0
    lines = [f"def {_LISTED}():", '    """The classes that Blender registers, in this order."""']
    end = ",\n        "
    taken: set[str] = set()
    listed: list[str] = []
    for module, names in classes.items():
        aliases = [name if name not in taken else f"{name}_of_{module.replace('.', '_')}" for name in names]
        taken.update(aliases)
        listed += aliases
        if module != package.module:
            wanted = [n if n == a else f"{n} as {a}" for n, a in zip(names, aliases, strict=True)]
            lines.append(f"    from .{module[start:]} import (\n        {end.join(wanted)},\n    )")
    return "\n".join([*lines, f"    return [\n        {end.join(listed)},\n    ]", ""])


def doubled_panels(sight: Sight) -> Iterator[TreeEdit]:
    """Panels of two editors with one `bl_idname`, which Blender refuses: the later one is called like its class."""
    facts = None if sight.package else facts_of(sight.text)
    known = sight.package.classes if sight.package else {"": facts.classes if facts else ()}
    here = sight.package.module if sight.package else ""
    every = [(module, one) for module, classes in known.items() for one in classes if "bl_idname" in one.texts]
    taken = [one.texts["bl_idname"] for _, one in every]
    if len(set(taken)) == len(taken):
        return
    for assign in sight.all(cst.Assign):
        text, around = assign.value, (outer for outer in sight.around(assign) if isinstance(outer, cst.ClassDef))
        name = next((outer.name.value for outer in around), "")
        if sight.code(assign.targets[0].target) != "bl_idname" or not isinstance(text, cst.SimpleString):
            continue
        place = next((place for place, (module, one) in enumerate(every) if (module, one.name) == (here, name)), 0)
        earlier = [one for _, one in every[:place] if one.texts["bl_idname"] == text.evaluated_value]
        if name not in taken and any(_editor(one) != _editor(every[place][1]) for one in earlier):
            reason = f"{text.evaluated_value!r} is the `bl_idname` of {earlier[0].name} in another editor"
            yield sight.replace(text, f"{text.quote}{name}{text.quote}", reason)


def _editor(panel: DefinedClass) -> tuple[str, ...]:
    return tuple(panel.texts.get(name, "") for name in ("bl_space_type", "bl_region_type"))


RULES: Final = (
    Rule("register-module", "2.80: `bpy.utils.register_module(__name__)`", register_module),
    Rule("doubled-panels", "panels of two editors with one `bl_idname`, in an add-on", doubled_panels),
)
