"""The reader of expressions: their values, given those that each name can hold."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable

from app.reading.api.values import (
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
    instance_of,
    join,
    literal,
    options,
)
from app.reading.environment import DeferredCode, Environment, Scope
from app.reading.notes import Notes
from app.reading.observer import Observer
from app.reading.own.definitions import SnippetDefinitions, property_value
from app.reading.own.handover import Handover
from app.reading.own.passing import Passing
from app.reading.remark import name_in, start_of
from app.reading.usage.builtin_calls import BUILTINS, BuiltinCalls
from app.reading.usage.calls import Argument, Caller, CallSite
from app.reading.usage.drift import SilentDrift
from app.reading.usage.fits import Judge
from app.reading.usage.items import ItemLookup, slice_of
from app.reading.usage.members import Members
from app.reading.usage.naming import Naming
from app.reading.usage.needed import Requirements
from app.reading.usage.node_trees import of_kind
from app.reading.usage.operations import arithmetic, comparison, comparison_fault, unary
from python.scopes import stored_names


class ExpressionReader:
    """Works out the values of expressions, and binds targets to them in the environment.

    It owns the judges of a use of the API: members, calls, items, names in strings, settings without effect.
    `result_of` gives the result of a call of a function of the snippet.
    """

    def __init__(
        self,
        environment: Environment,
        judge: Judge,
        notes: Notes,
        definitions: SnippetDefinitions,
        passing: Passing,
        result_of: Callable[[str], Value],
        observer: Observer | None = None,
    ) -> None:
        self._env = environment
        self._judge = judge
        self._notes = notes
        self._definitions = definitions
        self._result_of = result_of
        self._observer = observer
        self.members = Members(judge, notes)
        self.items = ItemLookup(judge)
        self.requirements = Requirements(judge.api, judge.survey)
        self._caller = Caller(judge, notes)
        self._builtin_calls = BuiltinCalls(self.members, self.items)
        self._drift = SilentDrift(judge, notes)
        self._naming = Naming(self.members, self._caller, self._drift, definitions.undeclared)
        self._handover = Handover(definitions, passing, self.look)

    def value(self, node: ast.expr | None) -> Value:
        """The value of an expression; faults inside it are noted on the way."""
        match node:
            case None:
                return UNKNOWN
            case ast.Constant(value=plain):
                value: Value = literal(plain)
            case ast.Name(id=name):
                value = self._name(name)
            case ast.Attribute(value=owner_node):
                value = self._attribute(node, self.value(owner_node))
            case ast.Call():
                value = self._call(node)
            case ast.Subscript():
                value = self._subscript(node)
            case ast.Tuple(elts=parts):
                value = self._sequence("tuple", parts)
            case ast.List(elts=parts):
                value = self._sequence("list", parts)
            case ast.Set(elts=parts):
                value = self._sequence("set", parts)
            case ast.BinOp(left=left, op=op, right=right):
                value = arithmetic(self.value(left), op, self.value(right))
            case ast.UnaryOp(op=op, operand=operand):
                value = unary(op, self.value(operand))
            case ast.BoolOp():
                value = self._boolean(node)
            case ast.Compare():
                value = self._comparison(node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                value = self._conditional(test, body, orelse)
            case ast.NamedExpr(target=ast.Name(id=name), value=inner):
                value = self.value(inner)
                self._env.bind(name, value)
            case ast.ListComp(elt=element) | ast.SetComp(elt=element) | ast.GeneratorExp(elt=element):
                value = self._comprehension(node.generators, [element])
            case ast.DictComp():
                self._comprehension(node.generators, [node.key, node.value])
                value = UNKNOWN
            case ast.JoinedStr(values=parts):
                self._all(parts)
                value = Plain("str")
            case ast.Lambda():
                self._defer(node)
                value = UNKNOWN
            case _:
                self._all(child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
                value = UNKNOWN
        if self._observer is not None and not self._notes.is_silent:
            self._observer.see(node, value, guarded=not self._notes.listens)
        return value

    def look(self, node: ast.expr) -> Value:
        """The value of an expression, without remarks."""
        with self._notes.silent():
            return self.value(node)

    def _defer(self, node: ast.Lambda) -> None:
        """Leave code for later that runs at another time."""
        if not self._notes.is_silent:
            around = [self._env.ever, *self._env.outer]
            self._env.deferred.append(DeferredCode(node, around))

    def truth(self, value: Value) -> bool | None:
        """True if a condition holds; None if that is not decided by the snippet and the build alone."""
        known = constant(value)
        return bool(known[0]) if known else None

    # --- names ---------------------------------------------------------------------------------------------

    def _name(self, name: str) -> Value:
        if name in self._env.scope:
            return self._env.scope[name]
        if self._env.own_names is not None and name in self._env.own_names:
            return UNKNOWN
        for around in self._env.outer:
            if name in around:
                return around[name]
        for module in self._env.stars:
            member = self._judge.api.member(Mod(module), name)
            if member and member.address:
                return member.value
        return Builtin(name) if name in BUILTINS else UNKNOWN

    def _attribute(self, node: ast.Attribute, owner: Value) -> Value:
        own = self._definitions.member(owner, node.attr)
        if isinstance(owner, OwnSelf):
            self._notes.say(self._definitions.undeclared(owner, node.attr), name_in(node))
        return self.members.read(owner, node.attr, name_in(node)) if own is None else own

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
            with self._notes.quiet(asked):
                value = self.value(operand)
            truth = self.truth(value)
            values.append(value)
            if truth is stops_at:
                return (
                    value if len(values) == 1 or all(self.truth(each) is not None for each in values) else join(values)
                )
            asked = asked or (truth is None and self._judge.survey.asks(operand))
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
            self._drift.item(right, left, start_of(node.left))
        if isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn):
            self._notes.say(comparison_fault(self._judge, left, right), start_of(right_node))
        if isinstance(op, ast.Eq | ast.NotEq):
            self._notes.say(comparison_fault(self._judge, right, left), start_of(node.left))
        return comparison(left, op, right)

    def _conditional(self, test: ast.expr, body: ast.expr, orelse: ast.expr) -> Value:
        truth = self.truth(self.value(test))
        if truth is not None:
            return self.value(body if truth else orelse)
        with self._notes.quiet(self._judge.survey.asks(test)):
            return join([self.value(body), self.value(orelse)])

    def _comprehension(self, generators: list[ast.comprehension], results: list[ast.expr]) -> Value:
        outside = self._env.scope
        self._env.scope = dict(outside)
        quiet = self._notes.quietness
        for generator in generators:
            self.assign(generator.target, self.items.each(self.value(generator.iter)), generator.iter)
            for condition in generator.ifs:
                self.value(condition)
                self._env.scope.update(self.narrowed(condition))
                self._notes.fall_quiet(self._judge.survey.asks(condition))
        values = [self.value(result) for result in results]
        self._notes.quietness = quiet
        self._env.scope = outside
        parts = [*results, *(condition for generator in generators for condition in generator.ifs)]
        for name in stored_names(node for part in parts for node in ast.walk(part) if isinstance(node, ast.NamedExpr)):
            self._env.bind(name, UNKNOWN)
        return Many(values[0])

    def narrowed(self, test: ast.expr) -> Scope:
        """The names of which more is known if this condition holds: their types, by `isinstance` or a comparison."""
        match test:
            case ast.Compare(
                left=ast.Attribute(value=ast.Name(id=name), attr=asked), ops=[ast.Eq()], comparators=[kind]
            ):
                narrower = of_kind(self._judge.api, self._name(name), asked, self.value(kind))
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
        self._drift.item(owner, key, start_of(node.slice))
        items = [self.items.at(option, key) for option in options(owner)]
        faults = [fault for _, fault in items]
        if all(faults):
            self._notes.say(faults[0], start_of(node.slice))
        return join(value for value, _ in items)

    def _slice(self, owner: Value, node: ast.Slice) -> Value:
        bounds = (node.lower, node.upper, node.step)
        return slice_of(owner, [None if bound is None else self.value(bound) for bound in bounds])

    # --- calls ---------------------------------------------------------------------------------------------

    def _call(self, node: ast.Call) -> Value:
        function = self.value(node.func)
        call = self._arguments(node)
        if not self._notes.is_silent:
            self._handover.note(node, function, call, self._env.property_owner)
        if isinstance(function, Unknown) and not self._notes.is_silent:
            self.requirements.hand_out(node)
        match function:
            case Builtin(name=name):
                return self._builtin_calls.result(name, call)
            case OwnFunction(name=name):
                return self._result_of(name)
            case PyMember(owner=Coll() as owner, path=("get",)) if call.positional:
                return self._get(owner, call)
            case _:
                named = self._naming.read(function, call)
                result = self._caller.result(function, call)
                return result if named is None else named

    def _arguments(self, node: ast.Call) -> CallSite:
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
        return CallSite(start_of(node), values, keywords, places, starred, unpacked)

    def _get(self, owner: Coll, call: CallSite) -> Value:
        """`collection.get(key)`."""
        self._caller.result(PyMember("bpy.types.bpy_prop_collection", ("get",), owner), call)
        key, *others = (argument.value for argument in call.positional)
        return self.items.get(owner, key, others[0] if others else None)

    # --- binding -------------------------------------------------------------------------------------------

    def assign(self, target: ast.expr, value: Value, source: ast.expr | None) -> None:
        """Give a value to a target: a name, an attribute, an item, or several of them."""
        match target:
            case ast.Name(id=name):
                self._env.bind(name, _kept(value))
            case ast.Attribute(value=owner_node, attr=name):
                owner = self.value(owner_node)
                place = start_of(source) if source else name_in(target)
                if isinstance(owner, OperatorCall):
                    self._naming.write(owner, name, name_in(target), Argument(value, place))
                elif self._definitions.member(owner, name) is None and not isinstance(owner, OwnSelf | OwnClass):
                    self.members.write(owner, name, name_in(target), value, place)
                    self._drift.write(owner, name, value, name_in(target))
                if not self._notes.is_silent:
                    self.requirements.write(target, owner, value, name_in(target), self._notes.listens)
                if name == "type" and isinstance(owner_node, ast.Name):
                    self._may_be_another(owner_node.id, owner)
                if isinstance(source, ast.Call):
                    self._register(target, source)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                self._unpack(parts, value, source)
            case ast.Starred(value=inner):
                self.assign(inner, UNKNOWN, None)
            case _:
                self.value(target)

    def _register(self, target: ast.Attribute, source: ast.Call) -> None:
        """`bpy.types.Object.size = FloatProperty()` adds a property to a type of Blender."""
        owner = self.look(target.value)
        if isinstance(owner, RnaClass):
            self._definitions.registered[owner.type, target.attr] = self.declared_by(source, target.attr)

    def declared_by(self, declaration: ast.expr, name: str) -> Value:
        """The value of a property that this call of a function of `bpy.props` declares."""
        if not isinstance(declaration, ast.Call):
            return UNKNOWN
        function = self.look(declaration.func)
        pointed = [instance_of(self.look(keyword.value)) for keyword in declaration.keywords if keyword.arg == "type"]
        return property_value(function, pointed[0] if pointed else None, name)

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
                declared = self._judge.api.manifest.find(type_name, "type")
                self._env.bind(name, Rna(declared[0].name) if declared else UNKNOWN)
            case _:
                pass


def _kept(value: Value) -> Value:
    """The value of a name to which a list or set was bound: others may change it."""
    return UNKNOWN if isinstance(value, Seq) and value.kind != "tuple" else value
