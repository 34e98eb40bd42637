"""The start of a request that goes on: the requests before it, and their snippet."""

from __future__ import annotations

import json
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from app.accept import Acceptance

LONGEST_REQUEST: Final = 4000
"""The most characters of a request, together with those that it goes on from."""
MOST_EARLIER: Final = 20
LONGEST_SNIPPET: Final = 64 << 10
"""The most characters of the earlier snippet, which a model is shown whole."""

FOR_A_MODEL: Final = """\
Earlier requests, the first one first:
{earlier}

The snippet that came of them:
```python
{snippet}
```

Now change that snippet as the last request says, and give the whole of it. What the earlier requests ask for still
holds, unless the last one says otherwise. The last request:
{request}"""
HELD_BEFORE: Final = """\
{request}

Checks that the earlier snippet was held to. Repeat each that still holds, and leave out or change those that the last
request makes wrong:
{checks}"""
NO_REQUESTS: Final = "(none: the snippet was brought as it is)"


class Earlier(BaseModel):
    """A snippet to go on from, and the requests that it answers."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    requests: list[Annotated[str, Field(min_length=1, max_length=LONGEST_REQUEST)]] = Field(
        default=[], max_length=MOST_EARLIER
    )
    """The earlier requests, the first one first; empty if the snippet was brought."""
    snippet: str = Field(min_length=1, max_length=LONGEST_SNIPPET)
    """The snippet that answers them."""
    accept: Acceptance = []
    """The checks that it was held to; the checks that a model derives for this request start from them."""
    run: str | None = Field(default=None, max_length=100)
    """The run that it came of, if that is one here; its page is linked."""


def as_one_text(requests: list[str]) -> str:
    """Several requests as one, a line each; a single one as it is."""
    if len(requests) == 1:
        return requests[0]
    return "\n".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in map(str.strip, requests))


def as_many_as_fit(requests: list[str], request: str) -> list[str]:
    """The earlier requests, without the first ones that are too long together with this one."""
    kept = requests[-MOST_EARLIER:]
    while kept and len(as_one_text([*kept, request])) > LONGEST_REQUEST:
        del kept[0]
    return kept


def for_checks(earlier: Earlier, request: str) -> str:
    """The same for the model that derives checks: with those that held before."""
    asked = for_a_model(earlier, request)
    checks = "\n".join(json.dumps(check.said()) for check in earlier.accept)
    return HELD_BEFORE.format(request=asked, checks=checks) if checks else asked


def for_a_model(earlier: Earlier, request: str) -> str:
    """A request for a model, with the requests and the snippet that it goes on from."""
    said = "\n".join(f"- {before}" for before in earlier.requests) or NO_REQUESTS
    return FOR_A_MODEL.format(earlier=said, snippet=earlier.snippet.strip(), request=request)
