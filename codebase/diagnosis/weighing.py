"""Weighs the evidence of a log against each unit: frames, names on their lines, origins of values, the message."""

from __future__ import annotations

import builtins
import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Final

from codebase.ask import lists
from codebase.ask.ranking import Ranking
from codebase.diagnosis.crash import Trace, TraceScene
from codebase.diagnosis.distances import FAR, Distances
from codebase.diagnosis.evidence import FOUND, UnitEvidence, code_units
from codebase.diagnosis.hints import Hint
from codebase.diagnosis.known import KnownError
from codebase.diagnosis.places import maker_of, unit_at
from codebase.diagnosis.statement import may_return_nothing
from codebase.diagnosis.texts import Texts
from codebase.diagnosis.uses import TRUST, Definition, Definitions, callers
from codebase.graph.edge import KINDS, Edge
from codebase.graph.graph import STRUCTURE, UnitGraph
from codebase.index.snapshot import Snapshot
from codebase.index.words import count_terms, words_of

FRAMES: Final = 6
"""Frames up from the crash that are weighed."""
CALLERS: Final = 8
FEW: Final = 8
"""If more units than this mention a name, it adds no new suspects."""
NAMES: Final = 5
SUGGESTED: Final = 1.6
"""Factor for mentioning the name that Python suggests."""
MENTIONED: Final = 60
"""Number of suspects whose text is searched for names of the message."""
FIRST_WORDS: Final = 10
DRY: Final = 0.4
"""The share of suspicion that remains for values further up if the call that passes them is not visible."""
ALIKE: Final = 0.8
WORD: Final = re.compile(r"[A-Za-z_]\w{2,60}")
PLAIN_TYPES: Final = frozenset(dir(builtins)) | {"NoneType", "function", "method", "module", "generator"}
GUARD: Final = 0.75
"""The factor for a function that raised on purpose."""


class Weighing:
    """Adds the evidence of a log to the units of a repository."""

    def __init__(self, snapshot: Snapshot, texts: Texts, graph: UnitGraph, definitions: Definitions) -> None:
        self.evidence = UnitEvidence(snapshot)
        self._frames: set[int | None] = set()
        """The units of the frames: calls between them are no evidence of their own."""
        self._snapshot, self._texts, self._graph, self._definitions = snapshot, texts, graph, definitions

    def trace(self, trace: Trace, scenes: Sequence[TraceScene], hint: Hint, factor: float) -> None:
        """Weigh the frames of one error, the innermost first, with the definitions on each of their lines."""
        self._frames = {place.unit for place in trace.inside}
        seen: list[int | None] = []
        flow = 1.0
        for scene in scenes[:FRAMES]:
            trust, depth = factor * scene.place.trust, len(seen)
            if not seen:
                guard = scene.reading is not None and scene.reading.is_raise
                self.evidence.add(scene.place.unit, "it broke here", trust * (GUARD if guard else 1.0))
                self._weigh_uses(scene, "called on the crash line", "used on the crash line", trust)
            else:
                boost = 1.3 if depth == 1 and scenes[0].reading and scenes[0].reading.is_raise else 1.0
                flow *= 1.0 if scene.reading is None or scene.reading.is_passing else DRY
                if scene.place.unit not in seen:
                    kind = "its caller" if depth == 1 else "further up"
                    self.evidence.add(
                        scene.place.unit, kind, trust * boost / max(1, depth - 1) ** 0.5, caller_text(kind, depth)
                    )
                self._weigh_uses(scene, "called by its caller", "called by its caller", trust * flow / depth**0.5)
            if scene.place.unit not in seen:
                seen.append(scene.place.unit)
        if scenes:
            self._callers(scenes[0], factor, known=len(scenes) > 1)
            Distances(self._snapshot, self._graph, self._definitions, self.evidence).weigh(scenes[0], factor)
            self._missing(scenes[0], hint, factor)
        self._message(hint, factor)

    def _weigh_uses(self, scene: TraceScene, call: str, use: str, trust: float) -> None:
        """Weigh the definitions that a line uses, those that made its values, and those that they call in turn."""
        crash_line = f"{scene.place.path}:{scene.place.line}"
        for definition in scene.definitions:
            sure = trust * definition.trust
            if definition.unit in self._frames:
                continue
            if definition.used.depth:
                self.evidence.add(
                    definition.unit,
                    "made the value",
                    sure * 0.8 ** (definition.used.depth - 1),
                    f"made a value that reaches {crash_line}",
                )
            elif definition.kind == "field":
                self.evidence.add(
                    definition.unit, "sets the field", sure, f"sets {definition.name}, which {crash_line} reads"
                )
            else:
                kind = call if definition.used.use in ("call", "string") else use
                sure *= 0.5 if definition.kind in ("variable", "module") else 1.0
                sure *= 1.2 if definition.used.is_marked else 1.0
                self.evidence.add(
                    definition.unit, kind, sure, f"{'called' if kind == call else 'used'} at {crash_line}"
                )
            self._further(definition, sure, {used.last for used in scene.reading.used} if scene.reading else set())

    def _further(self, definition: Definition, factor: float, names: set[str]) -> None:
        """Weigh the callees of a definition, and the units that a framework connects with it."""
        if definition.unit is None or definition.used.use == "name":
            return
        name = definition.name.rpartition(".")[2]
        edges = [(edge, edge.target) for edge in self._graph.edges_from(definition.unit)]
        edges += [(edge, edge.source) for edge in self._graph.edges_to(definition.unit) if edge.kind not in KINDS]
        for edge, other in edges:
            if other not in self._frames and edge.kind not in STRUCTURE:
                kind = "called from there" if edge.kind in KINDS else "a framework leads here"
                is_near = edge.kind in KINDS or self._definitions.declares(edge, names)
                share = factor * TRUST[edge.certainty] * (1.0 if is_near else FAR)
                self.evidence.add(other, kind, share, f"{edge.kind}: linked with {name}, used at the crash")

    def _callers(self, scene: TraceScene, factor: float, known: bool) -> None:
        """Weigh the callers that could have passed the value, if it came in by a parameter."""
        unit = scene.place.unit
        if unit is None:
            return
        if scene.reading is None or scene.reading.parameters:
            for edge in callers(self._graph, unit)[:CALLERS]:
                if edge.source in self._frames:
                    continue
                share = factor * TRUST[edge.certainty] * (0.5 if known else 1.0)
                self.evidence.add(
                    edge.source, "passes the value", share, f"{edge.kind} {scene.place.path}:{scene.place.line}"
                )

    def _missing(self, scene: TraceScene, hint: Hint, factor: float) -> None:
        """Weigh a missing name: its place if it is written nowhere else, and for an attribute, the method to set it."""
        if not hint.missing.isidentifier() or hint.is_none:
            return
        owners = [
            place
            for place in self._snapshot.definitions.get(hint.owner, [])
            if self._snapshot.units[place].kind == "class"
        ]
        lineage = [base for owner in owners[:2] for base in self._definitions.lineage(owner)]
        paths = {scene.place.path, *(self._snapshot.paths[int(self._snapshot.unit_file[base])] for base in lineage)}
        pattern = re.compile(rf"\b{re.escape(hint.missing)}\b")
        places = [
            (path, at) for path in paths for at, line in enumerate(self._texts.lines(path), 1) if pattern.search(line)
        ]
        if places == [(scene.place.path, scene.place.line)]:
            words = {word for path in paths for line in self._texts.lines(path) for word in WORD.findall(line)}
            near = difflib.get_close_matches(hint.missing, words - {hint.missing}, 1, ALIKE)
            says = f"{hint.missing} is written nowhere else{f', and {near[0]} is' if near else ''}"
            self.evidence.add(scene.place.unit, "written only here", factor * (1.0 if near else 0.5), says)
            if near:
                return
        for place in lineage:
            self.evidence.add(maker_of(self._snapshot, place), "should set it", factor, f"should set {hint.missing}")

    def _message(self, hint: Hint, factor: float) -> None:
        """Weigh the units that the message names, and those suspects that mention the missing name."""
        named = [(hint.called, 0.6, "its call was refused"), (hint.owner, 1.0, "the message names it")]
        for name, share, says in [*named, *((word, 0.6, "the message names it") for word in hint.words)]:
            places = self._snapshot.definitions.get(name, []) if name else []
            for place in places if len(places) <= CALLERS else ():
                self.evidence.add(place, "named in the message", factor * share / len(places) ** 0.5, says)
        if hint.is_none:
            for unit in self.evidence.in_order()[:MENTIONED]:
                tree = self._texts.tree(self._snapshot.paths[int(self._snapshot.unit_file[unit])])
                if tree is not None and may_return_nothing(tree, self._snapshot.units[unit].first):
                    self.evidence.add(unit, "may return nothing", factor, "may return None")
        names = [name for name in (hint.missing, *hint.names) if len(name) > 2 and name not in PLAIN_TYPES]
        for name in dict.fromkeys(names[:NAMES]):
            self._mentions(name, factor)
        if hint.suggested:
            self._mentions(hint.suggested, factor * SUGGESTED)
        for name in self._snapshot.definitions if hint.operator else ():
            # Classes of operators are called PANEL_OT_name by rule.
            if name.lower().endswith(f"_ot_{hint.operator.rpartition('.')[2]}"):
                self.evidence.add(
                    self._snapshot.definitions[name][0], "named in the message", factor, "the message names it"
                )

    def _mentions(self, name: str, factor: float) -> None:
        """Weigh the units that mention a name of the message; the fewer there are, the more each counts."""
        pattern = re.compile(rf"\b{re.escape(name)}\b")
        every = dict.fromkeys([*self.evidence.in_order()[:MENTIONED], *self._with_words(name)])
        mentioning = [unit for unit in every if pattern.search(self._definitions.text(unit))]
        if len(mentioning) > FEW:
            mentioning = [unit for unit in mentioning if self.evidence.score(unit)]
        for unit in mentioning:
            share = (2 / max(2, len(mentioning))) ** 0.5
            self.evidence.add(unit, "mentions the name", factor * share, f"mentions {name} of the message")

    def _with_words(self, name: str) -> list[int]:
        """The units that have words of a name, those with most of them first."""
        terms = count_terms(words_of(name))
        scores = self._snapshot.units_bm25.scores(lists.known_terms(dict(terms), self._snapshot.terms))
        return lists.best_places(scores, MENTIONED)

    def words(self, ranking: Ranking) -> None:
        """Weigh the first functions and classes of a plain search for the log."""
        for place, unit in enumerate(code_units(self._snapshot, ranking)[:FIRST_WORDS]):
            self.evidence.add(unit, "words", 1 / (1 + place / 3), FOUND)

    def weigh_known(self, known: Iterable[KnownError]) -> None:
        """Weigh the units that were at fault when this error was diagnosed before."""
        for error in known:
            path, _, lines = error.fault.rpartition(":")
            line = lines.partition("-")[0]
            file = self._snapshot.number.get(path)
            if file is not None and line.isdecimal():
                share = 1.0 if error.fit == "same place" else 0.6
                self.evidence.add(unit_at(self._snapshot, file, int(line)), "was at fault before", share, error.source)

    def routes(self, edges: Iterable[Edge], alone: bool) -> None:
        """Weigh the views that answer failed requests; more, if the log has nothing else."""
        for edge in edges:
            share = TRUST[edge.certainty] * (1.0 if alone else 0.4)
            self.evidence.add(edge.target, "answers the request", share, "answers the request that failed")
            for further in self._graph.edges_from(edge.target):
                if further.kind == "renders":
                    self.evidence.add(further.target, "answers the request", share * FAR, "is rendered for the request")

    def lately(self, units: Iterable[int], age: dict[int, float]) -> None:
        """Weigh the last changes of the suspects; `age` is from 0, the oldest change among them, to 1, the newest."""
        for unit in units:
            self.evidence.add(unit, "changed last", age.get(unit, 0.0), "its lines changed lately")


def caller_text(kind: str, depth: int) -> str:
    return "called what broke" if kind == "its caller" else f"{depth} calls above what broke"
