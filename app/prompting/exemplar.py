"""A proven snippet that may be shown to a drafter."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class Exemplar:
    """A recipe of the cookbook, an example script of Blender or an artifact, and the nearness of its words to the
    request: at most 1.
    """

    name: str
    title: str
    nearness: float
    snippet: str
