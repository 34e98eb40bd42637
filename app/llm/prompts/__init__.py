"""The prompts: one versioned TOML file per prompt, filled with exactly its `$variables`.

    version = 1
    system = "..."        the role of the model
    user = "..."          the question, with variables

A change of the text is a new version; the digest in the record tells texts of one version apart. A weak model is asked
with the `system` of `NAME_small.toml`, if there is one.
"""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

PromptName = Literal[
    "drafter",
    "healer",
    "critic",
    "acceptance",
    "arbiter",
    "asker",
    "editor",
    "explainer",
    "planner",
    "patcher",
    "reviewer",
    "ranker",
    "porter",
]
FOLDER: Final = Path(__file__).parent


class PromptVariables(ValueError):
    """A prompt was filled with the wrong variables: a fault of the service."""


class _PromptFile(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    version: int = Field(ge=1)
    system: str = Field(min_length=1)
    user: str = Field(min_length=1)


class _Role(BaseModel):
    """The file of a weak model's role."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: int = Field(ge=1)
    system: str = Field(min_length=1)


@dataclass(frozen=True)
class FilledPrompt:
    """A prompt with its variables filled in, and its identity, such as `healer 1 (3fa2c1d0)`."""

    name: PromptName
    identity: str
    system: str
    user: str


class Prompt:
    """One prompt of the service."""

    def __init__(self, name: PromptName, text: str, small: str | None = None) -> None:
        file = _PromptFile.model_validate(tomllib.loads(text))
        role = _Role.model_validate(tomllib.loads(small)) if small else None
        self._name: PromptName = name
        self.system: Final = (role or file).system.strip()
        self._user = Template(file.user.strip())
        if not self._user.is_valid():
            raise PromptVariables(f"prompt {name}: a `$` begins no variable; write `$$` for the sign itself")
        digest = hashlib.sha256((text + (small or "")).encode()).hexdigest()[:8]
        self.identity: Final = f"{name} {file.version}{f' small {role.version}' if role else ''} ({digest})"

    def fill(self, **variables: str) -> FilledPrompt:
        """The prompt with these variables; raises PromptVariables if one is missing or unknown."""
        wanted, given = set(self._user.get_identifiers()), set(variables)
        if wanted != given:
            wrong = [f"missing {name}" for name in sorted(wanted - given)]
            wrong += [f"unknown {name}" for name in sorted(given - wanted)]
            raise PromptVariables(f"prompt {self._name}: {', '.join(wrong)}")
        return FilledPrompt(self._name, self.identity, self.system, self._user.substitute(variables))


@cache
def prompt(name: PromptName, small: bool = False) -> Prompt:
    """The packaged prompt of that name; with `small`, the one for a weak model."""
    role = FOLDER / f"{name}_small.toml"
    own = role.read_text(encoding="utf-8") if small and role.exists() else None
    return Prompt(name, (FOLDER / f"{name}.toml").read_text(encoding="utf-8"), own)
