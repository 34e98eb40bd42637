"""Calls and registrations of a snippet's own functions, with the arguments that they pass."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from app.reading.api.values import UNKNOWN, OwnClass, PyMember, Seq, Value, instance_of
from app.reading.own.definitions import SnippetDefinitions
from app.reading.own.hooks import CALLBACKS, added_parameters, callback_parameters
from app.reading.own.passing import OwnDefinition, Passing
from app.reading.usage.calls import CallSite
from python.identifiers import last_name


class Handover:
    """Notes in `passing` what calls pass. `look` gives the value of an expression, without remarks."""

    def __init__(self, definitions: SnippetDefinitions, passing: Passing, look: Callable[[ast.expr], Value]) -> None:
        self._definitions = definitions
        self._passing = passing
        self._look = look

    def note(self, node: ast.Call, function: Value, call: CallSite, property_owner: Value) -> None:
        """Note what the call passes; `property_owner` is that of the property that is being declared."""
        values = [argument.value for argument in call.positional]
        keywords = {name: argument.value for name, argument in call.keywords.items()}
        definition = self._definitions.called(node.func, function)
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
                pointed = instance_of(keywords.get("type", UNKNOWN))
                for keyword in node.keywords:
                    if keyword.arg in CALLBACKS:
                        parameters = callback_parameters(keyword.arg or "", property_owner, pointed)
                        self._give(keyword.value, parameters)
            case _:
                self._note_called_later(node, values, keywords)

    def _note_called_later(self, node: ast.Call, values: Sequence[Value], keywords: dict[str, Value]) -> None:
        """Note a function that is called later, with what stands beside it here."""
        name = last_name(node.func)
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
        definition = self._definitions.called(function, self._look(function))
        if definition:
            self._passing.give(definition.node, values, {}, self._parameters_bound(function, definition), more)

    def _parameters_bound(self, function: ast.expr, definition: OwnDefinition) -> int:
        """The number of first parameters that an access such as `self.f` gives."""
        if not definition.is_bound or not isinstance(function, ast.Attribute):
            return 0
        through_class = isinstance(self._look(function.value), OwnClass)
        return 0 if through_class and not definition.is_of_class else 1
