"""The routes of a Django project: its URL patterns, through all `include`, with their names, paths and views."""

from __future__ import annotations

import dataclasses
import itertools
import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final

from codebase.graph.django.views import DjangoLookup
from codebase.graph.edge import Certainty
from codebase.graph.outline.outline_values import Value
from codebase.graph.outline.steps import StepBudget
from codebase.graph.outline.things import CallThing, Class, FunctionThing, ItemsThing, ModuleThing, Text

PATTERNS: Final = ("path", "re_path", "url")
MOST_ROUTES: Final = 20_000
CONVERTER: Final = re.compile(r"<(?:(\w+):)?\w+>")
GROUP: Final = re.compile(r"\((?:[^()\\]|\\.)*\)[?*+]?|\[[^\]]*\][?*+]?(?:\{[^}]*\})?|\\[dwDWsS][?*+]?|\.[*+?]")
ANY, REST = "\0", "\1"
"""A value within one part of a path, and one that may hold slashes."""


@dataclasses.dataclass(frozen=True)
class Route:
    """One URL pattern. `path` contains marks for its values; `names` are the ways to write its name."""

    path: str
    names: frozenset[str]
    views: tuple[Class | FunctionThing, ...]
    file: str
    line: int


@dataclasses.dataclass(frozen=True)
class _RoutePlace:
    """The place of an included list of patterns: the path before it, and the ways to write its namespaces."""

    prefix: str = ""
    namespaces: frozenset[str] = frozenset({""})


class Routes:
    """All routes."""

    def __init__(self, lookup: DjangoLookup) -> None:
        self._lookup = lookup
        self._budget = StepBudget()
        self._included: set[str] = set()
        self.includes: dict[tuple[str, int], str] = {}
        """The files of patterns that an `include` adds, by the place of the `include`."""
        self._routers = {router: list(rows) for router, rows in self._registrations().items()}
        self.all: list[Route] = []
        self.too_far: list[str] = []
        """The files whose routes are more than the budget."""
        # Files that no other seems to include still have views, and names within their own namespace.
        others = (path for path, text in lookup.texts.items() if "urlpatterns" in text.names)
        for path in itertools.chain(self._roots(), (path for path in others if path not in self._included)):
            self.all += self._of_file(path, _RoutePlace())
            if self._budget.is_spent:
                self.too_far.append(path)
        self._by_name: dict[str, list[Route]] = defaultdict(list)
        self._by_last: dict[str, list[Route]] = defaultdict(list)
        for route in self.all[:MOST_ROUTES]:
            for name in route.names:
                self._by_name[name].append(route)
            for last in {name.rpartition(":")[2] for name in route.names}:
                self._by_last[last].append(route)

    def with_name(self, name: str) -> list[tuple[Route, Certainty]]:
        """The routes of a name; if its namespaces are unknown, those with its last part."""
        routes = distinct(self._by_name.get(name, []))
        if routes:
            return [(route, "exact" if len(routes) == 1 else "inferred") for route in routes[:4]]
        others = distinct(self._by_last.get(name.rpartition(":")[2], []))
        return [(route, "by name") for route in others] if len(others) == 1 else []

    def at(self, path: str) -> list[tuple[Route, Certainty]]:
        """The first route that a path leads to."""
        parts = path.strip("/").split("/")
        for route in self.all:
            match = fits(route.path.strip("/").split("/"), parts)
            if match:
                return [(route, match)]
        return []

    def _roots(self) -> Iterator[str]:
        for thing in self._lookup.settings.get("ROOT_URLCONF", ()):
            if isinstance(thing, Text):
                for settings in self._lookup.settings_files[:1]:
                    module = self._lookup.by_dotted_name(settings, thing.text)
                    if isinstance(module, ModuleThing):
                        yield module.path

    def _of_file(self, path: str, place: _RoutePlace) -> Iterator[Route]:
        text = self._lookup.texts.get(path)
        if text is not None:
            self._included.add(path)
            yield from self._of_list(path, text.names.get("urlpatterns"), place)

    def _of_list(self, path: str, value: Value, place: _RoutePlace) -> Iterator[Route]:
        if value is None or not self._budget.enter(id(value[1])):
            return
        for file, line, item in self._lookup.list_items(path, value):
            yield from self._of_item(file, line, item, place)
        for router in self._router_urls(path, value):
            yield from self._of_router(router, place)
        self._budget.leave()

    def _of_item(self, path: str, line: int, item: Value, place: _RoutePlace) -> Iterator[Route]:
        match item:
            case ["*", inner]:
                yield from (
                    route for router in self._router_urls(path, inner) for route in self._of_router(router, place)
                )
                return
            case ["c", ["n", name] | ["a", _, name], [pattern, *more], keywords] if name in PATTERNS:
                view = more[0] if more else keywords.get("view")
            case _:
                return
        here = place.prefix + (bare_path(pattern) if name == "path" else bare_expression(pattern))
        inner = dataclasses.replace(place, prefix=here)
        if view and view[0] == "c" and view[1] and view[1][-1] == "include":
            yield from self._included_by(path, line, view, inner)
            return
        if view and view[0] == "a" and view[2] == "urls":
            yield from self._of_list(path, view, inner)
            return
        name_value = keywords.get("name") or (more[-1] if len(more) > 1 and more[-1] and more[-1][0] == "s" else None)
        text = self._lookup.text(path, name_value)
        names = frozenset(f"{space}{text}" for space in place.namespaces) if text else frozenset[str]()
        yield Route(here, names, tuple(self._lookup.views(path, view)), path, line)

    def _included_by(self, path: str, line: int, call: list[Any], place: _RoutePlace) -> Iterator[Route]:
        """The patterns that an `include` adds: of a module, a list, or a list with the name of its application."""
        _, _, given, keywords = call
        target: Value = given[0] if given else None
        spaces = {
            self._lookup.text(path, space)
            for space in (given[1] if len(given) > 1 else None, keywords.get("namespace"))
        }
        for thing in self._lookup.things(path, target):
            target_thing = self._lookup.by_dotted_name(path, thing.text) if isinstance(thing, Text) else thing
            if isinstance(target_thing, ModuleThing):
                self.includes[path, line] = target_thing.path
                app = (
                    self._lookup.texts[target_thing.path].names.get("app_name")
                    if target_thing.path in self._lookup.texts
                    else None
                )
                yield from self._of_file(
                    target_thing.path, inside(place, {*spaces, self._lookup.text(target_thing.path, app)})
                )
            elif isinstance(target_thing, ItemsThing):
                yield from self._included_list(target_thing, place, spaces)
        for router in self._router_urls(path, target):
            yield from self._of_router(router, inside(place, spaces))

    def _included_list(self, items_thing: ItemsThing, place: _RoutePlace, spaces: set[str | None]) -> Iterator[Route]:
        """A list of patterns, or a pair of a list and the name of its application."""
        match items_thing.items:
            case [[_, inner], [_, name]] if (app := self._lookup.text(items_thing.path, name)) is not None:
                yield from self._of_list(items_thing.path, inner, inside(place, {*spaces, app}))
            case items:
                yield from self._of_list(items_thing.path, ["l", items], inside(place, spaces))

    def _registrations(self) -> dict[str, Iterator[tuple[str, int, Value, list[Value], dict[str, Value]]]]:
        """The registrations of routers of the REST framework, by the origin of each router."""
        rows_of: dict[str, list[tuple[str, int, Value, list[Value], dict[str, Value]]]] = defaultdict(list)
        for path, text in self._lookup.texts.items():
            for _, line, called, given, keywords in text.calls:
                if called and called[0] == "a" and called[2] == "register" and len(given) >= 2:
                    origin = self._lookup.origin(path, called[1])
                    if origin and self._is_router(path, called[1]):
                        rows_of[origin].append((path, line, given[0], given, keywords))
        return {origin: iter(rows) for origin, rows in rows_of.items()}

    def _is_router(self, path: str, value: Value) -> bool:
        things = self._lookup.things(path, value)
        return any(isinstance(thing, CallThing) and thing.dotted.endswith("Router") for thing in things)

    def _router_urls(self, path: str, value: Value) -> list[str]:
        """The routers whose `urls` are in a value."""
        match value:
            case ["a", base, "urls"]:
                origin = self._lookup.origin(path, base)
                return [origin] if origin in self._routers else []
            case ["+", several]:
                return [router for part in several for router in self._router_urls(path, part)]
            case ["n", name]:
                inner = self._lookup.texts[path].names.get(name)
                is_passed_on = inner and inner[0] in ("a", "+")
                return (self._lookup.follow(self._router_urls, path, inner) if is_passed_on else None) or []
            case _:
                return []

    def _of_router(self, router: str, place: _RoutePlace) -> Iterator[Route]:
        for path, line, pattern, given, keywords in self._routers[router]:
            views = tuple(self._lookup.views(path, given[1]))
            prefix = place.prefix + bare_expression(pattern).strip("/") + "/"
            base = self._lookup.text(path, keywords.get("basename") or (given[2] if len(given) > 2 else None))
            base = base or self._basename(views)
            for end, kind in (("", "list"), (f"{ANY}/", "detail")):
                names = frozenset(f"{space}{base}-{kind}" for space in place.namespaces) if base else frozenset[str]()
                yield Route(prefix + end, names, views, path, line)

    def _basename(self, views: tuple[Class | FunctionThing, ...]) -> str | None:
        """The name of a view set from the model of its query set."""
        for view in views:
            if isinstance(view, Class):
                facts = self._lookup.texts[view.path].classes[view.name]["names"]
                match facts.get("queryset"):
                    case ["c", ["a", ["a", ["n", name], "objects"], _], _, _] | ["a", ["n", name], "objects"]:
                        return str(name).lower()
                    case _:
                        pass
        return None


def inside(place: _RoutePlace, spaces: set[str | None]) -> _RoutePlace:
    """A place with the namespaces that an `include` adds."""
    named = [space for space in spaces if space]
    if not named:
        return place
    namespaces = frozenset(f"{around}{space}:" for around in place.namespaces for space in named)
    return dataclasses.replace(place, namespaces=frozenset(sorted(namespaces)[:8]))


def bare_path(pattern: Value) -> str:
    """The path of a `path()`, with marks for its values."""
    match pattern:
        case ["s", text]:
            return CONVERTER.sub(lambda match: REST if match[1] == "path" else ANY, text)
        case ["c", _, [inner, *_], _]:
            return bare_path(inner)
        case _:
            return ANY


def bare_expression(pattern: Value) -> str:
    """The path of a regular expression, with marks for its groups. It is never run: its author chose its cost."""
    match pattern:
        case ["s", text]:
            bare, previous = str(text), ""
            while previous != bare:
                previous, bare = bare, GROUP.sub(ANY, bare)
            return bare.replace("^", "").replace("$", "").replace("\\", "").replace("?", "")
        case _:
            return ANY


def fits(route: list[str], path: list[str]) -> Certainty | None:
    """The certainty that a path leads to a route, part by part: exact if no value is guessed; None if it does not."""
    certainty: Certainty = "exact"
    for place, part in enumerate(route):
        if REST in part:
            return "inferred" if place and len(path) > place else None
        if place >= len(path):
            return None
        if ANY in part:
            start, _, end = part.partition(ANY)
            if not (path[place].startswith(start) and path[place].endswith(end)):
                return None
            certainty = "inferred" if ANY in path[place] else certainty
        elif part != path[place]:
            return None
    literal = any(ANY not in part and part for part in route)
    return certainty if len(route) == len(path) and literal else None


def distinct(routes: list[Route]) -> list[Route]:
    """Routes without those that lead to the same view from another place."""
    return list({(route.views or (route.file, route.line)): route for route in routes}.values())
