"""The examples in the documentation of the API: one short run, change and repository, as they look in each answer.

`examples.json` has them by name. `{"$ref": "NAME"}` stands there for another one, with what is beside it in the place
of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, cast

KNOWN: Final[dict[str, Any]] = json.loads(Path(__file__).with_name("examples.json").read_bytes())


def example(name: str) -> Any:
    """The example of this name."""
    return whole(KNOWN[name])


def whole(value: Any) -> Any:
    """The same with the examples that it refers to."""
    if isinstance(value, list):
        return [whole(one) for one in cast("Iterable[Any]", value)]
    if not isinstance(value, dict):
        return value
    own = {name: whole(one) for name, one in cast("dict[str, Any]", value).items()}
    other: Any = example(own.pop("$ref")) if "$ref" in own else {}
    return {**other, **own} if own else other


def json_example(shown: str | dict[str, Any], description: str) -> dict[str, Any]:
    """One documented response with an example: a name, or an object that may refer to others."""
    content = example(shown) if isinstance(shown, str) else whole(shown)
    return {"description": description, "content": {"application/json": {"example": content}}}


def file_example(media_type: str, description: str, text: str | None = None) -> dict[str, Any]:
    """One documented response with a file: this text, or bytes."""
    schema = {"type": "string"} if text else {"type": "string", "format": "binary"}
    return {
        "description": description,
        "content": {media_type: {"schema": schema, "example": text or "(bytes of a file)"}},
    }


def events_example(name: str) -> str:
    """Events as they are sent."""
    numbered = enumerate(example(name), start=1)
    return "".join(f"id: {number}\nevent: {kind}\ndata: {json.dumps(data)}\n\n" for number, (kind, data) in numbered)
