"""Changes to a syntax tree that leave the rest of the text as the user wrote it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

import libcst as cst


@dataclass(frozen=True)
class TreeEdit:
    """The change that a rule wants, and the reason. Exactly one of the fields below `reason` holds the change."""

    reason: str
    node: cst.CSTNode
    expression: str | None = None
    """The source that replaces an expression."""
    statements: Sequence[str] | None = None
    """The source of the statements that replace a statement, each on a line of its own; empty to delete it."""
    argument: str | None = None
    """The source that replaces an argument, including its keyword; empty to drop it."""
    entry: str = ""
    """Statements for the beginning of a function."""
    parameters: str = ""
    """The source of its parameters, if an entry needs others."""
    new_import: str = ""
    """The imports that the new code needs, each on a line; they can accompany any of the above."""
    opening: str = ""
    """Code for the top of the module, after its first imports."""
    closing: str = ""
    """Code for its end."""
    group: str = ""
    """Changes of a rule with the same name here are made together, or none of them is."""


def apply_changes(module: cst.Module, changes: Iterable[TreeEdit]) -> str:
    """The text with the changes made. Changes must not be nested. Raises ParserSyntaxError."""
    changes = list(changes)
    changed = module.visit(_TreeEditor(module, {change.node: change for change in changes}))
    for new_import in dict.fromkeys(line for change in changes for line in change.new_import.splitlines()):
        changed = with_import(changed, new_import)
    for change in changes:
        if change.opening or change.closing:
            changed = _frame(changed, change.opening, change.closing)
    return changed.code


def _frame(module: cst.Module, opening: str, closing: str) -> cst.Module:
    """The module with code between its first imports and the rest, and at its end."""
    place = _behind_imports(module)
    first = cst.parse_module(opening, config=module.config_for_parsing)
    last = cst.parse_module(closing, config=module.config_for_parsing)
    gap = [cst.EmptyLine(indent=False)]
    top = [_with_comments(first.body[0], [*gap, *first.header]), *first.body[1:]] if first.body else []
    rest: list[cst.BaseStatement] = [*module.body[place:]]
    if top and rest:
        rest[0] = _with_comments(rest[0], gap)
    end = [_with_comments(last.body[0], [*module.footer, *gap, *last.header]), *last.body[1:]] if last.body else []
    framed = module.with_changes(body=[*module.body[:place], *top, *rest, *end])
    return framed.with_changes(footer=[]) if end else framed


def with_import(module: cst.Module, statement: str) -> cst.Module:
    """The module with an import after its first imports, or at its top; unchanged if it has the import already."""
    line = cst.parse_statement(statement, config=module.config_for_parsing)
    if any(module.code_for_node(known).strip() == statement for known in module.body):
        return module
    place = _behind_imports(module)
    return module.with_changes(body=[*module.body[:place], line, *module.body[place:]])


def _behind_imports(module: cst.Module) -> int:
    """The number of statements in the docstring and the first imports."""
    place = 0
    for index, line in enumerate(module.body):
        kinds = [type(part) for part in line.body] if isinstance(line, cst.SimpleStatementLine) else []
        docstring = index == 0 and isinstance(line, cst.SimpleStatementLine) and _is_text(line.body[0])
        if not docstring and not (kinds and set(kinds) <= {cst.Import, cst.ImportFrom}):
            break
        place = index + 1
    return place


def _is_text(statement: cst.BaseSmallStatement) -> bool:
    return isinstance(statement, cst.Expr) and isinstance(statement.value, cst.SimpleString | cst.ConcatenatedString)


_GONE: Final = cst.Pass()
"""Marks the place of a deleted statement until its comments are passed on."""


@dataclass
class _TreeEditor(cst.CSTTransformer):
    module: cst.Module
    changes: Mapping[cst.CSTNode, TreeEdit]

    def __post_init__(self) -> None:
        super().__init__()

    def on_leave(
        self, original_node: cst.CSTNodeT, updated_node: cst.CSTNodeT
    ) -> cst.CSTNodeT | cst.RemovalSentinel | cst.FlattenSentinel[cst.CSTNodeT]:
        change = self.changes.get(original_node)
        if change and change.expression is not None:
            return cast(cst.CSTNodeT, self._expression(original_node, change.expression))
        if change and change.entry:
            function = self._with_entry(cast(cst.FunctionDef, updated_node), change.entry)
            if change.parameters:
                lambda_of = cst.ensure_type(cst.parse_expression(f"lambda {change.parameters}: 0"), cst.Lambda)
                function = function.with_changes(params=lambda_of.params)
            return cast(cst.CSTNodeT, function)
        if change and change.argument is not None:
            return self._argument(cast(cst.Arg, original_node), change.argument)  # type: ignore[return-value]
        if isinstance(original_node, cst.SimpleStatementLine | cst.SimpleStatementSuite):
            return self._line(original_node, cast(cst.SimpleStatementLine, updated_node))  # type: ignore[return-value]
        if isinstance(original_node, cst.Call):
            return cast(cst.CSTNodeT, _without_last_comma(original_node, cast(cst.Call, updated_node)))
        if isinstance(updated_node, cst.IndentedBlock | cst.Module):
            return cast(cst.CSTNodeT, _without_gone(updated_node))
        return super().on_leave(original_node, updated_node)

    def _expression(self, old: cst.CSTNode, source: str) -> cst.BaseExpression:
        new = cst.parse_expression(source, config=self.module.config_for_parsing)
        around = [*getattr(old, "lpar", ())], [*getattr(old, "rpar", ())]
        return new.with_changes(lpar=around[0], rpar=around[1]) if around[0] and not new.lpar else new

    def _with_entry(self, new: cst.FunctionDef, source: str) -> cst.FunctionDef:
        """The function with statements before its first one, behind its docstring."""
        if not isinstance(new.body, cst.IndentedBlock):
            small = cst.ensure_type(new.body, cst.SimpleStatementSuite).body
            new = new.with_changes(body=cst.IndentedBlock([cst.SimpleStatementLine([*small])]))
        body = cst.ensure_type(new.body, cst.IndentedBlock)
        first = body.body[0]
        place = int(isinstance(first, cst.SimpleStatementLine) and _is_text(first.body[0]))
        made = [self._parse(line) for line in source.splitlines()]
        return new.with_changes(body=body.with_changes(body=[*body.body[:place], *made, *body.body[place:]]))

    def _argument(self, old: cst.Arg, source: str) -> cst.Arg | cst.RemovalSentinel:
        if not source:
            return cst.RemoveFromParent()
        call = cst.ensure_type(cst.parse_expression(f"f({source})"), cst.Call)
        return call.args[0].with_changes(
            comma=old.comma,
            whitespace_after_arg=old.whitespace_after_arg,
            whitespace_after_star=old.whitespace_after_star,
        )

    def _line(
        self, old: cst.SimpleStatementLine | cst.SimpleStatementSuite, new: cst.SimpleStatementLine
    ) -> cst.BaseStatement | cst.BaseSuite | cst.FlattenSentinel[cst.BaseStatement] | cst.RemovalSentinel:
        """A line of statements, some of them changed."""
        if not any(statement in self.changes for statement in old.body):
            return new
        parts: list[tuple[cst.BaseSmallStatement | None, Sequence[str]]] = []
        for before, after in zip(old.body, new.body, strict=True):
            change = self.changes.get(before)
            parts.append((after, ()) if change is None else (None, change.statements or ()))
        if isinstance(old, cst.SimpleStatementSuite):
            return self._suite(cast(cst.BaseSuite, new), parts)
        lines = self._lines(parts)
        sources = [self.module.code_for_node(line).strip() for line in lines]
        if not lines:
            return new.with_changes(body=[_GONE])
        lines[0] = lines[0].with_changes(leading_lines=new.leading_lines)
        # A comment after the statement stays with it if the statement is still there.
        own = [index for index, source in enumerate(sources) if source == self.module.code_for_node(old.body[-1])]
        place = own[0] if own else len(lines) - 1
        if isinstance(lines[place], cst.SimpleStatementLine):
            lines[place] = lines[place].with_changes(trailing_whitespace=new.trailing_whitespace)
        return cst.FlattenSentinel(lines)

    def _suite(
        self, new: cst.BaseSuite, parts: list[tuple[cst.BaseSmallStatement | None, Sequence[str]]]
    ) -> cst.BaseSuite:
        """`if x: a; b`: the replacement stays on that line, or the suite becomes a block."""
        lines = self._lines(parts)
        small = [part for line in lines if isinstance(line, cst.SimpleStatementLine) for part in line.body]
        if lines and len(small) == len(lines):
            return new.with_changes(body=small)
        return cst.IndentedBlock(lines or [cst.SimpleStatementLine([cst.Pass()])])

    def _lines(self, parts: list[tuple[cst.BaseSmallStatement | None, Sequence[str]]]) -> list[cst.BaseStatement]:
        lines: list[cst.BaseStatement] = []
        for kept, sources in parts:
            if kept is not None:
                lines.append(cst.SimpleStatementLine([kept.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)]))
            lines += [self._parse(source) for source in sources]
        return lines

    def _parse(self, source: str) -> cst.BaseStatement:
        return cast(cst.BaseStatement, cst.parse_statement(source, config=self.module.config_for_parsing))


def _without_gone(block: cst.IndentedBlock | cst.Module) -> cst.IndentedBlock | cst.Module:
    """The block without deleted statements. Their comments go to the next statement; an empty block gets a `pass`."""
    body: list[cst.BaseStatement] = []
    comments: list[cst.EmptyLine] = []
    for line in block.body:
        if isinstance(line, cst.SimpleStatementLine) and line.body[0] is _GONE:
            comments += line.leading_lines
            continue
        body.append(_with_comments(line, comments) if comments else line)
        comments = []
    if len(body) == len(block.body):
        return block
    if not body and isinstance(block, cst.IndentedBlock):
        body = [cst.SimpleStatementLine([cst.Pass()])]
    return block.with_changes(body=body, footer=[*comments, *block.footer])


def _with_comments(line: cst.BaseStatement, comments: list[cst.EmptyLine]) -> cst.BaseStatement:
    own: Sequence[cst.EmptyLine] = getattr(line, "leading_lines", ())
    # Two adjacent gaps become one.
    if own and own[0].comment is None and comments[-1].comment is None:
        own = own[1:]
    return line.with_changes(leading_lines=[*comments, *own])


def _without_last_comma(old: cst.Call, new: cst.Call) -> cst.Call:
    """End the last argument as the dropped one ended."""
    if not new.args or len(new.args) == len(old.args):
        return new
    ending = old.args[-1]
    last = new.args[-1].with_changes(comma=ending.comma, whitespace_after_arg=ending.whitespace_after_arg)
    return new.with_changes(args=[*new.args[:-1], last])
