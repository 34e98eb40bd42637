"""Reads a snippet in the order it runs, and keeps what each name can hold.

    module, quietly ──> what each global ever holds ──> module, with remarks ──> functions, with remarks

Branches are joined. A loop is read once to learn what it binds, then again with remarks. A branch that this build never
takes is not read. Code that queries the API or catches its errors is read without remarks.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
from collections.abc import Generator, Iterable, Iterator
from typing import Final

from app.reading.expressions import Scope
from app.reading.functions import Functions, Later, Loop
from app.reading.nearest import at_most
from app.reading.needed import Requirements
from app.reading.passing import FunctionDef, own_definitions, whose_uses_are_known
from app.reading.remark import start_of
from app.reading.survey import asks_the_api, forgiven, is_constant, stored_names, suppresses
from app.reading.values import (
    NOTHING,
    UNKNOWN,
    Mod,
    OwnClass,
    OwnFunction,
    OwnSelf,
    Rna,
    RnaClass,
    Value,
    join,
)

_OURS: Final = ("bpy", "bmesh", "mathutils", "bpy_extras", "gpu", "gpu_extras", "blf", "bl_math")
_ROUNDS: Final = 5
"""How often functions are read at most to learn what they pass to each other."""
_HINTS: Final = 60
"""How many unknown names get suggestions."""


class Reading(Functions):
    """One snippet, read until what its functions pass to each other is known."""

    def read(self, tree: ast.Module) -> None:
        """Read the whole snippet; afterwards `notes` holds the findings."""
        self._definitions = own_definitions(tree)
        self._functions = {
            name: one.node for name, one in self._definitions.items() if one.is_simple and not one.class_name
        }
        self._passing.known = whose_uses_are_known(tree, self._definitions)
        with self.notes.silent():
            self._read_module(tree)
        self._globals = self._ever
        self._knows_results = True
        for turn in range(_ROUNDS):
            self.start_over()
            known = len(self._registered)
            with at_most(_HINTS):
                self._read_all(tree)
            if not self._passing.go_on(last=turn == _ROUNDS - 2) and len(self._registered) == known:
                break

    def start_over(self) -> None:
        """Forget the findings of the reading before: it knew less of what is passed."""
        self._results = {}
        self.notes.remarks.clear()
        self.notes.uses.clear()
        self.requirements = Requirements(self.api, self.survey)

    def _read_all(self, tree: ast.Module) -> None:
        self._read_module(tree)
        self._globals = self._ever
        while self._later:
            self._read_later(self._later.pop(0))

    def _read_module(self, tree: ast.Module) -> None:
        self.scope, self._ever, self.outer, self.own_names = {}, {}, [], None
        self._live, self._later, self.stars = True, [], []
        self.notes.quietness = 0
        self.block(tree.body)

    # --- statements ----------------------------------------------------------------------------------------

    def bind(self, name: str, value: Value) -> None:
        super().bind(name, value)
        if self._remember:
            held = self.scope[name]
            self._ever[name] = join([self._ever[name], held]) if name in self._ever else held

    def block(self, statements: Iterable[ast.stmt]) -> None:
        """Read statements until one of them leaves the block."""
        for statement in statements:
            if not self._live:
                return
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(value=value):
                self.value(value)
            case ast.Assign(targets=targets, value=source):
                with self._declaring(targets[0], source):
                    held = self.value(source)
                for target in targets:
                    self.assign(target, held, source)
            case ast.AnnAssign():
                self._annotated_assignment(node)
            case ast.AugAssign():
                self._augmented_assignment(node)
            case ast.If():
                self._if(node)
            case ast.For() | ast.AsyncFor() | ast.While():
                self._loop(node)
            case ast.Try() | ast.TryStar():
                self._try(node)
            case ast.With() | ast.AsyncWith():
                self._with(node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._define(node)
            case ast.ClassDef():
                self._class(node)
            case ast.Import():
                self._import(node)
            case ast.ImportFrom():
                self._import_from(node)
            case ast.Return(value=value):
                self._returned.append(self.value(value) if value else NOTHING)
                if value:
                    self.answered(value, self._returned[-1])
                self._live = False
            case ast.Raise():
                self.value(node.exc)
                self._live = False
            case ast.Break() | ast.Continue():
                self._leave_loop(node)
            case ast.Match(subject=subject, cases=cases):
                self.value(subject)
                with self.notes.quiet(asks_the_api(subject)):
                    self._cases(cases)
            case ast.Assert(test=test):
                self.value(test)
                self.scope.update(self.narrowed(test))
            case ast.Delete(targets=targets):
                for target in targets:
                    self._delete(target)
            case _:
                pass

    @contextlib.contextmanager
    def _declaring(self, target: ast.expr, source: ast.expr) -> Generator[None]:
        """For the call that declares a property, such as that of `bpy.types.Object.size = FloatProperty()`."""
        match target, source:
            case ast.Attribute(value=owner), ast.Call():
                with self.notes.silent():
                    declares = self.value(owner)
                self._property_owner = Rna(declares.type) if isinstance(declares, RnaClass) else UNKNOWN
            case _:
                pass
        yield
        self._property_owner = UNKNOWN

    def _annotated_assignment(self, node: ast.AnnAssign) -> None:
        if self._class_name and isinstance(node.target, ast.Name):
            self._property_owner = OwnSelf(self._class_base, self._class_name)
            declared = self._declared_by(node.annotation, node.target.id)
            self._classes[self._class_name].declared[node.target.id] = declared
        self.value(node.annotation)
        self._property_owner = UNKNOWN
        if node.value is not None:
            value = self.value(node.value)
            known = self.annotated(node.annotation) if value == UNKNOWN else value
            self.assign(node.target, known, node.value)

    def _augmented_assignment(self, node: ast.AugAssign) -> None:
        self.value(node.value)
        match node.target:
            case ast.Name(id=name):
                self.bind(name, UNKNOWN)
            case ast.Attribute():
                self.assign(node.target, UNKNOWN, None)
            case _:
                self.value(node.target)

    def _delete(self, target: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self.bind(target.id, UNKNOWN)

    def _if(self, node: ast.If) -> None:
        truth = self.truth(self.value(node.test))
        # What a constant keeps from being run is read all the same.
        if truth is not None and (not is_constant(node.test) or (truth and not node.orelse)):
            self.block(node.body if truth else node.orelse)
            return
        asked = asks_the_api(node.test)
        before, narrowed = self.scope, self.narrowed(node.test)
        self.scope = {**before, **narrowed}
        with self.notes.quiet(asked):
            self.block(node.body)
        after_body, body_lives = self.scope, self._live
        # After the branch a name holds its former value again, unless the branch bound it.
        for name, value in narrowed.items():
            if after_body.get(name) is value:
                after_body.pop(name)
                after_body.update({name: before[name]} if name in before else {})
        self.scope, self._live = dict(before), True
        with self.notes.quiet(asked):
            self.block(node.orelse)
        # A guard that leaves: the code after it runs only on some builds.
        self.notes.fall_quiet(asked and body_lives != self._live)
        self._meet(after_body, body_lives)

    def _meet(self, other: Scope, other_lives: bool) -> None:
        """Go on from the point where this branch and another join."""
        if other_lives and self._live:
            self.scope = joined_scopes([self.scope, other])
        elif other_lives:
            self.scope, self._live = other, True

    def _cases(self, cases: Iterable[ast.match_case]) -> None:
        before, ends = self.scope, [self.scope]
        for case in cases:
            names = stored_names([case.pattern, *([case.guard] if case.guard else [])])
            # Even a guard that does not hold may have bound its names.
            before = {**before, **{name: UNKNOWN for name in names if name in before}}
            self.scope, self._live = {**before, **dict.fromkeys(names, UNKNOWN)}, True
            if case.guard:
                self.value(case.guard)
            self.block(case.body)
            if self._live:
                ends.append(self.scope)
        self.scope, self._live = joined_scopes([before, *ends]), True

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        items = self.value(node.iter) if not isinstance(node, ast.While) else UNKNOWN
        before = self.scope
        bound = stored_names(node.body)
        # First with all names that the body binds unknown: their values at its end may be those at its beginning.
        unsettled = {**before, **{name: UNKNOWN for name in bound if name in before}}
        if self._remember:
            with self.notes.silent(), self._forgetting():
                ends = self._turn(node, items, unsettled)
            start = joined_scopes([before, *ends])
        else:
            # Inside a first reading once is enough: twice at each depth would take exponential time.
            start = unsettled
        after = self._turn(node, items, start, leaving=True)
        self.scope, self._live = joined_scopes([before, *after]), True
        self.block(node.orelse)

    def _turn(
        self, node: ast.For | ast.AsyncFor | ast.While, items: Value, start: Scope, leaving: bool = False
    ) -> list[Scope]:
        """Read the body once; return what names hold at its end and, with `leaving`, at each exit too."""
        loop = Loop()
        self._loops.append(loop)
        self.scope, self._live = dict(start), True
        if isinstance(node, ast.While):
            self.value(node.test)
            quiet = asks_the_api(node.test)
        else:
            self.assign(node.target, self.items.each(items), None)
            quiet = False
        with self.notes.quiet(quiet):
            self.block(node.body)
        ends = [*loop.again, *([self.scope] if self._live else []), *(loop.leaving if leaving else [])]
        self._loops.pop()
        self._live = True
        return ends

    @contextlib.contextmanager
    def _forgetting(self) -> Generator[None]:
        remember, self._remember = self._remember, False
        try:
            yield
        finally:
            self._remember = remember

    def _leave_loop(self, node: ast.Break | ast.Continue) -> None:
        if self._loops:
            loop = self._loops[-1]
            (loop.leaving if isinstance(node, ast.Break) else loop.again).append(self.scope)
        self._live = False

    def _try(self, node: ast.Try | ast.TryStar) -> None:
        before = dict(self.scope)
        catches = forgiven(node.handlers)
        with self.notes.quiet(catches):
            self.block(node.body)
        bound = stored_names(node.body)
        broken_off = {**joined_scopes([before, self.scope]), **{name: UNKNOWN for name in bound if name in before}}
        with self.notes.quiet(catches):
            self.block(node.orelse)
        after, lives = self.scope, self._live
        for handler in node.handlers:
            self.scope, self._live = dict(broken_off), True
            self.value(handler.type)
            if handler.name:
                self.bind(handler.name, UNKNOWN)
            with self.notes.quiet(catches):
                self.block(handler.body)
            self._meet(after, lives)
            after, lives = self.scope, self._live
        self.scope, self._live = after, True
        self.block(node.finalbody)
        self._live = self._live and lives

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            value = self.value(item.context_expr)
            if item.optional_vars:
                self.assign(item.optional_vars, value if isinstance(value, Rna) else UNKNOWN, None)
        suppressing = any(suppresses(item) for item in node.items)
        before = dict(self.scope)
        with self.notes.quiet(suppressing):
            self.block(node.body)
        if suppressing:
            # The block may have been left at any point.
            bound = stored_names(node.body)
            self._meet({**before, **{name: UNKNOWN for name in bound if name in before}}, True)

    # --- definitions ---------------------------------------------------------------------------------------

    def _define(self, node: FunctionDef) -> None:
        for decorator in node.decorator_list:
            self.value(decorator)
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            self.value(default)
        for annotation in _annotations(node):
            self.value(annotation)
        if not self.notes.is_silent:
            outer = [self._ever, *self.outer]
            self._later.append(Later(node, outer, self._class_base, self._class_name))
        known = self._definitions.get(node.name)
        self.bind(node.name, OwnFunction(node.name) if known and known.node is node else UNKNOWN)

    def _class(self, node: ast.ClassDef) -> None:
        around = (self.scope, self._ever, self._class_base, self._class_name)
        facts = self.class_facts(node)
        base, self._classes[node.name] = facts.type, facts
        self.scope, self._ever, self._class_base, self._class_name = dict(self.scope), {}, base, node.name
        # Methods do not see the names of the class around them.
        waiting = len(self._later)
        self.block(node.body)
        self.scope, self._ever, self._class_base, self._class_name = around
        self._live = True
        outer = [self._ever, *self.outer]
        self._later[waiting:] = [dataclasses.replace(later, outer=outer) for later in self._later[waiting:]]
        self.bind(node.name, OwnClass(base, node.name))

    def _import(self, node: ast.Import) -> None:
        for alias in node.names:
            self._check_module(alias.name, node)
            name = alias.asname or alias.name.partition(".")[0]
            module = alias.name if alias.asname else name
            self.bind(name, Mod(module) if module.partition(".")[0] in _OURS else UNKNOWN)
            if alias.name.partition(".")[0] in _OURS:
                self.notes.use(alias.name if alias.name in self.api.manifest.modules else "", start_of(node))

    def _check_module(self, name: str, node: ast.stmt) -> None:
        gone = self.judge.renamed.entry(name) if name not in self.api.manifest.modules else None
        self.notes.say(gone, start_of(node))

    def _import_from(self, node: ast.ImportFrom) -> None:
        module = node.module or ""
        ours = node.level == 0 and module.partition(".")[0] in _OURS
        if node.level == 0:
            self._check_module(module, node)
        for alias in node.names:
            if alias.name == "*":
                self.stars.extend([module] if ours else [])
                continue
            place = start_of(node)
            value = self._imported(Mod(module), alias.name, node) if ours else UNKNOWN
            self.bind(alias.asname or alias.name, value)
            found = self.api.member(Mod(module), alias.name) if ours else None
            self.notes.use(found.address if found else "", place)

    def _imported(self, module: Mod, name: str, node: ast.stmt) -> Value:
        return self.members.read(module, name, start_of(node))


def joined_scopes(scopes: list[Scope]) -> Scope:
    """What names hold after one of several paths."""
    first, *others = scopes
    result = dict(first)
    for scope in others:
        for name, value in scope.items():
            held = result.get(name)
            if held is None:
                result[name] = value
            elif held is not value and held != value:
                result[name] = join([held, value])
    return result


def _annotations(node: FunctionDef) -> Iterator[ast.expr]:
    arguments = node.args
    each = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    yield from (argument.annotation for argument in each if argument and argument.annotation)
    if node.returns:
        yield node.returns
