"""What the value of an expression is, given what each name can hold."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterable

from app.reading.builtin_calls import BUILTINS, BuiltinCalls
from app.reading.calls import Argument, Call, Caller
from app.reading.drift import Drift
from app.reading.fits import Judge
from app.reading.items import Items, sliced
from app.reading.members import Members
from app.reading.naming import Naming
from app.reading.needed import Requirements
from app.reading.node_trees import of_kind
from app.reading.notes import Notes
from app.reading.operations import arithmetic, comparison, comparison_fault, unary
from app.reading.remark import Fault, name_in, start_of
from app.reading.schema import Api
from app.reading.survey import Survey, asks_the_api, stored_names
from app.reading.values import (
    UNKNOWN,
    Builtin,
    Coll,
    Many,
    Mod,
    OperatorCall,
    OwnClass,
    OwnFunction,
    OwnSelf,
    Plain,
    PyMember,
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


class Expressions(ABC):
    """Works out values. `scope` holds the names of the code being read; `outer` those around it, the nearest first."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.notes = Notes()
        self.members = Members(judge, self.notes)
        self.caller = Caller(judge, self.notes)
        self.items = Items(judge)
        self.builtin_calls = BuiltinCalls(self.members, self.items)
        self.drift = Drift(judge, self.notes)
        self.naming = Naming(self.members, self.caller, self.drift, self.undeclared)
        self.requirements = Requirements(judge.api, judge.survey)
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
        """The value of an expression; what is wrong inside it is noted on the way."""
        match node:
            case None:
                return UNKNOWN
            case ast.Constant(value=plain):
                return literal(plain)
            case ast.Name(id=name):
                return self._name(name)
            case ast.Attribute(value=owner_node, attr=name):
                owner = self.value(owner_node)
                own = self.own_member(owner, name)
                if isinstance(owner, OwnSelf):
                    self.notes.say(self.undeclared(owner, name), name_in(node))
                return self.members.read(owner, name, name_in(node)) if own is None else own
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
                return arithmetic(self.value(left), op, self.value(right))
            case ast.UnaryOp(op=op, operand=operand):
                return unary(op, self.value(operand))
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

    @abstractmethod
    def own_member(self, owner: Value, name: str) -> Value | None:
        """What the snippet itself gives to the owner under this name; see `functions.py`."""

    @abstractmethod
    def undeclared(self, owner: Value, name: str) -> Fault | None:
        """The fault of a property that no class of the snippet declares; see `functions.py`."""

    @abstractmethod
    def note_call(self, node: ast.Call, function: Value, call: Call) -> None:
        """Note what a call passes to functions of the snippet; see `functions.py`."""

    def truth(self, value: Value) -> bool | None:
        """Whether a condition holds, or None if that is not decided by the snippet and the build alone."""
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
        return Builtin(name) if name in BUILTINS else UNKNOWN

    def _all(self, nodes: Iterable[ast.expr]) -> None:
        for node in nodes:
            self.value(node)

    def _sequence(self, kind: str, parts: list[ast.expr]) -> Value:
        values = [self.value(part) for part in parts]
        if any(isinstance(part, ast.Starred) for part in parts):
            return UNKNOWN
        return Seq("tuple" if kind == "tuple" else "list" if kind == "list" else "set", tuple(values))

    # --- operations ----------------------------------------------------------------------------------------

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
        if isinstance(op, ast.In | ast.NotIn):
            self.drift.item(right, left, start_of(node.left))
        if isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn):
            self.notes.say(comparison_fault(self.judge, left, right), start_of(right_node))
        if isinstance(op, ast.Eq | ast.NotEq):
            self.notes.say(comparison_fault(self.judge, right, left), start_of(node.left))
        return comparison(left, op, right)

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
            self.assign(generator.target, self.items.each(self.value(generator.iter)), generator.iter)
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
        """What names hold if this condition holds: the type that `isinstance` or a comparison asks for."""
        match test:
            case ast.Compare(
                left=ast.Attribute(value=ast.Name(id=name), attr=asked), ops=[ast.Eq()], comparators=[kind]
            ):
                narrower = of_kind(self.api, self._name(name), asked, self.value(kind))
                return {name: narrower} if narrower else {}
            case ast.Call(func=ast.Name(id="isinstance"), args=[ast.Name(id=name), kind]):
                wanted = self.value(kind)
                return {name: Rna(wanted.type) if isinstance(wanted, RnaClass) else UNKNOWN}
            case ast.BoolOp(op=ast.And(), values=parts):
                return {name: value for part in parts for name, value in self.narrowed(part).items()}
            case _:
                return {}

    # --- items ---------------------------------------------------------------------------------------------

    def _subscript(self, node: ast.Subscript) -> Value:
        owner, key = self.value(node.value), self.value(node.slice)
        if isinstance(node.slice, ast.Slice):
            return self._slice(owner, node.slice)
        self.drift.item(owner, key, start_of(node.slice))
        found = [self.items.at(option, key) for option in options(owner)]
        faults = [fault for _, fault in found]
        if all(faults):
            self.notes.say(faults[0], start_of(node.slice))
        return join(value for value, _ in found)

    def _slice(self, owner: Value, node: ast.Slice) -> Value:
        bounds = (node.lower, node.upper, node.step)
        return sliced(owner, [None if bound is None else self.value(bound) for bound in bounds])

    # --- calls ---------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Value:
        function = self.value(node.func)
        call = self._arguments(node)
        self.note_call(node, function, call)
        if isinstance(function, Unknown) and not self.notes.is_silent:
            self.requirements.hand_out(node)
        match function:
            case Builtin(name=name):
                return self.builtin_calls.result(name, call)
            case OwnFunction(name=name):
                return self.own_result(name)
            case PyMember(owner=Coll() as owner, path=("get",)) if call.positional:
                return self._get(owner, call)
            case _:
                named = self.naming.read(function, call)
                result = self.caller.result(function, call)
                return result if named is None else named

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
        """`collection.get(key)`."""
        self.caller.result(PyMember("bpy.types.bpy_prop_collection", ("get",), owner), call)
        key, *others = (argument.value for argument in call.positional)
        return self.items.get(owner, key, others[0] if others else None)

    # --- binding -------------------------------------------------------------------------------------------

    def assign(self, target: ast.expr, value: Value, source: ast.expr | None) -> None:
        """Give a value to a target: a name, an attribute, an item, or several of them."""
        match target:
            case ast.Name(id=name):
                self.bind(name, _kept(value))
            case ast.Attribute(value=owner_node, attr=name):
                owner = self.value(owner_node)
                place = start_of(source) if source else name_in(target)
                if isinstance(owner, OperatorCall):
                    self.naming.write(owner, name, name_in(target), Argument(value, place))
                elif self.own_member(owner, name) is None and not isinstance(owner, OwnSelf | OwnClass):
                    self.members.write(owner, name, name_in(target), value, place)
                    self.drift.write(owner, name, value, name_in(target))
                if not self.notes.is_silent:
                    self.requirements.write(target, owner, value, name_in(target), self.notes.listens)
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
                values = [self.items.each(value)] * len(parts)
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
