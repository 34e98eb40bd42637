"""A snippet as the rules see it: its syntax tree, the possible values of each expression, and the exception."""

from __future__ import annotations

import fnmatch
import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar, cast

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from app.healing.edits import TreeEdit
from app.healing.package import AddonPackage
from app.healing.trouble import Repetition, Trouble
from app.healing.watching import Observations, watch
from app.reading.api.schema import Api, api_of
from app.reading.api.values import UNKNOWN, Coll, Lit, Mod, Op, PyObject, Rna, Value, options
from app.reading.remark import Fault
from app.reading.survey import Survey
from app.verdict.parse import character_column, python_lines, syntax_tree
from ingest.book import Book, BookRow
from ingest.manifest import Manifest

Node = TypeVar("Node", bound=cst.CSTNode)


class Sight:
    """One version of a snippet; a new one is made after every change."""

    def __init__(
        self,
        text: str,
        manifest: Manifest,
        trouble: Trouble | None,
        said: Iterable[str] = (),
        repetition: Repetition | None = None,
        package: AddonPackage | None = None,
    ) -> None:
        """`package` is the add-on whose file this is. Raises ValueError if the text does not parse."""
        tree = syntax_tree(text)
        if tree is None:
            raise ValueError("the snippet does not parse")
        self.text = text
        self.manifest = manifest
        self.trouble = trouble
        self.said = tuple(said)
        self.repetition = repetition
        self.package = package
        try:
            wrapper = MetadataWrapper(cst.parse_module(text), unsafe_skip_copy=True)
            self._ranges = wrapper.resolve(PositionProvider)
        except (cst.ParserSyntaxError, RecursionError, KeyError) as error:
            # LibCST stops in the middle of text that nests too deep, so that some nodes have no places.
            raise ValueError(f"{type(error).__name__}: {error}") from error
        self.module = wrapper.module
        self._in_order, self._parents = _walked(self.module)
        self._of_kind: dict[type[cst.CSTNode], Sequence[cst.CSTNode]] = {}
        self._sources: dict[cst.CSTNode, str] = {}
        self._changes: dict[cst.Attribute, list[tuple[str, BookRow]]] = {}
        self._seen: Observations = watch(tree, text, manifest, package)

    @property
    def api(self) -> Api:
        return api_of(self.manifest)

    @functools.cached_property
    def book(self) -> Book:
        """The changes up to the target."""
        return Book.for_version(self.api.version)

    @property
    def survey(self) -> Survey:
        return self._seen.survey

    # --- places --------------------------------------------------------------------------------------------

    def range(self, node: cst.CSTNode) -> CodeRange:
        return self._ranges[node]

    def line(self, node: cst.CSTNode) -> int:
        return self._ranges[node].start.line

    def all(self, kind: type[Node]) -> list[Node]:
        """Every node of a kind, in source order."""
        if kind not in self._of_kind:
            self._of_kind[kind] = [node for node in self._in_order if isinstance(node, kind)]
        return cast(list[Node], self._of_kind[kind])

    def parent(self, node: cst.CSTNode) -> cst.CSTNode:
        return self._parents[node]

    def around(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """The nodes around a node, the nearest first."""
        while node in self._parents:
            node = self._parents[node]
            yield node

    def statement(self, node: cst.CSTNode) -> cst.BaseSmallStatement | None:
        """The simple statement that is or contains a node."""
        if isinstance(node, cst.BaseSmallStatement):
            return node
        for outer in self.around(node):
            if isinstance(outer, cst.BaseSmallStatement):
                return outer
            if isinstance(outer, cst.BaseCompoundStatement | cst.Lambda):
                return None
        return None

    def function(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The function around a node, or None at the top level."""
        return next((outer for outer in self.around(node) if isinstance(outer, cst.FunctionDef)), None)

    def code(self, node: cst.CSTNode) -> str:
        """The source of a node."""
        if node not in self._sources:
            self._sources[node] = self.module.code_for_node(node).strip()
        return self._sources[node]

    def operand(self, node: cst.BaseExpression) -> str:
        """The source of an expression, in brackets if a neighbouring operator could bind tighter."""
        whole = cst.Name | cst.Attribute | cst.Call | cst.Subscript | cst.BaseNumber | cst.SimpleString
        code = self.code(node)
        return code if isinstance(node, whole) or node.lpar else f"({code})"

    def fails_at(self, node: cst.CSTNode) -> bool:
        """True if the execution failed at a line of this node."""
        found = self._ranges[node]
        return self.trouble is not None and found.start.line <= self.trouble.line <= found.end.line

    # --- values --------------------------------------------------------------------------------------------

    def _span(self, node: cst.CSTNode) -> tuple[int, int, int, int]:
        found = self._ranges[node]
        return found.start.line, found.start.column, found.end.line, found.end.column

    def value(self, node: cst.BaseExpression) -> Value:
        """The possible values of an expression."""
        found = self._seen.values.get(self._span(node), UNKNOWN)
        if self._owner_of_missing and (found == UNKNOWN or self._allows(found, self._owner_of_missing[1])):
            shown = self._value_by_exception(node)
            return found if shown == UNKNOWN else shown
        return found

    def _allows(self, value: Value, type_name: str) -> bool:
        """True if something of this type is one of what the value may be."""
        several = (option.type for option in options(value) if isinstance(option, Rna))
        return any(self.manifest.is_a(type_name, base) for base in several)

    def _value_by_exception(self, node: cst.BaseExpression) -> Value:
        """The value of an expression that is written like the failed one, in the same function, by its exception."""
        if self._owner_of_missing is None or type(node) is not type(self._owner_of_missing[0]):
            return UNKNOWN
        failed, type_name = self._owner_of_missing
        same = self.code(node) == self.code(failed) and self.function(node) is self.function(failed)
        return Rna(type_name) if same else UNKNOWN

    @functools.cached_property
    def _owner_of_missing(self) -> tuple[cst.BaseExpression, str] | None:
        """The expression whose type the exception names, and that type."""
        missing = self.trouble.missing_member if self.trouble else None
        if missing is None or missing[0] not in self.manifest.types:
            return None
        for attribute in self.all(cst.Attribute):
            if attribute.attr.value == missing[1] and self.fails_at(attribute):
                return attribute.value, missing[0]
        return None

    def is_guarded(self, node: cst.BaseExpression) -> bool:
        """True if it is in code that queries the API or catches its errors, and did not fail: then it is intended."""
        guarded = self._span(node) in self._seen.guarded or self.for_some_blenders(node)
        return guarded and not self.fails_at(node)

    def for_some_blenders(self, node: cst.CSTNode) -> bool:
        """True if it runs only under a condition on Blender's version or API; such code is intended, dead or not."""
        first, start, last, end = self._span(node)
        return any(
            (part[0], part[1]) <= (first, start) and (last, end) <= (part[2], part[3]) for part in self._seen.for_some
        )

    def is_a(self, node: cst.BaseExpression, type_name: str) -> bool:
        """True if an expression certainly has an RNA type or a subtype of it."""
        values = options(self.value(node))
        return bool(values) and all(
            isinstance(value, Rna) and self.manifest.is_a(value.type, type_name) for value in values
        )

    def may_be(self, node: cst.BaseExpression, type_name: str) -> bool:
        """The same, but the type may also be a base of that one."""
        values = options(self.value(node))
        return bool(values) and all(
            isinstance(value, Rna)
            and (self.manifest.is_a(value.type, type_name) or self.manifest.is_a(type_name, value.type))
            for value in values
        )

    def collection(self, node: cst.BaseExpression) -> str:
        """The type of a collection, such as SceneObjects, otherwise the name of its property."""
        value = self.value(node)
        return (value.type or value.name) if isinstance(value, Coll) else ""

    def operator(self, call: cst.Call) -> str:
        """The called operator, such as `mesh.primitive_cube_add`, whether or not this build has it."""
        source = self.code(call.func) if isinstance(call.func, cst.Attribute) else ""
        value = self.value(call.func)
        if isinstance(value, Op):
            return value.name
        return source.removeprefix("bpy.ops.") if source.startswith("bpy.ops.") else ""

    def operator_calls(self) -> Iterator[tuple[str, cst.Call]]:
        """Every call of an operator in unguarded code."""
        for call in self.all(cst.Call):
            name = self.operator(call)
            if name and not self.is_guarded(call):
                yield name, call

    def text_of(self, node: cst.BaseExpression) -> str | None:
        """The string value of an expression."""
        value = self.value(node)
        if isinstance(value, Lit) and isinstance(value.value, str):
            return value.value
        if isinstance(node, cst.SimpleString):
            plain = node.evaluated_value
            return plain if isinstance(plain, str) else None
        return None

    def of_mathutils(self, node: cst.BaseExpression) -> str:
        """The class of `mathutils` of an expression."""
        names = {
            value.name if isinstance(value, PyObject) and value.home == "mathutils" else "" for value in self._all(node)
        }
        return names.pop() if len(names) == 1 else ""

    def _all(self, node: cst.BaseExpression) -> tuple[Value, ...]:
        return options(self.value(node))

    # --- members -------------------------------------------------------------------------------------------

    def attributes(self, *names: str) -> Iterator[cst.Attribute]:
        """Every attribute with one of these names in unguarded code."""
        wanted = frozenset(names)
        for attribute in self.all(cst.Attribute):
            if attribute.attr.value in wanted and not self.is_guarded(attribute.value):
                yield attribute

    def methods(self, *names: str) -> Iterator[tuple[cst.Call, cst.BaseExpression]]:
        """Every call of a method with one of these names, with its owner."""
        for call in self.all(cst.Call):
            if isinstance(call.func, cst.Attribute) and call.func.attr.value in names:
                yield call, call.func.value

    def assigned(self, attributes: Iterable[cst.Attribute]) -> Iterator[tuple[cst.Attribute, cst.Assign]]:
        """Those of the attributes that are the only target of an assignment."""
        for attribute in attributes:
            if assign := self.assignment_to(attribute):
                yield attribute, assign

    def lacking(self, type_name: str, *names: str) -> Iterator[cst.Attribute]:
        """Attributes with these names on values of this type, if this build has no such member."""
        for attribute in self.attributes(*names):
            if self.may_be(attribute.value, type_name) and self.lacks(attribute):
                yield attribute

    def lacks(self, attribute: cst.Attribute) -> bool:
        """True if an owner that the manifest knows has no such member, or the exception says so."""
        name = attribute.attr.value
        missing = self.trouble.missing_member if self.trouble else None
        if missing and missing[1] == name and self.fails_at(attribute) and self.may_be(attribute.value, missing[0]):
            return True
        if name in self.survey.registered | self.survey.asked_for:
            return False
        owners = options(self.value(attribute.value))
        return bool(owners) and all(
            isinstance(owner, Rna | Coll | Mod) and self.api.member(owner, name) is None for owner in owners
        )

    def change_of(self, attribute: cst.Attribute) -> tuple[str, BookRow] | None:
        """The first of `changes_of`."""
        return next(iter(self.changes_of(attribute)), None)

    def changes_of(self, attribute: cst.Attribute) -> list[tuple[str, BookRow]]:
        """The rows of the book for a member that this build lacks, in unguarded code, each with the type of the row."""
        if attribute not in self._changes:
            self._changes[attribute] = self._look_up(attribute)
        return self._changes[attribute]

    def _look_up(self, attribute: cst.Attribute) -> list[tuple[str, BookRow]]:
        rows = self.book.named("member", attribute.attr.value)
        if not rows or self.is_guarded(attribute.value):
            return []
        missing = self.trouble.missing_member if self.trouble else None
        if missing and missing[0] in rows and missing[0] not in self.manifest.types and self.fails_at(attribute):
            # An add-on has registered the type, such as the settings of Cycles, and only the exception shows it.
            return [(missing[0], rows[missing[0]])]
        found = [(owner, row) for owner, row in rows.items() if self._is_of(attribute.value, owner)]
        return found if found and self.lacks(attribute) else []

    def _is_of(self, node: cst.BaseExpression, owner: str) -> bool:
        if "*" not in owner:
            return self.may_be(node, owner)
        values = options(self.value(node))
        return bool(values) and all(isinstance(value, Rna) and fnmatch.fnmatch(value.type, owner) for value in values)

    def has(self, type_name: str, member: str) -> bool:
        """True if this build has the member."""
        return self.manifest.find(type_name, member) is not None

    def assignment_to(self, node: cst.BaseExpression) -> cst.Assign | None:
        """The assignment whose only target is this expression."""
        target = self.parent(node)
        assign = self.parent(target) if isinstance(target, cst.AssignTarget) else None
        return assign if isinstance(assign, cst.Assign) and len(assign.targets) == 1 else None

    def is_read(self, node: cst.BaseExpression) -> bool:
        """True if the expression is only read."""
        parent = self.parent(node)
        if isinstance(parent, cst.AssignTarget | cst.Del | cst.Element):
            return isinstance(parent, cst.Element) and not any(
                isinstance(outer, cst.AssignTarget) for outer in self.around(node)
            )
        changed = isinstance(parent, cst.AugAssign | cst.AnnAssign | cst.For | cst.CompFor) and parent.target is node
        return not changed

    def call_of(self, node: cst.BaseExpression) -> cst.Call | None:
        """The call of this expression."""
        parent = self.parent(node)
        return parent if isinstance(parent, cst.Call) and parent.func is node else None

    def alone(self, call: cst.BaseExpression) -> cst.Expr | None:
        """The statement that consists of this expression."""
        parent = self.parent(call)
        return parent if isinstance(parent, cst.Expr) else None

    # --- faults --------------------------------------------------------------------------------------------

    @functools.cached_property
    def faults(self) -> list[tuple[Fault, cst.CSTNode]]:
        """The faults that the API check finds, each with the name, argument or expression that it is about."""
        lines = python_lines(self.text)
        found: list[tuple[Fault, cst.CSTNode]] = []
        for remark in self._seen.remarks:
            line, column = remark.place.line, character_column(lines, remark.place.line, remark.place.byte_offset)
            nodes = self._nodes_by_start.get((line, column - 1), [])
            wanted: type[cst.CSTNode] = cst.Arg if "argument" in remark.fault.code else cst.BaseExpression
            node = next((node for node in nodes if isinstance(node, wanted)), nodes[0] if nodes else None)
            if node is not None:
                found.append((remark.fault, node))
        return found

    @functools.cached_property
    def _nodes_by_start(self) -> dict[tuple[int, int], list[cst.CSTNode]]:
        starting: dict[tuple[int, int], list[cst.CSTNode]] = {}
        for node in self._in_order:
            if isinstance(node, cst.BaseExpression | cst.Arg):
                start = self._ranges[node].start
                starting.setdefault((start.line, start.column), []).append(node)
        return starting

    # --- changes -------------------------------------------------------------------------------------------

    def replace(self, node: cst.BaseExpression, source: str, reason: str, new_import: str = "") -> TreeEdit:
        """Replace an expression."""
        return TreeEdit(reason, node, expression=source, new_import=new_import)

    def instead(
        self, node: cst.BaseSmallStatement, *sources: str, reason: str, new_import: str = "", group: str = ""
    ) -> TreeEdit:
        """Replace a statement by others, or delete it."""
        return TreeEdit(reason, node, statements=sources, new_import=new_import, group=group)

    def before(self, node: cst.BaseSmallStatement, *sources: str, reason: str) -> TreeEdit:
        """Write statements before a statement."""
        return self.instead(node, *sources, self.code(node).rstrip(";").rstrip(), reason=reason)

    def after(self, node: cst.BaseSmallStatement, *sources: str, reason: str, group: str = "") -> TreeEdit:
        """Write statements after a statement."""
        return self.instead(node, self.code(node).rstrip(";").rstrip(), *sources, reason=reason, group=group)

    def respell(self, node: cst.SimpleString, text: str, reason: str) -> TreeEdit:
        """Replace the text of a string."""
        return self.replace(node, f"{node.quote}{text}{node.quote}", reason)

    def argument(self, node: cst.Arg, source: str, reason: str) -> TreeEdit:
        """Replace an argument; drop it if the source is empty."""
        return TreeEdit(reason, node, argument=source)

    def rename(self, attribute: cst.Attribute, new: str, reason: str) -> TreeEdit:
        """Give an attribute another name, which may have dots."""
        return self.replace(attribute, f"{self.code(attribute.value)}.{new}", reason)


def _walked(module: cst.Module) -> tuple[list[cst.CSTNode], dict[cst.CSTNode, cst.CSTNode]]:
    """Every node in source order, and the parent of each. In one walk, because it is the children that cost."""
    nodes: list[cst.CSTNode] = []
    parents: dict[cst.CSTNode, cst.CSTNode] = {}
    waiting: list[cst.CSTNode] = [module]
    while waiting:
        node = waiting.pop()
        nodes.append(node)
        children = node.children
        parents.update(dict.fromkeys(children, node))
        waiting.extend(reversed(children))
    return nodes, parents


def keyword(call: cst.Call, name: str) -> cst.Arg | None:
    """The keyword argument of this name."""
    return next((arg for arg in call.args if arg.keyword and arg.keyword.value == name), None)


def key_of(subscript: cst.Subscript) -> cst.BaseExpression | None:
    """The key or number in the brackets; None for a slice or several."""
    index = subscript.slice[0].slice
    return index.value if len(subscript.slice) == 1 and isinstance(index, cst.Index) else None
