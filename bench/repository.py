"""Measures the search for the places that questions on a repository are about; its own code gives the questions.

    python -m bench.repository PATH [--questions 100] [--vectors]
    python -m bench.repository PATH... --graph [--questions 200]

With `--graph`, callers, callees, reach of a change and tests of so many units of each repository are asked for. Prints
the errors, and the slowest answer in seconds, without the load of the index.

Otherwise there are four kinds of questions, each about functions, methods and classes that are no tests:

- *purpose*: the first sentence of a docstring. What is searched is a copy of the repository without the docstrings that
  are asked for, so that a question stands in it only as far as names and code say the same. The copy has no history.
- *definition*: "Where is NAME defined?", for names that are defined once.
- *callers*: "What calls NAME?", for names that are defined once; right are the functions with a call of that name.
- *chain*: "How does NAME reach OTHER?", where one or two functions lie between; right are those. The graph too is
  asked: it is right if it knows a way whose steps are all written where it says (see `bench.chains`).

Prints, per kind and ranking: the share of questions with a right place among the first 1, 5 and 12, the share of the
right places among the first 12, the tokens of those 12 per question that they answer (units as cited, files whole; 3.5
characters per token), and seconds per query.
"""

from __future__ import annotations

import argparse
import ast
import dataclasses
import itertools
import random
import re
import statistics
import sys
import tempfile
import textwrap
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, get_args

from bench.chains import Place, Way, calls_between, is_true, letters, way_in, ways
from bench.localisation import packaged
from bench.rankers import COMPARED, Corpus, Ranked, Ranker, ours
from codebase.ask.relations import Asked as Related
from codebase.ask.relations import relations_of
from codebase.index.indexing import update
from codebase.index.snapshot import Snapshot, load
from codebase.index.store import open_index
from codebase.units.unit import CODE

DEPTH: Final = 12
LETTERS_PER_TOKEN: Final = 3.5
FEWEST_WORDS: Final = 5
MOST_CALLERS: Final = 6
GRAPH: Final = "the graph"


@dataclasses.dataclass(frozen=True)
class Asked:
    """A question and the places that answer it."""

    kind: str
    text: str
    right: frozenset[Place]
    way: Way = ()
    """For a chain, from its start to its end."""


@dataclasses.dataclass(frozen=True)
class Outcome:
    """The result of one ranking for a question: the rank of the first right place, the share, tokens and seconds."""

    first: int | None
    share: float
    tokens: float
    seconds: float


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", metavar="PATH", type=Path, nargs="+")
    parser.add_argument("--questions", type=int, default=100, help="most questions of each kind")
    parser.add_argument("--vectors", action="store_true", help="rank by meaning too, and without it")
    parser.add_argument("--graph", action="store_true", help="ask the graph for what is related to units")
    given = parser.parse_args()
    for path in given.paths:
        (ask_graph if given.graph else ask)(path, given)


def ask_graph(path: Path, given: argparse.Namespace) -> None:
    """Print how the graph of a repository answers."""
    with tempfile.TemporaryDirectory() as work:
        update(path, Path(work))
        began = time.perf_counter()
        slowest, errors = related(load(Path(work)), given.questions)
        print(f"{path.name}: {time.perf_counter() - began:.1f} s in all, slowest {slowest:.3f} s, {len(errors)} errors")
        print(*sorted(errors), sep="\n")


def related(snapshot: Snapshot, most: int) -> tuple[float, set[str]]:
    """The seconds of the slowest answer for units of a repository, and the errors."""
    slowest, errors = 0.0, set[str]()
    _ = snapshot.graph
    every = range(len(snapshot.units))
    for unit, asked in itertools.product(random.Random(0).sample(every, min(most, len(every))), get_args(Related)):
        began = time.perf_counter()
        try:
            relations_of(snapshot, unit, asked, 20 if asked in ("impact", "tests") else 1)
        except Exception as error:
            errors.add(f"{asked} of {snapshot.units[unit].name}: {error!r}")
        slowest = max(slowest, time.process_time() - began)
    return slowest, errors


def ask(path: Path, given: argparse.Namespace) -> None:
    """Print how a repository is searched."""
    with tempfile.TemporaryDirectory() as work:
        update(path, Path(work, "first"))
        asked = questions(corpus_of(Path(work, "first")), given.questions)
        copy_without(corpus_of(Path(work, "first")), asked, Path(work, "copy"))
        done = update(Path(work, "copy"), Path(work, "second"), model=packaged() if given.vectors else None)
        print(f"{done.files} files, {done.units} units, {done.embedded} embedded", file=sys.stderr)
        compared = COMPARED | ({"the ranking without meaning": ours("meaning")} if given.vectors else {})
        show(outcomes(corpus_of(Path(work, "second")), asked, compared))


def corpus_of(folder: Path) -> Corpus:
    snapshot = load(folder)
    with open_index(folder) as store:
        return Corpus(snapshot, {path: store.text(path) or "" for path in snapshot.paths})


def questions(corpus: Corpus, most: int) -> list[Asked]:
    """At most so many questions of each kind, the same at each run."""
    kinds = [purposes(corpus.snapshot), definitions(corpus.snapshot), callers(corpus), chains(corpus)]
    chosen = random.Random(0)
    return [one for kind in kinds for made in [list(kind)] for one in chosen.sample(made, min(most, len(made)))]


def sources(snapshot: Snapshot) -> Iterator[tuple[str, int]]:
    """The functions, methods and classes of Python files that are no tests: their paths and numbers."""
    for number, unit in enumerate(snapshot.units):
        file = int(snapshot.unit_file[number])
        if unit.kind in CODE and snapshot.roles[file] == "source" and snapshot.paths[file].endswith(".py"):
            yield snapshot.paths[file], number


def purposes(snapshot: Snapshot) -> Iterator[Asked]:
    """The first sentences of docstrings."""
    made: dict[str, set[Place]] = defaultdict(set)
    for path, number in sources(snapshot):
        sentence = " ".join(re.split(r"\.\s|\n\s*\n", snapshot.units[number].docstring, maxsplit=1)[0].split())
        if len(sentence.split()) >= FEWEST_WORDS:
            made[sentence].add((path, snapshot.units[number].name))
    yield from (Asked("purpose", text, frozenset(right)) for text, right in made.items() if len(right) == 1)


def definitions(snapshot: Snapshot) -> Iterator[Asked]:
    for name, place in defined_once(snapshot).items():
        yield Asked("definition", f"Where is {name} defined?", frozenset({place}))


def callers(corpus: Corpus) -> Iterator[Asked]:
    once = defined_once(corpus.snapshot)
    calling: dict[str, set[Place]] = defaultdict(set)
    for place, source in functions(corpus).items():
        for name in sorted(called(source)):
            if name in once and once[name] != place:
                calling[name].add(place)
    for name, right in calling.items():
        if len(right) <= MOST_CALLERS:
            yield Asked("callers", f"What calls {name}?", frozenset(right))


def chains(corpus: Corpus) -> Iterator[Asked]:
    once = defined_once(corpus.snapshot)
    named = {place: name for name, place in once.items()}
    for way in ways(calls_between(functions(corpus), once)):
        if way[0] in named:
            text = f"How does {named[way[0]]} reach {named[way[-1]]}?"
            yield Asked("chain", text, frozenset(way[1:-1]), way)


def functions(corpus: Corpus) -> dict[Place, str]:
    """The functions and methods with their sources, those that cannot be parsed alone left out."""
    found: dict[Place, str] = {}
    for path, number in sources(corpus.snapshot):
        unit = corpus.snapshot.units[number]
        source = textwrap.dedent("\n".join(corpus.texts[path].split("\n")[unit.first - 1 : unit.last]))
        if unit.kind != "class" and parsed(source):
            found[path, unit.name] = source
    return found


def parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except SyntaxError:
        return None


def defined_once(snapshot: Snapshot) -> dict[str, Place]:
    """The names that one unit alone defines, longer than three letters."""
    names = {name for name, units in snapshot.definitions.items() if len(units) == 1 and len(name.strip("_")) > 3}
    found = ((path, snapshot.units[number].name) for path, number in sources(snapshot))
    return {place[1].rpartition(".")[2]: place for place in found if place[1].rpartition(".")[2] in names}


def called(source: str) -> set[str]:
    """The names that are called in the source of a function."""
    nodes = [node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return {
        one.id if isinstance(one, ast.Name) else one.attr for one in nodes if isinstance(one, ast.Name | ast.Attribute)
    }


def copy_without(corpus: Corpus, asked: Sequence[Asked], folder: Path) -> None:
    """Write the files again, without the docstrings that are asked for."""
    removed: dict[str, set[str]] = defaultdict(set)
    for one in asked:
        for path, name in one.right if one.kind == "purpose" else ():
            removed[path].add(name)
    for path, text in corpus.texts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(without_docstrings(text, removed[path]) if path in removed else text)


def without_docstrings(text: str, names: set[str]) -> str:
    """A Python file whose functions and classes of these qualified names say nothing of themselves."""
    lines = text.split("\n")

    def walk(body: Sequence[ast.stmt], around: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{around}{node.name}"
                said = node.body[0]
                if name in names and ast.get_docstring(node, clean=False) is not None and said.lineno > node.lineno:
                    lines[said.lineno - 1 : said.end_lineno] = [
                        " " * said.col_offset + '""' if line == said.lineno else ""
                        for line in range(said.lineno, (said.end_lineno or said.lineno) + 1)
                    ]
                walk(node.body, f"{name}.")

    walk(ast.parse(text).body, "")
    return "\n".join(lines)


def outcomes(
    corpus: Corpus, asked: Sequence[Asked], compared: Mapping[str, Ranker] = COMPARED
) -> dict[tuple[str, str], list[Outcome]]:
    """By kind and ranking, what that makes of each question; the graph of each chain."""
    found: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    _ = corpus.snapshot.graph
    for one in asked:
        for name, ranker in compared.items():
            began = time.perf_counter()
            ranked = ranker(corpus, one.text)
            found[one.kind, name].append(outcome(corpus, one, ranked, time.perf_counter() - began))
        if one.way:
            found[one.kind, GRAPH].append(followed(corpus, one))
    return found


def followed(corpus: Corpus, asked: Asked) -> Outcome:
    """The answer of the graph to the question for a chain: every step, or none."""
    began = time.perf_counter()
    edges = way_in(corpus, asked.way[0], asked.way[-1])
    seconds = time.perf_counter() - began
    right = is_true(corpus, edges)
    return Outcome(1 if right else None, float(right), letters(corpus, edges) / LETTERS_PER_TOKEN, seconds)


def outcome(corpus: Corpus, asked: Asked, ranked: Ranked, seconds: float) -> Outcome:
    """Judge a ranking by its first units, or by its files if it has no units."""
    snapshot, (files, units) = corpus.snapshot, ranked
    if units or not files:
        places = [{(snapshot.paths[int(snapshot.unit_file[one])], snapshot.units[one].name)} for one in units[:DEPTH]]
        letters = sum(cited_letters(corpus, one) for one in units[:DEPTH])
    else:
        paths = [snapshot.paths[one] for one in files[:DEPTH]]
        places = [{place for place in asked.right if place[0] == path} for path in paths]
        letters = sum(len(corpus.texts[path]) for path in paths)
    first = next((rank for rank, place in enumerate(places, 1) if place & asked.right), None)
    share = len(asked.right & set().union(*places)) / len(asked.right)
    return Outcome(first, share, letters / LETTERS_PER_TOKEN, seconds)


def cited_letters(corpus: Corpus, unit: int) -> int:
    first, last = corpus.snapshot.units[unit].cited
    path = corpus.snapshot.paths[int(corpus.snapshot.unit_file[unit])]
    return sum(len(line) + 1 for line in corpus.texts[path].split("\n")[first - 1 : last])


def show(found: dict[tuple[str, str], list[Outcome]]) -> None:
    columns = ("first 1", "first 5", "first 12", "share", "tokens", "p50 s", "p95 s")
    print(f"{'':44}" + "".join(f"{column:>10}" for column in columns))
    for (kind, name), rows in found.items():
        hits = [100 * statistics.mean(one.first is not None and one.first <= k for one in rows) for k in (1, 5, DEPTH)]
        answered = sum(one.first is not None for one in rows)
        tokens = sum(one.tokens for one in rows) / max(1, answered)
        seconds = sorted(one.seconds for one in rows)
        slow = seconds[int(0.95 * (len(seconds) - 1))]
        figures = [*hits, 100 * statistics.mean(one.share for one in rows)]
        print(
            f"{kind + ' (' + str(len(rows)) + '): ' + name:44}"
            + "".join(f"{figure:10.1f}" for figure in figures)
            + f"{tokens:10.0f}{statistics.median(seconds):10.4f}{slow:10.4f}"
        )


if __name__ == "__main__":
    main()
