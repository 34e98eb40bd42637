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
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import libcst as cst
import structlog

from app.checks.parse import python_lines
from app.checks.verdict import STAGES, Severity, StageName, StageState, Verdict
from app.healing.edits import Change, apply_changes
from app.healing.rule import Rule
from app.healing.rules import RULES
from app.healing.sight import Sight
from app.healing.trouble import Repetition, Trouble, trouble_of
from ingest.manifest import Manifest

log = structlog.get_logger()

_ROUNDS: Final = 12
"""Rounds of changes at most; real scripts need two or three."""
_MOST_PAIRS: Final = 250_000
"""Pairs of lines up to which lines that stand at many places are told apart too."""


Frames = Sequence[int]


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
class HealedSnippet:
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
    repetition: Repetition | None = None,
) -> HealedSnippet | None:
    """Apply the rules to a snippet with this verdict, but those named in `without`; None where none applies.

    `exception` is what the report claims that was raised, `repetition` what it says of the second execution; `origin`
    is the snippet whose lines the repairs name, where it is not this one. On a snippet that passed only the silent
    rules are asked, and then, one after another, those for the second execution.
    """
    rules = [rule for rule in RULES if rule.name not in without]
    asked = [rule for rule in rules if not rule.repeat and (rule.silent or not verdict.passed)]
    groups = [[rule for rule in asked if not rule.guess], [rule for rule in asked if rule.guess]]
    said = [finding.message for finding in verdict.findings()]
    healing = _Healing(snippet, snippet if origin is None else origin, manifest, trouble_of(verdict, exception), said)
    for group in groups:
        healing.heal(group)
    if healing.text == snippet and repetition and (verdict.passed or verdict.reached == "repeat"):
        healing.repetition = repetition
        # What one of them does changes what is left for the next: the verdict tells.
        for rule in (rule for rule in rules if rule.repeat and healing.text == snippet):
            healing.heal([rule], rounds=1)
    return HealedSnippet(healing.text, healing.repairs) if healing.text != snippet else None


def better(
    new: Verdict, old: Verdict, new_text: str, old_text: str, new_frames: Frames = (), old_frames: Frames = ()
) -> bool:
    """Whether a repair helped: the new one passes, otherwise it fails at a later stage, otherwise it raises something
    else further on, otherwise it has fewer blocking findings, otherwise a critic likes it better. If both pass the
    healed one is better: a rule had a reason for it.

    The frames are the lines of the snippet at which the execution stood, from the top level inwards. That it came
    further outweighs findings: what is understood better has more to be remarked on.
    """
    if new.passed or old.passed:
        return new.passed
    reached = _reach(new), _reach(old)
    if reached[0] != reached[1]:
        return reached[0] > reached[1]
    troubles, frames = (trouble_of(new), trouble_of(old)), (new_frames, old_frames)
    if troubles[0] and troubles[1]:
        further = _came_further(troubles[0], troubles[1], *frames, _Lines(old_text, new_text))
        if further is not None:
            return further
    if _blocking(new) != _blocking(old):
        return _blocking(new) < _blocking(old)
    return _end(new) == "critic" and _accepted(new) > _accepted(old)


def repeats_better(
    new: Repetition | None, old: Repetition | None, new_text: str, old_text: str, same_scene: bool
) -> bool:
    """Whether a repair of the second execution was worth it: the first one leaves the scene that it left, and the
    second one does not raise any more, or raises further down, or adds less.
    """
    if not same_scene or old is None:
        return False
    if new is None or (old.raised and not new.raised):
        return True
    if new.raised:
        return old.raised is not None and _Lines(old_text, new_text).of(new.raised.line) > old.raised.line
    return new.count < old.count


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


def _came_further(
    new: Trouble, old: Trouble, new_frames: Frames, old_frames: Frames, line_in_old: _Lines
) -> bool | None:
    """Whether an execution ended later than another; None where that cannot be told."""
    if re.sub(r"\d+", "", new.message) == re.sub(r"\d+", "", old.message):
        return None
    # What a repair inserts or deletes moves the lines below it; that is no progress.
    there = [line_in_old.of(line) for line in new_frames or (new.line,)]
    for line, other in zip(there, old_frames or (old.line,), strict=False):
        if line != other:
            return line > other
    # At the same line: a name that was missing is found now, and perhaps the next of a table is not.
    return True if old.missing_key and new.missing_key != old.missing_key else None


class _Healing:
    """One snippet on its way."""

    def __init__(self, snippet: str, origin: str, manifest: Manifest, trouble: Trouble | None, said: list[str]) -> None:
        self.text = snippet
        self.repairs: list[Repair] = []
        self._origin = origin
        self._manifest = manifest
        self._trouble = trouble
        self._said = said
        self.repetition: Repetition | None = None

    def heal(self, rules: Collection[Rule], rounds: int = _ROUNDS) -> None:
        """Apply these rules until none of them has anything more to say."""
        seen = {self.text}
        for _ in range(rounds if rules else 0):
            try:
                sight = Sight(self.text, self._manifest, self._trouble, self._said, self.repetition)
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
    except Exception:
        # A fault of one rule is no reason to give up the snippet.
        log.exception("rule failed", rule=rule.name)
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
