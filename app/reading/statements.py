"""The reader of statements: branches, loops, assignments and definitions, in the order in which they run."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
from collections.abc import Generator, Iterable, Iterator

from app.reading.api.values import NOTHING, UNKNOWN, OwnClass, OwnFunction, OwnSelf, Rna, RnaClass, Value
from app.reading.environment import DeferredCode, Environment, LoopExits, Scope, joined_scopes
from app.reading.expressions import ExpressionReader
from app.reading.import_statements import ImportReader
from app.reading.notes import Notes
from app.reading.own.definitions import SnippetDefinitions
from app.reading.remark import start_of
from app.reading.type_hints import hinted_value
from app.reading.usage.fits import Judge
from python.flow import is_constant
from python.guards import forgives, suppresses
from python.identifiers import FunctionDef, parameters
from python.scopes import stored_names


class StatementReader:
    """Reads statements, and leaves the bodies of functions for later."""

    def __init__(
        self,
        environment: Environment,
        judge: Judge,
        notes: Notes,
        definitions: SnippetDefinitions,
        expressions: ExpressionReader,
    ) -> None:
        self._env = environment
        self._judge = judge
        self._notes = notes
        self._definitions = definitions
        self._expressions = expressions
        self._imports = ImportReader(environment, judge, notes, expressions.members)

    def block(self, statements: Iterable[ast.stmt]) -> None:
        """Read statements until one of them leaves the block."""
        for statement in statements:
            if not self._env.live:
                return
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(value=value):
                self._expressions.value(value)
            case ast.Assign(targets=targets, value=source):
                with self._declaring(targets[0], source):
                    held = self._expressions.value(source)
                for target in targets:
                    self._expressions.assign(target, held, source)
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
                self._imports.read(node)
            case ast.ImportFrom():
                self._imports.read_from(node)
            case ast.Return(value=value):
                self._return(value)
            case ast.Raise():
                self._expressions.value(node.exc)
                self._env.live = False
            case ast.Break() | ast.Continue():
                self._leave_loop(node)
            case ast.Match(subject=subject, cases=cases):
                self._expressions.value(subject)
                with self._notes.quiet(self._judge.survey.asks(subject)):
                    self._cases(cases)
            case ast.Assert(test=test):
                self._expressions.value(test)
                self._env.scope.update(self._expressions.narrowed(test))
            case ast.Delete(targets=targets):
                for target in targets:
                    self._delete(target)
            case _:
                pass

    def _return(self, answer: ast.expr | None) -> None:
        value = self._expressions.value(answer) if answer else NOTHING
        self._env.returned.append(value)
        if answer and self._env.answer:
            self._notes.say(self._judge.fault(self._env.answer, value), start_of(answer))
        self._env.live = False

    @contextlib.contextmanager
    def _declaring(self, target: ast.expr, source: ast.expr) -> Generator[None]:
        """For the call that declares a property, such as that of `bpy.types.Object.size = FloatProperty()`."""
        match target, source:
            case ast.Attribute(value=owner), ast.Call():
                extended = self._expressions.look(owner)
                self._env.property_owner = Rna(extended.type) if isinstance(extended, RnaClass) else UNKNOWN
            case _:
                pass
        yield
        self._env.property_owner = UNKNOWN

    def _annotated_assignment(self, node: ast.AnnAssign) -> None:
        if self._env.class_name and isinstance(node.target, ast.Name):
            self._env.property_owner = OwnSelf(self._env.class_base, self._env.class_name)
            declared = self._expressions.declared_by(node.annotation, node.target.id)
            self._definitions.classes[self._env.class_name].declared[node.target.id] = declared
        self._expressions.value(node.annotation)
        self._env.property_owner = UNKNOWN
        if node.value is not None:
            value = self._expressions.value(node.value)
            known = hinted_value(node.annotation, self._expressions.look) if value == UNKNOWN else value
            self._expressions.assign(node.target, known, node.value)

    def _augmented_assignment(self, node: ast.AugAssign) -> None:
        self._expressions.value(node.value)
        match node.target:
            case ast.Name(id=name):
                self._env.bind(name, UNKNOWN)
            case ast.Attribute():
                self._expressions.assign(node.target, UNKNOWN, None)
            case _:
                self._expressions.value(node.target)

    def _delete(self, target: ast.expr) -> None:
        if isinstance(target, ast.Name):
            self._env.bind(target.id, UNKNOWN)

    def _if(self, node: ast.If) -> None:
        truth = self._expressions.truth(self._expressions.value(node.test))
        # What a constant keeps from being run is read all the same.
        if truth is not None and (not is_constant(node.test) or (truth and not node.orelse)):
            self.block(node.body if truth else node.orelse)
            return
        asked = self._judge.survey.asks(node.test)
        before, narrowed = self._env.scope, self._expressions.narrowed(node.test)
        self._env.scope = {**before, **narrowed}
        with self._notes.quiet(asked):
            self.block(node.body)
        after_body, body_lives = self._env.scope, self._env.live
        # After the branch a name holds its former value again, unless the branch bound it.
        for name, value in narrowed.items():
            if after_body.get(name) is value:
                after_body.pop(name)
                after_body.update({name: before[name]} if name in before else {})
        self._env.scope, self._env.live = dict(before), True
        with self._notes.quiet(asked):
            self.block(node.orelse)
        # A guard that leaves: the code after it runs only on some builds.
        self._notes.fall_quiet(asked and body_lives != self._env.live)
        self._env.join(after_body, body_lives)

    def _cases(self, cases: Iterable[ast.match_case]) -> None:
        before, ends = self._env.scope, [self._env.scope]
        for case in cases:
            names = stored_names([case.pattern, *([case.guard] if case.guard else [])])
            # Even a guard that does not hold may have bound its names.
            before = {**before, **{name: UNKNOWN for name in names if name in before}}
            self._env.scope, self._env.live = {**before, **dict.fromkeys(names, UNKNOWN)}, True
            if case.guard:
                self._expressions.value(case.guard)
            self.block(case.body)
            if self._env.live:
                ends.append(self._env.scope)
        self._env.scope, self._env.live = joined_scopes([before, *ends]), True

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While) -> None:
        items = self._expressions.value(node.iter) if not isinstance(node, ast.While) else UNKNOWN
        before = self._env.scope
        bound = stored_names(node.body)
        # First with all names that the body binds unknown: their values at its end may be those at its beginning.
        unsettled = {**before, **{name: UNKNOWN for name in bound if name in before}}
        if self._env.remember:
            with self._notes.silent(), self._env.forgetting():
                ends = self._turn(node, items, unsettled)
            start = joined_scopes([before, *ends])
        else:
            # Inside a first reading once is enough: twice at each depth would take exponential time.
            start = unsettled
        after = self._turn(node, items, start, leaving=True)
        self._env.scope, self._env.live = joined_scopes([before, *after]), True
        self.block(node.orelse)

    def _turn(
        self, node: ast.For | ast.AsyncFor | ast.While, items: Value, start: Scope, leaving: bool = False
    ) -> list[Scope]:
        """Read the body once; return the names at its end and, with `leaving`, at each exit too."""
        loop = LoopExits()
        self._env.loops.append(loop)
        self._env.scope, self._env.live = dict(start), True
        if isinstance(node, ast.While):
            self._expressions.value(node.test)
            quiet = self._judge.survey.asks(node.test)
        else:
            self._expressions.assign(node.target, self._expressions.items.each(items), None)
            quiet = False
        with self._notes.quiet(quiet):
            self.block(node.body)
        at_end = [self._env.scope] if self._env.live else []
        ends = [*loop.again, *at_end, *(loop.leaving if leaving else [])]
        self._env.loops.pop()
        self._env.live = True
        return ends

    def _leave_loop(self, node: ast.Break | ast.Continue) -> None:
        if self._env.loops:
            loop = self._env.loops[-1]
            (loop.leaving if isinstance(node, ast.Break) else loop.again).append(self._env.scope)
        self._env.live = False

    def _try(self, node: ast.Try | ast.TryStar) -> None:
        before = dict(self._env.scope)
        catches = forgives(node.handlers)
        with self._notes.quiet(catches):
            self.block(node.body)
        bound = stored_names(node.body)
        broken_off = {**joined_scopes([before, self._env.scope]), **{name: UNKNOWN for name in bound if name in before}}
        with self._notes.quiet(catches):
            self.block(node.orelse)
        after, lives = self._env.scope, self._env.live
        for handler in node.handlers:
            self._env.scope, self._env.live = dict(broken_off), True
            self._expressions.value(handler.type)
            if handler.name:
                self._env.bind(handler.name, UNKNOWN)
            with self._notes.quiet(catches):
                self.block(handler.body)
            self._env.join(after, lives)
            after, lives = self._env.scope, self._env.live
        self._env.scope, self._env.live = after, True
        self.block(node.finalbody)
        self._env.live = self._env.live and lives

    def _with(self, node: ast.With | ast.AsyncWith) -> None:
        for item in node.items:
            value = self._expressions.value(item.context_expr)
            if item.optional_vars:
                self._expressions.assign(item.optional_vars, value if isinstance(value, Rna) else UNKNOWN, None)
        suppressing = any(suppresses(item) for item in node.items)
        before = dict(self._env.scope)
        with self._notes.quiet(suppressing):
            self.block(node.body)
        if suppressing:
            # The block may have been left at any point.
            bound = stored_names(node.body)
            self._env.join({**before, **{name: UNKNOWN for name in bound if name in before}}, True)

    # --- definitions ---------------------------------------------------------------------------------------

    def _define(self, node: FunctionDef) -> None:
        for decorator in node.decorator_list:
            self._expressions.value(decorator)
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            self._expressions.value(default)
        for annotation in _annotations(node):
            self._expressions.value(annotation)
        env = self._env
        if not self._notes.is_silent:
            env.deferred.append(DeferredCode(node, [env.ever, *env.outer], env.class_base, env.class_name))
        known = self._definitions.functions.get(node.name)
        env.bind(node.name, OwnFunction(node.name) if known and known.node is node else UNKNOWN)

    def _class(self, node: ast.ClassDef) -> None:
        env = self._env
        around = (env.scope, env.ever, env.class_base, env.class_name)
        base = self._definitions.add_class(node, map(self._expressions.value, node.bases))
        env.scope, env.ever, env.class_base, env.class_name = dict(env.scope), {}, base, node.name
        # Methods do not see the names of the class around them.
        waiting = len(env.deferred)
        self.block(node.body)
        env.scope, env.ever, env.class_base, env.class_name = around
        env.live = True
        outer = [env.ever, *env.outer]
        env.deferred[waiting:] = [dataclasses.replace(code, outer=outer) for code in env.deferred[waiting:]]
        env.bind(node.name, OwnClass(base, node.name))


def _annotations(node: FunctionDef) -> Iterator[ast.expr]:
    yield from (parameter.annotation for parameter in parameters(node.args) if parameter.annotation)
    if node.returns:
        yield node.returns
