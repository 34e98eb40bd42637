"""The reader of a snippet, which reads it in the order it runs and keeps the possible values of each name.

    module, quietly ──> all values of each global ──> module, with remarks ──> functions, with remarks

Branches are joined. A loop is read once to learn what it binds, then again with remarks. A branch that this build never
takes is not read. Code that queries the API or catches its errors is read without remarks.
"""

from __future__ import annotations

import ast
from typing import Final

from app.reading.api.values import Value
from app.reading.environment import Environment
from app.reading.expressions import ExpressionReader
from app.reading.functions import FunctionReader
from app.reading.nearest import at_most
from app.reading.notes import Notes
from app.reading.observer import Observer
from app.reading.own.definitions import SnippetDefinitions
from app.reading.own.passing import Passing, own_definitions, whose_uses_are_known
from app.reading.statements import StatementReader
from app.reading.usage.fits import Judge

_ROUNDS: Final = 5
"""The most times that functions are read to learn their arguments from each other."""
_HINTS: Final = 60
"""The most unknown names that get suggestions."""


class SnippetReader:
    """Reads one snippet until the arguments of its functions are known. Afterwards `notes` holds the findings.

    It owns the readers of expressions, functions and statements, and what they share.
    """

    def __init__(self, judge: Judge, observer: Observer | None = None) -> None:
        self.notes = Notes()
        self._observer = observer
        self._env = Environment(judge.survey.unsettled)
        self._definitions = SnippetDefinitions(judge)
        self._passing = Passing()
        shared = (self._env, judge, self.notes, self._definitions)
        # Expressions need what functions result in, and functions the statements in them, which hold expressions.
        self._expressions = ExpressionReader(*shared, self._passing, self._result_of, observer)
        self._statements = StatementReader(*shared, self._expressions)
        self._functions = FunctionReader(*shared, self._passing, self._expressions, self._statements.block, observer)

    def read(self, tree: ast.Module) -> None:
        """Read the whole snippet."""
        self._definitions.functions = own_definitions(tree)
        self._passing.known = whose_uses_are_known(tree, self._definitions.functions)
        with self.notes.silent():
            self._read_module(tree)
        for turn in range(_ROUNDS):
            self._start_over()
            known = len(self._definitions.registered)
            with at_most(_HINTS):
                self._read_all(tree)
            if not self._passing.go_on(last=turn == _ROUNDS - 2) and len(self._definitions.registered) == known:
                break

    def _result_of(self, name: str) -> Value:
        return self._functions.result_of(name)

    def note_settings_without_effect(self) -> None:
        """Note the settings that have no effect without another one, after the whole snippet was read."""
        self.notes.remarks.extend(self._expressions.requirements.remarks())

    def _start_over(self) -> None:
        """Forget the findings of the reading before: it knew less of the arguments of calls."""
        self.notes.remarks.clear()
        self.notes.uses.clear()
        self._functions.start_over()
        self._expressions.requirements.start_over()
        if self._observer is not None:
            self._observer.start_over()

    def _read_all(self, tree: ast.Module) -> None:
        self._read_module(tree)
        while self._env.deferred:
            self._functions.read(self._env.deferred.pop(0))

    def _read_module(self, tree: ast.Module) -> None:
        self._env.enter_module()
        self.notes.quietness = 0
        self._statements.block(tree.body)
        self._functions.globals = self._env.ever
