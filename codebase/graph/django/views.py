"""Meanings of values in a Django project: views, models by their label, origins of names."""

from __future__ import annotations

import functools
from collections import defaultdict
from typing import Any, Final

from codebase.graph.code import Code
from codebase.graph.outline.lookup import Lookup
from codebase.graph.outline.outline_values import Value
from codebase.graph.outline.things import Class, FunctionThing, ItemsThing, ModuleThing, Outside, Text, Thing, Things

PACKAGES: Final = ("models", "migrations", "management", "commands", "templatetags", "tests", "views", "forms")
"""Folders inside an application."""


class DjangoLookup(Lookup):
    """All outlines, with Django's names."""

    def __init__(self, code: Code) -> None:
        super().__init__(code)
        self._by_name: dict[str, list[Class]] = defaultdict(list)
        for cls, _ in self.classes():
            self._by_name[cls.name].append(cls)

    @functools.cached_property
    def settings(self) -> dict[str, Things]:
        """The values of uppercase names in settings files; of several files, the first that has the name."""
        settings: dict[str, Things] = {}
        for path in self.settings_files:
            for name, value in self.texts[path].names.items():
                if name.isupper() and (things := self.things(path, value)):
                    settings.setdefault(name, things)
        return settings

    @functools.cached_property
    def settings_files(self) -> list[str]:
        return [
            path
            for path, text in self.texts.items()
            if {"INSTALLED_APPS", "ROOT_URLCONF", "MIDDLEWARE"} & text.names.keys()
            or "settings" in path.split("/")[:-1]
        ]

    def by_dotted_name(self, path: str, text: str) -> Thing | None:
        """The module, class or function that a dotted string names."""
        parts = text.split(".")
        if not all(part.isidentifier() for part in parts):
            return None
        place = self._modules.find(path, text)
        if place and place.file:
            return ModuleThing(place.file)
        if len(parts) < 2:
            return None
        place = self._modules.find(path, ".".join(parts[:-1]))
        if place is None or place.file is None:
            return None
        things = self.attribute(ModuleThing(place.file), parts[-1])
        return next((thing for thing in things if isinstance(thing, Class | FunctionThing | ModuleThing)), None)

    def model(self, path: str, label: str) -> list[Class]:
        """The models that `app.Model`, or `Model` in the same application, names."""
        app, _, name = label.rpartition(".")
        classes = [cls for cls in self._by_name.get(name, []) if self.is_model(cls)]
        if app:
            return [cls for cls in classes if self.app_of(cls.path) == app] or [
                cls for cls in classes if app in cls.path.split("/")
            ]
        return [cls for cls in classes if cls.path == path] or [
            cls for cls in classes if self.app_of(cls.path) == self.app_of(path)
        ]

    def is_model(self, cls: Class) -> bool:
        """True if a class is in a module of models, or is derived from Django's model."""
        if any(isinstance(base, Outside) and base.dotted.endswith("models.Model") for base in self.line(cls)):
            return True
        return "models" in cls.path.removesuffix(".py").split("/")

    def app_of(self, path: str) -> str:
        """The label of the application that a file belongs to."""
        folder = path.rpartition("/")[0]
        while folder.rpartition("/")[2] in PACKAGES:
            folder = folder.rpartition("/")[0]
        return self._labels.get(folder, folder.rpartition("/")[2])

    @functools.cached_property
    def _labels(self) -> dict[str, str]:
        """The labels that application configurations give to their folder."""
        labels: dict[str, str] = {}
        for cls, facts in self.classes():
            if cls.path.endswith("apps.py") and "label" in facts["names"]:
                label = self.text(cls.path, facts["names"]["label"])
                if label:
                    labels[cls.path.rpartition("/")[0]] = label
        return labels

    def views(self, path: str, value: Value) -> list[Class | FunctionThing]:
        """The views that a value is, through `as_view()` and wrappers of a view."""
        views: list[Class | FunctionThing] = []
        for thing in self.things(path, value):
            if isinstance(thing, Class | FunctionThing):
                views.append(thing)
            elif isinstance(thing, Text):
                named = self.by_dotted_name(path, thing.text)
                views += [named] if isinstance(named, Class | FunctionThing) else []
        if not views and value and value[0] == "c":
            for given in value[2]:
                views += self.follow(self.views, path, given) or []
        if not views and value and value[0] == "n":
            inner = self.texts[path].names.get(value[1])
            views += self.follow(self.views, path, inner) or [] if inner and inner[0] == "c" else []
        return views

    def origin(self, path: str, value: Value) -> str | None:
        """The place where the object behind a name was made: `path:name`, or its dotted name outside."""
        match value:
            case ["n", name]:
                inner = self.texts[path].names.get(name)
                is_passed_on = inner and inner[0] in ("j", "n", "a")
                return self.follow(self.origin, path, inner) if is_passed_on else f"{path}:{name}"
            case ["j", module, name]:
                place = self._modules.find(path, module)
                if place is None:
                    return f"{module}.{name}"
                return self.origin(place.file, ["n", name]) if place.file in self.texts else None
            case ["a", base, name]:
                things = self.things(path, base)
                if len(things) == 1 and isinstance(things[0], ModuleThing):
                    return self.origin(things[0].path, ["n", name]) if things[0].path in self.texts else None
                return f"{things[0].dotted}.{name}" if len(things) == 1 and isinstance(things[0], Outside) else None
            case _:
                return None

    def _call(self, path: str, value: list[Any]) -> Things:
        match value[1]:
            case ["a", base, "as_view"]:
                return tuple(thing for thing in self.things(path, base) if isinstance(thing, Class))
            case _:
                return super()._call(path, value)

    def list_items(self, path: str, value: Value) -> list[tuple[str, int, Value]]:
        """The items of a list, with those of lists that are added to it: the file, line and value of each."""
        items: list[tuple[str, int, Value]] = []
        for thing in self.things(path, value):
            if isinstance(thing, ItemsThing):
                for line, item in thing.items:
                    inner = self.follow(self.list_items, thing.path, item[1]) if item and item[0] == "*" else None
                    if inner:
                        items += inner
                    else:
                        items.append((thing.path, line, item))
        return items
