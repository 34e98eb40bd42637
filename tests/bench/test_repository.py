"""Questions that are made from a repository: what is asked, and what is taken away before."""

from __future__ import annotations

import ast
from pathlib import Path

from bench.repository import called, copy_without, corpus_of, outcomes, questions, without_docstrings
from codebase.indexing import update
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
    assert called("    def sell(self):\n        return wrap_up(self.ware.price())") == {"wrap_up", "price"}
    assert called("def broken(:") == set()


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
    calls = [one for one, question in zip(found["the ranking"], asked, strict=True) if question.kind == "callers"]
    assert calls[0].first and calls[0].share == 1 and calls[0].tokens > 0
