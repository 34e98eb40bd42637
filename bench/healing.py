"""How many old scripts run after the rules have healed them, and what that takes.

    python -m bench.healing [--scripts FOLDER] [--blender SERIES] [--show]

Each script is executed as it is; what raised is healed by the rules over the manifest of that Blender, as often as the
pipeline would do it, and executed again. A repair is kept only where the script comes further. Scripts that run as they
are go through the silent rules, and must run afterwards too: a wrong repair is one that broke a script that ran.

`bench/old_scripts` are our own, written after the causes that were found in real scripts. They say what the rules can
do, not how often other people's scripts need it.
"""

from __future__ import annotations

import argparse
import ast
import collections
import json
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from app.checks.api import check_api
from app.checks.rules import load_rules
from app.checks.verdict import STAGES, Finding, Severity, Verdict, judged, make_verdict
from app.healing.heal import better, heal_by_rules
from app.healing.rules import FAMILIES
from app.pipeline.healing import RULE_REPAIRS
from app.settings import default_home
from harness.blenders import Blender, find_blenders
from ingest.manifest import Manifest, manifest_of

SCRIPTS: Final = Path(__file__).with_name("old_scripts")
INSIDE: Final = Path(__file__).with_name("in_blender.py")
_RULES: Final = load_rules()
_FAMILY: Final = {rule.name: family for family, rules in FAMILIES.items() for rule in rules}

Raised = dict[str, Any] | None
"""What a script raised: line, type and message; None where it ran to its end."""


@dataclass
class Case:
    """One script on its way."""

    name: str
    era: str
    text: str
    raised: Raised
    first: Raised
    rules: list[str] = field(default_factory=list[str])
    wrong: bool = False


def main() -> None:
    """Heal a folder of scripts and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scripts", type=Path, default=SCRIPTS)
    parser.add_argument("--blender", help="series, such as 5.0")
    parser.add_argument("--show", action="store_true", help="print what is left, with the healed text")
    options = parser.parse_args()
    home = default_home()
    found = [one for one in find_blenders(home, None) if options.blender in (None, one.series) and one.kind == "module"]
    if not found:
        parser.error("no such Blender is installed; run `blendproof blenders install`")
    cases = heal_all(sorted(options.scripts.glob("*.py")), found[0], manifest_of(home, found[0]))
    print_figures(cases, found[0], options.show)


def heal_all(files: Sequence[Path], blender: Blender, manifest: Manifest) -> list[Case]:
    """Every script, executed, healed and executed again until nothing gets better."""
    texts = [file.read_text(encoding="utf-8") for file in files]
    results = execute_all(texts, blender)
    cases = [
        Case(file.stem, era_of(text), text, raised, raised)
        for file, text, raised in zip(files, texts, results, strict=True)
    ]
    for _ in range(RULE_REPAIRS):
        healed = [(case, heal_by_rules(case.text, verdict_of(case, manifest), manifest)) for case in cases]
        again = [(case, one) for case, one in healed if one]
        results = execute_all([one.snippet for _, one in again], blender)
        for (case, one), raised in zip(again, results, strict=True):
            new = Case(case.name, case.era, one.snippet, raised, case.first)
            if better(verdict_of(new, manifest), verdict_of(case, manifest), new.text, case.text):
                case.text, case.raised = one.snippet, raised
                case.rules += one.rules
            elif case.raised is None:
                case.wrong = True
    return cases


def execute_all(texts: Sequence[str], blender: Blender) -> list[Raised]:
    """What became of each script in a process of its own, all forked from one Blender."""
    if not texts:
        return []
    with tempfile.TemporaryDirectory() as folder:
        jobs, results = Path(folder, "jobs.json"), Path(folder, "results.json")
        jobs.write_text(json.dumps(texts), encoding="utf-8")
        command = [str(blender.path), str(INSIDE), str(jobs), str(results)]
        subprocess.run(command, check=True, capture_output=True, timeout=600)
        found: list[Raised] = json.loads(results.read_text(encoding="utf-8"))
    return found


def verdict_of(case: Case, manifest: Manifest) -> Verdict:
    """The verdict as far as the rules ask for it: the API check and the exception."""
    remarks = check_api(case.text, manifest, lambda code: _RULES.severity("api", code, "caller"))
    findings = {"api": remarks, "execute": [] if case.raised is None else [finding_of(case.raised)]}
    return make_verdict([judged(name, findings.get(name, [])) for name in STAGES], {})


def finding_of(raised: dict[str, Any]) -> Finding:
    """An exception as the `execute` check tells of it."""
    message = f"{raised['type']}: {raised['message']}"
    line = raised["line"] or None
    return Finding(check="execute", code="raised", severity=Severity.ERROR, message=message, line=line)


def era_of(text: str) -> str:
    """What the docstring says before its colon."""
    return (ast.get_docstring(ast.parse(text)) or "unknown").partition(":")[0]


def print_figures(cases: Sequence[Case], blender: Blender, show: bool) -> None:
    """The share that runs before and after, by era, and how often each rule was needed."""
    print(f"Blender {blender.version}: {len(cases)} scripts")
    for era in sorted({case.era for case in cases}):
        print(f"  {era:<12} {shares([case for case in cases if case.era == era])}")
    print(f"  {'all':<12} {shares(cases)}")
    print(f"  wrong repairs (ran, and does not any more): {sum(case.wrong for case in cases)}")
    print("  scripts that needed a rule of the family:")
    families = collections.Counter(_FAMILY[name] for case in cases for name in set(case.rules))
    for family, count in families.most_common():
        names = collections.Counter(n for case in cases for n in set(case.rules) if _FAMILY[n] == family)
        print(f"    {family:<12} {count:>3}  {', '.join(f'{name} {times}' for name, times in names.most_common())}")
    for case in cases:
        if case.raised is not None:
            print(f"  left: {case.name}, line {case.raised['line']}: {finding_of(case.raised).message[:150]}")
            if show:
                print(case.text)


def shares(cases: Iterable[Case]) -> str:
    """How many ran before and run now."""
    found = list(cases)
    before, after = sum(case.first is None for case in found), sum(case.raised is None for case in found)
    failing = len(found) - before
    healed = f", {(after - before) / failing:.0%} of those that failed" if failing else ""
    return f"{before:>3} of {len(found)} ran as they are, {after:>3} after healing{healed}"


if __name__ == "__main__":
    main()
