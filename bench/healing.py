"""Counts the old scripts that run after the rules have healed them, on each Blender of this machine, with the seconds.

    python -m bench.healing [--scripts FOLDER] [--blender SERIES] [--show]

Each unchanged script is executed twice in a scene. If it raises, the rules heal it with the manifest of that Blender,
as often as the pipeline would, and it is executed again. A repair is kept only if the script gets further. Scripts that
run unchanged go through the sure rules, and through those for a second execution.

A wrong repair is one after which a script that ran no longer runs. Two kinds are counted: what the rules do to scripts
that run, and what they would do if such scripts were reported as failing at their last line.

`bench/old_scripts` are our own, modelled on the causes found in real scripts. They show what the rules can do, not how
often real scripts need it.
"""

from __future__ import annotations

import argparse
import ast
import collections
import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from app.healing.comparison import SURE
from app.healing.heal import HealedSnippet, better, heal_by_rules, repeats_better
from app.healing.rules import FAMILIES, RULES
from app.pipeline.healing import RULE_HEALINGS
from app.reading import check_api
from app.settings import default_home
from app.verdict.rules import load_rules
from app.verdict.verdict import STAGES, Verdict, judged, make_verdict
from harness.blenders import Blender, find_blenders, probe
from harness.triage import triage
from ingest.manifest import Manifest, manifest_of
from tests.healing.executed import Raised, Result, execute_all, execute_twice, finding_of

SCRIPTS: Final = Path(__file__).with_name("old_scripts")
_RULES: Final = load_rules()
_FAMILY: Final = {rule.name: family for family, rules in FAMILIES.items() for rule in rules}
_REPEAT: Final = {rule.name for rule in RULES if rule.repeat}


_CAUSES: Final = {
    "a member that is gone": r"has no attribute|attribute \".*\" not found",
    "a name that a collection lacks": r"key \".*\" not found|KeyError",
    "an operator that is gone": r"could not be found",
    "an operator that refuses": r"poll\(\) failed|context is incorrect",
    "an argument that is gone": r"keyword \".*\" (?:unrecog|is invalid)|unexpected keyword|positional arg|takes \d",
    "an item that is gone": r"enum \".*\" not found|not found in \(|not a known|Node type .* undefined",
    "an operator's context": r"execution context is supported|1-2 args",
    "a value of another kind": r"should contain|expected|sequence|must be|supported between|unsupported operand",
    "a module that is gone": r"No module named|cannot import",
    "a name that is not defined": r"is not defined",
}
"""The causes of failure, by the message of the first exception."""


@dataclass
class Case:
    """The progress of one script."""

    name: str
    era: str
    text: str
    result: Result
    first: Result
    rules: list[str] = field(default_factory=list[str])
    in_vain: set[str] = field(default_factory=set[str])
    taken_back: bool = False
    """True if it ran, a rule made it raise, and that change was undone."""
    if_asked: str = ""
    """The effect of the rules on it if it were reported as failed: empty, `changed` or `broken`."""


def main() -> None:
    """Heal a folder of scripts and print the figures, one section per Blender."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scripts", type=Path, default=SCRIPTS)
    parser.add_argument("--blender", help="series, such as 5.0; default: every Blender of this machine")
    parser.add_argument("--show", action="store_true", help="print what is left, with the healed text")
    options = parser.parse_args()
    blenders = [one for one in blenders_at_hand() if options.blender in (None, one.series)]
    if not blenders:
        parser.error("no such Blender is installed; run `blendproof blenders install`")
    files = sorted(options.scripts.rglob("*.py"))
    for blender in blenders:
        print_figures(heal_all(files, blender, manifest_of(default_home(), blender)), blender, options.show)


def blenders_at_hand() -> list[Blender]:
    """The installed wheels, and the `blender` that the shell would start."""
    executable = shutil.which("blender")
    return [*find_blenders(default_home(), None), *([probe("executable", Path(executable))] if executable else [])]


def heal_all(files: Sequence[Path], blender: Blender, manifest: Manifest) -> list[Case]:
    """Every script, executed, healed and executed again until nothing improves."""
    texts = [file.read_text(encoding="utf-8") for file in files]
    results = execute_twice(texts, blender)
    cases = [
        Case(file.stem, era_of(text), text, result, result)
        for file, text, result in zip(files, texts, results, strict=True)
    ]
    ask_those_that_run(cases, blender, manifest)
    for _ in range(RULE_HEALINGS):
        healed = [(case, one) for case in cases if (one := heal(case, verdict_of(case, manifest), manifest))]
        results = execute_twice([one.snippet for _, one in healed], blender)
        for (case, one), result in zip(healed, results, strict=True):
            judge(case, one, result, manifest)
        if not healed:
            break
    return cases


def heal(case: Case, verdict: Verdict, manifest: Manifest) -> HealedSnippet | None:
    """The effect of the rules on a script with this verdict."""
    return heal_by_rules(case.text, verdict, manifest, None, case.in_vain, None, case.result.repetition)


def judge(case: Case, healed: HealedSnippet, result: Result, manifest: Manifest) -> None:
    """Keep the repair if it made the script better."""
    new = Case(case.name, case.era, healed.snippet, result, case.first)
    if case.result.raised is None and result.raised is not None:
        case.taken_back = True
    if result.raised is None and case.result.raised is None and _REPEAT & set(healed.rules):
        same = result.blocks == case.result.blocks
        good = repeats_better(result.repetition, case.result.repetition, new.text, case.text, same)
    else:
        verdicts = verdict_of(new, manifest), verdict_of(case, manifest)
        sure = set(healed.rules) <= SURE
        good = better(*verdicts, new.text, case.text, frames(result.raised), frames(case.result.raised), sure)
    if good:
        case.text, case.result = healed.snippet, result
        case.rules += healed.rules
    else:
        case.in_vain |= set(healed.rules)


def frames(raised: Raised) -> Sequence[int]:
    """The lines of the script in the traceback, from the top level inwards."""
    found: list[int] = raised.get("frames", []) if raised else []
    return found


def ask_those_that_run(cases: Sequence[Case], blender: Blender, manifest: Manifest) -> None:
    """Report each script that runs as failing at its last line, and record what the rules do to it."""
    asked: list[tuple[Case, HealedSnippet]] = []
    for case in cases:
        if case.first.raised is None:
            made_up = {"line": len(case.text.splitlines()), "type": "RuntimeError", "message": "made up"}
            healed = heal_by_rules(case.text, verdict_with(case.text, made_up, manifest), manifest)
            asked += [(case, healed)] if healed else []
    for (case, _), raised in zip(asked, execute_all([one.snippet for _, one in asked], blender), strict=True):
        case.if_asked = "broken" if raised else "changed"


def verdict_of(case: Case, manifest: Manifest) -> Verdict:
    """The parts of the verdict that the rules use: the API check and the exception."""
    return verdict_with(case.text, case.result.raised, manifest)


def verdict_with(text: str, raised: Raised, manifest: Manifest) -> Verdict:
    remarks = check_api(text, manifest, lambda code: _RULES.severity("api", code, "caller"))
    findings = {"api": remarks if raised else [], "execute": [] if raised is None else [finding_of(raised)]}
    return make_verdict([judged(name, findings.get(name, [])) for name in STAGES], {})


def era_of(text: str) -> str:
    """The part of the docstring before its colon."""
    try:
        docstring = ast.get_docstring(ast.parse(text))
    except SyntaxError:
        return "no Python 3"
    era = (docstring or "").partition(":")[0]
    return era if era and len(era) <= 12 else "unknown"


def cause_of(case: Case) -> str:
    """The cause of failure of an unchanged script: its lack, or the kind of its first exception."""
    raised = case.first.raised or {}
    missing = triage(case.text, raised["type"], raised["message"], raised["line"] or None, "", None)
    if missing:
        return f"it {missing.outcome.replace('_', ' ')}"
    said = f"{raised['type']}: {raised['message']}"
    if raised["type"] == "Died":
        return "the process dies"
    return next((cause for cause, pattern in _CAUSES.items() if re.search(pattern, said)), "something else")


def print_figures(cases: Sequence[Case], blender: Blender, show: bool) -> None:
    """The share that runs before and after, by era and cause, and how often each rule was needed."""
    print(f"Blender {blender.version}: {len(cases)} scripts")
    for era in sorted({case.era for case in cases}):
        print(f"  {era:<12} {shares([case for case in cases if case.era == era])}")
    print(f"  {'all':<12} {shares(cases)}")
    wrong = [case.name for case in cases if case.first.raised is None and case.result.raised is not None]
    print(f"  wrong repairs (ran, but no longer runs): {len(wrong)} {', '.join(wrong)}".rstrip())
    back = [case.name for case in cases if case.taken_back]
    print(f"  repairs of running scripts that raised and were undone: {len(back)} {', '.join(back)}".rstrip())
    asked = collections.Counter(case.if_asked for case in cases if case.first.raised is None)
    print(
        f"  of the {asked.total()} that run, the rules would change {asked['changed'] + asked['broken']} if these were "
        f"reported as failed, and break {asked['broken']}"
    )
    ran = [case for case in cases if case.result.raised is None]
    once = sum(case.first.raised is None and case.first.repetition is None for case in cases)
    again = sum(case.result.repetition is None for case in ran)
    print(f"  can be run again without adding anything: {once} as they are, {again} after healing")
    print("  by cause of the first failure:")
    causes = collections.Counter(cause_of(case) for case in cases if case.first.raised)
    for cause, count in causes.most_common():
        healed = sum(case.result.raised is None for case in cases if case.first.raised and cause_of(case) == cause)
        print(f"    {cause:<32} {count:>3} failed, {healed:>3} healed")
    print("  scripts that needed a rule of the family:")
    families = collections.Counter(_FAMILY[name] for case in cases for name in set(case.rules))
    for family, count in families.most_common():
        names = collections.Counter(n for case in cases for n in set(case.rules) if _FAMILY[n] == family)
        print(f"    {family:<12} {count:>3}  {', '.join(f'{name} {times}' for name, times in names.most_common())}")
    for case in cases:
        if case.result.raised is not None:
            line = case.result.raised["line"]
            print(f"  left: {case.name}, line {line}: {finding_of(case.result.raised).message[:150]}")
        if show and (case.result.raised is not None or case.if_asked == "broken"):
            print(case.text)


def shares(cases: Iterable[Case]) -> str:
    """The numbers of scripts that ran before and that run now."""
    found = list(cases)
    before = sum(case.first.raised is None for case in found)
    after = sum(case.result.raised is None for case in found)
    failing = len(found) - before
    healed = f", {(after - before) / failing:.0%} of those that failed" if failing else ""
    return f"{before:>3} of {len(found)} ran as they are, {after:>3} after healing{healed}"


if __name__ == "__main__":
    main()
