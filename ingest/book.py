"""The book of Blender's changes: one row per fact that a newer Blender removed, renamed or moved.

`changes/*.toml` hold the rows, by kind; `KINDS` is the form of their addresses. Check, healer, ports, `blendproof diff`
and prompts read them here, and nowhere else. `python -m bench.book` compares them with all that Blender ever had.
"""

from __future__ import annotations

import fnmatch
import functools
import itertools
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final, Self

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, model_validator

from harness.versions import version_key

CHANGES: Final = Path(__file__).with_name("changes")
KINDS: Final = {
    "item": re.compile(r"(?P<owner>[\w.()*]+)='(?P<name>[^']+)'"),
    "socket": re.compile(r"bpy\.types\.(?P<owner>[\w*]+\.(?:inputs|outputs))\['(?P<name>[^']+)'\]"),
    "name": re.compile(r"bpy\.types\.(?P<owner>\w+\.\w+)\['(?P<name>[^']+)'\]"),
    "argument": re.compile(r"(?P<owner>[\w.*]+)\((?P<name>\w+)\)"),
    "node": re.compile(r"node (?P<owner>)(?P<name>\w+)"),
    "operator": re.compile(r"bpy\.ops\.(?P<owner>)(?P<name>[\w.*]+)"),
    "member": re.compile(r"bpy\.types\.(?P<owner>[\w*]+)\.(?P<name>[\w*]+)"),
    "class": re.compile(r"bpy\.types\.(?P<owner>)(?P<name>[\w*]+)"),
    "module": re.compile(r"(?P<owner>)(?P<name>[\w.*]+)"),
}
"""The kinds of addresses, in the order in which they are tried. An item is one of a property, of an argument
(`bpy.ops.m.operator(argument)='ITEM'`), or of every property of that name (`type='ITEM'`). An argument is one of an
operator, of every operator (`*(name)`), or of a function; `function(3)` is a call with three arguments by position.
A name is one that new things in a collection have by default (`bpy.types.Object.modifiers['Name']`)."""

_BRACES: Final = re.compile(r"\{([^{}]*)\}")


class BookRow(BaseModel):
    """The fate of one address. At least one of its fields but `since` and `advice` says it."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    since: str = Field(pattern=r"^\d+\.\d+$")
    """The first series without it."""
    becomes: str = ""
    """The successor of its last name: a path after the same owner for a member, a name for all other kinds. An
    operator may have arguments that it needs to do the same."""
    values: Mapping[str, str] = Field(default_factory=dict)
    """New values by old ones: items, `True` and `False`; without quotes. An empty one drops the assignment or argument.
    Any other value is left to `template` or stops the healing."""
    template: str = ""
    """The new value of an assignment or argument, made of `{value}`, the source of the old one, and, for a setting of a
    group that is gone, of `{owner}`, the source of what had the group."""
    silent: str = ""
    """A sentence on the other meaning that an address has since then, which is still there, or misses in silence."""
    numbered: tuple[str, ...] = ()
    """For the inputs of a node that have other numbers since then: their names today, by the number before. An empty
    one is gone, has no name of its own, or was not the same in all older Blenders."""
    gone: bool = False
    """True if nothing has its place."""
    drop: bool = False
    """True if what sets it can be deleted: it changed a display, a preference, or an engine that is gone."""
    rule: str = ""
    """The healing rule that knows what to write, if neither a name nor a template does."""
    advice: str = ""
    """A sentence on the code of today, or the words after "Use "; made of `becomes` if it is empty."""

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        said = (self.becomes, self.template, self.values, self.gone, self.rule, self.silent, self.numbered)
        if not any(said):
            raise ValueError("say `becomes`, `template`, `gone`, `rule`, `silent` or `numbered`")
        if self.gone and (self.becomes or self.template):
            raise ValueError("what is gone becomes nothing")
        if self.drop and not self.gone:
            raise ValueError("only what is gone can be dropped")
        return self

    @functools.cached_property
    def since_version(self) -> tuple[int, ...]:
        return version_key(self.since)

    def value_of(self, source: str, text: str | None) -> str | None:
        """The source of the new value for the source of an old one, and its text if it is a string.

        Empty if what sets it is to be dropped; None if the value has no counterpart that is known.
        """
        if self.values:
            known = self.values.get(source if text is None else text)
            if known is not None:
                return _quoted(known, source) if known else ""
            if set(self.values) == {"True", "False"} and all(self.values.values()) and text is None:
                return f"{_quoted(self.values['True'])} if {source} else {_quoted(self.values['False'])}"
        if self.template == "not {value}" and source in {"True", "False"}:
            return str(source == "False")
        if self.template:
            whole = text is not None or re.fullmatch(r"[\w.]+", source)
            return _folded(self.template.replace("{value}", source if whole else f"({source})"))
        return source if self.becomes and (not self.values or text is None) else None


_ROWS: Final = TypeAdapter(dict[Annotated[str, Field(min_length=1)], BookRow])


class Book:
    """All rows, or those up to one version."""

    def __init__(self, rows: Mapping[str, BookRow]) -> None:
        self.rows: Final = rows
        patterns = [address for address in rows if "*" in address and not address.startswith("*(")]
        self._patterns: Final = [(address, re.compile(fnmatch.translate(address))) for address in patterns]

    @classmethod
    def for_version(cls, version: tuple[int, ...]) -> Book:
        """The rows of changes that this Blender has; its first two numbers count."""
        return _up_to(version[:2])

    def find(self, *addresses: str) -> tuple[str, BookRow] | None:
        """The first of these addresses that has a row, or that the pattern of a row matches, and the row."""
        for address in addresses:
            if address in self.rows:
                return address, self.rows[address]
        for address in addresses:
            for pattern, expression in self._patterns:
                if expression.match(address):
                    return address, self.rows[pattern]
        return None

    @functools.cached_property
    def _by_kind(self) -> Mapping[str, Mapping[str, Mapping[str, BookRow]]]:
        found: dict[str, dict[str, dict[str, BookRow]]] = {kind: {} for kind in KINDS}
        for address, row in self.rows.items():
            kind, owner, name = parts_of(address)
            found[kind].setdefault(name, {})[owner] = row
        return found

    def named(self, kind: str, name: str) -> Mapping[str, BookRow]:
        """The rows of a kind with this last name, by owner."""
        return self._by_kind[kind].get(name, {})


def parts_of(address: str) -> tuple[str, str, str]:
    """The kind, owner and last name of an address. Raises ValueError if it has no form of `KINDS`."""
    for kind, form in KINDS.items():
        if found := form.fullmatch(address):
            return kind, found["owner"], found["name"]
    raise ValueError(f"{address!r} is not an address")


@functools.cache
def whole_book() -> Book:
    """The book as it is written."""
    return Book(read_rows(sorted(CHANGES.glob("*.toml"))))


@functools.cache
def _up_to(version: tuple[int, ...]) -> Book:
    return Book({address: row for address, row in whole_book().rows.items() if row.since_version <= version})


def read_rows(files: Iterable[Path]) -> dict[str, BookRow]:
    """The rows of some files by address, where `{a,b}` stands for two. Raises ValueError if one is there twice."""
    rows: dict[str, BookRow] = {}
    for file in files:
        read = _ROWS.validate_python(tomllib.loads(file.read_text(encoding="utf-8")))
        for written, row in read.items():
            for address in spread(written):
                parts_of(address)
                if address in rows:
                    raise ValueError(f"{file.name}: {address} is listed twice")
                rows[address] = row
    return rows


def spread(written: str) -> Iterator[str]:
    """The addresses that one with braces stands for: `T.{a,b}` for `T.a` and `T.b`."""
    texts = _BRACES.split(written)
    choices = [text.split(",") if place % 2 else [text] for place, text in enumerate(texts)]
    return ("".join(parts) for parts in itertools.product(*choices))


def _quoted(value: str, like: str = "") -> str:
    """The source of a value, with the quotes of another string."""
    if value in {"True", "False"}:
        return value
    return f'"{value}"' if like.startswith('"') else repr(value)


_NUMBERS: Final = re.compile(r"\(?(-?\d+(?:\.\d*)?)\)? / (\d+)|(\d+) \* \(?(-?\d+(?:\.\d*)?)\)?")


def _folded(source: str) -> str:
    """A product or quotient of two numbers as one number."""
    found = _NUMBERS.fullmatch(source)
    if not found:
        return source
    number = float(found[1]) / float(found[2]) if found[1] else float(found[3]) * float(found[4])
    return str(int(number)) if number == int(number) and not found[1] else repr(number)
