"""Calls of operators, functions of types, and functions of Python: their arguments and results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.reading.api.values import (
    UNKNOWN,
    Coll,
    EnumOf,
    Lit,
    Many,
    Method,
    Op,
    Plain,
    PyMember,
    Rna,
    Seq,
    Unknown,
    Value,
    join,
    literal,
    options,
)
from app.reading.nearest import did_you_mean, misspelt, nearest
from app.reading.notes import Notes
from app.reading.remark import Fault, Remark, SourcePlace
from app.reading.usage.fits import Judge, Slot
from app.reading.usage.members import is_sure
from app.reading.usage.node_trees import made_node
from ingest.manifest import Property, RnaFunction

_CONTEXTS: Final = (
    *("INVOKE_DEFAULT", "INVOKE_REGION_WIN", "INVOKE_REGION_CHANNELS", "INVOKE_REGION_PREVIEW", "INVOKE_AREA"),
    *("INVOKE_SCREEN", "EXEC_DEFAULT", "EXEC_REGION_WIN", "EXEC_REGION_CHANNELS", "EXEC_REGION_PREVIEW"),
    *("EXEC_AREA", "EXEC_SCREEN"),
)
_NO_OVERRIDES_SINCE: Final = (4, 0)

# Functions whose argument `type` names what they make, with the family of identifiers.
_MAKERS: Final = {
    "ObjectModifiers": "modifiers",
    "ObjectConstraints": "constraints",
    "PoseBoneConstraints": "constraints",
    "BlendDataLights": "lights",
    "BlendDataTextures": "textures",
    "BlendDataProbes": "light_probes",
    "ObjectShaderFx": "shader_effects",
}
_CURVES: Final = {"CURVE": "Curve", "SURFACE": "SurfaceCurve", "FONT": "TextCurve"}

# Each function was called with too many arguments, in Blender 4.2 and 5.0: these modules count them as documented.
_DOCUMENTED_IN_FULL: Final = frozenset(
    {
        *("blf", "gpu.state", "gpu.matrix", "gpu.platform", "gpu.capabilities", "bl_math", "bmesh.utils"),
        *("bmesh.geometry", "mathutils.geometry", "mathutils.interpolate", "bpy.app.timers", "bpy.app.icons"),
    }
)

_SAME_AGAIN: Final = frozenset({"copy", "evaluated_get", "make_local", "override_create"})
"""Functions of ID that return another data block of the same type."""


@dataclass(frozen=True)
class Argument:
    """A value that is passed, and its place."""

    value: Value
    place: SourcePlace


@dataclass(frozen=True)
class CallSite:
    """A call with its arguments read. The flags mean `*arguments` and `**keywords`."""

    place: SourcePlace
    positional: tuple[Argument, ...]
    keywords: dict[str, Argument]
    keyword_places: dict[str, SourcePlace]
    more_positional: bool
    more_keywords: bool


@dataclass(frozen=True)
class Caller:
    """Judges calls and determines what they return."""

    judge: Judge
    notes: Notes

    def result(self, function: Value, call: CallSite) -> Value:
        """The result of the call. If the function can be one of several, only a call that all refuse is wrong."""
        each = options(function)
        if len(each) == 1:
            return self._result(each[0], call)
        results: list[Value] = []
        complaints: list[list[Remark]] = []
        for option in each:
            with self.notes.apart() as remarks:
                results.append(self._result(option, call))
            complaints.append(remarks)
        if all(complaints):
            self.notes.remarks.extend(complaints[0])
        return join(results)

    def _result(self, function: Value, call: CallSite) -> Value:
        match function:
            case Op(name=name):
                self._check_operator(name, call)
                return UNKNOWN
            case Method():
                declared = self.judge.api.rna.function(function)
                return self._method_result(function, declared, call) if declared else UNKNOWN
            case PyMember():
                self._check_python(function, call)
                return self._python_result(function, call)
            case _:
                return UNKNOWN

    # --- operators -----------------------------------------------------------------------------------------

    def _check_operator(self, name: str, call: CallSite) -> None:
        self._check_positional(f"bpy.ops.{name}", call)
        for keyword, argument in call.keywords.items():
            self.check_operator_argument(name, keyword, call.keyword_places[keyword], argument)

    def check_operator_argument(self, name: str, keyword: str, place: SourcePlace, argument: Argument) -> None:
        """Note the fault of one argument of an operator; `place` is that of its name."""
        operator, address = self.judge.api.operator(name), f"bpy.ops.{name}"
        prop = operator.arguments.get(keyword)
        if prop is None:
            self.notes.say(self._unknown_argument(address, keyword, operator.arguments), place)
        else:
            fault = self.judge.fault(Slot(prop, f"{address}({keyword})", "operator"), argument.value)
            self.notes.say(fault, argument.place)

    def _check_positional(self, address: str, call: CallSite) -> None:
        seen_context = seen_undo = False
        for argument in call.positional:
            match argument.value:
                case Lit(value=str(context)) if not seen_context and not seen_undo:
                    seen_context = True
                    if context not in _CONTEXTS:
                        self.notes.say(self._no_context(address, context), argument.place)
                case Lit(kind="bool" | "int") if not seen_undo:
                    seen_undo = True
                case Unknown() | Plain() | EnumOf():
                    return
                case Lit(value=None) if self.judge.api.version < _NO_OVERRIDES_SINCE:
                    continue
                case value if self.judge.api.version >= _NO_OVERRIDES_SINCE or isinstance(value, Lit | Seq):
                    self.notes.say(self._misplaced(address), argument.place)
                    return
                case _:
                    return

    def _no_context(self, address: str, context: str) -> Fault:
        return Fault(
            "positional-argument",
            f"`{address}` takes {context!r} as its execution context, but there is no context of that name",
            did_you_mean(nearest(context, _CONTEXTS)) or "Give the operator's own arguments by keyword.",
            address,
        )

    def _misplaced(self, address: str) -> Fault:
        arguments = self.judge.api.operator(address.removeprefix("bpy.ops.")).arguments
        names = ", ".join(list(arguments)[:6])
        return Fault(
            "positional-argument",
            f"`{address}` takes only keyword arguments",
            f"Write the name before the value: {names}." if names else "It has no arguments.",
            address,
        )

    def _unknown_argument(self, address: str, keyword: str, known: Iterable[str]) -> Fault | None:
        names = list(known)
        anywhere = f"*({keyword})" if address.startswith("bpy.ops.") else ""
        gone = self.judge.removals.entry(f"{address}({keyword})", anywhere, symbol=address)
        if gone:
            return gone
        near = nearest(keyword, names)
        short = address.removeprefix("bpy.types.")
        some = f"Its arguments are: {', '.join(names)}." if names else "It has no arguments."
        return Fault(
            "unknown-argument",
            f"`{short}` has no argument `{keyword}` in Blender {self.judge.api.manifest.version}",
            did_you_mean(near) or (some if len(names) <= 12 else None),
            address,
        )

    # --- functions of RNA types ----------------------------------------------------------------------------

    def _method_result(self, method: Method, function: RnaFunction, call: CallSite) -> Value:
        address = f"bpy.types.{method.type}.{method.name}"
        given = self._bind(method, function, address, call)
        self._check_values(given, function, address, is_sure(method.owner))
        return self._made(method, function, given, call.place)

    def _bind(self, method: Method, function: RnaFunction, address: str, call: CallSite) -> dict[str, Argument]:
        """The argument of each parameter; notes arguments without one."""
        parameters = function.arguments
        names = [parameter.name for parameter in parameters]
        if len(call.positional) > len(names):
            message = f"`{address.removeprefix('bpy.types.')}` takes {len(names)} arguments, not {len(call.positional)}"
            self._say(
                Fault("too-many-arguments", message, _listed(names), address), call.positional[len(names)].place, method
            )
        given = dict(zip(names, call.positional, strict=False))
        if call.more_positional:
            given = {}
        for keyword, argument in call.keywords.items():
            if keyword in names:
                given[keyword] = argument
            else:
                fault = self._unknown_argument(address, keyword, names)
                self._say(fault, call.keyword_places[keyword], method)
        missing = [each.name for each in parameters if each.required and each.name not in given]
        if missing and not call.more_positional and not call.more_keywords:
            message = f"`{address.removeprefix('bpy.types.')}` needs the argument `{missing[0]}`"
            self._say(Fault("missing-argument", message, _listed(names), address), call.place, method)
        return given

    def _check_values(self, given: dict[str, Argument], function: RnaFunction, address: str, sure: bool) -> None:
        for name, argument in given.items():
            slot = Slot(function.parameters[name], f"{address}({name})", "argument")
            fault = self.judge.fault(slot, argument.value)
            self.notes.say(fault if sure or fault is None else fault.likely(), argument.place)

    def _say(self, fault: Fault | None, place: SourcePlace, method: Method) -> None:
        self.notes.say(fault if fault is None or is_sure(method.owner) else fault.likely(), place)

    def _made(self, method: Method, function: RnaFunction, given: dict[str, Argument], place: SourcePlace) -> Value:
        """The result of the function, as exactly as its arguments show."""
        named = given.get("type")
        identifier = named.value.value if named and isinstance(named.value, Lit) else None
        tree = method.owner.owner if isinstance(method.owner, Coll) else UNKNOWN
        match method.type, method.name:
            case "Nodes", "new":
                return self._new_node(tree, named)
            case maker, "new" if maker in _MAKERS and isinstance(identifier, str):
                known = self.judge.api.manifest.identifiers.get(_MAKERS[maker], {}).get(identifier)
                return (
                    self._class(known.type, named.place if named else place)
                    if known and known.type
                    else _results(self.judge, method, function)
                )
            case "BlendDataNodeTrees", "new" if isinstance(identifier, str):
                return self._new_tree(identifier, named, named.place if named else place)
            case "BlendDataCurves", "new" if identifier in _CURVES:
                return self._class(_CURVES[str(identifier)], named.place if named else place)
            case "ID", name if name in _SAME_AGAIN and isinstance(method.owner, Rna):
                return method.owner
            case _:
                return _results(self.judge, method, function)

    def _class(self, type_name: str, place: SourcePlace) -> Value:
        if type_name not in self.judge.api.manifest.types:
            return UNKNOWN
        self.notes.use(f"bpy.types.{type_name}", place)
        return Rna(type_name, exact=True)

    def _new_node(self, tree: Value, named: Argument | None) -> Value:
        choices = options(named.value) if named else ()
        if not named or not choices or not all(isinstance(choice, Lit) for choice in choices):
            return Rna("Node")
        made: list[Value] = []
        faults: list[Fault | None] = []
        for choice in choices:
            identifier = choice.value if isinstance(choice, Lit) else None
            value, fault = made_node(self.judge.api, self.judge.survey, tree, str(identifier))
            unknown = fault is not None and fault.code.endswith("unknown-node-type")
            gone = self.judge.removals.entry(f"node {identifier}", symbol="bpy.types.Nodes.new") if unknown else None
            made.append(value)
            faults.append(gone or fault)
        if all(faults):
            self.notes.say(faults[0], named.place)
        elif len(made) == 1 and isinstance(made[0], Rna):
            self.notes.use(f"bpy.types.{made[0].type}", named.place)
        return join(made)

    def _new_tree(self, identifier: str, named: Argument | None, place: SourcePlace) -> Value:
        manifest = self.judge.api.manifest
        if identifier in manifest.types and manifest.is_a(identifier, "NodeTree"):
            self.notes.use(f"bpy.types.{identifier}", place)
            return Rna(identifier, exact=True)
        trees = [name for name in self.judge.api.rna.subtypes_of("NodeTree") if name != "NodeTree"]
        if named and "NodeTree" not in self.judge.survey.bases and misspelt(identifier, trees):
            message = f"There is no node tree type {identifier!r} in Blender {manifest.version}"
            fault = Fault(
                "unknown-enum-item",
                message,
                did_you_mean(nearest(identifier, trees)),
                "bpy.types.BlendDataNodeTrees.new",
            )
            self.notes.say(fault, named.place)
        return Rna("NodeTree")

    # --- functions of Python -------------------------------------------------------------------------------

    def _check_python(self, member: PyMember, call: CallSite) -> None:
        signature = self.judge.api.python.signature(member)
        if signature is None:
            return
        address = ".".join((member.home, *member.path))
        for keyword in call.keywords:
            if keyword not in signature.keywords and not signature.more_keywords:
                fault = self._unknown_argument(address, keyword, sorted(signature.keywords))
                self.notes.say(fault, call.keyword_places[keyword])
        limit = 1 if member.home == "bmesh.ops" else len(signature.positional)
        closed = (signature.exact or _is_closed(member)) and not signature.more_positional
        if closed and len(call.positional) > limit:
            message = f"`{address}` takes {limit} positional arguments, not {len(call.positional)}"
            gone = self.judge.removals.entry(f"{address}({len(call.positional)})")
            hint = gone.hint if gone else _listed(signature.positional)
            self.notes.say(Fault("too-many-arguments", message, hint, address), call.positional[limit].place)

    def _python_result(self, member: PyMember, call: CallSite) -> Value:
        if isinstance(member.owner, Coll) and member.home == "bpy.types.bpy_prop_collection":
            return _from_collection(member.owner, member.path[-1], call)
        if isinstance(member.owner, Rna) and member.path[-1] in _SAME_AGAIN:
            return member.owner
        return self.judge.api.python.result(member)


def _is_closed(member: PyMember) -> bool:
    """True if the docstring of a function in C names each positional argument that it takes."""
    return member.home == "bmesh.ops" or (member.home in _DOCUMENTED_IN_FULL and member.path != ("normal",))


def _from_collection(owner: Coll, name: str, call: CallSite) -> Value:
    match name:
        case "values":
            return Many(owner.of)
        case "keys":
            return Many(Plain("str"))
        case "items":
            return Many(Seq("tuple", (Plain("str"), owner.of)))
        case "find":
            return Plain("int")
        case "get":
            other = [argument.value for argument in call.positional[1:2]]
            return join([owner.of, *(other or [literal(None)])])
        case _:
            return UNKNOWN


def _results(judge: Judge, method: Method, function: RnaFunction) -> Value:
    values = [_one_result(judge, result, method) for result in function.results]
    match values:
        case []:
            return UNKNOWN
        case [single]:
            return single
        case _:
            return Seq("tuple", tuple(values))


def _one_result(judge: Judge, result: Property, method: Method) -> Value:
    if result.type == "COLLECTION":
        return Many(Rna(result.of)) if result.of in judge.api.manifest.types else UNKNOWN
    if result.type == "ENUM":
        return Plain("str") if not result.flags else UNKNOWN
    return judge.api.rna.value_of(result, method.type)


def _listed(names: Iterable[str]) -> str | None:
    known = list(names)
    return f"Its arguments are: {', '.join(known)}." if known else "It has no arguments."
