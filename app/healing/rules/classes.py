"""Classes that a script registers, one by one or as a module, and their properties."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

import libcst as cst

from app.healing.edits import TreeEdit
from app.healing.package import AddonPackage, DefinedClass, facts_of
from app.healing.rule import rule
from app.healing.sight import Sight

REGISTERED: Final = frozenset(
    {
        *("Operator", "Panel", "Menu", "Header", "PropertyGroup", "AddonPreferences", "UIList", "Node", "NodeSocket"),
        *("ImportHelper", "ExportHelper", "RenderEngine", "Macro", "KeyingSetInfo", "GizmoGroup", "Gizmo", "NodeTree"),
    }
)
MIXED_IN: Final = frozenset({"ImportHelper", "ExportHelper"})
"""Bases that a class is registered with, and not for."""
_PROPERTIES: Final = frozenset(
    {
        *("BoolProperty", "BoolVectorProperty", "CollectionProperty", "EnumProperty", "FloatProperty"),
        *("FloatVectorProperty", "IntProperty", "IntVectorProperty", "PointerProperty", "StringProperty"),
    }
)


def registered_classes(sight: Sight) -> dict[cst.ClassDef, set[str]]:
    """The classes with a base of Blender's, their own or one of their bases in the file or the add-on; with these."""
    written: dict[str, set[str]] = {}
    for one in (one for classes in (sight.package.classes.values() if sight.package else ()) for one in classes):
        written.setdefault(one.name, set()).update(base.rpartition(".")[2] for base in one.bases)
    # Another module may have a class of the same name: that of the file is meant.
    defined = {
        one: {sight.code(base.value).rpartition(".")[2] for base in one.bases} for one in sight.all(cst.ClassDef)
    }
    for name in {one.name.value for one in defined}:
        written[name] = set().union(*(bases for one, bases in defined.items() if one.name.value == name))
    kinds = {one: bases | _above(bases, written) for one, bases in defined.items()}
    return {one: found & REGISTERED for one, found in kinds.items() if found & REGISTERED}


def _above(bases: set[str], written: Mapping[str, set[str]]) -> set[str]:
    """The bases of these bases and of theirs."""
    found: set[str] = set()
    while more := {above for base in bases - REGISTERED for above in written.get(base, ())} - found:
        found |= more
        bases = more
    return found


def _mixed_in(sight: Sight) -> Iterator[cst.ClassDef]:
    """The classes without a base of Blender's that others are made of, in this file or in the add-on."""
    bases = {sight.code(base.value) for defined in sight.all(cst.ClassDef) for base in defined.bases}
    if sight.package:
        bases |= {base for classes in sight.package.classes.values() for one in classes for base in one.bases}
    names = {base.rpartition(".")[2] for base in bases}
    registered = registered_classes(sight)
    yield from (one for one in sight.all(cst.ClassDef) if one.name.value in names and one not in registered)


@rule("2.80: `x = bpy.props.X()` in a class is `x: bpy.props.X()`")
def class_annotations(sight: Sight) -> Iterator[TreeEdit]:
    if "_PropertyDeferred" in sight.text:
        # It makes the annotations itself, for Blenders of both kinds.
        return
    for defined in (*registered_classes(sight), *_mixed_in(sight)):
        for line in defined.body.body:
            for statement in line.body if isinstance(line, cst.SimpleStatementLine) else ():
                if not isinstance(statement, cst.Assign) or len(statement.targets) != 1:
                    continue
                target, value = statement.targets[0].target, statement.value
                if not isinstance(target, cst.Name) or not isinstance(value, cst.Call):
                    continue
                if sight.code(value.func).rpartition(".")[2] in _PROPERTIES:
                    reason = "a property of a class is declared with a colon since 2.80"
                    yield sight.instead(statement, f"{target.value}: {sight.code(value)}", reason=reason)


_TUPLE: Final = {"[0]": ".function", "[1]": ".keywords"}


@rule("2.80: the body of a class reads a property that it declares: `defaults = {'size': size[1]}`")
def declared_names(sight: Sight) -> Iterator[TreeEdit]:
    reason = "a declared property is no variable of the class since 2.80, and no tuple since 2.93"
    if sight.api.version < (2, 93) or "from __future__ import annotations" in sight.text:
        return
    declared = {
        (defined, line.target.value)
        for line in sight.all(cst.AnnAssign)
        if isinstance(line.target, cst.Name) and line.value is None
        if isinstance(made := line.annotation.annotation, cst.Call)
        if sight.code(made.func).rpartition(".")[2] in _PROPERTIES
        if isinstance(defined := next(iter(_scopes(sight, line)), None), cst.ClassDef)
    }
    names = {name for _, name in declared}
    others = {
        name.value
        for name in sight.all(cst.Name)
        if name.value in names
        if not (scopes := _scopes(sight, name))
        or (isinstance(sight.parent(name), cst.AssignTarget) and isinstance(scopes[0], cst.ClassDef))
    }
    for name in sight.all(cst.Name) if declared else ():
        parent = sight.parent(name)
        known = next(((one, name.value) for one in _scopes(sight, name)), None) in declared
        bound = isinstance(parent, cst.AnnAssign | cst.AssignTarget | cst.Arg | cst.Attribute)
        if not known or name.value in others or (bound and getattr(parent, "value", None) is not name):
            continue
        whole, source = parent, f'__annotations__["{name.value}"]'
        part = sight.code(parent).removeprefix(name.value) if isinstance(parent, cst.Subscript) else ""
        if isinstance(whole, cst.Subscript) and whole.value is name and part in _TUPLE:
            yield sight.replace(whole, f"{source}{_TUPLE[part]}", reason)
        elif not isinstance(parent, cst.FunctionDef | cst.ClassDef):
            yield sight.replace(name, source, reason)


def _scopes(sight: Sight, node: cst.CSTNode) -> list[cst.CSTNode]:
    """The scopes around a node, the nearest first."""
    scopes = cst.ClassDef | cst.FunctionDef | cst.Lambda | cst.BaseComp
    return [outer for outer in sight.around(node) if isinstance(outer, scopes)]


_READS_PROPERTIES: Final = re.compile(r"__annotations__|\b(?:Pointer|Collection)Property\b")


@rule("2.93: `isinstance(value, tuple) and value[0] == bpy.props.PointerProperty`: how a property is told from a value")
def deferred_properties(sight: Sight) -> Iterator[TreeEdit]:
    if sight.api.version < (2, 93) or "_PropertyDeferred" in sight.text:
        return
    reason = "a property that is not registered yet is no tuple since 2.93"
    for call in sight.all(cst.Call):
        function, given = sight.function(call), [sight.code(argument).rstrip(", ") for argument in call.args]
        if sight.code(call.func) != "isinstance" or given[1:] != ["tuple"] or function is None:
            continue
        if not _READS_PROPERTIES.search(sight.code(function)) or sight.is_guarded(call):
            continue
        test, whole = sight.parent(call), f"isinstance({given[0]}, bpy.props._PropertyDeferred)"
        pair = isinstance(test, cst.BooleanOperation) and sight.code(test.right) == f"len({given[0]}) == 2"
        yield sight.replace(test if isinstance(test, cst.BooleanOperation) and pair else call, whole, reason)
        for part in sight.all(cst.Subscript):
            name = {f"{given[0]}[0]": "function", f"{given[0]}[1]": "keywords"}.get(sight.code(part))
            if name and sight.function(part) is function:
                yield sight.replace(part, f"{given[0]}.{name}", reason)


_HELPER: Final = "orientation_helper"
_HELPER_FACTORY: Final = f"{_HELPER}_factory"


@rule("2.80: `Helper = orientation_helper_factory(\"Helper\", axis_forward='-Z')`: a decorator makes the properties")
def orientation_helper(sight: Sight) -> Iterator[TreeEdit]:
    if _HELPER_FACTORY not in sight.text or sight.api.version < (2, 80):
        return
    reason = f"`{_HELPER}` is a decorator since 2.80"
    for assign in sight.all(cst.Assign):
        call, target = assign.value, assign.targets[0].target
        if not isinstance(call, cst.Call) or not isinstance(target, cst.Name) or sight.is_guarded(call):
            continue
        function = sight.code(call.func)
        if function.rpartition(".")[2] == _HELPER_FACTORY:
            given = [arg for place, arg in enumerate(call.args) if place or arg.keyword]
            axes = ", ".join(sight.code(arg).rstrip(", ") for arg in given if sight.code(arg).split("=")[0] != "name")
            decorator = f"{function.removesuffix('_factory')}({axes})"
            yield sight.instead(assign, f"@{decorator}\nclass {target.value}:\n    pass", reason=reason)
    for alias in sight.all(cst.ImportAlias):
        if sight.code(alias.name) == _HELPER_FACTORY and alias.asname is None:
            yield sight.replace(alias.name, _HELPER, reason)


@rule("`bl_options = {'GRAB_POINTER'}`: items that a class sets, under another name or gone")
def class_items(sight: Sight) -> Iterator[TreeEdit]:
    for assign in sight.all(cst.Assign):
        outer = next((one for one in sight.around(assign) if isinstance(one, cst.ClassDef | cst.FunctionDef)), None)
        if not isinstance(outer, cst.ClassDef) or sight.for_some_blenders(assign):
            continue
        places = [f"bpy.types.{sight.code(base.value).rpartition('.')[2]}." for base in outer.bases]
        name, value = sight.code(assign.targets[0].target), assign.value
        given = [element.value for element in value.elements] if isinstance(value, cst.Set) else [value]
        rows = {
            text: row
            for text in given
            if isinstance(text, cst.SimpleString)
            for place, row in sight.book.named("item", str(text.evaluated_value)).items()
            if place.removesuffix(name) in places
        }
        if len(rows) == len(given) and all(row.drop for row in rows.values()):
            yield sight.instead(assign, reason=f"no item of this `{name}` is known any more")
        for text, row in rows.items():
            if row.becomes:
                yield sight.respell(text, row.becomes, f"{sight.code(text)} of `{name}` is {row.becomes!r} now")


_TOOL_REGIONS: Final = ("TOOLS", "TOOL_PROPS")
_WITH_TOOLBAR: Final = re.compile(r"NODE_EDITOR|IMAGE_EDITOR|SEQUENCE_EDITOR")


@rule("2.80: tool shelves are gone: their panels moved to the sidebar")
def panel_region(sight: Sight) -> Iterator[TreeEdit]:
    texts = [(text, region) for text in sight.all(cst.SimpleString) if (region := text.raw_value) in _TOOL_REGIONS]
    for defined in sight.all(cst.ClassDef):
        # A class without such a base is mixed into panels.
        if {sight.code(base.value).rpartition(".")[2] for base in defined.bases} & (REGISTERED - {"Panel"}):
            continue
        for text, region in texts:
            statement = sight.statement(text)
            inside = any(outer is defined for outer in sight.around(text))
            if not inside or not isinstance(statement, cst.Assign):
                continue
            moved = _had_tabs(sight, defined) if region == "TOOLS" else "VIEW_3D" in sight.code(defined)
            if sight.code(statement.targets[0].target) == "bl_region_type" and moved:
                reason = "panels with a tab, and those of the 3D view, are in the sidebar since 2.80"
                yield sight.respell(text, "UI", reason)


def _had_tabs(sight: Sight, defined: cst.ClassDef) -> bool:
    """True if the class is for a tool shelf that became a toolbar."""
    source = sight.code(defined)
    return "VIEW_3D" in source or ("bl_category" in source and bool(_WITH_TOOLBAR.search(source)))


_OF_MODULES: Final = frozenset({"bpy.utils.register_module", "bpy.utils.unregister_module"})
_LISTED: Final = "addon_classes"
_ALL: Final = "the classes are registered one by one since 2.80, those of the other modules too"


@rule("2.80: `bpy.utils.register_module(__name__)`")
def register_module(sight: Sight) -> Iterator[TreeEdit]:
    others = _classes_below(sight)
    spread = sight.package is not None and bool(others.keys() - {sight.package.module})
    done = False
    for call in sight.all(cst.Call):
        source, statement = sight.code(call.func), sight.alone(call)
        if source not in _OF_MODULES or statement is None or sight.is_guarded(call):
            continue
        namesakes = {} if spread else _namesakes(sight)
        new = _for_all(sight, call) if spread else _one_by_one(sight, call, namesakes)
        if new:
            done = True
            yield sight.instead(statement, *new, reason=f"`{source}` is gone since 2.80")
            for defined, name in namesakes.items():
                yield sight.replace(defined.name, name, f"another class is named {defined.name.value}: both register")
    if done and spread and sight.package:
        yield TreeEdit(_ALL, sight.module, closing=f"\n{_lister(sight.package, others)}")


def _one_by_one(sight: Sight, call: cst.Call, namesakes: Mapping[cst.ClassDef, str]) -> list[str]:
    """A call for each class of this file, backwards to unregister them."""
    # Other names that stand twice are those of the last class, whichever is meant.
    made_of = {sight.code(base.value) for one in sight.all(cst.ClassDef) for base in one.bases}
    tops = [
        one
        for one, of in registered_classes(sight).items()
        if of - MIXED_IN and sight.function(one) is None
        if one.name.value not in made_of or not _is_refused(sight, one)
    ]
    names = dict.fromkeys(namesakes.get(one, one.name.value) for one in tops)
    by_hand = _by_hand(sight, call)
    return _calls(sight, call, [name for name in names if name not in by_hand])


def _is_refused(sight: Sight, defined: cst.ClassDef) -> bool:
    """True if Blender refuses the class, as some that others are made of: `register_module` said so and went on."""
    own = {sight.code(base.value).rpartition(".")[2] for base in defined.bases}
    return bool(own & {"Operator", "Panel", "Menu"}) and "bl_label" not in sight.code(defined)


def _namesakes(sight: Sight) -> dict[cst.ClassDef, str]:
    """The classes of this file whose name a later one takes, though Blender knows each by a `bl_idname` of its own."""
    classes = registered_classes(sight)
    last = {one.name.value: one for one in classes}
    hidden = [one for one in classes if last[one.name.value] is not one]
    known = {"", *(_id_of(sight, one) for one in last.values())} if hidden else set[str]()
    found: dict[cst.ClassDef, str] = {}
    for defined in hidden:
        name = defined.name.value
        lines = range(sight.line(defined), sight.line(last[name]))
        used = any(use.value == name and sight.line(use) in lines for use in sight.all(cst.Name) if use != defined.name)
        if not used and _id_of(sight, defined) not in known:
            found[defined] = f"{name}_{len(found) + 1}"
    return {} if any(name in sight.text for name in found.values()) else found


def _id_of(sight: Sight, defined: cst.ClassDef) -> str:
    """The `bl_idname` that a class sets; empty if it sets none."""
    for assign in sight.all(cst.Assign):
        if sight.code(assign.targets[0].target) == "bl_idname" and defined in sight.around(assign):
            return sight.text_of(assign.value) or ""
    return ""


def _by_hand(sight: Sight, call: cst.Call) -> set[str]:
    """The classes that the file registers itself outside any function, or where the call does the rest."""
    here, function = sight.function(call), sight.code(call.func).replace("module", "class").rpartition(".")[2]
    calls = [(sight.code(made.func).rpartition(".")[2], sight.function(made), made) for made in sight.all(cst.Call)]
    return {
        sight.code(given.value)
        for name, inside, made in calls
        if (name == "register_class" and inside is None) or (name == function and inside is here)
        for given in made.args
    }


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
    classes = registered_classes(sight).items()
    inner = [one for one, of in classes if of - MIXED_IN and sight.function(one) is not None]
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
    kind = min(registered_classes(sight)[defined] - MIXED_IN)
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


@rule("4.4: `def __init__(self)` of a class that Blender registers: it is given arguments, which the base needs")
def own_init(sight: Sight) -> Iterator[TreeEdit]:
    if sight.api.version < (4, 4):
        return
    for defined, of in registered_classes(sight).items():
        for made in defined.body.body if of - MIXED_IN - {"PropertyGroup"} else ():
            if not isinstance(made, cst.FunctionDef) or made.name.value != "__init__":
                continue
            if ".__init__(" in sight.code(made):
                continue
            if len(made.params.params) == 1 and sight.code(made.params) == sight.code(made.params.params[0]):
                reason = "since 4.4 Blender gives `__init__` arguments, and a class must hand them to its base"
                given = f"{sight.code(made.params)}, *args, **kwargs"
                yield TreeEdit(reason, made, entry="super().__init__(*args, **kwargs)", parameters=given)


_BUILT_IN: Final = re.compile(r"bl_idname '([\w.]+)' could not be unregistered")


@rule("2.80: an operator with the `bl_idname` of one that is built in", guess=True)
def built_in_operators(sight: Sight) -> Iterator[TreeEdit]:
    found = _BUILT_IN.search(sight.trouble.message) if sight.trouble else None
    for text in sight.all(cst.SimpleString) if found else ():
        if found and text.evaluated_value == found[1]:
            reason = f"a guess: {found[1]} is built in and cannot be replaced, so the add-on has another one beside it"
            yield sight.respell(text, f"{found[1]}_of_addon", reason)


_TAKEN: Final = re.compile(r"Type identifier '(\w+)' is already in use: '\1\(")
_INFIXES: Final = {"Panel": "PT", "Menu": "MT", "Header": "HT", "UIList": "UL"}


@rule("2.80: `class Armature(bpy.types.Panel)`: a panel or menu without a `bl_idname`, called like a type", guess=True)
def taken_names(sight: Sight) -> Iterator[TreeEdit]:
    found = _TAKEN.search(sight.trouble.message) if sight.trouble else None
    for defined, of in registered_classes(sight).items() if found else ():
        infix = next((_INFIXES[kind] for kind in of if kind in _INFIXES), "")
        lines = [line.body[0] for line in defined.body.body if isinstance(line, cst.SimpleStatementLine)]
        first = next((line for line in lines if not isinstance(line, cst.Expr)), None)
        if found and infix and first and defined.name.value == found[1] and not _id_of(sight, defined):
            name = f'bl_idname = "ADDON_{infix}_{found[1]}"'
            yield sight.before(
                first, name, reason=f"a guess: `{found[1]}` is a type of Blender, so it has another name"
            )


@rule("`del bpy.types.Scene.x` of a property that nothing registers", guess=True)
def never_registered(sight: Sight) -> Iterator[TreeEdit]:
    for deleted in sight.all(cst.Del):
        target = deleted.target
        if isinstance(target, cst.Attribute) and sight.trouble and sight.fails_at(deleted):
            name = target.attr.value
            known = any(name == registered for _, registered in sight.survey.registered_on)
            if sight.trouble.message.endswith(f"has no attribute '{name}'") and not known:
                yield sight.instead(deleted, reason=f"a guess: nothing registers `{name}`")


@rule("panels of two editors with one `bl_idname`, in an add-on")
def doubled_panels(sight: Sight) -> Iterator[TreeEdit]:
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
            yield sight.respell(text, name, reason)


def _editor(panel: DefinedClass) -> tuple[str, ...]:
    return tuple(panel.texts.get(name, "") for name in ("bl_space_type", "bl_region_type"))
