"""Reads the functions and classes of a snippet: what their parameters hold, what they return, what classes declare."""

from __future__ import annotations

import ast
import contextlib
from abc import abstractmethod
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from app.reading.calls import Call
from app.reading.expressions import Expressions, Scope
from app.reading.fits import Judge, Slot
from app.reading.hooks import CALLBACKS, CONTEXT, added_parameters, callback_parameters, hook_parameters
from app.reading.nearest import did_you_mean, nearest
from app.reading.passing import Callable, FunctionDef, OwnDefinition, Passing
from app.reading.remark import Fault, start_of
from app.reading.survey import stored_names
from app.reading.values import (
    NOTHING,
    UNKNOWN,
    Coll,
    Many,
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
    join,
)
from harness.syntax import parse_expression

_GIVES_EVENTS: Final = frozenset({"Operator", "Macro", "Gizmo"})
_MANY: Final = frozenset({"list", "set", "frozenset", "iterable", "iterator", "sequence", "collection"})
_PLAIN_PROPERTIES: Final = {
    "BoolProperty": "bool",
    "IntProperty": "int",
    "FloatProperty": "float",
    "StringProperty": "str",
}


@dataclass
class Loop:
    """What names hold at each `break` and `continue` of a loop."""

    leaving: list[Scope] = field(default_factory=list[Scope])
    again: list[Scope] = field(default_factory=list[Scope])


@dataclass(frozen=True)
class Later:
    """Code that runs after the code around it, which is known by then."""

    node: Callable
    outer: list[Scope]
    base: str
    """The RNA type that the class derives from, if this is a method."""
    class_name: str = ""


@dataclass
class ClassFacts:
    """A class of the snippet: its RNA type, the names of its bases."""

    type: str
    bases: tuple[str, ...]
    is_closed: bool
    """Whether all its bases are known."""
    declared: dict[str, Value] = field(default_factory=dict[str, Value])
    """What the properties hold that it declares."""


class Functions(Expressions):
    """Reads functions by reading their blocks; see `reading.py`."""

    def __init__(self, judge: Judge) -> None:
        super().__init__(judge)
        self._ever: Scope = {}
        """Everything that each name of the current scope has held so far."""
        self._remember = True
        self._live = True
        self._loops: list[Loop] = []
        self._returned: list[Value] = []
        self._later: list[Later] = []
        self._class_base: str = ""
        self._class_name: str = ""
        self._own_class = ""
        """The class of the method that is being read."""
        self._answer: Slot | None = None
        """What Blender takes as the answer of the function that is being read, if it calls it and it names items."""
        self._functions: dict[str, FunctionDef] = {}
        self._definitions: dict[str, OwnDefinition] = {}
        self._results: dict[str, Value] = {}
        self._globals: Scope = {}
        self._knows_results = False
        self._passing = Passing()
        self._property_owner: Value = UNKNOWN
        """What the property belongs to that is being declared."""
        self._classes: dict[str, ClassFacts] = {}
        self._registered: dict[tuple[str, str], Value] = {}
        """What the properties hold that the snippet adds to Blender's types, by type and name."""

    @abstractmethod
    def block(self, statements: Iterable[ast.stmt]) -> None:
        """Read statements until one of them leaves the block."""

    # --- reading them --------------------------------------------------------------------------------------

    def later(self, node: ast.Lambda) -> None:
        if not self.notes.is_silent:
            self._later.append(Later(node, [self._ever, *self.outer], ""))

    def own_result(self, name: str) -> Value:
        """What a function of the snippet returns; it is read quietly, once."""
        definition = self._definitions.get(name)
        if not self._knows_results or definition is None or not definition.is_simple:
            return UNKNOWN
        if name not in self._results:
            self._results[name] = UNKNOWN
            facts = self._classes.get(definition.class_name)
            base = facts.type if facts else "object" if definition.class_name else ""
            with self._elsewhere(), self.notes.silent():
                self._remember = True
                self._read_function(Later(definition.node, [self._globals], base, definition.class_name))
                returned = [*self._returned, *([NOTHING] if self._live else [])]
                declared = self.annotated(definition.node.returns)
            result = join(returned) if returned else UNKNOWN
            self._results[name] = declared if result == UNKNOWN else result
        return self._results[name]

    @contextlib.contextmanager
    def _elsewhere(self) -> Generator[None]:
        """Return to the current place after reading another."""
        kept = (self.scope, self.own_names, self.outer, self._ever, self._live, self._loops, self._returned)
        answer = self._answer
        around = (self.notes.quietness, self._remember, self._class_base, self._class_name, self._property_owner)
        self._class_base, self._class_name = "", ""
        try:
            yield
        finally:
            self.scope, self.own_names, self.outer, self._ever, self._live, self._loops, self._returned = kept
            self.notes.quietness, self._remember, self._class_base, self._class_name, self._property_owner = around
            self._answer = answer

    def _read_later(self, later: Later) -> None:
        name = later.node.name if isinstance(later.node, FunctionDef) else ""
        self._passing.caller_is_known = name in self._passing.known
        with self._elsewhere():
            self.notes.quietness = 0
            self._remember = True
            self._read_function(later)
        self._passing.caller_is_known = False

    def _read_function(self, later: Later) -> None:
        node = later.node
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        self.scope, self._ever, self.outer = {}, {}, later.outer
        self._live, self._loops, self._returned = True, [], []
        self.own_names = stored_names(body) - self.survey.unsettled
        self._own_class = later.class_name
        self._answer = self._answer_of(node, later.base)
        self._bind_parameters(node, later.base)
        self.own_names |= self.scope.keys()
        if isinstance(node, ast.Lambda):
            self.value(node.body)
        else:
            self.block(node.body)

    def _answer_of(self, node: Callable, base: str) -> Slot | None:
        """What Blender takes as the answer of a method: that of `execute` is a set of items."""
        hook = self.api.rna.hook(base, node.name) if base and isinstance(node, FunctionDef) else None
        answers = [one for one in hook.results if one.type == "ENUM"] if hook else []
        return Slot(answers[0], f"bpy.types.{base}.{hook.name}(result)", "argument") if hook and answers else None

    def answered(self, node: ast.expr, value: Value) -> None:
        """Note what is wrong with the answer of a method that Blender calls."""
        self.notes.say(self.judge.fault(self._answer, value) if self._answer else None, start_of(node))

    def _bind_parameters(self, node: Callable, base: str) -> None:
        arguments = node.args
        names = [*arguments.posonlyargs, *arguments.args]
        passed = list(self._passed_by_blender(node, base))
        known = isinstance(node, ast.Lambda) or node.name in self._passing.known
        for position, argument in enumerate([*names, *arguments.kwonlyargs]):
            value = self.annotated(argument.annotation)
            if value == UNKNOWN and position < min(len(passed), len(names)):
                value = passed[position]
            if value == UNKNOWN and known:
                value = self._passing.held(node, argument.arg)
            if value == UNKNOWN and base and argument.annotation is None:
                value = _by_name(argument.arg, base)
            self.bind(argument.arg, value)
        for extra in (arguments.vararg, arguments.kwarg):
            if extra:
                self.bind(extra.arg, UNKNOWN)

    def _passed_by_blender(self, node: Callable, base: str) -> Iterator[Value]:
        """What a method of a class with this base gets, `self` included."""
        if not base or isinstance(node, ast.Lambda):
            return
        decorators = {one.id for one in node.decorator_list if isinstance(one, ast.Name)}
        if "staticmethod" in decorators:
            return
        first = next(iter([*node.args.posonlyargs, *node.args.args]), None)
        if "classmethod" in decorators:
            yield OwnClass(base, self._own_class)
        else:
            yield OwnSelf(base, self._own_class) if first and first.arg == "self" else UNKNOWN
        yield from hook_parameters(self.api, base, node.name)

    def annotated(self, annotation: ast.expr | None) -> Value:
        """The value that an annotation declares."""
        match annotation:
            case ast.Constant(value=str(text)):
                try:
                    return self.annotated(parse_expression(text))
                except (SyntaxError, ValueError, RecursionError):
                    return UNKNOWN
            case ast.Constant(value=None):
                return NOTHING
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return join([self.annotated(left), self.annotated(right)])
            case ast.Subscript(value=ast.Name(id=generic) | ast.Attribute(attr=generic), slice=inner):
                return self._annotated_generic(generic, inner)
            case ast.Attribute() | ast.Name():
                with self.notes.silent():
                    return _instance(self.value(annotation))
            case _:
                return UNKNOWN

    def _annotated_generic(self, generic: str, inner: ast.expr) -> Value:
        match generic, inner:
            case "Optional", _:
                return join([self.annotated(inner), NOTHING])
            case "Union", ast.Tuple(elts=parts):
                return join(self.annotated(part) for part in parts)
            case _, ast.Tuple():
                return UNKNOWN
            case name, _ if name.lower() in _MANY:
                return Many(self.annotated(inner))
            case _:
                return UNKNOWN

    # --- what is passed ------------------------------------------------------------------------------------

    def note_call(self, node: ast.Call, function: Value, call: Call) -> None:
        """Note what the call passes to functions of the snippet."""
        if self.notes.is_silent:
            return
        values = [argument.value for argument in call.positional]
        keywords = {name: argument.value for name, argument in call.keywords.items()}
        definition = self._called(node.func, function)
        if definition:
            skip = self._parameters_bound(node.func, definition)
            more = call.more_positional or call.more_keywords
            self._passing.give(definition.node, [] if call.more_positional else values, keywords, skip, more)
        added = added_parameters(node.func)
        if added is not None:
            for argument in node.args:
                self._give(argument, added)
        match function:
            case PyMember(home="bpy.props"):
                pointed = _instance(keywords.get("type", UNKNOWN))
                for keyword in node.keywords:
                    if keyword.arg in CALLBACKS:
                        parameters = callback_parameters(keyword.arg or "", self._property_owner, pointed)
                        self._give(keyword.value, parameters)
            case _:
                self._note_handed_over(node, values, keywords)

    def _note_handed_over(self, node: ast.Call, values: Sequence[Value], keywords: dict[str, Value]) -> None:
        """Note a function that is called later, with what stands beside it here."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        match name:
            case "draw_handler_add" if node.args and len(values) > 1:
                self._give_tuple(node.args[0], values[1])
            case "register" | "partial" if node.args:
                self._give(node.args[0], values[1:], more=name == "partial")
            case "subscribe_rna":
                for keyword in node.keywords:
                    if keyword.arg == "notify":
                        self._give_tuple(keyword.value, keywords.get("args", UNKNOWN))
            case _:
                pass

    def _give_tuple(self, function: ast.expr, arguments: Value) -> None:
        match arguments:
            case Seq(kind="tuple", elements=elements):
                self._give(function, elements)
            case _:
                self._give(function, (), more=True)

    def _give(self, function: ast.expr, values: Sequence[Value], more: bool = False) -> None:
        """Note that this function is called with these values."""
        if isinstance(function, ast.Lambda):
            self._passing.give(function, values, {}, 0, more)
            return
        with self.notes.silent():
            definition = self._called(function, self.value(function))
        if definition:
            self._passing.give(definition.node, values, {}, self._parameters_bound(function, definition), more)

    def _called(self, function: ast.expr, value: Value) -> OwnDefinition | None:
        match value, function:
            case OwnFunction(name=name), _:
                return self._definitions.get(name)
            case Unknown(), ast.Attribute(attr=name) if name in self._definitions:
                return self._definitions[name] if self._definitions[name].class_name else None
            case _:
                return None

    def _parameters_bound(self, function: ast.expr, definition: OwnDefinition) -> int:
        """How many of the first parameters an access such as `self.f` gives."""
        if not definition.is_bound or not isinstance(function, ast.Attribute):
            return 0
        with self.notes.silent():
            through_class = isinstance(self.value(function.value), OwnClass)
        return 0 if through_class and not definition.is_of_class else 1

    # --- what classes of the snippet have --------------------------------------------------------------------

    def own_member(self, owner: Value, name: str) -> Value | None:
        """What the snippet itself gives to the owner under this name; None if the manifest is to be asked."""
        match owner:
            case OwnSelf(type=base, name=class_name) | OwnClass(type=base, name=class_name):
                lineage = list(self._lineage(class_name))
                for each in lineage:
                    if isinstance(owner, OwnSelf) and name in self._classes[each].declared:
                        return self._classes[each].declared[name]
                definition = self._definitions.get(name)
                if definition and definition.class_name in lineage:
                    return OwnFunction(name)
                return UNKNOWN if name in self.survey.own_members or base not in self.api.manifest.types else None
            case Rna(type=type_name):
                if self._registered and not self.api.manifest.find(type_name, name):
                    for (of, registered), value in self._registered.items():
                        if registered == name and self.api.manifest.is_a(type_name, of):
                            return value
                return None
            case _:
                return None

    def _lineage(self, class_name: str, depth: int = 0) -> Iterator[str]:
        facts = self._classes.get(class_name)
        if facts and depth < 8:
            yield class_name
            for base in facts.bases:
                yield from self._lineage(base, depth + 1)

    def assign(self, target: ast.expr, value: Value, source: ast.expr | None) -> None:
        super().assign(target, value, source)
        if isinstance(target, ast.Attribute) and isinstance(source, ast.Call):
            with self.notes.silent():
                owner = self.value(target.value)
            if isinstance(owner, RnaClass):
                self._registered[owner.type, target.attr] = self._declared_by(source, target.attr)

    def _declared_by(self, declaration: ast.expr, name: str) -> Value:
        """What a property holds that is declared by this call of a function of `bpy.props`."""
        if not isinstance(declaration, ast.Call):
            return UNKNOWN
        with self.notes.silent():
            function = self.value(declaration.func)
            pointed = [_instance(self.value(one.value)) for one in declaration.keywords if one.arg == "type"]
        match function:
            case PyMember(home="bpy.props", path=("PointerProperty",)) if pointed:
                return pointed[0]
            case PyMember(home="bpy.props", path=("CollectionProperty",)) if pointed:
                return Coll(pointed[0], "", UNKNOWN, name) if pointed[0] != UNKNOWN else UNKNOWN
            case PyMember(home="bpy.props", path=(kind,)) if kind in _PLAIN_PROPERTIES:
                return Plain(_PLAIN_PROPERTIES[kind])
            case _:
                return UNKNOWN

    def class_facts(self, node: ast.ClassDef) -> ClassFacts:
        """What is known of a class. Without an RNA type of its own it has that of the classes it is mixed into."""
        bases = [base for base in map(self.value, node.bases) if isinstance(base, RnaClass | OwnClass)]
        types = [base.type for base in bases if base.type != "object"]
        mixed = {facts.type for facts in self._classes.values() if node.name in facts.bases and facts.type != "object"}
        type_name = types[0] if types else mixed.pop() if len(mixed) == 1 else "object"
        names = tuple(base.name for base in bases if isinstance(base, OwnClass))
        return ClassFacts(type_name, names, is_closed=len(bases) == len(node.bases) and not node.decorator_list)

    def undeclared(self, owner: Value, name: str) -> Fault | None:
        """The fault of a property that no class of the snippet declares; only likely, as others may add it."""
        match owner:
            case OwnSelf(type="PropertyGroup", name=class_name):
                each = [self._classes[one] for one in self._lineage(class_name)]
            case _:
                return None
        known = {declared for facts in each for declared in facts.declared}
        dynamic = "__annotations__" in self.survey.mentioned or not all(facts.is_closed for facts in each)
        if not known or dynamic or self.api.manifest.find("PropertyGroup", name) or name.startswith(("_", "bl_")):
            return None
        if name in self.survey.own_members | self.survey.asked_for:
            return None
        hint = did_you_mean(nearest(name, known)) or f"It declares {', '.join(sorted(known)[:8])}."
        return Fault("likely-unknown-attribute", f"The class {class_name} declares no property `{name}`", hint)


def _by_name(name: str, base: str) -> Value:
    """What parameters of this name hold in classes with this base, by custom."""
    match name:
        case "layout":
            return Rna("UILayout")
        case "context" if base != "object":
            return CONTEXT
        case "event" if base in _GIVES_EVENTS:
            return Rna("Event")
        case _:
            return UNKNOWN


def _instance(value: Value) -> Value:
    """An instance of a class."""
    match value:
        case RnaClass(type=type_name):
            return Rna(type_name)
        case OwnClass(type=type_name, name=name):
            return OwnSelf(type_name, name)
        case _:
            return UNKNOWN
