"""The reader of functions: the values of their parameters, and their results."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Generator, Iterable, Iterator
from typing import Final

from app.reading.api.values import NOTHING, UNKNOWN, OwnClass, OwnSelf, Rna, Value, join
from app.reading.environment import DeferredCode, Environment, Scope
from app.reading.expressions import ExpressionReader
from app.reading.notes import Notes
from app.reading.observer import Observer
from app.reading.own.definitions import SnippetDefinitions
from app.reading.own.hooks import CONTEXT, hook_parameters
from app.reading.own.passing import Passing
from app.reading.type_hints import hinted_value
from app.reading.usage.fits import Judge, Slot
from python.identifiers import FunctionDef, FunctionNode
from python.scopes import stored_names

_GIVES_EVENTS: Final = frozenset({"Operator", "Macro", "Gizmo"})


class FunctionReader:
    """Reads the functions of a snippet: each once for its remarks, and quietly once for its result.

    It owns the results. `block` reads the statements of a body.
    """

    def __init__(
        self,
        environment: Environment,
        judge: Judge,
        notes: Notes,
        definitions: SnippetDefinitions,
        passing: Passing,
        expressions: ExpressionReader,
        block: Callable[[Iterable[ast.stmt]], None],
        observer: Observer | None = None,
    ) -> None:
        self._env = environment
        self._judge = judge
        self._notes = notes
        self._definitions = definitions
        self._passing = passing
        self._expressions = expressions
        self._block = block
        self._observer = observer
        self._results: dict[str, Value] = {}
        self.globals: Scope | None = None
        """Everything that the names of the module ever hold; None until it was read once."""

    def start_over(self) -> None:
        """Forget the results: the reading before knew less of the arguments of calls."""
        self._results = {}

    def result_of(self, name: str) -> Value:
        """The result of a function of the snippet, which is read quietly, once."""
        definition = self._definitions.functions.get(name)
        if self.globals is None or definition is None or not definition.is_simple:
            return UNKNOWN
        if name not in self._results:
            self._results[name] = UNKNOWN
            base = self._definitions.base_of(definition)
            code = DeferredCode(definition.node, [self.globals], base, definition.class_name)
            with self._elsewhere(), self._notes.silent():
                self._read(code)
                returned = [*self._env.returned, *([NOTHING] if self._env.live else [])]
                declared = hinted_value(definition.node.returns, self._expressions.look)
            result = join(returned) if returned else UNKNOWN
            self._results[name] = declared if result == UNKNOWN else result
        return self._results[name]

    def read(self, code: DeferredCode) -> None:
        """Read a function with remarks."""
        name = code.node.name if isinstance(code.node, FunctionDef) else ""
        self._passing.caller_is_known = name in self._passing.known
        with self._elsewhere():
            self._notes.quietness = 0
            self._read(code)
        self._passing.caller_is_known = False

    @contextlib.contextmanager
    def _elsewhere(self) -> Generator[None]:
        """Return to the current place after reading another."""
        quietness = self._notes.quietness
        try:
            with self._env.elsewhere():
                yield
        finally:
            self._notes.quietness = quietness

    def _read(self, code: DeferredCode) -> None:
        node, environment = code.node, self._env
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        environment.enter_function(code.outer)
        environment.own_names = stored_names(body) - environment.unsettled
        environment.answer = self._answer_of(node, code.base)
        self._bind_parameters(code)
        environment.own_names |= environment.scope.keys()
        if isinstance(node, ast.Lambda):
            self._expressions.value(node.body)
        else:
            self._block(node.body)

    def _answer_of(self, node: FunctionNode, base: str) -> Slot | None:
        """The slot that Blender has for the answer of a method: that of `execute` is a set of items."""
        hook = self._judge.api.rna.hook(base, node.name) if base and isinstance(node, FunctionDef) else None
        answers = [result for result in hook.results if result.type == "ENUM"] if hook else []
        return Slot(answers[0], f"bpy.types.{base}.{hook.name}(result)", "argument") if hook and answers else None

    # --- parameters ----------------------------------------------------------------------------------------

    def _bind_parameters(self, code: DeferredCode) -> None:
        arguments = code.node.args
        passed = list(self._passed_by_blender(code))[: len(arguments.posonlyargs) + len(arguments.args)]
        parameters = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        for position, parameter in enumerate(parameters):
            first = passed[position] if position < len(passed) else UNKNOWN
            self._env.bind(parameter.arg, self._held(code, parameter, first))
        for extra in (arguments.vararg, arguments.kwarg):
            if extra:
                self._env.bind(extra.arg, UNKNOWN)
        if self._observer is not None:
            self._ask(self._observer, code, parameters)

    def _held(self, code: DeferredCode, parameter: ast.arg, passed: Value) -> Value:
        """The value of a parameter: its type hint says it, or Blender passes it, or all calls do, or custom does."""
        value = hinted_value(parameter.annotation, self._expressions.look)
        if value == UNKNOWN:
            value = passed
        if value == UNKNOWN and (isinstance(code.node, ast.Lambda) or code.node.name in self._passing.known):
            value = self._passing.held(code.node, parameter.arg)
        if value == UNKNOWN and code.base and parameter.annotation is None:
            value = _by_custom(parameter.arg, code.base)
        return value

    def _ask(self, observer: Observer, code: DeferredCode, parameters: Iterable[ast.arg]) -> None:
        """Ask the observer for the parameters of which nothing is known."""
        for position, parameter in enumerate(parameters):
            if self._env.scope.get(parameter.arg) == UNKNOWN:
                value = observer.parameter(code.node, code.base, position, parameter.arg)
                if value != UNKNOWN:
                    self._env.bind(parameter.arg, value)

    def _passed_by_blender(self, code: DeferredCode) -> Iterator[Value]:
        """The arguments of a method of a class with this base, `self` included."""
        node = code.node
        if not code.base or isinstance(node, ast.Lambda):
            return
        decorators = {decorator.id for decorator in node.decorator_list if isinstance(decorator, ast.Name)}
        if "staticmethod" in decorators:
            return
        first = next(iter([*node.args.posonlyargs, *node.args.args]), None)
        if "classmethod" in decorators:
            yield OwnClass(code.base, code.class_name)
        else:
            yield OwnSelf(code.base, code.class_name) if first and first.arg == "self" else UNKNOWN
        yield from hook_parameters(self._judge.api, code.base, node.name)


def _by_custom(name: str, base: str) -> Value:
    """The value of a parameter of this name in classes with this base."""
    match name:
        case "layout":
            return Rna("UILayout")
        case "context" if base != "object":
            return CONTEXT
        case "event" if base in _GIVES_EVENTS:
            return Rna("Event")
        case _:
            return UNKNOWN
