"""The outline of a Python text: the values of its names, and the calls and attributes that frameworks know."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final

from codebase.graph.edge import SourceText
from codebase.graph.outline.calls import CALLS
from codebase.graph.outline.outline_values import (
    MOST_OF_MODULE,
    MOST_PARTS,
    Value,
    Values,
    ValueScope,
    bind,
    either,
    is_part,
    is_small,
    iteration_of,
    sum_of,
    with_old_value,
)
from python.identifiers import last_name

Function = ast.FunctionDef | ast.AsyncFunctionDef
Comprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp

NAMED_BY_FRAMEWORK: Final = re.compile(r"\b(bpy|bl_idname|context|layout|django|models|objects)\b")
"""Only such texts have attributes that may be settings of Blender, or relations of Django."""
FRAMEWORK: Final = re.compile(
    r"\b(bpy|bl_\w+|context|layout|django|rest_framework|request|reverse|redirect|render\w*|template\w*|receiver"
    r"|signals?|register)\b"
)
"""The functions of other texts are not read: their names have no meaning for a framework."""
IDENTIFIER: Final = re.compile(
    r"[a-z]\w*\.[a-z]\w*|[A-Z]\w*_[A-Z]{2,3}_\w+|[\w\-./]+\.(?:html?|txt|xml|jinja2?|djhtml)(?:#\w+)?", re.ASCII
)
"""The names of Blender's operators, and of its menus, panels and lists; the paths of templates."""
MOST_DEEP: Final = 60


@dataclasses.dataclass
class TextOutline:
    """The facts of one text. Units are local numbers."""

    names: dict[str, Value] = dataclasses.field(default_factory=dict[str, Value])
    lines: dict[str, int] = dataclasses.field(default_factory=dict[str, int])
    """The lines of the assignments to the names of the module."""
    stars: list[str] = dataclasses.field(default_factory=list[str])
    """Modules of which all names are imported."""
    classes: dict[str, dict[str, Any]] = dataclasses.field(default_factory=dict[str, dict[str, Any]])
    """By qualified name: `unit`, `line`, `bases`, `names` of its body, and their `lines`."""
    returns: dict[int, Value] = dataclasses.field(default_factory=dict[int, Value])
    """The value that a function returns, if it is known."""
    decorators: list[list[Any]] = dataclasses.field(default_factory=list[list[Any]])
    """Unit of the decorated function or class, line, value."""
    calls: list[list[Any]] = dataclasses.field(default_factory=list[list[Any]])
    """Unit, line, function, arguments, keywords."""
    attributes: list[list[Any]] = dataclasses.field(default_factory=list[list[Any]])
    """Unit, line, value; once per unit."""
    assigned: list[list[Any]] = dataclasses.field(default_factory=list[list[Any]])
    """Assignments to attributes and items: unit, line, target, value."""
    strings: list[list[Any]] = dataclasses.field(default_factory=list[list[Any]])
    """Strings that may be names of something, except those that a module or class only assigns to a name: unit, line,
    text; once per unit."""


class OutlineReader:
    """Reads one text."""

    def __init__(self, source: SourceText) -> None:
        self._places = {(unit.name, unit.first): place for place, unit in enumerate(source.units)}
        module = next((place for place, unit in enumerate(source.units) if unit.kind == "module"), -1)
        self._with_attributes = bool(NAMED_BY_FRAMEWORK.search(source.text))
        self._is_deep = bool(FRAMEWORK.search(source.text))
        self._seen: set[tuple[int, str]] = set()
        self._path: tuple[str, ...] = ()
        self._class: str | None = None
        self._values = Values(ValueScope(module, is_module=True))
        self.outline = TextOutline()

    @property
    def _scope(self) -> ValueScope:
        return self._values.scope

    def body(self, nodes: Iterable[ast.stmt]) -> None:
        for node in nodes:
            self.STATEMENTS.get(type(node), OutlineReader._other)(self, node)

    def _other(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr | ast.keyword | ast.withitem):
                self._visit(child)
            elif isinstance(child, ast.stmt):
                self.body([child])

    def _visit(self, node: ast.AST, depth: int = 0) -> None:
        """Note the calls and attributes of an expression."""
        if depth > MOST_DEEP:
            return
        if isinstance(node, ast.Attribute):
            self._note_attribute(node)
            while isinstance(node, ast.Attribute):
                node = node.value
        if isinstance(node, Comprehension | ast.Lambda):
            self._visit_inner(node, depth + 1)
            return
        if isinstance(node, ast.Call):
            self._note_call(node)
        elif isinstance(node, ast.Constant):
            self._note_string(node)
        for child in ast.iter_child_nodes(node):
            self._visit(child, depth + 1)

    def _visit_inner(self, node: Comprehension | ast.Lambda, depth: int) -> None:
        around = self._scope
        self._values.scope = scope = ValueScope(around.unit, {}, around)
        if isinstance(node, ast.Lambda):
            parameters = (*node.args.args, *node.args.kwonlyargs)
            scope.names.update({parameter.arg: ["p", parameter.arg] for parameter in parameters})
        else:
            for part in node.generators:
                bind(scope, part.target, iteration_of(self._values.read(part.iter)))
        for child in ast.iter_child_nodes(node):
            self._visit(child, depth)
        self._values.scope = around

    def _note_call(self, node: ast.Call) -> None:
        called = node.func
        name = last_name(called)
        if name in CALLS and self._scope.unit >= 0:
            value = self._values.read(node)
            if value:
                self.outline.calls.append([self._scope.unit, node.lineno, *value[1:]])

    def _note_attribute(self, node: ast.Attribute) -> None:
        if not self._with_attributes or self._scope.unit < 0:
            return
        value = self._values.read(node)
        if value and value[1] and (key := (self._scope.unit, repr(value))) not in self._seen:
            self._seen.add(key)
            self.outline.attributes.append([self._scope.unit, node.end_lineno or node.lineno, value])

    def _note_string(self, node: ast.Constant) -> None:
        text, unit = node.value, self._scope.unit
        if (
            isinstance(text, str)
            and unit >= 0
            and len(text) < 80
            and IDENTIFIER.fullmatch(text)
            and (unit, text) not in self._seen
        ):
            self._seen.add((unit, text))
            self.outline.strings.append([unit, node.lineno, text])

    def _assign(self, node: ast.Assign) -> None:
        is_plain = isinstance(node.value, ast.Constant) and (self._in_class or self._scope.is_module)
        if not is_plain or "/" in ast.unparse(node.value):
            self._visit(node.value)
        value = self._values.read(node.value)
        for target in node.targets:
            self._target(target, value)

    def _target(self, target: ast.expr, value: Value) -> None:
        if isinstance(target, ast.Attribute | ast.Subscript):
            self._visit(target)
            if value and self._scope.unit >= 0 and (to := self._values.read(target)):
                self.outline.assigned.append([self._scope.unit, target.lineno, to, value])
        else:
            self._bind(target, value)

    def _bind(self, target: ast.expr, value: Value) -> None:
        """Let names hold a value: in a class or module as they are written, in a function as they are read."""
        if not (self._in_class or self._scope.is_module):
            bind(self._scope, target, value)
        elif isinstance(target, ast.Name):
            old = self._names.get(target.id)
            self._set(target.id, with_old_value(value, target.id, old) if old else value)
            lines = self.outline.classes[self._class or ""]["lines"] if self._in_class else self.outline.lines
            lines[target.id] = target.lineno
        elif isinstance(target, ast.Tuple | ast.List):
            for place, part in enumerate(target.elts):
                inner = value[1][place][1] if value and value[0] == "l" and place < len(value[1]) else None
                self._bind(part, inner)

    def _set(self, name: str, value: Value) -> None:
        is_open = self._in_class or self._scope.is_module
        self._names[name] = value if is_small(value, MOST_OF_MODULE if is_open else MOST_PARTS) else None

    @property
    def _in_class(self) -> bool:
        return self._class is not None and self._class == ".".join(self._path)

    @property
    def _names(self) -> dict[str, Value]:
        """The names that a statement binds here."""
        if self._in_class:
            names: dict[str, Value] = self.outline.classes[self._class or ""]["names"]
            return names
        return self.outline.names if self._scope.is_module else self._scope.names

    def _annotated(self, node: ast.AnnAssign) -> None:
        self._visit(node.annotation)
        value = self._values.read(node.annotation) if isinstance(node.annotation, ast.Call) else None
        if node.value is not None:
            self._visit(node.value)
            value = value or self._values.read(node.value)
        if not isinstance(node.target, ast.Attribute | ast.Subscript):
            self._bind(node.target, value or self._values.of_annotation(node.annotation))

    def _augmented(self, node: ast.AugAssign) -> None:
        self._visit(node.value)
        if isinstance(node.target, ast.Name) and isinstance(node.op, ast.Add):
            old = self._names.get(node.target.id)
            self._set(node.target.id, sum_of(old, self._values.read(node.value)) if old else None)
        else:
            self._visit(node.target)

    def _expression(self, node: ast.Expr) -> None:
        self._visit(node.value)
        match node.value:
            case ast.Call(ast.Attribute(ast.Name(name), "append" | "extend" | "insert" as method), [*_, last]):
                old = self._names.get(name)
                if old and old[0] in ("l", "+"):
                    more = self._values.read(last)
                    self._set(name, sum_of(old, more if method == "extend" else ["l", [[node.lineno, more]]]))
            case _:
                pass

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            top = alias.name.partition(".")[0]
            self._names[alias.asname or top] = ["m", alias.name if alias.asname else top]

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = "." * node.level + (node.module or "")
        for alias in node.names:
            if alias.name == "*":
                self.outline.stars.append(module)
            else:
                self._names[alias.asname or alias.name] = ["j", module, alias.name]

    def _branches(self, node: ast.If | ast.Try | ast.TryStar | ast.While | ast.Match) -> None:
        """Read the parts of a statement of which one runs; afterwards names hold the values of any of them."""
        bodies: list[list[ast.stmt]] = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
        bodies += [part.body for name in ("handlers", "cases") for part in getattr(node, name, [])]
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self._visit(child)
        names = self._names
        before = dict(names)
        after = [] if isinstance(node, ast.If) and node.orelse else [before]
        for body in bodies:
            if body:
                names.clear()
                names.update(before)
                self.body(body)
                after.append(dict(names))
        names.update(
            {name: merge_branches([branch.get(name) for branch in after]) for branch in after for name in branch}
        )

    def _loop(self, node: ast.For | ast.AsyncFor) -> None:
        self._visit(node.iter)
        self._bind(node.target, iteration_of(self._values.read(node.iter)))
        self.body([*node.body, *node.orelse])

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            self._visit(item.context_expr)
            if item.optional_vars is not None:
                self._bind(item.optional_vars, None)
        self.body(node.body)

    def _return(self, node: ast.Return) -> None:
        if node.value is not None:
            self._visit(node.value)
            unit, value = self._scope.unit, self._values.read(node.value)
            if is_small(value) and value is not None and unit >= 0:
                values = (self.outline.returns.get(unit), value)
                self.outline.returns[unit] = either(known for known in values if known)

    def _function(self, node: Function) -> None:
        unit = self._unit_of(node)
        defaults = [default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None]
        self._decorated(node, unit, defaults)
        self._names[node.name] = ["u", unit, ".".join((*self._path, node.name))]
        around, path, of_class = self._scope, self._path, self._class
        self._values.scope = scope = ValueScope(unit, {}, around)
        scope.names.update(dict.fromkeys(bound_names(node.body)))
        self._bind_parameters(node, scope)
        self._path = (*path, node.name)
        if self._is_deep:
            self.body(node.body)
        self._values.scope, self._path, self._class = around, path, of_class

    def _bind_parameters(self, node: Function, scope: ValueScope) -> None:
        given = [*node.args.posonlyargs, *node.args.args]
        for parameter in (*given, *node.args.kwonlyargs):
            scope.names[parameter.arg] = self._values.of_annotation(parameter.annotation) or ["p", parameter.arg]
        for rest in (node.args.vararg, node.args.kwarg):
            if rest is not None:
                scope.names[rest.arg] = None
        if self._in_class and given:
            marks = {decorator.id for decorator in node.decorator_list if isinstance(decorator, ast.Name)}
            if "staticmethod" not in marks:
                scope.names[given[0].arg] = ["k" if "classmethod" in marks else "i", self._class]

    def _class_statement(self, node: ast.ClassDef) -> None:
        unit = self._unit_of(node)
        self._decorated(node, unit)
        for part in (*node.bases, *node.keywords):
            self._visit(part)
        around, of_class = self._path, self._class
        self._path = (*around, node.name)
        name = ".".join(self._path)
        self._names_of_outer(around, of_class)[node.name] = ["k", name]
        bases = [self._values.read(base) for base in node.bases]
        self._class = name
        self.outline.classes[name] = {"unit": unit, "line": node.lineno, "bases": bases, "names": {}, "lines": {}}
        outer = self._scope
        names: dict[str, Value] = self.outline.classes[name]["names"]
        self._values.scope = ValueScope(unit, {}, outer, is_module=outer.is_module, of_class=names)
        self.body(node.body)
        self._values.scope, self._path, self._class = outer, around, of_class

    def _names_of_outer(self, path: tuple[str, ...], of_class: str | None) -> dict[str, Value]:
        if of_class is not None and of_class == ".".join(path):
            names: dict[str, Value] = self.outline.classes[of_class]["names"]
            return names
        return self.outline.names if self._scope.is_module else self._scope.names

    def _decorated(self, node: Function | ast.ClassDef, unit: int, defaults: Iterable[ast.expr] = ()) -> None:
        """Read decorators and default values: they are evaluated outside of the function, but belong to it."""
        around = self._scope
        self._values.scope = ValueScope(unit, {}, around, is_module=around.is_module, of_class=around.of_class)
        for default in defaults:
            self._visit(default)
        for decorator in node.decorator_list:
            self._visit(decorator)
            if unit >= 0 and (value := self._values.read(decorator)):
                self.outline.decorators.append([unit, decorator.lineno, value])
        self._values.scope = around

    def _unit_of(self, node: Function | ast.ClassDef) -> int:
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        return self._places.get((".".join((*self._path, node.name)), first), -1)

    STATEMENTS: ClassVar[Mapping[type, Callable[[Any, Any], None]]] = {
        ast.Assign: _assign,
        ast.AnnAssign: _annotated,
        ast.AugAssign: _augmented,
        ast.Expr: _expression,
        ast.Import: _import,
        ast.ImportFrom: _import_from,
        ast.If: _branches,
        ast.Try: _branches,
        ast.TryStar: _branches,
        ast.While: _branches,
        ast.Match: _branches,
        ast.For: _loop,
        ast.AsyncFor: _loop,
        ast.With: _with,
        ast.AsyncWith: _with,
        ast.Return: _return,
        ast.FunctionDef: _function,
        ast.AsyncFunctionDef: _function,
        ast.ClassDef: _class_statement,
    }


def merge_branches(values: list[Value]) -> Value:
    """The value of a name after branches: the values of all of them."""
    known: list[Value] = []
    for value in values:
        if value is not None and value not in known:
            known.append(value)
    return (
        either(value for value in known if not any(is_part(value, other) for other in known if other != value)) or None
    )


def bound_names(body: Iterable[ast.AST]) -> Iterable[str]:
    """The names that statements bind, without those of inner functions and classes."""
    stack = list(body)
    outer: set[str] = set()
    names: list[str] = []
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                names.append(node.id)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            outer.update(node.names)
        elif not isinstance(node, Function | ast.ClassDef | ast.Lambda):
            stack += ast.iter_child_nodes(node)
    return [name for name in names if name not in outer]
