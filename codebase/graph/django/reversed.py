"""The way back along a relation: `related_name`, or `ware_set` without it, leads to the model that has the field."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from codebase.graph.django.views import DjangoLookup
from codebase.graph.edge import Certainty
from codebase.graph.outline.outline_values import Value
from codebase.graph.outline.things import Class, CollectionThing, Instance

EdgeRows = Iterator[tuple[int, int | None, str, Certainty, int]]
"""Source, target, kind, certainty, line."""
Models = Callable[[str, Value], Iterator[tuple[int | None, Certainty]]]
"""The models that a value in a file is or names."""
RELATIONS: Final = frozenset(
    {"ForeignKey", "OneToOneField", "ManyToManyField", "ParentalKey", "ParentalManyToManyField"}
)
NAMING: Final = frozenset({"annotate", "aggregate", "alias"})
"""Queries whose keywords name new values, and look nothing up."""
QUERIES: Final = NAMING | {
    "filter",
    "exclude",
    "prefetch_related",
    "select_related",
    "order_by",
    "values_list",
    "earliest",
    "latest",
}
MANAGED: Final = QUERIES | {"all", "get", "first", "last", "create", "objects", "reverse", "distinct"}
"""Attributes that lead from a model to objects of it."""
EXPRESSIONS: Final = frozenset(
    {"Q", "F", "Count", "Sum", "Avg", "Min", "Max", "Prefetch", "Coalesce", "Lower", "Upper"}
)
"""Expressions that name fields inside a query."""
BUILT_IN: Final = frozenset(name for kind in (str, bytes, list, dict, set, tuple, int) for name in dir(kind))


class ReversedName:
    """The edges from code that reads a relation backwards."""

    def __init__(self, lookup: DjangoLookup, models: Models) -> None:
        self._lookup = lookup
        self._back: dict[str, dict[int, set[int]]] = defaultdict(dict)
        """By name, the units of the models that have the field, each with those of the models that it leads to."""
        for path, text in lookup.texts.items():
            # A migration repeats its model.
            for unit, _, called, given, keywords in text.calls if "migrations" not in path.split("/") else ():
                field = called[-1] if called and called[0] in ("a", "n") else ""
                if field in RELATIONS:
                    source = text.file.first + unit
                    targets = {target for target, _ in models(path, given[0] if given else keywords.get("to"))} - {None}
                    for target in targets:
                        name = self._name(path, source, field, keywords.get("related_name"))
                        self._back[name].setdefault(source, set()).add(target or 0)

    def _name(self, path: str, source: int, field: str, given_name: Value) -> str:
        """The name of the way back: the given one, or one after the model."""
        model = self._lookup.code.units[source].name.rpartition(".")[2].lower()
        return self._lookup.text(path, given_name) or (model if field == "OneToOneField" else f"{model}_set")

    def all(self) -> EdgeRows:
        for path, text in self._lookup.texts.items() if self._back else ():
            for unit, line, value in text.attributes:
                for base, name in steps_of(value):
                    yield from self._read(path, text.file.first + unit, line, base, name)
            for unit, line, called, given, keywords in text.calls:
                if called and called[0] == "a" and called[2] in QUERIES:
                    fields = {*self._looked_up(path, given, keywords, called[2] in NAMING)}
                    for name in sorted({field.lstrip("-").partition("__")[0] for field in fields}):
                        yield from self._read(path, text.file.first + unit, line, called[1], name)

    def _looked_up(
        self, path: str, given: Sequence[Value], keywords: Mapping[str, Value], are_names: bool
    ) -> Iterator[str]:
        """The names that a query looks up: in its arguments, and in expressions in them such as `Count("wares")`.

        `are_names` means that the keywords name new values.
        """
        if not are_names:
            yield from keywords
        for value in given:
            yield self._lookup.text(path, value) or ""
        expressions = [*given, *keywords.values()]
        while expressions:
            match expressions.pop():
                case ["c", ["n" | "a", *_, name], inner, inner_keywords] if name in EXPRESSIONS:
                    yield from self._looked_up(path, inner, inner_keywords, name != "Q")
                case ["|", several]:
                    expressions += several
                case _:
                    pass

    def _read(self, path: str, source: int, line: int, base: Value, name: str) -> EdgeRows:
        """Edges to the models whose field leads back by this name to the base; by the name alone if that is unknown."""
        back = self._back.get(name, {})
        models = self._models_in(path, base) if back else set[int]()
        certain: Certainty = "exact" if len(models) == 1 else "inferred"
        for target, leads_to in back.items():
            if models & leads_to:
                yield source, target, "relates", certain, line
            elif not models and len(back) == 1 and name not in self._others:
                yield source, target, "relates", "by name", line

    def _models_in(self, path: str, value: Value) -> set[int]:
        """The models of a value that is an object, a manager or a query."""
        for thing in self._lookup.things(path, value):
            cls = thing.of if isinstance(thing, Instance | CollectionThing) else thing
            if isinstance(cls, Class) and self._lookup.is_model(cls):
                lines = (self._lookup.number(base) for base in self._lookup.line(cls) if isinstance(base, Class))
                return {number for number in lines if number is not None}
        match value:
            case ["a", base, name] if name in MANAGED:
                return self._models_in(path, base)
            case ["c", called, *_]:
                return self._models_in(path, called)
            case _:
                return set()

    @functools.cached_property
    def _others(self) -> set[str]:
        """Names with a further meaning, so that the name alone is no evidence."""
        defined = {unit.name.rpartition(".")[2] for unit in self._lookup.code.units}
        fields: set[str] = {name for _, facts in self._lookup.classes() for name in facts["names"]}
        return defined | fields | BUILT_IN


def steps_of(value: Value) -> Iterator[tuple[Value, str]]:
    """The attributes in `a.b.c`, each with its receiver."""
    while value and value[0] == "a":
        yield value[1], value[2]
        value = value[1]
