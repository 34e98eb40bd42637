"""Questions that users ask, each with the symbols that answer it, and with the snippet if one is known.

ingest/questions/*.toml      wordings joined to symbols by hand
cookbook/                    recipes; the symbols come from the snippet
scripts/templates_py         the example scripts of a Blender; likewise
"""

from __future__ import annotations

import ast
import dataclasses
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Literal, cast

from python.parsing import parse_python

QUESTIONS: Final = Path(__file__).with_name("questions")
ASKED_LIMIT: Final = 300

Source = Literal["question", "cookbook", "template"]
UsedSymbols = Callable[[str], list[str]]
"""Returns the addresses that a snippet uses, in the order of their first use."""


class QuestionsInvalid(Exception):
    """A file of questions cannot be used. The message names the file and the entry."""


@dataclasses.dataclass(frozen=True)
class UserQuestion:
    """One question of users. `asks` are its wordings, the plainest first; `symbols` has the best answer first."""

    name: str
    source: Source
    asks: tuple[str, ...]
    symbols: tuple[str, ...]
    snippet: str = ""

    @property
    def title(self) -> str:
        """The plainest wording."""
        return self.asks[0]


def load_questions(folder: Path = QUESTIONS) -> list[UserQuestion]:
    """The questions of every file. Raises QuestionsInvalid."""
    return [question for file in sorted(folder.glob("*.toml")) for question in read_questions(file)]


def read_questions(file: Path) -> Iterator[UserQuestion]:
    try:
        entries: Any = tomllib.loads(file.read_text(encoding="utf-8"))["question"]
    except (tomllib.TOMLDecodeError, KeyError, UnicodeDecodeError) as error:
        raise QuestionsInvalid(f"{file.name} has no readable questions: {error}") from error
    # With one bracket too few the first entry becomes a table, and a list of numbers is valid TOML too.
    listed = cast("Sequence[object]", entries) if isinstance(entries, list) else (entries,)
    for number, said in enumerate(listed, 1):
        entry = cast("dict[str, Any]", said) if isinstance(said, dict) else {}
        name = f"{file.stem}/{number}"
        asks, symbols = texts_in(entry, "asks"), texts_in(entry, "symbols")
        if not (asks and symbols and len(entry) == 2):
            raise QuestionsInvalid(f"{name}: an entry needs `asks` and `symbols`, each a list of texts.")
        yield UserQuestion(name, "question", asks, symbols)


def texts_in(entry: dict[str, Any], key: str) -> tuple[str, ...]:
    """The texts of a list; empty if it is not a list of texts."""
    listed: Any = entry.get(key)
    if not isinstance(listed, list):
        return ()
    texts = cast("Sequence[object]", listed)
    return tuple(str(text) for text in texts) if all(isinstance(text, str) for text in texts) else ()


def load_templates(folder: Path, used: UsedSymbols) -> list[UserQuestion]:
    """The example scripts of a Blender; unreadable ones are left out."""
    found: list[UserQuestion] = []
    for file in sorted(folder.glob("*.py")):
        try:
            snippet = file.read_text(encoding="utf-8")
            said = ast.get_docstring(parse_python(snippet)) or ""
        except (OSError, UnicodeDecodeError, SyntaxError):
            continue
        title = file.stem.replace("_", " ")
        prose = re.split(r"\n\s*\n", said)[0].replace("\n", " ")
        asks = (title, prose[:ASKED_LIMIT]) if len(prose) > len(title) else (title,)
        found.append(UserQuestion(f"templates_py/{file.stem}", "template", asks, tuple(used(snippet)), snippet))
    return found


def within(questions: Iterable[UserQuestion], addresses: set[str]) -> list[UserQuestion]:
    """The questions that this reference can answer, without the symbols that it lacks."""
    known = (
        dataclasses.replace(question, symbols=tuple(symbol for symbol in question.symbols if symbol in addresses))
        for question in questions
    )
    return [question for question in known if question.symbols]
