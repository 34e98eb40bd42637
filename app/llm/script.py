"""The file of answers that the provider `scripted` replays.

request = "..."            # optional: the request that the answers are for
[[answer]]
when = "draft"             # optional: text that the question must contain
text = '''
...                        # the answer, word for word
'''
finish = "stop"            # optional; "length" for one that was cut off
times = 2                  # optional: the number of times that it is given
"""

from __future__ import annotations

import tomllib
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError


class ScriptInvalid(ValueError):
    """The file of answers cannot be read; the message says where."""


class WrittenAnswer(BaseModel):
    """One answer of the file."""

    model_config = ConfigDict(extra="forbid")

    text: str
    when: str = ""
    finish: str = "stop"
    times: int = Field(default=1, ge=1)


class AnswerScript(BaseModel):
    """The whole file."""

    model_config = ConfigDict(extra="forbid")

    answer: list[WrittenAnswer]
    request: str = ""
    """The request that the answers were written for."""


def read_script(path: Path) -> AnswerScript:
    """Read the file at `path`; raises ScriptInvalid."""
    try:
        return AnswerScript.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError, ValidationError) as error:
        raise ScriptInvalid(f"{path.name}: {error}") from error
