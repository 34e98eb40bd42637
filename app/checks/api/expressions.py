"""What an expression is worth, given what each name can hold."""

from __future__ import annotations

import ast
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from typing import Any, Final

from app.checks.api.calls import Argument, Call, Caller
from app.checks.api.fits import Judge, Slot
from app.checks.api.members import Members, is_sure
from app.checks.api.needed import Needed
from app.checks.api.nodes import SOCKETS, node_by_name, node_of_kind, socket
from app.checks.api.notes import Notes
from app.checks.api.remark import Fault, name_in, start_of
from app.checks.api.schema import Api
from app.checks.api.survey import Survey, asks_the_api, stored_names
from app.checks.api.values import (
    UNKNOWN,
    Builtin,
    Coll,
    EnumOf,
    Lit,
    Many,
    Mod,
    OwnFunction,
    Plain,
    PyMember,
    PyObject,
    Rna,
    RnaClass,
    Seq,
    Unknown,
    Value,
    constant,
    join,
    literal,
    options,
)

Scope = dict[str, Value]

_BUILTINS: Final = frozenset(
    {
        *(
            "enumerate",
            "list",
            "tuple",
            "set",
            "sorted",
            "reversed",
            "zip",
            "next",
            "iter",
            "range",
            "len",
            "str",
            "int",
        ),
        *("float", "bool", "hasattr", "isinstance", "round", "abs"),
    }
)
_COMPARISONS: Final[dict[type[ast.cmpop], Callable[[Any, Any], Any]]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_ARITHMETIC: Final[dict[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda a, b: a / b,
}
_HUGE: Final = 1e12


class Expressions(ABC):
    """Works out values. `scope` holds the names of the code being read; `outer` those around it, the nearest first."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.notes = Notes()
        self.members = Members(judge, self.notes)
        self.caller = Caller(judge, self.notes)
        self.needed = Needed(judge.api, judge.survey)
        self.scope: Scope = {}
        self.own_names: set[str] | None = None
        """The names that the function being read binds, wherever; None at the top level."""
        self.outer: list[Scope] = []
        self.stars: list[str] = []
        """Modules of which everything is imported."""

    @property
    def api(self) -> Api:
        return self.judge.api

    @property
    def survey(self) -> Survey:
        return self.judge.survey

    def bind(self, name: str, value: Value) -> None:
        """Let a name hold a value from here on."""
        self.scope[name] = UNKNOWN if name in self.survey.unsettled else value

    def value(self, node: ast.expr | None) -> Value:
        """What an expression is worth; what is wrong inside it is noted on the way."""
        match node:
            case None:
                return UNKNOWN
            case ast.Constant(value=plain):
                return literal(plain)
            case ast.Name(id=name):
                return self._name(name)
            case ast.Attribute(value=owner, attr=name):
                return self.members.read(self.value(owner), name, name_in(node))
            case ast.Call():
                return self._call(node)
            case ast.Subscript():
                return self._subscript(node)
            case ast.Tuple(elts=parts):
                return self._sequence("tuple", parts)
            case ast.List(elts=parts):
                return self._sequence("list", parts)
            case ast.Set(elts=parts):
                return self._sequence("set", parts)
            case ast.BinOp(left=left, op=op, right=right):
                return self._arithmetic(self.value(left), op, self.value(right))
            case ast.UnaryOp(op=op, operand=operand):
                return _unary(op, self.value(operand))
            case ast.BoolOp():
                return self._boolean(node)
            case ast.Compare():
                return self._comparison(node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._conditional(test, body, orelse)
            case ast.NamedExpr(target=ast.Name(id=name), value=inner):
                value = self.value(inner)
                self.bind(name, value)
                return value
            case ast.ListComp(elt=element) | ast.SetComp(elt=element) | ast.GeneratorExp(elt=element):
                return self._comprehension(node.generators, [element])
            case ast.DictComp(key=key, value=value, generators=generators):
                self._comprehension(generators, [key, value])
                return UNKNOWN
            case ast.JoinedStr(values=parts):
                self._all(parts)
                return Plain("str")
            case ast.Lambda():
                self.later(node)
                return UNKNOWN
            case _:
                self._all(child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
                return UNKNOWN

    @abstractmethod
    def later(self, node: ast.Lambda) -> None:
        """Note code that runs at another time; see `reading.py`."""

    @abstractmethod
    def own_result(self, name: str) -> Value:
        """What a function of the snippet gives back; see `reading.py`."""

    def truth(self, value: Value) -> bool | None:
        """Whether a condition holds, or None where that is not decided by the snippet and the build alone."""
        known = constant(value)
        return bool(known[0]) if known else None

    # --- names ---------------------------------------------------------------------------------------------

    def _name(self, name: str) -> Value:
        if name in self.scope:
            return self.scope[name]
        if self.own_names is not None and name in self.own_names:
            return UNKNOWN
        for around in self.outer:
            if name in around:
                return around[name]
        for module in self.stars:
            found = self.api.member(Mod(module), name)
            if found and found.address:
                return found.value
        return Builtin(name) if name in _BUILTINS else UNKNOWN

    def _all(self, nodes: Iterable[ast.expr]) -> None:
        for node in nodes:
            self.value(node)

    def _sequence(self, kind: str, parts: list[ast.expr]) -> Value:
        values = [self.value(part) for part in parts]
        if any(isinstance(part, ast.Starred) for part in parts):
            return UNKNOWN
        return Seq("tuple" if kind == "tuple" else "list" if kind == "list" else "set", tuple(values))

    # --- operations ----------------------------------------------------------------------------------------

    def _arithmetic(self, left: Value, op: ast.operator, right: Value) -> Value:
        work = _ARITHMETIC.get(type(op))
        match left, right:
            case Lit(value=a, kind="int" | "float"), Lit(value=b, kind="int" | "float") if work:
                try:
                    result = work(a, b)
                except (ArithmeticError, ValueError):
                    return UNKNOWN
                return literal(result) if abs(result) < _HUGE else UNKNOWN
            case PyObject(home="mathutils"), PyObject(home="mathutils") if left == right and not isinstance(
                op, ast.Mult | ast.MatMult
            ):
                return left
            case _:
                return UNKNOWN

    def _boolean(self, node: ast.BoolOp) -> Value:
        """`and`, `or`: what stands behind a decided or an asking operand may not run."""
        stops_at = isinstance(node.op, ast.Or)
        values: list[Value] = []
        asked = False
        for operand in node.values:
            with self.notes.quiet(asked):
                value = self.value(operand)
            truth = self.truth(value)
            values.append(value)
            if truth is stops_at:
                return (
                    value if len(values) == 1 or all(self.truth(each) is not None for each in values) else join(values)
                )
            asked = asked or (truth is None and asks_the_api(operand))
        decided = all(self.truth(value) is not None for value in values)
        return values[-1] if decided else join(values)

    def _comparison(self, node: ast.Compare) -> Value:
        left = self.value(node.left)
        if len(node.comparators) != 1:
            self._all(node.comparators)
            return Plain("bool")
        right_node, op = node.comparators[0], node.ops[0]
        right = self.value(right_node)
        if isinstance(op, ast.Eq | ast.NotEq):
            self._check_compared(left, right, right_node)
            self._check_compared(right, left, node.left)
        elif isinstance(op, ast.In | ast.NotIn):
            self._check_compared(left, right, right_node)
        a, b, work = constant(left), constant(right), _COMPARISONS.get(type(op))
        if a and b and work:
            try:
                return literal(bool(work(a[0], b[0])))
            except TypeError:
                return UNKNOWN
        return Plain("bool")

    def _check_compared(self, left: Value, right: Value, place: ast.expr) -> None:
        """Note an enumeration that is compared with what it can never be."""
        enums = options(left)
        slots = [Slot(prop, address, "property") for prop, address in map(self._enumeration, enums) if prop]
        if not slots or len(slots) != len(enums):
            return
        elements = options(right)
        faults = [self.judge.never_equal(slot, value) for slot in slots for value in elements]
        if faults and all(faults):
            self.notes.say(faults[0], start_of(place))

    def _enumeration(self, value: Value) -> tuple[Any, str]:
        match value:
            case EnumOf(type=type_name, name=name):
                return self.api.property(type_name, name), f"bpy.types.{type_name}.{name}"
            case _:
                return None, ""

    def _conditional(self, test: ast.expr, body: ast.expr, orelse: ast.expr) -> Value:
        truth = self.truth(self.value(test))
        if truth is not None:
            return self.value(body if truth else orelse)
        with self.notes.quiet(asks_the_api(test)):
            return join([self.value(body), self.value(orelse)])

    def _comprehension(self, generators: list[ast.comprehension], results: list[ast.expr]) -> Value:
        outside = self.scope
        self.scope = dict(outside)
        quiet = self.notes.quietness
        for generator in generators:
            self.assign(generator.target, self.item(self.value(generator.iter)), generator.iter)
            for condition in generator.ifs:
                self.value(condition)
                self.scope.update(self.narrowed(condition))
                self.notes.fall_quiet(asks_the_api(condition))
        values = [self.value(result) for result in results]
        self.notes.quietness = quiet
        self.scope = outside
        parts = [*results, *(condition for generator in generators for condition in generator.ifs)]
        for name in stored_names(node for part in parts for node in ast.walk(part) if isinstance(node, ast.NamedExpr)):
            self.bind(name, UNKNOWN)
        return Many(values[0])

    def narrowed(self, test: ast.expr) -> Scope:
        """What names hold where this condition holds: the type that `isinstance` or a comparison asks for."""
        match test:
            case ast.Compare(
                left=ast.Attribute(value=ast.Name(id=name), attr=asked), ops=[ast.Eq()], comparators=[kind]
            ):
                narrower = self._of_kind(self._name(name), asked, self.value(kind))
                return {name: narrower} if narrower else {}
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kind]):
                wanted = self.value(kind)
                return {name: Rna(wanted.type) if isinstance(wanted, RnaClass) else UNKNOWN}
            case ast.BoolOp(op=ast.And(), values=parts):
                return {name: value for part in parts for name, value in self.narrowed(part).items()}
            case _:
                return {}

    def _of_kind(self, value: Value, asked: str, kind: Value) -> Value | None:
        """What a value is whose `type` or `bl_idname` is `kind`; None where that tells nothing new."""
        manifest = self.api.manifest
        match value, kind:
            case Rna(type="Node"), Lit(value=str(text)):
                found = text if asked == "bl_idname" else node_of_kind(self.api, text) if asked == "type" else None
            case Rna(type="Modifier" | "Constraint" | "Texture" as base), Lit(value=str(text)) if asked == "type":
                known = manifest.identifiers.get(f"{base.lower()}s", {}).get(text)
                found = known.type if known else None
            case _:
                return None
        return Rna(found, exact=True) if found and found in manifest.types else None

    # --- items ---------------------------------------------------------------------------------------------

    def item(self, value: Value) -> Value:
        """What iterating over a value gives."""
        items: list[Value] = []
        for option in options(value):
            match option:
                case Coll(of=of) | Many(of=of):
                    items.append(of)
                case Seq(elements=elements) if elements:
                    items.append(join(elements))
                case PyObject():
                    items.append(self.api.item_of(option))
                case _:
                    return UNKNOWN
        return join(items)

    def _subscript(self, node: ast.Subscript) -> Value:
        owner, key = self.value(node.value), self.value(node.slice)
        if isinstance(node.slice, ast.Slice):
            return self._slice(owner, node.slice)
        found = [self._element(option, key) for option in options(owner)]
        faults = [fault for _, fault in found]
        if all(faults):
            self.notes.say(faults[0], start_of(node.slice))
        return join(value for value, _ in found)

    def _slice(self, owner: Value, node: ast.Slice) -> Value:
        bounds = [None if part is None else constant(self.value(part)) for part in (node.lower, node.upper, node.step)]
        match owner:
            case Seq(kind=kind, elements=elements) if all(
                part is None or bound for part, bound in zip((node.lower, node.upper, node.step), bounds, strict=True)
            ):
                try:
                    return Seq(kind, elements[slice(*(bound[0] if bound else None for bound in bounds))])
                except (TypeError, ValueError):
                    return UNKNOWN
            case Coll(of=of) | Many(of=of):
                return Many(of)
            case _:
                return UNKNOWN

    def _element(self, owner: Value, key: Value) -> tuple[Value, Fault | None]:
        match owner:
            case Coll(type=kind) if kind in SOCKETS:
                return socket(self.api, self.survey, self.judge.renamed, owner, key)
            case _:
                return self._item_at(owner, key), None

    def _item_at(self, owner: Value, key: Value) -> Value:
        match owner:
            case Coll(type="Nodes", owner=tree) if isinstance(key, Lit) and key.kind == "str":
                return node_by_name(self.api, self.survey, tree, str(key.value))
            case Coll(of=of) | Many(of=of):
                return of
            case Seq(elements=elements):
                index = int(key.value) if isinstance(key, Lit) and key.kind == "int" else len(elements)
                return elements[index] if -len(elements) <= index < len(elements) else join(elements)
            case PyObject(home="bmesh.types"):
                return self.api.item_of(owner)
            case PyObject(home="mathutils", name="Vector" | "Euler" | "Quaternion" | "Color"):
                return Plain("float")
            case _:
                return UNKNOWN

    # --- calls ---------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Value:
        function = self.value(node.func)
        call = self._arguments(node)
        if isinstance(function, Unknown) and not self.notes.is_silent:
            self.needed.hand_out(node)
        match function:
            case Builtin(name=name):
                return self._builtin(name, call, node)
            case OwnFunction(name=name):
                return self.own_result(name)
            case PyMember(owner=Coll() as owner, path=("get",)) if call.positional:
                return self._get(owner, call)
            case _:
                return self.caller.result(function, call)

    def _arguments(self, node: ast.Call) -> Call:
        positional = [argument for argument in node.args if not isinstance(argument, ast.Starred)]
        starred = len(positional) != len(node.args)
        self._all(argument.value for argument in node.args if isinstance(argument, ast.Starred))
        values = tuple(Argument(self.value(argument), start_of(argument)) for argument in positional)
        keywords: dict[str, Argument] = {}
        places = {keyword.arg: start_of(keyword) for keyword in node.keywords if keyword.arg}
        for keyword in node.keywords:
            value = self.value(keyword.value)
            if keyword.arg:
                keywords[keyword.arg] = Argument(value, start_of(keyword.value))
        unpacked = any(keyword.arg is None for keyword in node.keywords)
        return Call(start_of(node), values, keywords, places, starred, unpacked)

    def _get(self, owner: Coll, call: Call) -> Value:
        """`collection.get(key)`: what is not there gives None, so nothing is noted."""
        key = call.positional[0].value
        self.caller.result(PyMember("bpy.types.bpy_prop_collection", ("get",), owner), call)
        if owner.type in SOCKETS:
            value, fault = socket(self.api, self.survey, self.judge.renamed, owner, key)
            return value if fault is None else UNKNOWN
        if owner.type == "Nodes" and isinstance(key, Lit) and key.kind == "str":
            return node_by_name(self.api, self.survey, owner.owner, str(key.value))
        other = [argument.value for argument in call.positional[1:2]]
        return join([owner.of, *other])

    def _builtin(self, name: str, call: Call, node: ast.Call) -> Value:
        values = [argument.value for argument in call.positional]
        first = values[0] if values else UNKNOWN
        match name:
            case "list" | "tuple" | "set" | "sorted" | "reversed" | "iter":
                return Many(self.item(first)) if len(values) == 1 else UNKNOWN
            case "enumerate" if values:
                return Many(Seq("tuple", (Plain("int"), self.item(first))))
            case "zip" if not call.more_positional:
                return Many(Seq("tuple", tuple(self.item(value) for value in values)))
            case "next" if values:
                return join([self.item(first), *values[1:2]])
            case "range":
                return Many(Plain("int"))
            case "hasattr":
                return self._has_attribute(values)
            case "len":
                return Plain("int")
            case "str" | "int" | "float" | "bool":
                return Plain(name)
            case "isinstance":
                return Plain("bool")
            case _:
                return UNKNOWN

    def _has_attribute(self, values: list[Value]) -> Value:
        """`hasattr(value, "name")`: decided here where the manifest is certain."""
        match values:
            case [owner, Lit(value=str(name))] if not isinstance(owner, Unknown) and is_sure(owner):
                there = self.members.exists(owner, name)
                return Plain("bool") if there is None else literal(there)
            case _:
                return Plain("bool")

    # --- binding -------------------------------------------------------------------------------------------

    def assign(self, target: ast.expr, value: Value, source: ast.expr | None) -> None:
        """Give a value to a target: a name, an attribute, an item, or several of them."""
        match target:
            case ast.Name(id=name):
                self.bind(name, _kept(value))
            case ast.Attribute(value=owner_node, attr=name):
                owner = self.value(owner_node)
                place = start_of(source) if source else name_in(target)
                self.members.write(owner, name, name_in(target), value, place)
                if not self.notes.is_silent:
                    self.needed.write(target, owner, value, name_in(target), self.notes.listens)
                if name == "type" and isinstance(owner_node, ast.Name):
                    self._may_be_another(owner_node.id, owner)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                self._unpack(parts, value, source)
            case ast.Starred(value=inner):
                self.assign(inner, UNKNOWN, None)
            case _:
                self.value(target)

    def _unpack(self, parts: list[ast.expr], value: Value, source: ast.expr | None) -> None:
        sources = source.elts if isinstance(source, ast.Tuple | ast.List) else []
        match value:
            case Seq(kind="tuple" | "list", elements=elements) if len(elements) == len(parts):
                values: list[Value] = list(elements)
            case Coll() | Many():
                values = [self.item(value)] * len(parts)
            case _:
                values = [UNKNOWN] * len(parts)
        if any(isinstance(part, ast.Starred) for part in parts):
            values = [UNKNOWN] * len(parts)
        for position, part in enumerate(parts):
            self.assign(part, values[position], sources[position] if len(sources) == len(parts) else None)

    def _may_be_another(self, name: str, owner: Value) -> None:
        """`light.type = ...` changes the class of the light."""
        match owner:
            case Rna(type=type_name):
                declared = self.api.manifest.find(type_name, "type")
                self.bind(name, Rna(declared[0].name) if declared else UNKNOWN)
            case _:
                pass


def _kept(value: Value) -> Value:
    """What a name holds after a list or set was bound to it: others may change it."""
    return UNKNOWN if isinstance(value, Seq) and value.kind != "tuple" else value


def _unary(op: ast.unaryop, value: Value) -> Value:
    match op, value:
        case ast.USub(), Lit(value=number, kind="int" | "float"):
            return literal(-number)
        case ast.UAdd(), Lit(kind="int" | "float"):
            return value
        case ast.Not(), _:
            known = constant(value)
            return literal(not known[0]) if known else Plain("bool")
        case ast.USub(), Plain(kind="int" | "float"):
            return value
        case _:
            return UNKNOWN
