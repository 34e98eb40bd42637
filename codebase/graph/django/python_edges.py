"""Django's edges that start in Python: from routes, views, models, forms, administration, signals and settings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final

from codebase.graph.django.files import DjangoFiles
from codebase.graph.django.reversed import RELATIONS, Found, ReversedName
from codebase.graph.django.routes import Routes
from codebase.graph.django.views import DjangoLookup
from codebase.graph.edge import Certainty
from codebase.graph.outline.lookup import TextFacts
from codebase.graph.outline.outline_values import Value
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


class PythonEdges:
    """The edges from Python."""

    def __init__(self, lookup: DjangoLookup, routes: Routes, files: DjangoFiles) -> None:
        self._lookup, self._routes, self._files = lookup, routes, files
        self._receivers = self._find_receivers()

    def all(self) -> Found:
        yield from self._of_routes()
        yield from self._of_settings()
        yield from ReversedName(self._lookup, self._model).all()
        for path, text in self._lookup.texts.items():
            yield from self._of_strings(path, text)
            yield from self._of_classes(path, text)
            yield from self._of_decorators(path, text)
            for unit, line, called, given, keywords in text.calls:
                name = called[-1] if called and called[0] in ("a", "n") else ""
                for names, rule in self.RULES:
                    if name in names:
                        yield from rule(self, path, text.file.first + unit, line, called, given, keywords)

    def _of_routes(self) -> Found:
        for route in self._routes.all:
            source = self._lookup.code.files[route.file].at(route.line)
            for view in route.views if source is not None else ():
                certainty: Certainty = "exact" if len(route.views) == 1 else "inferred"
                yield source or 0, self._lookup.number(view), "routes", certainty, route.line

        for (path, line), included in self._routes.includes.items():
            source = self._lookup.code.files[path].at(line)
            if source is not None:
                yield source, self._files.number(included), "routes", "exact", line

    def _of_settings(self) -> Found:
        """The modules, classes and functions that settings name in strings."""
        for path in self._lookup.settings_files:
            text = self._lookup.texts[path]
            for name, value in text.names.items():
                for line, one in strings_of(value, 0) if name.isupper() else ():
                    source = text.file.at(line) if line else text.file.at(self._line_of(path, name))
                    if source is not None:
                        for target in self._named_by_setting(path, name, one):
                            yield source, target, "configures", "exact", line or self._line_of(path, name)

    def _line_of(self, path: str, name: str) -> int:
        return self._lookup.texts[path].lines.get(name, 1)

    def _named_by_setting(self, path: str, setting: str, text: str) -> Iterator[int | None]:
        if setting == "AUTH_USER_MODEL":
            yield from (self._lookup.number(one) for one in self._lookup.model(path, text)[:1])
            return
        found = self._lookup.dotted(path, text) if "." in text or setting == "INSTALLED_APPS" else None
        if isinstance(found, ModuleThing):
            yield self._files.number(found.path)
        elif found is not None:
            yield self._lookup.number(found)
        elif setting == "INSTALLED_APPS":
            place = text.replace(".", "/")
            near = [f"{place}/{name}.py" for name in ("apps", "models", "__init__")]
            yield from (self._files.number(one) for one in near if one in self._lookup.code.files)

    def _of_strings(self, path: str, text: TextFacts) -> Found:
        """Strings that are the path of a template."""
        for unit, line, name in text.strings:
            if "/" in name or name.endswith((".html", ".jinja2", ".djhtml")) or "#" in name:
                yield from self._template(text.file.first + unit, path, name, line)

    def _template(self, source: int, path: str, name: str, line: int) -> Found:
        for found, certainty in self._files.templates(name, path):
            yield source, self._partial(found, name), "renders", certainty, line

    def _partial(self, path: str, name: str) -> int | None:
        """The unit of a template, or of the part of it that `page.html#part` names."""
        part = self._lookup.code.unit(path, name.partition("#")[2]) if "#" in name else None
        return part if part is not None else self._files.number(path)

    def _of_classes(self, path: str, text: TextFacts) -> Found:
        """What the bodies of classes say: models of forms and views, names of routes, templates by their model."""
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
            if any(isinstance(one, Class) for one in things):
                break
            value = value[1]
        return [
            one for one in self._lookup.things(path, value) if isinstance(one, Class) and self._lookup.is_model(one)
        ]

    def _implied_template(self, source: int, cls: Class, line: int) -> Found:
        """The template of a generic view that names only its model."""
        if self._lookup.of_class(cls, "template_name"):
            return
        bases = [one.dotted for one in self._lookup.line(cls) if isinstance(one, Outside)]
        end = next((GENERIC[last] for base in bases if (last := base.rpartition(".")[2]) in GENERIC), None)
        own = self._lookup.texts[cls.path].classes[cls.name]["names"]
        for model in self._models_in(cls.path, own.get("model") or own.get("queryset"))[:1] if end else ():
            suffix = self._lookup.text(cls.path, own.get("template_name_suffix")) or end
            name = f"{self._lookup.app_of(model.path)}/{model.name.lower()}{suffix}.html"
            for found, _ in self._files.templates(name, cls.path):
                yield source, self._files.number(found), "renders", "inferred", line

    def _link(self, source: int, name: str, line: int) -> Found:
        """To the view of a named route, or to the route itself if its view is elsewhere."""
        for route, certainty in self._routes.named(name):
            targets = [self._lookup.number(view) for view in route.views]
            for target in targets or [self._lookup.code.files[route.file].at(route.line)]:
                yield source, target, "links", certainty, line

    def _reversed(
        self, path: str, source: int, line: int, called: Value, given: list[Value], keywords: dict[str, Value]
    ) -> Found:
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

    @property
    def _views(self) -> set[Thing]:
        return {view for route in self._routes.all for view in route.views}

    def _relation(
        self, path: str, source: int, line: int, _called: Value, given: list[Value], keywords: dict[str, Value]
    ) -> Found:
        """`ForeignKey(X)`, `ForeignKey("app.Model")`, `ForeignKey(settings.AUTH_USER_MODEL)`."""
        value = given[0] if given else keywords.get("to")
        for target, certainty in self._model(path, value):
            yield source, target, "relates", certainty, line

    def _model(self, path: str, value: Value) -> Iterator[tuple[int | None, Certainty]]:
        """The models that a value is, or names."""
        for thing in self._lookup.things(path, value):
            if isinstance(thing, Class):
                yield self._lookup.number(thing), "exact"
            for label in self._labels(thing):
                models = self._lookup.model(path, label)
                for one in models[:4]:
                    yield self._lookup.number(one), "exact" if len(models) == 1 else "inferred"

    def _labels(self, thing: Thing) -> list[str]:
        """The label of a model that a thing is; that of the users for `settings.AUTH_USER_MODEL`."""
        is_user = isinstance(thing, Outside) and thing.dotted.endswith("settings.AUTH_USER_MODEL")
        things = self._lookup.settings.get("AUTH_USER_MODEL", ()) if is_user else (thing,)
        return [one.text for one in things if isinstance(one, Text)]

    def _get_model(
        self, path: str, source: int, line: int, _called: Value, given: list[Value], keywords: dict[str, Value]
    ) -> Found:
        """`apps.get_model("app", "Model")`."""
        said = [self._lookup.text(path, one) for one in (*given, *keywords.values())][:2]
        if said and all(said):
            models = self._lookup.model(path, ".".join(one for one in said if one))
            for one in models[:2]:
                yield source, self._lookup.number(one), "relates", "exact" if len(models) == 1 else "inferred", line

    def _registered(
        self, path: str, source: int, line: int, called: Value, given: list[Value], _keywords: dict[str, Value]
    ) -> Found:
        """`admin.site.register(Model, ModelAdmin)`."""
        if not (called and called[0] == "a" and called[1] and called[1][-1] in ("site", "admin_site")) or not given:
            return
        classes = (
            [one for one in self._lookup.things(path, given[1]) if isinstance(one, Class)] if len(given) > 1 else []
        )
        sources = [number for one in classes if one.path == path and (number := self._lookup.number(one)) is not None]
        values = [one for _, one in given[0][1]] if given[0] and given[0][0] == "l" else [given[0]]
        for value in values:
            for target, certainty in self._model(path, value):
                for one in sources or [source]:
                    yield one, target, "relates", certainty, line

    def _of_decorators(self, path: str, text: TextFacts) -> Found:
        """`@admin.register(X)`, and the senders of `@receiver(signal, sender=X)`."""
        for unit, line, value in text.decorators:
            match value:
                case ["c", ["a", _, "register"], given, _]:
                    models = [one for one in given if self._is_admin(path, value)]
                case ["c", ["n", "receiver"] | ["a", _, "receiver"], _, {"sender": sender}]:
                    models = [sender]
                case _:
                    continue
            for one in models:
                for target, certainty in self._model(path, one):
                    yield text.file.first + unit, target, "relates", certainty, line

    def _is_admin(self, path: str, value: list[Any]) -> bool:
        things = self._lookup.things(path, value[1])
        return any(isinstance(one, Outside) and "admin" in one.dotted for one in things)

    def _find_receivers(self) -> dict[str, list[FunctionThing]]:
        """The functions that receive each signal of the repository."""
        found: dict[str, list[FunctionThing]] = defaultdict(list)
        for path, text in self._lookup.texts.items():
            functions = {one[1]: one[2] for one in text.names.values() if one and one[0] == "u"}
            for unit, _, value in text.decorators:
                match value:
                    case ["c", ["n", "receiver"] | ["a", _, "receiver"], given, keywords]:
                        signals = [*given[:1], keywords.get("signal")]
                        each = [one for s in signals if s for one in ([v for _, v in s[1]] if s[0] == "l" else [s])]
                        for signal in each:
                            origin = self._lookup.origin(path, signal)
                            if origin and unit in functions:
                                found[origin].append(FunctionThing(path, unit, functions[unit]))
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
                    found[origin] += [one for one in receivers if isinstance(one, FunctionThing)]
        return found

    def _sent(
        self, path: str, source: int, line: int, called: Value, _given: list[Value], _keywords: dict[str, Value]
    ) -> Found:
        """`signal.send(...)` runs all that receive the signal."""
        origin = self._lookup.origin(path, called[1]) if called and called[0] == "a" else None
        for function in self._receivers.get(origin or "", []):
            yield source, self._lookup.number(function), "hooks", "exact", line

    def _connected(
        self, path: str, source: int, line: int, called: Value, given: list[Value], keywords: dict[str, Value]
    ) -> Found:
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
        names = [getattr(one, "dotted", "") for one in things if not isinstance(one, Class | Instance)]
        return "signals." in origin or any(name.endswith("Signal") or "signals." in name for name in names)

    RULES: ClassVar[tuple[tuple[frozenset[str], Callable[..., Found]], ...]] = (
        (REVERSED, _reversed),
        (RELATIONS, _relation),
        (frozenset({"get_model"}), _get_model),
        (frozenset({"register"}), _registered),
        (SENT, _sent),
        (frozenset({"connect"}), _connected),
    )


def strings_of(value: Value, line: int) -> Iterator[tuple[int, str]]:
    """The strings in a value, each with the line of the item that it is; 0 for one that is no item."""
    match value:
        case ["s", text]:
            yield line, text
        case ["l" | "d", items]:
            for item in items:
                yield from strings_of(item[-1], item[-2])
        case ["+" | "|", several]:
            for one in several:
                yield from strings_of(one, line)
        case ["*", inner]:
            yield from strings_of(inner, line)
        case _:
            return
