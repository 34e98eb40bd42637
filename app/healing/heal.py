"""Heals a snippet without a model: rules examine it with the API of the very build that will run it.

    snippet, findings ─> Sight ─> the rules ─> changes ─> text ─┐
                           ^                                    │  until no rule wants a change
                           └────────────────────────────────────┘

So one healing heals all visible faults, and those that they hid. Guesses are made only if no other rule applies.
"""

from __future__ import annotations

import ast
import dataclasses
import difflib
import functools
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import libcst as cst
import libcst.matchers as m
import structlog

from app.healing.edits import TreeEdit, apply_changes
from app.healing.package import AddonPackage
from app.healing.rule import Rule
from app.healing.rules import RULES
from app.healing.rules.paths import WINDOWS_PATHS, heal_paths
from app.healing.sight import Sight
from app.healing.trouble import Repetition, Trouble, trouble_of
from app.verdict.callbacks import HINTS as SWALLOWED
from app.verdict.parse import python_lines, syntax_tree
from app.verdict.verdict import STAGES, Severity, StageName, StageState, Verdict
from ingest.manifest import Manifest

log = structlog.get_logger()

_ROUNDS: Final = 12
"""Most rounds of changes; real scripts need two or three."""
_MOST_PAIRS: Final = 250_000
"""Most pairs of lines up to which lines that occur at many places are matched too."""


UNASKED: Final = frozenset(rule.name for rule in RULES if rule.silent) - {"not-linked"}
"""Rules that change what did not fail and what no finding is about: only for a sender who asked for healing."""

Frames = Sequence[int]


@dataclass(frozen=True)
class HealedFault:
    """A fault that a rule healed, with the reason, and its line in the sent snippet or in a module of the request."""

    rule: str
    reason: str
    line: int
    file: str = ""

    def note(self) -> str:
        """The healed fault in words."""
        where = f"{self.file}, line" if self.file else "line"
        return f"{where} {self.line}: {self.reason} [{self.rule}]"


@dataclass(frozen=True)
class HealedSnippet:
    """The snippet with the faults that were healed in it."""

    snippet: str
    faults: list[HealedFault]
    files: dict[str, str] = field(default_factory=dict[str, str])
    """The modules of the request that were healed too, by name; those of earlier healings included."""

    @property
    def rules(self) -> list[str]:
        """The rules that changed something, each once."""
        return list(dict.fromkeys(fault.rule for fault in self.faults))


def heal_by_rules(
    snippet: str,
    verdict: Verdict,
    manifest: Manifest,
    exception: dict[str, Any] | None = None,
    without: Collection[str] = (),
    origin: str | None = None,
    repetition: Repetition | None = None,
    package: AddonPackage | None = None,
) -> HealedSnippet | None:
    """Apply the rules to a snippet with this verdict, except those named in `without`; None if none applies.

    `exception` is the exception in the report, `repetition` its account of the second execution; `origin` is the
    snippet whose lines the faults name, if it is not this one; `package` is the add-on whose file it is, for which a
    guess is made only if no other rule applies. On a snippet that passed no guess is made: the other rules heal faults
    that only show in pictures or never ran, and then, one after another, come those for the second execution.
    """
    rules = [rule for rule in RULES if rule.name not in without]
    asked = [rule for rule in rules if not rule.repeat and not (rule.guess and verdict.passed)]
    said = [finding.message for finding in verdict.findings()]
    start = snippet if origin is None else origin
    healing = _SnippetHealer(snippet, start, manifest, trouble_of(verdict, exception), said, package)
    healing.heal_text()
    healing.heal([rule for rule in asked if not rule.guess and not rule.before])
    healing.heal([rule for rule in asked if rule.before and healing.is_older_than(rule.before)])
    if package is None or healing.text == snippet:
        healing.heal([rule for rule in asked if rule.guess])
    if healing.text == snippet and repetition and (verdict.passed or verdict.reached == "repeat"):
        healing.repetition = repetition
        # The effect of one rule changes what is left for the next, which only a new verdict tells.
        for rule in (rule for rule in rules if rule.repeat and healing.text == snippet):
            healing.heal([rule], rounds=1)
    return HealedSnippet(healing.text, healing.faults) if healing.text != snippet and healing.faults else None


_SPACES_BEFORE_TABS: Final = re.compile(r"^((?:\t| {8})*) {1,7}(?=\t)", re.MULTILINE)


def _evened(text: str) -> str:
    """The text without spaces before tabs in indentation, if LibCST cannot read them: to Python they are nothing."""
    new = _SPACES_BEFORE_TABS.sub(r"\1", text)
    old_tree, new_tree = (syntax_tree(text), syntax_tree(new)) if new != text else (None, None)
    if old_tree is None or new_tree is None or ast.dump(old_tree) != ast.dump(new_tree):
        return text
    try:
        cst.parse_module(text)
    except cst.ParserSyntaxError:
        return new
    return text


def better(
    new: Verdict,
    old: Verdict,
    new_text: str,
    old_text: str,
    new_frames: Frames = (),
    old_frames: Frames = (),
    sure: bool = False,
) -> bool:
    """True if a healing is an improvement. The first of these that differs decides: the new snippet passes, fails at a
    later stage, raises another exception further on, has fewer blocking findings, has a better score from the critic.
    If both pass, the healed one is better: a rule had a reason for it. If nothing differs, `sure` decides, because
    further faults may hide the improvement by a sure rule.

    The frames are the lines of the snippet on the stack of the exception, from the top level inwards. Getting further
    outweighs findings, because checks remark on more in code that they understand better.
    """
    if new.passed or old.passed:
        return new.passed
    reached = _reach(new), _reach(old)
    if reached[0] != reached[1]:
        return reached[0] > reached[1]
    ended = _ran_to_its_end(new), _ran_to_its_end(old)
    if ended[0] != ended[1]:
        return ended[0]
    troubles, frames = (trouble_of(new), trouble_of(old)), (new_frames, old_frames)
    if troubles[0] and troubles[1]:
        further = _came_further(troubles[0], troubles[1], *frames, _LineMap(old_text, new_text))
        if further is not None:
            return further
    if _error_count(new) != _error_count(old):
        return _error_count(new) < _error_count(old)
    if _end(new) == "critic" and new.score != old.score:
        return new.score > old.score
    return sure


def repeats_better(
    new: Repetition | None, old: Repetition | None, new_text: str, old_text: str, same_scene: bool
) -> bool:
    """True if a healing of the second execution is an improvement: the first execution leaves the same scene as before,
    and the second one no longer raises, or raises further down, or adds less.
    """
    if not same_scene or old is None:
        return False
    if new is None or (old.raised and not new.raised):
        return True
    if new.raised:
        return old.raised is not None and _LineMap(old_text, new_text).of(new.raised.line) > old.raised.line
    return new.count < old.count


def _ran_to_its_end(verdict: Verdict) -> bool:
    """True if nothing is wrong with the run itself: an error in a callback of Blender comes later."""
    errors = [finding for finding in verdict.findings() if finding.severity is Severity.ERROR]
    return all(finding.code in SWALLOWED for finding in errors if finding.check == "execute")


def _end(verdict: Verdict) -> StageName:
    """The stage at which a snippet really ended: findings on its text do not stop its execution."""
    for stage in verdict.stages:
        if stage.state is StageState.FAILED and stage.name not in {"lint", "types", "api"}:
            return stage.name
    return verdict.reached


def _reach(verdict: Verdict) -> float:
    """The number of stages that a snippet passed; findings on its text alone stop nothing before a critic."""
    end = _end(verdict)
    return len(STAGES) - 1.5 if end in {"lint", "types", "api"} else STAGES.index(end)


def _error_count(verdict: Verdict) -> int:
    return sum(finding.severity is Severity.ERROR for finding in verdict.findings())


def _came_further(
    new: Trouble, old: Trouble, new_frames: Frames, old_frames: Frames, line_in_old: _LineMap
) -> bool | None:
    """True if an execution ended later than another; None if unknown."""
    if re.sub(r"\d+", "", new.message) == re.sub(r"\d+", "", old.message):
        return None
    # Inserted and deleted lines move the lines below them; that is not progress.
    there = [line_in_old.of(line) for line in new_frames or (new.line,)]
    for line, other in zip(there, old_frames or (old.line,), strict=False):
        if line != other:
            return line > other
    # At the same line: the missing name is found now, and perhaps the next name of a table is missing.
    return True if old.missing_key and new.missing_key != old.missing_key else None


class _SnippetHealer:
    """One snippet while it is healed."""

    def __init__(
        self,
        snippet: str,
        origin: str,
        manifest: Manifest,
        trouble: Trouble | None,
        said: list[str],
        package: AddonPackage | None = None,
    ) -> None:
        self.text = snippet
        self.faults: list[HealedFault] = []
        self._origin = origin
        self._manifest = manifest
        self._trouble = trouble
        self._said = said
        self._package = package
        self._older_than: set[tuple[int, ...]] = set()
        self.repetition: Repetition | None = None
        self._sight: Sight | None = None

    def heal(self, rules: Collection[Rule], rounds: int = _ROUNDS) -> None:
        """Apply these rules until no rule wants another change."""
        seen = {self.text}
        for _ in range(rounds if rules else 0):
            try:
                sight = self._look_at_text()
            except ValueError:
                return
            changes = _disjoint_changes(sight, rules)
            if not changes:
                return
            text = self._apply(sight, changes)
            if text is None or text in seen:
                return
            seen.add(text)
            line_in_start = _LineMap(self._origin, self.text)
            for rule, change in changes:
                self.faults.append(HealedFault(rule.name, change.reason, line_in_start.of(sight.line(change.node))))
                self._older_than.update(_ages(rule, sight, change))
            self._trouble = self._trouble_after(sight, [change for _, change in changes], text)
            self.text = text

    def _look_at_text(self) -> Sight:
        """The text as it is now. Reading it costs far more than the rules, so what is still true is kept."""
        seen = self._sight
        if seen is None or seen.text != self.text or seen.repetition != self.repetition:
            self._sight = None  # both at once would need twice the memory
            seen = Sight(self.text, self._manifest, self._trouble, self._said, self.repetition, self._package)
        self._sight = seen
        return seen

    def heal_text(self) -> None:
        """Heal a text that no syntax tree can be made of, or whose paths Python misreads."""
        text, healed = heal_paths(self.text)
        for line, reason in healed:
            self.faults.append(HealedFault(WINDOWS_PATHS.name, reason, _LineMap(self._origin, self.text).of(line)))
        self.text = _evened(text)

    def is_older_than(self, version: tuple[int, int]) -> bool:
        """True if a healed fault shows that the snippet was written for an older Blender than this version."""
        return any(since <= version for since in self._older_than)

    def _apply(self, sight: Sight, changes: list[tuple[Rule, TreeEdit]]) -> str | None:
        """The text with the changes, without those that break the syntax; None if all of them do."""
        try:
            text = apply_changes(sight.module, [change for _, change in changes])
            if syntax_tree(text) is None:
                raise ValueError("the changed text does not parse")
        except (cst.ParserSyntaxError, cst.CSTValidationError, ValueError, TypeError, RecursionError):
            if len(changes) == 1:
                return None
            # At least one of them is at fault: keep those that work alone.
            good = [change for change in changes if self._apply(sight, [change]) is not None]
            changes[:] = good if len(good) < len(changes) else good[:1]
            return self._apply(sight, changes) if changes else None
        return text

    def _trouble_after(self, sight: Sight, changes: list[TreeEdit], text: str) -> Trouble | None:
        """The trouble at its line in the new text; None once that line was healed."""
        if self._trouble is None or any(
            sight.fails_at(change.node) for change in changes if change.node is not sight.module
        ):
            return None
        line = _LineMap(text, self.text).of(self._trouble.line)
        return dataclasses.replace(self._trouble, line=line)


def _disjoint_changes(sight: Sight, rules: Iterable[Rule]) -> list[tuple[Rule, TreeEdit]]:
    """The changes that the rules want, without those nested in another change and those that belong to such a one.

    They come in the next round.
    """
    late: set[tuple[str, str]] = set()
    taken: list[tuple[tuple[int, int], tuple[int, int]]] = []
    disjoint: list[tuple[Rule, TreeEdit]] = []
    for rule in rules:
        for change in _look(rule, sight):
            if change.node is not sight.module:
                if sight.for_some_blenders(change.node) and not sight.fails_at(change.node):
                    continue
                where = sight.range(change.node)
                start, end = (where.start.line, where.start.column), (where.end.line, where.end.column)
                if any(start < other_end and other_start < end for other_start, other_end in taken):
                    late.add((rule.name, change.group))
                    continue
                taken.append((start, end))
            disjoint.append((rule, change))
    return [(rule, change) for rule, change in disjoint if not change.group or (rule.name, change.group) not in late]


def _ages(rule: Rule, sight: Sight, change: TreeEdit) -> Iterator[tuple[int, ...]]:
    """The versions before which what is changed was right: of the rule, and of members that are gone since then."""
    if rule.since:
        yield rule.since
    if change.node is sight.module:
        return
    for attribute in m.findall(change.node, m.Attribute()):
        yield from (row.since_version for _, row in sight.changes_of(cst.ensure_type(attribute, cst.Attribute)))


def _look(rule: Rule, sight: Sight) -> list[TreeEdit]:
    try:
        return list(rule.look(sight))
    except RecursionError:
        # A snippet may nest deeper than Python can follow; the other rules go on.
        return []
    except Exception:
        # A fault in one rule must not stop the others.
        log.exception("rule failed", rule=rule.name)
        return []


class _LineMap:
    """Maps the lines of a text to lines of the text that it was made from."""

    def __init__(self, first: str, later: str) -> None:
        self._texts = first, later

    @functools.cached_property
    def _blocks(self) -> list[tuple[int, int, int, int]]:
        """First and last line of each matching block in both texts, from 0, the last one excluded. Computed on demand,
        because long texts that repeat one line take long.
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
        """The line of the first text that this line of the later text comes from, or the nearest one."""
        for first, last, later, end in self._blocks:
            if later <= line - 1 < end:
                return min(first + line - 1 - later, max(last - 1, first)) + 1
        return line
