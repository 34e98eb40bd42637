"""Questions that are made from a repository: what is asked, and what is taken away before."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from bench.chains import is_true, plain_calls, way_in, ways
from bench.repository import called, copy_without, corpus_of, outcomes, questions, related, without_docstrings
from codebase.index.indexing import update
from codebase.index.snapshot import load
from tests.codebase.small import write

SHOP = '''\
class Shop:
    """Keeps wares on its shelves until somebody pays."""

    def sell(self, ware):
        """
        Hand a ware over the counter. More of it.

        And more.
        """
        return wrap_up(ware)


def wrap_up(ware): "Fold paper around a ware, with care."; return ware
'''


def test_a_docstring_goes_and_the_lines_stay() -> None:
    left = without_docstrings(SHOP, {"Shop.sell", "wrap_up"})
    assert "Hand a ware" not in left and "Keeps wares" in left and "Fold paper" in left
    assert left.count("\n") == SHOP.count("\n")
    assert left.index("return wrap_up") > 0 and ast.parse(left)


def test_calls_are_those_of_a_function_wherever_it_is() -> None:
    assert called("def sell(self):\n    return wrap_up(self.ware.price())") == {"wrap_up", "price"}


def test_plain_calls_are_those_of_names_that_keep_their_meaning() -> None:
    assert plain_calls("def sell(ware):\n    return wrap_up(ware.price())") == {"wrap_up"}
    assert plain_calls("def sell(wrap_up):\n    weigh = wrap_up()\n    return weigh()") == set()


def test_a_chain_is_the_shortest_between_ends_that_do_not_call_each_other() -> None:
    a, b, c, d = (("x.py", name) for name in "abcd")
    assert set(ways({a: [b, c], b: [c, d], c: [d]})) == {(a, b, d)}
    assert set(ways({a: [b], b: [a]})) == set()


def test_the_graph_is_asked_and_its_errors_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    update(write(tmp_path / "r", {"shop.py": SHOP}), tmp_path / "a")
    snapshot = load(tmp_path / "a")
    slowest, errors = related(snapshot, 10)
    assert slowest >= 0 and not errors

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("codebase.graph.graph.UnitGraph.callees", fails)
    assert {error.partition(" ")[0] for error in related(snapshot, 10)[1]} == {"callees"}


CHAIN = "def open_shop():\n    ring_bell()\n\n\ndef ring_bell():\n    pull_rope()\n\n\ndef pull_rope():\n    pass\n"


def test_a_chain_is_asked_of_the_graph_and_its_steps_are_looked_up(tmp_path: Path) -> None:
    update(write(tmp_path / "r", {"bell.py": CHAIN}), tmp_path / "a")
    corpus = corpus_of(tmp_path / "a")
    [asked] = [one for one in questions(corpus, 10) if one.kind == "chain"]
    assert asked.text == "How does open_shop reach pull_rope?" and asked.right == {("bell.py", "ring_bell")}
    [answer] = outcomes(corpus, [asked])["chain", "the graph"]
    assert (answer.first, answer.share) == (1, 1.0) and 0 < answer.tokens < 40
    first, second = way_in(corpus, asked.way[0], asked.way[-1])
    assert is_true(corpus, [first, second])
    for wrong in ([], [first, first], [second._replace(line=1)]):
        assert not is_true(corpus, wrong)


def test_questions_are_asked_of_a_copy_that_does_not_hold_them(tmp_path: Path) -> None:
    update(
        write(tmp_path / "r", {"shop.py": SHOP, "tests/test_shop.py": "def test_paper_folding():\n    pass\n"}),
        tmp_path / "a",
    )
    asked = questions(corpus_of(tmp_path / "a"), 10)
    assert {(one.kind, one.text) for one in asked} == {
        ("purpose", "Keeps wares on its shelves until somebody pays."),
        ("purpose", "Hand a ware over the counter"),
        ("purpose", "Fold paper around a ware, with care."),
        ("definition", "Where is Shop defined?"),
        ("definition", "Where is sell defined?"),
        ("definition", "Where is wrap_up defined?"),
        ("callers", "What calls wrap_up?"),
    }
    copy_without(corpus_of(tmp_path / "a"), asked, tmp_path / "copy")
    update(tmp_path / "copy", tmp_path / "b")
    text = (tmp_path / "copy/shop.py").read_text()
    assert "counter" not in text and "shelves" not in text
    found = outcomes(corpus_of(tmp_path / "b"), asked)
    [calls] = found["callers", "the ranking"]
    assert calls.first and calls.share == 1 and calls.tokens > 0
