"""A failed run, as the judges see it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from harness.triage.statement import FailurePlace


@dataclass(frozen=True)
class RunFailure:
    """Python's words about the failure, and its place in the snippet."""

    exception: str
    message: str
    stderr: str
    exit_code: int | None
    place: FailurePlace

    def none_texts(self) -> list[str]:
        """The expressions of the failing statement that the message says are None."""
        place, message = self.place, self.message
        member = re.search(r"'NoneType' object has no attribute '(\w+)'", message)
        if member:
            return place.owners_of(member[1])
        if re.search(r"'NoneType' object (?:is not subscriptable|does not support item)", message):
            return [base for base, _ in place.subscripts()]
        if "'NoneType' object is not iterable" in message:
            return [text for text in place.texts if not _leads_to_another(text, place.texts)]
        if re.search(r"does not support a 'None' assignment|expected an? \w+ type, not NoneType", message):
            return [place.text(argument) for call in place.calls() for argument in call.args]
        return []

    def never_assigned(self) -> list[str]:
        """The names, or calls without arguments, that the message says are None or not defined."""
        unbound = re.search(r"name '(\w+)' is not defined|variable '(\w+)'", self.message)
        if unbound:
            return [unbound[1] or unbound[2]]
        member = re.search(r"'NoneType' object has no attribute '(\w+)'", self.message)
        taken = [node for node in self.place.nodes if isinstance(node, ast.Attribute)]
        owners = [node.value for node in taken if member and node.attr == member[1]]
        return [text for owner in owners for text in (ast.unparse(owner), self.place.text(owner))]


def _leads_to_another(text: str, texts: list[str]) -> bool:
    return any(other.startswith((f"{text}.", f"{text}[", f"{text}(")) for other in texts)
