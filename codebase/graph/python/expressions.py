"""Reads expressions: their terms, and the sites in them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final

from codebase.graph.python.annotations import Annotations
from codebase.graph.python.scope import TextCursor
from codebase.graph.python.terms import UNKNOWN
from python.identifiers import dotted, parameters

OPERATORS: Final[Mapping[type[ast.AST], str]] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.MatMult: "matmul",
    ast.BitOr: "or",
    ast.BitAnd: "and",
    ast.BitXor: "xor",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.USub: "neg",
    ast.Invert: "invert",
    ast.UAdd: "pos",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}
NAMED: Final = ("n", "i", "m", "d")
"""Terms of names that may lead to another unit."""
Given = tuple[int, ...]
"""The terms of the positional arguments of a call."""
PASSED_ON: Final = {
    "choice": "element",
    "max": "element",
    "min": "element",
    "sample": "same",
    "choices": "same",
    "deepcopy": "same",
    "copy": "same",
    "replace": "same",
}
"""Functions of Python's library that give what they are given, or one element of it."""
SPOKEN: Final = {"str": "str", "repr": "repr", "len": "len", "hash": "hash", "abs": "abs", "bool": "bool"}
"""Builtin functions that call a method of what they are given."""
PLAIN: Final = ("?", "v", "l", "p", "D")
"""Terms whose operators are those of Python's own types, or unknown."""


class Expressions:
    """Reads the expressions of one text where the cursor is; it binds what they assign, and notes their sites."""

    def __init__(self, cursor: TextCursor) -> None:
        self._cursor = cursor
        self._terms = cursor.terms
        self.annotations = Annotations(cursor.terms)

    def value(self, node: ast.AST | None) -> int:
        """The term of an expression, whose sites are noted."""
        if node is None:
            return UNKNOWN
        read = self.READERS.get(type(node))
        if read is not None:
            return read(self, node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr | ast.comprehension | ast.keyword):
                self.value(child)
        return UNKNOWN

    def values(self, nodes: Iterable[ast.AST | None]) -> tuple[int, ...]:
        return tuple([self.value(node) for node in nodes])

    def operator(self, node: ast.AST, term: int, method: str) -> int:
        """A method that Python's syntax calls; returns what it gives."""
        if self._terms.tag(term) in PLAIN:
            return UNKNOWN
        called = self._terms.add("a", term, f"__{method}__")
        self._cursor.site(node, "o", called)
        return self._terms.add("c", called)

    def instance(self, node: ast.expr | None) -> int:
        """An instance of the type that an annotation says."""
        return self.annotations.instance(node, self._cursor.lookup)

    def _name(self, node: ast.Name) -> int:
        term = self._cursor.lookup(node.id)
        if self._terms.tag(term) in NAMED:
            self._cursor.site(node, "l", term)
        return term

    def _attribute(self, node: ast.Attribute) -> int:
        term, held = self.attribute_terms(node)
        if self._terms.tag(term) == "a":
            self._cursor.site(node, "l", term)
        return held

    def attribute_terms(self, node: ast.Attribute) -> tuple[int, int]:
        """An attribute, and what it is known to hold here; only what it is an attribute of is noted."""
        base = self._cursor.lookup(node.value.id) if isinstance(node.value, ast.Name) else self.value(node.value)
        if self._terms.tag(base) == "v":
            return base, base
        term = self._terms.add("a", base, node.attr)
        path = dotted(node) if self._cursor.scope.flow.has_paths else None
        return term, self._cursor.scope.flow.held.get(path, term) if path else term

    def _call(self, node: ast.Call) -> int:
        function = node.func
        called = function.id if isinstance(function, ast.Name) else ""
        given = self.values(node.args)
        self.values(keyword.value for keyword in node.keywords)
        if isinstance(function, ast.Name):
            term = self._cursor.lookup(called)
        elif isinstance(function, ast.Attribute):
            term = self.attribute_terms(function)[1]
        else:
            term = self.value(function)
        special = self.SPECIAL.get(called) if self._terms.tag(term) == "n" else None
        result = special(self, node, given) if special else None
        if result is not None:
            return result
        self._cursor.site(function, "c", term)
        last = called or getattr(function, "attr", "")
        if last in ("cast", "TypeVar"):
            return self._said(node, last)
        if last in PASSED_ON and given:
            held = self._terms.add("e", given[0]) if PASSED_ON[last] == "element" else given[0]
            return self._terms.add("q", term, held)
        return self._terms.add("c", term)

    def _said(self, node: ast.Call, called: str) -> int:
        """An instance of the type in a `cast`, or in the bound of a `TypeVar`."""
        if called == "cast" and len(node.args) == 2:
            return self.instance(node.args[0])
        bound = next((keyword.value for keyword in node.keywords if keyword.arg == "bound"), None)
        if isinstance(bound, ast.Constant) and isinstance(bound.value, str):
            return self._cursor.lookup(bound.value)
        return self.annotations.path(bound, self._cursor.lookup) if bound is not None else UNKNOWN

    def _super(self, _node: ast.Call, _given: Given) -> int | None:
        return self._terms.add("z", self._cursor.scope.of_class) if self._cursor.scope.of_class >= 0 else None

    def _type(self, _node: ast.Call, given: Given) -> int | None:
        return self._terms.add("a", given[0], "__class__") if given and len(given) == 1 else None

    def _getattr(self, node: ast.Call, given: Given) -> int | None:
        """An attribute whose name is written out is one like any other; otherwise only running it can tell."""
        name = node.args[1] if len(given) >= 2 else None
        if given and isinstance(name, ast.Constant) and isinstance(name.value, str):
            return self._terms.add("a", given[0], name.value)
        self._cursor.site(node, "?", self._terms.add("n", "getattr"))
        return UNKNOWN

    def _spoken(self, node: ast.Call, given: Given) -> int | None:
        called = SPOKEN[getattr(node.func, "id", "")]
        if len(given) == 1:
            self.operator(node, given[0], called)
        return None

    def _next(self, node: ast.Call, given: Given) -> int | None:
        if given:
            self.operator(node, given[0], "next")
        return self._terms.add("e", given[0]) if given else None

    def _same(self, node: ast.Call, given: Given) -> int | None:
        """Functions that give the elements of what they are given."""
        if given:
            self.operator(node, given[0], "iter")
        return self._terms.add("l", (self._terms.add("e", given[0]),)) if given else None

    def _pairs(self, node: ast.Call, given: Given) -> int | None:
        """`enumerate` and `zip`: an iterable of tuples."""
        parts = [self._terms.add("e", iterable) for iterable in given]
        if isinstance(node.func, ast.Name) and node.func.id == "enumerate":
            parts = [self._terms.add("v", "int"), *parts[:1]]
        return self._terms.add("l", (self._terms.add("p", tuple(parts)),))

    def _choice(self, node: ast.IfExp) -> int:
        self.value(node.test)
        terms: list[int] = []
        for branch, holds in ((node.body, True), (node.orelse, False)):
            self._cursor.scope.flow.part()
            self.narrow(node.test, holds)
            terms.append(self.value(branch))
            self._cursor.scope.flow.end()
        return self._terms.union(terms)

    def _either(self, node: ast.BoolOp) -> int:
        is_or = isinstance(node.op, ast.Or)
        terms: list[int] = []
        self._cursor.scope.flow.part()
        for operand in node.values:
            terms.append(self.value(operand))
            self.narrow(operand, not is_or)
        self._cursor.scope.flow.end()
        return self._terms.union(terms) if is_or else terms[-1]

    def _binary(self, node: ast.BinOp) -> int:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Mod | ast.Add) and self._terms.tag(left) == "v":
            return left if self._terms.tag(right) == "v" else UNKNOWN
        return self.operator(node, left, OPERATORS[type(node.op)])

    def _unary(self, node: ast.UnaryOp) -> int:
        term = self.value(node.operand)
        return self._terms.add("v", "bool") if isinstance(node.op, ast.Not) else self._negated(node, term)

    def _negated(self, node: ast.UnaryOp, term: int) -> int:
        return self.operator(node, term, OPERATORS[type(node.op)])

    def _comparison(self, node: ast.Compare) -> int:
        terms = self.values((node.left, *node.comparators))
        for place, operator in enumerate(node.ops):
            if isinstance(operator, ast.In | ast.NotIn):
                self.operator(node, terms[place + 1], "contains")
            elif type(operator) in OPERATORS:
                self.operator(node, terms[place], OPERATORS[type(operator)])
        return self._terms.add("v", "bool")

    def _subscript(self, node: ast.Subscript) -> int:
        base = self.value(node.value)
        self.value(node.slice)
        if isinstance(node.ctx, ast.Load):
            self.operator(node, base, "getitem")
        if self._terms.tag(base) == "p" and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
            return self._terms.add("y", base, node.slice.value)
        return self._terms.add("x", base) if base != UNKNOWN else UNKNOWN

    def _constant(self, node: ast.Constant) -> int:
        return self._terms.add("v", type(node.value).__name__.replace("NoneType", "None"))

    def _text(self, node: ast.JoinedStr) -> int:
        for part in node.values:
            self.value(part.value if isinstance(part, ast.FormattedValue) else None)
        return self._terms.add("v", "str")

    def _list(self, node: ast.List | ast.Set) -> int:
        return self._terms.add("l", self.values(node.elts)[:8])

    def _tuple(self, node: ast.Tuple) -> int:
        return self._terms.add("p", self.values(node.elts)[:32])

    def _dict(self, node: ast.Dict) -> int:
        keys, values = self.values(node.keys), self.values(node.values)
        return self._terms.add("D", tuple(dict.fromkeys(keys))[:8], tuple(dict.fromkeys(values))[:8])

    def _await(self, node: ast.Await | ast.Starred) -> int:
        return self.value(node.value)

    def _walrus(self, node: ast.NamedExpr) -> int:
        term = self.value(node.value)
        self._cursor.scope.bind(node.target.id, term)
        return term

    def _lambda(self, node: ast.Lambda) -> int:
        self._cursor.scope.flow.part()
        for parameter in parameters(node.args):
            self._cursor.scope.flow.set(parameter.arg, UNKNOWN)
        self.value(node.body)
        self._cursor.scope.flow.end()
        return UNKNOWN

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp) -> int:
        self._cursor.scope.flow.part()
        self._generators(node.generators)
        term = self._terms.add("l", (self.value(node.elt),))
        self._cursor.scope.flow.end()
        return term

    def _dict_comprehension(self, node: ast.DictComp) -> int:
        self._cursor.scope.flow.part()
        self._generators(node.generators)
        term = self._terms.add("D", (self.value(node.key),), (self.value(node.value),))
        self._cursor.scope.flow.end()
        return term

    def _generators(self, generators: Iterable[ast.comprehension]) -> None:
        for generator in generators:
            item = self.iterated(generator.iter, "aiter" if generator.is_async else "iter")
            self.target(generator.target, item, self._cursor.scope.flow.set)
            for test in generator.ifs:
                self.value(test)
                self.narrow(test, True)

    def iterated(self, node: ast.expr, method: str = "iter") -> int:
        """The elements that an iteration over an expression gives."""
        term = self.value(node)
        self.operator(node, term, method)
        return self._terms.add("e", term) if term != UNKNOWN else UNKNOWN

    def target(self, node: ast.expr, term: int, bind: Callable[[str, int], None]) -> None:
        """Bind the target of an assignment to a term."""
        if isinstance(node, ast.Name):
            bind(node.id, term)
        elif isinstance(node, ast.Tuple | ast.List):
            starred = any(isinstance(part, ast.Starred) for part in node.elts)
            for place, part in enumerate(node.elts):
                known = term != UNKNOWN and not starred
                self.target(part, self._terms.add("y", term, place) if known else UNKNOWN, bind)
        elif isinstance(node, ast.Starred):
            self.target(node.value, UNKNOWN, bind)
        elif isinstance(node, ast.Attribute):
            self.assign_attribute(node, term)
        elif isinstance(node, ast.Subscript):
            self.operator(node, self.value(node.value), "setitem")
            self.value(node.slice)

    def assign_attribute(self, node: ast.Attribute, term: int) -> None:
        """Note an assignment to an attribute; one of `self` is noted with its class too."""
        base = self._cursor.lookup(node.value.id) if isinstance(node.value, ast.Name) else self.value(node.value)
        self._cursor.site(node, "=", self._terms.add("a", base, node.attr))
        path = dotted(node)
        if path:
            held = self._terms.add("h", self._terms.add("a", base, node.attr), term)
            self._cursor.scope.flow.set(path, held if term != UNKNOWN else None)
        if self._terms.tag(base) in ("s", "k"):
            owner = self._cursor.facts.definitions[int(self._terms.rows[base][1])]
            given = owner.given.setdefault(node.attr, [])
            if term not in given:
                given.append(term)

    def narrow(self, test: ast.expr, holds: bool) -> None:
        """Narrow the names that a condition is about, if it holds or does not."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            self.narrow(test.operand, not holds)
        elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) == holds:
            for operand in test.values:
                self.narrow(operand, holds)
        elif holds and isinstance(test, ast.Call) and getattr(test.func, "id", "") == "isinstance":
            path = dotted(test.args[0]) if len(test.args) == 2 else None
            if path:
                kinds = test.args[1].elts if isinstance(test.args[1], ast.Tuple) else [test.args[1]]
                before = self._plain(test.args[0])
                type_ = self._terms.union(self.instance(kind) for kind in kinds)
                self._cursor.scope.flow.set(path, self._terms.add("r", before, type_))

    def _plain(self, node: ast.expr) -> int:
        """The term of a path of names."""
        if isinstance(node, ast.Name):
            return self._cursor.lookup(node.id)
        path = dotted(node)
        if path and path in self._cursor.scope.flow.held:
            return self._cursor.scope.flow.held[path]
        return self._terms.add("a", self._plain(node.value), node.attr) if isinstance(node, ast.Attribute) else UNKNOWN

    def _yields(self, node: ast.Yield | ast.YieldFrom) -> int:
        term = self.value(node.value) if node.value else UNKNOWN
        if self._cursor.scope.kind == "function":
            marks = self._cursor.facts.definitions[self._cursor.scope.definition].marks
            if "yields" not in marks:
                marks.append("yields")
            self._cursor.give(self._terms.add("e", term) if isinstance(node, ast.YieldFrom) else term)
            said = self._cursor.facts.definitions[self._cursor.scope.definition].returns
            row = self._terms.rows[said] if said >= 0 else ["?"]
            if row[0] == "g" and len(row[2]) == 3:
                # Generator[what it yields, what it is sent, what it returns]
                return int(row[2][1])
        return UNKNOWN

    READERS: ClassVar[dict[type, Callable[[Any, Any], int]]] = {
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.Call: _call,
        ast.IfExp: _choice,
        ast.BoolOp: _either,
        ast.BinOp: _binary,
        ast.UnaryOp: _unary,
        ast.Compare: _comparison,
        ast.Subscript: _subscript,
        ast.Constant: _constant,
        ast.JoinedStr: _text,
        ast.List: _list,
        ast.Set: _list,
        ast.Tuple: _tuple,
        ast.Dict: _dict,
        ast.Await: _await,
        ast.Starred: _await,
        ast.NamedExpr: _walrus,
        ast.Lambda: _lambda,
        ast.ListComp: _comprehension,
        ast.SetComp: _comprehension,
        ast.GeneratorExp: _comprehension,
        ast.DictComp: _dict_comprehension,
        ast.Yield: _yields,
        ast.YieldFrom: _yields,
    }
    SPECIAL: ClassVar[dict[str, Callable[[Any, ast.Call, Given], int | None]]] = {
        "super": _super,
        "type": _type,
        "getattr": _getattr,
        "next": _next,
        "iter": _same,
        "reversed": _same,
        "list": _same,
        "sorted": _same,
        "set": _same,
        "tuple": _same,
        "frozenset": _same,
        "enumerate": _pairs,
        "zip": _pairs,
        **dict.fromkeys(SPOKEN, _spoken),
    }
