"""Repairs a snippet without a model: rules look at it, over the API of the very build that will run it.

    snippet, findings ─> Sight ─> the rules ─> changes ─> text ─┐
                           ^                                    │  until no rule has anything to say
                           └────────────────────────────────────┘

So one healing mends all that can be seen, and what it hid. Guesses are made only where nothing else is left.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any, Final

import libcst as cst

from app.checks.parse import python_lines
from app.checks.verdict import STAGES, Severity, StageName, StageState, Verdict
from app.healing.edits import Change, apply_changes
from app.healing.rule import Rule
from app.healing.rules import RULES
from app.healing.sight import Sight
from app.healing.trouble import Trouble, trouble_of
from ingest.manifest import Manifest

_ROUNDS: Final = 12
"""Rounds of changes at most; real scripts need two or three."""
_MOST_PAIRS: Final = 250_000
"""Pairs of lines up to which lines that stand at many places are told apart too."""


@dataclass(frozen=True)
class Repair:
    """One thing that was done: by which rule, why, and at which line of the snippet that was sent."""

    rule: str
    reason: str
    line: int

    def note(self) -> str:
        """The repair as people read it."""
        return f"line {self.line}: {self.reason} [{self.rule}]"


@dataclass(frozen=True)
class Healed:
    """The snippet with its repairs."""

    snippet: str
    repairs: list[Repair]

    @property
    def rules(self) -> list[str]:
        """The rules that did something, each once."""
        return list(dict.fromkeys(repair.rule for repair in self.repairs))


def heal_by_rules(
    snippet: str,
    verdict: Verdict,
    manifest: Manifest,
    exception: dict[str, Any] | None = None,
    without: Collection[str] = (),
    origin: str | None = None,
) -> Healed | None:
    """Apply the rules to a snippet with this verdict, but those named in `without`; None where none applies.

    `exception` is what the report claims that was raised; `origin` is the snippet whose lines the repairs name, where
    it is not this one. On a snippet that passed only the silent rules are asked.
    """
    rules = [rule for rule in RULES if rule.name not in without and (rule.silent or not verdict.passed)]
    said = [finding.message for finding in verdict.findings()]
    healing = _Healing(snippet, snippet if origin is None else origin, manifest, trouble_of(verdict, exception), said)
    healing.heal([rule for rule in rules if not rule.guess])
    healing.heal([rule for rule in rules if rule.guess])
    return Healed(healing.text, healing.repairs) if healing.text != snippet else None


def better(new: Verdict, old: Verdict, new_text: str, old_text: str) -> bool:
    """Whether a repair was worth it: the new one passes, else it fails at a later stage, else it has fewer blocking
    findings, else a critic likes it better, else it raises something else further down. Where both pass the repaired
    one is better: a rule had a reason for it.
    """
    if new.passed or old.passed:
        return new.passed
    reached = _reach(new), _reach(old)
    if reached[0] != reached[1]:
        return reached[0] > reached[1]
    if _blocking(new) != _blocking(old):
        return _blocking(new) < _blocking(old)
    if _end(new) == "critic":
        return _accepted(new) > _accepted(old)
    return _came_further(trouble_of(new), trouble_of(old), _Lines(old_text, new_text))


def _end(verdict: Verdict) -> StageName:
    """The stage at which a snippet really ended: what is said of its text does not stop it from being executed."""
    for stage in verdict.stages:
        if stage.state is StageState.FAILED and stage.name not in {"lint", "types", "api"}:
            return stage.name
    return verdict.reached


def _reach(verdict: Verdict) -> float:
    """How far a snippet came; one of which only the text is blamed came to the end, before a critic."""
    end = _end(verdict)
    return len(STAGES) - 1.5 if end in {"lint", "types", "api"} else STAGES.index(end)


def _blocking(verdict: Verdict) -> int:
    return sum(finding.severity is Severity.ERROR for finding in verdict.findings())


def _accepted(verdict: Verdict) -> float:
    """The score that counts where a critic judged."""
    return float(verdict.measured.get("scores", {}).get("accepted", 0.0))


def _came_further(new: Trouble | None, old: Trouble | None, line_in_old: _Lines) -> bool:
    if new is None or old is None:
        return False
    # What a repair inserts or deletes moves the lines below it; that is no progress.
    another = re.sub(r"\d+", "", new.message) != re.sub(r"\d+", "", old.message)
    return another and line_in_old.of(new.line) > old.line


class _Healing:
    """One snippet on its way."""

    def __init__(self, snippet: str, origin: str, manifest: Manifest, trouble: Trouble | None, said: list[str]) -> None:
        self.text = snippet
        self.repairs: list[Repair] = []
        self._origin = origin
        self._manifest = manifest
        self._trouble = trouble
        self._said = said

    def heal(self, rules: Collection[Rule]) -> None:
        """Apply these rules until none of them has anything more to say."""
        seen = {self.text}
        for _ in range(_ROUNDS if rules else 0):
            try:
                sight = Sight(self.text, self._manifest, self._trouble, self._said)
            except ValueError:
                return
            changes = _apart(sight, rules)
            if not changes:
                return
            text = self._changed(sight, changes)
            if text is None or text in seen:
                return
            seen.add(text)
            line_in_start = _Lines(self._origin, self.text)
            for rule, change in changes:
                self.repairs.append(Repair(rule.name, change.reason, line_in_start.of(sight.line(change.node))))
            self._trouble = self._moved(sight, [change for _, change in changes], text)
            self.text = text

    def _changed(self, sight: Sight, changes: list[tuple[Rule, Change]]) -> str | None:
        """The text with the changes; with fewer of them where one made no Python, and None where none did."""
        try:
            text = apply_changes(sight.module, [change for _, change in changes])
            compile(text, "<snippet>", "exec", dont_inherit=True)
        except (cst.ParserSyntaxError, cst.CSTValidationError, SyntaxError, ValueError, TypeError, RecursionError):
            if len(changes) == 1:
                return None
            # One of them is at fault: keep those that work alone.
            good = [one for one in changes if self._changed(sight, [one]) is not None]
            changes[:] = good if len(good) < len(changes) else good[:1]
            return self._changed(sight, changes) if changes else None
        return text

    def _moved(self, sight: Sight, changes: list[Change], text: str) -> Trouble | None:
        """Where the trouble is in the new text; nowhere once its line was mended."""
        if self._trouble is None or any(
            sight.fails_at(change.node) for change in changes if change.node is not sight.module
        ):
            return None
        line = _Lines(text, self.text).of(self._trouble.line)
        return dataclasses.replace(self._trouble, line=line)


def _apart(sight: Sight, rules: Iterable[Rule]) -> list[tuple[Rule, Change]]:
    """What the rules want, without what lies inside another change: that is looked at again afterwards."""
    taken: list[tuple[tuple[int, int], tuple[int, int]]] = []
    found: list[tuple[Rule, Change]] = []
    for rule in rules:
        for change in _looked(rule, sight):
            if change.node is not sight.module:
                where = sight.range(change.node)
                start, end = (where.start.line, where.start.column), (where.end.line, where.end.column)
                if any(start < other_end and other_start < end for other_start, other_end in taken):
                    continue
                taken.append((start, end))
            found.append((rule, change))
    return found


def _looked(rule: Rule, sight: Sight) -> list[Change]:
    try:
        return list(rule.look(sight))
    except RecursionError:
        # A snippet may nest deeper than Python can follow; the other rules go on.
        return []


class _Lines:
    """Lines of a text as lines of the text that it was made from."""

    def __init__(self, first: str, later: str) -> None:
        self._texts = first, later

    @functools.cached_property
    def _blocks(self) -> list[tuple[int, int, int, int]]:
        """First and last line of each block in both texts, from 0, the last one excluded; not before it is asked for,
        because of long texts with the same line again and again it takes long.
        """
        old, new = map(python_lines, self._texts)
        least = min(len(old), len(new))
        head = next((place for place in range(least) if old[place] != new[place]), least)
        least -= head
        tail = next((place for place in range(least) if old[-1 - place] != new[-1 - place]), least)
        old_middle, new_middle = old[head : len(old) - tail], new[head : len(new) - tail]
        often = len(old_middle) * len(new_middle) > _MOST_PAIRS
        matcher = difflib.SequenceMatcher(None, old_middle, new_middle, autojunk=often)
        middle = [tuple(head + place for place in places) for _, *places in matcher.get_opcodes()]
        ends = (len(old) - tail, len(old), len(new) - tail, len(new))
        return [(0, head, 0, head), *((a, b, c, d) for a, b, c, d in middle), ends]

    def of(self, line: int) -> int:
        """The line of the first text that this line of the later one comes from, or the nearest to it."""
        for first, last, later, end in self._blocks:
            if later <= line - 1 < end:
                return min(first + line - 1 - later, max(last - 1, first)) + 1
        return line
