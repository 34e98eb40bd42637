"""Doubles the inputs of every reader, parser, rule and grammar, and says which of them grow faster than n log n.

    python -m bench.growth [NAME ...]

Each input is doubled until one reading computes for ENOUGH_S; the growth is that of the last doubling. An input that a
reader refuses or gives up ends its row. The exit code is 1 if one grows faster than MOST.
"""

from __future__ import annotations

import functools
import gc
import io
import sys
import tarfile
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from app.checks.policy import check_policy
from app.drafting.commands import Commands
from app.drafting.draft import NotUnderstood
from app.healing.heal import heal_by_rules
from app.llm.answers import AnswerUnusable, blocks_of, without_reasoning
from app.llm.edits import read_edits
from app.reading import check_api
from app.verdict.parse import parse_snippet
from app.verdict.verdict import STAGES, Severity, judged, make_verdict
from app.versions.merge import CannotMerge, merge
from codebase.tracebacks.log import read_log
from codebase.units.read import read_units
from harness.readers.unpacking import files_in_tar, files_in_zip
from ingest.manifest import Manifest, read_manifest

MANIFESTS: Final = Path(".blendproof/manifests")
FIRST: Final = 25
MOST_CHARACTERS: Final = 2_000_000
MOST_PARTS: Final = 50_000
ENOUGH_S: Final = 1.0
MOST: Final = 2.7
"""Growth per doubling: n log n has at most 2.3 from 100 on; the rest is noise."""

Case = tuple[str, Callable[[int], Any], Callable[[Any], object]]
"""A name, what makes an input of n parts, and what reads it."""


@dataclass(frozen=True)
class Repeated:
    """Makes a text of n parts."""

    begin: str
    more: str

    def __call__(self, count: int) -> str:
        """The text."""
        return self.begin + self.more * count


def texts() -> Iterator[tuple[str, str, str]]:
    """Files that a repository may hold: a path, what comes first, and what is repeated."""
    yield "a.py", "", "def f(a):\n    return [a + 1, (a, {a: 2})]\n"
    yield "deep.py", "x = ", "(\n"
    yield "else.py", "if a:\n    pass\n", "elif a:\n    pass\n"
    yield "a.js", "", "const f = (a) => { return {a: [1, `x${a}`]} };\n"
    yield "deep.js", "", "a?(b:\n"
    yield "a.tsx", "", "export function F() { return <div><b>{1}</b></div> }\n"
    yield "a.html", "", "<div class='a'>{% if a %}{{ b }}</div>\n"
    yield "deep.html", "", "<div>\n"
    yield "a.css", "", "a > b { color: red; }\n"
    yield "a.md", "", "# Title\n\n* a [b](c) _d_\n"
    yield "deep.md", "", "> * \n"
    yield "a.toml", "", "[a.b]\nc = [1, {d = 2}]\n"
    yield "a.yaml", "", "a: &a [*b, {c: d}]\n"
    yield "deep.yaml", "", "- \n"
    yield "a.json", "[", '{"a": [1, 2]},\n'
    yield "deep.json", "", '[{"a":\n'
    yield "a.rst", "", "Title\n=====\n\ntext\n"


def cases(manifest: Manifest) -> Iterator[Case]:
    """Everything that is measured."""
    for path, begin, more in texts():
        yield f"units {path}", Repeated(begin, more), functools.partial(read_units, path)
    commands, verdict = Commands(), make_verdict([judged(name, []) for name in STAGES], {})
    old = "bpy.context.scene.objects.link(bpy.data.objects['Cube'])\n"
    for name, begin, more in (
        ("old calls", "import bpy\n", old),
        ("attributes", "import bpy\nx = bpy", ".a"),
        ("brackets", "x = ", "[\n"),
        ("operators", "x = 1", " + 1"),
    ):
        make = Repeated(begin, more)
        yield f"parse {name}", make, parse_snippet
        yield f"policy {name}", make, lambda text: check_policy(text, warn)
        yield f"api {name}", make, lambda text: check_api(text, manifest, warn)
        yield f"heal {name}", make, lambda text: heal_by_rules(text, verdict, manifest)
    yield "merge", versions_of, merge
    for name, begin, more in (
        ("and", "add a cube", " and"),
        ("cubes", "add a cube", " and a cube"),
    ):
        yield f"command {name}", Repeated(begin, more), lambda text: commands.draft(text, manifest)
    paths = dict.fromkeys(f"a{number}.py" for number in range(2 * MOST_PARTS))
    answer = [f"<<BEGIN_FILE {path}>>\nx = 1\n<<END>>\n" for path in paths]
    yield "answer marks", lambda n: "".join(answer[:n]), lambda text: read_edits(text, "stop", paths)
    yield "answer fences", lambda n: "```python\nx\n" * n, blocks_of
    yield "answer reasoning", lambda n: "<think>" * n, without_reasoning
    yield "log", lambda n: 'Traceback (most recent call last):\n  File "a.py", line 1, in f\n' * n, read_log
    yield "log line", lambda n: "File " * n, read_log
    yield "log page", Repeated("<div></", "<script "), read_log
    yield "zip", zip_of, files_in_zip
    yield "tar", tar_of, files_in_tar


def warn(_code: str) -> Severity:
    return Severity.WARNING


def versions_of(count: int) -> dict[tuple[int, int, int], str]:
    """Two texts that differ in every other line."""
    lines = [f"a{number} = 1\nb{number} = OLD\n" for number in range(count)]
    text = f"import bpy\n{''.join(lines)}"
    return {(4, 2, 0): text, (5, 0, 0): text.replace("OLD", "NEW")}


def zip_of(count: int) -> bytes:
    """A zip with this many files."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for number in range(count):
            archive.writestr(f"a/{number}.py", "x = 1\n")
    return made.getvalue()


def tar_of(count: int) -> bytes:
    """A .tar with this many files, with long names."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for number in range(count):
            archive.addfile(tarfile.TarInfo(f"{'a' * 150}/{number}"))
    return made.getvalue()


def growth_of(make: Callable[[int], Any], read: Callable[[Any], object]) -> tuple[int, float, float]:
    """The largest number of parts, its seconds of computing, and their growth by the last doubling."""
    count, now, growth = FIRST, 0.0, 0.0
    while True:
        given = make(count)
        begun = time.process_time()
        try:
            read(given)
        except (NotUnderstood, CannotMerge, AnswerUnusable):
            return count // 2, now, growth
        before, now = now, time.process_time() - begun
        growth = now / before if before else 0.0
        if now >= ENOUGH_S or count >= MOST_PARTS or len(given) > MOST_CHARACTERS:
            return count, now, growth
        count *= 2


def main() -> int:
    """Print a row per input."""
    manifest = read_manifest(max(MANIFESTS.glob("5.0*.json")))
    # As readers have it.
    gc.set_threshold(100_000, 50, 100)
    wrong = 0
    for name, make, read in cases(manifest):
        if sys.argv[1:] and not any(part in name for part in sys.argv[1:]):
            continue
        count, seconds, growth = growth_of(make, read)
        # Below that, growth is noise.
        fast = growth > MOST and seconds > 0.3
        wrong += fast
        print(
            f"{name:24} {count:9} {seconds:8.2f} s  x {growth:4.1f}{'   faster than n log n' if fast else ''}",
            flush=True,
        )
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
