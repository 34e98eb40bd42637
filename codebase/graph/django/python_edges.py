"""Django's edges that start in Python: from routes, views, models, forms, administration, signals and settings."""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final

from codebase.graph.django.files import DjangoFiles
from codebase.graph.django.reversed import RELATIONS, EdgeRows, ReversedName
from codebase.graph.django.routes import Routes
from codebase.graph.django.views import DjangoLookup
from codebase.graph.edge import Certainty
from codebase.graph.outline.lookup import TextFacts
from codebase.graph.outline.outline_values import Value
from codebase.graph.outline.steps import TOO_FAR
from codebase.graph.outline.things import Class, FunctionThing, Instance, ModuleThing, Outside, Text, Thing

REVERSED: Final = frozenset({"reverse", "reverse_lazy", "redirect", "resolve_url"})
SENT: Final = frozenset({"send", "send_robust", "asend", "asend_robust"})
GENERIC: Final = {
    "ListView": "_list",
    "DetailView": "_detail",
    "CreateView": "_form",
    "UpdateView": "_form",
    "DeleteView": "_confirm_delete",
}
"""Views of Django whose template is named by their model."""
MODEL_NAMES: Final = ("model", "queryset")


class DjangoPythonEdges:
    """The edges from Python."""

    def __init__(self, lookup: DjangoLookup, routes: Routes, files: DjangoFiles) -> None:
        self._lookup, self._routes, self._files = lookup, routes, files
        self._receivers = self._find_receivers()

    def all(self) -> EdgeRows:
        yield from self._of_routes()
        yield from self._of_settings()
        yield from ReversedName(self._lookup, self._model).all()
        for path, text in self._lookup.texts.items():
            spent = self._lookup.budget.times
            yield from self._of_strings(path, text)
            yield from self._of_classes(path, text)
            yield from self._of_decorators(path, text)
            for unit, line, called, given, keywords in text.calls:
                name = called[-1] if called and called[0] in ("a", "n") else ""
                for names, rule in self.RULES:
                    if name in names:
                        yield from rule(self, path, text.file.first + unit, line, called, given, keywords)
            if spent != self._lookup.budget.times or path in self._routes.too_far:
                yield text.file.first, None, TOO_FAR, "inferred", 1

    def _of_routes(self) -> EdgeRows:
        for route in self._routes.all:
            source = self._lookup.code.files[route.file].at(route.line)
            for view in route.views if source is not None else ():
                certainty: Certainty = "exact" if len(route.views) == 1 else "inferred"
                yield source or 0, self._lookup.number(view), "routes", certainty, route.line

        for (path, line), included in self._routes.includes.items():
            source = self._lookup.code.files[path].at(line)
            if source is not None:
                yield source, self._files.number(included), "routes", "exact", line

    def _of_settings(self) -> EdgeRows:
        """The modules, classes and functions that settings name in strings."""
        for path in self._lookup.settings_files:
            text = self._lookup.texts[path]
            for name, value in text.names.items():
                for line, dotted in strings_of(value, 0) if name.isupper() else ():
                    source = text.file.at(line) if line else text.file.at(self._line_of(path, name))
                    if source is not None:
                        for target in self._named_by_setting(path, name, dotted):
                            yield source, target, "configures", "exact", line or self._line_of(path, name)

    def _line_of(self, path: str, name: str) -> int:
        return self._lookup.texts[path].lines.get(name, 1)

    def _named_by_setting(self, path: str, setting: str, text: str) -> Iterator[int | None]:
        if setting == "AUTH_USER_MODEL":
            yield from (self._lookup.number(model) for model in self._lookup.model(path, text)[:1])
            return
        thing = self._lookup.by_dotted_name(path, text) if "." in text or setting == "INSTALLED_APPS" else None
        if isinstance(thing, ModuleThing):
            yield self._files.number(thing.path)
        elif thing is not None:
            yield self._lookup.number(thing)
        elif setting == "INSTALLED_APPS":
            place = text.replace(".", "/")
            near = [f"{place}/{name}.py" for name in ("apps", "models", "__init__")]
            yield from (self._files.number(file) for file in near if file in self._lookup.code.files)

    def _of_strings(self, path: str, text: TextFacts) -> EdgeRows:
        """Strings that are the path of a template."""
        for unit, line, name in text.strings:
            if "/" in name or name.endswith((".html", ".jinja2", ".djhtml")) or "#" in name:
                yield from self._template(text.file.first + unit, path, name, line)

    def _template(self, source: int, path: str, name: str, line: int) -> EdgeRows:
        for template, certainty in self._files.templates(name, path):
            yield source, self._partial(template, name), "renders", certainty, line

    def _partial(self, path: str, name: str) -> int | None:
        """The unit of a template, or of the part of it that `page.html#part` names."""
        part = self._lookup.code.unit(path, name.partition("#")[2]) if "#" in name else None
        return part if part is not None else self._files.number(path)

    def _of_classes(self, path: str, text: TextFacts) -> EdgeRows:
        """Names in the bodies of classes: models of forms and views, names of routes, templates by their model."""
        for name, facts in text.classes.items():
            outer = name.rpartition(".")[0] if name.endswith(".Meta") else name
            unit = text.classes.get(outer, facts)["unit"]
            if unit < 0:
                continue
            source, names, lines = text.file.first + unit, facts["names"], facts["lines"]
            for key in MODEL_NAMES:
                for model in self._models_in(path, names.get(key)):
                    yield source, self._lookup.number(model), "relates", "exact", lines.get(key, facts["line"])
            pattern = self._lookup.text(path, names.get("pattern_name"))
            if pattern:
                yield from self._link(source, pattern, lines.get("pattern_name", facts["line"]))
            if name == outer and "template_name" not in names:
                yield from self._implied_template(source, Class(path, name), facts["line"])

    def _models_in(self, path: str, value: Value) -> list[Class]:
        """The model of `model = X` or `queryset = X.objects.all()`."""
        while value and value[0] in ("a", "c"):
            things = self._lookup.things(path, value)
            if any(isinstance(thing, Class) for thing in things):
                break
            value = value[1]
        return [
            thing
            for thing in self._lookup.things(path, value)
            if isinstance(thing, Class) and self._lookup.is_model(thing)
        ]

    def _implied_template(self, source: int, cls: Class, line: int) -> EdgeRows:
        """The template of a generic view that names only its model."""
        if self._lookup.of_class(cls, "template_name"):
            return
        bases = [base.dotted for base in self._lookup.line(cls) if isinstance(base, Outside)]
        end = next((GENERIC[last] for base in bases if (last := base.rpartition(".")[2]) in GENERIC), None)
        own = self._lookup.texts[cls.path].classes[cls.name]["names"]
        for model in self._models_in(cls.path, own.get("model") or own.get("queryset"))[:1] if end else ():
            suffix = self._lookup.text(cls.path, own.get("template_name_suffix")) or end
            name = f"{self._lookup.app_of(model.path)}/{model.name.lower()}{suffix}.html"
            for template, _ in self._files.templates(name, cls.path):
                yield source, self._files.number(template), "renders", "inferred", line

    def _link(self, source: int, name: str, line: int) -> EdgeRows:
        """Edges to the view of a named route, or to the route itself if its view is elsewhere."""
        for route, certainty in self._routes.with_name(name):
            targets = [self._lookup.number(view) for view in route.views]
            for target in targets or [self._lookup.code.files[route.file].at(route.line)]:
                yield source, target, "links", certainty, line

    def _reversed(
        self, path: str, source: int, line: int, called: Value, given: list[Value], keywords: dict[str, Value]
    ) -> EdgeRows:
        value = given[0] if given else keywords.get("viewname") or keywords.get("to")
        name = called[-1] if called else ""
        for thing in self._lookup.things(path, value):
            if isinstance(thing, Text) and "/" not in thing.text:
                yield from self._link(source, thing.text, line)
            elif isinstance(thing, Text) and thing.text.startswith("/") and name in ("redirect", "resolve_url"):
                for route, certainty in self._routes.at(thing.text):
                    for view in route.views:
                        yield source, self._lookup.number(view), "links", certainty, line
            elif isinstance(thing, FunctionThing) and thing in self._views:
                yield source, self._lookup.number(thing), "links", "exact", line

    @functools.cached_property
    def _views(self) -> set[Thing]:
        return {view for route in self._routes.all for view in route.views}

    def _relation(
        self, path: str, source: int, line: int, _called: Value, given: list[Value], keywords: dict[str, Value]
    ) -> EdgeRows:
        """`ForeignKey(X)`, `ForeignKey("app.Model")`, `ForeignKey(settings.AUTH_USER_MODEL)`."""
        value = given[0] if given else keywords.get("to")
        for target, certainty in self._model(path, value):
            yield source, target, "relates", certainty, line

    def _model(self, path: str, value: Value) -> Iterator[tuple[int | None, Certainty]]:
        """The models that a value is or names."""
        for thing in self._lookup.things(path, value):
            if isinstance(thing, Class):
                yield self._lookup.number(thing), "exact"
            for label in self._labels(thing):
                models = self._lookup.model(path, label)
                for model in models[:4]:
                    yield self._lookup.number(model), "exact" if len(models) == 1 else "inferred"

    def _labels(self, thing: Thing) -> list[str]:
        """The label of a model that a thing is; the label of the users for `settings.AUTH_USER_MODEL`."""
        is_user = isinstance(thing, Outside) and thing.dotted.endswith("settings.AUTH_USER_MODEL")
        things = self._lookup.settings.get("AUTH_USER_MODEL", ()) if is_user else (thing,)
        return [label.text for label in things if isinstance(label, Text)]

    def _get_model(
        self, path: str, source: int, line: int, _called: Value, given: list[Value], keywords: dict[str, Value]
    ) -> EdgeRows:
        """`apps.get_model("app", "Model")`."""
        parts = [self._lookup.text(path, value) for value in (*given, *keywords.values())][:2]
        if parts and all(parts):
            models = self._lookup.model(path, ".".join(part for part in parts if part))
            for model in models[:2]:
                yield source, self._lookup.number(model), "relates", "exact" if len(models) == 1 else "inferred", line

    def _registered(
        self, path: str, source: int, line: int, called: Value, given: list[Value], _keywords: dict[str, Value]
    ) -> EdgeRows:
        """`admin.site.register(Model, ModelAdmin)`."""
        if not (called and called[0] == "a" and called[1] and called[1][-1] in ("site", "admin_site")) or not given:
            return
        classes = (
            [thing for thing in self._lookup.things(path, given[1]) if isinstance(thing, Class)]
            if len(given) > 1
            else []
        )
        sources = [number for cls in classes if cls.path == path and (number := self._lookup.number(cls)) is not None]
        values = [item for _, item in given[0][1]] if given[0] and given[0][0] == "l" else [given[0]]
        for value in values:
            for target, certainty in self._model(path, value):
                for unit in sources or [source]:
                    yield unit, target, "relates", certainty, line

    def _of_decorators(self, path: str, text: TextFacts) -> EdgeRows:
        """`@admin.register(X)`, and the senders of `@receiver(signal, sender=X)`."""
        for unit, line, value in text.decorators:
            match value:
                case ["c", ["a", _, "register"], given, _]:
                    models = [model for model in given if self._is_admin(path, value)]
                case ["c", ["n", "receiver"] | ["a", _, "receiver"], _, {"sender": sender}]:
                    models = [sender]
                case _:
                    continue
            for model in models:
                for target, certainty in self._model(path, model):
                    yield text.file.first + unit, target, "relates", certainty, line

    def _is_admin(self, path: str, value: list[Any]) -> bool:
        things = self._lookup.things(path, value[1])
        return any(isinstance(thing, Outside) and "admin" in thing.dotted for thing in things)

    def _find_receivers(self) -> dict[str, list[FunctionThing]]:
        """The functions that receive each signal of the repository."""
        receivers_of: dict[str, list[FunctionThing]] = defaultdict(list)
        for path, text in self._lookup.texts.items():
            functions = {
                function[1]: function[2] for function in text.names.values() if function and function[0] == "u"
            }
            for unit, _, value in text.decorators:
                match value:
                    case ["c", ["n", "receiver"] | ["a", _, "receiver"], given, keywords]:
                        signals = [*given[:1], keywords.get("signal")]
                        each = [
                            one_signal
                            for value in signals
                            if value
                            for one_signal in ([item for _, item in value[1]] if value[0] == "l" else [value])
                        ]
                        for signal in each:
                            origin = self._lookup.origin(path, signal)
                            if origin and unit in functions:
                                receivers_of[origin].append(FunctionThing(path, unit, functions[unit]))
                    case _:
                        pass
            for _, _, called, given, keywords in text.calls:
                if (
                    called
                    and called[0] == "a"
                    and called[2] == "connect"
                    and (origin := self._lookup.origin(path, called[1]))
                ):
                    receivers = self._lookup.things(path, given[0] if given else keywords.get("receiver"))
                    receivers_of[origin] += [thing for thing in receivers if isinstance(thing, FunctionThing)]
        return receivers_of

    def _sent(
        self, path: str, source: int, line: int, called: Value, _given: list[Value], _keywords: dict[str, Value]
    ) -> EdgeRows:
        """`signal.send(...)` runs all receivers of the signal."""
        origin = self._lookup.origin(path, called[1]) if called and called[0] == "a" else None
        for function in self._receivers.get(origin or "", []):
            yield source, self._lookup.number(function), "hooks", "exact", line

    def _connected(
        self, path: str, source: int, line: int, called: Value, given: list[Value], keywords: dict[str, Value]
    ) -> EdgeRows:
        """`signal.connect(f, sender=X)`."""
        origin = self._lookup.origin(path, called[1]) if called and called[0] == "a" else None
        if not origin or not self._is_signal(path, called, origin):
            return
        for thing in self._lookup.things(path, given[0] if given else keywords.get("receiver")):
            if isinstance(thing, FunctionThing):
                yield source, self._lookup.number(thing), "hooks", "exact", line
                for target, certainty in self._model(path, keywords.get("sender")):
                    yield source, target, "relates", certainty, line

    def _is_signal(self, path: str, called: Value, origin: str) -> bool:
        things = self._lookup.things(path, called[1]) if called else ()
        names = [getattr(thing, "dotted", "") for thing in things if not isinstance(thing, Class | Instance)]
        return "signals." in origin or any(name.endswith("Signal") or "signals." in name for name in names)

    RULES: ClassVar[tuple[tuple[frozenset[str], Callable[..., EdgeRows]], ...]] = (
        (REVERSED, _reversed),
        (RELATIONS, _relation),
        (frozenset({"get_model"}), _get_model),
        (frozenset({"register"}), _registered),
        (SENT, _sent),
        (frozenset({"connect"}), _connected),
    )


def strings_of(value: Value, line: int) -> Iterator[tuple[int, str]]:
    """The strings in a value, each with the line of its item; 0 for a string that is no item."""
    match value:
        case ["s", text]:
            yield line, text
        case ["l" | "d", items]:
            for item in items:
                yield from strings_of(item[-1], item[-2])
        case ["+" | "|", several]:
            for part in several:
                yield from strings_of(part, line)
        case ["*", inner]:
            yield from strings_of(inner, line)
        case _:
            return
