"""The weight of each rule of each check, for our own snippets and for those of others: read from one data file.

finding of a tool ── severity(check, code, author) ──> error, warning, info, or dropped
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from app.verdict.verdict import OURS, Author, Finding, Severity

STRICT: Final = "strict"
RELAXED: Final = "relaxed"
"""The stubs for our own snippets, and those for snippets of others; `app/blenders/stubs/` builds both."""

Weight = Literal["blocking", "advice", "note", "off"]

BLOCKING_RULES: Final = Path(__file__).with_name("blocking-rules.toml")

_SEVERITIES: Final[dict[Weight, Severity | None]] = {
    "blocking": Severity.ERROR,
    "advice": Severity.WARNING,
    "note": Severity.INFO,
    "off": None,
}


class RulesError(ValueError):
    """The rules file is invalid. The message names the place."""


class _WeightEntry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    ours: Weight
    theirs: Weight
    false_alarms: str = ""
    why: str

    def weight(self, author: Author) -> Weight:
        return self.ours if author in OURS else self.theirs


class BlockingRule(_WeightEntry):
    """One code of one check."""

    check: str
    code: str


class CheckRule(_WeightEntry):
    """The weight of unlisted codes and, for a check that needs a selection, which codes to look for."""

    select_ours: list[str] = Field(default_factory=list[str])
    select_theirs: list[str] = Field(default_factory=list[str])


class Rules(BaseModel):
    """The rules file, validated."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    check: dict[str, CheckRule]
    rule: list[BlockingRule]

    @model_validator(mode="after")
    def _each_rule_once(self) -> Self:
        seen: set[tuple[str, str]] = set()
        for rule in self.rule:
            if rule.check not in self.check:
                raise ValueError(f"rule {rule.check}/{rule.code}: there is no [check.{rule.check}]")
            if (rule.check, rule.code) in seen:
                raise ValueError(f"rule {rule.check}/{rule.code} is listed twice")
            seen.add((rule.check, rule.code))
        return self

    def severity(self, check: str, code: str, author: Author) -> Severity | None:
        """The weight of a finding, or None if it is dropped. Raises `KeyError` for an unknown check."""
        for rule in self.rule:
            if (rule.check, rule.code) == (check, code):
                return _SEVERITIES[rule.weight(author)]
        return _SEVERITIES[self.check[check].weight(author)]

    def why(self, check: str, code: str) -> str:
        """The reason for this rule or, without one, for its check; empty if the file gives neither."""
        exact = next((rule.why for rule in self.rule if (rule.check, rule.code) == (check, code)), None)
        whole = self.check.get(check)
        return exact or (whole.why if whole else "")

    def selection(self, check: str, author: Author) -> list[str]:
        """The codes (or prefixes) that a check looks for. Raises `KeyError` for an unknown check."""
        rule = self.check[check]
        return rule.select_ours if author in OURS else rule.select_theirs


def load_rules(path: Path = BLOCKING_RULES) -> Rules:
    """Read and validate a rules file. Raises `RulesError`, which names every problem."""
    try:
        return Rules.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"{path.name}: {error}") from error
    except ValidationError as error:
        wrong = "; ".join(f"{_where(item['loc'])}{item['msg']}" for item in error.errors())
        raise RulesError(f"{path.name}: {wrong}") from error


def weighed_findings(
    rules: Rules,
    author: Author,
    check: str,
    code: str,
    message: str,
    line: int | None = None,
    hint: str | None = None,
) -> list[Finding]:
    """The finding with its weight from the blocking rules, or nothing if the rule is off."""
    severity = rules.severity(check, code, author)
    if severity is None:
        return []
    return [Finding(check=check, code=code, severity=severity, message=message, line=line, hint=hint)]


def _where(location: tuple[int | str, ...]) -> str:
    return f"{'.'.join(map(str, location))}: " if location else ""


def stubs_for(author: Author) -> str:
    """The stubs that the snippets of an author are checked with: `strict` or `relaxed`."""
    return STRICT if author in OURS else RELAXED
