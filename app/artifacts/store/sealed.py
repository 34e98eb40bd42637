"""JSON files that notice when they are changed: each carries the hash of its other contents, its seal."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final, TypeVar, cast

from pydantic import BaseModel

SEAL: Final = "seal"

Model = TypeVar("Model", bound=BaseModel)


class SealBroken(ValueError):
    """The file was changed after it was written."""


def sealed(model: BaseModel) -> bytes:
    """The file that holds these facts."""
    facts: dict[str, Any] = json.loads(model.model_dump_json())
    return json.dumps({**facts, SEAL: seal_of(facts)}, indent=1).encode()


def unsealed(kind: type[Model], content: bytes) -> tuple[Model, bool]:
    """The facts in a file, and True if it has a seal: files of older versions have none.

    Raises SealBroken, and ValueError if it is no such file.
    """
    read: Any = json.loads(content)
    if type(read) is not dict:
        raise SealBroken("it is no JSON object")
    facts = cast("dict[str, Any]", read)
    seal = facts.pop(SEAL, None)
    if seal is not None and seal != seal_of(facts):
        raise SealBroken("it was changed")
    return kind.model_validate(facts), seal is not None


def seal_of(facts: Any) -> str:
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()
